"""What is saved of a binary resource, Godot 4.6 loads: with exactly the value that was meant, nothing else changed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from document.readers.made_resources import CUT, SHAPES, cuts
from document.readers.resource_changes import resource_changes, with_new_property
from document.readers.resource_edits import FOLDER, edits, field_edits, readable, scripts
from engine4 import Godot, Json, Loaded

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.edits import structure
from viewer.document.edits.fragment import written
from viewer.document.edits.slots import EditError, Slot
from viewer.document.splice import Edit
from viewer.variant.items import Item

pytestmark = pytest.mark.engine4
FILES = readable("godot4")


def shown(resources: list[Loaded]) -> dict[tuple[str, str], Json]:
    """Every property of every resource."""
    return {(each.id, name): untyped(value) for each in resources for name, value in each.properties}


def untyped(value: Json) -> Json:
    """A value without the types of collections, which come from the property and not from the file."""
    if isinstance(value, list):
        return [untyped(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: untyped(each) for name, each in value.items() if name != "of"}


OF_ENGINE = ("engine_", "scene_", "everything", "sub_of_engine", "sub_built_in", "game", "big_endian_types")
"""Files whose classes have rules of their own for what a property may hold, or whose scripts name each other's classes,
which only a project that the editor has seen knows: it is enough that they are loaded."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_edit_is_what_the_engine_loads(path: Path, godot4: Godot) -> None:
    at, files = f"res://{path.name}", scripts("godot4")
    before, _ = godot4.loaded(path.read_bytes(), at, files)
    assert before is not None
    old = shown(before)
    for edit in edits(path):
        after, messages = godot4.loaded(edit.saved, at, files)
        assert after is not None, (edit.name, edit.text, messages)
        if path.name.startswith(OF_ENGINE):
            continue
        new = shown(after)
        changed = {key for key in new if new[key] != old.get(key)}
        assert changed <= {(edit.resource, edit.name)}, edit
        assert new[edit.resource, edit.name] == untyped(godot4.texts([edit.text])[0].values[0].shown), edit.text


@pytest.mark.parametrize("shape", SHAPES)
def test_resources_that_the_tests_make_are_loaded(shape: str, godot4: Godot) -> None:
    loaded, messages = godot4.loaded(SHAPES[shape]("godot4", 40), "res://made.res", {})
    assert loaded is not None, messages
    assert not messages


@pytest.mark.parametrize("name", CUT)
def test_a_cut_file_is_refused_where_the_engine_refuses_it(name: str, godot4: Godot) -> None:
    for what, raw in cuts(name, (FOLDER / "godot4" / f"{name}.res").read_bytes()):
        loaded, _ = godot4.loaded(raw, "res://cut.res", scripts("godot4"))
        errors = [each for each in Document(raw).findings.all() if each.severity is Severity.ERROR]
        assert (loaded is None) == bool(errors), what


def test_fields_of_header_and_tables_are_what_the_engine_loads(godot4: Godot) -> None:
    files, kinds, count = scripts("godot4"), set(), 0
    for path in FILES:
        at, before = f"res://{path.name}", None
        for edit in field_edits(path):
            if before is None:
                before, _ = godot4.loaded(path.read_bytes(), at, files)
            assert before is not None
            beside = {**files, edit.new: files[edit.old]} if edit.old in files else files
            after, messages = godot4.loaded(edit.saved, at, beside)
            assert after is not None, (path.name, edit.field, messages)
            old, new = (json.dumps([[each.id, each.properties] for each in found]) for found in (before, after))
            assert old.replace(*(each.removeprefix("local://") for each in (edit.old, edit.new))) == new, edit.field
            kinds.add(edit.field)
            count += 1
    assert len(kinds) == 4
    assert count >= 150


def test_resources_added_doubled_and_taken_away_are_what_the_engine_loads(godot4: Godot) -> None:
    files, kinds, count = scripts("godot4"), set(), 0
    for path in FILES:
        at, known = f"res://{path.name}", {}
        for change in resource_changes(path):
            for data in (change.like, change.saved):
                if data not in known:
                    known[data] = godot4.loaded(data, at, files)[0]
            wanted, found = known[change.like], known[change.saved]
            assert wanted is not None
            assert found is not None, (path.name, change.name)
            old, new = (json.dumps([[each.id, each.properties] for each in loaded]) for loaded in (wanted, found))
            assert old.replace(*change.renamed) == new, (path.name, change.name)
            kinds.add(change.name)
            count += 1
    assert len(kinds) == 6
    assert count >= 150


def test_a_new_property_is_what_the_engine_loads(godot4: Godot) -> None:
    files = scripts("godot4")
    for path in FILES:
        saved, name = with_new_property(path, "godot4")
        before, after = (godot4.loaded(data, f"res://{path.name}", files)[0] for data in (path.read_bytes(), saved))
        assert before is not None
        assert after is not None, path.name
        old, new = shown(before), shown(after)
        assert {key: new[key] for key in new if new[key] != old.get(key)} == {("", name): {"int": "7"}}, path.name


SEED, EACH = 46, 4


def test_what_is_deleted_doubled_moved_and_inserted_still_loads(godot4: Godot) -> None:
    some, count, files = random.Random(SEED), 0, scripts("godot4")
    for path in FILES:
        document = Document.open(path)
        whole = bytes(document.buffer)
        for _ in range(EACH):
            edit = _change(document, some)
            if edit is None:
                continue
            document.apply(edit)
            assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
            loaded, messages = godot4.loaded(bytes(document.to_be_written()), f"res://{path.name}", files)
            assert loaded is not None, (path.name, edit.label, messages)
            document.undo()
            assert bytes(document.buffer) == whole
            count += 1
    assert count > 60


def _change(document: Document, some: random.Random) -> Edit | None:
    """Something done to a value that a random hand has chosen; None where it is refused."""
    frame = some.randrange(len(document.frames))
    table = document.frames[frame].table
    node = some.choice([node for node in table.nodes if table.row(node) is not None and not table.is_name(node)])
    item = Item(frame, node)
    try:
        match some.randrange(4):
            case 0:
                return structure.delete(document, [item])
            case 1:
                return structure.duplicate(document, [item])
            case 2:
                return structure.shift(document, [item], some.choice((1, -1)))
            case _:
                value = written(document, "7", '"k"' if table.has_pairs(node) else "")
                return structure.insert(document, Slot(frame, node, 0), [value])
    except EditError:
        return None
