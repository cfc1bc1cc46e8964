"""Sheets as text: cells for a spreadsheet's clipboard, CSV files, and both the other way."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from viewer.base.record import dataclass
from viewer.document.edits.slots import EditError
from viewer.document.forms.cells import table_line
from viewer.document.outline import key_of
from viewer.document.path import item_path
from viewer.document.sheets.sheet import Sheet, SheetColumn
from viewer.document.sheets.sheet_cells import is_text, plain_text
from viewer.document.sheets.sheet_edits import MOST_CELLS, SheetWriter
from viewer.document.sheets.sheet_entry import typed_for
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import PAIRED
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Value

KEYS = "(key)"
"""The title over the keys of the rows, in a file."""
UTF8_MARK = "\ufeff"
COMMA, COMMAS = ",", ",;\t"


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a table of texts would do: the edit, how many cells it changes, and how many rows it adds."""

    edit: Edit
    cells: int
    added: int


def cell_texts(sheet: Sheet, rows: Iterable[int], columns: Sequence[int]) -> Iterator[list[str]]:
    """The texts of some cells, row by row."""
    for row in rows:
        yield [plain_text(sheet, row, column) for column in columns]


def has_keys(sheet: Sheet) -> bool:
    """Whether the rows stand under keys."""
    row = sheet.ground.row(sheet.holder.node)
    return not sheet.is_turned and row is not None and row.kind in PAIRED


def csv_lines(sheet: Sheet, rows: Iterable[int], columns: Sequence[int]) -> Iterator[str]:
    """The lines of a CSV file: the titles, then the rows; before them their keys where they have such."""
    keyed = has_keys(sheet)
    titles = [sheet.columns[column].title for column in columns]
    yield table_line([KEYS, *titles] if keyed else titles, COMMA)
    for row in rows:
        texts = [plain_text(sheet, row, column) for column in columns]
        yield table_line([sheet.row_label(row)[0], *texts] if keyed else texts, COMMA)


def read_csv(data: bytes) -> list[list[str]]:
    """The rows of a CSV file, whatever stands between its cells.

    Raises:
        EditError: it is no text, or holds nothing.
    """
    try:
        text = data.decode().removeprefix(UTF8_MARK)
    except UnicodeDecodeError:
        raise EditError("This file is not text in UTF-8; save it as CSV in UTF-8.") from None
    first = text.partition("\n")[0]
    comma = max(COMMAS, key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=comma) if row]
    except csv.Error as error:
        raise EditError(f"This file cannot be read as CSV: {error}.") from error
    if len(rows) < 2:
        raise EditError("This file has no rows below its titles.")
    return rows


def pasted(
    sheet: Sheet, rows: Sequence[int], columns: Sequence[int], table: Sequence[Sequence[str]], more: bool
) -> Pasted:
    """The edit that puts a table of texts into cells.

    Args:
        sheet: the sheet.
        rows, columns: those from the first cell on, as they are shown.
        table: the texts. What is empty changes no number, and adds no key.
        more: whether rows may be added behind the last one.

    Raises:
        EditError: a cell cannot hold its text, or there is no room.
    """
    _check_size(table)
    width = max((len(texts) for texts in table), default=0)
    if width > len(columns):
        raise EditError(f"What was copied is {width} columns wide, but from here on there are {len(columns)}.")
    if len(table) > len(rows) and not more:
        raise EditError("There are more rows than are shown from here on; remove the filter or the sorting first.")
    writer = SheetWriter(sheet)
    for row, texts in zip(rows, table, strict=False):
        for column, text in zip(columns, texts, strict=False):
            _set(sheet, writer, row, column, text)
    added = table[len(rows) :]
    for texts in added:
        cells = zip(columns, texts, strict=False)
        writer.append([(sheet.columns[column], _new(sheet, column, text)) for column, text in cells if text])
    label = EditLabel("Paste {} into {}", (CountLabel(writer.cells, "cell"), item_path(sheet.document, sheet.holder)))
    return Pasted(writer.edit(label), writer.cells, len(added))


