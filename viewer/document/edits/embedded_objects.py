"""Embedded objects: what an engine would make of them is code that runs, so they are named and can be taken out."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import Code
from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.items import Item
from viewer.variant.value import Value


@dataclass(frozen=True, slots=True)
class Embedded:
    """An embedded object and the name of its class."""

    item: Item
    name: str


def embedded(document: Document) -> list[Embedded]:
    """The embedded objects that are known so far, in the order of their bytes, with those inside others."""
    known = (found for found in document.findings.known() if found.code is Code.EMBEDDED_OBJECT)
    return [Embedded(Item(found.frame, found.node), str(found.facts.get("type", "Object"))) for found in known]


def without_objects(document: Document) -> Edit:
    """The edit that puts null in the place of every embedded object, as one step.

    Raises:
        EditError: there is none, or the bytes around one cannot hold null.
    """
    from viewer.document.edits.byte_edit import EditBuilder
    from viewer.variant.encode import encode

    found = list(_outermost(document))
    if not found:
        raise EditError("There is no embedded object here.")
    null = encode(Value("Nil", None), document.dialect)
    rework = EditBuilder(document)
    for item in found:
        frame = document.frames[item.frame]
        rework.write(item.frame, frame.table.span(item.node).shifted(frame.start), null)
    return rework.edit(EditLabel("Replace {} with Null", (CountLabel(len(found), "Object"),)))


def _outermost(document: Document) -> Iterator[Item]:
    """The embedded objects that lie in no other one."""
    document.findings.all()
    end = -1
    spans = [(document.frames[each.item.frame], each.item) for each in embedded(document)]
    for frame, item in sorted(spans, key=lambda pair: pair[0].start + pair[0].table.start[pair[1].node]):
        span = frame.table.span(item.node).shifted(frame.start)
        if span.start >= end:
            end = span.end
            yield item
