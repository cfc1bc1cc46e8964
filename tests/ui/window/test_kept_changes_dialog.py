"""File > Recover Unsaved: what is kept, why it does not fit now, and what can be done, by the keyboard alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from corpus import DATA
from PySide6 import QtWidgets
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.journals import journal
from viewer.document.journals.journal import Journal
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.kept_changes_dialog import NOTHING, KeptChangesDialog
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.work_guard import WorkGuard

RPG = DATA / "godot3" / "files" / "rpg.save"


class Kept:
    """Journals that a run left behind, the latest first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0

    def add(self, name: str, has_base: bool = True) -> Path:
        """A save that was edited; without its bytes in the journal where it has no base."""
        path = self.folder / name
        path.write_bytes(RPG.read_bytes())
        document = Document.open(path)
        edit = overwrite(document, 540, b"\7\7\7")
        document.apply(edit)
        kept, journal.KEPT_WHOLE = journal.KEPT_WHOLE, journal.KEPT_WHOLE if has_base else 0
        Journal(self.journal(name), document).add(edit.splices)
        journal.KEPT_WHOLE = kept
        self._count += 1
        os.utime(self.journal(name), (2e9 - self._count, 2e9 - self._count))
        return path

    def journal(self, name: str) -> Path:
        return self.folder / "journals" / "dead" / f"{name}.journal"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def opened(window: MainWindow, kept: Kept, qtbot: Any) -> KeptChangesDialog:
    """The dialog over what is kept."""
    folder = kept.folder / "journals"
    journals = JournalKeeper(window.session, lambda: window._opened.documents, folder, window._say)
    guard = WorkGuard(window, window.session, window._opened, window._files, window._settings, journals, window._say)
    dialog = KeptChangesDialog(window, guard.journals, window._opened.add, window._theme_now())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.list.setFocus()
    return dialog


def names(dialog: KeptChangesDialog) -> list[str]:
    return [row.title for row in dialog.model.rows]


def test_each_is_listed_with_what_is_known_and_what_can_be_done(window: MainWindow, kept: Kept, qtbot: Any) -> None:
    kept.add("fits.save")
    kept.add("replaced.save").write_bytes(b"another" * 90)
    kept.add("gone.save", has_base=False).unlink()
    os.utime(kept.add("touched.save", has_base=False), (1, 1))
    kept.journal("broken").write_bytes(b"broken")
    os.utime(kept.journal("broken"), (1, 1))
    dialog = opened(window, kept, qtbot)
    assert names(dialog) == ["fits.save", "replaced.save", "gone.save", "touched.save", "damaged record"]
    known = []
    for _ in names(dialog):
        can = [dialog.bring_back_button.isEnabled(), dialog.choose_button.isEnabled(), dialog.drop_button.isEnabled()]
        known.append((dialog.says.text().split("”")[1][:26], *can))
        qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    assert known == [
        (" is as it was. The changes", True, False, True),
        (" was written since; your v", True, False, True),
        (" is not there: put it back", False, True, True),
        (" has another date than whe", False, True, True),
        (" is damaged: no change in ", False, False, True),
    ]


def test_only_a_file_that_is_as_it_was_has_the_sign_that_all_is_well(
    window: MainWindow, kept: Kept, qtbot: Any
) -> None:
    kept.add("fits.save")
    kept.add("replaced.save").write_bytes(b"another" * 90)
    kept.add("gone.save").unlink()
    signs = [row.icon for row in opened(window, kept, qtbot).model.rows]
    assert signs == ["circle-check", "triangle-alert", "triangle-alert"]


def test_enter_brings_the_current_one_back_and_the_last_one_closes_the_dialog(
    window: MainWindow, kept: Kept, qtbot: Any
) -> None:
    kept.add("one.save")
    kept.add("two.save")
    dialog = opened(window, kept, qtbot)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    document = window.session.document
    assert document is not None
    assert (document.name, document.buffer[540:543], document.modified) == ("two.save", b"\7\7\7", True)
    assert names(dialog) == ["one.save"]
    qtbot.waitUntil(lambda: not kept.journal("two.save").exists())
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert [each.name for each in window._opened.documents] == ["two.save", "one.save"]
    assert not dialog.isVisible()


