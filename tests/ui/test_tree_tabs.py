"""Tabs and the tree: files that edits broke are left and shown again, and no row is made that is gone."""

from __future__ import annotations

import random
from pathlib import Path

import corpus
import pytest
from corpus import SavedFile
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from viewer.base.span import Span
from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import insert_bytes, overwrite, remove_bytes
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.document.viewmodel.rows import RowIndex
from viewer.document.wraps import UnwrapOptions
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.tree.levels import LEVELS, expand_to
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.open_files import OpenFiles

BREAK = corpus.DATA / "breaks" / "ctrl-tab-after-insert.gcpf"
RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
FILES = {e.folder: (*corpus.files(e.folder), *corpus.wrapped(e.folder)) for e in corpus.ENGINES}
SMALL = [
    saved
    for folder, some in FILES.items()
    for saved in corpus.spread((saved for saved in some if saved.path.stat().st_size < 30_000), 4, folder)
]
NEW = bytes.fromhex("61626364")
EDITS, SHORT = 3, 300
"""So many edits of a file of so many bytes at most, one of a longer one."""
TESTED = 700
"""Qt's tester asks for every row many times over: of files of so many bytes at most."""


def test_a_file_whose_values_an_insert_broke_is_shown_again_by_ctrl_tab(window: MainWindow, qtbot: QtBot) -> None:
    window.open_path(BREAK)
    session = window.session
    document = session.document
    assert document is not None
    session.apply(insert_bytes(document, len(document.buffer) * 47 // 100, NEW))
    qtbot.waitUntil(lambda: not session.waits)
    window.open_path(RPG)
    for wanted in (document, window._opened.documents[1], document):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        assert session.document is wanted
        assert window._parts.tree.tree_model.rowCount() == RowIndex(wanted).count(0)
    document.history.mark_saved()


class Tabs:
    """A tree whose files change places, with those of few rows under Qt's own tester."""

    def __init__(self, qtbot: QtBot, app: QApplication) -> None:
        theme = ThemeController(app, "light").theme
        self.session = Session()
        self.tree = TreeView(self.session, theme)
        qtbot.addWidget(self.tree, before_close_func=lambda _: self.session.reading.leave())
        self.tree.resize(900, 700)
        self.tree.show()
        self.files = OpenFiles(self.session, self.tree, theme)
        qtbot.addWidget(self.files.bar)
        self._qtbot = qtbot

    def apply(self, edit: Edit) -> None:
        self.session.apply(edit)
        self._qtbot.waitUntil(lambda: not self.session.waits)

    def switch(self, number: int) -> None:
        if all(len(document.buffer) <= TESTED for document in self.files.documents):
            mode = QAbstractItemModelTester.FailureReportingMode.Warning  # a warning fails the test and names the rule
            tester = QAbstractItemModelTester(self.tree.tree_model, mode)
            self.files.switch(number)
            delete(tester)
        else:
            self.files.switch(number)
        self._qtbot.waitUntil(lambda: not self.session.waits)
        self.check()

    def check(self) -> None:
        """The rows that are open, and the current one, are rows of the document that is shown."""
        document, model = self.session.document, self.tree.tree_model
        assert document is not None
        rows, shown = RowIndex(document), self.tree.tree_model.rows
        assert shown is not None
        assert model.rowCount() == rows.count(0)
        for holder in self.tree.expansion.open:
            index = model.index_of_holder(holder)
            assert index.isValid() == rows.has(holder)
            if index.isValid():
                assert model.holder(index) == holder
        current = self.tree.currentIndex()
        assert not current.isValid() or rows.has_place((current.internalId(), current.row()))
        self.tree.grab()


def opened(saved: SavedFile) -> Document:
    """A file of the corpus, with its password or key where it has one."""
    password, key = (_found(saved.sidecar, name) for name in ("password", "key_hex"))
    secret = Secret.of_password(password) if password is not None else Secret.of_hex(key) if key else None
    return Document.open(saved.path, ReadOptions(opening=UnwrapOptions(secret=secret)))


def _found(value: object, name: str) -> str | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get(name), str):
        return str(value[name])
    return next((text for each in value.values() if (text := _found(each, name)) is not None), None)


def breaking(document: Document, chance: random.Random) -> Edit:
    """An edit of bytes anywhere, that asks nothing of what they mean."""
    size = len(document.buffer)
    at = chance.randrange(size)
    count = chance.choice((1, 2, 4, 8, 64))
    new = bytes(chance.choice((0, 1, 3, 18, 19, 0xFF, chance.randrange(256))) for _ in range(count))
    kind = chance.randrange(3)
    if kind == 0:
        return insert_bytes(document, at, new)
    if kind == 1 and size > count:
        return remove_bytes(document, Span(at, min(size, at + count)))
    return overwrite(document, at, new[: size - at])


@pytest.mark.parametrize("saved", SMALL, ids=str)
def test_files_that_are_broken_at_random_change_places_without_a_row_that_is_gone(
    qtbot: QtBot, qapp: QApplication, saved: SavedFile
) -> None:
    chance = random.Random(str(saved))
    tabs = Tabs(qtbot, qapp)
    tabs.files.add(Document(bytes.fromhex("02000000 07000000")))
    document = opened(saved)
    tabs.files.add(document)
    is_short = len(document.buffer) <= SHORT
    for _ in range(EDITS if is_short else 1):
        expand_to(tabs.tree, LEVELS if is_short else 2)
        if len(document.buffer):
            tabs.session.go_to(chance.randrange(len(document.buffer)))
            tabs.apply(breaking(document, chance))
        tabs.check()
        tabs.switch(0)
        tabs.switch(1)
    if document.history.undo_label:
        tabs.session.undo()
        qtbot.waitUntil(lambda: not tabs.session.waits)
        tabs.check()


def test_a_changed_packet_whose_rows_are_gone_is_shown_again(qtbot: QtBot, qapp: QApplication) -> None:
    """Its tab was left with rows open that what was read in its place never had."""
    tabs = Tabs(qtbot, qapp)
    tabs.files.add(Document.open(RPG))
    tabs.tree.expand_all_under(QModelIndex())
    tabs.files.add(Document.open(BREAK))
    tabs.tree.expand_all_under(QModelIndex())
    document = tabs.session.document
    assert document is not None
    tabs.apply(insert_bytes(document, len(document.buffer) * 47 // 100, NEW))
    broken = bytes(document.buffer[:])
    tabs.files.replace(Document(broken), stay=True)
    tabs.check()
    tabs.switch(0)
    tabs.files.replace(Document(broken), stay=True)  # the rows of the save were open: these are others
    tabs.check()
    tabs.files.replace(Document(Path(RPG).read_bytes()[:200]), stay=True)
    tabs.check()
