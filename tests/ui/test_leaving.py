"""Leaving with unsaved files: one question, nothing saved twice or lost, and the window stays where a save fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.unsaved_dialog import UnsavedDialog
from viewer.ui.window.first_frame import ENDS
from viewer.ui.window.main_window import MainWindow

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
unix = pytest.mark.skipif(os.name == "nt", reason="Windows has no full device")
GOLD = 0x218  # a byte of a number
NAMES = ("a", "b", "c")


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """Three changed files, each in a folder of its own."""
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=forget)
    found.show()
    for name in NAMES:
        path = path_of(tmp_path, name)
        path.parent.mkdir()
        path.write_bytes(RPG.read_bytes())
        found.open_path(path)
        found.session.overwrite(GOLD, b"\x07")
    yield found
    found.session.reading.leave()


def forget(window: MainWindow) -> None:
    for document in window._opened.documents:
        document.history.mark_saved()


def path_of(folder: Path, name: str) -> Path:
    return folder / name / f"{name}.save"


def saved(folder: Path) -> list[str]:
    paths = [path_of(folder, name) for name in NAMES]
    return [path.stem for path in paths if path.is_file() and path.read_bytes()[GOLD] == 7]


def changed(window: MainWindow) -> list[str]:
    return [document.name[0] for document in window._opened.documents if document.modified]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: said.append(sentence))
    return said


def answers(monkeypatch: pytest.MonkeyPatch, *given: UserChoice) -> list[list[str]]:
    """Answer the questions about unsaved files in turn; returns what they name."""
    asked: list[list[str]] = []

    def all_of_them(_: object, names: list[str]) -> tuple[UserChoice, list[int]]:
        asked.append(names)
        return given[len(asked) - 1], list(range(len(names)))

    monkeypatch.setattr(dialogs, "ask_all_unsaved", all_of_them)
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda _, name, *__: all_of_them(_, [name])[0])
    return asked


def test_one_question_names_all_unsaved_files_and_saves_them(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = answers(monkeypatch, UserChoice.SAVE)
    assert window.close()
    assert asked == [["“a.save”", "“b.save”", "“c.save”"]]
    assert saved(tmp_path) == ["a", "b", "c"]


def test_cancelling_stays_and_saves_nothing(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers(monkeypatch, UserChoice.CANCEL)
    assert not window.close()
    assert (window.isVisible(), changed(window), saved(tmp_path)) == (True, ["a", "b", "c"], [])


def test_discarding_leaves_without_writing(window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers(monkeypatch, UserChoice.DISCARD)
    assert window.close()
    assert saved(tmp_path) == []


def gone(folder: Path) -> None:
    shutil.rmtree(path_of(folder, "b").parent)


def not_a_folder(folder: Path) -> None:
    gone(folder)
    path_of(folder, "b").parent.write_bytes(b"")


def a_folder_now(folder: Path) -> None:
    path_of(folder, "b").unlink()
    path_of(folder, "b").mkdir()


def full(folder: Path) -> None:
    path_of(folder, "b").unlink()
    path_of(folder, "b").symlink_to("/dev/full")  # another file: the person is asked, and wants it written


@pytest.mark.parametrize("hinder", [gone, not_a_folder, a_folder_now, pytest.param(full, marks=unix)])
def test_a_file_that_cannot_be_saved_leaves_the_window_and_the_others_are_saved(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: list[str], hinder: Callable[[Path], None]
) -> None:
    answers(monkeypatch, UserChoice.SAVE, UserChoice.DISCARD)
    monkeypatch.setattr(dialogs, "ask_changed_on_disk", lambda *_: UserChoice.OVERWRITE)
    hinder(tmp_path)
    assert not window.close()
    assert (window.isVisible(), changed(window), saved(tmp_path)) == (True, ["b"], ["a", "c"])
    assert window.session.document is window._opened.documents[1]
    assert len(told) == 1
    assert f"“{path_of(tmp_path, 'b')}”" in told[0]
    assert "\n" not in told[0]
    assert window.close()  # what is left may be given up


def test_a_mistake_of_ours_while_saving_leaves_the_window(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, UserChoice.SAVE)

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Session, "save", fail)
    with pytest.raises(ZeroDivisionError):  # which the last net under everything tells
        window.close()
    assert (window.isVisible(), changed(window)) == (True, ["a", "b", "c"])
    assert window._files._problems is None
    assert not window._files._writes


def test_a_name_that_is_not_given_leaves_the_window_and_no_words(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: list[str]
) -> None:
    window._opened.add(Document(RPG.read_bytes(), name="sample"))
    window.session.overwrite(GOLD, b"\x07")
    answers(monkeypatch, UserChoice.SAVE)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert not window.close()
    assert (changed(window), saved(tmp_path), told) == (["s"], ["a", "b", "c"], [])


def test_one_unsaved_file_is_asked_about_by_its_name(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0, 2):
        window._opened.documents[number].history.mark_saved()
    asked = answers(monkeypatch, UserChoice.DISCARD)
    assert window.close()
    assert asked == [["b.save"]]


def test_files_of_the_same_name_are_told_apart(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "a" / "b.save"
    other.write_bytes(RPG.read_bytes())
    window.open_path(other)
    window.session.overwrite(GOLD, b"\x07")
    asked = answers(monkeypatch, UserChoice.DISCARD)
    assert window.close()
    assert asked[0][1:] == [f"“b.save” in {tmp_path / 'b'}", "“c.save”", f"“b.save” in {tmp_path / 'a'}"]


def test_closing_while_a_file_is_written_stays(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = answers(monkeypatch)
    closed: list[bool] = []
    before = Session.save

    def save(self: Session, *args: object) -> tuple[str, ...]:
        closed.append(window.close())
        return before(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "save", save)
    assert window._files.save()
    assert (closed, asked, window.isVisible(), saved(tmp_path)) == ([False], [], True, ["c"])


# The question


@pytest.mark.parametrize(
    ("keys", "choice", "wanted"),
    [
        ([Qt.Key.Key_Escape], UserChoice.CANCEL, [0, 1, 2]),
        ([Qt.Key.Key_Return], UserChoice.SAVE, [0, 1, 2]),
        ([Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Return], UserChoice.SAVE, [0, 2]),
    ],
)
def test_the_question_about_several_files_is_answered_by_keys(
    window: MainWindow, keys: list[Qt.Key], choice: UserChoice, wanted: list[int]
) -> None:
    seen: list[str] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, UnsavedDialog)
        for key in keys:
            QTest.keyClick(box.list, key)
        seen.append(box.says.text())

    QTimer.singleShot(50, answer)
    assert dialogs.ask_all_unsaved(window, [f"“{number}”" for number in range(3)]) == (choice, wanted)
    assert seen[0].startswith("Space clears" if len(wanted) == 3 else "The changes of the file without a tick are lost")


def test_a_file_without_a_tick_is_not_saved_and_not_asked_about_again(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dialogs, "ask_all_unsaved", lambda *_: (UserChoice.SAVE, [0, 2]))
    assert window.close()
    assert saved(tmp_path) == ["a", "c"]


@pytest.mark.parametrize(("size", "shown"), [(44, "a" * 44), (45, "a" * 22 + "…" + "a" * 21)])
def test_long_names_are_shortened_in_the_middle(size: int, shown: str) -> None:
    assert dialogs.shortened("a" * size) == shown


@pytest.mark.parametrize(("kept", "words"), [(0, "is lost, as no earlier versions are kept."), (3, "stays as .bak.")])
def test_what_is_said_of_a_file_that_others_wrote_is_true(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: int, words: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(type(window._settings), "backups", kept)
    monkeypatch.setattr(dialogs, "answer", lambda box, _: said.append(box.informativeText()) or UserChoice.CANCEL)
    path_of(tmp_path, "c").write_bytes(b"from the game")
    assert not window._files.save()
    assert [text.endswith(words) for text in said] == [True]


# The end of the session


class Manager:
    """What the system says at the end of a session, and what it is told."""

    def __init__(self, asks: bool) -> None:
        self._asks = asks
        self.told: list[str] = []

    def allowsInteraction(self) -> bool:  # noqa: N802 Qt's name
        return self._asks

    def cancel(self) -> None:
        self.told.append("cancel")

    def release(self) -> None:
        self.told.append("release")


@pytest.mark.parametrize(
    ("answer", "told", "written"),
    [
        (UserChoice.SAVE, ["release"], ["a", "b", "c"]),
        (UserChoice.DISCARD, ["release"], []),
        (UserChoice.CANCEL, ["cancel", "release"], []),
    ],
)
def test_the_end_of_the_session_asks_once(
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    answer: UserChoice,
    told: list[str],
    written: list[str],
) -> None:
    asked = answers(monkeypatch, answer, UserChoice.CANCEL)
    manager = Manager(asks=True)
    window.end_session(manager)  # type: ignore[arg-type]
    assert (manager.told, saved(tmp_path), len(asked)) == (told, written, 1)
    assert ended_by_system(window) is (answer is not UserChoice.CANCEL)
    assert len(asked) == (2 if answer is UserChoice.CANCEL else 1)


def ended_by_system(window: MainWindow) -> bool:
    """Whether the window closes where the system ends the program."""
    app = QApplication.instance()
    assert app is not None
    app.setProperty(ENDS, True)
    try:
        return window.close()
    finally:
        app.setProperty(ENDS, False)


def test_changes_given_up_for_the_end_of_a_session_that_goes_on_are_asked_about_again(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = answers(monkeypatch, UserChoice.DISCARD, UserChoice.CANCEL, UserChoice.SAVE)
    window.end_session(Manager(asks=True))  # type: ignore[arg-type]
    assert changed(window) == ["a", "b", "c"]
    assert not window.close()
    assert asked == [["“a.save”", "“b.save”", "“c.save”"]] * 2
    assert window.close()
    assert saved(tmp_path) == ["a", "b", "c"]


def test_the_application_says_while_the_system_ends_it() -> None:
    code = """
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QWidget
from viewer.ui.window.first_frame import ENDS, application

