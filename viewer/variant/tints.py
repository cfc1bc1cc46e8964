"""Tints: what each byte of a frame is for, as one small number a byte.

This is what :func:`viewer.variant.items.parts` says, for a window of bytes and without an object a part, so that a page
of bytes can be coloured while it is scrolled. The common kinds are coded from the columns and the words; the rest asks
``parts`` for the one node. Cython compiles this very file where it can.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from viewer.base.buffer import u32
from viewer.base.record import dataclass
from viewer.variant.dialect import FLAG_64, Dialect, Kind, TypeRow
from viewer.variant.elements import TextIndex
from viewer.variant.header import INT_MAX
from viewer.variant.items import parts, path_lengths
from viewer.variant.part import Role
from viewer.variant.table import NodeTable


@dataclass(frozen=True, slots=True)
class Style:
    """What a code stands for: a role, None for bytes that nobody has looked at, and the group of a VALUE."""

    role: Role | None
    group: str | None = None


GROUPS = ("number", "text", "boolean", "vector", "colour", "path", "collection", "packed", "object")
"""The families of types, as ``group`` in ``shapes.toml`` names them."""
STYLES = (
    Style(None),
    *(Style(role) for role in Role),
    *(Style(Role.VALUE, group) for group in GROUPS),
)
"""What each code stands for."""
CODE = {(style.role, style.group): code for code, style in enumerate(STYLES)}
PLAIN, GAP, PREFIX = CODE[None, None], CODE[Role.GAP, None], CODE[Role.PREFIX, None]
HEADER, LENGTH, PADDING = CODE[Role.HEADER, None], CODE[Role.LENGTH, None], CODE[Role.PADDING, None]
IN_TEXT = CODE[Role.VALUE, "text"]

FIXED, TEXT, PACKED, STRINGS, IMAGE, PATH, HEAD, OTHER = range(8)
"""How the nodes of a type are coded; only the last two have children."""
KINDS = {
    Kind.STRING: TEXT,
    Kind.PACKED: PACKED,
    Kind.PACKED_STRINGS: STRINGS,
    Kind.IMAGE: IMAGE,
    Kind.NODE_PATH: PATH,
}
AHEAD = 8
HIGH_BITS = 16
SHORT = 64
BYTE = [bytes((code,)) for code in range(len(STYLES))]
HEADER_WORD, LENGTH_WORD = BYTE[HEADER] * 4, BYTE[LENGTH] * 4

Piece = tuple[int, int]
"""A code and how many bytes have it."""
Entry = tuple[int, bytes, int, int]
"""How to code a node, the codes of its bytes where they never vary, the code of its value, the size of an element."""
Plan = list[Entry]
"""An entry for each type number and each setting of the bits 16 to 19 of the header."""
UNKNOWN: Entry = (FIXED, HEADER_WORD, PLAIN, 0)


class Tints:
    """Codes the bytes of one frame.

    Args:
        table: the frame's nodes.
        indexes: where the strings of packed string arrays stand, by node; what is found is added. Who asks more than
            once keeps it for as long as the bytes stay the same.
    """

    def __init__(self, table: NodeTable, indexes: dict[int, TextIndex] | None = None) -> None:
        self._table = table
        self._plan = _plan(table.dialect)
        self._mask = table.dialect.rules.header_mask
        self._is_closed = table.dialect.rules.closed_texts
        self._indexes = {} if indexes is None else indexes

    def codes(self, start: int, end: int) -> bytes:
        """The codes of ``start <= offset < end``, counted from the start of the frame.

        Bytes behind the value are GAP.
        """
        stop = min(end, self._table.end_of_data)
        if start >= stop:
            return BYTE[GAP] * (end - start)
        if self._table.guess is not None or self._is_closed:
            return self._pieced(start, stop) + BYTE[GAP] * (end - stop)
        node = self._table.at(start)
        out = [self._clipped(node, start, stop)]
        reached = start + len(out[0])
        if reached < stop:
            self._walk(node, reached, stop, out)
        return b"".join(out)[: stop - start].ljust(stop - start, BYTE[PLAIN]) + BYTE[GAP] * (end - stop)

    def _pieced(self, start: int, end: int) -> bytes:
        """The codes among broken values and gaps, node by node."""
        table, out, at = self._table, [], start
        while at < end:
            gap, node = table.gap_at(at), table.at(at)
            if gap is not None:
                stop, codes = min(gap.span.end, end), b""
            else:
                stop = max(at + 1, min(table.head_end(node), end))
                codes = self._clipped(node, at, stop)[: stop - at]
            out.append(codes.ljust(stop - at, BYTE[PLAIN] if gap is None else BYTE[GAP]))
            at = stop
        return b"".join(out)

    def _walk(self, node: int, at: int, end: int, out: list[bytes]) -> None:
        """Append the codes of the nodes behind *node*, which begin at *at*, until *end* is reached."""
        first, parent, total = self._table.first, self._table.parent, len(self._table)
        plan, limit, mask, texts = self._plan, len(self._plan), self._mask, _texts()
        base, words = at, self._words(at, end)
        owner, odd, way = parent[node], self._odd(parent[node]), OTHER
        while at < end:
            child = first[node] if way >= HEAD else 0
            if child and parent[child] == node:
                odd = self._odd(node) if way == OTHER else -1
                owner, node = node, child
            else:
                node += 1
                if node >= total or parent[node] != owner:
                    node = self._following(node - 1)
                    if not node:
                        return
                    owner = parent[node]
                    odd = self._odd(owner)
            if (at - base) & 3:
                base, words = at, self._words(at, end)
            place = (at - base) >> 2
            header = words[place]
            if node & 1 == odd:
                way, codes = TEXT, texts[header] if header < SHORT else _text_codes(header, end - at)
            else:
                index = (header & mask) * HIGH_BITS + (header >> 16 & HIGH_BITS - 1)
                way, codes, _, _ = plan[index] if index < limit else UNKNOWN
                if way == TEXT:
                    length = words[place + 1]
                    codes = HEADER_WORD + (texts[length] if length < SHORT else _text_codes(length, end - at))
                elif way != FIXED and way != HEAD:
                    codes = self._clipped(node, at, end)
            if not codes:
                return
            out.append(codes)
            at += len(codes)

    def _words(self, start: int, end: int) -> memoryview:
        """The words from *start* on until one behind the word at *end*, zeros behind the last byte."""
        size = (end - start + 3 & ~3) + AHEAD
        return memoryview(bytes(self._table.buffer[start : start + size]).ljust(size, b"\0")).cast("I")

    def _following(self, node: int) -> int:
        """The next node in the order of bytes behind a node that is the last child, 0 where there is none."""
        parent, total = self._table.parent, len(self._table)
        while node:
            owner = parent[node]
            if node + 1 < total and parent[node + 1] == owner:
                return node + 1
            node = owner
        return 0

    def _odd(self, node: int) -> int:
        """The lowest bit of the children that are property names, -1 where none are."""
        table = self._table
        if node >= len(table):
            return -1
        row = table.dialect.row(u32(table.buffer, table.start[node]))
        return table.first[node] & 1 if row is not None and row.kind is Kind.OBJECT else -1

    # One node

    def _clipped(self, node: int, start: int, end: int) -> bytes:
        """The codes of a node's own bytes, as far as they lie in ``start <= offset < end``."""
        table = self._table
        at, header = table.start[node], table.header(node)
        if self._is_closed:
            return self._clipped_of_resource(node, at, start, end)
        index = (header & self._mask) * HIGH_BITS + (header >> 16 & HIGH_BITS - 1)
        kind, codes, value, size = self._plan[index] if index < len(self._plan) else UNKNOWN
        if table.is_name(node):
            return _cut(_text_pieces(IN_TEXT, u32(table.buffer, at)), at, start, end)
        if kind in (FIXED, HEAD):
            return codes[start - at : end - at]
        if kind == STRINGS:
            head = _cut([(HEADER, 4), (LENGTH, 4)], at, start, end)
            return head + self._strings(node, value, max(start, at + 8), end)
        return _cut(self._pieces(node, kind, value, size), at, start, end)

    def _pieces(self, node: int, kind: int, value: int, size: int) -> list[Piece]:
        """What a node's own bytes are for; bytes that an error cut off may be told too."""
        table, at = self._table, self._table.start[node]
        if kind == TEXT:
            return [(HEADER, 4), *_text_pieces(value, u32(table.buffer, at + 4))]
        if kind == PACKED:
            count = u32(table.buffer, at + 4)
            length = count * size if count <= INT_MAX else 0
            return [(HEADER, 4), *_text_pieces(value, length)]
        if kind == IMAGE:
            return [(HEADER, 4), (value, 16), *_text_pieces(value, u32(table.buffer, at + 20))]
        if kind == PATH and (lengths := path_lengths(table, node)):
            names = [_text_pieces(value, length) for length in lengths]
            return [(HEADER, 4), (LENGTH, 12), *chain.from_iterable(names)]
        return [
            (value if part.role is Role.VALUE else CODE[part.role, None], len(part.span)) for part in parts(table, node)
        ]

    def _clipped_of_resource(self, node: int, at: int, start: int, end: int) -> bytes:
        """The same in a binary resource: of very many strings only those in view are looked at."""
        row = self._table.row(node)
        if row is None or row.kind is not Kind.PACKED_STRINGS or self._table.is_name(node):
            return _cut(self._resource_pieces(node), at, start, end)
        head = _cut([(HEADER, 4), (LENGTH, 4)], at, start, end)
        return head + self._strings(node, CODE[Role.VALUE, row.group], max(start, at + 8), end)

    def _resource_pieces(self, node: int) -> list[Piece]:
        """What a node's own bytes are for in a binary resource."""
        row = self._table.row(node)
        group = "text" if self._table.is_name(node) else row.group if row is not None else None
        value = CODE.get((Role.VALUE, group), CODE[Role.VALUE, None])
        found = parts(self._table, node)
        return [(value if part.role is Role.VALUE else CODE[part.role, None], len(part.span)) for part in found]

    def _strings(self, node: int, value: int, start: int, end: int) -> bytes:
        """The codes of bytes of a packed string array behind its count."""
        buffer = self._table.buffer
        count = u32(buffer, self._table.start[node] + 4)
        if start >= end or count > INT_MAX:
            return b""
        if node not in self._indexes:
            self._indexes[node] = TextIndex(self._table, node)
        number = self._indexes[node].at(start)
        if number < 0:  # an error cut the last one off behind its length
            return LENGTH_WORD[: end - start] if count else b""
        at = first = self._indexes[node].start(number)
        out = []
        while at < end and number < count:
            length = u32(buffer, at)
            if self._is_closed:
                codes = LENGTH_WORD + BYTE[value] * min(length, end - at)
            else:
                codes = _text_codes(length, end - at, value)
            out.append(codes)
            at += len(codes)
            number += 1
        return b"".join(out)[start - first : end - first]


