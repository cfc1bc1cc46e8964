"""The dialog for bulk edits: what it says while one types, and that Apply is one step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.window.bulk_dialog import BulkDialog
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


def test_the_menu_opens_it_and_it_remembers_what_was_written(qtbot: QtBot) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    window = MainWindow(None, ThemeController(app, "light"))
    qtbot.addWidget(window)
    window.open_path(SAMPLE)
    action = window.findChild(QAction, "bulk_edit")
    assert action is not None
    for text in ("", "player.gold -> 5"):
        QTimer.singleShot(50, partial(_write, window, text))
        action.trigger()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.session.show(None)
    window.close()


def _write(window: MainWindow, expected: str) -> None:
    dialog = window.findChild(BulkDialog)
    assert dialog is not None
    assert dialog.field.text() == expected
    dialog.field.setText("player.gold -> 5")
    dialog.reject()
