"""A floating card with a field and a list: write to narrow the list down, arrows to move, Enter to choose."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from viewer.base.record import dataclass
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_line, paint_row_ground
from viewer.ui.panels.panel_widgets import ElidedLine, plain_field_style

# The rows of a floating list: what one tells, the model that holds them, and how one is painted.

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


SHADOW = 12
WIDTH = 560
TOP = 40
FIELD = 36
FOOT = 28
MOST_ROWS = 12
EDGE = 16
STAY_REASONS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class ListCard(QWidget):
    """Lies over a window until something is chosen, Escape is pressed, or the focus goes elsewhere.

    Args:
        theme: its colours.
        window: over which it lies.
        title: what it is, for those who listen and as its field's hint.
        icon: name of the icon before the field.

    Attributes:
        own_keys: keys that are told by :attr:`pressed` instead of being written into the field.

    Signals:
        edited: ``str``: the field holds another text.
        chosen: ``int``: the row was chosen by Enter or a click; nothing else happens then.
        entered: Enter was pressed and there is no row.
        pressed: ``(Qt.Key, int)``: one of the own keys, and the row.
        closed: it went away.
    """

    edited = Signal(str)
    chosen = Signal(int)
    entered = Signal()
    pressed = Signal(object, int)
    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget, title: str, icon: str) -> None:
        super().__init__(window)
        self._theme, self._icon = theme, icon
        self._back: QWidget | None = None
        self._hint = ""
        self.own_keys: frozenset[Qt.Key] = frozenset()
        self.setAccessibleName(title)
        self.model = CardModel(self)
        self.field = _Field(self)
        self.field.setAccessibleName(title)
        self.field.setFont(ui_font(Size.UI))
        self.field.setFrame(False)
        self.list = _List(theme, self)
        self.list.setModel(self.model)
        self.foot = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self._lay_out()
        self.field.textEdited.connect(self.edited)
        self.list.clicked.connect(self._click)
        window.installEventFilter(self)
        self.hide()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SHADOW + 1, SHADOW + 1, SHADOW + 1, SHADOW + 1)
        column.setSpacing(0)
        self.field.setTextMargins(LEFT + 26, 0, LEFT, 0)
        self.foot.setFixedHeight(FOOT)
        self.foot.setContentsMargins(LEFT, 0, LEFT, 0)
        column.addWidget(self.field)
        column.addSpacing(1)
        column.addWidget(self.list, 1)
        column.addSpacing(1)
        column.addWidget(self.foot)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        height = f"QLineEdit {{ min-height: {FIELD}px; max-height: {FIELD}px; }}"  # a sheet overrules a fixed height
        self.field.setStyleSheet(plain_field_style(theme).replace("min-height: 0;", "") + height)
        self.list.set_theme(theme)
        self.foot.set_theme(theme)
        self.update()

    # What it shows

    @property
    def rows(self) -> tuple[CardRow, ...]:
        """The rows that it shows."""
        return self.model.rows

    @property
    def row(self) -> int:
        """The row that Enter would choose, -1 for none."""
        return self.list.currentIndex().row()

    def set_rows(self, rows: Sequence[CardRow], row: int = 0, hint: str = "") -> None:
        """Show other rows, one of them current, and words at the foot."""
        self.model.set_rows(rows)
        self._hint = hint
        self.say(hint)
        self.move_to(min(row, len(rows) - 1))
        self._place()

    def say(self, sentence: str, is_error: bool = False) -> None:
        """Put words at the foot until the rows change."""
        self.foot.set_text(sentence, "state.error.fg" if is_error else "text_secondary")

    def move_to(self, row: int) -> None:
        """Make a row the current one."""
        self.list.setCurrentIndex(self.model.index(row, 0) if row >= 0 else QModelIndex())

    def choose(self) -> None:
        """Do what Enter does."""
        if self.row >= 0:
            self.chosen.emit(self.row)
        else:
            self.entered.emit()

    # Coming and going

    def open(self, text: str = "") -> None:
        """Lie over the window and take the focus."""
        if self.isHidden():
            self._back = QApplication.focusWidget()
        self.field.setText(text)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self, restore: bool = True) -> None:
        """Go away; with *restore* the focus goes back to where it was."""
        if self.isHidden():
            return
        back, self._back = self._back, None
        self.hide()
        if restore:
            give_focus_back(back)
        self.closed.emit()

    def dismiss_quietly(self) -> None:
        """Go away and leave the focus where it is or falls to."""
        self.dismiss(restore=False)

    def step(self, rows: int) -> None:
        """Move so many rows down; single steps go around the end."""
        count = self.model.rowCount()
        if count:
            now = self.row + rows
            self.move_to(now % count if abs(rows) == 1 else max(0, min(now, count - 1)))

    def _click(self, index: QModelIndex) -> None:
        self.move_to(index.row())
        self.choose()

    def _place(self) -> None:
        window = self.parentWidget()
        if window is None:
            return
        width = min(scaled(WIDTH), window.width() - 2 * EDGE) + 2 * SHADOW
        most = min(MOST_ROWS, (window.height() - TOP - FIELD - FOOT - EDGE) // ROW)
        rows = max(1, min(most, self.model.rowCount()))
        height = FIELD + FOOT + rows * ROW + 4 + 2 * SHADOW
        self.setGeometry((window.width() - width) // 2, TOP - SHADOW, width, height)

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, FIELD + FOOT + ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        card, ui = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW), self._theme.ui
        paint_card(painter, card, self._theme)
        for y in (card.top() + 1 + FIELD, card.bottom() - 2 - FOOT):
            painter.fillRect(QRectF(card.left() + 1, y, card.width() - 2, 1), ui.border)
        box = QRectF(card.left() + 1 + LEFT, card.top() + 1 + (FIELD - 16) / 2, 16, 16)
        icons.draw(painter, self._icon, self._theme, box)
        painter.end()


def give_focus_back(widget: QWidget | None) -> None:
    """Give the focus to the widget that had it, unless that is gone or not to be seen any more."""
    if widget is not None and isValid(widget) and widget.isVisible():
        widget.setFocus(Qt.FocusReason.OtherFocusReason)


def paint_card(painter: QPainter, card: QRectF, theme: Theme) -> None:
    """Paint the surface of a floating card and the shade around it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    shade = QColor(0, 0, 0)
    shade.setAlphaF(0.05 if theme.is_dark else 0.014)
    painter.setBrush(shade)
    for spread in range(SHADOW - 2, 0, -1):
        painter.drawRoundedRect(card.adjusted(-spread, 2 - spread, spread, spread), 6 + spread, 6 + spread)
    painter.setPen(QPen(theme.ui.border_strong, 1))
    painter.setBrush(theme.ui.raised)
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    painter.restore()


class _List(QListView):
    """The rows; the keys stay with the field."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._delegate = CardDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet("background: transparent;")

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()


class _Field(QLineEdit):
    """Gives the keys that move and choose to its card."""

    def __init__(self, card: ListCard) -> None:
        super().__init__(card)
        self._card = card

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            own = event.key() in self._card.own_keys and not event.modifiers()
            if own or event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        card, key = self._card, Qt.Key(event.key()) if event.key() else None
        if key in card.own_keys and not event.modifiers() and (key != Qt.Key.Key_Delete or not self.text()):
            card.pressed.emit(key, card.row)
        elif key == Qt.Key.Key_Escape:
            card.dismiss()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            card.choose()
        elif key in STEPS:
            card.step(STEPS[key])
        elif key in ENDS and (event.modifiers() & CONTROL or not self.text()):
            card.move_to(0 if key == Qt.Key.Key_Home else card.model.rowCount() - 1)
        elif key not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            super().keyPressEvent(event)
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return True  # the list has no focus of its own to go to

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in STAY_REASONS:
            self._card.dismiss(restore=False)


CONTROL = Qt.KeyboardModifier.ControlModifier
ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
STEPS: dict[Qt.Key | None, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}
