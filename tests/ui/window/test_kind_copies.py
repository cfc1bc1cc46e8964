"""Save as Another Kind, in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import DATA
from PySide6 import QtWidgets
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.session import Session
from viewer.ui.window.kind_copies import KindCopies

SCENE = DATA / "resources" / "godot4" / "scene_tree.scn"


class Stage:
    """A session in a window, and what was said there."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.session = Session(self.window)
        self.said: list[str] = []
        self.copies = KindCopies(self.window, self.session, self.said.append)

    def offered(self) -> list[str]:
        """What the menu offers."""
        menu = QMenu()
        self.copies.fill(menu)
        return [action.text() for action in menu.actions()]


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    return Stage(qtbot)


def test_the_menu_offers_what_the_file_can_become(stage: Stage) -> None:
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


def test_what_would_be_lost_is_asked_about(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
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
