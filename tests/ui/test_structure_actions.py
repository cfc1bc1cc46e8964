"""Structure edited from the tree, by keys: what is done, and that nobody loses their place over it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import corpus
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.bulk import plan
from viewer.document.document import Document
from viewer.document.edits.packed import delete_elements, insert_elements
from viewer.document.edits.raw_bytes import fill, insert_bytes
from viewer.document.edits.retype import retype
from viewer.document.edits.setting import literal, set_literal
from viewer.document.edits.slots import EditError, inside
from viewer.document.edits.structure import move, sort_keys, to_bare
from viewer.document.path import parse_path
from viewer.document.splice import Edit
from viewer.ui.editors import packed_editor
from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.look.theme import ThemeController
from viewer.ui.tree import dragging
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.items import Item

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key


class Hands:
    """A person with a keyboard and nothing else."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self._qtbot = qtbot

    @property
    def focus(self) -> QWidget:
        """What the keys go to."""
        return QApplication.focusWidget() or self.window

    def press(self, key: Qt.Key, modifiers: Any = PLAIN, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            self._qtbot.keyClick(self.focus, key, modifiers)
            QApplication.processEvents()

    def write(self, text: str) -> None:
        """Type a text."""
        self._qtbot.keyClicks(self.focus, text)
        QApplication.processEvents()

    def go_to(self, path: str) -> None:
        """Go to a path and back into the tree."""
        self.press(Key.Key_G, CTRL)
        self.write(path)
        self.press(Key.Key_Return)
        for _ in range(6):
            if isinstance(self.focus, TreeView):
                return
            self.press(Key.Key_F6)
        raise AssertionError("F6 does not lead to the tree.")


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return Path(shutil.copy(RPG, tmp_path / "rpg.save"))


@pytest.fixture
def hands(qtbot: QtBot, qapp: QApplication, save: Path) -> Iterator[Hands]:
    window = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(window, before_close_func=lambda _: window.session.show(None))
    window.resize(1200, 700)
    window.show()
    window.open_path(save)
    window.activateWindow()
    tree(window).setFocus()
    QApplication.processEvents()
    yield Hands(window, qtbot)
    window.session.reading.leave()


def tree(window: MainWindow) -> TreeView:
    found = window.findChild(TreeView)
    assert isinstance(found, TreeView)
    return found


def value(document: Document, path: str) -> str:
    return literal(document, parse_path(document, path))


def test_a_save_is_edited_from_the_keyboard_alone(hands: Hands, save: Path) -> None:
    before = Document(save.read_bytes(), name="before")
    items = len(before.frames[0].table.children(parse_path(before, "[0].inventory").node))
    hands.press(Key.Key_F, CTRL)  # find the gold
    hands.write("gold")
    hands.press(Key.Key_Return)
    hands.press(Key.Key_Escape)
    assert hands.window.session.path.startswith("[0].player.gold")
    tree_reached(hands)
    hands.press(Key.Key_F2)  # change it
    hands.write("123")
    hands.press(Key.Key_Return)
    hands.go_to("[0].inventory[0]")
    hands.press(Key.Key_D, CTRL)  # add an item to the inventory
    assert hands.window.session.path == "[0].inventory[1]"
    hands.go_to("[0].inventory[1].name")
    hands.press(Key.Key_F2)  # rename it
    hands.write("Excalibur")
    hands.press(Key.Key_Return)
    hands.press(Key.Key_S, CTRL)
    after = Document(save.read_bytes(), name="after")
    assert value(after, "[0].player.gold") == "123"
    assert value(after, "[0].inventory[1].name") == '"Excalibur"'
    assert value(after, "[0].inventory[0]") == value(before, "[0].inventory[0]")
    assert value(after, "[0].inventory[2]") == value(before, "[0].inventory[1]")
    assert len(after.frames[0].table.children(parse_path(after, "[0].inventory").node)) == items + 1


def tree_reached(hands: Hands) -> None:
    """Go on with F6 until the keys go to the tree."""
    for _ in range(6):
        if isinstance(hands.focus, TreeView):
            return
        hands.press(Key.Key_F6)
    raise AssertionError("F6 does not lead to the tree.")


STEPS: dict[str, tuple[tuple[Qt.Key, Any], ...]] = {
    "delete": ((Key.Key_Delete, PLAIN),),
    "duplicate": ((Key.Key_D, CTRL),),
    "up": ((Key.Key_Up, CTRL | SHIFT),),
    "down": ((Key.Key_Down, CTRL | SHIFT),),
    "cut": ((Key.Key_X, CTRL),),
    "copy and paste": ((Key.Key_C, CTRL), (Key.Key_V, CTRL)),
    "copy and paste into": ((Key.Key_C, CTRL), (Key.Key_V, CTRL | ALT)),
    "insert": ((Key.Key_N, CTRL), (Key.Key_Return, PLAIN), (Key.Key_Escape, PLAIN)),
    "insert before": ((Key.Key_N, CTRL | SHIFT), (Key.Key_Return, PLAIN), (Key.Key_Escape, PLAIN)),
    "insert into": ((Key.Key_N, CTRL | ALT), (Key.Key_Return, PLAIN), (Key.Key_Return, PLAIN)),
}


@pytest.mark.parametrize("name", STEPS)
def test_what_is_open_and_selected_and_in_view_is_so_again_after_undo(hands: Hands, name: str) -> None:
    view = tree(hands.window)
    hands.go_to("[0].inventory[4]")
    hands.press(Key.Key_Right)
    hands.go_to("[0].inventory[2]")
    hands.press(Key.Key_Right)
    hands.press(Key.Key_Down, SHIFT) if name in ("delete", "cut", "duplicate", "up", "down") else None
    hands.go_to("[0].inventory[2]")
    before = seen(view)
    raw = bytes(hands.window.session.document.buffer)  # type: ignore[union-attr]
    for key, modifiers in STEPS[name]:
        hands.press(key, modifiers)
    assert bytes(hands.window.session.document.buffer) != raw  # type: ignore[union-attr]
    hands.press(Key.Key_Z, CTRL)
    assert bytes(hands.window.session.document.buffer) == raw  # type: ignore[union-attr]
    assert seen(view) == before


@pytest.mark.parametrize("name", STEPS)
def test_rows_that_an_operation_does_not_touch_stay_open_and_in_view(hands: Hands, name: str) -> None:
    view = tree(hands.window)
    hands.go_to("[0].inventory[6]")
    hands.press(Key.Key_Right)
    hands.go_to("[0].inventory[2]")
    path = "[0].inventory[6].name"
    document = hands.window.session.document
    assert document is not None
    text = value(document, path)
    for key, modifiers in STEPS[name]:
        hands.press(key, modifiers)
    shown = [view.tree_model.facts(index).text for index in open_rows(view)]
    assert text in shown


def open_rows(view: TreeView) -> Iterator[Any]:
    index = view.tree_model.index(0, 0)
    while index.isValid():
        yield index
        index = view.indexBelow(index)


def seen(view: TreeView) -> tuple[Any, ...]:
    """What a person sees of the tree."""
    rows = [(view.tree_model.path(index), view.isExpanded(index)) for index in open_rows(view)]
    selected = [view.tree_model.path(index) for index in view.selectionModel().selectedRows()]
    return rows, selected, view.tree_model.path(view.currentIndex()), view.verticalScrollBar().value()


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("[0].inventory[2]", ""),
        ("[0].inventory[2]", "int"),
        ("[0].settings.keys", "String"),
        ("[0].settings.recent", "int"),
    ],
)
def test_esc_in_the_field_of_a_new_value_takes_it_back(hands: Hands, path: str, typed: str) -> None:
    hands.go_to(path)
    view, document = tree(hands.window), hands.window.session.document
    assert document is not None
    raw = bytes(document.buffer)
    hands.press(Key.Key_N, CTRL | ALT)
    hands.write(typed)
    hands.press(Key.Key_Return)
    assert view.editor.is_open
    assert bytes(document.buffer) != raw
    hands.press(Key.Key_Escape)
    assert bytes(document.buffer) == raw
    assert not document.history.can_undo
    assert not document.modified
    assert hands.window.session.path == path
    assert hands.focus is view


