"""Questions of the program: how they look before somebody answers."""

from __future__ import annotations

from collections.abc import Callable

import corpus
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QColorDialog,
    QDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.packets.conversation import TrafficSettings
from viewer.ui import dialogs
from viewer.ui.look.fonts import ui_font
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.packets.packet_dialogs import ListenDialog, MethodsDialog, PortsDialog, ProxyDialog, SendDialog
from viewer.ui.sheets.sheet_commands import ColumnDialog
from viewer.ui.window.byte_dialogs import FillDialog, InsertDialog, RangeDialog
from viewer.ui.window.describe_dialog import DescribeDialog
from viewer.ui.window.password_dialog import PasswordDialog


def is_whole_in_bold(button: QPushButton) -> bool:
    """Whether a button has the room for its words in bold, in which they are while Enter would press it."""
    option = QStyleOptionButton()
    button.initStyleOption(option)
    room = button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button).width()
    return QFontMetrics(ui_font(strong=True)).horizontalAdvance(button.text().replace("&", "")) <= room


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


@pytest.mark.parametrize(
    "build",
    [
        lambda parent, document: PasswordDialog(parent, theme("light"), "slot.save"),
        lambda parent, document: DescribeDialog(parent, document, document.unexplained[0], theme("light")),
        lambda parent, document: ColumnDialog(parent, document),
        lambda parent, document: ListenDialog(parent),
        lambda parent, document: ProxyDialog(parent),
        lambda parent, document: SendDialog(parent, b"bytes"),
        lambda parent, document: PortsDialog(parent, TrafficSettings(), 45001),
        lambda parent, document: MethodsDialog(parent, TrafficSettings()),
        lambda parent, document: RangeDialog(parent, document, 0),
        lambda parent, document: InsertDialog(parent, 0),
        lambda parent, document: FillDialog(parent, document, Span(0, 4), 0),
    ],
)
def test_the_words_of_a_button_are_whole_in_bold_too(
    qtbot: QtBot, qapp: QApplication, build: Callable[[QWidget, Document], QDialog]
) -> None:
    """They are bold while Enter would press the button."""
    ThemeController(qapp, "light")
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = build(parent, Document.open(corpus.DATA / "mixed" / "m02.save"))
    dialog.show()
    buttons = [button for button in dialog.findChildren(QPushButton) if button.isVisible() and button.autoDefault()]
    assert buttons
    assert [button.text() for button in buttons if not is_whole_in_bold(button)] == []


def test_what_could_not_be_done_is_told_without_an_icon_of_the_system(qtbot: QtBot) -> None:
    parent, found = QWidget(), list[QMessageBox.Icon]()
    qtbot.addWidget(parent)

    def look() -> None:
        box = parent.findChild(QMessageBox)
        assert box is not None
        found.append(box.icon())
        box.close()

    QTimer.singleShot(0, look)
    dialogs.tell(parent, "The file is not there.")
    assert found == [QMessageBox.Icon.NoIcon]


def test_a_dialog_of_another_window_asks_nothing_about_this_one(qtbot: QtBot) -> None:
    here, there = QWidget(), QWidget()
    for each in (here, there):
        qtbot.addWidget(each)
        each.show()
    assert not dialogs.is_asking(here)
    box = QDialog(there)
    box.open()
    assert (dialogs.is_asking(there), dialogs.is_asking(here)) == (True, False)
    box.close()
    box.setWindowModality(Qt.WindowModality.ApplicationModal)
    box.show()
    assert (dialogs.is_asking(there), dialogs.is_asking(here)) == (True, True)


def test_a_dialog_of_another_window_that_came_later_does_not_end_the_question(qtbot: QtBot) -> None:
    here, there = QWidget(), QWidget()
    for each in (here, there):
        qtbot.addWidget(each)
        each.show()
        QDialog(each).open()
    assert (dialogs.is_asking(here), dialogs.is_asking(there)) == (True, True)
    for box in here.findChildren(QDialog):
        box.close()
    assert (dialogs.is_asking(here), dialogs.is_asking(there)) == (False, True)
