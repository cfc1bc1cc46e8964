"""The compare window: what differs is shown beside each other, gone through, filtered, taken, ignored and paired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.compare.difference import DifferenceKind
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.path import format_path, parse_path
from viewer.document.splice import Edit
from viewer.ui.compare.compare_model import CompareColumn
from viewer.ui.compare.compare_window import ComparedSide, CompareWindow
from viewer.ui.look.palette import theme

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
RPG4 = Path("resources/samples/godot4-typed.save")
TOLD = {
    "[0].player.gold": "5000009999",
    "[0].player.hp": "12.5",
    "[0].inventory[5].count": "77",
}


def edited(document: Document, literals: dict[str, str], gone: Sequence[str] = ()) -> Document:
    for path, literal in literals.items():
        document.apply(set_literal(document, parse_path(document, path), literal))
    for path in gone:
        document.apply(delete(document, [parse_path(document, path)]))
    return document


class Host:
    """Edits the documents themselves, and remembers what is ignored."""

    def __init__(self) -> None:
        self.kept: tuple[str, ...] = ()
        self.shown: list[str] = []

    def edit(self, document: Document, edit: Edit) -> str:
        document.apply(edit)
        return ""

    def undo(self, document: Document) -> None:
        document.undo()

    def show(self, document: Document, path: str) -> None:
        self.shown.append(path)

    def side_of(self, path: Path) -> ComparedSide | None:
        return ComparedSide(Document.open(path), path.name)

    def ignored(self, document: Document) -> tuple[str, ...]:
        return self.kept

    def keep_ignored(self, document: Document, patterns: Sequence[str]) -> str:
        self.kept = tuple(patterns)
        return ""


class Compared:
    """A window, and what a person sees in it."""

    def __init__(self, qtbot: QtBot, old: Document, new: Document, host: Host | None = None) -> None:
        self.qtbot, self.old, self.new = qtbot, old, new
        self.host = host or Host()
        sides = ComparedSide(old, "old.save"), ComparedSide(new, "new.save")
        self.window = CompareWindow(None, theme("light"), *sides, self.host)
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        qtbot.addWidget(self.window)
        self.wait()
        self.window.show()

    def wait(self) -> None:
        with self.qtbot.waitSignal(self.window.compared):
            pass

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.window.trees.old, key, modifier)

    @property
    def path(self) -> str:
        return self.window.detail.path.text()

    def rows(self) -> list[str]:
        """The rows that are open, as lines of text."""
        model, tree, out = self.window.model, self.window.trees.old, []
        waiting = [model.index(row, 0) for row in reversed(range(model.rowCount()))]
        while waiting:
            index = waiting.pop()
            cells = [str(index.siblingAtColumn(column).data() or "-") for column in CompareColumn]
            out.append("  " * model.depth(index) + f"{cells[0]} {cells[3]} {cells[4]}")
            if tree.isExpanded(index):
                waiting += [model.index(row, 0, index) for row in reversed(range(model.rowCount(index)))]
        return out


@pytest.fixture
def compared(qtbot: QtBot) -> Iterator[Compared]:
    old = Document(RPG.read_bytes(), name="rpg.save")
    new = edited(Document(RPG.read_bytes(), name="rpg.save"), TOLD, ("[0].inventory[2]", "[0].player.mana"))
    found = Compared(qtbot, old, new)
    yield found
    found.window.close()


def test_holes_stand_beside_what_is_gone_and_equal_rows_are_folded(compared: Compared) -> None:
    rows = compared.rows()
    assert "    gold ≠ gold" in rows
    assert "    mana \N{MINUS SIGN} -" in rows
    assert "    [2] \N{MINUS SIGN} -" in rows
    assert "    [5] · [4]" in rows
    assert "  6 rows - 6 rows" in rows
    assert [compared.window.head.kinds[kind].text()[:3] for kind in DifferenceKind] == [
        "≠ 3",
        "+ 0",
        "\N{MINUS SIGN} 2",
        "→ 0",
        "≈ 0",
    ]
    assert compared.window.says.text() == "5 differences."


def test_f7_goes_through_all_differences_and_the_bytes_follow(compared: Compared) -> None:
    seen = [compared.path]
    for _ in range(5):
        compared.key(Qt.Key.Key_F7)
        seen.append(compared.path)
    assert seen == [
        "[0].player.gold",
        "[0].player.hp",
        "[0].player.mana",
        "[0].inventory[2]",
        "[0].inventory[4].count",
        "[0].player.gold",
    ]
    compared.key(Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert compared.path == "[0].inventory[4].count"
    item = parse_path(compared.new, compared.path)
    start = compared.new.frames[0].start + compared.new.frames[0].table.start[item.node]
    assert compared.window.bytes[1].view.caret.offset == start
    assert compared.window.detail.words.text().startswith("changed: 68 → 77  +9 (was [0].inventory[5].count)")
    assert compared.window.head.place.text() == "5 of 5"


def test_differences_are_filtered_by_kind_type_and_path_and_what_is_left_out_is_said(compared: Compared) -> None:
    head, window = compared.window.head, compared.window
    head.kinds[DifferenceKind.REMOVED].click()
    assert len(window.shown) == 3
    assert "2 differences filtered out" in window.says.text()
    head.path.setText("inventory")
    assert [format_path(compared.new, window.comparison.rows[k].new) for k in window.shown] == [  # type: ignore[union-attr, arg-type]
        "[0].inventory[4].count"
    ]
    head.path.setText("**.player.*")
    assert len(window.shown) == 2
    head.types.setCurrentIndex(head.types.findData("float"))
    head.types.activated.emit(head.types.currentIndex())
    assert len(window.shown) == 1
    head.path.setText("nowhere")
    assert window.shown == []
    assert "    gold - gold" not in compared.rows()


def test_taking_a_row_is_one_step_of_undo_of_either_side(compared: Compared) -> None:
    before = bytes(compared.new.buffer[:])
    compared.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    compared.wait()
    assert "1 difference taken into “new.save”; nothing is written" in compared.window.says.text()
    assert "Read again: 4 differences." in compared.window.says.text()
    assert bytes(compared.new.buffer[:]) != before
    assert bytes(compared.old.buffer[:]) == RPG.read_bytes()
    assert compared.path == "[0].player.hp"  # what is equal now is folded away: on to the next
    assert compared.window.head.place.text() == "1 of 4"
    compared.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    compared.wait()
    assert bytes(compared.new.buffer[:]) == before
    compared.window.take_all(True)
    compared.wait()
    assert compared.window.comparison is not None
    assert compared.window.comparison.is_equal
    assert "the values are equal" in compared.window.says.text()
    assert bytes(compared.new.buffer[:]) == before
    compared.old.undo()
    assert bytes(compared.old.buffer[:]) == RPG.read_bytes()


def test_a_whole_subtree_is_taken_with_all_that_differs_in_it(compared: Compared) -> None:
    window = compared.window
    window._go_to_item(True, parse_path(compared.new, "[0].player"))
    assert len(window.selected_differences()) == 3
    window.take_selected(False)
    compared.wait()
    assert window.comparison is not None
    assert [row.kind.value for row in window.comparison.changes] == ["removed", "changed"]


def test_a_side_that_is_fixed_says_why_and_is_not_edited(qtbot: QtBot) -> None:
    old = Document(RPG.read_bytes(), name="rpg.save")
    new = edited(Document(RPG.read_bytes(), name="rpg.save"), TOLD)
    sides = ComparedSide(old, "on disk", "The file on the disk is not edited here"), ComparedSide(new, "rpg.save")
    window = CompareWindow(None, theme("dark"), *sides, Host())
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.compared):
        pass
    window.take_all(True)
    assert window.says.text() == "The file on the disk is not edited here."
    assert not window.titles[1].take.isEnabled()
    assert window.titles[0].take.isEnabled()
    assert bytes(old.buffer[:]) == RPG.read_bytes()
    window.close()


def test_what_is_ignored_is_remembered_and_counted(compared: Compared) -> None:
    compared.window.ignore(("**.hp", "[0].player.gold"))
    compared.wait()
    assert compared.host.kept == ("**.hp", "[0].player.gold")
    assert "2 differences ignored, as you asked" in compared.window.says.text()
    assert len(compared.window.shown) == 3


def test_another_pairing_is_chosen_and_said(compared: Compared) -> None:
    window = compared.window
    window._go_to_item(False, parse_path(compared.old, "[0].inventory"))
    assert window.detail.pairing.text() == "paired by “id”" or "order" in window.detail.pairing.text()
    window.pair_by("[0].inventory", "place")
    compared.wait()
    assert window.comparison is not None
    assert len(window.comparison.changes) > 20
    window._go_to_item(False, parse_path(compared.old, "[0].inventory"))
    assert window.detail.pairing.text() == "paired by their place"


def test_an_edit_elsewhere_is_compared_anew_and_the_place_stays(compared: Compared) -> None:
    compared.window.go_to_shown(1)
    assert compared.path == "[0].player.hp"
    edited(compared.new, {"[0].player.level": "99"})
    compared.window.look_again()
    compared.wait()
    assert len(compared.window.shown) == 6
    assert compared.path == "[0].player.hp"


def test_a_dropped_file_takes_the_side_and_two_take_both(compared: Compared, tmp_path: Path) -> None:
    window, paths = compared.window, [tmp_path / "a.save", tmp_path / "b.save"]
    for path in paths:
        path.write_bytes(RPG.read_bytes())
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(paths[0]))])
    both, buttons = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(window.width() - 20, 200), both, mime, buttons, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(event)
    assert event.dropAction() is Qt.DropAction.CopyAction
    compared.wait()
    assert [side.title for side in window.sides] == ["old.save", "a.save"]
    assert window.says.text() == "The values are equal."
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    window.dropEvent(QDropEvent(QPointF(20, 200), both, mime, buttons, Qt.KeyboardModifier.NoModifier))
    compared.wait()
    assert [side.title for side in window.sides] == ["a.save", "b.save"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "“new.save” is empty."),
        (b"no values at all, but a text", "“new.save” holds no values that can be read."),
        (RPG.read_bytes()[:5000], "“new.save” has errors in 1 value"),
    ],
)
def test_a_side_that_cannot_be_read_is_told_and_compared_as_far_as_it_goes(qtbot: QtBot, raw: bytes, said: str) -> None:
    found = Compared(qtbot, Document(RPG.read_bytes()), Document(raw))
    assert said in found.window.banner.sentence.text()
    assert found.window.banner.isVisible()
    found.window.step(1)
    found.window.close()


def test_what_lies_very_deep_is_gone_to_as_far_as_rows_can_be_opened(qtbot: QtBot) -> None:
    deep = 3000
    old, new = (Document(b"\x13\0\0\0\1\0\0\0" * deep + b"\2\0\0\0" + bytes([last, 0, 0, 0])) for last in (5, 6))
    found = Compared(qtbot, old, new)
    assert len(found.window.shown) >= 1
    found.window.step(1)
    assert found.window.detail.words.text() in ("something differs inside", "changed: 5 → 6  +1")
    found.window.close()


def every(model: object, index: QModelIndex, depth: int = 0) -> None:
    """Look at every row down to some depth, as a view does."""
    assert hasattr(model, "rowCount")
    for row in range(model.rowCount(index)):
        child = model.index(row, 0, index)  # type: ignore[attr-defined]
        assert model.parent(child) == index  # type: ignore[attr-defined]
        if depth < 4:
            every(model, child, depth + 1)


def test_the_model_keeps_qts_rules(compared: Compared) -> None:
    model = compared.window.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    every(model, QModelIndex())
    compared.window.fold(False)
    every(model, QModelIndex())
    compared.window.head.kinds[DifferenceKind.CHANGED].click()
    assert tester.model() is model


def test_engine_lines_that_differ_are_told_and_compared_by_value(qtbot: QtBot) -> None:
    found = Compared(qtbot, Document(RPG.read_bytes()), Document(RPG4.read_bytes()))
    assert found.window.banner.sentence.text().startswith("Godot 3, stored")
    assert "compared by value" in found.window.banner.sentence.text()
    found.window.close()


def test_keys_go_round_the_whole_window_and_escape_empties_and_leaves_the_filter(compared: Compared) -> None:
    window, key = compared.window, Qt.Key
    window.trees.old.setFocus()
    met: list[QWidget] = []
    while (here := QApplication.focusWidget()) is not None and here not in met:
        met.append(here)
        compared.qtbot.keyClick(
            here, key.Key_F6 if here in (window.bytes[0].view, window.bytes[1].view) else key.Key_Tab
        )
    assert {window.head.path, window.trees.old, window.bytes[0].view, window.bytes[1].view} <= set(met)
    path = window.head.path
    path.setFocus()
    compared.qtbot.keyClicks(path, "gold")
    compared.qtbot.keyClick(path, key.Key_Escape)
    assert (path.text(), path.hasFocus(), window.isVisible()) == ("", True, True)
    compared.qtbot.keyClick(path, key.Key_Escape)
    assert window.trees.old.hasFocus()
    assert window.isVisible()
