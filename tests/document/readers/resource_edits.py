"""Resources that engines wrote, and edits of every type in them, told as the engines must read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import corpus

from viewer.document.document import Document
from viewer.document.edits.setting import literal, set_literal
from viewer.document.path import PathError, parse_path
from viewer.variant.items import Item
from viewer.variant.read import read_shallow

FOLDER = corpus.DATA / "resources"
SPOILED = ("all_flags", "bundled", "relative_paths", "replace_paths")
"""Files that their own engine does not read as they were written."""
WANTED = {
    "int": ("77", "5000000000", "-1"),
    "float": ("2.25", "0.1", "-0.0"),
    "bool": ("true", "false"),
    "String": ('"x"', '"a much longer text, with ünïcode"', '""'),
    "StringName": ('&"n"', '&"another_name"'),
    "Vector2": ("Vector2(9, -8.5)",),
    "Vector3": ("Vector3(1, 2, 3.5)",),
    "Vector2i": ("Vector2i(7, -8)",),
    "Rect2": ("Rect2(1, 2, 3, 4.5)",),
    "Color": ("Color(0, 1, 0, 0.5)",),
    "Plane": ("Plane(0, 1, 0, 2)",),
    "Quaternion": ("Quaternion(0, 0, 0, 1)",),
    "Quat": ("Quat(0, 0, 0, 1)",),
    "AABB": ("AABB(1, 2, 3, 4, 5, 6)",),
    "Basis": ("Basis(1, 0, 0, 0, 1, 0, 0, 0, 2)",),
    "NodePath": ('NodePath("A/new_name:prop")', 'NodePath("/root/x")'),
    "Array": ('[1, "two", [3.5]]', "[]"),
    "Dictionary": ('{"k": 1, 5: [true]}', "{}"),
    "PackedByteArray": ('PackedByteArray("AQIDBAU=")',),
    "PackedInt32Array": ("PackedInt32Array(1, -2)", "PackedInt32Array()"),
    "PackedInt64Array": ("PackedInt64Array(1, 5000000000)",),
    "PackedFloat32Array": ("PackedFloat32Array(0.5)",),
    "PackedFloat64Array": ("PackedFloat64Array(0.1, 0.2, 0.3)",),
    "PackedStringArray": ('PackedStringArray("a", "", "déf")',),
    "PackedVector2Array": ("PackedVector2Array(1, 2, 3, 4)",),
    "PackedVector3Array": ("PackedVector3Array(1, 2, 3)",),
    "PackedColorArray": ("PackedColorArray(1, 0, 0, 1)",),
    "PackedVector4Array": ("PackedVector4Array(1, 2, 3, 4)",),
    "PoolByteArray": ("PoolByteArray( 1, 2, 3, 4, 5 )",),
    "PoolIntArray": ("PoolIntArray( 1, -2 )", "PoolIntArray(  )"),
    "PoolRealArray": ("PoolRealArray( 0.5 )",),
    "PoolStringArray": ('PoolStringArray( "a", "", "def" )',),
    "PoolVector2Array": ("PoolVector2Array( 1, 2, 3, 4 )",),
    "PoolVector3Array": ("PoolVector3Array( 1, 2, 3 )",),
    "PoolColorArray": ("PoolColorArray( 1, 0, 0, 1 )",),
}
"""What a value of each type is set to, as literals that the engine reads too: of the same length, shorter, longer."""


KEPT = ("script", "resource_local_to_scene", "made_from", "inventory")
"""Properties that take only what their script says, or change what the others mean."""


def files(line: str) -> list[Path]:
    """All binary resources of an engine line."""
    return sorted(path for path in (FOLDER / line).iterdir() if path.suffix in (".res", ".scn"))


def readable(line: str) -> list[Path]:
    """Those that the engine reads as they were written."""
    return [path for path in files(line) if not path.name.startswith(SPOILED)]


def scripts(line: str) -> dict[str, bytes]:
    """The scripts that the resources need, by their paths."""
    return {f"res://{path.name}": path.read_bytes() for path in sorted((FOLDER / line / "scripts").glob("*.gd"))}


@dataclass(frozen=True, slots=True)
class ResourceEdit:
    """One property set to another value.

    Args:
        path: the file before.
        saved: its bytes behind the edit.
        resource: the class-wide name of the resource, empty for the main one.
        name: the property's.
        text: what it was set to.
    """

    path: Path
    saved: bytes
    resource: str
    name: str
    text: str


def edits(path: Path) -> Iterator[ResourceEdit]:
    """Each property of a file, one of a type, set to what is wanted of its type; every edit is undone."""
    document = Document.open(path)
    before = bytes(document.to_be_written())
    done: set[tuple[bool, str]] = set()
    for index, frame in enumerate(document.frames):
        names = list(frame.table.children(0))[::2]
        for node in names:
            row, is_main = frame.table.row(node + 1), document.value_names[index] == "main"
            name = str(read_shallow(frame.table, node).data)
            if row is None or (is_main, row.name) in done or name in KEPT:
                continue
            done.add((is_main, row.name))
            for text in WANTED.get(row.name, ()):
                document.apply(set_literal(document, Item(index, node + 1), text))
                saved = bytes(document.to_be_written())
                document.undo()
                assert bytes(document.to_be_written()) == before
                yield ResourceEdit(path, saved, "" if is_main else document.value_names[index], name, text)
                frame = document.frames[index]


FIELDS = (
    ("@strings.string_0", "a_longer_name_than_it_was"),
    ("@external_resources.external_0.path", "res://renamed_{name}"),
    ("@external_resources.external_0.path", "res://{shorter}"),
    ("@internal_resources.internal_0.path", "local://x"),
    ("@header.engine_minor", ""),
)
"""Fields of the header and the tables, and the text that each gets; a number gets a nine."""


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """One field set to another text.

    Args:
        saved: the bytes of the file behind the edit.
        field: the path of the field.
        old, new: the text that the engine tells before and now; empty for a field of which it says nothing.
    """

    saved: bytes
    field: str
    old: str
    new: str


def field_edits(path: Path) -> Iterator[FieldEdit]:
    """Fields of the header and the tables of a file, each set to something else."""
    document = Document.open(path)
    for field, text in FIELDS:
        try:
            item = parse_path(document, field)
        except PathError:
            continue
        old = literal(document, item).strip('"')
        if field.startswith("@internal") and len(document.frames) == 1:
            continue  # the main resource is not named
        if field.startswith("@strings") and (old != "resource_local_to_scene" or path.name.startswith("named_local")):
            continue  # this name is used
        name = old.removeprefix("res://")
        new = text.format(name=name, shorter=name[1:])
        document.apply(set_literal(document, item, f'"{new}"' if text else "9"))
        is_told = field.endswith("path")
        yield FieldEdit(bytes(document.to_be_written()), field, *((old, new) if is_told else ("", "")))
        document.undo()
