"""What is saved of a binary resource, Godot 3 loads: with exactly the value that was meant, nothing else changed."""

from __future__ import annotations

from typing import Any

import engine
import pytest
from document.readers.resource_edits import FOLDER, edits, readable

pytestmark = pytest.mark.engine
SCRIPTS = FOLDER / "godot3" / "scripts"


def shown(resources: list[Any]) -> dict[tuple[int, str], Any]:
    """Every property of every resource, by the place of the resource."""
    return {(place, name): value for place, each in enumerate(resources) for name, value in each["properties"]}


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
