"""The form of a bulk edit: which values, where, only which of them, what they become; it writes the expression."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from viewer.document.bulk.form_expression import (
    IT,
    Become,
    FormAnswers,
    FormTest,
    ValueChoice,
    expression,
    missing,
    names_beside,
    names_in,
    own_name,
    own_type,
    places_around,
)
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.searching.query import Mode, Query
from viewer.document.selection import Spot
from viewer.ui.look.plain_text import PlainLabel, in_menu, plain_tip
from viewer.ui.panels.panel_widgets import LongLine, TypedComboBox
from viewer.variant.items import Item

WHOLE = "the whole file"
ITSELF = "it"
FIELD = 150
NARROW = 100
ROWS, COLUMNS = 4, 3
ROLE = QPalette.ColorRole
HINTS = {
    ValueChoice.NAMED: "such as hp",
    ValueChoice.NAMED_LIKE: "such as hp",
    ValueChoice.EQUAL: "such as Iron Sword",
    ValueChoice.HOLDING: "such as Sword",
    ValueChoice.TYPED: "such as Color",
}
OPERAND_HINT, NEW_HINT = "such as 50", "such as 99, +5, *2"
OFF = "The line below is written by hand; empty it to use the form"


class BulkForm(QWidget):
    """Asks for a bulk edit in words.

    Args:
        document: what is changed.
        spot: the selected value, None for none.
        table: the collection that is shown as a table and in which the person is, None for none.

    Signals:
        answered: ``str``: the expression that the answers mean, empty while one is missing.
    """

    answered = Signal(str)

    def __init__(self, document: Document | None, spot: Spot | None, table: Item | None = None) -> None:
        super().__init__()
        self.setObjectName("bulkForm")
        self._document = document
        self._names: list[str] = []
        self._labels: list[tuple[PlainLabel, QWidget]] = []
        self._line: QLineEdit | None = None
        self._offered: dict[ValueChoice, str] = {}
        self._own = ""
        self.which = _choice([each.value for each in ValueChoice], "Which values")
        self.what = TypedComboBox()
        self.what.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.what.setAccessibleName("Name, text or type")
        self.scope = _choice([], "Where")
        self.subject = _choice([ITSELF], "What the condition is about")
        self.test = _choice([each.value for each in FormTest], "Condition")
        self.operand = _line("Compared with", "")
        self.become = _choice([each.value for each in Become], "What happens to them")
        self.new = _line("New value", NEW_HINT)
        self._lay_out()
        self._fill(spot, table)
        self.which.currentIndexChanged.connect(self._offer_what)
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
        rows: tuple[tuple[str, QWidget, tuple[QWidget, ...]], ...] = (
            ("Chan&ge:", self.which, (self.which, self.what)),
            ("&In:", self.scope, (self.scope,)),
            ("Only &where:", self.test, (self.subject, self.test, self.operand)),
            ("&New value:", self.become, (self.become, self.new)),
        )
        for row, (words, first, widgets) in enumerate(rows):
            label = PlainLabel(words)
            label.setBuddy(first)
            self._labels.append((label, first))
            grid.addWidget(label, row, 0)
            for column, widget in enumerate(widgets):
                spans = COLUMNS - column if widget is widgets[-1] else 1
                grid.addWidget(widget, row, 1 + column, 1, spans)
        grid.setColumnStretch(3, 1)
        grid.setColumnMinimumWidth(3, NARROW)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._grid = grid

    def add_line(self, words: str, field: QLineEdit, button: QWidget) -> None:
        """Put a field below all others, in line with them, and a button behind it."""
        label, line, row = PlainLabel(words), QHBoxLayout(), self._grid.rowCount()
        label.setBuddy(field)
        self._line = field
        line.addWidget(field, 1)
        line.addWidget(button)
        self._grid.addWidget(label, row, 0)
        self._grid.addLayout(line, row, 1, 1, COLUMNS)

    def _fill(self, spot: Spot | None, table: Item | None) -> None:
        """Offer what stands in the file, and begin with the selected value, or with what it holds."""
        document = self._document
        item = spot.item if spot is not None and spot.document is document else None
        if document is None or item is None or item.node < 0:
            self.scope.addItem(WHOLE, "")
            self._names = names_in(document) if document is not None else []
            self._offer_what()
            return
        places = places_around(document, item)
        for place in places:
            path = format_path(document, place)
            self.scope.addItem(in_menu(f"below {path}"), path)
        self.scope.addItem(WHOLE, "")
        is_within = bool(item.node) and places[:1] == [Item(item.frame, item.node)]
        begun = places.index(table) if table in places else 0 if is_within else len(places)
        self.scope.setCurrentIndex(begun)
        self._names = names_in(document, places[begun] if begun < len(places) else None)
        if not is_within:
            name = own_name(document, item)
            self._offered = {
                ValueChoice.NAMED: name,
                ValueChoice.NAMED_LIKE: name,
                ValueChoice.TYPED: own_type(document, item),
            }
        self._offer_what()
        self._offer_subjects(names_beside(document, item))

    def _offer_what(self) -> None:
        """Offer names, or types; what nobody has typed becomes what the selected value is called, or its type."""
        which, typed = self.answers.which, self.what.currentText()
        names = self._names if which in (ValueChoice.NAMED, ValueChoice.NAMED_LIKE) else []
        types = (
            list(self._document.dialect.by_name) if self._document is not None and which is ValueChoice.TYPED else []
        )
        with QSignalBlocker(self.what):
            self.what.clear()
            self.what.addItems(names or types)
            is_own = typed == self._own or (which is ValueChoice.TYPED and typed not in types)
            self._own = self._offered.get(which, "")
            self.what.setEditText(self._own if is_own else typed)

    def begin_with(self, query: Query, spelled: str = "") -> None:
        """Mean what a search found.

        Args:
            query: what was looked for.
            spelled: how the first place found writes it, empty where that is unknown.
        """
        if query.is_empty:
            return
        which = {
            Mode.TYPE: ValueChoice.TYPED,
            Mode.VALUE: ValueChoice.EQUAL,
            Mode.NUMBER: ValueChoice.EQUAL,
            Mode.TEXT: ValueChoice.HOLDING,
        }
        wanted, found = query.text.strip(), which.get(query.mode)
        if spelled.casefold() == wanted.casefold():
            wanted = spelled
        if found is None:
            within = [name for name in self._names if wanted.casefold() in name.casefold()]
            is_name = len(within) == 1 and within[0].casefold() == wanted.casefold()
            found = ValueChoice.NAMED if is_name else ValueChoice.NAMED_LIKE if within else ValueChoice.HOLDING
            if query.mode is Mode.KEY and not is_name:
                found = ValueChoice.NAMED_LIKE
            if within:
                part = re.search(re.escape(wanted), within[0], re.IGNORECASE)
                wanted = within[0] if is_name else part[0] if part is not None else wanted
        self._offered, self._own = {}, ""
        with QSignalBlocker(self):
            self.scope.setCurrentIndex(self.scope.count() - 1)  # a search looks through all of it
            self.which.setCurrentIndex(list(ValueChoice).index(found))
            self.what.setEditText(wanted)

    @property
    def line(self) -> str:
        """The expression that the answers mean, empty while one is missing."""
        return expression(self._document, self.answers) if self._document is not None else ""

    @property
    def missing(self) -> str:
        """What is still to be said, in a sentence; empty where nothing is."""
        return missing(self.answers)

    def give_way(self, to_line: bool) -> None:
        """Be off while a line is written by hand, of which the form can say nothing; be on again.

        The letters of its labels lead to that line meanwhile.
        """
        for label, first in self._labels:
            label.setBuddy(self._line if to_line and self._line is not None else first)
            label.setForegroundRole(ROLE.PlaceholderText if to_line else ROLE.WindowText)
        for row in range(ROWS):
            for column in range(1, 1 + COLUMNS):
                item = self._grid.itemAtPosition(row, column)
                widget = item.widget() if item is not None else None
                if widget is not None:
                    widget.setEnabled(not to_line)
                    widget.setToolTip(plain_tip(OFF if to_line else ""))
        if not to_line:
            self._show_needs()

    def forget_new(self) -> None:
        """Ask for the new value again."""
        with QSignalBlocker(self):
            self.new.clear()

    def take_siblings(self, document: Document, item: Item) -> None:
        """Offer the names that stand beside a value that was found."""
        now = self.subject.currentText()
        with QSignalBlocker(self.subject):
            names, data = names_beside(document, item), self.subject.currentData()
            self._offer_subjects(names if data in (IT, *names) else [data, *names])
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
            list(ValueChoice)[self.which.currentIndex()],
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
            self.answered.emit(self.line)

    def _show_needs(self) -> None:
        """What is compared with is asked for only where something is."""
        answers = self.answers
        is_tested = answers.test is not FormTest.ALWAYS
        self.operand.setEnabled(is_tested)
        self.subject.setEnabled(is_tested)
        self.operand.setPlaceholderText(OPERAND_HINT if is_tested else "")
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
    line = LongLine()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line
