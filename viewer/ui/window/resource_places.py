"""Resource places: what a new value is where a table of resources is selected."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.resource_edit import add_external, add_resource, resource_entry, table_of
from viewer.document.splice import Edit
from viewer.variant.items import Item
from viewer.variant.value import ReferenceKind


@dataclass(frozen=True, slots=True)
class NewResource:
    """The edit that makes a resource, and the path of the field that is typed then, empty for none."""

    edit: Edit
    path: str = ""


def new_resource(document: Document, item: Item, behind: int) -> NewResource | None:
    """A resource before (0) or behind (1) the one whose entry is selected; None where no table is.

    Raises:
        EditError: the tables of the file cannot be followed.
    """
    kind = table_of(document, item)
    if kind is ReferenceKind.EXTERNAL:
        assert document.structure is not None
        assert document.structure.resources is not None
        place = len(document.structure.resources.external)
        return NewResource(add_external(document), f"@external_resources.external_{place}.path")
    if kind is None:
        return None
    entry = resource_entry(document, item)
    return NewResource(add_resource(document, place=-1 if entry is None else entry.place + behind))
