"""Which profile a document belongs to: by the name of its file, and by the keys that all saves of the game have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice

from viewer.base.progress import Cancelled
from viewer.document.bulk.frame_values import FrameValues, ValueProblem
from viewer.document.bulk.steps import NamedDescendantsStep, PatternRun
from viewer.document.document import Document
from viewer.document.profiles.game_profile import GameProfile, ProfilePath
from viewer.variant.items import Item

FRAMES = 8
"""Among the first so many values of a file a profile's keys are looked for."""
MOST_READ = 50_000
"""In values of more nodes no name is looked for at any depth where names are no texts."""
PATIENCE = 16
"""So often a search asks whether to go on before it is given up: some ten thousand values, or as many kilobytes."""


def fitting_profile(document: Document, profiles: Iterable[GameProfile]) -> GameProfile | None:
    """The first profile that knows a document's file and finds all of its keys; None where none does."""
    path = str(document.path) if document.path is not None else document.name
    return next((each for each in profiles if each.may_be(path) and has_all(document, each.has)), None)


def has_all(document: Document, paths: Sequence[ProfilePath]) -> bool:
    """Whether each of some paths leads somewhere in a document."""
    return all(any(True for _ in places(document, path, 1)) for path in paths)


def places(document: Document, path: ProfilePath, most: int) -> list[Item]:
    """The first values of a document to which a path leads; fewer where finding them takes long."""
    found: list[Item] = []
    frames = range(min(FRAMES, len(document.frames))) if path.frame is None else (path.frame,)
    for index in frames:
        if index < len(document.frames) and len(document.frames[index].table) and len(found) < most:
            found += _in_frame(document, index, path, most - len(found))
    return found


def _in_frame(document: Document, index: int, path: ProfilePath, most: int) -> list[Item]:
    asked = 0

    def goes_on(_: int) -> bool:
        nonlocal asked
        asked += 1
        return asked < PATIENCE

    table = document.frames[index].table
    if (
        table.dialect.rules.closed_texts
        and len(table) > MOST_READ
        and any(isinstance(s, NamedDescendantsStep) for s in path.steps)
    ):
        return []  # each of its keys would have to be read
    hunt = PatternRun(FrameValues(document, index), goes_on)
    out: list[Item] = []
    values: Iterable[Item] = (Item(index, 0),)
    for step in path.steps:
        values = step.follow(hunt, values)
    with suppress(Cancelled, ValueProblem):
        out.extend(islice(values, most))
    return out
