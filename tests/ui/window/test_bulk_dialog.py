"""The dialog for bulk edits: what it says while one types, and that Apply is one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.bulk.form_expression import FormTest, ValueChoice
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.panel_widgets import FlatButton
from viewer.ui.session import Session
from viewer.ui.window.bulk_dialog import BulkDialog
from viewer.ui.window.bulk_form import BulkForm
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

SAMPLE = Path(__file__).parents[3] / "resources" / "samples" / "godot3-rpg.save"


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.show(Document.open(SAMPLE))
    return session


@pytest.fixture
def dialog(qtbot: QtBot, session: Session) -> Iterator[BulkDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = BulkDialog(parent, session, theme("light"))
    dialog.show()
    yield dialog
    dialog.reject()


def typed(qtbot: QtBot, dialog: BulkDialog, text: str) -> None:
    dialog.field.clear()
    with qtbot.waitSignal(dialog.model.modelReset):
        qtbot.keyClicks(dialog.field, text)
    qtbot.waitUntil(lambda: dialog.says.text() != "Looking…")


def shown(dialog: BulkDialog) -> list[list[str]]:
    model = dialog.model
    return [[str(model.data(model.index(row, column))) for column in range(3)] for row in range(model.rowCount())]


def test_many_values_are_counted_in_groups(qtbot: QtBot, session: Session, dialog: BulkDialog) -> None:
    #                     Array           12 000 times false
    raw = bytes.fromhex("13000000") + (12_000).to_bytes(4, "little") + bytes.fromhex("01000000 00000000") * 12_000
    session.show(Document(raw, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)))
    typed(qtbot, dialog, "[0][*] -> true")
    assert "12\u202f000" in dialog.says.text()


def test_it_shows_what_would_change(qtbot: QtBot, dialog: BulkDialog) -> None:
    typed(qtbot, dialog, "player.gold -> value * 2")
    assert shown(dialog) == [["[0].player.gold", "1375", "2750"]]
    assert dialog.says.text() == "1 value changes."
    assert dialog.apply_button.isEnabled()


def test_enter_applies_it_as_one_step(qtbot: QtBot, dialog: BulkDialog, session: Session) -> None:
    typed(qtbot, dialog, "inventory[*].count -> 7")
    before = bytes(session.document.buffer[:])  # type: ignore[union-attr]
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert session.document is not None
    assert session.document.history.undo_label.startswith("Bulk Edit of ")
    session.undo()
    assert bytes(session.document.buffer[:]) == before


def test_a_mistake_is_said_with_its_place(qtbot: QtBot, dialog: BulkDialog) -> None:
    qtbot.keyClicks(dialog.field, "player.gold => 5")
    assert dialog.says.text().endswith("(at character 13)")
    assert not dialog.apply_button.isEnabled()


def test_enter_does_nothing_while_there_is_a_mistake(qtbot: QtBot, dialog: BulkDialog, session: Session) -> None:
    qtbot.keyClicks(dialog.field, "player.gold")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert session.document is not None
    assert not session.document.modified


def test_rows_that_cannot_change_say_why_in_a_tint(qtbot: QtBot, dialog: BulkDialog) -> None:
    typed(qtbot, dialog, "player.name -> 5")
    row = dialog.model.index(0, 2)
    assert "stays of type String" in str(dialog.model.data(row))
    assert dialog.model.data(row, Qt.ItemDataRole.BackgroundRole) == theme("light").state("warning").bg
    assert not dialog.apply_button.isEnabled()


def test_the_chosen_row_says_in_full_why_it_stays(qtbot: QtBot, dialog: BulkDialog) -> None:
    typed(qtbot, dialog, "player.name -> 5")
    dialog.table.setFocus()
    dialog.table.selectRow(0)
    assert dialog.detail.text().startswith("This stays of type String")


def test_nothing_found_is_said(qtbot: QtBot, dialog: BulkDialog) -> None:
    typed(qtbot, dialog, "nobody.gold -> 5")
    assert dialog.says.text() == "Nothing in this file matches."


def test_escape_leaves_the_document(qtbot: QtBot, dialog: BulkDialog, session: Session) -> None:
    typed(qtbot, dialog, "player.gold -> 5")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert session.document is not None
    assert not session.document.modified


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    window = MainWindow(None, ThemeController(app, "light"))
    qtbot.addWidget(window, before_close_func=lambda _: take_all_back(window.session))
    window.open_path(SAMPLE)
    window.show()
    return window


def take_all_back(session: Session) -> None:
    """Leave nothing to be saved, which closing would ask about."""
    if session.document is not None:
        for _ in range(session.document.history.done):
            session.undo()


def opened(window: MainWindow, do: Callable[[BulkDialog], None], button: str = "") -> None:
    """Have the dialog opened by the menu, or by what hangs under the search field; *do* something in it."""
    failures: list[BaseException] = []

    def work() -> None:
        dialog = window.findChild(BulkDialog)
        assert dialog is not None
        try:
            do(dialog)
        except BaseException as failure:
            failures.append(failure)
        if dialog.isVisible():
            dialog.reject()

    QTimer.singleShot(0, work)
    if button:
        found = window.findChild(FlatButton, button)
        assert found is not None
        found.click()
    else:
        action = window.findChild(QAction, "bulk_edit")
        assert action is not None
        action.trigger()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if failures:
        raise failures[0]


def found(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Look for a text by keyboard."""
    find = window._parts.find
    window.activateWindow()
    find.focus()
    qtbot.keyClicks(find.line, text)
    qtbot.waitUntil(lambda: find.runner.is_complete and find.runner.total > 0)
    find._offer_chips()


