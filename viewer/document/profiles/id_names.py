"""Names of ids from a table beside a profile: CSV with the id in the first column and its name in the second."""

from __future__ import annotations

import csv
import io

LONGEST_NAME = 200
LONGEST_TABLE = 1 << 20
MOST_ROWS = 20_000
ID_WORDS, NAME_WORDS = ("id", "key", "number"), ("name", "title", "label")


class NamesProblem(ValueError):
    """A table that cannot be used; the text begins with the line and ends as a sentence."""


def parse_names(text: str) -> dict[str, str]:
    """The names by their ids.

    A first row of words such as ``id`` and ``name`` says which columns are meant.

    Raises:
        NamesProblem: a row has no id or no name, or there are too many.
    """
    sign = next(
        (sign for sign in (";", "\t") if sign in text.split("\n", 1)[0] and "," not in text.split("\n", 1)[0]), ","
    )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    out: dict[str, str] = {}
    id_at, name_at = 0, 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not out and (found := _columns(cells)) is not None and reader.line_num == 1:
                id_at, name_at = found
                continue
            if len(cells) <= max(id_at, name_at) or not cells[id_at]:
                raise NamesProblem(f"line {reader.line_num}: A row has an id and a name.")
            if len(cells[id_at]) > LONGEST_NAME or len(cells[name_at]) > LONGEST_NAME:
                raise NamesProblem(f"line {reader.line_num}: A name has at most {LONGEST_NAME} letters.")
            out[cells[id_at]] = cells[name_at]
            if len(out) > MOST_ROWS:
                raise NamesProblem(f"line {reader.line_num}: A table has at most {MOST_ROWS} rows.")
    except csv.Error as error:
        raise NamesProblem(f"line {reader.line_num}: This is no CSV: {error}.") from error
    return out


def _columns(cells: list[str]) -> tuple[int, int] | None:
    """Where id and name stand, of a first row that says so."""
    words = [cell.lower() for cell in cells]
    id_at = next((words.index(word) for word in ID_WORDS if word in words), None)
    name_at = next((words.index(word) for word in NAME_WORDS if word in words), None)
    return (id_at, name_at) if id_at is not None and name_at is not None else None
