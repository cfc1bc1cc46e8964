"""What can be done with a table: copy, paste, fill, add, take away, sort the data, CSV in and out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QVBoxLayout, QWidget

from viewer.base.words import counted
from viewer.document.bulk.frame_values import Data, plain
from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete, duplicate
from viewer.document.forms.cells import parse_table, table_text
from viewer.document.path import format_path
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_edits import (
    add_column,
    fill_down,
    removable,
    rename_column,
    row_cells,
    set_cells,
    sort_data,
)
from viewer.document.sheets.sheet_entry import typed_in
from viewer.document.sheets.sheet_finding import tables_below
from viewer.document.sheets.sheet_order import now, ordered
from viewer.document.sheets.sheet_text import Pasted, cell_texts, csv_lines, imported, pasted, read_csv
from viewer.document.splice import Edit
from viewer.ui.dialogs import MARGIN, WIDTH, give_room
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.plain_text import PlainLabel, in_menu
from viewer.ui.panels.panel_widgets import LongLine
from viewer.ui.session import Session
from viewer.ui.sheets.sheet_pane import SheetPane, TableStanding
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Value


def _lay_out(dialog: QDialog, form: QFormLayout, deed: str) -> QPushButton:
    """Lay a form out above Cancel and the button that does what is asked for, which is returned."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    doing = buttons.addButton(deed, QDialogButtonBox.ButtonRole.AcceptRole)
    doing.setDefault(True)
    give_room(buttons.buttons())
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    layout.addLayout(form)
    layout.addWidget(buttons)
    return doing


class ColumnDialog(QDialog):
    """Asks for a key and a value.

    Args:
        parent: the window.
        document: says which literals there are.
    """

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent)
        self._document = document
        self.setWindowTitle("Add Column")
        self.setMinimumWidth(WIDTH)
        self.name, self.content, self.words = LongLine(), LongLine("0"), PlainLabel()
        self.name.setAccessibleName("Key")
        self.content.setAccessibleName("Value for all rows")
        self.content.setFont(fixed_font())
        form = QFormLayout()
        form.addRow("&Key", self.name)
        form.addRow("&Value for all rows", self.content)
        form.addRow("", self.words)
        self.add_button = _lay_out(self, form, "&Add Column")
        self.name.textChanged.connect(self._judge)
        self.content.textChanged.connect(self._judge)
        self._judge()

    @property
    def key(self) -> Value:
        """The key."""
        return Value("String", self.name.text())

    @property
    def value(self) -> Data:
        """The value: a literal, or what was typed as a text."""
        return plain(self._value())

    def _value(self) -> Value:
        document = self._document
        try:
            return parse_literal(self.content.text(), document.dialect, precision=document.precision)
        except LiteralError:
            return Value("String", self.content.text())

    def _judge(self) -> None:
        has_name = bool(self.name.text())
        self.add_button.setEnabled(has_name)
        self.words.setText(f"Every row without this key gets it, type {self._value().type}." if has_name else "")


class RenameDialog(QDialog):
    """Asks for another name of a column's key.

    Args:
        parent: the window.
        sheet: the table.
        column: which of its columns; it has a key.
    """

    def __init__(self, parent: QWidget, sheet: Sheet, column: int) -> None:
        super().__init__(parent)
        self._sheet, self._column = sheet, column
        self.setWindowTitle("Rename Column")
        self.setMinimumWidth(WIDTH)
        self.name, self.words = LongLine(sheet.columns[column].title), PlainLabel()
        self.name.setAccessibleName("Key in all rows")
        self.words.setWordWrap(True)
        form = QFormLayout()
        form.addRow("&Key in all rows", self.name)
        form.addRow("", self.words)
        self.rename_button = _lay_out(self, form, "&Rename")
        self.name.textChanged.connect(self._judge)
        self._judge()
        self.name.selectAll()
        self.name.setFocus()

    @property
    def key(self) -> Value:
        """The key, of the type that it had where what is typed can be of that; else a text."""
        column, text = self._sheet.columns[self._column], self.name.text()
        was = column.key
        assert was is not None
        if text == column.title:
            return was
        if not column.is_name:  # a literal stands over the column: a number, a text with quotes
            document = self._sheet.document
            with suppress(LiteralError):
                found = parse_literal(text, document.dialect, precision=document.precision)
                if found.type == was.type:
                    return found
        return Value("StringName" if was.type == "StringName" else "String", text)

    def _judge(self) -> None:
        """Say why it cannot be called so; that is looked for only where another column has that name."""
        key, problem = self.key, "" if self.name.text() else "A name is missing."
        if any(each.key == key for k, each in enumerate(self._sheet.columns) if k != self._column):
            try:
                rename_column(self._sheet, self._column, key)
            except EditError as error:
                problem = str(error)
        is_other = key != self._sheet.columns[self._column].key
        self.rename_button.setEnabled(is_other and not problem)
        self.words.setText(problem)


