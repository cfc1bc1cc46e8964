"""Worlds: random values as games keep and send them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from viewer.variant.dialect import Dialect
from viewer.variant.value import Array, Dictionary, NodePath, Value

TEXTS = (
    "Iron Sword", "Schwert der Stürme", "épée rouillée", "ключ от ворот", "回復薬", "Potion", "ok", "", "🗡️ rare", "a",
    "user://slot_3.sav", "res://actors/goblin.tscn", "Willkommen, Jäger!", "The bridge is out.\nTake the ferry.",
    "naïve café", "Łódź", "guest4711", "v1.4.2-beta", "north_gate", "Ünïted 12", "9f8c2b7a-77aa", "team chat: go go go",
)  # fmt: skip
WORDS = (
    "coins", "mana", "armor", "stamina", "xp_next", "zone", "owner", "kind", "slots", "durability", "respawn", "angle",
    "waypoints", "friends", "guild", "locale", "best_time", "wave", "score", "is_open", "target_id", "loot", "buffs",
    "aim", "tint", "scale", "facing", "muted", "hair", "seed", "größe", "chunk", "biome", "heat", "fuel", "gear",
)  # fmt: skip
PATHS = (NodePath(("Main", "Hero")), NodePath(("root", "Level", "Door"), (), True), NodePath(("Lamp",), ("energy",)))
NAMES = {
    "godot2": {
        "Quaternion": "Quat", "Transform2D": "Matrix32", "bytes": "RawArray", "ints": "IntArray", "reals": "FloatArray",
        "texts": "StringArray", "vectors": "Vector2Array", "vectors3": "Vector3Array", "colors": "ColorArray",
    },
    "godot3": {
        "Quaternion": "Quat", "bytes": "PoolByteArray", "ints": "PoolIntArray", "reals": "PoolRealArray",
        "texts": "PoolStringArray", "vectors": "PoolVector2Array", "vectors3": "PoolVector3Array",
        "colors": "PoolColorArray",
    },
    "godot4": {
        "bytes": "PackedByteArray", "ints": "PackedInt32Array", "reals": "PackedFloat32Array",
        "texts": "PackedStringArray", "vectors": "PackedVector2Array", "vectors3": "PackedVector3Array",
        "colors": "PackedColorArray",
    },
    "pandemonium5": {
        "bytes": "PoolByteArray", "ints": "PoolIntArray", "reals": "PoolRealArray", "texts": "PoolStringArray",
        "vectors": "PoolVector2Array", "vectors3": "PoolVector3Array", "colors": "PoolColorArray",
    },
}  # fmt: skip


def values(random: Random, dialect: Dialect, count: int, large: bool, most: int = 12) -> Iterator[Value]:
    """So many values; *large* ones are saves, others packets."""
    world = _World(random, dialect, most)
    for _ in range(count):
        yield world.save() if large else world.packet()


class _World:
    def __init__(self, random: Random, dialect: Dialect, most: int) -> None:
        self.random = random
        self.dialect = dialect
        self.most = most
        self.names = NAMES[dialect.key]
        self.wide = dialect.rules.flag64

    # Single values

    def named(self, name: str, data: Any) -> Value:
        return Value(self.names.get(name, name), data)

    def real(self) -> float:
        some = self.random.choice((0.0, 1.0, 0.5, -12.25, self.random.uniform(-500, 500), self.random.random()))
        return float(struct.unpack("<f", struct.pack("<f", some))[0])

    def reals(self, count: int) -> tuple[float, ...]:
        return tuple(self.real() for _ in range(count))

    def whole(self) -> int:
        some = self.random
        return some.choice((0, 1, some.randrange(100), some.randrange(100_000), -1, -some.randrange(1, 5000), 1000))

    def text(self) -> Value:
        return Value("String", self.random.choice(TEXTS))

    def integer(self) -> Value:
        is_wide = self.wide and self.random.random() < 0.15
        return Value("int", 1_690_000_000_000 + self.random.randrange(1 << 34) if is_wide else self.whole())

    def number(self) -> Value:
        is_wide = self.wide and self.random.random() < 0.4
        return Value("float", round(self.random.uniform(0, 90), 2) if is_wide else self.real())

    def vector(self) -> Value:
        name, count = self.random.choice((("Vector2", 2), ("Vector3", 3), ("Vector3", 3), ("Rect2", 4)))
        return self.named(name, self.reals(count))

    def transform(self) -> Value:
        name, count = self.random.choice((("Quaternion", 4), ("Transform2D", 6), ("Basis", 9)))
        if name == "Basis" and self.dialect.key == "godot2":
            name = "Matrix3"
        return self.named(name, self.reals(count))

    def color(self) -> Value:
        return Value("Color", (self._tint(), self._tint(), self._tint(), 1.0))

    def _tint(self) -> float:
        return float(struct.unpack("<f", struct.pack("<f", self.random.randrange(256) / 255))[0])

    def boolean(self) -> Value:
        return Value("bool", self.random.random() < 0.5)

    def nothing(self) -> Value:
        return Value("Nil", None)

    def path(self) -> Value:
        return Value("NodePath", self.random.choice(PATHS))

    def packed(self) -> Value:
        count = self.random.randrange(1, self.most)
        name = self.random.choice(("bytes", "ints", "reals", "texts", "vectors", "vectors3", "colors"))
        makers: dict[str, Callable[[], Any]] = {
            "bytes": lambda: bytes(self.random.randrange(256) for _ in range(count)),
            "ints": lambda: tuple(self.whole() for _ in range(count)),
            "reals": lambda: self.reals(count),
            "texts": lambda: tuple(self.random.choice(TEXTS) for _ in range(count)),
            "vectors": lambda: tuple(self.reals(2) for _ in range(count)),
            "vectors3": lambda: tuple(self.reals(3) for _ in range(count)),
            "colors": lambda: tuple((*self.reals(3), 1.0) for _ in range(count)),
        }
        return self.named(name, makers[name]())

    def leaf(self) -> Value:
        makers = (
            self.text, self.text, self.integer, self.integer, self.number, self.number, self.vector, self.boolean,
            self.boolean, self.nothing, self.color, self.transform, self.packed, self.path,
        )  # fmt: skip
        return self.random.choice(makers)()

    # Collections

    def table(self, entries: dict[str, Value]) -> Value:
        pairs = tuple((Value("String", key), value) for key, value in entries.items())
        return Value("Dictionary", Dictionary(pairs))

    def listed(self, elements: list[Value]) -> Value:
        return Value("Array", Array(tuple(elements)))

    def keys(self, count: int) -> list[str]:
        return self.random.sample(WORDS, count)

    def thing(self, most: int = 6) -> Value:
        return self.table({key: self.leaf() for key in self.keys(self.random.randrange(2, most))})

    def packet(self) -> Value:
        """What a game sends."""
        shape = self.random.randrange(4)
        if shape == 0:
            return self.listed(
                [self.text(), self.integer(), *(self.leaf() for _ in range(self.random.randrange(2, 6)))]
            )
        if shape == 1:
            return self.listed(
                [self.integer(), self.thing(), self.listed([self.leaf() for _ in range(3)]), self.boolean()]
            )
        found = {key: self.leaf() for key in self.keys(self.random.randrange(3, 8))}
        if shape == 2:
            found["state"] = self.thing()
        return self.table(found)

    def save(self) -> Value:
        """What a game keeps."""
        some = self.random
        hero = self.table(
            {
                "nick": self.text(),
                "place": self.vector(),
                "look": self.transform(),
                "tint": self.color(),
                "alive": self.boolean(),
                "mount": self.nothing(),
                "gold": self.integer(),
                "speed": self.number(),
            }
        )
        items = [self.thing(7) for _ in range(some.randrange(3, self.most))]
        quests = {f"quest_{k}": self.listed([self.boolean(), self.integer(), self.text()]) for k in range(4)}
        entries = {
            "format": Value("int", 7),
            "hero": hero,
            "bag": self.listed(items),
            "quests": self.table(quests),
            "map": self.table({"seen": self.packed(), "pins": self.packed(), "names": self.packed()}),
            "empty": self.listed([]),
            "camera_path": self.path(),
        }
        entries |= {key: self.leaf() for key in self.keys(4)}
        return self.table(entries)
