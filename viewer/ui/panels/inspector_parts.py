"""The parts of the selected value as a table: key glyph, name, meaning, bytes; the caret's part is lit."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
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
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from viewer.base.record import dataclass
from viewer.base.unseen import with_direction_note
from viewer.base.words import counted
from viewer.ui.look import patterns
from viewer.ui.look.fonts import Size, fixed_font, fixed_font_of, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_focus_line, paint_line, paint_row_ground
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
