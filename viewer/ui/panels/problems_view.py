"""The list of problems: what is wrong, where, and a jump to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.base.words import grouped_in
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.viewmodel.number_table import offset_text
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_line, paint_row_ground
from viewer.ui.panels.panel_widgets import FlatButton, PaneTitle
from viewer.ui.panels.row_list import LEFT, RowList
from viewer.ui.session import Session
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.document.doctor.likely import LikelyCause

# The findings of a document as rows, looked for in small steps while the window is idle.

IDLE = 120
SLICE = 0.008
PathRole = Qt.ItemDataRole.UserRole + 1
OffsetRole = Qt.ItemDataRole.UserRole + 2
ProblemRole = Qt.ItemDataRole.UserRole + 3
CauseRole = Qt.ItemDataRole.UserRole + 4
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """How many findings there are of each gravity."""

    errors: int = 0
    warnings: int = 0
    notes: int = 0

    @property
    def words(self) -> str:
        """``1 error, 2 notes``; ``no problems`` for none."""
        named = ((self.errors, "error"), (self.warnings, "warning"), (self.notes, "note"))
        found = [f"{number} {unit}" if number == 1 else f"{number} {unit}s" for number, unit in named if number]
        return ", ".join(found) or "no problems"


def count(problems: list[Diagnostic]) -> FindingCounts:
    """Count findings by gravity."""
    tally = [0, 0, 0]
    for problem in problems:
        tally[problem.severity] += 1
    return FindingCounts(tally[Severity.ERROR], tally[Severity.WARNING], tally[Severity.NOTE])


class ProblemFinder(QObject):
    """Keeps the findings of the session's document up to date.

    What the scanner knows is there at once; the rest is looked for when the window has been idle for a moment, in steps
    of a few milliseconds, and anew only when changes have stopped.

    Signals:
        found: the findings are other ones.
    """

    found = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._steps: Iterator[None] = iter(())
        self.problems: list[Diagnostic] = []
        self.is_complete = True
        self._idle = QTimer(self, singleShot=True, interval=IDLE)
        self._idle.timeout.connect(self._begin)
        self._work = QTimer(self, interval=0)
        self._work.timeout.connect(self._step)
        session.opened.connect(self._on_opened)
        session.problems_changed.connect(self.restart)
        self._on_opened()

    def restart(self) -> None:
        """Look again once the window is idle."""
        self._work.stop()
        self.is_complete = False
        self._idle.start()

    def finish(self) -> None:
        """Do at once what is still to be done."""
        self._idle.stop()
        document = self._session.document
        for _ in document.findings.lint_steps() if document is not None else ():
            pass
        self._finish()

    def _on_opened(self) -> None:
        self.problems = []
        self.restart()
        self._take()

    def _begin(self) -> None:
        document = self._session.document
        if document is None or document.task is not None:  # of what is still read only the first values are there
            self._finish()
            return
        self._steps = document.findings.lint_steps()
        self._work.start()

    def _step(self) -> None:
        until = time.monotonic() + SLICE
        for _ in self._steps:
            if time.monotonic() > until:
                return
        self._finish()

    def _finish(self) -> None:
        self._work.stop()
        self.is_complete = True
        self._take()

    def _take(self) -> None:
        """Take over what is known, in the order in which it stands in what is shown."""
        document = self._session.document
        findings = document.findings if document is not None else None
        self.problems = (
            sorted(findings.known(), key=lambda d: (findings.shown(d).start, -d.severity))
            if findings is not None
            else []
        )
        self.found.emit()


class ProblemsModel(QAbstractListModel):
    """Findings as rows; paths are worked out when a row is painted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._rows: list[Diagnostic] = []
        self._paths: dict[int, str] = {}
        self._cause: LikelyCause | None = None

    @property
    def rows(self) -> list[Diagnostic]:
        """The findings shown."""
        return self._rows

    def set_problems(self, document: Document | None, problems: list[Diagnostic]) -> None:
        """Show other findings; nothing happens where they are the same."""
        if document is self._document and problems == self._rows:
            self._paths.clear()
            return
        self.beginResetModel()
        self._document, self._rows = document, problems
        self._paths.clear()
        self.endResetModel()

    def set_cause(self, cause: LikelyCause | None) -> None:
        """Say what most probably went wrong beside the findings that it explains."""
        self._cause = cause
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _cause_of(self, problem: Diagnostic) -> str:
        cause = self._cause
        return grouped_in(cause.sentence) if cause is not None and cause.explains(problem) else ""

    def _path(self, row: int) -> str:
        if row not in self._paths:
            self._paths[row] = _path_of(self._document, self._rows[row]) if self._document is not None else ""
        return self._paths[row]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        problem = self._rows[index.row()]
        if role == ProblemRole:
            return problem
        if role == PathRole:
            return self._path(index.row())
        if role == CauseRole:
            return self._cause_of(problem)
        if role == OffsetRole:
            if self._document is None:
                return offset_text(problem.span.start, 0)
            span = self._document.findings.place_in_text(problem) or self._document.place(problem.span)
            return offset_text(span.start, len(self._document.shown))
        if role == Qt.ItemDataRole.DisplayRole:
            return grouped_in(problem.message)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (grouped_in(problem.message), self._path(index.row()), self._cause_of(problem))
            return f"{problem.severity.word}: {' '.join(word for word in words if word)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            from viewer.document.advice import advice

            return plain_tip(f"{grouped_in(problem.message)}\n{grouped_in(advice(problem, self._cause))}")
        return None


