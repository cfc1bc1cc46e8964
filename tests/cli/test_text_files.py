"""The sub-commands on a save in JSON: places are those of the text, and edits change nothing else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import engine
import pytest
from command_line import Run
from engine4 import Godot, Request

PAIRS = bytes.fromhex("1b000000020000000200000005000000020000000600000002000000050000000200000007000000")
"""A dictionary of Godot 4: {5: 6, 5: 7}."""
SAVE = b'{\n\t"name": "Bob", "hp": 12,\n\t"items": [1, 2.50]\n}\n'


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "save.json"
    path.write_bytes(SAVE)
    return path


def test_dump_has_the_place_of_each_value_in_the_text(run: Run, text: Path) -> None:
    code, out, _ = run("dump", str(text))
    assert code == 0
    assert out.startswith(f"save.json: {len(SAVE)} bytes, JSON, 1 value\n")
    (line,) = [each for each in out.splitlines() if "12.0" in each and "hp" in each and "float" in each]
    assert line.split()[:2] == [f"{SAVE.index(b'12'):08x}", "2:23"]


def test_get_set_insert_delete_and_bulk(run: Run, text: Path) -> None:
    assert run("get", str(text), "[0].hp")[1] == "12.0\n"
    assert run("set", str(text), "[0].hp", "13.0")[0] == 0
    assert text.read_bytes() == SAVE.replace(b"12", b"13")
    assert run("bulk", str(text), "hp -> 14.0")[0] == 0
    assert text.read_bytes() == SAVE.replace(b"12", b"14")
    assert run("insert", str(text), "[0].items[]", "3.0")[0] == 0
    assert run("delete", str(text), "[0].items[0]")[0] == 0
    assert text.read_bytes() == SAVE.replace(b"12", b"14").replace(b"1, 2.50", b"2.50, 3")


def test_check_says_line_and_column_and_find_the_offset(run: Run, text: Path) -> None:
    assert run("check", str(text))[0] == 0
    assert f":0x{SAVE.index(b'2.50'):X}: [0].items[1]: 2.5" in run("find", str(text), "number: 2.5")[1]
    text.write_bytes(SAVE.replace(b"12,", b"12"))
    code, out, _ = run("check", str(text))
    assert code == 1
    at = SAVE.index(b'"items"') - 1
    assert f":0x{at:X}: error text-broken: Line 3, column 2 (byte {at}): A comma is missing before this." in out


def test_explain_report_and_doctor_speak_of_the_text(run: Run, text: Path) -> None:
    assert "Line 2, column 23: 2 bytes at" in run("explain", str(text), "[0].hp")[1]
    assert "Line 2, column 23: 2 bytes at" in run("explain", str(text), str(SAVE.index(b"12")))[1]
    assert f"Size:      {len(SAVE)} bytes" in run("report", str(text))[1]
    assert json.loads(run("report", "--json", str(text))[1])["size"] == len(SAVE)
    assert run("report", "--html", str(text))[0] == 0
    assert "This is about JSON" in run("doctor", str(text))[1]


def test_unwrap_gives_the_text_and_wrap_takes_it(run: Run, text: Path) -> None:
    text.write_bytes(gzip.compress(SAVE, mtime=0))
    out = text.with_name("out.json")
    assert run("unwrap", str(text), "-o", str(out))[0] == 0
    assert out.read_bytes() == SAVE
    out.write_bytes(SAVE + b"\n")
    assert run("wrap", str(out), "--like", str(text), "-o", str(text))[0] == 0
    assert gzip.decompress(text.read_bytes()) == SAVE + b"\n"


def test_a_dump_in_json_is_of_the_same_values(run: Run, text: Path) -> None:
    told = json.loads(run("dump", "--json", str(text))[1])
    assert [layer["codec"] for layer in told["layers"]] == ["file", "json"]
    assert told["size"] == len(SAVE)


def test_a_dump_of_a_text_is_not_written_back(run: Run, text: Path, tmp_path: Path) -> None:
    dumped = tmp_path / "dump.json"
    dumped.write_text(run("dump", "--json", str(text))[1], encoding="utf-8")
    code, _, err = run("encode", str(dumped), "-o", str(tmp_path / "out"))
    assert code == 2
    assert "change the text with “set”" in err


def test_who_says_how_the_bytes_are_read_sees_no_text(run: Run, text: Path) -> None:
    assert "JSON" not in run("dump", str(text), "--dialect", "godot4")[1].splitlines()[0]


def test_doctor_mends_a_text_in_place(run: Run, text: Path) -> None:
    text.write_bytes(SAVE.replace(b"12,", b"12"))
    assert run("doctor", "--apply", "1", str(text))[0] == 0
    assert text.read_bytes() == SAVE


def test_set_says_what_engines_read_otherwise_and_refuses_what_they_read_as_zero(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"a":1.5}')
    code, out, err = run("set", str(path), "[0].a", "1e-320")
    assert (code, out, path.read_bytes()) == (2, "", b'{"a":1.5}')
    assert err == (
        "variant-viewer: A text cannot hold so small a number: engines read 0.0 from each spelling of 1e-320.\n"
    )
    code, out, err = run("set", str(path), "[0].a", "2.2250738585072014e-308")
    assert (code, out, path.read_bytes()) == (0, "", b'{"a":2e-308}')
    assert err == (
        "variant-viewer: [0].a: Godot reads 2e-308 here: no spelling of 2.2250738585072014e-308 is read exactly.\n"
    )
    assert run("set", str(path), "[0].a", "1e-308") == (0, "", "")
    assert path.read_bytes() == b'{"a":1e-308}'


TWICE = "this key occurs again, and engines keep only the last value: "


@pytest.mark.parametrize(
    ("name", "content", "path", "value", "kept"),
    [
        ("a.json", b'{"a":{"x":1},"b":2,"a":{"x":3}}', "[0].a.x", "1.0", "[0].a#2"),
        ("a.json", b'{"a":{"x":1},"b":2,"a":{"x":3}}', "[0].a#2.x", "3.0", ""),
        ("a.json", b'{"a":{"x":1},"b":2,"a":{"x":3}}', "[0].b", "2.0", ""),
        ("a.json", b'{"a":1,"a":2,"a":3}', "[0].a#2", "2.0", "[0].a#3"),
        ("a.cfg", b"[s]\nx=1\nx=2\n", "[0].s.x", "1", "[0].s.x#2"),
        ("a.cfg", b"[s]\nx=1\n[s]\ny=2\n", "[0].s.x", "1", ""),
        ("a.cfg", b"[s]\nx=1\nx=2\n[s]\nx=3\n[t]\nx=4\n[s]\ny=5\n", "[0].s.x", "1", "[0].s#2.x"),
        ("a.cfg", b"[s]\nx=1\n[s]\nx=3\nx=2\n", "[0].s#2.x#2", "2", ""),
        ("a.bin", PAIRS, "[0][5]", "6", "[0][5]#2"),
    ],
)
def test_get_and_set_say_which_of_equal_keys_engines_keep(
    run: Run, tmp_path: Path, name: str, content: bytes, path: str, value: str, kept: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    told = f"variant-viewer: {path}: {TWICE}{kept}\n" if kept else ""
    assert run("get", str(file), path) == (0, f"{value}\n", told)
    code, _, err = run("set", str(file), path, value.replace("1", "4"), "-o", str(tmp_path / "out"))
    assert (code, err) == (0, told)


@pytest.mark.engine
@pytest.mark.engine4
def test_engines_keep_the_last_of_equal_keys(godot4: Godot) -> None:
    text = b'{"a":1,"b":2,"a":3}'
    (four,), (three,) = godot4.parsed([text]), engine.read_back([engine.Request(text, "json")])
    assert [key["String"] for key, _ in four.value["Dictionary"]] == ["a", "b"]
    assert four.value["Dictionary"][0][1] == {"float": "00004040"}
    assert three.value["Dictionary"][0][1]["float"] == "3.0"
    (stored,) = godot4.read([Request(PAIRS, "bare")])
    assert stored.value == {"Dictionary": [[{"int": "5"}, {"int": "7"}]]}
