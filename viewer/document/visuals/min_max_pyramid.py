"""The least and greatest of runs of numbers, in levels: what a plot of ten million numbers needs to know of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Protocol, TypeAlias, overload

from viewer.base.progress import Cancelled, Progress
from viewer.base.record import dataclass

BLOCK = 64
"""Numbers in a run of the lowest level."""
STEP = 8
"""Runs of a level in one of the level above."""
CHUNK = 1 << 16
INFINITY = float("inf")
LARGEST = 1e300
"""Numbers beyond are drawn at this place."""


class Column(Protocol):
    """Numbers that lie side by side, or some bytes apart."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, at: int, /) -> float: ...
    @overload
    def __getitem__(self, at: slice, /) -> Column: ...
    def tolist(self) -> list[float]:
        """All of them."""
        ...


Bounds: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PyramidLevel:
    """The least and greatest of each run of *size* numbers; a run without a number has infinite ones, turned round."""

    size: int
    lows: Sequence[float]
    highs: Sequence[float]


class MinMaxPyramid:
    """Built once, asked for each pixel.

    Args:
        column: the numbers.
        progress: told how many are done; False from it ends the work.

    Attributes:
        column: the numbers.
        levels: the finest first.

    Raises:
        Cancelled: *progress* said so.
    """

    def __init__(self, column: Column, progress: Progress | None = None) -> None:
        self.column = column
        lows, highs = array("d"), array("d")
        for start in range(0, len(column), CHUNK):
            if progress is not None and not progress(start):
                raise Cancelled
            numbers = column[start : start + CHUNK].tolist()
            for at in range(0, len(numbers), BLOCK):
                low, high = bounds(numbers[at : at + BLOCK])
                lows.append(low)
                highs.append(high)
        self.levels = [PyramidLevel(BLOCK, lows, highs)]
        while len(self.levels[-1].lows) > STEP:
            below = self.levels[-1]
            places = range(0, len(below.lows), STEP)
            self.levels.append(
                PyramidLevel(
                    below.size * STEP,
                    array("d", [min(below.lows[at : at + STEP]) for at in places]),
                    array("d", [max(below.highs[at : at + STEP]) for at in places]),
                )
            )

    @property
    def whole(self) -> Bounds:
        """The least and greatest of all; 0 and 0 where there is no number."""
        top = self.levels[-1]
        low, high = min(top.lows, default=INFINITY), max(top.highs, default=-INFINITY)
        return (low, high) if low <= high else (0.0, 0.0)

    def between(self, first: int, last: int) -> Bounds | None:
        """The least and greatest of the numbers from *first* up to *last*, None where there is no number.

        Where these are many, those of the runs that they lie in.
        """
        first, last = max(0, first), min(last, len(self.column))
        if first >= last:
            return None
        if last - first <= 2 * BLOCK:
            low, high = bounds(self.column[first:last].tolist())
        else:
            level = next(each for each in reversed(self.levels) if 2 * each.size <= last - first)
            begin, end = first // level.size, (last - 1) // level.size + 1
            low, high = min(level.lows[begin:end]), max(level.highs[begin:end])
        return (low, high) if low <= high else None


def bounds(numbers: list[float]) -> Bounds:
    """The least and greatest that are numbers; infinite, turned round, where none is."""
    if not numbers:
        return INFINITY, -INFINITY
    low, high = min(numbers), max(numbers)
    if low != low or high != high or low < -LARGEST or high > LARGEST:
        real = [min(max(number, -LARGEST), LARGEST) for number in numbers if number == number]
        return (min(real), max(real)) if real else (INFINITY, -INFINITY)
    return low, high


def histogram(column: Column, low: float, high: float, bins: int, progress: Progress | None = None) -> list[int]:
    """How many numbers lie in each of *bins* equal parts from *low* to *high*, the last one with *high*.

    Raises:
        Cancelled: *progress* said so.
    """
    counts = [0] * (bins + 1)
    scale = bins / (high - low) if high > low else 0.0
    for start in range(0, len(column), CHUNK):
        if progress is not None and not progress(start):
            raise Cancelled
        for number in column[start : start + CHUNK].tolist():
            if low <= number <= high:
                counts[int((number - low) * scale)] += 1
    counts[bins - 1] += counts.pop()
    return counts


