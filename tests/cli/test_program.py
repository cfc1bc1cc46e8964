"""The command line: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import corpus
import pytest
from command_line import BROKEN, SAMPLE, Run

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


# dump


def test_dump_prints_the_bytes_beside_the_tree(run: Run) -> None:
    ran = run("dump", SAMPLE)
    assert ran.code == 0
    assert "Role" not in ran.out
    assert "Mira Oakhand" in ran.out
    assert ran.out.startswith("godot3-rpg.save: 5912 bytes, Godot 3, stored, 2 values\n")


def test_dump_json_names_the_file(run: Run) -> None:
    assert json.loads(run("dump", SAMPLE, "--json").out)["file"] == str(SAMPLE)


@pytest.mark.parametrize("path", [SAMPLE, BROKEN, RPG], ids=lambda path: path.name)
def test_dump_then_encode_gives_the_same_file(run: Run, tmp_path: Path, path: Path) -> None:
    (tmp_path / "in.json").write_text(run("dump", path, "--json").out, encoding="utf-8")
    assert run("encode", tmp_path / "in.json", "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("words", [("dump",), ("dump", "--json"), ("get", "[0]"), ("get", "[0]", "--json"), ("check",)])
def test_broken_bytes_are_shown_and_told_by_the_exit_code(run: Run, words: tuple[str, ...]) -> None:
    ran = run(words[0], BROKEN, *words[1:])
    assert (ran.code, ran.err) == (1, "")
    assert ran.out


def test_the_options_fix_how_bytes_are_read(run: Run) -> None:
    found = json.loads(
        run("dump", "--json", SAMPLE, "--dialect", "godot4", "--framing=bare", "--precision", "double").out
    )
    assert (found["dialect"], found["framing"], found["precision"]) == ("godot4", "bare", "double")


def test_options_may_stand_before_the_command(run: Run) -> None:
    assert json.loads(run("--dialect", "godot2", "dump", "--json", SAMPLE).out)["dialect"] == "godot2"


def test_every_framing_reads_every_sample(run: Run) -> None:
    for framing in ("stored", "bare", "concatenated"):
        assert run("check", SAMPLE, "--framing", framing).code in (0, 1)


# check


def test_check_of_a_sound_file_is_silent(run: Run) -> None:
    ran = run("check", SAMPLE)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_who_looks_on_at_a_terminal_is_told_that_nothing_is_wrong(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").write_bytes(bytes.fromhex("01000000 07000000"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run("check", SAMPLE) == (0, f"{SAMPLE}: Nothing is wrong.\n", "")
    assert "Nothing is wrong" not in run("check", BROKEN).out
    assert "Nothing is wrong" not in run("check", tmp_path / "odd").out


def test_check_prints_one_finding_a_line(run: Run) -> None:
    ran = run("check", BROKEN)
    assert ran.code == 1
    assert ran.out == (
        f"{BROKEN}:0x44: error length-too-long: This text says it is 67108864 bytes long, but only 48 bytes are left."
        " Likely (94 %): The length of a text was written with its bytes swapped. The doctor says how to fix it."
        " ([0].name@length)\n"
        f"{BROKEN}:0x48: note skipped-bytes: 4 bytes skipped. What follows makes sense again and is shown as a guess."
        " The cause is that of 0x44. ([0])\n"
    )


def test_a_finding_is_one_line_whatever_stands_in_it(run: Run, tmp_path: Path) -> None:
    #                                               Object   length   A \\n B   count
    (tmp_path / "object").write_bytes(bytes.fromhex("11000000 03000000 410a4200 00000000"))
    ran = run("check", tmp_path / "object", "--dialect", "godot3", "--framing", "bare")
    assert ran.out.count("\n") == 1
    assert "An embedded A\\nB:" in ran.out


def test_warnings_and_notes_are_no_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bool").write_bytes(bytes.fromhex("01000000 07000000"))
    ran = run("check", tmp_path / "bool")
    assert ran.code == 0
    assert "warning bool-not-0-or-1" in ran.out


def test_check_of_several_files_returns_the_worst(run: Run, tmp_path: Path) -> None:
    assert run("check", SAMPLE, BROKEN).code == 1
    ran = run("check", BROKEN, tmp_path / "nowhere", SAMPLE)
    assert ran.code == 2
    assert "length-too-long" in ran.out
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_no_broken_input_is_an_exception(run: Run, tmp_path: Path, engine: corpus.Engine) -> None:
    paths = []
    for index, row in enumerate(corpus.spread(corpus.malformed(engine.folder), 40, engine.folder)):
        paths.append(tmp_path / str(index))
        paths[-1].write_bytes(bytes.fromhex(row["hex"]))
    ran = run("check", *paths, "--dialect", engine.dialect, "--framing", "bare")
    assert (ran.code, ran.err) == (1, "")
    for line in ran.out.splitlines():
        assert line.startswith(str(tmp_path))
        assert ": error " in line or ": warning " in line or ": note " in line


def test_broken_input_of_any_engine_is_read_without_options(run: Run, tmp_path: Path) -> None:
    for index, row in enumerate(corpus.malformed("godot3")[::30]):
        (tmp_path / str(index)).write_bytes(bytes.fromhex(row["hex"]))
    assert run("check", *tmp_path.iterdir()).code == 1


# get and set


@pytest.mark.parametrize(
    ("path", "literal", "native"),
    [
        ("[0].player.gold", "1375", '"i:1375"'),
        ("[0].player.name", '"Mira Oakhand"', '"s:Mira Oakhand"'),
        ("[0].player.position", "Vector3(112.5, 3.25, -48.75)", '{"type": "Vector3", "args": [112.5, 3.25, -48.75]}'),
        ("[0].player.position.y", "3.25", '"f:3.25"'),
        ("[0].inventory[2].count", "48", '"i:48"'),
        ("[0].inventory@count", "10", '"i:10"'),
        ("[0].player.skills.archery@key", '"archery"', '"s:archery"'),
        ("[0].world.camps[1]", "Vector2(31.5, 18)", '{"type": "Vector2", "args": [31.5, 18.0]}'),
        ("[0].world.camps[1].x", "31.5", '"f:31.5"'),
        ("[0].player.perks[0]", '"Light step"', '"s:Light step"'),
        ("[0].flags[Vector2(3, 4)]", '"camp"', '"s:camp"'),
        ("[0].player.class@padding", "00 00", '"0000"'),
        ("[0]@prefix", "5776", '"i:5776"'),
        ("[0].player.mount", "null", "null"),
    ],
)
def test_get_prints_one_value(run: Run, path: str, literal: str, native: str) -> None:
    ran = run("get", SAMPLE, path)
    assert (ran.code, ran.out) == (0, f"{literal}\n")
    assert run("get", SAMPLE, path, "--json").out == f"{native}\n"


@pytest.mark.parametrize(
    "path", ["[9]", "gold", "[0].player.silver", "[0].inventory[99]", "", "[0", "[0].player.gold.x"]
)
def test_get_of_a_wrong_path_says_where_it_fails(run: Run, path: str) -> None:
    assert run("get", SAMPLE, path).failed_with("variant-viewer: ")


def test_get_prints_no_bytes_behind_an_array_as_its_elements(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.bin").write_bytes(bytes.fromhex("1c000000 01000000  02000000 01000000  02000000 02000000"))
    assert run("get", tmp_path / "one.bin", "[0]", "--framing", "bare").out == "[1]\n"
    assert run("get", tmp_path / "one.bin", "[0][1]", "--framing", "bare").out == "2\n"


def test_get_prints_a_value_of_any_depth(run: Run, tmp_path: Path) -> None:
    (tmp_path / "deep").write_bytes(bytes.fromhex("13000000 01000000") * 50_000 + bytes(4))
    ran = run("get", tmp_path / "deep", "[0]", "--dialect", "godot3", "--framing", "bare")
    assert ran.out == "[" * 50_000 + "null" + "]" * 50_000 + "\n"
    ran = run("get", tmp_path / "deep", "[0]", "--dialect", "godot3", "--framing", "bare", "--json")
    assert ran.out == "[" * 50_000 + "null" + "]" * 50_000 + "\n"


def test_set_writes_in_place_and_keeps_the_old_file(run: Run, save: Path) -> None:
    ran = run("set", save, "[0].player.name", '"Mira of the Long Fens"')
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert run("get", save, "[0].player.name").out == '"Mira of the Long Fens"\n'
    assert save.with_name("game.save.bak").read_bytes() == SAMPLE.read_bytes()
    assert run("check", save).out == ""


def test_set_with_an_output_leaves_the_file(run: Run, save: Path, tmp_path: Path) -> None:
    assert run("set", save, "[0].player.gold", "9999", "-o", tmp_path / "rich.save").code == 0
    assert save.read_bytes() == SAMPLE.read_bytes()
    assert run("get", tmp_path / "rich.save", "[0].player.gold").out == "9999\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.save", "rich.save"]


def test_a_negative_number_is_a_literal_and_no_option(run: Run, save: Path) -> None:
    assert run("set", save, "[0].player.health", "-1.5e3").code == 0
    assert run("get", save, "[0].player.health").out == "-1500.0\n"


@pytest.mark.parametrize(
    ("path", "literal"),
    [
        ("[0].player.gold", "(((1"),
        ("[0].player.gold", ""),
        ("[0].nothing", "5"),
        ("[0]@prefix", "5"),
        ("[0].player.gold", "9" * 5000),
    ],
)
def test_set_that_cannot_be_done_changes_nothing(run: Run, save: Path, path: str, literal: str) -> None:
    assert run("set", save, path, literal).failed_with()
    assert save.read_bytes() == SAMPLE.read_bytes()
    assert not save.with_name("game.save.bak").exists()


# encode


def test_encode_of_a_plain_value_takes_the_options(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text('{"gold": "i:5"}')
    out = tmp_path / "out"
    assert run("encode", tmp_path / "in.json", "-o", out, "--dialect", "godot3", "--framing", "stored").code == 0
    assert out.read_bytes().hex(" ", 4) == "1c000000 12000000 01000000 04000000 04000000 676f6c64 02000000 05000000"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (b"{", "line 1, column 2"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"type": "Sword"}', "At $"),
        (b"", "line 1, column 1"),
        (b"[" * 100_000, "line 1"),
    ],
)
def test_encode_of_what_is_no_value_says_where(run: Run, tmp_path: Path, text: bytes, word: str) -> None:
    (tmp_path / "in.json").write_bytes(text)
    assert run("encode", tmp_path / "in.json", "-o", tmp_path / "out").failed_with(word)
    assert not (tmp_path / "out").exists()


# dump --values


def test_dump_values_prints_each_stored_value_on_a_line(run: Run) -> None:
    ran = run("dump", SAMPLE, "--values")
    assert ran.code == 0
    assert ran.lines == [line for k in range(2) for line in run("get", SAMPLE, f"[{k}]", "--json").lines]


def test_a_dump_is_either_whole_or_values(run: Run) -> None:
    assert run("dump", SAMPLE, "--values", "--json").failed_with("Give only one of --json, --values")


def test_paths_that_would_be_too_much_are_left_out_and_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deep.bin"
    path.write_bytes(b"\x13\0\0\0\2\0\0\0" * 3000 + bytes(4) + b"\1\0\0\0\7\0\0\0" * 3000)
    for words in (("check", path), ("dump", path), ("dump", path, "--json")):
        ran = run(*words, "--framing", "bare", "--dialect", "godot3")
        assert "paths were left out" in ran.err
        assert len(ran.out) < 8_000_000
    (tmp_path / "dump.json").write_text(ran.out, encoding="utf-8")
    assert run("encode", tmp_path / "dump.json", "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
