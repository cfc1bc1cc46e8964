"""The hex view: bytes and characters of one buffer, tinted by what they mean.

The view shows and asks; it changes nothing. The caret is this view's own, the selected item is told from outside.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.hex.byte_source import HexSource
from viewer.ui.hex.caret_keys import HIGH
from viewer.ui.hex.hex_rows import SPARE_ROWS, STEP, Notches
from viewer.ui.hex.hover_card import HexCard, HexHover, card_position
from viewer.ui.hex.keyboard import HexTyping
from viewer.ui.hex.layout import Area
from viewer.ui.look.palette import Theme

NOTCH = 120
DRAG_INTERVAL = 40
CARD_EDGE = 4


@dataclass(frozen=True, slots=True)
class MenuRequest:
    """A context menu is wanted at a global position, for the byte at an offset (None beside the bytes)."""

    position: QPoint
    offset: int | None


class HexView(HexTyping):
    """The hex view with keys, mouse and hover card.

    Signals (offsets travel as objects, an int signal would cut them to 32 bits):
        item_requested: the offset (int) of a double-clicked byte.
        hovered: the offset (int) under the mouse, or None.
        context_menu_requested: MenuRequest.
    """

    item_requested = Signal(object)
    hovered = Signal(object)
    context_menu_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._card: HexCard | None = None
        self._picture: tuple[Span, QImage] | None = None
        self._hover = HexHover(self)
        self._hover.hovered.connect(self.hovered)
        self._hover.rested.connect(self._show_card)
        self._hover.left.connect(self._hide_card)
        self._turned, self._turned_sideways, self._turned_zoom = Notches(), Notches(), Notches()
        self._drag_point: QPointF | None = None
        self._drag_timer = QTimer(self, interval=DRAG_INTERVAL)
        self._drag_timer.timeout.connect(self._drag)
        self.viewport().setMouseTracking(True)

    # Told from outside

    def set_source(self, source: HexSource | None) -> None:
        """Show another buffer, from its start, with nothing selected."""
        self._hover.clear()
        super().set_source(source)

    def refresh(self) -> None:
        """The bytes, or what is known about them, have changed; caret and scroll position stay where they can."""
        self._hover.clear()
        super().refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        super().set_theme(theme)
        if self._card is not None:
            self._card.set_theme(theme)

    # Hover

    def set_picture(self, span: Span | None, image: QImage | None) -> None:
        """Show a picture on the card of these bytes, which hold it; None for no picture."""
        self._picture = (span, image) if span is not None and image is not None else None

    def _show_card(self, offset: int) -> None:
        description = self._source.describe(offset) if self._source else None
        self._hover.description = description
        if description is None:
            return
        if self._card is None or self._card.parent() is not self.window():
            self._card = HexCard(self._theme, self.window())
        self._hovered = description.span
        picture = self._picture
        size = self._card.describe(description, picture[1] if picture is not None and offset in picture[0] else None)
        row = self._in_window(self.byte_rect(offset).united(self._span_rect(description.span)))
        avoid = self._in_window(self._span_rect(self._item)) if self._item else None
        bounds = self.window().rect().adjusted(CARD_EDGE, CARD_EDGE, -CARD_EDGE, -CARD_EDGE)
        self._card.show_at(QRect(card_position(size, row, bounds, avoid), size))
        self.viewport().update()

    def _hide_card(self) -> None:
        self._hovered = None
        if self._card is not None:
            self._card.hide()
        self.viewport().update()

    def _span_rect(self, span: Span) -> QRect:
        """The smallest rectangle around a span's hex bytes, as far as they are in view."""
        result = QRect()
        for box in self._grid.boxes(span, self._scroll.top, self.visible_rows + SPARE_ROWS, Area.HEX):
            left, top = round(box.x) - self._shift, round(box.y) + self._origin
            result = result.united(QRect(left, top, round(box.width), round(box.height)))
        return result

    def _in_window(self, rect: QRect) -> QRect:
        return QRect(self.viewport().mapTo(self.window(), rect.topLeft()), rect.size())

    # Mouse

    def _drag(self) -> None:
        """Select up to the mouse, scrolling while it is outside."""
        if self._drag_point is None:
            return
        offset = self.nearest(self._drag_point, self.caret.area).offset
        if offset != self.caret.offset:
            self.move_caret(offset, extend=True)

    def _wheel_pixels(self, event: QWheelEvent) -> int:
        """Pixels to scroll down: a touch pad's own, or three rows a notch."""
        if not event.pixelDelta().isNull():
            return -event.pixelDelta().y()
        return self._turned.turn(-event.angleDelta().y() * STEP * self._grid.row_height, NOTCH)

    def _on_scrolled(self) -> None:
        self._hover.clear()
        super()._on_scrolled()

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._hover.clear()
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        if self.hasFocus() and self.size_of_source and forward == (self.caret.area is Area.HEX):
            self.caret.area, self.caret.nibble = (Area.TEXT if forward else Area.HEX), HIGH
            self.viewport().update()
            return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._hover.clear()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hover.clear()
        if self._source is None or not (self.size_of_source or self.insert_mode):
            return
        hit = self.nearest(event.position())
        if event.button() == Qt.MouseButton.LeftButton:
            self.move_caret(hit.offset, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier), hit.area)
            self._drag_timer.start()
        elif event.button() == Qt.MouseButton.RightButton and not (self.selection and hit.offset in self.selection):
            self.move_caret(hit.offset, area=hit.area)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag_point = event.position()
            self._drag()
        else:
            hit = self.hit(event.position())
            self._hover.move_to(hit.offset if hit else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_timer.stop()
        self._drag_point = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        if hit and event.button() == Qt.MouseButton.LeftButton:
            self.item_requested.emit(hit.offset)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._hover.clear()
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            hit = self.hit(QPointF(event.pos()))
            position, offset = event.globalPos(), hit.offset if hit else None
        else:
            offset = self.caret.offset if self.size_of_source else None
            place = self.byte_rect(self.caret.offset, self.caret.area).bottomLeft()
            position = self.viewport().mapToGlobal(place)
        self.context_menu_requested.emit(MenuRequest(position, offset))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self.zoom + self._turned_zoom.turn(event.angleDelta().y(), NOTCH))
        elif abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - self._turned_sideways.turn(event.angleDelta().x(), 2))
        else:
            self._scroll.by_pixels(self._wheel_pixels(event))
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover.move_to(None)
        return super().viewportEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._hover.clear()
        super().hideEvent(event)
