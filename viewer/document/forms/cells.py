"""The cells of a packed array's grid: a row an element, a column a component; their text, and tables of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from viewer.document.edits.error import EditError
from viewer.document.edits.packed_array import Element, NumberArray, TextArray
from viewer.document.forms.expression import evaluate, is_expression
from viewer.document.forms.numbers import number_text, parse_number
from viewer.document.forms.texts import escaped, unescaped
from viewer.variant.dialect import Field

TEXT = Field("text", "u8")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a grid.

    Args:
        fields: the components of an element; empty for strings, which have one column of text.
    """

    fields: tuple[Field, ...]

    @classmethod
    def of(cls, array: NumberArray | TextArray) -> Columns:
        """The columns of an array."""
        return cls(array.fields if isinstance(array, NumberArray) else ())

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(field.name for field in self.fields) or ("text",)

    @property
    def is_text(self) -> bool:
        """Whether the elements are strings."""
        return not self.fields

    @property
    def blank(self) -> Element:
        """What a new element holds."""
        if self.is_text:
            return ""
        zeros = tuple(0.0 if field.type[0] == "f" else 0 for field in self.fields)
        return zeros if len(zeros) > 1 else zeros[0]

    def text(self, value: Element, column: int) -> str:
        """A cell's text."""
        if isinstance(value, str):
            return escaped(value)
        number = value[column] if isinstance(value, tuple) else value
        return number_text(number, self.fields[column].type)

    def plain(self, value: Element, column: int) -> str:
        """A cell's text for other programs: a string as it is."""
        return value if isinstance(value, str) else self.text(value, column)

    def with_cell(self, value: Element, column: int, text: str, row: int = 0, raw: bool = False) -> Element:
        """The element with another text in a cell.

        Args:
            value: the element now.
            column: which cell.
            text: what was typed; for numbers ``= value * 2`` reckons with the number that is there.
            row: the element's index, which an expression may ask for.
            raw: whether a string comes from another program, so that a backslash in it is a backslash.

        Raises:
            EditError: the cell cannot hold it.
        """
        if self.is_text:
            return text if raw else unescaped(text)
        kind = self.fields[column].type
        now = value[column] if isinstance(value, tuple) else value
        assert not isinstance(now, str)
        if is_expression(text):
            text = evaluate(text, now, row, whole=kind[0] != "f")
        elif text == number_text(now, kind):
            return value
        number = parse_number(text, kind)
        return (*value[:column], number, *value[column + 1 :]) if isinstance(value, tuple) else number


def parse_table(text: str) -> list[list[str]]:
    """The cells of a table copied from a spreadsheet: tabs between cells, a line a row, quotes round what has either.

    Raises:
        EditError: a quote is not closed.
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True))
    except csv.Error:
        rows = [line.split("\t") for line in text.splitlines()]
    if not rows:
        raise EditError("The clipboard holds no table.")
    return rows


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Cells as a spreadsheet takes them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerows(rows)
    return out.getvalue()
