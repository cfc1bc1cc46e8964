"""The two trees of a comparison: one list of rows in two halves, which open, scroll and are selected together."""

from __future__ import annotations

from functools import partial
from math import ceil

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from viewer.base.unseen import escaped
from viewer.document.compare.difference import DifferenceKind
from viewer.ui.compare.compare_model import HEADINGS, CompareColumn, CompareModel, SideRow
from viewer.ui.look import chips, patterns
from viewer.ui.look.fonts import Size, fixed_font, pixels, ui_font
from viewer.ui.look.palette import Theme, Tint
from viewer.ui.panels.column_header import ColumnHeader
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.tree.cell_painter import BAR, EDGE, INDENT, SWATCH, CellPainter
from viewer.ui.tree.tree_rows import DEEPEST as DEEPEST_OPEN
from viewer.ui.tree.tree_rows import plain, row_height
from viewer.ui.viewport import own_viewport

Index = QModelIndex | QPersistentModelIndex
Column = CompareColumn
SIGN_WIDTH = 28
TYPE_WIDTH = 92
TYPE_FROM = 520
"""Pixels of a tree from which on the types have a column of their own; before, the chip says them."""
NAME_SHARE = 0.42
LEAST_NAME = 120
DEEPEST = 64
"""Levels that are told apart by where their names begin."""
LEAD = 14
"""Letters before the first word that differs, where a text is too long for its cell."""
STATES = {
    DifferenceKind.CHANGED: "modified",
    DifferenceKind.ADDED: "ok",
    DifferenceKind.REMOVED: "warning",
    DifferenceKind.MOVED: "note",
}


def tint_of(theme: Theme, kind: DifferenceKind) -> Tint:
    """The colours of a kind of difference."""
    state = STATES.get(kind)
    return theme.state(state) if state is not None else theme.structure("padding")


class _RowHeight(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())


