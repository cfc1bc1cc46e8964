"""``diff``: what changed between two files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import ROOT, Run


def test_diff_tells_what_changed_and_ends_as_diff_does(run: Run, save: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.save"
    assert run("diff", save, save) == (0, "", "variant-viewer: The values are equal.\n")
    run("set", save, "[0].version", "9999", "-o", other)
    code, out, err = run("diff", save, other)
    assert code == 1
    assert out.count("\n") == 1
    assert out.startswith("changed [0].version: ")
    assert err == "variant-viewer: 1 changed.\n"
    assert run("diff", save, other, "--ignore", "**.version")[0] == 0
    found = json.loads(run("diff", save, other, "--json").out)
    assert found["counts"]["changed"] == 1
    assert found["rows"][0]["new_path"] == "[0].version"
    assert run("wrap", save, "--as", "gcpf:zstd", "-o", other).code == 0
    assert "wraps: none -> gcpf" in run("diff", save, other).err
    assert run("diff", save, tmp_path / "none")[0] == 2
    assert run("diff", save)[0] == 2
    assert run("diff", save, other, "--tolerance", "much")[0] == 2


def test_a_script_of_changes_is_done_to_another_save(run: Run, save: Path, tmp_path: Path) -> None:
    new, script, other = tmp_path / "new.save", tmp_path / "changes.txt", tmp_path / "other.save"
    run("set", save, "[0].version", "12", "-o", new)
    run("delete", new, "[0].game")
    run("insert", new, '[0]["any new key"]', '["a b", 5]')
    code, lines, _ = run("diff", save, new, "--bulk")
    assert (code, len(lines.splitlines())) == (1, 3)
    script.write_text(lines, encoding="utf-8")
    assert run("bulk", save, "--script", script, "-o", other).err == "variant-viewer: 3 lines done.\n"
    assert run("diff", new, other).code == 0
    before = other.read_bytes()
    script.write_text("# a remark\nset [0].version 5\ndelete [0].nothing\n", encoding="utf-8")
    assert run("bulk", other, "--script", script).failed_with("Line 3 cannot be done", "nothing")
    assert other.read_bytes() == before


def test_diff_shows_the_words_of_a_long_text(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "a.json", tmp_path / "b.json"
    old.write_text(json.dumps({"quest": "bring the red book to the old man in the tower"}))
    new.write_text(json.dumps({"quest": "bring the blue book to the old man in the tower"}))
    assert "the [-red-]{+blue+} book" in run("diff", old, new, "--words").out


def test_what_differs_each_time_is_learned_and_ignored(run: Run, save: Path, tmp_path: Path) -> None:
    saves = [tmp_path / f"{number}.save" for number in range(3)]
    for number, path in enumerate(saves):
        run("set", save, "[0].version", str(100 + number), "-o", path)
    run("set", saves[2], "[0].game", '"another"')
    assert run("diff", *saves, "--learn") == (0, "**.version\n", "")
    assert run("diff", *saves[:2], "--ignore", "**.version").code == 0
    assert run("diff", save, save, "--learn") == (1, "", "")
    assert run("diff", *saves).failed_with("go with --learn")
    assert run("diff", *saves, "--learn", "--json").failed_with("--learn goes without")


def test_a_merge_of_what_is_broken_is_refused_in_a_sentence(run: Run, save: Path, tmp_path: Path) -> None:
    raw, out = save.read_bytes(), tmp_path / "out.save"
    broken = {
        "empty": b"",
        "cut": raw[:300],
        "wrong": raw[:120] + b"\xff" * 8 + raw[128:],
        "noise": bytes(range(256)) * 9,
        "text": b"hello world",
        "json": b'{"a": [1, 2',
    }
    for name, data in broken.items():
        path = tmp_path / name
        path.write_bytes(data)
        for files in ((save, save, path), (save, path, save), *([] if name == "empty" else [(path, save, save)])):
            found = run("merge", *files, "-o", out)
            assert found.failed_with(f"“{path}” cannot be merged")
            assert not out.exists()
        assert run("diff", save, path).code == 1
        assert run("diff", path, save).code == 1
        assert run("diff", path, path).code == 0
    assert run("merge", tmp_path / "empty", save, save, "-o", out).code == 0
    for files in ((save, tmp_path), (tmp_path, save), (save, tmp_path / "missing")):
        assert run("diff", *files).code == 2
        assert run("merge", save, *files, "-o", out).code == 2
        assert run("convert", files[1 if files[0] == save else 0], "--to", "godot4", "-o", out).code == 2


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(["git", *names, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_shows_and_merges_saves_by_value(run: Run, tmp_path: Path) -> None:
    program = f'"{sys.executable}" -m viewer'
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "diff.save.textconv", f"{program} dump --plain")
    git(tmp_path, "config", "merge.save.driver", f"{program} merge %O %A %B -o %A")
    (tmp_path / ".gitattributes").write_text("*.save diff=save merge=save\n")
    save = tmp_path / "game.save"
    items = ", ".join(f'{{"id": {number}, "name": "item {number}"}}' for number in range(12))
    source = tmp_path / "start.json"
    source.write_text(f'{{"gold": 5, "items": [{items}], "hp": 3}}')
    assert run("convert", source, "--to", "values:godot4", "-o", save).code == 0

    def commit(branch: str, *edits: tuple[str, ...]) -> None:
        git(tmp_path, "checkout", "-q", "-B", branch, *(["base"] if branch != "base" else []))
        for verb, *words in edits:
            assert run(verb, save, *words).code == 0
        git(tmp_path, "add", ".gitattributes", "game.save")
        assert git(tmp_path, "commit", "-q", "-m", branch).returncode == 0

    commit("base")
    commit("ours", ("delete", "[0].items[4]"))
    shown = git(tmp_path, "diff", "base", "ours", "--", "game.save").stdout
    assert shown.count("\n@@ ") == 1
    assert [line for line in shown.splitlines() if line.startswith(("-  ", "+  "))] == [
        "-    - Dictionary",
        "-      id: 4.0",
        '-      name: "item 4"',
    ]
    commit("theirs", ("set", "[0].items[7].name", '"bow"'), ("set", "[0].gold", "9"))
    git(tmp_path, "checkout", "-q", "ours")
    assert git(tmp_path, "merge", "-q", "--no-edit", "theirs").returncode == 0
    assert run("get", save, "[0].items[6].name").out.strip() == '"bow"'
    assert run("get", save, "[0].gold").out.startswith("9")
    commit("other", ("set", "[0].gold", "7"))
    failed = git(tmp_path, "merge", "--no-edit", "theirs")
    assert failed.returncode == 1
    assert "conflict [0].gold: both changed it; base 5.0, ours 7.0, theirs 9.0" in failed.stderr
    assert run("get", save, "[0].gold").out.startswith("7")
    assert run("get", save, "[0].items[7].name").out.strip() == '"bow"'
    assert list(tmp_path.glob(".merge*")) == []


def test_a_plain_dump_of_broken_bytes_has_them_all_and_ends_well(run: Run, save: Path) -> None:
    raw = save.read_bytes()
    save.write_bytes(raw[:200] + b"\xff" * 8 + raw[208:] + b"tail")
    found = run("dump", save, "--plain")
    assert found.code == 0
    assert "bytes of no value:" in found.out
    assert run("dump", save, "--plain", "--json").code == 2
