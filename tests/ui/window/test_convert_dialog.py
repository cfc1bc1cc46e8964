"""Save for Another Engine: the report of what becomes of every value, and the choices for what has no place."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.path import PathError
from viewer.ui import dialogs
from viewer.ui.look.palette import DARK, theme
from viewer.ui.window.convert_dialog import ConvertDialog
from viewer.variant.convert.substitutes import COLLECTION_TYPES, Substitute
from viewer.variant.dialect import Precision

SAMPLES = Path("resources/samples")


class Shown:
    """The dialog, and where it led."""

    def __init__(self, qtbot: QtBot, document: Document, line: str = "godot3") -> None:
        self.parent = QWidget()
        qtbot.addWidget(self.parent)
        self.went: list[str] = []
        self.dialog = ConvertDialog(self.parent, document, line, theme(DARK), self.went.append)

    def choose(self, name: str, what: Substitute) -> None:
        """Choose what stands instead of a type, as a person does."""
        box = self.dialog.choices[name]
        box.setCurrentIndex(box.findData(what))
        box.activated.emit(box.currentIndex())

    def rows(self, column: int = 0) -> list[str]:
        model = self.dialog.model
        return [str(model.index(row, column).data()) for row in range(model.rowCount())]


@pytest.fixture
def typed(qtbot: QtBot) -> Shown:
    return Shown(qtbot, Document.open(SAMPLES / "godot4-typed.save"))


def test_every_change_is_listed_and_only_what_the_file_has_is_asked(typed: Shown) -> None:
    dialog = typed.dialog
    assert dialog.says.text().startswith("74 values: 48 exact, 8 renamed, 18 replaced")
    assert len(typed.rows()) == 26
    assert ("[0].view", "Rect2i → Rect2") in list(zip(typed.rows(), typed.rows(1), strict=True))
    assert {"Vector2i", "Rect2i", "StringName", COLLECTION_TYPES} <= set(dialog.choices)
    assert "Signal" not in dialog.choices
    dialog.losses_only.setChecked(True)
    assert len(typed.rows()) == 18


def test_all_that_is_lost_can_be_read(typed: Shown) -> None:
    dialog = typed.dialog
    dialog.show()
    for row, words in enumerate(typed.rows(2)):
        dialog.table.selectRow(row)
        assert dialog.loss.text() in (f"{words}.", "")
        assert dialog.loss.text() or words == "nothing"
        assert dialog.loss.heightForWidth(dialog.loss.width()) <= dialog.loss.height()


def test_a_choice_makes_the_file_anew_and_refusing_stops_it(typed: Shown) -> None:
    dialog = typed.dialog
    typed.choose("Rect2i", Substitute.TEXT)
    assert "Rect2i → String" in typed.rows(1)
    assert dialog.write_button.isEnabled()
    typed.choose("Rect2i", Substitute.REFUSE)
    assert dialog.found is None
    assert not dialog.write_button.isEnabled()
    assert dialog.says.text().startswith("[0].view: ")
    assert not typed.rows()
    typed.choose("Rect2i", Substitute.NEAREST)
    assert dialog.write_button.isEnabled()


def test_another_line_asks_anew(typed: Shown) -> None:
    dialog = typed.dialog
    dialog.engine.setCurrentIndex(dialog.engine.findData("godot4"))
    dialog.engine.activated.emit(0)
    assert (dialog.line, dialog.choices, typed.rows()) == ("godot4", {}, [])
    assert dialog.says.text() == "74 values: 74 exact."
    assert not dialog.show_button.isEnabled()


def test_precision_is_that_of_the_file_until_another_is_chosen(qtbot: QtBot) -> None:
    shown = Shown(qtbot, Document.open(SAMPLES / "godot4-double.save"), "godot4")
    assert shown.dialog.choice.precision is Precision.DOUBLE
    assert not shown.rows()
    shown.dialog.reals.setCurrentIndex(0)
    shown.dialog.reals.activated.emit(0)
    assert "[0].position" in shown.rows()
    assert shown.rows(2)[0] == "149597870700.25 is rounded to 149597863936.0"


def test_a_row_leads_to_its_value(typed: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    typed.dialog.table.selectRow(1)
    typed.dialog.show_button.click()
    assert typed.went == [typed.rows()[1]]
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))

    def refuse(_: str) -> None:
        raise PathError("It is not there.")

    typed.dialog._go = refuse
    typed.dialog.show_button.click()
    assert told == ["It is not there."]


def test_what_cannot_be_converted_is_said(qtbot: QtBot) -> None:
    shown = Shown(qtbot, Document(b"[a]\nb=[1\nc=1\nd=2\ne=3\n[f]\ng=4\nh=5\n"))
    assert shown.dialog.says.text().endswith("Repair the text first.")
    assert not shown.dialog.write_button.isEnabled()
    assert all(button.text() for button in shown.dialog.findChildren(QPushButton))
