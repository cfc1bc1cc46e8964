"""Kept rows: pictures of rows of bytes, so that scrolling paints no row twice.

A row is kept with nothing behind its bytes and nothing over them: no caret, no selection, no error. Each is known by
its number, its bytes and what they are for, so that a row that changed is painted anew without being told.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from viewer.ui.hex.hex_page import HexPage
from viewer.ui.hex.kept_picture import new_picture
from viewer.ui.hex.page_painter import HexPainter

ZEROS = 3
"""One byte in so many is zero: painting the others over a picture of zeros is less work than painting all."""
ZERO_ROWS = 8


class KeptRows:
    """The pictures of as many rows as are in view, in a ring.

    Args:
        size: of the rows together: their width and, a multiple of a row's, their height.
        ratio: pixels a unit; a row is a whole number of pixels high.
        colour: behind the bytes.
        row_height: of a row.
        shift: how far they are scrolled sideways.
    """

    def __init__(self, size: QSize, ratio: float, colour: QColor, row_height: int, shift: int) -> None:
        self._picture = new_picture(size, ratio, colour)
        self._ratio = ratio
        self._colour = colour
        self._width = self._picture.width() / ratio  # whole pixels: a fraction of one would be shown as all of it
        self._row_height = row_height
        self._shift = shift
        self._held: list[tuple[int, bytes, bytes, bytes, object] | None] = [None] * (size.height() // row_height)
        self._zeros: QPixmap | None = None

    def show(self, painter: QPainter, page: HexPage, plain: list[range], painted: HexPainter) -> None:
        """Show rows that have nothing behind their bytes, those that are not kept after they were painted.

        Args:
            painter: its origin is the top left of the page's first row.
            page: what is in view.
            plain: runs of them, counted in the page.
            painted: paints bytes.
        """
        for rows in plain:
            for missing in self._missing(page, rows):
                self._paint(page, missing, painted)
            for run, slot in self._slots(page.top, rows):
                self._put(painter, run, slot)

    def _missing(self, page: HexPage, rows: range) -> Iterator[range]:
        """The rows that are not kept, in runs; from now on they are."""
        columns, held = page.layout.columns, self._held
        begin = rows.start
        for row in rows:
            at, slot = row * columns, (page.top + row) % len(held)
            data, styles, letters = (part[at : at + columns] for part in (page.data, page.styles, page.letters))
            known = page.top + row, data, styles, letters, page.signs_in(at, at + columns)
            if held[slot] == known:
                if begin < row:
                    yield range(begin, row)
                begin = row + 1
            else:
                held[slot] = known
        if begin < rows.stop:
            yield range(begin, rows.stop)

    def _slots(self, top: int, rows: range) -> Iterator[tuple[range, int]]:
        """Runs of rows that lie together in the picture, each with the place of its first row there."""
        begin = rows.start
        while begin < rows.stop:
            slot = (top + begin) % len(self._held)
            end = min(rows.stop, begin + len(self._held) - slot)
            yield range(begin, end), slot
            begin = end

    def _paint(self, page: HexPage, rows: range, painted: HexPainter) -> None:
        painter = QPainter(self._picture)
        height = self._row_height
        for run, slot in self._slots(page.top, rows):
            area = QRectF(0, slot * height, self._width, len(run) * height)
            part = page.part(run)
            has_zeros = part.data.count(0) * ZEROS > len(part.data)
            painter.setClipRect(area)
            if has_zeros:
                self._put_zeros(painter, slot, len(run), painted)
            else:
                painter.fillRect(area, self._colour)
            painter.translate(-self._shift, slot * height)
            if has_zeros:
                painted.paint_over_zeros(painter, part, self._colour)
            else:
                painted.paint_text(painter, part, caret=False)
            painter.resetTransform()
        painter.end()

    def _put_zeros(self, painter: QPainter, slot: int, rows: int, painted: HexPainter) -> None:
        """Rows of nothing but zeros, painted once: half of a save looks like that."""
        height, ratio, most = self._row_height, self._ratio, min(ZERO_ROWS, len(self._held))
        if self._zeros is None:
            self._zeros = new_picture(QSize(ceil(self._width), most * height), ratio, self._colour)
            inner = QPainter(self._zeros)
            inner.translate(-self._shift, 0)
            painted.paint_zeros(inner, most)
            inner.end()
        for begin in range(0, rows, most):
            count = min(most, rows - begin)
            source = QRectF(0, 0, self._width * ratio, count * height * ratio)
            painter.drawPixmap(QRectF(0, (slot + begin) * height, self._width, count * height), self._zeros, source)

    def _put(self, painter: QPainter, rows: range, slot: int) -> None:
        height, ratio = self._row_height, self._ratio
        source = QRectF(0, slot * height * ratio, self._width * ratio, len(rows) * height * ratio)
        target = QRectF(self._shift, rows.start * height, self._width, len(rows) * height)
        painter.drawPixmap(target, self._picture, source)
