"""Description length: how many bits it takes to tell the values of a table to somebody who knows what games store.

It is the doctor's one currency. An explanation of damaged bytes costs what it takes to tell the mistake, and the values
that come out of it; the one that is told in the fewest bits is the likeliest (minimum description length). A value that
no game would store is long to tell, a key that stood there before is short. Bytes that nobody can read as values cost
what it takes to tell bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from math import copysign, isfinite, log2
from struct import Struct
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.record import dataclass, field
from viewer.variant.dialect import FLAG_64, SHARED, Kind, TypeRow, meaning_bits
from viewer.variant.table import NONE, NodeTable

WHOLE = 4096
"""Tables of more nodes are told only around the place that is asked about: the rest is the same in all explanations."""
AROUND = 1 << 11
MOST_AROUND = 512
MOST_LEVELS = 1 << 10
F32, F64, I32, I64 = Struct("<f"), Struct("<d"), Struct("<i"), Struct("<q")
STRUCTS = {"f32": F32, "f64": F64, "i32": I32, "i64": I64}
SAMPLED = 64
"""So many elements of a packed array tell what all of them cost."""
MOST_RAW, SHORT = 1 << 16, 24
BYTE_BITS = tuple(
    1.7 if byte == 0 else 6.0 if byte < 0x21 else 6.5 if byte == 0xFF or 0x5F < byte < 0x7B else 9.0
    for byte in range(256)
)
"""The bits of each byte among bytes that computers store: zeros are many, small numbers and small letters frequent."""
BYTE = 8.0
COMMON = {"String": 1.6, "int": 2.0, "bool": 3.0, "float": 2.5, "real": 2.5, "Dictionary": 3.0, "Array": 3.5}
FREQUENT = {
    "Vector2": 4.0,
    "Vector3": 4.5,
    "Nil": 4.5,
    "Color": 5.5,
    "StringName": 5.5,
    "Vector2i": 5.5,
    "NodePath": 4.5,
    "Rect2": 6.0,
}
RARE = {
    "Object": 9.0,
    "Image": 10.0,
    "InputEvent": 10.0,
    "RID": 10.0,
    "Callable": 10.0,
    "Signal": 10.0,
    "Projection": 9.0,
}
USUAL = 6.5
KEY, ODD_KEY, NUMBER_KEY, MIXED_KEYS = 0.3, 7.0, 4.0, 10.0
"""The type of a key; and what it costs beside it that the key before it, in the same dictionary, is of another one."""
SAME_TYPE, OTHER_TYPE = 0.3, 2.5
"""The type of an element or value that is that of the one before, and what another costs beside its own bits."""
ODD_FLAGS = 22.0
ODD_FILL, OPEN = 16.0, 12.0
"""A byte of fill that is no zero, where the engine writes them, or that the data lack at their end; a text without the
NUL that stands behind it."""
SEEN = 4.0
"""A text that stood there before."""
AS_EXPECTED, REMEMBERED = 1.5, 64
"""A value of not more bytes that follows another as it did before: rows of records are alike."""
SAME_KEYS = 1.0
"""The next key of a dictionary whose keys are those of one before."""
DUPLICATE = 16.0
"""A key that its dictionary already has."""
SIGNS: dict[str, float] = {
    **{chr(sign): 4.4 for sign in range(ord("a"), ord("z") + 1)},
    **{chr(sign): 5.6 for sign in range(ord("A"), ord("Z") + 1)},
    **{chr(sign): 5.2 for sign in range(ord("0"), ord("9") + 1)},
    **dict.fromkeys("!\"#$%&'()*+,;<=>?@[\\]^`{|}~", 6.8),
    " ": 4.0,
    "_": 4.5,
    "/": 5.5,
    ".": 5.5,
    ":": 6.0,
    "-": 6.0,
    "\n": 8.0,
    "\t": 9.0,
    "\r": 9.0,
}
END_OF_LINE = 5.0
"""The return before a line feed."""
LETTER, OTHER_LETTER, WORD_SIGN, UNUSUAL, CONTROL = 9.5, 6.5, 13.0, 16.0, 18.0
AMID_LATIN = 6.0
BAD_TEXT = 8.5
HEAD, TYPED = 8, 8.0
"""Bytes of the head of a collection without a type for its elements; the bits that tell such a type."""
CHANNEL, OUTSIDE = 14.0, 4.0
"""The most bits of a channel of a colour between 0 and 1, and what it costs that one lies elsewhere."""
UNLIKELY = 6.0
"""What tells that a number is none of those that games store; its bytes follow."""
ESCAPE = 4.0
"""What tells that bytes follow, and no value."""
FLAG = 24.0
"""What costs a number that an engine writes in another way, such as a bool of 7."""
LIMIT, POWER_OF_TWO = 12.0, 20.0
"""The bits of an end of what a type holds and of the numbers beside it, which games store for "none" and "most"; and of
another large power of two: it is one of many, and a small number whose bytes are turned around is one, too."""
ENDS = frozenset(1 << bits for bits in (8, 15, 16, 31, 32, 53, 63, 64))
EXACT, ACCOUNTS = 1 << 53, 0x01100001
"""Whole numbers that doubles keep, as times and most ids are; the upper half of the account numbers of Steam."""
ENDLESS, NO_NUMBER, NEGATIVE_ZERO = 12.0, 16.0, 6.0
"""The bits of an infinity, which games store for "never", of the NaN that computers make, and of a zero with a sign."""
NAN_BITS = frozenset({b"\0\0\xc0\x7f", b"\0\0\xc0\xff", bytes(6) + b"\xf8\x7f", bytes(6) + b"\xf8\xff"})
"""The NaNs without anything in them."""
DECIMAL, DIGIT, POWER, NEAR = 10.0, 3.4, 2.0, 5.0
"""What tells that a number is a short decimal, each of its digits, the doublings of its power of ten; and that a number
is not that decimal but one of those beside it, as sums of decimals are."""
DIGITS = {23: 7, 52: 15}
"""The digits that nearly every decimal keeps in a float, by the bits of its mantissa."""


@dataclass(slots=True)
class Memory:
    """What was told before, of other values of the same file too.

    Args:
        texts: the texts.
        after: which key followed which.
        following: the bytes of the value that followed those of another.
        root: the type number of the value before this one, -1 where there was none.
    """

    texts: dict[bytes, int] = field(default_factory=dict)
    after: dict[bytes, bytes] = field(default_factory=dict)
    following: dict[bytes, bytes] = field(default_factory=dict)
    root: int = -1


def description_length(table: NodeTable, near: int = 0, memory: Memory | None = None) -> float:
    """The bits that tell the values of a table.

    Args:
        table: a value that was read.
        near: the offset around which they are told where they are very many.
        memory: what was told before; it is added to.

    Returns:
        Bits; of a table of more than :data:`WHOLE` nodes those of the nodes around *near* alone.
    """
    return _Teller(table, memory or Memory()).told(near)


def told_nodes(table: NodeTable, memory: Memory) -> Iterator[tuple[int, float]]:
    """Each node of a table with the bits that tell it, without its children.

    Args:
        table: a value that was read.
        memory: what was told before; it is added to.
    """
    teller = _Teller(table, memory)
    for node in table.nodes:
        yield node, teller.node_or_bytes(node)


def raw_bits(data: bytes) -> float:
    """The bits that tell bytes of which nothing is known."""
    if not data:
        return 0.0
    if len(data) > MOST_RAW:
        return raw_bits(data[:MOST_RAW]) * len(data) / MOST_RAW
    packed = BYTE * (len(zlib.compress(data, 1)) - 6) if len(data) > SHORT else BYTE * len(data)
    return min(packed, sum(map(BYTE_BITS.__getitem__, data))) + log2(len(data) + 1)


def count_bits(number: int) -> float:
    """The bits that tell a whole number of which small ones are likelier."""
    return 2.0 * log2(abs(number) + 1) + 1.0 if abs(number) < 1 << 20 else 30.0 + log2(abs(number)) / 2


class _Teller:
    def __init__(self, table: NodeTable, memory: Memory) -> None:
        self.table = table
        self.buffer = table.buffer
        self.texts, self.after, self.following = memory.texts, memory.after, memory.following
        self.memory = memory
        self.last = b""
        self.told_to = 0
        self.judges_fill = table.dialect.rules.unwritten_padding != "all"

    def told(self, near: int) -> float:
        return sum(map(self.node_or_bytes, _some(self.table, near)))

    def node_or_bytes(self, node: int) -> float:
        """What is no value that a game stores is told as bytes."""
        table = self.table
        start, end = table.start[node], table.head_end(node)
        bits = min(self._node(node, start, end), ESCAPE + BYTE * (end - start))
        own = bytes(self.buffer[start : min(end, start + REMEMBERED)])
        expected, self.following[self.last] = self.following.get(self.last), own
        self.last = own
        return min(bits, AS_EXPECTED) if expected == own and end - start <= REMEMBERED else bits

    def _node(self, node: int, start: int, end: int) -> float:
        table = self.table
        if table.is_name(node):
            return self._key_text(start, table.end(node), node)
        header = u32(table.buffer, start)
        row = table.dialect.row(header)
        if row is None:
            return max(2 * FLAG, raw_bits(bytes(self.buffer[start:end])))
        self.told_to = end
        bits = (
            self._type(node, row, header) + self._odd_flags(row, header) + self._payload(node, row, header, start, end)
        )
        return bits + raw_bits(bytes(self.buffer[self.told_to : end])) if self.told_to < end else bits

    def _type(self, node: int, row: TypeRow, header: int) -> float:
        table = self.table
        own = COMMON.get(row.name) or FREQUENT.get(row.name) or RARE.get(row.name, USUAL)
        parent = table.parent[node] if node else NONE
        if parent == NONE:
            before, self.memory.root = self.memory.root, row.number if not node else self.memory.root
            return min(own, SAME_TYPE) if before == row.number else own
        index = node - table.first[parent]
        if table.has_pairs(parent):
            if index % 2:
                return own
            is_text, last = row.kind is Kind.STRING, table.row(node - 2) if index else None
            if last is not None and (row is last or (is_text and last.kind is Kind.STRING)):
                return KEY
            bits = KEY if is_text else NUMBER_KEY if row.name == "int" else ODD_KEY + own
            return bits + MIXED_KEYS if index else bits
        if not index:
            return own
        return SAME_TYPE if self._is_as_before(node - 1, header) else OTHER_TYPE + own

    def _is_as_before(self, before: int, header: int) -> bool:
        """Whether another node is of the same type."""
        return u32(self.table.buffer, self.table.start[before]) & 0xFF == header & 0xFF

    def _odd_flags(self, row: TypeRow, header: int) -> float:
        rules = self.table.dialect.rules
        allowed = rules.header_mask | meaning_bits(row, rules)
        return ODD_FLAGS if header & ~allowed & 0xFFFFFFFF or row.number != header & 0xFF else 0.0

    def _payload(self, node: int, row: TypeRow, header: int, start: int, end: int) -> float:
        table, kind = self.table, row.kind
        if kind is Kind.FIXED:
            return self._fixed(row, header, start + 4, table.end(node))
        if start + HEAD > end:
            self.told_to = start + 4
            return 0.0
        match kind:
            case Kind.STRING:
                self.told_to = min(self.told_to, start + HEAD + (u32(self.buffer, start + 4) + 3 & ~3))
                return self._key_text(start + 4, end, node)
            case Kind.DICTIONARY:
                pairs = count_bits(table.child_count(node) // 2)
                return pairs + self._repeated(node) + self._element_type(header, start)
            case Kind.ARRAY | Kind.TYPED_ARRAY:
                return count_bits(table.child_count(node)) + self._element_type(header, start)
            case Kind.PACKED:
                return self._packed(row, header, start, table.end(node))
            case Kind.PACKED_STRINGS:
                return count_bits(u32(self.buffer, start + 4)) + self._texts(start + 8, table.end(node), True)
            case Kind.NODE_PATH | Kind.INDEXED_PATH:
                return self._node_path(start, table.end(node))
            case Kind.OBJECT | Kind.RESOURCE if not header & FLAG_64:
                return self._text(start + 4, table.end(node))[0]
            case (
                Kind.OBJECT
                | Kind.RESOURCE
                | Kind.NULL_OBJECT
                | Kind.REFERENCE
                | Kind.SIGNAL
                | Kind.IMAGE
                | Kind.INPUT_EVENT
            ):
                return raw_bits(bytes(self.buffer[start + 4 : end]))
            case _:
                assert_never(kind)

    def _node_path(self, start: int, end: int) -> float:
        raw = bytes(self.buffer[start + 4 : end])
        if raw in self.texts:
            return SEEN
        self.texts[raw] = 1
        return 4.0 + self._texts(start + 16, end, False)

    def _element_type(self, header: int, start: int) -> float:
        """The types of elements in the head of a collection; what else stands there is told as bytes."""
        shared = u32(self.buffer, self.told_to - 4) & SHARED if self.told_to - start >= HEAD else 0
        if shared and not self.table.dialect.rules.shared_bit:
            return ODD_FLAGS
        if header >> 16 & 0xF or self.told_to - start <= HEAD:
            return TYPED * (header >> 16 & 0xF > 0)
        self.told_to = start + HEAD
        return 0.0

    # Numbers

    def _fixed(self, row: TypeRow, header: int, at: int, end: int) -> float:
        if not row.narrow:
            self.told_to = at
            return 0.0
        bits = 0.0
        fields = row.fields(header)
        wide = header & FLAG_64 and row.has_wide
        for each in fields:
            if at + each.size > end:
                return bits + FLAG
            bits += self._channel(at, each.name) if row.name == "Color" else self._number(at, each.type)
            at += each.size
        self.told_to = at
        if wide:
            bits += 4.0 if row.real else self._needless(at, fields[-1].type)
        return bits

    def _needless(self, end: int, kind: str) -> float:
        """What it costs that a number is wider than it need be: engines write what fits without the flag."""
        raw = bytes(self.buffer[end - 8 : end])
        if kind == "i64":
            return ODD_FLAGS if -(1 << 31) <= I64.unpack(raw)[0] < 1 << 31 else 4.0
        return ODD_FLAGS if _is_single(F64.unpack(raw)[0]) else 4.0

    def _number(self, at: int, kind: str) -> float:
        if kind == "u8":
            return BYTE
        if kind == "bool":
            return 1.0 if u32(self.buffer, at) < 2 else FLAG
        struct = STRUCTS.get(kind)
        if struct is None:
            return BYTE * {"u32": 4, "u64": 8}[kind]
        return _number_bits(bytes(self.buffer[at : at + struct.size]), kind)

    def _channel(self, at: int, name: str) -> float:
        """The bits of one channel of a colour: most lie between 0 and 1, and alpha is 1."""
        number = F32.unpack(bytes(self.buffer[at : at + 4]))[0]
        if number == 1.0:
            return 0.5 if name == "a" else 2.0
        bits = self._number(at, "f32")
        return min(bits, CHANNEL) if 0 <= number <= 1 else bits + OUTSIDE

    def _packed(self, row: TypeRow, header: int, start: int, end: int) -> float:
        fields = row.fields(header)
        count, at = u32(self.buffer, start + 4), start + 8
        bits = count_bits(count)
        if fields[0].type == "u8":
            raw = bytes(self.buffer[at : at + min(count, MOST_RAW)])
            fill = bytes(self.buffer[at + count : end])
            odd = any(fill) and self.judges_fill
            return bits + raw_bits(raw) * max(1.0, count / MOST_RAW) + (ODD_FILL * len(fill) if odd else 0.0)
        size = sum(each.size for each in fields)
        self.told_to = min(self.told_to, at + count * size)
        step = max(1, count // SAMPLED)
        told = 0.0
        taken = 0
        for k in range(0, count, step):
            place = at + k * size
            if place + size > end:
                break
            for each in fields:
                told += self._number(place, each.type)
                place += each.size
            taken += 1
        return bits + (told * count / taken if taken else 0.0)

    # Texts

    def _key_text(self, at: int, end: int, node: int) -> float:
        """The text of a String, told by the one before it where it is a key that follows the same key elsewhere."""
        raw = bytes(self.buffer[at:end])
        table = self.table
        parent = table.parent[node] if node else NONE
        if parent != NONE and table.has_pairs(parent) and not (node - table.first[parent]) % 2:
            index = node - table.first[parent]
            before = b""
            if index:
                previous = table.start[node - 2]
                before = bytes(self.buffer[previous : min(table.end(node - 2), previous + 256)])
            own = bytes(self.buffer[table.start[node] : min(table.end(node), table.start[node] + 256)])
            known = self.after.get(before)
            self.after[before] = own
            if known == own:
                self.texts[raw] = 1
                return SAME_KEYS
        return self._text(at, end)[0]

    def _text(self, at: int, end: int, closed: bool = False) -> tuple[float, int]:
        """The bits of the text whose length stands at *at*, and where the next begins."""
        if at + 4 > end:
            return FLAG, end
        length = u32(self.buffer, at)
        raw = bytes(self.buffer[at + 4 : min(end, at + 4 + length)])
        after = at + 4 + (length + 3 & ~3)
        fill = bytes(self.buffer[at + 4 + length : min(end, after)])
        bits = ODD_FILL * (after - end) if len(raw) == length and end < after and end == len(self.buffer) else 0.0
        if any(fill) and self.judges_fill:
            bits += ODD_FILL * len(fill)
        if closed:
            bits += 0.0 if raw.endswith(b"\0") else OPEN
            raw = raw.removesuffix(b"\0")
        if raw in self.texts and len(raw) > 1:
            return bits + SEEN, after
        self.texts[raw] = 1
        return bits + (_short_text_bits(raw) if len(raw) <= REMEMBERED else text_bits(raw)), after

    def _texts(self, at: int, end: int, closed: bool) -> float:
        bits = 0.0
        taken = 0
        start = at
        while at < end and taken < SAMPLED:
            more, at = self._text(at, end, closed)
            bits += more
            taken += 1
        return bits if at >= end or at <= start else bits * (end - start) / (at - start)

    def _repeated(self, node: int) -> float:
        """What it costs that keys are there twice."""
        table = self.table
        seen: set[bytes] = set()
        bits = 0.0
        for key in table.children(node)[: 2 * SAMPLED : 2]:
            if table.parent[key] == NONE:
                continue
            raw = bytes(self.buffer[table.start[key] : min(table.end(key), table.start[key] + 256)])
            bits += DUPLICATE if raw in seen else 0.0
            seen.add(raw)
        return bits


def _some(table: NodeTable, near: int) -> Iterator[int]:
    """The nodes to tell, in the order of their bytes as far as their ids are."""
    if len(table) <= WHOLE:
        yield from table.nodes
        return
    node = table.at(min(max(0, near - AROUND), table.end_of_data - 1)) if table.end_of_data else NONE
    for _ in range(MOST_AROUND):
        if node == NONE:
            return
        yield node
        node = _following(table, node)


def _following(table: NodeTable, node: int) -> int:
    """The node behind another in the order of their bytes, NONE behind the last."""
    if table.child_count(node):
        return table.first[node]
    for _ in range(MOST_LEVELS):
        parent = table.parent[node]
        if parent == NONE:
            return NONE
        if node + 1 < len(table) and table.parent[node + 1] == parent:
            return node + 1
        node = parent
    return NONE


def text_bits(raw: bytes) -> float:
    """The bits of the letters of a text."""
    try:
        shown = raw.decode()
    except UnicodeDecodeError:
        return BAD_TEXT * len(raw) + FLAG
    bits = 3.0 + log2(len(shown) + 1)
    signs = shown if len(shown) <= 512 else shown[:512]
    amid = AMID_LATIN if any("a" <= sign <= "z" for sign in signs) else 0.0
    for sign in signs:
        known = SIGNS.get(sign)
        if known is None:
            known = CONTROL if sign < " " or sign == "\x7f" else _letter_bits(sign, amid)
        bits += known
    bits -= signs.count("\r\n") * (SIGNS["\r"] - END_OF_LINE)
    return bits if len(signs) == len(shown) else bits * len(shown) / len(signs)


_short_text_bits = lru_cache(1 << 12)(text_bits)
"""The same of short texts, which most explanations of the same bytes tell."""


def _letter_bits(sign: str, amid: float) -> float:
    """The bits of a letter that is not one of English: other scripts seldom stand amid Latin letters."""
    if not sign.isalpha():
        return UNUSUAL
    if sign < "\u0250":
        return LETTER
    return amid + (OTHER_LETTER if sign < "\u0600" else WORD_SIGN)


@lru_cache(1 << 12)
def _number_bits(raw: bytes, kind: str) -> float:
    """The bits of an int or a float; most explanations of the same bytes tell the same numbers."""
    struct = STRUCTS[kind]
    number = struct.unpack(raw)[0]
    most = BYTE * struct.size + UNLIKELY
    if kind[0] == "i":
        return min(most, _int_bits(number))
    if number != number:
        return NO_NUMBER if raw in NAN_BITS else most
    return min(most, _float_bits(number, 23 if kind == "f32" else 52))


def _int_bits(number: int) -> float:
    size = abs(number)
    if size < 1 << 16:
        bits = 1.5 * log2(size + 1) + (2.0 if number >= 0 else 3.0)
    elif size < 1 << 32:
        bits = (22.0 if number % 1000 == 0 else 29.0) + (log2(size) - 16) * 0.45
    elif size < EXACT or size >> 32 == ACCOUNTS:
        bits = 44.0 + (log2(min(size, EXACT)) - 32) * 0.6
    else:
        bits = BYTE * 8
    if bits > LIMIT:
        near = next((each for each in (size, size + 1, size - 1) if not each & (each - 1)), 0)
        return min(bits, LIMIT if near in ENDS else POWER_OF_TWO) if near else bits
    return bits


def _is_single(number: float) -> bool:
    try:
        return bool(F32.unpack(F32.pack(number))[0] == number)
    except OverflowError:
        return False


def _float_bits(number: float, mantissa: int) -> float:
    """The bits of a float: whole and short decimal numbers are short, so is what lies about one."""
    if number == 0:
        return 2.0 if copysign(1.0, number) > 0 else NEGATIVE_ZERO
    if not isfinite(number):
        return ENDLESS
    size = abs(number)
    if size < 1 << 24 and number == int(number):
        return 3.0 + 1.6 * log2(size + 1)
    exponent = abs(log2(size))
    bits = 5.0 + (0.25 * exponent if exponent < 20 else 5.0 + (exponent - 20) * 1.5)
    digits, power, beside = _decimal(number, mantissa)
    short = DECIMAL + DIGIT * digits + POWER * log2(abs(power) + 1)
    return min(bits + min(mantissa - 1.0, 2.5 * digits + NEAR * beside), short + NEAR * beside)


def _decimal(number: float, mantissa: int) -> tuple[int, int, bool]:
    """How many digits the decimal has that tells a float, its power of ten, and whether the float is one beside it."""
    most = DIGITS[mantissa]
    told, power = f"{number:.{most - 1}e}".split("e")
    digits = len(told.replace(".", "").lstrip("-").rstrip("0"))
    return digits, int(power), mantissa == 52 and float(f"{told}e{power}") != number
