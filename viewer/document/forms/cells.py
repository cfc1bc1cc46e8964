"""The cells of a packed array's grid: a row an element, a column a component; their text, and tables of text."""

from __future__ import annotations

import ast
import csv
import io
import operator
from collections.abc import Callable, Iterable, Sequence

from viewer.base.record import dataclass
from viewer.document.edits.packed import Element, NumberArray, TextArray
from viewer.document.edits.slots import EditError
from viewer.document.forms.typed_values import escaped, number_text, parse_number, unescaped
from viewer.variant.dialect import Field

# Reckoning with the number in a cell: ``= value * 2``, ``= row + 1``.

BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
HELP = "After = write numbers, value, row, + - * / // % and brackets, for example = value * 2."
ANY_BREAK = "\r\n"
csv.field_size_limit((1 << 31) - 1)  # else a cell of more than 128 KiB is none
LONGEST = 200
DEEPEST = 40


def is_expression(text: str) -> bool:
    """Whether a text is to be reckoned."""
    return text.lstrip().startswith("=")


def evaluate(text: str, value: float, row: int, whole: bool) -> str:
    """The result as text; *whole*: rounded to a whole number.

    Raises:
        EditError: the text cannot be understood, or divides by zero.
    """
    source = text.strip().removeprefix("=").strip()
    if len(source) > LONGEST:
        raise EditError(HELP)
    try:
        tree = ast.parse(source, mode="eval")
        result = _result(tree.body, {"value": value, "row": row}, 0)
        return str(round(result)) if whole else repr(float(result))
    except ZeroDivisionError:
        raise EditError("This divides by zero.") from None
    except OverflowError:
        raise EditError("The result is too large.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EditError(HELP) from None


def _result(node: ast.expr, names: dict[str, float], depth: int) -> float:
    if depth > DEEPEST:
        raise EditError(HELP)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]  # just asked
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _result(node.operand, names, depth + 1)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        left, right = _result(node.left, names, depth + 1), _result(node.right, names, depth + 1)
        return BINARY[type(node.op)](left, right)
    raise EditError(HELP)


TEXT = Field("text", "u8")


@dataclass(frozen=True, slots=True)
class GridColumns:
    """The columns of a grid.

    Args:
        fields: the components of an element; empty for strings, which have one column of text.
    """

    fields: tuple[Field, ...]

    @classmethod
    def of(cls, array: NumberArray | TextArray) -> GridColumns:
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
        raise EditError("The clipboard does not hold a table.")
    return rows


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Cells as a spreadsheet takes them."""
    return "".join(table_line(texts, "\t") for texts in rows)


def table_line(texts: Sequence[str], between: str) -> str:
    """Cells as one line, with quotes round each that has a sign that stands *between* them, or any break of a line."""
    out = io.StringIO()
    csv.writer(out, delimiter=between, lineterminator=ANY_BREAK).writerow(texts)
    return out.getvalue().removesuffix(ANY_BREAK) + "\n"
