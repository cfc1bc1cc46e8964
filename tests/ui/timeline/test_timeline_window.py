"""The timeline in a window: recorded versions, what changed, one value through all, what somebody did, restoring."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import SAMPLE
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from viewer.document.compare.change_script import run_script
from viewer.document.document import Document
from viewer.document.timeline.timeline import Timeline
from viewer.ui.look.palette import theme
from viewer.ui.timeline import timeline_window as module
from viewer.ui.timeline.act_page import NO_MARK
from viewer.ui.timeline.timeline_window import TimelineWindow
from viewer.ui.timeline.version_model import NUMBER, SUMMARY, VersionModel
from viewer.ui.window.main_window import MainWindow

LONG = 20_000
SCRIPTS = (
    "set [0].player.gold 1425",
    "set [0].player.health 99.0\nset [0].play_time 2.5",
    "set [0].player.gold 1500\ndelete [0].inventory[0]",
)


@pytest.fixture(autouse=True)
def _own_timelines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))
    monkeypatch.setattr(module, "LOOK", 20)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fens.save"
    shutil.copy(SAMPLE, path)
    return path


@pytest.fixture
def kept(file: Path) -> Timeline:
    """Four versions of the sample; the second change was marked. The last one is the file."""
    timeline, document = Timeline(file), Document.open(file)
    timeline.add(file.read_bytes())
    for number, script in enumerate(SCRIPTS):
        if number == 1:
            timeline.mark("drink")
        run_script(document, script)
        timeline.add(bytes(document.buffer[:]))
        if number == 1:
            timeline.done()
    file.write_bytes(bytes(document.buffer[:]))
    return timeline


@pytest.fixture
def shown(window: MainWindow, file: Path, kept: Timeline, qtbot: QtBot) -> Iterator[TimelineWindow]:
    """The window of that timeline, with all its words."""
    assert kept.versions
    yield from opened(window, file, qtbot)


def opened(window: MainWindow, file: Path | None, qtbot: QtBot) -> Iterator[TimelineWindow]:
    """The timeline of a file, or of what is open already."""
    if file is not None:
        window.open_path(file)
    window._actions["timeline"].trigger()
    found = window._timelines.get()._shown
    assert found is not None
    tester = QAbstractItemModelTester(found.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    qtbot.waitUntil(lambda: "…" not in words(found), timeout=LONG)
    yield found
    window._timelines.get().leave()
    tester.deleteLater()


def words(found: TimelineWindow) -> list[str]:
    """What the rows say, from the top."""
    return [found.model.index(row, SUMMARY).data() for row in range(found.model.rowCount())]


def choose(found: TimelineWindow, number: int, qtbot: QtBot) -> None:
    """Choose a version, and wait for what changed in it."""
    found._pick(number)
    qtbot.waitUntil(lambda: not found.step_words.text().endswith(":"), timeout=LONG)


def document(window: MainWindow) -> Document:
    found = window.session.document
    assert found is not None
    return found


def test_a_row_tells_what_changed_and_a_mark_stands_between(shown: TimelineWindow) -> None:
    assert words(shown) == [
        "gold +75, 1 removed from inventory",
        "play_time -40509.8, health +16.5",
        "drink · done",
        "gold +50",
        "First version",
    ]
    assert [shown.model.index(row, NUMBER).data() for row in range(5)] == ["4", "3", "Mark", "2", "1"]
    assert shown.says.text().startswith("4 versions in")
    assert not shown.record.isChecked()


def test_what_changed_in_a_version_is_listed(shown: TimelineWindow, qtbot: QtBot) -> None:
    choose(shown, 2, qtbot)
    rows = [[shown.changes.model().index(0, column).data() for column in (0, 1)]]
    assert rows == [["[0].player.gold", "1375 → 1425  (+50)"]]
    choose(shown, 1, qtbot)
    assert shown.step_words.text() == module.FIRST_ONE
    assert not shown.compare_button.isEnabled()


def test_a_version_is_restored_as_an_edit_and_nothing_is_written(
    shown: TimelineWindow, window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    before = file.read_bytes()
    choose(shown, 1, qtbot)
    shown.restore_button.click()
    assert bytes(document(window).buffer[:]) == SAMPLE.read_bytes()
    assert document(window).history.undo_label == "Restore Version 1"
    assert file.read_bytes() == before
    shown.restore_button.click()
    assert "nothing differs" in shown.says.text()
    window.session.undo()
    assert bytes(document(window).buffer[:]) == before


def test_one_value_is_restored(shown: TimelineWindow, window: MainWindow, qtbot: QtBot) -> None:
    choose(shown, 2, qtbot)
    shown.value_button.click()
    assert document(window).history.undo_label == "Restore Value of Version 2"
    expected = Document(bytes(document(window).buffer[:]), name="a")
    run_script(expected, "set [0].player.gold 1500")
    window.session.undo()
    assert bytes(expected.buffer[:]) == bytes(document(window).buffer[:])


def test_a_value_is_followed_through_all_versions(shown: TimelineWindow, qtbot: QtBot) -> None:
    shown.follow_value("[0].player.gold")
    qtbot.waitUntil(lambda: bool(shown.value.found), timeout=LONG)
    assert shown.value.words.text() == "Changed twice in 4 versions."
    assert shown.value.plot.data is not None
    assert [list(column) for column in shown.value.plot.data.columns] == [[1, 2, 3, 4], [1375, 1425, 1425, 1500]]
    shown.value.plot.picked.emit(1)
    assert shown._chosen_number() == 2
    shown.value.show_path("[0].nothing")
    qtbot.waitUntil(lambda: "no key nothing" in shown.value.words.text(), timeout=LONG)
    assert shown.value.plot.isHidden()


def test_a_collection_changed_wherever_something_in_it_did(shown: TimelineWindow, qtbot: QtBot) -> None:
    shown.follow_value("[0]")  # of which a row shows only the begin
    qtbot.waitUntil(lambda: bool(shown.value.found), timeout=LONG)
    assert shown.value.words.text() == "Changed 3 times in 4 versions."
    bold = [shown.value.model.item(row, 0).font().bold() for row in range(4)]
    assert bold == [False, True, True, True] == [shown.value.model.item(row, 2).font().bold() for row in range(4)]
    told = [shown.value.model.item(row, 2).text() for row in range(4)]
    assert told[0].startswith("{11}")
    model = shown.model
    assert told[1:] == [model.index(model.place_of(number), SUMMARY).data() for number in (2, 3, 4)]
    shown.value.show_path("[0].player.name")
    qtbot.waitUntil(lambda: "Changed never" in shown.value.words.text(), timeout=LONG)


def test_what_somebody_did_is_found(shown: TimelineWindow, qtbot: QtBot) -> None:
    shown.pages.setCurrentIndex(module.ACTS)
    qtbot.waitUntil(lambda: shown.acts.model.rowCount() > 0, timeout=LONG)
    found = {shown.acts.model.index(row, 0).data() for row in range(2)}
    assert found == {"[0].player.health", "[0].play_time"}
    assert shown.acts.words.text() == "2 values changed then and at no other time."
    shown.acts.suspects.activated.emit(shown.acts.model.index(0, 0))
    qtbot.waitUntil(lambda: bool(shown.value.found), timeout=LONG)
    assert shown.pages.currentIndex() == module.VALUE


def test_two_versions_and_the_open_file_are_compared(shown: TimelineWindow, window: MainWindow, qtbot: QtBot) -> None:
    choose(shown, 2, qtbot)
    shown.compare_button.click()
    shown.now_button.click()
    compared = list(window._compares.get()._shown)
    assert [[side.title for side in each.sides] for each in compared] == [
        ["version 1", "version 2"],
        ["version 2", "fens.save as it is now"],
    ]
    qtbot.waitUntil(lambda: all(each.comparison is not None for each in compared), timeout=LONG)
    for each in compared:
        each.close()


def test_a_version_opens_in_a_tab_and_is_pinned(shown: TimelineWindow, window: MainWindow, qtbot: QtBot) -> None:
    choose(shown, 1, qtbot)
    shown.pin_button.click()
    qtbot.waitUntil(lambda: shown.model.index(4, 0).data() == "1 ★", timeout=LONG)
    shown.open_button.click()
    assert document(window).name == "fens v1.save"
    assert document(window).path is None


def test_recording_keeps_what_another_program_writes(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    found = next(windows := opened(window, file, qtbot))
    assert found.says.text() == module.NOTHING_KEPT
    found.record.click()
    qtbot.waitUntil(lambda: words(found) == ["First version"], timeout=LONG)
    found.mark_field.setText("buy a sword")
    found.mark_button.click()
    changed = Document.open(file)
    run_script(changed, "set [0].player.gold 9")
    file.write_bytes(bytes(changed.buffer[:]))
    qtbot.waitUntil(lambda: words(found) == ["gold -1366", "buy a sword", "First version"], timeout=LONG)
    found.done_button.click()
    qtbot.waitUntil(lambda: found.acts.model.rowCount() == 1, timeout=LONG)
    assert found.acts.model.index(0, 0).data() == "[0].player.gold"
    found.record.click()
    assert not window._timelines.get().is_recorded(Timeline(file).file)
    assert file.read_bytes() == bytes(changed.buffer[:])
    next(windows, None)


def test_what_was_recorded_goes_on_when_the_file_is_opened_again(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    Timeline(file).switch(True)
    window.open_path(file)
    window._timelines.get().follow()
    qtbot.waitUntil(lambda: len(Timeline(file).versions) == 1, timeout=LONG)
    assert window._timelines.get().is_recorded(Timeline(file).file)
    window._files.close()
    assert not window._timelines.get().is_recorded(Timeline(file).file)


def test_all_of_it_goes_by_keys(shown: TimelineWindow, window: MainWindow, qtbot: QtBot) -> None:
    assert window._actions["timeline"].shortcut().toString() == "Ctrl+Shift+H"
    shown.list.setFocus()
    qtbot.keyClick(shown.list, Qt.Key.Key_End)
    assert shown._chosen_number() == 1
    qtbot.keyClick(shown.list, Qt.Key.Key_Up)
    assert shown._chosen_number() == 2
    qtbot.keyClick(shown.list, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert [version.number for version in shown._chosen()] == [2, 3, 4]
    qtbot.waitUntil(lambda: shown.step_words.text().startswith("From version 2 to 4: "), timeout=LONG)
    letters = [
        each.text()[each.text().index("&") + 1].upper()
        for each in (
            *(shown.record, shown.secrets, shown.mark_button, shown.done_button, shown.compare_button),
            *(shown.now_button, shown.open_button, shown.pin_button, shown.restore_button, shown.value_button),
        )
    ]
    letters += [shown.pages.tabText(page).partition("&")[2][0].upper() for page in range(3)]
    assert len(set(letters)) == len(letters)


def test_bytes_without_a_file_have_no_timeline(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    window._files.open_sample("godot3-rpg.save")
    monkeypatch.setattr(window._timelines.get(), "_say", said.append)
    window._actions["timeline"].trigger()
    assert "save them first" in said[0]


def test_without_a_mark_the_page_says_how(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    Timeline(file).add(file.read_bytes())
    found = next(windows := opened(window, file, qtbot))
    found.pages.setCurrentIndex(module.ACTS)
    assert found.acts.words.text() == NO_MARK
    next(windows, None)


def test_an_encrypted_version_is_kept_once_it_is_asked_for(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "secret.save"
    path.write_bytes(b"GDEC\1\0\0\0" + bytes(200))
    window._files.open_again([(path, "")], 0)
    found = next(windows := opened(window, None, qtbot))
    found.record.click()
    found.secrets.click()
    qtbot.waitUntil(lambda: words(found) == ["First version"], timeout=LONG)
    kept = Timeline(path)
    assert kept.read(kept.versions[0]) == path.read_bytes()
    assert kept.versions[0].is_secret
    next(windows, None)


def test_versions_of_one_minute_of_an_earlier_day_are_told_apart(window: MainWindow) -> None:
    model = VersionModel(theme("light"), window)
    at = 1_700_000_000_000_000_000
    assert model.when(at)[-3:] == ":20"
    assert model.when(at) != model.when(at + 1_000_000_000)
