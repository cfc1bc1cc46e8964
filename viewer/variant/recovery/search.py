"""Search: which turn makes sense of the bytes where a scan ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from viewer.variant.recovery import counts
from viewer.variant.recovery.collections import Collections
from viewer.variant.recovery.exact import Exact
from viewer.variant.recovery.names import Led, Names
from viewer.variant.recovery.onward import Onward
from viewer.variant.recovery.place import Place
from viewer.variant.recovery.trials import Trials
from viewer.variant.recovery.turn import Skip, Turn

FEW_TO_DOUBT = 32
"""Bytes that are too few to find a fault in the values that were read of them."""
LONG = 1 << 12
"""Bytes up to the next error that are so many that no other way is asked for."""

Fitting = Callable[[Turn], bool]
AnyTurn = TypeVar("AnyTurn", bound=Turn)


class Search:
    """Looks for the turn at one place, with one question after another, each of which has a share of the work.

    Args:
        place: where the scan ended.
        trials: scans with one turn more.
        fits: whether a turn may be taken; where it may not, the next question is asked.
    """

    def __init__(self, place: Place, trials: Trials, fits: Fitting) -> None:
        self.place = place
        self.trials = trials
        self.fits = fits
        self.trails = place.trails
        self.exact = Exact(place)
        self.onward = Onward(place)

    def turn(self) -> Turn | None:
        """The turn that fits best, None where nothing makes sense."""
        replay, at_end = self.place.replay, self.place.at == len(self.place.raw)
        if self.place.missing and at_end and self.place.at < FEW_TO_DOUBT:
            return None  # the end is cut off: another story for so few bytes would be made up
        if any(level.named for level in replay.levels):
            return self._among_names()
        found: Turn | None = self.ask(self.onward.assumed) or self.ask(self.exact.near_odd_heads)
        if self.place.broken and replay.pos == len(self.place.raw):
            return found  # the broken value is the last one
        if self.place.missing and at_end:
            return found or self._of_heads() or self.ask(self.onward.absurd)
        if replay.error is None:
            return found or self._of_heads() or self.ask(self.exact.near_heads_before)
        return found or self.ask(self.exact.near_heads_before) or self._of_heads() or self._onward()

    def ask(self, question: Callable[[], AnyTurn | None]) -> AnyTurn | None:
        """The turn that a question leads to, None where it leads to none that fits."""
        found = self.trails.ask(question)
        return found if found is not None and self.fits(found) else None

    def _among_names(self) -> Turn | None:
        led = self.trails.ask(Names(self.place, self.trials).led) or Led()
        if led.turn is not None and not self.fits(led.turn):
            led = Led()
        return led.turn if led.to_end else self._of_heads() or led.turn

    def _of_heads(self) -> Turn | None:
        """A collection holds more or fewer values than its head says, or its head is broken."""
        return self._of_counts() or self._of_collections()

    def _of_counts(self) -> Turn | None:
        self.trials.refill()
        return self.ask(lambda: counts.turn(self.place.replay, self.trials, self.trails))

    def _of_collections(self) -> Turn | None:
        self.trials.refill()
        return self.ask(Collections(self.place.replay, self.trials, self.trails).turn)

    def _onward(self) -> Turn | None:
        """What fits less than exactly."""
        if self.place.missing:
            return self.ask(self.onward.absurd)
        if not self.place.replay.levels:
            return None
        return self.ask(self.onward.counted) or self.ask(self._nearer)

    def _nearer(self) -> Skip | None:
        """The way to the end, or the one to the next error where that leaves out much less."""
        stretch = self.trails.ask(self.onward.stretch)
        size = len(self.place.raw)
        if stretch is None:
            return self.trails.ask(lambda: self.onward.fewer(size))
        skip, end = stretch
        long = end - skip.to
        fewer = self.trails.ask(lambda: self.onward.fewer(skip.to if long > LONG else size))
        return skip if fewer is None or skip.to < fewer.to <= skip.to + 2 * long else fewer
