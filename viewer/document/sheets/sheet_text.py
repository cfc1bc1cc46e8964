"""Sheets as text: cells for a spreadsheet's clipboard, CSV files, and both the other way."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from viewer.base.record import dataclass
from viewer.document.edits.slots import EditError
from viewer.document.path import item_path
from viewer.document.sheets.sheet import Sheet, SheetColumn
from viewer.document.sheets.sheet_cells import is_text, plain_text
from viewer.document.sheets.sheet_edits import MOST_CELLS, SheetWriter
from viewer.document.sheets.sheet_entry import typed_for
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import PAIRED
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Value

KEYS = "(key)"
"""The title over the keys of the rows, in a file."""
UTF8_MARK = "\ufeff"
COMMAS = ",;\t"


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
    yield _line([KEYS, *titles] if keyed else titles)
    for row in rows:
        texts = [plain_text(sheet, row, column) for column in columns]
        yield _line([sheet.row_label(row)[0], *texts] if keyed else texts)


def _line(texts: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(texts)
    return out.getvalue()


def read_csv(data: bytes) -> list[list[str]]:
    """The rows of a CSV file, whatever stands between its cells.

    Raises:
        EditError: it is no text, or holds nothing.
    """
    try:
        text = data.decode().removeprefix(UTF8_MARK)
    except UnicodeDecodeError:
        raise EditError("This file is no text in UTF-8; save it as CSV in UTF-8.") from None
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
        raise EditError(f"What was copied is {width} columns wide, and from here on there are {len(columns)}.")
    if len(table) > len(rows) and not more:
        raise EditError("There are more rows than are shown from here on; take the filter or the sorting away first.")
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


def imported(sheet: Sheet, table: Sequence[Sequence[str]]) -> Pasted:
    """The edit that puts the rows of a CSV file into the rows of a sheet: by their keys, else one after another.

    Titles that no column has become keys of their rows; rows beyond the last one are added.

    Raises:
        EditError: a cell cannot hold its text.
    """
    _check_size(table)
    titles, keyed = list(table[0]), has_keys(sheet)
    is_keyed = keyed and titles[:1] == [KEYS]
    known = {column.title: k for k, column in enumerate(sheet.columns)}
    fresh = {title: SheetColumn(title, True, Value("String", title)) for title in titles if title not in known}
    labels = {sheet.row_label(row)[0]: row for row in range(sheet.rows)} if is_keyed else {}
    writer, added = SheetWriter(sheet), 0
    for number, texts in enumerate(table[1:]):
        cells = list(zip(titles, texts, strict=False))[is_keyed:]
        row = labels.get(texts[0]) if is_keyed else number if number < sheet.rows else None
        if row is None:
            new = [(_column(sheet, known, fresh, title), text) for title, text in cells if text]
            key = Value("String", texts[0]) if is_keyed else None
            writer.append([(column, _by_title(sheet, known, column, text)) for column, text in new], key)
            added += 1
            continue
        for title, text in cells:
            if title in known:
                _set(sheet, writer, row, known[title], text)
            elif text:
                key_value = fresh[title].key
                assert key_value is not None
                writer.add_key(row, key_value, _guessed(sheet, text))
    label = EditLabel("Import {} into {}", (CountLabel(writer.cells, "cell"), item_path(sheet.document, sheet.holder)))
    return Pasted(writer.edit(label), writer.cells, added)


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


def _column(sheet: Sheet, known: dict[str, int], fresh: dict[str, SheetColumn], title: str) -> SheetColumn:
    return sheet.columns[known[title]] if title in known else fresh[title]


def _by_title(sheet: Sheet, known: dict[str, int], column: SheetColumn, text: str) -> Value:
    return _new(sheet, known[column.title], text) if column.title in known else _guessed(sheet, text)


def _guessed(sheet: Sheet, text: str) -> Value:
    """A value of a new column: a literal, else a text."""
    try:
        return parse_literal(text, sheet.document.dialect, precision=sheet.document.precision)
    except LiteralError:
        return Value("String", text)
