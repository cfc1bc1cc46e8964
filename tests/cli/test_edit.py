"""The sub-commands that find and change values: what they print, what they write, and their exit codes."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest
from command_line import SAMPLE, Run


def untouched(save: Path) -> bool:
    return save.read_bytes() == SAMPLE.read_bytes() and not save.with_name("game.save.bak").exists()


# find


def test_find_prints_offset_path_and_value(run: Run) -> None:
    ran = run("find", SAMPLE, "key: gold")
    assert (ran.code, ran.err) == (0, "")
    line = ran.out.splitlines()[0]
    assert line.startswith(f"{SAMPLE}:0x")
    assert line.endswith(': [0].player.gold@key: "gold"')


def test_find_takes_bytes_with_wildcards(run: Run) -> None:
    ran = run("find", SAMPLE, "hex: 67 6f ?? 64")
    assert ': "gold"\n' in ran.out


def test_find_json_is_one_object_a_line(run: Run) -> None:
    places = [json.loads(line) for line in run("find", SAMPLE, "number: 1375", "--json").out.splitlines()]
    assert {"path": "[0].player.gold", "text": "1375"}.items() <= places[0].items()
    assert places[0]["end"] - places[0]["offset"] == 4


def test_find_minds_the_case_when_asked(run: Run) -> None:
    assert run("find", SAMPLE, "mira oakhand").out
    assert run("find", SAMPLE, "mira oakhand", "--case").out == ""


def test_find_of_nothing_is_no_error(run: Run) -> None:
    ran = run("find", SAMPLE, "no such thing")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


@pytest.mark.parametrize("pattern", ["hex: 1", "number: many", "", "hex: zz"])
def test_find_of_what_cannot_be_looked_for_is_one_line(run: Run, pattern: str) -> None:
    assert run("find", SAMPLE, pattern).failed_with()


def test_find_tells_which_texts_an_expression_was_too_slow_for(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "slow.save"
    texts = [b"a" * 28 + b"!", b"aaa"]
    stored = b"".join(struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4) for text in texts)
    path.write_bytes(struct.pack("<II", 19, len(texts)) + stored)
    ran = run("find", path, "regex: (a+)+$", "--framing", "bare", "--dialect", "godot3")
    assert (ran.code, ran.out) == (0, f'{path}:0x38: [0][1]: "aaa"\n')
    assert ran.err == (
        "variant-viewer: the text of [0][0] at 0x10 was left out: the expression takes too long at it.\n"
    )


# Frames in which nothing can be read


@pytest.mark.parametrize("framing", ["bare", "stored", "concatenated"])
@pytest.mark.parametrize("raw", [b"\x02", bytes(3), b"\1\0\0\0\x1b", b"\4\0\0\0\x1b"])
@pytest.mark.parametrize("path", ["[0].a", "[0][0]", "[0]@key", "[0]@header", "[0].a[]", "[0][]", "[0]"])
def test_a_path_into_a_frame_without_values_is_one_sentence(
    run: Run, tmp_path: Path, raw: bytes, path: str, framing: str
) -> None:
    file = tmp_path / "short.bin"
    file.write_bytes(raw)
    for words in (("get", path), ("set", path, "5"), ("insert", path, "5"), ("delete", path), ("explain", path)):
        ran = run(words[0], file, *words[1:], "--framing", framing)
        assert ran.code in (0, 1) or ran.failed_with("variant-viewer: "), words
        file.write_bytes(raw)


# Byte order


def test_the_order_of_length_prefixes_can_be_said(run: Run, tmp_path: Path) -> None:
    little, big = bytes.fromhex("08000000 02000000 07000000"), bytes.fromhex("00000008 02000000 07000000")
    for raw, order, other in ((little, "little", "big"), (big, "big", "little")):
        path = tmp_path / f"{order}.save"
        path.write_bytes(raw)
        right = json.loads(run("dump", path, "--json", "--byte-order", order, "--framing", "stored").out)
        assert (right["byte_order"], right["frames"][0]["root"]["text"]) == (order, "7")
        wrong = run("dump", path, "--json", "--byte-order", other, "--framing", "stored")
        assert (wrong.code, json.loads(wrong.out)["byte_order"]) == (1, other)


@pytest.mark.parametrize(("order", "prefix"), [("little", "08000000"), ("big", "00000008")])
def test_encode_writes_length_prefixes_in_the_order_that_is_said(
    run: Run, tmp_path: Path, order: str, prefix: str
) -> None:
    plain, dumped, out = tmp_path / "plain.json", tmp_path / "dumped.json", tmp_path / "out"
    plain.write_text('"i:7"')
    dumped.write_text(run("dump", SAMPLE.parent / "godot3-rpg.save", "--json").out)
    assert run("encode", plain, "-o", out, "--framing", "stored", "--byte-order", order).code == 0
    assert out.read_bytes().hex() == f"{prefix}0200000007000000"
    assert run("encode", dumped, "-o", out, "--byte-order", order).code == 0
    told, was = json.loads(run("dump", out, "--json").out), json.loads(dumped.read_text())
    assert (told["byte_order"], told["frames"]) == (order, was["frames"])


# set


def test_set_takes_several_pairs(run: Run, save: Path) -> None:
    assert run("set", save, "[0].player.gold", "1", "[0].player.name", '"A"', "[0].player.health", "-2").code == 0
    assert run("get", save, "[0].player.gold").out == "1\n"
    assert run("get", save, "[0].player.name").out == '"A"\n'
    assert run("get", save, "[0].player.health").out == "-2.0\n"
    assert run("check", save).out == ""


def test_set_of_several_pairs_does_all_or_nothing(run: Run, save: Path) -> None:
    assert run("set", save, "[0].player.gold", "1", "[0].player.nothing", "2").failed_with("nothing")
    assert untouched(save)


def test_set_says_which_path_lacks_a_literal(run: Run, save: Path) -> None:
    assert run("set", save, "[0].player.gold", "1", "[0].player.name").failed_with("[0].player.name")
    assert untouched(save)


# insert


def test_insert_before_an_element(run: Run, save: Path) -> None:
    before = run("get", save, "[0].world.camps[1]").out
    assert run("insert", save, "[0].world.camps[1]", "Vector2(1, 2)").code == 0
    assert run("get", save, "[0].world.camps[1]").out == "Vector2(1, 2)\n"
    assert run("get", save, "[0].world.camps[2]").out == before
    assert run("check", save).out == ""


def test_insert_appends_behind_empty_brackets(run: Run, save: Path) -> None:
    count = int(run("get", save, "[0].inventory@count").out)
    assert run("insert", save, "[0].inventory[]", '{"id": "shield", "count": 1}').code == 0
    assert run("get", save, f"[0].inventory[{count}].id").out == '"shield"\n'
    assert run("check", save).out == ""


def test_insert_adds_a_key(run: Run, save: Path) -> None:
    assert run("insert", save, "[0].player.mana", "50").code == 0
    assert run("get", save, "[0].player.mana").out == "50\n"
    assert run("insert", save, "[0].player[Vector2(1, 2)]", "true").code == 0
    assert run("get", save, "[0].player[Vector2(1, 2)]").out == "true\n"
    assert run("check", save).out == ""


def test_insert_before_an_entry_takes_the_key_by_itself(run: Run, save: Path) -> None:
    assert run("insert", save, "[0].player.gold", "7", "--entry-key", '"silver"').code == 0
    literal = run("get", save, "[0].player").out
    assert literal.index('"silver"') < literal.index('"gold"')
    assert run("get", save, "[0].player.silver").out == "7\n"


def test_insert_of_a_value_behind_the_last_of_the_file(run: Run, save: Path) -> None:
    assert run("insert", save, "[]", "5").code == 0
    assert run("get", save, "[2]").out == "5\n"


@pytest.mark.parametrize(
    ("path", "literal", "word"),
    [
        ("[0].player.gold", "1", "already"),
        ("[0].player[]", "1", "key"),
        ("[0].player.gold[]", "1", "holds no others"),
        ("[0].inventory[99]", "1", "99"),
        ("[0].player.mana", "(((1", ""),
        ("[0].player[nonsense]", "1", "key"),
        ("[0].nothing.mana", "1", "nothing"),
        ("[9]", "1", "[]"),
        ("", "1", ""),
        ("nonsense", "1", ""),
    ],
)
def test_insert_that_cannot_be_done_changes_nothing(run: Run, save: Path, path: str, literal: str, word: str) -> None:
    assert run("insert", save, path, literal).failed_with(word)
    assert untouched(save)


# delete


def test_delete_takes_several_values_by_their_old_paths(run: Run, save: Path) -> None:
    third = run("get", save, "[0].inventory[2].id").out
    assert run("delete", save, "[0].inventory[0]", "[0].inventory[1]", "[0].player.gold").code == 0
    assert run("get", save, "[0].inventory[0].id").out == third
    assert run("get", save, "[0].player.gold").failed_with("gold")
    assert run("check", save).out == ""


def test_delete_that_cannot_be_done_changes_nothing(run: Run, save: Path) -> None:
    assert run("delete", save, "[0].player.gold", "[0].player.nothing").failed_with("nothing")
    assert untouched(save)


# bulk


def test_bulk_changes_the_file(run: Run, save: Path) -> None:
    ran = run("bulk", save, '[0].inventory[?id == "bread" or count > 10].count -> value + 1')
    assert (ran.code, ran.out) == (0, "")
    assert "change" in ran.err
    assert run("get", save, "[0].inventory[2].count").out == "49\n"
    assert save.with_name("game.save.bak").read_bytes() == SAMPLE.read_bytes()
    assert run("check", save).out == ""


def test_bulk_dry_run_prints_what_would_change(run: Run, save: Path) -> None:
    ran = run("bulk", save, "player.gold -> value * 2", "--dry-run")
    assert (ran.code, ran.out) == (0, "[0].player.gold: 1375 -> 2750\n")
    assert untouched(save)


def test_bulk_with_an_output_leaves_the_file(run: Run, save: Path, tmp_path: Path) -> None:
    assert run("bulk", save, "player.gold -> 1", "-o", tmp_path / "out").code == 0
    assert untouched(save)
    assert run("get", tmp_path / "out", "[0].player.gold").out == "1\n"


def test_bulk_says_which_values_stay_and_changes_the_others(run: Run, save: Path) -> None:
    ran = run("bulk", save, "player.* if key == 'gold' or key == 'name' -> 5")
    assert (ran.code, ran.out) == (1, "")
    assert "[0].player.name: This stays of type String" in ran.err
    assert run("get", save, "[0].player.gold").out == "5\n"


def test_bulk_that_finds_nothing_writes_nothing(run: Run, save: Path) -> None:
    ran = run("bulk", save, "player.nothing -> 5")
    assert (ran.code, ran.out, ran.err) == (0, "", "variant-viewer: Nothing in this file matches.\n")
    assert untouched(save)


@pytest.mark.parametrize(
    ("expression", "word"),
    [("player.gold", "character 12"), ("player.gold -> ", "character"), ("[9].gold -> 5", "[9]"), ("", "arrow")],
)
def test_bulk_that_cannot_be_read_says_where(run: Run, save: Path, expression: str, word: str) -> None:
    assert run("bulk", save, expression).failed_with(word)
    assert untouched(save)


# Usage


@pytest.mark.parametrize(
    "words",
    [("find", SAMPLE), ("insert", SAMPLE, "[0]"), ("delete", SAMPLE), ("bulk", SAMPLE), ("bulk", "-", "a -> 1")],
)
def test_bad_usage_is_one_line(run: Run, words: tuple[object, ...]) -> None:
    assert run(*words).failed_with("variant-viewer: ")


@pytest.mark.parametrize("command", ["find", "set", "insert", "delete", "bulk"])
def test_help_names_the_command(run: Run, command: str) -> None:
    assert f"variant-viewer {command} " in run("--help").out
    assert f"variant-viewer {command} " in run(command, "--help").out


def test_what_is_written_over_stays_as_bak(run: Run, save: Path, tmp_path: Path) -> None:
    before, other = save.read_bytes(), tmp_path / "other.save"
    other.write_bytes(b"precious")
    assert run("set", save, "[0].player.gold", "1", "-o", save).code == 0
    assert run("set", save, "[0].player.gold", "2", "-o", other).code == 0
    assert save.with_name(f"{save.name}.bak").read_bytes() == before != save.read_bytes()
    assert (tmp_path / "other.save.bak").read_bytes() == b"precious"


def test_other_names_of_a_changed_file_are_told(run: Run, save: Path, tmp_path: Path) -> None:
    os.link(save, tmp_path / "second")
    ran = run("set", save, "[0].player.gold", "1")
    assert (ran.code, ran.out) == (0, "")
    assert (
        ran.err
        == f"variant-viewer: “{save.name}” had another name (a hard link), which still leads to the previous version.\n"
    )
