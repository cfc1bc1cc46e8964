"""Find what I did: what changed in the versions right behind a mark, and at no other time."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.record import dataclass, field
from viewer.document.compare.difference import DifferenceKind
from viewer.document.timeline.timeline import KeptVersion, TimelineMark, window_of
from viewer.document.timeline.version_steps import Lineage, Place, PlaceChange, VersionStep, path_of

ADDED, REMOVED = DifferenceKind.ADDED, DifferenceKind.REMOVED


@dataclass(frozen=True, slots=True)
class FoundAct:
    """Something that may be what a person did.

    Args:
        path: where it is.
        change: what became of it the last time.
        times: in how many of the marked acts it changed.
        acts: how many of these there are.
        elsewhere: how many other times it changed.
        count: how many values came or went, where a collection is meant and no value in it; else 0.
    """

    path: str
    change: PlaceChange
    times: int
    acts: int
    elsewhere: int
    count: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether it changed each time that it should, and at no other time."""
        return self.times == self.acts and not self.elsewhere


@dataclass(slots=True)
class _Suspect:
    """A value, and when it changed: by act, and how often outside of all."""

    last: PlaceChange
    place: Place
    acts: set[int] = field(default_factory=set)
    elsewhere: int = 0
    deltas: set[str] = field(default_factory=set)
    count: int = 0
    kin: object = None
    """What happens to the collection that it came to or went from, where it has no name of its own there."""


def acts_of(marks: Sequence[TimelineMark], text: str) -> list[TimelineMark]:
    """The marks with the same words: one thing that was done several times."""
    words = text.casefold().split()
    return [mark for mark in marks if mark.text.casefold().split() == words]


def found_acts(
    versions: Sequence[KeptVersion], steps: Sequence[VersionStep], marks: Sequence[TimelineMark]
) -> list[FoundAct]:
    """What changed when it was marked, the likeliest first.

    Args:
        versions: the oldest first.
        steps: from each of them to the next.
        marks: of one thing that was done once or several times.
    """
    windows = [window for mark in marks if (window := window_of(mark, versions))]
    act_of = {number: act for act, window in enumerate(windows) for number in window}
    lineage = Lineage(steps)
    suspects: dict[object, _Suspect] = {}
    for index, step in enumerate(steps):
        act = act_of.get(step.number)
        for key, (change, place, count, kin) in _told(lineage, index, step).items():
            suspect = suspects.get(key)
            if suspect is None:
                suspect = suspects[key] = _Suspect(change, place, kin=kin)
            if act is None:
                suspect.elsewhere += 1
                continue
            suspect.last, suspect.place, suspect.count = change, place, count
            suspect.acts.add(act)
            suspect.deltas.add(f"{change.delta}{'' if change.delta else change.after}")
    found = [each for each in suspects.values() if each.acts]
    found.sort(key=lambda each: _order(each, len(windows), suspects.get(each.kin)))
    return [
        FoundAct(path_of(each.place), each.last, len(each.acts), len(windows), each.elsewhere, each.count)
        for each in found
    ]


def _told(lineage: Lineage, index: int, step: VersionStep) -> dict[object, tuple[PlaceChange, Place, int, object]]:
    """What changed in a step: by what is the same in all steps, the change, its place, a count, and what it is kin to.

    What came or went is also a change of the collection. A row of an array has no name there that lasts: it is known by
    what it holds.
    """
    out: dict[object, tuple[PlaceChange, Place, int, object]] = {}
    for change in step.changes:
        if change.kind is DifferenceKind.WRITTEN:
            continue
        place, here = change.place, index if change.new is None else index + 1
        if change.kind not in (ADDED, REMOVED) or len(place) < 2:
            out.setdefault(lineage.origin(here, place), (change, place, 0, None))
            continue
        home = place[:-1]
        kin = change.kind, lineage.origin(here, home)
        is_row = isinstance(place[-1], int)
        own = (*kin, change.before, change.after) if is_row else lineage.origin(here, place)
        out.setdefault(own, (change, place, 0, kin if is_row else None))
        out[kin] = change, home, (out[kin][2] if kin in out else 0) + 1, None
    return out


def _order(suspect: _Suspect, acts: int, kin: _Suspect | None) -> tuple[float, ...]:
    """The less, the likelier: it changed each time, never else, and in the same way."""
    missed = acts - len(suspect.acts)
    rate = suspect.elsewhere / max(1, len(suspect.acts))
    is_alike = len(suspect.deltas) == 1
    others = kin.elsewhere if kin is not None else 0
    return missed + min(rate, 1e6), missed, others, 0 if is_alike else 1, 1 if suspect.count else 0, len(suspect.place)
