"""``convert``: values as another kind of file, and what they would lose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Run
from corpus import DATA
from engine4 import Godot

from viewer.document.document import Document
from viewer.document.export.player_script import player_script
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

SETTINGS = DATA / "texts" / "godot4" / "config_plain.cfg"
PROJECTS = DATA / "projects"
SAMPLES = Path("resources/samples")


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
    assert run("convert", str(SETTINGS), "--to", "json", "--allow-loss", "-o", str(out))[0] == 0
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


def test_a_report_tells_what_becomes_of_every_value_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    code, out, err = run("convert", str(SAMPLES / "godot3-rpg.save"), "--to", "godot4", "--report")
    assert code == 0
    assert "310 values: 301 exact, 9 renamed" in out
    assert "[0].player.facing: Quat -> Quaternion" in out
    assert not err
    code, out, _ = run("convert", str(SAMPLES / "godot4-typed.save"), "--to", "godot3", "--report")
    assert code == 1
    assert "replaced [0].view: Rect2i -> Rect2; A Rect2i becomes a Rect2" in out
    assert run("convert", str(SETTINGS), "--to", "godot3", "--report", "-o", "-")[0] == 2


def test_many_files_go_into_a_folder_and_one_that_cannot_stops_no_other(run: Run, tmp_path: Path) -> None:
    sound, odd, folder = SAMPLES / "godot3-rpg.save", tmp_path / "odd.save", tmp_path / "out"
    odd.write_bytes(b"no value at all")
    asked = ("convert", str(odd), str(sound), "--to", "godot4", "-o", str(folder))
    assert "create it first" in run(*asked)[2]
    folder.mkdir()
    code, _, err = run(*asked)
    assert (code, [path.name for path in folder.iterdir()]) == (2, [sound.name])
    assert "odd.save" in err
    assert Document.open(folder / sound.name).dialect.key == "godot4"
    twice = tmp_path / sound.name
    twice.write_bytes(sound.read_bytes())
    assert "Two of the files" in run("convert", str(sound), str(twice), "--to", "godot4", "-o", str(folder))[2]


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("Vector2i=Dictionary", ""),
        ("typed=refuse", "has no place there"),
        ("Vector2i=null", "may become nearest, String, Array, Dictionary, refuse"),
        ("Vector9=String", "is not a choice"),
        ("Vector2i", "is not a choice"),
    ],
)
def test_what_stands_instead_of_a_type_is_chosen(run: Run, tmp_path: Path, choice: str, words: str) -> None:
    out = tmp_path / "out.save"
    asked = ("convert", str(SAMPLES / "godot4-typed.save"), "--to", "godot3", "--allow-loss", "--instead", choice)
    code, _, err = run(*asked, "-o", str(out))
    assert (code, words in err, out.exists()) == (2 if words else 0, True, not words)


def test_a_script_for_players_is_handed_out(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "convert.gd"
    assert run("convert", "--gdscript", "-o", out) == (0, "", "")
    assert out.read_text(encoding="utf-8") == player_script()
    assert run("convert", "--gdscript", "-o", "-").out == player_script()
    assert run("convert", "--gdscript").failed_with("-o OUT.gd")
    assert run("convert", str(SETTINGS), "--gdscript", "-o", out).failed_with("it takes none")
    assert run("convert", "--gdscript", "--to", "godot3", "-o", out).failed_with("only -o OUT.gd")


@pytest.mark.engine4
def test_godot4_reads_the_settings_that_were_made(run: Run, tmp_path: Path, godot4: Godot) -> None:
    text = tmp_path / "project.godot"
    assert run("convert", str(PROJECTS / "godot4-project_containers.binary"), "--to", "config", "-o", str(text))[0] == 0
    (answer,) = godot4.settings([text.read_bytes()])
    (shown,) = godot4.texts([literal(text)])
    assert not answer.refused
    assert sorted(map(repr, answer.value["Dictionary"])) == sorted(map(repr, shown.value["Dictionary"]))
