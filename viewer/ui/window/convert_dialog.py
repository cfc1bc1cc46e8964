"""The dialog of Save for Another Engine: what becomes of every value there, and what stands for what it lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.document.document import Document
from viewer.document.export.converting import OF_TEXT, CannotConvertError, ConversionChoice, ConvertedFile
from viewer.document.export.other_engine import for_engine
from viewer.document.export.player_script import SOURCE, TARGET
from viewer.document.path import PathError
from viewer.ui import dialogs
from viewer.ui.dialogs import BETWEEN, MARGIN
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.panel_widgets import TickBox
from viewer.ui.panels.row_table import RowTable, show_as_rows
from viewer.ui.viewport import fit_screen
from viewer.variant.convert.conversion_record import KEY, PathChange, ValueOutcome
from viewer.variant.convert.substitutes import COLLECTION_TYPES, Substitute, homeless
from viewer.variant.dialect import Precision, keys, load
from viewer.variant.literal.names import nearest

WIDTHS = (186, 268)
SIZE = (860, 590)
IN_A_ROW = 2
"""Choices that stand beside each other."""
REALS = {"Single precision": Precision.SINGLE, "Double precision": Precision.DOUBLE}
WORDS = {
    Substitute.NEAREST: "the nearest type",
    Substitute.TEXT: "a String",
    Substitute.ARRAY: "an Array",
    Substitute.DICTIONARY: "a Dictionary",
    Substitute.NULL: "null",
    Substitute.REFUSE: "Do not convert",
}
UNTYPED = "without their types"
"""What collections become that may not say what they hold."""
SCRIPT_TIP = "Write a script for your game that converts the saves of its players, on their machines"
WAITING = "Converting the values for the other engine …"


class ChangeModel(RowTable[PathChange]):
    """The values that are not the same afterwards, one a row."""

    HEADINGS = ("Value", "Becomes", "What is lost")

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = theme
        self._fixed = fixed_font()

    def text(self, row: PathChange, column: int) -> str:
        types = f"{row.before} → {row.after}" if row.before != row.after else row.before
        return (row.path, types, row.words or "nothing")[column]

    def look(self, row: PathChange, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.FontRole and column == 0:
            return self._fixed
        if role == Qt.ItemDataRole.ForegroundRole and row.outcome is ValueOutcome.RENAMED:
            return self._theme.ui.text_secondary
        return None


class ConvertDialog(QDialog):
    """Shows what becomes of a document for another engine line before anything is written.

    Args:
        parent: the window.
        document: it.
        line: the engine line that is offered first, by its key.
        theme: the colours.
        go: shows the value at a path behind the dialog.

    Attributes:
        engine, reals: which engine line, and how wide its reals are.
        choices: for each type that the line lacks, what stands instead.
        loss: all that is lost of the selected value.
        losses_only: whether values of which only the type's name changes are left out.
        found: the file as it would be written; None where there can be none.
        script_button: asks for a script that converts such files on players' machines; there only where there is one.
    """

    def __init__(self, parent: QWidget, document: Document, line: str, theme: Theme, go: Callable[[str], None]) -> None:
        super().__init__(parent)
        self.setObjectName("convertDialog")
        self.setWindowTitle("Save for another engine")
        fit_screen(self, SIZE)
        self._document, self._go = document, go
        self.found: ConvertedFile | None = None
        self.engine, self.reals = _box("Engine"), _box("Precision")
        for key in keys():
            self.engine.addItem(load(key).name, key)
        self.engine.setCurrentIndex(max(0, self.engine.findData(line)))
        for words, precision in REALS.items():
            self.reals.addItem(words, precision)
        self.reals.setCurrentIndex(self.reals.findData(document.precision))
        self.choices: dict[str, QComboBox] = {}
        self._places = QGridLayout()
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.loss = PlainLabel()
        self.loss.setWordWrap(True)
        self.loss.setMinimumHeight(2 * self.loss.fontMetrics().height())
        self.loss.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.losses_only = TickBox("&Losses only")
        self.model = ChangeModel(theme, self)
        self.table = self._table()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write_button = self._buttons.addButton("&Write…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.show_button = self._buttons.addButton("&Show Value", QDialogButtonBox.ButtonRole.ActionRole)
        self.show_button.setAutoDefault(False)
        self.script_button = self._buttons.addButton("&GDScript…", QDialogButtonBox.ButtonRole.ActionRole)
        self.script_button.setAutoDefault(False)
        self.script_button.setToolTip(SCRIPT_TIP)
        self.write_button.setDefault(True)
        dialogs.give_room(self._buttons.buttons())
        self._lay_out()
        self._connect()
        self._restart()

    @property
    def line(self) -> str:
        """The engine line that is chosen, by its key."""
        return str(self.engine.currentData())

    @property
    def choice(self) -> ConversionChoice:
        """What is chosen besides it."""
        chosen = {name: Substitute(box.currentData()) for name, box in self.choices.items()}
        return ConversionChoice(Precision(self.reals.currentData()), chosen)

    def _table(self) -> QTableView:
        table = QTableView()
        show_as_rows(table, self.model, "What changes", WIDTHS)
        return table

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(BETWEEN)
        for words, box in (("&Engine:", self.engine), ("&Precision:", self.reals)):
            head.addWidget(_label(words, box))
            head.addWidget(box)
        head.addStretch(1)
        self._places.setHorizontalSpacing(BETWEEN)
        self._places.setVerticalSpacing(BETWEEN // 2)
        told = QHBoxLayout()
        told.addWidget(self.says, 1)
        told.addWidget(self.losses_only)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(BETWEEN)
        layout.addLayout(head)
        layout.addLayout(self._places)
        layout.addLayout(told)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.loss)
        layout.addWidget(self._buttons)

    def _connect(self) -> None:
        self.engine.activated.connect(self._restart)
        self.reals.activated.connect(self._restart)
        self.losses_only.toggled.connect(self._list)
        self.table.selectionModel().currentRowChanged.connect(self._tell_loss)
        self.table.doubleClicked.connect(self._show_value)
        self.show_button.clicked.connect(self._show_value)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def _restart(self) -> None:
        """Convert for another line: nothing is chosen there yet, and choices are offered for what it lacks."""
        while (item := self._places.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.choices = {}
        self._convert()
        for k, (name, offered) in enumerate(self._lacking().items()):
            box = _box(name)
            for what in offered:
                near = UNTYPED if name == COLLECTION_TYPES else nearest(name, load(self.line))
                box.addItem(near if near and what is Substitute.NEAREST else WORDS[what], what)
            box.activated.connect(self._convert)
            self.choices[name] = box
            column = k % IN_A_ROW * 2
            words = "Typed collections become" if name == COLLECTION_TYPES else f"{name} becomes"
            self._places.addWidget(_label(words, box), k // IN_A_ROW, column)
            self._places.addWidget(box, k // IN_A_ROW, column + 1)
        self._places.setColumnStretch(IN_A_ROW * 2, 1)

    def _lacking(self) -> dict[str, Sequence[Substitute]]:
        """The types of this file that the line lacks, with what may stand instead."""
        if self.found is None or self.found.record is None:
            return {}
        changes = self.found.record.changes
        present = {change.before for change in changes if change.outcome is ValueOutcome.REPLACED}
        if any(change.before == change.after and change.outcome is ValueOutcome.REPLACED for change in changes):
            present.add(COLLECTION_TYPES)
        offered = homeless(self._document.dialect, load(self.line))
        return {name: what for name, what in offered.items() if name in present}

    def _convert(self) -> None:
        """Make the file as it is chosen now, and tell what becomes of the values."""
        made: list[ConvertedFile] = []
        line, choice = self.line, self.choice
        self.found = None
        try:
            with dialogs.Waiting(self, WAITING) as waiting:
                waiting.do(lambda: made.append(for_engine(self._document, line, choice)))
            self.found = made[0]
            self.says.setText(_summary(self.found))
        except CannotConvertError as problem:
            self.says.setText(str(problem))
        self.write_button.setEnabled(self.found is not None)
        self.script_button.setVisible(self._document.dialect.key.removesuffix(OF_TEXT) == SOURCE and line == TARGET)
        self._list()

    def _list(self) -> None:
        record = self.found.record if self.found is not None else None
        changes = record.changes if record is not None else []
        if self.losses_only.isChecked():
            changes = [change for change in changes if change.outcome is not ValueOutcome.RENAMED]
        self.model.show_rows(changes)
        self.loss.setText("")
        self.show_button.setEnabled(bool(changes))
        if changes:
            self.table.selectRow(0)

    def _tell_loss(self, now: QModelIndex) -> None:
        """Say the whole of what the table may have no room for."""
        words = self.model.rows[now.row()].words if now.isValid() else ""
        self.loss.setText(f"{words}." if words else "")

    def _show_value(self) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            try:
                self._go(self.model.rows[row].path.removesuffix(KEY))
            except PathError as error:
                dialogs.tell(self, str(error))


def _summary(found: ConvertedFile) -> str:
    if found.record is None:
        return " ".join(found.lost) or "Nothing changes but how the file is wrapped."
    more = f" {found.record.untold} more changes are not listed." if found.record.untold else ""
    return f"{found.record.words()}.{more}"


def _box(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    return box


def _label(text: str, buddy: QWidget) -> PlainLabel:
    label = PlainLabel(text)
    label.setBuddy(buddy)
    label.setFont(ui_font(Size.UI))
    return label
