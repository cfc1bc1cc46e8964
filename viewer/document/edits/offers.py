"""Offers: which types a new value may have in some place."""

from __future__ import annotations

from viewer.document.document import Document
from viewer.document.edits.fragment import element_type
from viewer.document.edits.slots import FILE, Slot, collection
from viewer.variant.dialect import Kind
from viewer.variant.expected import expected

NEVER = frozenset({"Max", ""})


def addable(document: Document, slot: Slot) -> list[str]:
    """The types of the document's dialect that may stand in a slot, in the order of their numbers.

    Raises:
        EditError: the slot is in no collection.
    """
    held, dialect = collection(document, slot), document.dialect
    if held.is_packed and held.row is not None:
        return [element_type(held.row, dialect)]
    only = None
    if slot.frame != FILE and held.row is not None:
        only = expected(dialect, held.row.kind, held.held()[1])
    names = [row.name for row in dialect.rows if row.name in dialect.by_name and row.kind is not Kind.NULL_OBJECT]
    if only is None:
        return names
    fits = [row.name for row in dialect.rows if row.number in only.kept and row.name in names]
    return fits or names
