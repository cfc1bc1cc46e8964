"""What a person may put into a slot: a value like its neighbours, what was typed, or the empty value of a type."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment, made, taken
from viewer.document.edits.setting import literal
from viewer.document.edits.slots import FILE, Collection, EditError, Slot, collection
from viewer.document.edits.structure import addable
from viewer.document.path import format_path
from viewer.variant.convert.defaults import default
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.read import read_shallow
from viewer.variant.value import Value

MOST_KEYS = 6
LONGEST = 60
TEXTS = ("String", "StringName")
"""What a plain text becomes, the first that may stand in a place."""


@dataclass(frozen=True, slots=True)
class NewValue:
    """One value that may be put into a slot.

    Args:
        title: what it is, in a few words.
        detail: more about it, empty for nothing.
        fragment: it.
        is_empty: whether it is the empty value of a type, which is edited next.
    """

    title: str
    detail: str
    fragment: Fragment
    is_empty: bool = False


def place_words(document: Document, slot: Slot) -> str:
    """Where a slot is: behind which value, or at the beginning of what."""
    held = collection(document, slot)
    if slot.number:
        return f"after {format_path(document, held.item(slot.number - 1))}"
    if slot.frame == FILE:
        return "at the beginning of the file"
    above = format_path(document, Item(slot.frame, slot.node))
    return f"in {above}" if not len(held) else f"at the beginning of {above}"


def like_neighbour(document: Document, slot: Slot) -> NewValue | None:
    """A value like the one before a slot, or behind it at the beginning; None where there is none or it is broken."""
    held = collection(document, slot)
    if held.is_packed or not len(held):
        return None
    number = slot.number - 1 if slot.number else 0
    item = held.item(number)
    try:
        fragment = taken(document, item)
    except EditError:
        return None
    name = f"[{number}]"
    if held.has_keys:
        key = read_shallow(held.table, held.key(number)).data
        name = key if isinstance(key, str) else str(key)
    return NewValue(f"Like {name}", _shown(document, item), fragment)


def typed_value(document: Document, slot: Slot, text: str) -> NewValue | None:
    """The value that a text says as a literal or as JSON, None where it says none that may stand there."""
    text = text.strip()
    try:
        value = parse_literal(text, document.dialect, precision=document.precision)
        if document.wraps.text is not None and value.type not in addable(document, slot):
            return None
        return NewValue(text, value.type, made(document, value))
    except (LiteralError, EditError):
        return None


def typed_text(document: Document, slot: Slot, text: str) -> NewValue | None:
    """What was typed as a text, None where none may stand there."""
    text, held = text.strip(), addable(document, slot)
    name = next((name for name in TEXTS if name in held), None)
    return (
        NewValue(f"The text “{text}”", name, made(document, Value(name, text))) if text and name is not None else None
    )


def empty_value(document: Document, type_name: str) -> NewValue:
    """The empty value of a type."""
    return NewValue(type_name, "", made(document, default(type_name, document.dialect)), is_empty=True)


def _shown(document: Document, item: Item) -> str:
    """The names in a value, or what it is."""
    try:
        inside = Collection(document, item.frame, item.node) if not item.part else None
    except EditError:
        inside = None
    if inside is not None and inside.has_keys:
        count = len(inside)
        keys = [str(read_shallow(inside.table, inside.key(k)).data) for k in range(min(count, MOST_KEYS))]
        return ", ".join(keys) + (", …" if count > MOST_KEYS else "")
    row = outline.type_row(document, item)
    try:
        shown = literal(document, item)
    except EditError:
        return row.name if row is not None else ""
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
