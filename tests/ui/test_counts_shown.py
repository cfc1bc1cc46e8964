"""Numbers in what the window says: in groups of digits, never with commas, and one of a kind without a plural."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui import dialogs
from viewer.ui.doctor.repairs_controller import facts
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.panels.toast import Toast
from viewer.ui.session import Session
from viewer.ui.window.byte_dialogs import RangeDialog
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    holder = QWidget()
    qtbot.addWidget(holder)
    return holder


def zeros(count: int) -> Document:
    """An array of so many nulls."""
    raw = bytes.fromhex("13000000") + count.to_bytes(4, "little") + bytes(4 * count)
    return Document(raw, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))


def test_a_question_groups_its_digits(holder: QWidget) -> None:
    box = dialogs.question(holder, "All 1234567 values are lost.", "“a 12345.save” stays; 12345 more things do not.")
    assert box.text() == "All 1\u202f234\u202f567 values are lost."
    assert box.informativeText() == "“a 12345.save” stays; 12\u202f345 more things do not."


def test_one_thing_more_that_is_lost_is_one(holder: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answered(box: dialogs.QtWidgets.QMessageBox, buttons: object) -> dialogs.UserChoice:
        asked.append(box.informativeText())
        return dialogs.UserChoice.CANCEL

    monkeypatch.setattr(dialogs, "answer", answered)
    dialogs.ask_losses(holder, "Go on?", ["A name is lost"] * (dialogs.LOSSES + 1), "Go on")
    assert asked[0].endswith("1 more thing is lost.")


def test_a_file_that_grows_much_is_told_of_in_groups(holder: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "answer", lambda box, buttons: asked.append(box.text()))
    dialogs.ask_large(holder, "a.save", "This file of 12345 bytes unpacks to more.", "12345 TiB")
    assert asked == ["Unpack “a.save” up to 12\u202f345 TiB?"]


def test_a_banner_groups_its_digits(qtbot: QtBot) -> None:
    banner = Banner(theme(LIGHT))
    qtbot.addWidget(banner)
    banner.tell("“a.save” ends 12345 bytes too early.")
    assert banner.sentence.text() == "“a.save” ends 12\u202f345 bytes too early."


def test_what_could_not_be_done_is_told_in_groups(window: MainWindow) -> None:
    window.session.failed.emit("There is no element 12345; the array has 12000 elements.")
    told = window.findChild(Toast)
    assert told is not None
    assert told.line.text() == "There is no element 12\u202f345; the array has 12\u202f000 elements."


def test_a_range_of_bytes_is_counted(holder: QWidget) -> None:
    dialog = RangeDialog(holder, zeros(12_000), 0)
    field = dialog.findChildren(QLabel)
    dialog._field.setText("0x0+1")
    assert "1 byte, 0x0 to 0x0." in [each.text() for each in field]
    dialog._field.setText("0x0+12000")
    assert "12\u202f000 bytes, 0x0 to 0x2EDF." in [each.text() for each in field]


def test_an_empty_file_is_not_called_explained(qtbot: QtBot) -> None:
    session = Session()
    bar = StatusBar(session, theme(LIGHT))
    qtbot.addWidget(bar)
    bar.resize(1400, 30)
    session.show(Document(b"", name="empty.save"))
    assert bar.explained.text() == "Empty"
    assert "explained" not in bar.explained.text() + bar.explained.toolTip()
    assert bar.explained.share == 0.0
    session.show(Document(bytes.fromhex("02000000 05000000")))
    assert bar.explained.text() == "100 % explained"


def test_a_preview_of_a_text_counts_the_bytes_of_the_text() -> None:
    text = b'{"hp": 37.5, "name": "Bo"}'
    assert f"{len(text)} bytes" in facts(Document(text))


def test_a_preview_without_bytes_is_not_called_explained() -> None:
    assert "explained" not in facts(Document(b""))
    assert "100 % explained" in facts(Document(bytes.fromhex("02000000 05000000")))


def test_bytes_that_are_refused_are_in_values_but_not_called_explained(qtbot: QtBot) -> None:
    broken = Document(bytes.fromhex("13000000 02000000 02000000 05000000"))
    assert broken.explained == 1
    assert "100 % in values, 1 error" in facts(broken)
    session = Session()
    bar = StatusBar(session, theme(LIGHT))
    qtbot.addWidget(bar)
    bar.resize(1400, 30)
    session.show(broken)
    assert bar.explained.text() == "100 % in values"
