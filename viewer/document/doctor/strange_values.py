"""Strange values: what reads without an error, but what hardly any game stores: a place to look at, and no cause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from struct import Struct

from viewer.base.buffer import u32
from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.table import NodeTable

MOST_NODES = 1 << 16
"""So many values are looked at in all."""
FLOATS = {"f32": (Struct("<f"), Struct(">f")), "f64": (Struct("<d"), Struct(">d"))}
SMALLEST, LARGEST = 1e-30, 1e30
"""Few floats of a game lie outside of these, but for zero, and for what is endless or no number."""
LEAST_USUAL, MOST_USUAL = 1e-3, 1e7
"""Floats that games store lie between these, if they are no zero."""
CONTROLS = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text holds; an escape may stand before colours."""
LONGEST_TEXT = 1 << 16
HEAD = 8


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
    """Those of a document that an engine reads, in the order of their nodes."""
    left = MOST_NODES
    for frame in document.frames:
        table = frame.table
        for node in table.nodes if frame.sound else ():
            left -= 1
            if left < 0:
                return
            row = table.row(node) if not table.is_name(node) else None
            words = _words(table, node, row) if row is not None else ""
            if words:
                yield StrangeValue(frame.start + table.start[node], words)


def _words(table: NodeTable, node: int, row: TypeRow) -> str:
    """What is strange about a value; empty where nothing is."""
    start, buffer = table.start[node], table.buffer
    if row.kind is Kind.STRING:
        shown = bytes(buffer[start + HEAD : start + HEAD + min(u32(buffer, start + 4), LONGEST_TEXT)])
        return "a text with control characters" if CONTROLS.search(shown) else ""
    return _turned_around(table, node, row) if row.kind is Kind.FIXED and row.narrow else ""


def _turned_around(table: NodeTable, node: int, row: TypeRow) -> str:
    """That all floats of a value are usual ones with their bytes turned around, or zero; empty where they are not."""
    at, read, turned = table.start[node] + 4, 0.0, 0.0
    for field in row.fields(table.header(node)):
        raw, forms = bytes(table.buffer[at : at + field.size]), FLOATS.get(field.type)
        if forms is None or len(raw) != field.size:
            return ""
        number, other = (form.unpack(raw)[0] for form in forms)
        at += field.size
        if not number:
            continue
        is_strange = isfinite(number) and not SMALLEST < abs(number) < LARGEST
        if not is_strange or not LEAST_USUAL < abs(other) < MOST_USUAL:
            return ""
        read, turned = read or number, turned or other
    if not read:
        return ""
    of = f"a {row.name} of {read:.2g}" if len(row.narrow) == 1 else f"a {row.name} with {read:.2g} in it"
    return f"{of} (with its bytes turned around {turned:.6g})"