def imported(sheet: Sheet, table: Sequence[Sequence[str]], rows: Sequence[int] | None = None) -> Pasted:
    """The edit that puts the rows of a CSV file into the rows of a sheet: by their keys, else one after another.

    Titles that no column has become keys of their rows; rows beyond the last one are added.

    Args:
        sheet: the sheet.
        table: the rows of the file, the titles first.
        rows: those of the sheet in the order in which they are shown, None for all as they are stored.

    Raises:
        EditError: a cell cannot hold its text, or there are more rows than are shown.
    """
    _check_size(table)
    is_keyed = has_keys(sheet) and list(table[0][:1]) == [KEYS]
    targets = _targets(sheet, table[0][is_keyed:])
    labels = {sheet.row_label(row)[0]: row for row in range(sheet.rows)} if is_keyed else {}
    shown: Sequence[int] = range(sheet.rows) if rows is None else rows
    if not is_keyed and len(table) - 1 > len(shown) != sheet.rows:
        raise EditError("The file has more rows than are shown; remove the filter first.")
    writer, added = SheetWriter(sheet), 0
    for number, texts in enumerate(table[1:]):
        cells = list(zip(targets, texts[is_keyed:], strict=False))
        row = labels.get(texts[0]) if is_keyed else shown[number] if number < len(shown) else None
        if row is None:
            key = _row_key(sheet, texts[0]) if is_keyed else None
            writer.append([_new_cell(sheet, target, text) for target, text in cells if text], key)
            added += 1
            continue
        for target, text in cells:
            if isinstance(target, int):
                _set(sheet, writer, row, target, text)
            elif text and target.key is not None:
                writer.add_key(row, target.key, _guessed(sheet, text))
    label = EditLabel("Import {} into {}", (CountLabel(writer.cells, "cell"), item_path(sheet.document, sheet.holder)))
    return Pasted(writer.edit(label), writer.cells, added)


def _targets(sheet: Sheet, titles: Sequence[str]) -> list[int | SheetColumn]:
    """The columns that titles mean, in their order where several are called the same; new ones for those of none."""
    found: list[int | SheetColumn] = []
    for title in titles:
        columns = (k for k, column in enumerate(sheet.columns) if column.title == title and k not in found)
        number = next(columns, None)
        found.append(SheetColumn(title, True, Value("String", title)) if number is None else number)
    return found


def _new_cell(sheet: Sheet, target: int | SheetColumn, text: str) -> tuple[SheetColumn, Value]:
    if isinstance(target, int):
        return sheet.columns[target], _new(sheet, target, text)
    return target, _guessed(sheet, text)


def _row_key(sheet: Sheet, text: str) -> Value:
    """The key of a new row: of the type that the last one has."""
    item = sheet.row_item(sheet.rows - 1) if sheet.rows else None
    key = key_of(sheet.table, item.node) if item is not None else None
    name = sheet.ground.type(Item(sheet.holder.frame, key)) if key is not None else "String"
    if name in ("String", "StringName"):
        return Value(name, text)
    try:
        return parse_literal(text, sheet.document.dialect, name, precision=sheet.document.precision)
    except LiteralError as error:
        raise EditError(f"New row, {KEYS}: {error}") from error


def _check_size(table: Sequence[Sequence[str]]) -> None:
    if sum(map(len, table)) > MOST_CELLS:
        raise EditError(f"These are more than {MOST_CELLS} cells; take fewer at once.")


def _set(sheet: Sheet, writer: SheetWriter, row: int, column: int, text: str) -> None:
    item = sheet.cell(row, column)
    if not text and (item is None or not is_text(sheet, item)):
        return
    if item is not None and text == plain_text(sheet, row, column):
        return
    try:
        writer.set(row, column, typed_for(sheet, row, column, text))
    except EditError as error:
        raise EditError(f"{sheet.row_label(row)[0]}, {sheet.columns[column].title}: {error}") from error


def _new(sheet: Sheet, column: int, text: str) -> Value:
    """A cell of a new row, of the type that its column mostly has."""
    name = sheet.facts(column).main_type
    if name in ("String", "StringName"):
        return Value(name, text)
    try:
        return parse_literal(text, sheet.document.dialect, name or None, precision=sheet.document.precision)
    except LiteralError as error:
        raise EditError(f"New row, {sheet.columns[column].title}: {error}") from error


def _guessed(sheet: Sheet, text: str) -> Value:
    """A value of a new column: a literal, else a text."""
    try:
        return parse_literal(text, sheet.document.dialect, precision=sheet.document.precision)
    except LiteralError:
        return Value("String", text)
