"""Hits: what a search finds, what it tells after each step, and what a row of results tells of a hit."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.pieces.message import named_at
from viewer.document.searching.judge import text_span
from viewer.variant import items
from viewer.variant.dialect import NUMERIC, Kind
from viewer.variant.items import Item, Part, Role
from viewer.variant.literal.numbers import component_text
from viewer.variant.literal.preview import preview
from viewer.variant.paths.path_keys import key_segment
from viewer.variant.read import read_shallow
from viewer.variant.table import NONE, NodeTable


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A place found: its bytes, and the item where it had to be looked at anyway."""

    span: Span
    item: Item | None = None


class SkipReason(Enum):
    """Why an expression was not tried at a text."""

    TOO_LONG = "it is too long"
    NOT_UTF8 = "it is not UTF-8"
    TOO_SLOW = "the expression takes too long at it"


@dataclass(frozen=True, slots=True)
class SkippedText:
    """A text that was left out: the offset of its first byte in the innermost layer, and why."""

    offset: int
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class SearchStep:
    """What one step found.

    Args:
        hits: the places, in byte order.
        reached: the offset up to which all is known now.
        left_out: texts that were not looked at.
    """

    hits: list[SearchHit]
    reached: int
    left_out: tuple[SkippedText, ...] = ()

    @property
    def skipped(self) -> int:
        """How many texts were not looked at."""
        return len(self.left_out)


# A row of results: where the hit lies, and the bytes or text around it.


STEPS = 6
"""Segments of a path that are shown; the first ones go first."""
LONG_KEY = 80
AROUND_TEXT = 24
AROUND_BYTES = 8
MOST_TEXT = 60
MOST_BYTES = 12
REST = 60
LARGE = 4096
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class HitRow:
    """One row.

    Args:
        path: the steps down to the value.
        chip, group: letters and family of its type, empty and None where no value claims the bytes.
        before, found, after: the text or bytes around the hit and the hit itself.
        rest: behind a key: the value that it names.
    """

    path: str
    chip: str = ""
    group: str | None = None
    before: str = ""
    found: str = ""
    after: str = ""
    rest: str = ""

    @property
    def text(self) -> str:
        """All of the preview."""
        return f"{self.before}{self.found}{self.after}{self.rest}"


def hit_row(document: Document, span: Span, as_bytes: bool = False) -> HitRow:
    """What to tell about a hit; *as_bytes* where bytes were looked for."""
    index = document.frame_at(span.start)
    frame = document.frames[index] if index >= 0 else None
    if frame is None:
        named = named_at(document.fields, span.start)
        if named is not None and not as_bytes:
            return HitRow(named[0], found=_cut(escaped(named[1].text)))
        name = "skipped bytes" if named is None else named[0]
        return _bytes(document, span, HitRow(name), Span(0, len(document.buffer)))
    local = span.shifted(-frame.start)
    if not 0 <= local.start < frame.table.end_of_data:
        words = "length prefix" if local.start < 0 else "skipped bytes"
        return _bytes(document, span, HitRow(f"[{index}] {words}"), frame.span)
    node = frame.table.at(local.start)
    return _node(document, frame.start, span, node, index, as_bytes)


def type_row(document: Document, span: Span) -> HitRow:
    """What to tell about a value that was looked for by its type; *span* is its header."""
    index = document.frame_at(span.start)
    table = document.frames[index].table if index >= 0 else None
    local = span.start - document.frames[index].start
    if table is None or not 0 <= local < table.end_of_data:
        return hit_row(document, span, as_bytes=True)
    node = table.at(local)
    row = table.row(node)
    name, value = row.name if row else "?", preview(table, node, REST)
    return HitRow(
        _path(table, node, index), row.chip if row else "?", row.group if row else None, found=name, after=f" {value}"
    )


def _node(document: Document, start: int, span: Span, node: int, index: int, as_bytes: bool) -> HitRow:
    table = document.frames[index].table
    row, local = table.row(node), span.shifted(-start)
    bare = HitRow(_path(table, node, index), row.chip if row else "?", row.group if row else None)
    head = Span(table.start[node], table.head_end(node)).shifted(start)
    text = text_span(table, node).shifted(start)
    if not as_bytes and text.covers(span):
        return _text(document, span, bare, text, _value_of_key(table, node))
    if table.names is not None and table.is_name(node):
        return replace(bare, found=_cut(escaped(str(read_shallow(table, node).data))), rest=_value_of_key(table, node))
    part = _part(table, node, local.start)
    if part is not None and part.role is Role.VALUE and part.type != "text":
        bare = replace(bare, path=bare.path + _suffix(part))
    number = "" if as_bytes or part is None or part.span != local else _number(part)
    if number:
        return replace(bare, found=number, rest=_value_of_key(table, node))
    if not as_bytes and part is not None and part.type == "text" and part.span.shifted(start).covers(span):
        return _text(document, span, bare, part.span.shifted(start), "")
    if not as_bytes and row is not None and row.kind is Kind.PACKED_STRINGS:
        return _text(document, span, bare, head, "")
    return _bytes(document, span, bare, head)


