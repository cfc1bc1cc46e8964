"""Resources added, doubled and taken away: every number follows, and undo gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from document.readers.resource_changes import resource_changes, with_new_property
from document.readers.resource_edits import files

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.edits.resource_edit import (
    add_resource,
    duplicate_resource,
    only_resource,
    references_to,
    remove_resource,
    resource_entry,
    table_of,
)
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path, parse_path
from viewer.variant.items import Item
from viewer.variant.value import ReferenceKind

FILES = [(line, path) for line in ("godot3", "godot4") for path in files(line)]


def is_sound(document: Document) -> bool:
    return not [found for found in document.findings.all() if found.severity is Severity.ERROR]


@pytest.mark.parametrize(("line", "path"), FILES, ids=[f"{line}-{path.name}" for line, path in FILES])
def test_what_is_saved_is_sound(line: str, path: Path) -> None:
    before = Document.open(path)
    if not before.frames or not is_sound(before):
        return
    for change in resource_changes(path):
        assert is_sound(Document(change.saved)), change.name
    assert is_sound(Document(with_new_property(path, line)[0]))


def shared(line: str) -> Document:
    return Document.open(next(path for name, path in FILES if (name, path.name) == (line, "sub_shared.res")))


def entry_at(document: Document, path: str) -> object:
    return resource_entry(document, parse_path(document, path))


def test_a_resource_is_its_value_or_its_entry() -> None:
    document = shared("godot4")
    assert entry_at(document, "[1]") == entry_at(document, "@internal_resources.internal_1")
    assert entry_at(document, "@internal_resources.internal_1.path") == entry_at(document, "[1]")
    assert entry_at(document, "[1].script") is None
    assert entry_at(document, "@internal_resources.count") is None
    assert entry_at(document, "@header.flags") is None
    assert table_of(document, parse_path(document, "@external_resources")) is ReferenceKind.EXTERNAL
    assert table_of(document, parse_path(document, "@header")) is None
    assert only_resource(document, [Item(2, 1), Item(2, 3)]) is None
    with pytest.raises(EditError, match="one at a time"):
        only_resource(document, [Item(0, 0), Item(1, 0)])


@pytest.mark.parametrize(("line", "first", "second"), [("godot4", 0, 2), ("godot3", 1, 2)])
def test_numbers_of_references_follow(line: str, first: int, second: int) -> None:
    document = shared(line)
    whole = bytes(document.buffer)
    entry = resource_entry(document, Item(0, 0))
    assert entry is not None
    assert len(references_to(document, entry)) == 3
    edit = duplicate_resource(document, entry)
    document.apply(edit)
    assert len(document.frames) == 4
    assert is_sound(document)
    assert [format_path(document, item) for item in references_to(document, entry)][:2] == [
        "[3].value[0]",
        "[3].value[1]",
    ]
    document.apply(set_literal(document, parse_path(document, "[3].value[0]"), f"SubResource({first})"))
    assert (
        bytes(document.buffer[document.frames[3].start :]).count(b"\x18\0\0\0\2\0\0\0" + bytes([second, 0, 0, 0])) == 1
    )
    document.undo()
    document.undo()
    assert bytes(document.buffer) == whole
    document.apply(remove_resource(document, entry))
    assert document.value_names[-1] == "main"
    assert len(document.frames) == 2
    document.undo()
    assert bytes(document.buffer) == whole


def test_a_new_resource_is_selected_and_named_by_nobody() -> None:
    document = shared("godot4")
    edit = add_resource(document, "Curve", 0)
    document.apply(edit)
    assert document.value_names == ("Curve_00001", "Resource_0mtqv", "Resource_knwyo", "main")
    assert edit.focus is not None
    assert edit.focus.after == (document.frames[0].start,)
    new = resource_entry(document, Item(0, 0))
    assert new is not None
    assert references_to(document, new) == []


def test_a_new_name_of_a_property_goes_to_the_end_of_the_strings() -> None:
    document = shared("godot4")
    assert document.structure is not None
    assert document.structure.names is not None
    count = len(document.structure.names)
    key = parse_path(document, "[2].value@key")
    document.apply(set_literal(document, key, '"fresh"'))
    assert document.structure.names[count] == "fresh"
    assert format_path(document, key) == "[2].fresh@key"
    document.apply(set_literal(document, key, '"value"'))
    assert len(document.structure.names) == count + 1
    assert is_sound(document)