def planned(qtbot: QtBot, dialog: BulkDialog) -> None:
    qtbot.waitUntil(lambda: dialog.says.text() != "Looking…")


def test_a_fresh_opening_knows_nothing_of_a_line_that_was_given_up(qtbot: QtBot, window: MainWindow) -> None:
    found(qtbot, window, "health")

    def give_up(dialog: BulkDialog) -> None:
        qtbot.keyClicks(dialog.form.new, "99")
        assert dialog.field.text() == dialog.form.line != ""
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    def look(dialog: BulkDialog) -> None:
        assert dialog.field.text() == dialog.form.line == ""
        qtbot.keyClick(dialog.form.new, Qt.Key.Key_Return)
        assert dialog.isVisible()

    opened(window, give_up, "changeFound")
    opened(window, look)
    assert window.session.document is not None
    assert not window.session.document.modified


def test_what_was_found_and_is_not_meant_is_said(qtbot: QtBot, window: MainWindow) -> None:
    found(qtbot, window, "HEALTH")
    assert window._parts.find.runner.total == 3

    def look(dialog: BulkDialog) -> None:
        qtbot.keyClicks(dialog.form.new, "99")
        planned(qtbot, dialog)
        assert dialog.field.text() == '..* if key contains "health" -> 99'
        assert dialog.says.text() == (
            "The search found 3 places, 2 values are meant; choose others at “Change”. 2 values change."
        )
        qtbot.keyClicks(dialog.form.new, "0")
        dialog.form.test.setCurrentIndex(list(FormTest).index(FormTest.MORE))
        qtbot.keyClicks(dialog.form.operand, "0")
        planned(qtbot, dialog)
        assert dialog.says.text() == "2 values change."

    opened(window, look, "changeFound")


def test_ctrl_z_takes_back_what_was_done_with_what_was_found(qtbot: QtBot, window: MainWindow) -> None:
    document = window.session.document
    assert document is not None
    before = bytes(document.buffer[:])
    found(qtbot, window, "count")

    def apply(dialog: BulkDialog) -> None:
        qtbot.keyClicks(dialog.form.new, "7")
        planned(qtbot, dialog)
        qtbot.keyClick(dialog.form.new, Qt.Key.Key_Return)

    opened(window, apply, "changeFound")
    assert bytes(document.buffer[:]) != before
    toast = window._toast.get()
    assert toast.line.text().endswith("values changed; Ctrl+Z undoes that.")
    assert toast.action_button.text() == "Undo"
    window.activateWindow()
    qtbot.waitUntil(window._parts.tree.hasFocus)
    qtbot.keyClick(window._parts.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bytes(document.buffer[:]) == before
    assert window._parts.find.line.text() == "count"


def test_a_line_written_by_hand_puts_the_form_off_until_it_is_empty(qtbot: QtBot, dialog: BulkDialog) -> None:
    form = dialog.form
    qtbot.keyClicks(form.what, "gold")
    qtbot.keyClicks(form.new, "5")
    assert dialog.field.text() == "..gold -> 5"
    qtbot.keyClicks(dialog.field, "0")
    assert not form.what.isEnabled()
    assert not form.new.isEnabled()
    assert "written by hand" in dialog.about.text()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Backspace)
    assert form.what.isEnabled()
    dialog.field.selectAll()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Delete)
    assert form.new.isEnabled()
    assert form.line == dialog.field.text() == form.new.text() == ""
    assert dialog.says.text() == "Say what they become."


