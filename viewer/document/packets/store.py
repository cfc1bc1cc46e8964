"""PacketStore: the packets of a capture or of live traffic, in order, as many as fit.

Adding a packet costs next to nothing: what it says is worked out when it is asked for, or bit by bit in the
background (:meth:`PacketStore.explain_some`), in order, because packets learn from earlier ones. Of what was worked
out only one line a packet is kept; the pieces of the packets that were looked at last are kept as well.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import compress

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, replace
from viewer.document.packets.filter_language import Term, parse_filter
from viewer.document.packets.packet import Packet, PayloadExplainer, SeenPayload
from viewer.document.packets.packet_columns import PacketColumns
from viewer.document.pieces.message import Message

RUN = 4096
"""Rows whose columns lie together; the oldest are dropped so many at a time at most."""
MOST_MESSAGES = 1024
"""Messages with all their pieces that are kept."""
EARLY = 64
"""The first packets of a conversation that are explained again when more is known of it."""
CATCH_UP = 256
"""Rows that are explained at once so that a later one is explained in order."""


@dataclass(frozen=True, slots=True)
class StoreLimit:
    """How much is kept; what is older is dropped.

    Args:
        packets: rows.
        size: bytes of their payloads.
    """

    packets: int = 1_000_000
    size: int = 1 << 29


@dataclass(frozen=True, slots=True)
class RowText:
    """What a row shows of what the packet says; all empty where nobody has asked yet."""

    kind: str
    summary: str
    severity: Severity | None


@dataclass(slots=True)
class _Early:
    """What is remembered of a conversation: its version when its rows were explained, and the first of these."""

    version: int
    rows: list[int]


class PacketStore:
    """Packets by row. Rows count from 0 on and keep their numbers when older ones are dropped.

    It belongs to one thread.

    Args:
        bound: how much is kept.

    Attributes:
        start: nanoseconds since 1970 from which packets count their time; that of the first one where nobody set it.
    """

    def __init__(self, bound: StoreLimit | None = None) -> None:
        self._bound = bound or StoreLimit()
        self._room = max(1, min(RUN, self._bound.packets // 8))
        self._runs: deque[PacketColumns] = deque()
        self._first = self._end = self._explained = self._size = 0
        self._again: deque[int] = deque()
        self._early: dict[PayloadExplainer, _Early] = {}
        self._messages: OrderedDict[int, Message] = OrderedDict()
        self.start: int | None = None

    # Rows

    def __len__(self) -> int:
        return self._end - self._first

    @property
    def rows(self) -> range:
        """The rows that are there."""
        return range(self._first, self._end)

    @property
    def size(self) -> int:
        """Bytes of all payloads that are kept."""
        return self._size

    def extend(self, seen: Iterable[SeenPayload]) -> None:
        """Add packets behind all others; the oldest go where there are too many."""
        for each in seen:
            if self.start is None:
                self.start = each.payload.time
            if not self._runs or self._runs[-1].is_full:
                self._runs.append(PacketColumns(self._room))
            self._runs[-1].add(each)
            self._size += len(each.payload.data)
            self._end += 1
            if len(self) > self._bound.packets or self._size > self._bound.size:
                self._drop()

    def clear(self) -> None:
        """Drop all packets; rows go on counting."""
        while self._runs:
            self._drop(keep=0)
        self._messages.clear()
        self.start = None

    def _drop(self, keep: int = 1) -> None:
        """Drop the oldest run; the one that is being filled stays."""
        if len(self._runs) <= keep:
            return
        dropped = self._runs.popleft()
        self._first += len(dropped)
        self._size -= dropped.size
        self._explained = max(self._explained, self._first)
        gone = set(dropped.talks) - {talk for run in self._runs for talk in set(run.talks)} if self._early else set()
        for talk in gone:
            self._early.pop(talk, None)

    def _run(self, row: int) -> tuple[PacketColumns, int]:
        if row not in self.rows:
            raise IndexError(f"There is no packet in row {row}.")
        run, place = divmod(row - self._first, self._room)
        return self._runs[run], place

    # What they say

    def packet(self, row: int) -> Packet:
        """A packet with all that it says.

        Raises:
            IndexError: there is no such row.
        """
        run, place = self._run(row)
        payload = run.payloads[place]
        since = payload.time - (payload.time if self.start is None else self.start)
        return Packet(row, payload, self._message(row), run.talks[place].to_server(payload), since)

    def explainer(self, row: int) -> Callable[[bytes], Message]:
        """What other bytes in the place of a packet's payload would say.

        Raises:
            IndexError: there is no such row.
        """
        run, place = self._run(row)
        talk, payload = run.talks[place], run.payloads[place]
        return lambda data: talk.explain(replace(payload, data=data))

    def line(self, row: int) -> RowText:
        """What a row shows, as far as it is known; costs next to nothing.

        Raises:
            IndexError: there is no such row.
        """
        run, place = self._run(row)
        return RowText(run.kind(place), run.summary(place), run.severity(place))

    def _message(self, row: int) -> Message:
        if self._explained <= row < self._explained + CATCH_UP:
            while self._explained <= row:
                self._explain_next()
        found = self._messages.get(row)
        if found is None:
            run, place = self._run(row)
            found = run.talks[place].explain(run.payloads[place])
            run.tell(place, found)
            self._keep(row, found)
        self._messages.move_to_end(row)
        return found

    def _keep(self, row: int, message: Message) -> None:
        self._messages[row] = message
        while len(self._messages) > MOST_MESSAGES:
            self._messages.popitem(last=False)

    # In the background

    @property
    def pending(self) -> int:
        """How many rows nobody has explained yet; filters and counts do not know them."""
        return self._end - self._explained + len(self._again)

    def explain_some(self, seconds: float = 0.008) -> bool:
        """Explain the next rows for about so long; whether some are left."""
        stop = time.perf_counter() + seconds
        while self.pending:
            self._explain_next()
            if time.perf_counter() >= stop:
                break
        return bool(self.pending)

    def explain_all(self) -> None:
        """Explain all rows that nobody has explained yet."""
        while self.pending:
            self._explain_next()

    def _explain_next(self) -> None:
        again = bool(self._again)
        row = self._again.popleft() if again else self._explained
        if row < self._first:
            return
        run, place = self._run(row)
        talk = run.talks[place]
        message = talk.explain(run.payloads[place])
        run.tell(place, message)
        if row in self._messages:
            self._keep(row, message)
        if not again:
            self._explained += 1
            self._note(row, talk)

    def _note(self, row: int, talk: PayloadExplainer) -> None:
        """Remember the first rows of a conversation, and have them explained again when more is known of it."""
        early = self._early.get(talk)
        if early is None:
            early = self._early[talk] = _Early(talk.version, [])
        elif early.version != talk.version:
            early.version = talk.version
            self._again.extend(early.rows)
            for each in early.rows:
                self._messages.pop(each, None)
        if len(early.rows) < EARLY:
            early.rows.append(row)

    # Counting and filtering

    @property
    def errors(self) -> int:
        """How many packets have an error, of those that were explained."""
        return sum(run.errors for run in self._runs)

    @property
    def controls(self) -> int:
        """How many packets are the protocol's own: connect, acknowledge, ping."""
        return sum(run.controls for run in self._runs)

    def filter(self, text: str) -> list[int]:
        """The rows that pass a filter, in order, of those that were explained and (for what needs no explaining) all.

        Raises:
            FilterError: the filter cannot be understood.
        """
        return self.matching(parse_filter(text))

    def matching(self, term: Term | None, start: int = 0) -> list[int]:
        """The rows from *start* on that pass."""
        return [row for row in self._passing(term, start) if row >= start]

    def _passing(self, term: Term | None, start: int) -> Iterator[int]:
        row = self._first
        for run in self._runs:
            if row + len(run) > start:
                yield from compress(range(row, row + len(run)), run.passing(term))
            row += len(run)
