"""A script for games: GDScript that makes saves of Godot 3 such that Godot 4 reads them, on the machines of players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from viewer.base import assets
from viewer.variant.dialect import Dialect, Kind, TypeRow, load
from viewer.variant.literal.names import resolve

SOURCE, TARGET = "godot3", "godot4"
FOLDER, NAME = "scripts", "convert_godot3_saves.gd"
MARK = "{TYPES}\n"
SIZES = {"bool": 4, "u32": 4, "i32": 4, "f32": 4, "real": 4, "i64": 8, "u64": 8, "f64": 8, "u8": 1}
"""Bytes of a field without the flag that says 64 bits."""


def player_script() -> str:
    """The script, as text; what it does and what not stands in it."""
    source, target = load(SOURCE), load(TARGET)
    return assets.text(FOLDER, NAME).replace(MARK, "".join(_rows(source, target)))


def _rows(source: Dialect, target: Dialect) -> Iterator[str]:
    """A line for each type: its number in the target, what it is, and its bytes or those of an element."""
    for row in source.rows:
        other = resolve(row.name, target)
        assert other is not None, row.name  # Godot 4 has all types of Godot 3
        yield f"\t[{other.number}, Kind.{_kind(row, other)}, {_size(row)}], # {row.name}\n"


def _kind(row: TypeRow, other: TypeRow) -> str:
    """What the script calls a type.

    Raises:
        ValueError: Godot 3 has no such type.
    """
    match row.kind:
        case Kind.FIXED if _size(row) != _size(other):
            return "RID_NUMBER"
        case Kind.FIXED:
            return "NUMBER" if row.name in ("int", "float") else "FIXED"
        case Kind.PACKED:
            return "PACKED"
        case Kind.PACKED_STRINGS:
            return "TEXTS"
        case Kind.STRING:
            return "TEXT"
        case Kind.NODE_PATH:
            return "PATH"
        case Kind.OBJECT:
            return "OBJECT"
        case Kind.DICTIONARY:
            return "PAIRS"
        case Kind.ARRAY:
            return "LIST"
        case (
            Kind.NULL_OBJECT
            | Kind.SIGNAL
            | Kind.TYPED_ARRAY
            | Kind.IMAGE
            | Kind.INPUT_EVENT
            | Kind.RESOURCE
            | Kind.REFERENCE
            | Kind.INDEXED_PATH
        ):
            raise ValueError(f"Godot 3 has no {row.name}.")
        case _:
            assert_never(row.kind)


def _size(row: TypeRow) -> int:
    return sum(SIZES[field.type] for field in row.narrow)
