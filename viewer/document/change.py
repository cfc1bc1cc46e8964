"""Changes: what became of a document, for everything that shows it."""

from __future__ import annotations

from typing import Protocol

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.splice import Move, Splice, moved
from viewer.variant.items import Item


@dataclass(frozen=True, slots=True)
class Change:
    """What became of the document.

    Args:
        revision: the document's generation after it.
        splices: the bytes that changed, none where only the reading did.
        structure: whether node ids may mean other nodes now; if not, only values changed.
        waits: whether the bytes are still to be read: until then there are no frames, or only the first ones, and
            another change will tell.
        moves: which of the bytes were only carried elsewhere.
        focus: where the values begin that should be selected now, the current one first; none to leave that as it is.
        text: whether a person wrote in the text that the values were read from.
    """

    revision: int
    splices: tuple[Splice, ...]
    structure: bool
    waits: bool = False
    moves: tuple[Move, ...] = ()
    focus: tuple[int, ...] = ()
    text: bool = False


def place_of(splices: tuple[Splice, ...]) -> int | None:
    """Where most is written by some splices, as the bytes lie after all of them; None where none is.

    Lengths and counts that must follow are shorter than what they follow.
    """
    if not splices:
        return None
    sizes = [max(len(splice.removed), len(splice.inserted)) for splice in map(Splice.trimmed, splices)]
    most = sizes.index(max(sizes))
    return moved(splices[most].trimmed().offset, splices[most + 1 :])


class Moved(Protocol):
    """What changed bytes, and which of them it only carried elsewhere."""

    @property
    def splices(self) -> tuple[Splice, ...]: ...
    @property
    def moves(self) -> tuple[Move, ...]: ...


def joined_moves(first: Moved, then: Moved) -> tuple[Move, ...]:
    """What two changes carried elsewhere; nothing where both wrote: the one may have written what the other moved."""
    return then.moves if not first.splices else first.moves if not then.splices else ()


def joined_changes(untold: Change, change: Change) -> Change:
    """Two changes as one, of which nobody was told of the first."""
    return replace(
        change,
        splices=untold.splices + change.splices,
        structure=True,
        moves=joined_moves(untold, change),
        focus=change.focus or untold.focus,
        text=change.text or untold.text,
    )


# External changes: a value that another program has changed in the file.

NEW = "new"


@dataclass(frozen=True, slots=True)
class ExternalChange:
    """A value that is another one now.

    Args:
        item: the value, as it is now.
        span: its bytes, as offsets in the layer.
        before: what it was, in a few characters; :data:`NEW` where it was not there.
    """

    item: Item
    span: Span
    before: str

    @property
    def was(self) -> str:
        """For a row: ``was 10``, ``new``."""
        return NEW if self.before == NEW else f"was {self.before}"
