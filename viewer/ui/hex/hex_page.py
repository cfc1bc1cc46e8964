"""What one page of the hex view shows, gathered from the source before anything is painted."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.hex.byte_source import HexSource, PartTint
from viewer.ui.hex.layout import Area, HexLayout


@dataclass(frozen=True, slots=True)
class PageFocus:
    """Where the person is: caret, byte selection, selected item, hovered bytes."""

    caret: int
    nibble: int
    area: Area
    focused: bool
    insert: bool
    selection: Span | None
    item: Span | None
    parts: tuple[PartTint, ...]
    hover: Span | None


@dataclass(frozen=True, slots=True)
class HexPage:
    """The visible bytes from row *top* on, with all that is known about them."""

    layout: HexLayout
    top: int
    rows: int
    size: int
    data: bytes
    styles: bytes
    modified: list[Span]
    errors: list[Span]
    warnings: list[Span]
    recovered: list[Span]
    hits: list[Span]
    current_hit: Span | None
    parent: Span | None
    focus: PageFocus

    @property
    def start(self) -> int:
        """The offset of the first visible byte."""
        return self.top * self.layout.columns

    def shows(self, offset: int) -> bool:
        """Whether a byte, or the place behind the last one, is on this page."""
        return self.start <= offset < self.start + self.rows * self.layout.columns


def read_page(source: HexSource, layout: HexLayout, top: int, rows: int, focus: PageFocus) -> HexPage:
    """Ask *source* for the bytes of *rows* rows and for nothing else."""
    size = source.size()
    start = min(top * layout.columns, size)
    end = min(start + rows * layout.columns, size)
    return HexPage(
        layout,
        top,
        rows,
        size,
        source.read(start, end),
        source.styles(start, end),
        source.modified(start, end),
        source.errors(start, end),
        source.warnings(start, end),
        source.recovered(start, end),
        source.search_hits(start, end),
        source.current_hit(),
        source.parents(focus.item.start) if focus.item else None,
        focus,
    )
