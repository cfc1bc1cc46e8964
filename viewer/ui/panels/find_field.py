"""The search field of the tool row: what to find, how far it is, how much was found, and the way through it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from viewer.base.span import Span
from viewer.base.words import grouped
from viewer.document.searching.query import Mode, Query, QueryError, query_for, split_mode
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.find_runner import FindRunner
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import FlatButton, IconButton, PlainLine, paint_field, plain_field_style
from viewer.ui.panels.path_bar import Sentence
from viewer.ui.session import Session

if TYPE_CHECKING:  # built when the field is first used
    from viewer.ui.panels.find_chips import FindChips

WIDTH = 264
HEIGHT = 28
LEFT = 32
BUTTON = 20
PATIENCE = 0.3
"""Seconds of searching before its progress is shown."""
TIP = (
    "Find a key, value or text (Ctrl+F)\nThe chips below say what to look for: Alt+1 to Alt+4.\n"
    "So do words: key: gold   value: gold   type: Vector2   hex: 10 27 4? ??"
)
MODES = (
    (Mode.ANY, "Anything"),
    (Mode.KEY, "Keys"),
    (Mode.VALUE, "Values"),
    (Mode.TEXT, "Text"),
    (Mode.NUMBER, "Numbers"),
    (Mode.TYPE, "Types"),
    (Mode.HEX, "Bytes"),
    (Mode.REGEX, "Regular expression"),
)
"""What can be looked for, in words."""
CHIPS = (Mode.ANY, Mode.KEY, Mode.VALUE, Mode.TYPE)
"""What a chip under the field stands for, chosen by Alt with its number; the others stand in a menu."""
PLACEHOLDERS = {
    Mode.ANY: "Find key, value, text or bytes",
    Mode.KEY: "gold",
    Mode.VALUE: "Iron Sword",
    Mode.TEXT: "Iron",
    Mode.NUMBER: "5000",
    Mode.TYPE: "Vector2",
    Mode.HEX: "10 27 4? ??",
    Mode.REGEX: "^item_(\\d+)$",
}
SHORT = {Mode.NUMBER: "Number", Mode.REGEX: "Regex"}
OPTION_KEYS = (Qt.Key.Key_C, Qt.Key.Key_R, Qt.Key.Key_U)
"""With Alt: exact letters, regular expression, only under the selected value."""
NOT_ASKED = "Type what to look for in the search field (Ctrl+F)"
NOT_FOUND = "Nothing was found"
PAUSE = 700
"""Milliseconds without a key until it is said what is wrong with what was written: half of it is wrong, too."""


class FindField(QWidget):
    """A frame with a line edit, a count and three buttons.

    Args:
        session: whose document is searched.
        theme: its colours.

    Signals:
        hits_changed: :attr:`hits` or :attr:`current` are other ones.
        escaped: Escape was pressed in the field while no search ran; the focus should go back to where it was.
        list_requested: ``bool``: the list of results should be shown or hidden.
        list_entered: the focus should go to the list of results.
        option_switched: ``Qt.Key``: the letter of an option was pressed with Alt.
        change_requested: all that was found is to be changed.
    """

    hits_changed = Signal()
    escaped = Signal()
    list_requested = Signal(bool)
    list_entered = Signal()
    option_switched = Signal(object)
    change_requested = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("findField")
        self._session, self._theme = session, theme
        self.runner = FindRunner(session, self)
        self.runner.hits_changed.connect(self._show)
        self._small = ui_font(Size.SMALL)
        self.error = ""
        self.case_sensitive = False
        self.mode = Mode.ANY
        self._chips: FindChips | None = None
        self._has_chips = True
        self._count = ""
        self._count_box = QRectF()
        self.line = _Line(self, "findLine", "Find")
        self.mode_button = FlatButton(theme, parent=self)
        self.mode_button.setObjectName("modeChip")
        self.mode_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.mode_button.setCheckable(True)
        self.mode_button.trailing_icon = "x"
        self._sentence = Sentence(theme, self)
        self._refusing = QTimer(self, singleShot=True, interval=PAUSE)
        self._refusing.timeout.connect(self._refuse)
        self.previous_button = IconButton(theme, "arrow-up", "Previous place found (Shift+F3)", self)
        self.next_button = IconButton(theme, "arrow-down", "Next place found (F3)", self)
        self.list_button = IconButton(theme, "list-tree", "List all places found (Ctrl+Shift+F)", self)
        self.list_button.setObjectName("findListButton")
        self.list_button.setCheckable(True)
        self._connect()
        self.setFixedSize(WIDTH, HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.line)
        self.set_theme(theme)
        self._show()

    def _connect(self) -> None:
        self.line.setToolTip(TIP)
        self.line.textChanged.connect(self._look)
        self.line.stepped.connect(self._step)
        self.line.escaped.connect(self._escape)
        self.line.went_down.connect(self.list_entered)
        self.line.option_switched.connect(self.option_switched)
        self.line.focus_changed.connect(self._follow_focus)
        self.line.mode_left.connect(lambda: self.set_mode(Mode.ANY))
        self.line.mode_chosen.connect(self.set_mode)
        self.mode_button.clicked.connect(lambda: self.set_mode(Mode.ANY))
        self.previous_button.clicked.connect(self.previous)
        self.next_button.clicked.connect(self.next)
        self.list_button.clicked.connect(self.list_requested)
        self._session.opened.connect(self._on_opened)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        for part in (*self._buttons, self.mode_button, self._sentence):
            part.set_theme(theme)
        if self._chips is not None:
            self._chips.set_theme(theme)
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

    @property
    def why_no_step(self) -> str:
        """Why there is no next place to go to, empty where there is one or may be one."""
        if self.runner.query.is_empty:
            return NOT_ASKED
        return NOT_FOUND if self.runner.is_complete and not self.runner.total else ""

    @property
    def _buttons(self) -> tuple[IconButton, IconButton, IconButton]:
        return self.list_button, self.previous_button, self.next_button

    def show_list_shown(self, shown: bool) -> None:
        """Show whether the list of results is open."""
        self.list_button.setChecked(shown)

    def focus(self) -> None:
        """Take the focus, all text selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def set_case(self, matters: bool) -> None:
        """Let letters match exactly or in either case."""
        self.case_sensitive = matters
        self._look(self.line.text())

    def set_mode(self, mode: Mode) -> None:
        """Look for something else by the same words, such as for keys."""
        self.mode = mode
        self._look(self.line.text())

    def next(self) -> None:
        """Go to the next place found."""
        self.runner.step(1)

    def previous(self) -> None:
        """Go to the previous place found."""
        self.runner.step(-1)

    def _look(self, text: str) -> None:
        mode, words = split_mode(text)
        if mode is not Mode.ANY and self.mode is not Mode.TEXT:  # who looks for a text may mean these very words
            self.mode, text = mode, words
        if self.mode is not Mode.ANY and self.line.text() != text.lstrip():
            text = text.lstrip()
            with QSignalBlocker(self.line):
                self.line.setText(text)
        try:
            query, self.error = query_for(text, self.mode, self.case_sensitive), ""
        except QueryError as error:
            query, self.error = Query(""), str(error)
        self.line.setToolTip(plain_tip(self.error or TIP))
        self._sentence.say("")
        self._refusing.stop()
        if self.error:
            self._refusing.start()
        self.runner.look_for(query, self.error)
        self._show()

    def _refuse(self) -> None:
        """Say below the field, and below its chips, what is wrong with what was written."""
        chips = self._chips
        self._sentence.below = chips.height() if chips is not None and chips.isVisible() else 0
        self._sentence.say(self.error)

    # Chips

    def _follow_focus(self) -> None:
        """Offer the chips while the field has the focus, or one of them."""
        self.update()
        if self.line.hasFocus() and self._session.document is not None and self._has_chips:
            self._offer_chips()
        else:
            QTimer.singleShot(0, self, self._put_chips_away)

    def let_chips(self, appear: bool) -> None:
        """Whether the chips appear below the field: not while the row below it offers the same."""
        self._has_chips = appear
        if self._chips is not None and not appear:
            self._chips.hide()

    def _offer_chips(self) -> None:
        if self._chips is None:
            from viewer.ui.panels.find_chips import FindChips

            self._chips = FindChips(self._theme, self)
            self._chips.chosen.connect(self._choose)
            self._chips.change_requested.connect(self.change_requested)
            self._chips.escaped.connect(self.line.setFocus)
            chain = [self.line, *self._chips.buttons, self.list_button]
            for before, behind in pairwise(chain):
                QWidget.setTabOrder(before, behind)
            for button in self._chips.buttons:
                button.left.connect(lambda: QTimer.singleShot(0, self, self._put_chips_away))
        self._chips.show_mode(self.mode, bool(self.runner.total))
        self._chips.appear()

    def _choose(self, mode: Mode) -> None:
        self.set_mode(mode)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _put_chips_away(self) -> None:
        """Hide what hangs below the field where the focus went elsewhere."""
        focus = QApplication.focusWidget()
        if focus is None or focus is self.line:
            return
        is_kept = self._chips is not None and self._chips.isAncestorOf(focus)
        if self._chips is not None:
            self._chips.setVisible(is_kept)
        if not is_kept:
            self._refusing.stop()
            self._sentence.say("")

    def _step(self, direction: int) -> None:
        self._refuse()
        self.runner.step(direction)

    def _escape(self) -> None:
        """Stop a search that has begun to take its time; else leave."""
        if not self.runner.is_complete:
            self.runner.stop()
            return
        self.escaped.emit()
        self.clear()

    def clear(self) -> None:
        """Look for nothing any more."""
        self.mode = Mode.ANY
        self.line.clear()
        self._look("")

    def _on_opened(self) -> None:
        """With nothing open there is nothing to find, and no leftover of a search."""
        if self._session.document is None:
            self.clear()
            if self._chips is not None:
                self._chips.hide()
        self._show()

    def _show(self) -> None:
        self.setEnabled(self._session.document is not None)
        self._count = self._count_words()
        asked = not self.runner.query.is_empty
        for button in self._buttons:
            button.setVisible(asked)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(self.hits))
        is_narrowed = self.mode is not Mode.ANY
        words = SHORT.get(self.mode, dict(MODES)[self.mode])
        self.mode_button.set_look(words)
        self.mode_button.setChecked(is_narrowed)
        self.mode_button.setVisible(is_narrowed)
        self.mode_button.setToolTip(plain_tip(f"{words} alone are looked for; click to look for anything (Backspace)"))
        self.line.setPlaceholderText(PLACEHOLDERS[self.mode])
        if self._chips is not None:
            self._chips.show_mode(self.mode, bool(self.runner.total))
        self.setAccessibleDescription(f"{words}: {self._count}" if is_narrowed else self._count)
        self._arrange()
        self.update()
        self.hits_changed.emit()

    def _count_words(self) -> str:
        runner = self.runner
        if runner.query.is_empty:
            return ""
        if not runner.total:
            return "…" if not runner.is_complete else "stopped" if runner.is_stopped else "none"
        is_all = runner.is_complete and not runner.is_cut and not runner.is_stopped
        total = grouped(runner.total) + ("" if is_all else "+") + ("" if runner.is_complete else " …")
        return f"{grouped(runner.index + 1)} of {total}" if runner.index >= 0 else total

    def _arrange(self) -> None:
        room = WIDTH - 4 - (len(self._buttons) * BUTTON if not self.runner.query.is_empty else 2)
        count = QFontMetricsF(self._small).horizontalAdvance(self._count)
        left = LEFT
        if self.mode is not Mode.ANY:
            width = self.mode_button.sizeHint().width()
            self.mode_button.setGeometry(5, 3, width, HEIGHT - 6)
            left = width + 10
        self.line.setGeometry(left, 3, max(40, round(room - left - count - 6)), HEIGHT - 6)
        for place, button in enumerate(self._buttons):
            button.setGeometry(room + place * BUTTON, 3, BUTTON, 22)
        self._count_box = QRectF(self.line.geometry().right(), 0, room - 4 - self.line.geometry().right(), HEIGHT)

    def _paint_progress(self, painter: QPainter) -> None:
        """A thin line along the lower edge while a search takes its time."""
        if self.runner.elapsed > PATIENCE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.ui.accent)
            painter.drawRect(QRectF(4, HEIGHT - 5, (WIDTH - 8) * self.runner.progress, 2))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        focused, enabled = self.line.hasFocus(), self.isEnabled()
        paint_field(painter, QRectF(self.rect()), self._theme, focused, bool(self.error), enabled)
        role = icons.DEFAULT_ROLE if enabled else icons.DISABLED_ROLE
        if self.mode is Mode.ANY:
            icons.draw(painter, "search", self._theme, QRectF(9, 6, 16, 16), role)
        colour = self._theme.state("error").fg if self._count == "none" else self._theme.ui.text_secondary
        paint_line(painter, self._count_box, self._count, self._small, colour, right=True)
        self._paint_progress(painter)
        painter.end()


def is_option(event: QKeyEvent) -> bool:
    """Whether a key switches an option of the search: Alt with one of their letters."""
    return event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in OPTION_KEYS


class _Line(PlainLine):
    """Steps with Enter and F3, tells when it is left."""

    stepped = Signal(int)
    went_down = Signal()
    escaped = Signal()
    option_switched = Signal(object)
    mode_left = Signal()
    mode_chosen = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        is_alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
        number = event.key() - Qt.Key.Key_1
        if is_alt and 0 <= number < len(CHIPS):
            self.mode_chosen.emit(CHIPS[number])
        elif event.key() == Qt.Key.Key_Backspace and not self.cursorPosition() and not self.hasSelectedText():
            self.mode_left.emit()
        elif is_option(event):
            self.option_switched.emit(Qt.Key(event.key()))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self.stepped.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        else:
            super().keyPressEvent(event)