def test_it_says_which_field_is_empty_and_goes_there(qtbot: QtBot, dialog: BulkDialog) -> None:
    form = dialog.form
    assert dialog.says.text() == "Say what the values are called."
    qtbot.keyClicks(form.what, "gold")
    assert dialog.says.text() == "Say what they become."
    qtbot.keyClicks(form.new, "5")
    assert form.operand.placeholderText() == ""
    dialog.activateWindow()
    form.test.setFocus()
    qtbot.keyClick(form.test, Qt.Key.Key_Down)
    assert form.answers.test is FormTest.LESS
    assert not form.operand.hasFocus()
    assert dialog.says.text() == "Say below which number."
    assert form.operand.placeholderText() == "such as 50"
    form.test.showPopup()
    qtbot.keyClick(form.test.view(), Qt.Key.Key_Down)
    qtbot.keyClick(form.test.view(), Qt.Key.Key_Return)
    assert form.answers.test is FormTest.MORE
    assert dialog.says.text() == "Say above which number."


def test_the_list_keeps_the_keys_after_a_choice_and_tab_leads_to_the_number(qtbot: QtBot, dialog: BulkDialog) -> None:
    form = dialog.form
    dialog.activateWindow()
    form.test.setFocus()
    form.test.showPopup()
    qtbot.keyClick(form.test.view(), Qt.Key.Key_Down)
    qtbot.keyClick(form.test.view(), Qt.Key.Key_Return)
    assert form.answers.test is FormTest.LESS
    qtbot.waitUntil(form.test.hasFocus)
    qtbot.keyClick(form.test, Qt.Key.Key_Tab)
    assert form.operand.hasFocus()


def test_the_letters_of_the_form_always_lead_somewhere(qtbot: QtBot, dialog: BulkDialog) -> None:
    form, alt = dialog.form, Qt.KeyboardModifier.AltModifier
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    for key, goal in ((Qt.Key.Key_W, form.test), (Qt.Key.Key_I, form.scope), (Qt.Key.Key_N, form.become)):
        qtbot.keyClick(dialog, key, alt)
        assert goal.hasFocus()
    typed(qtbot, dialog, "player.gold -> 5")
    for key in (Qt.Key.Key_G, Qt.Key.Key_I, Qt.Key.Key_W, Qt.Key.Key_N):
        dialog.table.setFocus()
        qtbot.keyClick(dialog, key, alt)
        assert dialog.field.hasFocus()


def chosen(form: BulkForm) -> list[str]:
    """The places that are offered, that which is chosen in brackets."""
    places = [form.scope.itemText(k) for k in range(form.scope.count())]
    places[form.scope.currentIndex()] = f"({form.scope.currentText()})"
    return places


@pytest.mark.parametrize(
    ("path", "table", "places", "name"),
    [
        ("[0]", "", ["below [0]", "(the whole file)"], ""),
        ("[0].inventory", "", ["(below [0].inventory)", "below [0]", "the whole file"], ""),
        ("[0].player.gold", "", ["below [0].player", "below [0]", "(the whole file)"], "gold"),
        (
            "[0].inventory[2].count",
            "[0].inventory",
            ["below [0].inventory[2]", "(below [0].inventory)", "below [0]", "the whole file"],
            "count",
        ),
        (
            "[0].inventory[2]",
            "[0].inventory",
            ["below [0].inventory[2]", "(below [0].inventory)", "below [0]", "the whole file"],
            "",
        ),
    ],
)
def test_it_is_kept_below_what_is_selected_or_shown_as_a_table(
    qtbot: QtBot, session: Session, path: str, table: str, places: list[str], name: str
) -> None:
    document, parent = session.document, QWidget()
    assert document is not None
    qtbot.addWidget(parent)
    session.select(parse_path(document, path))
    holder = parse_path(document, table) if table else None
    form = BulkDialog(parent, session, theme("light"), table=holder).form
    assert chosen(form) == places
    assert form.what.currentText() == name


