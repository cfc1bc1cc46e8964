"""Keys in paths: how the key of a pair is written, and which keys of one dictionary are written alike.

A key may hold values as any other value does, keys of dictionaries among them. Written out at every level, such keys
would take the square of their bytes. So a long key is not written but counted: ``[#3]`` is the third pair.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from viewer.base.buffer import Buffer, Bytes, in_memory, u32
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.variant import hops, text
from viewer.variant.dialect import FLAG_64, NAMED, Dialect, Field, Kind, TypeRow
from viewer.variant.key_forms import plan
from viewer.variant.literal.printing import format_literal
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.read import read
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

# The keys of a dictionary, and the names of an object, that hold a value: found by their bytes.
#
# A key is *plain* where nothing but its own bytes (in one of two widths, for a number) reads as its value: proper
# UTF-8, numbers that are no NaN. All others are odd: they must be read to know what they hold.


KEYS = 1 << 15
"""So many are looked at in one go."""
WINDOW = 1 << 20
SPARSE = 1 << 12
"""Where a pair has more bytes than this, a buffer on disk is read key by key."""
ALL_BITS = 0xFFFFFFFF
FEW = 64
"""Children among which a key is looked for without a memory of what was found."""


@dataclass(frozen=True, slots=True)
class KeyBytes:
    """The bytes of a plain key.

    Args:
        size: of the whole key with its fill, in bytes.
        mask: the bits of the first word that count; *word* is what they are.
        body: what follows the first word, without the fill.
    """

    size: int
    mask: int
    word: int
    body: bytes


def forms(value: Value, dialect: Dialect, named: bool) -> list[KeyBytes]:
    """The bytes that stand for a value where it is plain; none where it never is.

    Args:
        value: a key, read without its children.
        dialect: how the bytes are read.
        named: whether it is a property's name, text without a header.
    """
    row = dialect.by_name.get(value.type)
    if row is None or dialect.rules.closed_texts:
        return []
    if row.kind is Kind.STRING and isinstance(value.data, str):
        return [text_form(text.write(str(value.data)), row, dialect, named)]
    if row.kind is not Kind.FIXED or named:
        return []
    mask, narrow = dialect.rules.header_mask, _packed(value, row.narrow)
    if not row.has_wide:
        return [] if narrow is None else [KeyBytes(4 + len(narrow), mask, row.number, narrow)]
    wide = _packed(value, row.wide)
    pairs = ((row.number, narrow), (row.number | FLAG_64, wide))
    return [KeyBytes(4 + len(body), mask | FLAG_64, word, body) for word, body in pairs if body is not None]


def text_form(raw: bytes, row: TypeRow, dialect: Dialect, named: bool) -> KeyBytes:
    """The bytes that stand for a text; *row* is its type, *named* says whether it is a property's name."""
    size = len(raw) + 3 & ~3
    if named:
        return KeyBytes(4 + size, ALL_BITS, len(raw), raw)
    return KeyBytes(8 + size, dialect.rules.header_mask, row.number, len(raw).to_bytes(4, "little") + raw)


def _packed(value: Value, fields: tuple[Field, ...]) -> bytes | None:
    """The fields of a value, None where they cannot hold it."""
    data = value.data if isinstance(value.data, tuple) else (value.data,) if fields else ()
    if any(number is None for number in data):  # cut off
        return None
    try:
        return b"".join(encode_number(number, field.type) for number, field in zip(data, fields, strict=True))  # type: ignore[arg-type]
    except (EncodeError, TypeError, ValueError):
        return None


def equal(table: NodeTable, node: int, form: KeyBytes) -> array[int]:
    """The keys of *node* that have this form, in order; a last key without a value is not looked at."""

    def find(start: memoryview, first: int, stop: int, raw: Bytes, low: int, found: array[int]) -> int:
        return hops.equal_keys(start, first, stop, raw, low, form.size, form.mask, form.word, form.body, found)

    return _collected(table, node, find)


