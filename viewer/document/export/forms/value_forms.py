"""Values as literals and as JSON, each with what it does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.container.armor.byte_text import FormError, error_at
from viewer.document.export.deep_json import chunks
from viewer.document.export.forms.form_table import LITERALS, NATIVE, TextForm
from viewer.document.export.forms.plain_json import read_json, read_plain_json, write_plain_json
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.translate import translate
from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.literal.names import is_broken, split_path
from viewer.variant.literal.numbers import to_f32
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.native import NativeError, from_native, to_native
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

# What a literal cannot tell of a value: found beforehand, so that nothing goes unsaid.

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


BROKEN = "This value is broken where it was read; copy its bytes instead, for example as hex."


def write_value(form: TextForm, value: Value, dialect: Dialect, precision: Precision) -> tuple[str, tuple[str, ...]]:
    """A value in a form of values, and what the text does not tell, in a few words each.

    Raises:
        FormError: the value is broken, or nothing in the form's engine line comes near it.
    """
    if broken(value, dialect):
        raise FormError(BROKEN)
    if form in LITERALS:
        return _literal(form, value, dialect, precision)
    if form == NATIVE:
        return "".join(chunks(to_native(value, dialect))), ()
    return write_plain_json(value, dialect, precision)


def _literal(form: TextForm, value: Value, dialect: Dialect, precision: Precision) -> tuple[str, tuple[str, ...]]:
    lost = lost_in_literal(value)
    if form.dialect in ("", dialect.key):
        return format_literal(value, dialect, precision=precision), lost
    target = load(form.dialect)
    try:
        there = translate(value, dialect, target, precision)
    except ConvertError as error:
        raise FormError(f"{target.name} has no such value: {error}") from None
    lost = (*there.losses, *lost, *lost_abroad(value, dialect, target))
    return format_literal(there.value, target, precision=precision), tuple(dict.fromkeys(lost))


def read_value(form: TextForm, text: str, dialect: Dialect, precision: Precision) -> Value:
    """The value of a text in a form of values.

    Raises:
        FormError: it is not of that form, or stands for no value of the dialect.
    """
    if form in LITERALS:
        return _read_literal(form, text, dialect, precision)
    if form == NATIVE:
        return native_value(read_json(text), dialect)
    return read_plain_json(text, dialect)


def _read_literal(form: TextForm, text: str, dialect: Dialect, precision: Precision) -> Value:
    """A literal; one that only the form's engine line can read is translated where that loses nothing."""
    try:
        return read_literal(text, dialect, precision)
    except FormError:
        if form.dialect in ("", dialect.key):
            raise
        found = _translated(text, load(form.dialect), dialect, precision)
        if found is None:
            raise
        return found


def _translated(text: str, source: Dialect, target: Dialect, precision: Precision) -> Value | None:
    try:
        found = translate(read_literal(text, source, precision), source, target, precision)
    except (FormError, ConvertError):
        return None
    return None if found.losses else found.value


def read_literal(text: str, dialect: Dialect, precision: Precision) -> Value:
    """The value of a literal, in any engine line's style, as far as the dialect has its types.

    Raises:
        FormError: it cannot be read, or the dialect lacks a type.
    """
    try:
        return parse_literal(text, dialect, precision=precision)
    except LiteralError as error:
        raise error_at(text, error.position, str(error)) from None


def native_value(node: object, dialect: Dialect) -> Value:
    """The value of a JSON structure with types.

    Raises:
        FormError: it stands for no value of the dialect.
    """
    try:
        return from_native(node, dialect)
    except NativeError as error:
        raise FormError(str(error)) from None
