"""Paints a row of search results: chip, path, the found text or bytes in what is around them, offset."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from viewer.document.replace import Row
from viewer.document.shown.hit_row import HitRow
from viewer.ui.look.chips import WIDTH as CHIP
from viewer.ui.look.chips import paint_chip
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.find_model import CurrentRole, Index, OffsetRole, ReplaceRole, RowRole
from viewer.ui.panels.pieces import paint_line, paint_row_ground

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

    def _paint_becoming(self, painter: QPainter, rect: QRectF, row: HitRow, becomes: Row, font: QFont) -> None:
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
