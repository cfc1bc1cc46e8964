"""Lint numbers: bools, widths, the bits of a NaN, and the types of numbers that some engines misread."""

from __future__ import annotations

from struct import Struct

from viewer.base.buffer import unpacker
from viewer.base.diagnostic import Code, count_bytes
from viewer.base.span import Span
from viewer.variant.dialect import FLAG_64
from viewer.variant.lint.sink import Sink

FLOAT32 = Struct("<f")
NO_LOW_BITS = bytes(range(0, 256, 32))
"""Bytes whose five lowest bits are zero."""
INT32 = range(-(1 << 31), 1 << 31)


class NumberLint:
    """The checks of one walk. Each takes a node, the offset of its header, where its own bytes end, and its header."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.table = sink.table
        self.buffer = sink.table.buffer
        self.rules = sink.rules
        self.u32, self.i64 = sink.u32, unpacker("<q", self.buffer)
        self.f32, self.f64 = unpacker("<f", self.buffer), unpacker("<d", self.buffer)

    def bool_word(self, node: int, pos: int, end: int, header: int) -> None:
        """A bool is a whole word, of which an engine writes 0 or 1."""
        if end >= pos + 8 and (value := self.u32(pos + 4)[0]) > 1:
            self.sink.add(Code.BOOL_NOT_0_OR_1, Span(pos + 4, pos + 8), node, "value", value=value)

    def int_width(self, node: int, pos: int, end: int, header: int) -> None:
        """A whole number in 64 bits that 32 would hold."""
        if header & FLAG_64 and end >= pos + 12 and self.i64(pos + 4)[0] in INT32:
            self.sink.add(Code.WIDE_NUMBER, Span(pos + 4, pos + 12), node, "value", type="int")

    def float_bits(self, node: int, pos: int, end: int, header: int) -> None:
        """A number in 64 bits that 32 would hold exactly, and a NaN in 32."""
        if header & FLAG_64 and self.rules.flag64:
            if end >= pos + 12 and _fits_f32(self.f64(pos + 4)[0]):
                self.sink.add(Code.WIDE_NUMBER, Span(pos + 4, pos + 12), node, "value", type="float")
        elif end >= pos + 8 and (value := self.f32(pos + 4)[0]) != value:
            self._narrow_nan(node, pos)

    def reals(self, node: int, pos: int, end: int, header: int) -> None:
        """Numbers of a vector and its like, in 64 bits, of which 32 would not hold one exactly."""
        whole = end - (end - pos - 4) % 8
        if header & FLAG_64 and not all(_fits_f32(self.f64(at)[0]) for at in range(pos + 4, whole, 8)):
            self.sink.add(Code.NARROWED, Span(pos + 4, whole), node)

    def packed_reals(self, node: int, pos: int, end: int, header: int) -> None:
        """The same of an array; numbers beyond the range of 32 bits alone go unsaid."""
        if not header & FLAG_64 or end < pos + 16:
            return
        raw = bytes(self.buffer[pos + 8 : end - (end - pos - 8) % 8])
        low = any(raw[k::8].count(0) < len(raw) // 8 for k in range(3))  # of 52 bits, 32-bit numbers leave 29 zero
        if low or raw[3::8].translate(None, NO_LOW_BITS):
            self.sink.add(Code.NARROWED, Span(pos + 8, pos + 8 + len(raw)), node, "elements")

    def projection(self, node: int, pos: int, end: int, header: int) -> None:
        """The decoder asks for more bytes than a Projection takes; those of later values count as well."""
        available = len(self.buffer) - pos - 4
        if available < self.rules.projection_needs:
            facts = {"expected": count_bytes(self.rules.projection_needs), "available": count_bytes(available)}
            name = self.table.dialect.name
            self.sink.add(Code.ENGINE_REFUSES, Span(pos, end), node, dialect=name, type="Projection", **facts)

    def vector4(self, node: int, pos: int, end: int, header: int) -> None:
        """The decoder goes on four bytes too early, which shows where anything follows."""
        if end < self.table.end_of_data:
            row = self.table.dialect.row(header)
            facts = {"dialect": self.table.dialect.name, "type": row.name if row else ""}
            self.sink.add(Code.ENGINE_CANNOT_READ_BACK, Span(pos, end), node, **facts)

    def quadruples(self, node: int, pos: int, end: int, header: int) -> None:
        """An array of x, y, z, w: the engine mistakes z for w, which shows where they differ."""
        if end < pos + 24:
            return
        words = memoryview(bytes(self.buffer[pos + 8 : end - (end - pos - 8) % 16])).cast("I")
        if words[2::4].tolist() != words[3::4].tolist():
            row = self.table.dialect.row(header)
            facts = {"dialect": self.table.dialect.name, "type": row.name if row else ""}
            self.sink.add(Code.LOST_W, Span(pos + 8, end), node, "elements", **facts)

    def _narrow_nan(self, node: int, pos: int) -> None:
        span = Span(pos + 4, pos + 8)
        if not self.u32(pos + 4)[0] & 1 << 22:
            self.sink.add(Code.NAN_BITS, span, node, "value")
        if self.rules.flag64:
            self.sink.add(Code.NARROW_NAN, span, node, "value")


def _fits_f32(number: float) -> bool:
    """Whether 32 bits hold this number exactly; an engine says no for a NaN."""
    try:
        return bool(FLOAT32.unpack(FLOAT32.pack(number))[0] == number)
    except OverflowError:
        return False