def odd(table: NodeTable, node: int, named: bool) -> array[int]:
    """The keys of *node* that are not plain, in order; a last key without a value is always one of them.

    In a binary resource no key is looked for by its bytes: there all are odd.
    """
    if table.dialect.rules.closed_texts:
        return array("I", table.children(node)[::2])
    kinds, sizes = plan(table.dialect)
    mask = table.dialect.rules.header_mask

    def find(start: memoryview, first: int, stop: int, raw: Bytes, low: int, found: array[int]) -> int:
        return hops.odd_keys(start, first, stop, raw, low, mask, kinds, sizes, named, found)

    keys, children = _collected(table, node, find), table.children(node)
    if len(children) % 2:
        keys.append(children[-1])
    return keys


def is_first(table: NodeTable, node: int, key: int, form: KeyBytes, named: bool) -> bool:
    """Whether all keys of *node* before *key* are plain and of another form; False also where that takes longer.

    For the first of few keys in memory this is far less work than :func:`odd` and :func:`equal`.
    """
    first, buffer = table.first[node], table.buffer
    if key == first:
        return True
    if key - first > FEW or not in_memory(buffer):
        return False
    found = array("I", bytes(4 * (key - first >> 1)))
    if hops.equal_keys(table.start, first, key, buffer, 0, form.size, form.mask, form.word, form.body, found):
        return False
    kinds, sizes = plan(table.dialect)
    mask = table.dialect.rules.header_mask
    return not hops.odd_keys(table.start, first, key, buffer, 0, mask, kinds, sizes, named, found)


Find = Callable[["memoryview", int, int, Bytes, int, "array[int]"], int]


def _collected(table: NodeTable, node: int, find: Find) -> array[int]:
    """What *find* finds in all windows."""
    children, start = table.children(node), table.start
    first, stop = children.start, children.stop - len(children) % 2
    out = array("I")
    found = array("I", bytes(4 * min(KEYS, len(children))))
    for begin, end, raw, low in _windows(table, first, stop):
        count = find(start, begin, end, raw, low, found)
        if count:
            out += found[:count]
    return out


def _windows(table: NodeTable, first: int, stop: int) -> Iterator[tuple[int, int, Bytes, int]]:
    """Ids of keys and values, with bytes that hold all keys among them, and where these begin."""
    buffer, start = table.buffer, table.start
    if first == stop:
        return
    if in_memory(buffer):
        for begin in range(first, stop, 2 * KEYS):
            yield begin, min(begin + 2 * KEYS, stop), buffer, 0
        return
    window = WINDOW if start[stop - 1] - start[first] < SPARSE * (stop - first) // 2 else 0
    while first < stop:
        reach = bisect_right(start, start[first] + window, first + 1, stop) - first
        end = first + max(2, min(reach & ~1, 2 * KEYS))
        yield first, end, buffer[start[first] : start[end - 1]], start[first]
        first = end


# Keys as segments of a path.


IDENTIFIER = late_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
MANY = 16
"""What is found among so many keys is remembered."""
REMEMBERED = 256
LONGEST_PLAIN = 1 << 12
LONGEST_HOLDING = 1 << 7
"""Longer keys, in bytes, are counted: those that hold no values, and those that do."""
COUNTED = late_pattern(r"#([1-9][0-9]{0,17})")
SHORT, FORMS = 256, 1 << 12
"""Keys of so few bytes are read once for all that have the same bytes, and so many different ones are remembered."""


def key_segment(table: NodeTable, key: int) -> str:
    """A key as a path segment, without a rank: ``.gold``, ``["any key"]``, ``[#3]`` for a long one."""
    return counted_segment(table, key) if is_long(table, key) else value_segment(read(table, key), table.dialect)


def is_long(table: NodeTable, key: int) -> bool:
    """Whether a key is too long to be written in a path."""
    longest = LONGEST_HOLDING if table.first[key] else LONGEST_PLAIN
    return table.end(key) - table.start[key] > longest