@pytest.mark.parametrize(
    ("typed", "way"),
    [
        *[(typed, way) for typed in ("PoolIntArray", "PoolByteArray", "PoolStringArray") for way in ("Esc", "Cancel")],
        ("PoolByteArray", "grid"),
    ],
)
def test_esc_in_the_editor_of_a_new_packed_array_takes_it_back(hands: Hands, typed: str, way: str) -> None:
    path = "[0].settings.recent"
    hands.go_to(path)
    view, document = tree(hands.window), hands.window.session.document
    assert document is not None
    raw = bytes(document.buffer)
    hands.press(Key.Key_N, CTRL | ALT)
    hands.write(typed)
    hands.press(Key.Key_Return)
    card = open_card()
    assert bytes(document.buffer) != raw
    if way == "grid":
        assert isinstance(card.editor, BytesEditor)
        card.editor.grid_button.click()
        assert bytes(document.buffer) != raw
        QApplication.processEvents()
        card = open_card()
        assert isinstance(card.editor, PackedEditor)
    if way == "Cancel":
        card.cancel_button.click()
    else:
        QTest.keyClick(card, Key.Key_Escape)
    QApplication.processEvents()
    assert bytes(document.buffer) == raw
    assert not document.history.can_undo
    assert not document.modified
    assert hands.window.session.path == path
    assert hands.window.focusWidget() is view


