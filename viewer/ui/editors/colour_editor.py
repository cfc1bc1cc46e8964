"""The editor of a colour: by eye, its channels by sliders and numbers, HTML's form, the platform's chooser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from itertools import pairwise
from math import isfinite

from PySide6 import QtWidgets
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QLinearGradient, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget
from viewer.document.forms.typed_values import from_byte, is_hdr, parse_html, to_byte
from viewer.document.viewmodel.row_data import Rgba
from viewer.ui.dialogs import spelled_colour
from viewer.ui.editors.fields import NumberField, heading, label, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look import chips, patterns
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_focus
from viewer.ui.panels.panel_widgets import FocusRing
from viewer.variant.literal.html_colour import text_of

# The picker: a square of shades, and sliders for the hue and each channel; by mouse and keys.


SQUARE = 124
SLIDER = 18
KNOB = 5
EDGE, THIN = KNOB + 2, 4
STEP, PAGE = 1 / 255, 16 / 255
CHANNEL_STEP = Decimal("0.01")
"""What the arrow keys add to a channel, whose full strength is 1."""
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
        super().__init__(theme, "Shade: left and right for saturation, up and down for brightness")
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


# The editor.


CHANNELS = ("red", "green", "blue", "alpha")
SWATCH = 28


class ColourEditor(Editor):
    """A Color, or an element of an array of them. Channels above 1 are kept: they are brighter than a screen shows."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, tuple)
        self.swatch = _Swatch(theme)
        self.picker = ColourPicker(theme, CHANNELS)
        self.channels = [self._channel(k) for k in range(4)]
        self.bytes = [self._byte(k) for k in range(4)]
        self.html = QLineEdit()
        self.html.setFont(fixed_font())
        self.html.setAccessibleName("HTML colour")
        self.chooser = QPushButton("Ch&oose…")
        self.chooser.setAutoDefault(False)
        self.hdr = note()
        self._lay_out()
        self._follow(self._colour())
        self.picker.square.moved.connect(self._shade_chosen)
        self.picker.hue.moved.connect(self._hue_chosen)
        for k, slider in enumerate(self.picker.channels):
            slider.moved.connect(partial(self._slid, k))
        self.html.textEdited.connect(self._html_typed)
        self.chooser.clicked.connect(self._choose)

    def _channel(self, k: int) -> NumberField:
        assert isinstance(self.target.data, tuple)
        number = self.target.data[k]
        assert isinstance(number, int | float)
        field = NumberField(number, "f32", CHANNELS[k])
        field.unit = CHANNEL_STEP
        field.textChanged.connect(self._channel_typed)
        return field

    def _byte(self, k: int) -> NumberField:
        field = NumberField(to_byte(self.channels[k].number()), "i32", f"{CHANNELS[k]} from 0 to 255")
        field.setToolTip("0 … 255, and more where it is brighter")
        field.textChanged.connect(partial(self._byte_typed, k))
        return field

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(16)
        picker = QVBoxLayout()
        picker.setSpacing(4)
        for widget in (self.picker.square, self.picker.hue):
            picker.addWidget(widget)
        picker.addStretch(1)
        row.addLayout(picker)
        grid = QGridLayout()
        grid.setSpacing(8)
        for k, name in enumerate(CHANNELS):
            grid.addWidget(heading(name), 0, k + 1, Qt.AlignmentFlag.AlignHCenter)
            grid.addWidget(self.channels[k], 1, k + 1)
            grid.addWidget(self.picker.channels[k], 2, k + 1)
            grid.addWidget(self.bytes[k], 3, k + 1)
            grid.setColumnStretch(k + 1, 1)
        grid.addWidget(label("0 to 1"), 1, 0)
        grid.addWidget(label("0 to 255"), 3, 0)
        grid.addWidget(label("&HTML", self.html), 4, 0)
        grid.addWidget(self.html, 4, 1, 1, 2)
        grid.addWidget(self.swatch, 4, 3)
        grid.addWidget(self.chooser, 4, 4)
        row.addLayout(grid, 1)
        layout.addLayout(row)
        layout.addWidget(self.hdr)
        order = [*self.channels, *self.picker.channels, *self.bytes, self.html, self.chooser]
        order += [self.picker.square, self.picker.hue]
        for first, second in pairwise(order):
            self.setTabOrder(first, second)

    def _colour(self) -> Rgba:
        red, green, blue, alpha = (float(field.number()) for field in self.channels)
        return red, green, blue, alpha

    def _follow(self, colour: Rgba, but: QWidget | None = None) -> None:
        """Let everything else show the colour."""
        for field, channel in zip(self.bytes, colour, strict=True):
            if field is not but:
                quietly(field, partial(field.set_number, to_byte(channel)))
                mark_invalid(field, False)
        if but is not self.html:
            quietly(self.html, lambda: self.html.setText(text_of(colour, self.target.document.dialect)))
            mark_invalid(self.html, False)
        self.swatch.set_colour(colour)
        self.picker.show_colour(colour)
        self.hdr.setText("Brighter than full (HDR): a screen shows it as full." if is_hdr(colour) else "")

    def _set(self, colour: Rgba, but: QWidget | None = None) -> None:
        for field, channel in zip(self.channels, colour, strict=True):
            quietly(field, partial(field.set_number, channel))
            mark_invalid(field, False)
        self._follow(colour, but)
        self.edited.emit()

    def _channel_typed(self) -> None:
        self.fault = None
        with suppress(EditError):  # the verdict says it
            self._follow(self._colour())
        self.edited.emit()

    def _byte_typed(self, k: int, text: str) -> None:
        def change() -> None:
            colour = list(self._colour())
            colour[k] = from_byte(int(self.bytes[k].number()))
            red, green, blue, alpha = colour
            self._set((red, green, blue, alpha), self.bytes[k])

        self._try(change)

    def _html_typed(self, text: str) -> None:
        def change() -> None:
            try:
                colour = parse_html(text, self.target.document.dialect)
            except EditError:
                mark_invalid(self.html, True)
                raise
            mark_invalid(self.html, False)
            self._set(colour, self.html)

        self._try(change)

    def _slid(self, k: int, value: float) -> None:
        """A channel was chosen by its slider."""

        def change() -> None:
            colour = list(self._colour())
            colour[k] = from_byte(round(value * 255))
            red, green, blue, alpha = colour
            self._set((red, green, blue, alpha))

        self._try(change)

    def _hue_chosen(self, hue: float) -> None:
        square = self.picker.square
        square.show_shade(hue % 1, square.fullness, square.brightness)
        self._shade_chosen()

    def _shade_chosen(self, *_: float) -> None:
        """A shade was chosen; alpha stays."""

        def change() -> None:
            red, green, blue = (from_byte(round(channel * 255)) for channel in self.picker.shade())
            hue = self.picker.square.hue
            self._set((red, green, blue, self._colour()[3]))
            self.picker.keep_hue(hue)

        self._try(change)

    def _try(self, change: Callable[[], None]) -> None:
        self.fault = None
        try:
            change()
        except EditError as error:
            self.blame(error)

    def _choose(self) -> None:
        """The platform's chooser; it shows at most full brightness, and only what is accepted counts."""
        try:
            now = self._colour()
        except EditError:
            now = (1.0, 1.0, 1.0, 1.0)
        red, green, blue, alpha = (min(max(channel, 0.0), 1.0) if channel == channel else 0.0 for channel in now)
        dialog = QtWidgets.QColorDialog(QColor.fromRgbF(red, green, blue, alpha), self.window())
        dialog.setOption(QtWidgets.QColorDialog.ColorDialogOption.ShowAlphaChannel)
        is_chosen, chosen = spelled_colour(dialog).exec(), dialog.selectedColor()
        dialog.deleteLater()
        if is_chosen:
            parts = (chosen.red(), chosen.green(), chosen.blue(), chosen.alpha())
            red, green, blue, alpha = (from_byte(part) for part in parts)
            self._set((red, green, blue, alpha))

    def made(self) -> Rgba:
        """The four channels."""
        return self._colour()

    def start(self) -> None:
        """Begin at red."""
        self.channels[0].setFocus()
        self.channels[0].selectAll()


class _Swatch(QWidget):
    """A large swatch."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._colour: Rgba = (0.0, 0.0, 0.0, 0.0)
        self.setFixedHeight(SWATCH)
        self.setMinimumWidth(SWATCH)
        self.setAccessibleName("The colour")

    def set_colour(self, colour: Rgba) -> None:
        """Show another colour."""
        self._colour = colour
        self.setAccessibleDescription(", ".join(f"{channel:g}" for channel in colour))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        chips.paint_swatch(painter, QRectF(self.rect()), self._colour, self._theme)
        painter.end()