class SideTree(QTreeView):
    """One half of the rows.

    Args:
        model: the rows.
        theme: the colours.
        is_new: whether it is the half of the new side.

    Attributes:
        has_keys: the tree that gets the focus in the place of this one, None for none.
    """

    menu_requested = Signal(object)

    def __init__(self, model: CompareModel, theme: Theme, is_new: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newTree" if is_new else "oldTree")
        self.setAccessibleName("New side" if is_new else "Old side")
        self.is_new, self._model, self._theme = is_new, model, theme
        self.has_keys: QWidget | None = None
        self._cells = CellPainter(theme)
        self._own = (Column.NEW_NAME, Column.NEW_TYPE, Column.NEW_VALUE) if is_new else tuple(Column)[:3]
        own_viewport(self)
        self.columns = ColumnHeader(theme, HEADINGS, (), EDGE, 8, self)
        self.setHeader(self.columns)
        self.setModel(model)
        self.setItemDelegate(_RowHeight(self))
        self.setTreePosition(self._own[0])
        for column in Column:
            self.setColumnHidden(column, column not in self._own and not (is_new and column is Column.SIGN))
        self.setIndentation(INDENT)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setAutoScroll(False)
        self.verticalScrollBar().setSingleStep(row_height())
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._cells = CellPainter(theme)
        self.columns.set_theme(theme)
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.Base, theme.ui.base)
        self.setPalette(colours)
        self.viewport().update()

    def fit(self) -> None:
        """Share the width among the columns."""
        width = self.viewport().width()
        if self.is_new:
            self.setColumnWidth(Column.SIGN, SIGN_WIDTH)
            width -= SIGN_WIDTH
        name, kind, value = self._own
        kinds = round(TYPE_WIDTH * pixels(Size.UI) / 13) if width >= TYPE_FROM else 0
        self.setColumnHidden(kind, not kinds)
        names = max(LEAST_NAME, round((width - kinds) * NAME_SHARE))
        self.setColumnWidth(name, names)
        if kinds:
            self.setColumnWidth(kind, kinds)
        self.setColumnWidth(value, max(40, width - names - kinds))

    # Painting

    def _cell(self, column: Column, row: QRect) -> QRectF:
        return QRectF(self.columnViewportPosition(column), row.top(), self.columnWidth(column), row.height())

    def _side_rect(self, row: QRect) -> QRectF:
        """The part of a row that is this side's."""
        left = self.columnViewportPosition(self._own[0])
        return QRectF(left, row.top(), self.viewport().width() - left, row.height())

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        first = plain(index).siblingAtColumn(0)
        found = self._model.side(first, self.is_new)
        row = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        is_selected = self.selectionModel().isSelected(first)
        area = self._side_rect(row)
        tint = tint_of(self._theme, found.kind) if found.kind is not None else None
        if found.facts is None:
            gap = self._theme.structure("gap")
            painter.fillRect(area, self._theme.ui.selection if is_selected else gap.bg)
            painter.setBrushOrigin(0, 0)
            painter.fillRect(area, patterns.wide_hatch(self._theme.ui.border, self.devicePixelRatioF()))
        elif is_selected:
            painter.fillRect(area, self._theme.ui.selection)
        elif tint is not None and found.kind is not DifferenceKind.WRITTEN:
            painter.fillRect(area, tint.bg)
        if is_selected:
            painter.fillRect(QRectF(area.left(), row.top(), BAR, row.height()), self._theme.ui.accent)
        elif tint is not None and found.facts is not None:
            painter.fillRect(QRectF(area.left(), row.top(), BAR, row.height()), tint.line)
        if first == self.currentIndex().siblingAtColumn(0) and len(self.selectionModel().selectedRows()) > 1:
            painter.setPen(self._theme.ui.accent)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.is_new:
            self._paint_sign(painter, first, row, is_selected)
        if found.facts is not None:
            self._paint_cells(painter, first, row, found, is_selected)

    def _paint_sign(self, painter: QPainter, index: QModelIndex, row: QRect, is_selected: bool) -> None:
        cell = self._cell(Column.SIGN, row)
        ui = self._theme.ui
        painter.fillRect(cell, ui.selection if is_selected else ui.panel)
        for x in (cell.left(), cell.right() - 1):
            painter.fillRect(QRectF(x, cell.top(), 1, cell.height()), ui.border)
        sign, difference = self._model.sign(index), self._model.difference(index)
        colour = tint_of(self._theme, difference.kind).fg if difference is not None else ui.text_secondary
        font = fixed_font(Size.UI, strong=True)
        width = QFontMetricsF(font).horizontalAdvance(sign)
        paint_line(painter, cell.adjusted((cell.width() - width) / 2, 0, 0, 0), sign, font, colour)

    def _paint_cells(
        self, painter: QPainter, index: QModelIndex, row: QRect, found: SideRow, is_selected: bool
    ) -> None:
        facts = found.facts
        assert facts is not None
        name, kind, value = self._own
        cell = self._cell(name, row)
        level = min(self._model.depth(index), DEEPEST)
        indent = min((level + 1) * INDENT, max(INDENT, int(cell.width()) - LEAST_NAME // 2))
        area = QRectF(cell.left(), cell.top(), indent, cell.height())
        painter.save()
        painter.setClipRect(cell)
        self._cells.branches(painter, area, level, -1, self._model.hasChildren(index), self.isExpanded(index))
        painter.restore()
        if found.folded:
            wide = QRectF(cell.left() + indent + 2, cell.top(), self.viewport().width() - cell.left() - indent, 0)
            wide.setHeight(cell.height())
            self._paint_fold(painter, wide, found)
            return
        self._cells.name(painter, cell.adjusted(indent, 0, 0, 0), facts)
        if not self.isColumnHidden(kind):
            self._cells.type(painter, self._cell(kind, row), facts)
        self._paint_value(painter, self._cell(value, row), found, is_selected)

    def _paint_fold(self, painter: QPainter, area: QRectF, found: SideRow) -> None:
        assert found.facts is not None
        ui = self._theme.ui
        used = paint_line(painter, area, found.facts.name, ui_font(Size.SECONDARY), ui.text_secondary)
        area.setLeft(area.left() + used + 12)
        paint_line(painter, area, found.facts.text, ui_font(Size.SECONDARY), ui.text_dim)

    def _paint_value(self, painter: QPainter, cell: QRectF, found: SideRow, is_selected: bool) -> None:
        facts = found.facts
        assert facts is not None
        inner = cell.adjusted(EDGE, 0, -EDGE, 0)
        is_own = found.kind is not None and found.kind is not DifferenceKind.WRITTEN
        colour = self._theme.ui.text if is_selected or found.kind is None else tint_of(self._theme, found.kind).fg
        if found.delta:
            font = fixed_font(Size.SECONDARY, strong=True)
            width = ceil(QFontMetricsF(font).horizontalAdvance(found.delta)) + 8
            if inner.width() > 2 * width:
                paint_line(painter, inner, found.delta, font, colour, right=True)
                inner.setRight(inner.right() - width)
        if not is_own or facts.count or facts.state is not None or facts.replaced or facts.gap:
            self._cells.value(painter, QRectF(inner.adjusted(-EDGE, 0, EDGE, 0)), facts)
        elif found.pieces:
            self._paint_words(painter, inner, found, colour)
        else:
            if facts.swatch is not None:
                square = QRectF(inner.left(), inner.center().y() - SWATCH / 2, SWATCH, SWATCH)
                chips.paint_swatch(painter, square, facts.swatch, self._theme)
                inner.setLeft(square.right() + EDGE)
            paint_line(painter, inner, facts.text, fixed_font(Size.SECONDARY), colour)

    def _paint_words(self, painter: QPainter, inner: QRectF, found: SideRow, colour: QColor) -> None:
        """A text word by word: what the other side lacks is bold and underlined."""
        assert found.kind is not None
        line = tint_of(self._theme, found.kind).line
        usual, strong = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)
        painter.save()
        painter.setClipRect(inner)
        left = inner.left()
        for text, is_other in _in_sight(found.pieces, inner.width(), QFontMetricsF(usual)):
            room = QRectF(left, inner.top(), max(0.0, inner.right() - left), inner.height())
            used = paint_line(painter, room, text, strong if is_other else usual, colour)
            if is_other:
                painter.fillRect(QRectF(left, inner.bottom() - 4, used, 2), line)
            left += used
            if left >= inner.right():
                break
        painter.restore()

    # QTreeView

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.has_keys is not None:
            self.has_keys.setFocus(event.reason())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        current = self.currentIndex()
        if current.isValid() and current.column():
            self.selectionModel().setCurrentIndex(
                current.siblingAtColumn(0), QItemSelectionModel.SelectionFlag.NoUpdate
            )


def _in_sight(pieces: tuple[tuple[str, bool], ...], width: float, metrics: QFontMetricsF) -> list[tuple[str, bool]]:
    """The pieces in quotes, those before the first that differs cut where all of them are too long."""
    out = [('"', False), *((escaped(text), is_other) for text, is_other in pieces), ('"', False)]
    whole = metrics.horizontalAdvance("".join(text for text, _ in out))
    if whole <= width:
        return out
    first = next((number for number, (_, is_other) in enumerate(out) if is_other), 0)
    before = "".join(text for text, _ in out[:first])
    if len(before) > LEAD + 1:
        out[:first] = [("…" + before[-LEAD:], False)]
    return out


class CompareTrees(QObject):
    """Keeps both halves in step.

    Args:
        model: the rows.
        theme: the colours.

    Attributes:
        old, new: the halves.

    Signals:
        current_changed: another row is the current one.
    """

    current_changed = Signal()

    def __init__(self, model: CompareModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.old, self.new = SideTree(model, theme, False), SideTree(model, theme, True)
        self.new.setSelectionModel(self.old.selectionModel())
        self.new.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.new.has_keys = self.old  # no focus proxy: Tab would stop at that, and come back to the old side for ever
        self.old.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one, other in ((self.old, self.new), (self.new, self.old)):
            one.expanded.connect(partial(self._open, other, True))
            one.collapsed.connect(partial(self._open, other, False))
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
        self.old.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.old.set_theme(theme)
        self.new.set_theme(theme)

    @staticmethod
    def _open(tree: SideTree, is_open: bool, index: QModelIndex) -> None:
        if tree.isExpanded(index) is not is_open:
            tree.setExpanded(index, is_open)

    @property
    def current(self) -> QModelIndex:
        """The current row; invalid for none."""
        return self.old.currentIndex().siblingAtColumn(0)

    def selected(self) -> list[QModelIndex]:
        """The selected rows, or the current one."""
        found = self.old.selectionModel().selectedRows()
        return found or ([self.current] if self.current.isValid() else [])

    def go_to(self, index: QModelIndex) -> None:
        """Open what a row lies in, and make it the current one."""
        index = self.open_to(index)
        flags = QItemSelectionModel.SelectionFlag
        self.old.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self._bring(index)

    def open_to(self, index: QModelIndex) -> QModelIndex:
        """Open what a row lies in; returns the row, or one that it lies in where it is too deep to be opened."""
        line = [index]
        while line[-1].parent().isValid():
            line.append(line[-1].parent())
        first = max(0, len(line) - DEEPEST_OPEN)
        for each in reversed(line[first + 1 :]):
            self.old.setExpanded(each, True)
        return line[first]

    def _bring(self, index: QModelIndex) -> None:
        self.old.executeDelayedItemsLayout()
        rect = self.old.visualRect(index)
        if rect.top() < row_height() or rect.bottom() > self.old.viewport().height() - row_height():
            self.old.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
