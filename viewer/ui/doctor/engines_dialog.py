"""The table of what each engine would do with the file as it is. It stays open beside the window and follows it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Progress
from viewer.base.unseen import escaped
from viewer.base.words import grouped_in
from viewer.document.engines.lines import EngineCall, Evidence
from viewer.document.engines.verdicts import (
    EngineVerdict,
    Outcome,
    oddities,
    reading,
    stopping,
    verdict_lines,
    verdicts,
)
from viewer.document.viewmodel.repairs import engine_of
from viewer.ui.dialogs import MARGIN
from viewer.ui.doctor.doctor_widgets import Words
from viewer.ui.doctor.lone_worker import LoneWorker
from viewer.ui.editors.fields import CheckBox
from viewer.ui.look.fonts import Size, fixed_font, pixels, scaled, ui_font
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.row_table import show_as_rows
from viewer.ui.session import Session
from viewer.ui.viewport import fit_screen
from viewer.ui.worker import Job

# What each engine does, a row an engine.

Index = QModelIndex | QPersistentModelIndex
HEADINGS = ("Engine", "Verdict", "Where", "Why")
LOOKS = {
    Outcome.ACCEPTS: ("circle-check", "ok"),
    Outcome.DIFFERS: ("triangle-alert", "warning"),
    Outcome.REFUSES: ("circle-x", "error"),
    Outcome.DIES: ("triangle-alert", "error"),
    Outcome.UNSURE: ("info", "note"),
}


class EngineColumn(IntEnum):
    """The columns."""

    ENGINE = 0
    VERDICT = 1
    WHERE = 2
    WHY = 3


class EnginesModel(QAbstractTableModel):
    """Holds verdicts.

    Args:
        theme: the colours.
        parent: what it belongs to.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: tuple[EngineVerdict, ...] = ()

    def set_rows(self, rows: Sequence[EngineVerdict]) -> None:
        """Hold other verdicts."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, EngineColumn.WHY))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(EngineColumn)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if way is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        verdict, column = self.rows[index.row()], EngineColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return escaped(_text(verdict, column))
        if role == Qt.ItemDataRole.FontRole:
            return _font(verdict, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(in_full(verdict))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return in_full(verdict)
        return self._look(verdict, column, role)

    def _look(self, verdict: EngineVerdict, column: EngineColumn, role: int) -> object:
        name, state = LOOKS[verdict.outcome]
        if role == Qt.ItemDataRole.DecorationRole and column is EngineColumn.VERDICT:
            return icon(name, self._theme, f"state.{state}.line")
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._theme.state(state).bg
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.state(state).fg if column is EngineColumn.VERDICT else self._theme.ui.text
        return None


def in_full(verdict: EngineVerdict) -> str:
    """All that is known of a verdict, in sentences."""
    parts = [grouped_in(verdict.text)]
    parts.append(stopping(verdict))
    if verdict.oddities and verdict.outcome is Outcome.ACCEPTS:
        parts.append(grouped_in(oddities(verdict.oddities)))
    parts += verdict.notes
    source = verdict.engine.source
    rests_on = reading((verdict,))
    parts.append(f"{verdict.call_name}{f', {grouped_in(rests_on)}' if rests_on else ''}; {source}.")
    return " ".join(part for part in parts if part)


def _text(verdict: EngineVerdict, column: EngineColumn) -> str:
    if column is EngineColumn.ENGINE:
        return verdict.engine.name + ("" if verdict.engine.evidence is Evidence.RUN else " *")
    if column is EngineColumn.VERDICT:
        return verdict.label
    if column is EngineColumn.WHERE:
        if verdict.span is None:
            return ""
        return f"0x{verdict.span.start:X}" + (f"  {verdict.path}" if verdict.path else "")
    if verdict.condition:
        return f"{verdict.error_name}: {verdict.condition}" if verdict.error_name else verdict.condition
    return "" if verdict.outcome.is_good else grouped_in(verdict.text)


def _font(verdict: EngineVerdict, column: EngineColumn) -> object:
    if column is EngineColumn.WHERE or (column is EngineColumn.WHY and verdict.condition):
        return fixed_font(Size.SECONDARY)
    return ui_font(Size.UI, strong=column is EngineColumn.VERDICT)


SIZE = (900, 470)
WIDTHS = {EngineColumn.ENGINE: 150, EngineColumn.VERDICT: 180, EngineColumn.WHERE: 190}
ALIGNED = "QTableView::item { padding: 0 3px; }"
"""With the 3 pixels that every cell has, a row's words begin below those of the header."""
PAUSE = 200
"""Milliseconds without a change until the engines are asked again."""
CALLS: tuple[tuple[str, EngineCall | None], ...] = (
    ("as it is framed", None),
    ("bytes_to_var", EngineCall.BYTES),
    ("get_var of a file", EngineCall.FILE),
    ("get_var of a peer", EngineCall.STREAM),
)
ABOUT = (
    "What a game gets when it reads these bytes. Click a row to go to the byte. "
    "* is known from the engine's source alone."
)
ASKING = "Checking these bytes for every engine …"
CLOSED = "Open a file, and its bytes are checked for every engine."


