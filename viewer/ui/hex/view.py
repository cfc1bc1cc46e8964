"""The hex view: bytes and characters of one buffer, tinted by what they mean, under keys and mouse.

The view shows and asks; it changes nothing. The caret is this view's own, the selected item is told from outside. What
a person types is a request; the owner carries it out and calls ``refresh()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.hex import coverage_strip
from viewer.ui.hex import ruler as hex_ruler
from viewer.ui.hex.byte_source import HexSource, PartTint
from viewer.ui.hex.caret_keys import (
    CHANGING,
    HIGH,
    LOW,
    CaretMove,
    HexCaret,
    HexCommand,
    command_of,
    inserted_byte,
    move_of,
    target,
    typed_byte,
    typed_value,
)
from viewer.ui.hex.glyphs import HexGlyphs
from viewer.ui.hex.hex_page import HexPage, PageFocus, read_page
from viewer.ui.hex.hex_rows import SPARE_ROWS, STEP, TOP_PAD, HexRows, Notches
from viewer.ui.hex.hover_card import HexCard, HexHover, card_position
from viewer.ui.hex.kept_picture import shows_pixels
from viewer.ui.hex.layout import Area, HexLayout
from viewer.ui.hex.page_painter import HexPainter
from viewer.ui.hex.seen_page import BLEED, SeenPage
from viewer.ui.look.fonts import fixed_font_of, ui_font
from viewer.ui.look.palette import Theme

if TYPE_CHECKING:
    from viewer.ui.hex.footer import HexFooter

EMPTY = "This file is empty"
COPY_LIMIT = 16 << 20
NOTCH = 120
DRAG_INTERVAL = 40
CARD_EDGE = 4


@dataclass(frozen=True, slots=True)
class MenuRequest:
    """A context menu is wanted at a global position, for the byte at an offset (None beside the bytes)."""

    position: QPoint
    offset: int | None


class HexView(HexRows):
    """The hex view with keys, mouse and hover card: a ByteSource with a caret, an outlined item and a byte selection.

    Signals (offsets travel as objects, an int signal would cut them to 32 bits):
        selection_changed: Span or None, the selected bytes.
        caret_moved: the offset (int), when a person moved the caret.
        byte_typed: TypedByte, a request to overwrite or to insert.
        command_requested: HexCommand, a request to change bytes.
        typing_refused: the offset (int) of the caret when something was to be changed while read-only.
        insert_mode_changed: bool, whether typed bytes are inserted.
        offer_taken: what stands below the bytes is wanted.
        offer_declined: it is not.
        item_requested: the offset (int) of a double-clicked byte.
        hovered: the offset (int) under the mouse, or None.
        context_menu_requested: MenuRequest.
    """

    selection_changed = Signal(object)
    caret_moved = Signal(object)
    byte_typed = Signal(object)
    command_requested = Signal(object)
    typing_refused = Signal(object)
    insert_mode_changed = Signal(bool)
    offer_taken = Signal()
    offer_declined = Signal()
    item_requested = Signal(object)
    hovered = Signal(object)
    context_menu_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._item: Span | None = None
        self._parts: tuple[PartTint, ...] = ()
        self._hovered: Span | None = None
        self._utf8 = False
        self._glyphs: HexGlyphs | None = None
        self._glyphs_key: tuple[int, HexLayout, int] | None = None
        self._painter: HexPainter | None = None
        self._painter_key: object = None
        self._seen: SeenPage | None = None
        self._is_changed = False
        self.caret = HexCaret()
        self.read_only = False
        self._footer: HexFooter | None = None
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

    # What the owner tells

    def set_source(self, source: HexSource | None) -> None:
        """Show another buffer, from its start, with nothing selected."""
        self._hover.clear()
        had_selection = self.selection is not None
        self._source = source
        self._item, self._parts = None, ()
        self.caret = HexCaret(area=self.caret.area)
        self._strip.set_source(source)
        self._strip.set_selected(None)
        self._arrange()
        self._scroll.to_row(0)
        if had_selection:
            self.selection_changed.emit(None)

    def refresh(self) -> None:
        """The bytes, or what is known about them, have changed; caret and scroll position stay where they can."""
        self._strip.refresh()
        self.refresh_bytes()

    def refresh_bytes(self) -> None:
        """The bytes have changed, and what is known about them is soon told: the strip keeps its marks until then."""
        self._hover.clear()
        before = self.selection
        self.caret.clamp(self.last_offset)
        self._strip.resize_buffer()
        self._arrange()
        if self.selection != before:
            self.selection_changed.emit(self.selection)

    def set_selected_item(self, span: Span | None, parts: list[PartTint]) -> None:
        """Outline an item and tint its parts."""
        self._item, self._parts = span, tuple(parts)
        self._strip.set_selected(span)
        self._show_changes()

    def set_caret(self, offset: int) -> None:
        """Put the caret on a byte, with no byte selection; tells nobody but those who watch the selection."""
        before = self.selection
        self.caret.place(min(max(offset, 0), self.last_offset))
        self._after_caret(before)

    def set_selection(self, span: Span | None, at_first: bool = False) -> None:
        """Select bytes, the caret on the last or the first of them."""
        before = self.selection
        self.caret.select(span, at_first)
        self.caret.clamp(self.last_offset)
        self._after_caret(before)

    # What the owner may ask

    @property
    def selection(self) -> Span | None:
        """The selected bytes; the place behind the last one is none."""
        found = self.caret.selection
        if found is None or found.end <= self.size_of_source:
            return found
        return Span(found.start, self.size_of_source) if found.start < self.size_of_source else None

    @property
    def insert_mode(self) -> bool:
        """Whether the caret stands between bytes, as a bar."""
        return self._insert

    @insert_mode.setter
    def insert_mode(self, value: bool) -> None:
        self._insert = value
        self.caret.clamp(self.last_offset)
        self._arrange()

    def page(self) -> HexPage | None:
        """All that is in view now."""
        if self._source is None:
            return None
        focus = PageFocus(
            self.caret.offset,
            self.caret.nibble,
            self.caret.area,
            self.hasFocus(),
            self._insert,
            self.selection,
            self._item,
            self._parts,
            self._hovered,
        )
        rows = -((self._origin - self.viewport().height()) // self._grid.row_height)
        return read_page(self._source, self._grid, self._scroll.top, rows, focus, self._utf8)

    # Inside

    def _after_caret(self, before: Span | None) -> None:
        """Show the caret's place; tell when the selection is no longer *before*."""
        self._show_changes()
        if self.selection != before:
            self.selection_changed.emit(self.selection)

    def _ready_glyphs(self) -> HexGlyphs:
        """The glyphs of as many rows as can ever be in view, kept until font or grid change."""
        key = (self._font_height, self._grid, self.viewport().height() // self._grid.row_height + SPARE_ROWS)
        if self._glyphs is None or key != self._glyphs_key:
            self._glyphs = HexGlyphs(fixed_font_of(self._font_height), self._grid, key[2])
            self._glyphs_key = key
        return self._glyphs

    def _ready_painter(self, ratio: float) -> HexPainter:
        """What paints in this theme and grid, kept until they change."""
        key = self._theme, self._ready_glyphs(), ratio
        if self._painter is None or key != self._painter_key:
            self._painter, self._painter_key = HexPainter(self._theme, self._grid, self._ready_glyphs(), ratio), key
        return self._painter

    # What is on the screen

    def _show_changes(self) -> None:
        """Paint what has changed, once for all that changes until the events that wait are handled."""
        if not self._is_changed:
            self._is_changed = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))

    def _paint_changes(self) -> None:
        """Move the rows that stay in view, and have only those painted that come into it or look otherwise."""
        viewport = self.viewport()
        before, now = self._seen, self._seen_now() if viewport.isVisible() else None
        self._is_changed, self._seen = False, now
        distance = now.distance(before) if now is not None and before is not None else None
        if now is None or before is None or distance is None:
            viewport.update()
            return
        width, height, row_height = now.used_width(before), viewport.height(), self._grid.row_height
        if distance:
            viewport.scroll(0, distance, QRect(0, TOP_PAD, width, height - TOP_PAD))
        if now.has_other_edge(before):
            viewport.update(0, 0, width, TOP_PAD)
        for row in now.changed_rows(before):
            viewport.update(0, (row - now.page.top) * row_height + self._origin, width, row_height)

    def _seen_now(self) -> SeenPage | None:
        """What the screen is to show; None where there are no rows."""
        page = self.page()
        if page is None or (page.size == 0 and not self._insert):
            return None
        ratio = self.devicePixelRatioF()
        is_exact = ratio.is_integer() or self._meets_pixels(ratio)
        painter, size = self._ready_painter(ratio), self.viewport().size()
        return SeenPage(page, painter, size, self._shift, self._scroll.pixels, is_exact)

    def _meets_pixels(self, ratio: float) -> bool:
        """Whether each row begins and ends between two pixels of the screen."""
        at = self.viewport().mapTo(self.window(), QPoint())
        pixels = (self._grid.row_height, self._origin, self._shift, at.x(), at.y())
        return all((number * ratio).is_integer() for number in pixels)

    def _paint_rows(self, painter: QPainter, seen: SeenPage, area: QRect) -> None:
        """Paint the rows that reach into an area of the viewport."""
        origin, row_height, width = TOP_PAD - seen.pixels, seen.page.layout.row_height, seen.size.width()
        first, last = (area.top() - origin) // row_height, (area.bottom() - origin) // row_height
        spare = BLEED if seen.page.signs else 0
        rows = range(max(first - spare, 0), min(last + spare + 1, seen.page.rows))
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(0, 0, width, origin, self._theme.ui.base)
        painter.translate(-seen.shift, origin)
        is_exact = seen.is_exact and shows_pixels(painter, self.devicePixelRatioF())
        seen.painter.paint(painter, seen.page, seen.shift, width, rows, is_exact)
        painter.restore()

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
        self._show_changes()

    def _hide_card(self) -> None:
        self._hovered = None
        if self._card is not None:
            self._card.hide()
        self._show_changes()

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

    def paintEvent(self, event: QPaintEvent) -> None:
        seen, region = self._seen, event.region()
        is_whole = region.rectCount() == 1 and event.rect() == self.viewport().rect()
        if seen is None or self._is_changed or is_whole:
            seen = self._seen_now()
            if seen != self._seen:  # whether this is painted on the screen, nobody knows
                self._seen = None
                self._show_changes()
        painter = QPainter(self.viewport())
        if seen is None:
            painter.fillRect(self.viewport().rect(), self._theme.ui.base)
            self._paint_empty(painter)
        else:
            for area in region:  # type: ignore[attr-defined]
                self._paint_rows(painter, seen, area)
        painter.end()
        self._ruler.set_caret(self.caret.offset % self.columns if seen and seen.page.size else None, self.hasFocus())

    def _paint_empty(self, painter: QPainter) -> None:
        if self._source is not None:
            painter.setFont(ui_font())
            painter.setPen(self._theme.ui.text_secondary)
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, EMPTY)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        super().set_theme(theme)
        if self._footer is not None:
            self._footer.set_theme(theme)
        if self._card is not None:
            self._card.set_theme(theme)

    # Caret and selection

    def move_caret(self, offset: int, extend: bool = False, area: Area | None = None) -> None:
        """Move the caret for a person: scroll to it and tell."""
        before = self.selection
        self.caret.place(offset, extend)
        self.caret.area = area or self.caret.area
        self.ensure_visible(Span(offset, offset + 1))
        self._after_caret(before)
        self.caret_moved.emit(offset)

    def select_all(self) -> None:
        """Select every byte."""
        self.set_selection(Span(0, self.size_of_source))

    def copy(self) -> bool:
        """Copy the selected bytes, or the one under the caret: as text from the text column, else as hex.

        Returns:
            False when there are none, or too many for a clipboard.
        """
        caret = self.caret.offset
        span = self.selection or Span(caret, min(caret + 1, self.size_of_source))
        if self._source is None or not 0 < span.end - span.start <= COPY_LIMIT:
            return False
        data = self._source.read(span.start, span.end)
        text = data.decode("utf-8", "replace") if self.caret.area is Area.TEXT else data.hex(" ").upper()
        QGuiApplication.clipboard().setText(text)
        return True

    @property
    def shows_utf8(self) -> bool:
        """Whether the text column shows signs of several bytes."""
        return self._utf8

    def show_utf8(self, wanted: bool) -> None:
        """Show signs of several bytes in the text column, or a dot for each of their bytes."""
        self._utf8 = wanted
        self._show_changes()

    # Typing

    def set_insert_mode(self, insert: bool) -> None:
        """Let typed bytes be inserted, or written over others."""
        if insert != self.insert_mode:
            self.insert_mode = insert
            self.caret.nibble = HIGH
            self.insert_mode_changed.emit(insert)
            if not insert and self._source is not None:
                self.caret_moved.emit(self.caret.offset)

    def toggle_insert_mode(self) -> None:
        """From inserting to overwriting and back."""
        self.set_insert_mode(not self.insert_mode)

    def _type(self, value: int) -> None:
        if self.read_only:
            self.typing_refused.emit(self.caret.offset)
            return
        if self._source is None:
            return
        if self.insert_mode and self.caret.nibble == HIGH:
            typed = inserted_byte(self.caret, self.selection, value)
        elif self.caret.offset < self.size_of_source:
            old = self._source.read(self.caret.offset, self.caret.offset + 1)[0]
            typed = typed_byte(self.caret, old, value)
        else:
            return
        self.byte_typed.emit(typed)
        self._after_typing(typed.offset, typed.nibble)

    def _after_typing(self, offset: int, nibble: int | None) -> None:
        """Stay for the low nibble, else go on to the next byte."""
        if nibble == HIGH:
            before = self.selection
            self.caret.place(min(offset, self.last_offset))
            self.caret.nibble = LOW
            self.ensure_visible(Span(self.caret.offset, self.caret.offset + 1))
            self._after_caret(before)
        else:
            self.move_caret(min(offset + 1, self.last_offset))

    def run(self, command: HexCommand) -> None:
        """Carry a command out, or ask the owner to do it where it changes bytes."""
        if command in CHANGING:
            if self.read_only:
                self.typing_refused.emit(self.caret.offset)
            else:
                self.command_requested.emit(command)
        elif command is HexCommand.SELECT_ALL:
            self.select_all()
        elif command is HexCommand.COPY:
            self.copy()
        elif command is HexCommand.INSERT_MODE:
            self.toggle_insert_mode()

    def _press(self, event: QKeyEvent) -> bool:
        move = move_of(event)
        if move is not None:
            self._move(move, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            return True
        value = typed_value(event, self.caret.area)
        if value is not None:
            self._type(value)
            return True
        command = command_of(event)
        if command is not None:
            self.run(command)
            return True
        if event.key() == Qt.Key.Key_Escape and self.selection is not None:
            self.set_caret(self.caret.offset)
            return True
        return False

    def _move(self, move: CaretMove, extend: bool) -> None:
        offset = target(move, self.caret.offset, self.columns, self.visible_rows, self.last_offset)
        if move in (CaretMove.PAGE_UP, CaretMove.PAGE_DOWN):
            self._scroll.to_row(self._scroll.top + self._grid.row_of(offset) - self._grid.row_of(self.caret.offset))
        self.move_caret(offset, extend)

    def _owns(self, event: QKeyEvent) -> bool:
        """Whether a key is meant for the bytes even where the window has a shortcut for it."""
        return typed_value(event, self.caret.area) is not None or command_of(event) is not None

    # What is offered below the bytes

    @property
    def footer(self) -> HexFooter | None:
        """The row below the bytes, None while there is none."""
        return self._footer if self._footer is not None and not self._footer.isHidden() else None

    def show_offer(self, sentence: str, action: str, key: str) -> None:
        """Say something below the bytes; *action* are the words of the button, empty for none, *key* does the same."""
        if self._footer is None:
            from viewer.ui.hex.footer import HexFooter

            self._footer = HexFooter(self._theme, self)
            self._footer.taken.connect(self.offer_taken)
            self._footer.declined.connect(self._decline)
        self._footer.tell(sentence, action, key)
        self._footer.show()
        self._make_room()

    def hide_offer(self) -> None:
        """Say nothing below the bytes."""
        if self._footer is not None and not self._footer.isHidden():
            focus = QApplication.focusWidget()
            held_focus = focus is not None and self._footer.isAncestorOf(focus)
            self._footer.hide()
            self._make_room()
            if held_focus:
                self.setFocus()

    def _decline(self) -> None:
        self.hide_offer()
        self.offer_declined.emit()

    def _make_room(self) -> None:
        """Keep the footer's height free below the bytes, so that it covers none of them."""
        footer = self.footer
        width = self.viewport().width() + coverage_strip.WIDTH
        height = footer.heightForWidth(width) if footer is not None else 0
        self.setViewportMargins(0, hex_ruler.HEIGHT, coverage_strip.WIDTH, height)
        if footer is not None:
            below = self.viewport().geometry().bottomLeft() + QPoint(0, 1)
            footer.setGeometry(QRect(below.x(), below.y(), width, height))

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        was_seen = self._scroll.shows(self._grid.row_of(self.caret.offset))
        super().resizeEvent(event)
        if was_seen:  # a pane that opens beside the view does not hide what is typed
            self.ensure_visible(Span(self.caret.offset, self.caret.offset + 1))
        if self.footer is not None:
            self._make_room()

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._owns(event):
            event.accept()
            return True
        if kind == QEvent.Type.User:
            self._paint_changes()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._hover.clear()
        event.setAccepted(self._source is not None and self._press(event))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._arrange()

    def focusNextPrevChild(self, forward: bool) -> bool:
        if self.hasFocus() and self.size_of_source and forward == (self.caret.area is Area.HEX):
            self.caret.area, self.caret.nibble = (Area.TEXT if forward else Area.HEX), HIGH
            self._show_changes()
            return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._show_changes()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._hover.clear()
        self._show_changes()

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
