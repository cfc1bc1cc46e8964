"""What a text that values were read from lets stand where: its sections stay dictionaries, its keys texts."""

from __future__ import annotations

from viewer.base.late_pattern import late_pattern
from viewer.base.record import replace
from viewer.container.layer import SourceText
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_replaced
from viewer.document.edits.slots import EditError
from viewer.document.path import item_path
from viewer.document.splice import Edit, EditLabel
from viewer.text.float_spelling import engine_float
from viewer.text.patching import common
from viewer.variant.items import Item
from viewer.variant.table import NONE

JSON = "json"
_DIGITS = late_pattern(rb"-?(?:0|[1-9]\d*)")
MOST_DIGITS = 300
"""A number of more digits is larger than any that an engine reads."""
MOST_SPELLED, BEFORE = 80, 20
"""Bytes of a value that are shown, and of these in front of what changes."""
IN_PLACE = 1 << 18
"""Into a text of up to so many bytes a value is tried at every key; into a longer one when it is taken."""


def only_type(document: Document, frame: int, holder: int, is_key: bool = False) -> str:
    """The one type that a text lets stand in a collection, empty where every one may.

    Args:
        document: whose text.
        frame: the frame of the collection.
        holder: its node, ``NONE`` for the top.
        is_key: whether a key is meant, and not a value.
    """
    text = document.text
    if text is None or frame < 0:
        return ""
    if text.dialect == JSON:
        return "String" if is_key else ""
    if not text.has_sections:
        return ""
    if is_key:
        table = document.frames[frame].table
        return "String" if holder in (0, NONE) or table.parent[holder] == 0 else ""
    return "Dictionary" if holder in (0, NONE) else ""


def only_type_of(document: Document, item: Item) -> str:
    """The one type that a value of a text, or a key, may have; empty where it may have every one."""
    frame = outline.frame_of(document, item)
    if frame is None:
        return ""
    table = frame.table
    if not item.node:
        return only_type(document, item.frame, NONE)
    return only_type(document, item.frame, table.parent[item.node], outline.is_key(table, item.node))


def check_typed(document: Document, edit: Edit) -> None:
    """Look whether an edit that is being typed can be written into the text, where that is not too long for it.

    Raises:
        EditError: it cannot.
    """
    why = document.refusal(edit) if document.text is not None and len(document.shown) <= IN_PLACE else ""
    if why:
        raise EditError(why)


def spelled(document: Document, item: Item, edit: Edit | None) -> tuple[str, str]:
    """How a value stands in the text now, and how it would after an edit of it: as much of both as a line may hold.

    The second is empty where nothing changes, and where the text is too long to be written at every key.
    """
    place = document.place(outline.span(document, item))
    now = bytes(document.shown[place.start : place.end])
    if edit is None or len(document.shown) > IN_PLACE or document.refusal(edit):
        return _around(now, 0), ""
    whole = document.text_after(edit).outside
    then = bytes(whole[place.start : place.end + len(whole) - len(document.shown)])
    first = common(now, 0, len(now), then, 0, len(then))
    return _around(now, first), _around(then, first)


def _around(token: bytes, place: int) -> str:
    """What is around a place of a long token."""
    start = place - BEFORE if place > BEFORE and len(token) > MOST_SPELLED else 0
    start, end = (_whole_sign(token, at) for at in (start, min(start + MOST_SPELLED, len(token))))
    words = token[start:end].decode("utf-8", "replace")
    return f"{'…' if start else ''}{words}{'…' if end < len(token) else ''}"


def _whole_sign(token: bytes, at: int) -> int:
    """The beginning of the sign that a byte is in."""
    while 0 < at < len(token) and token[at] & 0xC0 == 0x80:
        at -= 1
    return at


def exact_number(document: Document, item: Item, typed: str) -> Edit | None:
    """The edit that writes a whole number into JSON to its last digit, though engines read another one.

    None where they read it as it is, or something else is typed.
    """
    text, token = document.text, typed.strip().encode(errors="replace")
    if text is None or not _is_inexact(text, token) or document.text_problem or document.is_begun:
        return None
    frame = outline.node_frame(document, item)
    if frame is None or outline.is_key(frame.table, item.node):
        return None  # a key is a text
    place = document.place(outline.span(document, item))
    edit = text_replaced(document, [(place, token)], "Set")
    return replace(edit, words=EditLabel("Set {}", (item_path(document, item),)))


def _is_inexact(text: SourceText, token: bytes) -> bool:
    is_whole = text.dialect == JSON and len(token) <= MOST_DIGITS and _DIGITS.fullmatch(token) is not None
    return is_whole and int(engine_float(token.decode())) != int(token)