def test_a_new_array_whose_grid_cannot_be_opened_is_taken_back(
    hands: Hands, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.go_to("[0].settings.recent")
    document = hands.window.session.document
    assert document is not None
    raw = bytes(document.buffer)
    hands.press(Key.Key_N, CTRL | ALT)
    hands.write("PoolByteArray")
    hands.press(Key.Key_Return)
    card = open_card()
    assert isinstance(card.editor, BytesEditor)
    monkeypatch.setattr(packed_editor, "MOST_ROWS", -1)
    with qtbot.waitSignal(hands.window.session.failed):
        card.editor.grid_button.click()
    QApplication.processEvents()
    assert bytes(document.buffer) == raw
    assert not document.history.can_undo


def test_a_new_packed_array_that_is_applied_stays_and_esc_in_a_later_editor_takes_none_back(hands: Hands) -> None:
    hands.go_to("[0].settings.recent")
    document = hands.window.session.document
    assert document is not None
    raw = bytes(document.buffer)
    hands.press(Key.Key_N, CTRL | ALT)
    hands.write("PoolIntArray")
    hands.press(Key.Key_Return)
    QTest.keyClick(open_card(), Key.Key_Return, CTRL)
    QApplication.processEvents()
    after = bytes(document.buffer)
    assert after != raw
    hands.window.activateWindow()
    QApplication.processEvents()
    hands.press(Key.Key_F2)
    QTest.keyClick(open_card(), Key.Key_Escape)
    QApplication.processEvents()
    assert bytes(document.buffer) == after


def open_card() -> EditorCard:
    """The editor that is open."""
    card = QApplication.activeModalWidget()
    assert isinstance(card, EditorCard)
    return card


def test_esc_in_a_field_opened_later_takes_no_new_value_back(hands: Hands) -> None:
    hands.go_to("[0].inventory[2]")
    document = hands.window.session.document
    assert document is not None
    hands.press(Key.Key_N, CTRL | ALT)
    hands.write("int")
    hands.press(Key.Key_Return)
    hands.write("age")
    hands.press(Key.Key_Return)
    after = bytes(document.buffer)
    hands.press(Key.Key_F2)
    hands.press(Key.Key_Escape)
    assert bytes(document.buffer) == after
    assert value(document, "[0].inventory[2].age") == "0"


def test_a_row_dragged_between_others_moves_there_and_nothing_else_does(hands: Hands) -> None:
    view = tree(hands.window)
    document = hands.window.session.document
    assert document is not None
    hands.go_to("[0].inventory[4]")
    text = value(document, "[0].inventory[4]")
    drag(view, "[0].inventory[1]", upper=True)
    assert value(document, "[0].inventory[1]") == text
    assert hands.window.session.path == "[0].inventory[1]"
    hands.press(Key.Key_Z, CTRL)
    assert hands.window.session.path == "[0].inventory[4]"


def test_a_collection_is_not_dropped_into_itself(hands: Hands) -> None:
    view = tree(hands.window)
    document = hands.window.session.document
    assert document is not None
    hands.go_to("[0].inventory[2]")
    hands.press(Key.Key_Right)
    hands.go_to("[0].inventory")
    raw, said = bytes(document.buffer), []
    hands.window.session.failed.connect(said.append)
    drag(view, "[0].inventory[2].name", upper=True)
    assert bytes(document.buffer) == raw
    assert said == ["A value cannot be moved into itself; choose another place."]


def drag(view: TreeView, path: str, upper: bool) -> None:
    """Drag the selected rows to the upper or lower edge of another row, and drop them."""
    document = view.tree_model.shown_document
    assert document is not None
    index = view.tree_model.index_of(parse_path(document, path))
    view.scrollTo(index)
    row = view.row_rect(index)
    place = QPointF(row.center().x(), row.top() + 2 if upper else row.bottom() - 2)
    goal = dragging.target(view, place.toPoint())
    assert goal is not None
    try:
        view._session.apply(dragging.dropped(QMimeData(), goal, view.selected_items()))
    except EditError as error:
        view._session.failed.emit(str(error))


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "02 00 00 00 07 00 00 00",
        "[2, 0, 0, 0, 7, 0, 0, 0]",
        "AgAAAAcAAAA=",
        'b"\\x02\\x00\\x00\\x00\\x07\\x00\\x00\\x00"',
        '"i:7"',
    ],
)
def test_a_value_is_pasted_from_any_form_of_text(hands: Hands, text: str) -> None:
    document = hands.window.session.document
    assert document is not None
    hands.go_to("[0].inventory[0]")
    QGuiApplication.clipboard().setText(text)
    hands.press(Key.Key_V, CTRL)
    assert value(document, "[0].inventory[1]") == "7"


