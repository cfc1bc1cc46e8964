"""The path bar and the search field, over a real file and the real session."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui.look.palette import DARK, LIGHT, theme
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.path_bar import PathBar, PathPiece, PieceKind
from viewer.ui.session import Session

FILES = Path(__file__).parents[1] / "data/godot3/files"
LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.show(Document.open(FILES / "rpg.save"))
    return session


@pytest.fixture
def window(session: Session, qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(PathBar(session, theme(LIGHT)))
    column.addWidget(FindField(session, theme(LIGHT)))
    column.addStretch(1)
    window.resize(900, 300)
    window.show()
    return window


@pytest.fixture
def bar(window: QWidget, session: Session) -> PathBar:
    assert session.document is not None
    session.select(parse_path(session.document, "[0].inventory[0].tint"))
    return window.findChild(PathBar)


@pytest.fixture
def find(window: QWidget) -> FindField:
    return window.findChild(FindField)


def piece(bar: PathBar, kind: PieceKind, index: int) -> PathPiece:
    return next(found for found in bar.pieces if (found.kind, found.index) == (kind, index))


def click(qtbot: QtBot, bar: PathBar, found: PathPiece) -> None:
    qtbot.mouseClick(bar, LEFT, pos=found.rect.center().toPoint())


def write(qtbot: QtBot, bar: PathBar, text: str) -> None:
    bar.edit()
    qtbot.keyClicks(bar.field.line, text)
    qtbot.keyClick(bar.field.line, Qt.Key.Key_Return)


def test_the_steps_lead_to_the_selected_item(bar: PathBar) -> None:
    assert bar.steps == ["rpg.save", "[0]", "inventory", "[0]", "tint"]


def test_a_click_on_a_step_selects_it(bar: PathBar, session: Session, qtbot: QtBot) -> None:
    click(qtbot, bar, piece(bar, PieceKind.CRUMB, 2))
    assert session.path == "[0].inventory"


def test_a_chevron_lists_what_stands_beside(bar: PathBar, session: Session) -> None:
    menu = bar.menu_for(piece(bar, PieceKind.CHEVRON, 3))
    assert [action.text() for action in menu.actions()][:3] == ["[0]", "[1]", "[2]"]
    assert menu.actions()[0].isChecked()
    menu.actions()[5].trigger()
    assert session.path == "[0].inventory[5]"


def test_keys_walk_between_the_steps(bar: PathBar, session: Session, qtbot: QtBot) -> None:
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(4):
        qtbot.keyClick(bar, Qt.Key.Key_Left)
    qtbot.keyClick(bar, Qt.Key.Key_Return)
    assert session.path == "[0].inventory"


def test_a_long_path_hides_its_middle_behind_a_menu(bar: PathBar, session: Session, window: QWidget) -> None:
    window.resize(340, 300)
    QApplication.processEvents()
    more = next(found for found in bar.pieces if found.kind is PieceKind.MORE)
    assert bar.pieces[0].index == 0
    assert bar.pieces[-1].index == 4
    assert bar.pieces[-1].rect.right() < bar.width()
    menu = bar.menu_for(more)
    assert menu.actions()[0].text() == "[0]"
    menu.actions()[0].trigger()
    assert session.path == "[0]"


def test_a_click_on_free_space_makes_it_a_text_field(bar: PathBar, qtbot: QtBot) -> None:
    qtbot.mouseClick(bar, LEFT, pos=bar.rect().center())
    assert bar.field.isVisible()
    assert bar.field.line.selectedText() == "[0].inventory[0].tint"


@pytest.mark.parametrize(
    ("text", "path"),
    [("[0].player.gold", "[0].player.gold"), ("0x354", "[0].player.skin.g"), ("912", "[0].player.target@header")],
)
def test_enter_goes_to_a_path_or_offset(bar: PathBar, session: Session, qtbot: QtBot, text: str, path: str) -> None:
    write(qtbot, bar, text)
    assert session.path == path
    assert not bar.field.isVisible()


def test_a_wrong_path_keeps_the_text_and_says_why(bar: PathBar, session: Session, qtbot: QtBot) -> None:
    before = session.path
    write(qtbot, bar, "[0].player.golf")
    assert bar.field.isVisible()
    assert bar.field.line.text() == "[0].player.golf"
    assert "There is no key golf" in bar.field.error.text
    assert bar.field.error.isVisible()
    assert session.path == before
    qtbot.keyClick(bar.field.line, Qt.Key.Key_Backspace)
    assert not bar.field.error.isVisible()


def test_a_long_sentence_takes_more_lines_in_a_narrow_window(window: QWidget, bar: PathBar) -> None:
    error = bar.field.error
    error.say("Short.")
    one = error.height()
    error.say("There is nothing in these words that may be cut, however narrow the window becomes. " * 2)
    window.resize(420, 300)
    QApplication.processEvents()
    assert error.width() <= 420
    assert error.height() > one


def test_escape_leaves_the_text_field(bar: PathBar, qtbot: QtBot) -> None:
    bar.edit()
    with qtbot.waitSignal(bar.left):
        qtbot.keyClick(bar.field.line, Qt.Key.Key_Escape)
    assert not bar.field.isVisible()


def test_nothing_open_shows_no_steps(bar: PathBar, session: Session) -> None:
    session.show(None)
    assert bar.steps == []
    bar.edit()
    assert not bar.field.isVisible()


# Search


def look_for(qtbot: QtBot, find: FindField, text: str) -> None:
    find.line.clear()
    qtbot.keyClicks(find.line, text)
    qtbot.waitUntil(lambda: find.runner.is_complete)


def test_hits_are_counted_while_a_person_types(find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    assert (len(find.hits), find.count_text) == (3, "3")
    assert find.current is None


def test_enter_and_f3_step_through_the_hits(find: FindField, session: Session, qtbot: QtBot) -> None:
    session.go_to(0)
    look_for(qtbot, find, "iron")
    for key, expected in ((Qt.Key.Key_Return, 0), (Qt.Key.Key_F3, 1), (Qt.Key.Key_F3, 2), (Qt.Key.Key_F3, 0)):
        qtbot.keyClick(find.line, key)
        assert find.current == find.hits[expected]
        assert session.caret == find.hits[expected].start
        assert session.marked_span == find.hits[expected]
        assert find.count_text == f"{expected + 1} of 3"


def test_shift_f3_steps_back_around_the_start(find: FindField, session: Session, qtbot: QtBot) -> None:
    session.go_to(0)
    look_for(qtbot, find, "iron")
    qtbot.keyClick(find.line, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert find.current == find.hits[2]


def test_enter_before_the_search_is_through_still_goes(find: FindField, session: Session, qtbot: QtBot) -> None:
    session.go_to(0)
    qtbot.keyClicks(find.line, "iron")
    qtbot.keyClick(find.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: find.current is not None)
    assert session.caret == find.hits[0].start


def test_the_buttons_step_too(find: FindField, session: Session, qtbot: QtBot) -> None:
    session.go_to(0)
    look_for(qtbot, find, "iron")
    qtbot.mouseClick(find.next_button, LEFT)
    qtbot.mouseClick(find.next_button, LEFT)
    qtbot.mouseClick(find.previous_button, LEFT)
    assert find.current == find.hits[0]


def test_escape_clears_and_returns(find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "iron")
    with qtbot.waitSignals([find.escaped, find.hits_changed]):
        qtbot.keyClick(find.line, Qt.Key.Key_Escape)
    assert (find.line.text(), find.hits, find.count_text) == ("", [], "")


def test_what_is_not_there_is_said(find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "no such thing")
    assert find.count_text == "none"


def test_wrong_hex_says_why(find: FindField, qtbot: QtBot) -> None:
    look_for(qtbot, find, "hex: 1")
    assert "two digits" in find.error
    assert find.line.toolTip() == find.error
    look_for(qtbot, find, "hex: 10")
    assert find.error == ""


def test_an_edit_finds_anew_and_keeps_the_current_hit(find: FindField, session: Session, qtbot: QtBot) -> None:
    session.go_to(0)
    look_for(qtbot, find, "iron")
    find.next()
    current = find.current
    assert session.document is not None
    session.set_literal(parse_path(session.document, "[0].inventory[9].name"), '"Gold Sword"')
    qtbot.waitUntil(lambda: find.runner.is_complete)
    assert len(find.hits) == 2
    assert find.current == current


def test_both_paint_in_both_themes(bar: PathBar, find: FindField, window: QWidget) -> None:
    for name in (DARK, LIGHT):
        bar.set_theme(theme(name))
        find.set_theme(theme(name))
        assert not window.grab().isNull()
