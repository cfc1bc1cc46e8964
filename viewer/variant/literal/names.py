"""The names that stand in literals: types under their names in other engine lines, element types, node paths."""

from __future__ import annotations

from typing import assert_never

from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.value import Data, ElementType, NodePath, ReferenceKind

UNTYPED = "Variant"
AS_IDS = "EncodedObjectAsID"
REFERENCES = {
    ReferenceKind.PATH: "Resource",
    ReferenceKind.EXTERNAL: "ExtResource",
    ReferenceKind.INTERNAL: "SubResource",
}
"""How the engines' text names another resource."""
_SAME = (
    ("float", "real"),
    ("Quat", "Quaternion"),
    ("Matrix32", "Transform2D"),
    ("Matrix3", "Basis"),
    ("Transform", "Transform3D"),
    ("AABB", "Rect3"),
    ("RawArray", "ByteArray", "PoolByteArray", "PackedByteArray"),
    ("IntArray", "PoolIntArray", "PackedInt32Array"),
    ("FloatArray", "RealArray", "PoolRealArray", "PackedFloat32Array"),
    ("StringArray", "PoolStringArray", "PackedStringArray"),
    ("Vector2Array", "PoolVector2Array", "PackedVector2Array"),
    ("Vector3Array", "PoolVector3Array", "PackedVector3Array"),
    ("PoolVector4Array", "PackedVector4Array"),
    ("ColorArray", "PoolColorArray", "PackedColorArray"),
)
_GROUPS = {name: group for group in _SAME for name in group}
_NEAREST = {
    "StringName": "String",
    "Vector2i": "Vector2",
    "Vector3i": "Vector3",
    "Vector4i": "Vector4",
    "Vector4": "Quaternion",
    "Rect2i": "Rect2",
    "PackedInt64Array": "PackedInt32Array",
    "PackedFloat64Array": "PackedFloat32Array",
    "PoolVector2iArray": "PoolVector2Array",
    "PoolVector3iArray": "PoolVector3Array",
    "PoolVector4iArray": "PoolVector4Array",
    "TypedArray": "Array",
    "PackedTypedArray": "Array",
}
_PRINTED = {"RawArray": "ByteArray"}
"""Godot 2 writes this type under another name than its documents call it."""


def also_called(name: str) -> tuple[str, ...]:
    """What a type is called in other engine lines."""
    return tuple(other for other in _GROUPS.get(name, ()) if other != name)


def resolve(name: str, dialect: Dialect) -> TypeRow | None:
    """The row of a type named as in any engine line; None where this line has no type of the same meaning."""
    row = dialect.by_name.get(name)
    if row is not None:
        return row
    return next((dialect.by_name[other] for other in _GROUPS.get(name, ()) if other in dialect.by_name), None)


def is_known(name: str) -> bool:
    """Whether some engine line has a type of this name that others may lack."""
    return name in _GROUPS or name in _NEAREST


def nearest(name: str, dialect: Dialect) -> str | None:
    """What this line offers instead of a type that it lacks."""
    other = _NEAREST.get(_GROUPS[name][0] if name in _GROUPS and name not in _NEAREST else name)
    row = None if other is None else resolve(other, dialect)
    return None if row is None else row.name


def is_broken(row: TypeRow, data: Data) -> bool:
    """Whether a value of this type lacks its data: the bytes that it was read from are broken."""
    return data is None and not _may_be_none(row)


def _may_be_none(row: TypeRow) -> bool:
    match row.kind:
        case Kind.FIXED:
            return not row.narrow
        case Kind.OBJECT | Kind.RESOURCE | Kind.NULL_OBJECT | Kind.REFERENCE:
            return True
        case (
            Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(row.kind)


def printed(row: TypeRow) -> str:
    """The name under which the engine prints this type."""
    return _PRINTED.get(row.name, row.name)


def split_path(text: str, dialect: Dialect) -> NodePath | None:
    """A node path from its text as this engine line splits it; None where a part between two colons is empty."""
    head, _, tail = text.partition(":")
    names = tuple(name for name in head.split("/") if name)
    subnames = tuple(tail.split(":"))
    if not subnames[-1]:
        subnames = subnames[:-1]
    if not all(subnames):
        return None
    absolute = text.startswith("/")
    if dialect.rules.property_flag and subnames:
        return NodePath(names, subnames[:-1], absolute, subnames[-1])
    return NodePath(names, subnames, absolute)


def builtin_name(number: int, dialect: Dialect) -> str:
    """The name of an element type, or its number where no name means just that."""
    known = 0 <= number < len(dialect.rows) and dialect.rows[number].name != "Object"
    return dialect.rows[number].name if known else str(number)


def class_element(name: str, dialect: Dialect) -> ElementType:
    """The element type for a class: Pandemonium writes it beside the type number of Object."""
    if "TypedArray" in dialect.by_name:
        return ElementType(builtin=dialect.type_number("Object"), class_name=name)
    return ElementType(class_name=name)


def named_element(name: str, dialect: Dialect) -> ElementType | None:
    """The element type that a bare name stands for; None for ``Variant``: untyped."""
    if name == UNTYPED:
        return None
    if name.isdecimal() and len(name) < 11:
        return ElementType(builtin=int(name))
    if name == AS_IDS and "TypedArray" in dialect.by_name:
        return ElementType(builtin=dialect.type_number("Object"), as_ids=True)
    return _type_or_class(name, dialect)


def _type_or_class(name: str, dialect: Dialect) -> ElementType:
    """``Object`` and ``Resource`` are classes: engines never write the bare type number of an object, and what names
    another resource in a text is no type."""
    row = resolve(name, dialect)
    if row is None or row.name == "Object" or row.name in REFERENCES.values():
        return class_element(name, dialect)
    return ElementType(builtin=row.number)


def element_key(element: ElementType, dialect: Dialect) -> str | None:
    """The name under which JSON tells an element type; None where no plain name means just this one."""
    if element.script is not None:
        name: str = element.script
    elif element.class_name is not None:
        name = element.class_name
    else:
        name = builtin_name(element.builtin or 0, dialect)
    return name if keyed_element(name, dialect) == element else None


def keyed_element(name: str, dialect: Dialect) -> ElementType:
    """The element type that JSON's name for it stands for: a script by its ``res://`` path, else a type or a class."""
    if name.startswith("res://"):
        return ElementType(script=name)
    return _type_or_class(name, dialect)
