"""The rows of a bulk edit: path, value before, value after; made as text when they are painted."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.document.bulk import Plan
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip

HEADINGS = ("Path", "Before", "After")
SHOWN = 120
Index = QModelIndex | QPersistentModelIndex


class BulkModel(QAbstractTableModel):
    """Shows a plan.

    Args:
        theme: the colours of rows that cannot change.
        parent: owns the model.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = fixed_font()
        self.plan: Plan | None = None

    def show_plan(self, plan: Plan | None) -> None:
        """Show another plan, or none."""
        self.beginResetModel()
        self.plan = plan
        self.endResetModel()

    def _text(self, number: int, column: int) -> str:
        plan = self.plan
        assert plan is not None
        row = plan.rows[number]
        if column == 0:
            return plan.path(row)
        shown = plan.before(row, SHOWN) if column == 1 else plan.after(row, SHOWN)
        return (row.problem if column == 2 and row.problem else shown)[: 2 * SHOWN]

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() or self.plan is None else len(self.plan.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.plan is None:
            return None
        problem = self.plan.rows[index.row()].problem
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._text(index.row(), index.column()))
        if role == Qt.ItemDataRole.FontRole and not (problem and index.column() == 2):
            return self._font
        if role == Qt.ItemDataRole.BackgroundRole and problem:
            return self._theme.state("warning").bg
        if role == Qt.ItemDataRole.ForegroundRole and (problem or index.column() == 2):
            return self._theme.state("warning" if problem else "modified").fg
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None
