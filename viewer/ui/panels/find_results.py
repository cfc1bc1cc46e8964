"""The list of search results: every place found with its path and surroundings, filled while the search runs."""

from __future__ import annotations

from functools import partial

from PySide6 import QtWidgets
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from viewer.base.record import replace
from viewer.base.words import counted, grouped
from viewer.document.searching.hits import HitRow, hit_row, type_row
from viewer.document.searching.query import LIMIT, Mode
from viewer.document.searching.replace import ReplaceRow
from viewer.document.viewmodel.number_table import offset_text
from viewer.ui.look.chips import WIDTH as CHIP
from viewer.ui.look.chips import paint_chip
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.find_runner import FindRunner, InsideHit
from viewer.ui.panels.panel_painting import paint_line, paint_row_ground
from viewer.ui.panels.panel_widgets import PaneTitle
from viewer.ui.panels.replacer import Replacer
from viewer.ui.panels.row_list import RowList
from viewer.ui.session import Session

# The places that a search found as rows; what a row tells is read when it is painted.

RowRole = Qt.ItemDataRole.UserRole + 1
OffsetRole = Qt.ItemDataRole.UserRole + 2
CurrentRole = Qt.ItemDataRole.UserRole + 3
ReplaceRole = Qt.ItemDataRole.UserRole + 4
KEPT = 512
Index = QModelIndex | QPersistentModelIndex


