"""The sub-commands look into values: paths with an exclamation mark, and wishes for all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Run
from document.nested.nested_saves import NestedSave, nested_save

SAVE: NestedSave = nested_save("godot4", 4 + 7 * 6)
"""Base64 in the outermost value, then text."""


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "nested.save"
    path.write_bytes(SAVE.data)
    return path


def test_get_and_set_go_inside(run: Run, save: Path) -> None:
    assert run("set", save, SAVE.path, SAVE.text).code == 0
    assert run("get", save, SAVE.path).out.strip() == SAVE.text
    assert run("get", save, "[0].inside!0.inside!0.items[3]", "--json").out.strip() == "true"


def test_insert_and_delete_go_inside(run: Run, save: Path) -> None:
    assert run("insert", save, "[0].inside!0.items[]", "77").code == 0
    assert run("get", save, "[0].inside!0.items[4]").out.strip() == "77"
    assert run("delete", save, "[0].inside!0.items[0]", "[0].inside!0.name").code == 0
    assert run("get", save, "[0].inside!0.items[3]").out.strip() == "77"
    assert run("get", save, "[0].inside!0.name").failed_with()


def test_delete_takes_paths_of_one_level(run: Run, save: Path) -> None:
    assert run("delete", save, "[0].name", "[0].inside!0.name").failed_with()
    assert save.read_bytes() == SAVE.data


def test_explain_goes_inside(run: Run, save: Path) -> None:
    assert "[0].gold" in run("explain", save, "[0].inside!0.gold").out


def test_find_looks_inside_on_wish(run: Run, save: Path) -> None:
    assert "!" not in run("find", save, "key: gold").out
    paths = [json.loads(line)["path"] for line in run("find", save, "key: gold", "--nested", "--json").out.splitlines()]
    assert paths == ["[0]" + ".inside!0" * level + ".gold@key" for level in range(4)]


def test_dump_shows_what_is_inside_on_wish(run: Run, save: Path) -> None:
    told = json.loads(run("dump", save, "--json", "--inside", "[0].inside").out)
    assert [layer["codec"] for layer in told["layers"]] == ["file", "base64"]
    assert told["frames"][0]["root"]["type"] == "Dictionary"
    assert "inside!" not in run("dump", save, "--json").out


def test_a_path_into_nothing_is_one_line(run: Run, save: Path) -> None:
    assert run("get", save, "[0].gold!0").failed_with()
    assert run("dump", save, "--inside", "[0].name").failed_with()
