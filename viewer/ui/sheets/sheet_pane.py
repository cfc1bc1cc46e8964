"""The pane of a table: its title with filter and buttons, and the grid; it keeps the sheet true through changes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.record import dataclass
from viewer.base.words import counted, grouped
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.nested.open_levels import OpenLevel
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.selection import SelectionAnchor, Spot
from viewer.document.sheets.sheet import CellPlace, Sheet
from viewer.document.sheets.sheet_cells import holds_others
from viewer.document.sheets.sheet_entry import drafted
from viewer.document.sheets.sheet_finding import can_turn, open_sheet, wanted
from viewer.document.sheets.sheet_order import SheetSort, Steps, complaint, is_sorted, now, ordered
from viewer.document.splice import Edit
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.filter_field import FilterWords, TitleFilter
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton
from viewer.ui.session import WAITS, Session
from viewer.ui.sheets.cell_editor import CellEditor
from viewer.ui.sheets.sheet_model import SheetModel
from viewer.ui.sheets.sheet_view import SheetView
from viewer.variant.items import Item
from viewer.variant.value import Value

if TYPE_CHECKING:  # loaded with the first profile that fits
    from viewer.document.profiles.profile_labels import ProfileLabels

TITLE_HEIGHT = 34
FILTER_WIDTHS = (120, 300)
FIELD = "table"
"""What is typed in the field of a table is noted so."""
TYPING = 150
"""Milliseconds without a key before the filter is asked."""
FIRST = 20_000
"""Cells that are read before the table is shown."""
STEP = 4_000
SLICE = 0.008
"""Seconds of work between two looks at keys and mouse."""
SORT_KEYS = "Ctrl+Alt+S"
AT_ONCE = 4_000
"""Tables of at most so many rows are sorted and filtered without a pause."""
WORDS = FilterWords(
    "sheetFilterLine",
    "Filter rows",
    "Filter: iron   count>5",
    "Show only rows with these words, or for which this is true (Ctrl+Alt+R)\n"
    'iron   count>5   name=Sword   slot:hand   "two words"',
    "Show all rows again (Esc)",
)


@dataclass(frozen=True, slots=True)
class TableStanding:
    """A table that is shown: the document, the path of the collection, and whether its columns are arrays."""

    document: Document
    path: str
    is_turned: bool


class SheetTitle(QWidget):
    """What the table shows, the filter, and buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title = ElidedLine(theme, ui_font(Size.UI, strong=True), elide=Qt.TextElideMode.ElideMiddle, parent=self)
        self.detail = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self.detail.setObjectName("sheetDetail")
        self.filter = TitleFilter(theme, WORDS, "sheetFilter", FILTER_WIDTHS)
        self.menu_button = IconButton(theme, "ellipsis", "What can be done with the table", self)
        self.close_button = IconButton(theme, "x", "Close the table", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 6, 1)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self.detail, 1)
        row.addWidget(self.filter, 1)
        row.addWidget(self.menu_button)
        row.addWidget(self.close_button)
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(TITLE_HEIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        for part in (self.title, self.detail, self.filter):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)


