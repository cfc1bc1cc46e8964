"""Which keys hold a value that no other bytes of their width stand for: one answer for each type of a dialect."""

from __future__ import annotations

from array import array
from functools import cache
from typing import assert_never

from viewer.variant.dialect import Dialect, Kind

ODD, TEXT, EXACT, BOOL, FLOATS, DOUBLES = 0, 1, 2, 3, 4, 5
"""Those of this type are odd, that is not plain: all; what is not proper UTF-8 without a NUL; none; what is neither 0
nor 1; what holds a 32-bit NaN; what holds a 64-bit NaN."""


@cache
def plan(dialect: Dialect) -> tuple[array[int], array[int]]:
    """The form of every type's payload and its size in bytes: by type number, then again under the 64-bit flag."""
    sides = [(row, row.narrow) for row in dialect.rows] + [(row, row.wide) for row in dialect.rows]
    sizes = array("i", (sum(field.size for field in fields) for _, fields in sides))
    return array("i", (_form(row.kind, {field.type for field in fields}) for row, fields in sides)), sizes


def _form(kind: Kind, types: set[str]) -> int:
    match kind:
        case Kind.STRING:
            return TEXT
        case Kind.FIXED:
            if types <= {"i32", "u32", "i64", "u64"}:
                return EXACT
            return {"bool": BOOL, "f32": FLOATS, "f64": DOUBLES}.get("".join(types), ODD)
        case (
            Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return ODD
        case _:
            assert_never(kind)
