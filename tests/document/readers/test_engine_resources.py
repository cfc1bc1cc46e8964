"""What is saved of a binary resource, Godot 3 loads: with exactly the value that was meant, nothing else changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import engine
import pytest
from document.readers.made_resources import CUT, SHAPES, cuts
from document.readers.resource_changes import resource_changes, with_new_property
from document.readers.resource_edits import FOLDER, edits, field_edits, readable

from viewer.base.diagnostic import Severity
from viewer.document.document import Document

pytestmark = pytest.mark.engine
SCRIPTS = FOLDER / "godot3" / "scripts"


def shown(resources: list[Any]) -> dict[tuple[int, str], Any]:
    """Every property of every resource, by the place of the resource."""
    return {(place, name): value for place, each in enumerate(resources) for name, value in each["properties"]}


def test_resources_that_the_tests_make_are_loaded() -> None:
    for made in engine.loaded([make("godot3", 40) for make in SHAPES.values()], SCRIPTS):
        assert made is not None


def test_a_cut_file_is_refused_where_the_engine_refuses_it() -> None:
    made = [cut for name in CUT for cut in cuts(name, (FOLDER / "godot3" / f"{name}.res").read_bytes())]
    for (what, raw), loaded in zip(made, engine.loaded([raw for _, raw in made], SCRIPTS), strict=True):
        errors = [each for each in Document(raw).findings.all() if each.severity is Severity.ERROR]
        assert (loaded is None) == bool(errors), what


def test_each_edit_is_what_the_engine_loads() -> None:
    paths = readable("godot3")
    made = [edit for path in paths for edit in edits(path)]
    before = dict(zip(paths, engine.loaded([path.read_bytes() for path in paths], SCRIPTS), strict=True))
    loaded = engine.loaded([edit.saved for edit in made], SCRIPTS)
    texts = sorted({edit.text.replace('&"', '"') for edit in made})
    requests = [engine.Request(data) for data in engine.encode(texts)]
    wanted = {text: answer.value for text, answer in zip(texts, engine.read_back(requests), strict=True)}
    right = 0
    for edit, after in zip(made, loaded, strict=True):
        old = before[edit.path]
        if old is None:
            assert edit.path.name.startswith("ext_")  # they need files that are not there
            continue
        assert after is not None, (edit.path.name, edit.name, edit.text)
        first, second = shown(old), shown(after)
        changed = {key for key in second if second[key] != first.get(key)}
        if edit.path.name.startswith(("sub_of_engine", "engine_", "scene_")):
            continue  # these keep what they hold together
        assert len(changed) <= 1, (edit.path.name, edit.name, edit.text, changed)
        assert not changed or {name for _, name in changed} == {edit.name}
        for key in changed:
            assert second[key] == wanted[edit.text.replace('&"', '"')], (edit.path.name, edit.name, edit.text)
        right += 1
    assert len(made) >= 120
    assert right >= 200


def test_fields_of_header_and_tables_are_what_the_engine_loads(tmp_path: Path) -> None:
    folder = shutil.copytree(SCRIPTS, tmp_path / "scripts")
    paths = [path for path in readable("godot3") if not path.name.startswith("ext_")]
    made = [(path, edit) for path in paths for edit in field_edits(path) if not edit.field.startswith("@internal")]
    for _, edit in made:
        source = SCRIPTS / edit.old.removeprefix("res://")
        if edit.old and source.is_file():
            shutil.copy(source, folder / edit.new.removeprefix("res://"))
    before = dict(zip(paths, engine.loaded([path.read_bytes() for path in paths], SCRIPTS), strict=True))
    after = engine.loaded([edit.saved for _, edit in made], folder)
    for (path, edit), found in zip(made, after, strict=True):
        assert found is not None, (path.name, edit.field)
        assert json.dumps(before[path]).replace(edit.old, edit.new) == json.dumps(found), (path.name, edit.field)
    assert len(made) >= 120


def test_resources_added_doubled_and_taken_away_are_what_the_engine_loads() -> None:
    paths = [path for path in readable("godot3") if not path.name.startswith("ext_")]
    made = [(path, change) for path in paths for change in resource_changes(path)]
    wanted = engine.loaded([change.like for _, change in made], SCRIPTS)
    found = engine.loaded([change.saved for _, change in made], SCRIPTS)
    for (path, change), old, new in zip(made, wanted, found, strict=True):
        assert new is not None, (path.name, change.name)
        assert whole(old) == whole(new), (path.name, change.name)
    assert len({change.name for _, change in made}) == 6
    assert len(made) >= 120


def whole(resources: list[Any] | None) -> Any:
    """The main resource with all others in the place of their numbers."""
    assert resources is not None

    def inner(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("Resource"), int):
            return inner(resources[value["Resource"]])
        if isinstance(value, dict):
            return {name: inner(each) for name, each in value.items()}
        return [inner(each) for each in value] if isinstance(value, list) else value

    return inner(resources[0])


def test_a_new_property_is_what_the_engine_loads() -> None:
    paths = [path for path in readable("godot3") if not path.name.startswith("ext_")]
    made = [with_new_property(path, "godot3") for path in paths]
    before = engine.loaded([path.read_bytes() for path in paths], SCRIPTS)
    after = engine.loaded([saved for saved, _ in made], SCRIPTS)
    for path, old, new in zip(paths, before, after, strict=True):
        assert old is not None
        assert new is not None, path.name
        first, second = shown(old), shown(new)
        changed = {key for key in second if second[key] != first.get(key)}
        assert {name for _, name in changed} == {"__meta__"}, path.name
