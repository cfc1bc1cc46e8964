"""The text field of the path bar, and the sentence below it when what was written leads nowhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QWidget

from viewer.document.shown.counts import grouped_in
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import paint_line
from viewer.ui.panels.plain_field import paint_field, plain_field_style

POPUP_HEIGHT = 30


class PathField(QWidget):
    """A frame with a line edit that lies over the path bar while a person writes.

    Signals:
        entered: ``str``: Enter was pressed.
        left: Escape was pressed, the focus went elsewhere, or the place was found.
    """

    entered = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.line = _Line(self)
        self.line.setObjectName("pathField")
        self.line.setAccessibleName("Path or offset")
        self.line.setPlaceholderText("[0].player.gold, 0x1A0, 416 or +16")
        self.line.setFont(fixed_font(Size.SECONDARY))
        self.line.setFrame(False)
        self.line.returnPressed.connect(lambda: self.entered.emit(self.line.text()))
        self.line.textEdited.connect(lambda: self.refuse(""))
        self.line.escaped.connect(self.end)
        self.line.focus_lost.connect(self.end)
        self.error = Sentence(theme, self)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.error.set_theme(theme)
        self.update()

    def begin(self, text: str) -> None:
        """Appear with a text, all of it selected."""
        self.line.setText(text)
        holder = self.parentWidget()
        assert holder is not None
        self.setGeometry(holder.rect())
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def end(self) -> None:
        """Disappear."""
        if not self.isHidden():
            self.refuse("")
            self.hide()
            self.left.emit()

    def refuse(self, sentence: str) -> None:
        """Say why the text leads nowhere; an empty sentence takes it back."""
        self.error.say(grouped_in(sentence))
        self.update()

    def resizeEvent(self, event: object) -> None:
        self.line.setGeometry(30, 3, max(40, self.width() - 38), self.height() - 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, QRectF(self.rect()), self._theme, focused=True, wrong=bool(self.error.text))
        icons.draw(painter, "locate-fixed", self._theme, QRectF(10, 6, 16, 16))
        painter.end()


class _Line(QLineEdit):
    """Tells when it is left."""

    escaped = Signal()
    focus_lost = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
        event.accept()  # or the bar behind would take Enter for itself

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.focus_lost.emit()


class Sentence(QWidget):
    """A card of one line below a field that says what is wrong with what it holds.

    Args:
        theme: its colours.
        field: the widget under which it hangs; the card itself lies in that widget's window.
    """

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field)
        self.setObjectName("fieldError")
        self._theme, self._field = theme, field
        self.text = ""
        self._font = ui_font(Size.SECONDARY)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def say(self, text: str) -> None:
        """Show a sentence; nothing is shown for an empty one."""
        self.text = text
        self.setAccessibleName(text)
        if not text:
            self.hide()
            return
        window = self._field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            window.installEventFilter(self)
        self._place(window)
        self.setToolTip(plain_tip(text))
        self.show()
        self.raise_()

    def _place(self, window: QWidget) -> None:
        corner = self._field.mapTo(window, QPoint(0, self._field.height() + 4))
        width = min(self.sizeHint().width(), window.width() - 16)
        left = max(8, min(corner.x(), window.width() - width - 8))
        self.setGeometry(left, corner.y(), width, POPUP_HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden() and isinstance(watched, QWidget):
            self._place(watched)
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._font).horizontalAdvance(self.text)) + 48, POPUP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = self._theme.state("error")
        painter.setPen(QPen(tint.line, 1))
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        icons.draw(painter, "circle-x", self._theme, QRectF(10, 7, 16, 16), "state.error.line")
        paint_line(painter, QRectF(34, 0, self.width() - 44, self.height()), self.text, self._font, tint.fg)
        painter.end()
