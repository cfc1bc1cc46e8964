"""The text view: the bytes of a file that is text, as lines, with a caret and a selection.

The view shows and asks; it changes nothing. What a person types is a request; the owner carries it out and tells
:meth:`TextView.replaced`. Only rows in view are ever laid out, so that one line of many megabytes costs no more than
many short ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QSizePolicy, QWidget

from viewer.base.span import Span
from viewer.text.text_wrap import ColumnCounter
from viewer.ui.hex.hex_rows import STEP, HexScroll, Notches
from viewer.ui.hex.row_fit import ROW_RATIO, SMALLEST
from viewer.ui.look.fonts import fixed_font_of, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import show_tip
from viewer.ui.text.text_caret import (
    PAGES_AWAY,
    ROWS_AWAY,
    TextCaret,
    TextMove,
    before,
    ending,
    followed,
    indentation,
    letter_after,
    target,
    word_after,
    word_at,
    word_before,
)
from viewer.ui.text.text_keys import K, command_of, step_of, writes
from viewer.ui.text.text_painter import GUTTER_PAD, MARK, MARK_LEFT, TEXT_PAD, LineLayouts, TextPage, TextPainter
from viewer.ui.text.text_rows import TextRow, TextRows
from viewer.ui.text.text_source import TextMark, TextSource, TextTyped
from viewer.ui.viewport import PaintedLater, own_viewport

NOTCH = 120
DRAG_INTERVAL = 40
LARGEST = 32
FEWEST_DIGITS = 3
USUAL_LINE = 72
"""Letters."""
COPY_LIMIT = 16 << 20
COUNTED, COUNTING = 1 << 21, 20
"""Lines of so many bytes are counted at a time, and after so many milliseconds those of the next ones."""
TYPING, ERASING = "text: type", "text: erase"


class TextView(QAbstractScrollArea):
    """Shows a :class:`~viewer.ui.text.text_source.TextSource`.

    Signals (offsets travel as objects, an int signal would cut them to 32 bits):
        caret_moved: the offset (int) that a person moved the caret to.
        selection_changed: Span or None.
        typed: TextTyped, a request to change the text.
        typing_refused: something was to be changed while read-only.
        item_requested: the offset (int) of a byte that was double-clicked with Ctrl.
        zoom_requested: the zoom (int) that is wanted, in pixels over the normal font.
        context_menu_requested: QPoint, global.
        finding_requested: the byte (int) where something is found whose sign was clicked.
    """

    caret_moved = Signal(object)
    selection_changed = Signal(object)
    typed = Signal(object)
    typing_refused = Signal()
    item_requested = Signal(object)
    zoom_requested = Signal(object)
    context_menu_requested = Signal(object)
    finding_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: TextSource | None = None
        self._rows = TextRows()
        self._columns = ColumnCounter()
        self._zoom = 0
        self._item: Span | None = None
        self._hits: tuple[Span, ...] = ()
        self._current_hit: Span | None = None
        self._wanted_x: float | None = None
        self._dragged: QPointF | None = None
        self._blink_on = True
        self.caret = TextCaret()
        self._told = self.caret.extent  # where caret and selection were when their rows were painted last
        self.read_only = False
        own_viewport(self)
        self._scroll = HexScroll(self.verticalScrollBar())
        self._scroll.moved.connect(self._show_scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        self._known = PaintedLater(self)
        self._notches, self._zoom_notches = Notches(), Notches()
        self._drag_timer = QTimer(self, interval=DRAG_INTERVAL)
        self._drag_timer.timeout.connect(self._drag)
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._turn_caret)
        self._counting = QTimer(self, singleShot=True, interval=COUNTING)
        self._counting.timeout.connect(self._count_on)
        self._dress()
        self._use_font()

    def _dress(self) -> None:
        self.setObjectName("textView")
        self.setAccessibleName("Text")
        self.setAccessibleDescription("The text of the file, line by line.")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def _use_font(self) -> None:
        font = fixed_font_of(ui_pixels() + self._zoom)
        self._letter = QFontMetricsF(font).horizontalAdvance("0" * 64) / 64
        self._row_height = round((ui_pixels() + self._zoom) * ROW_RATIO)
        self._layouts = LineLayouts(font, self._letter)
        self._painter = TextPainter(self._theme, self._layouts, font)
        self._arrange()

    # What the owner tells

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._use_font()

    def set_zoom(self, zoom: int) -> None:
        """The font larger than normal by *zoom* pixels, within reason."""
        self._zoom = min(max(zoom, SMALLEST - ui_pixels()), LARGEST - ui_pixels())
        self._use_font()

    def set_source(self, source: TextSource | None) -> None:
        """Show another text, from its start, with nothing selected."""
        self._source = source
        self._rows = TextRows(source.data if source is not None else None)
        self._columns = ColumnCounter()
        self._item, self._hits, self._current_hit, self._wanted_x = None, (), None, None
        self.horizontalScrollBar().setRange(0, 0)
        self.caret = TextCaret()
        self._told = self.caret.extent
        self._arrange()
        self._scroll.to_row(0)

    def replaced(self, removed: Span, inserted: bytes) -> None:
        """The source has *inserted* in the place of *removed* now; the caret stays at its letters."""
        if self._source is None:
            return
        shape = self._shape(removed)
        self._rows.replace(removed, inserted, self._source.data)
        self._columns = self._columns.followed(removed.start)
        follow = partial(followed, removed=removed, size=len(inserted))
        self.caret.follow(follow)
        self._item = Span(follow(self._item.start), follow(self._item.end)) if self._item is not None else None
        self._told = self.caret.extent
        self._fit_rows()
        if shape is not None and shape == self._shape(Span(removed.start, removed.start + len(inserted))):
            self._paint_rows(removed.start, self._rows.line_span(self._rows.line_of(removed.start)).end)
        else:
            self.viewport().update()

    def refresh(self) -> None:
        """More is known about the same bytes; they have long been seen."""
        self._known.start()

    def set_selected_item(self, span: Span | None) -> None:
        """Fill the bytes of the selected value."""
        if span != self._item:
            for each in (self._item, span):
                if each is not None:
                    self._paint_rows(each.start, each.end)
            self._item = span

    def set_hits(self, hits: Iterable[Span], current: Span | None) -> None:
        """Mark what a search found."""
        self._hits, self._current_hit = tuple(hits), current
        self.viewport().update()

    def set_caret(self, offset: int, extend: bool = False) -> None:
        """Put the caret before a byte without telling anybody, and bring it into view."""
        self._wanted_x = None
        self._go(offset, extend)

    def _go(self, offset: int, extend: bool) -> None:
        """Put the caret before a byte, and bring it into view."""
        self.caret.place(min(max(offset, 0), len(self._rows.data)), extend)
        self.ensure_visible(Span(self.caret.offset, self.caret.offset))
        self._show_across()
        self._show_caret()
        before, self._told = self._told, self.caret.extent
        self._paint_rows(min(before.start, self._told.start), max(before.end, self._told.end))

    def select(self, span: Span | None) -> None:
        """Select some bytes, the caret behind them, without telling anybody."""
        self.caret.anchor = None
        if span is not None and len(span):
            self.caret.anchor, self.caret.offset = span.start, span.end
            self.ensure_visible(span)
        self._told = self.caret.extent
        self.viewport().update()

    def ensure_visible(self, span: Span) -> None:
        """Scroll as little as needed to show a span, or its beginning."""
        self._know(self._rows.knows(span.end))
        first = self._rows.row_of(span.start)
        self._scroll.reveal(first, max(first, self._rows.row_of(max(span.end - 1, span.start))))

    # What the owner may ask

    @property
    def source(self) -> TextSource | None:
        """The text that is shown."""
        return self._source

    @property
    def zoom(self) -> int:
        """Pixels over the normal font."""
        return self._zoom

    @property
    def selection(self) -> Span | None:
        """The selected bytes."""
        return self.caret.selection

    def width_within(self, room: int) -> int:
        """The width of lines of usual length, as far as *room* has place for them, but no less than half of it."""
        return min(room, max(room // 2, self._gutter + round(USUAL_LINE * self._letter) + 2 * TEXT_PAD))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte as editors count them: both from 1, the column in characters."""
        line = self._rows.line_of(offset)
        start = self._rows.line_span(line).start
        return line + 1, self._columns.column(self._rows.data, start, offset)

    def offset_of(self, line: int, column: int = 1) -> int:
        """The byte at a line and a column, both from 1; the nearest one where there is no such place."""
        span = self._rows.line_span(line - 1)
        text = self._rows.data[span.start : span.end].decode("utf-8", "surrogateescape")
        return span.start + len(text[: max(column - 1, 0)].encode("utf-8", "surrogateescape"))

    def caret_rect(self) -> QRect:
        """Where the caret is drawn, in the viewport."""
        number = self._rows.row_of(self.caret.offset)
        row = self._rows.row(number)
        x = self._layouts.x(self._raw(row.span), self.caret.offset - row.span.start)
        y = (number - self._scroll.top) * self._row_height - self._scroll.pixels
        left = self._gutter + TEXT_PAD - self.horizontalScrollBar().value()
        return QRect(round(left + x), y, 2, self._row_height)

    # Inside

    @property
    def _gutter(self) -> int:
        digits = max(FEWEST_DIGITS, len(str(self._rows.likely_lines)))
        return round(digits * self._letter) + 2 * GUTTER_PAD + MARK

    def _raw(self, span: Span) -> bytes:
        return self._rows.data[span.start : span.end]

    def _arrange(self) -> None:
        """Fit rows and bar to the size of the view and of the text, and paint them."""
        self._fit_rows()
        self.viewport().update()

    def _fit_rows(self) -> None:
        """Fit rows and bar to the size of the view and of the text."""
        first = self._rows.row(self._scroll.top).span.start
        before_columns = self._rows.columns
        self._rows.set_columns(int(self._room / self._letter))
        self._scroll.configure(self._rows.likely_rows, self.viewport().height() // self._row_height, self._row_height)
        if before_columns != self._rows.columns:
            self._scroll.to_row(self._rows.row_of(first))
        self._fit_width()

    def _show_scrolled(self) -> None:
        """Other rows are in sight."""
        self._fit_width()
        self.viewport().update()

    def _fit_width(self) -> None:
        """Let rows that are wider than others of as many bytes, as with tabs in them, be scrolled into view."""
        self._know(self._rows.knows_row(self._scroll.top + self._in_sight))
        bar = self.horizontalScrollBar()
        widest = max((self._layouts.width(self._raw(row.span)) for row in self._seen()), default=0)
        most = max(bar.value(), round(widest) - self._room)
        bar.setPageStep(max(self._room, 1))
        bar.setSingleStep(round(4 * self._letter))
        if most != bar.maximum():
            bar.setRange(0, most)

    def _shape(self, span: Span) -> tuple[Span, int, int, int] | None:
        """How the line of a span is cut into rows, and where these stand; None where there are several lines."""
        if not self._rows.knows(span.end) or self._rows.line_of(span.start) != self._rows.line_of(span.end):
            return None
        rows = self._rows.of_lines(span.start, span.end)
        return rows, self._gutter, self._scroll.top, self._scroll.pixels

    def _paint_rows(self, start: int, end: int) -> None:
        """Paint the rows that show one of some bytes, as far as they are in sight."""
        if not self._rows.knows(end):
            self.viewport().update()
            return
        top = self._scroll.top
        first = max(self._rows.row_of(start) - 1 - top, 0)  # at its end the caret may stand
        last = min(self._rows.row_of(end) + 1 - top, self._in_sight)
        if first < last:
            y, height = first * self._row_height - self._scroll.pixels, (last - first) * self._row_height
            self.viewport().update(QRect(0, y, self.viewport().width(), height))

    def _know(self, is_known: bool) -> None:
        """What is to be seen is counted, or all is now."""
        if not is_known:
            self._rows.count_on()
            self._arrange()

    def _count_on(self) -> None:
        """Count the lines of what is not in sight, a little at a time, once what is in sight was painted."""
        self._rows.count_on(COUNTED)
        if self._rows.is_counted:
            self._arrange()
        else:
            self._counting.start()

    @property
    def _in_sight(self) -> int:
        """So many rows are in sight at most."""
        return self.viewport().height() // self._row_height + 2

    def _seen(self) -> tuple[TextRow, ...]:
        """The rows in sight."""
        rows, top = self._rows, self._scroll.top
        return tuple(rows.row(k) for k in range(top, top + self._in_sight) if rows.has_row(k))

    @property
    def _room(self) -> int:
        """Pixels for the text of a row."""
        return self.viewport().width() - self._gutter - 2 * TEXT_PAD

    def _show_across(self) -> None:
        """Scroll to the left or right as little as needed to show the caret."""
        row = self._rows.row(self._rows.row_of(self.caret.offset))
        x = round(self._layouts.x(self._raw(row.span), self.caret.offset - row.span.start))
        bar = self.horizontalScrollBar()
        bar.setValue(min(max(bar.value(), x - self._room), max(x - round(self._letter), 0)))

    def _page(self) -> TextPage:
        return TextPage(
            self._seen(),
            self._scroll.pixels,
            self._row_height,
            self._letter,
            self._gutter,
            self.horizontalScrollBar().value(),
            self.caret.offset,
            self._blink_on and self.hasFocus(),
            self.hasFocus(),
            self.selection,
            self._item,
            self._hits,
            self._current_hit,
        )

    def _show_caret(self) -> None:
        """Draw the caret now, and let it blink where the platform has that."""
        self._blink_on = True
        time = QGuiApplication.styleHints().cursorFlashTime()
        self._blink.start(time // 2) if time > 1 and self.hasFocus() else self._blink.stop()

    def _turn_caret(self) -> None:
        self._blink_on = not self._blink_on
        self.viewport().update(self.caret_rect().adjusted(-1, 0, 1, 0))

    # Moving

    def move_caret(self, offset: int, extend: bool = False, keep_x: bool = False) -> None:
        """Go to a byte as a person does: everybody is told."""
        old, selected = self.caret.offset, self.selection
        if not keep_x:
            self._wanted_x = None
        self._go(offset, extend)
        self.updateMicroFocus()
        if self.selection != selected:
            self.selection_changed.emit(self.selection)
        if self.caret.offset != old:
            self.caret_moved.emit(self.caret.offset)

    def _step(self, move: TextMove, extend: bool) -> None:
        away = ROWS_AWAY.get(move) or PAGES_AWAY.get(move, 0) * max(1, self._scroll.visible - 1)
        selection = self.selection
        if away:
            self._step_rows(away, extend)
        elif selection is not None and not extend and move in (TextMove.LEFT, TextMove.RIGHT):
            self.move_caret(selection.start if move is TextMove.LEFT else selection.end)
        else:
            self.move_caret(target(move, self._rows, self.caret.offset), extend)

    def _step_rows(self, away: int, extend: bool) -> None:
        """Go some rows up or down, as near as can be to where the caret stood across."""
        number = self._rows.row_of(self.caret.offset)
        row = self._rows.row(number)
        if self._wanted_x is None:
            self._wanted_x = self._layouts.x(self._raw(row.span), self.caret.offset - row.span.start)
        if not self._rows.has_row(number + away) and abs(away) == 1:
            self.move_caret(0 if away < 0 else len(self._rows.data), extend, keep_x=True)
            return
        self.move_caret(self._offset_at(number + away, self._wanted_x), extend, keep_x=True)

    def _offset_at(self, number: int, x: float) -> int:
        """The byte of a row that is nearest to *x*."""
        row = self._rows.row(number)
        raw = self._raw(row.span)
        at = row.span.start + self._layouts.byte(raw, x)
        return at if at < row.span.end or row.is_last else before(self._rows.data, row.span.end)

    def _nearest(self, point: QPointF) -> int:
        """The byte nearest to a point of the viewport."""
        number = self._scroll.top + int((point.y() + self._scroll.pixels) // self._row_height)
        return self._offset_at(number, point.x() - self._gutter - TEXT_PAD + self.horizontalScrollBar().value())

    def _drag(self) -> None:
        if self._dragged is not None:
            self.move_caret(self._nearest(self._dragged), extend=True)

    # Changing

    def write(self, text: str, merge: str = "") -> None:
        """Let a text take the place of what is selected, or stand at the caret."""
        self._replace(
            self.selection or Span(self.caret.offset, self.caret.offset), text.encode("utf-8", "replace"), merge
        )

    def erase(self, span: Span, merge: str = "") -> None:
        """Take some bytes away."""
        if len(span):
            self._replace(span, b"", merge)

    def _replace(self, span: Span, inserted: bytes, merge: str) -> None:
        if self._source is None:
            return
        if self.read_only:
            self.typing_refused.emit()
            return
        self.caret.anchor, self.caret.offset = None, span.end
        self.typed.emit(TextTyped(span, inserted, merge))
        self.move_caret(span.start + len(inserted))

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        selection = self.selection
        if selection is not None and len(selection) <= COPY_LIMIT:
            QApplication.clipboard().setText(self._raw(selection).decode("utf-8", "replace"))

    def cut(self) -> None:
        """Copy what is selected, and take it away."""
        selection = self.selection
        if selection is not None and not self.read_only:
            self.copy()
        self.erase(selection or Span(0, 0))

    def paste(self) -> None:
        """Write what is on the clipboard."""
        text = QApplication.clipboard().text()
        if text:
            self.write(text)

    def select_all(self) -> None:
        """Select the whole text."""
        self.caret.anchor = 0
        self.move_caret(len(self._rows.data), extend=True)

    def delete(self) -> None:
        """Take away what is selected, or the character behind the caret."""
        self._run(K.Delete)

    def _run(self, command: QKeySequence.StandardKey) -> None:
        at, data = self.caret.offset, self._rows.data
        erased = {
            K.Backspace: lambda: Span(before(data, at), at),
            K.Delete: lambda: Span(at, letter_after(data, at)),
            K.DeleteStartOfWord: lambda: Span(word_before(data, at), at),
            K.DeleteEndOfWord: lambda: Span(at, word_after(data, at)),
        }
        commands = {K.Copy: self.copy, K.Cut: self.cut, K.Paste: self.paste, K.SelectAll: self.select_all}
        if command in erased:
            self.erase(self.selection or erased[command](), "" if self.selection else ERASING)
        elif command is K.InsertParagraphSeparator:
            self._begin_line()
        else:
            commands[command]()

    def _begin_line(self) -> None:
        """A new line that ends as the nearest one does, indented as this one is."""
        start = (self.selection or Span(self.caret.offset, self.caret.offset)).start
        self.write((ending(self._rows, start) + indentation(self._rows, start)).decode("ascii"))

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = step_of(event)
        command = command_of(event)
        if step is not None:
            self._step(*step)
        elif command is not None:
            self._run(command)
        elif writes(event):
            self.write(event.text(), TYPING)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # what the keys mean here goes before what they mean in the window
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.takes(event):
            event.accept()
            return True
        return super().event(event)

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key means something here."""
        return step_of(event) is not None or command_of(event) is not None or writes(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString():
            self.write(event.commitString(), TYPING)
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return self.caret_rect()
        if query == Qt.InputMethodQuery.ImEnabled:
            return not self.read_only
        return super().inputMethodQuery(query)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._nearest(event.position())
        if event.button() == Qt.MouseButton.LeftButton:
            signed = self._signed_at(event.position())
            if signed:
                self.move_caret(signed[0].span.start)
                self.finding_requested.emit(signed[0].span.start)
            elif event.position().x() < self._gutter:
                self._select_line(at)
            else:
                self.move_caret(at, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                self._drag_timer.start()
        elif event.button() == Qt.MouseButton.RightButton and not (self.selection and at in self.selection):
            self.move_caret(at)

    def mark_at(self, offset: int) -> TextMark | None:
        """What is found at a byte, or else in its line: the gravest."""
        line = self._rows.line_span(self._rows.line_of(offset))
        found = list(self._source.marks(line)) if self._source is not None else []
        here = [mark for mark in found if mark.span.start <= offset <= mark.span.end]
        return (here or found)[-1] if found else None

    def _signed_at(self, point: QPointF) -> list[TextMark]:
        """What the sign beside the lines stands for that is at a point, in the order of the text."""
        if self._source is None or point.x() > MARK_LEFT + MARK:
            return []
        number = self._scroll.top + int((point.y() + self._scroll.pixels) // self._row_height)
        if not self._rows.has_row(number) or not self._rows.row(number).is_first:
            return []
        row = self._rows.row(number)
        found = [mark for mark in self._source.marks(row.span) if row.span.start <= mark.span.start <= row.span.end]
        return sorted(found, key=lambda mark: mark.span.start)

    def _told_at(self, point: QPointF) -> str:
        """What is found in the text, or beside it, at a point."""
        number = self._scroll.top + int((point.y() + self._scroll.pixels) // self._row_height)
        if self._source is None or not self._rows.has_row(number):
            return ""
        signed = self._signed_at(point)
        at = self._nearest(point)
        here = [mark for mark in self._source.marks(Span(at, at + 1)) if mark.span.start - 1 <= at <= mark.span.end]
        return "\n".join(dict.fromkeys(mark.sentence for mark in signed or here[-1:]))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tip(event.globalPos(), self._told_at(QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _select_line(self, at: int) -> None:
        line = self._rows.line_span(self._rows.line_of(at))
        self.caret.anchor = line.start
        self.move_caret(min(line.end + 1, len(self._rows.data)), extend=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._drag_timer.isActive():
            self._dragged = event.position()
            self._drag()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_timer.stop()
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = self._nearest(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.item_requested.emit(at)
            return
        word = word_at(self._rows.data, at)
        if len(word):
            self.caret.anchor = word.start
            self.move_caret(word.end, extend=True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() and not event.angleDelta().y():
            self.horizontalScrollBar().event(event)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_requested.emit(self._zoom + self._zoom_notches.turn(event.angleDelta().y(), NOTCH))
        elif not event.pixelDelta().isNull():
            self._scroll.by_pixels(-event.pixelDelta().y())
        else:
            self._scroll.by_pixels(self._notches.turn(-event.angleDelta().y() * STEP * self._row_height, NOTCH))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        place = event.globalPos() if is_mouse else self.viewport().mapToGlobal(self.caret_rect().bottomLeft())
        self.context_menu_requested.emit(QPoint(place))

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = QRectF(self.viewport().rect())
        if self._source is None:
            painter.fillRect(area, self._theme.ui.base)
        else:
            self._painter.paint(painter, self._source, self._page(), area, QRectF(event.rect()))
            if not self._rows.is_counted and not self._counting.isActive():
                self._counting.start()
        if self.hasFocus():
            painter.setPen(self._theme.ui.focus)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        caret = Span(self.caret.offset, self.caret.offset)
        was_seen = self._scroll.shows(self._rows.row_of(caret.start))
        self._arrange()
        if was_seen:  # a pane that opens beside the view does not hide what is typed
            self.ensure_visible(caret)
            self._show_across()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._use_font()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._show_caret()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._blink.stop()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._gutter + round(60 * self._letter), 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._gutter + round(24 * self._letter), 120)
