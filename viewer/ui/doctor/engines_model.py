"""What each engine does, a row an engine."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.base.unseen import escaped
from viewer.document.engines.lines import Evidence
from viewer.document.engines.table import oddities, reading, stopping
from viewer.document.engines.verdicts import EngineVerdict, Outcome
from viewer.document.shown.counts import grouped_in
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
HEADINGS = ("Engine", "Verdict", "Where", "Why")
LOOKS = {
    Outcome.ACCEPTS: ("circle-check", "ok"),
    Outcome.DIFFERS: ("triangle-alert", "warning"),
    Outcome.REFUSES: ("circle-x", "error"),
    Outcome.DIES: ("triangle-alert", "error"),
    Outcome.UNSURE: ("info", "note"),
}


class Column(IntEnum):
    """The columns."""

    ENGINE = 0
    VERDICT = 1
    WHERE = 2
    WHY = 3


class EnginesModel(QAbstractTableModel):
    """Holds verdicts.

    Args:
        theme: the colours.
        parent: what it belongs to.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: tuple[EngineVerdict, ...] = ()

    def set_rows(self, rows: Sequence[EngineVerdict]) -> None:
        """Hold other verdicts."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, Column.WHY))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if way is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        verdict, column = self.rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return escaped(_text(verdict, column))
        if role == Qt.ItemDataRole.FontRole:
            return _font(verdict, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(in_full(verdict))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return in_full(verdict)
        return self._look(verdict, column, role)

    def _look(self, verdict: EngineVerdict, column: Column, role: int) -> object:
        name, state = LOOKS[verdict.outcome]
        if role == Qt.ItemDataRole.DecorationRole and column is Column.VERDICT:
            return icon(name, self._theme, f"state.{state}.line")
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._theme.state(state).bg
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.state(state).fg if column is Column.VERDICT else self._theme.ui.text
        return None


def in_full(verdict: EngineVerdict) -> str:
    """All that is known of a verdict, in sentences."""
    parts = [grouped_in(verdict.text)]
    parts.append(stopping(verdict))
    if verdict.oddities and verdict.outcome is Outcome.ACCEPTS:
        parts.append(grouped_in(oddities(verdict.oddities)))
    parts += verdict.notes
    source = verdict.engine.source
    rests_on = reading((verdict,))
    parts.append(f"{verdict.call_name}{f', {grouped_in(rests_on)}' if rests_on else ''}; {source}.")
    return " ".join(part for part in parts if part)


def _text(verdict: EngineVerdict, column: Column) -> str:
    if column is Column.ENGINE:
        return verdict.engine.name + ("" if verdict.engine.evidence is Evidence.RUN else " *")
    if column is Column.VERDICT:
        return verdict.label
    if column is Column.WHERE:
        if verdict.span is None:
            return ""
        return f"0x{verdict.span.start:X}" + (f"  {verdict.path}" if verdict.path else "")
    if verdict.condition:
        return f"{verdict.error_name}: {verdict.condition}" if verdict.error_name else verdict.condition
    return "" if verdict.outcome.is_good else grouped_in(verdict.text)


def _font(verdict: EngineVerdict, column: Column) -> object:
    if column is Column.WHERE or (column is Column.WHY and verdict.condition):
        return fixed_font(Size.SECONDARY)
    return ui_font(Size.UI, strong=column is Column.VERDICT)
