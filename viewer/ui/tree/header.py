"""The tree's column header: who gets the width, which columns leave, and what a person dragged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil

from PySide6.QtGui import QFontMetricsF, QMouseEvent
from PySide6.QtWidgets import QWidget

from viewer.document.shown.counts import grouped
from viewer.ui.look.fonts import BASE, Size, fixed_font, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.panels.column_header import ColumnHeader
from viewer.ui.tree.model import HEADINGS, NUMBER_COLUMNS, Column
from viewer.ui.tree.paint import EDGE

WIDTHS: Mapping[Column, int] = {Column.TYPE: 82, Column.OFFSET: 60, Column.SIZE: 56}
LEAVING = ((Column.SIZE, 490), (Column.OFFSET, 460), (Column.TYPE, 430))
LEAST = 40
LEAST_NAME = 140
NAME, VALUE, LEAST_VALUE = 168, 142, 112
NAME_SHARE = 0.45
SAMPLE, SAMPLE_WIDTH = "Transform2D", 70


class TreeHeader(ColumnHeader):
    """Five columns: name and value share what type, offset and size leave.

    A dragged edge moves between its two columns, so that the columns always fill the width.
    """

    def __init__(self, theme: Theme, view: QWidget | None = None) -> None:
        super().__init__(theme, HEADINGS, right=NUMBER_COLUMNS, edge=EDGE, least=LEAST, view=view)
        self._chosen: dict[Column, int] = {}
        self._name_share: float | None = None
        self._laying_out = False
        self._bytes = 0
        self.sectionResized.connect(self._dragged)

    def set_bytes(self, count: int) -> None:
        """Make room for the offsets and sizes of so many bytes; cut digits would tell another number."""
        if count != self._bytes:
            self._bytes = count
            self.fit(self.width())

    def fit(self, width: int) -> None:
        """Share *width* among the columns."""
        if self.count() < len(HEADINGS) or self._laying_out:
            return
        self._laying_out = True
        more = sum(self._usual(column) - self._scaled(WIDTHS[column]) for column in NUMBER_COLUMNS)
        for column, least in LEAVING:
            self.setSectionHidden(column, width < self._scaled(least) + more)
            more -= self._usual(column) - self._scaled(WIDTHS[column])
        for column, size in self._widths(width).items():
            self.resizeSection(column, size)
        self._laying_out = False

    def _widths(self, width: int) -> dict[Column, int]:
        fixed = {
            column: self._chosen.get(column, self._usual(column))
            for column in WIDTHS
            if not self.isSectionHidden(column)
        }
        rest = max(width - sum(fixed.values()), LEAST_NAME + LEAST)
        share = self._name_share
        name = round(rest * share) if share is not None else self._usual_name(rest)
        name = min(max(name, min(LEAST_NAME, rest - LEAST)), rest - LEAST)
        return {**fixed, Column.NAME: name, Column.VALUE: rest - name}

    def _usual(self, column: Column) -> int:
        """The width of a column that nobody dragged."""
        longest = {Column.OFFSET: f"0x{self._bytes:X}", Column.SIZE: grouped(self._bytes)}.get(column, "")
        needed = QFontMetricsF(fixed_font(Size.SECONDARY)).horizontalAdvance(longest) + 2 * EDGE
        return max(self._scaled(WIDTHS[column]), ceil(needed))

    def _usual_name(self, rest: int) -> int:
        name, value = self._scaled(NAME), self._scaled(VALUE)
        extra = rest - name - value
        if extra >= 0:
            return name + round(extra * NAME_SHARE)
        return max(LEAST_NAME, min(name, rest - self._scaled(LEAST_VALUE)))

    def _dragged(self, section: int, before: int, now: int) -> None:
        """A person drags the right edge of a section: its neighbour gives or takes."""
        if self._laying_out or self.count() < len(HEADINGS):
            return
        self._laying_out = True
        following = next((k for k in range(section + 1, self.count()) if not self.isSectionHidden(k)), None)
        if following is None:
            self.resizeSection(section, before)
        else:
            rest = self.sectionSize(following) + before - now
            self.resizeSection(following, max(LEAST, rest))
            self.resizeSection(section, now + min(0, rest - LEAST))
        self._laying_out = False
        self._keep()

    def _keep(self) -> None:
        self._chosen = {c: self.sectionSize(c) for c in WIDTHS if not self.isSectionHidden(c)} | {
            c: size for c, size in self._chosen.items() if self.isSectionHidden(c)
        }
        name, value = self.sectionSize(Column.NAME), self.sectionSize(Column.VALUE)
        self._name_share = name / max(1, name + value)

    def save_widths(self) -> bytes:
        """What a person dragged, to be given to :meth:`restore_widths` one day."""
        return json.dumps({"share": self._name_share, "chosen": self._chosen}).encode()

    def restore_widths(self, state: bytes) -> None:
        """Take the widths of another run; what is not understood is left out."""
        try:
            saved = json.loads(state)
            share = saved["share"]
            self._name_share = None if share is None else min(max(float(share), 0.1), 0.9)
            self._chosen = {Column(int(c)): max(LEAST, int(size)) for c, size in saved["chosen"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            return
        self.fit(self.width())

    def _scaled(self, size: int) -> int:
        """A width for the platform's font, which may be larger or wider than the usual one."""
        wide = QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance(SAMPLE) / SAMPLE_WIDTH
        return round(size * max(ui_pixels() / BASE, wide))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click takes the dragged widths back."""
        self._chosen, self._name_share = {}, None
        self.fit(self.width())
