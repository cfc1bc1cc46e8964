"""What changed from one version to the next, in a form that holds neither of them, and where a value is in each.

A value is named by its place: the number of its frame, then keys as paths write them and numbers in arrays. Numbers in
an array shift when something is put in before them; a step knows how, so that a value is followed and not its place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from viewer.base.progress import Progress
from viewer.base.record import dataclass, field
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, Pairing, ValueDifference
from viewer.document.compare.difference_words import difference_line
from viewer.document.document import Document
from viewer.document.path import item_path
from viewer.variant.dialect import PAIRED
from viewer.variant.items import Item

Place: TypeAlias = tuple[int | str, ...]
"""``(0, '.party', 1, '.hp')``: the frame, then keys and numbers; bytes of no value have one text alone."""
MOST_CHANGES = 5000
"""So many changes of one step are told apart."""
EACH_ELEMENT = 64
"""So many elements of a run are told apart."""
LIMIT = 60
"""Letters of a value."""


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """One thing that changed.

    Args:
        kind: how.
        old, new: where it was and is, None where it was or is not there.
        before, after: what it was and is, shortened.
        delta: by how much a number grew, ``+50``; else empty.
        is_switch: whether it is true or false.
        about: what else is to be said of it, or empty.
    """

    kind: DifferenceKind
    old: Place | None
    new: Place | None
    before: str
    after: str
    delta: str = ""
    is_switch: bool = False
    about: str = ""

    @property
    def place(self) -> Place:
        """Where it is, or was."""
        found = self.new if self.new is not None else self.old
        return found if found is not None else ()


class _Shift:
    """How the numbers of one array go over from one version to the next, or back."""

    def __init__(self, other: Place, runs: Sequence[tuple[int, int, int]]) -> None:
        self.other = other
        self._runs = sorted(runs)
        self._starts = [run[0] for run in self._runs]

    def of(self, number: int) -> int | None:
        found = bisect_right(self._starts, number) - 1
        if found < 0:
            return None
        start, other, length = self._runs[found]
        return other + number - start if number < start + length else None


@dataclass(frozen=True, slots=True)
class VersionStep:
    """What changed from one version to the next.

    Args:
        number: of the later version.
        changes: what changed, in the order of the later version.
        is_complete: whether that is all.
        back, forth: how the numbers of arrays shift, by the places of these in the later and in the earlier version.
        moved_back, moved_forth: the places of what went elsewhere.
    """

    number: int
    changes: tuple[PlaceChange, ...]
    is_complete: bool = True
    back: Mapping[Place, _Shift] = field(default_factory=dict)
    forth: Mapping[Place, _Shift] = field(default_factory=dict)
    moved_back: Mapping[Place, Place] = field(default_factory=dict)
    moved_forth: Mapping[Place, Place] = field(default_factory=dict)

    def before(self, place: Place) -> Place | None:
        """Where a value of the later version was in the earlier one; None where it was not there."""
        return _led(place, self.back, self.moved_back)

    def behind(self, place: Place) -> Place | None:
        """Where a value of the earlier version is in the later one; None where it is not there."""
        return _led(place, self.forth, self.moved_forth)


def _led(place: Place, shifts: Mapping[Place, _Shift], moved: Mapping[Place, Place]) -> Place | None:
    if not shifts and not moved:
        return place
    out: Place = ()
    for count, step in enumerate(place, 1):
        shift = shifts.get(place[: count - 1]) if isinstance(step, int) else None
        number = shift.of(step) if shift is not None and isinstance(step, int) else step
        elsewhere = moved.get(place[:count])
        if elsewhere is not None:
            out = elsewhere
        elif number is None:
            return None
        else:
            out = (*out, number)
    return out


def version_step(number: int, old: Document, new: Document, progress: Progress | None = None) -> VersionStep:
    """What changed between two versions.

    Args:
        number: of the later one.
        old, new: both, read.
        progress: as for a comparison.

    Raises:
        Cancelled: *progress* gave up.
    """
    found = compare(old, new, progress=progress, most=MOST_CHANGES)
    back: dict[Place, _Shift] = {}
    forth: dict[Place, _Shift] = {}
    _shift((), (), found.frames, back, forth)
    for (frame, node), (other_frame, other, pairing) in found.pairings.items():
        row = old.frames[frame].table.row(node)
        if row is None or row.kind not in PAIRED:
            ours, theirs = place_of(old, Item(frame, node)), place_of(new, Item(other_frame, other))
            _shift(ours, theirs, pairing, back, forth)
    moved = [row for row in found.changes if row.kind is DifferenceKind.MOVED and row.old and row.new]
    pairs = [(place_of(old, row.old), place_of(new, row.new)) for row in moved if row.old and row.new]
    return VersionStep(
        number,
        tuple(change for row in found.changes for change in _changes(found, row)),
        found.is_complete,
        back,
        forth,
        {new_place: old_place for old_place, new_place in pairs},
        dict(pairs),
    )


def _shift(ours: Place, theirs: Place, pairing: Pairing, back: dict[Place, _Shift], forth: dict[Place, _Shift]) -> None:
    runs = [*pairing.equal, *((old, new, 1) for old, new in pairing.pairs)]
    back[theirs] = _Shift(ours, [(new, old, length) for old, new, length in runs])
    forth[ours] = _Shift(theirs, runs)


def place_of(document: Document, item: Item) -> Place:
    """The place of an item."""
    path = item_path(document, item)
    if not path.steps and (item.frame < 0 or item.node < 0):
        return (str(path),)
    steps = tuple(step if isinstance(step, int) else str(step) for step in path.steps)
    if item.part.startswith("[") and item.part[1:-1].isdecimal():
        return (item.frame, *steps, int(item.part[1:-1]))
    return (item.frame, *steps, *([path.end] if path.end else []))


def path_of(place: Place) -> str:
    """A place as a path, ``[0].party[1].hp``."""
    return "".join(f"[{step}]" if isinstance(step, int) else step for step in place)


def _changes(found: DocumentComparison, row: ValueDifference) -> Iterator[PlaceChange]:
    """A row as what changed; of runs of elements, each by itself where they are few."""
    line = difference_line(found, row, LIMIT)
    old = place_of(found.old, row.old) if row.old is not None else None
    new = place_of(found.new, row.new) if row.new is not None else None
    runs = row.old_run or range(0), row.new_run or range(0)
    if row.old_run is None and row.new_run is None:
        yield PlaceChange(row.kind, old, new, line.before, line.after, line.delta, _is_switch(found, row), line.about)
        return
    both = min(map(len, runs))
    if old is None or new is None or max(map(len, runs)) > EACH_ELEMENT or max(map(len, runs)) != both:
        yield PlaceChange(row.kind, old, new, line.before, line.after, line.delta, False, line.about)
        return
    for before, after in zip(*runs, strict=True):
        one = ValueDifference(row.kind, row.old, row.new, row.about, _only(before), _only(after), row.at)
        line = difference_line(found, one, LIMIT)
        yield PlaceChange(
            row.kind, (*old, before), (*new, after), line.before, line.after, line.delta, False, line.about
        )


def _only(number: int) -> range:
    return range(number, number + 1)


def _is_switch(found: DocumentComparison, row: ValueDifference) -> bool:
    if row.new is None or row.new.frame < 0 or row.new.node < 0:
        return False
    kind = found.new.frames[row.new.frame].table.row(row.new.node)
    return kind is not None and kind.name == "bool"


class Lineage:
    """Tells which values of different versions are the same one.

    Args:
        steps: from version to version, without a gap.
    """

    def __init__(self, steps: Sequence[VersionStep]) -> None:
        self._steps = steps
        self._known: dict[tuple[int, Place], tuple[int, Place]] = {}

    def origin(self, index: int, place: Place) -> tuple[int, Place]:
        """Where a value came from: what is the same for all places that it ever had.

        Args:
            index: behind so many steps.
            place: it is here.

        Returns:
            Behind how many steps it was there first, and where.
        """
        passed: list[tuple[int, Place]] = []
        here = (index, place)
        while here[0] > 0 and here not in self._known:
            passed.append(here)
            before = self._steps[here[0] - 1].before(here[1])
            if before is None:
                break
            here = (here[0] - 1, before)
        found = self._known.get(here, here)
        for each in passed:
            self._known[each] = found
        return found

    def places(self, index: int, place: Place) -> dict[int, Place]:
        """All places that a value has, by behind how many steps."""
        out = {index: place}
        here: Place | None = place
        for number in range(index, 0, -1):
            here = self._steps[number - 1].before(here) if here is not None else None
            if here is None:
                break
            out[number - 1] = here
        here = place
        for number in range(index, len(self._steps)):
            here = self._steps[number].behind(here) if here is not None else None
            if here is None:
                break
            out[number + 1] = here
        return out
