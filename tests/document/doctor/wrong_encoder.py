"""An encoder that writes as a wire format says, right or wrong: what the doctor should learn from its bytes.

It knows the types that games send most. Its values are pairs of a type's name and what it holds.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

from viewer.document.doctor.wire_format import ENGINE, FILLS, NUMBERS, WireFormat
from viewer.variant.dialect import FLAG_64, SHARED, Dialect

Pair = tuple[str, Any]
PACKED = {
    "PackedInt32Array": "i",
    "PoolIntArray": "i",
    "PackedFloat32Array": "f",
    "PoolRealArray": "f",
}
VECTORS = {"Vector2": 2, "Vector3": 3, "Color": 4}


class WrongEncoder:
    """Writes values.

    Args:
        dialect: the engine line whose type numbers it uses.
        wire: how it writes.
    """

    def __init__(self, dialect: Dialect, wire: WireFormat = ENGINE) -> None:
        self.dialect, self.wire = dialect, wire
        self.out = bytearray()

    def encode(self, value: Pair) -> bytes:
        """The bytes of one value."""
        self.out = bytearray()
        self._value(value, False)
        return bytes(self.out)

    def _number(self, number: int, kind: str) -> None:
        if kind == "varint":
            while number > 0x7F:
                self.out.append(number & 0x7F | 0x80)
                number >>= 7
            self.out.append(number)
        elif kind != "none":
            size, order = NUMBERS[kind]
            self.out += ((number << 16 | number >> 16) & 0xFFFFFFFF if kind == "high half" else number).to_bytes(
                size, order
            )

    def _value(self, value: Pair, inner: bool, is_key: bool = False) -> None:
        wire = self.wire
        if wire.value_length and inner and (wire.key_length or not is_key):
            mine, self.out = self.out, bytearray()
            start = len(mine) + NUMBERS[wire.value_length][0]
            self.out = bytearray(start)  # so that fills by offset see the right one
            self._bare(value, inner)
            body, self.out = self.out[start:], mine
            self._number(len(body), wire.value_length)
            self.out += body
        else:
            self._bare(value, inner)

    def _header(self, number: int) -> None:
        wire = self.wire
        kind, flags = number & 0xFF, number & ~0xFF
        flags = 1 << wire.flag_bit if flags == FLAG_64 else flags
        first, by = wire.shift
        if by and kind >= first:
            kind += by
        kind = next((written for written, meant in wire.ids if meant == kind), kind)
        size = NUMBERS.get(wire.header, (4, ""))[0]
        header = kind | flags if size >= 3 else kind
        for _ in range(wire.headers):
            self._number(header, wire.header)

    def _bare(self, value: Pair, inner: bool) -> None:
        wire, (name, data) = self.wire, value
        if name == "Nil" and wire.null_text:
            self._header(self.dialect.type_number("String"))
            self.out += wire.null_text
            return
        if name == "Nil":
            if wire.null in ("byte", "half"):
                self.out += bytes(1 if wire.null == "byte" else 2)
            elif not (wire.null == "absent" and inner):
                self._header(0)
                self.out += bytes(4 if wire.null == "word" else 0)
            return
        number = self.dialect.type_number(name)
        if name == "int":
            self._int(number, data)
        elif name == "float":
            self._float(number, data)
        elif name in PACKED:
            self._packed(number, name, data)
        else:
            is_wide = name in VECTORS and wire.real_size == 4 and self.dialect.by_name[name].has_wide
            self._header(number | (FLAG_64 if is_wide else 0))
            self._payload(name, data)

    def _payload(self, name: str, data: Any) -> None:
        wire = self.wire
        if name == "bool":
            assert data or wire.bool_size  # what has no payload is true
            order: Any = "big" if wire.word_order == "big" else "little"
            self.out += int(data and wire.bool_size > 0).to_bytes(wire.bool_size, order)
        elif name in ("String", "StringName"):
            self._text(data)
        elif name in VECTORS:
            self._vector(name, data)
            self.out += bytes(wire.vector3_gap if name == "Vector3" else 0)
        elif name in ("PackedByteArray", "PoolByteArray"):
            self._count(len(data), len(data), wire.packed_count, "elements")
            at = len(self.out)
            if wire.packed_byte_size > 1:
                self.out += b"".join(byte.to_bytes(wire.packed_byte_size, "little") for byte in data)
                return
            for byte in data if wire.packed_headers else ():
                self._header(self.dialect.type_number("int"))
                self.out += struct.pack("<i", byte)
            if not wire.packed_headers:
                self.out += data
                self._fill(wire.raw_fill, at, len(data))
        elif name in ("PackedStringArray", "PoolStringArray"):
            means = wire.packed_count_means
            self._count(len(data), 0, wire.packed_count, means if means in ("more", "less") else "elements")
            for text in data:
                if wire.string_headers:
                    self._header(self.dialect.type_number("String"))
                self._text(text, closed=wire.closed, is_element=True)
        elif name == "NodePath":
            self._path(data)
        else:
            self._collection(name, data)

    def _path(self, data: str) -> None:
        if self.wire.path_is_text:
            self._text(data)
            return
        names, _, subname = data.partition(":")
        some = [name for name in names.split("/") if name]
        order = ">" if self.wire.word_order == "big" else "<"
        self.out += struct.pack(f"{order}III", len(some) | SHARED, int(bool(subname)), int(names.startswith("/")))
        for each in (*some, *filter(None, (subname,))):
            self._text(each)

    def _int(self, number: int, data: int) -> None:
        wire = self.wire
        big = "big" if wire.int_order == "big" else "little"
        size = wire.int_size
        wide = not -(1 << 31) <= data < 1 << 31
        if size == "unflagged":
            self._header(number)
            self.out += data.to_bytes(8 if wide else 4, "little", signed=True)
            return
        if isinstance(size, str):
            self._header(number)
            self._number((data << 1 ^ data >> 63) if size == "zigzag" else data & (1 << 64) - 1, "varint")
            return
        self._header(number | (FLAG_64 if wide or size == 4 else 0))
        self.out += bytes(wire.gap if wide else 0)
        big = "big" if wire.wide_int_order == "big" and wide else big
        self.out += data.to_bytes(size or (8 if wide else 4), big, signed=True)

    def _float(self, number: int, data: float) -> None:
        wire = self.wire
        short = struct.unpack("<f", struct.pack("<f", data))[0] == data
        if wire.float_size == "decimal":
            self._header(number)
            _, digits, power = Decimal(repr(data)).as_tuple()
            assert isinstance(power, int)
            self.out += int("".join(map(str, digits))).to_bytes(12, "little") + (-power << 16).to_bytes(4, "little")
            return
        if wire.float_size == "unflagged":
            self._header(number)
            self.out += struct.pack("<f" if short else "<d", data)
            return
        size = wire.float_size or (4 if short else 8)
        flag = FLAG_64 if (not short and wire.float_size != 8) or wire.float_size == 4 else 0
        self._header(number | flag)
        self.out += bytes(wire.gap if flag else 0)
        size = 8 if not short and wire.float_size == 4 else size
        sign = ">" if wire.float_order == "big" else "<"
        self.out += struct.pack(f"{sign}{'f' if size == 4 else 'd'}", data)

    def _vector(self, name: str, data: tuple[float, ...]) -> None:
        wire, layout = self.wire, dict(self.wire.layouts).get(name)
        kind = "f64" if wire.real_size == 8 and name != "Color" else "f32"
        sign = ">" if wire.float_order == "big" else "<"
        for k, written in enumerate(layout or (kind,) * len(data)):
            number = data[k] if k < len(data) else 0.0
            if written[0] == "f":
                self.out += struct.pack(sign + ("d" if written == "f64" else "f"), number)
            else:
                self.out += struct.pack(
                    "<B" if written == "u8" else "<i", int(number * (255 if written == "u8" else 1))
                )

    def _packed(self, number: int, name: str, data: list[float]) -> None:
        wire = self.wire
        self._header(number if wire.packed_ids else self.dialect.type_number("Array"))
        kind = PACKED[name]
        wanted = wire.packed_int_size if kind == "i" else wire.packed_real_size
        size = wanted or 4
        letter = {("i", 2): "h", ("i", 4): "i", ("i", 8): "q", ("f", 4): "f", ("f", 8): "d"}[kind, size]
        order = wire.packed_int_order if kind == "i" else wire.float_order
        self._count(len(data), 4 * len(data), wire.packed_count, wire.packed_count_means)
        for each in data:
            if wire.packed_headers:
                self._header(self.dialect.type_number("int" if kind == "i" else "float"))
            self.out += struct.pack((">" if order == "big" else "<") + letter, each)

    def _count(self, count: int, size: int, kind: str, means: str) -> None:
        number = {
            "bytes": size,
            "numbers": count,
            "more": count + 1,
            "less": max(0, count - 1),
            "flagged": count | 1 << 30,
        }.get(means, count)
        self._number(number, kind)

    def _collection(self, name: str, data: Any) -> None:
        wire, pairs = self.wire, name == "Dictionary"
        kind = wire.pair_count if pairs else wire.array_count
        mine, self.out = self.out, bytearray(len(self.out) + NUMBERS.get(kind, (0, ""))[0])
        start = len(self.out)
        for key, value in data if pairs else ():
            self._pair(key, value)
        for index, each in enumerate(() if pairs else data):
            self.out += index.to_bytes(4, "little") if wire.element_index else b""
            self._value(each, True)
        self.out += wire.end_mark
        body, self.out = self.out[start:], mine
        means = wire.count_means
        if means == "values" and pairs:
            self._number(2 * len(data), kind)
        else:
            self._count(len(data), len(body), kind, "elements" if means == "values" else means)
        self.out += bytes([9] * wire.count_extra)
        self.out += body

    def _pair(self, key: Pair, value: Pair) -> None:
        wire, mine = self.wire, self.out
        if wire.pair_length:
            start = len(mine) + NUMBERS[wire.pair_length][0]
            self.out = bytearray(start)
        if wire.key_strings:
            self.out += key[1].encode() + b"\0"
        elif wire.key_headers or key[0] != "String":
            self._value(key, True, is_key=True)
        else:
            self._text(key[1])
        self._value(value, True)
        if wire.pair_length:
            body, self.out = self.out[start:], mine
            self._number(len(body), wire.pair_length)
            self.out += body

    # Texts

    def _text(self, text: str, closed: bool = False, is_element: bool = False) -> None:
        wire = self.wire
        raw = _coded(text, wire.coding) + (b"\0" if closed else b"")
        if wire.field_size:
            self.out += raw.rstrip(b"\0").ljust(wire.field_size, b"\0")
            return
        if wire.length == "none":
            at = len(self.out)
            self.out += raw.rstrip(b"\0") + b"\0"
            self._fill(wire.fill, at, len(self.out) - at)
            return
        if wire.length_means == "nul" and not closed:
            raw += b"\0"
        fill = (is_element and wire.array_fill) or wire.fill
        padded = len(raw) + FILLS[fill](len(self.out) + NUMBERS.get(wire.length, (1, ""))[0], len(raw))
        told = {
            "characters": len(text) + closed,
            "units": len((text + "\0" * closed).encode("utf-16-le")) // 2,
            "words": padded // 4,
            "bits": 8 * len(raw),
            "padded": padded,
            "itself": len(raw) + NUMBERS.get(wire.length, (1, ""))[0],
        }.get(wire.length_means, len(raw))
        self._number(told, wire.length)
        at = len(self.out)
        self.out += raw + (b"\0" if wire.nul else b"")
        self._fill(fill, at, len(self.out) - at)

    def _fill(self, word: str, at: int, size: int) -> None:
        self.out += bytes([self.wire.fill_byte]) * FILLS[word](at, size)


def _coded(text: str, coding: str) -> bytes:
    if coding == "utf-8 twice":
        return text.encode().decode("cp1252").encode()
    if coding == "utf-8 with a mark":
        return text.encode("utf-8-sig")
    if coding != "cesu-8":
        return text.encode(coding)
    units = text.encode("utf-16-le")
    signs = [chr(int.from_bytes(units[k : k + 2], "little")) for k in range(0, len(units), 2)]
    return "".join(signs).encode("utf-8", "surrogatepass")