def test_a_change_of_the_selected_list_leaves_the_other_values_of_this_name(qtbot: QtBot, session: Session) -> None:
    document, parent = session.document, QWidget()
    assert document is not None
    qtbot.addWidget(parent)
    session.select(parse_path(document, "[0].inventory"))
    dialog = BulkDialog(parent, session, theme("light"))
    names = [dialog.form.what.itemText(k) for k in range(dialog.form.what.count())]
    assert "count" in names
    assert "gold" not in names
    qtbot.keyClicks(dialog.form.what, "count")
    qtbot.keyClicks(dialog.form.new, "+10")
    planned(qtbot, dialog)
    assert dialog.field.text() == "[0].inventory..count -> value + 10"
    assert all(int(after) == int(before) + 10 for _, before, after in shown(dialog))
    dialog.reject()


@pytest.mark.parametrize(
    ("name", "new", "says"),
    [
        ("gold", "much", "“much” is not an int, such as 99."),
        ("gold", "int(9)", "“int(9)” is not an int, such as 99."),
        ("gold", "1.5", "1.5 is not a whole number, and this stays an int."),
        ("health", "much", "“much” is not a float, such as 1.5."),
        ("name", "5", '5 is a number, and this stays a text; type it in quotes: "5".'),
    ],
)
def test_the_form_says_what_to_type_there(qtbot: QtBot, dialog: BulkDialog, name: str, new: str, says: str) -> None:
    qtbot.keyClicks(dialog.form.what, name)
    qtbot.keyClicks(dialog.form.new, new)
    planned(qtbot, dialog)
    assert dialog.detail.text() == says
    assert dialog.says.text().startswith("No value changes: ")
    assert "(" not in dialog.says.text()


def test_a_condition_that_is_no_number_is_told(qtbot: QtBot, dialog: BulkDialog) -> None:
    form = dialog.form
    qtbot.keyClicks(form.what, "gold")
    qtbot.keyClicks(form.new, "5")
    form.test.setCurrentIndex(list(FormTest).index(FormTest.LESS))
    qtbot.keyClicks(form.operand, "5x")
    assert dialog.says.text().startswith("“5x” is not a number, such as 50")
    assert not dialog.apply_button.isEnabled()


def test_types_are_offered_where_a_type_is_asked_for(qtbot: QtBot, dialog: BulkDialog, session: Session) -> None:
    form = dialog.form
    qtbot.keyClicks(form.what, "gold")
    form.which.setCurrentIndex(list(ValueChoice).index(ValueChoice.TYPED))
    offered = [form.what.itemText(k) for k in range(form.what.count())]
    assert "Color" in offered
    assert "gold" not in offered
    assert form.what.currentText() == "Dictionary"  # as the selected value


def test_why_a_value_stays_is_said_in_full_at_once(qtbot: QtBot, dialog: BulkDialog) -> None:
    typed(qtbot, dialog, 'player.health -> "much"')
    assert (
        dialog.detail.text()
        == "This stays of type float, and the new value is a text; write int(…) or float(…) around it."
    )


def test_nothing_is_cut_at_the_smallest_size(qtbot: QtBot, dialog: BulkDialog) -> None:
    dialog.resize(1, 1)
    QApplication.processEvents()
    assert dialog.field.height() >= dialog.field.minimumSizeHint().height()
    assert dialog.form.geometry().bottom() < dialog.about.geometry().top()


def test_from_a_cell_of_a_table_the_table_is_meant(qtbot: QtBot, window: MainWindow) -> None:
    document = window.session.document
    assert document is not None
    window.session.select(parse_path(document, "[0].inventory[1].count"))
    window.activateWindow()
    window._actions["table"].trigger()
    assert window._parts.grid is not None
    qtbot.waitUntil(lambda: window._parts.grid is not None and window._parts.grid.in_use)

    def look(dialog: BulkDialog) -> None:
        assert dialog.form.scope.currentText() == "below [0].inventory"
        assert dialog.form.what.currentText() == "count"
        qtbot.keyClicks(dialog.form.new, "*2")
        planned(qtbot, dialog)
        assert dialog.field.text() == "[0].inventory..count -> value * 2"
        assert dialog.says.text().endswith("values change.")

    opened(window, look)
