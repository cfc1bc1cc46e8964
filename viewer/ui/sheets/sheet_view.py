"""The grid of a sheet: headers, cells, and the keys of a spreadsheet."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from viewer.base.words import grouped_in
from viewer.document.sheets.sheet_cells import CellFacts
from viewer.document.sheets.sheet_order import SheetSort
from viewer.ui.look import chips, icons, patterns
from viewer.ui.look.fonts import BASE, Size, fixed_font, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import BAR, FOCUS_LINE, paint_line
from viewer.ui.sheets.sheet_model import SheetModel, column_words
from viewer.ui.viewport import own_viewport

ROW = 24
HEADER = 40
EDGE = 8
SWATCH = 13
BOX = 13
LONGEST_LABEL = 24
"""So many letters of it always have room where the value has."""
LABEL_ROOM = 32
"""With less room in pixels, what a profile says is not painted; the tooltip has it."""
GAP = 6
LEAST, WIDEST, USUAL = 44, 320, 96
LABEL_WIDEST = 180
SAMPLE = 60
"""So many rows are measured to find the width of a column."""
ARROW = 7
Index = QModelIndex | QPersistentModelIndex


class SheetHeader(QHeaderView):
    """The titles of the columns, their types below them; a click sorts."""

    def __init__(self, theme: Theme, view: QTableView, model: SheetModel) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        own_viewport(self)
        self._theme, self._sheet = theme, model
        self.sort: SheetSort | None = None
        self.setAccessibleName("Columns")
        self.setSectionsClickable(True)
        self.setSectionsMovable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(LEAST)
        self.setDefaultSectionSize(USUAL)
        self.setFixedHeight(round(HEADER * ui_pixels() / BASE))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.viewport().update()

    def wanted(self, column: int) -> int:
        """The width that title and types want."""
        sheet = self._sheet.sheet
        if sheet is None or column >= len(sheet.columns):
            return USUAL
        title = QFontMetricsF(ui_font(Size.SECONDARY, strong=True)).horizontalAdvance(sheet.columns[column].title)
        words = QFontMetricsF(ui_font(Size.SMALL)).horizontalAdvance(column_words(sheet, column))
        return ceil(max(title + ARROW + GAP, words)) + 2 * EDGE

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        ui, sheet = self._theme.ui, self._sheet.sheet
        painter.fillRect(self.viewport().rect(), ui.panel)
        view = self.parentWidget()
        current = view.currentIndex().column() if isinstance(view, QTableView) else -1
        first = max(0, self.logicalIndexAt(event.rect().left()))
        for column in range(first, self.count() if sheet is not None else 0):
            left, size = self.sectionViewportPosition(column), self.sectionSize(column)
            if left > event.rect().right():
                break
            if not self.isSectionHidden(column):
                self._paint_title(painter, QRectF(left, 0, size, self.height()), column, column == current)
        focused = view is not None and view.hasFocus()
        line = FOCUS_LINE if focused else 1
        bottom = QRectF(0, self.height() - line, self.viewport().width(), line)
        painter.fillRect(bottom, ui.focus if focused else ui.border)
        painter.end()

    def _paint_title(self, painter: QPainter, area: QRectF, column: int, is_current: bool) -> None:
        ui, sheet = self._theme.ui, self._sheet.sheet
        assert sheet is not None
        if is_current:
            painter.fillRect(area, ui.hover)
        painter.fillRect(QRectF(area.right() - 1, 6, 1, area.height() - 12), ui.border)
        room = area.adjusted(EDGE, 4, -EDGE, 0)
        half = (area.height() - 8) / 2
        if self.sort is not None and self.sort.column == column:
            self._paint_arrow(painter, QRectF(room.right() - ARROW, 4, ARROW, half))
            room.setRight(room.right() - ARROW - GAP)
        found = sheet.columns[column]
        font = ui_font(Size.SECONDARY, strong=True) if found.is_name else fixed_font(Size.SECONDARY, strong=True)
        paint_line(painter, QRectF(room.left(), 4, room.width(), half), found.title, font, ui.text)
        words = grouped_in(column_words(sheet, column))
        below = QRectF(area.left() + EDGE, 4 + half, area.width() - 2 * EDGE, half)
        paint_line(painter, below, words, ui_font(Size.SMALL), ui.text_secondary)

    def _paint_arrow(self, painter: QPainter, box: QRectF) -> None:
        assert self.sort is not None
        middle, reach = box.center(), ARROW / 2
        tip = reach if self.sort.is_descending else -reach
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.ui.accent)
        points = [(-reach, -tip / 2), (reach, -tip / 2), (0, tip / 2)]
        painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in points]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class RowHeader(QHeaderView):
    """What the rows are called: their keys, or their numbers."""

    def __init__(self, theme: Theme, view: QTableView, model: SheetModel) -> None:
        super().__init__(Qt.Orientation.Vertical, view)
        own_viewport(self)
        self._theme, self._sheet = theme, model
        self.setAccessibleName("Rows")
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(ROW)
        self.setDefaultSectionSize(round(ROW * ui_pixels() / BASE))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._width = USUAL

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.viewport().update()

    def fit(self) -> None:
        """Be as wide as the first and the last names need."""
        sheet = self._sheet.sheet
        if sheet is None:
            return
        rows = [*range(min(sheet.rows, SAMPLE)), *range(max(0, sheet.rows - 1), sheet.rows)]
        fonts = [QFontMetricsF(font) for font in (fixed_font(Size.SECONDARY), ui_font(Size.SECONDARY))]
        names = [sheet.row_label(row)[0] for row in rows]
        widest = max((metrics.horizontalAdvance(name) for name in names for metrics in fonts), default=0)
        self._width = min(LABEL_WIDEST, ceil(widest) + 2 * EDGE + 2)
        self.setFixedWidth(self._width)

    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        ui, sheet = self._theme.ui, self._sheet.sheet
        painter.fillRect(event.rect(), ui.panel)
        view = self.parentWidget()
        current = view.currentIndex().row() if isinstance(view, QTableView) else -1
        first = self.visualIndexAt(event.rect().top())
        for place in range(max(0, first), self.count() if sheet is not None and first >= 0 else 0):
            top, size = self.sectionViewportPosition(place), self.sectionSize(place)
            if top > event.rect().bottom():
                break
            assert sheet is not None
            name, is_name = sheet.row_label(self._sheet.row_at(place))
            room = QRectF(0, top, self.width(), size)
            if place == current:
                painter.fillRect(room, ui.hover)
                painter.fillRect(QRectF(0, top, BAR, size), ui.accent)
            font = ui_font(Size.SECONDARY) if is_name else fixed_font(Size.SECONDARY)
            colour = ui.text if is_name or place == current else ui.text_secondary
            paint_line(painter, room.adjusted(EDGE, 0, -EDGE, 0), name, font, colour, right=not is_name)
            painter.fillRect(QRectF(0, top + size - 1, self.width(), 1), ui.border)
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), ui.border)
        painter.end()


class SheetDelegate(QStyledItemDelegate):
    """Paints cells."""

    def __init__(self, theme: Theme, model: SheetModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme, self._sheet = theme, model
        self.current = (-1, -1)
        self.has_focus = False
        self.label_widths: dict[int, float] = {}
        """What the words of a profile take in a column, in pixels: numbers end before them."""
        self._value, self._plain = fixed_font(Size.SECONDARY), ui_font(Size.SECONDARY)
        self._count = fixed_font(Size.SECONDARY, strong=True)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        facts, ui = self._sheet.facts(row, column), self.theme.ui
        cell = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(cell, ui.selection)
        if facts.is_missing:
            self._paint_missing(painter, cell, selected)
        else:
            self._paint_value(painter, cell.adjusted(EDGE, 0, -EDGE, 0), facts, self.label_widths.get(column, 0))
            if self._sheet.is_modified(row, column):
                painter.fillRect(QRectF(cell.left(), cell.top(), BAR, cell.height()), self.theme.state("modified").line)
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 1, cell.width(), 1), ui.border)
        painter.fillRect(QRectF(cell.right() - 1, cell.top(), 1, cell.height()), ui.border)
        if (row, column) == self.current:
            width = 2 if self.has_focus else 1
            painter.setPen(QPen(ui.focus if self.has_focus else ui.border_strong, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inset = width / 2
            painter.drawRect(cell.adjusted(inset, inset, -inset - 1, -inset - 1))

    def _paint_missing(self, painter: QPainter, cell: QRectF, selected: bool) -> None:
        """A hatch: there is no such key."""
        ratio = painter.device().devicePixelRatioF()
        if not selected:
            painter.fillRect(cell, self.theme.structure("gap").bg)
        painter.fillRect(cell, patterns.fine_hatch(self.theme.ui.border, ratio))

    def _paint_value(self, painter: QPainter, room: QRectF, facts: CellFacts, label_width: float) -> None:
        theme = self.theme
        if facts.is_doubled:
            mark = QRectF(room.left(), round(room.center().y() - SWATCH / 2), SWATCH, SWATCH)
            icons.draw(painter, "triangle-alert", theme, mark, "state.warning.line")
            room.setLeft(mark.right() + GAP)
        if facts.label is not None and facts.label.note:
            mark = QRectF(room.left(), round(room.center().y() - SWATCH / 2), SWATCH, SWATCH)
            icons.draw(painter, "triangle-alert", theme, mark, "state.warning.fg")
            room.setLeft(mark.right() + GAP)
        if facts.swatch is not None:
            square = QRectF(room.left(), round(room.center().y() - SWATCH / 2), SWATCH, SWATCH)
            chips.paint_swatch(painter, square, facts.swatch, theme)
            room.setLeft(square.right() + GAP)
        if facts.count:
            used = paint_line(painter, room, facts.count, self._count, theme.kind(facts.group).fg)
            room.setLeft(room.left() + used + GAP)
            paint_line(painter, room, facts.text, self._value, theme.ui.text_dim)
        elif facts.is_empty_text:
            paint_line(painter, room, "“”", self._plain, theme.ui.text_dim)
        else:
            font = self._plain if facts.group == "text" else self._value
            colour = theme.ui.text if facts.group == "text" else theme.kind(facts.group).fg
            words = facts.label.meaning if facts.label is not None else ""
            beside: QRectF | None = None
            if facts.is_number and (words or label_width):
                room, beside = self._shared_room(room, facts, words, label_width)
            used = paint_line(painter, room, facts.text, font, colour, right=facts.is_number)
            if words and not facts.is_number and room.width() - used >= LABEL_ROOM:
                beside = room.adjusted(used + GAP, 0, 0, 0)
            if words and beside is not None:
                paint_line(painter, beside, words, self._plain, theme.ui.text_secondary)

    def _shared_room(
        self, room: QRectF, facts: CellFacts, words: str, label_width: float
    ) -> tuple[QRectF, QRectF | None]:
        """The room of a number, and that of a profile's words behind it; None where the column is too narrow for both.

        Numbers end where all of their column do.
        """
        wanted = max(label_width, QFontMetricsF(self._plain).horizontalAdvance(words[:LONGEST_LABEL]))
        left = room.width() - QFontMetricsF(self._value).horizontalAdvance(facts.text) - GAP
        if left < min(wanted, LABEL_ROOM):
            return room, None
        width = min(wanted, left)
        return room.adjusted(0, 0, -width - GAP, 0), room.adjusted(room.width() - width, 0, 0, 0)


class SheetView(QTableView):
    """The grid.

    Args:
        theme: its colours.
        model: its rows.

    Signals:
        went: the current cell is another one, by a person.
        edit_requested: a text that was typed (str), or None for the value as it is.
        nested_requested: Enter on a value that holds others.
        sort_requested: the column whose title was clicked.
        key_requested: the name of an action that a key of the grid asks for.
        editor_moved: the grid was scrolled or has another size.
    """

    went = Signal()
    edit_requested = Signal(object)
    nested_requested = Signal()
    sort_requested = Signal(int)
    key_requested = Signal(str)
    editor_moved = Signal()

    def __init__(self, theme: Theme, model: SheetModel) -> None:
        super().__init__()
        own_viewport(self)
        self.theme, self.sheet_model = theme, model
        self._is_quiet = False
        self.setObjectName("sheetView")
        self.setAccessibleName("Table")
        self.cells = SheetDelegate(theme, model, self)
        self._set_up(theme, model)
        self.titles.sectionClicked.connect(self.sort_requested)
        self.selectionModel().currentChanged.connect(self._on_current)

    def _set_up(self, theme: Theme, model: SheetModel) -> None:
        self.titles, self.names = SheetHeader(theme, self, model), RowHeader(theme, self, model)
        self.setHorizontalHeader(self.titles)
        self.setVerticalHeader(self.names)
        self.setItemDelegate(self.cells)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setModel(model)
        # asked whether a row or column is selected they would ask every cell; one of their own has nothing selected
        self.titles.setSelectionModel(QItemSelectionModel(model, self))
        self.names.setSelectionModel(QItemSelectionModel(model, self))
        self.names.sectionClicked.connect(self.select_row)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.theme = self.cells.theme = theme
        self.titles.set_theme(theme)
        self.names.set_theme(theme)
        self.viewport().update()

    def fit_columns(self) -> None:
        """Give the columns the widths that their titles and the first values want."""
        model, sheet = self.sheet_model, self.sheet_model.sheet
        if sheet is None:
            return
        value = QFontMetricsF(fixed_font(Size.SECONDARY))
        self.cells.label_widths.clear()
        for column in range(min(model.columnCount(), SAMPLE)):
            shown = [model.facts(place, column) for place in range(min(model.rowCount(), SAMPLE))]
            if said := max(map(_words_width, shown), default=0):
                self.cells.label_widths[column] = said
            widest = max((value.horizontalAdvance(_words(each)) + self._label_width(each) for each in shown), default=0)
            widest += SWATCH + GAP if any(each.swatch for each in shown) else 0
            width = max(self.titles.wanted(column), ceil(widest) + 2 * EDGE + GAP)
            self.setColumnWidth(column, min(WIDEST, max(LEAST, width)))
        self.names.fit()
        self.updateGeometries()

    def _label_width(self, facts: CellFacts) -> float:
        """What the words of a profile beside a value take."""
        if facts.label is None:
            return 0
        words = _words_width(facts)
        room = max(LABEL_ROOM, words) + GAP if words else 0
        return room + (SWATCH + GAP if facts.label.note else 0)

    # The current cell, and what is selected

    def go(self, index: QModelIndex, scroll: bool = True) -> None:
        """Be at another cell without telling it."""
        self._is_quiet = True
        if index != self.currentIndex() or not self.selectionModel().hasSelection():
            self.setCurrentIndex(index)
        if scroll and index.isValid():
            self.scrollTo(index)
        self._is_quiet = False
        self._note_current()

    def ranges(self) -> list[tuple[range, range]]:
        """The selected cells as ranges of places and of columns."""
        return [
            (range(found.top(), found.bottom() + 1), range(found.left(), found.right() + 1))
            for found in self.selectionModel().selection()  # type: ignore[attr-defined]
        ]

    def select_cells(self, places: range, columns: range) -> None:
        """Select cells, the current one stays."""
        model = self.sheet_model
        last = model.index(min(places.stop, model.rowCount()) - 1, min(columns.stop, model.columnCount()) - 1)
        cells = QItemSelection(model.index(places.start, columns.start), last)
        self.selectionModel().select(cells, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def select_row(self, place: int) -> None:
        """Select a whole row."""
        model = self.sheet_model
        last = model.columnCount() - 1
        if last < 0:
            return
        index = model.index(place, max(0, self.currentIndex().column()))
        self.setCurrentIndex(index)
        whole = QItemSelection(model.index(place, 0), model.index(place, last))
        self.selectionModel().select(whole, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _on_current(self, *_: object) -> None:
        self._note_current()
        if not self._is_quiet:
            self.went.emit()

    def _note_current(self) -> None:
        index = self.currentIndex()
        self.cells.current = (index.row(), index.column())
        self.cells.has_focus = self.hasFocus()
        self.viewport().update()
        self.titles.viewport().update()
        self.names.viewport().update()

    # Keys

    def step(self, rows: int, columns: int) -> None:
        """Go to another cell, the nearest there is."""
        index, model = self.currentIndex(), self.sheet_model
        row = min(max(index.row() + rows, 0), model.rowCount() - 1)
        column = index.column() + columns
        while 0 <= column < model.columnCount() and self.isColumnHidden(column):
            column += columns
        if row >= 0 and 0 <= column < model.columnCount():
            self.setCurrentIndex(model.index(row, column))

    def _slot(self, event: QKeyEvent) -> bool:
        key, control = event.key(), event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.nested_requested.emit()
        elif key == Qt.Key.Key_Escape:
            self.key_requested.emit("leave")
        elif key == Qt.Key.Key_Tab:
            self.step(0, 1)
        elif key == Qt.Key.Key_Backtab:
            self.step(0, -1)
        elif key == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.select_row(self.currentIndex().row())
        elif key == Qt.Key.Key_Space and control:
            column = self.currentIndex().column()
            self.select_cells(range(self.sheet_model.rowCount()), range(column, column + 1))
        elif key == Qt.Key.Key_Space and not event.modifiers() and self._is_bool():
            self.key_requested.emit("turn_over")
        elif key == Qt.Key.Key_Backspace:
            self.edit_requested.emit("")
        elif event.text() and event.text().isprintable() and not control:
            if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                return False
            self.edit_requested.emit(event.text())
        else:
            return False
        return True

    def _is_bool(self) -> bool:
        index = self.currentIndex()
        return index.isValid() and self.sheet_model.facts(index.row(), index.column()).state is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._slot(event):
            event.accept()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            name = GRID_KEYS.get(event.keyCombination().toCombined())
            if name is not None:
                event.accept()
                return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            name = GRID_KEYS.get(event.keyCombination().toCombined())
            if name is not None:
                self.key_requested.emit(name)
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and not (
                event.modifiers() & Qt.KeyboardModifier.ControlModifier
            ):
                self.keyPressEvent(event)
                return True
        return super().event(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.indexAt(event.position().toPoint()).isValid():
            self.nested_requested.emit()

    # Qt

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._note_current()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._note_current()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.editor_moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.editor_moved.emit()

    def cell_rect(self, index: Index) -> QRect:
        """Where a cell lies in the viewport."""
        return self.visualRect(index)


GRID_KEYS = {
    QKeySequence(keys)[0].toCombined(): name  # type: ignore[index]
    for keys, name in (("Ctrl+D", "table_fill"),)
}
"""Keys that mean something else in the grid than in the window."""


def _words(facts: CellFacts) -> str:
    """What a cell shows, as much of it as a column is fitted to."""
    return f"{facts.count} {facts.text}".strip()[:60]


def _words_width(facts: CellFacts) -> float:
    """Pixels that a profile's words about a value take, as much of them as a column is fitted to."""
    words = facts.label.meaning[:LONGEST_LABEL] if facts.label is not None else ""
    return QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance(words) if words else 0.0
