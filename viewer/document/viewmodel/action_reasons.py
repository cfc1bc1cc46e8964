"""Why an action of the menus can do nothing with what is selected, in a sentence that a menu shows beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, Collection, EditError, collection, inside, slot_of
from viewer.document.selection import Spot
from viewer.variant.dialect import PACKED, Content, Kind, content
from viewer.variant.items import Item

NO_FILE = "Open a file first"
NO_VALUE = "Select a value first"
OFF: Mapping[str, str] = {
    "undo": "Nothing has been changed yet",
    "redo": "Nothing was undone",
    "save": "There are no changes to save",
    "revert": "There are no changes to discard",
    "reload": "These bytes have no file yet: save them first",
    "back": "There is no earlier place",
    "forward": "There is no later place",
    "stop_reading": "Nothing is being read",
    "mend": "No length or padding is left wrong",
    "text": "This file is not text",
    "undescribe": "These bytes were not described by you",
    "open_layout": "No layout in your folder reads this file",
    "forget_layout": "No layout in your folder reads this file",
    "dismiss_news": "No other program has changed this file while it was open",
}
"""Why an action that is switched off cannot be chosen although a file is open."""

IN_TREE = (Content.VALUES, Content.PAIRS)


def why_not(name: str, spot: Spot | None) -> str:
    """Why the action called *name* can do nothing with the selected value, empty where it can or does not ask for one.

    Only what is told by a look at the value and its collection is told here; the action itself says the rest.
    """
    rule = _RULES.get(name)
    if rule is None:
        return ""
    if spot is None:
        return NO_VALUE
    try:
        return rule(spot.document, spot.item)
    except EditError as error:
        has_tables = spot.document.structure is not None  # whose entries come and go in ways of their own
        return "" if has_tables else str(error).removesuffix(".")


def _beside(document: Document, item: Item) -> str:
    """Values are put beside others; a root without a length before it takes them inside."""
    slot = slot_of(document, item)
    if slot.frame == FILE and document.framing.kind is not FramingKind.STORED:
        inside(document, item)
    else:
        collection(document, slot)
    return ""


def _doubled(document: Document, item: Item) -> str:
    slot = slot_of(document, item)
    collection(document, slot)
    is_alone = slot.frame == FILE and document.framing.kind is FramingKind.BARE
    return "This file holds one value alone; choose one inside it" if is_alone else ""


def _up(document: Document, item: Item) -> str:
    slot = slot_of(document, item)
    collection(document, slot)
    return "" if slot.number else "This is the first value of its collection"


def _down(document: Document, item: Item) -> str:
    slot = slot_of(document, item)
    return "" if slot.number + 1 < len(collection(document, slot)) else "This is the last value of its collection"


def _into(document: Document, item: Item) -> str:
    inside(document, item)
    return ""


def _keyed(document: Document, item: Item) -> str:
    frame = outline.frame_of(document, item)
    has_key = frame is not None and outline.key_of(frame.table, item.node) is not None
    return "" if has_key else "This value has no key; only values of dictionaries and objects have one"


def _sortable(document: Document, item: Item) -> str:
    held = Collection(document, item.frame, item.node)
    return "" if held.has_keys and len(held) > 1 else "Only dictionaries and objects with several keys can be sorted"


def _packed(document: Document, item: Item) -> str:
    row = outline.type_row(document, item)
    return "" if row is not None and row.kind in PACKED else "Only packed arrays have a grid: select one"


def _edited(document: Document, item: Item) -> str:
    row = outline.type_row(document, item)
    is_open_in_tree = not item.part and row is not None and content(row.kind) in IN_TREE
    return "What is in this collection is edited in the tree: open it there" if is_open_in_tree else ""


def _holding_more(document: Document, item: Item) -> str:
    row = outline.type_row(document, item)
    is_bytes = row is not None and row.kind is Kind.PACKED and row.narrow_size == 1
    text = row is not None and row.kind is Kind.STRING
    if is_bytes or text or document.text is not None or document.structure is not None:
        return ""
    return "Only byte arrays and texts hold values inside: select one"


def _bare(document: Document, _: Item) -> str:
    is_stored = document.framing.kind is FramingKind.STORED
    return "The values of this file have length prefixes already" if is_stored else ""


def _stored(document: Document, _: Item) -> str:
    if document.framing.kind is not FramingKind.STORED:
        return "The values of this file have no length prefixes"
    return "A bare file holds one value; this one holds several" if len(document.frames) > 1 else ""


_RULES: Mapping[str, Callable[[Document, Item], str]] = {
    "insert_after": _beside,
    "insert_before": _beside,
    "insert_into": _into,
    "paste_into": _into,
    "duplicate": _doubled,
    "move_up": _up,
    "move_down": _down,
    "rename_key": _keyed,
    "sort_keys": _sortable,
    "edit_in_editor": _edited,
    "edit_grid": _packed,
    "look_inside": _holding_more,
    "to_stored": _bare,
    "to_bare": _stored,
}
