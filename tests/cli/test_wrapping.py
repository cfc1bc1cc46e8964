"""The sub-commands for wraps, and the options that open them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run
from corpus import DATA

FILES = DATA / "godot3" / "files"
CLOSED = FILES / "enc_pass_one.save"


def test_an_encrypted_save_opens_with_its_password(run: Run) -> None:
    code, out, _ = run("get", CLOSED, "[0].level", "--password", "hunter2")
    assert (code, out) == (0, "7\n")


def test_without_or_with_a_wrong_password_one_sentence_is_said(run: Run) -> None:
    code, out, err = run("get", CLOSED, "[0]")
    assert code == 2
    assert out == ""
    assert "give --password-file or --key-file" in err
    code, _, err = run("get", CLOSED, "[0]", "--password", "wrong")
    assert code == 2
    warning, problem = err.splitlines()
    assert "others on this machine can read" in warning
    assert "wrong, or the file is damaged" in problem


def test_a_key_is_checked_before_anything_is_read(run: Run) -> None:
    for key in ("12", "zz", "12" * 31):
        code, _, err = run("get", CLOSED, "[0]", "--key", key)
        assert code == 2
        assert "--key" in err
    code, _, err = run("get", CLOSED, "[0]", "--key", "61" * 32, "--password", "x")
    assert code == 2
    assert "either" in err


def test_a_value_is_set_inside_and_the_wrap_put_on_again(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(CLOSED.read_bytes())
    assert run("set", path, "[0].level", "99", "--password", "hunter2")[0] == 0
    assert path.read_bytes()[:4] == b"GDEC"
    assert run("get", path, "[0].level", "--password", "hunter2")[1] == "99\n"
    assert (tmp_path / "game.save.bak").read_bytes() == CLOSED.read_bytes()


def test_what_is_unwrapped_can_be_wrapped_the_same_way(run: Run, tmp_path: Path) -> None:
    inside, again = tmp_path / "inside", tmp_path / "again"
    key = ("--password", "hunter2")
    assert run("unwrap", CLOSED, "-o", inside, *key)[0] == 0
    assert run("wrap", inside, "--like", CLOSED, "-o", again, *key)[0] == 0
    assert again.read_bytes() == CLOSED.read_bytes()


def test_a_new_stack_is_named_and_read_back(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stack"
    code, _, _ = run("wrap", FILES / "rpg.save", "--as", "base64,gcpf:zstd", "-o", path)
    assert code == 0
    assert run("get", path, "[0].player.gold")[1] == "5000000000\n"
    assert '{"codec": "base64"' in run("dump", "--json", path)[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("wrap", "x", "-o", "y"), "--like ORIGINAL"),
        (("wrap", FILES / "rpg.save", "--as", "rot13", "-o", "y"), "no new wrap called “rot13”"),
        (("wrap", FILES / "rpg.save", "--as", "gdec:2", "-o", "y"), "needs a password or a key"),
        (("unwrap", "x"), "-o OUT"),
        (("dump", "x", "--layers", "rot13"), "--layers knows no “rot13”"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run: Run, words: tuple[object, ...], sentence: str) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert err.count("\n") == 1
    assert sentence in err


def test_the_bytes_as_they_are_can_be_asked_for(run: Run) -> None:
    code, out, _ = run("dump", "--json", CLOSED, "--layers", "none")
    assert code in (0, 1)
    assert '"layers": [{"codec": "file", "size": 256}]' in out
