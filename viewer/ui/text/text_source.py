"""What the text view asks for: its whole acquaintance with the rest of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.text.piece_table import PieceTable


@dataclass(frozen=True, slots=True)
class TextTint:
    """Some bytes of a text and the role whose colour they are written in: ``kind.number``, ``structure.padding``."""

    span: Span
    role: str


@dataclass(frozen=True, slots=True)
class TextMark:
    """Something that is found about some bytes of a text.

    Args:
        span: the bytes.
        severity: how grave it is.
        sentence: what is wrong, and why.
    """

    span: Span
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class TextTyped:
    """A request: *removed* becomes *inserted*.

    Args:
        removed: the bytes that go, an empty span where some are only inserted.
        inserted: those that come, UTF-8.
        merge: edits that may grow together into one step: consecutive ones with the same name; empty for none.
    """

    removed: Span
    inserted: bytes
    merge: str = ""


class TextSource(Protocol):
    """A text to show. Tints and spans are asked for what is in view only."""

    @property
    def data(self) -> PieceTable:
        """The bytes of the text."""
        ...

    def tints(self, span: Span) -> Iterable[TextTint]:
        """What is written in another colour, in order; none of them overlap."""
        ...

    def marks(self, span: Span) -> Iterable[TextMark]:
        """What is found that touches *span*, the gravest last."""
        ...
