"""Changes to what resources a file has, each beside a change of values alone behind which engines load the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.resource_edit import (
    add_external,
    add_resource,
    duplicate_resource,
    references_to,
    remove_resource,
    resource_entry,
)
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError, inside
from viewer.document.edits.structure import insert
from viewer.document.outline import gap_item
from viewer.variant.items import Item

FRESH = {"godot4": ("metadata/fresh", "7"), "godot3": ("__meta__", '{"fresh": 7}')}
"""A property that every resource may have, by engine line."""
MOST = 4
"""Resources of a file that are doubled and taken away."""


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A change to the resources of a file.

    Args:
        name: which.
        saved: the bytes of the file behind it.
        like: the bytes after which the engine must load the same.
        renamed: the name of a resource before, and now.
    """

    name: str
    saved: bytes
    like: bytes
    renamed: tuple[str, str] = ("", "")


def _bytes(document: Document) -> bytes:
    return bytes(document.to_be_written())


def resource_changes(path: Path) -> Iterator[ResourceChange]:
    """Resources added, doubled, taken away, and named by values."""
    document = Document.open(path)
    before = _bytes(document)
    added = add_external(document, "Script", "res://anything.gd")
    for name, edit in (("add", add_resource(document)), ("add an external one", added)):
        document.apply(edit)
        yield ResourceChange(name, _bytes(document), before)
        document.undo()
    for frame in range(min(MOST, len(document.frames))):
        yield from _doubled(document, frame, before)
        yield from _taken_away(document, frame)
    yield from _external_taken_away(document)
    assert _bytes(document) == before


def _doubled(document: Document, frame: int, before: bytes) -> Iterator[ResourceChange]:
    """A copy, first named by nobody, then by a value that named the first."""
    entry = resource_entry(document, Item(frame, 0))
    assert entry is not None
    document.apply(duplicate_resource(document, entry))
    yield ResourceChange("double", _bytes(document), before)
    structure, again = document.structure, resource_entry(document, Item(frame, 0))
    assert structure is not None
    assert structure.resources is not None
    assert again is not None
    place = min(frame + 1, len(document.frames) - 2)
    copy = resource_entry(document, Item(place, 0))
    found = references_to(document, again)
    if copy is not None and len(found) == 1:
        document.apply(set_literal(document, found[0], f"SubResource({copy.number})"))
        renamed = document.value_names[frame], document.value_names[place]
        yield ResourceChange("double and name", _bytes(document), before, renamed)
        document.undo()
    document.undo()


def _taken_away(document: Document, frame: int) -> Iterator[ResourceChange]:
    entry = resource_entry(document, Item(frame, 0))
    assert entry is not None
    try:
        edit = remove_resource(document, entry)
    except EditError:
        assert frame == len(document.frames) - 1
        return
    yield _beside_nulls(document, "take away", edit, references_to(document, entry))


def _external_taken_away(document: Document) -> Iterator[ResourceChange]:
    for number, field in enumerate(document.fields):
        if field.name == "external resources" and len(field.children) > 1:
            entry = resource_entry(document, gap_item(number, (1,)))
            assert entry is not None
            edit = remove_resource(document, entry)
            yield _beside_nulls(document, "take an external one away", edit, references_to(document, entry))


def _beside_nulls(document: Document, name: str, edit: object, found: list[Item]) -> ResourceChange:
    """What is saved behind an edit, and behind null in the place of the values alone."""
    document.apply(edit)  # type: ignore[arg-type]
    saved = _bytes(document)
    document.undo()
    for item in found:
        document.apply(set_literal(document, item, "null"))
    like = _bytes(document)
    for _ in found:
        document.undo()
    return ResourceChange(name, saved, like)


def with_new_property(path: Path, line: str) -> tuple[bytes, str]:
    """What is saved of a file with a property more in its main resource, and the name of that."""
    document = Document.open(path)
    name, value = FRESH[line]
    assert document.structure is not None
    assert document.structure.names is not None
    count = len(document.structure.names)
    slot = inside(document, Item(document.structure.main, 0))
    document.apply(insert(document, slot, [written(document, value, f'"{name}"')]))
    assert document.structure.names[count] == name
    assert len(document.structure.names) == count + 1
    return _bytes(document), name
