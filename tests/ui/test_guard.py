"""Guarding a person's work: journals, files that other programs write, what changed in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus import DATA
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from viewer.document.compare import news
from viewer.document.document import Document
from viewer.document.edits import set_literal
from viewer.document.path_reading import parse_path
from viewer.ui.window import recovery
from viewer.ui.window.dialogs import Answer
from viewer.ui.window.guard import Guard
from viewer.ui.window.main_window import MainWindow
from viewer.variant.items import Item

RPG = DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    path.write_bytes(RPG.read_bytes())
    return path


def guard(window: MainWindow, folder: Path) -> Guard:
    return Guard(window, window.session, window._opened, window._files, window._settings, folder, window._say)


def changed(path: Path, **values: str) -> None:
    """Let another program write the save."""
    document = Document.open(path)
    for name, text in values.items():
        document.apply(set_literal(document, parse_path(document, f"[0].player.{name}"), text))
    document.save(backup=0)


def journals(folder: Path) -> list[Path]:
    return list(folder.glob("**/*.journal"))


def test_a_change_is_written_down_and_forgotten_once_it_is_saved(
    window: MainWindow, save: Path, tmp_path: Path
) -> None:
    kept = guard(window, tmp_path / "journals")
    window.open_path(save)
    window.session.overwrite(540, b"\1\2")
    assert len(journals(tmp_path)) == 1
    window.session.save()
    assert journals(tmp_path) == []
    window.session.overwrite(540, b"\3\4")
    window.session.undo()
    assert journals(tmp_path) == []
    kept.leave()
    assert list((tmp_path / "journals").iterdir()) == []


def test_what_a_run_left_behind_is_offered_and_brought_back(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "journals"
    first = guard(window, folder)
    window.open_path(save)
    window.session.overwrite(540, b"\1\2\3")
    edited = bytes(window.session.document.buffer[:])  # type: ignore[union-attr]
    assert first.journals._lock is not None
    first.journals._lock.unlock()  # as if the program had died
    second = guard(window, folder)
    asked: list[str] = []

    def ask(parent: object, left: Any) -> Answer:
        asked.extend(each.name for each in left)
        return Answer.SAVE

    monkeypatch.setattr(recovery, "_ask", ask)
    second.offer_recovery()
    assert asked == ["game.save"]
    document = window.session.document
    assert document is not None
    assert bytes(document.buffer[:]) == edited
    assert document.modified
    assert save.read_bytes() == RPG.read_bytes()


def test_the_question_offers_to_bring_back_and_to_drop(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    first = guard(window, tmp_path / "journals")
    window.open_path(save)
    window.session.overwrite(540, b"\1\2\3")
    assert first.journals._lock is not None
    first.journals._lock.unlock()
    second = guard(window, tmp_path / "journals")
    seen: list[str] = []

    def drop() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.informativeText())
        next(button for button in box.buttons() if "Drop" in button.text()).click()

    QTimer.singleShot(0, drop)
    second.offer_recovery()
    assert seen == ["“game.save”"]
    assert second.journals.left() == []


def test_a_file_that_another_program_wrote_is_noticed(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    kept = guard(window, tmp_path / "journals")
    window.open_path(save)
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="7")
    assert not window._parts.banner.isHidden()
    assert "Another program" in window._parts.banner.sentence.text()


def test_reading_again_marks_what_changed_with_its_old_value(window: MainWindow, save: Path, tmp_path: Path) -> None:
    guard(window, tmp_path / "journals")
    window.open_path(save)
    window.session.go_to_place("[0].player.hp")
    changed(save, gold="7", name='"Al"')
    window._files.reload()
    document = window.session.document
    assert document is not None
    assert [each.was for each in document.news][1] == "was 5000000000"
    assert len(document.news) == 2
    assert window.session.path == "[0].player.hp"


def test_a_file_without_unsaved_changes_is_read_again_unasked_where_that_is_wanted(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    monkeypatch.setattr(type(window._settings), "reload_unasked", True)
    window.open_path(save)
    with qtbot.waitSignal(window._files.read_again, timeout=10_000):
        changed(save, gold="7")
    window.session.overwrite(540, b"\1")
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="8")
    document = window.session.document
    assert document is not None
    assert document.modified


def test_news_are_the_deepest_values_that_differ() -> None:
    old = Document(RPG.read_bytes())
    new = Document(RPG.read_bytes())
    for path, text in (("[0].player.gold", "1"), ("[0].inventory[0].name", '"Stick"')):
        new.apply(set_literal(new, parse_path(new, path), text))
    found = news(old, new)
    assert [each.item for each in found] == [
        Item(0, parse_path(new, path).node) for path in ("[0].player.gold", "[0].inventory[0].name")
    ]
    assert news(old, old) == []
