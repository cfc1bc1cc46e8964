"""A run as a picture: bars on a logarithmic scale with the goals as ticks, in SVG written by hand.

Two panels: how many times as fast as the floor (longer is better), and how much of what is allowed is used (shorter is
better). No background, so that it lies on the page's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bench import words
from bench.measure import Aim, Row

WIDTH = 1060
LEFT, RIGHT = 540, 210
GOAL_ROOM, NUMBER_ROOM = 84, 72
BAR, PITCH = 14, 25
TITLE, AXIS, GAP = 28, 28, 22
SINGLE, STEPS = (1,), (1, 2, 5)
WIDE = 100
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class Colours:
    """Of one theme."""

    text: str
    quiet: str
    grid: str
    met: str
    missed: str
    plain: str
    goal: str


THEMES = {
    "light": Colours("#1f2328", "#59636e", "#d8dee4", "#2b7a78", "#b5532a", "#8a97a6", "#1f2328"),
    "dark": Colours("#e6edf3", "#9aa4af", "#343b44", "#4fb3ac", "#e08a5f", "#6b7785", "#e6edf3"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a panel: its number and goal in words, how long it is, where its tick stands; None for nothing."""

    row: Row
    length: float | None
    told: str
    tick: float | None


@dataclass(frozen=True, slots=True)
class Panel:
    """A logarithmic scale from the first to the last of *marks* with its bars; *label* writes a value of the scale."""

    title: str
    hint: str
    marks: tuple[float, ...]
    bars: tuple[Bar, ...]
    label: Callable[[float], str]

    @property
    def height(self) -> int:
        """In pixels, with title and axis."""
        return TITLE + PITCH * len(self.bars) + AXIS

    def place(self, value: float) -> float:
        """Where a value lies, in pixels from the left."""
        low, high = self.marks[0], self.marks[-1]
        share = math.log(min(max(value, low), high) / low) / math.log(high / low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)


def draw(rows: Sequence[Row], colours: Colours) -> str:
    """The whole picture."""
    panels = [panel for panel in (_speeds(rows), _shares(rows)) if panel.bars]
    height = sum(panel.height for panel in panels) + GAP * (len(panels) - 1)
    body, top = [], 0
    for panel in panels:
        body += [f'<g transform="translate(0 {top})">', *_panel(panel, colours), "</g>"]
        top += panel.height + GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    style = f'font-family="{FONT}" font-size="13" fill="{colours.text}" role="img"'
    return "\n".join([f"{head} {style}>", "<title>Benchmarks</title>", *body, "</svg>", ""])


def _speeds(rows: Sequence[Row]) -> Panel:
    """Everything that is to be faster than its floor, the fastest first."""
    bars = []
    for row in rows:
        if row.goal is not None and row.goal.aim is Aim.FASTER:
            bars.append(Bar(row, row.ratio, words.times(row.ratio), row.goal.figure))
    bars.sort(key=lambda bar: -(bar.length or 0))
    return Panel("Times as fast", "longer is better", _marks(bars), tuple(bars), lambda value: f"{value:g}x")


def _shares(rows: Sequence[Row]) -> Panel:
    """Everything that must stay below a figure, as a share of it; nothing is no share of nothing."""
    bars = []
    for row in rows:
        if row.goal is not None and row.goal.aim is not Aim.FASTER and row.goal.figure:
            share = None if row.reached is None else row.reached / row.goal.figure
            bars.append(Bar(row, share, words.reached(row), 1.0))
    title = "Share of what the goal allows"
    return Panel(title, "shorter is better", _marks(bars), tuple(bars), lambda value: f"{value:.0%}")


def _marks(bars: Sequence[Bar]) -> tuple[float, ...]:
    """The values written below the bars: powers of ten around all of them, finer where few are needed."""
    values = [value for bar in bars for value in (bar.length, bar.tick) if value] or [1.0]
    low, high = min(values), max(values)
    steps = SINGLE if high / low > WIDE else STEPS
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    marks = [step * 10.0**decade for decade in decades for step in steps]
    first = max(k for k, mark in enumerate(marks) if mark < low)
    last = min(k for k, mark in enumerate(marks) if mark > high)
    return tuple(marks[first : last + 1])


def _panel(panel: Panel, colours: Colours) -> Iterator[str]:
    bottom = TITLE + PITCH * len(panel.bars)
    quiet = f'font-size="11" fill="{colours.quiet}"'
    yield f'<text x="0" y="15" font-size="14" font-weight="600">{panel.title}</text>'
    yield f'<text x="{LEFT}" y="15" {quiet}>{panel.hint}</text>'
    yield f'<text x="{WIDTH}" y="15" text-anchor="end" {quiet}>goal</text>'
    for mark in panel.marks:
        x = panel.place(mark)
        yield f'<path d="M{x:.1f} {TITLE - 2}V{bottom + 2}" stroke="{colours.grid}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" {quiet}>{panel.label(mark)}</text>'
    for number, bar in enumerate(panel.bars):
        yield from _bar(panel, bar, TITLE + PITCH * number + PITCH // 2, colours)


def _bar(panel: Panel, bar: Bar, middle: int, colours: Colours) -> Iterator[str]:
    """Name, peer, bar, tick, number and goal of one row, around the line *middle*."""
    row, base = bar.row, middle + 4
    quiet = f'font-size="11" fill="{colours.quiet}"'
    yield f'<text x="0" y="{base}">{escape(row.what)}</text>'
    yield f'<text x="{LEFT - 12}" y="{base}" text-anchor="end" {quiet}>{escape(row.floor)}</text>'
    if bar.length is not None:
        colour = {True: colours.met, False: colours.missed, None: colours.plain}[row.met]
        place = f'x="{LEFT}" y="{middle - BAR / 2:g}" width="{panel.place(bar.length) - LEFT:.1f}" height="{BAR}"'
        yield f'<rect {place} rx="2" fill="{colour}"/>'
    if bar.tick is not None:
        yield _tick(panel.place(bar.tick), middle, colours)
    told = escape(bar.told if bar.length is not None else "not measured")
    if row.met is False and bar.length is not None:
        place = f'x="{WIDTH - GOAL_ROOM - NUMBER_ROOM}" y="{base}" text-anchor="end" font-size="12"'
        yield f'<text {place} font-weight="600" fill="{colours.missed}">missed</text>'
    yield f'<text x="{WIDTH - GOAL_ROOM}" y="{base}" text-anchor="end" font-size="12">{told}</text>'
    if row.goal is not None and bar.tick is not None:
        yield f'<text x="{WIDTH}" y="{base}" text-anchor="end" {quiet}>{escape(words.goal(row.goal, row.unit))}</text>'


def _tick(x: float, middle: int, colours: Colours) -> str:
    reach = BAR / 2 + 3
    return f'<path d="M{x:.1f} {middle - reach:g}V{middle + reach:g}" stroke="{colours.goal}" stroke-width="2"/>'
