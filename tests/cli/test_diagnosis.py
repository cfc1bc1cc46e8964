"""The command line's words on why: verdicts, pages, small failing bytes, reports; and their exit codes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from types import CodeType

import pytest
from command_line import BROKEN, SAMPLE, Run

from viewer.document.engines.lines import lines
from viewer.document.engines.ruling import rule


def test_check_asks_one_engine(run: Run) -> None:
    code, out, _ = run("check", BROKEN, "--engine", "godot3.5")
    assert code == 1
    assert out == (
        f"{BROKEN}:0x44: Godot 3.5 bytes2var refuses it (read as one value without a length, a guess):"
        " This text says it is 67108864 bytes long, but only 48 bytes are left."
        " [strlen < 0 || strlen + pad > len → ERR_FILE_EOF] ([0].name@length)\n"
    )


def test_check_ends_with_0_where_the_engine_reads_it(run: Run) -> None:
    assert run("check", SAMPLE, "--engine", "godot3") == (
        0,
        f"{SAMPLE}: Godot 3.2 File.get_var reads it (read as 2 values with a length in front of each, a guess).\n",
        "",
    )
    assert run("check", SAMPLE, "--engine", "godot4")[0] == 1


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ("02000000 07000000 02000000 07000000", "reads a part"),
        ("00000000 02000000 07000000", "reads null"),
        ("deadbeef 08000000 02000000 07000000", "reads it from 0x4 on"),
    ],
)
def test_check_ends_with_1_where_a_game_gets_less_than_lies_there(
    run: Run, tmp_path: Path, data: str, word: str
) -> None:
    path = tmp_path / "values"
    path.write_bytes(bytes.fromhex(data))
    framing = ("--framing", "stored") if "from" in word else ("--framing", "bare")
    found = run("check", path, "--engine", "godot4", *framing)
    assert word in found.out
    assert found.code == 1


def test_check_asks_all_engines(run: Run) -> None:
    code, out, _ = run("check", SAMPLE, "--engine", "all")
    assert code == 0
    assert len(out.splitlines()) == 1 + len(lines())


def test_check_knows_no_other_engine(run: Run) -> None:
    code, out, err = run("check", SAMPLE, "--engine", "unity")
    assert (code, out) == (2, "")
    assert "godot4.0" in err


STORED = bytes.fromhex("08000000 02000000 07000000")
TOO_LONG = bytes.fromhex("64000000 02000000 07000000")


@pytest.mark.parametrize(
    ("data", "call", "engine", "expected"),
    [
        (STORED, "file", "godot4", "FileAccess.get_var reads it (read as one value with a length in front)."),
        (STORED, "file", "godot3", "File.get_var reads it (read as one value with a length in front)."),
        (
            STORED,
            "stream",
            "godot4",
            "StreamPeer.get_var reads it (read as one value with a length in front, a guess).",
        ),
        (STORED[4:], "stream", "godot4", "PacketPeer.get_var reads it (read as one value without a length, a guess)."),
        (STORED[4:], "bytes", "godot4", "bytes_to_var reads it (read as one value without a length)."),
        (
            TOO_LONG,
            "file",
            "godot3",
            "File.get_var reads past the end (read as one value with a length in front): ",
        ),
        (TOO_LONG, "bytes", "godot4", "bytes_to_var refuses it (read as one value without a length): Type number 100"),
    ],
)
def test_a_verdict_names_the_call_and_what_it_rests_on(
    run: Run, tmp_path: Path, data: bytes, call: str, engine: str, expected: str
) -> None:
    path = tmp_path / "value"
    path.write_bytes(data)
    assert expected in run("check", path, "--engine", engine, "--call", call).out
    told = json.loads(run("check", path, "--engine", engine, "--call", call, "--json").out)["engines"][0]
    assert (told["call"], told["framing_is_guess"]) == (expected.split()[0], "a guess" in expected)


def test_the_doctor_reads_as_the_call_does(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "value"
    path.write_bytes(STORED)
    assert "(prefix-extra, " in run("doctor", path, "--call", "bytes", "--dialect", "godot4").lines[0]
    assert run("doctor", path, "--call", "file").lines[-1] == (
        "This is about File.get_var of Godot 3, read as one value with a length in front."
    )
    assert json.loads(run("doctor", path, "--json").out)["read_as"] == "one value with a length in front, a guess"


def test_a_call_and_a_framing_that_it_cannot_read_are_refused(run: Run) -> None:
    found = run("check", SAMPLE, "--call", "file", "--framing", "bare")
    assert found.failed_with("--call file", "--framing bare")


def test_check_writes_json(run: Run) -> None:
    code, out, _ = run("check", BROKEN, "--json", "--engine", "godot3.2")
    told = json.loads(out)
    assert code == 1
    assert told["engines"][0]["condition"] == "strlen < 0 || strlen + pad > len"
    assert told["findings"][0]["code"] == "length-too-long"


def test_check_asks_each_engine_once_also_for_json(run: Run) -> None:
    asked = []
    for form in ((), ("--json",)):
        codes: Counter[CodeType] = Counter()
        sys.setprofile(lambda frame, event, _, codes=codes: codes.update([frame.f_code] if event == "call" else []))
        try:
            run("check", SAMPLE, "--engine", "all", "--objects", *form)
        finally:
            sys.setprofile(None)
        asked.append(codes[rule.__code__])
    assert 0 < asked[0] == asked[1]


def test_explain_takes_an_offset_or_a_path(run: Run) -> None:
    by_offset = run("explain", BROKEN, "0x44")
    assert by_offset == run("explain", BROKEN, "68") == run("explain", BROKEN, "[0].name@length")
    assert by_offset[1].startswith("String, length\n")


def test_explain_without_a_place_is_about_the_file(run: Run) -> None:
    code, out, _ = run("explain", SAMPLE)
    assert code == 0
    assert "stored" in out


@pytest.mark.parametrize("place", ["99999", "[0].nothing", "x"])
def test_explain_says_where_nothing_is(run: Run, place: str) -> None:
    code, out, err = run("explain", BROKEN, place)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_shrink_prints_hex(run: Run) -> None:
    assert run("shrink", BROKEN) == (0, "04 00 00 00 00 00 00 04\n", "")


def test_shrink_writes_bytes(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "small.bin"
    assert run("shrink", BROKEN, "-o", out)[0] == 0
    assert out.read_bytes() == bytes.fromhex("04000000 00000004")


def test_shrink_writes_a_test(run: Run) -> None:
    assert run("shrink", BROKEN, "--as", "gdscript")[1].startswith("func test():\n")


def test_shrink_keeps_what_an_engine_refuses(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "object.bin"
    path.write_bytes(bytes.fromhex("13000000 02000000 02000000 07000000 11000000 00000000"))
    code, out, _ = run("shrink", path, "--framing", "bare", "--dialect", "godot3", "--engine", "godot3.2")
    assert (code, out) == (0, "11 00 00 00\n")


def test_shrink_needs_something_wrong(run: Run) -> None:
    assert run("shrink", SAMPLE)[0] == 2
    assert run("shrink", BROKEN, "--as", "literal")[0] == 2


@pytest.mark.parametrize(("option", "begin"), [("--json", "{"), ("--html", "<!doctype html>")])
def test_report_writes_what_is_asked_for(run: Run, tmp_path: Path, option: str, begin: str) -> None:
    out = tmp_path / "report"
    assert run("report", BROKEN, option, "-o", out)[0] == 0
    assert out.read_text(encoding="utf-8").startswith(begin)


def test_report_is_text_without_an_option(run: Run) -> None:
    assert "length-too-long" in run("report", BROKEN)[1]
    assert run("report", BROKEN, "--html", "--json")[0] == 2
