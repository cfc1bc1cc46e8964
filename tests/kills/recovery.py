"""Kills the window at random moments, and looks whether all that was shown can be had again, and nothing else.

Run it in this folder's parent: ``PYTHONPATH=.. python -m kills.recovery --kills 300 --seed 1``. ``--disk FOLDER`` is a
disk of its own (a tmpfs of 256 KiB, say) that is filled up for a true lack of room; otherwise files may not get longer
than a limit.

Each kill hits one or two processes: while they bring back, edit, save or start. Afterwards:

- every state that was kept is offered, or in its file, or waits for its file and fits once that is there again;
- no state is offered that was never shown, none twice, and none that is older than what the file holds;
- what a living process edits is not offered.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kills.edited import state

from viewer.document.journals.bringing_back import JournalFit, NotBroughtBack, brought_back, outlook
from viewer.document.journals.journal_folders import JournalFolders

DATA = Path(__file__).parents[1] / "data" / "godot3" / "files"
CHILD = Path(__file__).with_name("edited.py")
TRIGGERS = ("asked", "bringing", "brought", "ready", "saving", "clean", "done", "done", "done", "next")
MODES = ("short", "long", "short+full", "long+full")
PER_FOLDER = 12
PATIENCE = 120
"""Seconds until a process that says nothing is given up."""


class Lost(AssertionError):
    """Something that was shown cannot be had, or something is offered that never was."""


@dataclass
class Lineage:
    """What is known of one file: its states in the order in which they came to be."""

    states: list[str] = field(default_factory=list)
    required: int = -1
    """The number of the last state that was kept; -1 where the file holds all."""
    shown: int = -1
    """The number of the last state that was surely shown."""
    heard: list[str] = field(default_factory=list)
    """What was said of it."""

    def add(self, found: str) -> int:
        self.states.append(found)
        return len(self.states) - 1

    def number(self, found: str, most: int | None = None) -> int:
        """The last time that it was so, up to number *most*; -1 for never."""
        upto = self.states if most is None else self.states[: most + 1]
        return max((k for k, known in enumerate(upto) if known == found), default=-1)


@dataclass
class Running:
    """A process, and what it said."""

    process: subprocess.Popen[bytes]
    trigger: str
    after: int
    delay: float
    brought: list[str] = field(default_factory=list)
    shows: set[str] = field(default_factory=set)


class Kills:
    """A folder in which processes are killed.

    Args:
        folder: where all lies.
        mode: how the window keeps journals, see ``edited.py``.
        chance: when and what.
        disk: a small disk for the journals, None for the folder's own.
    """

    def __init__(self, folder: Path, mode: str, chance: random.Random, disk: Path | None = None) -> None:
        self._folder, self._mode, self._chance = folder, mode, chance
        self._disk = disk
        self._data = disk if disk is not None else folder / "data"
        self._lineages: dict[str, Lineage] = {}
        self._offered: set[str] = set()
        self.counts: Counter[str] = Counter()
        self._files = [folder / "game.save", folder / "other.save.gz"]
        self._files[0].write_bytes((DATA / "all_types.save").read_bytes())
        self._files[1].write_bytes(gzip.compress((DATA / "all_types.save").read_bytes()))

    @property
    def journals(self) -> Path:
        """Where the window keeps journals."""
        return self._data / "variant-viewer" / "variant-viewer" / "journals"

    # Running

    def kill_once(self, processes: int) -> None:
        """Start so many processes, let them work, and kill them."""
        running = [self._started() for _ in range(processes)]
        held: set[str] = set()
        for each in running:
            if self._listen(each, until="ready"):
                self._kill(each)
            doubled = held.intersection(each.brought)
            if doubled:
                raise Lost(f"{doubled} was brought back by two processes")
            held.update(each.brought)
        for number, each in enumerate(running):
            if each.process.poll() is None:
                self._work(each, number, held)
        self.counts["kills"] += processes
        for lineage in self._lineages.values():
            lineage.heard.append(f"{processes} killed")
        self._look()
        self._disturb()

    def _started(self) -> Running:
        chance = self._chance
        trigger = chance.choice(TRIGGERS)
        own = {name: str(self._folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")}
        own |= {"XDG_DATA_HOME": str(self._data), "QT_QPA_PLATFORM": "offscreen"}
        own["PYTHONPATH"] = str(CHILD.parents[2])
        if self._disk is not None:
            own["FILLER"] = str(self._disk / "filler")
        process = subprocess.Popen(
            [sys.executable, str(CHILD), str(chance.randrange(1 << 30)), self._mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if not os.environ.get("SHOW") else None,
            env={**os.environ, **own},
        )
        after = chance.randrange(1, 30) if trigger in ("done", "next") else chance.randrange(1, 4)
        return Running(process, trigger, after, chance.random() * chance.choice((0.002, 0.03, 0.2)))

    def _work(self, each: Running, number: int, held: set[str]) -> None:
        """Let a process open what nobody has, and edit until its moment has come."""
        open_now = [path for path in self._files if path.exists() and self._is_free(path.name, held)]
        mine = open_now if number == 0 else []
        if number:
            own = self._folder / f"own{self.counts['kills']}.save"
            own.write_bytes((DATA / "all_types.save").read_bytes())
            mine = [own]
        held.update(path.name for path in mine)
        if each.trigger in ("asked", "bringing", "brought", "ready"):
            each.trigger, each.after = "next", self._chance.randrange(1, 9)  # there was nothing to bring back
        assert each.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            each.process.stdin.write(json.dumps([str(path) for path in mine]).encode() + b"\n")
            each.process.stdin.flush()
        self._listen(each, until="end")
        others = {left.name for left in self._claimed()[1]}
        if each.process.poll() is None and others & each.shows:
            raise Lost(f"{others & each.shows} is offered while a process edits it")
        self._kill(each)

    def _is_free(self, name: str, held: set[str]) -> bool:
        """Whether no process has a file, and nothing of it is kept that another edit would not know of."""
        return name not in held and name not in self._offered and self._lineages.get(name, Lineage()).required < 0

    def _listen(self, each: Running, until: str) -> bool:
        """Hear what a process says until its moment has come (True) or it has come so far (False)."""
        assert each.process.stdout is not None
        left = each.after
        for line in iter(each.process.stdout.readline, b""):
            word, *rest = line.decode().split()
            self._hear(each, word, rest)
            if word == each.trigger:
                left -= 1
                if not left or until == "ready":
                    time.sleep(each.delay)
                    return True
            if word == until:
                return False
        error = each.process.stderr.read().decode() if each.process.stderr else ""
        raise Lost(f"a process ended by itself: {error[-2000:]}")

    def _kill(self, each: Running) -> None:
        if each.process.poll() is None:
            each.process.kill()
        assert each.process.stdout is not None
        for line in each.process.stdout.read().split(b"\n")[:-1]:
            word, *rest = line.decode().split()
            self._hear(each, word, rest)
        each.process.wait(PATIENCE)
        for pipe in (each.process.stdin, each.process.stdout, each.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        if self._disk is not None:
            (self._disk / "filler").unlink(missing_ok=True)

    def _hear(self, each: Running, word: str, rest: list[str]) -> None:
        self.counts[word] += 1
        if word == "saving" and rest[0] in self._lineages:
            self._lineages[rest[0]].heard.append(word)
        if len(rest) < 2:
            return
        name, found = rest
        each.shows.add(name)
        lineage = self._lineages.setdefault(name, Lineage())
        lineage.heard.append(f"{word} {found}")
        if word in ("open", "done", "clean", "unkept"):
            lineage.shown = max(lineage.shown, lineage.number(found))
        if word == "brought":
            each.brought.append(name)
            if lineage.number(found) < lineage.required:
                raise Lost(f"“{name}” came back older than it was shown")
        elif word in ("open", "next"):
            number = lineage.add(found)
            lineage.shown = number if word == "open" else lineage.shown
        elif word == "done":
            lineage.required = lineage.number(found)
        elif word == "clean":
            lineage.required = -1

    # Looking

    def _claimed(self) -> tuple[JournalFolders, list]:
        folders = JournalFolders(self.journals)
        found = folders.claim()
        folders.release()
        return folders, found

    def _look(self) -> None:
        """Look at what is offered now, and whether that is all."""
        _, found = self._claimed()
        offered: dict[str, int] = {}
        for left in found:
            look = outlook(left)
            self.counts[look.fit.name] += 1
            lineage = self._lineages.get(left.name, Lineage())
            if look.fit is JournalFit.HELD:
                continue
            if look.fit is JournalFit.NEVER:
                raise Lost(look.sentence)
            if left.name in offered:
                raise Lost(f"“{left.name}” is offered twice {lineage.heard[-30:]}")
            file = self._place(left.name)
            document = None
            if look.is_ready:
                document = brought_back(left)
            elif file is not None and outlook(left, file).fit is JournalFit.HELD:
                continue
            elif file is not None:
                with contextlib.suppress(NotBroughtBack):
                    document = brought_back(left, file)
                self.counts["fits elsewhere"] += 1
            if document is None:
                raise Lost(f"“{left.name}” waits for a file that is there: {look.sentence} {lineage.heard[-20:]}")
            number = lineage.number(state(document.buffer))
            if number < 0:
                raise Lost(f"“{left.name}” is offered as it never was {lineage.heard[-9:]}")
            offered[left.name] = number
        self._offered = set(offered)
        for name, lineage in self._lineages.items():
            kept = lineage.number(self._in_file(name))
            if 0 <= offered.get(name, kept) < lineage.number(self._in_file(name), lineage.shown):
                raise Lost(f"“{name}” is offered older than its file: {offered[name]} {kept} {lineage.heard[-9:]}")
            if max(kept, offered.get(name, -1)) < lineage.required:
                had = f"{offered.get(name)}, {kept} can be had {lineage.heard[-9:]}"
                raise Lost(f"“{name}” was shown as number {lineage.required}; {had}")
            if name not in offered:
                lineage.required = -1  # the file holds all, whatever becomes of it
            self.counts["checked"] += 1

    def _place(self, name: str) -> Path | None:
        """Where the file is that was edited."""
        away = self._folder / f"{name}.away"
        path = self._folder / name
        return away if away.exists() else path if path.exists() else None

    def _in_file(self, name: str) -> str:
        path = self._folder / name
        if not path.exists():
            return ""
        data = path.read_bytes()
        return state(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)

    # What others do meanwhile

    def _disturb(self) -> None:
        """Move, replace, touch or put back a file."""
        path = self._chance.choice(self._files)
        before = self.counts.copy()
        self._disturb_file(path)
        if path.name in self._lineages:
            self._lineages[path.name].heard += (self.counts - before).keys()

    def _disturb_file(self, path: Path) -> None:
        away = path.with_name(f"{path.name}.away")
        what = self._chance.random()
        if away.exists():
            if what < 0.6:
                if not path.exists() or self._in_file(path.name) not in self._lineages[path.name].states:
                    os.replace(away, path)
                    self.counts["put back"] += 1
                else:
                    away.unlink()
        elif not path.exists() or path.name not in self._lineages:
            return
        elif what < 0.15:
            os.replace(path, away)
            self.counts["moved"] += 1
        elif what < 0.3:
            os.replace(path, away)
            other = bytearray((DATA / "all_types.save").read_bytes())
            other[self._chance.randrange(len(other))] ^= 255
            path.write_bytes(gzip.compress(bytes(other)) if path.suffix == ".gz" else bytes(other))
            self.counts["replaced"] += 1
        elif what < 0.4:
            os.utime(path)
            self.counts["touched"] += 1


def many(
    kills: int, seed: int, disk: Path | None = None, modes: Sequence[str] = MODES, tell: bool = False
) -> Counter[str]:
    """Kill so many processes; returns how often what happened.

    Raises:
        Lost: something cannot be had again, or never was.
    """
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    number = 0
    while counts["kills"] < kills:
        mode, chosen = modes[number % len(modes)], disk if modes[number % len(modes)].endswith("full") else None
        number += 1
        if chosen is not None:
            for entry in chosen.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        with tempfile.TemporaryDirectory() as folder:
            run = Kills(Path(folder), mode, chance, chosen)
            while run.counts["kills"] < min(PER_FOLDER, kills - counts["kills"]):
                try:
                    run.kill_once(2 if chance.random() < 0.3 else 1)
                except Lost:
                    kept = tempfile.mkdtemp()
                    shutil.copytree(folder, kept, dirs_exist_ok=True)
                    print(f"seed {seed}, folder {number}, kill {run.counts['kills']}, {mode}: see {kept}")
                    raise
        counts += run.counts
        if tell:
            print(f"{counts['kills']} kills", dict(run.counts), flush=True)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 20))
    parser.add_argument("--disk", type=Path)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    chosen = parser.parse_args()
    began = time.monotonic()
    counts = many(chosen.kills, chosen.seed, chosen.disk, chosen.modes, tell=True)
    took = time.monotonic() - began
    print(f"seed {chosen.seed}: {counts['kills']} kills in {took:.0f} s, nothing lost, nothing offered that never was")
    for what, number in sorted(counts.items()):
        print(f"  {number:6} {what}")


if __name__ == "__main__":
    main()
