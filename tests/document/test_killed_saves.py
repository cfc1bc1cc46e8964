"""Killed at any change of a name, a save leaves the file whole and every version that was kept.

``SAVE_KILLS=200 pytest tests/document/test_killed_saves.py -s`` kills oftener and tells what came of it.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from document.saver import content

from viewer.document.disk import files
from viewer.document.disk.file_versions import OLDEST

KILLS = int(os.environ.get("SAVE_KILLS", "10"))
SEED = int(os.environ.get("SAVE_SEED", "1"))
SAVER = Path(__file__).with_name("saver.py")
RENAMES, LINKS, REMOVALS = "rename,renameat,renameat2", "link,linkat", "unlink,unlinkat"
MOST = 12


def why_not() -> str:
    """Why nothing can be killed at a system call here; empty where it can."""
    if shutil.which("strace") is None:
        return "strace is not installed: it kills at a system call"
    told = subprocess.run(["strace", "-f", "-e", "trace=none", "true"], capture_output=True, text=True, check=False)
    return f"strace may not trace here: {told.stderr.strip()}" if told.returncode else ""


@dataclass
class Folder:
    """A save and its versions, and what is known of them.

    Attributes:
        kept: how many versions stay.
        links: whether the system has second names.
        now: the number of the version that the file holds.
        versions: the numbers of those that are kept, the latest first.
    """

    path: Path
    kept: int
    links: bool
    now: int = 0
    versions: list[int] = field(default_factory=list)

    def killed(self, call: str, when: int, first: int) -> int:
        """Save twice, killed at the *when*-th such call; returns the number of the save under way, 0 if it ended."""
        refused = [] if self.links else ["-e", f"inject={LINKS}:error=EPERM"]
        kill = ["-e", f"inject={call}:signal=SIGKILL:when={when}"]
        saver = [sys.executable, str(SAVER), str(self.path), str(self.kept), str(first), "2"]
        run = subprocess.run(
            ["strace", "-f", "-o", os.devnull, "-e", f"trace={RENAMES},{LINKS},{REMOVALS}", *refused, *kill, *saver],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(SAVER.parents[2])},
        )
        assert run.returncode in (0, -signal.SIGKILL), run.stderr
        for line in run.stdout.splitlines():
            word, number = line.split()
            if word == "saved":
                self.saved(int(number))
        return 0 if run.returncode == 0 else int(run.stdout.split()[-1])

    def saved(self, number: int) -> None:
        self.versions = [self.now, *self.versions][: self.kept]
        self.now = number

    def names(self) -> dict[str, bytes]:
        return {entry.name[len(self.path.name) :]: entry.read_bytes() for entry in self.path.parent.glob("a.save*")}

    def numbered(self) -> list[str]:
        return [f".bak{number if number > 1 else ''}" for number in range(1, self.kept + 1)]

    def check_killed(self, number: int) -> str:
        """What must hold after a kill in save *number*; says whether the new version is in place."""
        found = self.names()
        new = found[""] == content(number)
        if new:
            self.saved(number)
        assert found[""] == content(self.now), "the file is neither the old one nor the new one"
        versions = {found[name] for name in found if name}
        lost = [number for number in self.versions if content(number) not in versions]
        assert not lost, f"versions {lost} are lost; there are {sorted(found)}"
        present = [name in found for name in self.numbered()]
        gaps = present[: len(self.versions)].count(False)
        assert gaps <= (0 if self.links else 1), f"a name is free between versions: {sorted(found)}"
        return "new" if new else "old"

    def check_saved(self) -> None:
        """What must hold after a save: the file, its versions in their order, and nothing else."""
        wanted = {"": self.now, **dict(zip(self.numbered(), self.versions, strict=False))}
        assert self.names() == {name: content(number) for name, number in wanted.items()}
        rest = {entry.name for entry in self.path.parent.iterdir()} - {f"a.save{name}" for name in wanted}
        assert not rest, f"left behind: {rest}"


def test_a_killed_save_leaves_the_file_and_every_version(tmp_path: Path) -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    chance = random.Random(SEED)
    told: Counter[str] = Counter()
    number = kills = 0
    while kills < KILLS:
        path = tmp_path / str(number) / "a.save"
        path.parent.mkdir()
        folder = Folder(path, chance.choice((1, 3, 3, 9)), links=chance.random() < 0.75)
        path.write_bytes(content(0))
        for _ in range(chance.randrange(folder.kept + 3)):
            number += 1
            files.write(path, content(number), backup=folder.kept)
            folder.saved(number)
        folder.check_saved()
        for _ in range(chance.choice((1, 1, 2, 3))):  # once more before any save has set right what the last one left
            call = chance.choice((RENAMES, RENAMES, RENAMES, LINKS if folder.links else RENAMES, REMOVALS))
            ended = folder.killed(call, chance.randrange(1, MOST), number + 1)
            number += 2
            if ended:
                kills += 1
                told[f"{call.split(',')[0]}, {folder.check_killed(ended)} file"] += 1
            else:
                folder.check_saved()
        number += 1
        files.write(path, content(number), backup=folder.kept)
        folder.saved(number)
        folder.check_saved()
    print(f"\n{kills} kills inside saves, seed {SEED}; at: {dict(sorted(told.items()))}; no version lost")
    assert OLDEST not in folder.names()
