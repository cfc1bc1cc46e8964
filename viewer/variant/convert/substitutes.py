"""Substitutes: what a person chooses instead of a type that another engine line lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias, assert_never

from viewer.variant.convert.conversion_tally import ConvertError, opening
from viewer.variant.convert.number_forms import Family, family
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.literal.names import nearest, resolve
from viewer.variant.literal.numbers import is_integer
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, Image, InputEvent, Number, ObjectId, Signal, Value

COLLECTION_TYPES = "typed collections"
"""Stands for arrays and dictionaries that say what they hold, where a type's name stands else."""
CLASS = "@class"
"""The key of an object's class in a dictionary that stands for the object."""


class Substitute(Enum):
    """What a value of a type becomes that the other engine line lacks; the value is the word for it."""

    NEAREST = "nearest"
    TEXT = "String"
    ARRAY = "Array"
    DICTIONARY = "Dictionary"
    NULL = "null"
    REFUSE = "refuse"


Substitutes: TypeAlias = Mapping[str, Substitute]
"""By the name of the type, or :data:`COLLECTION_TYPES`; what is not named becomes the nearest that there is."""


def homeless(source: Dialect, target: Dialect) -> dict[str, Sequence[Substitute]]:
    """The types that an engine line has and another one lacks, each with what it may become, the usual one first."""
    found: dict[str, Sequence[Substitute]] = {
        row.name: tuple(_offered(row, target)) for row in source.rows if is_homeless(row, target)
    }
    if any(had and not has for had, has in zip(_typed(source), _typed(target), strict=True)):
        found[COLLECTION_TYPES] = (Substitute.NEAREST, Substitute.REFUSE)
    return found


def is_homeless(row: TypeRow, target: Dialect) -> bool:
    """Whether an engine line lacks a type, or has of its objects nothing but null."""
    if row.kind is Kind.TYPED_ARRAY:
        return False  # one of what :data:`COLLECTION_TYPES` stands for
    other = resolve(row.name, target)
    return other is None or (other.kind is Kind.NULL_OBJECT and row.kind is not Kind.NULL_OBJECT)


def _typed(dialect: Dialect) -> tuple[bool, bool]:
    """Whether its arrays, and whether its dictionaries, can say what they hold."""
    return dialect.rules.typed_arrays or "TypedArray" in dialect.by_name, dialect.rules.typed_dictionaries


def _has_fields(kind: Kind) -> bool:
    """Whether a dictionary can say all that a value of a kind does, which is more than one number or text."""
    match kind:
        case Kind.IMAGE | Kind.INPUT_EVENT | Kind.SIGNAL | Kind.OBJECT:
            return True
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.NULL_OBJECT
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.RESOURCE
            | Kind.REFERENCE
            | Kind.INDEXED_PATH
        ):
            return False
        case _:
            assert_never(kind)


def _offered(row: TypeRow, target: Dialect) -> Iterable[Substitute]:
    of_numbers = family(row) in (Family.VECTOR, Family.PACKED)
    has_near = of_numbers or nearest(row.name, target) is not None
    yield Substitute.NEAREST if has_near else Substitute.NULL
    if of_numbers or row.kind is Kind.SIGNAL:
        yield Substitute.TEXT
    if of_numbers:
        yield Substitute.ARRAY
    if family(row) is Family.VECTOR or _has_fields(row.kind):
        yield Substitute.DICTIONARY
    yield Substitute.REFUSE


def substituted(value: Value, row: TypeRow, chosen: Substitute, source: Dialect) -> Value:
    """What stands instead of a value, in the types of the engine line that it comes from.

    Args:
        value: it; it holds no other values.
        row: its type.
        chosen: any but :attr:`Substitute.NEAREST`.
        source: the engine line.

    Raises:
        ConvertError: it shall not be converted, or not like this.
    """
    match chosen:
        case Substitute.TEXT:
            is_text = row.kind is Kind.STRING and isinstance(value.data, str)
            return Value("String", value.data if is_text else format_literal(value, source))
        case Substitute.ARRAY if family(row) in (Family.VECTOR, Family.PACKED):
            return Value("Array", Array(tuple(_elements(value.data, row))))
        case Substitute.DICTIONARY:
            pairs = ((Value("String", name), part) for name, part in _parts(value, row))
            return Value("Dictionary", Dictionary(tuple(pairs)))
        case Substitute.NULL:
            return Value("Nil")
        case _:
            raise ConvertError(f"{opening(row.name)} has no place there.")


def _elements(data: Any, row: TypeRow) -> Iterable[Value]:
    for k, one in enumerate(data):
        if isinstance(one, tuple):
            yield Value("Array", Array(tuple(_number(part, row, k) for k, part in enumerate(one))))
        else:
            yield _number(one, row, k)


def _number(number: Number, row: TypeRow, place: int) -> Value:
    """A number as a value; *place* is its field's where there are several."""
    of = row.narrow[place if place < len(row.narrow) else 0]
    return Value("int" if is_integer(of.type) else "float", number)


def _parts(value: Value, row: TypeRow) -> list[tuple[str, Value]]:
    """The parts of a value by their names.

    Raises:
        ConvertError: it has none.
    """
    data = value.data
    if isinstance(data, Image):
        named = [(name, Value("int", getattr(data, name))) for name in ("format", "mipmaps", "width", "height")]
        return [*named, ("data", Value("RawArray", data.data))]
    if isinstance(data, InputEvent):
        head = [("type", Value("int", data.type)), ("device", Value("int", data.device))]
        return head + [(name, Value("int" if isinstance(one, int) else "float", one)) for name, one in data.fields]
    if isinstance(data, Signal):
        return [("name", Value("String", data.name)), ("object_id", Value("int", _signed(data.object_id)))]
    if isinstance(data, ObjectId):
        return [("object_id", Value("int", _signed(data.id)))]
    if family(row) is Family.VECTOR and isinstance(data, tuple):
        return [(row.narrow[k].name, _number(one, row, k)) for k, one in enumerate(data)]  # type: ignore[arg-type]
    raise ConvertError(f"{opening(row.name)} has no parts with names.")


def _signed(number: int) -> int:
    """An id as the engine's own 64-bit int."""
    return number - (1 << 64) if number >= 1 << 63 else number
