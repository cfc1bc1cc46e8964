"""Where the list of packets gets its packets from: a store, seen with the one question that the list asks."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.document.packets.filtering import parse_filter
from viewer.document.packets.packet import Packet
from viewer.document.packets.store import PacketStore
from viewer.document.packets.terms import All, Any, Flag, FlagIs, Not, Term

APPLICATION = Not(FlagIs(Flag.CONTROL))


class PacketSource:
    """The packets of a store, of which old ones may be dropped while new ones come.

    A packet keeps its row for good: the rows there are go from :attr:`first` up to :attr:`end`.

    Args:
        store: the packets; what they say is worked out by :meth:`explain_some`.

    Attributes:
        revision: grows when packets say something else than before.
    """

    def __init__(self, store: PacketStore) -> None:
        self.store = store
        self.revision = 0

    @property
    def first(self) -> int:
        """The row of the oldest packet that is still kept."""
        return self.store.rows.start

    @property
    def end(self) -> int:
        """The row after that of the newest packet."""
        return self.store.rows.stop

    @property
    def errors(self) -> int:
        """How many packets the engine would refuse, as far as is known."""
        return self.store.errors

    @property
    def controls(self) -> int:
        """How many packets are the protocol's own."""
        return self.store.controls

    @property
    def is_complete(self) -> bool:
        """Whether all packets have been looked at, so that numbers and filters are final."""
        return not self.store.pending

    def explain_some(self, seconds: float) -> bool:
        """Look at the next packets for about so long; whether some are left."""
        if not self.store.pending:
            return False
        self.revision += 1
        return self.store.explain_some(seconds)

    def explain_again(self) -> None:
        """Have all packets looked at again, because a person said something about them."""
        self.revision += 1
        self.store.explain_again()

    def packet(self, row: int) -> Packet:
        """The packet of a row.

        Raises:
            IndexError: it was dropped, or is none yet.
        """
        return self.store.packet(row)

    def matching(self, text: str, control: bool, start: int) -> Sequence[int]:
        """The rows from *start* on that pass a filter, in order.

        Args:
            text: the filter; an empty one lets everything pass.
            control: whether packets that are the protocol's own may pass; a filter that asks for them gets them.
            start: the first row that is asked for.

        Raises:
            FilterError: the text cannot be read.
        """
        term = parse_filter(text)
        if not control and not (term is not None and _asks_for_control(term)):
            term = APPLICATION if term is None else All((term, APPLICATION))
        return self.store.matching(term, start)

    def next_error(self, row: int) -> int | None:
        """The first row after *row* whose packet the engine would refuse, from the start again after the last one."""
        rows = self.store.matching(FlagIs(Flag.ERROR))
        return next((found for found in rows if found > row), rows[0] if rows else None)


def _asks_for_control(term: Term) -> bool:
    """Whether a filter names control packets; filters are never nested deeply."""
    if isinstance(term, Not):
        return _asks_for_control(term.inner)
    if isinstance(term, All | Any):
        return any(_asks_for_control(each) for each in term.terms)
    return isinstance(term, FlagIs) and term.flag is Flag.CONTROL
