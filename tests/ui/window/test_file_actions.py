"""Files dropped on the window: copied, all of them opened, wherever they fall."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QVBoxLayout
from pytestqt.qtbot import QtBot

from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.look.theme import ThemeController
from viewer.ui.window import file_actions
from viewer.ui.window.main_window import MainWindow

FILES = corpus.DATA / "godot3" / "files"
MOVE, COPY = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
LEFT, MOVES = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found)
    found.resize(1200, 800)
    found.show()
    qtbot.waitExposed(found)
    found._drops.watch(found.windowHandle())
    yield found
    found.session.reading.leave()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: said.append(sentence))
    return said


def dragged(*paths: Path) -> QMimeData:
    """Files as a file manager gives them: their addresses, and as text for whoever wants that."""
    data = QMimeData()
    data.setText("\n".join(map(str, paths)))
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window: MainWindow | QDialog, data: QMimeData, place: QPoint | None = None) -> QDropEvent:
    """Drag and drop as the system does it: the window's own handle is told first. The other side proposes to move."""
    at = place or QPoint(30, 30)
    handle = window.windowHandle()
    enter = QDragEnterEvent(at, MOVE | COPY, data, LEFT, MOVES)
    QApplication.sendEvent(handle, enter)
    event = QDropEvent(QPointF(at), MOVE | COPY, data, LEFT, MOVES)
    assert (enter.proposedAction(), event.proposedAction()) == (MOVE, MOVE)
    if enter.isAccepted():
        QApplication.sendEvent(handle, event)
    else:
        event.ignore()
    return event


def names(window: MainWindow) -> list[str]:
    return [document.name for document in window._opened.documents]


def test_a_dropped_file_is_copied_though_the_other_program_proposes_to_move(window: MainWindow, qtbot: QtBot) -> None:
    event = drop(window, dragged(FILES / "rpg.save"))
    assert (event.isAccepted(), event.dropAction()) == (True, COPY)
    qtbot.waitUntil(lambda: names(window) == ["rpg.save"])


def test_a_file_dropped_on_a_field_is_opened_and_not_taken_as_text(window: MainWindow, qtbot: QtBot) -> None:
    window.open_path(FILES / "rpg.save")
    field = window.findChild(QLineEdit, "findLine")
    assert isinstance(field, QLineEdit)
    qtbot.waitUntil(field.isVisible)
    event = drop(window, dragged(FILES / "all_types.save"), field.mapTo(window, field.rect().center()))
    assert (event.isAccepted(), event.dropAction(), field.text()) == (True, COPY, "")
    qtbot.waitUntil(lambda: names(window) == ["rpg.save", "all_types.save"])


def test_a_file_dropped_on_a_field_of_a_dialog_is_refused(window: MainWindow, qtbot: QtBot) -> None:
    dialog = QDialog(window)
    field = QLineEdit()
    QVBoxLayout(dialog).addWidget(field)
    dialog.show()
    qtbot.waitUntil(dialog.isActiveWindow)
    event = drop(dialog, dragged(FILES / "rpg.save"), field.geometry().center())
    assert (event.isAccepted(), field.text(), names(window)) == (False, "", [])


def test_text_still_drops_on_a_field(window: MainWindow, qtbot: QtBot) -> None:
    window.open_path(FILES / "rpg.save")
    field = window.findChild(QLineEdit, "findLine")
    assert isinstance(field, QLineEdit)
    qtbot.waitUntil(field.isVisible)
    data = QMimeData()
    data.setText("gold")
    drop(window, data, field.mapTo(window, field.rect().center()))
    assert field.text() == "gold"


def test_all_dropped_files_open_and_what_cannot_is_told_once(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, told: list[str]
) -> None:
    paths = [tmp_path, FILES / "rpg.save", tmp_path / "gone", FILES / "all_types.save", FILES / "rpg.save"]
    drop(window, dragged(*paths))
    qtbot.waitUntil(lambda: bool(told))
    assert names(window) == ["rpg.save", "all_types.save"]
    assert window._opened.current == 0  # the last one dropped, which is open already
    (words,) = told
    assert words.split("\n") == [
        f"“{tmp_path}” is a folder; choose a file in it.",
        f"“{tmp_path / 'gone'}” cannot be read: no such file or directory.",
    ]


def test_dropped_files_that_take_unwrapping_all_open(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[str]
) -> None:
    monkeypatch.setattr("viewer.ui.window.file_actions.LONG_WRAPPED", 0)
    wrapped = sorted((corpus.DATA / "godot3" / "files").glob("*zstd*"))[:3]
    paths = [*wrapped, tmp_path / "gone", FILES / "rpg.save"]
    drop(window, dragged(*paths))
    qtbot.waitUntil(lambda: bool(told))
    assert len(wrapped) > 1
    assert names(window) == [path.name for path in (*wrapped, FILES / "rpg.save")]
    assert len(told) == 1


