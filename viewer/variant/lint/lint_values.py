"""Lint what single values hold: numbers, texts, fill, and payloads that have parts of their own."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from struct import Struct

from viewer.base.buffer import Bytes, stretches, unpacker
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.span import Span
from viewer.base.words import grouped
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, image_formats, input_event
from viewer.variant.header import INT_MAX, name_total
from viewer.variant.items import Role, parts
from viewer.variant.lint.image_size import fits
from viewer.variant.table import NodeTable

# Where the lint pass puts what it finds.


class Sink:
    """Findings of one walk over *table*.

    Attributes:
        found: findings not handed out yet.
        marks: findings about nodes that were not reached yet, by the first byte of the node.
        marked: those first bytes, as a heap.
    """

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.u32 = unpacker("<I", table.buffer)
        self.dialect = table.dialect
        self.rules = table.dialect.rules
        self.found: list[Diagnostic] = []
        self.marks: dict[int, list[Diagnostic]] = {}
        self.marked: list[int] = []

    def add(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about the node that is being visited."""
        self.found.append(Diagnostic(code, span, node, part, facts))

    def mark(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about a node that comes later, until the walk is there."""
        start = self.table.start[node]
        if start not in self.marks:
            heappush(self.marked, start)
        self.marks.setdefault(start, []).append(Diagnostic(code, span, node, part, facts))

    def release(self, pos: int) -> None:
        """The walk is at the node that begins at *pos*: find what was marked up to there."""
        while self.marked and self.marked[0] <= pos:
            self.found += self.marks.pop(heappop(self.marked))

    def shared(self, node: int, at: int, word: str = "count") -> None:
        """Look at bit 31 of a word that is not the engine's to set."""
        if not self.rules.shared_bit and self.u32(at)[0] & SHARED:
            part = word.replace(" ", "_")
            self.add(Code.SHARED_BIT, Span(at, at + 4), node, part, word=word, dialect=self.dialect.name)

    def take(self) -> list[Diagnostic]:
        """Hand out what was found since the last time."""
        taken = self.found[:]
        self.found.clear()
        return taken


PAUSE_EVERY = 1024
MOST_ODD_TEXTS = 1 << 16
"""Behind so many texts of one array with something odd, its others are not looked at."""
PIECE = 1 << 20
"""Long texts and arrays are looked at in pieces of so many bytes, a multiple of every element's."""
ZEROS = (b"", b"\0", b"\0\0", b"\0\0\0")


class TextLint:
    """The checks of one walk. Those called with a header take what the walk gives every check."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.table = sink.table
        self.buffer = sink.table.buffer
        self.u32 = sink.u32
        self.rules = sink.rules
        self.may_be_cut = sink.rules.string_padding == "optional"

    def check(self, node: int, at: int, end: int) -> None:
        """The only text of a node: its length word stands at *at*, the node's own bytes end at *end*."""
        if end < at + 4:
            return
        stop = at + 4 + self.u32(at)[0]
        if stop <= end:
            self._text(node, Span(at + 4, stop), "text")
            self._last_fill(node, Span(stop, end), -(stop - at) % 4, "padding", self.may_be_cut)

    def packed_bytes(self, node: int, pos: int, end: int, header: int) -> None:
        """The fill of a byte array; all engines take it when it is cut off."""
        count = self.u32(pos + 4)[0] if end >= pos + 8 else 0
        if count % 4 and pos + 8 + count <= end:
            self._last_fill(node, Span(pos + 8 + count, end), -count % 4, "padding", True)

    def packed_strings(self, node: int, pos: int, end: int) -> Iterator[None]:
        """Each element: its length counts a NUL that closes it. Pauses now and then."""
        if end < pos + 8:
            return
        count = self.u32(pos + 4)[0]
        if count > INT_MAX:
            span = Span(pos + 4, pos + 8)
            self.sink.add(Code.NEGATIVE_STRING_COUNT, span, node, "count", count=count - (1 << 32))
            return
        at, odd = pos + 8, 0
        for k in range(count):
            if at + 4 > end:
                return
            stop = at + 4 + self.u32(at)[0]
            if stop > end:
                return
            after = min(stop + (at - stop) % 4, end)
            if stop - at > PIECE or not _is_clean_element(
                bytes(self.buffer[at + 4 : stop]), bytes(self.buffer[stop:after])
            ):
                known = len(self.sink.found)
                self._element(node, k, Span(at + 4, stop), Span(stop, after))
                odd += len(self.sink.found) > known
                if odd == MOST_ODD_TEXTS and k + 1 < count:
                    self.sink.add(Code.MORE_ODD_TEXTS, Span(at, end), node, f"[{k}]", odd=grouped(odd))
                    return
            at = after
            if k % PAUSE_EVERY == PAUSE_EVERY - 1:
                yield

    def _element(self, node: int, k: int, span: Span, fill: Span) -> None:
        closed = len(span) > 0 and self.buffer[span.end - 1] == 0
        if not closed:
            self.sink.add(Code.NUL_MISSING, span, node, f"[{k}]")
        self._text(node, Span(span.start, span.end - closed), f"[{k}]")
        self._last_fill(node, fill, -len(span) % 4, f"[{k}]@padding", self.may_be_cut)

    def node_path(self, node: int, pos: int, end: int, header: int) -> None:
        """Counts, flags and names."""
        if end < pos + 8:
            return
        names = self.u32(pos + 4)[0]
        if not names & SHARED:
            if self.rules.old_node_path:
                self.sink.add(Code.OLD_PATH_FORM, Span(pos, end), node, dialect=self.sink.dialect.name)
        elif end >= pos + 16:
            self._path_words(node, pos + 4, names & INT_MAX)
        self.by_parts(node, pos, end, header, unwritten=True)

    def _path_words(self, node: int, at: int, names: int) -> None:
        subnames, flags = self.u32(at + 4)[0], self.u32(at + 8)[0]
        total, span = name_total(names, subnames, flags), Span(at + 8, at + 12)
        if names + subnames + (flags >> 1 & 1) != total:
            self.sink.add(Code.NAME_COUNT_WRAPS, Span(at, at + 8), node, "name_count", count=total)
        if flags & ~3:
            self.sink.add(Code.PATH_FLAGS, span, node, "flags", bits=f"0x{flags & ~3:08X}")
        if flags & 2 and not self.rules.property_flag:
            self.sink.add(Code.PATH_PROPERTY, span, node, "flags", dialect=self.sink.dialect.name)
        if flags & 1 and not total:
            self.sink.add(Code.EMPTY_PATH, span, node, "flags")

    def image(self, node: int, pos: int, end: int, header: int) -> None:
        """Godot 2's image: do the pixel bytes fit format and size?"""
        if end < pos + 24:
            return
        number, mipmaps, width, height, length = (self.u32(at)[0] for at in range(pos + 4, pos + 24, 4))
        if number >= len(image_formats()) or pos + 24 + length > end:
            return
        if not fits(image_formats()[number], width, height, mipmaps, length):
            span, part = (Span(pos + 24, pos + 24 + length), "data") if length else (Span(pos + 20, pos + 24), "length")
            image = _image_words(image_formats()[number], width, height, mipmaps)
            self.sink.add(Code.IMAGE_SIZE, span, node, part, size=count_bytes(length), image=image)
        self._last_fill(node, Span(pos + 24 + length, end), -length % 4, "padding", True)

    def input_event(self, node: int, pos: int, end: int, header: int) -> None:
        """Godot 2's event: its length counts from the type on."""
        if end < pos + 16:
            return
        expected = 12 + sum(field.size for field in input_event(self.u32(pos + 4)[0]).fields)
        length = self.u32(pos + 12)[0]
        if length != expected:
            facts = {"length": count_bytes(length), "expected": count_bytes(expected)}
            self.sink.add(Code.EVENT_LENGTH, Span(pos + 12, pos + 16), node, "length", **facts)

    def by_parts(self, node: int, pos: int, end: int, header: int, unwritten: bool = False) -> None:
        """Every text and fill of a node, part by part; *unwritten* fill is not what the engine writes."""
        for part in parts(self.table, node):
            if part.type == "text":
                self._text(node, part.span, part.name)
            elif part.role is Role.PADDING:
                self._fill(node, part.span, part.name, unwritten)

    # Texts and fill

    def _text(self, node: int, span: Span, part: str) -> None:
        buffer, start, end = self.buffer, span.start, span.end
        if bytes(buffer[start : min(end, start + len(text.BOM))]) == text.BOM:
            self.sink.add(Code.BYTE_ORDER_MARK, Span(start, start + 3), node, part)
        nul = next((at + bytes(raw).find(0) for at, raw in stretches(buffer, start, end, PIECE) if 0 in raw), -1)
        if nul >= 0:
            self.sink.add(Code.NUL_IN_TEXT, Span(nul, end), node, part)
        if self.rules.utf8 == "strict" or (fault := text.fault_in(buffer, start, end, "strict")) is None:
            return
        lost = text.fault_in(buffer, start, end, "lenient")
        if lost is None:
            at, name = span.start + fault.offset, self.sink.dialect.name
            self.sink.add(Code.LENIENT_UTF8, Span(at, at + 1), node, part, dialect=name)
        elif self.rules.utf8 == "any":
            self.sink.add(Code.LOST_TEXT, span, node, part, dialect=self.sink.dialect.name)

    def _fill(self, node: int, span: Span, part: str, unwritten: bool = False) -> None:
        """The fill that is there; *unwritten* where the engine leaves it as it was."""
        if any(self.buffer[span.start : span.end]):
            kept = unwritten or self.rules.unwritten_padding == "all"
            code = Code.UNWRITTEN_PADDING if kept else Code.PADDING_NOT_ZERO
            self.sink.add(code, span, node, part, dialect=self.sink.dialect.name)

    def _last_fill(self, node: int, span: Span, size: int, part: str, may_be_cut: bool) -> None:
        """Fill that should be *size* bytes long, but may be cut off where the data ends."""
        if len(span) < size and may_be_cut:
            self.sink.add(Code.PADDING_CUT, span, node, part, missing=count_bytes(size - len(span)))
        self._fill(node, span, part)


def _image_words(name: str, width: int, height: int, mipmaps: int) -> str:
    levels = f" with {mipmaps} extra level{'' if mipmaps == 1 else 's'}" if mipmaps else ""
    return f"an image of {width} by {height} in {name}{levels}"


def _is_clean_element(raw: bytes, fill: bytes) -> bool:
    """Whether a string element is plain ASCII, closed by its only NUL, and filled up with zeros."""
    return raw.find(b"\0") == len(raw) - 1 and len(raw) > 0 and raw.isascii() and fill == ZEROS[-len(raw) % 4]


# Lint numbers: bools, widths, the bits of a NaN, and the types of numbers that some engines misread.

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
        whole = end - (end - pos - 8) % 8
        if any(_has_low_bits(raw) for _, raw in stretches(self.buffer, pos + 8, whole, PIECE)):
            self.sink.add(Code.NARROWED, Span(pos + 8, whole), node, "elements")

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
        whole = end - (end - pos - 8) % 16
        if any(_has_odd_w(raw) for _, raw in stretches(self.buffer, pos + 8, whole, PIECE)):
            row = self.table.dialect.row(header)
            facts = {"dialect": self.table.dialect.name, "type": row.name if row else ""}
            self.sink.add(Code.LOST_W, Span(pos + 8, end), node, "elements", **facts)

    def _narrow_nan(self, node: int, pos: int) -> None:
        span = Span(pos + 4, pos + 8)
        if not self.u32(pos + 4)[0] & 1 << 22:
            self.sink.add(Code.NAN_BITS, span, node, "value")
        if self.rules.flag64:
            self.sink.add(Code.NARROW_NAN, span, node, "value")


def _has_low_bits(raw: Bytes) -> bool:
    """Whether one of these 64-bit numbers has some of the 29 low bits that a 32-bit number leaves zero."""
    raw = bytes(raw)
    return any(raw[k::8].count(0) < len(raw) // 8 for k in range(3)) or bool(raw[3::8].translate(None, NO_LOW_BITS))


def _has_odd_w(raw: Bytes) -> bool:
    """Whether z and w differ in one of these quadruples of words."""
    words = memoryview(bytes(raw)).cast("I")
    return words[2::4].tolist() != words[3::4].tolist()


def _fits_f32(number: float) -> bool:
    """Whether 32 bits hold this number exactly; an engine says no for a NaN."""
    try:
        return bool(FLOAT32.unpack(FLOAT32.pack(number))[0] == number)
    except OverflowError:
        return False