def _is_at(problem: Diagnostic, offset: int) -> bool:
    """Whether a byte is one of those that a finding is about; where none are there, the one behind that place."""
    return offset in problem.span or offset == problem.span.start


def _path_of(document: Document, problem: Diagnostic) -> str:
    """The path of what a finding is about, empty where it is about no item."""
    if problem.frame < 0:
        return ""
    item = Item(problem.frame, problem.node, problem.part)
    if not outline.exists(document, item):
        item = Item(problem.frame, problem.node)
    return format_path(document, item) if problem.node >= 0 and outline.exists(document, item) else ""


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
        self.counts = FindingCounts()
        self.finder = ProblemFinder(session, self)
        self.rows = ProblemsModel(self)
        self._build(theme)
        self.finder.found.connect(self._take)
        session.caret_moved.connect(self._on_caret)
        session.text_caret_moved.connect(self._on_text_caret)
        session.finding_wanted.connect(self._want)
        self._show()

    def _build(self, theme: Theme) -> None:
        self.title = PaneTitle(theme, "Problems", self)
        self.title.closed.connect(self.closed)
        self.notes_button = FlatButton(theme, "Show notes", "info", self)
        self.notes_button.setCheckable(True)
        self.notes_button.setToolTip("Also show what is only worth knowing")
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
        self._select_again(kept)
        counts = count(problems)
        self._name(counts)
        self.counts = counts

    def _name(self, counts: FindingCounts) -> None:
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

    def _select_again(self, kept: Diagnostic | None) -> None:
        """Select in other rows what was selected, else what is found at its place, else what the caret stands in."""
        if kept is not None:
            same = [d for d in self.rows.rows if (d.code, d.span.start) == (kept.code, kept.span.start)]
            self._select(next((d for d in same if d == kept), same[0] if same else None))
        if self._current() is None:
            self._on_caret(self._session.caret)

    def _on_caret(self, offset: int) -> None:
        """Light the problem that the caret stands in, as a jump from elsewhere does."""
        current = self._current()
        if current is not None and _is_at(current, offset):
            return
        row = next((k for k, shown in enumerate(self.rows.rows) if _is_at(shown, offset)), -1)
        if row >= 0:
            self.list.setCurrentIndex(self.rows.index(row))

    def _on_text_caret(self) -> None:
        """Light the problem at the caret in the text, or the nearest one where there is one in its line."""
        place, document = self._session.text_caret, self._session.document
        if place is None or document is None or self.list.hasFocus():
            return
        away = [abs(document.findings.shown(each).start - place.offset) for each in self.rows.rows]
        near = min(away, default=1)
        if place.finding or not near:
            self.list.setCurrentIndex(self.rows.index(away.index(near) if away else -1))

    def _want(self, offset: int) -> None:
        """Show what is found at a byte of the text, be it only worth knowing."""
        document = self._session.document
        found = [d for d in self.finder.problems if document is not None and document.findings.shown(d).start == offset]
        if found and all(each.severity < Severity.WARNING for each in found):
            self.notes_button.setChecked(True)
        self._select(found[0] if found else None)

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
