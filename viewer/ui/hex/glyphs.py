"""The glyphs of a hex page: all cells of one colour go to the painter in a single run, placed on the float grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGlyphRun, QPainter, QRawFont

from viewer.ui.hex.layout import MARGIN, Area, HexLayout

HEX_DIGITS = "0123456789ABCDEF"
DOT = "\N{MIDDLE DOT}"
PRINTABLE = range(0x20, 0x7F)


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
        self._ready_for = (b"", b"", b"")
        self._ready: list[tuple[int, QGlyphRun]] = []
        self._offset_places = self._places(rows, [MARGIN + i * layout.digit for i in range(layout.digits)])

    def _places(self, rows: int, columns: list[float]) -> list[QPointF]:
        return [QPointF(x, self.baseline(row)) for row in range(rows) for x in columns]

    def baseline(self, row: int) -> float:
        """The y of the text in a visible row."""
        return row * self._layout.row_height + self._baseline

    def draw_bytes(
        self, painter: QPainter, data: bytes, digits: bytes, characters: bytes, colours: Sequence[QColor]
    ) -> None:
        """Draw a page of bytes, a middle dot for what cannot be printed.

        Args:
            digits: which of *colours* each byte has in the hex column.
            characters: the same for the text column.
        """
        if (data, digits, characters) != self._ready_for:
            self._ready_for = data, digits, characters
            self._ready = self._runs(data, digits, characters)
        for ink, run in self._ready:
            painter.setPen(colours[ink])
            painter.drawGlyphRun(QPointF(), run)

    def _runs(self, data: bytes, digits: bytes, characters: bytes) -> list[tuple[int, QGlyphRun]]:
        """One run per ink: sort the bytes by ink, then cut where the ink changes."""
        by_digit, by_character = _sorted_by(digits), _sorted_by(characters)
        high, low, text = (list(map(table.__getitem__, data)) for table in (self._high, self._low, self._text))
        columns = [by_digit(each) for each in (high, low, self._high_places, self._low_places)]
        letters = [by_character(each) for each in (text, self._text_places)]
        result, first, start = [], 0, 0
        for ink in sorted({*digits, *characters}):
            last, end = first + digits.count(ink), start + characters.count(ink)
            highs, lows, high_places, low_places = (each[first:last] for each in columns)
            texts, text_places = (each[start:end] for each in letters)
            result.append((ink, self._run([*highs, *lows, *texts], [*high_places, *low_places, *text_places])))
            first, start = last, end
        return result

    def draw_offsets(self, painter: QPainter, colour: QColor, offsets: Iterable[tuple[int, int]]) -> None:
        """Draw offsets, each given with its visible row."""
        width = self._layout.digits
        texts: list[str] = []
        places: list[QPointF] = []
        for row, offset in offsets:
            texts.append(f"{offset:0{width}X}")
            places += self._offset_places[row * width : row * width + width]
        self._draw(painter, colour, [*map(self._digits.__getitem__, "".join(texts))], places)

    def draw_nibble(self, painter: QPainter, colour: QColor, index: int, nibble: int, value: int) -> None:
        """Draw one hex digit of the visible byte *index* again, for the caret."""
        glyphs, places = (self._low, self._low_places) if nibble else (self._high, self._high_places)
        self._draw(painter, colour, [glyphs[value]], [places[index]])

    def draw_character(self, painter: QPainter, colour: QColor, index: int, value: int) -> None:
        """Draw one character again, for the caret."""
        self._draw(painter, colour, [self._text[value]], [self._text_places[index]])

    def _draw(self, painter: QPainter, colour: QColor, glyphs: list[int], places: list[QPointF]) -> None:
        painter.setPen(colour)
        painter.drawGlyphRun(QPointF(), self._run(glyphs, places))

    def _run(self, glyphs: list[int], places: list[QPointF]) -> QGlyphRun:
        run = QGlyphRun()
        run.setRawFont(self._raw)
        run.setGlyphIndexes(glyphs)
        run.setPositions(places)
        return run


def _sorted_by(inks: bytes) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What puts one value per byte into the order of the inks."""
    order = sorted(range(len(inks)), key=inks.__getitem__)
    return itemgetter(*order) if len(order) > 1 else lambda values: values[: len(order)]
