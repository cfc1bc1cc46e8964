"""Made sessions: versions of a real save as a game would have written them, and one thing that a person did in them.

Some values change in every version, others often or seldom, rows of the inventory come, go and change their places. The
person does one thing once, twice or three times, with a mark each time; it changes one value, and nothing else changes
that value. What changes by itself does so more than once, unless the person did the thing more than once.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from command_line import SAMPLE

from viewer.container.frames import FramingKind
from viewer.document.compare.change_script import run_script
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.timeline.timeline import KeptVersion, TimelineMark
from viewer.document.timeline.version_steps import VersionStep, version_step
from viewer.variant.dialect import Precision, load

CHOICE = ReadOptions(dialect=load("godot3"), precision=Precision.SINGLE, framing=FramingKind.STORED)
ALWAYS = ("[0].play_time", "[0].saved_at_msec")
OFTEN = ("[0].player.health", "[0].player.stamina", "[0].player.position", "[0].saved_at.minute")
SELDOM = (
    *("[0].player.gold", "[0].player.experience", "[0].player.level", "[0].player.skills.archery"),
    *("[0].player.skills.sword", "[0].player.skills.stealth", "[0].player.skills.herbs", "[0].player.attributes[1]"),
    *("[0].player.attributes[4]", "[0].player.health_max", "[0].player.hair", "[0].version"),
)
MOUNTS = ('"horse"', '"boat"', "7", "Vector2(1, 2)")
NUMBERS = ("[0].player.gold", "[0].player.skills.speech", "[0].player.attributes[3]", "[0].saved_at.year")


@dataclass
class Session:
    """One session.

    Attributes:
        versions, steps, marks: as a timeline has them.
        path: what the person changed, as its path is in the last version in which they did.
    """

    versions: list[KeptVersion] = field(default_factory=list)
    steps: list[VersionStep] = field(default_factory=list)
    marks: list[TimelineMark] = field(default_factory=list)
    path: str = ""


def made_session(seed: int, count: int = 40) -> Session:
    """A session of so many versions."""
    return _Maker(seed, count).made()


class _Maker:
    def __init__(self, seed: int, count: int) -> None:
        self._chance = chance = random.Random(seed)
        self._count = count
        self._document = Document(SAMPLE.read_bytes(), name="made.save", choice=CHOICE)
        self._acts = sorted(chance.sample(range(3, count), 1 + seed % 3))
        kinds: list[Callable[[], str]] = [self._number, self._count_of_row, self._new_flag, self._switch]
        self._kind = kinds[seed % len(kinds)]
        self._target = chance.choice(NUMBERS) if self._kind == self._number else ""
        rows = self._rows()
        self._row = chance.randrange(rows) if self._kind == self._count_of_row else -1
        noise = [path for path in SELDOM if path != self._target]
        self._when = {path: self._times(1 if len(self._acts) > 1 else 2) for path in noise}
        self._comes, self._goes = self._times(2), self._times(2)
        self._flags, self._mount = 0, "null"

    def _times(self, least: int) -> set[int]:
        """The versions in which something happens: so many at least."""
        return set(self._chance.sample(range(1, self._count), self._chance.randrange(least, 9)))

    def made(self) -> Session:
        out, before = Session(), self._copy()
        out.versions.append(KeptVersion(1, 0, len(before.buffer), "0" * 64))
        for number in range(1, self._count):
            self._change_by_itself(number)
            if number in self._acts:
                out.marks.append(TimelineMark(len(out.marks) + 1, 0, "what I do", number))
                out.path = self._kind()
            now = self._copy()
            out.versions.append(KeptVersion(number + 1, number, len(now.buffer), f"{number:064x}"))
            out.steps.append(version_step(number + 1, before, now))
            before = now
        return out

    def _copy(self) -> Document:
        return Document(bytes(self._document.buffer[:]), name="made.save", choice=CHOICE)

    def _do(self, line: str) -> None:
        run_script(self._document, line)

    def _set(self, path: str, literal: str) -> None:
        self._do(f"set {path} {literal}")

    # What changes by itself

    def _change_by_itself(self, number: int) -> None:
        chance = self._chance
        self._set(ALWAYS[0], f"{40_000 + 31.5 * number + chance.random()}")
        self._set(ALWAYS[1], str(1_615_752_300_125 + 31_000 * number + chance.randrange(999)))
        for path in OFTEN:
            if chance.random() < 0.5:
                self._noise(path)
        for path, when in self._when.items():
            if number in when:
                self._noise(path)
        rows = self._rows()
        if number in self._comes:
            at = chance.randrange(rows + 1)
            row = f'{{"id": {2000 + number}, "name": "Found {number}", "count": {chance.randrange(9)}}}'
            self._do(f"insert [0].inventory[{'' if at == rows else at}] {row}")
            self._row += self._row >= at
        elif number in self._goes and rows > 3:
            at = chance.randrange(rows)
            if at != self._row:
                self._do(f"delete [0].inventory[{at}]")
                self._row -= self._row > at

    def _noise(self, path: str) -> None:
        chance = self._chance
        if path.endswith("position"):
            self._set(path, f"Vector3({chance.random() * 99}, 3.25, {chance.random() * 99})")
        elif path.endswith("hair"):
            self._set(path, f"Color({chance.random()}, 0.2, 0.1, 1)")
        elif path.rsplit(".", 1)[-1] in ("health", "stamina", "health_max"):
            self._set(path, f"{chance.random() * 100}")
        else:
            self._set(path, str(chance.randrange(1, 99_999)))

    def _rows(self) -> int:
        inventory = parse_path(self._document, "[0].inventory")
        return self._document.frames[0].table.child_count(inventory.node)

    # What the person does

    def _number(self) -> str:
        self._set(self._target, str(self._chance.randrange(100_000, 200_000)))
        return self._target

    def _count_of_row(self) -> str:
        path = f"[0].inventory[{self._row}].count"
        self._set(path, str(self._chance.randrange(1000, 9999)))
        return path

    def _new_flag(self) -> str:
        """A key that comes the first time, and is another number from then on."""
        self._flags += 1
        if self._flags == 1:
            self._do("insert [0].player.bridge_opened 1")
        else:
            self._set("[0].player.bridge_opened", str(self._flags))
        return "[0].player.bridge_opened"

    def _switch(self) -> str:
        """A value that is something else each time, of another type too."""
        self._mount = self._chance.choice([mount for mount in MOUNTS if mount != self._mount])
        self._set("[0].player.mount", self._mount)
        return "[0].player.mount"