def counted_segment(table: NodeTable, key: int) -> str:
    """A key as a path segment by the number of its pair, from 1 on."""
    return f"[#{table.index(key) // 2 + 1}]"


def counted_key(table: NodeTable, node: int, text: str) -> int | None:
    """The key of the pair that ``#3`` counts in a dictionary or object; None where it counts none."""
    found = COUNTED.fullmatch(text)
    place = 2 * int(found[1]) - 2 if found else -1
    return table.first[node] + place if 0 <= place < table.child_count(node) else None


def value_segment(value: Value, dialect: Dialect) -> str:
    """A key as a path segment, by its value."""
    if value.type == "String" and isinstance(value.data, str) and IDENTIFIER.fullmatch(value.data):
        return f".{value.data}"
    return f"[{format_literal(value, dialect)}]"


@dataclass(frozen=True, slots=True)
class PlainKey:
    """A key that is a plain text and the first of its kind, as a path segment that is written later.

    Args:
        text: what the key holds.
        type: the type of text.
        dialect: how it is written.
    """

    text: str
    type: str
    dialect: Dialect

    def __str__(self) -> str:
        return value_segment(Value(self.type, self.text), self.dialect)


def key_name(table: NodeTable, key: int, named: bool) -> PlainKey | str:
    """What a key is called in a path; words where it is no plain text.

    Args:
        table: the frame's nodes.
        key: a key or property's name.
        named: whether it is a property's name.
    """
    return _plain_key(table, key, named) or ranked_segment(table, key)


def _plain_key(table: NodeTable, key: int, named: bool) -> PlainKey | None:
    if table.first[key] or table.gaps or key in table.assumed or is_long(table, key):
        return None
    dialect, at = table.dialect, table.start[key]
    if dialect.rules.closed_texts:
        return None
    row = dialect.by_name["String"] if named else dialect.row(u32(table.buffer, at))
    if row is None or row.kind is not Kind.STRING:
        return None
    at += 0 if named else 4
    length, end = u32(table.buffer, at), table.end(key)
    raw = bytes(table.buffer[at + 4 : min(at + 4 + length, end)])
    if len(raw) != length or not raw.isascii() or b"\0" in raw:
        return None
    form = text_form(raw, row, dialect, named)
    first_there = is_first(table, table.parent[key], key, form, named)
    return PlainKey(raw.decode("ascii"), row.name, dialect) if first_there else None


def ranked_segment(table: NodeTable, key: int) -> str:
    """A key as a path segment; the second of those that are written alike with ``#2``."""
    if is_long(table, key):
        return counted_segment(table, key)
    value = read(table, key)
    text = value_segment(value, table.dialect)
    if not table.index(key):
        return text
    rank = bisect_left(alike(table, table.parent[key], text, value, key), key) + 1
    return text if rank == 1 else f"{text}#{rank}"


def last_alike(table: NodeTable, key: int, nodes: Sequence[int]) -> int:
    """The last of the keys in some dictionaries, which stand in order, that are written like one; it, where none is."""
    if is_long(table, key):
        return key
    value, own = read(table, key), table.parent[key]
    text = value_segment(value, table.dialect)
    found = (alike(table, node, text, value, key if node == own else -1) for node in reversed(nodes))
    return next((keys[-1] for keys in found if len(keys)), key)


def named_alike(table: NodeTable, node: int) -> list[int]:
    """A value of a dictionary, and those behind it whose keys are written like its own."""
    key = node - 1
    if is_long(table, key):
        return [node]
    value = read(table, key)
    keys = alike(table, table.parent[key], value_segment(value, table.dialect), value, key)
    return [each + 1 for each in keys if each >= key] or [node]


