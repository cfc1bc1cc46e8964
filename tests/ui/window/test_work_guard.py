"""Guarding a person's work: journals, files that other programs write, what changed in them."""

from __future__ import annotations

import os
import struct
import threading
from pathlib import Path
from typing import Any

import pytest
from corpus import DATA
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from viewer.container.layer import Secret
from viewer.document import outline
from viewer.document.compare.comparing import compare
from viewer.document.compare.news import news
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.journals.bringing_back import brought_back
from viewer.document.journals.journal import KEPT_WHOLE, left_behind
from viewer.document.journals.journal_folders import JournalFolders
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.hex.view import HexView
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window import bring_back_question, journal_keeper
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.work_guard import WorkGuard
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.value import Value

RPG = DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    path.write_bytes(RPG.read_bytes())
    return path


def guard(window: MainWindow, folder: Path) -> WorkGuard:
    journals = JournalKeeper(window.session, lambda: window._opened.documents, folder, window._say)
    return WorkGuard(window, window.session, window._opened, window._files, window._settings, journals, window._say)


def changed(path: Path, **values: str) -> None:
    """Let another program write the save."""
    document = Document.open(path)
    for name, text in values.items():
        document.apply(set_literal(document, parse_path(document, f"[0].player.{name}"), text))
    document.save(backup=0)


def kill(guarded: WorkGuard) -> None:
    """Let a guard end as if the program had died: it does nothing any more, and the system lets go of its lock."""
    keeper, session = guarded.journals, guarded._session
    for signal, way in zip((session.written, session.saving), keeper._ways.pop(session), strict=True):
        signal.disconnect(way)
    session.history_changed.disconnect(keeper._drop_done)
    session.opened.disconnect(keeper._drop_done)
    keeper._again.stop()
    keeper._sync_soon.stop()
    keeper._folders.release()
    if keeper._folders._lock is not None:
        keeper._folders._lock.release()


def die_with_changes(window: MainWindow, folder: Path, save: Path, offset: int = 540) -> bytes:
    """A run that edits a save and dies; returns the bytes that it showed."""
    guarded = guard(window, folder)
    window.open_path(save)
    window.session.overwrite(offset, b"\1\2\3")
    shown = bytes(window.session.document.buffer[:])  # type: ignore[union-attr]
    kill(guarded)
    window.session.show(None)
    return shown


def answer(monkeypatch: pytest.MonkeyPatch, given: UserChoice) -> list[str]:
    """Let a person answer the question at the start; returns the names that it will tell."""
    asked: list[str] = []

    def ask(parent: object, ready: Any, secret: Any, waiting: int) -> UserChoice:
        asked.extend(left.name for left, _ in ready)
        asked.extend(f"{left.name} (secret)" for left in secret)
        if waiting:
            asked.append(f"{waiting} waiting")
        return given

    monkeypatch.setattr(bring_back_question, "_ask", ask)
    return asked


def shown(window: MainWindow) -> Document:
    document = window.session.document
    assert document is not None
    return document


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


