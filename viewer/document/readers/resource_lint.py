"""What an engine does with a binary resource that it can read: references that lead nowhere, scripts that it runs."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import Code, Diagnostic
from viewer.document.readers.file_structure import Resources, is_damaged_text
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.engine_classes import class_list
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import ObjectFull, Reference, ReferenceKind

SCRIPTS = ("GDScript", "CSharpScript", "VisualScript", "NativeScript", "PluginScript")
SOURCE = "script/source"
PAUSE = 1 << 12
"""Nodes between two pauses."""


def lint_resource(table: NodeTable, frame: int, resources: Resources) -> Iterator[list[Diagnostic]]:
    """The findings about one resource, a few at a time.

    Args:
        table: its values.
        frame: its number among the resources of the file.
        resources: what references name.
    """
    found = [*_class(table), *_script(table)]
    for node in table.nodes:
        row = table.row(node)
        if row is not None and row.kind is Kind.REFERENCE and not table.is_name(node):
            found.extend(_reference(table, node, frame, resources))
        if node % PAUSE == PAUSE - 1:
            yield found
            found = []
    yield found


def _class(table: NodeTable) -> Iterator[Diagnostic]:
    """Whether the engine can make the class of the resource."""
    part = items.part(table, 0, "class") if len(table) else None
    known = class_list("godot4" if table.dialect.key.startswith("godot4") else "godot3")
    if part is None or known is None or not known.is_unknown(str(part.value)):
        return
    raw = bytes(table.buffer[part.span.start : part.span.end])
    code = Code.CLASS_DAMAGED if is_damaged_text(raw) else Code.RESOURCE_CLASS
    facts = {"dialect": table.dialect.name.removesuffix(" resource"), "name": str(part.value)}
    yield Diagnostic(code, part.span, 0, "class", facts)


def _script(table: NodeTable) -> Iterator[Diagnostic]:
    """Whether the resource is a script, or brings the source of one."""
    if not len(table):
        return
    data = read_shallow(table, 0).data
    head = items.part(table, 0, "class")
    if isinstance(data, ObjectFull) and data.class_name in SCRIPTS and head is not None:
        yield Diagnostic(Code.RESOURCE_SCRIPT, head.span, 0, "class")
        return
    for name in table.children(0)[::2]:
        if read_shallow(table, name).data == SOURCE:
            yield Diagnostic(Code.RESOURCE_SCRIPT, table.span(name), name)


def _reference(table: NodeTable, node: int, frame: int, resources: Resources) -> Iterator[Diagnostic]:
    found = read_shallow(table, node).data
    if not isinstance(found, Reference):
        return
    sentence, span = "", table.span(node)
    if found.kind is ReferenceKind.INTERNAL and found.number not in resources.internal and resources.refuses:
        facts = {"number": found.number, "count": len(resources.internal)}
        yield Diagnostic(Code.REFERENCE_REFUSED, span, node, "", facts)
        return
    if found.kind is ReferenceKind.EXTERNAL and found.number >= len(resources.external):
        count = len(resources.external)
        sentence = f"This is external resource {found.number}, but the table has {count}: engines read null."
    elif found.kind is ReferenceKind.INTERNAL and found.number not in resources.internal:
        sentence = f"There is no resource {found.number} in this file: engines read null."
    elif found.kind is ReferenceKind.INTERNAL and resources.frames.get(found.number, -1) >= frame:
        sentence = "The resource that this names stands behind it or holds it: engines read null."
    if sentence:
        yield Diagnostic(Code.REFERENCE_LOST, span, node, "", {"sentence": sentence})
