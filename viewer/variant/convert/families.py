"""Families: types that convert in the same way, and what packed arrays hold one of."""

from __future__ import annotations

from enum import Enum

from viewer.variant.convert.tally import ConvertError
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.literal.names import builtin_name
from viewer.variant.literal.numbers import is_integer
from viewer.variant.value import ElementType

_SCALARS = frozenset({"bool", "int", "float"})


class Family(Enum):
    """Which code converts a type."""

    NIL = "nil"
    SCALAR = "scalar"
    TEXT = "text"
    PATH = "path"
    VECTOR = "vector"
    PACKED = "packed"
    STRINGS = "strings"
    LIST = "list"
    OTHER = "other"


_BY_KIND = {
    Kind.STRING: Family.TEXT,
    Kind.NODE_PATH: Family.PATH,
    Kind.PACKED: Family.PACKED,
    Kind.PACKED_STRINGS: Family.STRINGS,
    Kind.ARRAY: Family.LIST,
    Kind.TYPED_ARRAY: Family.LIST,
}


def family(row: TypeRow) -> Family:
    """The family of a type."""
    if row.kind is not Kind.FIXED:
        return _BY_KIND.get(row.kind, Family.OTHER)
    if row.name == "Nil":
        return Family.NIL
    if row.name in _SCALARS:
        return Family.SCALAR
    return Family.VECTOR if len(row.narrow) > 1 else Family.OTHER


def stem(name: str) -> str:
    """What a type and its whole-numbered sibling have in common: ``Vector2`` for ``Vector2i``."""
    return name.removesuffix("i")


def element_name(row: TypeRow, dialect: Dialect) -> str:
    """The type of one element of a packed array.

    Raises:
        ConvertError: the dialect has no such type by itself.
    """
    if row.kind is Kind.PACKED_STRINGS:
        return "String"
    if len(row.narrow) == 1:
        return "int" if is_integer(row.narrow[0].type) else "float"
    name = row.name.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    if name not in dialect.by_name:
        raise ConvertError(f"{dialect.name} has no type {name} for the elements of this {row.name}.")
    return name


def element_words(held: ElementType | None, dialect: Dialect) -> str:
    """What a typed collection says it holds, as a person calls it; empty where it is untyped."""
    if held is None or held == ElementType(builtin=0):
        return ""
    if held.script is not None or held.class_name is not None:
        return str(held.script if held.script is not None else held.class_name)
    return "Object" if held.as_ids else builtin_name(held.builtin or 0, dialect)
