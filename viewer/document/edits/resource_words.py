"""Resource words: resources added and taken away as the command line says it."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.document.document import Document
from viewer.document.edits.resource_edit import (
    add_external,
    add_resource,
    only_resource,
    references_to,
    remove_resource,
    resource_entry,
    table_of,
)
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path, parse_path
from viewer.document.splice import Edit
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import ReferenceKind

END = "[]"
TOLD = 5


def resource_from_text(document: Document, path: str, literal: str) -> Edit:
    """The edit that adds a resource.

    Args:
        document: the file.
        path: ``@internal_resources[]`` or ``@external_resources[]``; with the entry before which it goes instead of
            ``[]`` for one inside the file.
        literal: a text, its class; of one outside its class and its path, ``"Script res://a.gd"``.

    Raises:
        PathError: the path leads nowhere.
        EditError: it is no place for a resource, or the text is none.
    """
    item = parse_path(document, path.removesuffix(END))
    kind = table_of(document, item) if document.structure is not None and document.structure.resources else None
    if kind is None:
        raise EditError("No new value can stand here; write @internal_resources[] or @external_resources[].")
    try:
        words = str(parse_literal(literal, document.dialect, "String").data)
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error
    if kind is ReferenceKind.EXTERNAL:
        type_name, _, at = words.partition(" ")
        if not type_name or not at:
            raise EditError('A resource of another file is its class and its path: "Script res://a.gd".')
        return add_external(document, type_name, at)
    if not words:
        raise EditError('A resource needs a class: "Resource".')
    entry = resource_entry(document, item)
    return add_resource(document, words, -1 if entry is None else entry.place)


def resource_taken_away(document: Document, items: Sequence[Item], is_decided: bool) -> Edit | None:
    """The edit that takes a resource away; None where the items are values.

    Args:
        document: the file.
        items: what is taken away.
        is_decided: whether values that name it may become null.

    Raises:
        EditError: it cannot go, or values name it and nobody has decided.
    """
    entry = only_resource(document, items)
    if entry is None:
        return None
    edit = remove_resource(document, entry)
    found = [format_path(document, item) for item in references_to(document, entry)]
    if found and not is_decided:
        more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
        raise EditError(
            f"This resource is named by {', '.join(found[:TOLD])}{more}; with --null-references null takes its place."
        )
    return edit
