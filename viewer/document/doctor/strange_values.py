"""Strange values: what reads without an error, but what hardly any game stores: a place to look at, and no cause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from math import isfinite
from struct import Struct

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.table import NodeTable

MOST_FRAMES, MOST_NODES = 256, 1 << 14
FLOATS = {"f32": Struct("<f"), "f64": Struct("<d")}
SMALLEST, LARGEST = 1e-30, 1e30
"""Floats of a game lie between these, but for zero and for what is endless or no number."""
CONTROLS = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text holds; an escape may stand before colours."""
LONGEST_TEXT = 1 << 16


@dataclass(frozen=True, slots=True)
class StrangeValue:
    """A value that hardly any game stores.

    Args:
        offset: where it begins, in the layer.
        words: what it is.
    """

    offset: int
    words: str


def strange_values(document: Document) -> Iterator[StrangeValue]:
    """Those of a document, in the order of their nodes."""
    for frame in islice(document.frames, MOST_FRAMES):
        table = frame.table
        for node in islice(table.nodes, MOST_NODES):
            row = table.row(node) if not table.is_name(node) else None
            words = _words(table, node, row) if row is not None else ""
            if words:
                yield StrangeValue(frame.start + table.start[node], words)


def _words(table: NodeTable, node: int, row: TypeRow) -> str:
    start, end = table.start[node], table.end(node)
    if row.kind is Kind.STRING and end - start <= LONGEST_TEXT:
        return "a text with control characters" if CONTROLS.search(bytes(table.buffer[start + 8 : end])) else ""
    if row.kind is not Kind.FIXED or not row.narrow:
        return ""
    at = start + 4
    for field in row.fields(table.header(node)):
        form = FLOATS.get(field.type)
        number = form.unpack(bytes(table.buffer[at : at + field.size]))[0] if form is not None else 0
        if number and isfinite(number) and not SMALLEST < abs(number) < LARGEST:
            return f"a {row.name} of {number:.3g}" if len(row.narrow) == 1 else f"a {row.name} with {number:.3g} in it"
        at += field.size
    return ""
