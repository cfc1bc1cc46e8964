"""The tree's rows on the screen: how they are painted, opened and closed. It knows a model and no session."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QScrollBar,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from viewer.base.record import replace
from viewer.base.words import grouped
from viewer.document.viewmodel.row_data import RowData
from viewer.document.viewmodel.rows import LEAF, PAGE, TOP
from viewer.ui.look.fonts import BASE, Size, fixed_font, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.panels.column_header import ColumnHeader
from viewer.ui.tree.cell_painter import CHEVRON, CHIP_ROOM, EDGE, INDENT, ROW_HEIGHT, CellPainter, NameColumn
from viewer.ui.tree.expansion import Expansion, deepest_shown
from viewer.ui.tree.model import HEADINGS, NUMBER_COLUMNS, RowRole, TreeColumn, TreeModel
from viewer.ui.viewport import own_viewport

if TYPE_CHECKING:  # loaded with the first search
    from viewer.document.viewmodel.found_places import FoundPlaces

# The delegate: a row's height and its cells, painted by column.

CellIndex = QModelIndex | QPersistentModelIndex


def row_height() -> int:
    """24 px with the usual font, more with a larger one."""
    return round(ROW_HEIGHT * ui_pixels() / BASE)


class TreeDelegate(QStyledItemDelegate):
    """Paints the cells of the tree; the view paints what runs through a whole row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.painter = CellPainter(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.painter = CellPainter(theme)

    def paint_cell(self, painter: QPainter, cell: QRectF, column: int, facts: RowData) -> None:
        """One cell of a row whose facts are at hand."""
        cells = self.painter
        (cells.name, cells.type, cells.value, cells.offset, cells.size)[column](painter, cell, facts)

    # QStyledItemDelegate

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        facts = index.data(RowRole.FACTS)
        if isinstance(facts, RowData):
            self.paint_cell(painter, QRectF(option.rect), index.column(), facts)

    def sizeHint(self, option: QStyleOptionViewItem, index: CellIndex) -> QSize:
        return QSize(0, row_height())


# The tree's column header: who gets the width, which columns leave, and what a person dragged.

WIDTHS: Mapping[TreeColumn, int] = {TreeColumn.TYPE: 82, TreeColumn.OFFSET: 60, TreeColumn.SIZE: 56}
LEAVING = ((TreeColumn.SIZE, 490), (TreeColumn.OFFSET, 460), (TreeColumn.TYPE, 430))
LEAST = 40
LEAST_NAME = 140
NAME, VALUE, LEAST_VALUE = 168, 142, 112
NAME_SHARE = 0.45
SAMPLE, SAMPLE_WIDTH = "Transform2D", 70
LONGEST_TYPE = "PackedVector2Array"


class TreeHeader(ColumnHeader):
    """Five columns: name and value share what type, offset and size leave.

    A dragged edge moves between its two columns, so that the columns always fill the width.

    Signals:
        menu_wanted: the global position where the columns are to be chosen.
    """

    menu_wanted = Signal(object)

    def __init__(self, theme: Theme, view: QWidget | None = None) -> None:
        super().__init__(theme, HEADINGS, right=NUMBER_COLUMNS, edge=EDGE, least=LEAST, view=view)
        self._chosen: dict[TreeColumn, int] = {}
        self._left_out: set[TreeColumn] = set()
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
            self.setSectionHidden(column, width < self._scaled(least) + more or column in self._left_out)
            more -= self._usual(column) - self._scaled(WIDTHS[column])
        for column, size in self._widths(width).items():
            self.resizeSection(column, size)
        self._laying_out = False

    def wants(self, column: TreeColumn) -> bool:
        """Whether a column is to be seen where there is room for it."""
        return column not in self._left_out

    def want(self, column: TreeColumn, wanted: bool) -> None:
        """Leave a column out, or have it where there is room for it; name and value always are."""
        if column in WIDTHS and wanted != self.wants(column):
            self._left_out ^= {column}
            self.fit(self.width())

    def _widths(self, width: int) -> dict[TreeColumn, int]:
        fixed = {
            column: self._chosen.get(column, self._usual(column))
            for column in WIDTHS
            if not self.isSectionHidden(column)
        }
        if TreeColumn.TYPE in fixed.keys() - self._chosen.keys():
            fixed[TreeColumn.TYPE] += self._room_for_types(width - sum(fixed.values()))
        rest = max(width - sum(fixed.values()), LEAST_NAME + LEAST)
        share = self._name_share
        name = round(rest * share) if share is not None else self._usual_name(rest)
        name = min(max(name, min(LEAST_NAME, rest - LEAST)), rest - LEAST)
        return {**fixed, TreeColumn.NAME: name, TreeColumn.VALUE: rest - name}

    def _usual(self, column: TreeColumn) -> int:
        """The width of a column that nobody dragged."""
        longest = {TreeColumn.OFFSET: f"0x{self._bytes:X}", TreeColumn.SIZE: grouped(self._bytes)}.get(column, "")
        needed = QFontMetricsF(fixed_font(Size.SECONDARY)).horizontalAdvance(longest) + 2 * EDGE
        return max(self._scaled(WIDTHS[column]), ceil(needed))

    def _room_for_types(self, rest: int) -> int:
        """What the types take so that the longest is not cut, where name and value have far more than usual."""
        needed = QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance(LONGEST_TYPE) + 2 * EDGE
        spare = rest - self._scaled(NAME * 3 // 2) - self._scaled(VALUE * 2)
        return max(0, min(ceil(needed) - self._usual(TreeColumn.TYPE), spare))

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
        now = max(now, min(LEAST_NAME, before)) if section == TreeColumn.NAME else now
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
        name, value = self.sectionSize(TreeColumn.NAME), self.sectionSize(TreeColumn.VALUE)
        self._name_share = name / max(1, name + value)

    def save_widths(self) -> bytes:
        """What a person dragged and left out, to be given to :meth:`restore_widths` one day."""
        import json

        left_out = sorted(self._left_out)
        return json.dumps({"share": self._name_share, "chosen": self._chosen, "left_out": left_out}).encode()

    def restore_widths(self, state: bytes) -> None:
        """Take the widths of another run; what is not understood is left out."""
        import json

        try:
            saved = json.loads(state)
            share = saved["share"]
            self._name_share = None if share is None else min(max(float(share), 0.1), 0.9)
            self._chosen = {TreeColumn(int(c)): max(LEAST, int(size)) for c, size in saved["chosen"].items()}
            self._left_out = {TreeColumn(int(c)) for c in saved.get("left_out", ())} & WIDTHS.keys()
        except (ValueError, KeyError, TypeError, AttributeError):
            return
        self.fit(self.width())

    def _scaled(self, size: int) -> int:
        """A width for the platform's font, which may be larger or wider than the usual one."""
        wide = QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance(SAMPLE) / SAMPLE_WIDTH
        return round(size * max(ui_pixels() / BASE, wide))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click takes the dragged widths back."""
        self._chosen, self._name_share = {}, None
        self.fit(self.width())


Index = QModelIndex | QPersistentModelIndex
Flag = QItemSelectionModel.SelectionFlag
MOST_EXPANDED = 5000
MOST_WALKED = 20_000
DEEPEST = 512
GOING = frozenset(
    (
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
        *(Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End),
    )
)
"""These keys bring the current row back into sight even where there is no other to go to."""
PAGE_COLUMNS = (TreeColumn.NAME, TreeColumn.OFFSET, TreeColumn.SIZE)


class TreeBase(QTreeView):
    """A tree view that paints its rows itself and remembers which are open.

    Attributes:
        sideways: scrolls the names of deep trees; whoever holds the tree shows it where it has a range.
        is_following: whether the current row is just being made the one that is selected elsewhere.
        is_led: whether it is the table that selects: the rows that are opened for it close again when it has left them.
        is_due: whether all of it is to be painted anew already, and is not yet.

    Signals:
        branch_changed: another branch is shown alone, or all rows are.
    """

    branch_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, page: int = PAGE) -> None:
        super().__init__(parent)
        self.theme = theme
        self.tree_model = TreeModel(self, page)
        self.cells = TreeDelegate(theme, self)
        self.columns = TreeHeader(theme, self)
        self.expansion = Expansion()
        self.is_following = self.is_led = self.is_due = False
        self._hovered: QPersistentModelIndex | None = None
        self._strong: tuple[QModelIndex, int] = (QModelIndex(), -1)
        self.sideways = QScrollBar(Qt.Orientation.Horizontal, self)
        self._names = NameColumn(self.sideways)
        self._are_levels_known = True
        self._base = 0
        self._configure()
        self.setModel(self.tree_model)
        self.tree_model.modelAboutToBeReset.connect(self._forget_rows)
        self.tree_model.modelReset.connect(self._forget_branch)
        self.setItemDelegate(self.cells)
        self.expanded.connect(self._note_open)
        self.collapsed.connect(self._note_closed)
        TreeBase.set_theme(self, theme)

    def _configure(self) -> None:
        own_viewport(self)
        self.setHeader(self.columns)
        self.setIndentation(INDENT)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(True)
        self.setExpandsOnDoubleClick(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setAutoScroll(False)  # Qt's own would scroll after every change, sideways too; see keep_in_sight()
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(row_height())
        self.sideways.setAccessibleName("Names, sideways")
        self.sideways.hide()
        self.sideways.valueChanged.connect(self._move_names)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.theme = theme
        self.cells.set_theme(theme)
        self.columns.set_theme(theme)
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.Base, theme.ui.base)
        self.setPalette(colours)
        self.viewport().update()

    def current_moved(self, current: Index) -> None:
        """Another row is the current one. A hook, so that only one class of the chain overrides ``currentChanged``.

        With ``currentChanged`` and ``reset`` overridden along the chain, PySide 6.11 left a freed function in the class
        and crashed in a later garbage collection; which of the two did it was not found out.
        """

    def set_current(self, index: Index) -> None:
        """Make a row the current one and the only selected one, whatever keys are held down at the moment."""
        self.selectionModel().setCurrentIndex(plain(index), Flag.ClearAndSelect | Flag.Rows)

    def laid_out(self) -> None:
        """The rows and columns lie elsewhere. A hook."""

    def _forget_rows(self) -> None:
        """All rows become other ones."""
        self._hovered = None
        self._strong = (QModelIndex(), -1)
        self.sideways.setValue(0)
        self.levels_changed()

    def show_branch(self, branch: QModelIndex) -> None:
        """Show the rows below one alone, with as much room as those at the top; all rows where it is none."""
        branch = branch.siblingAtColumn(TreeColumn.NAME)
        if branch == self.rootIndex():
            return
        self.setRootIndex(branch)
        self._base = self.tree_model.depth(branch) + 1 if branch.isValid() else 0
        self.sideways.setValue(0)
        self.levels_changed()
        self.branch_changed.emit()

    def _forget_branch(self) -> None:
        """All rows became other ones: Qt shows all of them."""
        if self._base:
            self._base = 0
            self.levels_changed()
            self.branch_changed.emit()

    def _is_in_branch(self, index: QModelIndex) -> bool:
        """Whether a row is among those that are shown."""
        branch = self.rootIndex()
        above = self.tree_model.depth(index) - self._base + 1
        return not branch.isValid() or (above > 0 and _ancestor(index, above) == branch)

    def level(self, index: QModelIndex) -> int:
        """How many rows that are shown a row stands under."""
        return max(0, self.tree_model.depth(index) - self._base)

    def show_found(self, found: FoundPlaces | None) -> None:
        """Mark in the rows what a search found, or no longer."""
        self.tree_model.set_found(found)
        self.viewport().update()

    # Opening and closing rows

    def _note_open(self, index: QModelIndex) -> None:
        if not self.is_following:
            self.expansion.lent.clear()  # somebody is at work in these rows
        holder = self.tree_model.holder(index)
        if holder != LEAF:  # before a layout Qt tells even of rows that have none under them
            self.expansion.open.add(holder)
            self._fit_names(max(self.names.deepest, self.level(index) + 1))

    def _note_closed(self, index: QModelIndex) -> None:
        """A row is closed; the levels stay, or its chevron would go away from under the mouse."""
        holder = self.tree_model.holder(index)
        self.expansion.open.discard(holder)
        self.expansion.lent.discard(holder)

    def levels_changed(self) -> None:
        """Quite other rows are open: how deep they lie is looked up before it is needed next."""
        self._are_levels_known = False
        self.is_due = True
        self.viewport().update()

    def reveal_index(self, index: QModelIndex) -> QModelIndex:
        """Open all rows above one and scroll to it; returns the row itself, or one above it where it lies too deep."""
        if not self._is_in_branch(index):
            self.show_branch(QModelIndex())
        above = [index]
        while above[-1].parent().isValid():
            above.append(above[-1].parent())
        target = above[max(0, len(above) - DEEPEST)]
        for ancestor in reversed(above[max(1, len(above) - DEEPEST + 1) :]):
            if not self.isExpanded(ancestor):
                self.expand(ancestor)
        self._scroll_to(target)
        self._bring_name(target)
        return target

    def follow_to(self, index: QModelIndex) -> None:
        """Show a row that is selected elsewhere, and make it the current one.

        Rows that were opened so for the table close again where it is in none of them any more.
        """
        model, lent = self.tree_model, self.expansion.lent
        above, row = [], index.parent()
        while row.isValid():
            above.append(row)
            row = row.parent()
        shut = {model.holder(each) for each in above if not self.isExpanded(each)}
        self.is_following = True
        for holder in lent - {model.holder(each) for each in above}:
            self.collapse(model.index_of_holder(holder))
        self.set_current(self.reveal_index(index))
        self.is_following = False
        if self.is_led:
            lent |= shut & self.expansion.open

    def keep_in_sight(self) -> None:
        """Scroll by the least that shows the current row, and its name: sideways the names move, and they alone."""
        self.executeDelayedItemsLayout()
        self._bring_name(self.currentIndex())
        rect, bar, height = self.row_rect(self.currentIndex()), self.verticalScrollBar(), self.viewport().height()
        if not rect.isValid():
            return
        if rect.top() < 0 or rect.height() >= height:
            bar.setValue(bar.value() + rect.top())
        elif rect.bottom() >= height:
            bar.setValue(bar.value() + rect.bottom() + 1 - height)

    def _bring_name(self, index: QModelIndex) -> None:
        if index.isValid():
            facts = self.tree_model.facts(index.siblingAtColumn(TreeColumn.NAME))
            self.names.bring(self.level(index), self.cells.painter.name_width(facts))

    def _move_names(self) -> None:
        self.viewport().update()
        self.laid_out()

    def _scroll_to(self, index: QModelIndex) -> None:
        rect = self.row_rect(index)
        if not rect.isValid() or rect.top() < 0 or rect.bottom() >= self.viewport().height():
            sideways = self.horizontalScrollBar().value()
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.horizontalScrollBar().setValue(sideways)

    def expand_all_under(self, index: QModelIndex) -> bool:
        """Open a row and all below it, the upper levels first, up to so many rows; False where some stay closed."""
        self.scheduleDelayedItemsLayout()  # rows opened before a layout are laid out in one go
        queue, shown = deque([index]), 0
        while queue and shown < MOST_EXPANDED:
            row = queue.popleft()
            if not self.tree_model.hasChildren(row):
                continue
            count = self.tree_model.rowCount(row)
            shown += count
            self.expand(row)
            queue.extend(self.tree_model.index(k, 0, row) for k in range(count))
        self.executeDelayedItemsLayout()
        return not any(self.tree_model.hasChildren(row) for row in queue)

    def collapse_all_under(self, index: QModelIndex) -> None:
        """Close all rows below a row; it stays open itself. Rows that were never opened are not looked at."""
        level = self.tree_model.depth(index)
        for holder in list(self.expansion.open):
            row = self.tree_model.index_of_holder(holder)
            if self.tree_model.depth(row) > level and _ancestor(row, self.tree_model.depth(row) - level) == index:
                self.collapse(row)

    # Inside

    def row_rect(self, index: Index) -> QRect:
        """The whole row of an index in the viewport, empty where it is not shown."""
        rect = self.visualRect(plain(index).siblingAtColumn(TreeColumn.VALUE))  # a deep name has no room: no rectangle
        return QRect(0, rect.top(), self.viewport().width(), rect.height()) if rect.isValid() else QRect()

    def cell_rect(self, index: Index, column: TreeColumn) -> QRect:
        """One cell of a row."""
        row = self.row_rect(index)
        return QRect(self.columnViewportPosition(column), row.top(), self.columnWidth(column), row.height())

    @property
    def names(self) -> NameColumn:
        """Where the names stand, for the rows that are open now."""
        if not self._are_levels_known:
            self._are_levels_known = True
            top = self.tree_model.holder(self.rootIndex()) if self._base else TOP
            deepest = deepest_shown(self.tree_model.rows, self.expansion.open, top)
            self._fit_names(max(0, deepest - self._base))
        return self._names

    def name_left(self, index: Index) -> int:
        """Where in its column a row's name begins; negative where it is scrolled out."""
        return self.chip_left(self.level(plain(index))) + CHIP_ROOM

    def chip_left(self, level: int) -> int:
        """Where in its column the chip of a row stands, whose name always keeps some room in the column."""
        return self.names.chip_left(level)

    def _fit_names(self, deepest: int) -> None:
        """Let names and levels have the width of their column."""
        if self._names.fit(self.columnWidth(TreeColumn.NAME), deepest):
            usual = 0 if self._names.is_narrow else INDENT
            if self.indentation() != usual:
                self.setIndentation(usual)  # without any, Qt looks for no chevrons of its own
            self._move_names()

    def _chevron_at(self, place: QPoint) -> QModelIndex:
        """The row whose chevron lies there, none where Qt's own idea of it is right or there is none."""
        index = self.indexAt(place).siblingAtColumn(TreeColumn.NAME)
        if not self.names.is_narrow or not index.isValid() or not self.tree_model.hasChildren(index):
            return QModelIndex()
        left = self.columnViewportPosition(TreeColumn.NAME) + self.chip_left(self.level(index)) - CHEVRON
        return index if left <= place.x() < left + CHEVRON else QModelIndex()

    def _is_on_chevron(self, place: QPoint) -> bool:
        """Whether a press there opens or closes a row, and selects none."""
        index = self.indexAt(place).siblingAtColumn(TreeColumn.NAME)
        right = self.visualRect(index).left()
        is_there = right - self.indentation() <= place.x() < right and self.tree_model.hasChildren(index)
        return is_there or self._chevron_at(place).isValid()

    def _paint_branches(self, painter: QPainter, index: QModelIndex, cell: QRect, level: int) -> None:
        parent, at = self._strong
        strong = at if at >= 0 and level > at and _ancestor(index, level - at) == parent else -1
        painter.save()
        painter.setClipRect(cell)
        has_rows = self.tree_model.hasChildren(index)
        area = QRectF(cell)
        area.setWidth(self.chip_left(level))
        names = self.names
        opened = self.isExpanded(index)
        self.cells.painter.branches(painter, area, level, strong, has_rows, opened, names.step, names.shift)
        painter.restore()

    def _paint_cells(self, painter: QPainter, index: QModelIndex, row: QRect, facts: RowData) -> None:
        if facts.found is not None and facts.found.below and self.isExpanded(index):
            facts = replace(facts, found=replace(facts.found, below=0))  # its rows tell it themselves
        if facts.modified_below and self.isExpanded(index):
            facts = replace(facts, modified_below=False)
        for column in PAGE_COLUMNS if facts.page else tuple(TreeColumn):
            cell = QRect(self.columnViewportPosition(column), row.top(), self.columnWidth(column), row.height())
            if not cell.width():
                continue  # a hidden column
            if column is TreeColumn.NAME:
                level = self.level(index)
                self._paint_branches(painter, index, cell, level)
                cell.setLeft(cell.left() + self.chip_left(level))
                if facts.page:  # a long name, and nothing to say in the next two columns
                    cell.setWidth(cell.width() + self.columnWidth(TreeColumn.TYPE) + self.columnWidth(TreeColumn.VALUE))
            self.cells.paint_cell(painter, QRectF(cell), column, facts)

    def _hover(self, index: QModelIndex) -> None:
        before = self._hovered
        self._hovered = QPersistentModelIndex(index.siblingAtColumn(0)) if index.isValid() else None
        if before != self._hovered:
            for changed in (before, self._hovered):
                if changed is not None and changed.isValid():
                    self.viewport().update(self.row_rect(changed))

    def take_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; False for keys that are none of the tree's own. A hook."""
        return False

    # QTreeView

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().siblingAtColumn(TreeColumn.NAME)
        if before.isValid() and self.take_key(event):
            event.accept()
        else:
            super().keyPressEvent(event)
        if event.key() in GOING or self.currentIndex().siblingAtColumn(TreeColumn.NAME) != before:
            self.keep_in_sight()

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        first = plain(index).siblingAtColumn(0)
        facts = self.tree_model.facts(first)
        row = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        is_current = first == self.currentIndex().siblingAtColumn(0)
        selected = is_current or self.selectionModel().isSelected(first)
        hovered = self._hovered is not None and self._hovered == first
        current = is_current and len(self.selectionModel().selectedRows()) > 1
        self.cells.painter.background(painter, QRectF(row), facts, selected, hovered, current)
        self._paint_cells(painter, first, row, facts)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        parent = plain(current).siblingAtColumn(0).parent()
        in_branch = parent.isValid() and parent != self.rootIndex()
        before, self._strong = self._strong, (parent, self.level(parent)) if in_branch else (QModelIndex(), -1)
        rows = [self.row_rect(index) for index in (previous, current)]
        if self._strong != before or not all(rows) or len(self.selectionModel().selectedRows()) > 1:
            rows = [self.viewport().rect()]
        for row in rows:
            self.viewport().update(row)
        self.current_moved(current)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.is_due = False
        self._fit_names(self.names.deepest)
        super().paintEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Shift and the wheel, or a wheel of its own for it, go sideways."""
        degrees, pixels = event.angleDelta(), event.pixelDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not degrees.x():
            degrees, pixels = degrees.transposed(), pixels.transposed()
        if abs(degrees.x()) > abs(degrees.y()):
            self.names.turn(degrees.x(), pixels.x())
            event.accept()
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.columns.fit(self.viewport().width())
        self.laid_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._chevron_at(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton:
            self.setExpanded(index, not self.isExpanded(index))
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        before = self.currentIndex()
        super().mouseMoveEvent(event)
        if event.buttons() & Qt.MouseButton.LeftButton and self.currentIndex() != before:
            self.keep_in_sight()  # rows are selected by dragging
        self._hover(self.indexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(QModelIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.columns.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.columns.viewport().update()


def plain(index: Index) -> QModelIndex:
    """A persistent index as the plain one that it stands for at the moment."""
    if isinstance(index, QModelIndex):
        return index
    return index.model().index(index.row(), index.column(), index.parent()) if index.isValid() else QModelIndex()


def _ancestor(index: QModelIndex, steps: int) -> QModelIndex:
    for _ in range(steps):
        index = index.parent()
    return index
