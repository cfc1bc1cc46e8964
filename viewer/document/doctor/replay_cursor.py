"""Replay cursor: the place in the bytes of an encoder, what was changed and counted until there, and the way back.

Nesting comes from the bytes, so the tasks that are left stand on a stack. Where a format leaves open how to go on, one
way is taken, and the cursor comes back for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum, auto
from struct import Struct, error

from viewer.base.record import dataclass, field
from viewer.document.doctor.candidate import Patch, Patches
from viewer.document.doctor.repair_context import Raw
from viewer.document.doctor.wire_format import NUMBERS, WireFormat

MOST_TASKS = 60_000
MOST_BRANCHES = 1 << 10
"""So many times a replay goes back for another way."""
U32 = Struct("<I")


class Mismatch(Exception):
    """The bytes are not what such an encoder writes."""


UNLIKE = (Mismatch, IndexError, OverflowError, ValueError, error)
"""What tells that the bytes are not what such an encoder writes."""


class ReplayTask(IntEnum):
    """What stands next in the bytes."""

    VALUES = auto()
    KEY = auto()
    VALUE_OF_KEY = auto()
    PAIRS = auto()
    PROPERTIES = auto()
    NAMED_VALUES = auto()
    TEXTS = auto()
    CLOSED_TEXTS = auto()
    NUMBERS = auto()
    UNTIL = auto()
    OPEN = auto()
    ENDS = auto()
    END_MARK = auto()
    KEY_TEXT = auto()
    EXTRA = auto()
    SPLIT_PAIRS = auto()


@dataclass(slots=True)
class RuleCounts:
    """How often something was written, how often wrongly, and where first.

    Args:
        seen, changed: times.
        otherwise: times that it was written as an engine does, where such a format would differ.
        first: offset of the first that is wrong, -1 for none.
    """

    seen: int = 0
    changed: int = 0
    otherwise: int = 0
    first: int = -1


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a replay may go on in another way.

    Args:
        pos, tasks, patches, varints: its state.
        sites, first: the times until there, and where each noun was first wrong.
        go_on: does the other way.
    """

    pos: int
    tasks: tuple[tuple[ReplayTask, int, int, int], ...]
    patches: int
    varints: int
    sites: dict[tuple[str, bool | None], int]
    first: dict[str, int]
    go_on: Callable[[], None]


@dataclass(slots=True)
class Replayed:
    """What a replay found.

    Args:
        patches: what makes the bytes right.
        sites: how often each thing stood there and was wrong, by its noun.
    """

    patches: Patches
    sites: dict[str, RuleCounts] = field(default_factory=dict)


