"""What is typed into a cell: a text as it is, a number or a sum, any other value as a literal; judged at every key. And
what a cell tells: its type, and why nothing can be typed.
"""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.document import outline
from viewer.document.bulk.frame_values import Data, plain
from viewer.document.edits.cell_text import counted_out
from viewer.document.edits.packed import set_elements
from viewer.document.edits.setting import draft, literal
from viewer.document.edits.slots import EditError
from viewer.document.forms.cells import evaluate, is_expression
from viewer.document.forms.typed_values import plain as is_plain
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_cells import cell_data, cell_facts, holds_others, is_text
from viewer.document.sheets.sheet_edits import SheetWriter
from viewer.document.splice import Edit
from viewer.document.viewmodel.verdict import Verdict, limits, refused
from viewer.document.viewmodel.verdict import drafted as verdict_on
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Value

TEXTS = ("String", "StringName", "NodePath")
LONGEST = 1 << 16
IN_EDITOR = "This text has several lines or characters that cannot be seen: change it in its editor (F4)."


class NeedsEditor(EditError):
    """This value can be changed, but not in one line."""


@dataclass(frozen=True, slots=True)
class CellDraft:
    """What a typed text would do: the edit, and the verdict on it. There is no edit where nothing would be written."""

    verdict: Verdict
    edit: Edit | None


def opening_text(sheet: Sheet, row: int, column: int) -> str:
    """What stands in the field when it opens.

    Raises:
        NeedsEditor: the value is changed in the editor of its type.
        EditError: the value cannot be typed in a cell.
    """
    item = sheet.cell(row, column)
    if item is None:
        return ""
    if holds_others(sheet, item):
        raise EditError("This value holds others; Enter goes to them in the tree.")
    if len(outline.span(sheet.document, item)) > LONGEST if not item.part else False:
        raise NeedsEditor("This value is too long for a cell; change it in its editor (F4).")
    if is_text(sheet, item):
        data = cell_data(sheet, item)
        text = data if isinstance(data, str) else ""
        if not is_plain(text) or "\n" in text or "\t" in text:
            raise NeedsEditor(IN_EDITOR)
        return text
    return literal(sheet.document, item)


def cell_range(sheet: Sheet, row: int, column: int) -> str:
    """The range of a whole number, empty for everything else."""
    item = sheet.cell(row, column)
    return limits(sheet.document, item) if item is not None else ""


def drafted(sheet: Sheet, row: int, column: int, text: str) -> CellDraft:
    """What setting a cell to a typed text would do."""
    item = sheet.cell(row, column)
    if item is None:
        return _added(sheet, row, column, text)
    document = sheet.document
    try:
        if item.part and is_text(sheet, item):
            return _element(sheet, item, text)
        found = draft(document, item, as_literal(sheet, item, text))
        verdict = verdict_on(document, item, found)
    except EditError as error:
        return CellDraft(refused(document, item, error, text), None)
    return CellDraft(verdict, found.edit if verdict.changes_something else None)


def _element(sheet: Sheet, item: Item, text: str) -> CellDraft:
    """A string of a packed array, which may be empty and then has no bytes of its own."""
    number = sheet.ground.index_of(item)
    assert number is not None
    before = str(cell_data(sheet, item))
    edit = set_elements(sheet.document, Item(item.frame, item.node), {number: text})
    old, new = before.encode(errors="surrogatepass"), text.encode(errors="surrogatepass")
    same = old == new
    title = "The same value as now" if same else "Valid String"
    return CellDraft(Verdict(True, title, "", old, new), None if same else edit)


def _added(sheet: Sheet, row: int, column: int, text: str) -> CellDraft:
    title = sheet.columns[column].title
    if not text:
        return CellDraft(Verdict(True, "Nothing is added", f"This row stays without {title}.", b"", b""), None)
    writer = SheetWriter(sheet)
    try:
        writer.set(row, column, typed_for(sheet, row, column, text))
        edit = writer.edit(f"Add {title}")
    except EditError as error:
        return CellDraft(Verdict(False, str(error).partition(". ")[0].removesuffix("."), "", b"", None), None)
    new = b"".join(splice.inserted for splice in edit.splices)
    name = sheet.facts(column).main_type
    return CellDraft(Verdict(True, f"Adds {title}" + (f", {name}" if name else ""), "", b"", new or b"\0"), edit)


def as_literal(sheet: Sheet, item: Item, text: str) -> str:
    """What was typed for a value as the literal that is meant."""
    document = sheet.document
    name = sheet.type_of(item)
    if is_text(sheet, item):
        return format_literal(Value(name, text), document.dialect)
    data = cell_data(sheet, item)
    if isinstance(data, int | float) and not isinstance(data, bool):
        return reckoned(text, data, 0)
    if name == "Nil":
        return format_literal(_open(sheet, text), document.dialect, precision=document.precision)
    return text


def reckoned(text: str, now: float, row: int) -> str:
    """A sum as the number that it gives; everything else as it is.

    Raises:
        EditError: it cannot be reckoned.
    """
    whole = isinstance(now, int)
    return evaluate(text, now, row, whole) if is_expression(text) else counted_out(text, now, whole)


def _open(sheet: Sheet, text: str) -> Value:
    """A value of any type: a literal, or a text where what was typed is no literal."""
    document = sheet.document
    try:
        return parse_literal(text, document.dialect, precision=document.precision)
    except LiteralError:
        return Value("String", text)


def typed_for(sheet: Sheet, row: int, column: int, text: str) -> Data:
    """What was typed or pasted for a cell, as a value of the type that it has, or that its column mostly has.

    Raises:
        EditError: it is no value of that type.
    """
    item = sheet.cell(row, column)
    document = sheet.document
    if item is not None and is_text(sheet, item):
        return text
    name = sheet.type_of(item) if item is not None else sheet.facts(column).main_type
    if item is None and len(sheet.facts(column).types) > 1 and name in TEXTS:
        name = name if not _is_number(text) else ""
    if name == "Nil" or not name:
        return plain(_open(sheet, text))
    if name in ("String", "StringName"):
        return plain(Value(name, text)) if name == "String" else Value(name, text)
    if item is not None:
        data = cell_data(sheet, item)
        if isinstance(data, int | float) and not isinstance(data, bool):
            text = reckoned(text, data, row)
    if name == "bool":
        text = text.strip().lower()
    try:
        return plain(parse_literal(text, document.dialect, name, precision=document.precision))
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error


def typed_in(sheet: Sheet, row: int, column: int, text: str) -> Data:
    """The same; what is refused says in which cell.

    Raises:
        EditError: it is no value of that type.
    """
    try:
        return typed_for(sheet, row, column, text)
    except EditError as error:
        raise EditError(f"{sheet.row_label(row)[0]}, {sheet.columns[column].title}: {error}") from error


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# What a cell tells beyond what it shows.


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
        said.append(f"This key occurs {sheet.times(row, column)} times in this row; an engine keeps the last one.")
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
