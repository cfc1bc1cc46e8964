"""The glyphs of a hex page: all cells of one colour go to the painter in a single run, placed on the float grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress, pairwise
from math import ceil, floor
from typing import TypeVar

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGlyphRun, QPainter, QRawFont

from viewer.ui.hex.layout import MARGIN, Area, HexLayout

HEX_DIGITS = "0123456789ABCDEF"
DOT = "\N{MIDDLE DOT}"
PRINTABLE = range(0x20, 0x7F)
OTHERS = b"\1"
Each = TypeVar("Each")


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
        self._digits = dict(zip(HEX_DIGITS, digits, strict=True))
        self._high = [digits[value >> 4] for value in range(256)]
        self._low = [digits[value & 15] for value in range(256)]
        self._text = [self._raw.glyphIndexesForString(chr(v))[0] if v in PRINTABLE else dot for v in range(256)]
        columns = range(layout.columns)
        self._high_places = self._places(rows, [layout.digit_x(column, 0) for column in columns])
        self._low_places = self._places(rows, [layout.digit_x(column, 1) for column in columns])
        self._text_places = self._places(rows, [layout.cell_x(column, Area.TEXT) for column in columns])
        self._ready_for = (b"", b"", b"", False, b"")
        self._ready: list[tuple[int, QGlyphRun]] = []
        self._offset_places = self._places(rows, [MARGIN + i * layout.digit for i in range(layout.digits)])

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
        if (data, digits, characters, without_first, shown) != self._ready_for:
            self._ready_for = data, digits, characters, without_first, shown
            self._ready = self._runs(data, digits, characters, without_first, shown)
        for ink, run in self._ready:
            painter.setPen(colours[ink])
            painter.drawGlyphRun(QPointF(), run)

    def _runs(
        self, data: bytes, digits: bytes, characters: bytes, without_first: bool, shown: bytes
    ) -> list[tuple[int, QGlyphRun]]:
        """One run per ink: sort the bytes by ink, then cut where the ink changes."""
        cells, letters = _by_ink(digits, without_first), _by_ink(characters, without_first)
        values, signs = _at(data, cells), _at(shown, letters)
        high, low, text = _at(self._high, values), _at(self._low, values), _at(self._text, signs)
        high_places, low_places = _at(self._high_places, cells), _at(self._low_places, cells)
        text_places = _at(self._text_places, letters)
        result, first, start = [], 0, 0
        for ink in sorted({*digits, *characters}):
            if not ink and without_first:
                continue
            last, end = first + digits.count(ink), start + characters.count(ink)
            glyphs = high[first:last] + low[first:last] + text[start:end]
            places = high_places[first:last] + low_places[first:last] + text_places[start:end]
            result.append((ink, self._run(glyphs, places)))
            first, start = last, end
        return result

    def blank(self, painter: QPainter, rows: int, digits: bytes, characters: bytes, colour: QColor) -> None:
        """Fill the places in *rows* rows of all that has not the first ink, and those that have no byte."""
        count = rows * self._layout.columns
        hexes, texts = self._cells
        cells = [
            *compress(hexes, digits.ljust(count, OTHERS)),
            *compress(texts, characters.ljust(count, OTHERS)),
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(cells)

    @cached_property
    def _cells(self) -> tuple[list[QRect], list[QRect]]:
        """The place of each byte, in whole pixels around its glyphs."""
        height, layout = self._layout.row_height, self._layout
        edges = []
        for column in range(layout.columns):
            left = layout.cell_x(column, Area.HEX)
            edges.append((ceil(left), floor(left + layout.cell_width(Area.HEX))))
        starts = [round(layout.cell_x(column, Area.TEXT)) for column in range(layout.columns + 1)]
        rows = range(0, self.rows * height, height)
        return (
            [QRect(left, y, right - left, height) for y in rows for left, right in edges],
            [QRect(left, y, right - left, height) for y in rows for left, right in pairwise(starts)],
        )

    def draw_offsets(self, painter: QPainter, colour: QColor, rows: Sequence[int], start: int) -> None:
        """Draw the offsets of visible rows, the first of which begins at *start*."""
        width, columns = self._layout.digits, self._layout.columns
        texts = f"%0{width}X" * len(rows) % tuple([start + row * columns for row in rows])
        places = [place for row in rows for place in self._offset_places[row * width : row * width + width]]
        self._draw(painter, colour, [*map(self._digits.__getitem__, texts)], places)

    def draw_nibble(self, painter: QPainter, colour: QColor, index: int, nibble: int, value: int) -> None:
        """Draw one hex digit of the visible byte *index* again, for the caret."""
        glyphs, places = (self._low, self._low_places) if nibble else (self._high, self._high_places)
        self._draw(painter, colour, [glyphs[value]], [places[index]])

    def draw_character(self, painter: QPainter, colour: QColor, index: int, value: int) -> None:
        """Draw one character again, for the caret."""
        self._draw(painter, colour, [self._text[value]], [self._text_places[index]])

    def draw_sign(self, painter: QPainter, colour: QColor, index: int, sign: str) -> None:
        """Draw a sign of several bytes where the first of them stands in the text column."""
        painter.setPen(colour)
        painter.setFont(self.font)
        painter.drawText(self._text_places[index], sign)

    def _draw(self, painter: QPainter, colour: QColor, glyphs: list[int], places: list[QPointF]) -> None:
        painter.setPen(colour)
        painter.drawGlyphRun(QPointF(), self._run(glyphs, places))

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
