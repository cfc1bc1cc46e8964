"""Where editors are opened from: a double click on a colour's swatch in the tree."""

from __future__ import annotations

import corpus
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.ui.tree.cell_painter import value_box
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView


def test_a_double_click_on_a_swatch_asks_for_the_editor(qtbot: QtBot) -> None:
    session = Session()
    tree = TreeView(session, theme(LIGHT))
    qtbot.addWidget(tree)
    tree.resize(620, 700)
    with qtbot.waitExposed(tree):
        tree.show()
    session.show(Document.open(corpus.DATA / "godot3" / "files" / "rpg.save"))
    session.go_to_place("[0].player.skin")
    cell = tree.cell_rect(tree.currentIndex().siblingAtColumn(TreeColumn.NAME), TreeColumn.VALUE)
    place: QPoint = value_box(cell.toRectF()).center().toPoint()
    with qtbot.waitSignal(tree.editor_requested):
        qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not tree.editor.is_open
