"""The verdict on a value that a person is typing: would it fit, what would be written, and what would mend it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from struct import Struct

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.base.words import counted, grouped, grouped_in
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.cell_text import CellText
from viewer.document.edits.setting import EditDraft, draft
from viewer.document.edits.slots import EditError
from viewer.document.edits.text_limits import check_typed
from viewer.document.pieces.message import FieldForm
from viewer.document.viewmodel.row_data import Rgba, element_type
from viewer.text.float_spelling import is_misread, readable
from viewer.variant.dialect import FLAG_64, TypeRow
from viewer.variant.items import Item

RANGES = {
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u8": (0, 255),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
}
FIX_LIMIT = 24
NOTHING = Span(0, 0)
ONE = Decimal(1)
SAME = "The same value as now"
SAME_KEY = "The same key as now"
LINE_ENDS = ("\n", "\r")
QUOTED, UNQUOTE = "The quotes become part of the text.", "leave the quotes out"
AS_TEXT = "write it as a text"
TWICE = "An engine keeps only the last value of the two."
MOST_KEYS = 10_000
"""Among more keys nobody looks whether one stands there twice, at every key that is pressed."""
COLOUR = Struct("<4f")
DOUBLE = Struct("<d")
INEXACT = "JSON numbers are floats for the engine: it reads {}"
KEPT = "The text keeps the digits that are typed."
NO_SPELLING = "Godot reads {!r} here: no spelling of {!r} is read exactly."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the text so far.

    Args:
        ok: whether it can be written.
        title: the verdict in a few words; *detail* one more sentence, empty for none.
        before: the item's bytes now; *after* those that would be written, None where nothing can be.
        header: how many of the bytes are the value's header.
        changed: which of the bytes afterwards are other ones.
        fix: the text mended, None where there is no obvious way; *fix_label* says what that is.
        position: the character that is wrong, -1 for none.
        in_text: whether the value stands in a text: the bytes are those that were made of it, and none of the file.
        is_doubtful: whether it can be written, and is hardly meant.
        spelled: how the value stands in the text now, and how it would; empty where that is not worked out.
        respells: whether it is written into the text although the value is the same for the engines.
    """

    ok: bool
    title: str
    detail: str
    before: bytes
    after: bytes | None
    header: int = 0
    changed: Span = NOTHING
    fix: str | None = None
    fix_label: str = ""
    position: int = -1
    in_text: bool = False
    spelled: tuple[str, str] = ("", "")
    is_doubtful: bool = False
    respells: bool = False

    @property
    def changes_something(self) -> bool:
        """Whether applying it would write anything."""
        return self.ok and (self.respells or self.after != self.before)

    @property
    def why_not(self) -> str:
        """In one line why it cannot be written, empty where it can."""
        return "" if self.ok else " ".join(f"{part.removesuffix('.')}." for part in (self.title, self.detail) if part)

    def first_byte(self, count: int) -> int:
        """Where *count* bytes begin that show what changes; the header is left out as long as it stays."""
        if not self.changes_something:
            return self.header
        longest = max(len(self.before), len(self.after or b""))
        if len(self.changed) and self.changed.start < self.header:
            return 0
        return max(self.header, min(self.changed.start - count // 2, longest - count))


def judge(document: Document, item: Item, text: str) -> Verdict:
    """What setting *item* to *text* would do."""
    try:
        found = draft(document, item, text)
        verdict = drafted(document, item, found)
    except EditError as error:
        return refused(document, item, error, text)
    if verdict.changes_something and _stands_twice(document, item, found.after):
        return replace(verdict, title="This key is there already", detail=TWICE, is_doubtful=True)
    return verdict


def drafted(document: Document, item: Item, found: EditDraft) -> Verdict:
    """The verdict on an edit of an item.

    Raises:
        EditError: the text that the value stands in cannot hold it.
    """
    if document.text is not None:
        check_typed(document, found.edit)
    verdict = accepted(document, item, found.before, found.after)
    if found.edit.bases is None:
        return verdict
    (read,) = DOUBLE.unpack(found.after[-DOUBLE.size :])
    return replace(verdict, title=INEXACT.format(int(read)), detail=KEPT, is_doubtful=True, respells=True)


def _stands_twice(document: Document, item: Item, key: bytes) -> bool:
    """Whether another key of the same dictionary has these bytes."""
    frame = outline.node_frame(document, item)
    if frame is None or not _is_key(document, item):
        return False
    table = frame.table
    keys = table.children(table.parent[item.node])[::2]
    if len(keys) > MOST_KEYS:
        return False
    return any(
        each != item.node
        and table.end(each) - table.start[each] == len(key)
        and table.buffer[table.start[each] : table.end(each)] == key
        for each in keys
    )


def judge_cell(document: Document, item: Item, cell: CellText, typed: str) -> Verdict:
    """What setting *item* to what is typed in its cell would do."""
    try:
        text = cell.literal(typed)
    except EditError as error:
        return refused(document, item, error, typed)
    found = judge(document, item, text)
    if cell.plain:
        return found if found.is_doubtful else _plain(found, typed)
    if cell.is_open and not found.ok and typed.strip():
        return replace(found, fix=cell.quoted(typed.strip()), fix_label=AS_TEXT)
    if text == typed:
        return found
    if found.ok:
        return replace(found, title=f"{typed.strip()} is {text}")
    return replace(found, position=0)  # the place is one in the result


def _plain(found: Verdict, typed: str) -> Verdict:
    """The verdict on a text that is typed as it is, with what may not be meant: quotes, and ends of lines."""
    if found.ok and len(typed) > 1 and typed[0] == typed[-1] == '"':
        return replace(found, detail=QUOTED, fix=typed[1:-1], fix_label=UNQUOTE)
    ends = len(typed.splitlines()) - (0 if typed.endswith(LINE_ENDS) else 1)
    if found.ok and ends > 0 and found.after != found.before:
        told = f"It has {counted(ends, 'line break')}, which the field shows as blanks."
        return replace(found, detail=told, fix=" ".join(typed.splitlines()), fix_label="make it one line")
    return found


def refused(document: Document, item: Item, error: EditError, text: str = "") -> Verdict:
    """The verdict on what cannot be written, and why; *text* is what was tried."""
    header = 0 if item.part else 4
    span = outline.span(document, item)
    before = bytes(document.buffer[span.start : span.end])
    title, detail = _sentences(grouped_in(str(error)), error.position)
    label = _fix_label(str(error), error.fix)
    fix = error.fix if error.fix != text else None
    return Verdict(False, title, detail, before, None, header, NOTHING, fix, label, error.position, _in_text(document))


def accepted(document: Document, item: Item, before: bytes, after: bytes) -> Verdict:
    """The verdict on an item's bytes that would become other ones."""
    header = 0 if item.part else 4
    changed, title = changed_span(before, after), _title(document, item, before, after)
    if _in_text(document):
        detail = _misread(document, item, after) if before != after else ""
        return Verdict(True, title, detail, before, after, header, changed, in_text=True)
    growth, wraps = _growth(before, after), document.wraps.names
    if wraps and len(before) != len(after):  # how long the file becomes only the wrap tells
        growth = f"{growth.removesuffix('.')}, inside {wraps[-1]}."
    return Verdict(True, title, growth, before, after, header, changed)


def _misread(document: Document, item: Item, after: bytes) -> str:
    """What engines read of a float in a text that no spelling is read as; empty where they read it."""
    row, part = outline.type_row(document, item), outline.part(document, item)
    new = document.dialect.row(int.from_bytes(after[:4], "little")) if not item.part else None
    is_float = part.type == "f64" if part is not None and item.part else new is not None and new.name == "float"
    if row is None or not is_float or len(after) < DOUBLE.size:
        return ""
    (meant,) = DOUBLE.unpack(after[-DOUBLE.size :])
    return NO_SPELLING.format(readable(meant), meant) if is_misread(meant) else ""


def unchanged(document: Document, item: Item) -> Verdict:
    """The verdict on text that nobody has touched."""
    span = outline.span(document, item)
    before = bytes(document.buffer[span.start : span.end])
    return Verdict(True, _same(document, item), "", before, before, 0 if item.part else 4, in_text=_in_text(document))


def _in_text(document: Document) -> bool:
    return document.text is not None


def limits(document: Document, item: Item) -> str:
    """The range of a whole number, empty for everything else."""
    row = outline.type_row(document, item)
    part, field = outline.part(document, item), outline.field_of(document, item)
    if field is not None and field.form is not None:
        return _field_limits(field.form)
    kind = part.type if part is not None else row.wide[0].type if row and row.name == "int" else ""
    if kind in RANGES:
        low, high = RANGES[kind]
        return f"{grouped(low)} … {grouped(high)}"
    return ""


def _field_limits(form: FieldForm) -> str:
    digits = form.type[1:]
    if not digits.isdigit() or form.type[0] == "f":
        return ""
    high = (1 << int(digits)) - 1
    low, high = (0, high) if form.type[0] == "u" else (-(high // 2) - 1, high // 2)
    return f"{grouped(low)} … {grouped(high)}"


def changed_span(before: bytes, after: bytes) -> Span:
    """The bytes of *after* that differ: between what both begin with and what both end with."""
    shorter = min(len(before), len(after))
    head = next((k for k in range(shorter) if before[k] != after[k]), shorter)
    rest = shorter - head
    tail = next((k for k in range(rest) if before[-1 - k] != after[-1 - k]), rest)
    return Span(head, len(after) - tail)


def stepped(text: str, steps: int, fine: bool = False, unit: Decimal = ONE) -> str | None:
    """A number's text some steps of a *unit* up or down, or (*fine*) of a tenth; None where it is no plain number."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or number.adjusted() > 30:
        return None
    is_whole = unit == ONE and text.strip().lstrip("+-").isdigit()
    if is_whole and fine:
        return None
    result = format(number + steps * (unit / 10 if fine else unit), "f")
    if is_whole:
        return result
    return result if "." in result else f"{result}.0"


def colour_of(document: Document, item: Item, text: str) -> Rgba | None:
    """The colour that a text would write, None where it is none."""
    try:
        after = draft(document, item, text).after
    except EditError:
        return None
    raw = after if item.part else after[4:]
    if len(raw) != COLOUR.size:
        return None
    red, green, blue, alpha = COLOUR.unpack(raw)
    return red, green, blue, alpha


def colour_literal(rgba: Rgba) -> str:
    """A colour of the screen as a literal, each channel as short as 8 bits of it need."""
    return f"Color({', '.join(f'{round(channel, 4):g}' for channel in rgba)})"


def _type(document: Document, item: Item) -> str:
    row, part = outline.type_row(document, item), outline.part(document, item)
    field = outline.field_of(document, item)
    if field is not None and field.form is not None:
        return field.form.type
    if row is None:
        return "value"
    if part is not None:
        return element_type(document.dialect, row, part) if item.part.startswith("[") else part.type
    return row.name


def _title(document: Document, item: Item, before: bytes, after: bytes) -> str:
    if before == after:
        return _same(document, item)
    row = outline.type_row(document, item)
    if item.part or row is None:
        return f"Valid {_type(document, item)}"
    word = int.from_bytes(after[:4], "little")
    new = document.dialect.row(word)
    is_key = _is_key(document, item)
    if new is None or new is row or new.name == row.name:
        return f"Valid {'key' if is_key else row.name}{_details(row, word, after, _in_text(document))}"
    return f"{'The key becomes' if is_key else 'Becomes'} {new.name}, was {row.name}"


def _same(document: Document, item: Item) -> str:
    return SAME_KEY if _is_key(document, item) else SAME


def _is_key(document: Document, item: Item) -> bool:
    frame = outline.node_frame(document, item)
    return frame is not None and not item.part and outline.is_key(frame.table, item.node)


def _details(row: TypeRow, header: int, after: bytes, in_text: bool) -> str:
    if row.name in ("int", "float") and row.has_wide:
        if in_text:
            return ""
        return ", takes 64 bits" if header & FLAG_64 else ", fits in 32 bits"
    if row.name in ("String", "StringName"):
        length = int.from_bytes(after[4:8], "little")
        characters = len(after[8 : 8 + length].decode(errors="replace"))
        if in_text:
            return f", {counted(characters, 'character')}"
        unit = "character" if characters == 1 else "characters"
        return f", {grouped(characters)} {unit} in {counted(length, 'byte')}"
    return ""


def _growth(before: bytes, after: bytes) -> str:
    growth = len(after) - len(before)
    if not growth:
        return "" if before == after else "The size stays the same."
    return f"{counted(abs(growth), 'byte')} {'longer' if growth > 0 else 'shorter'} than now."


def _sentences(message: str, position: int) -> tuple[str, str]:
    """A message as a title and what follows it."""
    for sign in (". ", ": ", ", but "):
        title, found, detail = message.partition(sign)
        if found:
            return title, (detail if sign != ", but " else f"But {detail}")
    return message.removesuffix("."), f"At character {position + 1}." if position > 0 else ""


def _fix_label(message: str, fix: str | None) -> str:
    if fix is None:
        return ""
    for word in ("largest", "smallest"):
        if word in message:
            return f"use the {word}"
    return f"use {fix}" if len(fix) <= FIX_LIMIT else "fix it"
