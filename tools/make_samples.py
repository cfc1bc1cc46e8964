"""Make the sample files of ``resources/samples``: a small believable save for each engine line, and a broken packet.

    python tools/make_samples.py [FOLDER]

The result is the same on every run; a test compares it with the files that are there.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Array, Dictionary, Value

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "samples"


class Literal(str):
    """A value as the engine writes it in text."""

    __slots__ = ()


def value(content: object, dialect: Dialect) -> Value:
    """The value of plain Python: dicts, lists, texts, numbers, None, and engine literals."""
    if isinstance(content, Literal):
        return parse_literal(content, dialect)
    if isinstance(content, dict):
        pairs = tuple((value(key, dialect), value(inner, dialect)) for key, inner in content.items())
        return Value("Dictionary", Dictionary(pairs, shared=dialect.rules.shared_bit))
    if isinstance(content, list):
        elements = tuple(value(inner, dialect) for inner in content)
        return Value("Array", Array(elements, shared=dialect.rules.shared_bit))
    names = {str: "String", bool: "bool", int: "int", float: "float", type(None): "Nil"}
    return Value(names[type(content)], content)  # type: ignore[arg-type]


def stored(*contents: object, dialect: str, precision: Precision = Precision.SINGLE) -> bytes:
    """Values one after another, each behind its length, as ``store_var`` writes them."""
    out = []
    for content in contents:
        raw = encode(value(content, load(dialect)), load(dialect), precision)
        out.append(len(raw).to_bytes(4, "little") + raw)
    return b"".join(out)


def numbers(name: str, flat: Sequence[object]) -> Literal:
    """A literal with many numbers: ``PoolIntArray(1, 2)``."""
    return Literal(f"{name}({', '.join(map(str, flat))})")


def godot2() -> bytes:
    """A puzzle game's progress, with a thumbnail and a remapped key."""
    pixels = [40 * (x ^ y) % 256 for y in range(8) for x in range(8)]
    progress = {
        "profile": "Ines",
        "unlocked": Literal('StringArray("Orchard", "Mill", "Harbour")'),
        "stars": Literal("IntArray(3, 3, 2, 3, 1, 0)"),
        "best_times": Literal("FloatArray(41.25, 63.5, 58.75, 102.5, 77.0, 0.0)"),
        "music": 0.75,
        "hints": False,
        "cursor": Literal("Vector2(212, 96)"),
        "tint": Literal("Color(0.9, 0.82, 0.64, 1)"),
        "last_level": Literal('NodePath("/root/levels/harbour")'),
        "undo_key": Literal("InputEvent(KEY,90,C)"),
        "thumbnail": numbers("Image", [8, 8, 0, "GRAYSCALE", *pixels]),
        "board": [[1, 0, 2, 2], [0, 1, 1, 0], [2, 2, 0, 1]],
    }
    return stored(progress, dialect="godot2")


ITEMS = (
    ("Iron sword", "weapon", 1, 120, 3.5),
    ("Ash bow", "weapon", 1, 95, 1.75),
    ("Arrow", "ammunition", 48, 1, 0.125),
    ("Healing potion", "potion", 6, 25, 0.5),
    ("Mana potion", "potion", 3, 40, 0.5),
    ("Leather armour", "armour", 1, 80, 7.25),
    ("Rope", "tool", 2, 5, 2.0),
    ("Map of the fens", "document", 1, 12, 0.0625),
    ("Ruby", "treasure", 2, 450, 0.25),
    ("Old key", "quest", 1, 0, 0.125),
)
QUESTS = (
    ("fens_lights", "Lights over the fens", "active", 2, 5),
    ("smiths_hammer", "The smith's hammer", "done", 3, 3),
    ("lost_ferry", "The lost ferry", "active", 0, 4),
    ("tithe", "A tithe unpaid", "failed", 1, 2),
)


