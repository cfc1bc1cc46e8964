"""Nodes of a packed scene: told as the engine tells them, edited where their values are stored."""

from __future__ import annotations

import random

import pytest
from document.readers.resource_edits import FOLDER, files, scripts
from engine4 import Godot

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.edits.setting import can_set, literal, set_literal
from viewer.document.outline import shown_value
from viewer.document.path import format_path, parse_path
from viewer.document.pieces.message import MessageField
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import RowIndex

SCENE = FOLDER / "godot4" / "scene_tree.scn"
TOLD = [
    ("World", "Node2D", [("position", "Vector2(5, 6)")]),
    ("World/Hero", "Sprite2D, in units", [("modulate", "Color(1, 0.5, 0.25, 1)")]),
    ("World/Hero/Clock", "Timer", [("wait_time", "2.5")]),
    ("World/Shape", "CollisionShape2D", [("shape", "SubResource(0)"), ("debug_color", "Color(0, 0.6, 0.7, 0.42)")]),
]


def scene(document: Document) -> MessageField:
    assert document.fields[0].name == "scene"
    return document.fields[0]


def test_nodes_and_their_properties_are_told() -> None:
    nodes = scene(Document.open(SCENE)).children
    assert [(node.name, node.text, [(each.name, each.text) for each in node.children]) for node in nodes] == TOLD
    nodes = scene(Document.open(FOLDER / "godot3" / "scene_one.scn")).children
    assert [(node.name, node.text) for node in nodes] == [("Root", "Node")]
    assert all(piece.name != "scene" for piece in Document.open(FOLDER / "godot4" / "game.res").fields)


def test_a_property_leads_to_the_stored_value_and_edits_it() -> None:
    document = Document.open(SCENE)
    before = bytes(document.buffer)
    item = parse_path(document, "scene.World_Hero_Clock.wait_time")
    assert format_path(document, item) == "@scene.World_Hero_Clock.wait_time"
    assert format_path(document, shown_value(document, item)) == "[1]._bundled.variants[2]"
    assert can_set(document, item)
    document.apply(set_literal(document, item, "0.1"))
    assert len(document.buffer) == len(before) + 4
    assert literal(document, parse_path(document, "main._bundled.variants[2]")) == "0.1"
    assert literal(document, parse_path(document, "scene.World_Shape.debug_color")) == "Color(0, 0.6, 0.7, 0.42)"
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    document.undo()
    assert bytes(document.buffer) == before
    assert not can_set(document, parse_path(document, "scene.World_Hero"))
    assert not can_set(document, parse_path(document, "scene"))


def test_a_row_of_a_property_looks_like_its_value() -> None:
    document = Document.open(SCENE)
    rows, marks = RowIndex(document), RowDecorations(document)
    item = parse_path(document, "scene.World_Hero.modulate")
    place = rows.place(item)
    assert place is not None
    assert rows.item(*place) == item
    facts = row_facts(document, rows, marks, *place)
    assert (facts.name, facts.type) == ("modulate", "Color")


@pytest.mark.engine4
def test_what_is_set_at_a_node_is_what_the_engine_loads(godot4: Godot) -> None:
    document = Document.open(SCENE)
    document.apply(set_literal(document, parse_path(document, "scene.World.position"), "Vector2(7, 8.5)"))
    wanted = Document.open(SCENE)
    wanted.apply(set_literal(wanted, parse_path(wanted, "main._bundled.variants[0]"), "Vector2(7, 8.5)"))
    assert bytes(document.buffer) == bytes(wanted.buffer)
    loaded, messages = godot4.loaded(bytes(document.to_be_written()), "res://scene.scn", scripts("godot4"))
    assert loaded is not None, messages
    before, _ = godot4.loaded(SCENE.read_bytes(), "res://scene.scn", scripts("godot4"))
    assert before is not None
    assert len(loaded) == len(before)
    assert loaded != before


def test_scenes_that_are_broken_never_raise() -> None:
    some = random.Random(2026)
    for path in [path for line in ("godot3", "godot4") for path in files(line) if path.suffix == ".scn"]:
        whole = path.read_bytes()
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(some.randrange(1, 4)):
                place = some.randrange(len(data) // 3, len(data))
                data[place] = some.choice((0, 1, 0x7F, 0xFF, 0x80, some.randrange(256)))
            document = Document(bytes(data[: some.choice((len(data), some.randrange(len(data))))]))
            for field in document.fields[:1]:
                for node in field.children:
                    assert node.name is not None
                    assert all(each.name is not None for each in node.children)
