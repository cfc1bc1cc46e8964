"""How much a scanned value looks like something a game would store.

Several engine lines may read the same bytes without an error; what they make of them tells them apart. A number near
one is a likely one, a text of printable characters a likely text, a float of 1e-41 is probably a count.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import isfinite
from typing import assert_never

from viewer.base.buffer import Buffer, u32
from viewer.base.late_pattern import late_pattern
from viewer.variant.dialect import FLAG_64, Dialect, Kind, TypeRow, input_event, meaning_bits
from viewer.variant.items import LONG, PartCutter, number
from viewer.variant.read import is_script, read_shallow
from viewer.variant.table import NONE, NodeTable
from viewer.variant.value import RawText

SAMPLE = 256
FEW = 1 << 13
"""In more bytes texts are not looked for."""
LENGTHS = late_pattern(rb"(?=([\x03-\x40])\0\0\0|\0\0\0([\x03-\x40]))")
"""What may be the length of a key or name, in either byte order."""
MOST_PARTS = 64
RARE = frozenset(
    {"RID", "Callable", "Signal", "Object", "Image", "InputEvent", "Projection", "TypedArray", "PackedTypedArray"}
)
CLASS, LONGEST_CLASS = late_pattern(rb"[^\0-/:-@\[-^`{-\x7f]+"), 256
"""What a class is called: letters, of any alphabet, digits and underscores; and in so many bytes."""
FLAGS, ELEMENT_BITS = 0xF << 16, 3 << 16
"""The bits of a header that mean something in any engine line; those that say what an array of Godot 4 holds."""
EVENT_WORDS = 12
"""Bytes of an InputEvent that all types have, and that its length counts: type, device and the length itself."""
MOST_ELEMENTS = 8
GOOD, FAIR, POOR, BAD = 1.0, 0.7, 0.3, 0.0


def plausibility(table: NodeTable, sample: int = SAMPLE) -> float:
    """How likely the values of a table are, 0 to 1, judged by about *sample* of its nodes."""
    total, weight = 0.0, 0
    for node in _some(table, sample):
        total += _node(table, node)
        weight += 1
    return total / weight if weight else 0.0


def _some(table: NodeTable, sample: int) -> Iterator[int]:
    """All nodes of a small table; of a large one some, keys and values alike: the steps are odd."""
    parent = table.parent
    step = -(-len(parent) // sample) | 1 if len(parent) > sample else 1
    return (node for node in range(0, len(parent), step) if node == 0 or parent[node] != NONE)


def _node(table: NodeTable, node: int) -> float:
    header = table.header(node)
    row = table.dialect.row(header)
    if row is None:
        return BAD
    score = _flags(table, row, header)
    if row.name in RARE:
        score *= FAIR
    match row.kind:
        case Kind.FIXED:
            return score * _fixed(table, node, row, header)
        case Kind.PACKED:
            return score * _packed(table, node, row, header)
        case Kind.STRING | Kind.NODE_PATH | Kind.INDEXED_PATH | Kind.PACKED_STRINGS:
            return score * (GOOD if row.kind is Kind.STRING and _is_plain(table, node) else _texts(table, node))
        case Kind.DICTIONARY:
            return score * _keys(table, node)
        case Kind.OBJECT | Kind.RESOURCE:
            return score if header & FLAG_64 else score * _class(table, node)
        case Kind.TYPED_ARRAY:
            return score * _typed_elements(table, node)
        case Kind.INPUT_EVENT:
            return BAD if length_lies(table, node) else score
        case Kind.ARRAY | Kind.NULL_OBJECT | Kind.REFERENCE | Kind.SIGNAL | Kind.IMAGE:
            return score
        case _:
            assert_never(row.kind)


def _flags(table: NodeTable, row: TypeRow, header: int) -> float:
    """Bits of a header that mean nothing are an accident; those that mean something for other types a smaller one."""
    rules = table.dialect.rules
    if header & ~(rules.header_mask | FLAGS):
        return BAD
    return POOR if header & FLAGS & ~meaning_bits(row, rules) else GOOD


def holds_false_event(table: NodeTable) -> bool:
    """Whether one of the first values is an InputEvent of Godot 2 whose length lies."""
    return _has_events(table.dialect) and any(
        length_lies(table, node) for node in islice(table.nodes, SAMPLE) if not table.is_name(node)
    )


@cache
def _has_events(dialect: Dialect) -> bool:
    """Whether an engine line writes any InputEvent."""
    return any(row.kind is Kind.INPUT_EVENT for row in dialect.rows)


def length_lies(table: NodeTable, node: int) -> bool:
    """Whether an InputEvent of Godot 2 states another length than the one that its type has.

    The engine never looks at it but always writes it true, so that one which lies is hardly an InputEvent.
    """
    row, at = table.row(node), table.start[node]
    if row is None or row.kind is not Kind.INPUT_EVENT or at + 16 > len(table.buffer):
        return False
    fields = input_event(u32(table.buffer, at + 4)).fields
    return u32(table.buffer, at + 12) != EVENT_WORDS + sum(field.size for field in fields)


def _typed_elements(table: NodeTable, node: int) -> float:
    """The elements are of the type that the array states: an engine drops all others."""
    stated = u32(table.buffer, table.start[node] + 4) if table.start[node] + 8 <= len(table.buffer) else 0
    first = [table.header(child) for child in islice(table.children(node), MOST_ELEMENTS)]
    return GOOD if all(header & 0xFF == stated for header in first) else BAD


def _fixed(table: NodeTable, node: int, row: TypeRow, header: int) -> float:
    end, at = table.end(node), table.start[node] + 4
    score = GOOD
    for field in row.fields(header):
        if at + field.size > end:
            break
        score = min(score, _number(number(table.buffer, at, field.type), field.type))
        at += field.size
    return score


def _number(value: object, kind: str) -> float:
    if isinstance(value, float):
        return _float(value)
    if not isinstance(value, int):
        return BAD
    if kind == "bool":
        return GOOD if value in (0, 1) else POOR
    if kind == "i64":
        return GOOD if -(1 << 53) < value < 1 << 53 else FAIR
    return GOOD if abs(value) < 1 << 24 else FAIR


def _float(value: float) -> float:
    if not isfinite(value):
        return FAIR
    size = abs(value)
    if size == 0 or 1e-5 <= size < 1e8:
        return GOOD
    return FAIR if 1e-20 <= size < 1e20 else POOR if size >= 1e-37 else BAD


def _packed(table: NodeTable, node: int, row: TypeRow, header: int) -> float:
    fields = row.fields(header)
    end, at = table.end(node), table.start[node] + 8
    scores: list[float] = []
    while at + fields[0].size <= end and len(scores) < 16 and fields[0].type != "u8":
        scores.append(_number(number(table.buffer, at, fields[0].type), fields[0].type))
        at += fields[0].size
    return sum(scores) / len(scores) if scores else GOOD


def _is_plain(table: NodeTable, node: int) -> bool:
    """Whether a String is one of printable ASCII with zeros as fill, as nearly all are: no part of it needs a look."""
    if table.first[node] or table.gaps or table.assumed or table.names is not None or table.dialect.rules.closed_texts:
        return False
    begin, end = table.start[node] + (4 if table.is_name(node) else 8), table.end(node)
    size = u32(table.buffer, begin - 4) if begin <= end else LONG
    if size >= LONG or begin + size > end:
        return False
    text, fill = (
        bytes(table.buffer[begin : begin + size]),
        table.buffer[begin + size : min(end, begin + size + -size % 4)],
    )
    return text.isascii() and text.decode("ascii").isprintable() and not any(fill)


def _texts(table: NodeTable, node: int) -> float:
    score = GOOD
    for part in islice(PartCutter(table, node).parts(), MOST_PARTS):
        if part.type == "text" and isinstance(part.value, str):
            if isinstance(part.value, RawText) and 0 in part.value.raw:
                return POOR  # engines read a text up to its first NUL and write none
            printable = part.value.isprintable() or part.value.replace("\n", "").replace("\t", "").isprintable()
            score = min(score, GOOD if printable else POOR)
        elif part.name == "padding" and part.value and any(part.value):  # type: ignore[arg-type]
            score = min(score, GOOD if table.dialect.rules.unwritten_padding == "all" else POOR)
    return score


def _class(table: NodeTable, node: int) -> float:
    """The name of an object's class is a word, without one it is null; where a script is a path, none is an object."""
    if table.dialect.rules.script_paths:
        names = table.children(node)[: 2 * MOST_PARTS : 2]
        values = (table.row(name + 1) for name in names if name + 1 < len(table) and is_script(table, name))
        if any(row is not None and row.kind is Kind.OBJECT for row in values):
            return BAD
    at, end = table.start[node] + 4, table.end(node)
    size = u32(table.buffer, at) if at + 4 <= end else 0
    name = bytes(table.buffer[at + 4 : min(at + 4 + size, at + 4 + LONGEST_CLASS, end)])
    return GOOD if not size or (size <= LONGEST_CLASS and CLASS.fullmatch(name)) else BAD


def _keys(table: NodeTable, node: int) -> float:
    """Keys are mostly texts and whole numbers."""
    for key in list(table.children(node)[:8:2]):
        row = table.row(key)
        if row is None or row.group not in ("text", "number", "path", "boolean", "vector"):
            return FAIR
        if row.kind is Kind.STRING and read_shallow(table, key).data == "":
            return FAIR
    return GOOD


def holds_texts(sample: Buffer) -> bool:
    """Whether there is a text behind its length somewhere; so it is said of many bytes without a look."""
    if len(sample) > FEW:
        return True
    raw = bytes(sample[:])
    return any(_is_text(raw, found.start() + 4, (found[1] or found[2])[0]) for found in LENGTHS.finditer(raw))


def _is_text(raw: bytes, at: int, length: int) -> bool:
    text = raw[at : at + length]
    if len(text) < length or 0 in text:
        return False
    try:
        shown = text.decode()
    except UnicodeDecodeError:
        return False
    return shown.isprintable() and any(sign.isalpha() for sign in shown)
