"""The dialog for bulk edits: a form, the expression that it writes, what it would change, and one button that does it.

What is written is read at once; the values are looked for beside the window, so that typing stays alive however large
the file is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Progress
from viewer.base.words import counted, grouped_in
from viewer.document.bulk import BulkError, BulkPlan, check, plan
from viewer.document.bulk.form_expression import FormTest, ValueChoice
from viewer.document.document import Document
from viewer.document.path import INSIDE
from viewer.document.searching.query import Query
from viewer.ui.dialogs import MARGIN
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.panel_widgets import LongLine
from viewer.ui.panels.row_table import show_as_rows
from viewer.ui.session import Session
from viewer.ui.viewport import fit_screen
from viewer.ui.window.bulk_form import BulkForm
from viewer.ui.worker import Job, Worker
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.ui.window.help_window import HelpWindow

# The rows of a bulk edit: path, value before, value after; made as text when they are painted.

HEADINGS = ("Path", "Before", "After")
SHOWN = 120
Index = QModelIndex | QPersistentModelIndex


class BulkModel(QAbstractTableModel):
    """Shows a plan.

    Args:
        theme: the colours of rows that cannot change.
        parent: owns the model.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = fixed_font()
        self.plan: BulkPlan | None = None

    def show_plan(self, plan: BulkPlan | None) -> None:
        """Show another plan, or none."""
        self.beginResetModel()
        self.plan = plan
        self.endResetModel()

    def _text(self, number: int, column: int) -> str:
        plan = self.plan
        assert plan is not None
        row = plan.rows[number]
        if column == 0:
            return plan.path(row)
        shown = plan.before(row, SHOWN) if column == 1 else plan.after(row, SHOWN)
        return (row.problem if column == 2 and row.problem else shown)[: 2 * SHOWN]

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() or self.plan is None else len(self.plan.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.plan is None:
            return None
        problem = self.plan.rows[index.row()].problem
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._text(index.row(), index.column()))
        if role == Qt.ItemDataRole.FontRole and not (problem and index.column() == 2):
            return self._font
        if role == Qt.ItemDataRole.BackgroundRole and problem:
            return self._theme.state("warning").bg
        if role == Qt.ItemDataRole.ForegroundRole and (problem or index.column() == 2):
            return self._theme.state("warning" if problem else "modified").fg
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


SIZE, LEAST = (880, 640), (660, 500)
WIDTHS = (250, 220)
PAUSE = 150
"""Milliseconds without a key until the values are looked for."""
ABOUT = "The form writes this line; you can also write it yourself: party[*].hp < 10 -> 99, ..price -> value * 2."
BY_HAND = "This line is written by hand, so the form is off; empty the line to use the form again."
OTHERS = "choose others at “Change”."
LOOKED_AT = 1000
"""So many rows are looked at for one that stays."""