def _cut(pieces: list[Piece], at: int, start: int, end: int) -> bytes:
    """The codes of pieces that begin at *at*, as far as they lie in ``start <= offset < end``."""
    out = []
    for code, size in pieces:
        out.append(BYTE[code] * (min(at + size, end) - max(at, start)))
        at += size
    return b"".join(out)


def _text_pieces(value: int, length: int) -> list[Piece]:
    """A length word, that many bytes, fill up to a multiple of four."""
    return [(LENGTH, 4), (value, length), (PADDING, -length % 4)]


def _text_codes(length: int, most: int, value: int = IN_TEXT) -> bytes:
    """The codes of the same; about *most* of them, because the length is only what the bytes say."""
    if length >= most:
        return (LENGTH_WORD + BYTE[value] * (most - 4))[:most]
    return LENGTH_WORD + BYTE[value] * length + BYTE[PADDING] * (-length % 4)


@cache
def _texts() -> list[bytes]:
    """The codes of all short texts, by their length."""
    return [_text_codes(length, SHORT) for length in range(SHORT)]


@cache
def _plan(dialect: Dialect) -> Plan:
    return [_entry(dialect, row, bits) for row in dialect.rows for bits in range(HIGH_BITS)]


def _entry(dialect: Dialect, row: TypeRow, bits: int) -> Entry:
    """How to code the nodes of one type whose headers have these *bits* over their low half."""
    wide, kind = bool(bits & FLAG_64 >> 16), row.kind
    size = row.wide_size if wide else row.narrow_size
    value = CODE.get((Role.VALUE, row.group), CODE[Role.VALUE, None])
    rules = dialect.rules
    typed = {Kind.ARRAY: rules.typed_arrays, Kind.DICTIONARY: rules.typed_dictionaries}
    if kind in (Kind.FIXED, Kind.NULL_OBJECT):
        return FIXED, HEADER_WORD + BYTE[value] * size, value, 0
    if kind is Kind.OBJECT and wide:
        return FIXED, HEADER_WORD + BYTE[value] * 8, value, 0
    if kind in typed and not (typed[kind] and bits):
        return HEAD, HEADER_WORD + LENGTH_WORD, value, 0
    way = KINDS.get(kind, OTHER)
    return OTHER if way == TEXT and value != IN_TEXT else way, b"", value, size
