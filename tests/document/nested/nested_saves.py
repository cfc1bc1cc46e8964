"""Saves with values inside values, three levels deep, made with a fixed seed; and how a game gets at each level."""

from __future__ import annotations

import base64
import gzip
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from viewer.variant.dialect import Dialect, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Dictionary, Value

INSIDE = "inside"
BYTE_ARRAY = {"godot3": "PoolByteArray", "godot4": "PackedByteArray"}
NEW = ("7", "5000000000", '"a much longer text than there was before"', '[1, "two", 3.5]')
"""What is written inside: of the same length, and longer ones."""


def _stored(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "little") + raw


PACKS: dict[str, Callable[[bytes], bytes]] = {
    "bytes": bytes,
    "stored": _stored,
    "gzip": lambda raw: gzip.compress(raw, mtime=0),
    "zlib": zlib.compress,
    "base64": base64.b64encode,
    "base64 of gzip": lambda raw: base64.b64encode(gzip.compress(raw, mtime=0)),
}
UNPACKS: dict[str, Callable[[bytes], bytes]] = {
    "bytes": bytes,
    "stored": lambda raw: raw[4 : 4 + int.from_bytes(raw[:4], "little")],
    "gzip": gzip.decompress,
    "zlib": zlib.decompress,
    "base64": lambda raw: base64.b64decode(raw, validate=True),
    "base64 of gzip": lambda raw: gzip.decompress(base64.b64decode(raw, validate=True)),
}
WAYS = (*PACKS, "text")
TEXTS = ("base64", "base64 of gzip", "text")
"""Ways that make a text; the others make a byte array."""


@dataclass(frozen=True)
class NestedSave:
    """A stored value with others in it.

    Attributes:
        data: the file.
        ways: how each level lies in the one around it, the outermost first.
        path: of the value that is to be set.
        key: its name in the innermost dictionary.
        text: what it is to become.
    """

    data: bytes
    ways: tuple[str, ...]
    path: str
    key: str
    text: str


def nested_save(line: str, seed: int, levels: int = 3) -> NestedSave:
    """One save; every way to put a value into another comes in turn."""
    rng, dialect = random.Random(seed), load(line)
    ways = tuple(WAYS[(seed // len(WAYS) ** level) % len(WAYS)] for level in range(levels))
    value = _dictionary(rng, dialect, None)
    for way in reversed(ways):
        value = _dictionary(rng, dialect, packed(value, way, dialect))
    key, text = rng.choice((("gold", rng.choice(NEW[:2])), ("name", NEW[2]), ("items", NEW[3])))
    path = "[0]" + f".{INSIDE}!0" * levels + f".{key}"
    return NestedSave(_stored(encode(value, dialect)), ways, path, key, text)


def packed(value: Value, way: str, dialect: Dialect) -> Value:
    """A value as another one that holds it."""
    if way == "text":
        return Value("String", format_literal(value, dialect))
    raw = PACKS[way](encode(value, dialect))
    return Value("String", raw.decode()) if way in TEXTS else Value(BYTE_ARRAY[dialect.key], raw)


def _dictionary(rng: random.Random, dialect: Dialect, inside: Value | None) -> Value:
    texts = {
        "gold": str(rng.randrange(1000)),
        "name": '"' + "".join(rng.choices("abc äöü{}[]\\n", k=rng.randrange(1, 12))).replace("\\", "\\\\") + '"',
        "items": f"[{rng.randrange(9)}, Vector2({rng.randrange(9)}, 0.5), null, true]",
    }
    pairs = [(Value("String", name), parse_literal(text, dialect)) for name, text in texts.items()]
    if inside is not None:
        pairs.insert(rng.randrange(len(pairs) + 1), (Value("String", INSIDE), inside))
    return Value("Dictionary", Dictionary(tuple(pairs)))
