"""Counted runs: bytes that a length word before them counts, followed through raw edits.

A text, the data of an image, the elements of a packed array: a word that says how many, the bytes, fill up to a
multiple of four. Once bytes were put in or taken out the word is wrong, and what is scanned then says nothing of where
the run ends; so a run is found in the table before the edit, and its places are moved along from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from viewer.base.buffer import Buffer, u32
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.splice import Splice
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.elements import element_size
from viewer.variant.items import Part, Role
from viewer.variant.table import NodeTable

ALIGNED, PACKED_TIGHT = 4, 1
TEXTS = ("text", "bytes")


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes with the word that counts them; offsets in the layer.

    Args:
        word: where the length or count word stands, four bytes right before the content.
        content: the bytes that it counts.
        end: the end of the fill behind them.
        unit: bytes that count one.
        align: the fill goes up to a multiple of so many bytes.
        name: what the content is called: ``text``, ``name``, ``data``, ``PoolByteArray``.
    """

    word: int
    content: Span
    end: int
    unit: int
    align: int
    name: str

    def fill(self, size: int) -> int:
        """How many bytes of fill belong behind *size* bytes of content."""
        return -size % self.align

    def takes(self, splice: Splice) -> bool:
        """Whether a splice changes bytes of the run behind its word, and no others."""
        start, end = splice.offset, splice.offset + len(splice.removed)
        if start == end == self.end > self.content.end:
            return False
        return self.content.start <= start and end <= self.end

    def after(self, splice: Splice) -> Run | None:
        """The run in the bytes that a splice leaves, None where the splice took its borders away."""
        start, end, growth = splice.offset, splice.offset + len(splice.removed), splice.growth
        if growth == 0:
            return self
        if self.takes(splice):
            return replace(self, content=self._content_after(start, end, len(splice.inserted)), end=self.end + growth)
        if start >= self.end:
            return self
        if end > self.word:
            return None
        return replace(self, word=self.word + growth, content=self.content.shifted(growth), end=self.end + growth)

    def _content_after(self, start: int, end: int, inserted: int) -> Span:
        lost = max(0, min(end, self.content.end) - start)
        gained = inserted if start <= self.content.end else 0
        return Span(self.content.start, self.content.end - lost + gained)

    def told(self, buffer: Buffer) -> int:
        """The bytes of content that the word tells of."""
        return u32(buffer, self.word) * self.unit

    def is_right(self, buffer: Buffer) -> bool:
        """Whether the word tells the content's size, and the fill is as long as it should be."""
        size = len(self.content)
        return self.told(buffer) == size and self.end - self.content.end == self.fill(size)


def find(document: Document, splice: Splice) -> Run | None:
    """The run that a splice, which is still to be done, changes; None where it changes none or more than one.

    At a border between two runs the bytes belong to the one before: a person who types on behind a text makes the text
    longer.
    """
    places = [splice.offset - 1, splice.offset] if not splice.removed else [splice.offset]
    for place in places:
        for run in _runs_at(document, place) if place >= 0 else ():
            if run.takes(splice):
                return run
    return None


def _runs_at(document: Document, offset: int) -> Iterator[Run]:
    """The runs of the node that holds a byte; of a packed string array only the string there."""
    found = document.node_at(offset)
    if found is None:
        return
    frame, node = found
    table, local = frame.table, offset - frame.start
    row = table.row(node)
    if row is not None and row.kind is Kind.PACKED_STRINGS and not table.is_name(node):
        parts = _string_at(table, node, local)
    elif row is not None and row.kind is Kind.INPUT_EVENT and not table.is_name(node):
        return
    else:
        parts = items.parts(table, node)
    for run in _runs(table, node, parts):
        yield replace(
            run, word=run.word + frame.start, content=run.content.shifted(frame.start), end=run.end + frame.start
        )


def _string_at(table: NodeTable, node: int, local: int) -> list[Part]:
    """Length, text and fill of the string of a packed array that holds a byte."""
    found = items.part_at(table, node, local)
    if found is None or not found.name.startswith("["):
        return []
    stem = found.name.partition("@")[0]
    return [
        part
        for name in (f"{stem}@length", stem, f"{stem}@padding")
        if (part := items.part(table, node, name)) is not None
    ]


def _runs(table: NodeTable, node: int, parts: list[Part]) -> Iterator[Run]:
    """The runs among the parts of a node; offsets from the start of the frame."""
    row = table.row(node)
    is_packed = row is not None and row.kind is Kind.PACKED and not table.is_name(node)
    unit = element_size(row, table.header(node)) if row is not None and is_packed else 1
    old_path = row is not None and row.kind is Kind.NODE_PATH and any(part.name == "length" for part in parts)
    for number, word in enumerate(parts):
        counts = word.name == "count" if is_packed else word.name.endswith("length")
        if word.role is not Role.LENGTH or not counts:
            continue
        following = parts[number + 1 : number + 3]
        content = Span(word.span.end, word.span.end)
        name = row.name if row is not None and is_packed else _name(word.name)
        if following and following[0].name == "data":
            name = "data"
        if following and following[0].role is Role.VALUE and (is_packed or following[0].type in TEXTS):
            content = following.pop(0).span
        end = following[0].span.end if following and following[0].role is Role.PADDING else content.end
        yield Run(word.span.start, content, end, unit, PACKED_TIGHT if old_path else ALIGNED, name)


def _name(word: str) -> str:
    """What the content behind a length word is called in a sentence."""
    if word == "length" or word.startswith("["):
        return "text"
    return "name" if word.startswith(("name", "subname")) else word.removesuffix("_length").replace("_", " ")
