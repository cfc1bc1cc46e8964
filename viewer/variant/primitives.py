"""Encode primitives: the numbers and texts that payloads are made of."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from viewer.variant import text
from viewer.variant.dialect import Field, TypeRow
from viewer.variant.header import INLINE
from viewer.variant.value import NaN

if TYPE_CHECKING:  # most files have none
    from viewer.variant.string_table import StringTable

U32 = struct.Struct("<I").pack
FORMATS = {"bool": "<I", "u8": "<B", "u32": "<I", "i32": "<i", "i64": "<q", "u64": "<Q", "f32": "<f", "f64": "<d"}
ARRAY_CODES = {"u8": "B", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}
RANGES = {
    "u8": (0, 0xFF),
    "u32": (0, 0xFFFFFFFF),
    "i32": (-(1 << 31), (1 << 31) - 1),
    "i64": (-(1 << 63), (1 << 63) - 1),
    "u64": (0, (1 << 64) - 1),
}


SPOKEN = {
    "u8": "a byte",
    "u32": "an unsigned 32-bit integer",
    "i32": "a 32-bit integer",
    "i64": "a 64-bit integer",
    "u64": "an unsigned 64-bit integer",
}


class EncodeError(ValueError):
    """The dialect cannot hold this value; the text says why in one sentence."""


def encode_number(number: float, kind: str) -> bytes:
    """One number; *kind* is ``i32``, ``f64`` and so on.

    Raises:
        EncodeError: it does not fit.
    """
    if kind in RANGES:
        low, high = RANGES[kind]
        if not isinstance(number, int) or not low <= number <= high:
            raise EncodeError(f"{number} does not fit {SPOKEN[kind]}, which holds whole numbers from {low} to {high}.")
        return struct.pack(FORMATS[kind], number)
    if kind == "bool":
        return U32(int(bool(number)))
    if isinstance(number, NaN):
        return _nan(number, kind)
    try:
        return struct.pack(FORMATS[kind], number)
    except OverflowError:
        if kind == "f32" and isinstance(number, float):
            return struct.pack("<f", float("inf") if number > 0 else float("-inf"))
        raise EncodeError(f"{number} is too large for a floating-point number.") from None


def _nan(number: NaN, kind: str) -> bytes:
    """A NaN in its own bits, moved to the other width where it must be."""
    size = 4 if kind == "f32" else 8
    if len(number.raw) == size:
        return number.raw
    bits = number.bits
    if size == 8:
        return ((bits >> 31 << 63) | 0x7FF << 52 | (bits & 0x7FFFFF) << 29).to_bytes(8, "little")
    mantissa = bits >> 29 & 0x7FFFFF or 1 << 22
    return ((bits >> 63 << 31) | 0xFF << 23 | mantissa).to_bytes(4, "little")


def encode_field(number: float, field: Field) -> bytes:
    """One number as a field has it.

    Raises:
        EncodeError: it does not fit.
    """
    return encode_number(number, field.type)


def fits_f32(number: float) -> bool:
    """Whether 32 bits hold this number exactly. A NaN does only where it came in 32."""
    if isinstance(number, NaN):
        return len(number.raw) == 4
    try:
        return bool(struct.unpack("<f", struct.pack("<f", number))[0] == number)
    except OverflowError:
        return False


# Texts


def encode_text(content: str, closed: bool = False) -> bytes:
    """A length word, the text, zero fill up to a multiple of four; in a *closed* one a counted NUL, and no fill."""
    raw = text.write(content)
    return U32(len(raw) + 1) + raw + b"\0" if closed else U32(len(raw)) + raw + bytes(-len(raw) % 4)


def encode_string_element(content: str, closed: bool = False) -> bytes:
    """One string of a packed string array: its length counts the NUL that closes it; no fill behind a *closed* one."""
    raw = text.write(content) + b"\0"
    return U32(len(raw)) + raw + (b"" if closed else bytes(-len(raw) % 4))


def encode_name(content: str, names: StringTable | None) -> bytes:
    """A name in a binary resource: its place in the table of strings, or its text where it has none."""
    place = names.find(content) if names is not None else None
    if place is not None:
        return U32(place)
    raw = text.write(content) + b"\0"
    return U32(len(raw) | INLINE) + raw


# Packed arrays


def encode_elements(data: Sequence[Any], fields: tuple[Field, ...], row: TypeRow) -> Iterator[bytes]:
    """The elements of a packed array of numbers; *row* is its type.

    Raises:
        EncodeError: one has another count of numbers than *fields*, or a number does not fit.
    """
    quick = _packed_at_once(data, fields)
    if quick is not None:
        yield quick
        return
    if len(fields) == 1:
        for number in data:
            yield encode_number(number, fields[0].type)
        return
    for element in data:
        if len(element) != len(fields):
            raise EncodeError(f"An element of a {row.name} takes {len(fields)} numbers, not {len(element)}.")
        yield b"".join(map(encode_field, element, fields))


def _packed_at_once(data: Sequence[Any], fields: tuple[Field, ...]) -> bytes | None:
    """All numbers at the speed of the machine; None where one has bits to keep, or does not fit."""
    kinds = {field.type for field in fields}
    width = len(fields)
    if len(kinds) > 1 or (width > 1 and any(len(element) != width for element in data)):
        return None
    try:
        numbers = array(ARRAY_CODES[kinds.pop()], data if width == 1 else chain.from_iterable(data))
    except (KeyError, OverflowError, TypeError):
        return None
    if numbers.typecode in "fd" and any(number != number for number in numbers):
        return None
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
