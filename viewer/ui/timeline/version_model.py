"""The rows of a timeline: its versions, and between them the marks that a person set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.container.unpacking import size_in_words
from viewer.document.timeline.step_summary import FIRST
from viewer.document.timeline.timeline import KeptVersion, TimelineMark
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TimelineRow: TypeAlias = KeptVersion | TimelineMark
HEADINGS = ("Version", "Time", "What changed", "Size")
NUMBER, TIME, SUMMARY, BYTES = range(4)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
LOOKING = "…"
PIN = " ★"
"""Behind the number of a version that is pinned; the tooltip says what it is."""
ROOT = QModelIndex()


class VersionModel(QAbstractTableModel):
    """The newest version stands first; a mark stands over what came before it.

    Args:
        theme: the colours.
        parent: owns it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[TimelineRow] = []
        self._words: dict[int, str] = {}
        self._today = datetime.now().date()
        self._fixed, self._strong = fixed_font(Size.SECONDARY), ui_font(Size.UI, strong=True)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, SUMMARY))

    def show(self, versions: Sequence[KeptVersion], marks: Sequence[TimelineMark]) -> None:
        """Show these, each the oldest first; rows that stay are told to stay."""
        rows: list[TimelineRow] = sorted([*versions, *marks], key=_order, reverse=True)
        kept = {_key(row) for row in rows}
        for number in range(len(self._rows) - 1, -1, -1):
            if _key(self._rows[number]) not in kept:
                self.beginRemoveRows(ROOT, number, number)
                del self._rows[number]
                self.endRemoveRows()
        there = {_key(row) for row in self._rows}
        for number, row in enumerate(rows):
            if _key(row) in there:
                self._rows[number] = row
                continue
            self.beginInsertRows(ROOT, number, number)
            self._rows.insert(number, row)
            self.endInsertRows()
        self._today = datetime.now().date()
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, SUMMARY))

    def tell(self, words: Mapping[int, str]) -> None:
        """Say what changed in versions, by their numbers."""
        self._words.update(words)
        for number, row in enumerate(self._rows):
            if isinstance(row, KeptVersion) and row.number in words:
                self.dataChanged.emit(self.index(number, SUMMARY), self.index(number, SUMMARY))

    def row(self, number: int) -> TimelineRow | None:
        """What a row is."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def place_of(self, version: int) -> int:
        """The row of a version by its number, -1 for none."""
        places = (k for k, row in enumerate(self._rows) if isinstance(row, KeptVersion) and row.number == version)
        return next(places, -1)

    # Qt

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(HEADINGS):
            if role == Qt.ItemDataRole.DisplayRole:
                return HEADINGS[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if section == BYTES else LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if isinstance(row, TimelineMark):
            return self._mark(row, index.column(), role)
        return self._version(row, index.column(), role)

    def _version(self, row: KeptVersion, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            pin = PIN if row.is_pinned else ""
            words = self._words.get(row.number, LOOKING)
            return (f"{row.number}{pin}", self.when(row.at), escaped(words), size_in_words(row.size))[column]
        if role == Qt.ItemDataRole.FontRole and column in (TIME, BYTES):
            return self._fixed
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column == BYTES else LEFT
        if role == Qt.ItemDataRole.ForegroundRole and column == SUMMARY and self._words.get(row.number) == FIRST:
            return self._theme.ui.text_secondary
        if role == Qt.ItemDataRole.ToolTipRole:
            secret = "\nEncrypted, and kept as it is" if row.is_secret else ""
            pinned = "\nPinned: it is never thinned out" if row.is_pinned else ""
            return plain_tip(f"{self._words.get(row.number, '')}\n{counted(row.size, 'byte')}{secret}{pinned}".strip())
        return None

    def _mark(self, row: TimelineMark, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            done = "" if row.until is None else " · done"
            return ("Mark", self.when(row.at), f"{escaped(row.text)}{done}", "")[column]
        if role == Qt.ItemDataRole.FontRole:
            return self._fixed if column == TIME else self._strong
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.ui.accent
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT
        return None

    def when(self, at: int) -> str:
        """A moment, with its day where that is not today."""
        try:
            found = datetime.fromtimestamp(at / 1e9)
        except (OverflowError, OSError, ValueError):
            return ""
        return found.strftime("%H:%M:%S" if found.date() == self._today else "%Y-%m-%d %H:%M:%S")


def _key(row: TimelineRow) -> tuple[bool, int]:
    return isinstance(row, TimelineMark), row.number


def _order(row: TimelineRow) -> tuple[int, int, int]:
    return (row.number, 0, 0) if isinstance(row, KeptVersion) else (row.after, 1, row.number)
