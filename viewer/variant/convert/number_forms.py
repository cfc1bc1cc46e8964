"""Numbers in another form: cut to whole ones, rounded to 32 bits, and counted where that changes them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from typing import assert_never

from viewer.variant.convert.conversion_tally import ConversionChange, ConversionTally, ConvertError, spelt
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.names import builtin_name
from viewer.variant.literal.numbers import RANGES, SPOKEN, forms, is_integer, to_f32
from viewer.variant.primitives import encode_number
from viewer.variant.value import ElementType, NaN, Number

_MINUS_ZERO = bytes(7) + b"\x80"
_FLOAT_CODES = {"f32": "f", "f64": "d"}


def kinds(row: TypeRow, precision: Precision) -> tuple[str, ...]:
    """The form in which each field of a type is written; ``real`` is as wide as the file's precision says."""
    return tuple("f32" if form == "real" else form for form in forms(row, precision))


def fitted(number: Number, form: str, tally: ConversionTally) -> Number:
    """The number in this form.

    Raises:
        ConvertError: no number of this form is near it.
    """
    return _whole(number, form, tally) if is_integer(form) else _floating(number, form, tally)


def fitted_all(numbers: Sequence[Number], form: str, tally: ConversionTally) -> tuple[Number, ...]:
    """All numbers in one form; those that change none at the speed of the machine.

    Raises:
        ConvertError: no number of this form is near one of them.
    """
    quick = _unchanged(numbers, form)
    return quick if quick is not None else tuple(fitted(number, form, tally) for number in numbers)


def _unchanged(numbers: Sequence[Number], form: str) -> tuple[Number, ...] | None:
    """The numbers in this form, None where one of them may change or not fit."""
    before = tuple(numbers)
    if not before:
        return before
    try:
        if is_integer(form):
            whole = _whole_already(before)
            low, high = RANGES[form]
            return whole if whole is not None and low <= min(whole) and max(whole) <= high else None
        after: tuple[Number, ...] = tuple(array(_FLOAT_CODES[form], before))
        return after if after == before else None
    except (OverflowError, ValueError):
        return None


def _whole_already(numbers: tuple[Number, ...]) -> tuple[int, ...] | None:
    """The numbers as integers, None where that changes one."""
    with suppress(TypeError):
        return tuple(array("q", numbers))  # type: ignore[arg-type]  # floats are refused
    if _MINUS_ZERO in array("d", numbers).tobytes():
        return None
    whole = tuple(map(int, numbers))
    return whole if whole == numbers else None


def _whole(number: Number, form: str, tally: ConversionTally) -> int:
    if isinstance(number, float) and not math.isfinite(number):
        raise ConvertError(f"{spelt(number)} cannot become a whole number.")
    whole = int(number)
    low, high = RANGES[form]
    if not low <= whole <= high:
        raise ConvertError(f"{spelt(number)} does not fit {SPOKEN[form]}, which holds {low} to {high}.")
    if whole != number or (isinstance(number, float) and not number and math.copysign(1, number) < 0):
        tally.change(ConversionChange.CUT, number, whole)
    return whole


def _floating(number: Number, form: str, tally: ConversionTally) -> float:
    if isinstance(number, NaN):
        return _nan(number, form, tally)
    double = float(number)
    single = to_f32(double) if form == "f32" else double
    if single is None or (math.isinf(single) and not math.isinf(double)):
        raise ConvertError(f"{spelt(number)} is too large for {SPOKEN[form]}.")
    if single != number and not math.isnan(double):
        tally.change(ConversionChange.ROUNDED_32 if form == "f32" else ConversionChange.ROUNDED_64, number, single)
    return single


def _nan(number: NaN, form: str, tally: ConversionTally) -> NaN:
    raw = encode_number(number, form)
    if encode_number(NaN(raw), "f32" if len(number.raw) == 4 else "f64") != number.raw:
        tally.say("The bits of a NaN are lost")
    return NaN(raw)


# Families: types that convert in the same way, and what packed arrays hold one of.

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


def family(row: TypeRow) -> Family:
    """The family of a type."""
    match row.kind:
        case Kind.FIXED:
            return _of_numbers(row)
        case Kind.STRING:
            return Family.TEXT
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return Family.PATH
        case Kind.PACKED:
            return Family.PACKED
        case Kind.PACKED_STRINGS:
            return Family.STRINGS
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return Family.LIST
        case (
            Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return Family.OTHER
        case _:
            assert_never(row.kind)


def _of_numbers(row: TypeRow) -> Family:
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
