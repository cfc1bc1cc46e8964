"""Binary resources of 20 MB: one large tree, and very many small resources; beside them the engine's own loader."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most, within
from bench.peers import godot
from bench.rounds import in_turns, one_processor
from bench.setting import Setting

FILES = {
    "tree20": ("a resource of 20 MB, one tree", "[0].__meta__.data.settlers[321].given"),
    "inner20": ("a resource of 20 MB, very many inside", "[321].__meta__.data.given"),
}
"""In words, and the path of a text that is edited."""
LOADER = "the engine's own loader"


def opened(name: str, series: str) -> Callable[[Setting], Series]:
    """One opening each of several programs, in turns with the loader."""

    def take(setting: Setting) -> Series:
        ours, floor = setting.once((name, "opened"), lambda: _openings(setting, name))
        return Series(tuple(found[series][0] for found in ours), tuple(found["ours"][0] for found in floor))

    return take


def _openings(setting: Setting, name: str) -> list[tuple[child.Found, ...]]:
    path = data.resource(setting, name)
    with one_processor(), godot.decoder(path) as engine:
        sides = [
            lambda: child.run_anew("window.opened", path),
            lambda: {"ours": [engine.opened(path)]},
        ]
        return in_turns(sides, 2 * setting.budget, lambda found: found["ours"][0])


def memory(name: str) -> Callable[[Setting], Series]:
    """What opening takes, beside the bytes of the file."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "children.document_memory", data.resource(setting, name))
        return Series(tuple(found["growth"]), tuple(found["size"]))

    return take


def edited(name: str, place: str) -> Callable[[Setting], Series]:
    """A text of another length, so that all behind it moves and the offsets follow."""

    def take(setting: Setting) -> Series:
        path = data.resource(setting, name)
        return Series(tuple(child.run(setting, "window.steps", path, "edit", setting.budget, place)["ours"]))

    return take


def _measures() -> Iterator[Measure]:
    for name, (words, place) in FILES.items():
        first, whole = opened(name, "first"), opened(name, "ours")
        yield Measure(f"{name}-first", f"{words}: to a tree with values", first, LOADER, at_most(0.1))
        yield Measure(f"{name}-open", f"{words}: to the tree of all values", whole, LOADER, at_most(0.5))
        yield Measure(f"{name}-memory", f"{words}: memory", memory(name), "the file", within(3), Unit.BYTES)
        yield Measure(f"{name}-edit", f"{words}: an edit, to the painted tree", edited(name, place), goal=at_most(0.1))


MEASURES = list(_measures())
