"""The dialog "These bytes are": how bytes of no value may be read, each way with what they say then, and a name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.describing import own_layout, usual_name
from viewer.document.readers.field_readings import FieldReading
from viewer.document.viewmodel.field_choices import (
    FieldChoice,
    consequence,
    field_choices,
    longest_span,
    place_words,
)
from viewer.ui.dialogs import MARGIN, give_room
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.row_table import RowTable, show_as_rows

WIDTHS = (176, 306)
SIZE = (720, 460)
KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys that choose a row while a name is typed."""
MOST_BYTES = (1 << 31) - 1
"""What a spin box can count."""


class ChoiceModel(RowTable[FieldChoice]):
    """The ways to read the bytes, one a row."""

    HEADINGS = ("These bytes are", "They say", "Because")

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = theme
        self._fixed = fixed_font()

    def text(self, row: FieldChoice, column: int) -> str:
        return (row.words, row.text, row.note)[column]

    def look(self, row: FieldChoice, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.FontRole and column == 1:
            return self._fixed
        if role == Qt.ItemDataRole.ForegroundRole and column == 2:
            return self._theme.ui.text_secondary
        return None


class DescribeDialog(QDialog):
    """Asks what some bytes are.

    Args:
        parent: the window.
        document: whose bytes.
        span: which; they can be described.
        theme: the colours.

    Attributes:
        opens: whether the layout is to be opened in an editor of the person's, in place of an answer.
    """

    def __init__(self, parent: QWidget, document: Document, span: Span, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("describeDialog")
        self.setWindowTitle("These bytes are")
        self.resize(*SIZE)
        self._document, self._span = document, span
        self.opens = False
        self._typed = False
        self.place = PlainLabel()
        self.place.setFont(fixed_font())
        self.count = QSpinBox()
        self.count.setRange(1, min(MOST_BYTES, len(longest_span(document, span))))
        self.count.setValue(len(span))
        self.count.setAccessibleName("Number of bytes")
        self.model = ChoiceModel(theme, self)
        self.table = self._table()
        self.name = _line("", "Name of the field")
        self.kind = _line(usual_name(document), "Name of this kind of file")
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setMinimumHeight(2 * self.says.fontMetrics().height())
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton("&Describe", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button = self._buttons.addButton("Open &Layout File", QDialogButtonBox.ButtonRole.HelpRole)
        self.open_button.setVisible(own_layout(document) is not None)
        give_room(self._buttons.buttons())
        self._lay_out()
        self.count.valueChanged.connect(self._resize)
        self.name.textEdited.connect(self._keep_name)
        self.name.textChanged.connect(self._judge)
        self.kind.textChanged.connect(self._judge)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        self.open_button.clicked.connect(self._open)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.name.installEventFilter(self)
        self._show()
        self.name.setFocus()

    @property
    def fields(self) -> list[tuple[FieldReading, str]]:
        """The fields that were chosen, each with its name."""
        choice = self._choice
        return (
            [(reading, name) for (reading, _), name in zip(choice.fields, self._names, strict=True)] if choice else []
        )

    @property
    def layout_name(self) -> str:
        """What a new layout is called."""
        return self.kind.text().strip()

    @property
    def _names(self) -> list[str]:
        """What was typed: a name, or one for each of several fields; nothing where one is missing."""
        choice, text = self._choice, self.name.text()
        names = [each.strip() for each in (text.split(",") if choice is not None and choice.is_row else [text])]
        return names if choice is not None and all(names) and len(names) == len(choice.fields) else []

    @property
    def _choice(self) -> FieldChoice | None:
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def _table(self) -> QTableView:
        table = QTableView()
        show_as_rows(table, self.model, "What these bytes may be", WIDTHS)
        table.doubleClicked.connect(lambda _: self.accept())
        return table

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.place, 1)
        line.addWidget(_label("&Bytes:", self.count))
        line.addWidget(self.count)
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow("&Name:", self.name)
        if own_layout(self._document) is None:
            form.addRow("&Kind of file:", self.kind)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addLayout(line)
        layout.addWidget(self.table, 1)
        layout.addLayout(form)
        layout.addWidget(self.says)
        layout.addWidget(self._buttons)

    def _show(self) -> None:
        """Show the bytes and what they may be."""
        span = self._span
        self.place.setText(place_words(self._document, span))
        choices = field_choices(self._document, span)
        self.model.show_rows(choices)
        self.table.selectRow(next((row for row, choice in enumerate(choices) if choice.is_now), 0))
        self._choose()

    def _resize(self, count: int) -> None:
        self._span = Span(self._span.start, self._span.start + count)
        self._show()

    def _keep_name(self) -> None:
        self._typed = True

    def _choose(self, *_: object) -> None:
        choice = self._choice
        if choice is None:
            return
        if not self._typed:
            self.name.setText(", ".join(name for _, name in choice.fields))
            self.name.selectAll()
        self._judge()

    def _judge(self) -> None:
        choice = self._choice
        is_named = bool(self._names) and bool(self.layout_name)
        self.go.setEnabled(is_named)
        if choice is None or is_named:
            self.says.setText(consequence(self._document, choice) if choice is not None else "")
        elif choice.is_row:
            self.says.setText(
                f"Give {len(choice.fields)} names with commas between them, and one for the kind of file."
            )
        else:
            self.says.setText("A name is missing.")

    def _open(self) -> None:
        self.opens = True
        self.reject()

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows choose a row while a name is typed."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in KEYS:
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
            row = self.table.currentIndex().row() + step[Qt.Key(event.key())]
            self.table.selectRow(max(0, min(row, len(self.model.rows) - 1)))
            return True
        return super().eventFilter(watched, event)

    def accept(self) -> None:
        if self.go.isEnabled():
            super().accept()


def _line(text: str, name: str) -> QLineEdit:
    line = QLineEdit(text)
    line.setAccessibleName(name)
    return line


def _label(text: str, buddy: QWidget) -> PlainLabel:
    label = PlainLabel(text)
    label.setBuddy(buddy)
    return label
