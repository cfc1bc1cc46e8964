"""After every operation and after its undo: what is open, selected and on the screen stays what it was.

Rows are told apart by their paths. The table of operations says where each path leads after an operation; all rows that
are still there must be open or closed as before, and the first one on the screen stays at the same height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.byte_operations import BYTES, EDITORS, SEARCH
from ui.operations import ROWS, VALUES, Moved, Operation
from ui.person import Person

from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.actions import all_entries
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

OPERATIONS = {**ROWS, **VALUES, **EDITORS, **SEARCH, **BYTES}
CHANGES_NOTHING = {
    "undo": "follows each operation here",
    "redo": "follows each operation here",
    "history": "undoes and redoes",
    "copy": "only reads",
    "copy_as": "only reads",
    "copy_path": "only reads",
    "select_all": "only selects",
    "select_range": "only selects",
    "look_inside": "only shows other rows",
    "describe": "writes a layout, no bytes; see test_layout_actions",
    "undescribe": "writes a layout, no bytes; see test_layout_actions",
    "open_layout": "only opens a layout",
    "forget_layout": "writes a layout, no bytes; see test_layout_actions",
    "picture": "only shows",
    "plot": "only shows",
    "export_picture": "only writes another file",
    "replace_picture": "asks for a picture; see the tests of the window of a picture",
    "find": "only looks",
    "find_next": "only looks",
    "find_previous": "only looks",
    "find_list": "only shows a list",
    "insert_mode": "only says how bytes are typed; the operations on bytes use both modes",
}
"""The entries of the menus that no operation stands for, and why."""
BESIDE = (
    *("insert behind", "delete several", "duplicate", "move up", "paste", "drag into another", "drag an open one out"),
    *("sort keys of all", "set a text", "rename the key of what is open", "rows into a grid", "bulk edit of texts"),
)
"""Operations that are tried once more where reading takes long, as in large files."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person sees of the tree: all rows by their paths."""

    open: frozenset[str]
    selected: tuple[str, ...]
    current: str
    top: tuple[str, int]
    scrolled: int


def sight(person: Person) -> Sight:
    tree = person.tree
    model, index, rows = tree.tree_model, tree.tree_model.index(0, 0), []
    while index.isValid():
        rows.append(index)
        index = tree.indexBelow(index)
    top = tree.indexAt(tree.viewport().rect().topLeft())
    return Sight(
        frozenset(model.path(row) for row in rows if tree.isExpanded(row) and model.hasChildren(row)),
        tuple(sorted(model.path(row) for row in tree.selectionModel().selectedRows())),
        model.path(tree.currentIndex()),
        (model.path(top), tree.visualRect(top).top()),
        tree.verticalScrollBar().value(),
    )


def path_then(path: str, moved: Moved) -> str:
    """Where a path leads after an operation; the longest of the moved paths that it begins with decides."""
    for end in range(len(path), 0, -1):
        if path[:end] in moved and path[end : end + 1] in ("", ".", "["):
            return moved[path[:end]] + path[end:] if moved[path[:end]] else ""
    return path


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    found = MainWindow(None, ThemeController(qapp, "light"))
    found.resize(1200, 700)
    found.show()
    yield found
    found.session.show(None)
    found.close()
    found.deleteLater()


@pytest.fixture
def person(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Person]:
    window.activateWindow()
    yield Person(window, qtbot, monkeypatch, tmp_path)
    window.session.show(None)
    window.session.reading.leave()


def stand(person: Person, operation: Operation) -> None:
    """Open the document, the rows of the operation, and go to where it begins, somewhere below the top."""
    choice = ReadOptions(load(operation.dialect), None, FramingKind.BARE) if operation.dialect else None
    person.window.session.show(Document(operation.raw, name="test", choice=choice))
    tree, document = person.tree, person.document
    person.hex.set_insert_mode(False)
    for path in operation.opened:
        tree.expand(tree.tree_model.index_of(parse_path(document, path)))
    person.stand(operation.at)
    operation.ready(person)
    QApplication.processEvents()
    bar, row = tree.verticalScrollBar(), tree.row_rect(tree.currentIndex())
    bar.setValue(bar.value() + row.top() - operation.lead * row.height() - 7)
    for path in operation.also:
        index = tree.tree_model.index_of(parse_path(document, path))
        flags = QItemSelectionModel.SelectionFlag
        tree.selectionModel().select(index, flags.Select | flags.Rows)


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_is_open_selected_and_on_the_screen_is_kept(person: Person, name: str) -> None:
    operation = OPERATIONS[name]
    stand(person, operation)
    before, raw = sight(person), person.raw
    starts = {path: person.start(path) for path in before.open} if operation.breaks else {}
    operation.do(person)
    QApplication.processEvents()
    after, changed = sight(person), person.raw
    assert changed != raw
    if operation.breaks:
        check_broken(person, before, starts, after)
    else:
        check(operation, before, after)
    person.window.session.undo()
    assert person.raw == raw
    assert sight(person) == before
    if operation.goes_on:
        return
    person.window.session.redo()
    assert person.raw == changed
    assert sight(person) == after
    person.window.session.undo()
    assert sight(person) == before


@pytest.mark.parametrize("name", BESIDE)
def test_the_same_is_kept_where_the_bytes_are_read_beside_the_window(person: Person, name: str) -> None:
    operation, session = OPERATIONS[name], person.window.session
    stand(person, operation)
    person.document.patience = 0
    before = sight(person)
    with person.qtbot.waitSignal(session.reading.taken):
        operation.do(person)
    check(operation, before, sight(person))
    with person.qtbot.waitSignal(session.reading.taken):
        session.undo()
    assert sight(person) == before


def check(operation: Operation, before: Sight, after: Sight) -> None:
    """Whether a person sees after an operation what they should."""
    expected = operation.after or before.current
    assert after.current == expected
    assert after.selected == (operation.selected or (expected,))
    still = frozenset(path_then(path, operation.moved) for path in before.open) - {""}
    assert after.open == still | frozenset(operation.mends)
    if not operation.scrolls:
        assert after.top == (path_then(before.top[0], operation.moved), before.top[1])


def check_broken(person: Person, before: Sight, starts: dict[str, int], after: Sight) -> None:
    """The same where bytes are no values any more from the caret on: what lies before them stays as it was."""
    caret, item = person.window.session.caret, person.tree.current_item
    assert item is not None
    assert caret in outline.span(person.document, item)
    assert after.selected == (after.current,)
    assert {path for path, start in starts.items() if start < caret} <= after.open
    assert after.top == before.top


def test_every_entry_that_changes_something_is_an_operation_here() -> None:
    entries = {
        entry.name for title, entry in all_entries() if title in ("Edit", "Value", "Bytes") and not entry.entries
    }
    named = {name for operation in OPERATIONS.values() for name in operation.names}
    assert named | CHANGES_NOTHING.keys() == entries
    assert not named & CHANGES_NOTHING.keys()
