"""What stands in a cell while it is edited: a text as it is, without quotes; a number that may be counted out.

All other values stand there as literals. What is typed becomes a literal again, the one form that edits take.
"""

from __future__ import annotations

import math

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.unseen import SIGNS
from viewer.document.document import Document
from viewer.document.edits.field_edit import formed_field
from viewer.document.edits.setting import literal
from viewer.document.edits.slots import EditError
from viewer.document.outline import node_frame, shown_value
from viewer.variant import items
from viewer.variant.dialect import NUMBERS, Dialect, Kind
from viewer.variant.items import Item
from viewer.variant.literal.arithmetic import ArithmeticProblem, calculate, is_arithmetic
from viewer.variant.literal.numbers import NUMBER, floating, is_integer, whole
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import RawText, Value

COUNTED = NUMBERS.keys() - {"bool"}
UNSEEN = late_pattern(rf"[{SIGNS}]")
DIGITS = 15
"""So many of a result are shown and written: what binary fractions leave behind them is not what was meant."""


@dataclass(frozen=True, slots=True)
class CellText:
    """The text that a cell is edited as.

    Args:
        text: what the field opens with.
        plain: the type of a text that is typed as it is, without quotes and escapes; empty for a literal.
        number: the form of a number that may be counted out, empty for none.
        is_open: whether any type may come here, so that a word that is no literal may be meant as a text.
        dialect: writes the literals.
    """

    text: str
    plain: str
    number: str
    is_open: bool
    dialect: Dialect

    def literal(self, typed: str) -> str:
        """The literal that typed text means.

        Raises:
            EditError: it is arithmetic without a result.
        """
        if self.plain:
            return format_literal(Value(self.plain, typed), self.dialect)
        if not self.number:
            return typed
        now = whole(self.text) if NUMBER.fullmatch(self.text) else None
        decimal = floating(self.text) if now is None else None
        return counted_out(typed, now if now is not None else decimal or 0.0, is_integer(self.number))

    def quoted(self, typed: str) -> str:
        """Typed text as the literal of a text."""
        return format_literal(Value("String", typed), self.dialect)


def counted_out(typed: str, now: int | float, is_whole: bool) -> str:
    """Typed arithmetic as the number that it comes to; all other text as it is.

    Args:
        typed: as :func:`viewer.variant.literal.arithmetic.calculate` takes it.
        now: the number that stands there.
        is_whole: whether a whole number belongs there; then ``1e3`` is one, too.

    Raises:
        EditError: it has no result, or one that does not belong there.
    """
    if not is_arithmetic(typed):
        return _whole_of_exponent(typed) if is_whole else typed
    try:
        result = calculate(typed, now)
    except ArithmeticProblem as problem:
        raise EditError(str(problem), problem.position) from problem
    if not is_whole:
        return repr(float(f"{result:.{DIGITS}g}")) if isinstance(result, float) else repr(result)
    if isinstance(result, int):
        return str(result)
    if not math.isfinite(result):
        raise EditError("The result is larger than any number here.")
    rounded = round(result)
    if not math.isclose(result, rounded, rel_tol=1e-15):
        raise EditError(f"{typed.strip()} is {result:.6g}, but a whole number belongs here.", fix=str(rounded))
    return str(rounded)


def _whole_of_exponent(typed: str) -> str:
    token = typed.strip()
    if NUMBER.fullmatch(token) is None or whole(token) is not None or "e" not in token.lower():
        return typed
    number = float(token.replace("_", ""))
    return str(int(number)) if abs(number) < 1 << 53 and number.is_integer() else typed


def cell_text(document: Document, item: Item) -> CellText:
    """The text that an item is edited as.

    Raises:
        EditError: the item has no value of its own.
    """
    shown = literal(document, item)
    item = shown_value(document, item)
    dialect = document.dialect
    field = formed_field(document, item)
    if field is not None:
        return CellText(shown, "", field.form.type if field.form.type in COUNTED else "", False, dialect)
    frame = node_frame(document, item)
    if frame is None:
        return CellText(shown, "", "", False, dialect)
    table, dialect = frame.table, frame.table.dialect
    if item.part:
        part = items.part(table, item.node, item.part)
        if part is not None and part.type == "text" and _is_plain(part.value):
            return CellText(str(part.value), "String", "", False, dialect)
        number = part.type if part is not None and part.type in COUNTED else ""
        return CellText(shown, "", number, False, dialect)
    row = table.row(item.node)
    if row is not None and row.kind is Kind.STRING:
        data = read(table, item.node).data
        if _is_plain(data):
            return CellText(str(data), "String" if table.is_name(item.node) else row.name, "", False, dialect)
    number = {"int": "i64", "float": "f64"}.get(row.name, "") if row is not None else ""
    return CellText(shown, "", number, row is None or row.name == "Nil", dialect)


def is_one_line(document: Document, item: Item) -> bool:
    """Whether a text is typed as it is in a field of one line."""
    try:
        return bool(cell_text(document, item).plain)
    except EditError:
        return False


def _is_plain(data: object) -> bool:
    """Whether a field of one line shows a text as it is, and writes it as it was."""
    return isinstance(data, str) and not isinstance(data, RawText) and UNSEEN.search(data) is None
