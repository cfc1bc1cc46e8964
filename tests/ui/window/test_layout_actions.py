"""Bytes of no value described in the window, by keyboard: all saves of the game are explained by what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.ui.window.describe_dialog import DescribeDialog
from viewer.ui.window.main_window import MainWindow

MIXED = sorted((corpus.DATA / "mixed").glob("*.save"))


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path / "own")
    return tmp_path / "own" / "layouts"


def answer(do: Callable[[DescribeDialog], None]) -> list[str]:
    """Do something in the dialog as soon as it is there; afterwards the list holds what it said last."""
    said: list[str] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, DescribeDialog):
            timer.stop()
            timer.deleteLater()
            said.append(dialog.says.text())
            try:
                do(dialog)
            finally:
                if dialog.isVisible():
                    dialog.reject()

    timer = QTimer(QApplication.instance(), interval=1)
    timer.timeout.connect(act)
    timer.start()
    return said


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key = Qt.Key.Key_T) -> None:
    window.activateWindow()  # no window manager gives it back when a dialog closes
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window._parts.tree, key, Qt.KeyboardModifier.ControlModifier)


def described(qtbot: QtBot, window: MainWindow, *, first_row: int = 0) -> None:
    """Describe what is selected as the row says, under the name that is offered."""

    def choose(dialog: DescribeDialog) -> None:
        for _ in range(first_row):
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)

    answer(choose)
    press(qtbot, window)


def test_every_byte_of_all_forty_saves_is_explained_by_layouts_made_by_keyboard(
    window: MainWindow, qtbot: QtBot, own: Path
) -> None:
    steps = 0
    for path in MIXED:
        window.session.show(Document.open(path))
        document = window.session.document
        assert document is not None
        while document.explained < 1 and steps < 40:
            gap = document.unexplained[0]
            window.session.select(outline.gap_item(document.gaps.index(gap)))
            described(qtbot, window)
            steps += 1
    for path in MIXED:
        document = Document.open(path)
        assert document.explained == 1, path.name
        assert not document.findings.all(), path.name
    assert len(list(own.glob("*.toml"))) == 4
    assert steps <= 16


def open_mixed(window: MainWindow, name: str = "m00.save") -> Document:
    """A save with a head of its own, its first bytes selected."""
    document = Document.open(corpus.DATA / "mixed" / name)
    window.session.show(document)
    window.session.select(outline.gap_item(0))
    return document


def test_what_was_described_is_undone_from_the_message(window: MainWindow, qtbot: QtBot, own: Path) -> None:
    document = open_mixed(window)
    described(qtbot, window)
    assert document.explained == 1
    assert window._toast.get().line.text() == "Described; 9 more files in this folder are read this way."
    assert len(list(own.iterdir())) == 1
    window._toast.get()._act()
    assert document.explained < 1
    assert not list(own.iterdir())


def test_a_field_is_named_while_it_is_chosen_and_described_anew(window: MainWindow, qtbot: QtBot) -> None:
    document = open_mixed(window, "m03.save")
    described(qtbot, window)
    window.session.select(outline.gap_item(1))

    def choose(dialog: DescribeDialog) -> None:
        assert (dialog.name.text(), dialog.name.selectedText()) == ("version", "version")
        qtbot.keyClicks(dialog.name, "slots")
        qtbot.keyClick(dialog.name, Qt.Key.Key_Down)
        assert dialog.name.text() == "slots"
        qtbot.keyClick(dialog.name, Qt.Key.Key_Return)

    said = answer(choose)
    press(qtbot, window)
    assert said == ["Read this way from now on, in every file that begins with the same mark."]
    assert [piece.name for piece in document.fields[:2]] == ["mark", "slots"]


def test_the_fields_of_a_guess_are_named_together(window: MainWindow, qtbot: QtBot) -> None:
    document = open_mixed(window, "m02.save")

    def choose(dialog: DescribeDialog) -> None:
        assert dialog.name.text() == "mark, version, time"
        dialog.name.setText("mark, slots")
        assert not dialog.go.isEnabled()
        assert dialog.says.text() == "Give 3 names with commas between them, and one for the kind of file."
        dialog.name.setText("mark, slots, saved at")
        qtbot.keyClick(dialog.name, Qt.Key.Key_Return)

    answer(choose)
    press(qtbot, window)
    assert [piece.name for piece in document.fields[:3]] == ["mark", "slots", "saved at"]


def test_only_the_selected_bytes_are_described(window: MainWindow, qtbot: QtBot) -> None:
    document = open_mixed(window)
    window.session.go_to(8, Span(8, 12))
    described(qtbot, window)
    assert [(piece.name, len(piece.span)) for piece in document.fields[:2]] == [("skipped bytes", 8), ("version", 4)]


def test_the_number_of_bytes_can_be_changed_in_the_dialog(window: MainWindow, qtbot: QtBot) -> None:
    document = open_mixed(window)

    def choose(dialog: DescribeDialog) -> None:
        dialog.count.setValue(8)
        assert dialog.place.text() == "8 bytes at 0x0: 04 00 00 00 53 41 56 45"
        assert dialog.model.rows[0].words == "mark, a Pascal string"
        qtbot.keyClick(dialog.name, Qt.Key.Key_Return)

    answer(choose)
    press(qtbot, window)
    assert [(piece.name, len(piece.span)) for piece in document.fields[:2]] == [("mark", 8), ("skipped bytes", 4)]


def test_a_name_must_be_given(window: MainWindow, qtbot: QtBot, own: Path) -> None:
    open_mixed(window, "m01.save")

    def choose(dialog: DescribeDialog) -> None:
        dialog.name.setText(" ")
        assert not dialog.go.isEnabled()
        assert dialog.says.text() == "A name is missing."
        qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
        assert dialog.isVisible()

    answer(choose)
    press(qtbot, window)
    assert not own.exists()


def test_what_cannot_be_described_is_said_in_a_sentence(window: MainWindow, qtbot: QtBot) -> None:
    document = open_mixed(window)
    window.session.select(outline.item_at(document, 20))
    press(qtbot, window)
    assert window._toast.get().line.text() == "A value claims these bytes; select bytes that none does."
    window.findChild(QAction, "undescribe").setEnabled(True)
    window.findChild(QAction, "undescribe").trigger()
    assert window._toast.get().line.text() == "No layout of your own describes these bytes."


def test_other_open_files_of_the_kind_are_read_anew(window: MainWindow, qtbot: QtBot) -> None:
    sibling, stranger, document = (Document.open(corpus.DATA / "mixed" / f"m0{n}.save") for n in (4, 2, 0))
    for each in (sibling, stranger, document):
        window._opened.add(each)
    window.session.select(outline.gap_item(0))
    described(qtbot, window)
    assert document.structure is not None
    assert sibling.structure is not None
    assert stranger.structure is None
    window._toast.get()._act()
    assert sibling.structure is None


def test_descriptions_and_layouts_are_taken_away(window: MainWindow, qtbot: QtBot, own: Path) -> None:
    document = open_mixed(window)
    assert not window.findChild(QAction, "forget_layout").isEnabled()
    described(qtbot, window)
    window.session.select(outline.gap_item(1))
    window.findChild(QAction, "undescribe").trigger()
    assert document.unexplained == [Span(8, 12)]
    assert window._toast.get().line.text() == "Description removed."
    window.findChild(QAction, "forget_layout").trigger()
    assert document.structure is None
    assert not list(own.iterdir())
    window._toast.get()._act()
    assert document.unexplained == [Span(8, 12)]
