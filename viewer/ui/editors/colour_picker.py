"""Choosing a colour by eye: a square of shades, and sliders for the hue and each channel; by mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QLinearGradient, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.document.viewmodel.row_data import Rgba
from viewer.ui.look import patterns
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import FocusRing, paint_focus

SQUARE = 124
SLIDER = 18
KNOB = 5
EDGE, THIN = KNOB + 2, 4
STEP, PAGE = 1 / 255, 16 / 255
HUES = 6


class _Ground(QWidget):
    """What slider and square share: a surface that is pressed and stepped on."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._ring = FocusRing(self)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def room(self) -> QRectF:
        """Where the colours are; the mark of what is chosen reaches over its edges."""
        thin = THIN if self.height() <= SLIDER else EDGE
        return QRectF(self.rect()).adjusted(EDGE, thin, -EDGE, -thin)

    def place(self, point: QPointF) -> None:
        """The mouse is pressed at a point."""
        raise NotImplementedError

    def shift(self, across: float, up: float) -> bool:
        """A key asks for more or less, by a share of all; whether it means anything."""
        raise NotImplementedError

    def share(self, point: QPointF) -> tuple[float, float]:
        """Where a point lies in the room, 0 to 1 to the right and up."""
        room = self.room
        return (
            min(max((point.x() - room.left()) / room.width(), 0.0), 1.0),
            min(max((room.bottom() - point.y()) / room.height(), 0.0), 1.0),
        )

    def knob(self, painter: QPainter, at: QPointF) -> None:
        """Paint the mark of what is chosen, seen on each colour."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((Qt.GlobalColor.black, 3.0), (Qt.GlobalColor.white, 1.5)):
            painter.setPen(QPen(colour, width))
            painter.drawEllipse(at, KNOB, KNOB)
        if self._ring.is_shown:
            paint_focus(painter, QRectF(self.rect()), self._theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.place(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.place(event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (-STEP, 0.0),
            Qt.Key.Key_Right: (STEP, 0.0),
            Qt.Key.Key_Up: (0.0, STEP),
            Qt.Key.Key_Down: (0.0, -STEP),
            Qt.Key.Key_PageUp: (0.0, PAGE),
            Qt.Key.Key_PageDown: (0.0, -PAGE),
            Qt.Key.Key_Home: (-1.0, 0.0),
            Qt.Key.Key_End: (1.0, 0.0),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self.shift(*step):
            super().keyPressEvent(event)


class ColourSlider(_Ground):
    """One channel or the hue, from 0 to 1, over the colours that it would make.

    Signals:
        moved: ``float``: a person chose another place.
    """

    moved = Signal(float)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self.value = 0.0
        self._stops: Sequence[QColor] = ()
        self.setFixedHeight(SLIDER)
        self.setMinimumWidth(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_value(self, value: float, stops: Sequence[QColor]) -> None:
        """Show another place, over other colours."""
        self.value, self._stops = _channel(value), stops
        self.setAccessibleDescription(f"{self.value:.3g}")
        self.update()

    def place(self, point: QPointF) -> None:
        """Choose the place under the mouse, in steps of a byte."""
        self._choose(round(self.share(point)[0] * 255) / 255)

    def shift(self, across: float, up: float) -> bool:
        """Choose a place beside this one."""
        self._choose(min(max(self.value + across + up, 0.0), 1.0))
        return True

    def _choose(self, value: float) -> None:
        if value != self.value:
            self.value = value
            self.moved.emit(value)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(90, SLIDER)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = self.room
        gradient = QLinearGradient(room.topLeft(), room.topRight())
        for k, colour in enumerate(self._stops):
            gradient.setColorAt(k / max(1, len(self._stops) - 1), colour)
        painter.setPen(self._theme.ui.border_strong)
        for brush in (patterns.checkerboard("#ffffff", "#c2c7ce", self.devicePixelRatioF()), gradient):
            painter.setBrush(brush)
            painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        self.knob(painter, QPointF(room.left() + self.value * room.width(), room.center().y()))
        painter.end()


class ShadeSquare(_Ground):
    """The shades of one hue: fuller to the right, brighter upwards.

    Signals:
        moved: ``float, float``: a person chose another saturation and brightness.
    """

    moved = Signal(float, float)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Shade: left and right for how full, up and down for how bright")
        self.hue = self.fullness = self.brightness = 0.0
        self.setFixedSize(SQUARE, SQUARE)

    def show_shade(self, hue: float, fullness: float, brightness: float) -> None:
        """Show another shade; all from 0 to 1."""
        self.hue, self.fullness, self.brightness = hue, fullness, brightness
        self.setAccessibleDescription(f"{fullness:.2f} full, {brightness:.2f} bright")
        self.update()

    def place(self, point: QPointF) -> None:
        """Choose the shade under the mouse."""
        self._choose(*self.share(point))

    def shift(self, across: float, up: float) -> bool:
        """Choose a shade beside this one."""
        fullness, brightness = self.fullness + across, self.brightness + up
        self._choose(min(max(fullness, 0.0), 1.0), min(max(brightness, 0.0), 1.0))
        return True

    def _choose(self, fullness: float, brightness: float) -> None:
        self.fullness, self.brightness = fullness, brightness
        self.moved.emit(fullness, brightness)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = self.room
        across = QLinearGradient(room.topLeft(), room.topRight())
        across.setColorAt(0, Qt.GlobalColor.white)
        across.setColorAt(1, QColor.fromHsvF(self.hue, 1, 1))
        down = QLinearGradient(room.topLeft(), room.bottomLeft())
        down.setColorAt(0, Qt.GlobalColor.transparent)
        down.setColorAt(1, Qt.GlobalColor.black)
        painter.setPen(self._theme.ui.border_strong)
        for brush in (across, down):
            painter.setBrush(brush)
            painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        at = QPointF(room.left() + self.fullness * room.width(), room.bottom() - self.brightness * room.height())
        self.knob(painter, at)
        painter.end()


def _channel(value: float) -> float:
    return min(max(value, 0.0), 1.0) if value == value else 0.0


def _with(colour: QColor, channel: int, value: float) -> QColor:
    """A colour with another value of one channel."""
    parts = [colour.redF(), colour.greenF(), colour.blueF(), 1.0]
    parts[channel] = value
    red, green, blue, alpha = parts
    return QColor.fromRgbF(red, green, blue, alpha)


class ColourPicker:
    """Square, hue and channels, kept in step with one colour.

    Args:
        theme: the colours.
        names: of the four channels.

    Attributes:
        square, hue, channels: the widgets, to be laid out.
    """

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        self.square = ShadeSquare(theme)
        self.hue = ColourSlider(theme, "hue")
        self.channels = [ColourSlider(theme, f"{name}, slider") for name in names]
        self._hues = [QColor.fromHsvF(k / HUES % 1, 1, 1) for k in range(HUES + 1)]

    @property
    def widgets(self) -> list[QWidget]:
        """All of them, in the order of the keyboard."""
        return [*self.channels, self.square, self.hue]

    def shade(self) -> tuple[float, float, float]:
        """Red, green and blue of the square."""
        colour = QColor.fromHsvF(self.square.hue, self.square.fullness, self.square.brightness)
        return colour.redF(), colour.greenF(), colour.blueF()

    def keep_hue(self, hue: float) -> None:
        """Show a hue that a person chose: of a grey or a rounded colour nothing tells it."""
        self.square.show_shade(hue, self.square.fullness, self.square.brightness)
        self.hue.show_value(hue, self._hues)

    def show_colour(self, rgba: Rgba) -> None:
        """Show another colour; what has no hue of its own keeps the one that is shown."""
        red, green, blue, alpha = map(_channel, rgba)
        colour = QColor.fromRgbF(red, green, blue)
        hue = colour.hsvHueF() if colour.hsvSaturationF() > 0 and isfinite(colour.hsvHueF()) else self.square.hue
        hue = hue if hue >= 0 else self.square.hue
        self.square.show_shade(hue, colour.hsvSaturationF(), colour.valueF())
        self.hue.show_value(hue, self._hues)
        parts = [red, green, blue, alpha]
        for k, slider in enumerate(self.channels):
            slider.show_value(parts[k], [_with(colour, k, end) for end in (0.0, 1.0)])
