"""States of the window with files that are text: more pictures for ``screenshots.py``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtTest import QTest

from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.ui.text.line_view import TextView
from viewer.ui.window.main_window import MainWindow

SECRET = Secret.of_password("open sesame")
TEXTS = Path(__file__).parent.parent / "tests" / "data" / "texts" / "godot4"
SCENE, RESOURCE = "scene_tree.tscn", "everything.tres"
JSON = """\
{
\t"version": 3,
\t"player": {
\t\t"name": "Mira",
\t\t"level": 17,
\t\t"gold": 1250.5,
\t\t"position": [12.5, -3, 0],
\t\t"alive": true,
\t\t"title": null
\t},
\t"inventory": [
\t\t{"item": "sword", "damage": 14, "tags": ["iron", "two-handed"]},
\t\t{"item": "potion", "count": 3},
\t\t{"item": "map of the north", "count": 1, "note": "Märchenwald"}
\t],
\t"quests": {
\t\t"find_the_well": {"stage": 2, "done": false},
\t\t"old_friends": {"stage": 5, "done": true}
\t},
\t"played": 40321.75
}
"""
MISTAKES = """\
; settings of the game
[display]

width=1920
height=1080
fullscreen=True
title="Märchenwald"

[player]

name="Mira"
position=Vector2(12.5, -3)
color=Color(1, 0.5, 0.25, 1)
inventory={
"gold": 12,
"items": ["sword", "shield" "potion"],
}
volume=.5

[keys]

jump=32
duck=&"crouch"
"""


def encrypted(window: MainWindow) -> None:
    """A save in JSON that Godot encrypted, with a value selected."""
    choice = ReadOptions(opening=UnwrapOptions(secret=SECRET))
    window.session.show(Document(fresh("gdec:2", SECRET).wrap(JSON.encode()), name="hero.save", choice=choice))
    window.session.go_to_place("[0].player.gold")
    for path in ("[0].inventory", "[0].player.position"):
        window.session.go_to_place(path)


def mistakes(window: MainWindow) -> None:
    """Hand-written settings with mistakes, the caret at the second one."""
    window.session.show(Document(MISTAKES.encode(), name="settings.cfg"))
    window.settle()
    for _ in range(2):
        window.findChild(object, "next_problem").trigger()
    QTest.qWait(800)


def resource(window: MainWindow) -> None:
    """A resource as text."""
    window.session.show(Document.open(TEXTS / RESOURCE))
    window.session.go_to_place("[0].resource")


def scene(window: MainWindow) -> None:
    """A scene as text, with a property of a node selected."""
    window.session.show(Document.open(TEXTS / SCENE))
    window.session.go_to_place('[0]["node Hero"].modulate')


def selection(window: MainWindow) -> None:
    """Some of a text selected."""
    encrypted(window)
    if not window.findChild(TextView).isVisible():
        window.findChild(object, "text").trigger()
    view = window.findChild(TextView)
    view.setFocus()
    view.move_caret(view.offset_of(11))
    view.move_caret(view.offset_of(14, 20), extend=True)


STATES: dict[str, Callable[[MainWindow], None]] = {
    "text-encrypted": encrypted,
    "text-mistakes": mistakes,
    "text-resource": resource,
    "text-scene": scene,
    "text-selection": selection,
}