def test_what_was_kept_of_one_file_twice_is_told_apart_by_its_time(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for offset in (540, 544):
        die_with_changes(window, tmp_path / "journals", save, offset)
    for number, path in enumerate(journals(tmp_path)):
        os.utime(path, (1_700_000_000 + 3600 * number,) * 2)
    told: list[str] = []
    monkeypatch.setattr(dialogs, "question", lambda _, words, more: told.append(more) or QMessageBox())
    monkeypatch.setattr(dialogs, "answer", lambda *_: UserChoice.CANCEL)
    guard(window, tmp_path / "journals").offer_kept()
    first, second = told[0].split("\n")
    assert first.startswith("“game.save” as of 2023-11-1")
    assert first[-2:] == second[-2:]
    assert first != second


def test_versions_of_one_minute_are_told_apart_and_all_but_the_first_say_where_they_go(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for offset in (540, 544):
        die_with_changes(window, tmp_path / "journals", save, offset)
    for number, path in enumerate(journals(tmp_path)):
        os.utime(path, (1_700_000_000 + number,) * 2)
    told: list[str] = []
    monkeypatch.setattr(dialogs, "question", lambda _, words, more: told.append(more) or QMessageBox())
    monkeypatch.setattr(dialogs, "answer", lambda *_: UserChoice.CANCEL)
    guard(window, tmp_path / "journals").offer_kept()
    first, second = told[0].split("\n")
    assert first.endswith(":21")
    assert second.startswith("“game.save” in a tab of its own, as of 2023-")
    assert second.endswith(":20")


def test_of_two_versions_of_one_file_the_latest_has_it_and_the_other_one_is_its_own(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = [die_with_changes(window, tmp_path / "journals", save, offset) for offset in (540, 544)]
    for path in journals(tmp_path):
        is_first = left_behind(path).steps[0].offset == 540  # type: ignore[union-attr]
        os.utime(path, (1_700_000_000 if is_first else 1_700_000_001,) * 2)
    answer(monkeypatch, UserChoice.SAVE)
    said: list[str] = []
    monkeypatch.setattr(window, "_say", said.append)
    guarded = guard(window, tmp_path / "journals")
    guarded.offer_kept()
    latest, older = window._opened.documents
    assert (latest.path, older.path, older.modified) == (save, None, True)
    assert [bytes(each.buffer[:]) for each in (older, latest)] == edited
    assert said == [
        f"“game.save” is open with other changes, so this version is “{older.name}” and has no file: "
        "save it under a name of its own."
    ]
    window._files.show_open(latest)
    assert window._files.save()
    assert not older.changed_on_disk
    asked: list[str] = []
    other = tmp_path / "other.save"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *said: asked.append(Path(said[2]).name) or (str(other), "")
    )
    window._files.show_open(older)
    assert window._files.save()
    assert asked[0].startswith("game 2023-11-1")
    assert [other.read_bytes(), save.read_bytes()] == edited
    assert journals(tmp_path) == []


def test_a_version_that_is_its_own_is_brought_back_again_after_a_further_crash(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = {die_with_changes(window, tmp_path / "journals", save, offset) for offset in (540, 544)}
    answer(monkeypatch, UserChoice.SAVE)
    for _ in range(3):
        guarded = guard(window, tmp_path / "journals")
        guarded.offer_kept()
        assert {bytes(each.buffer[:]) for each in window._opened.documents} == edited
        assert [each.path for each in window._opened.documents].count(save) == 1
        assert save.read_bytes() == RPG.read_bytes()
        kill(guarded)
        window.session.show(None)


def test_what_is_brought_back_of_a_file_with_changes_leaves_these_alone(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    answer(monkeypatch, UserChoice.SAVE)
    guarded = guard(window, tmp_path / "journals")
    window.open_path(save)
    window.session.overwrite(700, b"\7\7")
    mine = shown(window)
    guarded.offer_kept()
    assert window._opened.documents[0] is mine
    assert (mine.path, mine.modified) == (save, True)
    assert (shown(window).path, bytes(shown(window).buffer[:])) == (None, edited)


def test_what_a_run_left_behind_is_offered_and_brought_back(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    asked = answer(monkeypatch, UserChoice.SAVE)
    guard(window, tmp_path / "journals").offer_kept()
    assert asked == ["game.save"]
    assert bytes(shown(window).buffer[:]) == edited
    assert shown(window).modified
    assert save.read_bytes() == RPG.read_bytes()


def test_what_was_brought_back_is_offered_again_after_each_further_crash(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    asked = answer(monkeypatch, UserChoice.SAVE)
    for number in range(3):
        guarded = guard(window, tmp_path / "journals")
        guarded.offer_kept()
        assert asked == ["game.save"] * (number + 1)
        assert bytes(shown(window).buffer[:]) == edited
        kill(guarded)
        window.session.show(None)
    assert len(JournalFolders(tmp_path / "journals").claim()) == 1
    assert len(journals(tmp_path)) == 1


def test_what_was_left_behind_goes_when_the_new_journal_has_reached_the_disk(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: Any
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    (old,) = journals(tmp_path)
    answer(monkeypatch, UserChoice.SAVE)
    guarded = guard(window, tmp_path / "journals")
    guarded.offer_kept()
    assert old.exists()
    assert JournalFolders(tmp_path / "journals").claim() == []
    qtbot.waitUntil(lambda: not old.exists())
    qtbot.waitUntil(lambda: not old.parent.exists())
    assert len(journals(tmp_path)) == 1


def test_an_edit_after_bringing_back_is_offered_with_what_was_brought_back(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    answer(monkeypatch, UserChoice.SAVE)
    guarded = guard(window, tmp_path / "journals")
    guarded.offer_kept()
    window.session.overwrite(700, b"\7\7")
    edited = bytes(shown(window).buffer[:])
    kill(guarded)
    window.session.show(None)
    guard(window, tmp_path / "journals").offer_kept()
    assert bytes(shown(window).buffer[:]) == edited
    assert edited[540:543] == b"\1\2\3"


@pytest.mark.parametrize("end", ["save", "close"])
def test_what_was_brought_back_is_forgotten_once_it_is_saved_or_closed(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    answer(monkeypatch, UserChoice.SAVE)
    guarded = guard(window, tmp_path / "journals")
    guarded.offer_kept()
    assert journals(tmp_path) != []
    if end == "save":
        window.session.save()
    else:
        window._opened.close_current()
    assert journals(tmp_path) == []
    guarded.leave()
    assert list((tmp_path / "journals").iterdir()) == []


def test_cancel_keeps_what_was_left_behind_for_the_next_start(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    asked = answer(monkeypatch, UserChoice.CANCEL)
    for number in range(2):
        guard(window, tmp_path / "journals").offer_kept()
        assert asked == ["game.save"] * (number + 1)
    assert window.session.document is None
    assert len(journals(tmp_path)) == 1


def test_of_two_programs_that_start_at_once_one_offers(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    other = guard(window, tmp_path / "journals").journals
    seen: list[int] = []

    def ask(*_: object) -> UserChoice:
        seen.append(len(other.left()))
        return UserChoice.SAVE

    monkeypatch.setattr(bring_back_question, "_ask", ask)
    guard(window, tmp_path / "journals").offer_kept()
    assert seen == [0]
    assert other.left() == []


def test_what_the_file_holds_already_is_not_offered(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    save.write_bytes(edited)
    asked = answer(monkeypatch, UserChoice.SAVE)
    guard(window, tmp_path / "journals").offer_kept()
    assert asked == []
    assert journals(tmp_path) == []


def test_a_file_that_is_gone_is_brought_back_whole_and_saved_where_it_was(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    save.unlink()
    answer(monkeypatch, UserChoice.SAVE)
    guard(window, tmp_path / "journals").offer_kept()
    assert bytes(shown(window).buffer[:]) == edited
    window.session.save()
    assert save.read_bytes() == edited


def test_what_cannot_be_brought_back_now_is_kept_told_and_not_asked_about(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with save.open("ab") as file:
        file.truncate(KEPT_WHOLE + 64)
    die_with_changes(window, tmp_path / "journals", save)
    save.rename(tmp_path / "moved.save")
    asked = answer(monkeypatch, UserChoice.SAVE)
    said: list[str] = []
    monkeypatch.setattr(window, "_say", said.append)
    guard(window, tmp_path / "journals").offer_kept()
    assert asked == []
    assert said == [
        "1 document with unsaved changes cannot be brought back now. File > Recover Unsaved… lists what is kept."
    ]
    (tmp_path / "moved.save").rename(save)
    guard(window, tmp_path / "journals").offer_kept()
    assert asked == ["game.save"]
    assert shown(window).buffer[540:543] == b"\1\2\3"


def test_the_question_offers_to_bring_back_and_to_drop(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    die_with_changes(window, tmp_path / "journals", save)
    second = guard(window, tmp_path / "journals")
    seen: list[str] = []

    def drop() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.informativeText())
        next(button for button in box.buttons() if "Discard" in button.text()).click()

    QTimer.singleShot(0, drop)
    second.offer_kept()
    assert seen == ["“game.save”"]
    assert second.journals.left() == []
    assert journals(tmp_path) == []


def test_an_encrypted_document_is_told_to_be_lost(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.save"
    path.write_bytes((DATA / "godot3" / "files" / "enc_pass_one.save").read_bytes())
    guarded = guard(window, tmp_path / "journals")
    window.session.show(Document.open(path, ReadOptions(opening=UnwrapOptions(secret=Secret.of_password("hunter2")))))
    window.session.apply(set_literal(shown(window), parse_path(shown(window), "[0]"), '{"x": "a plain secret"}'))
    kill(guarded)
    window.session.show(None)
    assert all(b"plain secret" not in each.read_bytes() for each in journals(tmp_path))
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    guard(window, tmp_path / "journals").offer_kept()
    assert told == ["“secret.save” is encrypted, so that its unsaved changes were not written down: they are lost."]
    assert journals(tmp_path) == []


def test_too_little_memory_keeps_what_was_left_behind(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = die_with_changes(window, tmp_path / "journals", save)
    answer(monkeypatch, UserChoice.SAVE)
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))

    def too_large(*_: object) -> Document:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(journal_keeper, "brought_back", too_large)
        guard(window, tmp_path / "journals").offer_kept()
    assert told == [
        "There is not enough memory for “game.save”: close other programs, then try again.\n"
        "File > Recover Unsaved… lists what is kept."
    ]
    guard(window, tmp_path / "journals").offer_kept()
    assert bytes(shown(window).buffer[:]) == edited


def test_a_disk_that_takes_nothing_is_told_once_and_tried_again(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    folder = tmp_path / "journals"
    folder.write_bytes(b"")  # a file in the place of the folder
    said: list[str] = []
    guarded = guard(window, folder)
    guarded.journals._say = said.append
    guarded.journals._sync_soon.setInterval(0)
    window.open_path(save)
    for offset in (540, 600):
        window.session.overwrite(offset, b"\1\2\3")
    assert said == ["Changes cannot be kept in case of a crash (not a directory). Save often."]
    guarded.journals.try_again()
    assert len(said) == 1
    folder.unlink()
    guarded.journals.try_again()
    qtbot.waitUntil(lambda: len(said) == 2)
    assert said[1] == "Changes are again kept in case of a crash."
    edited = bytes(shown(window).buffer[:])
    kill(guarded)
    (found,) = [left_behind(path) for path in journals(tmp_path)]
    assert found is not None
    back = brought_back(found)
    assert back is not None
    assert bytes(back.buffer[:]) == edited


def test_changes_reach_the_disk_together_and_beside_the_window(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    synced: list[tuple[Path, str]] = []
    keeper = JournalKeeper(
        window.session,
        lambda: window._opened.documents,
        tmp_path / "journals",
        window._say,
        lambda path: synced.append((path, threading.current_thread().name)),
    )
    keeper.follow(window.session)
    keeper._sync_soon.setInterval(100)
    window.open_path(save)
    for offset in range(540, 560):
        window.session.overwrite(offset, b"\1")
    assert synced == []
    with qtbot.waitSignal(keeper._synced):
        pass
    assert synced == [(journals(tmp_path)[0], "journals")]
    window.session.overwrite(700, b"\1")
    with qtbot.waitSignal(keeper._synced):
        pass
    assert len(synced) == 2
    keeper.leave()


def test_a_journal_that_does_not_reach_the_disk_is_told_and_tried_again(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    said: list[str] = []
    broken = [True]

    def to_disk(path: Path) -> None:
        if broken:
            broken.clear()
            raise OSError(5, "Input/output error")

    keeper = JournalKeeper(
        window.session, lambda: window._opened.documents, tmp_path / "journals", said.append, to_disk
    )
    keeper.follow(window.session)
    keeper._sync_soon.setInterval(0)
    window.open_path(save)
    window.session.overwrite(540, b"\7")
    qtbot.waitUntil(lambda: len(said) == 2)
    assert [sentence.split(" (")[0] for sentence in said] == [
        "Changes cannot be kept in case of a crash",
        "Changes are again kept in case of a crash.",
    ]
    keeper.leave()


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


@pytest.mark.parametrize("into", [0, 4])
def test_after_reading_again_the_caret_stands_in_its_value_wherever_that_is_now(
    window: MainWindow, save: Path, into: int
) -> None:
    window.open_path(save)
    session = window.session
    session.go_to_place("[0].player.gold")
    assert session.item_span is not None
    start = session.item_span.start
    if into:
        session.go_to(start + into)
    path = session.path
    changed(save, name='"Elsabeth of the Fens"')  # shorter than it was, by four bytes
    window._files.reload()
    assert session.path == path
    assert session.item_span is not None
    assert session.item_span.start == start - 4
    view = window.findChild(HexView)
    assert view is not None
    assert session.caret == view.caret.offset == start - 4 + into
    assert f"{session.caret:06X}" in window._parts.status.place.text()


def long_save(name: str) -> bytes:
    """A save with so many values that they are read beside the window; they stand behind its name and an int."""
    name_value, count = encode(Value("String", name), load("godot3")), 1 << 20
    many = struct.pack("<II", 19, count) + struct.pack("<II", 2, 5) * count
    return struct.pack("<II", 19, 3) + name_value + struct.pack("<II", 2, 77) + many


def open_long(window: MainWindow, folder: Path, qtbot: QtBot) -> Path:
    """Open such a file and wait until all of it is read."""
    save = folder / "long.bin"
    save.write_bytes(long_save("Mira Oakhand"))
    window.open_path(save)
    qtbot.waitUntil(lambda: not window.session.waits, timeout=30_000)
    return save


@pytest.mark.parametrize("path", ["[0][1]", "[0][2][3]"])
def test_after_reading_a_long_file_again_the_caret_stands_in_its_value_too(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, path: str
) -> None:
    save, session = open_long(window, tmp_path, qtbot), window.session
    session.go_to_place(path)
    before = session.caret
    save.write_bytes(long_save("Mira Oak"))
    window._files.reload()
    assert session.waits
    qtbot.waitUntil(lambda: not session.waits, timeout=30_000)
    assert (session.path, session.caret) == (path, before - 4)


@pytest.mark.parametrize("name", ["Mira Oak", "Mira Oakling"])
def test_after_reading_a_long_file_again_the_caret_stands_at_the_same_byte_of_its_value(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, name: str
) -> None:
    save, session = open_long(window, tmp_path, qtbot), window.session
    session.go_to_place("[0][1]")
    session.go_to(session.caret + 6)
    before = session.caret
    save.write_bytes(long_save(name))
    window._files.reload()
    assert session.waits
    qtbot.waitUntil(lambda: not session.waits, timeout=30_000)
    assert (session.path, session.caret) == ("[0][1].value", before - 12 + len(name))
    assert window._opened._left is None


def test_after_reading_again_the_caret_stays_at_its_offset_where_its_value_is_gone(
    window: MainWindow, save: Path
) -> None:
    window.open_path(save)
    session, document = window.session, window.session.document
    assert document is not None
    session.go_to_place("[0].player.gold")
    at = session.caret
    other = Document.open(save)
    other.apply(delete(other, [parse_path(other, "[0].player.gold")]))
    other.save(backup=0)
    window._files.reload()
    assert session.caret == at
    assert session.item is not None
    assert at in outline.span(session.document, session.item)  # type: ignore[arg-type]


def test_marks_of_another_programs_changes_stay_until_a_person_dismisses_them(
    window: MainWindow, save: Path, tmp_path: Path
) -> None:
    kept = guard(window, tmp_path / "journals")
    window.open_path(save)
    changed(save, gold="7", name='"Al"')
    window._files.reload()
    document, banner = window.session.document, window._parts.banner
    assert document is not None
    assert not kept.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)  # no time takes them away
    before = {format_path(document, each.item): each.was for each in document.news}
    assert len(before) == 2
    assert banner.action_button.text() == "Dismiss marks"
    window.session.apply(delete(document, [parse_path(document, "[0].inventory[0]")]))
    assert {format_path(document, each.item): each.was for each in document.news} == before
    window.session.undo()
    assert {format_path(document, each.item): each.was for each in document.news} == before
    action = window._actions["dismiss_news"]
    assert action.isEnabled()
    assert action.shortcut().toString() == "Ctrl+Alt+D"
    action.trigger()
    assert document.news == ()
    assert banner.isHidden()
    assert not action.isEnabled()


def test_what_a_person_changed_and_let_go_is_no_news(
    window: MainWindow, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    told: list[str] = []
    kept.told_news.connect(lambda old, new, sentence: told.append(sentence))
    monkeypatch.setattr(dialogs, "ask_drop_changes", lambda *_: True)
    window.open_path(save)
    document = window.session.document
    assert document is not None
    window.session.apply(set_literal(document, parse_path(document, "[0].player.level"), "99"))
    changed(save, gold="7")
    window._files.reload()
    document = window.session.document
    assert document is not None
    assert [format_path(document, each.item) for each in document.news] == ["[0].player.gold"]
    assert told == ["Read again: 1 value changed."]


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


def test_a_file_is_read_again_unasked_once_the_dialog_over_it_is_answered(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    monkeypatch.setattr(type(window._settings), "reload_unasked", True)
    window.open_path(save)
    before = shown(window)
    box = QMessageBox(window)
    box.open()
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="7")
    assert shown(window) is before
    with qtbot.waitSignal(window._files.read_again, timeout=10_000):
        box.close()
    assert shown(window) is not before
    window.session.overwrite(540, b"\1")
    mine = shown(window)
    box.open()
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="8")
    box.close()
    qtbot.waitUntil(lambda: not kept._later.isActive())
    assert shown(window) is mine


def test_a_file_is_read_again_unasked_once_what_was_typed_is_given_up(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    monkeypatch.setattr(type(window._settings), "reload_unasked", True)
    window.open_path(save)
    window.session.go_to_place("[0].player.gold")
    editor = window._parts.tree.editor
    window._parts.tree.setFocus()
    window._parts.tree.edit_current()
    assert editor.field is not None
    editor.field.setText("12 apples")
    before = shown(window)
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="7")
    assert shown(window) is before
    assert editor.field.text() == "12 apples"
    with qtbot.waitSignal(window._files.read_again, timeout=10_000):
        qtbot.keyClick(editor.field, Qt.Key.Key_Escape)
    assert shown(window) is not before


def test_a_file_that_was_written_behind_another_tab_is_read_again_unasked_when_it_is_shown(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard(window, tmp_path / "journals")
    monkeypatch.setattr(type(window._settings), "reload_unasked", True)
    window.open_path(save)
    before = shown(window)
    other = tmp_path / "other.save"
    other.write_bytes(RPG.read_bytes())
    window.open_path(other)
    changed(save, gold="7")
    with qtbot.waitSignal(window._files.read_again, timeout=10_000):
        window._opened.switch(0)
    assert shown(window) is not before
    assert shown(window).news


def test_news_are_the_deepest_values_that_differ() -> None:
    old = Document(RPG.read_bytes())
    new = Document(RPG.read_bytes())
    for path, text in (("[0].player.gold", "1"), ("[0].inventory[0].name", '"Stick"')):
        new.apply(set_literal(new, parse_path(new, path), text))
    found = news(compare(old, new))
    assert [each.item for each in found] == [
        Item(0, parse_path(new, path).node) for path in ("[0].player.gold", "[0].inventory[0].name")
    ]
    assert news(compare(old, old)) == []


def test_an_edit_in_the_first_moment_of_a_window_is_written_down(
    qtbot: QtBot, qapp: QApplication, save: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(journal_keeper, "usual_folder", lambda: tmp_path / "journals")
    monkeypatch.setattr(bring_back_question, "offer", lambda *_: asked.append(True))
    window = MainWindow(Settings(), ThemeController(qapp, "light"))
    qtbot.addWidget(window)
    window.open_path(save)
    window.show()
    assert window._guard is None
    window.session.overwrite(540, b"\1\2")
    assert len(journals(tmp_path)) == 1
    assert not asked
    qtbot.waitUntil(lambda: bool(asked))
    window.session.undo()
    window.close()


def test_the_last_copy_of_a_file_is_written_again_or_asked_about(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    window.open_path(save)
    data, asked = save.read_bytes(), list[bool]()
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        save.unlink()
    banner = window._parts.banner
    assert "last copy" in banner.sentence.text()
    assert window._actions["save"].isEnabled()
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda _window, _name, is_gone: asked.append(is_gone))
    window._actions["close"].trigger()
    assert asked == [True]
    assert window.session.document is not None
    window._actions["save"].trigger()
    assert save.read_bytes() == data
    assert banner.isHidden()
    assert not window._actions["save"].isEnabled()
    window._actions["close"].trigger()
    assert asked == [True]
    assert window.session.document is None


def test_a_file_that_is_taken_away_and_put_back_is_told_gone_only_meanwhile(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any
) -> None:
    kept = guard(window, tmp_path / "journals")
    folder = tmp_path / "game" / "saves"
    folder.mkdir(parents=True)
    file = save.rename(folder / save.name)
    window.open_path(file)
    banner = window._parts.banner
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        folder.rename(tmp_path / "game" / "elsewhere")
    assert "is gone from the disk" in banner.sentence.text()
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        (tmp_path / "game" / "elsewhere").rename(folder)
    assert banner.isHidden()


def test_what_another_program_wrote_is_said_again_where_a_person_keeps_the_own_changes(
    window: MainWindow, save: Path, tmp_path: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = guard(window, tmp_path / "journals")
    asked: list[bool] = []
    monkeypatch.setattr(dialogs, "ask_drop_changes", lambda _window, _name, is_another: asked.append(is_another))
    window.open_path(save)
    window.session.overwrite(540, b"\7")
    with qtbot.waitSignal(kept.watcher.changed, timeout=10_000):
        changed(save, gold="7")
    banner = window._parts.banner
    banner.action_button.click()
    assert asked == [True]
    assert banner.isVisible()
    assert "has written" in banner.sentence.text()
