"""Encode a value: the bytes that the dialect's engine would write.

Where a value replaces another, ``like`` (the old bytes) keeps what the old one had and the new one allows: the 64-bit
flag, meaningless header bits, the shared bit of a count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from viewer.variant.dialect import (
    FLAG_64,
    SHARED,
    Dialect,
    Kind,
    Precision,
    TypeRow,
    by_kind,
    image_formats,
    input_event,
    meaning_bits,
)
from viewer.variant.header import INT_MAX
from viewer.variant.primitives import (
    RANGES,
    U32,
    EncodeError,
    encode_elements,
    encode_field,
    encode_name,
    encode_number,
    encode_string_element,
    encode_text,
    fits_f32,
)
from viewer.variant.string_table import StringTable
from viewer.variant.table import NodeTable
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NodePath,
    ObjectFull,
    ObjectId,
    Reference,
    ReferenceKind,
    Signal,
    Value,
)

__all__ = ["EncodeError", "encode"]

NO_REFERENCES = "This names another resource of its file, which means nothing outside of that."
MOST_NAMES = 0x7FFF
ABSOLUTE = 0x8000
"""In the second count of a NodePath in a binary resource."""


def encode(
    value: Value,
    dialect: Dialect,
    precision: Precision = Precision.SINGLE,
    like: bytes = b"",
    names: StringTable | None = None,
) -> bytes:
    """The bytes of a value, header and padding included.

    Args:
        value: what to write; its type must be one of *dialect*.
        dialect: how to write it.
        precision: width of ``real`` where the dialect has both.
        like: the bytes that this value replaces, empty for none.
        names: the table of strings of a binary resource; a name that it lacks is written out.

    Raises:
        EncodeError: the dialect lacks the type or cannot hold the number.
    """
    out: list[bytes] = []
    encoder = _Encoder(dialect, precision, names)
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


def property_name(table: NodeTable, content: str) -> bytes:
    """The bytes of a property's name, as the names of this table are written."""
    return encode_text(content) if table.names is None else encode_name(content, table.names)


