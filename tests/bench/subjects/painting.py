"""Painting the bytes: time of the thread that paints, for a page, for its pieces, and for a step of the wheel.

And plots and pictures: processor time of a step of moving, and of what is done once before.
"""

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


POINTS, POINTS_QUICK = 10_000_000, 300_000
SIDE, SIDE_QUICK = 4096, 512
FRAME = at_most(1 / 30)
VISUALS: tuple[tuple[str, str, Goal | None], ...] = (
    ("ready", "read 10 M points and the pyramids of both axes", at_most(2.0)),
    ("line", "pan a line of 10 M numbers, painted", FRAME),
    ("points", "pan 10 M points, painted", FRAME),
    ("orbit", "turn 10 M points in space, painted", FRAME),
    ("all", "count 10 M points in their pixels, beside the window", None),
    ("decode", "decode a PNG of 4096 x 4096 pixels, beside the window", at_most(1.0)),
    ("picture", "pan that picture, painted", FRAME),
)


def visuals(series: str) -> Callable[[Setting], Series]:
    """A plot or picture of 1280 x 720 pixels, the same in each round."""

    def take(setting: Setting) -> Series:
        sizes = setting.size(POINTS, POINTS_QUICK), setting.size(SIDE, SIDE_QUICK)
        found = child.run(setting, "window.visuals", *sizes, setting.budget)
        return Series(tuple(found[series]))

    return take


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
    for series, words, goal in VISUALS:
        yield Measure(f"visual-{series}", words, visuals(series), goal=goal)


MEASURES = list(_measures())
