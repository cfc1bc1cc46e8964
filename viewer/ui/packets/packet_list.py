"""The rows of the list of packets: painted row by row, chosen with mouse and keys, following what comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from viewer.document.viewmodel.packet_row import COLLECTIONS, PacketRow
from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import BASE, Size, fixed_font, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.packets.packets_model import HEADINGS, RIGHT, PacketColumn, PacketsModel
from viewer.ui.panels.column_header import ColumnHeader
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.viewport import own_viewport

# How a row of the list of packets is painted: one call a row, all sizes in logical pixels.

EDGE = 6
BAR = 3
MARK = 14
CHIP_GAP = 6
MIDDLE = Qt.TextElideMode.ElideMiddle
Cell = tuple[PacketColumn, float, float]
"""A column with where it begins and how wide it is."""


class RowPainter:
    """Paints rows in one theme.

    Args:
        theme: the colours.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._plain = ui_font(Size.SECONDARY)
        self._fixed = fixed_font(Size.SECONDARY)

    def background(self, painter: QPainter, area: QRectF, row: PacketRow, selected: bool, hovered: bool) -> None:
        """The surface of a row: selection before error before hover, and the bar at its left edge."""
        ui = self.theme.ui
        if selected:
            painter.fillRect(area, ui.selection)
            painter.fillRect(QRectF(area.left(), area.top(), BAR, area.height()), ui.accent)
        elif row.is_error:
            painter.fillRect(area, self.theme.state("error").bg)
        elif hovered:
            painter.fillRect(area, ui.hover)

    def frame(self, painter: QPainter, area: QRectF) -> None:
        """The frame of the current one of several selected rows."""
        painter.setPen(QPen(self.theme.ui.accent, 1))
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))

    def cells(self, painter: QPainter, area: QRectF, row: PacketRow, cells: Sequence[Cell]) -> None:
        """What stands in a row."""
        ui = self.theme.ui
        quiet = ui.text_dim if row.is_dim else ui.text_secondary
        plain = ui.text_dim if row.is_dim else ui.text
        texts = {
            PacketColumn.NUMBER: (str(row.number), quiet),
            PacketColumn.TIME: (row.time, quiet),
            PacketColumn.SOURCE: (row.source, plain),
            PacketColumn.TARGET: (row.target, plain),
            PacketColumn.SIZE: (row.size, quiet),
        }
        for column, left, width in cells:
            cell = QRectF(left + EDGE, area.top(), width - 2 * EDGE, area.height())
            if column is PacketColumn.ARROW:
                self._arrow(painter, cell, row)
            elif column is PacketColumn.CARRIER:
                paint_line(painter, cell, row.carrier, self._plain, quiet)
            elif column is PacketColumn.TYPE:
                self._type(painter, cell, row)
            elif column is PacketColumn.VALUE:
                self._value(painter, cell, row)
            else:
                text, colour = texts[column]
                paint_line(painter, cell, text, self._fixed, colour, MIDDLE, column in RIGHT)

    def _arrow(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        mark = QRectF(0, 0, MARK, MARK)
        mark.moveCenter(cell.center())
        role = "text_dim" if row.is_dim else icons.DEFAULT_ROLE
        icons.draw(painter, "arrow-right" if row.to_server else "arrow-left", self.theme, mark, role)

    def _type(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        """The chip, or the sign of an error in its place, then the name where there is room."""
        box = QRectF(cell.left(), cell.top(), chips.WIDTH, cell.height())
        if row.is_error:
            mark = QRectF(0, 0, MARK, MARK)
            mark.moveCenter(box.center())
            icons.draw(painter, "circle-x", self.theme, mark, "state.error.line")
        else:
            painter.setOpacity(0.6 if row.is_dim else 1.0)
            chips.paint_chip(painter, box, row.chip, row.group, self.theme)
            painter.setOpacity(1.0)
        room = cell.adjusted(chips.WIDTH + CHIP_GAP, 0, 0, 0)
        if room.width() > CHIP_GAP:
            paint_line(painter, room, row.type, self._plain, self._quiet(row))

    def _value(self, painter: QPainter, cell: QRectF, row: PacketRow) -> None:
        if row.is_warning and not row.is_error:
            mark = QRectF(cell.left(), cell.center().y() - MARK / 2, MARK, MARK)
            icons.draw(painter, "triangle-alert", self.theme, mark, "state.warning.line")
            cell.setLeft(mark.right() + EDGE)
        paint_line(painter, cell, row.value, self._plain if row.is_error else self._fixed, self._colour(row))

    def _quiet(self, row: PacketRow) -> QColor:
        if row.is_error:
            return self.theme.state("error").fg
        return self.theme.ui.text_dim if row.is_dim else self.theme.ui.text_secondary

    def _colour(self, row: PacketRow) -> QColor:
        """The colour of the value: that of its kind; what holds values of several kinds has that of text."""
        if row.is_error:
            return self.theme.state("error").fg
        if row.is_dim:
            return self.theme.ui.text_dim
        coloured = row.is_value and row.group is not None and row.group != COLLECTIONS
        return self.theme.kind(row.group).fg if coloured else self.theme.ui.text


# The column header of the list of packets: the value takes the rest, and columns leave where there is little room.

LEAST = 34
LEAST_VALUE = 280
FIRST = 14
"""Room at the left edge, as other lists have."""
LONGEST_END = 260
FIXED = {PacketColumn.NUMBER: "00000", PacketColumn.TIME: "0000.000000", PacketColumn.SIZE: "000000"}
"""The longest usual text of columns in fixed width."""
PLAIN = {PacketColumn.CARRIER: "ENet unsequenced", PacketColumn.TYPE: "PoolVector2Array"}
ENDS = (PacketColumn.SOURCE, PacketColumn.TARGET)
END = "127.0.0.1:45001"
SIZED: tuple[PacketColumn, ...] = tuple(column for column in PacketColumn if column != PacketColumn.VALUE)
LEAVING = (PacketColumn.CARRIER, PacketColumn.TYPE, PacketColumn.TIME)
"""Columns that give way, in this order; of the type the chip stays."""


class PacketsHeader(ColumnHeader):
    """Nine columns; a dragged edge takes from the value and gives to it."""

    def __init__(self, theme: Theme, view: QWidget | None = None) -> None:
        super().__init__(theme, HEADINGS, right=RIGHT, edge=EDGE, least=LEAST, view=view)
        self._chosen: dict[PacketColumn, int] = {}
        self._fitting = False
        self.sectionResized.connect(self._dragged)

    def heading(self, column: int) -> str:
        """The words over a column; none where only its chip is left."""
        return super().heading(column) if self.sectionSize(column) > self._chip_only else ""

    def fit(self, width: int) -> None:
        """Share *width* among the columns."""
        if self.count() < len(HEADINGS) or self._fitting:
            return
        self._fitting = True
        sizes = {column: self._chosen.get(column, self._usual(column)) for column in SIZED}
        for column in LEAVING:
            if width - sum(sizes.values()) < LEAST_VALUE:
                sizes[column] = self._chip_only if column is PacketColumn.TYPE else 0
        for column, size in sizes.items():
            self.setSectionHidden(column, size == 0)
            if size:
                self.resizeSection(column, size)
        self.resizeSection(PacketColumn.VALUE, max(LEAST, width - sum(sizes.values())))
        self._fitting = False

    @property
    def _chip_only(self) -> int:
        return chips.WIDTH + 2 * EDGE

    def _usual(self, column: PacketColumn) -> int:
        """The width of a column that nobody dragged."""
        if column is PacketColumn.ARROW:
            return LEAST
        fixed = column in FIXED or column in ENDS
        text = END if column in ENDS else FIXED.get(column) or PLAIN[column]
        metrics = QFontMetricsF(fixed_font(Size.SECONDARY) if fixed else ui_font(Size.SECONDARY))
        size = ceil(metrics.horizontalAdvance(text)) + 2 * EDGE
        if column is PacketColumn.NUMBER:
            return size + FIRST - EDGE
        if column is PacketColumn.TYPE:
            return size + chips.WIDTH + CHIP_GAP
        return min(size, LONGEST_END) if column in ENDS else size

    def _dragged(self, section: int, before: int, now: int) -> None:
        """A person drags an edge: the value gives or takes."""
        if self._fitting or self.count() < len(HEADINGS):
            return
        if section != PacketColumn.VALUE:
            self._chosen[PacketColumn(section)] = now
        self.fit(self.width())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click takes the dragged widths back."""
        self._chosen = {}
        self.fit(self.width())


ROW = 24
LEFT, TOP = 14, 10
ROW_FLAGS = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class PacketsTable(QTableView):
    """The table.

    Attributes:
        empty: what it says where it has no rows, in some lines.
        chosen: the row of the packet that is chosen, None for none; it stays so while a filter hides it.
        by_hand: whether a person chose it.
        is_live: whether packets come by themselves, so that there is something to follow.

    Args:
        theme: its colours.
        model: its rows.

    Signals:
        chosen_changed: another packet was chosen, by a person or not.
        entered_row: Enter was pressed: the focus should go to what the packet holds.
        copy_requested: the keys for copying were pressed.
        escaped: Escape was pressed.
    """

    chosen_changed = Signal()
    entered_row = Signal()
    copy_requested = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, model: PacketsModel) -> None:
        super().__init__()
        own_viewport(self)
        self._theme = theme
        self._packets = model
        self._painter = RowPainter(theme)
        self._restoring = False
        self.empty = ""
        self.chosen: int | None = None
        self.by_hand = False
        self.is_live = False
        self.setObjectName("packetsList")
        self.setAccessibleName("Packets")
        self._set_up(theme, model)
        self.entered.connect(self._repaint)
        self.clicked.connect(self._on_clicked)
        chosen = self.selectionModel()
        chosen.currentChanged.connect(self._on_current)
        chosen.selectionChanged.connect(self._repaint)

    def _set_up(self, theme: Theme, model: PacketsModel) -> None:
        self.header = PacketsHeader(theme, self)
        self.setHorizontalHeader(self.header)
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(round(ROW * ui_pixels() / BASE))
        rows.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)  # the top row is always a whole one
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setModel(model)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._painter.theme = theme
        self.header.set_theme(theme)
        self.viewport().update()

    # Choosing

    @property
    def selected(self) -> list[int]:
        """The rows of the selected packets, in order."""
        return [self._packets.row_at(index.row()) for index in sorted(self._selected_places())]

    def choose(self, row: int, by_hand: bool = True) -> None:
        """Choose a packet and bring it into view; one that the filter hides is chosen all the same."""
        changed = row != self.chosen
        self.chosen, self.by_hand = row, by_hand
        self._show_chosen(scroll=True)
        if changed:
            self.chosen_changed.emit()

    def forget(self) -> None:
        """Choose nothing."""
        self.chosen, self.by_hand = None, False
        self._show_chosen(scroll=False)

    def step(self, places: int) -> None:
        """Choose another packet so many places away, the nearest there is."""
        if self._packets.rowCount():
            place = min(max(self.currentIndex().row() + places, 0), self._packets.rowCount() - 1)
            self.setCurrentIndex(self._packets.index(place, PacketColumn.VALUE))

    # Following what comes

    def update_rows(self) -> None:
        """Take up what came, and follow it where the end is in view and no packet was chosen by hand."""
        follows = self.follows
        bar = self.verticalScrollBar()
        before = bar.value()
        self._restoring = True
        gone = self._packets.update()
        self._restoring = False
        if gone:
            self._show_chosen(scroll=False)
        self.updateGeometries()
        if follows:
            bar.setValue(bar.maximum())
        elif gone:
            bar.setValue(before - gone)

    @property
    def follows(self) -> bool:
        """Whether the list goes on to what comes."""
        bar = self.verticalScrollBar()
        return self.is_live and not self.by_hand and bar.value() >= bar.maximum()

    def follow(self) -> None:
        """Let go of what was chosen, and go on to what comes."""
        self.by_hand = False
        self.scrollToBottom()

    def with_rows_kept(self, change: Callable[[], None]) -> None:
        """Do what makes the rows others; what is chosen stays so, and in view where it was."""
        bar, follows = self.verticalScrollBar(), self.follows
        before, seen = bar.value(), self._is_in_view(self.viewport().height())
        self._restoring = True
        try:
            change()
        finally:
            self._restoring = False
        self.updateGeometries()
        bar.setValue(bar.maximum() if follows else before)
        self._show_chosen(scroll=not follows and (seen or self.by_hand))

    def _is_in_view(self, height: int) -> bool:
        """Whether the chosen row is in view, in a viewport of this height."""
        index = self.currentIndex()
        return index.isValid() and -ROW < self.rowViewportPosition(index.row()) < height

    def _on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        self.viewport().update()
        if self._restoring or not current.isValid():
            return
        row = self._packets.row_at(current.row())
        changed, self.chosen, self.by_hand = row != self.chosen, row, True
        if changed:
            self.chosen_changed.emit()

    def _on_clicked(self, _: QModelIndex) -> None:
        self.by_hand = True

    def _show_chosen(self, scroll: bool) -> None:
        place = self._packets.place_of(self.chosen) if self.chosen is not None else -1
        self._restoring = True
        if place < 0:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            index = self._packets.index(place, PacketColumn.VALUE)
            self.selectionModel().setCurrentIndex(index, ROW_FLAGS)
            if scroll:
                self.scrollTo(index)
        self._restoring = False
        self.viewport().update()

    def _selected_places(self) -> list[QModelIndex]:
        model = self.selectionModel()
        return model.selectedRows(PacketColumn.VALUE) if model is not None else []

    def _repaint(self, *_: object) -> None:
        self.viewport().update()

    def _cells(self) -> list[Cell]:
        header = self.header
        shown = [column for column in PacketColumn if not header.isSectionHidden(column)]
        return [(column, header.sectionViewportPosition(column), header.sectionSize(column)) for column in shown]

    def _places_in(self, top: int, bottom: int) -> Iterator[int]:
        first, last = self.rowAt(top), self.rowAt(bottom)
        if first >= 0:
            yield from range(first, (last if last >= 0 else self._packets.rowCount() - 1) + 1)

    def _hovered(self) -> int:
        viewport = self.viewport()
        return self.rowAt(viewport.mapFromGlobal(QCursor.pos()).y()) if viewport.underMouse() else -1

    def _paint_rows(self, painter: QPainter, top: int, bottom: int) -> None:
        cells, hovered, selection = self._cells(), self._hovered(), self.selectionModel()
        current = self.currentIndex().row()
        several = len(selection.selectedRows(PacketColumn.VALUE)) > 1
        for place in self._places_in(top, bottom):
            row = self._packets.words(place)
            if row is None:
                continue
            y = self.rowViewportPosition(place)
            area = QRectF(0, y, self.viewport().width(), self.rowHeight(place))
            selected = selection.isRowSelected(place)
            self._painter.background(painter, area, row, selected, place == hovered)
            self._painter.cells(painter, area, row, cells)
            if several and place == current:
                self._painter.frame(painter, area)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setFont(ui_font(Size.SECONDARY))
        painter.setPen(self._theme.ui.text_secondary)
        room = QRectF(self.viewport().rect()).adjusted(LEFT, TOP, -LEFT, -TOP)
        painter.drawText(room, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, self.empty)

    def _key_step(self, event: QKeyEvent) -> int | None:
        """How far a key goes, None where it is none of those that go to either end."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ControlModifier):
            return None
        far = self._packets.rowCount()
        return {Qt.Key.Key_Home: -far, Qt.Key.Key_End: far}.get(Qt.Key(event.key()))

    def event(self, event: QEvent) -> bool:
        """Keep the keys for copying: in the list they copy rows, whatever the window would do."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
            return super().event(event)
        if not event.matches(QKeySequence.StandardKey.Copy):
            return super().event(event)
        event.accept()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self._key_step(event)
        if step is not None:
            self.step(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.header.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.header.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # the row under the mouse is another one now

    def resizeEvent(self, event: QResizeEvent) -> None:
        follows, seen = self.follows, self._is_in_view(event.oldSize().height())
        super().resizeEvent(event)
        self.header.fit(self.viewport().width())
        if follows:
            self.scrollToBottom()
        elif seen:
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.ui.base)
        if self._packets.rowCount():
            self._paint_rows(painter, event.rect().top(), event.rect().bottom())
        else:
            self._paint_empty(painter)
        painter.end()
