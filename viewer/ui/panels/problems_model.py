"""The findings of a document as rows, looked for in small steps while the window is idle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.document import outline
from viewer.document.advice import advice
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.shown.counts import grouped_in
from viewer.document.shown.numbers import offset_text
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.session import Session
from viewer.variant.items import Item

if TYPE_CHECKING:  # sound files are shown without the doctor
    from viewer.document.doctor.likely import LikelyCause

IDLE = 60
SLICE = 0.008
PathRole = Qt.ItemDataRole.UserRole + 1
OffsetRole = Qt.ItemDataRole.UserRole + 2
ProblemRole = Qt.ItemDataRole.UserRole + 3
CauseRole = Qt.ItemDataRole.UserRole + 4
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Counts:
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


def count(problems: list[Diagnostic]) -> Counts:
    """Count findings by gravity."""
    tally = [0, 0, 0]
    for problem in problems:
        tally[problem.severity] += 1
    return Counts(tally[Severity.ERROR], tally[Severity.WARNING], tally[Severity.NOTE])


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
        for _ in document.lint_steps() if document is not None else ():
            pass
        self._finish()

    def _on_opened(self) -> None:
        self.problems = []
        self.restart()
        self._take()

    def _begin(self) -> None:
        document = self._session.document
        if document is None:
            self._finish()
            return
        self._steps = document.lint_steps()
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
        """Take over what is known; the session's own order is that of the bytes."""
        document = self._session.document
        known = document.known_diagnostics() if document is not None else []
        self.problems = sorted(known, key=lambda d: (d.span.start, -d.severity))
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
            return offset_text(problem.span.start, len(self._document.buffer) if self._document is not None else 0)
        if role == Qt.ItemDataRole.DisplayRole:
            return grouped_in(problem.message)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (grouped_in(problem.message), self._path(index.row()), self._cause_of(problem))
            return f"{problem.severity.word}: {' '.join(word for word in words if word)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{grouped_in(problem.message)}\n{grouped_in(advice(problem, self._cause))}")
        return None


def _path_of(document: Document, problem: Diagnostic) -> str:
    """The path of what a finding is about, empty where it is about no item."""
    if problem.frame < 0:
        return ""
    item = Item(problem.frame, problem.node, problem.part)
    if not outline.exists(document, item):
        item = Item(problem.frame, problem.node)
    return format_path(document, item) if problem.node >= 0 and outline.exists(document, item) else ""
