"""The search field of the tool row: what to find, how much was found, and the way from one place to the next."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from viewer.document.search import Query, QueryError, parse_query
from viewer.document.shown.meaning import grouped
from viewer.span import Span
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.find_runner import FindRunner
from viewer.ui.panels.path_field import Sentence
from viewer.ui.panels.pieces import IconButton, paint_line
from viewer.ui.panels.plain_field import plain_field_style
from viewer.ui.session import Session

WIDTH = 240
HEIGHT = 28
LEFT = 32
PLACEHOLDER = "Find key, value, text or bytes"
TIP = "Find a key, value or text (Ctrl+F)\nkey: gold   text: gold   number: 5000   hex: 10 27 4? ??"


class FindField(QWidget):
    """A frame with a line edit, a count and two buttons.

    Args:
        session: whose document is searched.
        theme: its colours.

    Signals:
        hits_changed: :attr:`hits` or :attr:`current` are other ones.
        escaped: Escape was pressed in the field; the focus should go back to where it was.
    """

    hits_changed = Signal()
    escaped = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("findField")
        self._session, self._theme = session, theme
        self.runner = FindRunner(session, self)
        self.runner.hits_changed.connect(self._show)
        self._small = ui_font(Size.SMALL)
        self.error = ""
        self._count = ""
        self.line = _Line(self)
        self._sentence = Sentence(theme, self)
        self.previous_button = IconButton(theme, "arrow-up", "Previous place found (Shift+F3)", self)
        self.next_button = IconButton(theme, "arrow-down", "Next place found (F3)", self)
        self._connect()
        self.setFixedSize(WIDTH, HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.line)
        self.set_theme(theme)
        self._show()

    def _connect(self) -> None:
        self.line.setObjectName("findLine")
        self.line.setAccessibleName("Find")
        self.line.setPlaceholderText(PLACEHOLDER)
        self.line.setToolTip(TIP)
        self.line.setFont(ui_font(Size.UI))
        self.line.setFrame(False)
        self.line.textChanged.connect(self._look)
        self.line.stepped.connect(self._step)
        self.line.escaped.connect(self._escape)
        self.line.focus_changed.connect(self.update)
        self.previous_button.clicked.connect(self.previous)
        self.next_button.clicked.connect(self.next)
        self._session.opened.connect(self._on_opened)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        for part in (self.previous_button, self.next_button, self._sentence):
            part.set_theme(theme)
        self.update()

    @property
    def hits(self) -> list[Span]:
        """The places found, in byte order."""
        return self.runner.hits

    @property
    def current(self) -> Span | None:
        """The place that the person stands on."""
        return self.runner.current

    @property
    def count_text(self) -> str:
        """What the field says about the number of hits."""
        return self._count

    def focus(self) -> None:
        """Take the focus, all text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def next(self) -> None:
        """Go to the next place found."""
        self.runner.step(1)

    def previous(self) -> None:
        """Go to the previous place found."""
        self.runner.step(-1)

    def _look(self, text: str) -> None:
        try:
            query, self.error = parse_query(text), ""
        except QueryError as error:
            query, self.error = Query(""), str(error)
        self.line.setToolTip(self.error or TIP)
        self._sentence.say("")
        self.runner.look_for(query)
        self._show()

    def _step(self, direction: int) -> None:
        self._sentence.say(self.error)
        self.runner.step(direction)

    def _escape(self) -> None:
        self.escaped.emit()
        self.line.clear()

    def _on_opened(self) -> None:
        """With nothing open there is nothing to find, and no leftover of a search."""
        if self._session.document is None:
            self.line.clear()
        self._show()

    def _show(self) -> None:
        self.setEnabled(self._session.document is not None)
        self._count = self._count_words()
        asked = not self.runner.query.is_empty
        for button in (self.previous_button, self.next_button):
            button.setVisible(asked)
            button.setEnabled(bool(self.hits))
        self.setAccessibleDescription(self._count)
        self._arrange()
        self.update()
        self.hits_changed.emit()

    def _count_words(self) -> str:
        runner = self.runner
        if runner.query.is_empty:
            return ""
        total = grouped(len(runner.hits)) + ("+" if runner.is_cut else "" if runner.is_complete else " …")
        if not runner.hits:
            return "none" if runner.is_complete else "…"
        return f"{grouped(runner.index + 1)} of {total}" if runner.index >= 0 else total

    def _arrange(self) -> None:
        buttons = 46 if not self.runner.query.is_empty else 6
        count = QFontMetricsF(self._small).horizontalAdvance(self._count)
        self.line.setGeometry(LEFT, 3, max(40, round(WIDTH - LEFT - buttons - count - 4)), HEIGHT - 6)
        self.previous_button.setGeometry(WIDTH - 44, 3, 20, 22)
        self.next_button.setGeometry(WIDTH - 24, 3, 20, 22)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui, focused = self._theme.ui, self.line.hasFocus()
        edge = self._theme.state("error").line if self.error else ui.focus if focused else ui.border_strong
        width = 2 if self.error or focused else 1
        painter.setPen(QPen(edge if self.isEnabled() else ui.border, width))
        painter.setBrush(ui.base)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        role = icons.DEFAULT_ROLE if self.isEnabled() else icons.DISABLED_ROLE
        icons.draw(painter, "search", self._theme, QRectF(9, 6, 16, 16), role)
        count = QRectF(self.line.geometry().right(), 0, WIDTH - 48 - self.line.geometry().right(), HEIGHT)
        none = self._count == "none"
        colour = self._theme.state("error").fg if none else ui.text_secondary
        paint_line(painter, count, self._count, self._small, colour, right=True)
        painter.end()


class _Line(QLineEdit):
    """Steps with Enter and F3, tells when it is left."""

    stepped = Signal(int)
    escaped = Signal()
    focus_changed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self.stepped.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.focus_changed.emit()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.focus_changed.emit()
