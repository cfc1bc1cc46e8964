"""Numbers in a replay: bools, ints, floats, fields of vectors, in the widths and orders that an encoder gives them."""

from __future__ import annotations

from math import isfinite
from struct import Struct

from viewer.document.doctor.candidate import Patch
from viewer.document.doctor.replay_cursor import U32, Mismatch, ReplayCursor
from viewer.document.doctor.wire_format import NUMBERS, ORDERS
from viewer.variant.dialect import FLAG_64, Dialect, Field, TypeRow

STRUCTS = {
    kind: Struct(f"<{sign}")
    for kind, sign in {"f16": "e", "f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}.items()
}
DECIMAL_UNUSED, DECIMAL_POWER = 0x7F00FFFF, 28
UNSIGNED = {"u8": 1, "u32": 4, "u64": 8, "bool": 4}
FULL_ALPHA = 1.0
ONE_AS_DOUBLE = 0x3FF0000000000000
LONGEST_NUMBER = 32
LITTLE = "little"


def is_likely(number: float) -> bool:
    """Whether a game may have stored a number."""
    return isinstance(number, int) or number == 0 or (isfinite(number) and 1e-12 < abs(number) < 1e15)


def single(number: float) -> float | None:
    """A number that 32 bits hold, None for another."""
    try:
        short: float = STRUCTS["f32"].unpack(STRUCTS["f32"].pack(number))[0]
    except OverflowError:
        return None
    return short if short == number else None


def _order(general: str, special: str) -> str:
    """The order of a number, by that of all of its kind and that of those like it alone."""
    return special if general == LITTLE else general


class NumberReplay:
    """Reads values that are nothing but numbers.

    Args:
        cursor: the place in the bytes.
        dialect: the engine line that they were written for.
        layouts: the fields that some types have with this encoder.
    """

    def __init__(self, cursor: ReplayCursor, dialect: Dialect, layouts: dict[str, tuple[str, ...]]) -> None:
        self.cursor = cursor
        self.data, self.size, self.wire = cursor.data, cursor.size, cursor.wire
        self.dialect = dialect
        self._layouts = layouts

    def fixed(self, header: int, row: TypeRow, start: int) -> None:
        wire = self.wire
        if not row.narrow:
            if header & ~0xFF:
                raise Mismatch
            if row.number == 0:
                self._nothing()
            return
        if row.name == "bool":
            self._bool(header, start)
            return
        if wire.vector3_gap and row.name == "Vector3":
            self.gapped(row.fields(header), 1)
            return
        if self.cursor.has_extra:
            self.cursor.extra("number" if len(row.narrow) == 1 else "vector", row.name)
        layout = self._layouts.get(row.name)
        if layout is not None:
            self._laid_out(row, header, start, layout)
        elif len(row.narrow) == 1 and row.name in ("int", "float", "real"):
            self._scalar(row, header, start)
        else:
            self.fields(row, header, start, 1, wire.real_size if row.real else None, row.name)

    def _nothing(self) -> None:
        if self.wire.null == "word":
            start = self.cursor.pos
            if any(self.cursor.raw(4)):
                raise Mismatch
            self.cursor.note("null", start, self.cursor.put(start, b""))

    def _bool(self, header: int, header_at: int) -> None:
        start, size = self.cursor.pos, self.wire.bool_size
        if self.wire.bool_in_header:
            self.rewrite_header(header_at, start, header & ~FLAG_64)
            self.cursor.note("bool", start, self.cursor.put(start, U32.pack(int(header & FLAG_64 != 0))))
            return
        number = (
            int.from_bytes(self.cursor.raw(size), "big" if self.wire.word_order == "big" else "little") if size else 1
        )
        if number == ONE_AS_DOUBLE:
            number = 1
        if number not in (0, 1):
            raise Mismatch
        self.cursor.note("bool", start, self.cursor.put(start, U32.pack(number)))

    def _scalar(self, row: TypeRow, header: int, start: int) -> None:
        """An int or a float."""
        wire, is_float = self.wire, row.name != "int"
        size = wire.float_size if is_float else wire.int_size
        if size is not None and header & ~FLAG_64 & ~0xFF:
            raise Mismatch
        if wire.gap and header & FLAG_64 and row.has_wide:
            gap = self.cursor.pos
            if any(self.cursor.raw(wire.gap)):
                raise Mismatch
            self.cursor.note("number of 64 bits", start, self.cursor.put(gap, b""))
        if size == "unflagged":
            self._unflagged(row, header, start)
            return
        lacks_flag = NUMBERS.get(wire.header, (4, ""))[0] < 3
        if size == 4 and header & FLAG_64 and row.has_wide:
            at = self.cursor.pos
            self.cursor.or_else(lambda: self._sized(row, header, start, at, 8))
        if size is None:
            size = 8 if header & FLAG_64 and row.has_wide else 4
            if lacks_flag and row.has_wide:
                state = self.cursor.pos
                self.cursor.or_else(lambda: self._sized(row, header, start, state, 8))
        self._sized(row, header, start, self.cursor.pos, size)

    def _unflagged(self, row: TypeRow, header: int, start: int) -> None:
        """A number that takes eight bytes where it needs them, which no flag tells."""
        if header & FLAG_64:
            raise Mismatch
        at = self.cursor.pos
        sizes = (8, 4) if self._is_header(at + 8) and not self._is_header(at + 4) else (4, 8)
        if row.has_wide:
            self.cursor.or_else(lambda: self._needed(row, header, start, at, sizes[1]))
        self._needed(row, header, start, at, sizes[0] if row.has_wide else 4)

    def _needed(self, row: TypeRow, header: int, start: int, at: int, size: int) -> None:
        """A number of *size* bytes, where it needs so many."""
        self._sized(row, header, start, at, size)
        if size == 8:
            raw = self.data[at : at + 8]
            number = STRUCTS["i64" if row.name == "int" else "f64"].unpack(raw)[0]
            if -(1 << 31) <= number < 1 << 31 if row.name == "int" else single(number) is not None:
                raise Mismatch

    def _is_header(self, at: int) -> bool:
        """Whether a header may stand here, or the end."""
        word = self.data[at : at + 4]
        if len(word) < 4:
            return at == self.size
        number = U32.unpack(word)[0] & ~FLAG_64
        return number <= 0xFF and self.dialect.row(number) is not None

    def _sized(self, row: TypeRow, header: int, start: int, at: int, size: int | str) -> None:
        wire, is_float = self.wire, row.name != "int"
        self.cursor.pos = at
        noun = "float" if is_float else "int"
        if size == "text":
            self._digits(row, start, at, noun)
        elif size == "f64":
            whole = self._read(size)
            if whole != whole // 1:
                raise Mismatch
            self._integer(row, start, at, int(whole), noun)
        elif size == "decimal":
            self._float(row, 0, start, at, STRUCTS["f64"].pack(self._decimal()), noun)
        elif isinstance(size, str):
            number = self.cursor.leb128()
            self.cursor.varints.append(number)
            number = (number >> 1) ^ -(number & 1) if size == "zigzag" else number - (number >> 63 << 64)
            self._integer(row, start, at, number, noun)
        elif is_float:
            order = _order(wire.float_order, wire.wide_float_order if size == 8 else LITTLE)
            self._float(row, header, start, at, ORDERS[order](self.cursor.raw(size)), noun)
        else:
            order = _order(wire.int_order, wire.wide_int_order if size == 8 else LITTLE)
            raw = ORDERS[order](self.cursor.raw(size))
            if size == (8 if header & FLAG_64 and row.has_wide else 4) and wire.header == "u32":
                self.cursor.note(noun, start, self.cursor.put(at, raw))
            else:
                self._integer(row, start, at, int.from_bytes(raw, "little", signed=True), noun)

    def _digits(self, row: TypeRow, start: int, at: int, noun: str) -> None:
        """A number as a text of digits, behind its length."""
        if self.wire.length == "none":
            raise Mismatch
        length = self.cursor.number(self.wire.length)
        if not 0 < length <= LONGEST_NUMBER:
            raise Mismatch
        shown = self.cursor.raw(length).decode("ascii")
        self.cursor.raw(-length % 4 if self.wire.fill == "four" else 0)
        if noun == "int":
            self._integer(row, start, at, int(shown), noun)
        else:
            self._float(row, 0, start, at, STRUCTS["f64"].pack(float(shown)), noun)

    def _decimal(self) -> float:
        """A Decimal of .NET: three words of a whole number, and one of its sign and its power of ten."""
        raw = self.cursor.raw(16)
        flags = int.from_bytes(raw[12:], "little")
        power = flags >> 16 & 0xFF
        if flags & DECIMAL_UNUSED or power > DECIMAL_POWER:
            raise Mismatch
        number: float = int.from_bytes(raw[:12], "little") / 10**power
        return -number if flags >> 31 else number

    def _integer(self, row: TypeRow, start: int, at: int, number: int, noun: str) -> None:
        """An int as an engine writes it."""
        wide = not -(1 << 31) <= number < 1 << 31
        if wide and not row.has_wide:
            raise Mismatch
        new = number.to_bytes(8 if wide else 4, "little", signed=True)
        other = self.rewrite_header(start, at, row.number | (FLAG_64 if wide else 0))
        self.cursor.note(noun, start, self.cursor.put(at, new) or other)

    def rewrite_header(self, start: int, end: int, header: int) -> bool:
        """Have another header stand in the bytes from *start* to *end*; whether it is another."""
        new = U32.pack(header)
        for place in range(len(self.cursor.patches) - 1, -1, -1):
            patch = self.cursor.patches[place]
            if patch.at == start and patch.size == end - start:
                self.cursor.patches[place] = Patch(start, patch.size, new)
                return patch.new != new
            if patch.at < start:
                break
        if self.data[start:end] == new:
            return False
        self.cursor.patches.append(Patch(start, end - start, new))
        return True

    def _float(self, row: TypeRow, header: int, start: int, at: int, raw: bytes, noun: str) -> None:
        """A float as an engine writes it."""
        number = STRUCTS[f"f{8 * len(raw)}"].unpack(raw)[0]
        if not is_likely(number):
            raise Mismatch
        told = 8 if header & FLAG_64 and row.has_wide else 4
        if len(raw) == told and NUMBERS.get(self.wire.header, (4, ""))[0] >= 3:
            self.cursor.note(noun, start, self.cursor.put(at, raw))
            return
        short = single(number)
        wide = row.has_wide and short is None
        new = raw if len(raw) == 8 and wide else STRUCTS["f32"].pack(number)
        other = self.rewrite_header(start, at, row.number | (FLAG_64 if wide else 0))
        self.cursor.note(noun, start, self.cursor.put(at, new) or other)

    def fields(self, row: TypeRow, header: int, start: int, count: int, size: int | None, noun: str) -> None:
        """The numbers of *count* elements, each *size* bytes where that is not told by the flag."""
        wide = bool(header & FLAG_64) and row.has_wide
        fields = row.wide if wide else row.narrow
        if header & FLAG_64 and not row.has_wide and size is None:
            raise Mismatch
        kind = fields[0].type
        if size is None or size == fields[0].size:
            is_packed, wire = noun == "packed array", self.wire
            order = _order(wire.float_order, wire.packed_real_order if is_packed else wire.vector_order)
            if kind[0] != "f":
                order = wire.packed_int_order if is_packed else wire.vector_int_order
            self._plain_fields(fields, count, order, noun, start)
            return
        if kind not in ("f32", "f64", "i32", "i64") or count * len(fields) > self.size // size:
            raise Mismatch
        at = self.cursor.pos
        numbers = [self._read(f"{kind[0]}{8 * size}") for _ in range(count * len(fields))]
        if kind[0] == "f" and not all(map(is_likely, numbers)):
            raise Mismatch
        narrow = row.narrow[0].type
        if row.real and row.has_wide and size == 8 and any(single(float(number)) is None for number in numbers):
            other = self.rewrite_header(start, start + self._header_size(), row.number | FLAG_64)
            narrow = row.wide[0].type
        else:
            other = self.rewrite_header(start, start + self._header_size(), header & ~FLAG_64)
        pack = STRUCTS[narrow].pack
        self.cursor.note(noun, start, self.cursor.put(at, b"".join(map(pack, numbers))) or other)

    def _header_size(self) -> int:
        return NUMBERS.get(self.wire.header, (1, ""))[0] * self.wire.headers

    def _read(self, kind: str) -> float:
        """A number that is a value."""
        if kind in UNSIGNED:
            return int.from_bytes(self.cursor.raw(UNSIGNED[kind]), "big" if self.wire.int_order == "big" else "little")
        struct = STRUCTS[kind]
        order = self.wire.float_order if kind[0] == "f" else self.wire.int_order
        found: float = struct.unpack(ORDERS[order](self.cursor.raw(struct.size)))[0]
        return found

    def _plain_fields(self, fields: tuple[Field, ...], count: int, order: str, noun: str, start: int) -> None:
        size = sum(each.size for each in fields)
        if count * size > self.size - self.cursor.pos:
            raise Mismatch
        if order == LITTLE:
            self.cursor.pos += count * size
            self.cursor.note(noun, start, False)
            return
        is_changed = False
        for each in (*fields,) * count:
            at = self.cursor.pos
            is_changed |= self.cursor.put(at, ORDERS[order](self.cursor.raw(each.size)))
        self.cursor.note(noun, start, is_changed)

    def gapped(self, fields: tuple[Field, ...], count: int) -> None:
        """So many Vector3 with something behind each."""
        for _ in range(count):
            self.cursor.work += 1
            start = self.cursor.pos
            self.cursor.skip(sum(each.size for each in fields))
            at = self.cursor.pos
            if any(self.cursor.raw(self.wire.vector3_gap)):
                raise Mismatch
            self.cursor.note("Vector3", start, self.cursor.put(at, b""))

    def _laid_out(self, row: TypeRow, header: int, start: int, layout: tuple[str, ...]) -> None:
        """A value of a type whose fields are other ones."""
        at = self.cursor.pos
        numbers = [self._read(kind) for kind in layout]
        fields = row.fields(header)
        if not all(map(is_likely, numbers)):
            raise Mismatch
        if layout[0] == "u8" and fields[0].type[0] == "f":
            numbers = [number / 255 for number in numbers]
        numbers = numbers[: len(fields)] + [FULL_ALPHA] * (len(fields) - len(numbers))
        whole = [int(number) if each.type[0] != "f" else number for number, each in zip(numbers, fields, strict=True)]
        new = b"".join(STRUCTS[each.type].pack(number) for number, each in zip(whole, fields, strict=True))
        self.cursor.note(row.name, start, self.cursor.put(at, new))

    # Collections
