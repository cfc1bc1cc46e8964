"""How :mod:`viewer.variant.clean` judges the values of each type of a dialect."""

from __future__ import annotations

from array import array
from functools import cache
from typing import assert_never

from viewer.variant.dialect import FLAG_64, Dialect, Kind, Rules, TypeRow

SPAN = 256
"""Header words below it stand first, then those under the 64-bit flag."""
ODD = 2 * SPAN
"""Where every other header word stands: nothing is known of it."""

DOUBT = 0
BOOL, FLOAT, WIDE_INT, WIDE_FLOAT, TEXT, ARRAY, TYPED, PAIRS, BYTES, PACKED, TEXTS, PATH, ID = range(-13, 0)
"""What a step says beside a number of words: how the value is judged."""
MIXED, WORDS, FLOATS = 0, 1, 2
"""How keys of a type are compared: not here, word by word, word by word but for the sign of a zero."""

NARROW = {"bool": BOOL, "f32": FLOAT}
WIDE = {"i64": WIDE_INT, "f64": WIDE_FLOAT}


@cache
def plan(dialect: Dialect) -> tuple[array[int], array[int], array[int]]:
    """For each header word below 256, then for each under the 64-bit flag, then for any other.

    Returns:
        Steps: the number of words of a value that nothing can be said about, :data:`DOUBT`, or how it is judged. Bytes
        of one packed element. How keys are compared.
    """
    steps, sizes, forms = (array("i", bytes(4 * (ODD + 1))) for _ in range(3))
    for row in dialect.rows[:SPAN]:
        steps[row.number] = _narrow(row, dialect.rules)
        sizes[row.number] = row.narrow_size
        forms[row.number] = _form(row)
        wide = row.number | FLAG_64
        if dialect.row(wide) is row:
            steps[row.number + SPAN] = _wide(row, dialect.rules)
            sizes[row.number + SPAN] = row.wide_size
            forms[row.number + SPAN] = WORDS if steps[row.number + SPAN] in (WIDE_INT, WIDE_FLOAT) else MIXED
    return steps, sizes, forms


def _narrow(row: TypeRow, rules: Rules) -> int:
    match row.kind:
        case Kind.FIXED | Kind.PACKED:
            return _numbers(row, rules, wide=False)
        case Kind.STRING:
            return DOUBT if row.name == "StringName" and rules.string_keys else TEXT
        case Kind.NULL_OBJECT | Kind.REFERENCE:
            return 1
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return PATH
        case Kind.PACKED_STRINGS:
            return TEXTS
        case Kind.ARRAY:
            return ARRAY
        case Kind.DICTIONARY:
            return PAIRS
        case Kind.OBJECT | Kind.RESOURCE | Kind.SIGNAL | Kind.TYPED_ARRAY | Kind.IMAGE | Kind.INPUT_EVENT:
            return DOUBT
        case _:
            assert_never(row.kind)


def _wide(row: TypeRow, rules: Rules) -> int:
    if row.real and rules.wide_reals:
        return DOUBT
    if row.kind is Kind.OBJECT:
        return ID
    if row.kind is Kind.ARRAY and rules.typed_arrays:
        return TYPED
    return _numbers(row, rules, wide=True) if row.has_wide else DOUBT


def _numbers(row: TypeRow, rules: Rules, wide: bool) -> int:
    """A fixed or packed type."""
    fields, size = (row.wide, row.wide_size) if wide else (row.narrow, row.narrow_size)
    if _is_misread(row, rules):
        return DOUBT
    if row.kind is Kind.PACKED:
        return BYTES if fields[0].type == "u8" else PACKED
    words = 1 + size // 4
    if len(fields) == 1:
        return WIDE.get(fields[0].type, DOUBT) if wide else NARROW.get(fields[0].type, words)
    return words


def _is_misread(row: TypeRow, rules: Rules) -> bool:
    """Whether an engine may not read what it wrote: that depends on what follows, or on the numbers."""
    if row.name == "Projection" and rules.projection_needs:
        return True
    four = row.name in ("Vector4", "Vector4i") or (row.kind is Kind.PACKED and row.narrow[-1].name == "w")
    return rules.vector4_misread and four


def _form(row: TypeRow) -> int:
    match row.kind:
        case Kind.STRING:
            return WORDS
        case Kind.FIXED:
            types = {field.type for field in row.narrow}
            return FLOATS if types == {"f32"} else MIXED if "f32" in types or "f64" in types else WORDS
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
            return MIXED
        case _:
            assert_never(row.kind)