def test_what_cannot_be_brought_back_stays_when_enter_is_pressed(window: MainWindow, kept: Kept, qtbot: Any) -> None:
    kept.add("gone.save", has_base=False).unlink()
    dialog = opened(window, kept, qtbot)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert window.session.document is None
    assert names(dialog) == ["gone.save"]
    assert dialog.isVisible()


def test_a_file_with_the_right_bytes_is_chosen_and_another_one_is_refused(
    window: MainWindow, kept: Kept, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept.add("gone.save", has_base=False)
    moved, wrong = kept.folder / "moved.save", kept.folder / "wrong.save"
    path.rename(moved)
    wrong.write_bytes(b"\0" + moved.read_bytes()[1:])
    dialog = opened(window, kept, qtbot)
    for chosen in (wrong, moved):
        monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_, chosen=chosen: (str(chosen), ""))
        assert dialog.isVisible()
        dialog.choose_button.click()
        if chosen == wrong:
            assert "wrong.save” holds other bytes" in dialog.says.text()
            assert kept.journal("gone.save").exists()
    document = window.session.document
    assert document is not None
    assert (document.path, document.buffer[540:543]) == (moved, b"\7\7\7")
    qtbot.waitUntil(lambda: not kept.journal("gone.save").exists())


def test_a_chosen_file_that_holds_the_changes_already_is_said_to(
    window: MainWindow, kept: Kept, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept.add("gone.save", has_base=False)
    document = Document.open(path)
    edit = overwrite(document, 540, b"\7\7\7")
    document.apply(edit)
    edited = Journal(kept.journal("gone.save"), document)
    monkeypatch.setattr(journal, "KEPT_WHOLE", 0)
    edited.add(edit.splices)
    edited.about_to_save(path)
    document.save(backup=0)
    moved = kept.folder / "moved.save"
    path.rename(moved)
    dialog = opened(window, kept, qtbot)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_: (str(moved), ""))
    dialog.choose_button.click()
    assert dialog.says.text() == f"“{moved}” holds the changes already."
    assert names(dialog) == []
    assert window.session.document is None


@pytest.mark.parametrize("answer", ["Discard", "Cancel"])
def test_del_drops_the_current_one_where_that_is_meant(window: MainWindow, kept: Kept, qtbot: Any, answer: str) -> None:
    kept.add("one.save")
    dialog = opened(window, kept, qtbot)
    asked: list[str] = []

    def reply() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.text())
        next(button for button in box.buttons() if answer in button.text()).click()

    QTimer.singleShot(0, reply)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert asked == ["Discard the kept changes of “one.save”?"]
    assert kept.journal("one.save").exists() is (answer == "Cancel")
    assert dialog.says.text() == (NOTHING if answer == "Discard" else dialog.says.text())
    assert len(names(dialog)) == (answer == "Cancel")


def test_nothing_kept_is_said(window: MainWindow, kept: Kept, qtbot: Any) -> None:
    dialog = opened(window, kept, qtbot)
    assert dialog.says.text() == NOTHING
    buttons = (dialog.bring_back_button, dialog.choose_button, dialog.drop_button)
    assert not any(button.isEnabled() for button in buttons)


def test_escape_closes_and_lets_others_have_what_is_kept(window: MainWindow, kept: Kept, qtbot: Any) -> None:
    kept.add("one.save")
    dialog = opened(window, kept, qtbot)
    other = JournalKeeper(window.session, lambda: window._opened.documents, kept.folder / "journals", window._say)
    assert other.left() == []
    qtbot.keyClick(dialog.list, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert [left.name for left, _ in other.left()] == ["one.save"]


def test_the_menu_opens_it(qtbot: Any, qapp: QApplication, tmp_path: Path) -> None:
    window = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(window)
    journals = JournalKeeper(window.session, lambda: window._opened.documents, tmp_path, window._say)
    window._guard = WorkGuard(
        window, window.session, window._opened, window._files, window._settings, journals, window._say
    )
    with qtbot.waitExposed(window):
        window.show()
    seen: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, KeptChangesDialog)
        seen.append(dialog.windowTitle())
        dialog.reject()

    QTimer.singleShot(0, look)
    window._actions["recover"].trigger()
    assert seen == ["Recover unsaved changes"]
    window._guard.leave()
