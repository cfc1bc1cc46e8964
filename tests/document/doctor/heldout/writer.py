"""Writer: a small encoder of its own, whose every step may be done wrong by a subclass."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack, unpack
from typing import Any

from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Kind, TypeRow
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, NodePath, Value

CODES = {"u8": "B", "i32": "i", "f32": "f", "i64": "q", "f64": "d", "bool": "I", "u64": "Q"}


class Writer:
    """Writes values one after another.

    Args:
        dialect: the engine line.

    Attributes:
        out: the bytes so far.
        leaves: where values lie that hold no others and are written as an engine does.
        words: where headers, counts and lengths lie.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.out = bytearray()
        self.leaves: list[tuple[int, int]] = []
        self.words: list[tuple[int, int]] = []

    # Words

    def put(self, raw: bytes) -> None:
        self.out += raw

    def word(self, number: int) -> bytes:
        return pack("<I", number & 0xFFFFFFFF)

    def mark(self, raw: bytes) -> None:
        """Write a word that tells how what follows is read."""
        self.words.append((len(self.out), len(self.out) + len(raw)))
        self.put(raw)

    def header(self, row: TypeRow, wide: bool = False) -> None:
        self.mark(self.header_word(self.number(row), wide))

    def number(self, row: TypeRow) -> int:
        return row.number

    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number | (FLAG_64 if wide else 0))

    def count_word(self, count: int) -> bytes:
        return self.word(count)

    def packed_count_word(self, count: int, row: TypeRow) -> bytes:
        return self.count_word(count)

    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(raw))

    # Texts

    def raw_text(self, text: str) -> bytes:
        return text.encode()

    def fill(self, size: int) -> bytes:
        """What stands behind so many bytes of a text or of packed bytes."""
        return bytes(-size % 4)

    def text(self, text: str) -> None:
        raw = self.raw_text(text)
        self.mark(self.length_word(text, raw))
        self.put(raw + self.fill(len(raw)))

    # Values

    def value(self, value: Value, is_key: bool = False) -> None:
        start = len(self.out)
        self.written(value, is_key)
        is_leaf = not isinstance(value.data, Array | Dictionary)
        if is_leaf and bytes(self.out[start:]) == encode(value, self.dialect):
            self.leaves.append((start, len(self.out)))

    def written(self, value: Value, is_key: bool) -> None:
        row = self.dialect.by_name[value.type]
        data: Any = value.data
        if isinstance(data, Array):
            self.array(row, data)
        elif isinstance(data, Dictionary):
            self.dictionary(row, data)
        elif isinstance(data, NodePath):
            self.path(row, data)
        elif isinstance(data, str):
            self.string(row, data, is_key)
        elif row.kind is Kind.PACKED_STRINGS:
            self.strings(row, data)
        elif row.kind is Kind.PACKED:
            self.packed(row, data)
        elif data is None:
            self.nothing(row)
        elif isinstance(data, bool):
            self.boolean(row, data)
        elif isinstance(data, int):
            self.integer(row, data)
        elif isinstance(data, float):
            self.real(row, data)
        else:
            self.reals(row, data)

    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        self.header(row)
        self.text(text)

    def nothing(self, row: TypeRow) -> None:
        self.header(row)

    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(self.word(int(data)))

    def integer(self, row: TypeRow, data: int) -> None:
        is_wide = not -(1 << 31) <= data < 1 << 31
        self.header(row, is_wide)
        self.put(pack("<q" if is_wide else "<i", data))

    def real(self, row: TypeRow, data: float) -> None:
        is_wide = row.has_wide and self.is_precise(data)
        self.header(row, is_wide)
        self.put(pack("<d" if is_wide else "<f", data))

    def is_precise(self, data: float) -> bool:
        """Whether 32 bits do not hold a number."""
        return bool(unpack("<f", pack("<f", data))[0] != data)

    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(pack(f"<{len(data)}f", *data))

    def path(self, row: TypeRow, data: NodePath) -> None:
        self.header(row)
        self.mark(self.word(len(data.names) | SHARED))
        self.mark(self.word(len(data.subnames)))
        self.put(self.word(int(data.absolute)))
        for name in (*data.names, *data.subnames):
            self.text(name)

    # Packed arrays

    def packed(self, row: TypeRow, data: Any) -> None:
        self.header(row)
        self.mark(self.packed_count_word(len(data), row))
        raw = data if isinstance(data, bytes) else b"".join(self.element(row, each) for each in data)
        self.put(raw + self.packed_fill(len(raw)))

    def packed_fill(self, size: int) -> bytes:
        return bytes(-size % 4)

    def element(self, row: TypeRow, data: Any) -> bytes:
        numbers = data if isinstance(data, tuple) else (data,)
        return pack("<" + "".join(CODES[field.type] for field in row.narrow), *numbers)

    def strings(self, row: TypeRow, data: tuple[str, ...]) -> None:
        self.header(row)
        self.mark(self.count_word(len(data)))
        for text in data:
            self.string_element(text)

    def string_element(self, text: str) -> None:
        raw = self.raw_text(text) + b"\0"
        self.mark(self.length_word(text + "\0", raw))
        self.put(raw + self.fill(len(raw)))

    # Collections

    def array(self, row: TypeRow, data: Array) -> None:
        self.head(row, len(data.elements))
        for index, element in enumerate(data.elements):
            self.element_value(index, element)
        self.end()

    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.head(row, len(data.pairs))
        for key, value in data.pairs:
            self.pair(key, value)
        self.end()

    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.count_word(count))

    def element_value(self, index: int, element: Value) -> None:
        self.value(element)

    def pair(self, key: Value, value: Value) -> None:
        self.value(key, is_key=True)
        self.value(value)

    def end(self) -> None:
        """What stands behind the last child."""
