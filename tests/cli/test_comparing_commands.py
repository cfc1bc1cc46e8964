"""``diff``: what changed between two files."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Run


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
