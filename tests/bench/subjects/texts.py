"""Texts of 20 MB: JSON, resources and settings; beside them what reads JSON here, and the engine's own loaders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most, within
from bench.peers import godot
from bench.rounds import in_turns, one_processor, seconds
from bench.setting import Setting

FILES = {
    "json20": (".json", "a JSON of 20 MB", "[0].settlers[321].given"),
    "tres20": (".tres", "a .tres of 20 MB, one tree", "[0].resource.__meta__.data.settlers[321].given"),
    "tresin20": (
        ".tres",
        "a .tres of 20 MB, very many inside",
        '[0]["sub_resource type=\\"Resource\\" id=321"].__meta__.data.given',
    ),
    "cfg20": (".cfg", "settings of 20 MB", '[0]["settler 321"].given'),
}
"""Its ending, in words, and the path of a text that is edited."""
LOADER, LOADS = "the engine's own loader", "json.loads"
MILLISECOND = 1e-3


def opened(name: str, series: str) -> Callable[[Setting], Series]:
    """One opening each of several programs, in turns with the loader."""

    def take(setting: Setting) -> Series:
        ours, floor = setting.once((name, "opened"), lambda: _openings(setting, name))
        return Series(tuple(found[series][0] for found in ours), tuple(found["ours"][0] for found in floor))

    return take


def _openings(setting: Setting, name: str) -> list[tuple[child.Found, ...]]:
    path = _path(setting, name)
    with one_processor(), godot.decoder(path) as engine:
        sides = [
            lambda: child.run_anew("window.opened", path),
            lambda: {"ours": [engine.opened(path)]},
        ]
        return in_turns(sides, 2 * setting.budget, lambda found: found["ours"][0])


def loaded(setting: Setting) -> Series:
    """The same JSON, in turns with the standard library."""
    path = _path(setting, "json20")
    sides = [
        lambda: child.run_anew("window.opened", path)["ours"][0],
        lambda: seconds(lambda: json.loads(path.read_bytes())),
    ]
    with one_processor():
        ours, floor = in_turns(sides, 2 * setting.budget, lambda taken: taken)
    return Series(ours, floor)


def memory(name: str) -> Callable[[Setting], Series]:
    """What opening takes, beside the bytes of the file."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "children.document_memory", _path(setting, name))
        return Series(tuple(found["growth"]), tuple(found["size"]))

    return take


def edited(name: str, place: str) -> Callable[[Setting], Series]:
    """A text of another length, in the tree."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "window.steps", _path(setting, name), "edit", setting.budget, place)
        return Series(tuple(found["ours"]))

    return take


def typed(name: str, deed: str, series: str) -> Callable[[Setting], Series]:
    """Something that a person does in the text view."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "window.typing", _path(setting, name), deed, setting.budget)
        return Series(tuple(found[series]))

    return take


def _path(setting: Setting, name: str) -> Path:
    return data.text(setting, name, FILES[name][0])


def _measures() -> Iterator[Measure]:
    for name, (_, words, place) in FILES.items():
        first, whole = opened(name, "first"), opened(name, "ours")
        key, read, stall = (typed(name, "keys", series) for series in ("key", "read", "stall"))
        end, paste, undo = typed(name, "end", "key"), typed(name, "paste", "key"), typed(name, "undo", "slice")
        unfelt = at_most(50 * MILLISECOND)
        yield Measure(f"{name}-first", f"{words}: to a tree with values", first, LOADER, at_most(0.15))
        yield Measure(f"{name}-open", f"{words}: to the tree of all values", whole, LOADER, at_most(2))
        yield Measure(f"{name}-memory", f"{words}: memory", memory(name), "the file", within(8), Unit.BYTES)
        yield Measure(f"{name}-edit", f"{words}: an edit, to the painted tree", edited(name, place), goal=at_most(2))
        yield Measure(f"{name}-key", f"{words}: a key in its text, to the painted line", key, goal=unfelt)
        yield Measure(f"{name}-typed", f"{words}: what was typed, to the painted tree", read, goal=at_most(2))
        yield Measure(f"{name}-stall", f"{words}: longest pause while typing", stall, goal=unfelt)
        yield Measure(f"{name}-end", f"{words}: a key at its end, to the painted line", end, goal=unfelt)
        yield Measure(f"{name}-paste", f"{words}: a thousand lines pasted, to the painted ones", paste, goal=unfelt)
        yield Measure(f"{name}-undo", f"{words}: longest pause while digits are undone", undo, goal=unfelt)
    yield Measure("json20-loads", "a JSON of 20 MB: to the tree of all values", loaded, LOADS)


MEASURES = list(_measures())
