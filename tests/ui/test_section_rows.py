"""Sections of a scene as text in the tree: their attributes open with F7, or by themselves where nothing else is."""

from __future__ import annotations

from corpus import DATA
from PySide6.QtWidgets import QApplication

from viewer.document.document import Document
from viewer.ui.window.main_window import MainWindow

SCENE = DATA / "texts" / "godot4" / "scene_tree.tscn"


def test_f7_shows_the_attributes_of_a_section_and_its_properties_again(window: MainWindow) -> None:
    session = window.session
    session.show(Document.open(SCENE))
    session.go_to_place('[0]["node Hero"]')
    window._actions["look_inside"].trigger()
    session.go_to_place('[0]["node Hero"]!0.type')
    assert session.spot is not None
    session.set_literal(session.spot.item, '"Sprite3D"', of=session.spot.document)
    QApplication.processEvents()
    assert session.document is not None
    assert b'name="Hero" type="Sprite3D" parent="."' in bytes(session.document.shown[:])
    session.undo()
    assert bytes(session.document.shown[:]) == SCENE.read_bytes()
    session.go_to_place('[0]["node Hero"]')
    window._actions["look_inside"].trigger()
    session.go_to_place('[0]["node Hero"].modulate')
    assert session.spot.level is None


def test_a_section_without_keys_opens_its_attributes(window: MainWindow) -> None:
    session = window.session
    session.show(Document.open(SCENE))
    session.go_to_place('[0]["connection timeout"]!0.signal')
    assert session.spot is not None
    assert session.spot.level is not None
    assert session.path.endswith("!0.signal")