class _Encoder:
    """Writes the head of one value and names what follows it."""

    def __init__(self, dialect: Dialect, precision: Precision, names: StringTable | None) -> None:
        self.dialect = dialect
        self.names = names
        self.rules = dialect.rules
        self.double = precision is Precision.DOUBLE

    def head(self, value: Value, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        """The bytes before the first child, and the children with the bytes between them."""
        row = self.dialect.by_name.get(value.type)
        if row is None or row.kind is Kind.RESOURCE:
            raise EncodeError(f"{self.dialect.name} has no type {value.type or 'without a name'}.")
        was = self.dialect.row(int.from_bytes(like[:4], "little")) if len(like) >= 4 else None
        same = was is not None and was.name == row.name
        header = row.number | self._kept_bits(row, like) if same else row.number
        try:
            return _WRITERS[row.kind](self, row, value.data, header, like if same else b"")
        except (TypeError, AttributeError) as error:
            raise EncodeError(f"This is not the data of a {value.type}.") from error

    def _kept_bits(self, row: TypeRow, like: bytes) -> int:
        """Header bits of the old value that mean nothing for its type: they stay."""
        meaning = meaning_bits(row, self.rules)
        return int.from_bytes(like[:4], "little") & ~(self.rules.header_mask | meaning)

    def _wide(self, row: TypeRow, data: object, like: bytes) -> bool:
        """Whether the payload takes the wide layout."""
        if not row.has_wide:
            return False
        before = int.from_bytes(like[:4], "little")
        was_wide = bool(like) and (bool(before & FLAG_64) or before == self.dialect.wide.get(row.name))
        if was_wide:
            return True
        if row.real:
            return self.double and not like
        if isinstance(data, int):
            low, high = RANGES["i32"]
            return not low <= data <= high
        return isinstance(data, float) and not fits_f32(data)

    def _null(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        return U32(header), ()

    def _string(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        return U32(header) + self._text(data), ()

    def _text(self, content: str) -> bytes:
        return encode_text(content, self.rules.closed_texts)

    def _fixed(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        wide = self._wide(row, data, like)
        fields = row.wide if wide else row.narrow
        numbers = () if not fields else data if len(fields) > 1 else (data,)
        if len(numbers) != len(fields):
            raise EncodeError(f"{row.name} takes {len(fields)} numbers, not {len(numbers)}.")
        return U32(self._width(row, header, wide)) + b"".join(map(encode_field, numbers, fields)), ()

    def _width(self, row: TypeRow, header: int, wide: bool) -> int:
        """The header of a number that takes the wide layout or not."""
        return self.dialect.wide.get(row.name, header | FLAG_64) if wide else header

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
        if not isinstance(data, ObjectFull):
            raise EncodeError(NO_REFERENCES)
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
        raw = data if isinstance(data, bytes) else b"".join(encode_elements(data, fields, row))
        header |= FLAG_64 if wide else 0
        return U32(header) + U32(len(data)) + raw + bytes(-len(raw) % 4), ()

    def _packed_strings(
        self, row: TypeRow, data: Any, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        closed = self.rules.closed_texts
        return U32(header) + U32(len(data)) + b"".join(encode_string_element(content, closed) for content in data), ()

    def _reference(self, row: TypeRow, data: Any, header: int, like: bytes) -> tuple[bytes, Sequence[bytes | Value]]:
        if data is None:
            return U32(header) + U32(ReferenceKind.NULL), ()
        if not isinstance(data, Reference):
            raise EncodeError("A binary resource holds no objects, only references to other resources.")
        named = data.kind is ReferenceKind.PATH
        target = self._text(data.type) + self._text(data.path) if named else encode_number(data.number, "u32")
        return U32(header) + U32(data.kind) + target, ()

    def _indexed_path(
        self, row: TypeRow, path: NodePath, header: int, like: bytes
    ) -> tuple[bytes, Sequence[bytes | Value]]:
        if len(path.names) > MOST_NAMES or len(path.subnames) >= ABSOLUTE:
            raise EncodeError(f"A NodePath in a resource has at most {ABSOLUTE - 1} names and sub-names.")
        counts = len(path.names) | len(path.subnames) << 16 | (ABSOLUTE << 16 if path.absolute else 0)
        names = b"".join(encode_name(name, self.names) for name in (*path.names, *path.subnames))
        return U32(header) + U32(counts) + names, ()

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


_Write = Callable[[_Encoder, TypeRow, Any, int, bytes], tuple[bytes, Sequence[bytes | Value]]]


def _writer(kind: Kind) -> _Write:
    match kind:
        case Kind.FIXED:
            return _Encoder._fixed
        case Kind.NULL_OBJECT:
            return _Encoder._null
        case Kind.REFERENCE:
            return _Encoder._reference
        case Kind.INDEXED_PATH:
            return _Encoder._indexed_path
        case Kind.STRING:
            return _Encoder._string
        case Kind.NODE_PATH:
            return _Encoder._node_path
        case Kind.OBJECT | Kind.RESOURCE:
            return _Encoder._object
        case Kind.SIGNAL:
            return _Encoder._signal
        case Kind.ARRAY:
            return _Encoder._array
        case Kind.DICTIONARY:
            return _Encoder._dictionary
        case Kind.TYPED_ARRAY:
            return _Encoder._typed_array
        case Kind.PACKED:
            return _Encoder._packed
        case Kind.PACKED_STRINGS:
            return _Encoder._packed_strings
        case Kind.IMAGE:
            return _Encoder._image
        case Kind.INPUT_EVENT:
            return _Encoder._input_event
        case _:
            assert_never(kind)


_WRITERS = by_kind(_writer)


def _null_class(data: ObjectFull) -> bytes:
    """The class name, which reads as empty, of an object that is null: nothing may follow it."""
    if data.properties:
        raise EncodeError("An object with properties needs a class name; one without a class is null.")
    return encode_text(data.class_name)


def _count(count: int, shared: bool) -> bytes:
    if count > INT_MAX:
        raise EncodeError(f"A collection may hold at most {INT_MAX} elements.")
    return U32(count | (SHARED if shared else 0))
