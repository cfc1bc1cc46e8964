"""The glyphs of a hex page: all cells of one colour go to the painter in a single run, placed on the float grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, compress, groupby
from math import ceil
from operator import itemgetter
from sys import byteorder
from typing import TypeVar

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGlyphRun, QPainter, QRawFont

from viewer.ui.hex.layout import GROUP, MARGIN, Area, HexLayout

HEX_DIGITS = "0123456789ABCDEF"
DOT = "\N{MIDDLE DOT}"
PRINTABLE = range(0x20, 0x7F)
OTHERS = b"\1"
IS_OTHER = bytes((0, *[1] * 255))
Each = TypeVar("Each")


class _GroupRects(dict[int, list[QRect]]):
    """The places of those bytes of one group that a word marks, in whole pixels around their glyphs; as few as can be.

    Args:
        y, height: of the row.
        edges: left and right edge of each byte.
    """

    def __init__(self, y: int, height: int, edges: list[tuple[int, int]]) -> None:
        self._y, self._height, self._edges = y, height, edges

    def __missing__(self, word: int) -> list[QRect]:
        found: list[QRect] = []
        for is_marked, run in groupby(zip(word.to_bytes(GROUP, byteorder), self._edges, strict=True), itemgetter(0)):
            if is_marked:
                edges = [edge for _, edge in run]
                left, right = edges[0][0], edges[-1][1]
                found.append(QRect(left, self._y, right - left, self._height))
        self[word] = found
        return found


class HexGlyphs:
    """Glyph numbers and places for one font and one layout; made anew when either changes."""

    def __init__(self, font: QFont, layout: HexLayout, rows: int) -> None:
        metrics = QFontMetricsF(font)
        self.font = font
        self.rows = rows
        self._raw = QRawFont.fromFont(font)
        self._layout = layout
        self._baseline = (layout.row_height - metrics.height()) / 2 + metrics.ascent()
        digits = self._raw.glyphIndexesForString(HEX_DIGITS)
        dot = (self._raw.glyphIndexesForString(DOT) or [0])[0] or self._raw.glyphIndexesForString(".")[0]
        self._pairs = [(digits[value >> 4], digits[value & 15]) for value in range(256)]
        self._text = [self._raw.glyphIndexesForString(chr(v))[0] if v in PRINTABLE else dot for v in range(256)]
        columns = range(layout.columns)
        high = self._places(rows, [layout.digit_x(column, 0) for column in columns])
        low = self._places(rows, [layout.digit_x(column, 1) for column in columns])
        self._pair_places = [*zip(high, low, strict=True)]
        self._text_places = self._places(rows, [layout.cell_x(column, Area.TEXT) for column in columns])
        self._offset_places = self._places(rows, [MARGIN + i * layout.digit for i in range(layout.digits)])
        self._offsets: dict[int, QGlyphRun] = {}
        self._any_run = self._run([], [])

    def _places(self, rows: int, columns: list[float]) -> list[QPointF]:
        return [QPointF(x, y) for y in map(self.baseline, range(rows)) for x in columns]

    def baseline(self, row: int) -> float:
        """The y of the text in a visible row."""
        return row * self._layout.row_height + self._baseline

    def draw_bytes(
        self,
        painter: QPainter,
        data: bytes,
        digits: bytes,
        characters: bytes,
        colours: Sequence[QColor],
        without_first: bool = False,
        letters: bytes | None = None,
    ) -> None:
        """Draw a page of bytes, a middle dot for what cannot be printed.

        Args:
            letters: what the text column shows, None for *data*.
            digits: which of *colours* each byte has in the hex column.
            characters: the same for the text column.
            without_first: what has the first colour is there already.
        """
        shown = data if letters is None else letters
        cells, signs = _by_ink(digits, without_first), _by_ink(characters, without_first)
        glyphs, places = _flat(self._pairs, _at(data, cells)), _flat(self._pair_places, cells)
        text, text_places = _at(self._text, _at(shown, signs)), _at(self._text_places, signs)
        first, start = 0, 0
        for ink in sorted({*digits, *characters}):
            if not ink and without_first:
                continue
            last, end = first + 2 * digits.count(ink), start + characters.count(ink)
            all_places = places[first:last] + text_places[start:end]
            self._draw(painter, colours[ink], glyphs[first:last] + text[start:end], all_places)
            first, start = last, end

    def blank(self, painter: QPainter, rows: int, digits: bytes, characters: bytes, colour: QColor) -> None:
        """Fill the places in *rows* rows of all that has not the first ink, and those that have no byte."""
        count = rows * self._layout.columns
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for area, inks in ((Area.HEX, digits), (Area.TEXT, characters)):
            groups = memoryview(inks.translate(IS_OTHER).ljust(count, OTHERS)).cast("I")
            painter.drawRects([*chain.from_iterable(map(dict.__getitem__, self._groups[area], groups))])

    @cached_property
    def _groups(self) -> dict[Area, list[_GroupRects]]:
        """The places of the bytes, a group each."""
        height, layout = self._layout.row_height, self._layout
        found: dict[Area, list[_GroupRects]] = {}
        for area, inside in ((Area.HEX, ceil), (Area.TEXT, round)):
            edges = []
            for column in range(layout.columns):
                left = layout.cell_x(column, area)
                edges.append((inside(left), -inside(-left - layout.cell_width(area))))
            groups = [edges[column : column + GROUP] for column in range(0, layout.columns, GROUP)]
            found[area] = [_GroupRects(y, height, g) for y in range(0, self.rows * height, height) for g in groups]
        return found

    def draw_offsets(self, painter: QPainter, colour: QColor, rows: range, start: int) -> None:
        """Draw the offsets of visible rows, the first visible one of which begins at *start*."""
        width, columns = self._layout.digits, self._layout.columns
        run = self._offsets.get(len(rows))
        if run is None:
            run = self._offsets[len(rows)] = self._run([], self._offset_places[: len(rows) * width])
        offsets = range(start + rows.start * columns, start + rows.stop * columns, columns)
        run.setGlyphIndexes(_flat(self._pairs, b"".join([offset.to_bytes(width // 2, "big") for offset in offsets])))
        painter.setPen(colour)
        painter.drawGlyphRun(QPointF(0, rows.start * self._layout.row_height), run)

    def draw_nibble(self, painter: QPainter, colour: QColor, index: int, nibble: int, value: int) -> None:
        """Draw one hex digit of the visible byte *index* again, for the caret."""
        self._draw(painter, colour, [self._pairs[value][nibble]], [self._pair_places[index][nibble]])

    def draw_character(self, painter: QPainter, colour: QColor, index: int, value: int) -> None:
        """Draw one character again, for the caret."""
        self._draw(painter, colour, [self._text[value]], [self._text_places[index]])

    def draw_sign(self, painter: QPainter, colour: QColor, index: int, sign: str) -> None:
        """Draw a sign of several bytes where the first of them stands in the text column."""
        painter.setPen(colour)
        painter.setFont(self.font)
        painter.drawText(self._text_places[index], sign)

    def _draw(self, painter: QPainter, colour: QColor, glyphs: list[int], places: list[QPointF]) -> None:
        run = self._any_run
        run.setGlyphIndexes(glyphs)
        run.setPositions(places)
        painter.setPen(colour)
        painter.drawGlyphRun(QPointF(), run)

    def _run(self, glyphs: list[int], places: list[QPointF]) -> QGlyphRun:
        run = QGlyphRun()
        run.setRawFont(self._raw)
        run.setGlyphIndexes(glyphs)
        run.setPositions(places)
        return run


def _by_ink(inks: bytes, without_first: bool) -> list[int]:
    """The places of bytes in the order of their inks."""
    places = range(len(inks))
    return sorted(compress(places, inks) if without_first else places, key=inks.__getitem__)


def _at(values: Sequence[Each], places: Iterable[int]) -> list[Each]:
    return [*map(values.__getitem__, places)]


def _flat(pairs: Sequence[tuple[Each, Each]], places: Iterable[int]) -> list[Each]:
    return [*chain.from_iterable(map(pairs.__getitem__, places))]
