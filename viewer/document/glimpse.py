"""A glimpse: the values at the beginning of a large file, which can be seen while all of them are still being read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.frames import MIN_VALUE, Cut, Measurement, cut
from viewer.document.pieces.framing import FINAL, Frame, FrameReader, is_sound
from viewer.document.reading import Reading, ReadMode
from viewer.variant.table import NodeTable

if TYPE_CHECKING:
    from viewer.document.readers.file_structure import Structure

SIZE = 1 << 18
"""Bytes: many more values than a screen shows, and read in a moment even without a compiler."""
MOST = 200
"""Values, each with a table of its own."""
SEARCHED = 4
"""How often each of these bytes may be looked at in search of a value behind foreign bytes."""


def glimpse(buffer: Buffer, way: ReadMode, size: int = SIZE, structure: Structure | None = None) -> Reading:
    """Read the first *size* bytes of a buffer, up to where something is wrong for certain.

    A collection that goes on behind these bytes has only some of its children here, which is nothing wrong. Of a file
    with a *structure* the beginning of the value is read that a person opened it for.
    """
    if structure is not None:
        return _of_main(buffer, way, size, structure)
    start = _Start(FrameReader(buffer, way.dialect), min(size, len(buffer)))
    found = []
    for each in cut(buffer, way.framing, start.measure, SEARCHED * size, MOST):
        if each.payload.start + MIN_VALUE > start.size:
            break
        table = start.table(each.payload)
        if _is_wrong(table):
            break
        table.diagnostics = []
        found.append(Frame(Cut(each.prefix, Span(each.payload.start, each.payload.start + table.end_of_data)), table))
    return Reading(way, found, [])


def _of_main(buffer: Buffer, way: ReadMode, size: int, structure: Structure) -> Reading:
    """The beginning of the main value of a file with a structure."""
    main = structure.values[structure.main]
    start, end = main.span.start, min(main.span.end, main.span.start + size)
    table = FrameReader(buffer, structure.dialect, names=structure.names).table(Span(start, end))
    if _is_wrong(table) or not len(table):
        return Reading(way, [], [])
    table.diagnostics = []
    seen = Span(start, start + table.end_of_data)
    only = replace(structure, pieces=(replace(main, span=seen),), main=0, findings=())
    return Reading(way, [Frame(Cut(None, seen), table)], [], value_names=(main.name,), structure=only)


@dataclass(frozen=True, slots=True)
class _Start:
    """The first *size* bytes; what goes on behind them is taken to be as sound as it begins."""

    reader: FrameReader
    size: int

    def measure(self, span: Span) -> Measurement:
        """What stands at the start of *span*."""
        if span.end <= self.size:
            return self.reader.measure(span)
        if span.start + MIN_VALUE > self.size:
            return Measurement(len(span), True)
        table = self.table(span)
        if is_sound(table) or _is_wrong(table):
            return Measurement(table.end_of_data, is_sound(table))
        return Measurement(len(span), True)

    def table(self, span: Span) -> NodeTable:
        """The values of *span* as far as it is read."""
        return self.reader.table(Span(span.start, min(span.end, self.size)))


def _is_wrong(table: NodeTable) -> bool:
    """Whether a value is broken however many bytes follow."""
    return any(found.code in FINAL for found in table.diagnostics)
