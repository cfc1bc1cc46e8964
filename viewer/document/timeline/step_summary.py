"""What changed from one version to the next, in a few words: ``gold +50, 1 item added, 3 flags``."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from viewer.base.unseen import escaped
from viewer.base.words import grouped
from viewer.document.compare.difference import DifferenceKind
from viewer.document.timeline.version_steps import Place, PlaceChange, VersionStep

PARTS = 4
"""So many things are named; the others are counted."""
GROUP = 3
"""So many changes in one collection are told as one thing."""
SHORT = 24
"""Letters of a value that is told."""
NOTHING, FIRST = "No value changed", "First version"
WHERE = {DifferenceKind.ADDED: "to", DifferenceKind.REMOVED: "from"}
KEY = re.compile(r'\["(.*)"\]')


def step_summary(step: VersionStep, usual: Collection[Place] = ()) -> str:
    """A step in a few words.

    Args:
        step: it.
        usual: places that change nearly every time; they are told last.
    """
    changes = [change for change in step.changes if change.kind is not DifferenceKind.WRITTEN]
    if not changes:
        return NOTHING
    groups: dict[tuple[DifferenceKind, Place, bool, bool], list[PlaceChange]] = {}
    for change in changes:
        groups.setdefault((change.kind, change.place[:-1], bool(change.delta), change.place in usual), []).append(
            change
        )
    told: list[tuple[int, str, int]] = []
    for (kind, home, _, is_usual), group in groups.items():
        if len(group) >= GROUP or (kind in (DifferenceKind.ADDED, DifferenceKind.REMOVED) and _is_row(group[0].place)):
            told.append((8 * is_usual + _rank(group), _group(kind, home, group), len(group)))
        else:
            told += [(8 * is_usual + _rank([change]), _one(change), 1) for change in group]
    told.sort(key=lambda part: part[0])
    words = [part for _, part, _ in told[:PARTS]]
    more = sum(count for _, _, count in told[PARTS:])
    if more:
        words.append(f"{grouped(more)} more")
    if not step.is_complete:
        words.append("and others")
    return ", ".join(words)


def usual_places(steps: Sequence[VersionStep]) -> set[Place]:
    """The places that change nearly every time; none where too few steps are known to say so."""
    if len(steps) < 5:
        return set()
    counts: dict[Place, int] = {}
    for step in steps:
        for place in {change.place for change in step.changes}:
            counts[place] = counts.get(place, 0) + 1
    return {place for place, count in counts.items() if count >= 0.6 * len(steps)}


def _rank(group: Sequence[PlaceChange]) -> int:
    """What is told first: numbers that grew or shrank, what came and went, single values, groups."""
    kind = group[0].kind
    if kind is DifferenceKind.CHANGED and group[0].delta and len(group) < GROUP:
        return 0
    if kind in (DifferenceKind.ADDED, DifferenceKind.REMOVED):
        return 1
    return 2 if len(group) < GROUP else 3


def _is_row(place: Place) -> bool:
    """Whether it is one of many alike, which have no name."""
    return bool(place) and isinstance(place[-1], int)


def name_of(place: Place) -> str:
    """What a place is called: its key, with what stands behind that; ``party[1].hp`` is ``hp``, ``items[3]`` itself."""
    end = ""
    for step in reversed(place):
        if isinstance(step, str) and not step.startswith("@"):
            if step.startswith(".") and len(step) == 2 and not end:
                end = step  # .x of a position says little by itself
                continue
            key = KEY.fullmatch(step)
            return escaped((key[1] if key else step.removeprefix(".")) + end)
        end = (f"[{step}]" if isinstance(step, int) else step) + end
    return escaped(end)


def _one(change: PlaceChange) -> str:
    name = name_of(change.place)
    if change.kind is DifferenceKind.CHANGED:
        if change.delta:
            return f"{name} {short_delta(change.delta)}"
        if change.is_switch or (change.after and len(change.after) <= SHORT):
            return f"{name} = {escaped(change.after)}"
        return f"{name} changed"
    return f"{name} {change.kind.value}"


def short_delta(delta: str) -> str:
    """By how much a number grew, with few digits behind the point."""
    return f"{float(delta):+.6g}" if "." in delta and "e" not in delta else delta


def _group(kind: DifferenceKind, home: Place, group: Sequence[PlaceChange]) -> str:
    """Changes in one collection: ``3 flags``, ``1 item added``, ``4 in player``."""
    name, count = name_of(home), len(group)
    what = "" if kind is DifferenceKind.CHANGED else f" {kind.value}"
    if not home or home == (home[0],):
        return f"{grouped(count)} {'value' if count == 1 else 'values'}{what}"
    if name.endswith("s") and not name.endswith("ss") and name.isidentifier():
        return f"{grouped(count)} {name[:-1] if count == 1 else name}{what}"
    return f"{grouped(count)}{what or ' changed'} {WHERE.get(kind, 'in')} {name}"
