"""The lines of a text, and the rows of a given width that they are shown in. Knows no widget.

Lines end at LF. A line that is too long goes on in the next row: rows are cut after so many bytes of UTF-8, at the
beginning of a character. So the number of rows follows from the lengths of lines alone, and after an edit the text
is not looked at again: what was typed tells which lines there are more or fewer. Only lines with tabs, which are as
wide as where they stand tells, are looked at: once for how wide they are, and where that is too wide for a row they are
cut before what would be shown too far to the right.

Of a long text the first lines are counted at once, and the others when somebody asks for one of them, or in between.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from typing import TypeAlias

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.text.piece_table import PieceTable
from viewer.variant.hops import line_ends, longest_line

LINE_END = re.compile(rb"\n")
BLOCK = 2048
"""Lines that are counted together."""
NARROWEST = 8
AT_ONCE = 1 << 18
"""Bytes whose lines are counted at once."""
STRETCH = 1 << 20
"""Bytes whose lines are counted in one go on the way to a line or row."""
TAB = 4
"""Letters between two places where a tab may end."""
LONGEST_TABBED, MOST_TABS = 1 << 16, 2000
"""A line of more bytes, or with more tabs, is cut after so many bytes, as if it had no tabs."""

Text: TypeAlias = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row.

    Args:
        line: the line that it belongs to, the first one is 0.
        span: its bytes, without the end of the line.
        is_first, is_last: whether the line begins, and ends, in it.
    """

    line: int
    span: Span
    is_first: bool
    is_last: bool


