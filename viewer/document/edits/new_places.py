"""New places: where a path says that a new value goes.

``[0].items[3]`` is the place before the element 3, ``[0].items[]`` the one behind the last, ``[0].player.mana`` a new
key, ``[1]`` before the second value of the file and ``[]`` behind its last.
"""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, EditError, Slot, collection, inside, slot_of
from viewer.document.path import PathError, last_segment, numbered, parse_path
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.paths.path_keys import alike, value_segment
from viewer.variant.value import Value

END = "[]"


@dataclass(frozen=True, slots=True)
class NewPlace:
    """A slot, and the literal of the key that the value gets there, empty for none."""

    slot: Slot
    key: str = ""


def new_place(document: Document, path: str, key: str = "") -> NewPlace:
    """Where a new value goes.

    Args:
        document: the document.
        path: the place.
        key: the literal of its key, where the path does not say it: then the path is that of an entry before which it
            goes, or ends in ``[]``.

    Raises:
        PathError: the path leads nowhere.
        EditError: there can be no new value, or the key is there already.
    """
    path = numbered(document, path.strip())
    if path == END:
        return NewPlace(Slot(FILE, 0, len(document.frames)))
    if path.endswith(END):
        return _keyed(document, inside(document, parse_path(document, path[: -len(END)])), key)
    head, last = last_segment(path)
    if not head:
        return NewPlace(_frame_slot(document, last))
    held = parse_path(document, head)
    place = inside(document, held)
    if not collection(document, place).has_keys:
        return NewPlace(_element_slot(document, path, last, place))
    if key:
        return _keyed(document, slot_of(document, parse_path(document, path)), key)
    return _keyed(document, place, _key(document, last))


def _frame_slot(document: Document, last: str) -> Slot:
    """The place before a frame, or behind the last."""
    number = last[1:-1].strip()
    if number.isascii() and number.isdigit() and len(number) < 10 and int(number) <= len(document.frames):
        return Slot(FILE, 0, int(number))
    raise EditError(f"There is no place {last[:20]}; write [] to append a value to the file.")


def _element_slot(document: Document, path: str, last: str, end: Slot) -> Slot:
    """The place before an element, or behind the last where the path names the one that would follow it."""
    return end if last == f"[{end.number}]" else slot_of(document, parse_path(document, path))


def _key(document: Document, last: str) -> str:
    """The literal of the key that a segment names."""
    if last.startswith("."):
        return format_literal(Value("String", last[1:]), document.dialect)
    if last.startswith("["):
        return last[1:-1].strip()
    raise PathError(f"“{last[:20]}” is not a key: write .name or [key] for the entry to add.")


def _keyed(document: Document, slot: Slot, key: str) -> NewPlace:
    """A place in a dictionary, object or array, with the key checked."""
    held = collection(document, slot)
    if not held.has_keys:
        if key:
            raise EditError("An array has no keys; leave the key out.")
        return NewPlace(slot)
    if not key:
        raise EditError("An entry needs a key: write it as the last step of the path, or after --entry-key.")
    try:
        value = parse_literal(key, document.dialect, precision=document.precision)
    except LiteralError as error:
        raise EditError(f"“{key[:40]}” is not a key: {error}") from error
    if alike(held.table, held.node, value_segment(value, document.dialect), value):
        raise EditError(f"There is a key {key[:40]} already; set its value instead.")
    return NewPlace(slot, key)
