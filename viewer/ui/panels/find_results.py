"""The list of search results: every place found with its path and surroundings, filled while the search runs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from viewer.document.query import LIMIT
from viewer.document.shown.counts import counted, grouped
from viewer.ui.look.palette import Theme
from viewer.ui.panels.find_delegate import ROW, HitDelegate
from viewer.ui.panels.find_model import FindModel, Index
from viewer.ui.panels.find_runner import FindRunner
from viewer.ui.panels.pieces import PaneTitle
from viewer.ui.panels.replacer import Replacer
from viewer.ui.panels.row_list import RowList
from viewer.ui.session import Session

NOTHING_ASKED = "What is found is listed here. Write into the search field what to look for: Ctrl+F."


class FindResults(QWidget):
    """The places that a search found.

    Args:
        session: what is open.
        runner: does the searching.
        theme: its colours.

    Signals:
        closed: the close button.
        entered: a row was chosen with Enter; the focus should go to where the caret is now.
        escaped: Escape was pressed in the list; the focus should go to the search field.
    """

    closed = Signal()
    entered = Signal()
    escaped = Signal()

    def __init__(self, session: Session, runner: FindRunner, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("findResults")
        self.setAccessibleName("Found")
        self._session, self._runner, self._theme = session, runner, theme
        self._replacer: Replacer | None = None
        self.rows = FindModel(session, runner, self)
        self.title = PaneTitle(theme, "Found", self)
        self.list = RowList(theme, self.rows)
        self.list.setObjectName("findList")
        self.list.setAccessibleName("Places found")
        self.list.set_delegate(HitDelegate(theme, self.list))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.list, 1)
        self.title.closed.connect(self.closed)
        self.list.clicked.connect(self._go)
        self.list.entered_row.connect(self._enter)
        self.list.escaped.connect(self.escaped)
        runner.hits_changed.connect(self._take)
        self._take()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.list.set_theme(theme)
        self.update()

    def show_replacing(self, replacer: Replacer) -> None:
        """Show beside every place what it would become."""
        if self._replacer is not replacer:
            self._replacer = replacer
            self.rows.show_replacing(replacer)
            replacer.changed.connect(self.list.viewport().update)

    @property
    def words(self) -> str:
        """How much was found, in words."""
        runner, count = self._runner, len(self._runner.hits)
        if runner.query.is_empty or self._session.document is None:
            return ""
        if runner.is_cut:
            return f"the first {grouped(LIMIT)} places; there are more: write more of what you look for"
        places = (counted(count, "place") if count else "nothing") + self._scope_words() + self._skipped_words()
        searched = f"{runner.progress:.0%} searched".replace("%", "\u202f%")
        if runner.error:
            return runner.error
        if runner.is_stopped:
            return f"{places}, stopped: {searched}"
        return places if runner.is_complete else f"{places} so far, {searched}"

    def _scope_words(self) -> str:
        return f" in {self._runner.scope_path}" if self._runner.scope_path else ""

    def _skipped_words(self) -> str:
        """Texts that an expression was not run at: what is not said would be taken for nothing found."""
        skipped = self._runner.skipped
        return f", {counted(skipped, 'text')} left out: too long, too slow or no UTF-8" if skipped else ""

    def _take(self) -> None:
        """Show what the runner knows; while nobody sees it, only the words."""
        self.title.detail.set_text(self.words)
        self.list.empty = self._empty_words()
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        self.rows.take()
        row = self._runner.index
        if row >= 0 and self.list.currentIndex().row() != row:
            self.list.setCurrentIndex(self.rows.index(row))
        self.list.viewport().update()

    def _empty_words(self) -> str:
        runner = self._runner
        if runner.query.is_empty:
            return NOTHING_ASKED
        if not runner.is_complete:
            return "Looking …"
        if runner.error:
            return runner.error
        where = "what was searched until it was stopped" if runner.is_stopped else runner.scope_path or "this file"
        return f"“{runner.query.text}” is nowhere in {where}."

    def _go(self, index: Index) -> None:
        self._runner.go(index.row())

    def _enter(self, index: Index) -> None:
        if index.isValid():
            self._runner.go(index.row())
            self.entered.emit()

    def showEvent(self, event: object) -> None:
        self._fill()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The list has the focus for the pane. A focus proxy would let Tab skip the buttons of the title."""
        self.list.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(500, 28 + ROW * 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()
