"""Passwords and keys on the command line: where they come from, and that nothing shows them afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PROGRAM, ROOT, Run, process
from corpus import DATA

from viewer.cli.input import OPTIONS, forget
from viewer.container.layer import Secret

CLOSED = DATA / "godot3" / "files" / "enc_pass_one.save"
PASSWORD = "hunter2"
KEY = Secret.of_password(PASSWORD).key.hex()
REPORTS = (("report",), ("report", "--html"), ("report", "--json"), ("dump", "--json"), ("check", "--json"))
ASK = ("get", CLOSED, "[0].level")
unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo terminals of this kind")


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_password_is_the_line_of_a_file(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / "secret"
    path.write_bytes(f"{PASSWORD}{ending}".encode())
    assert run(*ASK, "--password-file", path) == (0, "7\n", "")


def test_a_key_is_the_line_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(f"{KEY}\n")
    assert run(*ASK, "--key-file", path) == (0, "7\n", "")


def test_the_file_may_be_standard_input_before_the_save_itself() -> None:
    raw = f"{PASSWORD}\n".encode() + CLOSED.read_bytes()
    done = process("get", "-", "[0].level", "--password-file", "-", raw=raw)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"7\n", b"")


@pytest.mark.parametrize(("option", "value"), [("--password-env", PASSWORD), ("--key-env", KEY)])
def test_a_secret_comes_from_the_environment_and_no_other_process_gets_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, option: str, value: str
) -> None:
    monkeypatch.setenv("SAVE_SECRET", value)
    assert run(*ASK, option, "SAVE_SECRET") == (0, "7\n", "")
    assert "SAVE_SECRET" not in os.environ


def test_a_secret_in_the_command_line_works_and_is_warned_of_once(run: Run) -> None:
    for words in (("--password", PASSWORD), ("--key", KEY), (f"--password={PASSWORD}",)):
        ran = run(*ASK, *words)
        assert (ran.code, ran.out) == (0, "7\n")
        assert ran.err.count("\n") == 1
        assert "others on this machine can read" in ran.err


@pytest.mark.parametrize(
    ("option", "content", "sentence"),
    [
        ("--password-file", None, "cannot be read"),
        ("--password-file", b"", "nothing in it"),
        ("--password-file", b"\n\n", "nothing in it"),
        ("--password-file", b"hunter2\nmore\n", "more than one line"),
        ("--password-file", b"\xff\xfehunter2", "not UTF-8"),
        ("--password-file", b"hunter2" * 20000, "too long"),
        ("--key-file", b"hunter2", "64 hexadecimal digits"),
    ],
)
def test_a_file_without_a_secret_is_one_line_that_shows_none(
    run: Run, tmp_path: Path, option: str, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / "hunter2-file"
    if content is not None:
        path.write_bytes(content)
    ran = run(*ASK, option, path)
    assert ran.failed_with(sentence)
    assert PASSWORD not in ran.err


def test_two_sources_are_refused(run: Run) -> None:
    ran = run(*ASK, "--password", PASSWORD, "--key-env", "X")
    assert ran.failed_with("only one of --password and --key-env")
    assert PASSWORD not in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("--password-env", PASSWORD),
        ("--password-file", PASSWORD),
        ("--key", PASSWORD),
        ("--key", f"{KEY[:-2]}zz"),
        (f"--pasword={PASSWORD}",),
        ("--password", PASSWORD, "--dialect", "godot9"),
        ("--password", PASSWORD, "--layers", "none,none2"),
        ("--password", PASSWORD, "--nonsense"),
    ],
)
def test_no_error_repeats_a_secret(run: Run, words: tuple[str, ...]) -> None:
    ran = run(*ASK, *words)
    assert ran.code == 2
    assert PASSWORD not in ran.err
    assert KEY[:-2] not in ran.err


def test_no_output_about_an_encrypted_save_holds_the_secret(run: Run) -> None:
    for words in REPORTS:
        ran = run(words[0], CLOSED, *words[1:], "--password", PASSWORD)
        assert ran.out
        assert PASSWORD not in ran.out + ran.err
        assert KEY not in ran.out + ran.err


def test_the_words_of_the_command_line_are_forgotten() -> None:
    words = ["x", "get", "--password", PASSWORD, f"--key={KEY}", "--password", "-", "--key"]
    forget(words)
    assert words == ["x", "get", "--password", "…", "--key=…", "--password", "…", "--key"]


def test_an_error_inside_the_program_shows_no_secret() -> None:
    code = (
        "import sys, traceback, viewer.cli.program as cli\n"
        "def fail(wanted):\n"
        "    print(vars(wanted), wanted, sys.argv, file=sys.stderr)\n"
        "    raise AssertionError('inside')\n"
        "cli._command = lambda name: fail\n"
        "try:\n"
        "    cli.main()\n"
        "except AssertionError as error:\n"
        "    for frame, _ in traceback.walk_tb(error.__traceback__):\n"
        "        print({name: value for name, value in frame.f_locals.items() if name != 'code'}, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "get", str(CLOSED), "[0]", "--password", PASSWORD],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
    )
    assert b"wanted" in done.stderr
    assert b"Secret(" in done.stderr
    assert PASSWORD.encode() not in done.stderr


def test_the_help_and_the_readme_name_every_source(run: Run) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        assert option in run("--help").out
        assert option in readme


@unix
def test_without_a_terminal_the_question_is_one_line() -> None:
    done = subprocess.run(
        [*PROGRAM, *map(str, ASK), "--password", "-"],
        input=b"hunter2\n",
        capture_output=True,
        cwd=ROOT,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"There is no terminal to ask on" in done.stderr


@unix
@pytest.mark.parametrize(("option", "typed"), [("--password", PASSWORD), ("--key", KEY)])
def test_a_dash_asks_at_the_terminal_which_does_not_show_it(option: str, typed: str) -> None:
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.environ["PYTHONPATH"] = str(ROOT)
        os.execv(PROGRAM[0], [*PROGRAM, *map(str, ASK), option, "-"])
    seen = b""
    while b": " not in seen:
        seen += os.read(terminal, 1024)
    os.write(terminal, f"{typed}\n".encode())
    while True:
        try:
            more = os.read(terminal, 1024)
        except OSError:
            break
        if not more:
            break
        seen += more
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert seen.rstrip().endswith(b"7")
    assert typed.encode() not in seen
