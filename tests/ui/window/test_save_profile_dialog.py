"""A profile made in the window, by keyboard: at once it says what the values mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.document.document import Document
from viewer.document.profiles.profile_folder import hint_for
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.ui.window.save_profile_dialog import CALLED, FAVOURITE, HEADINGS, NOW, SaveProfileDialog

LAYOUT = """name = "slot"
dialects = ["godot4"]
files = "nothing is called so*"
[[field]]
name = "age"
type = "u8"
[[field]]
name = "world"
type = "value"
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own configuration, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path / "own")
    for name in ("profiles", "layouts"):
        (tmp_path / "own" / name).mkdir(parents=True)
    return tmp_path / "own"


def test_keys_are_named_and_the_profile_is_used_at_once(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "slot1.save"
    path.write_bytes(assets.data("samples", "godot3-rpg.save"))
    window.open_path(path)

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, SaveProfileDialog)
        said.append((dialog.files.text(), dialog.model.rowCount() > 50))
        qtbot.keyClicks(dialog.filter, "player gold")
        row = next(row for row in range(dialog.model.rowCount()) if not dialog.table.isRowHidden(row))
        dialog.table.setFocus()
        dialog.table.setCurrentIndex(dialog.model.index(row, CALLED))
        qtbot.keyClicks(dialog.table, "M")
        field = dialog.table.findChild(QLineEdit)
        qtbot.keyClicks(field, "oney")
        qtbot.keyClick(field, Qt.Key.Key_Tab)
        dialog.table.setCurrentIndex(dialog.model.index(row, FAVOURITE))
        qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
        dialog.grab()
        assert dialog.says.text().startswith(f"It is written to {tmp_path}")
        dialog.go.click()

    said: list[tuple[str, bool]] = []
    QTimer.singleShot(0, fill)
    window._actions["save_profile"].trigger()
    assert said == [("slot*.save", True)]
    assert window.session.labels is not None
    key = window.session.labels.profile.keys[0]
    assert (key.at.text, key.name, key.is_favourite) == ("player.gold", "Money", True)


def test_what_is_missing_is_said_and_keeps_it_open(qtbot: QtBot, window: MainWindow) -> None:
    dialog = SaveProfileDialog(window, Document(b"\2\0\0\0\7\0\0\0", name="x"), None, window._theme_now())
    qtbot.addWidget(dialog)
    dialog.game.clear()
    assert dialog.says.text() == 'A profile needs the name of its game: name = "…".'
    assert not dialog.go.isEnabled()
    assert dialog.model.headerData(NOW, Qt.Orientation.Horizontal) == HEADINGS[NOW]


def test_a_profile_names_the_layout_of_a_save_and_what_helps_with_its_password(
    qtbot: QtBot, window: MainWindow, own: Path, tmp_path: Path
) -> None:
    (own / "layouts" / "slot.toml").write_text(LAYOUT)
    head = 'name = "X"\nfiles = "slot*.dat"\nlayout = "slot"\npassword_hint = "the <i>hero</i>"\n'
    (own / "profiles" / "x.toml").write_text(head + '[[key]]\nat = "age"\n[[key]]\nat = "world"\nname = "World"\n')
    path = tmp_path / "slot1.dat"
    path.write_bytes(b"\x09" + b"\4\0\0\0\2\0\0\0go\0\0")
    with qtbot.waitSignal(window.session.labels_changed):
        window.open_path(path)
    document = window.session.document
    assert document is not None
    assert document.structure is not None
    assert document.structure.kind == "slot"
    dialog = PasswordDialog(window, window._theme_now(), "slot1.dat", "", hint_for(str(path)))
    qtbot.addWidget(dialog)
    assert dialog.hint.text() == "The profile of the game says: the <i>hero</i>"
    assert hint_for("other.dat") == ""