def godot3() -> bytes:
    """A role-playing save: player, inventory, quests, world; then a settings record."""
    player = {
        "name": "Mira Oakhand",
        "class": "ranger",
        "level": 14,
        "experience": 18250,
        "gold": 1375,
        "health": 82.5,
        "health_max": 110.0,
        "stamina": 0.7,
        "position": Literal("Vector3(112.5, 3.25, -48.75)"),
        "facing": Literal("Quat(0, 0.707107, 0, 0.707107)"),
        "transform": Literal("Transform(0, 0, 1, 0, 1, 0, -1, 0, 0, 112.5, 3.25, -48.75)"),
        "hair": Literal("Color(0.36, 0.2, 0.09, 1)"),
        "mount": None,
        "target": Literal('NodePath("World/Fens/Bandit2:health")'),
        "skills": {"archery": 31, "sword": 12, "stealth": 22, "herbs": 17, "speech": 8},
        "attributes": numbers("PoolIntArray", [12, 15, 11, 13, 9, 14]),
        "perks": Literal('PoolStringArray("Light step", "Steady hand", "Wayfarer")'),
    }
    record = {
        "version": 7,
        "game": "The Lantern Fens",
        "saved_at": {"year": 2021, "month": 3, "day": 14, "hour": 20, "minute": 5},
        "saved_at_msec": 1615752300125,
        "play_time": 40512.3,
        "player": player,
        "inventory": [
            {"id": 1000 + k, "name": name, "kind": kind, "count": count, "value": price, "weight": weight}
            for k, (name, kind, count, price, weight) in enumerate(ITEMS)
        ],
        "equipped": {"hand": 1000, "back": 1001, "body": 1005, "ring": None},
        "quests": {
            key: {
                "title": title,
                "state": state,
                "step": step,
                "steps": steps,
                "giver": Literal(f'NodePath("/root/World/People/{key}")'),
            }
            for key, title, state, step, steps in QUESTS
        },
        "world": _world(),
        "flags": {"met_ferryman": True, "bridge_burnt": False, 7: "seventh bell", Literal("Vector2(3, 4)"): "camp"},
    }
    settings = {"music": 0.8, "effects": 1.0, "language": "en_GB", "window": Literal("Rect2(120, 80, 1280, 720)")}
    return stored(record, settings, dialect="godot3")


def _world() -> dict[object, object]:
    """What lies around the player: time, weather, the explored map, a path, some landmarks."""
    explored = [255 if (x - 16) ** 2 + (y - 12) ** 2 < 90 else 0 for y in range(24) for x in range(32)]
    path = [number for k in range(24) for number in (round(4 * k * math.cos(k / 5), 3), 0.5, round(3.5 * k, 3))]
    heights = [round(2 + math.sin(k / 3), 4) for k in range(96)]
    return {
        "region": "fens",
        "day": 61,
        "hour": 20.75,
        "rain": True,
        "seed": -6723401297,
        "explored": numbers("PoolByteArray", explored),
        "explored_size": Literal("Vector2(32, 24)"),
        "heights": numbers("PoolRealArray", heights),
        "trail": numbers("PoolVector3Array", path),
        "camps": Literal("PoolVector2Array(12, 4, 31.5, 18, 7.25, 22)"),
        "sky": Literal("PoolColorArray(0.1, 0.1, 0.25, 1, 0.55, 0.3, 0.2, 1)"),
        "bounds": Literal("AABB(-256, -16, -256, 512, 64, 512)"),
        "water": Literal("Plane(0, 1, 0, 0.25)"),
        "minimap": Literal("Transform2D(0.5, 0, 0, 0.5, 64, 48)"),
        "north": Literal("Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)"),
    }


def godot4() -> bytes:
    """A farm game's save with typed arrays and dictionaries."""
    farm = {
        "version": 3,
        "farm_name": Literal('&"Kestrel Farm"'),
        "money": 8420,
        "season": Literal('&"autumn"'),
        "tools": Literal('Array[StringName]([&"hoe", &"can", &"sickle"])'),
        "harvest": Literal('Dictionary[String, int]({"pumpkin": 34, "barley": 210, "kale": 57})'),
        "tiles": Literal("Array[Vector2i]([Vector2i(3, 4), Vector2i(3, 5), Vector2i(4, 4), Vector2i(9, 2)])"),
        "growth": numbers("PackedFloat32Array", [0.25, 0.5, 0.5, 1.0]),
        "watered": numbers("PackedByteArray", [1, 1, 0, 1, 0, 0, 1]),
        "seeds": numbers("PackedInt32Array", [12, 0, 5]),
        "money_by_day": numbers("PackedInt64Array", [500, 740, 1215, 8420]),
        "rainfall": numbers("PackedFloat64Array", [0.1, 0.0, 3.7]),
        "letters": Literal('PackedStringArray("Dear neighbour", "Fair on Sunday")'),
        "fence": numbers("PackedVector2Array", [0, 0, 12, 0, 12, 8, 0, 8]),
        "route": numbers("PackedVector3Array", [0, 0, 0, 2.5, 0, 1.5]),
        "palette": numbers("PackedColorArray", [0.8, 0.45, 0.1, 1, 0.3, 0.5, 0.2, 1]),
        "shader": numbers("PackedVector4Array", [1, 0, 0, 0.5]),
        "animals": [
            {"name": "Button", "kind": Literal('&"hen"'), "mood": 0.8, "home": Literal('NodePath("Barn/Left")')},
            {"name": "Duchess", "kind": Literal('&"cow"'), "mood": 0.65, "home": Literal('NodePath("Barn/Right")')},
        ],
        "camera": Literal("Transform2D(1, 0, 0, 1, 480, 270)"),
        "view": Literal("Rect2i(0, 0, 960, 540)"),
        "sun": Literal("Quaternion(0, 0.382683, 0, 0.92388)"),
    }
    return stored(farm, dialect="godot4")


