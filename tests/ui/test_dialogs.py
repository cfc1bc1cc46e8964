"""Questions of the program: how they look before somebody answers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QColorDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui import dialogs


@pytest.mark.parametrize("ask", [dialogs.ask_unsaved, dialogs.ask_drop_changes, dialogs.ask_changed_on_disk])
def test_a_question_keeps_no_room_for_an_icon_that_it_has_not(qtbot: QtBot, ask: object) -> None:
    parent, lefts = QWidget(), list[int]()
    qtbot.addWidget(parent)

    def look() -> None:
        box = parent.findChild(QMessageBox)
        assert box is not None
        said = [label for label in box.findChildren(QLabel) if label.isVisible() and label.text()]
        lefts.extend(label.mapTo(box, QPoint()).x() for label in said)
        box.close()

    QTimer.singleShot(0, look)
    assert callable(ask)
    ask(parent, "slot.save")
    assert len(lefts) == 2
    assert set(lefts) == {dialogs.MARGIN}


def test_where_another_name_helps_save_as_is_what_enter_does(qtbot: QtBot) -> None:
    parent, seen = QWidget(), list[tuple[str, str]]()
    qtbot.addWidget(parent)

    def look() -> None:
        box = parent.findChild(QMessageBox)
        assert box is not None
        button = box.defaultButton()
        seen.append((box.text(), button.text()))
        button.click()

    QTimer.singleShot(0, look)
    assert dialogs.ask_save_as(parent, "“a.save” is read-only.")
    assert seen == [("“a.save” is read-only.", "Save &As…")]


def test_the_chooser_of_colours_spells_them_as_the_program_does(qtbot: QtBot) -> None:
    dialog = QColorDialog()
    qtbot.addWidget(dialog)
    dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
    dialogs.spelled_colour(dialog)
    words = [part.text() for part in (*dialog.findChildren(QLabel), *dialog.findChildren(QPushButton))]
    assert "&Pick Screen Colour" in words
    assert not any("olor" in text for text in (dialog.windowTitle(), *words))