def test_a_file_that_is_opened_while_another_is_unwrapped_waits_for_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.ui.window.file_actions.LONG_WRAPPED", 0)
    wrapped = sorted((corpus.DATA / "godot3" / "files").glob("*zstd*.save"))[-3:]
    for path in wrapped:
        window.open_path(path)
    qtbot.waitUntil(lambda: names(window) == [path.name for path in wrapped])


def test_a_file_read_again_takes_its_own_tab_and_loses_no_edit(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: list[str]
) -> None:
    monkeypatch.setattr("viewer.ui.window.file_actions.LONG_WRAPPED", 0)
    path = tmp_path / "a.save"
    path.write_bytes((FILES / "comp_gzip_rpg.save").read_bytes())
    window.open_path(path)
    qtbot.waitUntil(lambda: names(window) == ["a.save"])
    window.open_path(FILES / "rpg.save")
    (first, second) = window._opened.documents
    window._opened.switch(0)
    path.write_bytes((FILES / "comp_zstd_rpg.save").read_bytes())
    window._files.reload()
    window._opened.switch(1)  # before it is read
    qtbot.waitUntil(lambda: window._opened.documents[0] is not first)
    assert window._opened.documents[1] is second
    window._opened.switch(0)
    path.write_bytes((FILES / "comp_gzip_rpg.save").read_bytes())
    window._files.reload()
    window.session.overwrite(0x218, b"\x07")  # before it is read
    kept = window._opened.documents[0]
    qtbot.waitUntil(lambda: bool(told))
    assert told == [f"“{path}” was not read again: it was changed here meanwhile."]
    assert window._opened.documents[0] is kept
    assert kept.modified
    kept.history.mark_saved()


def test_a_file_that_is_closed_while_it_is_read_again_stays_closed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("viewer.ui.window.file_actions.LONG_WRAPPED", 0)
    path = tmp_path / "a.save"
    path.write_bytes((FILES / "comp_gzip_rpg.save").read_bytes())
    window.open_path(path)
    qtbot.waitUntil(lambda: names(window) == ["a.save"])
    path.write_bytes((FILES / "comp_zstd_rpg.save").read_bytes())
    window._files.reload()
    assert window._files.close()
    qtbot.waitUntil(lambda: window._files._loader.job is None)
    QApplication.processEvents()
    assert names(window) == []


