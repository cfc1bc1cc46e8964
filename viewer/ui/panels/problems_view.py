"""The list of problems: what is wrong, where, and a jump to it."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.document.shown.counts import grouped_in
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.pieces import FlatButton, PaneTitle, paint_line, paint_row_ground
from viewer.ui.panels.problems_model import (
    CauseRole,
    Counts,
    Index,
    OffsetRole,
    PathRole,
    ProblemFinder,
    ProblemRole,
    ProblemsModel,
    count,
)
from viewer.ui.panels.row_list import LEFT, RowList
from viewer.ui.session import Session

ROW = 46
TEXT = 40
ICON = 16
LOOKS = {
    Severity.ERROR: ("circle-x", "state.error.line"),
    Severity.WARNING: ("triangle-alert", "state.warning.line"),
    Severity.NOTE: ("info", "state.note.line"),
}


class ProblemsView(QWidget):
    """The problems of the open document.

    Args:
        session: what is open.
        theme: its colours.

    Signals:
        closed: the close button.
        count_changed: ``Counts``: there are other problems, or now all are known.
    """

    closed = Signal()
    count_changed = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("problemsView")
        self.setAccessibleName("Problems")
        self._session, self._theme = session, theme
        self.counts = Counts()
        self.finder = ProblemFinder(session, self)
        self.rows = ProblemsModel(self)
        self._build(theme)
        self.finder.found.connect(self._take)
        session.caret_moved.connect(self._on_caret)
        self._show()

    def _build(self, theme: Theme) -> None:
        self.title = PaneTitle(theme, "Problems", self)
        self.title.closed.connect(self.closed)
        self.notes_button = FlatButton(theme, "Show notes", "info", self)
        self.notes_button.setCheckable(True)
        self.notes_button.setToolTip("Show also what is only worth knowing")
        self.notes_button.toggled.connect(self._show)
        self.title.add_button(self.notes_button)
        self.list = RowList(theme, self.rows)
        self.list.setObjectName("problemsList")
        self.list.setAccessibleName("Problems")
        self.list.set_delegate(_Delegate(theme, self.list))
        self.list.clicked.connect(self._go)
        self.list.entered_row.connect(self._go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.list, 1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.list.set_theme(theme)
        self.update()

    @property
    def is_empty(self) -> bool:
        """Whether there is no row to show."""
        return self.rows.rowCount() == 0

    @property
    def found(self) -> list[Diagnostic]:
        """All that is known by now, notes included."""
        return self.finder.problems

    def refresh_now(self) -> None:
        """Look for everything at once instead of when there is time."""
        self.finder.finish()

    def _take(self) -> None:
        self._show()
        self.count_changed.emit(self.counts)

    def _show(self, *_: object) -> None:
        problems = self.finder.problems
        least = Severity.NOTE if self.notes_button.isChecked() else Severity.WARNING
        kept = self._current()
        self.rows.set_problems(self._session.document, [d for d in problems if d.severity >= least])
        self._select(kept)
        counts = count(problems)
        self._name(counts)
        self.counts = counts

    def _name(self, counts: Counts) -> None:
        words = counts.words if self._session.document is not None else ""
        looking = "" if self.finder.is_complete else ", looking …"
        self.title.detail.set_text(words + looking if words else "")
        self.notes_button.setVisible(counts.notes > 0)
        if self.is_empty and counts.notes:
            self.list.empty = f"Nothing is wrong. {counts.words[0].upper()}{counts.words[1:]} hidden: “Show notes”."
        else:
            self.list.empty = "Nothing is wrong. What an engine would refuse or not write itself is listed here."
        self.list.viewport().update()

    def _current(self) -> Diagnostic | None:
        index = self.list.currentIndex()
        return self.rows.rows[index.row()] if index.isValid() and index.row() < len(self.rows.rows) else None

    def _select(self, problem: Diagnostic | None) -> None:
        if problem is None or self._current() == problem:
            return
        row = next((k for k, shown in enumerate(self.rows.rows) if shown == problem), -1)
        self.list.setCurrentIndex(self.rows.index(row))

    def _on_caret(self, offset: int) -> None:
        """Light the problem that the caret stands in, as a jump from elsewhere does."""
        current = self._current()
        if current is not None and offset in current.span:
            return
        row = next((k for k, shown in enumerate(self.rows.rows) if offset in shown.span), -1)
        if row >= 0:
            self.list.setCurrentIndex(self.rows.index(row))

    def _go(self, index: Index) -> None:
        if index.isValid():
            self._session.go_to_problem(index.data(ProblemRole))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The list has the focus for the pane. A focus proxy would let Tab skip the buttons of the title."""
        self.list.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(500, 28 + ROW * max(2, min(4, self.rows.rowCount())))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()


class _Delegate(QStyledItemDelegate):
    """Paints a row: icon and sentence, then offset and path."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self._sentence_font = ui_font(Size.UI)
        self._place_font = fixed_font(Size.SECONDARY)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        problem: Diagnostic = index.data(ProblemRole)
        rect, ui = QRectF(option.rect), self.theme.ui
        painter.save()
        current = bool(option.state & QtWidgets.QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QtWidgets.QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, rect, self.theme, current, hovered)
        painter.fillRect(QRectF(rect.left() + TEXT, rect.bottom() - 1, rect.width(), 1), ui.border)
        name, role = LOOKS[problem.severity]
        icons.draw(painter, name, self.theme, QRectF(rect.left() + LEFT, rect.top() + 6, ICON, ICON), role)
        first = QRectF(QPointF(rect.left() + TEXT, rect.top() + 3), rect.topRight() + QPointF(-LEFT, 24))
        paint_line(painter, first, grouped_in(problem.message), self._sentence_font, ui.text)
        second = first.translated(0, 19)
        offset = index.data(OffsetRole)
        paint_line(painter, second, offset, self._place_font, ui.text_secondary)
        second.setLeft(second.left() + QFontMetricsF(self._place_font).horizontalAdvance(offset) + 16)
        path = index.data(PathRole)
        width = paint_line(painter, second, path, self._place_font, ui.text_secondary, Qt.TextElideMode.ElideMiddle)
        second.setLeft(second.left() + width + (16 if path else 0))
        cause = index.data(CauseRole)
        if cause and second.width() > 0:
            paint_line(painter, second, cause, self._sentence_font, ui.text)
        painter.restore()
