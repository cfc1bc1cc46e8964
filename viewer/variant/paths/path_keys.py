"""Keys in paths: how the key of a pair is written, and which keys of one dictionary are written alike.

A key may hold values as any other value does, keys of dictionaries among them. Written out at every level, such keys
would take the square of their bytes. So a long key is not written but counted: ``[#3]`` is the third pair.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

from viewer.base.buffer import Buffer, u32
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.variant.dialect import NAMED, Dialect, Kind
from viewer.variant.literal.printing import format_literal
from viewer.variant.paths import plain_keys
from viewer.variant.read import read
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

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
    form = plain_keys.text_form(raw, row, dialect, named)
    is_first = plain_keys.is_first(table, table.parent[key], key, form, named)
    return PlainKey(raw.decode("ascii"), row.name, dialect) if is_first else None


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
        for key in plain_keys.odd(table, self.node, self.named):
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
        for form in () if value is None else plain_keys.forms(value, self.table.dialect, self.named):
            groups.append(plain_keys.equal(self.table, self.node, form))
        groups = [group for group in groups if group and self._is_written(group, text, known)]
        return groups[0] if len(groups) == 1 else array("I", sorted({key for group in groups for key in group}))

    def _is_written(self, group: Sequence[int], text: str, known: int) -> bool:
        """Whether keys that read alike are written so: what another text means may round to the same bytes."""
        place = bisect_left(group, known)
        if place < len(group) and group[place] == known:
            return True
        return value_segment(read(self.table, group[0]), self.table.dialect) == text
