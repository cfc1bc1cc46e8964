"""Binary resources of any size and shape, as engines write them; the tests with engines load one of each."""

from __future__ import annotations

import struct
from collections.abc import Callable

FORMS = {"godot3": (3, 2, 3), "godot4": (4, 6, 6)}
"""Major and minor version and format of each engine line."""
NAMES = ("resource_local_to_scene", "resource_name", "script", "metadata/data", "metadata/place")
NAME, DATA, PLACE = 1, 3, 4
"""The places of some of these names."""
INT, TEXT, VECTOR3, OBJECT, ARRAY, DICTIONARY = 3, 5, 12, 24, 30, 26
INTERNAL = 2


def word(number: int) -> bytes:
    """A number of 32 bits."""
    return struct.pack("<I", number)


def text(found: str) -> bytes:
    """A text with its length and its NUL."""
    raw = found.encode() + b"\0"
    return word(len(raw)) + raw


def block(*properties: tuple[int, bytes]) -> bytes:
    """A resource: its class and its properties, each the place of its name and its value."""
    return text("Resource") + word(len(properties)) + b"".join(word(name) + value for name, value in properties)


def resource(line: str, blocks: list[bytes], paths: list[str]) -> bytes:
    """A file of these resources, the main one last."""
    major, minor, form = FORMS[line]
    head = word(0) + word(0) + word(major) + word(minor) + word(form) + text("Resource") + bytes(8)
    head += bytes(4 * 14) if line == "godot3" else word(3) + b"\xff" * 8 + bytes(4 * 11)
    tables = word(len(NAMES)) + b"".join(map(text, NAMES)) + word(0) + word(len(blocks))
    at = 4 + len(head) + len(tables) + sum(len(text(path)) + 8 for path in paths)
    entries = []
    for path, each in zip(paths, blocks, strict=True):
        entries.append(text(path) + struct.pack("<Q", at))
        at += len(each)
    return b"".join((b"RSRC", head, tables, *entries, *blocks, b"RSRC"))


def many(line: str, count: int) -> bytes:
    """So many small resources and one that holds them."""
    of_line = "local://{}" if line == "godot3" else "local://Resource_{:05x}"
    paths = [of_line.format(number) for number in range(1, count + 1)]
    blocks = [
        block((NAME, word(TEXT) + text(f"sub {k}")), (PLACE, word(VECTOR3) + struct.pack("<3f", k, 1.5, 2)))
        for k in range(count)
    ]
    numbers = range(1, count + 1) if line == "godot3" else range(count)
    held = b"".join(word(OBJECT) + word(INTERNAL) + word(number) for number in numbers)
    main = block((DATA, word(ARRAY) + word(count) + held))
    return resource(line, [*blocks, main], [*paths, of_line.format(count + 1)])


def pairs(line: str, count: int) -> bytes:
    """One resource with a dictionary of so many texts and numbers."""
    held = b"".join(word(TEXT) + text(f"item {k} of the shöp") + word(INT) + word(k) for k in range(count))
    main = block((DATA, word(DICTIONARY) + word(count) + held))
    return resource(line, [main], ["local://1"])


CUT = ("array_nested", "node_path_absolute", "dictionary_keys", "bytes_2_3", "int_64")
LAST = 200
"""So many of the last bytes are taken away one by one: a little more than the resources of these files."""


def cuts(name: str, whole: bytes) -> list[tuple[str, bytes]]:
    """A file cut behind each of its last bytes, with what to call each."""
    return [(f"{name} cut at {end}", whole[:end]) for end in range(max(0, len(whole) - LAST), len(whole))]


SHAPES: dict[str, Callable[[str, int], bytes]] = {"many": many, "pairs": pairs}
