"""The command line's usage: wrong words, help, and what opens where there is no display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PROGRAM, ROOT, SAMPLE, Run, process

from viewer import __version__

INT_5 = bytes.fromhex("02000000 05000000")


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
def test_bad_usage_is_one_line(run: Run, words: tuple[object, ...]) -> None:
    assert run(*words).failed_with("variant-viewer: ")


def test_version_names_the_scanner(run: Run) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out in {f"variant-viewer {__version__}, {kind} scanner\n" for kind in ("compiled", "plain Python")}


def test_help_names_every_command(run: Run) -> None:
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
