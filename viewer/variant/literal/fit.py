"""A value at a place where another type is expected: the conversions that lose nothing."""

from __future__ import annotations

from typing import cast

from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.literal.args import grouped
from viewer.variant.literal.build import path
from viewer.variant.literal.numbers import RANGES, forms, is_integer, to_f32
from viewer.variant.literal.text import Reader
from viewer.variant.value import Array, NodePath, Value

_VOWELS = tuple("AEIOUaeiou")


def fitted(reader: Reader, value: Value, row: TypeRow, start: int) -> Value:
    """The value as one of this type, where that loses nothing but the way it was written."""
    source = reader.dialect.by_name[value.type]
    if source is row:
        return value
    if value.type == "Nil" and row.kind in (Kind.OBJECT, Kind.NULL_OBJECT):
        return value if row.kind is Kind.OBJECT else Value(row.name, None)
    if source.kind is Kind.STRING and row.kind is Kind.STRING:
        return Value(row.name, value.data)
    if source.kind is Kind.STRING and row.kind is Kind.NODE_PATH:
        return Value(row.name, path(reader, cast(str, value.data), start))
    if isinstance(value.data, NodePath) and row.kind is Kind.STRING:
        return Value(row.name, value.data.text)
    converted = _collected(reader, value, row) or _same_shape(reader, source, value, row)
    if converted is None:
        article = "An" if row.name.startswith(_VOWELS) else "A"
        raise reader.error(f"{article} {row.name} is expected here, not {value.type}.", start)
    return converted


def _collected(reader: Reader, value: Value, row: TypeRow) -> Value | None:
    """A packed array from a list of its elements."""
    if not isinstance(value.data, Array) or row.kind not in (Kind.PACKED, Kind.PACKED_STRINGS):
        return None
    elements = value.data.elements
    if row.kind is Kind.PACKED_STRINGS:
        texts = tuple(element.data for element in elements if isinstance(element.data, str))
        return Value(row.name, texts) if len(texts) == len(elements) else None
    flat: list[int | float] = []
    kinds = forms(row, reader.precision)
    for element in elements:
        parts = element.data if isinstance(element.data, tuple) else (element.data,)
        if len(parts) not in (1, len(kinds)) or not _fits(parts, kinds, flat):
            return None
    if len(flat) % len(kinds):
        return None
    return Value(row.name, bytes(map(int, flat)) if kinds == ("u8",) else grouped(flat, len(kinds)))


def _same_shape(reader: Reader, source: TypeRow, value: Value, row: TypeRow) -> Value | None:
    """A Vector2i from a Vector2 and the like."""
    kinds = forms(row, reader.precision)
    alike = row.name.removesuffix("i") == source.name.removesuffix("i") and len(kinds) > 1
    flat: list[int | float] = []
    if not alike or not isinstance(value.data, tuple) or not _fits(value.data, kinds, flat):
        return None
    return Value(row.name, tuple(flat))


def _fits(parts: tuple[object, ...], kinds: tuple[str, ...], out: list[int | float]) -> bool:
    """Append these numbers in these forms; False where one is no number or would change."""
    for k, part in enumerate(parts):
        form = kinds[k % len(kinds)]
        if isinstance(part, bool) or not isinstance(part, int | float):
            return False
        if is_integer(form):
            low, high = RANGES[form]
            if not (low <= part <= high) or part != int(part):
                return False
            out.append(int(part))
        else:
            single = to_f32(float(part)) if form == "f32" else float(part)
            if single is None:
                return False
            out.append(single)
    return True
