"""The command line's usage: wrong words, help, and what opens where there is no display."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command_line import PROGRAM, ROOT, SAMPLE, Run, process

from viewer.base.version import VERSION
from viewer.cli.arguments import ARGUMENTS
from viewer.document.disk import files

INT_5 = bytes.fromhex("02000000 05000000")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither such signals, pipes nor closed streams")


def shell(words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line with redirections in a POSIX shell."""
    command = f'"{sys.executable}" -m viewer {words}'
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(["sh", "-c", command], capture_output=True, env=env, timeout=60, check=False)


def interrupted(*words: object, window: bool = False) -> int:
    """The exit code of the program when it is interrupted while it waits, as by Ctrl+C."""
    return ended(*words, window=window).returncode


def ended(*words: object, window: bool = False) -> subprocess.CompletedProcess[bytes]:
    """How the program ends when it is interrupted while it waits."""
    program = f"""
import os, signal, sys, threading, time
from viewer.cli import main
def interrupt():
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)
def idle(app=None, then=threading.Thread(target=interrupt, daemon=True).start):
    then()
if {window}:
    import viewer.ui.window.app
    viewer.ui.window.app.collect_again = idle
else:
    idle()
sys.exit(main(sys.argv[1:]))
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", program, *map(str, words)]
    return subprocess.run(command, capture_output=True, env=env, timeout=60, check=False)


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
        (SAMPLE, "nowhere.save"),
        ("--nonsense",),
    ],
)
def test_bad_usage_is_one_line(run: Run, words: tuple[object, ...]) -> None:
    assert run(*words).failed_with("variant-viewer: ")


def test_version_names_the_scanner(run: Run) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out in {f"variant-viewer {VERSION}, {kind} scanner\n" for kind in ("compiled", "plain Python")}


def test_help_names_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    for command in ("dump", "check", "get", "set", "encode", "shot"):
        assert f"variant-viewer {command} " in ran.out
        assert run(command, "--help").code == 0


@pytest.mark.parametrize(("word", "meant"), [("chekc", "check"), ("dmup", "dump"), ("Get", "get"), ("encod", "encode")])
def test_a_misspelt_command_says_which_is_meant(run: Run, word: str, meant: str) -> None:
    assert run(word, SAMPLE).failed_with(f"“{word}” is neither a command nor a file", f"did you mean {meant}?")
    assert run(word).failed_with(f"did you mean {meant}?")


def test_what_is_neither_a_command_nor_a_file_is_said(run: Run) -> None:
    assert run("rearrange", SAMPLE).failed_with(
        "“rearrange” is neither a command nor a file; see variant-viewer --help"
    )


def test_a_word_behind_a_file_is_another_file_or_refused(run: Run) -> None:
    assert run(SAMPLE, "nowhere.save").failed_with("There is no file “nowhere.save”")
    assert run(SAMPLE, "dump").failed_with(f"A command goes before its file: variant-viewer dump {SAMPLE}")


def test_help_names_nothing_that_is_not_installed(run: Run) -> None:
    texts = [run("--help").out, *(run(command, "--help").out for command in ARGUMENTS)]
    assert not [text for text in texts if "docs/" in text or ".md" in text]


def test_help_says_what_has_a_byte_order(run: Run) -> None:
    (line,) = (line for line in run("--help").lines if "--byte-order" in line)
    assert line.endswith("of the lengths before stored values")


# Closed streams, signals, pipes


@POSIX
def test_a_closed_standard_output_is_one_sentence() -> None:
    done = shell(f'dump "{SAMPLE}" >&-')
    assert (done.returncode, done.stderr) == (
        2,
        b"variant-viewer: The output cannot be written: standard output is closed.\n",
    )


@POSIX
def test_what_prints_nothing_needs_no_standard_output(save: Path) -> None:
    assert shell(f'set "{save}" "[0].player.gold" 7 >&- 2>&-').returncode == 0
    assert shell(f'get "{save}" "[0].player.gold"').stdout == b"7\n"
    assert shell("get nothing.save '[0]' 2>&-").stdout == b""  # the error must not stand among the output


@POSIX
def test_a_pipe_that_nobody_writes_to_can_be_given_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = ended("dump", tmp_path / "pipe")
    assert done.returncode == 130
    assert done.stderr == b"variant-viewer: Stopped by Ctrl+C before it was done.\n"


@POSIX
@pytest.mark.parametrize("named", [True, False])
def test_control_c_ends_an_idle_window(named: bool) -> None:
    assert interrupted(*((SAMPLE,) if named else ()), window=True) == 130


@POSIX
def test_a_pipe_opens_in_the_window_with_all_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with ThreadPoolExecutor() as pool:
        writing = pool.submit(path.write_bytes, SAMPLE.read_bytes())
        data, _ = files.read(path, progress=lambda _: True)
        writing.result(timeout=30)
    assert data == SAMPLE.read_bytes()
    assert files.start_of(path, 16) == b""  # what is read of a pipe is gone


@POSIX
def test_waiting_for_a_pipe_can_be_given_up(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    looks: list[int] = []
    with pytest.raises(files.SaveStopped):
        files.read(path, progress=lambda size: looks.append(size) or len(looks) < 3)
    assert looks == [0, 0, 0]


def test_shot_says_nothing_of_its_own(tmp_path: Path) -> None:
    done = process("shot", SAMPLE, "-o", tmp_path / "picture.png", XDG_RUNTIME_DIR="")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


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
