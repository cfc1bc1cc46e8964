"""A save that Godot 4 itself writes, and what it must read after an edit: what was intended, all else as before."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine4 import EngineError, Godot, Json, Read, Request

from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.document.wraps import UnwrapOptions
from viewer.variant.items import Item

Step = str | int
"""An element of an Array, or the text or number that is a key of a Dictionary."""
Place = tuple[Step, ...]
"""Steps to a value; the first is the number of the frame."""

HERO_TEXT = """{
"name": "Zoë", "gold": 137, "much": 5000000000, "hp": 0.5, "dead": false, "pet": null, "title": &"ranger",
"target": NodePath("/root/A/B:position:x"), "spot": Vector2(1, 2), "cell": Vector2i(3, -4), "area": Rect2(1, 2, 3, 4),
"block": Rect2i(1, 2, 3, 4), "place": Vector3(1, 2, 3), "voxel": Vector3i(1, 2, 3),
"turn": Transform2D(1, 0, 0, 1, 5, 6), "four": Vector4(1, 2, 3, 4), "whole": Vector4i(1, 2, 3, 4),
"floor": Plane(0, 1, 0, 5), "spin": Quaternion(0, 0.6, 0, 0.8), "box": AABB(1, 2, 3, 4, 5, 6),
"base": Basis(1, 0, 0, 0, 1, 0, 0, 0, 1), "pose": Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9),
"lens": Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), "skin": Color(1, 0.5, 0.25, 1), "rid": RID()
}"""
BAG_TEXT = """{
"items": [1, "two", [3], {"four": 4}, null, &"six", 7.5], "things": {"sword": 1, "axe": 2, "bow": 3},
"keys": {5: "int", "text": "String", &"name": "StringName", 0.5: "float", true: "bool", Vector2i(1, 2): "Vector2i",
    [1, 2]: "Array", null: "Nil", NodePath("a/b"): "NodePath", {1: 2}: "Dictionary"},
"deep": [[[[[{"a": [1, [2, [3, {"b": {"c": "bottom"}}]]]}]]]]]
}"""
TYPED_TEXT = """{
"ints": Array[int]([1, 2, 3]), "floats": Array[float]([0.5, 1.5]), "bools": Array[bool]([true, false]),
"names": Array[String](["a", "bc"]), "tags": Array[StringName]([&"x", &"y"]),
"paths": Array[NodePath]([NodePath("a"), NodePath("b/c")]),
"spots": Array[Vector2]([Vector2(1, 2), Vector2(3, 4)]), "cells": Array[Vector2i]([Vector2i(1, 2)]),
"skins": Array[Color]([Color(1, 0, 0, 1)]), "lists": Array[Array]([[1], ["two"]]),
"maps": Array[Dictionary]([{"a": 1}]), "blobs": Array[PackedByteArray]([PackedByteArray("AQI=")]),
"none": Array[int]([]),
"counts": Dictionary[String, int]({"a": 1, "b": 2}), "tiles": Dictionary[Vector2i, String]({Vector2i(0, 1): "grass"}),
"byid": Dictionary[int, Variant]({7: "seven", 8: [8]}), "held": Dictionary[Variant, float]({"x": 0.5, 2: 1.5}),
"flags": Dictionary[StringName, bool]({&"met": true}), "loose": [1, 2], "table": {"a": 1, "b": 2}
}"""
PACKED_TEXT = """{
"bytes": PackedByteArray("AQIDBAU="), "ints": PackedInt32Array(1, -2, 3), "longs": PackedInt64Array(1, 5000000000),
"reals": PackedFloat32Array(0.5, 1.5, 2.5), "doubles": PackedFloat64Array(0.1, 0.2),
"texts": PackedStringArray("one", "", "drei"), "spots": PackedVector2Array(1, 2, 3, 4),
"places": PackedVector3Array(1, 2, 3, 4, 5, 6), "skins": PackedColorArray(1, 0, 0, 1, 0, 1, 0, 1),
"fours": PackedVector4Array(1, 2, 3, 4, 5, 6, 7, 8)
}"""
TEXTS = (HERO_TEXT, BAG_TEXT, TYPED_TEXT, PACKED_TEXT)
HERO, BAG, TYPED, PACKED, OBJECTS = ((number,) for number in range(5))
"""The frames of the save."""
ITEMS, THINGS, LOOSE = (*BAG, "items"), (*BAG, "things"), (*TYPED, "loose")


def header(number: int, flags: int = 0) -> bytes:
    return struct.pack("<I", number | flags << 16)


def text(content: str) -> bytes:
    """A text without a header: its length, itself and its fill."""
    raw = content.encode()
    return struct.pack("<I", len(raw)) + raw + bytes(-len(raw) % 4)


def pair(key: str, value: bytes) -> bytes:
    return header(4) + text(key) + value


def object_id(number: int) -> bytes:
    return header(24, 1) + struct.pack("<Q", number)


def objects() -> bytes:
    """What no text of the engine can say: ids of objects and resources, a signal, and collections of one class."""
    pairs = (
        pair("object", object_id(77)),
        pair("rid", header(23) + struct.pack("<Q", 5)),
        pair("callable", header(25)),
        pair("signal", header(26) + text("pressed") + struct.pack("<Q", 0)),
        pair("nodes", header(28, 2) + text("Node") + struct.pack("<I", 2) + object_id(1) + object_id(2)),
        pair(
            "wear",
            header(27, 9) + struct.pack("<I", 4) + text("Item") + struct.pack("<I", 1) + pair("hat", object_id(3)),
        ),
    )
    return header(27) + struct.pack("<I", len(pairs)) + b"".join(pairs)


def values(godot: Godot) -> list[bytes]:
    """Each value of the save as the engine writes it, but for the last, which is ours."""
    found = godot.texts(TEXTS)
    faults = [answer.fault for answer in found if answer.fault and "from_native" not in answer.fault]
    if faults:
        raise EngineError(faults[0])
    return [*(answer.values[0].data for answer in found), objects()]


def stored(raws: Sequence[bytes], order: str = "<") -> bytes:
    return b"".join(struct.pack(f"{order}I", len(raw)) + raw for raw in raws)


@dataclass(frozen=True)
class Case:
    """An edit, and the text of what must stand in some places then, in the engine's own notation or as its JSON."""

    edit: Callable[[Document], Edit]
    then: Mapping[Place, str | Json]


