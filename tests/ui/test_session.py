"""Large files are read beside the window, which stays alive meanwhile."""

from __future__ import annotations

import gzip
import random
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from viewer.base.progress import Progress
from viewer.base.words import grouped
from viewer.document import reading
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.setting import set_literal
from viewer.document.findings import Findings
from viewer.document.path import parse_path
from viewer.document.readers.file_structure import Structure
from viewer.document.reading import AT_ONCE, Found, Reading, ReadJob, ReadMode, ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.problems_view import IDLE
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow
from viewer.ui.worker import Worker
from viewer.variant.dialect import load
from viewer.variant.items import Item

COUNT = 300_000
#                      Array    300000 ints 7
LONG = struct.pack("<II", 19, COUNT) + struct.pack("<ii", 2, 7) * COUNT
GODOT3 = ReadOptions(load("godot3"))


@pytest.fixture
def session(qtbot: QtBot) -> Any:
    session = Session()
    yield session
    session.reading.leave()


def unread(raw: bytes = LONG) -> Document:
    return Document(raw, name="long", choice=GODOT3, patience=0)


def found_tree(window: MainWindow) -> TreeView:
    tree = window.findChild(TreeView)
    assert isinstance(tree, TreeView)
    return tree


def impatient(document: Document) -> Document:
    """Every change of it is read beside the window from now on."""
    document.patience = 0
    return document


def opened(session: Session, qtbot: QtBot) -> Document:
    document = unread()
    session.show(document)
    with qtbot.waitSignal(session.changed, timeout=20_000):
        pass
    return impatient(document)


def test_a_long_file_shows_its_bytes_at_once_and_its_values_when_they_are_read(session: Session, qtbot: QtBot) -> None:
    document = unread()
    session.show(document)
    assert session.document is document
    assert session.waits
    assert session.item is None
    with qtbot.waitSignal(session.changed, timeout=20_000):
        pass
    assert not session.waits
    assert len(document.frames[0].table) == COUNT + 1
    assert session.path == "[0]"


def test_the_caret_that_was_put_somewhere_meanwhile_stays_there(session: Session, qtbot: QtBot) -> None:
    session.show(unread())
    session.go_to(8 + 8 * 1000)
    with qtbot.waitSignal(session.changed, timeout=20_000):
        pass
    assert session.path.startswith("[0][1000]")


def test_an_edit_is_read_beside_the_window_and_told_once(session: Session, qtbot: QtBot) -> None:
    document = opened(session, qtbot)
    told: list[Any] = []
    session.changed.connect(told.append)
    session.select(parse_path(document, "[0][2]"))
    session.apply(overwrite(document, 4, b"\x03"))
    assert session.waits
    with qtbot.waitSignal(session.reading.taken, timeout=20_000):
        pass
    assert [change.waits for change in told if not change.waits] == [False]
    assert [splice.inserted for change in told for splice in change.splices] == [b"\x03"]
    assert session.path == "[0][2]"


def test_an_edit_made_meanwhile_supersedes_the_reading(session: Session, qtbot: QtBot) -> None:
    document = opened(session, qtbot)
    session.apply(overwrite(document, 4, b"\x03"))
    first = document.task
    session.apply(overwrite(document, 5, b"\x00\x00"))
    assert document.task is not first
    with qtbot.waitSignal(session.reading.taken, timeout=20_000):
        pass
    table = document.frames[0].table
    assert [table.is_guessed(child) for child in table.children(0)[:5]] == [False] * 3 + [True] * 2
    session.undo()
    session.undo()
    with qtbot.waitSignal(session.reading.taken, timeout=20_000):
        pass
    assert document.buffer == LONG
    assert document.frames[0].table.child_count(0) == COUNT


@pytest.mark.parametrize("is_closed", [True, False])
def test_what_is_typed_in_a_row_waits_for_the_bytes_that_are_read_again(
    window: MainWindow, qtbot: QtBot, is_closed: bool
) -> None:
    session, tree = window.session, found_tree(window)
    document = opened(session, qtbot)
    session.select(parse_path(document, "[0][2]"))
    tree.edit_current()
    assert tree.editor.field is not None
    tree.editor.field.setText("12 apples")
    told: list[str] = []
    session.failed.connect(told.append)
    session.apply(overwrite(document, 4, b"\x03"))
    session.stop_reading()
    assert session.waits
    assert tree.editor.field is None
    assert told == []
    with qtbot.waitSignal(session.opened if is_closed else session.reading.taken, timeout=20_000):
        session.show(None) if is_closed else session.read_on()
    assert told == (["The value that was edited here is gone. Typed there: “12 apples”."] if is_closed else [])
    assert (tree.editor.field.text() if tree.editor.field is not None else "") == ("" if is_closed else "12 apples")


