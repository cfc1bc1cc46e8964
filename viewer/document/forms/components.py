"""Values of several numbers as a grid: which component stands where, and what its row and column are called."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.record import dataclass
from viewer.variant.dialect import EventType, Field

AXES = frozenset("xyzw")


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the components of a value stand.

    Args:
        rows: the names of the rows, empty texts where there is one row only.
        columns: the names of the columns.
        cells: row and column of each component, in the order of the bytes.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]


def grid(fields: Sequence[Field]) -> Grid:
    """The grid of a value's fields.

    Fields named ``position.x`` stand in the row *position* and the column *x*. Where the first half names an axis
    (``x.y``: a matrix that lies column by column), each axis is a column of the grid, as it is one of the matrix.
    """
    halves = [field.name.rpartition(".")[::2] for field in fields]
    by_column = any(group in AXES for group, _ in halves)
    groups = tuple(dict.fromkeys(group for group, _ in halves))
    names = tuple(dict.fromkeys(name for _, name in halves))
    cells = tuple(
        (names.index(name), groups.index(group)) if by_column else (groups.index(group), names.index(name))
        for group, name in halves
    )
    if by_column:
        return Grid(names, tuple(_axis(group) for group in groups), cells)
    return Grid(tuple(_row(group) for group in groups), names, cells)


def _axis(group: str) -> str:
    return f"{group} axis" if group in AXES else group


def _row(group: str) -> str:
    stem = group.rstrip("0123456789")
    return f"{stem} {group[len(stem) :]}" if stem and stem != group else group


# Words of flags as named bits.


@dataclass(frozen=True, slots=True)
class Bit:
    """One named bit: its mask and what it means."""

    mask: int
    name: str


MODIFIERS = (Bit(1 << 25, "Shift"), Bit(1 << 26, "Alt"), Bit(1 << 27, "Meta"), Bit(1 << 28, "Ctrl"))
"""What Godot 2 keeps of a key event's modifiers."""


def bits_of(event: EventType, field: str) -> tuple[Bit, ...]:
    """The named bits of an input event's field; nothing where it is a plain number."""
    return MODIFIERS if event.name == "KEY" and field == "modifiers" else ()


def with_bit(word: int, bit: Bit, on: bool) -> int:
    """The word with a bit on or off; all others stay."""
    return word | bit.mask if on else word & ~bit.mask
