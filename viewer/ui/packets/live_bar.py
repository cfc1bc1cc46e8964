"""The bar that is there while traffic is recorded, and after: what is listened to, how much came, and Stop."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from viewer.document.shown.counts import counted, grouped
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.live import LiveState
from viewer.ui.panels.pieces import FlatButton, Line

HEIGHT = 30
LEFT = 36
DOT = 4.5


class LiveBar(QWidget):
    """A row with a sign, a sentence and buttons; hidden where nothing is or was recorded.

    Signals:
        stop_requested, start_requested, clear_requested, save_requested: its buttons.
    """

    stop_requested = Signal()
    start_requested = Signal()
    clear_requested = Signal()
    save_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("liveBar")
        self._theme = theme
        self._state = LiveState()
        self.sentence = Line(theme, ui_font(Size.SECONDARY), parent=self)
        self.sentence.setObjectName("liveSentence")
        self.save_button = self._button("Save…", "save", "Save what was recorded as pcapng")
        self.clear_button = self._button("Clear", "trash-2", "Forget the packets that are listed, and go on")
        self.start_button = self._button("Start Again", "refresh-cw", "Record on the same port again")
        self.stop_button = self._button("Stop", "x", "Stop recording; the packets stay")
        self.save_button.clicked.connect(self.save_requested)
        self.clear_button.clicked.connect(self.clear_requested)
        self.start_button.clicked.connect(self.start_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.stop_button.setObjectName("liveStop")
        self._lay_out()
        self.setFixedHeight(HEIGHT)
        self.hide()

    def _button(self, text: str, icon: str, tip: str) -> FlatButton:
        button = FlatButton(self._theme, text, icon, self)
        button.setToolTip(plain_tip(tip))
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self.sentence, 1)
        for button in (self.save_button, self.clear_button, self.start_button, self.stop_button):
            row.addWidget(button)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        self.sentence.set_theme(theme)
        self.update()

    def show_state(self, state: LiveState) -> None:
        """Say what is going on."""
        self._state = state
        self.sentence.set_text(words(state), "state.error.fg" if state.problem else "text")
        self.stop_button.setVisible(state.is_running)
        self.start_button.setVisible(not state.is_running)
        self.save_button.setEnabled(state.packets > 0)
        self.clear_button.setEnabled(state.packets > 0)
        self.setVisible(bool(state.label))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ui = self._theme.ui
        painter.fillRect(self.rect(), self._theme.state("error").bg if self._state.problem else ui.panel)
        painter.fillRect(0, self.height() - 1, self.width(), 1, ui.border)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(22, HEIGHT / 2)
        if self._state.problem:
            icons.draw(painter, "circle-x", self._theme, QRectF(14, HEIGHT / 2 - 8, 16, 16), "state.error.line")
        else:
            running = self._state.is_running
            tone = self._theme.state("ok").line if running else ui.text_secondary
            painter.setPen(QPen(tone, 1.6))
            painter.setBrush(tone if running else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, DOT, DOT)
        painter.end()


def words(state: LiveState) -> str:
    """What the bar says: ``Listening on 127.0.0.1:9000, 12 packets, 3 dropped``."""
    if state.is_running:
        said = [state.label, counted(state.packets, "packet")]
    else:
        said = [f"Stopped, {counted(state.packets, 'packet')} recorded"]
    if state.dropped:
        said.append(f"{grouped(state.dropped)} dropped, too many came at once")
    text = ", ".join(said)
    return f"{state.problem} {text}." if state.problem else text