def _path(table: NodeTable, node: int, index: int) -> str:
    """The last steps down to a node, without ranks, which would cost a look at all rows before it."""
    steps: list[str] = []
    while node > 0 and table.parent[node] != NONE and len(steps) < STEPS:
        steps.append(_step(table, node))
        node = table.parent[node]
    head = f"[{index}]" if node <= 0 else ELLIPSIS
    return head + "".join(reversed(steps))


def _step(table: NodeTable, node: int) -> str:
    key = node if outline.is_key(table, node) else outline.key_of(table, node)
    if key is None:
        return f"[{table.index(node)}]"
    if table.end(key) - table.start[key] > LONG_KEY * 4:
        return f"[{preview(table, key, LONG_KEY)}]"
    return key_segment(table, key)


def _cut(words: str) -> str:
    return words if len(words) <= MOST_TEXT else words[:MOST_TEXT] + ELLIPSIS


def _part(table: NodeTable, node: int, offset: int) -> Part | None:
    """The part that holds a byte; None where finding it would mean reading much."""
    row = table.row(node)
    large = table.head_end(node) - table.start[node] > LARGE
    if row is None or (large and row.kind not in NUMERIC):
        return None
    return items.part_at(table, node, offset)


def _suffix(part: Part) -> str:
    """What a field or element adds to the path: ``.x``, ``[3]``."""
    if part.name in ("value", "elements"):
        return ""
    return part.name if part.name.startswith("[") else f".{part.name}"


def _number(part: Part) -> str:
    """A part's number, empty where it holds none."""
    if part.role is not Role.VALUE:
        return ""
    if isinstance(part.value, float):
        return component_text(part.value, part.type if part.type == "f32" else "f64")
    return str(part.value) if isinstance(part.value, int) else ""


def _value_of_key(table: NodeTable, node: int) -> str:
    """``: 5000`` behind a key, else nothing."""
    has_value = node + 1 < len(table) and table.parent[node + 1] == table.parent[node]
    return f": {preview(table, node + 1, REST)}" if outline.is_key(table, node) and has_value else ""


def _text(document: Document, span: Span, bare: HitRow, whole: Span, rest: str) -> HitRow:
    """A hit with the text around it; *whole* bounds what belongs to the text."""
    start, end = max(whole.start, span.start - AROUND_TEXT), min(whole.end, span.end + AROUND_TEXT)
    shown_end = min(span.end, span.start + MOST_TEXT)
    before = _plain(document, Span(start, span.start)).lstrip("\ufffd")
    found = _plain(document, Span(span.start, shown_end))
    after = _plain(document, Span(span.end, end)).rstrip("\ufffd")
    return HitRow(
        bare.path,
        bare.chip,
        bare.group,
        (ELLIPSIS if start > whole.start else "") + before,
        found + (ELLIPSIS if shown_end < span.end else ""),
        after + (ELLIPSIS if end < whole.end else ""),
        rest,
    )


def _plain(document: Document, span: Span) -> str:
    raw = bytes(document.buffer[span.start : span.end])
    return "".join(sign if sign.isprintable() else "·" for sign in raw.decode(errors="replace"))


def _bytes(document: Document, span: Span, bare: HitRow, whole: Span) -> HitRow:
    start, end = max(whole.start, span.start - AROUND_BYTES), min(whole.end, span.end + AROUND_BYTES)
    shown_end = min(span.end, span.start + MOST_BYTES)
    before, found, after = (
        bytes(document.buffer[one:other]).hex(" ").upper()
        for one, other in ((start, span.start), (span.start, shown_end), (span.end, max(end, span.end)))
    )
    return HitRow(
        bare.path,
        bare.chip,
        bare.group,
        before + " " * bool(before),
        found + (f" {ELLIPSIS}" if shown_end < span.end else ""),
        " " * bool(after) + after,
    )
