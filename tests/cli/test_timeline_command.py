"""``timeline``: what is kept of a save, and questions to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PROGRAM, Run

from viewer.document.timeline.timeline import Timeline


@pytest.fixture(autouse=True)
def _own_timelines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))


@pytest.fixture
def kept(save: Path, run: Run) -> Timeline:
    """The sample with three more versions: 50 gold, a potion, a level."""
    timeline = Timeline(save)
    timeline.add(save.read_bytes())
    for path, literal in (("gold", "1425"), ("health", "99.0"), ("level", "15")):
        if path == "health":
            run("timeline", save, "--mark", "I drink")
        run("set", save, f"[0].player.{path}", literal)
        timeline.add(save.read_bytes())
        if path == "health":
            run("timeline", save, "--done")
    return timeline


def test_the_versions_are_listed_with_what_changed(run: Run, save: Path, kept: Timeline) -> None:
    code, out, err = run("timeline", save)
    assert code == 0
    assert [line.split("  ")[-1] for line in out.splitlines()] == [
        "First version",
        "gold +50",
        "now: I drink",
        "health +16.5",
        "level +1",
    ]
    assert err.startswith("variant-viewer: 4 versions in ")
    said = json.loads(run("timeline", save, "--json").out)
    assert [version["summary"] for version in said["versions"]][1] == "gold +50"
    assert said["marks"] == [{"number": 1, "text": "I drink", "after": 2, "until": 3}]
    assert kept.read(kept.versions[-1]) == save.read_bytes()


@pytest.mark.usefixtures("kept")
def test_what_was_done_is_found(run: Run, save: Path) -> None:
    found = run("timeline", save, "--did", "i DRINK")
    assert found.lines == ["[0].player.health: 82.5 -> 99.0 (+16.5)  [0 times elsewhere]"]
    assert json.loads(run("timeline", save, "--did", "I drink", "--json").out)[0]["path"] == "[0].player.health"
    assert run("timeline", save, "--did", "I sing").failed_with("Nothing was marked “I sing”", "“I drink”")
    assert run("timeline", save, "--done").failed_with("no mark")


def test_versions_are_shown_compared_and_followed(run: Run, save: Path, tmp_path: Path, kept: Timeline) -> None:
    out = tmp_path / "old.save"
    assert run("timeline", save, "--show", "1", "-o", out).code == 0
    assert out.read_bytes() == kept.read(kept.versions[0])
    assert "    gold: 1425" in run("timeline", save, "--show", "2").lines
    assert run("timeline", save, "--diff", "1", "2")[:2] == (1, "changed [0].player.gold: 1375 -> 1425 (+50)\n")
    assert run("timeline", save, "--diff", "4", "now")[:2] == (0, "")
    assert json.loads(run("timeline", save, "--diff", "1", "2", "--json").out)["rows"][0]["delta"] == "+50"
    followed = run("timeline", save, "--follow", "[0].player.gold")
    assert [line.split()[-1] for line in followed.lines] == ["1375", "1425", "1425", "1425"]
    as_json = json.loads(run("timeline", save, "--follow", "[0].player.gold", "--json").out)
    assert [row["as_number"] for row in as_json] == [1375, 1425, 1425, 1425]


def test_versions_are_pinned_and_bounds_set(run: Run, save: Path, kept: Timeline) -> None:
    assert run("timeline", save, "--pin", "1").code == 0
    assert "    1*" in run("timeline", save).out
    assert "4 versions stay" in run("timeline", save, "--most", "3").err
    assert run("timeline", save, "--unpin", "2").code == 0  # its mark goes, too
    assert "2 old versions" in run("timeline", save, "--most", "3", "--room", "1M").err
    assert [line.split()[0] for line in run("timeline", save).lines] == ["1*", "4"]
    kept.refresh()
    assert (kept.bounds.versions, kept.bounds.stored) == (3, 1 << 20)


def test_wrong_words_are_one_sentence(run: Run, save: Path, kept: Timeline) -> None:
    assert kept.versions
    for words, said in (
        ((), "needs a FILE"),
        (("-",), "standard input"),
        ((save, "--show", "x"), "number of a version"),
        ((save, "--show", "9"), "has no version 9"),
        ((save, "--diff", "1"), "two versions"),
        ((save, "more"), "takes one FILE"),
        ((save, "--mark", " "), "word or two"),
        ((save, "--mark", "x", "--done"), "only one"),
        ((save, "--most", "1"), "at least 2"),
        ((save, "--room", "much"), "a size"),
        ((save, "--follow", "[0].nothing"), "no key nothing"),
        ((save.parent / "none" / "a.save", "--watch"), "not a folder"),
        ((save.parent / "other.save", "--follow", "[0]"), "Nothing is kept"),
        ((save.parent / "other.save",), "there is no such file"),
        ((save.parent,), "is a folder"),
    ):
        assert run("timeline", *words).failed_with(said), words
    (save.parent / "other.save").write_bytes(save.read_bytes())
    assert run("timeline", save.parent / "other.save")[:2] == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="the test sends SIGINT")
def test_a_file_is_watched_until_ctrl_c(save: Path, run: Run) -> None:
    watching = subprocess.Popen(
        [*PROGRAM, "timeline", str(save), "--watch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert watching.stdout is not None
    first = watching.stdout.readline()
    run("set", save, "[0].player.gold", "9999")
    second = watching.stdout.readline()
    os.kill(watching.pid, signal.SIGINT)
    _, err = watching.communicate()
    assert watching.returncode == 0
    assert first.endswith("First version\n")
    assert second.endswith("gold +8624\n")
    assert err.endswith("variant-viewer: 2 versions kept.\n")
