"""Numbers as people read them, and the table of a run as text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from bench.measure import PLACES, Aim, Row, Unit

NOTHING = "\N{EN DASH}"
STEPS = {
    Unit.SECONDS: ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    Unit.BYTES: ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")),
}
HEADINGS = ("what", "beside", "ours", "n", "peer", "ratio", "goal", "")
NUMBERS = ("ours", "n", "peer", "ratio")


def quantity(value: float | None, unit: Unit) -> str:
    """``12.3 ms``; a dash for nothing."""
    if value is None:
        return NOTHING
    if unit not in STEPS:
        return f"{value:.{PLACES[unit]}f} {unit}"
    size, name = next((step for step in STEPS[unit] if value >= step[0]), STEPS[unit][-1])
    return f"{significant(value / size)} {name}"


def significant(value: float) -> str:
    """Three digits that mean something, at most two of them behind the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(ratio: float | None) -> str:
    """``31.2x``; a dash for nothing."""
    return NOTHING if ratio is None else f"{significant(ratio)}x" if ratio >= 0.01 else f"{ratio:.1g}x"


def goal(row: Row) -> str:
    """The figure to reach."""
    if row.goal is None:
        return NOTHING
    if row.goal.aim is Aim.AT_MOST:
        number, _, unit = quantity(row.goal.figure, row.unit).partition(" ")
        return f"≤ {float(number):g} {unit}"
    return f"{'≥' if row.goal.aim is Aim.FASTER else '≤'} {row.goal.figure:g}x"


def verdict(row: Row) -> str:
    """Met or missed, and why it could not be measured."""
    if row.error:
        return f"{'not measured' if row.met is None else 'missed'}: {row.error}"
    return {True: "met", False: "missed", None: ""}[row.met]


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table."""
    return (
        row.what,
        row.peer or NOTHING,
        quantity(row.ours, row.unit),
        str(row.count) if row.count else NOTHING,
        quantity(row.theirs, row.unit),
        times(row.ratio),
        goal(row),
        verdict(row),
    )


def text_table(rows: Sequence[Row]) -> str:
    """All rows in columns of one width."""
    lines = [HEADINGS, *(cells(row) for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(HEADINGS))]
    return "\n".join("  ".join(_padded(line, widths)).rstrip() for line in lines)


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    places = zip(HEADINGS, line, widths, strict=True)
    return [cell.rjust(width) if name in NUMBERS else cell.ljust(width) for name, cell, width in places]


def line(row: Row) -> str:
    """One row while the run goes on."""
    what, beside, ours, count, peer, ratio, wanted, outcome = cells(row)
    other = f" against {peer} ({beside}), {ratio}" if row.peer and not row.error else ""
    told = "" if row.error else f"{ours}{other}; n = {count}"
    goal_text = f"goal {wanted}" if row.goal else ""
    return f"{row.key}: {what}: " + "; ".join(filter(None, (told, goal_text, outcome)))


def markdown(rows: Sequence[Row]) -> str:
    """The rows that have a goal or a peer, for the README."""
    lines = ["| what | beside | reached | goal |", "|---|---|---|---|"]
    for row in rows:
        if row.goal is not None or row.peer:
            mark = " (missed)" if row.met is False else ""
            lines.append(f"| {row.what} | {row.peer or NOTHING} | {reached(row)}{mark} | {goal(row)} |")
    return "\n".join(lines)


def reached(row: Row) -> str:
    """The number that the row is about."""
    if row.error:
        return "not measured"
    absolute = row.ratio is None or (row.goal is not None and row.goal.aim is Aim.AT_MOST)
    return quantity(row.ours, row.unit) if absolute else times(row.ratio)
