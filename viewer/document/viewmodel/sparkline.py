"""What a packed array looks like in its row: the run of its numbers in a few strokes, the first of its colours."""

from __future__ import annotations

import sys
from math import isfinite

from viewer.base.buffer import window
from viewer.variant.dialect import TypeRow
from viewer.variant.elements import element, element_count, element_size, number
from viewer.variant.table import NodeTable

STROKES = 32
"""So many numbers of an array are read, evenly."""
FEWEST = 4
SWATCHES = 5
COLOURS = "[c"
CODES = {"i32": "i", "i64": "q", "f32": "f", "f64": "d"}
Rgba = tuple[float, float, float, float]


def sparkline(table: NodeTable, node: int, row: TypeRow) -> tuple[float, ...]:
    """Some numbers of a packed array, from 0 for the least to 1 for the greatest; empty where there is no line.

    A few of them are read, however long the array is; what is no number is left out.
    """
    header = table.header(node)
    fields = row.fields(header)
    code = CODES.get(fields[0].type) if len(fields) == 1 else None
    count = element_count(table, node) if code is not None else 0
    if count < FEWEST:
        return ()
    start, size = table.start[node] + 8, element_size(row, header)
    raw = window(table.buffer, start, start + count * size)
    places = [k * (count - 1) // (STROKES - 1) for k in range(STROKES)] if count > STROKES else list(range(count))
    if isinstance(raw, memoryview) and sys.byteorder == "little":
        numbers = raw.cast(code)  # type: ignore[call-overload]
        read = [numbers[place] for place in places]
    else:
        read = [number(raw, place * size, fields[0].type) for place in places]
    found = [float(each) for each in read if isfinite(each)]
    low, high = min(found, default=0.0), max(found, default=0.0)
    if not 0 < high - low < 1e300:
        return ()
    return tuple((each - low) / (high - low) for each in found)


def first_colours(table: NodeTable, node: int, row: TypeRow) -> tuple[Rgba, ...]:
    """The first colours of a packed array of them; empty for all other values."""
    if row.chip != COLOURS:
        return ()
    found = (element(table, node, k).value for k in range(min(SWATCHES, element_count(table, node))))
    return tuple(each for each in found if isinstance(each, tuple) and len(each) == 4)
