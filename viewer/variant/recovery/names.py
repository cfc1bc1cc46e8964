"""Inside objects, whose properties' names have no headers, no trail leads on: there the scanner itself tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from viewer.base.buffer import u32
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.place import FEW_BYTES, NEAR, Place
from viewer.variant.recovery.trail import HEADERS, Exhausted
from viewer.variant.recovery.trials import Trials
from viewer.variant.recovery.turn import Skip, Turn

LONGEST_NAME = 128
MOST_HEADS = 4
"""So many heads in front of the end are tried as the place of the damage."""


@dataclass(frozen=True, slots=True)
class Led:
    """The turn that leads furthest, and whether that is the end."""

    turn: Turn | None = None
    to_end: bool = False


class Names:
    """Looks for the turn inside an object.

    Args:
        place: where the scan ended.
        trials: scans with one turn more.
    """

    def __init__(self, place: Place, trials: Trials) -> None:
        self.place = place
        self.trials = trials
        self.raw = place.raw

    def led(self) -> Led:
        """The first turn that leads to the end, else the one that leads furthest, as far as there were trials."""
        best = 0, Led()
        if not self.place.broken:
            return best[1]
        try:
            for to, turn in self._turns():
                if self.trials.spent:
                    break
                found = self.trials.run(turn)
                if found is None:
                    continue
                if found.error is None and found.stuck == len(self.raw):
                    return Led(turn, True)
                if found.stuck >= max(to, self.place.at) + FEW_BYTES and found.stuck > best[0]:
                    best = found.stuck, Led(turn)
        except Exhausted:
            pass  # what was found until then is what there is
        return best[1]

    def _turns(self) -> Iterator[tuple[int, Turn]]:
        for at, left in self._places():
            if not at:
                continue
            before = self.place.head_before(at)
            for to in self._starts_around(max(before + 4, self.place.since, 4), at):
                for turn in _ways(before, at, to, left):
                    yield to, turn

    def _places(self) -> Iterator[tuple[int, int]]:
        yield self.place.at, self.place.left
        yield from islice(self.place.heads_before(), MOST_HEADS)

    def _starts_around(self, begin: int, at: int) -> Iterator[int]:
        """Of the offsets from *begin* on those near it, and those near *at*."""
        if at - begin > 2 * NEAR:
            yield from self._starts(begin, begin + NEAR)
            begin = at - NEAR
        yield from self._starts(begin, at + NEAR)

    def _starts(self, begin: int, end: int) -> Iterator[int]:
        """Offsets at which a value or a property's name may stand, with another head behind it."""
        raw, size = self.raw, len(self.raw)
        for to in range(begin, min(end, size - 3)):
            after = 0
            if u32(raw, to) <= LONGEST_NAME and raw[to]:
                after = text_end(raw, to, False, False)
            elif HEADERS.match(raw, to):
                after = self.place.trails.hop(to, to + 1)[0]
            if to < after and (after == size or self._begins(after)):
                yield to

    def _begins(self, at: int) -> bool:
        return HEADERS.match(self.raw, at) is not None or text_end(self.raw, at, False, False) > at


def _ways(before: int, at: int, to: int, left: int) -> Iterator[Turn]:
    """The turns that go on at *to* where *left* values are expected from *at* on."""
    if to < at:
        if before:
            yield Skip(before, to, True, left)
        return
    if to > at and to < at + 4:
        yield Skip(at, to, False, left)
    if to >= at + 4:
        for lost in range(4):
            if left > lost:
                yield Skip(at, to, True, left - 1 - lost)
        yield Skip(at, to, False, left)
        if left > 2:
            yield Skip(at, to, False, left - 2)
