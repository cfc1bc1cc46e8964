"""The tree's column of names: how far the levels stand apart in it, and how far it is scrolled sideways.

Few levels stand 16 px apart. The deeper the open rows lie, the narrower the levels, so that all names keep some room
in their column; where even the narrowest levels leave too little, the names scroll sideways, and they alone: types,
values, offsets and sizes stay where they are. A row that lies too deep for what is in sight stands at the right, where
its name has that room still; one that lies further left than what is in sight goes out of it, as in any list.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QScrollBar

from viewer.document.shown.blocks import TOP
from viewer.document.shown.rows import Rows
from viewer.ui.tree.paint import CHEVRON, CHIP_ROOM, INDENT

LEAST_INDENT = 4
"""Pixels: closer levels, and their guide lines, are not told apart by the eye."""
NAME_ROOM = 64
"""Pixels that a name keeps in its column, however deep it lies."""
LINES = 3
"""One notch of the mouse's wheel scrolls over so many of the usual levels."""
NOTCH = 120
"""Qt's unit of one notch, in eighths of a degree."""


class NameColumn:
    """Where in their column the rows stand.

    Args:
        bar: scrolls them sideways, as far as the deepest name has the whole column; its range is empty where all names
            have room as they are.

    Attributes:
        step: pixels between two levels.
        deepest: the level of the deepest rows.
    """

    def __init__(self, bar: QScrollBar) -> None:
        self.bar = bar
        self.bar.setSingleStep(INDENT)
        self.bar.setRange(0, 0)
        self.step: float = INDENT
        self.deepest = 0
        self._width = 0

    def fit(self, width: int, deepest: int) -> bool:
        """Take other room in pixels, or other levels; returns whether anything stands elsewhere now."""
        if (width, deepest) == (self._width, self.deepest):
            return False
        before = self.step, self.shift, self._most_indent
        self._width, self.deepest = width, deepest
        wanted = self._most_indent / max(1, deepest)
        self.step = min(float(INDENT), max(float(LEAST_INDENT), wanted))
        self.bar.setPageStep(max(INDENT, width))
        self.bar.setRange(0, deepest * LEAST_INDENT if wanted < LEAST_INDENT else 0)
        return before != (self.step, self.shift, self._most_indent)

    @property
    def shift(self) -> int:
        """Pixels by which the rows are scrolled to the left."""
        return self.bar.value()

    @property
    def is_narrow(self) -> bool:
        """Whether the levels stand closer than usual."""
        return self.step < INDENT

    @property
    def _most_indent(self) -> int:
        return max(0, self._width - CHEVRON - CHIP_ROOM - NAME_ROOM)

    def chip_left(self, level: int) -> int:
        """Where the chip of a row stands; left of it is the row's chevron. Negative where it is scrolled out."""
        return round(min(level * self.step - self.shift, self._most_indent)) + CHEVRON

    def bring(self, level: int, needed: float) -> None:
        """Scroll by the least that shows a row's chevron, and its name where it has room for it.

        Args:
            level: that of the row.
            needed: pixels that chip, name and badges take.
        """
        left = round(level * self.step)
        room = round(self._width - CHEVRON - needed)
        if self.shift > left:
            self.bar.setValue(left)
        elif min(left - self.shift, self._most_indent) > room:
            self.bar.setValue(left - max(0, room))

    def turn(self, degrees: int, pixels: int) -> None:
        """The mouse's wheel is turned, to the right where negative.

        Args:
            degrees: how far, in eighths of a degree.
            pixels: how far the device itself says that it is, 0 where it does not.
        """
        self.bar.setValue(self.shift - (pixels or round(degrees * LINES * INDENT / NOTCH)))


def deepest_shown(rows: Rows | None, open_holders: Iterable[int]) -> int:
    """The level of the deepest rows that are shown: those of an open holder whose row is shown itself."""
    if rows is None:
        return 0
    held = sorted(((rows.depth(holder), holder) for holder in open_holders if rows.has(holder)), reverse=True)
    known = {holder for _, holder in held}
    hidden = set[int]()
    for depth, holder in held:
        line = [holder]
        while line[-1] != TOP and line[-1] in known and line[-1] not in hidden:
            place = rows.above(line[-1])
            assert place is not None
            line.append(place[0])
        if line[-1] == TOP:
            return depth
        hidden.update(line)
    return 0
