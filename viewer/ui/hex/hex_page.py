"""What one page of the hex view shows, gathered from the source before anything is painted."""

from __future__ import annotations

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.ui.hex.byte_source import HexSource, PartTint
from viewer.ui.hex.layout import Area, HexLayout
from viewer.variant.tints import BYTE, GAP


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
    """The visible bytes from row *top* on, with all that is known about them.

    *letters* are the bytes as the text column has them: where a sign of UTF-8 stands, blanks; *signs* are these, each
    with its place among the visible bytes.
    """

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
    letters: bytes
    signs: tuple[tuple[int, str], ...] = ()

    @property
    def start(self) -> int:
        """The offset of the first visible byte."""
        return self.top * self.layout.columns

    def shows(self, offset: int) -> bool:
        """Whether a byte, or the place behind the last one, is on this page."""
        return self.start <= offset < self.start + self.rows * self.layout.columns

    @property
    def parts_in_view(self) -> list[PartTint]:
        """The parts of the selected item that reach into this page."""
        end = self.start + self.rows * self.layout.columns
        return [part for part in self.focus.parts if part.span.start < end and part.span.end > self.start]

    def part(self, rows: range) -> HexPage:
        """Some rows of this page, as a page."""
        if len(rows) == self.rows:
            return self
        columns = self.layout.columns
        begin, end = rows.start * columns, rows.stop * columns
        data, styles = self.data[begin:end], self.styles[begin:end]
        letters, signs = self.letters[begin:end], self.signs_in(begin, end)
        top = self.top + rows.start
        return replace(self, top=top, rows=len(rows), data=data, styles=styles, letters=letters, signs=signs)

    def signs_in(self, begin: int, end: int) -> tuple[tuple[int, str], ...]:
        """The signs among some of the visible bytes, with their places among these."""
        return tuple((at - begin, sign) for at, sign in self.signs if begin <= at < end) if self.signs else ()

    def tinted_rows(self) -> set[int]:
        """The rows, counted in this page, in which anything is painted behind the bytes or they have another colour."""
        columns, focus = self.layout.columns, self.focus
        spans = [*self.modified, *self.errors, *self.recovered, *self.hits]
        spans += [part.span for part in focus.parts]
        more = (self.current_hit, focus.selection, Span(focus.caret, focus.caret + 1))
        spans += [span for span in more if span is not None]
        code = BYTE[GAP]
        at = self.styles.find(code)
        while at >= 0:
            row = at // columns
            spans.append(Span(self.start + row * columns, self.start + (row + 1) * columns))
            at = self.styles.find(code, (row + 1) * columns)
        found: set[int] = set()
        for span in spans:
            first = max(span.start // columns - self.top, 0)
            found.update(range(first, min(max(span.end - 1, span.start) // columns - self.top + 1, self.rows)))
        return found


def read_page(
    source: HexSource, layout: HexLayout, top: int, rows: int, focus: PageFocus, utf8: bool = False
) -> HexPage:
    """Ask *source* for the bytes of *rows* rows and for nothing else; *utf8*: signs of several bytes are shown."""
    size = source.size()
    start = min(top * layout.columns, size)
    end = min(start + rows * layout.columns, size)
    data = source.read(start, end)
    letters, signs = _signs(source, start, data, size) if utf8 else (data, ())
    return HexPage(
        layout,
        top,
        rows,
        size,
        data,
        source.styles(start, end),
        source.modified(start, end),
        source.errors(start, end),
        source.warnings(start, end),
        source.recovered(start, end),
        source.search_hits(start, end),
        source.current_hit(),
        source.parents(focus.item.start) if focus.item else None,
        focus,
        letters,
        signs,
    )


def _signs(source: HexSource, start: int, data: bytes, size: int) -> tuple[bytes, tuple[tuple[int, str], ...]]:
    from viewer.base.utf8_signs import BEFORE, utf8_signs  # few people want them

    end = start + len(data)
    before = source.read(max(0, start - BEFORE), start)
    return utf8_signs(before, data, source.read(end, min(size, end + BEFORE)))
