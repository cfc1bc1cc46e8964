"""The pane beside the problems: what may have gone wrong, the likeliest first, and what would mend it.

It only asks: nothing is previewed or applied here, and nothing is applied unasked.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from viewer.document.doctor.repair import Repair
from viewer.document.shown.counts import grouped
from viewer.document.shown.repairs import Headline
from viewer.ui.doctor.finder import Looking, RepairFinder
from viewer.ui.doctor.pieces import Words
from viewer.ui.doctor.repair_row import LEFT, RepairRow
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import FlatButton, PaneTitle
from viewer.ui.session import Session

PATIENCE = 1000
"""Milliseconds of looking until Cancel is offered, and between two times that it is said how far the search is."""
LOOKING = "Looking for what went wrong …"
MORE = "Looking on: what is found now may be likelier …"
SAID = {
    Looking.NOTHING: "Nothing is wrong. Where an engine refuses bytes, what may have happened is suggested here.",
    Looking.WAITING: LOOKING,
    Looking.ON: LOOKING,
    Looking.DONE: "No single mistake explains these bytes. The list of problems says where they stop making sense.",
    Looking.STOPPED: "Stopped looking.",
}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RepairsView(QWidget):
    """Lists the repairs of the session's document.

    Args:
        session: what is open.
        finder: looks for the repairs.
        theme: the colours.

    Signals:
        closed: the close button.
        left: Escape was pressed.
        engines_asked: the engine's verdict was clicked.
        preview_asked, apply_asked: ``Repair``: it is to be shown, or done.
    """

    closed = Signal()
    left = Signal()
    engines_asked = Signal()
    preview_asked = Signal(object)
    apply_asked = Signal(object)

    def __init__(self, session: Session, finder: RepairFinder, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("repairsView")
        self.setAccessibleName("Suggested repairs")
        self.rows: list[RepairRow] = []
        self._session, self._finder, self._theme = session, finder, theme
        self._repairs: tuple[Repair, ...] = ()
        self._open = 0
        self._build(theme)
        self._slow = QTimer(self, interval=PATIENCE)
        self._slow.timeout.connect(self._say_how_far)
        finder.changed.connect(self._show)
        self._show()

    def _build(self, theme: Theme) -> None:
        self.title = PaneTitle(theme, "Suggested repairs", self)
        self.title.closed.connect(self.closed)
        self.headline = FlatButton(theme, parent=self)
        self.headline.clicked.connect(self.engines_asked)
        self.title.add_button(self.headline)
        self.says = Words(theme)
        self.says.setContentsMargins(LEFT, 8, LEFT, 0)
        self.again = FlatButton(theme, "Cancel", "x", self)
        self.again.clicked.connect(self._cancel_or_look)
        self._page = QWidget()
        self._list = QVBoxLayout(self._page)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._list.addWidget(self.says)
        self._list.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setObjectName("repairsArea")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setWidget(self._page)
        self._page.setAutoFillBackground(False)  # setWidget() switches it on
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.area, 1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.says.set_theme(theme)
        self.again.set_theme(theme)
        for row in self.rows:
            row.set_theme(theme)
        self.update()

    @property
    def current(self) -> Repair | None:
        """The repair that is open."""
        return self._repairs[self._open] if self._open < len(self._repairs) else None

    def take_focus(self) -> None:
        """Have the keys, at the repair that is open."""
        head = self.rows[self._open].head if self.rows else self.again
        head.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.area.ensureWidgetVisible(head, 0, 0)

    def open_row(self, number: int) -> None:
        """Open one repair and close the others."""
        self._open = number
        for place, row in enumerate(self.rows):
            row.set_open(place == number)
        self._order_stops()
        QTimer.singleShot(0, self, partial(self._bring_into_view, self.rows[number]))

    def _order_stops(self) -> None:
        """Let Tab go through the title, the rows and out: what is made late would stand at the end of the window."""
        stops = [self.headline, self.title.close_button, self.again, *(stop for row in self.rows for stop in row.stops)]
        for before, after in pairwise(stops):
            self.setTabOrder(before, after)

    # Showing

    def _show(self) -> None:
        state, found = self._finder.state, self._finder.found
        if self._finder.repairs != self._repairs:
            self._show_rows(self._finder.repairs)
        if state is not Looking.ON or not self._slow.isActive():
            self._show_state(state, found.cut if found is not None else "")
        self._show_headline(found.headline if found is not None else None)

    def _show_state(self, state: Looking, cut: str) -> None:
        """How far the search is, with a button to end it or to begin again."""
        words = [] if self.rows and state is Looking.DONE else [SAID[state]]
        self.says.setText(" ".join([*words, cut]).strip())
        self.says.setVisible(bool(self.says.text()) and (not self.rows or state is not Looking.ON))
        self._slow.stop()
        self.again.setVisible(state is Looking.STOPPED)
        self.again.set_look("Look again", "refresh-cw")
        if state is Looking.ON:
            self._slow.start()

    def _say_how_far(self) -> None:
        tried = self._finder.tried
        words = MORE if self.rows else LOOKING
        self.says.setText(f"{words} {grouped(tried)} guesses tried." if tried else words)
        self.says.show()
        self.again.set_look("Cancel", "x")
        self.again.show()

    def _cancel_or_look(self) -> None:
        if self._finder.state is Looking.ON:
            self._finder.cancel()
        else:
            self._finder.look_now()

    def _show_headline(self, said: Headline | None) -> None:
        self.headline.setVisible(said is not None)
        if said is not None:
            role = "state.ok.fg" if said.is_good else "state.error.fg"
            self.headline.set_look(said.words, "", "", role)
            self.headline.setToolTip(plain_tip(f"{said.detail}\nClick to see what all engines do".strip()))
            self.headline.setAccessibleName(f"{said.words}. {said.detail}")

    def _show_rows(self, repairs: tuple[Repair, ...]) -> None:
        had_focus = self._page.isAncestorOf(self.window().focusWidget() or self)
        last = self.current if self._open or had_focus else None  # what nobody chose makes room for what is likelier
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        document = self._session.document
        size = len(document.buffer) if document is not None else 0
        again = (k for k, each in enumerate(repairs) if last is not None and each.does_as(last))
        kept = next(again, -1)
        self._repairs, self._open = repairs, max(0, kept)
        self.rows = [RepairRow(repair, size, self._theme, self._page) for repair in repairs]
        for place, row in enumerate(self.rows):
            row.open_asked.connect(partial(self._enter, place))
            row.step_asked.connect(partial(self._step, place))
            row.preview_asked.connect(partial(self.preview_asked.emit, row.repair))
            row.apply_asked.connect(partial(self.apply_asked.emit, row.repair))
            self._list.insertWidget(place, row)
            row.show()
        if self.rows:
            self.open_row(self._open)
        if had_focus and kept >= 0:
            self.take_focus()
        elif had_focus:
            self.left.emit()

    def _bring_into_view(self, row: RepairRow) -> None:
        """Show as much of a row as there is room for, and its line in any case: there is the focus."""
        if row in self.rows:
            self.area.ensureWidgetVisible(row, 0, 0)
            self.area.ensureWidgetVisible(row.head, 0, 0)

    # Keys

    def _enter(self, place: int) -> None:
        """A line was clicked or Enter pressed on it: open it; Enter on the open one shows what would come of it."""
        if place != self._open:
            self.open_row(place)
        elif self.rows[place].repair.can_be_applied and not self.rows[place].head.underMouse():
            self.preview_asked.emit(self.rows[place].repair)

    def _step(self, place: int, by: int) -> None:
        if 0 <= place + by < len(self.rows):
            self.rows[place + by].head.setFocus(Qt.FocusReason.TabFocusReason)
            self.area.ensureWidgetVisible(self.rows[place + by].head, 0, 0)

    def _repair_at_focus(self) -> Repair | None:
        """The repair that has the focus, else the open one."""
        focus = self.window().focusWidget()
        here = (row.repair for row in self.rows if focus is not None and row.isAncestorOf(focus))
        return next(here, self.current)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(500, 240)

    def focusInEvent(self, event: object) -> None:
        self.take_focus()

    def event(self, event: QEvent) -> bool:
        """Ctrl+Enter is ours here, whatever the window does with it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _applies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        repair = self._repair_at_focus()
        if _applies(event):
            if repair is not None and repair.can_be_applied:
                self.apply_asked.emit(repair)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()


def _applies(event: QKeyEvent) -> bool:
    """Whether it is Ctrl+Enter."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in ENTER and modifiers == Qt.KeyboardModifier.ControlModifier
