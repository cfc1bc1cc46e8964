"""Copy As, Export Value and Import Value."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6 import QtWidgets
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.export.forms import BYTE_FORMS, FORMS, form
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.hex.view import HexView
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.window.export_actions import ANY, COPY_MENU_NOTHING, RAW, CopyMenu, ExportActions, told

SAVE = bytes.fromhex(
    "12000000 02000000"  # Dictionary of two pairs
    "04000000 04000000 676f6c64  02000000 63000000"  # "gold": 99
    "04000000 03000000 706f7300  05000000 0000803f 00000040"  # "pos": Vector2(1, 2)
)


class Stage:
    """A session with the save, the menu over it, and what was said."""

    def __init__(self, qtbot: QtBot) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.session = Session(self.window)
        self.hex = HexView(ThemeController(app, "light").theme)
        self.hex.setParent(self.window)
        self.said: list[str] = []
        self.session.failed.connect(self.said.append)
        self.menu = QMenu(self.window)
        self.copies = CopyMenu(self.menu, self.session, self.hex, self.said.append)
        self.menu.aboutToShow.connect(self.copies.fill)
        self.exports = ExportActions(self.window, self.session, self.said.append)
        self.document = Document(SAVE)
        self.session.show(self.document)

    def select(self, path: str) -> None:
        self.session.select(parse_path(self.document, path))

    def offered(self) -> list[str]:
        self.menu.aboutToShow.emit()
        return [action.data() for action in self.menu.actions() if not action.isSeparator()]

    def choose(self, key: str) -> str:
        """Choose an entry of the menu; returns the clipboard."""
        self.offered()
        self.menu.triggered.emit(next(action for action in self.menu.actions() if action.data() == key))
        return QGuiApplication.clipboard().text()


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    return Stage(qtbot)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, chosen: str) -> list[str]:
    """Let file dialogs answer; returns the texts that were told in boxes."""
    told_in_boxes: list[str] = []
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QtWidgets.QFileDialog, name, lambda *_: (str(path), chosen))
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told_in_boxes.append(sentence))
    return told_in_boxes


def test_the_menu_is_empty_until_it_opens(stage: Stage) -> None:
    assert not stage.menu.actions()
    assert stage.offered() == [found.key for found in FORMS if found.key != "literal"]


def test_without_a_document_the_menu_says_what_to_do(stage: Stage) -> None:
    stage.session.show(None)
    stage.menu.aboutToShow.emit()
    assert [(action.text(), action.isEnabled()) for action in stage.menu.actions()] == [(COPY_MENU_NOTHING, False)]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("literal3", "Vector2(1, 2)"),
        ("native", '{"type": "Vector2", "args": [1.0, 2.0]}'),
        ("hex", "05 00 00 00 00 00 80 3F 00 00 00 40"),
        ("base64", "BQAAAAAAgD8AAABA"),
        ("print", "[5, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64]"),
    ],
)
def test_the_selected_value_is_copied(stage: Stage, key: str, text: str) -> None:
    stage.select("[0].pos")
    assert stage.choose(key) == text
    assert stage.said == [f"Copied as {form(key).name}."]


def test_a_lossy_copy_says_what_is_lost(stage: Stage) -> None:
    stage.select("[0]")
    assert stage.choose("json") == '{"gold":99,"pos":"Vector2(1, 2)"}'
    assert stage.said == ["Copied as Plain JSON, with losses: the type Vector2."]


def test_many_losses_are_counted() -> None:
    assert told(("a", "b", "c", "d")) == ", with losses: a, and 3 more"


def test_a_value_that_a_form_cannot_hold_keeps_the_clipboard(stage: Stage) -> None:
    stage.session.show(Document(bytes.fromhex("04000000 64000000 6162")))
    QGuiApplication.clipboard().setText("before")
    assert stage.choose("literal3") == "before"
    assert stage.said[-1].startswith("This value is broken where it was read")


def test_selected_bytes_are_copied_in_forms_of_bytes(stage: Stage, qtbot: QtBot) -> None:
    with qtbot.waitExposed(stage.window):
        stage.window.show()
    stage.hex.setFocus()
    qtbot.waitUntil(stage.hex.hasFocus)
    stage.session.mark(Span(8, 12))
    assert stage.offered() == [found.key for found in BYTE_FORMS]
    assert stage.choose("python") == 'b"\\x04\\x00\\x00\\x00"'


def test_an_export_is_written_and_said(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told_in_boxes = answer(monkeypatch, tmp_path / "gold", "Hex (*.hex)")
    stage.select("[0].gold")
    stage.exports.export()
    assert (tmp_path / "gold.hex").read_text(encoding="utf-8") == "02 00 00 00 63 00 00 00"
    assert (stage.said, told_in_boxes) == (["Exported to “gold.hex” as Hex."], [])


def test_an_export_as_plain_bytes(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, tmp_path / "all.bin", RAW)
    stage.select("[0]")
    stage.exports.export()
    assert (tmp_path / "all.bin").read_bytes() == SAVE


def test_an_import_sets_the_selected_value_in_one_step(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "v.txt"
    path.write_text('["long", {"a": 1}]', encoding="utf-8")
    answer(monkeypatch, path, ANY)
    stage.select("[0].gold")
    stage.exports.import_()
    assert stage.said == ["Imported “v.txt”."]
    assert len(stage.document.buffer) > len(SAVE)
    stage.session.undo()
    assert bytes(stage.document.buffer) == SAVE


def test_an_import_that_fails_changes_nothing_and_says_where(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "v.txt"
    path.write_text("[1,\n 2", encoding="utf-8")
    told_in_boxes = answer(monkeypatch, path, ANY)
    stage.select("[0].gold")
    stage.exports.import_()
    assert bytes(stage.document.buffer) == SAVE
    assert told_in_boxes == [
        "“v.txt” was not imported. The text ends inside an array: “,” or “]” is missing (line 2, column 3)."
    ]


def test_a_dialog_that_is_left_does_nothing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QtWidgets.QFileDialog, name, lambda *_: ("", ""))
    stage.exports.export()
    stage.exports.import_()
    assert not stage.said


def test_without_a_value_export_and_import_say_so(stage: Stage) -> None:
    stage.session.show(None)
    stage.exports.export()
    stage.exports.import_()
    assert stage.said == ["Select a value first."] * 2
