"""Scrolling in rows: more rows than a scroll bar can count, and single pixels for touch pads."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QAbstractSlider, QScrollBar

from viewer.ui.hex.layout import bar_maximum, bar_of_row, row_of_bar

STEP = 3
FAR = 3


class Notches:
    """Small amounts that add up to whole units: what a fine wheel or a touch pad turns is seldom a whole one."""

    def __init__(self) -> None:
        self._rest = 0

    def turn(self, amount: int, unit: int) -> int:
        """Add an amount; returns how many *unit* it makes. A turn the other way forgets what was left."""
        if amount * self._rest < 0:
            self._rest = 0
        whole = int((self._rest + amount) / unit)
        self._rest += amount - whole * unit
        return whole


class HexScroll(QObject):
    """The top row of the view and how many pixels of it are scrolled away, in step with a scroll bar.

    Signals:
        moved: the top has changed.
    """

    moved = Signal()

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._rows = 1
        self._visible = 1
        self._row_height = 1
        self.top = 0
        self.pixels = 0
        bar.valueChanged.connect(self._follow_bar)
        bar.actionTriggered.connect(self._act)

    @property
    def visible(self) -> int:
        """Rows that are wholly in view."""
        return self._visible

    @property
    def last_top(self) -> int:
        """The top row when the end is in view."""
        return max(0, self._rows - self._visible)

    def configure(self, rows: int, visible: int, row_height: int) -> None:
        """Fit the bar to *rows* rows, *visible* of them in view; the top row stays where it can."""
        self._rows, self._visible, self._row_height = rows, max(visible, 1), row_height
        with QSignalBlocker(self._bar):
            self._bar.setRange(0, bar_maximum(rows, self._visible))
            self._bar.setPageStep(min(self._visible, 2**30))
        self.to_row(self.top, self.pixels)

    def to_row(self, row: int, pixels: int = 0) -> None:
        """Bring *row* to the top, *pixels* of it scrolled away."""
        top = min(max(row, 0), self.last_top)
        pixels = 0 if top != row or top == self.last_top else min(max(pixels, 0), self._row_height - 1)
        changed = (top, pixels) != (self.top, self.pixels)
        self.top, self.pixels = top, pixels
        with QSignalBlocker(self._bar):
            self._bar.setValue(bar_of_row(top, self._rows, self._visible))
        if changed:
            self.moved.emit()

    def by_pixels(self, distance: int) -> None:
        """Scroll smoothly, downwards when *distance* is positive."""
        rows, pixels = divmod(self.pixels + distance, self._row_height)
        self.to_row(self.top + rows, pixels)

    def reveal(self, first: int, last: int) -> None:
        """Bring the rows *first* to *last* into view: by the least when they are near, else with room above.

        Of more rows than fit, the first comes to the top unless it is in view.
        """
        if first >= self.top + bool(self.pixels) and last < self.top + self._visible:
            return
        if last - first >= self._visible:
            if not self.top <= first < self.top + self._visible:
                self.to_row(first)
            return
        above, below = self.top - first, last - self.top - self._visible + 1
        if max(above, below) > FAR:
            self.to_row(first - min(self._visible // 3, self._visible - (last - first) - 1))
        else:
            self.to_row(first if above >= 0 else self.top + below)

    def _follow_bar(self, value: int) -> None:
        self.to_row(row_of_bar(value, self._rows, self._visible))

    def _act(self, action: int) -> None:
        """Steps go by rows, however many rows one unit of the bar stands for."""
        kinds = QAbstractSlider.SliderAction
        steps = {
            kinds.SliderSingleStepAdd: STEP,
            kinds.SliderSingleStepSub: -STEP,
            kinds.SliderPageStepAdd: self._visible,
            kinds.SliderPageStepSub: -self._visible,
        }
        step = steps.get(QAbstractSlider.SliderAction(action))
        if step is not None:
            self.to_row(self.top + step)
