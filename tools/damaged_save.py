"""A large save with some damage, the same on every run: a world of three thousand creatures in about a megabyte."""

from __future__ import annotations

import random

from make_samples import Literal, numbers, stored

CREATURES = 3000
KINDS = ("wolf", "bandit", "heron", "will-o'-the-wisp", "ferryman", "bog troll", "deer", "merchant")
NAMES = ("Aldis", "Bran", "Cerys", "Doran", "Edda", "Finn", "Gwen", "Hale", "Isolde", "Jory", "Kerra", "Lowen")
STATES = ("idle", "hunting", "asleep", "fleeing", "trading")
LOST, NOISE = 3, 700
"""Bytes that are lost, and bytes that are overwritten."""


def sound() -> bytes:
    """The save as it was written."""
    chance = random.Random(12)
    world = {
        "version": 7,
        "game": "The Lantern Fens",
        "seed": 640021,
        "creatures": [_creature(chance, number) for number in range(CREATURES)],
        "weather": {"wind": 3.5, "rain": 0.25, "fog": True},
    }
    return stored(world, dialect="godot3")


def _creature(chance: random.Random, number: int) -> dict[str, object]:
    x, y, z = (chance.randrange(-4000, 4000) / 8 for _ in range(3))
    return {
        "id": 10_000 + number,
        "kind": chance.choice(KINDS),
        "name": f"{chance.choice(NAMES)} {chance.choice(NAMES)}",
        "position": Literal(f"Vector3({x}, {y}, {z})"),
        "health": chance.randrange(1, 400) / 4,
        "state": chance.choice(STATES),
        "route": numbers("PoolIntArray", [chance.randrange(900) for _ in range(chance.randrange(2, 12))]),
        "loot": {"gold": chance.randrange(90), "items": [chance.randrange(1000, 1400) for _ in range(3)]},
    }


def damaged() -> bytes:
    """The same with a length that lies, some lost bytes, noise, and a broken header."""
    chance, raw = random.Random(13), sound()
    length = _creature_at(raw, 0.2, b"name\x04\0\0\0") + 8
    raw = raw[: length + 1] + b"\x13" + raw[length + 2 :]
    lost = _creature_at(raw, 0.45, b"position") + 16
    raw = raw[:lost] + raw[lost + LOST :]
    noise = noise_at(raw)
    raw = raw[:noise] + chance.randbytes(NOISE) + raw[noise + NOISE :]
    header = _creature_at(raw, 0.85, b"loot") + 4
    return raw[:header] + b"\x6e" + raw[header + 1 :]


def noise_at(raw: bytes) -> int:
    """Where the bytes of a damaged save are overwritten."""
    return _creature_at(raw, 0.6, b"state") + 6


def _creature_at(raw: bytes, share: float, key: bytes) -> int:
    """Where a key stands, so far into the file."""
    return raw.index(key, int(share * len(raw)))
