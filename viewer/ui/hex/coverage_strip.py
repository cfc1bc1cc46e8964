"""The coverage strip: the whole buffer as a narrow map, beside the part of it that is in view."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.ui.hex.byte_source import CoverageMark, HexSource
from viewer.ui.hex.kept_picture import new_picture, shows_pixels
from viewer.ui.look import patterns
from viewer.ui.look.palette import Theme
from viewer.variant.items import Role

WIDTH = 18
INSET = 4
LEAST = 3
VIEW = 8
"""Pixels of height that a mark has at least, and the frame around what is in view."""
FOUND = 6
LATER = 80
"""Milliseconds that the marks of changed bytes wait for what a person looks at."""
AT_ONCE = 0.03
SLICE = 0.003
PATIENCE = 1.0
"""Seconds: for the first marks of another buffer, for a slice of those of a changed one, for all slices together."""
STRUCTURE = {Role.HEADER: "header", Role.LENGTH: "length", Role.PREFIX: "length", Role.PADDING: "header"}


class CoverageStrip(QWidget):
    """Paints one mark per LEAST pixels; a click or a drag asks to jump.

    Signals:
        jump_requested: the offset (int) that should come to the middle of the view.
    """

    jump_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: HexSource | None = None
        self._marks: list[CoverageMark] = []
        self._coming: list[CoverageMark] = []
        self._rest: Iterator[CoverageMark] | None = None
        self._count = 0
        self._stale = True
        self._spent = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        self._selected: Span | None = None
        self._view = Span(0, 0)
        self._picture: QPixmap | None = None
        self._frame: QPixmap | None = None
        self._frame_key: object = None
        self.setFixedWidth(WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Coverage")
        self.setAccessibleDescription("The whole file at a glance; click to jump.")

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._paint_anew()

    def set_source(self, source: HexSource | None) -> None:
        """Show another buffer."""
        self._source = source
        self._marks = []
        self.refresh()

    def refresh(self) -> None:
        """The bytes have changed: other marks come, a slice at a time while the strip shows the old ones."""
        self._stale, self._rest = True, None
        self._timer.stop()
        self._paint_anew()

    def finish(self) -> None:
        """Have all marks now, for a picture."""
        if self._stale:
            self._begin()
        self._take(PATIENCE)
        self._paint_anew()

    def resize_buffer(self) -> None:
        """The buffer may be longer or shorter: what lies where is painted anew, with the marks that there are."""
        self._paint_anew()

    def set_selected(self, span: Span | None) -> None:
        """Mark the selected item."""
        if span != self._selected:
            self._selected = span
            self._paint_anew()

    def set_view(self, span: Span) -> None:
        """Frame the bytes that are in view."""
        if span != self._view:
            before, self._view = self._view_band(), span
            now = self._view_band()
            if now != before:  # of a long buffer a pixel stands for thousands of rows
                for top, tall in (before, now):
                    self.update(0, top - 1, WIDTH, tall + 2)

    def offset_at(self, y: float) -> int:
        """The offset a height on the strip stands for."""
        size = self._source.size() if self._source else 0
        share = min(max(y / max(self.height(), 1), 0.0), 1.0)
        return min(int(share * size), max(size - 1, 0))

    def _paint_anew(self) -> None:
        """Another picture is needed."""
        self._picture = None
        self.update()

    def _size(self) -> int:
        return self._source.size() if self._source else 0

    def _begin(self) -> None:
        """Ask for other marks; the frame that asks does not wait for them."""
        self._stale, self._coming, self._spent, self._picture = False, [], 0.0, None
        if self._source is None or not self._size():
            self._marks, self._rest = [], None
            return
        count = max(self.height() // LEAST, 1)
        self._rest = iter(self._source.coverage(count))
        if not self._marks:
            self._marks, self._count = self._coming, min(count, self._size())
        self._timer.start(0 if self._marks is self._coming else LATER)

    def _take(self, seconds: float) -> None:
        """Take marks for so long; more of them later, unless these bytes cost more than they are worth."""
        rest, start = self._rest, perf_counter()
        while rest is not None and perf_counter() - start < seconds:
            mark = next(rest, None)
            if mark is None:
                rest = self._rest = None
            else:
                self._coming.append(mark)
        self._spent += perf_counter() - start
        if rest is None:
            self._marks, self._count, self._picture = self._coming, len(self._coming), None
        if rest is not None and self._spent < PATIENCE:
            self._timer.start(0)
        else:
            self._timer.stop()

    def _go_on(self) -> None:
        self._take(SLICE if self._spent or self._marks is not self._coming else AT_ONCE)
        if self._marks is self._coming:
            self._paint_anew()

    def _band(self, span: Span, least: float) -> tuple[float, float]:
        """Top and height of a span, *least* at least and inside the strip."""
        size, height = max(self._size(), 1), self.height()
        top = span.start / size * height
        tall = max((span.end - span.start) / size * height, least)
        return max(0.0, min(top, height - tall)), tall

    def _placed(self) -> list[tuple[CoverageMark, QRectF]]:
        """The marks and where they are painted."""
        step, placed = self.height() / max(self._count, 1), []
        for index, mark in enumerate(self._marks):
            rect = QRectF(INSET, round(index * step), WIDTH - 2 * INSET, 0)
            rect.setBottom(max(round((index + 1) * step), rect.top() + 1))
            placed.append((mark, rect))
        return placed

    def _brushes(self, mark: CoverageMark) -> list[QColor | QBrush]:
        role = mark.style.role
        if role is None:
            return []
        if role is Role.VALUE:
            return [self._theme.kind(mark.style.group).bg]
        if role is Role.GAP:
            gap = self._theme.structure("gap")
            return [gap.bg, patterns.fine_hatch(gap.line, self.devicePixelRatioF())]
        return [self._theme.structure(STRUCTURE[role]).bg]

    def _paint_flags(self, painter: QPainter, mark: CoverageMark, rect: QRectF) -> None:
        states = self._theme.states
        if mark.recovered:
            painter.fillRect(QRectF(1, rect.top(), 2, rect.height()), states["recovered"].line)
        if mark.modified:
            painter.fillRect(_at_least(QRectF(0, rect.top(), INSET, rect.height())), states["modified"].line)
        if mark.found:
            painter.fillRect(_at_least(QRectF(WIDTH - FOUND, rect.top(), FOUND, rect.height())), states["search"].line)
        if mark.warning and not mark.error:
            painter.fillRect(_at_least(QRectF(WIDTH / 2, rect.top(), WIDTH / 2, rect.height())), states["warning"].line)
        if mark.error:
            painter.fillRect(_at_least(QRectF(0, rect.top(), WIDTH, rect.height())), states["error"].line)

    def _paint_selected(self, painter: QPainter) -> None:
        if self._selected and self._size():
            top, tall = self._band(self._selected, LEAST)
            rect = QRectF(INSET - 2, round(top), WIDTH - 2 * INSET + 4, round(tall))
            wash = QColor(self._theme.ui.accent)
            wash.setAlphaF(1.0 if tall <= LEAST * 2 else 0.28)
            painter.fillRect(rect, wash)

    def _paint_selected_edge(self, painter: QPainter) -> None:
        """Over the flags, so that neither an error nor the selection hides the other."""
        if self._selected and self._size():
            top, tall = self._band(self._selected, LEAST)
            wide = 2 if tall > LEAST * 2 else WIDTH / 2 - INSET + 2
            painter.fillRect(QRectF(INSET - 2, round(top), wide, round(tall)), self._theme.ui.accent)

    def _paint_marks(self, painter: QPainter) -> None:
        """All but what moves with the view."""
        painter.fillRect(self.rect(), self._theme.ui.base)
        placed = self._placed()
        for mark, rect in placed:
            for brush in self._brushes(mark):
                painter.fillRect(rect, brush)
        self._paint_selected(painter)
        for mark, rect in placed:
            self._paint_flags(painter, mark, rect)
        self._paint_selected_edge(painter)

    def _view_band(self) -> tuple[int, int]:
        """Top and height of the frame around what is in view; no height where that is all."""
        if self._view.end - self._view.start >= self._size():
            return 0, 0
        top, tall = self._band(self._view, VIEW)
        return round(top), round(tall)

    def _paint_view(self, painter: QPainter) -> None:
        top, tall = self._view_band()
        if tall:
            painter.drawPixmap(QPointF(0, top - 1), self._framed(tall))

    def _framed(self, tall: int) -> QPixmap:
        """The frame around what is in view, with a pixel above and below: painted once for all places."""
        key = tall, self._theme, self.devicePixelRatioF()
        if self._frame is None or self._frame_key != key:
            self._frame, self._frame_key = new_picture(QSize(WIDTH, tall + 2), key[2], Qt.GlobalColor.transparent), key
            inner = QPainter(self._frame)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            for colour, width in ((self._theme.ui.base, 3.5), (self._theme.ui.text_secondary, 1.5)):
                inner.setPen(QPen(colour, width))
                inner.drawRoundedRect(QRectF(2, 2, WIDTH - 3, tall - 2), 2.5, 2.5)
            inner.end()
        return self._frame

    def _jump(self, position: QPoint) -> None:
        self.jump_requested.emit(self.offset_at(position.y()))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 100)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._size():
            self._jump(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._size():
            self._jump(event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        if self._stale:
            self._begin()
        if shows_pixels(painter, ratio):
            if self._picture is None or self._picture.devicePixelRatioF() != ratio:
                self._picture = new_picture(self.size(), ratio, self._theme.ui.base)
                inner = QPainter(self._picture)
                self._paint_marks(inner)
                inner.end()
            painter.drawPixmap(0, 0, self._picture)
        else:
            self._paint_marks(painter)
        self._paint_view(painter)
        painter.fillRect(QRectF(0, 0, 1, self.height()), self._theme.ui.border)
        painter.end()


def _at_least(rect: QRectF) -> QRectF:
    return rect if rect.height() >= LEAST else QRectF(rect.left(), rect.top(), rect.width(), LEAST)
