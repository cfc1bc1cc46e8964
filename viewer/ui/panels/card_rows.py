"""The rows of a floating list: what one tells, the model that holds them, and how one is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6 import QtWidgets
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import paint_line, paint_row_ground

ROW = 28
LEFT = 14
ICON = 16
GAP = 10
RowRole = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of a floating list.

    Args:
        title: its words; *found* are the indexes of their letters to be lit.
        detail: quiet words behind it; *end*: quiet words of fixed width at the right end.
        icon: name of an icon, empty for none; *icon_role*: its colour.
        enabled: whether it can be chosen.
        strong: whether the title is bold.
        fixed: whether the title is of fixed width, as paths are.
        quiet: whether the title is in secondary colour.
    """

    title: str
    found: tuple[int, ...] = ()
    detail: str = ""
    end: str = ""
    icon: str = ""
    icon_role: str = icons.DEFAULT_ROLE
    enabled: bool = True
    strong: bool = False
    fixed: bool = False
    quiet: bool = False

    @property
    def words(self) -> str:
        """All of it, for the tooltip and for those who listen."""
        return ", ".join(part for part in (self.title, self.detail, self.end) if part)


class CardModel(QAbstractListModel):
    """Holds the rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[CardRow, ...] = ()

    @property
    def rows(self) -> tuple[CardRow, ...]:
        """The rows from the top down."""
        return self._rows

    def set_rows(self, rows: Sequence[CardRow]) -> None:
        """Hold other rows."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == RowRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(row.words)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.words
        return None


class CardDelegate(QStyledItemDelegate):
    """Paints one line a row: icon, title, detail, end.

    Attributes:
        theme: the colours to paint in.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def _paint_title(self, painter: QPainter, rect: QRectF, row: CardRow) -> float:
        """The title, letter groups that were found in accent and bold; returns its width."""
        font = fixed_font(Size.SECONDARY, row.strong) if row.fixed else ui_font(Size.UI, row.strong)
        ui = self.theme.ui
        colour = ui.disabled if not row.enabled else ui.text_secondary if row.quiet else ui.text
        whole = QFontMetricsF(font).horizontalAdvance(row.title)
        if not row.found or whole > rect.width():
            elide = Qt.TextElideMode.ElideMiddle if row.fixed else Qt.TextElideMode.ElideRight
            return paint_line(painter, rect, row.title, font, colour, elide)
        lit = QFont(font)
        lit.setWeight(QFont.Weight.DemiBold)
        left = rect.left()
        for text, is_found in _runs(row.title, row.found):
            room = QRectF(left, rect.top(), rect.right() - left, rect.height())
            as_found = is_found and row.enabled
            left += paint_line(painter, room, text, lit if is_found else font, ui.accent if as_found else colour)
        return left - rect.left()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CardRow = index.data(RowRole)
        rect, ui = QRectF(option.rect), self.theme.ui
        quiet = ui.text_secondary if row.enabled else ui.disabled
        painter.save()
        selected = bool(option.state & QtWidgets.QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QtWidgets.QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, rect, self.theme, selected, hovered)
        rect.adjust(LEFT, 0, -LEFT, 0)
        if row.icon:
            box = QRectF(rect.left(), rect.center().y() - ICON / 2, ICON, ICON)
            icons.draw(painter, row.icon, self.theme, box, row.icon_role if row.enabled else icons.DISABLED_ROLE)
        rect.setLeft(rect.left() + ICON + GAP)
        used = paint_line(painter, rect, row.end, fixed_font(Size.SECONDARY), quiet, right=True)
        rect.setRight(rect.right() - used - GAP * bool(row.end))
        rect.setLeft(rect.left() + self._paint_title(painter, rect, row) + GAP)
        paint_line(painter, rect, row.detail, ui_font(Size.SECONDARY), ui.text_secondary)
        painter.restore()


def _runs(text: str, found: tuple[int, ...]) -> list[tuple[str, bool]]:
    """The text cut where it changes between found letters and others."""
    out: list[tuple[str, bool]] = []
    wanted = frozenset(found)
    for place, sign in enumerate(text):
        is_found = place in wanted
        if out and out[-1][1] is is_found:
            out[-1] = (out[-1][0] + sign, is_found)
        else:
            out.append((sign, is_found))
    return out
