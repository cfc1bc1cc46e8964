"""Painting the bytes: time of the thread that paints, for a page, for its pieces, and for a step of the wheel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import child, data
from bench.measure import Goal, Measure, Series, at_most
from bench.setting import Setting

TEXT = "as many letters drawn plainly"
PIECES: dict[int, tuple[tuple[str, str, Goal | None], ...]] = {
    16: (
        ("page", "with strip and ruler", at_most(1.5e-3)),
        ("bytes", "without strip and ruler", None),
        ("strip", "the coverage strip alone", None),
        ("ruler", "the ruler alone", None),
        ("wheel", "one step of the wheel", at_most(0.5e-3)),
    ),
    32: (
        ("page", "with strip and ruler", at_most(2.5e-3)),
        ("bytes", "without strip and ruler", None),
        ("wheel", "one step of the wheel", at_most(0.5e-3)),
    ),
}
"""By bytes a row."""


def paint(columns: int, piece: str) -> Callable[[Setting], Series]:
    """Pages of sixty rows at random places, the same in each round."""

    def take(setting: Setting) -> Series:
        found = child.run(setting, "window.paint", data.path(setting, "save10"), columns, 2 * setting.budget)
        return Series(tuple(found[piece]), tuple(found["floor"]) if piece in ("page", "bytes") else ())

    return take


def _measures() -> Iterator[Measure]:
    for columns, pieces in PIECES.items():
        for piece, words, goal in pieces:
            floor = TEXT if piece in ("page", "bytes") else ""
            what = f"paint 60 x {columns} bytes, {words}"
            yield Measure(f"paint{columns}-{piece}", what, paint(columns, piece), floor, goal)


MEASURES = list(_measures())
