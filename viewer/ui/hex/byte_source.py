"""What the hex view asks for and what it tells: its whole acquaintance with the rest of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant.items import Role
from viewer.variant.tints import Style


@dataclass(frozen=True, slots=True)
class PartTint:
    """One part of the selected item, tinted inside its outline."""

    span: Span
    role: Role
    group: str | None = None


@dataclass(frozen=True, slots=True)
class CoverageMark:
    """What one stretch of the coverage strip stands for; flags say what is true of any byte in it."""

    style: Style
    error: bool = False
    warning: bool = False
    modified: bool = False
    recovered: bool = False
    found: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """The words of the hover card; offset and length are told from *span*, *bytes_text* are the bytes alone."""

    path: str
    chip: str
    group: str | None
    meaning: str
    value: str
    span: Span
    bytes_text: str
    swatch: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class TypedByte:
    """A request to write one byte.

    Args:
        offset: where.
        old: the byte there, 0 where it is inserted.
        new: the byte to be there.
        nibble: 0 for the high half, 1 for the low one, None for a character.
        instead: the bytes whose place it takes, an empty span where it is inserted between two; None to overwrite.
    """

    offset: int
    old: int
    new: int
    nibble: int | None
    instead: Span | None = None


class HexSource(Protocol):
    """A buffer to show. Spans and styles are asked for visible bytes only, so they must cost little for few bytes."""

    def size(self) -> int:
        """Bytes in the buffer."""
        ...

    def read(self, start: int, end: int) -> bytes:
        """The bytes of ``[start, end)``, which lies inside the buffer."""
        ...

    def styles(self, start: int, end: int) -> bytes:
        """What the bytes of ``[start, end)`` are for: one code of :data:`~viewer.variant.tints.STYLES` for each."""
        ...

    def modified(self, start: int, end: int) -> list[Span]:
        """Changed bytes that touch ``[start, end)``."""
        ...

    def errors(self, start: int, end: int) -> list[Span]:
        """Bytes with a finding of severity error that touch ``[start, end)``."""
        ...

    def warnings(self, start: int, end: int) -> list[Span]:
        """Bytes with a finding of severity warning that touch ``[start, end)``."""
        ...

    def recovered(self, start: int, end: int) -> list[Span]:
        """Stretches read again after an error, shown as a guess, that touch ``[start, end)``."""
        ...

    def search_hits(self, start: int, end: int) -> list[Span]:
        """Search hits that touch ``[start, end)``."""
        ...

    def current_hit(self) -> Span | None:
        """The search hit that is current."""
        ...

    def parents(self, offset: int) -> Span | None:
        """The span of the parent of the selected item, which starts at *offset*."""
        ...

    def coverage(self, buckets: int) -> Iterable[CoverageMark]:
        """The whole buffer in that many equal stretches, or fewer when it has fewer bytes; made as they are taken."""
        ...

    def describe(self, offset: int) -> Description | None:
        """What the byte at *offset* is."""
        ...
