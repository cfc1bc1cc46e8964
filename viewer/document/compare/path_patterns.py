"""Patterns of paths: ``**.play_time``, ``[0].flags.*``, ``party[*].hp``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viewer.document.compare.difference import ValueDifference
from viewer.document.document import Document
from viewer.document.path import closing, format_path
from viewer.variant.items import Item

DEEP, ONE = "**", "*"


class PathPatterns:
    """Paths that a person named, with ``*`` for one step and ``**`` for any number of them.

    A pattern that does not begin with a frame counts in all of them. What lies in a value that is meant is meant, too.

    Args:
        patterns: as they were written.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._steps = [_steps(pattern) for pattern in patterns if pattern.strip()]

    def __bool__(self) -> bool:
        return bool(self._steps)

    def hold(self, old: Document, new: Document, row: ValueDifference) -> bool:
        """Whether the place of a difference is meant on either side."""
        sides = ((old, row.old), (new, row.new))
        return any(item is not None and self.name(document, item) for document, item in sides)

    def name(self, document: Document, item: Item) -> bool:
        """Whether an item is meant."""
        path = _split(format_path(document, item))
        return any(_matches(steps, path) for steps in self._steps)


def _steps(pattern: str) -> list[str]:
    pattern = pattern.strip()
    found = _split(pattern if pattern[:1] in "[.@*" else f".{pattern}")
    return found if re.match(r"\[\d+\]|@|\*\*", pattern) else [ONE, *found]


def _split(path: str) -> list[str]:
    """The steps of a path; ``.gold`` and ``["gold"]`` are the same one."""
    out: list[str] = []
    at = 0
    while at < len(path):
        if path[at] == "[":
            try:
                end = closing(path, at) + 1
            except ValueError:
                end = len(path)
            inner = path[at + 1 : end - 1]
            word = re.fullmatch(r'"([A-Za-z_]\w*)"', inner)
            out.append(ONE if inner == ONE else f".{word[1]}" if word else path[at:end])
        else:
            found = re.compile(r"[.@#]?[^.\[@#]*").match(path, at)
            end = max(at + 1, found.end() if found else at + 1)
            step = path[at:end]
            if step.startswith("#") and out:
                out[-1] += step
                at = end
                continue
            if step not in ("", "."):
                out.append(step[1:] if step in (f".{ONE}", f".{DEEP}") else step)
        at = end
    return out


def _matches(steps: Sequence[str], path: Sequence[str]) -> bool:
    """Whether the steps lead to this path or to something that holds it."""
    reached = {0}
    for at in range(len(path) + 1):
        now = set(reached)
        for place in sorted(reached):
            while place < len(steps) and steps[place] == DEEP:
                place += 1
                now.add(place)
        if len(steps) in now and at:
            return True
        if at == len(path):
            return False
        reached = {place for place in now if place < len(steps) and steps[place] == DEEP}
        reached |= {place + 1 for place in now if place < len(steps) and steps[place] in (ONE, path[at])}
        if not reached:
            return False
    return False
