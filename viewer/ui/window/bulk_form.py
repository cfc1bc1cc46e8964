"""The form of a bulk edit: which values, where, only which of them, what they become; it writes the expression."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from viewer.document.bulk.form_expression import (
    IT,
    Become,
    FormAnswers,
    FormTest,
    Which,
    expression,
    names_beside,
    names_in,
    own_name,
)
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.searching.query import Mode, Query
from viewer.document.selection import Spot
from viewer.ui.look.plain_text import PlainLabel, in_menu, plain_tip
from viewer.ui.panels.panel_widgets import TypedComboBox
from viewer.variant.items import Item

WHOLE = "the whole file"
ITSELF = "it"
FIELD = 150
COLUMNS = 3
MOST_SCOPES = 8
HINTS = {
    Which.NAMED: "hp",
    Which.NAMED_LIKE: "hp",
    Which.EQUAL: "Iron Sword",
    Which.HOLDING: "Sword",
    Which.TYPED: "Color",
}


class BulkForm(QWidget):
    """Asks for a bulk edit in words.

    Args:
        document: what is changed.
        spot: the selected value, None for none.

    Signals:
        answered: ``str``: the expression that the answers mean, empty while one is missing.
    """

    answered = Signal(str)

    def __init__(self, document: Document | None, spot: Spot | None) -> None:
        super().__init__()
        self.setObjectName("bulkForm")
        self._document = document
        self.which = _choice([each.value for each in Which], "Which values")
        self.what = TypedComboBox()
        self.what.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.what.setAccessibleName("Name, text or type")
        self.scope = _choice([], "Where")
        self.subject = _choice([ITSELF], "What the condition is about")
        self.test = _choice([each.value for each in FormTest], "Condition")
        self.operand = _line("Compared with", "50")
        self.become = _choice([each.value for each in Become], "What happens to them")
        self.new = _line("New value", "99")
        self._lay_out()
        self._fill(spot)
        for box in (self.which, self.scope, self.subject, self.test, self.become):
            box.currentIndexChanged.connect(self._answer)
        self.what.editTextChanged.connect(self._answer)
        for line in (self.operand, self.new):
            line.textChanged.connect(self._answer)
        self._show_needs()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        rows: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            ("Chan&ge:", (self.which, self.what)),
            ("&In:", (self.scope,)),
            ("Only &where:", (self.subject, self.test, self.operand)),
            ("&New value:", (self.become, self.new)),
        )
        for row, (words, widgets) in enumerate(rows):
            label = PlainLabel(words)
            label.setBuddy(widgets[0])
            grid.addWidget(label, row, 0)
            for column, widget in enumerate(widgets):
                spans = COLUMNS - column if widget is widgets[-1] else 1
                grid.addWidget(widget, row, 1 + column, 1, spans)
        grid.setColumnStretch(3, 1)
        self._grid = grid

    def add_line(self, words: str, field: QLineEdit, button: QWidget) -> None:
        """Put a field below all others, in line with them, and a button behind it."""
        label, line, row = PlainLabel(words), QHBoxLayout(), self._grid.rowCount()
        label.setBuddy(field)
        line.addWidget(field, 1)
        line.addWidget(button)
        self._grid.addWidget(label, row, 0)
        self._grid.addLayout(line, row, 1, 1, COLUMNS)

    def _fill(self, spot: Spot | None) -> None:
        """Offer what stands in the file, and begin with the selected value."""
        document = self._document
        self.scope.addItem(WHOLE, "")
        if document is None:
            return
        for name in names_in(document):
            self.what.addItem(name)
        item = spot.item if spot is not None and spot.document is document else None
        if item is None or item.node < 0:
            self.what.setEditText("")
            return
        for path in _paths_above(document, item):
            self.scope.addItem(in_menu(f"below {path}"), path)
        self.what.setEditText(own_name(document, item))
        self._offer_subjects(names_beside(document, item))

    def begin_with(self, query: Query) -> None:
        """Mean what a search found."""
        if query.is_empty:
            return
        which = {Mode.TYPE: Which.TYPED, Mode.VALUE: Which.EQUAL, Mode.NUMBER: Which.EQUAL, Mode.TEXT: Which.HOLDING}
        names = {self.what.itemText(k).casefold(): self.what.itemText(k) for k in range(self.what.count())}
        wanted, found = query.text.strip(), which.get(query.mode)
        if found is None:
            exact = names.get(wanted.casefold())
            is_part = any(wanted.casefold() in name for name in names)
            found = Which.NAMED if exact else Which.NAMED_LIKE if is_part else Which.HOLDING
            if query.mode is Mode.KEY and not exact:
                found = Which.NAMED_LIKE
            wanted = exact or wanted
        with QSignalBlocker(self):
            self.which.setCurrentIndex(list(Which).index(found))
            self.what.setEditText(wanted)

    def take_siblings(self, document: Document, item: Item) -> None:
        """Offer the names that stand beside a value that was found."""
        now = self.subject.currentText()
        with QSignalBlocker(self.subject):
            self._offer_subjects(names_beside(document, item))
            self.subject.setCurrentIndex(max(0, self.subject.findText(now)))

    def _offer_subjects(self, names: Sequence[str]) -> None:
        self.subject.clear()
        self.subject.addItem(ITSELF, IT)
        for name in names:
            self.subject.addItem(in_menu(name), name)

    @property
    def answers(self) -> FormAnswers:
        """What was chosen."""
        return FormAnswers(
            list(Which)[self.which.currentIndex()],
            self.what.currentText(),
            self.new.text(),
            list(Become)[self.become.currentIndex()],
            self.scope.currentData() or "",
            list(FormTest)[self.test.currentIndex()],
            self.operand.text(),
            self.subject.currentData() or IT,
        )

    def _answer(self) -> None:
        self._show_needs()
        if self._document is not None:
            self.answered.emit(expression(self._document, self.answers))

    def _show_needs(self) -> None:
        """What is compared with is asked for only where something is."""
        answers = self.answers
        is_tested = answers.test is not FormTest.ALWAYS
        self.operand.setEnabled(is_tested)
        self.subject.setEnabled(is_tested)
        self.operand.setToolTip(plain_tip("" if is_tested else "Choose a condition first"))
        line = self.what.lineEdit()
        if line is not None:
            line.setPlaceholderText(HINTS[answers.which])


def _choice(words: Sequence[str], name: str) -> QComboBox:
    box = QComboBox()
    box.addItems(list(words))
    box.setAccessibleName(name)
    box.setMinimumWidth(FIELD)
    box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return box


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def _paths_above(document: Document, item: Item) -> list[str]:
    """The paths of what a value lies in, the nearest first."""
    table, node = document.frames[item.frame].table, item.node
    paths: list[str] = []
    while node and len(paths) < MOST_SCOPES:
        node = table.parent[node]
        paths.append(format_path(document, Item(item.frame, node)))
    return paths