class Window(QWidget):
    def closeEvent(self, event):
        print(bool(app.property(ENDS)))

app = application()
window = Window()
window.show()
QTimer.singleShot(0, window.close)
QTimer.singleShot(1, window.show)
QTimer.singleShot(2, lambda: app.sendEvent(app, QEvent(QEvent.Type.Quit)))
app.setQuitOnLastWindowClosed(False)
app.exec()
print(bool(app.property(ENDS)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False"]


def test_a_session_that_lets_nobody_ask_changes_nothing(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = answers(monkeypatch)
    manager = Manager(asks=False)
    window.end_session(manager)  # type: ignore[arg-type]
    assert (manager.told, asked, saved(tmp_path), changed(window)) == ([], [], [], ["a", "b", "c"])


def test_changes_after_they_were_given_up_are_asked_about_again(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(monkeypatch, UserChoice.DISCARD, UserChoice.CANCEL)
    window.end_session(Manager(asks=True))  # type: ignore[arg-type]
    window.session.overwrite(GOLD, b"\x09")
    assert not ended_by_system(window)
    assert asked[1:] == [["c.save"]]


def test_of_a_file_that_is_gone_it_is_not_said_that_it_has_changes(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(window)
    path_of(tmp_path, "a").unlink()
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(dialogs, "ask_unsaved", lambda _, *said: asked.append(said) or UserChoice.CANCEL)
    assert not window._files.may_leave()
    assert asked == [("a.save", True)]
    path_of(tmp_path, "b").unlink()
    names = answers(monkeypatch, UserChoice.CANCEL)
    assert not window._files.may_leave()
    assert names == [["“a.save” (gone from the disk)", "“b.save” (gone from the disk)"]]
    for name in ("a", "b"):
        path_of(tmp_path, name).write_bytes(RPG.read_bytes())