# Points of two columns


@dataclass(frozen=True, slots=True)
class PlotBox:
    """A rectangle of a plot: from the least to the greatest of both axes."""

    left: float
    top: float
    right: float
    bottom: float


MOST_RUNS = 4000
"""So many runs are looked at for one picture."""
MOST_NEAR = 1 << 16
"""So many points are looked at for the one next to the mouse."""


class PointCloud:
    """Points in the order of their numbers, with what is known of runs of them.

    Args:
        across, down: the pyramids of both axes, of equally many numbers.
    """

    def __init__(self, across: MinMaxPyramid, down: MinMaxPyramid) -> None:
        self.across, self.down = across, down

    def runs(self, box: PlotBox) -> tuple[list[int], int]:
        """The runs that may have points in a box, by their places, and how many points a run has."""
        top = len(self.across.levels) - 1
        places = list(range(len(self.across.levels[top].lows)))
        for height in range(top, -1, -1):
            across, down = self.across.levels[height], self.down.levels[height]
            if height < top:
                most = len(across.lows)
                places = [low for place in places for low in range(STEP * place, min(STEP * place + STEP, most))]
            left, right, above, below = across.lows, across.highs, down.lows, down.highs
            places = [
                place
                for place in places
                if left[place] <= box.right
                and right[place] >= box.left
                and above[place] <= box.bottom
                and below[place] >= box.top
            ]
            if len(places) * STEP > MOST_RUNS:
                return places, across.size
        return places, BLOCK

    def sample(self, box: PlotBox, most: int) -> tuple[list[range], int]:
        """Numbers of about *most* points in runs that may be in a box, evenly taken; and how many stand for one.

        Runs that follow each other are joined.
        """
        places, size = self.runs(box)
        step = max(1, len(places) * size // most)
        count = len(self.across.column)
        if step > size:
            return [range(place * size, min(place * size + 1, count)) for place in places[:: step // size]], step
        found: list[range] = []
        for place in places:
            start, end = place * size, min(place * size + size, count)
            if found and found[-1].stop == start:
                found[-1] = range(found[-1].start, end, step)
            else:
                found.append(range(start, end, step))
        return found, step

    def points(self, numbers: range) -> tuple[list[float], list[float]]:
        """The places of some points on both axes."""
        taken = slice(numbers.start, numbers.stop, numbers.step)
        return self.across.column[taken].tolist(), self.down.column[taken].tolist()

    def density(self, box: PlotBox, width: int, height: int, progress: Progress | None = None) -> bytes:
        """How many points lie in each pixel of a picture of a box, 255 at most; row by row.

        Raises:
            Cancelled: *progress* said so.
        """
        found = bytearray(width * height)
        across, down = (width - 1e-6) / (box.right - box.left), (height - 1e-6) / (box.bottom - box.top)
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        places, size = self.runs(box)
        for number, place in enumerate(places):
            if progress is not None and number % 16 == 0 and not progress(number):
                raise Cancelled
            for x, y in zip(*self.points(range(place * size, (place + 1) * size)), strict=True):
                if left <= x <= right and top <= y <= bottom:
                    at = int((y - top) * down) * width + int((x - left) * across)
                    if found[at] < 255:
                        found[at] += 1
        return bytes(found)

    def nearest(self, x: float, y: float, reach_x: float, reach_y: float) -> int:
        """The number of the point next to a place, -1 where none is within reach; very many are only sampled."""
        box = PlotBox(x - reach_x, y - reach_y, x + reach_x, y + reach_y)
        found, least = -1, INFINITY
        for numbers in self.sample(box, MOST_NEAR)[0]:
            for number, across, down in zip(numbers, *self.points(numbers), strict=True):
                right, below = (across - x) / reach_x, (down - y) / reach_y
                far = right * right + below * below
                if far < least and far <= 1:
                    found, least = number, far
        return found
