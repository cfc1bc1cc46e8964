"""Text places: where a text stands in a node, and what must be written when it becomes another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.base.buffer import u32
from viewer.base.span import Span
from viewer.document.judge import text_span
from viewer.variant import items
from viewer.variant.dialect import FLAG_64, Kind, TypeRow
from viewer.variant.elements import TextIndex
from viewer.variant.items import Part, Role
from viewer.variant.table import NodeTable

ALWAYS = (Kind.NODE_PATH, Kind.SIGNAL, Kind.TYPED_ARRAY)
WHEN_FLAGGED = (Kind.ARRAY, Kind.DICTIONARY)


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text with its length word and its fill; spans count from the start of the frame.

    Args:
        text: the bytes of the text, without a NUL that closes an element.
        whole: what is written anew: length word, text, fill.
        said: what the length word says.
        closed: whether a NUL closes the text and its length counts it.
        filled: whether the text is filled up to a multiple of four.
    """

    text: Span
    whole: Span
    said: int
    closed: bool = False
    filled: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether no letter of it was cut off; fill may be missing."""
        return self.said == len(self.text) + self.closed

    def encoded(self, raw: bytes) -> bytes:
        """The bytes of the place with another text."""
        raw += b"\0" * self.closed
        return len(raw).to_bytes(4, "little") + raw + bytes(-len(raw) % 4 if self.filled else 0)


def texts(table: NodeTable, node: int, row: TypeRow) -> Iterator[Span]:
    """The texts of a node that is no String, in byte order, from the start of the frame; not those of its children."""
    if row.kind is Kind.PACKED_STRINGS:
        yield from _elements(table, node)
    elif _has_texts(table, node, row):
        yield from (part.span for part in items.parts(table, node) if part.type == "text")


def _has_texts(table: NodeTable, node: int, row: TypeRow) -> bool:
    if row.kind in ALWAYS:
        return True
    header = table.header(node)
    return (row.kind is Kind.OBJECT and not header & FLAG_64) or (row.kind in WHEN_FLAGGED and header >> 16 != 0)


def _elements(table: NodeTable, node: int) -> Iterator[Span]:
    """The strings of a packed array, one hop after another: none of them is kept."""
    at, end = table.start[node] + 8, table.end(node)
    while at + 4 <= end:
        size = u32(table.buffer, at)
        if size > end - at - 4:
            return
        closed = size > 0 and table.buffer[at + 3 + size] == 0
        if size > closed:
            yield Span(at + 4, at + 4 + size - closed)
        at += 4 + (size + 3 & ~3)


def text_place(table: NodeTable, node: int, span: Span, index: TextIndex | None = None) -> TextPlace | None:
    """The text of this node that *span* lies in; None where it lies in none.

    Args:
        table: the frame's nodes.
        node: the deepest one at *span*.
        span: from the start of the frame.
        index: that of the node where it is a packed string array; made where it is not given.
    """
    row = table.row(node)
    if row is None:
        return None
    if table.is_name(node) or row.kind is Kind.STRING:
        text = text_span(table, node)
        if not text or not text.covers(span):
            return None
        return TextPlace(text, Span(text.start - 4, table.end(node)), u32(table.buffer, text.start - 4))
    if row.kind is Kind.PACKED_STRINGS:
        return _element_place(table, node, span, index or TextIndex(table, node))
    return _part_place(items.parts(table, node), row.kind, span) if _has_texts(table, node, row) else None


def _part_place(parts: list[Part], kind: Kind, span: Span) -> TextPlace | None:
    """A text among the parts of a node. Only the old form of a node path has no fill."""
    for number, part in enumerate(parts):
        if part.type == "text" and part.span.covers(span):
            length = parts[number - 1]
            if kind is Kind.NODE_PATH and length.name == "length":
                return TextPlace(part.span, Span(length.span.start, part.span.end), len(part.span), filled=False)
            following = parts[number + 1 :][:1]
            fill = [found.span.end for found in following if found.role is Role.PADDING]
            return TextPlace(part.span, Span(length.span.start, *(fill or [part.span.end])), len(part.span))
    return None


def _element_place(table: NodeTable, node: int, span: Span, index: TextIndex) -> TextPlace | None:
    number = index.at(span.start)
    if number < 0 or number >= len(index):
        return None
    start, end = index.start(number), index.start(number + 1)
    size = u32(table.buffer, start)
    closed = size > 0 and table.buffer[start + 3 + size] == 0
    text = Span(start + 4, start + 4 + size - closed)
    return TextPlace(text, Span(start, end), size, closed) if text.covers(span) else None
