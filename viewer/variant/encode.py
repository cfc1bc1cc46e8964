"""Encode a value: the bytes that the dialect's engine would write.

Where a value replaces another, ``like`` (the old bytes) keeps what the old one had and the new one allows: the 64-bit
flag, meaningless header bits, the shared bit of a count.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Field, Kind, Precision, TypeRow, image_formats, input_event
from viewer.variant.heads import INT_MAX
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NaN,
    NodePath,
    ObjectFull,
    ObjectId,
    Signal,
    Value,
)

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


class EncodeError(ValueError):
    """The dialect cannot hold this value; the text says why in one sentence."""


def encode(value: Value, dialect: Dialect, precision: Precision = Precision.SINGLE, like: bytes = b"") -> bytes:
    """The bytes of a value, header and padding included.

    Args:
        value: what to write; its type must be one of *dialect*.
        dialect: how to write it.
        precision: width of ``real`` where the dialect has both.
        like: the bytes that this value replaces, empty for none.

    Raises:
        EncodeError: the dialect lacks the type or cannot hold the number.
    """
    out: list[bytes] = []
    encoder = _Encoder(dialect, precision)
    stack: list[bytes | Value] = [value]
    while stack:
        entry = stack.pop()
        if isinstance(entry, bytes):
            out.append(entry)
            continue
        head, following = encoder.head(entry, like)
        like = b""
        out.append(head)
        stack.extend(reversed(following))
    return b"".join(out)


def encode_number(number: float, kind: str) -> bytes:
    """One number; *kind* is ``i32``, ``f64`` and so on.

    Raises:
        EncodeError: it does not fit.
    """
    if kind in RANGES:
        low, high = RANGES[kind]
        if not isinstance(number, int) or not low <= number <= high:
            raise EncodeError(f"{number} does not fit into {kind}: it holds whole numbers from {low} to {high}.")
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


def encode_text(content: str) -> bytes:
    """A length word, the text, zero fill up to a multiple of four."""
    raw = text.write(content)
    return U32(len(raw)) + raw + bytes(-len(raw) % 4)


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


class _Encoder:
    """Writes the head of one value and names what follows it."""

    def __init__(self, dialect: Dialect, precision: Precision) -> None:
        self.dialect = dialect
        self.rules = dialect.rules
        self.double = precision is Precision.DOUBLE
        self.writers: dict[Kind, Callable[[TypeRow, Any, int, bytes], tuple[bytes, Sequence[bytes | Value]]]] = {
            Kind.FIXED: self._fixed,
            Kind.NULL_OBJECT: lambda row, data, header, like: (U32(header), ()),
            Kind.STRING: lambda row, data, header, like: (U32(header) + encode_text(data), ()),
            Kind.NODE_PATH: self._node_path,
            Kind.OBJECT: self._object,
            Kind.SIGNAL: self._signal,
            Kind.ARRAY: self._array,
            Kind.DICTIONARY: self._dictionary,
            Kind.TYPED_ARRAY: self._typed_array,
            Kind.PACKED: self._packed,
            Kind.PACKED_STRINGS: self._packed_strings,
            Kind.IMAGE: self._image,
            Kind.INPUT_EVENT: self._input_event,
        }

    def head(self, value: Value, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        """The bytes before the first child, and the children with the bytes between them."""
        row = self.dialect.by_name.get(value.type)
        if row is None:
            raise EncodeError(f"{self.dialect.name} has no type {value.type or 'without a name'}.")
        same = len(like) >= 4 and self.dialect.row(int.from_bytes(like[:4], "little")) is row
        header = row.number | self._kept_bits(row, like) if same else row.number
        try:
            return self.writers[row.kind](row, value.data, header, like if same else b"")
        except (TypeError, AttributeError) as error:
            raise EncodeError(f"This is not the data of a {value.type}.") from error

    def _kept_bits(self, row: TypeRow, like: bytes) -> int:
        """Header bits of the old value that mean nothing for its type: they stay."""
        meaning = FLAG_64 if row.has_wide or row.kind in (Kind.OBJECT, Kind.TYPED_ARRAY) else 0
        if row.kind is Kind.ARRAY and self.rules.typed_arrays:
            meaning = 3 << 16
        if row.kind is Kind.DICTIONARY and self.rules.typed_dictionaries:
            meaning = 15 << 16
        return int.from_bytes(like[:4], "little") & ~(self.rules.header_mask | meaning)

    def _wide(self, row: TypeRow, data: object, like: bytes) -> bool:
        """Whether the payload takes the wide layout."""
        if not row.has_wide:
            return False
        was_wide = bool(like) and bool(int.from_bytes(like[:4], "little") & FLAG_64)
        if was_wide:
            return True
        if row.real:
            return self.double and not like
        if isinstance(data, int):
            low, high = RANGES["i32"]
            return not low <= data <= high
        return isinstance(data, float) and not _fits_f32(data)

    def _fixed(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        wide = self._wide(row, data, like)
        fields = row.wide if wide else row.narrow
        numbers = () if not fields else data if len(fields) > 1 else (data,)
        if len(numbers) != len(fields):
            raise EncodeError(f"{row.name} takes {len(fields)} numbers, here are {len(numbers)}.")
        header |= FLAG_64 if wide else 0
        return U32(header) + b"".join(map(_encode_field, numbers, fields)), ()

    def _node_path(
        self, row: TypeRow, path: NodePath, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        subnames, flags = path.subnames, int(path.absolute)
        tail = subnames
        if path.prop is not None:
            tail = (*subnames, path.prop)
            flags |= 2 if self.rules.property_flag else 0
        counted = subnames if self.rules.property_flag else tail
        words = U32(header) + U32(len(path.names) | SHARED) + U32(len(counted)) + U32(flags)
        return words + b"".join(encode_text(name) for name in (*path.names, *tail)), ()

    def _object(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        if isinstance(data, ObjectId):
            return U32(header | FLAG_64) + encode_number(data.id, "u64"), ()
        if data is None:
            return U32(header) + U32(0), ()
        assert isinstance(data, ObjectFull)
        if not data.class_name:
            return U32(header) + _null_class(data), ()
        head = U32(header) + encode_text(data.class_name) + U32(len(data.properties))
        return head, [entry for name, value in data.properties for entry in (encode_text(name), value)]

    def _signal(self, row: TypeRow, data: Signal, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        return U32(header) + encode_text(data.name) + encode_number(data.object_id, "u64"), ()

    def _array(self, row: TypeRow, data: Array, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        kind, extra = self._element_type(data.element_type, self.rules.typed_arrays)
        return U32(header | kind << 16) + extra + _count(len(data.elements), data.shared), data.elements

    def _dictionary(
        self, row: TypeRow, data: Dictionary, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        typed = self.rules.typed_dictionaries
        key_kind, key_extra = self._element_type(data.key_type, typed)
        value_kind, value_extra = self._element_type(data.value_type, typed)
        head = U32(header | key_kind << 16 | value_kind << 18) + key_extra + value_extra
        return head + _count(len(data.pairs), data.shared), [entry for pair in data.pairs for entry in pair]

    def _element_type(self, kind: ElementType | None, typed: bool) -> tuple[int, bytes]:
        """Header bits and extra bytes of a typed container's type."""
        if kind is None:
            return 0, b""
        if not typed:
            raise EncodeError(f"{self.dialect.name} has no typed collections of this kind.")
        if kind.script is not None:
            return 3, encode_text(kind.script)
        if kind.class_name is not None:
            return 2, encode_text(kind.class_name)
        return 1, encode_number(kind.builtin or 0, "u32")

    def _typed_array(
        self, row: TypeRow, data: Array, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        kind = data.element_type or ElementType(builtin=0)
        number = kind.builtin or 0
        out = U32(header | (FLAG_64 if kind.as_ids else 0)) + encode_number(number, "u32")
        if number == self.dialect.type_number("Object") and not kind.as_ids:
            out += U32(self.dialect.type_number("StringName")) + encode_text(kind.class_name or "")
        return out + _count(len(data.elements), data.shared), data.elements

    def _packed(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        wide = self._wide(row, data, like)
        fields = row.wide if wide else row.narrow
        raw = data if isinstance(data, bytes) else b"".join(_packed_numbers(data, fields, row))
        header |= FLAG_64 if wide else 0
        return U32(header) + U32(len(data)) + raw + bytes(-len(raw) % 4), ()

    def _packed_strings(
        self, row: TypeRow, data: Any, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        return U32(header) + U32(len(data)) + b"".join(encode_string_element(content) for content in data), ()

    def _image(self, row: TypeRow, data: Image, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        if not 0 <= data.format < len(image_formats()):
            raise EncodeError(
                f"Image format {data.format} does not exist; formats are 0 to {len(image_formats()) - 1}."
            )
        words = (data.format, data.mipmaps, data.width, data.height, len(data.data))
        fill = bytes(-len(data.data) % 4)
        return U32(header) + b"".join(encode_number(word, "u32") for word in words) + data.data + fill, ()

    def _input_event(
        self, row: TypeRow, data: InputEvent, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        fields = input_event(data.type).fields
        given = dict(data.fields)
        payload = b"".join(encode_number(given.get(field.name, 0), field.type) for field in fields)
        head = U32(header) + encode_number(data.type, "u32") + encode_number(data.device, "i32")
        return head + U32(12 + len(payload)) + payload, ()


def _null_class(data: ObjectFull) -> bytes:
    """The class name, which reads as empty, of an object that is null: nothing may follow it."""
    if data.properties:
        raise EncodeError("An object with properties needs a class name; one without a class is null.")
    return encode_text(data.class_name)


def encode_string_element(content: str) -> bytes:
    """One string of a packed string array: its length counts the NUL that closes it."""
    raw = text.write(content) + b"\0"
    return U32(len(raw)) + raw + bytes(-len(raw) % 4)


def _packed_numbers(data: Sequence[Any], fields: tuple[Field, ...], row: TypeRow) -> Iterator[bytes]:
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
            raise EncodeError(f"An element of a {row.name} takes {len(fields)} numbers, here are {len(element)}.")
        yield b"".join(map(_encode_field, element, fields))


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


def _encode_field(number: float, field: Field) -> bytes:
    return encode_number(number, field.type)


def _count(count: int, shared: bool) -> bytes:
    if count > INT_MAX:
        raise EncodeError(f"A collection may hold at most {INT_MAX} elements.")
    return U32(count | (SHARED if shared else 0))


def _fits_f32(number: float) -> bool:
    """Whether 32 bits hold this number exactly. A NaN does only where it came in 32."""
    if isinstance(number, NaN):
        return len(number.raw) == 4
    try:
        return bool(struct.unpack("<f", struct.pack("<f", number))[0] == number)
    except OverflowError:
        return False