class BulkDialog(QDialog):
    """Asks for a bulk edit and shows what it would do.

    Args:
        parent: the window.
        session: has the document, and does the edit.
        theme: the colours.
        query: what was looked for and is to be changed, None where nothing was.
        found: how many places that has.
        spelled: how the first of them writes it, empty where that is unknown.
        table: the collection in whose table the person is, None for none.
    """

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        theme: Theme,
        query: Query | None = None,
        found: int = 0,
        spelled: str = "",
        table: Item | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        spot = session.spot
        self._inside = spot if spot is not None and spot.level is not None else None
        self._worker = Worker(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self.setWindowTitle("Bulk Edit")
        self.setObjectName("bulkDialog")
        fit_screen(self, SIZE, LEAST)
        self.form = BulkForm(self._document, spot, table)
        self._guide: HelpWindow | None = None
        self._found = found if query is not None and not query.is_empty else 0
        if query is not None:
            self.form.begin_with(query, spelled)
        self._begun = self._meant
        self.field = LongLine()
        self.field.setFont(fixed_font())
        self.field.setAccessibleName("Bulk edit as a line")
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.detail = PlainLabel()
        self.detail.setWordWrap(True)
        self.detail.setFont(ui_font(Size.SECONDARY))
        self.model = BulkModel(theme, self)
        self.model.modelReset.connect(self.detail.clear)
        self.table = self._table()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply_button = self._buttons.addButton("&Apply", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self.form.answered.connect(self._take_line)
        self.field.textEdited.connect(self._give_line_way)
        self.field.textChanged.connect(self._judge)
        self._pause.timeout.connect(self._look)
        self._worker.finished.connect(self._take)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._judge()
        (self.form.new if self.form.what.currentText() else self.form.what).setFocus()

    def _table(self) -> QTableView:
        table = QTableView()
        show_as_rows(table, self.model, "What would change", WIDTHS)
        table.selectionModel().currentRowChanged.connect(self._show_row)
        return table

    def _lay_out(self) -> None:
        path = self._inside.path.rpartition(INSIDE)[0] if self._inside is not None else ""
        self._within = f" Only what is inside {path} is changed." if path else ""
        self.about = PlainLabel(ABOUT + self._within)
        self.about.setWordWrap(True)
        self.about.setFont(ui_font(Size.SECONDARY))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(self.form)
        guide = QPushButton("G&uide")
        guide.setAutoDefault(False)
        guide.setToolTip(plain_tip("How such lines are written"))
        guide.clicked.connect(self._show_guide)
        self.form.add_line("As a &line:", self.field, guide)
        layout.addWidget(self.about)
        layout.addWidget(self.says)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.detail)
        layout.addWidget(self._buttons)

    def _show_guide(self) -> None:
        """Show how lines are written, in a window of this dialog: no other one takes keys while it is open."""
        from viewer.ui.window.help_window import HelpWindow

        if self._guide is None:
            self._guide = HelpWindow(self, self._theme)
        self._guide.open("bulk-edit")

    @property
    def _document(self) -> Document | None:
        """What is changed: the file, or what is open inside a value where the selection is there."""
        return self._inside.document if self._inside is not None else self._session.document

    @property
    def _meant(self) -> tuple[ValueChoice, str, str, FormTest]:
        """Which values the form means, whatever becomes of them."""
        answers = self.form.answers
        return answers.which, answers.what, answers.scope, answers.test

    def _take_line(self, line: str) -> None:
        """Have the line that the form writes; what was asked last is told even where the line is empty as before."""
        if self.field.text() == line:
            self._judge()
        self.field.setText(line)

    def _give_line_way(self, typed: str) -> None:
        """A line written by hand puts the form off, so that both never say different things; an empty one, on."""
        if not typed.strip():
            self.form.forget_new()
        is_own = typed.strip() != self.form.line
        self.field.setFocus()  # not taken from what goes off, which would select all of the line
        self.form.give_way(is_own)
        self.about.setText((BY_HAND if is_own else ABOUT) + self._within)

    def _judge(self) -> None:
        """Read what is written; what is wrong with it is said at once, and marked."""
        self._worker.stop()
        self._pause.stop()
        self.model.show_plan(None)
        self.apply_button.setEnabled(False)
        document = self._document
        if document is None or self._session.waits:
            self._say("These values are still being read; wait a moment.", -1)
            return
        if not self.field.text().strip():
            self._say(self.form.missing, -1)
            return
        try:
            check(document, self.field.text())
        except BulkError as error:
            self._say(str(error), error.position)
            return
        self._say("Looking…", -1)
        self._pause.start()

    def _look(self) -> None:
        """Look for the values beside the window."""
        document, text = self._document, self.field.text()
        by_hand = text != self.form.line
        if document is None:
            return

        def work(goes_on: Progress) -> BulkPlan:
            return plan(document, text, goes_on, by_hand=by_hand)

        self._worker.start(work)

    def _take(self, job: Job[BulkPlan]) -> None:
        if job.error is not None:
            position = job.error.position if isinstance(job.error, BulkError) else -1
            self._say(str(job.error), position)
        elif job.result is not None:
            self.model.show_plan(job.result)
            self._say(f"{self._coverage(len(job.result.rows) + job.result.same)}{job.result.summary}", -1)
            self._show_problem(next((row.problem for row in job.result.rows[:LOOKED_AT] if row.problem), ""))
            if job.result.rows and self._document is not None:
                self.form.take_siblings(self._document, job.result.rows[0].item)
            self.apply_button.setEnabled(job.result.edit is not None)

    def _coverage(self, values: int) -> str:
        """How many of the places that the search found are meant, while it is what it found that is meant."""
        found = self._found
        if not found or values == found or self.form.line != self.field.text() or self._meant != self._begun:
            return ""
        meant = "is" if values == 1 else "are"
        return f"The search found {counted(found, 'place')}, {counted(values, 'value')} {meant} meant; {OTHERS} "

    def _say(self, sentence: str, position: int) -> None:
        """Say what is known; an error's place is underlined in the field."""
        place = f" (at character {position + 1})" if position >= 0 else ""
        self.says.setText(grouped_in(sentence) + place)
        attributes = []
        if position >= 0:
            line = QTextCharFormat()
            line.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            line.setUnderlineColor(self._theme.state("error").line)
            line.setForeground(self._theme.state("error").fg)
            at = min(position, max(0, len(self.field.text()) - 1)) - self.field.cursorPosition()
            attributes = [
                QInputMethodEvent.Attribute(
                    QInputMethodEvent.AttributeType.TextFormat, at, len(self.field.text()) - position or 1, line
                )
            ]
        QApplication.sendEvent(self.field, QInputMethodEvent("", attributes))

    def _show_row(self, index: QModelIndex) -> None:
        """Say in full why the chosen value stays; the column is too narrow for a sentence."""
        found = self.model.plan
        problem = found.rows[index.row()].problem if found is not None and index.isValid() else ""
        self._show_problem(problem)

    def _show_problem(self, problem: str) -> None:
        self.detail.setText(grouped_in(problem))

    # Qt

    def accept(self) -> None:
        found, document = self.model.plan, self._document
        if found is None or found.edit is None or document is None or found.revision != document.revision:
            return
        self._session.apply(found.edit, of=document)
        if document.revision != found.revision:  # else it was refused, and that was said
            super().accept()

    def done(self, result: int) -> None:
        self._pause.stop()
        self._worker.stop()
        self._worker.wait()
        super().done(result)
