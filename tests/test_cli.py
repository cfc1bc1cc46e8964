"""The command line: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import corpus
import pytest

from viewer import __version__
from viewer.cli import main

ROOT = Path(__file__).parents[1]
RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
SAMPLE = ROOT / "resources" / "samples" / "godot3-rpg.save"
BROKEN = ROOT / "resources" / "samples" / "broken-packet.bin"
PROGRAM = [sys.executable, "-m", "viewer"]
INT_5 = bytes.fromhex("02000000 05000000")


class Ran:
    """What a run printed and returned."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def failed_with(self, *words: str) -> bool:
        """Whether it ended with 2 and one line on stderr that has these words."""
        one_line = self.err.endswith("\n") and self.err.count("\n") == 1
        return (self.code, self.out, one_line) == (2, "", True) and all(word in self.err for word in words)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def runner(*words: object) -> Ran:
        code = main([str(word) for word in words])
        found = capfd.readouterr()
        return Ran(code, found.out, found.err)

    return runner


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    path.write_bytes(SAMPLE.read_bytes())
    return path


def fed(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def process(*words: object, raw: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    without = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    without.pop("QT_QPA_PLATFORM", None)
    env = {**without, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [*PROGRAM, *map(str, words)], input=raw, capture_output=True, env=env, timeout=60, check=False
    )


# dump


def test_dump_prints_the_bytes_beside_the_tree(run: Any) -> None:
    ran = run("dump", SAMPLE)
    assert ran.code == 0
    assert "Role" not in ran.out
    assert "Mira Oakhand" in ran.out
    assert ran.out.startswith("godot3-rpg.save: 5912 bytes, Godot 3, stored, 2 values\n")


def test_dump_json_names_the_file(run: Any) -> None:
    assert json.loads(run("dump", SAMPLE, "--json").out)["file"] == str(SAMPLE)


@pytest.mark.parametrize("path", [SAMPLE, BROKEN, RPG], ids=lambda path: path.name)
def test_dump_then_encode_gives_the_same_file(run: Any, tmp_path: Path, path: Path) -> None:
    (tmp_path / "in.json").write_text(run("dump", path, "--json").out, encoding="utf-8")
    assert run("encode", tmp_path / "in.json", "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == path.read_bytes()


def test_dump_of_broken_bytes_is_no_failure(run: Any) -> None:
    assert run("dump", BROKEN).code == 0


def test_the_options_fix_how_bytes_are_read(run: Any) -> None:
    found = json.loads(
        run("dump", "--json", SAMPLE, "--dialect", "godot4", "--framing=bare", "--precision", "double").out
    )
    assert (found["dialect"], found["framing"], found["precision"]) == ("godot4", "bare", "double")


def test_options_may_stand_before_the_command(run: Any) -> None:
    assert json.loads(run("--dialect", "godot2", "dump", "--json", SAMPLE).out)["dialect"] == "godot2"


def test_every_framing_reads_every_sample(run: Any) -> None:
    for framing in ("stored", "bare", "concatenated"):
        assert run("check", SAMPLE, "--framing", framing).code in (0, 1)


# check


def test_check_of_a_sound_file_is_silent(run: Any) -> None:
    ran = run("check", SAMPLE)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_check_prints_one_finding_a_line(run: Any) -> None:
    ran = run("check", BROKEN)
    assert ran.code == 1
    assert ran.out == (
        f"{BROKEN}:0x44: error length-too-long: This text says it is 67108864 bytes long, but only 48 bytes are left."
        " ([0].name@length)\n"
        f"{BROKEN}:0x48: note skipped-bytes: 4 bytes skipped. What follows makes sense again and is shown as a guess."
        " ([0])\n"
    )


def test_a_finding_is_one_line_whatever_stands_in_it(run: Any, tmp_path: Path) -> None:
    #                                               Object   length   A \\n B   count
    (tmp_path / "object").write_bytes(bytes.fromhex("11000000 03000000 410a4200 00000000"))
    ran = run("check", tmp_path / "object", "--dialect", "godot3", "--framing", "bare")
    assert ran.out.count("\n") == 1
    assert "An embedded A\\nB:" in ran.out


def test_warnings_and_notes_are_no_failure(run: Any, tmp_path: Path) -> None:
    (tmp_path / "bool").write_bytes(bytes.fromhex("01000000 07000000"))
    ran = run("check", tmp_path / "bool")
    assert ran.code == 0
    assert "warning bool-not-0-or-1" in ran.out


def test_check_of_several_files_returns_the_worst(run: Any, tmp_path: Path) -> None:
    assert run("check", SAMPLE, BROKEN).code == 1
    ran = run("check", BROKEN, tmp_path / "nowhere", SAMPLE)
    assert ran.code == 2
    assert "length-too-long" in ran.out
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_no_broken_input_is_an_exception(run: Any, tmp_path: Path, engine: corpus.Engine) -> None:
    paths = []
    for index, row in enumerate(corpus.malformed(engine.folder)):
        paths.append(tmp_path / str(index))
        paths[-1].write_bytes(bytes.fromhex(row["hex"]))
    ran = run("check", *paths, "--dialect", engine.dialect, "--framing", "bare")
    assert (ran.code, ran.err) == (1, "")
    for line in ran.out.splitlines():
        assert line.startswith(str(tmp_path))
        assert ": error " in line or ": warning " in line or ": note " in line


def test_broken_input_of_any_engine_is_read_without_options(run: Any, tmp_path: Path) -> None:
    for index, row in enumerate(corpus.malformed("godot3")[::10]):
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
def test_get_prints_one_value(run: Any, path: str, literal: str, native: str) -> None:
    ran = run("get", SAMPLE, path)
    assert (ran.code, ran.out) == (0, f"{literal}\n")
    assert run("get", SAMPLE, path, "--json").out == f"{native}\n"


@pytest.mark.parametrize(
    "path", ["[9]", "gold", "[0].player.silver", "[0].inventory[99]", "", "[0", "[0].player.gold.x"]
)
def test_get_of_a_wrong_path_says_where_it_fails(run: Any, path: str) -> None:
    assert run("get", SAMPLE, path).failed_with("variant-viewer: ")


def test_get_prints_a_value_of_any_depth(run: Any, tmp_path: Path) -> None:
    (tmp_path / "deep").write_bytes(bytes.fromhex("13000000 01000000") * 50_000 + bytes(4))
    ran = run("get", tmp_path / "deep", "[0]", "--dialect", "godot3", "--framing", "bare")
    assert ran.out == "[" * 50_000 + "null" + "]" * 50_000 + "\n"
    ran = run("get", tmp_path / "deep", "[0]", "--dialect", "godot3", "--framing", "bare", "--json")
    assert ran.out == "[" * 50_000 + "null" + "]" * 50_000 + "\n"


def test_set_writes_in_place_and_keeps_the_old_file(run: Any, save: Path) -> None:
    ran = run("set", save, "[0].player.name", '"Mira of the Long Fens"')
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert run("get", save, "[0].player.name").out == '"Mira of the Long Fens"\n'
    assert save.with_name("game.save.bak").read_bytes() == SAMPLE.read_bytes()
    assert run("check", save).out == ""


def test_set_with_an_output_leaves_the_file(run: Any, save: Path, tmp_path: Path) -> None:
    assert run("set", save, "[0].player.gold", "9999", "-o", tmp_path / "rich.save").code == 0
    assert save.read_bytes() == SAMPLE.read_bytes()
    assert run("get", tmp_path / "rich.save", "[0].player.gold").out == "9999\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.save", "rich.save"]


def test_a_negative_number_is_a_literal_and_no_option(run: Any, save: Path) -> None:
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
def test_set_that_cannot_be_done_changes_nothing(run: Any, save: Path, path: str, literal: str) -> None:
    assert run("set", save, path, literal).failed_with()
    assert save.read_bytes() == SAMPLE.read_bytes()
    assert not save.with_name("game.save.bak").exists()


# encode


def test_encode_of_a_plain_value_takes_the_options(run: Any, tmp_path: Path) -> None:
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
def test_encode_of_what_is_no_value_says_where(run: Any, tmp_path: Path, text: bytes, word: str) -> None:
    (tmp_path / "in.json").write_bytes(text)
    assert run("encode", tmp_path / "in.json", "-o", tmp_path / "out").failed_with(word)
    assert not (tmp_path / "out").exists()


# Standard input and output


def test_a_dash_is_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fed(monkeypatch, SAMPLE.read_bytes())
    assert run("get", "-", "[0].player.gold").out == "1375\n"
    fed(monkeypatch, b"")
    assert run("check", "-").out == "-:0x0: error empty-file: The file is empty: there is no value in it.\n"


def test_standard_input_is_not_changed_in_place(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fed(monkeypatch, SAMPLE.read_bytes())
    assert run("set", "-", "[0].player.gold", "5").failed_with("-o")


def test_a_dash_behind_o_is_standard_output() -> None:
    assert process("set", "-", "[0]", "6", "-o", "-", raw=INT_5).stdout == bytes.fromhex("02000000 06000000")
    assert process("encode", "-", "-o", "-", raw=b'"i:5"').stdout == INT_5


def test_output_is_utf_8_even_where_the_locale_is_not() -> None:
    done = process("get", RPG, "[0].player.name", LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, "Zoë" in done.stdout.decode()) == (0, True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for closed pipes")
def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    command = [*PROGRAM, "dump", "--json", str(RPG)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [*PROGRAM, "dump", str(RPG)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("variant-viewer: The output cannot be written: ")
    assert done.stderr.count(b"\n") == 1


# Bad input


@pytest.mark.parametrize("command", ["dump", "check", "get"])
def test_what_cannot_be_read_is_one_line(run: Any, tmp_path: Path, command: str) -> None:
    more = ["[0]"] if command == "get" else []
    assert run(command, tmp_path, *more).failed_with("folder")
    assert run(command, tmp_path / "nowhere", *more).failed_with("no such file")
    assert run(command, "\udcff" * 3, *more).failed_with("cannot be read")
    assert run(command, "a" * 300, *more).failed_with("cannot be read")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_one_line(run: Any, save: Path) -> None:
    save.chmod(0)
    assert run("check", save).failed_with("permission denied")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has a file that even root cannot read")
def test_a_file_that_fails_while_it_is_read_is_one_line(run: Any) -> None:
    assert run("check", "/proc/self/mem").failed_with("cannot be read")


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"", "empty-file"), (b"x", "no-value"), (b"This is a letter, and no save at all.\n", "error")],
)
def test_a_file_without_values_is_a_finding(run: Any, tmp_path: Path, raw: bytes, code: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(raw)
    ran = run("check", path)
    assert (ran.code, ran.err) == (1, "")
    assert code in ran.out
    assert run("dump", path).code == 0
    assert json.loads(run("dump", path, "--json").out)["size"] == len(raw)
    assert run("get", path, "[5]").failed_with()


#                     prefix   Dict     1        String   4        g o l d  int      7
GOLD = bytes.fromhex("1c000000 12000000 01000000 04000000 04000000 676f6c64 02000000 07000000")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A stored Dictionary, then zeros up to 300 MB, which take no room on the disk."""
    path = tmp_path / "large.save"
    path.write_bytes(GOLD)
    os.truncate(path, 300_000_000)
    if getattr(path.stat(), "st_blocks", 0) * 512 > 1 << 20 or os.name == "nt":
        path.unlink()
        pytest.skip("this file system has no sparse files")
    return path


def test_a_value_in_a_file_that_is_not_read_into_memory(run: Any, large: Path) -> None:
    assert run("get", large, "[0].gold").out == "7\n"


def test_check_of_a_file_that_is_not_read_into_memory(run: Any, large: Path) -> None:
    ran = run("check", large)
    assert (ran.code, ran.err) == (0, "")
    assert "299999968 bytes" in ran.out.replace(",", "")


def test_dump_of_a_file_that_is_not_read_into_memory(run: Any, large: Path) -> None:
    ran = run("dump", large)
    assert ran.code == 0
    assert "67 6f 6c 64" in ran.out
    assert "299999968 bytes of no value" in ran.out.replace(",", "")


def test_set_in_a_file_that_is_not_read_into_memory(run: Any, large: Path) -> None:
    assert run("set", large, "[0].gold", "8").code == 0
    with large.open("rb") as file:
        assert file.read(36) == GOLD[:-4] + bytes.fromhex("08000000 00000000")
    with large.with_name("large.save.bak").open("rb") as file:
        assert file.read(36) == GOLD + bytes(4)
    assert large.stat().st_size == 300_000_000


def test_a_json_file_of_3_gigabytes_is_refused_at_once(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, 3 << 30)
    begun = time.monotonic()
    assert run("encode", path, "-o", tmp_path / "out").failed_with("3,221,225,472 bytes")
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs devices")
def test_a_device_is_written_to_and_not_replaced(run: Any, save: Path) -> None:
    assert run("set", save, "[0].player.gold", "5", "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("magic", [b"GDEC", b"GCPF", b"GCMP"])
def test_a_broken_wrap_is_refused_in_words(run: Any, tmp_path: Path, magic: bytes) -> None:
    path = tmp_path / "wrapped"
    path.write_bytes(magic + bytes(60))
    assert run("dump", path, "--password", "secret").failed_with("wrapped")


# Usage


@pytest.mark.parametrize(
    "words",
    [
        ("dump",),
        ("check",),
        ("get", SAMPLE),
        ("set", SAMPLE, "[0]"),
        ("encode", SAMPLE),
        ("shot", SAMPLE),
        ("shot", SAMPLE, "-o", "out.png", "--size", "big"),
        ("dump", SAMPLE, SAMPLE),
        ("dump", "--jsn", SAMPLE),
        ("dump", "--dialect"),
        ("dump", "--dialect", "godot9", SAMPLE),
        ("dump", "--precision", "half", SAMPLE),
        ("dump", "--key", "xyz", SAMPLE),
        ("get", SAMPLE, "[0]", "-o", "out"),
        (SAMPLE, SAMPLE),
        ("--nonsense",),
    ],
)
def test_bad_usage_is_one_line(run: Any, words: tuple[object, ...]) -> None:
    assert run(*words).failed_with("variant-viewer: ")


def test_version_names_the_scanner(run: Any) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out in {f"variant-viewer {__version__}, {kind} scanner\n" for kind in ("compiled", "plain Python")}


def test_help_names_every_command(run: Any) -> None:
    ran = run("--help")
    assert ran.code == 0
    for command in ("dump", "check", "get", "set", "encode", "shot"):
        assert f"variant-viewer {command} " in ran.out
        assert run(command, "--help").code == 0


# Without a display


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_without_a_display_a_file_opens_as_text() -> None:
    done = process(SAMPLE)
    assert done.returncode == 0
    assert b"Mira Oakhand" in done.stdout
    assert done.stderr.count(b"\n") == 1
    assert b"shot" in done.stderr


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_a_display_that_does_not_answer_is_none() -> None:
    done = process(SAMPLE, DISPLAY="localhost:9999")
    assert (done.returncode, b"Mira Oakhand" in done.stdout) == (0, True)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_without_a_display_and_a_file_there_is_one_line() -> None:
    done = process()
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


def test_a_file_named_like_a_command_is_opened_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(INT_5)
    env = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    if sys.platform in ("win32", "darwin"):
        pytest.skip("there is always a display")
    done = subprocess.run([*PROGRAM, "./dump"], capture_output=True, cwd=tmp_path, env=env, timeout=60, check=False)
    assert (done.returncode, b"int" in done.stdout) == (0, True)
