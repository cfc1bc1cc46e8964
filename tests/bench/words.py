"""Numbers as people read them, and the table of a run as text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from bench.measure import PLACES, Aim, Goal, Row, Unit

NOTHING = "\N{EN DASH}"
STEPS = {
    Unit.SECONDS: ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    Unit.BYTES: ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")),
}
HEADINGS = ("row", "what", "value", "floor", "", "ratio", "spread", "goal", "")
NUMBERS = ("value", "floor", "ratio", "spread")
LISTED = ("row", "what", "floor", "goal")
README = ("what", "value", "floor", "ratio", "goal")


def quantity(value: float | None, unit: Unit) -> str:
    """``12.3 ms``; a dash for nothing."""
    if value is None:
        return NOTHING
    if unit not in STEPS:
        return f"{value:.{PLACES[unit]}f} {unit}".rstrip()
    size, name = next((step for step in STEPS[unit] if value >= step[0]), STEPS[unit][-1])
    return f"{significant(value / size)} {name}"


def significant(value: float) -> str:
    """Three digits that mean something, at most two of them behind the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(ratio: float | None) -> str:
    """``31.2x``; a dash for nothing."""
    return NOTHING if ratio is None else f"{significant(ratio)}x" if ratio >= 0.01 else f"{ratio:.1g}x"


def share(value: float | None) -> str:
    """``3 %``; a dash for nothing."""
    return NOTHING if value is None else f"{100 * value:.0f} %"


def goal(wanted: Goal | None, unit: Unit) -> str:
    """The figure to reach."""
    if wanted is None:
        return NOTHING
    if wanted.aim is Aim.AT_MOST:
        number, _, name = quantity(wanted.figure, unit).partition(" ")
        return f"≤ {float(number):g} {name}".rstrip()
    return f"{'≥' if wanted.aim is Aim.FASTER else '≤'} {wanted.figure:.3g}x"


def verdict(row: Row) -> str:
    """Met or missed, why it could not be measured, and what must be known of the number."""
    if row.error:
        return f"{'not measured' if row.goal is None else 'missed'}: {row.error}"
    met = {True: "met", False: "missed", None: ""}[row.met]
    return "; ".join(filter(None, (met, row.taken.note)))


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table."""
    return (
        row.name,
        row.what,
        quantity(row.value, row.unit),
        quantity(row.floor_value, row.unit),
        row.floor or NOTHING,
        times(row.ratio),
        share(row.spread),
        goal(row.goal, row.unit),
        verdict(row),
    )


def listed(row: Row) -> tuple[str, ...]:
    """The same of a row that is not measured yet."""
    return (row.name, row.what, row.floor or NOTHING, goal(row.goal, row.unit))


def text_table(lines: Sequence[Sequence[str]], numbers: Sequence[str] = NUMBERS) -> str:
    """Lines in columns of one width, headings first; columns of these names to the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    right = [name in numbers for name in lines[0]]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def line(row: Row) -> str:
    """One row while the run goes on."""
    name, what, value, floor, beside, ratio, spread, wanted, outcome = cells(row)
    if row.error:
        return f"{name}: {what}: {outcome}"
    said = [f"{value} against {floor} ({beside}), {ratio}" if row.taken.floor else value]
    count = len(row.taken.ours)
    said.append(f"{count} rounds, spread {spread}" if row.spread is not None else "once" if count == 1 else f"{count}x")
    return f"{name}: {what}: " + "; ".join(filter(None, (*said, f"goal {wanted}" if row.goal else "", outcome)))


def markdown(rows: Sequence[Row]) -> str:
    """The rows for the README."""
    lines = [f"| {' | '.join(README)} |", "|---" * len(README) + "|"]
    for row in rows:
        mark = " (missed)" if row.met is False and (row.taken.ours or row.error) else ""
        value = "not measured" if row.error else quantity(row.value, row.unit)
        floor = f"{row.floor}: {quantity(row.floor_value, row.unit)}" if row.floor else NOTHING
        lines.append(f"| {row.what} | {value}{mark} | {floor} | {times(row.ratio)} | {goal(row.goal, row.unit)} |")
    return "\n".join(lines)


def reached(row: Row) -> str:
    """The number that the goal is about."""
    if row.error:
        return "not measured"
    is_figure = row.goal is None or row.goal.aim is Aim.AT_MOST
    return quantity(row.value, row.unit) if is_figure else times(row.ratio)