def alike(table: NodeTable, node: int, text: str, value: Value | None, known: int = -1) -> Sequence[int]:
    """The keys of a dictionary or object that are written as *text*, in order.

    Args:
        table: the frame's nodes.
        node: the dictionary or object.
        text: the segment, without a rank.
        value: what it stands for, None where no value is written so.
        known: one of these keys, if one is known.
    """
    found = _alike(table, node, text, value, known)
    return found if found or known >= 0 or value is None else _long_alike(table, node, text, value)


def _long_alike(table: NodeTable, node: int, text: str, value: Value) -> Sequence[int]:
    """The long keys that hold values and would be written as *text*, which a person may do though paths do not."""
    if not isinstance(value.data, Array | Dictionary | ObjectFull):
        return ()
    keys = (key for key in table.children(node)[::2] if table.first[key] and is_long(table, key))
    return [key for key in keys if value_segment(read(table, key), table.dialect) == text]


def _alike(table: NodeTable, node: int, text: str, value: Value | None, known: int) -> Sequence[int]:
    if table.child_count(node) < 2 * MANY:
        return _Alike(table, node).find(text, value, known)
    book = table.memo
    if not isinstance(book, _Book) or book.buffer is not table.buffer:
        book = table.memo = _Book(table.buffer)
    found = book.found.get((node, text))
    if found is None:
        found = book.alike(table, node).find(text, value, known)
        book.keep((node, text), found)
    return found


class _Book:
    """What is known of a table's large dictionaries, as long as the bytes are the same.

    It holds no table, whose memory serves the next scan, and what it holds never changes, so that several threads may
    ask.
    """

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.found: dict[tuple[int, str], Sequence[int]] = {}
        self._odd: dict[int, dict[int, list[int]]] = {}

    def keep(self, which: tuple[int, str], found: Sequence[int]) -> None:
        """Remember what was found."""
        if len(self.found) >= REMEMBERED:
            self.found = {}
        self.found[which] = found

    def alike(self, table: NodeTable, node: int) -> _Alike:
        """What finds keys of *node*; its odd keys are read only once."""
        found = _Alike(table, node, self._odd.get(node))
        if node not in self._odd:
            if len(self._odd) >= REMEMBERED:
                self._odd = {}
            self._odd[node] = found.odd
        return found


class _Alike:
    """Finds keys of one dictionary by how they are written.

    Plain keys are found by their bytes, odd ones by the hash of their text.
    """

    def __init__(self, table: NodeTable, node: int, odd: dict[int, list[int]] | None = None) -> None:
        row = table.row(node)
        self.table = table
        self.node = node
        self.named = row is not None and row.kind in NAMED
        self.odd = self._odd() if odd is None else odd

    def _odd(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        known: dict[bytes, int] = {}  # what damaged one key often damaged many alike
        table = self.table
        for key in odd(table, self.node, self.named):
            start, end = table.start[key], table.end(key)
            raw = bytes(table.buffer[start:end]) if end - start <= SHORT and key not in table.assumed else b""
            written = known.get(raw) if raw else None
            if written is None:
                written = hash(key_segment(table, key))
                if raw and len(known) < FORMS:
                    known[raw] = written
            found.setdefault(written, []).append(key)
        return found

    def find(self, text: str, value: Value | None, known: int = -1) -> Sequence[int]:
        """All keys that are written as *text*; *known* is one of them, -1 where none is known."""
        groups: list[Sequence[int]] = [self.odd.get(hash(text), ())]
        for form in () if value is None else forms(value, self.table.dialect, self.named):
            groups.append(equal(self.table, self.node, form))
        groups = [group for group in groups if group and self._is_written(group, text, known)]
        return groups[0] if len(groups) == 1 else array("I", sorted({key for group in groups for key in group}))

    def _is_written(self, group: Sequence[int], text: str, known: int) -> bool:
        """Whether keys that read alike are written so: what another text means may round to the same bytes."""
        place = bisect_left(group, known)
        if place < len(group) and group[place] == known:
            return True
        return value_segment(read(self.table, group[0]), self.table.dialect) == text
