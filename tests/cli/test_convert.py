"""``convert``: values as another kind of file, and what they would lose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Run
from corpus import DATA
from engine4 import Godot

from viewer.document.document import Document
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

SETTINGS = DATA / "texts" / "godot4" / "config_plain.cfg"
PROJECTS = DATA / "projects"


def literal(path: Path) -> str:
    document = Document.open(path)
    return format_literal(read(document.frames[0].table, 0), document.dialect)


def test_json_becomes_stored_values_and_comes_back(run: Run, tmp_path: Path) -> None:
    source, stored, back = tmp_path / "a.json", tmp_path / "a.save", tmp_path / "b.json"
    source.write_text('{"a": [1, 2.5, {"b": null}], "c": "text", "d": true}', encoding="utf-8")
    assert run("convert", str(source), "--to", "values:godot3", "-o", str(stored))[0] == 0
    assert Document.open(stored).dialect.key == "godot3"
    assert run("convert", str(stored), "--to", "json", "-o", str(back))[0] == 0
    assert json.loads(back.read_bytes()) == json.loads(source.read_bytes())


def test_a_config_file_becomes_values_and_comes_back(run: Run, tmp_path: Path) -> None:
    stored, back = tmp_path / "a.save", tmp_path / "b.cfg"
    assert run("convert", str(SETTINGS), "--to", "values", "-o", str(stored))[0] == 0
    assert run("convert", str(stored), "--to", "config", "-o", str(back))[0] == 0
    assert literal(back) == literal(SETTINGS)


def test_what_would_be_lost_is_said_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    code, _, err = run("convert", str(SETTINGS), "--to", "json", "-o", str(out))
    assert code == 1
    assert "Values of type Vector2 become texts." in err
    assert not out.exists()
    assert run("convert", str(SETTINGS), "--to", "json", "--lossy", "-o", str(out))[0] == 0
    assert json.loads(out.read_bytes())["math"]["v2"] == "Vector2(1.5, -2)"


@pytest.mark.parametrize("name", ["godot3-project_containers", "godot3-project_math", "godot4-project_containers"])
def test_exported_settings_become_text_and_come_back(run: Run, tmp_path: Path, name: str) -> None:
    binary, text, back = PROJECTS / f"{name}.binary", tmp_path / "project.godot", tmp_path / "project.binary"
    assert run("convert", str(binary), "--to", "config", "-o", str(text))[0] == 0
    line = name.partition("-")[0]
    assert run("convert", str(text), "--to", f"project.binary:{line}", "-o", str(back))[0] == 0
    was, now = Document.open(binary), Document.open(back)
    old = {key: literal_of(was, k) for k, key in enumerate(was.value_names)}
    assert {key: literal_of(now, k) for k, key in enumerate(now.value_names)} == old


def literal_of(document: Document, index: int) -> str:
    return format_literal(read(document.frames[index].table, 0), document.dialect)


@pytest.mark.parametrize("wanted", ["picture", "json:godot9"])
def test_a_kind_that_there_is_not_is_told(run: Run, tmp_path: Path, wanted: str) -> None:
    code, _, err = run("convert", str(SETTINGS), "--to", wanted, "-o", str(tmp_path / "out"))
    assert code == 2
    assert "--to takes json, config" in err


def test_what_has_no_sections_is_no_config_file(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text('{"a": 1, "b": 2}', encoding="utf-8")
    code, _, err = run("convert", str(source), "--to", "config", "-o", str(tmp_path / "out"))
    assert code == 2
    assert "must hold keys" in err


@pytest.mark.engine4
def test_godot4_reads_the_settings_that_were_made(run: Run, tmp_path: Path, godot4: Godot) -> None:
    text = tmp_path / "project.godot"
    assert run("convert", str(PROJECTS / "godot4-project_containers.binary"), "--to", "config", "-o", str(text))[0] == 0
    (answer,) = godot4.settings([text.read_bytes()])
    (shown,) = godot4.texts([literal(text)])
    assert not answer.refused
    assert sorted(map(repr, answer.value["Dictionary"])) == sorted(map(repr, shown.value["Dictionary"]))