def godot4_double() -> bytes:
    """A space game's save from an engine with double precision."""
    ship = {
        "ship": "Long Patience",
        "system": Literal('&"Tau Ceti"'),
        "position": Literal("Vector3(149597870700.25, -1203944.125, 88.0625)"),
        "velocity": Literal("Vector3(29780.5, 0.015625, -3.1)"),
        "attitude": Literal("Quaternion(0, 0.1, 0, 0.994987437106620)"),
        "frame": Literal("Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 149597870700.25, -1203944.125, 88.0625)"),
        "fuel": 0.62,
        "credits": 90210334455,
        "waypoints": numbers("PackedVector3Array", [1.1, 2.2, 3.3, 149597870700.25, 0, -4.4]),
        "hull": Literal("Color(0.7, 0.72, 0.75, 1)"),
        "cargo": Literal('Dictionary[StringName, float]({&"ore": 12.5, &"ice": 0.1})'),
    }
    return stored(ship, dialect="godot4", precision=Precision.DOUBLE)


def pandemonium4() -> bytes:
    """A tower game's save: the types that this engine line numbers differently."""
    camp = {
        "wave": 12,
        "lives": 17,
        "commander": Literal('@"Rhea"'),
        "grid": Literal("Rect2i(0, 0, 24, 16)"),
        "origin": Literal("Vector2(64, 48)"),
        "towers": [
            {"kind": Literal('@"frost"'), "cell": Literal("Vector2i(4, 7)"), "level": 2, "aim": 0.3},
            {"kind": Literal('@"ember"'), "cell": Literal("Vector2i(11, 3)"), "level": 3, "aim": 1.25},
        ],
        "spawn": Literal("Vector3i(0, 0, 15)"),
        "heading": Literal("Quaternion(0, 0.6, 0, 0.8)"),
        "map": Literal('NodePath("Maps/Gorge")'),
        "cells": numbers("PoolVector2iArray", [0, 15, 3, 15, 3, 9, 11, 9]),
        "scores": numbers("PoolIntArray", [120, 340, 615]),
        "tint": Literal("Color(0.55, 0.7, 0.9, 1)"),
    }
    return stored(camp, dialect="pandemonium4")


def pandemonium5() -> bytes:
    """A card game's save: this line's typed arrays, and the Pool arrays behind them."""
    table = {
        "round": 4,
        "seats": Literal('PoolStringArray("Noor", "Edda", "Pál")'),
        "coins": numbers("PoolIntArray", [31, 18, 27]),
        "hand": Literal('TypedArray(String, "Fox", "Tower", "Two of reeds")'),
        "deck": numbers("PoolByteArray", [(7 * k + 3) % 52 for k in range(21)]),
        "felt": Literal("Color(0.1, 0.35, 0.2, 1)"),
        "camera": Literal("Transform2D(1, 0, 0, 1, 320, 180)"),
        "slots": numbers("PoolVector2Array", [40, 300, 120, 300, 200, 300]),
        "theme": Literal('@"linen"'),
        "rules": {"draw": 2, "limit": 7, "jokers": False},
    }
    return stored(table, dialect="pandemonium5")


def broken_packet() -> bytes:
    """A packet whose sender wrote one text's length with its bytes in the wrong order."""
    message = {"cmd": "move", "peer": 3, "name": "Mira", "to": Literal("Vector2(48, -12.5)"), "tick": 90211}
    raw = encode(value(message, load("godot3")), load("godot3"))
    at = raw.index(b"Mira") - 4
    return raw[:at] + raw[at : at + 4][::-1] + raw[at + 4 :]


SAMPLES: dict[str, Callable[[], bytes]] = {
    "godot2-save.bin": godot2,
    "godot3-rpg.save": godot3,
    "godot4-typed.save": godot4,
    "godot4-double.save": godot4_double,
    "pandemonium4.save": pandemonium4,
    "pandemonium5.save": pandemonium5,
    "broken-packet.bin": broken_packet,
}


def main(folder: Path) -> None:
    """Write all samples."""
    for name, make in SAMPLES.items():
        (folder / name).write_bytes(make())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