CSV = "Comma-separated values (*.csv)"
MOST_LISTED = 40
"""So many tables of a file are listed."""
MOST_COPIED = 250_000
MOST_DELETED = 20_000
ONE_ROW = (
    "Select the cells to fill, and above them the one with the value; Duplicate Rows in the table's menu copies a row."
)
NO_CELLS = "Select cells of the table first."
Slots = dict[str, Callable[[], object]]


class SheetCommands:
    """Does it to the selected cells, each as one step for undo; why something cannot be done is said.

    Args:
        pane: the table.
        session: what is open.
        say: told in words what was done.
    """

    def __init__(self, pane: SheetPane, session: Session, say: Callable[[str], None]) -> None:
        self._pane, self._session, self._say = pane, session, say
        pane.editor.all_wanted.connect(self.set_selected)
        self._folder = Path.home()

    def slots(self) -> Slots:
        """The actions by name."""
        return {
            "table_filter": self._pane.title.filter.focus,
            "table_sort": self.sort,
            "table_other": self.choose_table,
            "table_swap": self._pane.turn,
            "table_sort_data": self.sort_data,
            "table_plot": self._pane.plot_column,
            "table_fill": lambda: self._do(self._filled),
            "table_column": self.add_column,
            "table_rename": self.rename_column,
            "table_rows": lambda: self._do(self._doubled),
            "table_delete": lambda: self._do(self._without_rows),
            "table_import": self.ask_import,
            "table_export": self.ask_export,
        }

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        sheet = self._pane.sheet
        if sheet is None:
            return "No table is shown"
        if name == "table_swap" and not self._pane.can_turn:
            return "Only lists of arrays can be shown the other way round"
        if name == "table_column" and not any(column.key is not None for column in sheet.columns):
            return "The rows of this table have no keys"
        if name == "table_column" and sheet.is_turned:
            return "The columns of this table are arrays"
        column = self._pane.view.currentIndex().column()
        if name == "table_plot" and column < 0:
            return "Select a cell of a column first"
        if name == "table_rename" and (sheet.is_turned or column < 0 or sheet.columns[column].key is None):
            return "This column has no key"
        if name == "table_sort_data" and self._pane.sort is None:
            return "The rows are shown as they are stored; sort them by a column first"
        return ""

    # What is selected

    @property
    def in_use(self) -> bool:
        """Whether the keys mean the grid."""
        return self._pane.view.hasFocus()

    @property
    def holder(self) -> Item | None:
        """The collection that is shown, None for none."""
        sheet = self._pane.sheet
        return sheet.holder if sheet is not None else None

    def settle(self) -> None:
        """Take what is typed in a cell."""
        self._pane.editor.settle()

    def _sheet(self) -> Sheet:
        sheet = self._pane.sheet
        if sheet is None:
            raise EditError("No table is shown.")
        while not sheet.is_read:
            sheet.read_on(1 << 20)
        return sheet

    def _places(self) -> list[tuple[range, range]]:
        found = self._pane.view.ranges()
        if not found:
            raise EditError(NO_CELLS)
        return found

    def _rows(self) -> list[int]:
        """The numbers of the rows in which something is selected, as they are shown."""
        places = sorted({place for rows, _ in self._places() for place in rows})
        return [self._pane.model.row_at(place) for place in places]

    def _columns(self) -> list[int]:
        columns = sorted({column for _, found in self._places() for column in found})
        shown = [column for column in columns if not self._pane.view.isColumnHidden(column)]
        if not shown:
            raise EditError(NO_CELLS)
        return shown

    # Doing

    def _try(self, work: Callable[[], object]) -> None:
        try:
            if self._session.waits:
                raise EditError("These bytes are still being read; try again in a moment.")
            work()
        except EditError as error:
            self._session.failed.emit(str(error))

    def _do(self, make: Callable[[Sheet], Edit], words: str = "") -> None:
        def work() -> None:
            edit = make(self._sheet())
            if not edit.does_something:
                self._say("Nothing changes: the cells hold this already.")
                return
            self._pane.apply(edit)
            if words:
                self._say(words)

        self._try(work)

    def edit(self) -> None:
        """Edit the current cell."""
        self._pane.edit()

    def copy(self) -> None:
        """Copy the selected cells as a spreadsheet takes them."""
        self._try(self._copy)

    def _copy(self) -> None:
        if sum(len(rows) * len(columns) for rows, columns in self._places()) > MOST_COPIED:
            raise EditError(f"Copy at most {MOST_COPIED} cells at once, or export the table as CSV.")
        sheet, rows, columns = self._sheet(), self._rows(), self._columns()
        QGuiApplication.clipboard().setText(table_text(cell_texts(sheet, rows, columns)))
        self._say(f"{counted(len(rows) * len(columns), 'cell')} copied.")

    def cut(self) -> None:
        """Copy the selected cells, and take their keys away."""
        self.copy()
        self.delete()

    def paste(self) -> None:
        """Put a table from the clipboard into the cells from the first selected one on."""
        self._try(self._paste)

    def _paste(self) -> None:
        pane = self._pane
        sheet, columns = self._sheet(), self._columns()
        first = min(place for rows, _ in self._places() for place in rows)
        table = parse_table(QGuiApplication.clipboard().text())
        places = range(first, min(pane.model.rowCount(), first + len(table)))
        shown = [k for k in range(columns[0], pane.model.columnCount()) if not pane.view.isColumnHidden(k)]
        selected = self._rows()
        if len(table) == 1 and len(table[0]) == 1 and len(selected) * len(columns) > 1:
            table = [table[0] * len(columns)] * len(selected)  # one copied cell goes into all selected ones
            rows, shown = selected, columns
        else:
            rows = pane.model.rows_at(places)
        self._take(pasted(sheet, rows, shown, table, pane.model.order is None), "pasted")
        if rows is not selected:
            width = max((len(texts) for texts in table), default=1)
            pane.view.select_cells(range(first, first + len(table)), range(columns[0], shown[width - 1] + 1))

    def _take(self, found: Pasted, word: str) -> None:
        if not found.edit.does_something:
            self._say("Nothing changes: the cells hold this already.")
            return
        self._pane.apply(found.edit)
        cells = found.cells - found.added
        said = [f"{counted(cells, 'cell')} {word}"] if cells else []
        said += [f"{counted(found.added, 'row')} added"] if found.added else []
        self._say(", ".join(said) + "; Ctrl+Z undoes it.")

    def set_selected(self, text: str) -> None:
        """Set all selected cells to what was typed."""

        def make(sheet: Sheet) -> Edit:
            places = self._cells(sheet)
            return set_cells(sheet, {place: typed_in(sheet, *place, text) for place in places})

        self._do(make)

    def _cells(self, sheet: Sheet) -> list[tuple[int, int]]:
        columns = self._columns()
        return [(row, column) for row in self._rows() for column in columns]

    def delete(self) -> None:
        """Take the keys of the selected cells away, or whole rows where such are selected."""
        whole = all(len(columns) == self._pane.model.columnCount() for _, columns in self._pane.view.ranges())
        self._do(self._without_rows if whole else self._without_cells)

    def select_all(self) -> None:
        """Select all cells."""
        self._pane.view.selectAll()

    def choose_table(self) -> None:
        """List the tables of the file at the title, and show the one that is chosen."""
        pane, document = self._pane, self._session.document
        sheet = pane.sheet
        if document is None or sheet is None or self._session.waits:
            return
        menu = QtWidgets.QMenu(pane)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        frames = (Item(index, 0) for index, frame in enumerate(document.frames) if len(frame.table))
        found = (each for top in frames for each in tables_below(document, top))
        for holder, kind in islice(found, MOST_LISTED):
            path = format_path(document, holder)
            action = menu.addAction(in_menu(f"{path}   {counted(kind.rows, 'row')}"))
            standing = TableStanding(document, path, kind.is_parallel)
            action.triggered.connect(partial(self._show_other, standing))
            if document is sheet.document and holder == sheet.holder:
                menu.setActiveAction(action)
        if menu.isEmpty():
            menu.addAction("No lists in this file are tables").setEnabled(False)
        title = pane.title.title
        menu.popup(title.mapToGlobal(title.rect().bottomLeft()))

    def _show_other(self, standing: TableStanding, *_: object) -> None:
        if self._pane.show_again(standing):
            self._pane.enter_grid()

    def sort(self) -> None:
        """Show the rows in the order of the current column."""
        column = self._pane.view.currentIndex().column()
        if column >= 0:
            self._pane.sort_by(column)

    def sort_data(self) -> None:
        """Put the rows themselves into the order that is shown."""
        self._do(self._sorted, "The rows are stored in this order now; Ctrl+Z undoes it.")

    def add_column(self) -> None:
        """Ask for a key and a value, and give both to all rows that lack the key."""
        sheet = self._pane.sheet
        if sheet is None:
            return
        dialog = ColumnDialog(self._pane.window(), sheet.document)
        if dialog.exec():
            self._do(lambda sheet: add_column(sheet, dialog.key, dialog.value))
            self._pane.go_to_column(dialog.key)
        dialog.deleteLater()

    def rename_column(self) -> None:
        """Ask for another name of the current column's key."""
        sheet, column = self._pane.sheet, self._pane.view.currentIndex().column()
        if sheet is None or column < 0 or sheet.columns[column].key is None:
            return
        dialog = RenameDialog(self._pane.window(), sheet, column)
        if dialog.exec():
            key = dialog.key
            self._do(lambda sheet: rename_column(sheet, column, key))
            self._pane.go_to_column(key)
        dialog.deleteLater()

    # Edits

    def _filled(self, sheet: Sheet) -> Edit:
        rows = self._rows()
        if len(rows) == 1:
            raise EditError(ONE_ROW)
        return fill_down(sheet, rows, self._columns())

    def _sorted(self, sheet: Sheet) -> Edit:
        order = now(ordered(sheet, self._pane.sort, self._pane.title.filter.line.text()))
        edit = sort_data(sheet, order if order is not None else range(sheet.rows))
        self._pane.show_stored()
        return edit

    def _doubled(self, sheet: Sheet) -> Edit:
        return duplicate(sheet.document, row_cells(sheet, self._few(self._rows())))

    def _without_rows(self, sheet: Sheet) -> Edit:
        rows = self._few(self._rows())
        return delete(sheet.document, row_cells(sheet, rows), "Delete row" if len(rows) == 1 else "Delete rows")

    def _without_cells(self, sheet: Sheet) -> Edit:
        cells = [
            (self._pane.model.row_at(place), column)
            for rows, columns in self._places()
            for place in rows
            for column in columns
        ]
        items = removable(sheet, self._few(cells))
        if not items:
            raise EditError("These cells are missing already.")
        return delete(sheet.document, items, "Remove")

    def _few(self, found: list) -> list:  # type: ignore[type-arg]
        if len(found) > MOST_DELETED:
            raise EditError(f"Choose at most {MOST_DELETED} at once.")
        return found

    # Files

    def ask_import(self) -> None:
        """Ask for a CSV file, and put it into the table."""
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(self._pane.window(), "Import CSV", str(self._folder), CSV)
        if chosen:
            self._folder = Path(chosen).parent
            self.import_(Path(chosen))

    def import_(self, path: Path) -> None:
        """Put a CSV file into the table."""

        def work() -> None:
            try:
                data = bytes(files.read(path)[0][:])
            except FileProblem as error:
                raise EditError(str(error)) from error
            model = self._pane.model
            self._take(imported(self._sheet(), read_csv(data), model.order), "imported")

        self._try(work)

    def ask_export(self) -> None:
        """Ask for a CSV file, and write what is shown to it."""
        chosen, _ = QtWidgets.QFileDialog.getSaveFileName(
            self._pane.window(), "Export CSV", str(self._folder / "table.csv"), CSV
        )
        if chosen:
            self._folder = Path(chosen).parent
            self.export(Path(chosen))

    def export(self, path: Path) -> None:
        """Write the rows and columns that are shown to a CSV file."""

        def work() -> None:
            pane, sheet = self._pane, self._sheet()
            columns = [k for k in range(len(sheet.columns)) if not pane.view.isColumnHidden(k)]
            rows = pane.model.rows_at(range(pane.model.rowCount()))
            text = "".join(csv_lines(sheet, rows, columns))
            try:
                files.write(path, text.encode("utf-8", "surrogatepass"), backup=False)
            except FileProblem as error:
                raise EditError(str(error)) from error
            self._say(f"{counted(len(rows), 'row')} written to “{path.name}”.")

        self._try(work)
