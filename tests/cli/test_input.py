"""The command line at its edges: standard input and output, files that cannot be read, and very large ones."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import corpus
import pytest
from command_line import PROGRAM, ROOT, SAMPLE, Run, process

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
INT_5 = bytes.fromhex("02000000 05000000")


def fed(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


# Standard input and output


def test_a_dash_is_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fed(monkeypatch, SAMPLE.read_bytes())
    assert run("get", "-", "[0].player.gold").out == "1375\n"
    fed(monkeypatch, b"")
    out = run("check", "-").out
    assert out.startswith("-:0x0: error empty-file: The file is empty: there is no value in it. Likely (95 %): The ")


def test_standard_input_is_not_changed_in_place(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_cannot_be_read_is_one_line(run: Run, tmp_path: Path, command: str) -> None:
    more = ["[0]"] if command == "get" else []
    assert run(command, tmp_path, *more).failed_with("folder")
    assert run(command, tmp_path / "nowhere", *more).failed_with("no such file")
    assert run(command, "\udcff" * 3, *more).failed_with("cannot be read")
    assert run(command, "a" * 300, *more).failed_with("cannot be read")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_one_line(run: Run, save: Path) -> None:
    save.chmod(0)
    assert run("check", save).failed_with("permission denied")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has a file that even root cannot read")
def test_a_file_that_fails_while_it_is_read_is_one_line(run: Run) -> None:
    assert run("check", "/proc/self/mem").failed_with("cannot be read")


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"", "empty-file"), (b"x", "no-value"), (b"This is a letter, and no save at all.\n", "error")],
)
def test_a_file_without_values_is_a_finding(run: Run, tmp_path: Path, raw: bytes, code: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(raw)
    ran = run("check", path)
    assert (ran.code, ran.err) == (1, "")
    assert code in ran.out
    assert run("dump", path).code == 1
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


def test_a_value_in_a_file_that_is_not_read_into_memory(run: Run, large: Path) -> None:
    assert run("get", large, "[0].gold").out == "7\n"


def test_check_of_a_file_that_is_not_read_into_memory(run: Run, large: Path) -> None:
    ran = run("check", large)
    assert (ran.code, ran.err) == (0, "")
    assert "299999968 bytes" in ran.out.replace(",", "")


def test_dump_of_a_file_that_is_not_read_into_memory(run: Run, large: Path) -> None:
    ran = run("dump", large)
    assert ran.code == 0
    assert "67 6f 6c 64" in ran.out
    assert "299999968 bytes of no value" in ran.out.replace(",", "")


def test_set_in_a_file_that_is_not_read_into_memory(run: Run, large: Path) -> None:
    assert run("set", large, "[0].gold", "8").code == 0
    with large.open("rb") as file:
        assert file.read(36) == GOLD[:-4] + bytes.fromhex("08000000 00000000")
    with large.with_name("large.save.bak").open("rb") as file:
        assert file.read(36) == GOLD + bytes(4)
    assert large.stat().st_size == 300_000_000


def test_a_json_file_of_3_gigabytes_is_refused_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, 3 << 30)
    begun = time.monotonic()
    assert run("encode", path, "-o", tmp_path / "out").failed_with("3221225472 bytes")
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs devices")
def test_a_device_is_written_to_and_not_replaced(run: Run, save: Path) -> None:
    assert run("set", save, "[0].player.gold", "5", "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("magic", [b"GDEC", b"GCPF", b"GCMP"])
def test_a_broken_wrap_is_refused_in_words(run: Run, tmp_path: Path, magic: bytes) -> None:
    path = tmp_path / "wrapped"
    path.write_bytes(magic + bytes(60))
    (tmp_path / "password").write_text("secret\n")
    assert run("dump", path, "--password-file", tmp_path / "password").failed_with("wrapped")
