"""A flat button with a bar that shows a share, and words beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter

from viewer.document.document import Document
from viewer.ui.look.plain_text import show_tip
from viewer.ui.panels.pieces import FlatButton, paint_line

BAR_WIDTH, BAR_HEIGHT = 40, 4


class ShareButton(FlatButton):
    """Says how it stands with the bytes of :attr:`document` in its tooltip, which is summed up when asked for.

    Attributes:
        share: what the bar shows, from 0 to 1.
        document: whose bytes, None for none.
    """

    share = 1.0
    document: Document | None = None

    def _summed_up(self) -> str:
        from viewer.document.account import standing_lines

        lines = standing_lines(self.document) if self.document is not None else []
        return "\n".join([self.toolTip(), *lines])

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        show_tip(event.globalPos(), self._summed_up(), self)
        return True

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(BAR_WIDTH + 8, 0)

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT)
        tint = self._theme.state("ok" if self.share >= 1 else "warning")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.ui.border)
        painter.drawRoundedRect(bar, 2, 2)
        bar.setWidth(max(BAR_HEIGHT, BAR_WIDTH * self.share))
        painter.setBrush(tint.line)
        painter.drawRoundedRect(bar, 2, 2)
        rect.setLeft(rect.left() + BAR_WIDTH + 8)
        paint_line(painter, rect, self.text(), self.font(), self._theme.ui.text_secondary)
