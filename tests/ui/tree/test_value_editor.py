"""The field in a row of the tree follows its row, and keeps what was typed where the row goes out of sight."""

from __future__ import annotations

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.ui.tree.value_field import MOST_LINES, folded
from viewer.ui.tree.view import TreeView

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
GOLD = "[0].player.gold"


@pytest.fixture
def tree(qtbot: QtBot) -> TreeView:
    """A low tree, so that rows go out of sight, with a field open over a number."""
    session = Session()
    view = TreeView(session, theme(LIGHT))
    session.setParent(view)
    qtbot.addWidget(view)
    view.resize(520, 200)
    session.show(Document.open(RPG))
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    view.setFocus()
    session.go_to_place(GOLD)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    return view


def gold(tree: TreeView) -> bytes:
    document = tree.current_document
    assert document is not None
    span = outline.span(document, parse_path(document, GOLD))
    return bytes(document.buffer[span.start : span.end])


def test_a_row_out_of_sight_takes_its_field_along_and_keeps_what_was_typed(qtbot: QtBot, tree: TreeView) -> None:
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, "777")
    tree.scrollToBottom()
    assert not tree.editor.is_open
    assert gold(tree) == bytes.fromhex("02000100 0903000000000000")


def test_a_value_that_is_none_is_dropped_with_its_row_and_told(qtbot: QtBot, tree: TreeView) -> None:
    assert tree.editor.field is not None
    before = gold(tree)
    qtbot.keyClicks(tree.editor.field, "odd")
    told: list[str] = []
    tree.editor._session.failed.connect(told.append)
    tree.scrollToBottom()
    assert [sentence.endswith("gold keeps its value.") for sentence in told] == [True]
    assert not tree.editor.is_open
    assert gold(tree) == before


def test_the_field_and_its_card_follow_a_row_that_stays_in_sight(qtbot: QtBot, tree: TreeView) -> None:
    field, card = tree.editor.field, tree.editor.card
    assert field is not None
    assert card is not None
    before = field.y(), card.y()
    tree.resize(520, 420)
    bar = tree.verticalScrollBar()
    bar.setValue(bar.value() - 1 if bar.value() else 1)
    assert tree.editor.field is field
    assert (field.y(), card.y()) != before
    assert field.isVisible()
    assert card.isVisible()


def test_tab_takes_what_was_typed_and_stays_in_the_tree(qtbot: QtBot, tree: TreeView) -> None:
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, "777")
    qtbot.keyClick(tree.editor.field, Qt.Key.Key_Tab)
    assert not tree.editor.is_open
    assert tree.hasFocus()
    assert gold(tree) == bytes.fromhex("02000100 0903000000000000")


def test_the_colours_button_stays_where_it_is_while_less_is_typed(qtbot: QtBot, tree: TreeView) -> None:
    tree.editor.close()
    tree.editor._session.show(Document(assets.data("samples", "godot3-rpg.save")))
    tree.editor._session.go_to_place("[0].player.hair")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    field = tree.editor.field
    assert field is not None
    width = field.width()
    qtbot.keyClicks(field, "#f80")
    assert field.width() == width
    qtbot.keyClick(field, Qt.Key.Key_Return)
    document = tree.current_document
    assert document is not None
    span = outline.span(document, parse_path(document, "[0].player.hair"))
    assert document.buffer[span.end - 4 : span.end] == bytes.fromhex("0000803f")
    assert document.buffer[span.start + 4 : span.start + 8] == bytes.fromhex("0000803f")


def test_a_long_sentence_of_the_card_is_folded_and_never_cut_short(tree: TreeView) -> None:
    field, card = tree.editor.field, tree.editor.card
    assert field is not None
    assert card is not None
    lower = card.height()
    field.setText("99 999")
    assert card.height() > lower
    text, metrics = "Nothing goes between the thousands of a number", QFontMetricsF(card.font())
    lines = folded(text, metrics, metrics.horizontalAdvance("Nothing goes between"))
    assert len(lines) > 1
    assert " ".join(lines) == text
    assert len(folded("word " * 60, metrics, 100)) == MOST_LINES