class SheetPane(QWidget):
    """Lies across the top of tree, bytes and inspector.

    Args:
        session: what is open, and where the person is.
        theme: its colours.

    Attributes:
        sort: by which column the rows are shown, None for as they are stored.
        is_sort_old: whether cells have changed since, and the rows may be in that order no more.

    Signals:
        closed: the close button, or the table is gone.
        tree_requested: the focus should go to the selected value in the tree.
        tools_requested: a point on the screen: the menu of all that can be done should open there.
        column_tools_requested: the same for the menu of the current column.
        plot_requested: the ``Spot`` of the table, whether its columns are arrays, and the title of the column to plot.
        key_requested: the name of an action that a key of the grid asks for.
        editor_requested: the selected value should be changed in the editor of its type.
        changed: what can be done is something else now.
        leading: whether the cell in which the person is is just being selected everywhere (bool).
    """

    closed = Signal()
    tree_requested = Signal()
    tools_requested = Signal(object)
    column_tools_requested = Signal(object)
    plot_requested = Signal(object, bool, str)
    key_requested = Signal(str)
    editor_requested = Signal()
    changed = Signal()
    leading = Signal(bool)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sheetPane")
        self.setAccessibleName("Table")
        self._session = session
        self._level: OpenLevel | None = None
        self._anchor = SelectionAnchor()
        self._document: Document | None = None
        self._steps: Steps | None = None
        self._after: Callable[[], None] | None = None
        self._is_busy = self._is_waiting = False
        self._can_turn = False
        self.sort: SheetSort | None = None
        self.is_sort_old = False
        self.model = SheetModel(self)
        self.title = SheetTitle(theme)
        self.view = SheetView(theme, self.model)
        self.editor = CellEditor(self.view)
        self._work = QTimer(self, interval=0)
        self._typing = QTimer(self, singleShot=True, interval=TYPING)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addWidget(self.view, 1)
        self.setFocusProxy(self.view)
        self._connect()

    def _connect(self) -> None:
        session, view, title = self._session, self.view, self.title
        self._work.timeout.connect(self._work_on)
        self._typing.timeout.connect(self.arrange)
        title.close_button.clicked.connect(self.closed)
        title.menu_button.clicked.connect(self._ask_tools)
        title.filter.edited.connect(self._typing.start)
        title.filter.entered.connect(self.enter_grid)
        title.filter.left.connect(self.enter_grid)
        view.went.connect(self._tell_cell)
        view.edit_requested.connect(self.edit)
        view.nested_requested.connect(self.enter)
        view.sort_requested.connect(self.sort_by)
        view.key_requested.connect(self._key)
        view.customContextMenuRequested.connect(lambda at: self.tools_requested.emit(view.viewport().mapToGlobal(at)))
        view.names.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.names.customContextMenuRequested.connect(self._ask_row_tools)
        view.titles.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.titles.customContextMenuRequested.connect(self._ask_column_tools)
        self.editor.committed.connect(self._commit)
        self.editor.refused.connect(self._session.failed)
        self.editor.typed.connect(lambda is_read, why: self._session.note_typing(is_read, FIELD, why))
        self._session.settling.connect(self.editor.settle)
        self.editor.editor_needed.connect(self.editor_requested)
        session.changed.connect(self._follow_change)
        session.labels_changed.connect(self._show_labels)
        session.levels_changed.connect(self._follow_levels)
        session.selected.connect(self._follow_selection)
        session.history_changed.connect(self._follow_history)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.editor.settle()
        self.editor.put_away()
        self.title.set_theme(theme)
        self.view.set_theme(theme)

    # Which table is shown

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is shown."""
        return self.model.sheet

    def show_spot(self, spot: Spot) -> None:
        """Show the table that a value belongs to.

        Raises:
            EditError: there is none.
        """
        if self._session.waits:
            raise EditError(WAITS)
        holder, is_turned = wanted(spot.document, spot.item)
        self._level = spot.level if isinstance(spot.level, OpenLevel) else None
        self._open(spot.document, holder, is_turned)
        self._follow_selection()
        if not self.view.currentIndex().isValid() and self.model.rowCount() and self.model.columnCount():
            self.view.go(self.model.index(0, 0))
            self._tell_cell()

    def _show_labels(self) -> None:
        """What is known of the game is known now, or no longer."""
        self.model.show_labels(self._labels)
        self.view.fit_columns()
        self.view.viewport().update()

    @property
    def _labels(self) -> ProfileLabels | None:
        """What the profile says of the cells; values inside of values are none that it knows."""
        return self._session.labels if self._level is None else None

    def _open(self, document: Document, holder: Item, is_turned: bool) -> None:
        self.editor.put_away()
        self._document, self.sort, self._steps = document, None, None
        self.is_sort_old = False
        self.title.filter.line.blockSignals(True)
        self.title.filter.line.clear()
        self.title.filter.line.blockSignals(False)
        self.title.filter.all_button.hide()
        self._is_waiting = False
        self.model.show_labels(self._labels)
        self._anchor = SelectionAnchor.of(document, holder)
        self._can_turn = can_turn(document, holder)
        sheet = open_sheet(document, holder, is_turned)
        sheet.read_on(FIRST)
        self.model.show(sheet)
        self._show_columns()
        self.view.titles.sort = None
        self.view.fit_columns()
        self._tell_title()
        self._work.start()
        self.changed.emit()

    @property
    def standing(self) -> TableStanding | None:
        """Which table of the file is shown; None for none, and for one inside a value."""
        sheet = self.sheet
        if sheet is None or self._level is not None or self._document is None:
            return None
        return TableStanding(self._document, format_path(sheet.document, sheet.holder), sheet.is_turned)

    def show_again(self, standing: TableStanding) -> bool:
        """Show a table that was shown before; whether it is still there."""
        document = standing.document
        try:
            holder = parse_path(document, standing.path)
            self._level = None
            self._open(document, holder, standing.is_turned)
        except (PathError, AssertionError, IndexError):
            self.forget()
            return False
        self._follow_selection()
        return True

    def forget(self) -> None:
        """Show nothing."""
        self.editor.put_away()
        self._work.stop()
        self._typing.stop()
        self._steps, self._document, self._level = None, None, None
        self._is_waiting = self._can_turn = False
        self.title.filter.refuse("")
        self.model.show(None)

    @property
    def can_turn(self) -> bool:
        """Whether rows and columns can be swapped."""
        return self._can_turn

    def turn(self) -> None:
        """Swap rows and columns."""
        sheet = self.sheet
        if sheet is not None and self._can_turn and not self._is_waiting:
            self._open(sheet.document, sheet.holder, not sheet.is_turned)
            self._follow_selection()

    # Reading on, sorting and filtering in small steps

    def _work_on(self) -> None:
        sheet = self.sheet
        if sheet is None:
            self._work.stop()
            return
        end = perf_counter() + SLICE
        if not sheet.is_read:
            self._read_on(sheet, end)
            return
        if self._steps is not None:
            while perf_counter() < end:
                try:
                    next(self._steps)
                except StopIteration as done:
                    self._steps = None
                    self._show_order(done.value)
                    return
            return
        self._work.stop()

    def _read_on(self, sheet: Sheet, end: float) -> None:
        while perf_counter() < end and sheet.read_on(STEP):
            pass
        self.model.grow()
        if sheet.is_read:
            self._show_columns()
            self.model.tell_headers()
            self._tell_title()

    def finish(self) -> None:
        """Do all that is still to be done, at once."""
        if self._typing.isActive():
            self._typing.stop()
            self.arrange()
        while self._work.isActive():
            self._work_on()

    def sort_by(self, column: int) -> None:
        """Show the rows in the order of a column; again the other way round, then as they are stored.

        Where cells have changed since, the rows are brought into the same order again.
        """
        if self.sort is None or self.sort.column != column:
            self.sort = SheetSort(column)
        elif self.is_sort_old:
            pass
        elif not self.sort.is_descending:
            self.sort = SheetSort(column, True)
        else:
            self.sort = None
        self.arrange()

    def arrange(self) -> None:
        """Sort and filter anew."""
        sheet = self.sheet
        if sheet is None or self._is_waiting:
            return
        self.editor.close()
        self.view.titles.sort = self.sort
        steps = ordered(sheet, self.sort, self.title.filter.line.text())
        if sheet.rows <= AT_ONCE:
            while not sheet.is_read:
                sheet.read_on(STEP)
            self._show_order(now(steps))
        else:
            self._steps = steps
            self.title.detail.set_text("Looking through the rows…")
            self._work.start()

    def go_to_column(self, key: Value) -> None:
        """Go to the column of a key, in the row where the person is."""
        sheet, index = self.sheet, self.view.currentIndex()
        column = next((k for k, each in enumerate(sheet.columns) if each.key == key), -1) if sheet is not None else -1
        if column >= 0 and column < self.model.columnCount():
            self.view.setColumnWidth(column, max(self.view.columnWidth(column), self.view.titles.wanted(column)))
            self.view.go(self.model.index(max(0, index.row()), column))
            self._tell_cell()

    def show_stored(self) -> None:
        """Show all rows as they are stored, at the place where the person is."""
        index = self.view.currentIndex()
        self.sort = self.view.titles.sort = None
        self.is_sort_old = False
        self.model.show_order(None)
        self._show_columns()
        self.view.go(self.model.index(index.row(), index.column()) if index.isValid() else QModelIndex())
        self._tell_title()

    def _show_order(self, order: object) -> None:
        from array import array

        index = self.view.currentIndex()
        here = (self.model.row_at(index.row()), index.column()) if index.isValid() else None
        self.is_sort_old = False
        self.model.show_order(order if isinstance(order, array) else None)
        self._show_columns()
        if here is not None:
            place = self.model.place_of(here[0])
            self.view.go(self.model.index(place, here[1]) if place >= 0 else QModelIndex())
        self._tell_title()
        self.changed.emit()

    def _show_columns(self) -> None:
        """Columns that no row has any more are not shown."""
        sheet = self.sheet
        for column in range(self.model.columnCount() if sheet is not None and sheet.is_read else 0):
            assert sheet is not None
            self.view.setColumnHidden(column, not sheet.facts(column).count and not sheet.is_turned)
        index = self.view.currentIndex()
        if index.isValid() and self.view.isColumnHidden(index.column()):
            shown = [k for k in range(self.model.columnCount()) if not self.view.isColumnHidden(k)]
            near = min(shown, key=lambda column: abs(column - index.column()), default=-1)
            self.view.go(self.model.index(index.row(), near) if near >= 0 else QModelIndex(), scroll=False)

    # Words

    def _tell_title(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        path = (
            self._level.path_of(sheet.holder) if self._level is not None else format_path(sheet.document, sheet.holder)
        )
        self.title.title.set_text(path)
        shown, said = self.model.rowCount(), []
        rows = counted(sheet.rows, "row")
        said.append(rows if shown == sheet.rows else f"{grouped(shown)} of {rows}")
        if self.sort is not None and self.sort.column < len(sheet.columns):
            order = f"sorted by {sheet.columns[self.sort.column].title}"
            word = "falling" if self.sort.is_descending else "rising"
            if self.is_sort_old:
                said.append(f"{order} until cells changed; {SORT_KEYS} sorts again")
            else:
                said.append(f"shown {order}, {word}; the save keeps its order")
        if sheet.left_out:
            said.append(sheet.left_out)
        self.title.detail.set_text(", ".join(said))
        self.title.filter.refuse(complaint(sheet, self.title.filter.text) if sheet.is_read else "")

    # The selection, both ways

    def _tell_cell(self) -> None:
        """A person went to another cell: it is selected everywhere."""
        self.editor.close()
        spot = self.current_spot
        if spot is not None and not self._is_busy:
            self._is_busy = True
            self.leading.emit(True)
            self._session.select_spot(spot)
            self.leading.emit(False)
            self._is_busy = False
        self.changed.emit()

    @property
    def current_spot(self) -> Spot | None:
        """The value in the current cell, or its row where it is missing; None for none."""
        sheet, index = self.sheet, self.view.currentIndex()
        if sheet is None or not index.isValid() or self._document is None:
            return None
        row = self.model.row_at(index.row())
        item = sheet.cell(row, index.column()) or sheet.row_item(row)
        return Spot(self._document, item, self._level) if item is not None else None

    def _follow_selection(self, *_: object) -> None:
        """Something was selected elsewhere: go to its cell, if it has one."""
        sheet, spot = self.sheet, self._session.spot
        if sheet is None or spot is None or self._is_busy or self._is_waiting or spot.document is not self._document:
            return
        place = sheet.place(spot.item)
        if place is None:
            return
        index = self.view.currentIndex()
        if place.column < 0 and index.isValid():
            if self.model.row_at(index.row()) == place.row:
                return
            shown = self.model.place_of(place.row)
            self.view.go(self.model.index(shown, index.column()) if shown >= 0 else QModelIndex())
        else:
            self.view.go(self.model.index_of(place))

    # Changes

    def _follow_history(self) -> None:
        """The file may have been saved: other cells count as modified."""
        self.model.forget_marks()
        self.view.viewport().update()

    def _follow_levels(self) -> None:
        if self._level is not None and self._level not in self._session.inside.all:
            self._leave()

    def _follow_change(self, change: Change) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        self.editor.put_away()
        level = self._level
        if level is None:
            self._anchor = self._anchor.after(change.splices)
        if change.waits:
            self._wait()
            return
        if level is not None and level not in self._session.inside.all:
            self._leave()
            return
        document = level.document if level is not None else self._session.document
        if level is not None:
            self._anchor = self._anchor.after(level.splices)
        holder = self._anchor.find(document) if document is not None else None
        if document is None or holder is None or holder.part:
            self._leave()
            return
        here = self._place() if self._is_waiting else None
        self._is_waiting = False
        self._renew(sheet, document, holder)
        if here is not None:  # the person has gone on meanwhile
            QTimer.singleShot(0, self, lambda: self._come_back(here))

    def _leave(self) -> None:
        self.forget()
        self.closed.emit()

    def _wait(self) -> None:
        """The bytes are still to be read: until then the table shows what it showed."""
        self._is_waiting = True
        self._steps = None
        self._work.stop()
        self.title.detail.set_text("Reading the changed bytes…")

    def _place(self) -> CellPlace | None:
        index = self.view.currentIndex()
        return CellPlace(self.model.row_at(index.row()), index.column()) if index.isValid() else None

    def _come_back(self, place: CellPlace) -> None:
        self.view.go(self.model.index_of(place))
        self._tell_cell()

    def _renew(self, old: Sheet, document: Document, holder: Item) -> None:
        """The bytes are others: the same table anew, at the same cell, in the order in which it is shown."""
        try:
            sheet = open_sheet(document, holder, old.is_turned, old.columns)
        except (AssertionError, IndexError):
            self._leave()
            return
        self._document = document
        self._anchor = SelectionAnchor.of(document, holder)
        self._can_turn = can_turn(document, holder)
        same_rows = sheet.rows == old.rows
        if not sheet.rows or (old.is_turned and len(sheet.columns) != len(old.columns)):
            same_rows = False
        is_long = sheet.rows * len(sheet.columns) > FIRST  # then its columns are counted later anyway
        sheet.read_on(STEP if same_rows and is_long else FIRST)
        if same_rows:
            self.model.renew(sheet)
            self.is_sort_old = self._has_left_order(sheet)
        else:
            index, bar = self.view.currentIndex(), self.view.verticalScrollBar().value()
            self.model.show(sheet)
            self.view.verticalScrollBar().setValue(bar)
            row = min(index.row(), self.model.rowCount() - 1)
            self.view.go(self.model.index(row, index.column()) if row >= 0 else QModelIndex())
            if self.sort is not None or self.title.filter.line.text():
                self.arrange()
        self._show_columns()
        self.view.names.fit()
        self._tell_title()
        self._work.start()

    def _has_left_order(self, sheet: Sheet) -> bool:
        """Whether the rows may not be in the order any more in which they are shown; of very many nobody looks."""
        if self.sort is None or sheet.rows > AT_ONCE:
            return self.sort is not None
        return not is_sorted(sheet, self.model.rows_at(range(self.model.rowCount())), self.sort)

    # What a person does

    def edit(self, typed: object = None) -> None:
        """Edit the current cell; *typed* takes the place of what is in it."""
        if self._session.waits:
            self._session.failed.emit(WAITS)
            return
        self._session.settle()  # what is typed in another view of the document
        self.editor.open(typed if isinstance(typed, str) else None)

    def enter(self) -> None:
        """Edit the current cell; where its value holds others, go to them in the tree."""
        sheet, spot = self.sheet, self.current_spot
        if sheet is None or spot is None:
            return
        index = self.view.currentIndex()
        item = sheet.cell(self.model.row_at(index.row()), index.column())
        if item is not None and holds_others(sheet, item):
            self._session.select_spot(spot)
            self.tree_requested.emit()
        else:
            self.edit()

    def apply(self, edit: Edit) -> None:
        """Do an edit of the table."""
        self._is_busy = True
        try:
            self._session.apply(edit, of=self._document)
        finally:
            self._is_busy = False
        if self.sheet is not None:
            self._tell_cell()

    def _commit(self, edit: object, rows: int, columns: int) -> None:
        if isinstance(edit, Edit):
            self.apply(edit)
        if rows or columns:
            self.view.step(rows, columns)

    def _key(self, name: str) -> None:
        if name == "leave":
            self.tree_requested.emit()
        elif name == "turn_over":
            self._turn_over()
        else:
            self.key_requested.emit(name)

    def _turn_over(self) -> None:
        """Make true of false, and false of true."""
        sheet, index = self.sheet, self.view.currentIndex()
        if sheet is None or self._session.waits:
            return
        was = self.model.facts(index.row(), index.column()).state
        edit = drafted(sheet, self.model.row_at(index.row()), index.column(), "false" if was else "true").edit
        if edit is not None:
            self.apply(edit)

    def _ask_tools(self) -> None:
        button = self.title.menu_button
        self.tools_requested.emit(button.mapToGlobal(button.rect().bottomLeft()))

    def _ask_row_tools(self, place: QPoint) -> None:
        """Select the row that was clicked, if it is not among the selected ones, and offer what can be done with it."""
        row, names = self.view.names.logicalIndexAt(place), self.view.names
        if row < 0:
            return
        whole = range(self.model.columnCount())
        if not any(row in rows and columns == whole for rows, columns in self.view.ranges()):
            self.view.select_row(row)
        self.view.setFocus()
        self.tools_requested.emit(names.viewport().mapToGlobal(place))

    def _ask_column_tools(self, place: QPoint) -> None:
        column, titles = self.view.titles.logicalIndexAt(place), self.view.titles
        if column >= 0 and self.model.rowCount():
            self.view.go(self.model.index(max(0, self.view.currentIndex().row()), column))
            self.column_tools_requested.emit(titles.viewport().mapToGlobal(place))

    def plot_column(self) -> None:
        """Have the current column plotted."""
        sheet, column = self.sheet, self.view.currentIndex().column()
        if sheet is not None and column >= 0 and self._document is not None:
            spot = Spot(self._document, sheet.holder, self._level)
            self.plot_requested.emit(spot, sheet.is_turned, sheet.columns[column].title)

    def enter_grid(self) -> None:
        """Give the keys to the grid, which is somewhere in the table."""
        if not self.view.currentIndex().isValid() and self.model.rowCount() and self.model.columnCount():
            self.view.go(self.model.index(0, 0))
            self._tell_cell()
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
