"""Defaults: what the engine's own constructor gives for each type when it is called with nothing."""

from __future__ import annotations

from typing import assert_never

from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.value import Array, Data, Dictionary, ElementType, Image, InputEvent, NodePath, Signal, Value

_NO_TURN = (0.0, 0.0, 0.0, 1.0)
_AXES_2D = (1.0, 0.0, 0.0, 1.0)
_AXES_3D = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_AXES_4D = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_NOT_ZERO: dict[str, tuple[float, ...]] = {
    "Color": (0.0, 0.0, 0.0, 1.0),
    "Quat": _NO_TURN,
    "Quaternion": _NO_TURN,
    "Matrix32": (*_AXES_2D, 0.0, 0.0),
    "Transform2D": (*_AXES_2D, 0.0, 0.0),
    "Matrix3": _AXES_3D,
    "Basis": _AXES_3D,
    "Transform": (*_AXES_3D, 0.0, 0.0, 0.0),
    "Transform3D": (*_AXES_3D, 0.0, 0.0, 0.0),
    "Projection": _AXES_4D,
}


def default(type_name: str, dialect: Dialect) -> Value:
    """The empty value of a type: zeros, no elements, no turn and no shift for transforms, opaque black for colours.

    Raises:
        ConvertError: the dialect has no such type.
    """
    row = dialect.by_name.get(type_name)
    if row is None:
        raise ConvertError(f"{dialect.name} has no type {type_name}.")
    return Value(row.name, _empty(row))


def _empty(row: TypeRow) -> Data:
    match row.kind:
        case Kind.FIXED:
            return _fixed(row)
        case Kind.STRING:
            return ""
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return NodePath()
        case Kind.OBJECT | Kind.RESOURCE | Kind.NULL_OBJECT | Kind.REFERENCE:
            return None
        case Kind.SIGNAL:
            return Signal("", 0)
        case Kind.DICTIONARY:
            return Dictionary()
        case Kind.ARRAY:
            return Array()
        case Kind.TYPED_ARRAY:
            return Array((), ElementType(builtin=0))
        case Kind.PACKED:
            return b"" if row.narrow[0].type == "u8" else ()
        case Kind.PACKED_STRINGS:
            return ()
        case Kind.IMAGE:
            return Image(0, 0, 0, 0, b"")
        case Kind.INPUT_EVENT:
            return InputEvent(0, 0)
        case _:
            assert_never(row.kind)


def _fixed(row: TypeRow) -> Data:
    numbers = tuple(0.0 if field.type[0] == "f" else 0 for field in row.narrow)
    if len(numbers) > 1:
        known = _NOT_ZERO.get(row.name, numbers)
        return known if len(known) == len(numbers) else numbers
    if not numbers:
        return None
    return False if row.narrow[0].type == "bool" else numbers[0]
