"""The merge window: what both changed is asked, the rest goes by itself, ours gets all of it as one step of undo."""

from __future__ import annotations

from collections.abc import Iterator

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from ui.compare.test_compare_window import Host, edited

from viewer.document.compare.merge_choices import MergeChoice, MergeDecision
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.compare.merge_window import MergeWindow
from viewer.ui.look.palette import theme
from viewer.variant.literal.preview import preview

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
MINE = {"[0].player.gold": "7", "[0].player.level": "18", "[0].player.hp": "50.5"}
YOURS = {"[0].player.gold": "8", "[0].player.level": "19", "[0].play_time": "2.5", "[0].inventory[1].count": "9"}


def save(literals: dict[str, str]) -> Document:
    return edited(Document(RPG.read_bytes(), name="rpg.save"), literals)


class Merging:
    def __init__(self, qtbot: QtBot, base: Document, ours: Document, theirs: Document) -> None:
        self.qtbot, self.ours = qtbot, ours
        sides = [ComparedSide(each, name) for each, name in ((base, "base"), (ours, "ours"), (theirs, "theirs"))]
        self.window = MergeWindow(None, theme("light"), sides[0], sides[1], sides[2], Host())
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        qtbot.addWidget(self.window)
        self.said: list[str] = []
        self.window.done_well.connect(self.said.append)
        self.wait()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)

    def wait(self) -> None:
        with self.qtbot.waitSignal(self.window.merged):
            pass

    def value(self, path: str) -> str:
        item = parse_path(self.ours, path)
        return str(preview(self.ours.frames[item.frame].table, item.node, 80))


@pytest.fixture
def merging(qtbot: QtBot) -> Iterator[Merging]:
    found = Merging(qtbot, Document(RPG.read_bytes()), save(MINE), save(YOURS))
    yield found
    found.window.close()


def test_what_both_changed_is_asked_and_the_rest_is_listed(merging: Merging) -> None:
    window = merging.window
    assert [conflict.path for conflict in window.model.conflicts] == ["[0].player.level", "[0].player.gold"]
    assert [path for path, _ in window.going.rows] == ["[0].play_time", "[0].inventory[1].count"]
    assert window.says.text() == "2 changes of theirs automatically; 2 places still to be decided."
    assert not window.accept_button.isEnabled()
    assert [str(window.model.index(0, column).data()) for column in (2, 3, 4, 5)] == ["17", "18", "19", "not decided"]


def test_deciding_by_keyboard_and_merging_is_one_step_of_undo(merging: Merging) -> None:
    window, before = merging.window, bytes(merging.ours.buffer[:])
    merging.qtbot.keyClick(window.table, Qt.Key.Key_T, Qt.KeyboardModifier.AltModifier)
    merging.qtbot.waitUntil(lambda: window.model.result(0) == "theirs: 19")  # a button goes down first
    assert window.table.currentIndex().row() == 1
    merging.qtbot.keyClick(window.table, Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
    merging.qtbot.waitUntil(lambda: window.undecided == [])
    assert window.says.text() == "2 changes of theirs automatically; all places are decided."
    window.accept_button.click()
    assert merging.said == ["Merged into “ours”: read again, it says just that. Nothing is written before it is saved."]
    paths = ("[0].player.level", "[0].player.gold", "[0].player.hp", "[0].play_time")
    assert [merging.value(path) for path in paths] == ["19", "5000000000", "50.5", "2.5"]
    merging.ours.undo()
    assert bytes(merging.ours.buffer[:]) == before


def test_a_written_value_is_tried_at_once(merging: Merging) -> None:
    window = merging.window
    window.decide(0, MergeDecision(MergeChoice.WRITTEN, "nothing like a value ("))
    assert 0 in window.undecided
    window.decide(0, MergeDecision(MergeChoice.WRITTEN, '"a text instead"'))
    window.decide_rest(MergeChoice.OURS)
    window.apply()
    assert merging.value("[0].player.level") == '"a text instead"'
    assert merging.value("[0].player.gold") == "7"


def test_a_change_of_ours_meanwhile_is_merged_anew_and_nothing_is_done(merging: Merging) -> None:
    window = merging.window
    window.decide_rest(MergeChoice.THEIRS)
    edited(merging.ours, {"[0].player.mana": "1.5"})
    before = bytes(merging.ours.buffer[:])
    window.apply()
    assert "changed meanwhile" in window.says.text()
    assert bytes(merging.ours.buffer[:]) == before
    merging.wait()
    assert window.undecided == [0, 1]


def test_sides_without_values_are_told(qtbot: QtBot) -> None:
    found = Merging(qtbot, Document(b""), Document(RPG.read_bytes()), Document(b""))
    assert found.window.says.text().endswith("there is nothing to merge.")
    assert not found.window.accept_button.isEnabled()
    found.window.close()


def test_the_models_keep_qts_rules(merging: Merging) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(model, mode) for model in (merging.window.model, merging.window.going)]
    merging.window.decide_rest(MergeChoice.THEIRS)
    merging.window.start()
    merging.wait()
    assert len(testers) == 2


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_damaged_side_is_not_merged(qtbot: QtBot, number: int) -> None:
    sides = [Document(RPG.read_bytes()), save(MINE), save(YOURS)]
    sides[number] = Document(RPG.read_bytes()[:700])
    found = Merging(qtbot, *sides)
    name = ("base", "ours", "theirs")[number]
    assert found.window.says.text() == f"“{name}” cannot be merged: it is damaged. Repair it first."
    assert not found.window.accept_button.isEnabled()
    found.window.close()