def path(place: Place) -> str:
    """The place as the program writes it."""
    steps = (f"[{step}]" if isinstance(step, int) or not step.isidentifier() else f".{step}" for step in place)
    return "".join(steps)


def at(document: Document, *place: Step) -> Item:
    """The value at a place."""
    return parse_path(document, path(place))


def replaced(values: Json, place: Place, by: Json) -> Json:
    """The engine's values with the one at *place* another one."""
    if not place:
        return by
    head, rest = place[0], place[1:]
    if isinstance(values, list):
        assert isinstance(head, int)
        return [replaced(each, rest, by) if number == head else each for number, each in enumerate(values)]
    if "Array" in values:
        return {**values, "Array": replaced(values["Array"], place, by)}
    key = {"String": head} if isinstance(head, str) else {"int": str(head)}
    pairs = values["Dictionary"]
    assert [held for held, _ in pairs].count(key) == 1
    found = [[held, replaced(value, rest, by) if held == key else value] for held, value in pairs]
    return {**values, "Dictionary": found}


def intended(godot: Godot, then: str | Json) -> Json:
    """What a text means to the engine; its JSON is itself."""
    if not isinstance(then, str):
        return then
    (found,) = godot.texts([then])
    value: Read = found.values[0]
    assert value.shown is not None or then == "null", f"the engine does not understand {then}"
    return value.shown


def after(godot: Godot, before: list[Json], then: Mapping[Place, str | Json]) -> list[Json]:
    """All values of a save once those places hold what was intended."""
    wanted: Any = before
    for place, what in then.items():
        wanted = replaced(wanted, place, intended(godot, what))
    return list(wanted)


def opened(raw: bytes, secret: Secret | None = None) -> Document:
    """The document of a file, with everything but the key found out by the program."""
    document = Document(raw, choice=ReadOptions(opening=UnwrapOptions(secret=secret)))
    assert (document.dialect.key, document.explained) == ("godot4", 1)
    return document


def edited(document: Document, case: Case) -> bytes:
    """The bytes that are saved after an edit; the document is as it was."""
    document.apply(case.edit(document))
    data = bytes(document.to_be_written()[:])
    document.undo()
    return data


@dataclass(frozen=True)
class Save:
    """The save as the engine wrote it, opened here, and as the engine reads it."""

    godot: Godot
    document: Document
    before: list[Json]

    @classmethod
    def of(cls, godot: Godot) -> Save:
        raw = stored(values(godot))
        (found,) = godot.read([Request(raw)])
        assert found.fault == ""
        return cls(godot, opened(raw), found.all_shown)

    def check(self, case: Case) -> None:
        """The engine reads what was intended, complains of nothing, and finds all else as it was."""
        (found,) = self.godot.read([Request(edited(self.document, case))])
        assert found.fault == ""
        assert found.all_shown == after(self.godot, self.before, case.then)
        assert found.all_shown != self.before
