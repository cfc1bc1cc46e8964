"""Compare With: every state that the shown file can be held against, and edits that come back to its tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6 import QtWidgets
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.compare.compare_window import CompareWindow
from viewer.ui.window.main_window import MainWindow


def offered(window: MainWindow) -> dict[str, QAction]:
    """What the menu offers now."""
    menu = window._actions.menus["compare_with"]
    menu.aboutToShow.emit()
    assert isinstance(menu, QMenu)
    return {action.text().replace("&", ""): action for action in menu.actions() if action.text()}


def change(window: MainWindow, path: str, literal: str) -> None:
    document = window.session.document
    assert document is not None
    window.session.apply(set_literal(document, parse_path(document, path), literal))


def shown(window: MainWindow, qtbot: QtBot) -> CompareWindow:
    """The compare window that was opened last, once everything is compared."""
    found = window._compares.get()._shown[-1]
    qtbot.waitUntil(lambda: found.comparison is not None)
    return found


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: said.append(sentence))
    return said


def test_nothing_open_says_so(window: MainWindow) -> None:
    assert list(offered(window)) == ["Nothing is open"]
    assert not window._actions["compare_file"].isEnabled()


def test_the_state_on_the_disk_is_the_old_side_and_cannot_be_edited(
    window: MainWindow, rpg_path: Path, qtbot: QtBot
) -> None:
    window.open_path(rpg_path)
    assert not offered(window)["State on the Disk"].isEnabled()
    change(window, "[0].player.gold", "7")
    offered(window)["State on the Disk"].trigger()
    found = shown(window, qtbot)
    assert found.detail.path.text() == "[0].player.gold"
    assert not found.titles[1].take.isEnabled()
    found.take_all(False)
    qtbot.waitUntil(lambda: found.comparison is not None and found.comparison.is_equal)
    assert window.session.document is not None
    assert window.session.document.history.undo_label == "Take 1 difference"
    window.session.undo()
    qtbot.waitUntil(lambda: found.comparison is not None and not found.comparison.is_equal)
    assert rpg_path.read_bytes() == bytes(window.session.document.saved.outside[:])


def test_an_earlier_version_and_another_tab_are_offered(window: MainWindow, rpg_path: Path, qtbot: QtBot) -> None:
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    window.session.save()
    assert "Earlier Version rpg.save.bak" in offered(window)
    offered(window)["Earlier Version rpg.save.bak"].trigger()
    found = shown(window, qtbot)
    assert [side.title for side in found.sides] == ["rpg.save.bak", "rpg.save"]
    assert found.detail.words.text().startswith("changed: 5000000000 → 7")
    other = rpg_path.with_name("other.save")
    other.write_bytes(rpg_path.read_bytes())
    window.open_path(other)
    offered(window)["rpg.save"].trigger()
    assert shown(window, qtbot).comparison is not None
    assert shown(window, qtbot).says.text() == "The values are equal."


def test_a_file_that_is_not_open_is_edited_in_a_tab_of_its_own(
    window: MainWindow, rpg_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = rpg_path.with_name("other.save")
    other.write_bytes(rpg_path.read_bytes())
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
    window._actions["compare_file"].trigger()
    found = shown(window, qtbot)
    is_new = found.sides[1].document is window.session.document
    found.take_all(is_new)
    qtbot.waitUntil(lambda: found.comparison is not None and found.comparison.is_equal)
    assert window.session.document is not None
    assert window.session.document.name == "other.save"
    assert window.session.document.modified
    assert other.read_bytes() == rpg_path.read_bytes()


def test_a_side_that_is_opened_meanwhile_is_the_document_of_its_tab(
    window: MainWindow, rpg_path: Path, qtbot: QtBot
) -> None:
    other = rpg_path.with_name("other.save")
    other.write_bytes(rpg_path.read_bytes())
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    window._compares.get().with_path(other)
    found = shown(window, qtbot)
    is_new = found.sides[1].document is window.session.document
    window.open_path(other)
    opened = window.session.document
    assert found.sides[not is_new].document is opened
    with qtbot.waitSignal(found.compared):
        found.compare()
    found.take_all(is_new)
    assert opened is not None
    assert opened.modified
    assert [each.name for each in window._opened.documents] == ["rpg.save", "other.save"]
    change(window, "[0].player.gold", "8")
    words = "changed: 8 → 7" if is_new else "changed: 7 → 8"
    qtbot.waitUntil(lambda: found.step(1) or found.detail.words.text().startswith(words))


def test_a_file_that_is_saved_over_the_other_side_is_not_held_against_itself(
    window: MainWindow, rpg_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = rpg_path.with_name("other.save")
    other.write_bytes(rpg_path.read_bytes())
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    window._compares.get().with_path(other)
    found = shown(window, qtbot)
    before = found.sides
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    assert window._files.save_as()
    assert found.sides == before
    assert before[0].document is not before[1].document
    assert found.comparison is not None
    assert not found.comparison.is_equal


def test_a_side_that_was_closed_and_opened_anew_is_not_edited_as_it_was(
    window: MainWindow, rpg_path: Path, qtbot: QtBot
) -> None:
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    before = window.session.document
    assert before is not None
    window._opened.close_current()
    window.open_path(rpg_path)
    edit = set_literal(before, parse_path(before, "[0].player.gold"), "9")
    said = window._compares.get().edit(before, edit)
    assert said == "“rpg.save” was opened anew meanwhile, and this is not what is open now: look at it again first."
    assert len(window._opened.documents) == 1
    assert window.session.document is not before


def test_bytes_and_a_value_on_the_clipboard(window: MainWindow, rpg_path: Path, qtbot: QtBot) -> None:
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    QGuiApplication.clipboard().setText(rpg_path.read_bytes().hex())
    offered(window)["Clipboard"].trigger()
    assert shown(window, qtbot).detail.path.text() == "[0].player.gold"
    window.session.go_to_place("[0].player.position")
    QGuiApplication.clipboard().setText("Vector2(1, 2)")
    offered(window)["Clipboard"].trigger()
    found = shown(window, qtbot)
    assert found.sides[1].title == "[0].player.position"
    assert "(1, 2) → (1024.5, -768.25)" in found.detail.words.text().replace("Vector2", "")
    QGuiApplication.clipboard().clear()


def test_what_another_program_wrote_is_compared_with_the_state_before(
    window: MainWindow, rpg_path: Path, qtbot: QtBot
) -> None:
    window.open_path(rpg_path)
    document = Document.open(rpg_path)
    window._build_guard()
    document.apply(set_literal(document, parse_path(document, "[0].player.gold"), "9"))
    document.save()
    assert not offered(window)["State Before Reload"].isEnabled()
    window._files.reload()
    offered(window)["State Before Reload"].trigger()
    found = shown(window, qtbot)
    assert found.detail.words.text().startswith("changed: 5000000000 → 9")
    assert found.sides[0].fixed
    window.session.dismiss_news()
    assert window.session.document is not None
    assert window.session.document.news == ()


def test_a_capture_a_missing_file_and_a_closed_one_are_told(
    window: MainWindow, rpg_path: Path, told: list[str], tmp_path: Path
) -> None:
    window.open_path(rpg_path)
    capture = tmp_path / "a.pcap"
    capture.write_bytes(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000"))
    window._compares.get().with_path(capture)
    assert told[-1].startswith("“a.pcap” is a capture of packets")
    window._compares.get().with_path(tmp_path / "gone.save")
    assert "gone.save" in told[-1]
    assert window._compares.get()._shown == []


def test_what_is_ignored_is_kept_for_the_folder_and_for_its_owner_alone(
    window: MainWindow, rpg_path: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    change(window, "[0].play_time", "1.5")
    window._compares.get().with_disk()
    found = shown(window, qtbot)
    assert len(found.shown) == 2
    with qtbot.waitSignal(found.compared):
        found.ignore(("**.play_time",))
    assert len(found.shown) == 1
    found.close()
    window._compares.get().with_disk()
    again = shown(window, qtbot)
    assert again.options.ignore == ("**.play_time",)
    assert "1 difference ignored" in again.says.text()
    kept = list((tmp_path / "config" / "variant-viewer" / "ignored").iterdir())
    assert [path.stat().st_mode & 0o077 for path in kept] == [0]


def test_closing_the_window_closes_what_it_compared(window: MainWindow, rpg_path: Path, qtbot: QtBot) -> None:
    window.open_path(rpg_path)
    change(window, "[0].player.gold", "7")
    window._compares.get().with_disk()
    found = shown(window, qtbot)
    window._compares.get().leave()
    assert not found.isVisible()
    assert found.comparison is None