class EnginesDialog(QDialog):
    """Engines, verdicts, where and why.

    Args:
        parent: the window.
        session: what is open, and the one who goes to offsets.
        theme: the colours.
    """

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("enginesDialog")
        self.setWindowTitle("What engines do")
        fit_screen(self, SIZE)
        self._session = session
        self._worker = LoneWorker(self)
        self._worker.finished.connect(self._take)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        self.model = EnginesModel(theme, self)
        self.says = Words(theme, ABOUT)
        self.detail = Words(theme, "", "text")
        self.detail.setMinimumHeight(2 * self.detail.fontMetrics().height() + 2)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.calls = QComboBox()
        self.objects = CheckBox(theme, "&Objects are allowed")
        self.table = self._table()
        self._lay_out()
        session.opened.connect(self.look_again)
        session.changed.connect(self.look_again)

    def _table(self) -> QTableView:
        table = QTableView()
        show_as_rows(table, self.model, "What each engine does")
        table.setObjectName("enginesTable")
        table.setStyleSheet(ALIGNED)
        table.verticalHeader().setDefaultSectionSize(pixels(Size.UI) + 15)
        for column, width in WIDTHS.items():
            table.setColumnWidth(column, scaled(width))
        table.clicked.connect(self._go)
        table.activated.connect(self._go)
        table.selectionModel().currentRowChanged.connect(self._tell)
        return table

    def _lay_out(self) -> None:
        for words, call in CALLS:
            self.calls.addItem(words, call)
        self.calls.setAccessibleName("How the game reads")
        self.calls.currentIndexChanged.connect(self.look_again)
        self.objects.toggled.connect(self.look_again)
        label = PlainLabel("&Read")
        label.setBuddy(self.calls)
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in (label, self.calls):
            row.addWidget(part)
        row.addSpacing(16)
        row.addWidget(self.objects)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton("&Copy as Text", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self.copy)
        self.copy_button.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN - 4)
        column.setSpacing(12)
        column.addWidget(self.says)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        column.addWidget(self.detail)
        column.addWidget(buttons)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self.model.set_theme(theme)
        for part in (self.says, self.detail, self.objects):
            part.set_theme(theme)

    def start(self) -> None:
        """Show it, and ask the engines."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.table.setFocus()
        self._ask()

    def copy(self) -> None:
        """Copy the table as text."""
        QGuiApplication.clipboard().setText("\n".join(verdict_lines(self.model.rows)))

    def look_again(self, *_: object) -> None:
        """The bytes, or what is asked, are other ones."""
        self._worker.stop()
        if self.isVisible():
            self._pause.start()

    def leave(self) -> None:
        """Wait until nothing works beside the window any more."""
        self._pause.stop()
        self._worker.stop()
        self._worker.wait()

    def _ask(self) -> None:
        document = self._session.document
        if document is None or self._session.waits:
            self.model.set_rows(())
            self.says.setText(CLOSED if document is None else "These bytes are still being read.")
            self.detail.clear()
            return
        self.says.setText(ABOUT if self.model.rows else ASKING)
        call, allowed = self.calls.currentData(), self.objects.isChecked()

        def work(goes_on: Progress) -> list[EngineVerdict]:
            return verdicts(document, call, allowed, progress=goes_on)

        self._worker.start(work)

    def _take(self, job: Job[list[EngineVerdict]]) -> None:
        if job.error is not None:
            raise job.error
        rests_on = reading(job.result or ())
        self.says.setText(f"{ABOUT} These bytes are {grouped_in(rests_on)}." if rests_on else ABOUT)
        row = self.table.currentIndex().row()
        self.model.set_rows(job.result or ())
        if self.model.rows:
            self.table.selectRow(row if row >= 0 else self._own_row())

    def _own_row(self) -> int:
        """The row of the engine line that the document is read in."""
        document = self._session.document
        own = engine_of(document.dialect) if document is not None else None
        return next((k for k, verdict in enumerate(self.model.rows) if verdict.engine is own), 0)

    def _tell(self, index: QModelIndex) -> None:
        """Say in full what a row has no room for."""
        rows = self.model.rows
        self.detail.setText(in_full(rows[index.row()]) if index.isValid() and index.row() < len(rows) else "")

    def _go(self, index: QModelIndex) -> None:
        span = self.model.rows[index.row()].span if index.isValid() else None
        if span is not None:
            self._session.go_to(span.start, span if len(span) > 1 else None)
