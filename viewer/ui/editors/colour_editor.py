"""The editor of a colour: a picker, its channels by sliders and numbers, HTML's form, the platform's chooser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise

from PySide6 import QtWidgets
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.document.edits.slots import EditError
from viewer.document.forms.colours import from_byte, is_hdr, parse_html, to_byte
from viewer.document.forms.target import EditTarget
from viewer.document.viewmodel.row_data import Rgba
from viewer.ui.editors.colour_picker import ColourPicker
from viewer.ui.editors.fields import NumberField, heading, label, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look import chips
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.variant.literal.html_colour import text_of

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
        chosen = QtWidgets.QColorDialog.getColor(
            QColor.fromRgbF(red, green, blue, alpha),
            self.window(),
            "Colour",
            QtWidgets.QColorDialog.ColorDialogOption.ShowAlphaChannel,
        )
        if chosen.isValid():
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