class ReplayCursor:
    """Where a replay is.

    Args:
        data: the bytes.
        wire: how they were written.

    Attributes:
        pos: the offset of what is read next; *reached* the furthest that made sense.
        tasks: what is still to be read, the next one last.
        patches: what makes the bytes before it right.
        has_extra: whether such a format has bytes anywhere that say nothing.
        sites: how often each thing stood there, by its noun and whether it was wrong, None where it was right though
            such a format would have it wrong; *first* where it first was wrong.
        varints: the numbers that were read of varying length.
        work: steps that were done.
    """

    def __init__(self, data: Raw, wire: WireFormat) -> None:
        self.data = data[:]
        self.size = len(data)
        self.wire = wire
        self._extra_at = wire.extra[0]
        self.has_extra = bool(self._extra_at)
        self.pos = self.reached = self.work = 0
        self.tasks: list[tuple[ReplayTask, int, int, int]] = []
        self.patches: list[Patch] = []
        self.sites: dict[tuple[str, bool | None], int] = {}
        self._left: set[tuple[str, bool | None]] = set()
        self.first: dict[str, int] = {}
        self.varints: list[int] = []
        self.branches: list[Branch] = []
        self.branched = 0
        self.extras: set[bytes] = set()
        self.fills: set[int] = set()

    def extra(self, place: str, noun: str) -> None:
        """Bytes that say nothing, if such a format has some at a place: always the same, or words that may be sizes."""
        if place != self._extra_at:
            return
        size = self.wire.extra[1]
        start = self.pos
        raw = self.raw(size)
        if raw not in self.extras:
            self.extras.add(raw)
            words = size == 4 and all(U32.unpack(each)[0] <= self.size for each in self.extras)
            if len(self.extras) > 1 and not words:
                raise Mismatch
        self.note(noun, start, self.put(start, b""))

    def same_fill(self, fill: bytes) -> None:
        """Fill that is the same byte everywhere, and no letter."""
        self.fills |= set(fill)
        if len(self.fills) > 1 or any(0x20 <= each < 0x7F for each in fill):
            raise Mismatch

    def align(self) -> None:
        """Zeros up to a multiple of some bytes."""
        if self._extra_at == "align" and -self.pos % self.wire.extra[1]:
            start = self.pos
            if any(self.raw(-start % self.wire.extra[1])):
                raise Mismatch
            self.note("value", start, self.put(start, b""))

    def replayed(self) -> Replayed:
        patches = tuple(
            patch for patch in uncovered(self.patches) if self.data[patch.at : patch.at + patch.size] != patch.new
        )
        sites: dict[str, RuleCounts] = {}
        for (noun, changed), times in self.sites.items():
            some = sites.setdefault(noun, RuleCounts(first=self.first.get(noun, -1)))
            some.seen += times
            some.changed += times if changed else 0
            some.otherwise += times if changed is None else 0
        return Replayed(patches, sites)

    @property
    def nouns(self) -> set[str]:
        """What was read, in any of the ways that were gone."""
        return {noun for noun, _ in (*self._left, *self.sites)}

    # Going back

    @property
    def is_full(self) -> bool:
        """Whether no more ways are kept to go back to."""
        return len(self.branches) >= MOST_BRANCHES

    def or_else(self, go_on: Callable[[], None]) -> None:
        """Come back to this place for another way."""
        if not self.is_full:
            state = (self.pos, tuple(self.tasks), len(self.patches), len(self.varints))
            branch = Branch(*state, self.sites.copy(), self.first.copy(), go_on)
            self.branches.append(branch)

    def back(self) -> bool:
        """Go back to where another way may be taken; False where there is none."""
        while self.branches and self.branched < MOST_BRANCHES and self.work < MOST_TASKS:
            self.branched += 1
            branch = self.branches.pop()
            self._left.update(self.sites)
            self.pos, self.tasks, self.sites, self.first = branch.pos, list(branch.tasks), branch.sites, branch.first
            del self.patches[branch.patches :]
            del self.varints[branch.varints :]
            try:
                branch.go_on()
            except UNLIKE:
                continue
            return True
        return False

    def push(self, task: ReplayTask, count: int, a: int = 0, b: int = 0) -> None:
        if count > 0:
            self.tasks.append((task, count, a, b))

    def counted(self, place: int, count: int) -> None:
        """Write a count that was only found by counting."""
        patch = self.patches[place]
        self.patches[place] = Patch(patch.at, patch.size, U32.pack(count))

    # Numbers

    def note(self, noun: str, at: int, wrong: bool | None, times: int = 1) -> None:
        site = noun, wrong
        self.sites[site] = self.sites.get(site, 0) + times
        if wrong and self.first.get(noun, self.size) >= at:
            self.first[noun] = at

    def number(self, kind: str) -> int:
        """A whole number that says something of others."""
        if kind == "u32":  # nearly always
            raw = self.data[self.pos : self.pos + 4]
            if len(raw) != 4:
                raise Mismatch
            self.pos += 4
            return int.from_bytes(raw, "little")
        if kind == "varint":
            return self.leb128()
        size, order = NUMBERS[kind]
        raw = self.raw(size)
        if kind == "high half":
            raw = raw[2:] + raw[:2]
        return int.from_bytes(raw, order)

    def leb128(self) -> int:
        out = shift = 0
        while True:
            byte = self.data[self.pos]
            self.pos += 1
            out |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return out
            if shift > 63:
                raise Mismatch

    def raw(self, size: int) -> bytes:
        end = self.pos + size
        raw = self.data[self.pos : end]
        if len(raw) != size:
            raise Mismatch
        self.pos = end
        return raw

    def put(self, start: int, new: bytes) -> bool:
        """Have the bytes since *start* be *new*; whether that is a change."""
        old = self.data[start : self.pos]
        if old == new:
            return False
        self.patches.append(Patch(start, self.pos - start, new))
        return True

    def skip(self, size: int) -> None:
        if size < 0 or self.pos + size > self.size:
            raise Mismatch
        self.pos += size

    def size_word(self) -> int:
        """A word that this format writes as engines do, in its order."""
        start = self.pos
        number = self.number("u32be" if self.wire.word_order == "big" else "u32")
        self.put(start, U32.pack(number))
        return number


def uncovered(patches: Iterable[Patch]) -> list[Patch]:
    """The patches in order, without those inside of bytes that another one replaces whole."""
    out: list[Patch] = []
    start = end = -1
    for patch in sorted(patches, key=lambda each: (each.at, -each.size)):
        if patch.at < end and (patch.size or patch.at > start):
            continue
        out.append(patch)
        if patch.at + patch.size > end:
            start, end = patch.at, patch.at + patch.size
    return sorted(out)
