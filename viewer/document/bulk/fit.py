"""Fit: a result as the bytes of the place it is for. Values keep their type; what does not fit is a problem."""

from __future__ import annotations

from dataclasses import replace

from viewer.base.span import Span
from viewer.document.bulk.error import ValueProblem
from viewer.document.bulk.ground import Data, Ground, Held, plain
from viewer.document.bulk.literals import Reading
from viewer.document.bulk.operations import a, type_name, whole
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import fitted
from viewer.variant.literal.text import LiteralError, Reader
from viewer.variant.primitives import encode_number, encode_text
from viewer.variant.value import Array, Dictionary, Value


def fit(data: Data, row: TypeRow, reading: Reading) -> Value:
    """The result as a value of a type.

    Raises:
        ValueProblem: it loses something there, or is of another type.
    """
    result = whole(data)
    if row.name == "bool" or isinstance(result, bool):
        if not isinstance(result, bool) or row.name not in ("bool", "Nil"):
            raise _stays(row.name, result)
        return Value("bool", result)
    if isinstance(result, int | float):
        return _number(result, row)
    value = result if isinstance(result, Value) else Value("Nil") if result is None else Value("String", result)
    if row.name == "Nil" or value.type == row.name:
        return value
    if row.kind is Kind.STRING and value.type not in ("String", "StringName"):
        raise _stays(row.name, result)
    try:
        return fitted(Reader("", reading.dialect, reading.precision), value, row, 0)
    except (LiteralError, KeyError):
        raise _stays(row.name, result) from None


def _stays(name: str, result: Data) -> ValueProblem:
    more = "; write str(…) around it" if name in ("String", "StringName") and isinstance(result, int | float) else ""
    more = more or (
        "; write int(…) or float(…) around it" if name in ("int", "float") and type_name(result) == "text" else ""
    )
    return ValueProblem(f"This stays of type {name}, and the new value is {a(type_name(result))}{more}.")


def _number(result: int | float, row: TypeRow) -> Value:
    if row.name == "Nil":
        return Value("int" if isinstance(result, int) else "float", result)
    if row.name == "int":
        if isinstance(result, float) and not result.is_integer():
            raise ValueProblem(
                f"{result} is no whole number, and this stays an int; write round(…), floor(…) or ceil(…)."
            )
        return Value("int", int(result))
    if row.name == "float":
        return Value("float", _as_float(result))
    raise _stays(row.name, result)


def _as_float(result: int | float) -> float:
    try:
        return float(result)
    except OverflowError:
        raise ValueProblem("The number is too large for a float.") from None


def written(ground: Ground, item: Item, result: Data, reading: Reading) -> tuple[Span, bytes, Value]:
    """The bytes that setting an item to a result replaces, from the start of the frame, the new ones, and their value.

    Raises:
        ValueProblem: the item cannot hold it.
    """
    try:
        return _part(ground, item, result, reading) if item.part else _node(ground, item.node, result, reading)
    except EncodeError as error:
        raise ValueProblem(str(error)) from error


def _node(ground: Ground, node: int, result: Data, reading: Reading) -> tuple[Span, bytes, Value]:
    table = ground.table
    if table.is_name(node):
        value = fit(result, reading.dialect.by_name["String"], reading)
        return table.span(node), encode_text(str(value.data)), value
    row = table.row(node)
    if row is None:
        raise ValueProblem("The type of this value is unknown; mend its header in the bytes first.")
    value = fit(result, row, reading)
    if row.kind in (Kind.ARRAY, Kind.DICTIONARY, Kind.TYPED_ARRAY) and value.type == row.name:
        value = _kept(ground, node, value)
    span = table.span(node)
    head = bytes(table.buffer[span.start : min(span.end, span.start + 8)])
    return span, encode(value, reading.dialect, reading.precision, head), value


def _kept(ground: Ground, node: int, value: Value) -> Value:
    """The new collection with what no plain list can tell of the old one: its shared bit and element types."""
    from viewer.variant.read import read_shallow

    old, new = read_shallow(ground.table, node).data, value.data
    if isinstance(old, Array) and isinstance(new, Array):
        kind = new.element_type or (old.element_type if not new.elements else None)
        return Value(value.type, replace(new, shared=old.shared, element_type=kind))
    if isinstance(old, Dictionary) and isinstance(new, Dictionary):
        return Value(value.type, replace(new, shared=old.shared))
    return value


def _part(ground: Ground, item: Item, result: Data, reading: Reading) -> tuple[Span, bytes, Value]:
    """A field of a value or an element of a packed array of numbers."""
    part = ground.part(item)
    old = ground.value(item)
    if part.type == "text":
        raise ValueProblem("A text inside another value is set with that value.")
    row = reading.dialect.by_name.get(old.type)
    if row is None:
        raise ValueProblem("These bytes are set with the value that they belong to.")
    value = fit(result, row, reading)
    if isinstance(value.data, tuple):
        numbers = zip(value.data, _kinds(ground, item), strict=True)
        return part.span, b"".join(encode_number(one, kind) for one, kind in numbers), value  # type: ignore[arg-type]
    if not isinstance(value.data, bool | int | float):
        raise ValueProblem("A number belongs here.")
    return part.span, encode_number(value.data, part.type), value


def _kinds(ground: Ground, item: Item) -> list[str]:
    """The number types of an element of several numbers."""
    row = ground.table.row(item.node)
    assert row is not None
    return [field.type for field in row.fields(ground.table.header(item.node))]


def held(ground: Ground, item: Item) -> Value | Held:
    """A value as it is before a change: numbers and texts read, all else left in the file until it is shown."""
    data = ground.data(item)
    if isinstance(data, Held):
        return data
    if item.part:
        return ground.value(item)
    return Value(ground.type(item), data if not isinstance(data, Value) else data.data)


__all__ = ["fit", "held", "plain", "written"]
