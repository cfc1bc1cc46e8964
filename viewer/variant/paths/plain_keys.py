"""The keys of a dictionary, and the names of an object, that hold a value: found by their bytes.

A key is *plain* where nothing but its own bytes (in one of two widths, for a number) reads as its value: proper UTF-8,
numbers that are no NaN. All others are odd: they must be read to know what they hold.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator

from viewer.base.buffer import Bytes, in_memory
from viewer.base.record import dataclass
from viewer.variant import hops, text
from viewer.variant.dialect import FLAG_64, Dialect, Field, Kind, TypeRow
from viewer.variant.key_forms import plan
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

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