def test_a_file_is_really_read_again_where_that_loses_nothing_or_bytes_are_missing(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.save"
    path.write_bytes((FILES / "rpg.save").read_bytes())
    window.open_path(path)
    first = window.session.document
    window._actions["reload"].trigger()
    second = window.session.document
    assert second is not first
    window.session.overwrite(0x218, b"\x07")
    window.session.undo()
    window._actions["reload"].trigger()
    assert window.session.document is second
    monkeypatch.setattr(file_actions, "fault", lambda _: "Bytes are missing.")
    monkeypatch.setattr(dialogs, "ask_read_again", lambda _window, _name, steps: steps == 1)
    window._actions["reload"].trigger()
    assert window.session.document is not second


def test_reading_a_file_again_that_nobody_else_wrote_loses_no_step(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(dialogs, "ask_drop_changes", lambda *_: asked.append(_))
    monkeypatch.setattr(dialogs, "ask_read_again", lambda _window, _name, steps: asked.append(steps))
    path = tmp_path / "a.save"
    path.write_bytes((FILES / "rpg.save").read_bytes())
    window.open_path(path)
    document, before = window.session.document, path.read_bytes()
    assert document is not None
    window.session.overwrite(0x218, b"\x07")
    edited = bytes(document.buffer[:])
    window._actions["reload"].trigger()
    assert not document.modified
    assert bytes(document.buffer[:]) == before
    window.session.redo()
    assert bytes(document.buffer[:]) == edited
    window._files.save()
    window._actions["reload"].trigger()
    assert window.session.document is document
    assert document.history.can_undo
    assert not asked
    path.write_bytes(before)
    window._actions["reload"].trigger()
    assert asked == [1]
    assert window.session.document is document
    assert document.history.can_undo


def test_a_text_that_cannot_hold_its_values_is_not_saved_and_says_what_to_do(
    window: MainWindow, tmp_path: Path, told: list[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"gold": 1.5}')
    window.open_path(path)
    document = window.session.document
    assert document is not None
    document.apply(set_literal(document, parse_path(document, "[0].gold"), "nan"))
    assert not window._files.save()
    assert told == [
        "“a.json” was not saved, because its text cannot hold one of the values. "
        "JSON has no number for NaN: set another one. Undo reverts the last change."
    ]
    assert path.read_bytes() == b'{"gold": 1.5}'
    document.undo()


def test_of_several_dropped_captures_one_is_shown_and_the_others_are_told(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, told: list[str]
) -> None:
    for name in ("a.pcap", "b.pcap"):
        (tmp_path / name).write_bytes(corpus.capture_file("enet_rpc_none.pcap").read_bytes())
    drop(window, dragged(tmp_path / "a.pcap", tmp_path / "b.pcap"))
    qtbot.waitUntil(lambda: bool(told))
    assert window._packets.is_shown
    assert told == [
        f"“{tmp_path / 'b.pcap'}” is another capture: the packets of only one are shown at a time. Drop it by itself."
    ]


@pytest.mark.parametrize("words", [False, True])
def test_what_is_no_file_is_not_taken(window: MainWindow, words: bool) -> None:
    data = QMimeData()
    if words:
        data.setText("02 00 00 00")
    else:
        data.setUrls([QUrl("https://example.org/a.save")])
    assert not drop(window, data).isAccepted()


def test_the_empty_page_shows_that_a_file_hangs_over_it(window: MainWindow) -> None:
    page = window._pages._empty.part
    assert page is not None
    data = dragged(FILES / "rpg.save")
    enter = QDragEnterEvent(QPoint(30, 30), MOVE | COPY, data, LEFT, MOVES)
    QApplication.sendEvent(window.windowHandle(), enter)
    assert (enter.isAccepted(), enter.dropAction(), page.drop._dragging) == (True, COPY, True)
    QApplication.sendEvent(window.windowHandle(), QEvent(QEvent.Type.DragLeave))
    assert not page.drop._dragging


def test_no_file_is_written_over_that_is_open_as_another_document(
    window: MainWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (tmp_path / name for name in ("first.save", "second.save"))
    for path in (first, second):
        path.write_bytes((FILES / "rpg.save").read_bytes())
        window.open_path(path)
    window.session.overwrite(540, b"\7")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(first), ""))
    assert not window._files.save_as()
    assert first.read_bytes() == (FILES / "rpg.save").read_bytes()
    assert ["“first.save” is open" in sentence for sentence in told] == [True]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(second), ""))
    assert window._files.save_as()
    assert second.read_bytes()[540] == 7


def test_a_file_is_open_once_whatever_link_leads_to_it(
    window: MainWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other, link = (tmp_path / name for name in ("a.save", "b.save", "link.save"))
    for each in (path, other):
        each.write_bytes((FILES / "rpg.save").read_bytes())
        window.open_path(each)
    link.symlink_to(path)
    window.open_path(link)
    assert (names(window), window._opened.current) == (["a.save", "b.save"], 0)
    window.open_path(other)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(link), ""))
    assert not window._files.save_as()
    assert len(told) == 1


def test_what_cannot_be_written_where_it_is_can_be_saved_elsewhere(
    window: MainWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    path, other = folder / "a.json", tmp_path / "b.json"
    path.write_bytes(b"[1]")
    window.open_path(path)
    document = window.session.document
    assert document is not None
    window.session.apply(set_literal(document, parse_path(document, "[0][0]"), "2"))
    shutil.rmtree(folder)
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    for wanted in (False, True):
        monkeypatch.setattr(dialogs, "ask_save_as", lambda _, why, wanted=wanted: asked.append(why) or wanted)
        assert window._files.save() is wanted
        assert other.exists() is wanted
    assert other.read_bytes() == b"[2]"
    assert len(asked) == 2
    assert asked[0].endswith("Nothing was changed: save in another folder.")
    assert (document.path, document.modified, told) == (other, False, [])


def test_no_other_file_is_shown_while_something_is_asked_about_the_shown_one(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("viewer.ui.window.file_actions.LONG_WRAPPED", 0)
    path, dropped = tmp_path / "a.save", tmp_path / "b.save"
    for each in (path, dropped):
        each.write_bytes((FILES / "rpg.save").read_bytes())
    window.open_path(path)
    edited = window.session.document
    assert edited is not None
    window.session.overwrite(540, b"\7")

    def ask(*_: object) -> UserChoice:
        box = QDialog(window)
        box.open()
        qtbot.waitUntil(box.isActiveWindow)
        drop(window, dragged(dropped))
        qtbot.waitUntil(lambda: window._files._loader.job is None)
        QApplication.processEvents()
        assert window.session.document is edited
        box.close()
        return UserChoice.DISCARD

    monkeypatch.setattr(dialogs, "ask_unsaved", ask)
    window.open_path(FILES / "comp_gzip_rpg.save")
    assert window._files.close()
    qtbot.waitUntil(lambda: names(window) == ["comp_gzip_rpg.save"])