def test_a_stopped_reading_leaves_the_bytes_and_can_be_begun_again(session: Session, qtbot: QtBot) -> None:
    document = unread()
    session.show(document)
    session.stop_reading()
    assert session.waits
    assert not session.reading.is_on
    session.go_to(12)
    assert session.caret == 12
    with qtbot.waitSignal(session.reading.taken, timeout=20_000):
        session.read_on()
    assert document.frames[0].table.child_count(0) == COUNT
    assert session.path == "[0][0].value"


def test_bytes_typed_after_a_stop_are_kept_and_read(session: Session, qtbot: QtBot) -> None:
    document = unread()
    session.show(document)
    session.stop_reading()
    impatient(document)
    with qtbot.waitSignal(session.reading.taken, timeout=20_000):
        session.overwrite(12, b"\x09")
    assert document.buffer[12] == 9
    assert document.frames[0].table.child_count(0) == COUNT


def test_a_value_cannot_be_set_before_it_is_read(session: Session, qtbot: QtBot) -> None:
    document = opened(session, qtbot)
    item = parse_path(document, "[0][2]")
    session.apply(overwrite(document, 4, b"\x03"))
    with pytest.raises(ValueError, match="still being read"):
        session.set_literal(item, "5")


def test_too_little_memory_is_said_and_the_window_stays(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(task: ReadJob, *_: object) -> Reading:
        raise MemoryError

    monkeypatch.setattr(ReadJob, "run", fails)
    with qtbot.waitSignal(session.failed, timeout=20_000) as told:
        session.show(unread())
    assert "not enough memory" in told.args[0]
    assert session.waits


def test_another_file_takes_the_place_of_one_that_is_read(session: Session, qtbot: QtBot) -> None:
    session.show(unread())
    short = Document(bytes.fromhex("02000000 05000000"), choice=GODOT3)
    session.show(short)
    assert not session.reading.is_on
    assert session.path == "[0]"


def test_a_structural_edit_leaves_the_selection_on_the_value_it_was_on(session: Session) -> None:
    raw = bytes.fromhex("13000000 03000000 04000000 01000000 61000000 02000000 05000000 02000000 06000000")
    document = Document(raw, choice=GODOT3)
    session.show(document)
    session.select(parse_path(document, "[0][2]"))
    session.apply(set_literal(document, parse_path(document, "[0][0]"), '"longer"'))
    assert session.path == "[0][2]"
    assert session.caret == 32


def test_a_worker_tells_no_end_of_a_job_that_was_stopped(qtbot: QtBot) -> None:
    worker, gate, told = Worker(), threading.Event(), []
    worker.finished.connect(told.append)
    worker.start(lambda progress: gate.wait(5))
    worker.stop()
    gate.set()
    worker.wait()
    with qtbot.waitSignal(worker.finished, timeout=5000):
        worker.start(lambda progress: 7)
    assert [job.result for job in told] == [7]


def test_a_long_file_is_shown_before_it_is_in_memory_and_needs_no_file_after(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "long.save"
    count = files.LONG // 8
    raw = struct.pack("<II", 19, count) + struct.pack("<ii", 2, 7) * count
    path.write_bytes(raw)
    document = Document.open(path, patience=AT_ONCE)
    assert document.is_cold
    session.show(document)
    qtbot.waitUntil(lambda: not session.waits and not document.is_cold, timeout=20_000)
    assert not session.waits
    path.write_bytes(b"")
    assert bytes(document.buffer[-16:]) == raw[-16:]
    assert document.frames[0].table.child_count(0) == count
    session.apply(overwrite(document, 12, b"\x08"))
    assert bytes(document.buffer[8:20]) == struct.pack("<iii", 2, 8, 2)
    assert bytes(document.buffer[20:]) == raw[20:]


def test_a_long_file_that_is_to_be_unwrapped_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.gz"
    raw = random.Random(7).randbytes(1 << 24)
    path.write_bytes(gzip.compress(LONG + raw, 1))
    document = Document.open(path, patience=AT_ONCE)
    assert document.wraps.names == ("gzip",)
    assert not document.is_cold
    assert bytes(document.buffer[: len(LONG)]) == LONG


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Until this is set a reading does not go on behind its first values."""
    gate, run = threading.Event(), ReadJob.run

    def held(task: ReadJob, progress: Progress, found: Found | None = None) -> Reading:
        def wait(way: ReadMode, structure: Structure | None) -> None:
            if found is not None:
                found(way, structure)
                gate.wait(20)

        return run(task, progress, wait)

    monkeypatch.setattr(ReadJob, "run", held)
    return gate


def test_the_first_values_are_seen_while_all_are_read(window: MainWindow, qtbot: QtBot, gate: threading.Event) -> None:
    session, tree = window.session, found_tree(window)
    document = unread()
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(document)
    root = tree.tree_model.index(0, 0)
    assert session.waits
    assert tree.isExpanded(root)
    assert tree.tree_model.facts(tree.tree_model.index(0, 0, tree.tree_model.index(0, 0, root))).text == "7"
    assert tree.tree_model.facts(root).count == f"[{grouped(COUNT)}]"
    assert not tree.tree_model.facts(root).error_below
    gate.set()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert tree.isExpanded(tree.tree_model.index(0, 0))
    assert len(document.frames[0].table) == COUNT + 1


def test_the_first_values_are_painted_before_all_are_read(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, done, recut = window.session, list[str](), reading.recut

    def read(*arguments: Any) -> Any:
        done.append("read")
        return recut(*arguments)

    monkeypatch.setattr(reading, "recut", read)
    session.reading.glimpsed.connect(lambda _: QTimer.singleShot(0, lambda: done.append("painted")))
    session.show(unread())
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert done == ["painted", "read"]


def test_a_file_that_is_opened_is_not_said_to_be_stopped(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    told: list[str] = []
    monkeypatch.setattr(Banner, "tell", lambda banner, sentence, *_: told.append(sentence))
    session = window.session
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(unread())
    assert not told
    session.stop_reading()
    gate.set()
    assert "Reading was stopped" in told[-1]


def test_the_first_values_are_not_searched_for_problems(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    searched: list[int] = []
    steps = Findings.lint_steps

    def counted(findings: Findings) -> Iterator[None]:
        searched.append(len(findings._document.frames[0].table))
        return steps(findings)

    monkeypatch.setattr(Findings, "lint_steps", counted)
    session = window.session
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(unread())
    qtbot.wait(3 * IDLE)
    assert not searched
    gate.set()
    qtbot.waitUntil(lambda: bool(searched), timeout=20_000)
    assert searched[0] == COUNT + 1


def test_what_is_only_seen_yet_is_not_changed_and_not_copied(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    session, tree = window.session, found_tree(window)
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(unread())
    QGuiApplication.clipboard().setText("before")
    page = tree.tree_model.index(0, 0, tree.tree_model.index(0, 0))
    tree.set_current(tree.tree_model.index(5, 0, page))
    for work in (tree.copy, tree.edit_current):
        with qtbot.waitSignal(session.failed) as told:
            work()
        assert "still being read" in told.args[0]
    assert QGuiApplication.clipboard().text() == "before"
    assert not tree.editor.is_open
    gate.set()


def test_a_reading_that_is_stopped_takes_its_first_values_with_it(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    session, tree = window.session, found_tree(window)
    document = unread()
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(document)
    session.stop_reading()
    gate.set()
    assert tree.tree_model.rowCount() == 0
    assert not document.frames
    session.read_on()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert len(document.frames[0].table) == COUNT + 1


def test_what_a_person_opened_early_stays_open(window: MainWindow, qtbot: QtBot, gate: threading.Event) -> None:
    session, tree = window.session, found_tree(window)
    with qtbot.waitSignal(session.reading.glimpsed, timeout=20_000):
        session.show(unread())
    page = tree.tree_model.index(0, 0, tree.tree_model.index(0, 0))
    tree.expand(page)
    session.select(tree.tree_model.item(tree.tree_model.index(5, 0, page)))
    path = session.path
    gate.set()
    qtbot.waitUntil(lambda: not session.waits, timeout=20_000)
    assert session.path == path == "[0][5]"


def test_the_other_line_that_fits_damaged_bytes_is_one_click_away(window: MainWindow) -> None:
    window.session.show(Document(bytes.fromhex("13000000 02000000 02000000 2a000000 04000000 02000000 6869")))
    banner = window.findChild(Banner, "banner")
    assert banner is not None
    assert banner.isVisible()
    assert banner.action_button.text() == "Read as Godot 2"
    banner.action_button.click()
    assert window.session.document is not None
    assert window.session.document.dialect is load("godot2")


def test_bytes_that_are_read_at_once_end_a_reading_with_nothing_selected_that_is_gone(window: MainWindow) -> None:
    session, document = window.session, Document(struct.pack("<II", 19, 100) + struct.pack("<II", 2, 7) * 100)
    session.show(document)
    session.select(Item(0, 100))
    document.patience = 0
    session.apply(Edit("one byte", (Splice(804, b"\x07", b"\x08"), Splice(0, b"\x13", b"\x1c"))))
    assert session.reading.is_on
    selected: list[Item | None] = []
    session.reading.changed.connect(lambda: selected.append(session.item))
    document.patience = None
    session.apply(Edit("nearly all", (Splice(8, bytes(document.buffer[8:]), b""),)))
    assert selected == [None]
    assert not session.reading.is_on
