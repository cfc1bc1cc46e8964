"""The parts of the selected value as a table: key glyph, name, meaning, bytes; the caret's part is lit."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from viewer.base.unseen import with_direction_note
from viewer.base.words import counted
from viewer.document.viewmodel.number_table import NumberReading, shortened
from viewer.ui.look import patterns
from viewer.ui.look.fonts import Size, fixed_font, fixed_font_of, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip, show_tip
from viewer.ui.panels.panel_widgets import has_ring, paint_focus, paint_focus_line, paint_line, paint_row_ground
from viewer.ui.viewport import own_viewport
from viewer.variant.items import Part, Role

ROW = 20
LEFT = 14
GLYPH = 14
RIGHT = 12
LETTERS = {Role.HEADER: "H", Role.LENGTH: "L", Role.PREFIX: "L", Role.VALUE: "V"}
RowRole = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class PartRow:
    """One row: a part with its words, or a note about parts that are left out.

    Args:
        part: the part; of a note, the nearest part that is left out.
        label, words, size: the columns; *label* alone for a note.
        group: the kind group of a value's bytes.
        note: whether it only says how many parts are left out.
    """

    part: Part
    label: str
    words: str
    size: str
    group: str | None = None
    note: bool = False


class PartsModel(QAbstractListModel):
    """The rows of the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[PartRow] = []

    def set_rows(self, rows: list[PartRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def row_at(self, offset: int) -> int:
        """The row whose part holds a byte, -1 for none."""
        return next((k for k, row in enumerate(self.rows) if not row.note and offset in row.part.span), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == RowRole:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(with_direction_note(_told(row), row.words))
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _told(row)
        return None


def _told(row: PartRow) -> str:
    """A row in words."""
    if row.note:
        return row.label
    span = row.part.span
    return f"{row.label}: {row.words}, {counted(len(span), 'byte')} at 0x{span.start:X}"


class PartDelegate(QStyledItemDelegate):
    """Paints a row of the table.

    It asks the view which row is lit: ``option.state`` would tell too, but makes QStyle's three hundred enum members.
    """

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = theme
        self.label_width = 100.0
        self._label_font = ui_font(Size.SECONDARY)
        self._text_font = fixed_font(Size.SECONDARY)
        self._letter_font = fixed_font_of(9, strong=True)

    def measure(self, rows: list[PartRow]) -> None:
        """Find how wide the names are."""
        metrics = QFontMetricsF(self._label_font)
        self.label_width = max((metrics.horizontalAdvance(row.label) for row in rows if not row.note), default=60.0)

    def _is_hovered(self, index: Index) -> bool:
        viewport = self._view.viewport()
        return viewport.underMouse() and self._view.indexAt(viewport.mapFromGlobal(QCursor.pos())) == index

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = index.data(RowRole), QRectF(option.rect)
        lit, hovered = self._view.selectionModel().isSelected(index), self._is_hovered(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_ground(painter, rect, self.theme, lit, hovered)
        if row.note:
            line = rect.adjusted(LEFT, 0, -RIGHT, 0)
            paint_line(painter, line, row.label, self._label_font, self.theme.ui.text_secondary)
        else:
            self._paint_row(painter, rect, row)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRectF, row: PartRow) -> None:
        box = QRectF(rect.left() + LEFT, rect.center().y() - GLYPH / 2, GLYPH, GLYPH)
        paint_glyph(painter, box, row.part.role, row.group, self.theme, self._letter_font)
        size_width = QFontMetricsF(self._text_font).horizontalAdvance(row.size)
        right = rect.right() - RIGHT
        secondary = self.theme.ui.text_secondary
        size = QRectF(right - size_width, rect.top(), size_width, rect.height())
        paint_line(painter, size, row.size, self._text_font, secondary, right=True)
        left = box.right() + 8
        width = min(self.label_width, 0.51 * (right - left))
        label = QRectF(left, rect.top(), width, rect.height())
        padding = row.part.role is Role.PADDING
        paint_line(painter, label, row.label, self._label_font, secondary if padding else self.theme.ui.text)
        words = QRectF(left + width + 10, rect.top(), 0, rect.height())
        words.setRight(size.left() - 8)
        value = row.part.role is Role.VALUE
        colour = self.theme.kind(row.group).fg if value else secondary
        paint_line(painter, words, row.words, self._text_font if value else self._label_font, colour)


def paint_glyph(painter: QPainter, box: QRectF, role: Role, group: str | None, theme: Theme, font: QFont) -> None:
    """Paint the key of a part: its letter on the tint that its bytes have, or a hatch."""
    letter = LETTERS.get(role)
    edge = box.adjusted(0.5, 0.5, -0.5, -0.5)
    if letter is None:
        tint = theme.structure("padding" if role is Role.PADDING else "gap")
        device = painter.device()
        ratio = device.devicePixelRatio() if device else 1.0
        surface: QColor = tint.bg
        painter.setPen(QPen(tint.line, 1))
        for brush in (surface, patterns.fine_hatch(tint.line, ratio)):
            painter.setBrush(brush)
            painter.drawRoundedRect(edge, 3, 3)
        return
    tint = theme.kind(group) if role is Role.VALUE else theme.structure("header" if letter == "H" else "length")
    painter.setBrush(tint.bg)
    painter.setPen(QPen(tint.line, 1))
    painter.drawRoundedRect(edge, 3, 3)
    painter.setFont(font)
    painter.setPen(tint.fg)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


class PartsView(QListView):
    """The table itself.

    Signals:
        picked: ``Part``: a person chose a part, with mouse or keyboard.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspectorParts")
        self.setAccessibleName("Parts")
        own_viewport(self)
        self.rows = PartsModel(self)
        self._delegate = PartDelegate(theme, self)
        self._quiet = False
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setStyleSheet("QListView { background: transparent; }")
        self.selectionModel().currentChanged.connect(self._choose)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._delegate.theme = theme
        self.viewport().update()

    def set_rows(self, rows: list[PartRow]) -> None:
        """Show other rows."""
        self._quiet = True
        self._delegate.measure(rows)
        self.rows.set_rows(rows)
        self._quiet = False
        self.updateGeometry()

    def light(self, offset: int) -> None:
        """Light the part that holds a byte."""
        index = self.rows.index(self.rows.row_at(offset))
        self._quiet = True
        self.setCurrentIndex(index)
        if not index.isValid():
            self.clearSelection()
        self._quiet = False

    def row_of(self, part: Part) -> QRectF:
        """Where the row of a part lies in the view."""
        row = next(k for k, shown in enumerate(self.rows.rows) if shown.part == part)
        return QRectF(self.visualRect(self.rows.index(row)))

    def _choose(self, current: QModelIndex) -> None:
        if not self._quiet and current.isValid():
            self.picked.emit(self.rows.rows[current.row()].part)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        again = index.isValid() and index == self.currentIndex()
        super().mousePressEvent(event)
        if again and event.button() is Qt.MouseButton.LeftButton:
            self._choose(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # the line of the focus does not scroll along

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            paint_focus_line(painter, QRectF(self.viewport().rect()), self._delegate.theme)
            painter.end()

    def sizeHint(self) -> QSize:
        return QSize(260, ROW * self.rows.rowCount())

    def minimumSizeHint(self) -> QSize:
        return QSize(160, ROW * min(6, self.rows.rowCount()))


# The bytes at the caret as numbers, little-endian and big-endian; a click copies one.

HEAD = 20
INSPECTOR_NUMBERS_ROW = 19
INSPECTOR_NUMBERS_LEFT = 14
KIND_WIDTH = 40
INSPECTOR_NUMBERS_RIGHT = 10
MISSING = "\u2013"
SAME = "="
Cell = tuple[int, int]


class NumbersGrid(QWidget):
    """Eleven number types in two byte orders.

    Signals:
        copy_asked: ``str``: a person wants this number on the clipboard.
    """

    copy_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspectorNumbers")
        self.setAccessibleName("Bytes at caret")
        self._theme = theme
        self._readings: list[NumberReading] = []
        self._font = fixed_font(Size.SECONDARY)
        self._small = ui_font(Size.SMALL)
        self._hovered: Cell | None = None
        self._cell: Cell = (0, 0)
        self._ring = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_readings(self, readings: list[NumberReading]) -> None:
        """Show other numbers."""
        resized = len(readings) != len(self._readings)
        self._readings = readings
        words = [f"{reading.kind} {text}" for reading in readings if (text := reading.texts[0]) is not None]
        self.setAccessibleDescription(", ".join(words))
        if resized:
            self.updateGeometry()
        self.update()

    def text_of(self, cell: Cell) -> str | None:
        """The number in a cell in full, None where there is none."""
        row, column = cell
        return self._readings[row].texts[column] if 0 <= row < len(self._readings) else None

    def cell_at(self, point: QPointF) -> Cell | None:
        """The cell under a point."""
        row = int((point.y() - HEAD) // INSPECTOR_NUMBERS_ROW)
        if not 0 <= row < len(self._readings) or point.x() < INSPECTOR_NUMBERS_LEFT + KIND_WIDTH:
            return None
        column = 1 if point.x() >= self._rect((row, 1)).left() else 0
        return (row, column)

    def _rect(self, cell: Cell) -> QRectF:
        row, column = cell
        width = (self.width() - INSPECTOR_NUMBERS_LEFT - KIND_WIDTH - INSPECTOR_NUMBERS_RIGHT) / 2
        return QRectF(
            INSPECTOR_NUMBERS_LEFT + KIND_WIDTH + column * width,
            HEAD + row * INSPECTOR_NUMBERS_ROW,
            width,
            INSPECTOR_NUMBERS_ROW,
        )

    def _shown(self, cell: Cell) -> str:
        row, column = cell
        reading = self._readings[row]
        text = reading.texts[column]
        if text is None:
            return MISSING
        if column and not reading.ordered:
            return SAME
        digit = QFontMetricsF(self._font).horizontalAdvance("0")
        return shortened(text, int((self._rect(cell).width() - 8) / digit))

    def _copy(self, cell: Cell | None) -> None:
        text = self.text_of(cell) if cell is not None else None
        if text is not None:
            self.copy_asked.emit(text)

    def _paint_cell(self, painter: QPainter, cell: Cell) -> None:
        rect = self._rect(cell)
        exists = self.text_of(cell) is not None
        if exists and cell == self._hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.ui.selection)
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 4, 4)
        text = self._shown(cell)
        plain = exists and text != SAME
        colour = self._theme.ui.text if plain else self._theme.ui.text_dim
        paint_line(painter, rect.adjusted(4, 0, 0, 0), text, self._font, colour)
        if self.hasFocus() and self._ring and cell == self._cell:
            paint_focus(painter, rect, self._theme)

    def sizeHint(self) -> QSize:
        return QSize(260, HEAD + INSPECTOR_NUMBERS_ROW * max(1, len(self._readings)) + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            cell = self.cell_at(QPointF(event.pos()))
            text = self.text_of(cell) if cell is not None else None
            if text is None and cell is not None:
                show_tip(event.globalPos(), "Too few bytes are left for this number", self)
            elif text is not None:
                show_tip(event.globalPos(), f"{text}\nClick to copy", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell != self._hovered:
            self._hovered = cell
            exists = cell is not None and self.text_of(cell) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if exists else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._copy(self.cell_at(event.position()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = has_ring(event, self._ring)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, column = self._cell
        steps = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None:
            last = max(0, len(self._readings) - 1)
            self._cell = (min(last, max(0, row + step[0])), min(1, max(0, column + step[1])))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._copy(self._cell)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        secondary = self._theme.ui.text_secondary
        for column, title in enumerate(("little-endian", "big-endian")):
            rect = self._rect((0, column))
            head = QRectF(rect.left() + 4, 0, rect.width() - 4, HEAD - 2)
            paint_line(painter, head, title, self._small, secondary)
        for row, reading in enumerate(self._readings):
            kind = QRectF(INSPECTOR_NUMBERS_LEFT, HEAD + row * INSPECTOR_NUMBERS_ROW, KIND_WIDTH, INSPECTOR_NUMBERS_ROW)
            paint_line(painter, kind, reading.kind, self._font, secondary)
            for column in range(2):
                self._paint_cell(painter, (row, column))
        painter.end()
