"""What a cell of a sheet tells beyond what it shows: its type, and why it cannot be typed."""

from __future__ import annotations

from viewer.document.bulk.frame_values import Data
from viewer.document.edits.setting import draft, literal
from viewer.document.edits.slots import EditError
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_cells import cell_facts, holds_others, is_text
from viewer.document.sheets.sheet_edits import SheetWriter

WRITTEN_OUT = 1 << 12
"""Values of more bytes are not tried."""
NO_VALUE: Data = None


def tip(sheet: Sheet, row: int, column: int) -> str:
    """What a cell tells."""
    item = sheet.cell(row, column)
    title = sheet.columns[column].title
    why = why_locked(sheet, row, column)
    if item is None:
        return f"This row has no “{title}”. {why or 'Type a value to add it.'}"
    facts = cell_facts(sheet, row, column)
    said = [f"{facts.count} {facts.text}".strip() or "An empty text", sheet.type_of(item)]
    if facts.is_doubled:
        said.append(f"This key stands {sheet.times(row, column)} times in this row; an engine keeps the last one.")
    if holds_others(sheet, item):
        said.append("Enter goes to the values inside.")
    elif why:
        said.append(f"Read-only: {why}")
    return "\n".join(said)


def why_locked(sheet: Sheet, row: int, column: int) -> str:
    """Why nothing can be typed into a cell, empty where something can."""
    item = sheet.cell(row, column)
    try:
        if item is None:
            writer = SheetWriter(sheet)
            writer.set(row, column, NO_VALUE)
            writer.edit("")
        elif not (item.part and is_text(sheet, item)) and not holds_others(sheet, item):
            text = literal(sheet.document, item)
            if len(text) <= WRITTEN_OUT:
                draft(sheet.document, item, text)
    except EditError as error:
        return str(error)
    return ""
