"""The second row of the search: what it is about, what to replace by, and the buttons that do it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from viewer.document.searching.query import Mode
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.find_field import MODES, FindField
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton
from viewer.ui.panels.replace_field import ReplaceField
from viewer.ui.panels.replacer import Replacer
from viewer.ui.session import Session

HEIGHT = 40
RIGHT = 36
"""Pixels right of the field, so that it lies below the search field and the close button below the pane buttons."""
LONG_PATH = 28
CASE_TIP = "Upper and lower case must match (Alt+C)"
SCOPE_TIP = "Search and replace only under the selected value (Alt+U)"
MODE_TIP = "What is looked for; Alt+R switches regular expressions on and off"


class ReplaceBar(QWidget):
    """A row below the tool row.

    Args:
        session: whose document is changed.
        find: the search field.
        theme: its colours.

    Signals:
        closed: it should go, and the focus to where it was.
        list_entered: the focus should go to the list of results.
    """

    closed = Signal()
    list_entered = Signal()

    def __init__(self, session: Session, find: FindField, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("replaceBar")
        self.setAccessibleName("Replace")
        self._session, self._find, self._theme = session, find, theme
        self.replacer = Replacer(session, find.runner, self)
        self.field = ReplaceField(theme)
        self._build(theme)
        self._connect()
        self.setFixedHeight(HEIGHT)
        self.setFocusProxy(self.field.line)
        self._show_options()

    def _build(self, theme: Theme) -> None:
        self.mode_button = FlatButton(theme, "Anything", "", self)
        self.mode_button.trailing_icon = "chevron-down"
        self.mode_button.setToolTip(MODE_TIP)
        self.mode_button.setObjectName("findMode")
        self.case_button = FlatButton(theme, "Aa", "", self)
        self.case_button.setToolTip(CASE_TIP)
        self.case_button.setAccessibleName(CASE_TIP)
        self.scope_button = FlatButton(theme, "Whole file", "funnel", self)
        self.scope_button.setToolTip(SCOPE_TIP)
        for switch in (self.case_button, self.scope_button):
            switch.setCheckable(True)
        self.message = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self.message.setObjectName("replaceMessage")
        self.one_button = FlatButton(theme, "Replace", "", self)
        self.one_button.setToolTip("Replace this place and go to the next one (Enter)")
        self.all_button = FlatButton(theme, "Replace all", "", self)
        self.all_button.setToolTip("Replace all places as one step (Ctrl+Alt+Enter)")
        for button in (self.one_button, self.all_button):
            button.text_role = "accent"
            button.setFont(ui_font(Size.SECONDARY, strong=True))
        self.close_button = IconButton(theme, "x", "Close Replace (Esc)", self)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 1)
        row.setSpacing(4)
        for part in (self.mode_button, self.case_button, self.scope_button):
            row.addWidget(part)
        row.addSpacing(8)
        row.addWidget(self.message, 1)
        row.addSpacing(8)
        for widget in (self.one_button, self.all_button):
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.field)
        row.addSpacing(RIGHT)
        row.addWidget(self.close_button)
        self._menu = QMenu(self)
        for mode, text in MODES:
            action = QAction(text, self._menu)
            action.setData(mode)
            action.setCheckable(True)
            self._menu.addAction(action)
        self._menu.triggered.connect(self._choose_mode)

    def _connect(self) -> None:
        line, find = self.field.line, self._find
        line.textChanged.connect(self.replacer.set_text)
        line.entered.connect(self.replacer.replace_one)
        line.all_entered.connect(self.replacer.replace_all)
        line.escaped.connect(self._escape)
        line.went_up.connect(find.focus)
        line.went_down.connect(self.list_entered)
        for source in (line, find):
            source.option_switched.connect(self._switch)
        self.mode_button.clicked.connect(self._offer_modes)
        self.case_button.toggled.connect(find.set_case)
        self.scope_button.clicked.connect(self._set_scope)
        self.one_button.clicked.connect(self.replacer.replace_one)
        self.all_button.clicked.connect(self.replacer.replace_all)
        self.close_button.clicked.connect(self.closed)
        self.replacer.changed.connect(self._show)
        self.replacer.replaced.connect(line.leave_undo)
        find.hits_changed.connect(self._show_options)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for button in self.findChildren(FlatButton):
            button.set_theme(theme)
        self.message.set_theme(theme)
        self.field.set_theme(theme)
        self.update()

    def open(self) -> None:
        """Appear, and take the focus where there is something to look for; else the search field has it."""
        self.show()
        self._find.let_chips(False)  # they would lie over this bar
        self.replacer.turn(True)
        if self._find.line.text():
            self.field.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.field.line.selectAll()
        else:
            self._find.focus()

    def shut(self) -> None:
        """Disappear; what it was narrowed to is searched no more, but the whole file is."""
        self.replacer.turn(False)
        self._find.let_chips(True)
        self.field.refuse("")
        self._find.runner.set_scope(None)
        self.case_button.setChecked(False)
        self.hide()

    # Options

    def _switch(self, key: Qt.Key) -> None:
        if key == Qt.Key.Key_C:
            self.case_button.toggle()
        elif key == Qt.Key.Key_U:
            self.scope_button.click()
        else:
            is_regex = self._find.runner.query.mode is Mode.REGEX
            self._find.set_mode(Mode.ANY if is_regex else Mode.REGEX)

    def _set_scope(self, narrow: bool) -> None:
        self._find.runner.set_scope(self._session.item if narrow else None)
        self._show_options()

    def _offer_modes(self) -> None:
        mode = self._find.mode
        for action in self._menu.actions():
            action.setChecked(action.data() is mode)
        self._menu.popup(self.mode_button.mapToGlobal(QPoint(0, self.mode_button.height())))

    def _choose_mode(self, action: QAction) -> None:
        self._find.set_mode(action.data())
        self._find.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_options(self) -> None:
        """The options say what is so, whoever has set it."""
        path = self._find.runner.scope_path
        short = path if len(path) <= LONG_PATH else "…" + path[1 - LONG_PATH :]
        self.mode_button.set_look(dict(MODES)[self._find.mode])
        self.scope_button.set_look(f"In {short}" if path else "Whole file", "funnel")
        self.scope_button.setChecked(bool(path))
        self.scope_button.setToolTip(plain_tip(f"{SCOPE_TIP}\n{path}" if path else SCOPE_TIP))

    # What is said

    def _show(self) -> None:
        wrong = self.replacer.sentence if self.replacer.is_wrong else ""
        self.field.refuse(wrong if self.isVisible() else "")
        self.message.set_text("" if wrong else self.replacer.sentence)

    def _escape(self) -> None:
        """Stop what is being replaced; else leave."""
        if self.replacer.is_replacing:
            self.replacer.stop()
        else:
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
