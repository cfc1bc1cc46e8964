"""The table in the window, by keyboard: shown, sorted, edited, filled, pasted, taken back; the selection both ways."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.path import format_path, parse_path
from viewer.document.sheets.sheet_finding import open_sheet
from viewer.ui.look.theme import ThemeController
from viewer.ui.sheets.sheet_commands import RenameDialog
from viewer.ui.sheets.sheet_pane import SheetPane
from viewer.ui.sheets.sheet_view import SheetView
from viewer.ui.sheets.table_entries import AT_CELL
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key


class Hands:
    """Keys for whatever has the focus, and looks at the table.

    Args:
        window: with a save open.
        qtbot: presses.
    """

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self._qtbot = window, qtbot
        self.told: list[str] = []
        window.session.failed.connect(self.told.append)

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier, times: int = 1) -> None:
        """Press a key."""
        together = NONE
        for modifier in modifiers:
            together |= modifier
        for _ in range(times):
            self._qtbot.keyClick(self.focus, key, together)

    def type(self, text: str) -> None:
        """Type letters, each where the focus then is."""
        for letter in text:
            self._qtbot.keyClicks(self.focus, letter)

    @property
    def focus(self) -> QWidget:
        """What has the keys."""
        found = QApplication.focusWidget()
        assert found is not None
        return found

    @property
    def pane(self) -> SheetPane:
        """The table."""
        found = self.window.findChild(SheetPane)
        assert isinstance(found, SheetPane)
        return found

    @property
    def path(self) -> str:
        """The path of what is selected."""
        return self.window.session.path

    def column(self, number: int) -> list[str]:
        """What a column shows."""
        model = self.pane.model
        return [model.facts(place, number).text for place in range(model.rowCount())]


@pytest.fixture
def hands(window: MainWindow, rpg_open: None, qtbot: QtBot) -> Hands:
    """The save is open, its inventory selected, the keys are in the tree."""
    document = window.session.document
    assert document is not None
    window.session.select(parse_path(document, "[0].inventory"))
    found = Hands(window, qtbot)
    found.press(Key.Key_T, CONTROL, SHIFT)
    return found


def test_a_list_is_shown_as_a_table_and_closed_by_the_same_keys(hands: Hands) -> None:
    assert isinstance(hands.focus, SheetView)
    assert hands.path == "[0].inventory[0].id"
    assert hands.pane.title.title.text() == "[0].inventory"
    hands.press(Key.Key_Escape)
    assert hands.focus.objectName() == "treeView"
    hands.press(Key.Key_T, CONTROL, SHIFT)
    assert not hands.pane.isVisible()


@pytest.mark.parametrize("path", ["[0].inventory", "[0].inventory[3].count"])
def test_the_tree_below_shows_what_is_selected_when_a_table_opens(
    window: MainWindow, rpg_open: None, qtbot: QtBot, path: str
) -> None:
    window.resize(900, 600)
    window.settle()
    window.session.go_to_place(path)
    window.settle()
    tree = window._parts.tree
    tree.setFocus()
    Hands(window, qtbot).press(Key.Key_T, CONTROL, SHIFT)
    qtbot.waitUntil(lambda: tree.viewport().rect().contains(tree.visualRect(tree.currentIndex()).center()))


def test_the_model_is_clean_through_sorting_filtering_and_edits(hands: Hands) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(hands.pane.model, mode)
    hands.press(Key.Key_S, CONTROL, ALT, times=3)
    hands.pane.title.filter.line.setText("value>1")
    hands.pane.finish()
    hands.press(Key.Key_Delete)
    hands.type("7")
    hands.press(Key.Key_Return)
    hands.window.session.undo()
    hands.pane.turn()
    hands.window.session.show(None)
    assert hands.pane.model.rowCount() == 0
    tester.deleteLater()


def test_a_designer_sorts_changes_fills_pastes_and_takes_all_back(hands: Hands) -> None:
    document = hands.window.session.document
    assert document is not None
    before, model = bytes(document.buffer[:]), hands.pane.model
    count = [column.title for column in hands.pane.sheet.columns].index("count") if hands.pane.sheet else -1
    hands.press(Key.Key_Right, times=count)
    hands.press(Key.Key_S, CONTROL, ALT, times=2)
    numbers = [int(text) for text in hands.column(count)]
    assert numbers == sorted(numbers, reverse=True)
    assert hands.pane.title.detail.text().endswith("rows, shown sorted by count, falling; the save keeps its order")
    assert bytes(document.buffer[:]) == before
    hands.press(Key.Key_Home, CONTROL)
    hands.press(Key.Key_Right, times=count)
    row = model.row_at(0)
    hands.type("77")
    hands.press(Key.Key_Return)
    assert hands.column(count)[0] == "77"
    assert (hands.pane.view.currentIndex().row(), model.row_at(0)) == (1, row)
    hands.type("+1000")
    hands.press(Key.Key_Return)
    assert hands.column(count)[1] == str(numbers[1] + 1000)
    hands.press(Key.Key_Up)
    hands.press(Key.Key_Down, SHIFT, times=3)
    hands.press(Key.Key_D, CONTROL)
    assert len(set(hands.column(count)[1:5])) == 1
    hands.press(Key.Key_Home, CONTROL)
    hands.press(Key.Key_Right)
    QApplication.clipboard().setText("Long bow\t3\nShort bow\t4\n")
    hands.press(Key.Key_V, CONTROL)
    assert hands.column(1)[:2] == ["Long bow", "Short bow"]
    hands.press(Key.Key_C, CONTROL)
    assert QApplication.clipboard().text() == "Long bow\t3\nShort bow\t4\n"
    assert len(document.history.labels) == 4
    hands.press(Key.Key_Z, CONTROL, times=4)
    assert bytes(document.buffer[:]) == before
    assert hands.told == []


def test_a_missing_key_is_added_by_typing_and_taken_away_by_delete(hands: Hands) -> None:
    hands.press(Key.Key_Right)
    hands.press(Key.Key_Delete)
    assert hands.pane.model.facts(0, 1).is_missing
    assert hands.path == "[0].inventory[0]"
    hands.type("Bob")
    hands.press(Key.Key_Tab)
    assert hands.pane.model.facts(0, 1).text == "Bob"
    assert hands.path == "[0].inventory[0].count"


def test_a_wrong_number_stays_in_the_field_and_escape_drops_it(hands: Hands) -> None:
    hands.type("x")
    hands.press(Key.Key_Return)
    assert hands.pane.editor.is_open
    hands.press(Key.Key_Escape)
    assert isinstance(hands.focus, SheetView)
    hands.press(Key.Key_F2)
    assert hands.pane.editor.field is not None
    assert hands.pane.editor.field.text() == "1000"


def test_what_is_typed_is_kept_when_its_cell_is_scrolled_away(hands: Hands) -> None:
    hands.type("77")
    bar = hands.pane.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert not hands.pane.editor.is_open
    assert hands.pane.model.facts(0, 0).text == "77"


def test_a_column_that_no_row_has_any_more_goes(hands: Hands) -> None:
    hands.press(Key.Key_End)
    column = hands.pane.view.currentIndex().column()
    hands.press(Key.Key_A, CONTROL)
    hands.pane.view.select_cells(range(hands.pane.model.rowCount()), range(column, column + 1))
    hands.press(Key.Key_Delete)
    assert hands.pane.view.isColumnHidden(column)
    assert hands.pane.view.currentIndex().column() == column - 1
    hands.press(Key.Key_Z, CONTROL)
    assert not hands.pane.view.isColumnHidden(column)


def test_what_is_selected_in_the_tree_is_current_in_the_table(hands: Hands) -> None:
    session = hands.window.session
    assert session.document is not None
    session.select(parse_path(session.document, "[0].inventory[4].count"))
    index = hands.pane.view.currentIndex()
    assert (index.row(), index.column()) == (4, 2)
    session.select(parse_path(session.document, "[0].inventory[6]"))
    assert (hands.pane.view.currentIndex().row(), hands.pane.view.currentIndex().column()) == (6, 2)
    assert format_path(session.document, session.item) == "[0].inventory[6]" if session.item else False


def test_rows_are_deleted_and_duplicated_whole(hands: Hands) -> None:
    rows = hands.pane.model.rowCount()
    hands.press(Key.Key_Space, SHIFT)
    hands.press(Key.Key_Delete)
    assert hands.pane.model.rowCount() == rows - 1
    hands.window._actions["table_rows"].trigger()
    assert hands.pane.model.rowCount() == rows
    assert hands.column(0)[:2] == ["1001", "1001"]


def test_filling_one_row_says_where_rows_are_duplicated(hands: Hands) -> None:
    hands.press(Key.Key_D, CONTROL)
    assert len(hands.told) == 1
    words = hands.window._actions["table_rows"].text().replace("&", "")
    assert words in hands.told[0]
    assert "table_rows" in AT_CELL


def test_the_menu_of_a_row_selects_it_and_duplicates_it(hands: Hands) -> None:
    pane, asked = hands.pane, list[object]()
    pane.tools_requested.connect(asked.append)
    names = pane.view.names
    at = QPoint(5, names.sectionViewportPosition(2) + 5)
    names.customContextMenuRequested.emit(at)
    whole = range(pane.model.columnCount())
    assert pane.view.ranges() == [(range(2, 3), whole)]
    assert len(asked) == 1
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    hands.window._actions["table_rows"].trigger()
    assert hands.column(0)[2:4] == ["1002", "1002"]


def test_an_order_that_cells_have_left_is_not_called_one_and_comes_back_by_the_same_keys(hands: Hands) -> None:
    pane = hands.pane
    hands.press(Key.Key_S, CONTROL, ALT, times=2)
    before = hands.column(0)
    hands.press(Key.Key_Home, CONTROL)
    hands.press(Key.Key_Right)
    hands.type("Another name")
    hands.press(Key.Key_Return)
    assert pane.title.detail.text().endswith("falling; the save keeps its order")
    hands.press(Key.Key_Home, CONTROL)
    hands.type("3")
    hands.press(Key.Key_Return)
    assert hands.column(0) == ["3", *before[1:]]
    assert pane.title.detail.text().endswith("rows, sorted by id until cells changed; Ctrl+Alt+S sorts again")
    hands.press(Key.Key_S, CONTROL, ALT)
    assert hands.column(0) == [*before[1:], "3"]
    assert pane.title.detail.text().endswith("falling; the save keeps its order")
    hands.press(Key.Key_Z, CONTROL)
    assert "until cells changed" in pane.title.detail.text()


def test_a_filter_that_no_row_can_pass_says_why(hands: Hands) -> None:
    pane = hands.pane
    for text, says, rows in (
        ("coumt>5", "No column is called “coumt”; one is called “count”.", 0),
        ("count > many", "“many” is not a number, and “count” holds numbers.", 0),
        ("count > 0", "", pane.model.rowCount()),
    ):
        pane.title.filter.line.setText(text)
        pane.finish()
        assert (pane.title.filter.error, pane.model.rowCount()) == (says, rows)
    pane.title.filter.line.setText("coumt>5")
    pane.finish()
    hands.press(Key.Key_T, CONTROL, SHIFT)
    assert not pane.title.filter.error


def open_rows(hands: Hands) -> list[str]:
    """The elements of the inventory that are open in the tree."""
    tree, document = hands.window._parts.tree, hands.window.session.document
    assert document is not None
    paths = (f"[0].inventory[{k}]" for k in range(hands.pane.model.rowCount()))
    return [path for path in paths if tree.isExpanded(tree.tree_model.index_of(parse_path(document, path)))]


def test_a_row_that_the_table_opened_in_the_tree_closes_when_it_is_left(hands: Hands) -> None:
    tree, document = hands.window._parts.tree, hands.window.session.document
    assert document is not None
    own = tree.tree_model.index_of(parse_path(document, "[0].inventory[2]"))
    tree.expand(own)  # by a person
    hands.press(Key.Key_Home, CONTROL)
    seen = []
    for _ in range(5):
        hands.press(Key.Key_Down)
        seen.append(open_rows(hands))
    two = "[0].inventory[2]"
    one, three, four, five = (f"[0].inventory[{k}]" for k in (1, 3, 4, 5))
    assert [set(rows) - {"[0].inventory[0]"} for rows in seen] == [
        {one, two},
        {two},
        {two, three},
        {two, four},
        {two, five},
    ]
    assert tree.tree_model.spot(tree.currentIndex()) == hands.window.session.spot
    hands.type("+1")
    hands.press(Key.Key_Return)  # other bytes, and one row on
    assert "[0].inventory[5]" not in open_rows(hands)


def test_a_row_that_the_table_opened_stays_open_once_somebody_is_in_it(hands: Hands) -> None:
    tree = hands.window._parts.tree
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Escape)
    hands.press(Key.Key_Down)  # in the tree
    assert hands.focus is tree
    assert "[0].inventory[1]" in open_rows(hands)
    hands.pane.view.setFocus()
    hands.press(Key.Key_Down, times=2)
    assert open_rows(hands)[-1] == "[0].inventory[3]"
    assert "[0].inventory[1]" in open_rows(hands)
    assert "[0].inventory[2]" not in open_rows(hands)


def test_csv_goes_out_and_comes_back(hands: Hands, tmp_path: Path) -> None:
    commands = hands.window._parts.grid
    path = tmp_path / "table.csv"
    commands.export(path)  # type: ignore[union-attr]
    text = path.read_text("utf-8")
    assert text.splitlines()[0].startswith("id,name,count")
    path.write_text(text.replace("Iron Sword", "Steel sword"), "utf-8")
    commands.import_(path)  # type: ignore[union-attr]
    assert hands.column(1)[0] == "Steel sword"
    assert hands.told == []


def test_the_table_can_have_all_of_the_window_and_wears_both_themes(hands: Hands) -> None:
    hands.press(Key.Key_F11)
    assert not hands.window._parts.tree.isVisible()
    hands.press(Key.Key_Escape)
    assert hands.window._parts.tree.isVisible()
    hands.pane.set_theme(ThemeController(QApplication.instance(), "dark").theme)  # type: ignore[arg-type]
    assert not hands.pane.view.grab().isNull()


def test_the_data_are_sorted_only_when_that_is_asked_for(hands: Hands) -> None:
    document = hands.window.session.document
    assert document is not None
    before = bytes(document.buffer[:])
    hands.press(Key.Key_Right)
    hands.press(Key.Key_S, CONTROL, ALT)
    shown = hands.column(1)
    assert bytes(document.buffer[:]) == before
    hands.window._actions["table_sort_data"].trigger()
    assert hands.column(1) == shown
    assert hands.pane.model.order is None
    assert len(document.history.labels) == 1
    hands.press(Key.Key_Z, CONTROL)
    assert bytes(document.buffer[:]) == before
    assert not hands.window._actions["table_sort_data"].isEnabled()
    assert "sort them" in hands.window._actions["table_sort_data"].toolTip()


def test_a_column_is_renamed_by_keys_and_a_name_that_cannot_be_is_refused_at_once(hands: Hands, qtbot: QtBot) -> None:
    seen: list[tuple[str, bool, str]] = []

    def answer() -> None:
        dialog = hands.window.findChild(RenameDialog)
        assert dialog is not None
        for name in ("", "name", "id", "number"):
            dialog.name.selectAll()
            qtbot.keyClick(dialog.name, Key.Key_Delete)
            qtbot.keyClicks(dialog.name, name)
            seen.append((name, dialog.rename_button.isEnabled(), dialog.words.text()))
        qtbot.keyClick(dialog.name, Key.Key_Return)
        if dialog.isVisible():
            dialog.reject()

    QTimer.singleShot(0, answer)
    hands.window._actions["table_rename"].trigger()
    assert seen == [
        ("", False, "A name is missing."),
        ("name", False, "[0] has the key name already."),
        ("id", False, ""),
        ("number", True, ""),
    ]
    document = hands.window.session.document
    assert document is not None
    assert document.history.undo_label.startswith("Rename a key in 24 rows")
    assert hands.path == "[0].inventory[0].number"


@pytest.mark.parametrize(
    ("column", "typed", "key", "is_free"),
    [
        (0, "5", Value("int", 5), False),
        (0, "6", Value("int", 6), True),
        (0, "six", Value("String", "six"), True),
        (1, r'"a\nb"', Value("String", "a\nb"), False),
        (1, r'"a\nc"', Value("String", "a\nc"), True),
        (1, "a", Value("String", "a"), False),
        (1, "A", Value("String", "A"), True),
        (2, "A", Value("String", "A"), True),
        (2, "5", Value("String", "5"), True),
    ],
)
def test_a_key_that_is_shown_as_a_literal_is_renamed_as_one(
    window: MainWindow, column: int, typed: str, key: Value, is_free: bool
) -> None:
    rows = r'[{5: 1, "a\nb": 2, "a": 0}, {5: 3, "a\nb": 4, "A": 0}]'
    document = Document(encode(parse_literal(rows, load("godot3")), load("godot3")))
    sheet = open_sheet(document, parse_path(document, "[0]"), is_turned=False)
    sheet.read_on(sheet.rows)
    dialog = RenameDialog(window, sheet, column)
    assert not dialog.rename_button.isEnabled()
    dialog.name.setText(typed)
    assert (dialog.key, dialog.rename_button.isEnabled()) == (key, is_free)
    dialog.deleteLater()


def test_all_selected_cells_are_set_at_once(hands: Hands) -> None:
    document = hands.window.session.document
    assert document is not None
    hands.press(Key.Key_Space, CONTROL)
    hands.type("7")
    hands.press(Key.Key_Return, CONTROL)
    assert set(hands.column(0)) == {"7"}
    assert len(document.history.labels) == 1


def test_space_turns_a_bool_over(hands: Hands) -> None:
    model = hands.pane.model
    place = next(k for k in range(model.columnCount()) if model.facts(0, k).state is not None)
    was = model.facts(0, place).state
    hands.press(Key.Key_Right, times=place)
    hands.press(Key.Key_Space)
    assert model.facts(0, place).state is not was


def test_only_changed_cells_are_marked_until_they_are_saved_or_taken_back(hands: Hands) -> None:
    pane = hands.pane

    def marked() -> list[tuple[int, int]]:
        model = pane.model
        cells = ((row, column) for row in range(model.rowCount()) for column in range(model.columnCount()))
        return [cell for cell in cells if model.is_modified(*cell)]

    assert marked() == []
    hands.press(Key.Key_Down)
    at = pane.view.currentIndex()
    place = (at.row(), at.column())
    hands.type("77")
    hands.press(Key.Key_Return)
    assert marked() == [place]
    hands.press(Key.Key_Z, CONTROL)
    assert marked() == []


def test_a_text_of_several_lines_is_changed_in_its_editor(hands: Hands) -> None:
    session = hands.window.session
    assert session.document is not None
    session.set_literal(parse_path(session.document, "[0].inventory[0].name"), '"two\\nlines"')
    hands.press(Key.Key_Right)
    asked: list[object] = []
    hands.window._parts.tree.editor_requested.connect(lambda: asked.append(hands.path))
    hands.press(Key.Key_F2)
    assert asked == ["[0].inventory[0].name"]
    assert not hands.pane.editor.is_open


def test_another_table_of_the_file_can_be_chosen(hands: Hands) -> None:
    hands.press(Key.Key_T, CONTROL, ALT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    words = [action.text() for action in menu.actions()]
    assert words[0].startswith("[0].inventory")
    menu.actions()[-1].trigger()
    menu.close()
    assert words[-1].startswith(hands.pane.title.title.text())
    assert isinstance(hands.focus, SheetView)


def test_a_table_stays_while_the_changed_bytes_are_read_beside_the_window(hands: Hands, qtbot: QtBot) -> None:
    session = hands.window.session
    assert session.document is not None
    session.document.patience = 0
    hands.press(Key.Key_Right)
    hands.type("A much longer name than before")
    with qtbot.waitSignal(session.reading.taken):
        hands.press(Key.Key_Return)
        session._untold.tell()
        assert hands.pane.isVisible()
        assert hands.column(1)[0] == "Iron Sword"
    qtbot.waitUntil(lambda: hands.path == "[0].inventory[1].name")
    assert hands.column(1)[0] == "A much longer name than before"


def test_a_table_goes_with_its_values(hands: Hands) -> None:
    session = hands.window.session
    assert session.document is not None
    session.set_literal(parse_path(session.document, "[0].player.name"), '"A longer name before the table"')
    assert hands.pane.isVisible()
    session.select(parse_path(session.document, "[0].inventory"))
    hands.window._parts.tree.setFocus()
    hands.press(Key.Key_Delete)
    assert not hands.pane.isVisible()
    session.undo()
    hands.press(Key.Key_T, CONTROL, SHIFT)
    session.show(None)
    assert not hands.pane.isVisible()


def test_a_table_comes_back_with_its_file(hands: Hands, rpg_path: Path, qtbot: QtBot) -> None:
    session, first = hands.window.session, hands.window.session.document
    session.show(Document.open(rpg_path))
    assert not hands.pane.isVisible()
    session.show(first)
    qtbot.waitUntil(hands.pane.isVisible)
    assert hands.pane.title.title.text() == "[0].inventory"


def test_texts_have_tables_too(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    path.write_text('{"items": [\n  {"id": 1, "name": "Bow"},\n  {"id": 2}\n]}\n', "utf-8")
    window.session.show(Document.open(path))
    hands = Hands(window, qtbot)
    window._parts.tree.setFocus()
    hands.press(Key.Key_T, CONTROL, SHIFT)
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Right)
    hands.type("Arrow")
    hands.press(Key.Key_Return)
    window.session.save()
    assert path.read_text("utf-8") == '{"items": [\n  {"id": 1, "name": "Bow"},\n  {"id": 2, "name": "Arrow"}\n]}\n'
