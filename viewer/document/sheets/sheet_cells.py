"""What a cell of a sheet shows, and its text for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base.record import dataclass, replace
from viewer.document import outline
from viewer.document.bulk.frame_values import Data
from viewer.document.edits.setting import literal
from viewer.document.edits.slots import EditError
from viewer.document.sheets.sheet import Sheet
from viewer.document.viewmodel.row_data import Rgba, pictured
from viewer.variant import items
from viewer.variant.dialect import HOLDING, PACKED, Kind
from viewer.variant.items import Item
from viewer.variant.literal.preview import element_text, preview
from viewer.variant.read import read_shallow

if TYPE_CHECKING:  # loaded with the first profile that fits
    from viewer.document.profiles.profile_labels import ProfileLabels
    from viewer.document.profiles.value_label import ValueLabel

SHOWN = 160
"""So many signs of a value are shown in a cell."""
LONGEST = 1 << 20
"""A nested value of more bytes is not written out for other programs."""


@dataclass(frozen=True, slots=True)
class CellFacts:
    """One cell.

    Args:
        text: its value in a few letters; a text as it is.
        group: the family of its type, None for none.
        is_missing: whether the row has no such key or index.
        is_number: whether it stands at the right.
        count: of a nested value how much it holds, as in ``{7}``.
        swatch: the colour that it is.
        state: whether a bool is set.
        is_empty_text: whether it is a text of no letters.
        is_doubled: whether its key stands in the row more than once, of which an engine keeps the last one.
        label: what the profile of the game says of it.
    """

    text: str
    group: str | None = None
    is_missing: bool = False
    is_number: bool = False
    count: str = ""
    swatch: Rgba | None = None
    state: bool | None = None
    is_empty_text: bool = False
    is_doubled: bool = False
    label: ValueLabel | None = None


MISSING = CellFacts("", None, True)


def cell_facts(sheet: Sheet, row: int, column: int, labels: ProfileLabels | None = None) -> CellFacts:
    """What a cell shows, with what *labels* say of it."""
    item = sheet.cell(row, column)
    if item is None:
        return MISSING
    found = _facts(sheet, item)
    label = labels.label(sheet.document, item) if labels is not None else None
    if label is not None:
        found = replace(found, label=label)
    return replace(found, is_doubled=True) if sheet.times(row, column) > 1 else found


def _facts(sheet: Sheet, item: Item) -> CellFacts:
    if item.part:
        return _element(sheet, item)
    of_type = sheet.ground.row(item.node)
    if of_type is None:
        return CellFacts(str(preview(sheet.table, item.node, SHOWN)))
    if of_type.kind is Kind.STRING:
        text = _short_text(sheet, item)
        return CellFacts(text, of_type.group, is_empty_text=not text)
    found = preview(sheet.table, item.node, SHOWN)
    data = read_shallow(sheet.table, item.node).data if of_type.name in ("Color", "bool") else None
    return CellFacts(
        pictured(sheet.table, item.node, of_type) or found.text,
        of_type.group,
        is_number=of_type.name in ("int", "float"),
        count=found.count,
        swatch=_rgba(data) if of_type.name == "Color" else None,
        state=data if isinstance(data, bool) else None,
    )


def _short_text(sheet: Sheet, item: Item) -> str:
    """A text, of a long one how it begins."""
    table, start = sheet.table, sheet.table.start[item.node] + 8
    if table.end(item.node) - start > 8 * SHOWN:
        return bytes(table.buffer[start : start + 4 * SHOWN]).decode(errors="replace")[:SHOWN]
    data = sheet.ground.data(item)
    return data if isinstance(data, str) else str(preview(table, item.node, SHOWN))


def _element(sheet: Sheet, item: Item) -> CellFacts:
    part = items.part(sheet.table, item.node, item.part)
    if part is None or part.type == "text":
        text = str(part.value)[:SHOWN] if part is not None else ""
        return CellFacts(text, "text", is_empty_text=not text)
    swatch = None
    row = sheet.ground.row(item.node)
    if row is not None and row.group == "packed" and "Color" in row.name:
        swatch = _rgba(part.value)
    is_number = isinstance(part.value, int | float)
    return CellFacts(element_text(part), "number" if is_number else "vector", is_number=is_number, swatch=swatch)


def _rgba(data: object) -> Rgba | None:
    if not isinstance(data, tuple) or len(data) != 4 or not all(isinstance(each, int | float) for each in data):
        return None
    red, green, blue, alpha = data
    return red, green, blue, alpha


def holds_others(sheet: Sheet, item: Item) -> bool:
    """Whether a cell's value holds others, which have no place in a cell."""
    row = None if item.part else sheet.ground.row(item.node)
    return row is not None and row.kind in (*HOLDING, *PACKED)


def is_text(sheet: Sheet, item: Item) -> bool:
    """Whether a cell's value is a text, which is typed as it is."""
    if item.part:
        row = sheet.ground.row(item.node)
        return row is not None and row.kind is Kind.PACKED_STRINGS
    row = sheet.ground.row(item.node)
    return row is not None and row.kind is Kind.STRING


def cell_data(sheet: Sheet, item: Item) -> Data:
    """The value of a cell: a number or text as it is, all else held back."""
    if item.part and is_text(sheet, item):
        part = items.part(sheet.table, item.node, item.part)
        return str(part.value) if part is not None else ""
    return sheet.ground.data(item)


def plain_text(sheet: Sheet, row: int, column: int) -> str:
    """A cell's text for other programs: a text as it is, everything else as a literal; nothing where it is missing."""
    item = sheet.cell(row, column)
    if item is None:
        return ""
    data = cell_data(sheet, item)
    if isinstance(data, str):
        return data
    if isinstance(data, int) and not item.part:
        return str(data).lower()
    if len(outline.span(sheet.document, item)) > LONGEST:
        return str(preview(sheet.table, item.node, SHOWN))
    try:
        return literal(sheet.document, item)
    except EditError:
        return cell_facts(sheet, row, column).text
