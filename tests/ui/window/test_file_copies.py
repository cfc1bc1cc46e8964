"""Save for Another Engine and Save as Another Kind, in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import DATA
from PySide6 import QtWidgets
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.gdec import GDEC, Version, encrypt
from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.export.player_script import player_script
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.ui import dialogs
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.ui.window.convert_dialog import ConvertDialog
from viewer.ui.window.file_copies import FileCopies

SECRET = Secret.of_password("gold")
SCENE = DATA / "resources" / "godot4" / "scene_tree.scn"
SETTINGS = b'[a]\nlist=PoolIntArray( 1, 2 )\nname="x"\n'


class Stage:
    """A session in a window, and what was said there."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.session = Session(self.window)
        self.said: list[str] = []
        self.copies = FileCopies(self.window, self.session, lambda: theme(LIGHT), self.said.append)

    def offered(self) -> list[str]:
        """The kinds that the menu offers."""
        menu = QMenu()
        self.copies.fill_kinds(menu)
        return [action.text() for action in menu.actions()]


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    return Stage(qtbot)


def test_an_encrypted_file_is_written_with_the_same_key(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "for4.cfg"
    asked: list[str] = []
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *a: (asked.append(a[2]), (str(out), ""))[1])
    opening = ReadOptions(opening=UnwrapOptions(secret=SECRET))
    monkeypatch.setattr(ConvertDialog, "exec", lambda _: True)
    stage.session.show(Document(encrypt(Version.ECB, SECRET, SETTINGS), tmp_path / "old.cfg", choice=opening))
    stage.copies.write_for("godot4")
    found = GDEC.unwrap(out.read_bytes(), SECRET)
    assert (found.form.label, found.inside) == ("GDEC 2", SETTINGS)
    assert stage.said == ["Wrote “for4.cfg” for Godot 4, encrypted with the same key."]
    assert asked == [str(tmp_path / "old-godot4.cfg")]


def test_a_script_for_players_is_written_where_godot_3_becomes_godot_4(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "out.gd"
    seen: list[tuple[str, bool]] = []

    def exec_(dialog: ConvertDialog) -> bool:
        seen.append((dialog.line, dialog.script_button.isVisibleTo(dialog)))
        if dialog.script_button.isVisibleTo(dialog):
            dialog.script_button.click()
        return False

    monkeypatch.setattr(ConvertDialog, "exec", exec_)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    stage.session.show(Document.open(Path("resources/samples/godot3-rpg.save")))
    stage.copies.write_for("godot2")
    stage.copies.write_for("godot4")
    assert seen == [("godot2", False), ("godot4", True)]
    assert out.read_text(encoding="utf-8") == player_script()
    assert stage.said == ["Wrote “out.gd”: it says what it does and what it does not."]


def test_what_is_given_up_in_the_dialog_is_not_written(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConvertDialog, "exec", lambda _: False)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: pytest.fail("nobody is asked for a name"))
    stage.session.show(Document(b'[a]\nb=&"name"\nc=1\n'))
    stage.copies.write_for("godot3")
    assert not stage.said


def test_the_menu_names_every_engine_line(stage: Stage) -> None:
    menu = QMenu()
    stage.copies.fill_engines(menu)
    assert [action.isEnabled() for action in menu.actions()] == [False]
    stage.session.show(Document(SETTINGS))
    stage.copies.fill_engines(menu)
    assert "Godot 4" in [action.text() for action in menu.actions()]


def test_the_menu_offers_the_kinds_that_the_file_can_become(stage: Stage) -> None:
    assert stage.offered() == ["Nothing is open"]
    for path, kind in (
        (SCENE, "Text Scene (.tscn)"),
        (DATA / "texts" / "godot4" / "scene_tree.tscn", "Binary Scene (.scn)"),
        (DATA / "texts" / "godot3" / "everything.tres", "Binary Resource (.res)"),
        (DATA / "resources" / "godot3" / "everything.res", "Text Resource (.tres)"),
    ):
        stage.session.show(Document.open(path))
        assert stage.offered() == [kind]
    stage.session.show(Document(b"[a]\nb=1\n"))
    assert stage.offered()[:2] == ["JSON", "ConfigFile (.cfg)"]


def test_a_scene_is_written_as_text(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out, asked = tmp_path / "out.tscn", []
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *a: (asked.append(a[2]), (str(out), ""))[1])
    stage.session.show(Document.open(SCENE))
    stage.copies.write_as("tscn")
    assert out.read_bytes().startswith(b"[gd_scene format=3]")
    assert asked == [str(SCENE.with_suffix(".tscn"))]
    assert stage.said == ["Wrote “out.tscn”."]


def test_what_another_kind_would_lose_is_asked_about(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(dialogs, "ask_losses", lambda _, __, losses, ___: told.extend(losses))
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    stage.session.show(Document(b'[gd_resource type="Resource" format=3]\n[resource]\n; mine\na = 1\n'))
    stage.copies.write_as("res")
    stage.session.show(Document(b'[gd_resource type="Resource" format=3]\n[resource]\na = SubResource("x")\n'))
    stage.copies.write_as("res")
    assert told[0] == "Comments are lost"
    assert "in front of this" in told[1]
    assert not stage.said