class _Block:
    """Some lines in a row. Where *text* is asked for, it is these lines, where they have tabs.

    Args:
        ends: where each line ends, behind its LF, counted from the first one's beginning.
        has_tabs: whether there may be tabs in them.
    """

    __slots__ = ("_columns", "_cuts", "_first_rows", "ends", "has_tabs", "size", "widest", "widths")

    def __init__(self, ends: array[int], has_tabs: bool) -> None:
        self.ends, self.has_tabs = ends, has_tabs
        self.size = ends[-1]
        self.widest = longest_line(ends) * (TAB if has_tabs else 1)
        """No line is wider than so many letters."""
        self.widths = array("Q")
        """How wide each line is, as soon as one with tabs may be wider than a row."""
        self._columns = 0
        self._first_rows = array("Q")
        self._cuts: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self.ends)

    def start(self, line: int) -> int:
        """Where a line begins, counted from the first one here."""
        return self.ends[line - 1] if line else 0

    def rows(self, columns: int, text: Text) -> int:
        """How many rows of *columns* bytes these lines take."""
        return len(self) if self._fits(columns, text) else self._counted(columns, text)[-1]

    def first_row(self, line: int, columns: int, text: Text) -> int:
        """The first row of a line."""
        return line if self._fits(columns, text) else self._counted(columns, text)[line]

    def line_of(self, row: int, columns: int, text: Text) -> int:
        """The line that a row belongs to."""
        return row if self._fits(columns, text) else bisect_right(self._counted(columns, text), row) - 1

    def cuts(self, line: int, columns: int, text: Text) -> array[int] | None:
        """Where the rows of a line with tabs begin, None of one that is cut after so many bytes."""
        if self._fits(columns, text):
            return None
        self._counted(columns, text)
        return self._cuts.get(line)

    def _fits(self, columns: int, text: Text) -> bool:
        """Whether each line has room in one row."""
        if self.widest > columns and self.has_tabs and not self.widths:
            self.widths = _widths(self.ends, text())
            self.widest = max(self.widths)
        return self.widest <= columns

    def _counted(self, columns: int, text: Text) -> array[int]:
        """The first row of each line, and the number of all."""
        if self._columns != columns:
            self._columns = columns
            self._cuts = self._found_cuts(columns, text()) if self.has_tabs else {}
            before = [0, *self.ends[:-1]]
            counts = [max(1, -(-(end - start - 1) // columns)) for start, end in zip(before, self.ends, strict=True)]
            for line, cuts in self._cuts.items():
                counts[line] = len(cuts)
            self._first_rows = array("Q", accumulate(counts, initial=0))
        return self._first_rows

    def _found_cuts(self, columns: int, text: bytes) -> dict[int, array[int]]:
        """Where the rows of each line begin that has tabs and is too wide for one row."""
        found = {}
        for line, width in enumerate(self.widths):
            if width > columns:
                start, end = self.start(line), self.ends[line] - 1
                if _is_tabbed(text, start, end):
                    found[line] = _tabbed_cuts(text[start:end], columns)
        return found


def _widths(ends: array[int], text: bytes) -> array[int]:
    """How wide each line is where it has room in one row."""
    text = text.replace(b"\r", b" ")  # a tab behind CR would count from there
    if longest_line(ends) <= MOST_TABS:
        return array("Q", map(len, text.expandtabs(TAB).split(b"\n")[: len(ends)]))
    found, start = array("Q"), 0
    for end in ends:
        is_tabbed = _is_tabbed(text, start, end - 1)
        found.append(len(text[start : end - 1].expandtabs(TAB)) if is_tabbed else end - 1 - start)
        start = end
    return found


def _is_tabbed(text: bytes, start: int, end: int) -> bool:
    """Whether a line is cut where its tabs tell."""
    return end - start <= LONGEST_TABBED and 0 < text.count(b"\t", start, end) <= MOST_TABS


def _tabbed_cuts(line: bytes, columns: int) -> array[int]:
    """Where the rows of a line with tabs begin: never within a character, and never before a first byte."""
    cuts, at, width = array("Q", (0,)), 0, 0
    while at < len(line):
        tab = line.find(b"\t", at)
        run = (tab if tab >= 0 else len(line)) - at
        if width + run > columns:  # of what is no tab a byte is as wide as another
            end = _whole(line, at + columns - width, cuts[-1])
        elif tab < 0:
            break
        else:
            width += run
            wide = TAB - width % TAB
            if width + wide <= columns or tab == cuts[-1]:
                at, width = tab + 1, width + wide
                continue
            end = tab
        cuts.append(end)
        at, width = end, 0
    return cuts


def _whole(line: bytes, at: int, after: int) -> int:
    """The beginning of the character that a byte belongs to, where it is behind a place; else the byte."""
    begin = next((at - before for before in range(4) if line[at - before] & 0xC0 != 0x80), at)
    return begin if begin > after else at


class TextRows:
    """The rows of a text.

    Args:
        data: its bytes.

    Attributes:
        data: as they are now.
        columns: the most bytes in a row.
    """

    def __init__(self, data: PieceTable | None = None) -> None:
        self.data = PieceTable() if data is None else data
        self.columns = 80
        self._blocks: list[_Block] = []
        self._count()
        self.count_on(AT_ONCE)

    def set_columns(self, columns: int) -> None:
        """Cut rows after so many bytes, a few at least."""
        columns = max(columns, NARROWEST)
        if columns != self.columns:
            self.columns = columns
            self._count()

    def replace(self, span: Span, inserted: bytes, data: PieceTable) -> None:
        """Other bytes took the place of some.

        Args:
            span: those that went.
            inserted: those that came.
            data: the whole text as it is now.
        """
        self.data = data
        if not self.knows(span.start):
            return
        first = self._block_at(span.start)
        if self.knows(span.end):
            last = self._block_at(span.end)
            has_tabs = b"\t" in inserted or any(block.has_tabs for block in self._blocks[first : last + 1])
            self._blocks[first : last + 1] = _cut_up(self._ends_after(span, inserted, first, last), has_tabs)
        else:  # lines that are not counted yet begin where this block did
            del self._blocks[first:]
        self._count()
        if not self._blocks:
            self.count_on(AT_ONCE)

    def _ends_after(self, removed: Span, inserted: bytes, first: int, last: int) -> array[int]:
        """Where the lines of some blocks end with other bytes in the place of some, counted from the first one's."""
        low, base = self._starts[first], self._starts[last]
        before, behind = self._blocks[first].ends, self._blocks[last].ends
        moved = base - low + len(inserted) - len(removed)
        ends = before[: bisect_right(before, removed.start - low)]
        ends.extend(removed.start - low + found.end() for found in LINE_END.finditer(inserted))
        ends.extend(end + moved for end in behind[bisect_right(behind, removed.end - base) :])
        return ends

    # Counting

    @property
    def is_counted(self) -> bool:
        """Whether all lines are counted."""
        return self._starts[-1] > len(self.data)

    def knows(self, offset: int) -> bool:
        """Whether the line that holds a byte is counted already."""
        return offset < self._starts[-1]

    def knows_row(self, number: int) -> bool:
        """Whether a row is counted already, or there is none with that number."""
        return number < self._rows[-1] or self.is_counted

    def has_row(self, number: int) -> bool:
        """Whether there is a row with a number. Counts as far as that."""
        while not self.knows_row(number):
            self.count_on(STRETCH)
        return 0 <= number < self._rows[-1]

    def count_on(self, size: int | None = None) -> None:
        """Count some more lines, those of so many bytes at least; without a number all of them."""
        start = self._starts[-1]
        end = len(self.data) if size is None else start + size
        if self.is_counted:
            return
        for block in _blocks(bytes(self.data), start):
            self._blocks.append(block)
            text = self._text(block, self._starts[-1])
            self._starts.append(self._starts[-1] + block.size)
            self._lines.append(self._lines[-1] + len(block))
            self._rows.append(self._rows[-1] + block.rows(self.columns, text))
            if end < self._starts[-1] <= len(self.data):
                break

    # Numbers

    @property
    def lines(self) -> int:
        """How many lines there are, one at least; behind the last LF is one more. Counts all of them."""
        self.count_on()
        return self._lines[-1]

    @property
    def rows(self) -> int:
        """How many rows there are. Counts all of them."""
        self.count_on()
        return self._rows[-1]

    @property
    def likely_lines(self) -> int:
        """How many lines there are; about so many, as long as not all are counted."""
        return self._likely(self._lines[-1])

    @property
    def likely_rows(self) -> int:
        """How many rows there are; about so many, as long as not all are counted."""
        return self._likely(self._rows[-1])

    def _likely(self, counted: int) -> int:
        return counted if self.is_counted else max(counted, counted * len(self.data) // self._starts[-1])

    def line_of(self, offset: int) -> int:
        """The line that holds a byte."""
        index = self._block_at(offset)
        return self._lines[index] + bisect_right(self._blocks[index].ends, offset - self._starts[index])

    def line_span(self, line: int) -> Span:
        """The bytes of a line, without its LF; of the nearest one where there is no such line."""
        while line >= self._lines[-1] and not self.is_counted:
            self.count_on(STRETCH)
        line = min(max(line, 0), self._lines[-1] - 1)
        index = bisect_right(self._lines, line) - 1
        block, base, inside = self._blocks[index], self._starts[index], line - self._lines[index]
        return Span(base + block.start(inside), base + block.ends[inside] - 1)

    def row_of(self, offset: int) -> int:
        """The row that a byte is shown in; a line's end belongs to its last row."""
        line = self.line_of(offset)
        index = bisect_right(self._lines, line) - 1
        block, text = self._blocks[index], self._text(self._blocks[index], self._starts[index])
        first = self._rows[index] + block.first_row(line - self._lines[index], self.columns, text)
        span = self.line_span(line)
        cuts = block.cuts(line - self._lines[index], self.columns, text)
        if cuts is not None:
            return first + bisect_right(cuts, offset - span.start) - 1
        inside = (offset - span.start) // self.columns
        last = max(0, -(-len(span) // self.columns) - 1)
        if inside < last and self._cut(span, inside + 1) <= offset:
            inside += 1
        return first + min(inside, last)

    def of_lines(self, start: int, end: int) -> Span:
        """The rows of all lines from the one that holds a byte to the one that holds another."""
        first, last = self.line_span(self.line_of(start)), self.line_span(self.line_of(end))
        return Span(self.row_of(first.start), self.row_of(last.end) + 1)

    def row(self, number: int) -> TextRow:
        """One row; the nearest one where there is no such row."""
        if not self.has_row(number):
            number = 0 if number < 0 else self._rows[-1] - 1
        index = bisect_right(self._rows, number) - 1
        block = self._blocks[index]
        text = self._text(block, self._starts[index])
        inside = block.line_of(number - self._rows[index], self.columns, text)
        line = self._lines[index] + inside
        part = number - self._rows[index] - block.first_row(inside, self.columns, text)
        span = self.line_span(line)
        cuts = block.cuts(inside, self.columns, text)
        if cuts is not None:
            last = len(cuts) - 1
            end = span.start + cuts[part + 1] if part < last else span.end
            return TextRow(line, Span(span.start + cuts[part], end), is_first=part == 0, is_last=part == last)
        last = max(0, -(-len(span) // self.columns) - 1)
        return TextRow(
            line, Span(self._cut(span, part), self._cut(span, part + 1)), is_first=part == 0, is_last=part == last
        )

    def _cut(self, line: Span, part: int) -> int:
        """Where a part of a line begins: never within a character."""
        at = line.start + part * self.columns
        if at >= line.end or not part:
            return min(at, line.end)
        for before in range(4):
            if self.data[at - before] & 0xC0 != 0x80:
                return at - before
        return at

    def _text(self, block: _Block, start: int) -> Text:
        """What a block that begins at a byte asks for its lines."""
        return partial(self._between, start, start + block.size)

    def _between(self, start: int, end: int) -> bytes:
        return self.data[start:end]

    def _block_at(self, offset: int) -> int:
        """The block that holds a byte, whose lines are counted now at the latest."""
        if not self.knows(offset):
            self.count_on(offset - self._starts[-1])
        return min(bisect_right(self._starts, offset), len(self._blocks)) - 1

    def _count(self) -> None:
        """Where blocks begin, in bytes, lines and rows; and how much of each there is in all that is counted."""
        blocks = self._blocks
        self._starts = list(accumulate((block.size for block in blocks), initial=0))
        self._lines = list(accumulate(map(len, blocks), initial=0))
        texts = map(self._text, blocks, self._starts)
        counts = (block.rows(self.columns, text) for block, text in zip(blocks, texts, strict=True))
        self._rows = list(accumulate(counts, initial=0))


def _blocks(data: bytes, at: int) -> Iterator[_Block]:
    """The lines of a text from the beginning of one on; behind a last LF is one more."""
    room = array("Q", bytes(8 * BLOCK))
    while (count := line_ends(data, at, len(data), room)) == BLOCK:
        yield _Block(room[:], data.find(b"\t", at, at + room[-1]) >= 0)
        at += room[-1]
    yield _Block(room[:count] + array("Q", (len(data) - at + 1,)), data.find(b"\t", at) >= 0)


def _cut_up(ends: array[int], has_tabs: bool) -> Iterator[_Block]:
    """Blocks of the lines that end there."""
    start = 0
    for at in range(0, len(ends), BLOCK):
        part = ends[at : at + BLOCK]
        yield _Block(array("Q", [end - start for end in part]), has_tabs)
        start = part[-1]