def test_half_a_literal_on_the_clipboard_changes_nothing_and_is_explained(hands: Hands) -> None:
    said: list[str] = []
    hands.window.session.failed.connect(said.append)
    hands.go_to("[0].inventory[0]")
    QGuiApplication.clipboard().setText("Vector2( 1,")
    hands.press(Key.Key_V, CTRL)
    assert not hands.window.isWindowModified()
    assert len(said) == 1


EDITS: dict[str, Callable[[Document], Edit]] = {
    "sort keys": lambda d: sort_keys(d, parse_path(d, "[0].player")),
    "retype": lambda d: retype(d, parse_path(d, "[0].player.gold"), "String").edit,
    "rename a key": lambda d: set_literal(d, Item(0, parse_path(d, "[0].player.gold").node - 1), '"coins"'),
    "move between collections": lambda d: move(
        d, [parse_path(d, "[0].inventory[3]")], inside(d, parse_path(d, "[0].player"))
    ),
    "insert elements": lambda d: insert_elements(d, parse_path(d, "[0].quests.quest_11.steps"), 2, [7, 8]),
    "delete elements": lambda d: delete_elements(d, parse_path(d, "[0].quests.quest_11.steps"), [range(1, 4)]),
    "take the length away": to_bare,
    "bulk edit": lambda d: plan(d, "inventory[*].count -> value + 1").edit,
    "insert bytes": lambda d: insert_bytes(d, parse_offset(d, "[0].player.name") + 10, b"abc"),
    "fill": lambda d: fill(d, Span(0x300, 0x310), b"\x01"),
}