class FindModel(QAbstractListModel):
    """The hits of a runner.

    Args:
        session: whose document they lie in.
        runner: finds them.
    """

    def __init__(self, session: Session, runner: FindRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        self._count = 0
        self._generation = -1
        self._rows: dict[int, HitRow] = {}
        self._replacer: Replacer | None = None
        session.opened.connect(self._rows.clear)
        session.changed.connect(self._forget)

    def show_replacing(self, replacer: Replacer) -> None:
        """Tell of every place what it would become, where the replacer knows."""
        self._replacer = replacer

    def _becomes(self, row: int) -> ReplaceRow | None:
        is_in_file = row < len(self._runner.hits)
        return self._replacer.row(row) if self._replacer is not None and is_in_file else None

    def take(self) -> None:
        """Take over what the runner knows: more rows, or other ones."""
        runner, count = self._runner, self._runner.total
        if runner.generation != self._generation or count < self._count:
            self.beginResetModel()
            self._rows.clear()
            self._generation, self._count = runner.generation, count
            self.endResetModel()
        elif count > self._count:
            self.beginInsertRows(QModelIndex(), self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def _forget(self, *_: object) -> None:
        self._rows.clear()

    def _row(self, row: int) -> HitRow:
        document = self._session.document
        if row not in self._rows:
            if len(self._rows) >= KEPT:
                self._rows.clear()
            hits = self._runner.hits
            as_bytes = self._runner.query.mode is Mode.HEX
            as_type = self._runner.query.mode is Mode.TYPE
            known = document is not None and row < len(hits) and hits[row].end <= len(document.buffer)
            told = type_row if as_type else partial(hit_row, as_bytes=as_bytes)
            inside = self._inside(row)
            if inside is not None:
                self._rows[row] = replace(told(inside.spot.document, inside.span), path=inside.spot.path)
            else:
                self._rows[row] = told(document, hits[row]) if document and known else HitRow("")
        return self._rows[row]

    def _inside(self, row: int) -> InsideHit | None:
        """The hit of a row inside a value, None for those of the file."""
        number = row - len(self._runner.hits)
        return self._runner.inside[number] if 0 <= number < len(self._runner.inside) else None

    def _offset(self, row: int) -> str:
        inside = self._inside(row)
        if inside is not None:
            return f"+0x{inside.span.start:X}"
        document, hits = self._session.document, self._runner.hits
        if document is None or row >= len(hits):
            return ""
        return offset_text(document.place(hits[row]).start, len(document.shown))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = index.row()
        if role == RowRole:
            return self._row(row)
        if role == OffsetRole:
            return self._offset(row)
        if role == CurrentRole:
            return row == self._runner.index
        if role == ReplaceRole:
            return self._becomes(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._row(row).text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(self._words(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(self._words(row)))
        return None

    def _words(self, row: int) -> tuple[str, ...]:
        """What a row tells: path, text, what becomes of it, offset."""
        becomes, shown = self._becomes(row), self._row(row)
        words = () if becomes is None else (becomes.problem or f"→ {becomes.after}",)
        return shown.path, shown.text, *words, self._offset(row)


# Paints a row of search results: chip, path, the found text or bytes in what is around them, offset.

ROW = 24
LEFT = 14
GAP = 8
PATH_SHARE = 0.36
PATH_MOST = 420


class HitDelegate(QStyledItemDelegate):
    """Paints one line a row.

    Attributes:
        theme: the colours to paint in.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self._font = fixed_font(Size.SECONDARY)

    def _paint_preview(self, painter: QPainter, rect: QRectF, row: HitRow, font: QFont, is_current: bool) -> None:
        """The text around the hit, the hit itself in a filled box, framed where it is the current one."""
        theme, metrics = self.theme, QFontMetricsF(font)
        tint = theme.state("search_current" if is_current else "search")
        found = metrics.horizontalAdvance(row.found)
        before = metrics.elidedText(row.before, Qt.TextElideMode.ElideLeft, max(0.0, rect.width() - found - 24))
        rect.setLeft(rect.left() + paint_line(painter, rect, before, font, theme.ui.text_secondary))
        box = QRectF(rect.left(), rect.top() + 3, min(found, max(0.0, rect.width())), rect.height() - 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tint.line, 2 if is_current else 1))
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(box.adjusted(-1.5, 0.5, 1.5, -0.5), 3, 3)
        rect.setLeft(rect.left() + paint_line(painter, rect, row.found, font, tint.fg) + 2)
        rect.setLeft(rect.left() + paint_line(painter, rect, row.after, font, theme.ui.text_secondary))
        paint_line(painter, rect, row.rest, font, theme.kind(row.group).fg if not row.rest else theme.ui.text)

    def _paint_becoming(self, painter: QPainter, rect: QRectF, row: HitRow, becomes: ReplaceRow, font: QFont) -> None:
        """What stands there crossed out, what will stand there in a box; or why it stays."""
        theme, metrics = self.theme, QFontMetricsF(font)
        old, new = theme.state("error" if becomes.problem else "search"), theme.state("ok")
        most = rect.width() / 3
        before = metrics.elidedText(row.before, Qt.TextElideMode.ElideLeft, most)
        rect.setLeft(rect.left() + paint_line(painter, rect, before, font, theme.ui.text_secondary))
        crossed = QFont(font)
        crossed.setStrikeOut(not becomes.problem)
        found = metrics.elidedText(row.found, Qt.TextElideMode.ElideRight, most)
        rect.setLeft(rect.left() + paint_line(painter, rect, found, crossed, old.fg) + GAP)
        if becomes.problem:
            paint_line(painter, rect, becomes.problem, ui_font(Size.SECONDARY), theme.state("error").fg)
            return
        rect.setLeft(rect.left() + paint_line(painter, rect, "→", font, theme.ui.text_secondary) + GAP)
        words = metrics.elidedText(becomes.new or "nothing", Qt.TextElideMode.ElideRight, most)
        box = QRectF(rect.left(), rect.top() + 3, metrics.horizontalAdvance(words), rect.height() - 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(new.line, 1))
        painter.setBrush(new.bg)
        painter.drawRoundedRect(box.adjusted(-1.5, 0.5, 1.5, -0.5), 3, 3)
        rect.setLeft(rect.left() + paint_line(painter, rect, words, font, new.fg) + 2)
        paint_line(painter, rect, row.after, font, theme.ui.text_secondary)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: HitRow = index.data(RowRole)
        rect, ui, font = QRectF(option.rect), self.theme.ui, self._font
        painter.save()
        selected = bool(option.state & QtWidgets.QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QtWidgets.QStyle.StateFlag.State_MouseOver)
        paint_row_ground(painter, rect, self.theme, selected, hovered)
        chip = QRectF(rect.left() + LEFT, rect.top(), CHIP, rect.height())
        paint_chip(painter, chip, row.chip, row.group, self.theme, gap=not row.chip)
        rect.adjust(LEFT + CHIP + GAP, 0, -LEFT, 0)
        offset = index.data(OffsetRole)
        paint_line(painter, rect, offset, font, ui.text_secondary, right=True)
        rect.setRight(rect.right() - QFontMetricsF(font).horizontalAdvance(offset) - 2 * GAP)
        path = QRectF(rect.topLeft(), rect.bottomLeft() + QPointF(min(PATH_MOST, rect.width() * PATH_SHARE), 0))
        paint_line(painter, path, row.path, font, ui.text, Qt.TextElideMode.ElideMiddle)
        rect.setLeft(path.right() + 2 * GAP)
        becomes = index.data(ReplaceRole)
        if becomes is None:
            self._paint_preview(painter, rect, row, font, bool(index.data(CurrentRole)))
        else:
            self._paint_becoming(painter, rect, row, becomes, font)
        painter.restore()


NOTHING_ASKED = "What is found is listed here. Type what to look for in the search field: Ctrl+F."


class FindResults(QWidget):
    """The places that a search found.

    Args:
        session: what is open.
        runner: does the searching.
        theme: its colours.

    Signals:
        closed: the close button.
        entered: a row was chosen with Enter; the focus should go to where the caret is now.
        escaped: Escape was pressed in the list; the focus should go to the search field.
    """

    closed = Signal()
    entered = Signal()
    escaped = Signal()

    def __init__(self, session: Session, runner: FindRunner, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("findResults")
        self.setAccessibleName("Found")
        self._session, self._runner, self._theme = session, runner, theme
        self._replacer: Replacer | None = None
        self.rows = FindModel(session, runner, self)
        self.title = PaneTitle(theme, "Found", self)
        self.list = RowList(theme, self.rows)
        self.list.setObjectName("findList")
        self.list.setAccessibleName("Places found")
        self.list.set_delegate(HitDelegate(theme, self.list))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.list, 1)
        self.title.closed.connect(self.closed)
        self.list.clicked.connect(self._go)
        self.list.entered_row.connect(self._enter)
        self.list.escaped.connect(self.escaped)
        runner.hits_changed.connect(self._take)
        self._take()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.list.set_theme(theme)
        self.update()

    def show_replacing(self, replacer: Replacer) -> None:
        """Show beside every place what it would become."""
        if self._replacer is not replacer:
            self._replacer = replacer
            self.rows.show_replacing(replacer)
            replacer.changed.connect(self.list.viewport().update)

    @property
    def words(self) -> str:
        """How much was found, in words."""
        runner, count = self._runner, self._runner.total
        if runner.query.is_empty or self._session.document is None:
            return ""
        if runner.is_cut:
            return f"the first {grouped(LIMIT)} places; there are more: type more of what you look for"
        places = (counted(count, "place") if count else "nothing") + self._scope_words() + self._skipped_words()
        searched = f"{runner.progress:.0%} searched".replace("%", "\u202f%")
        if runner.error:
            return runner.error
        if runner.is_stopped:
            return f"{places}, stopped: {searched}"
        return places if runner.is_complete else f"{places} so far, {searched}"

    def _scope_words(self) -> str:
        return f" in {self._runner.scope_path}" if self._runner.scope_path else ""

    def _skipped_words(self) -> str:
        """Texts that an expression was not run at: what is not said would be taken for nothing found."""
        skipped = self._runner.skipped
        return f", {counted(skipped, 'text')} left out: too long, too slow or not UTF-8" if skipped else ""

    def _take(self) -> None:
        """Show what the runner knows; while nobody sees it, only the words."""
        self.title.detail.set_text(self.words)
        self.list.empty = self._empty_words()
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        self.rows.take()
        row = self._runner.index
        if row >= 0 and self.list.currentIndex().row() != row:
            self.list.setCurrentIndex(self.rows.index(row))
        self.list.viewport().update()

    def _empty_words(self) -> str:
        runner = self._runner
        if runner.query.is_empty:
            return runner.refused or NOTHING_ASKED
        if not runner.is_complete:
            return "Looking …"
        if runner.error:
            return runner.error
        where = "what was searched until it was stopped" if runner.is_stopped else runner.scope_path or "this file"
        return f"“{runner.query.text}” was not found in {where}."

    def _go(self, index: Index) -> None:
        self._runner.go(index.row())

    def _enter(self, index: Index) -> None:
        if index.isValid():
            self._runner.go(index.row())
            self.entered.emit()

    def showEvent(self, event: object) -> None:
        self._fill()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The list has the focus for the pane. A focus proxy would let Tab skip the buttons of the title."""
        self.list.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(500, 28 + ROW * 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()
