"""What a literal cannot tell of a value: found beforehand, so that nothing goes unsaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.variant.dialect import Dialect
from viewer.variant.literal.names import is_broken, split_path
from viewer.variant.literal.numbers import to_f32
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    InputEvent,
    NaN,
    NodePath,
    ObjectFull,
    RawText,
    Signal,
    Value,
)

PLAIN_NANS = (bytes.fromhex("0000c07f"), bytes.fromhex("000000000000f87f"))
NAN_BITS = "the bits of a NaN"
RAW_TEXT = "the odd bytes of a text"
SHARED_BIT = "the shared bit of a collection"
DOUBLES = "the digits of doubles (written as 32-bit floats)"
NO_TYPE = ElementType(builtin=0)
PATH_PARTS = "which name of a node path is its property"


def inside(value: Value) -> Iterator[Value]:
    """A value and all that it holds, however deep."""
    stack = [value]
    while stack:
        each = stack.pop()
        yield each
        data = each.data
        if isinstance(data, Array):
            stack.extend(data.elements)
        elif isinstance(data, Dictionary):
            stack.extend(part for pair in data.pairs for part in pair)
        elif isinstance(data, ObjectFull):
            stack.extend(found for _, found in data.properties)


def broken(value: Value, dialect: Dialect) -> bool:
    """Whether a value or one inside it could not be read from its bytes."""
    rows = dialect.by_name
    return any(each.type not in rows or is_broken(rows[each.type], each.data) for each in inside(value))


def lost_in_literal(value: Value) -> tuple[str, ...]:
    """What the literal of a value does not tell, in a few words each."""
    return tuple(dict.fromkeys(loss for each in inside(value) for loss in _own(each)))


def lost_abroad(value: Value, dialect: Dialect, target: Dialect) -> tuple[str, ...]:
    """What the literal of another engine line does not tell beyond that, in a few words each."""
    return tuple(dict.fromkeys(loss for each in inside(value) for loss in _abroad(each, dialect, target)))


def _abroad(value: Value, dialect: Dialect, target: Dialect) -> Iterator[str]:
    data = value.data
    if isinstance(data, NodePath) and split_path(data.text, dialect) != data:
        merged = data.prop is not None and not target.rules.property_flag
        if merged or split_path(data.text, target) == data:
            yield PATH_PARTS
    if isinstance(data, Array) and data.element_type == NO_TYPE and value.type not in target.by_name:
        yield f"the type {value.type} of arrays without an element type"
    if dialect.by_name[value.type].real and not target.rules.wide_reals:
        numbers = (number for number in _scalars(data) if isinstance(number, float) and number == number)
        if any(to_f32(number) != number for number in numbers):
            yield DOUBLES


def _own(value: Value) -> Iterator[str]:
    data = value.data
    if isinstance(data, Array | Dictionary) and data.shared:
        yield SHARED_BIT
    for scalar in _scalars(data):
        if isinstance(scalar, NaN) and scalar.raw not in PLAIN_NANS:
            yield NAN_BITS
        elif isinstance(scalar, RawText):
            yield RAW_TEXT


def _scalars(data: object) -> Iterator[object]:
    """The numbers and texts of a value's own data."""
    if isinstance(data, float | str):
        yield data
    elif isinstance(data, tuple):
        for each in data:
            yield from each if isinstance(each, tuple) else (each,)
    else:
        yield from _texts(data)


def _texts(data: object) -> Iterable[object]:
    match data:
        case NodePath():
            return (*data.names, *data.subnames, data.prop)
        case Signal():
            return (data.name,)
        case ObjectFull():
            return (data.class_name, *(name for name, _ in data.properties))
        case Array():
            return _element_texts(data.element_type)
        case Dictionary():
            return (*_element_texts(data.key_type), *_element_texts(data.value_type))
        case InputEvent():
            return (number for _, number in data.fields)
    return ()


def _element_texts(element: ElementType | None) -> tuple[object, ...]:
    return () if element is None else (element.class_name, element.script)