@pytest.mark.parametrize("name", EDITS)
def test_after_undo_of_any_edit_the_tree_is_seen_as_before(hands: Hands, name: str) -> None:
    view, session = tree(hands.window), hands.window.session
    document = session.document
    assert document is not None
    hands.go_to("[0].quests.quest_11.steps")
    hands.press(Key.Key_Right)
    hands.go_to("[0].player.hp")
    hands.go_to("[0].inventory[2]")
    before, raw = seen(view), bytes(document.buffer[:])
    session.apply(EDITS[name](document))
    assert bytes(document.buffer[:]) != raw
    session.undo()
    assert bytes(document.buffer[:]) == raw
    assert seen(view) == before


def parse_offset(document: Document, path: str) -> int:
    return outline.span(document, parse_path(document, path)).start


@pytest.mark.parametrize("how", ["another file", "another edit"])
def test_a_type_that_is_chosen_for_values_that_changed_meanwhile_is_put_nowhere(hands: Hands, how: str) -> None:
    window = hands.window
    hands.go_to("[0].player")
    hands.press(Key.Key_N, CTRL)
    if how == "another file":
        window.session.show(Document(RPG.read_bytes(), name="another"))
    else:
        document = window.session.document
        assert document is not None
        window.session.apply(set_literal(document, parse_path(document, "[0].player.gold"), "7"))
    shown = window.session.document
    assert shown is not None
    before = bytes(shown.buffer[:])
    with hands._qtbot.waitSignal(window.session.failed, timeout=5000):
        window._editing._chooser.get().card.chosen.emit(0)
    assert bytes(shown.buffer[:]) == before


def test_an_item_like_its_neighbour_is_two_keys_away_and_opens_at_its_first_field(hands: Hands) -> None:
    window = hands.window
    hands.go_to("[0].inventory[1]")
    hands.press(Key.Key_N, CTRL)
    card = window._editing._chooser.get().card
    assert card.field.placeholderText() == "New value after [0].inventory[1]"
    assert card.rows[0].title == "Like [1]"
    hands.press(Key.Key_Return)
    assert window.session.path == "[0].inventory[2].id"
    assert isinstance(hands.focus, TreeView)


@pytest.mark.parametrize(
    ("typed", "title"),
    [("5", "5"), ("Iron Sword", "The text “Iron Sword”"), ("dict", "Dictionary"), ("[1, 2]", "[1, 2]")],
)
def test_a_value_a_text_or_a_type_is_typed_in_the_same_field(hands: Hands, typed: str, title: str) -> None:
    window = hands.window
    hands.go_to("[0].inventory[1]")
    hands.press(Key.Key_N, CTRL)
    card = window._editing._chooser.get().card
    hands.write(typed)
    assert card.rows[0].title == title
    before = bytes(window.session.document.buffer[:])  # type: ignore[union-attr]
    hands.press(Key.Key_Return)
    assert bytes(window.session.document.buffer[:]) != before  # type: ignore[union-attr]
    assert card.isHidden()


def test_on_a_list_the_first_offer_is_another_row_in_it(hands: Hands) -> None:
    window = hands.window
    hands.go_to("[0].inventory")
    document = window.session.document
    assert document is not None
    count = inside(document, parse_path(document, "[0].inventory")).number
    hands.press(Key.Key_N, CTRL)
    card = window._editing._chooser.get().card
    assert [row.title for row in card.rows[:2]] == [f"Into inventory, like [{count - 1}]", "Like inventory"]
    hands.press(Key.Key_Return)
    assert window.session.path == f"[0].inventory[{count}].id"
    assert inside(document, parse_path(document, "[0].inventory")).number == count + 1
