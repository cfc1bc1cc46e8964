"""The banner under the tool row: one fact about the file, one thing to do about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from viewer.base.diagnostic import Severity
from viewer.base.words import grouped_in
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton

HEIGHT = 32
LEFT = 36
MOST_LINES = 3
HIGHEST = 10_000
"""More pixels than any sentence takes."""
LOOKS = {
    Severity.NOTE: ("note", "info"),
    Severity.WARNING: ("warning", "triangle-alert"),
    Severity.ERROR: ("error", "circle-x"),
}


class BannerSentence(ElidedLine):
    """A sentence that takes more lines where one is too narrow; what does not fit into these is shortened.

    Signals:
        heightened: ``int``: it takes so many pixels more than one line does.
    """

    heightened = Signal(int)

    def _more(self) -> int:
        """What it takes beside the first line."""
        metrics = QFontMetricsF(self.font())
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        taken = metrics.boundingRect(QRectF(0, 0, max(1, self.width()), HIGHEST), flags, self.text()).height()
        lines = round(taken / metrics.lineSpacing())
        return round((lines - 1) * metrics.lineSpacing()) if 1 < lines <= MOST_LINES else 0

    def _keep_tip(self) -> None:
        more = self._more()
        self.setFixedHeight(super().sizeHint().height() + more)
        self.heightened.emit(more)
        if more:
            self.setToolTip("")
        else:
            super()._keep_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._more():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.named(self._role))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(self.contentsRect()), flags, self.text())
        painter.end()


class Banner(QWidget):
    """A row with icon, sentence, one action and a close button; hidden until it has something to say.

    Signals:
        closed: a person closed it.
    """

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._theme = theme
        self._severity = Severity.NOTE
        self._do: Callable[[], object] | None = None
        self.sentence = BannerSentence(theme, ui_font(Size.SECONDARY), parent=self)
        self.action_button = FlatButton(theme, parent=self)
        self.action_button.setFont(ui_font(Size.SECONDARY, strong=True))
        self.action_button.clicked.connect(self._act)
        self.close_button = IconButton(theme, "x", "Close this message", self)
        self.close_button.clicked.connect(self._close)
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, 8, 1)
        row.setSpacing(8)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.action_button)
        row.addWidget(self.close_button)
        self.setFixedHeight(HEIGHT)
        self.sentence.heightened.connect(lambda more: self.setFixedHeight(HEIGHT + more))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.sentence, self.action_button, self.close_button):
            part.set_theme(theme)
        self.update()

    def tell(
        self,
        sentence: str,
        severity: Severity = Severity.NOTE,
        action: str = "",
        do: Callable[[], object] | None = None,
    ) -> None:
        """Say a fact; *action* are the words of a button that does *do* and closes the banner."""
        self._severity, self._do = severity, do
        role = f"state.{LOOKS[severity][0]}.fg"
        sentence = grouped_in(sentence)
        self.sentence.set_text(sentence, role)
        self.action_button.set_look(action, "", "", role)
        self.action_button.setVisible(bool(action))
        self.setAccessibleName(f"{severity.word}: {sentence}")
        self.show()
        self.update()

    def _act(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        name, icon = LOOKS[self._severity]
        painter.fillRect(self.rect(), self._theme.state(name).bg)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.ui.border)
        icons.draw(painter, icon, self._theme, QRectF(12, (self.height() - 17) / 2, 16, 16), f"state.{name}.line")
        painter.end()
