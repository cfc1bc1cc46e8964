"""Killed at any moment, the program leaves a whole save, old or new, and offers the edits again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus import DATA
from ui.killed import states

from viewer.document.journals.bringing_back import brought_back
from viewer.document.journals.journal import left_behind

KILLS = int(os.environ.get("KILLS", "4"))
SEED = int(os.environ.get("KILL_SEED", "1"))
SAVE = DATA / "godot3" / "files" / "many_store_var.save"
NOT_TOLD = 2
"""So many steps may have been done since the last one that was told of."""
CHILD = Path(__file__).with_name("killed.py")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that ends a process without its knowing")
def test_a_killed_window_leaves_a_whole_save_and_its_edits(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    done = []
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "game.save"
        path.write_bytes(SAVE.read_bytes())
        done.append(_killed(path, folder, chance.random() * 0.4))
    after, saved = states(SAVE.read_bytes(), SEED, max(done) + NOT_TOLD)
    places = {state: index for index, state in enumerate(after)}
    offered = 0
    for number, told in enumerate(done):
        folder = tmp_path / str(number)
        path = folder / "game.save"
        left = path.read_bytes()
        assert left in saved, f"kill {number}: the save is none that was written"
        backup = folder / "game.save.bak"
        assert not backup.exists() or backup.read_bytes() in saved, f"kill {number}: the .bak is damaged"
        reached = places[left]
        for journal in folder.glob("**/*.journal"):
            found = left_behind(journal)
            document = brought_back(found) if found is not None else None
            if document is not None:
                reached = places[bytes(document.buffer[:])]
                offered += reached > places[left]
        assert reached >= told, f"kill {number}: step {told} was done, and only {reached} can be had"
    print(f"\n{KILLS} kills, after {offered} of them edits were offered; seed {SEED}")


def _killed(path: Path, folder: Path, delay: float) -> int:
    """Run the window, kill it *delay* seconds after its first edit; returns how many edits it said were done."""
    own = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    with subprocess.Popen(
        [sys.executable, str(CHILD), str(path), str(folder), str(SEED)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **own, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(CHILD.parents[2])},
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().decode().split("\n")[:-1]
    done = [int(line) for line in rest if line.isdigit()]
    return done[-1] + 1 if done else 0
