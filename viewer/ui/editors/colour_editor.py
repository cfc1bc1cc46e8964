"""The editor of a colour: a swatch, its channels twice, HTML's form, and the platform's chooser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise

from PySide6 import QtWidgets
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.base.words import counted
from viewer.document import outline
from viewer.document.edits import EditError
from viewer.document.forms.pictures import Picture, PixelLayout, doubt, from_byte, is_hdr, parse_html, picture, to_byte
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.viewmodel.row_data import Rgba
from viewer.ui.editors.fields import NumberField, heading, label, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look import chips, patterns
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.variant.dialect import image_formats
from viewer.variant.html_colour import text_of
from viewer.variant.read import read_shallow
from viewer.variant.value import Image

CHANNELS = ("red", "green", "blue", "alpha")
SWATCH = 72


class ColourEditor(Editor):
    """A Color, or an element of an array of them. Channels above 1 are kept: they are brighter than a screen shows."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, tuple)
        self.swatch = _Swatch(theme)
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
        row.addWidget(self.swatch, 0, Qt.AlignmentFlag.AlignTop)
        grid = QGridLayout()
        grid.setSpacing(8)
        for k, name in enumerate(CHANNELS):
            grid.addWidget(heading(name), 0, k + 1, Qt.AlignmentFlag.AlignHCenter)
            grid.addWidget(self.channels[k], 1, k + 1)
            grid.addWidget(self.bytes[k], 2, k + 1)
            grid.setColumnStretch(k + 1, 1)
        grid.addWidget(label("0 to 1"), 1, 0)
        grid.addWidget(label("0 to 255"), 2, 0)
        grid.addWidget(label("&HTML", self.html), 3, 0)
        grid.addWidget(self.html, 3, 1, 1, 2)
        grid.addWidget(self.chooser, 3, 3, 1, 2)
        row.addLayout(grid, 1)
        layout.addLayout(row)
        layout.addWidget(self.hdr)
        order = [*self.channels, *self.bytes, self.html, self.chooser]
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
        self.setFixedSize(QSize(SWATCH, SWATCH))
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


# The editor of Godot 2's image: its picture where the format is a plain one, and its numbers.

SIDE = 224
MARGIN = 8
FORMATS = {
    PixelLayout.GREY: QImage.Format.Format_Grayscale8,
    PixelLayout.RGB: QImage.Format.Format_RGB888,
    PixelLayout.RGBA: QImage.Format.Format_RGBA8888,
}
NUMBERS = ("width", "height", "mipmaps")


class ImageEditor(Editor):
    """An Image. The numbers can be changed; the pixels stay as they are."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        frame = outline.frame_of(target.document, target.item)
        data = read_shallow(frame.table, target.item.node).data if frame is not None else None
        if not isinstance(data, Image):
            raise EditError("This image is cut off; mend it in the bytes first.")
        self._image = data
        self.view = _View(theme)
        self.format = QComboBox()
        self.format.addItems([f"{k} {name}" for k, name in enumerate(image_formats())])
        self.format.setCurrentIndex(min(data.format, self.format.count() - 1))
        self.format.setAccessibleName("Format")
        self.fields = {name: NumberField(getattr(data, name), "u32", name) for name in NUMBERS}
        self.words = note()
        self._lay_out()
        self._follow()
        self.format.currentIndexChanged.connect(self._changed)
        for field in self.fields.values():
            field.textChanged.connect(self._changed)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        layout.addWidget(self.view, 0, Qt.AlignmentFlag.AlignTop)
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(label("&Format", self.format), self.format)
        for name, field in self.fields.items():
            form.addRow(label(f"extra {name}" if name == "mipmaps" else name), field)
        form.addRow(label("pixels"), label(counted(len(self._image.data), "byte")))
        form.addRow(self.words)
        layout.addLayout(form, 1)

    def _changed(self) -> None:
        self._follow()
        self.edited.emit()

    def _follow(self) -> None:
        try:
            now = self._now()
        except EditError:
            return
        found = picture(now)
        self.view.set_picture(found if isinstance(found, Picture) else None)
        self.words.setText(" ".join(filter(None, ["" if isinstance(found, Picture) else found, doubt(now)])))

    def _now(self) -> Image:
        numbers = {name: int(field.number()) for name, field in self.fields.items()}
        return Image(
            self.format.currentIndex(), numbers["mipmaps"], numbers["width"], numbers["height"], self._image.data
        )

    def _proposal(self) -> Proposal:
        now = self._now()
        words = {"format": now.format, "mipmaps": now.mipmaps, "width": now.width, "height": now.height}
        return self.target.propose_parts(words)

    def start(self) -> None:
        """Begin at the format."""
        self.format.setFocus()


class _View(QWidget):
    """The picture on a checkerboard, as large as it fits; small ones enlarged by whole numbers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._image: QImage | None = None
        self._pixels = b""
        self.setFixedSize(QSize(SIDE, SIDE))
        self.setAccessibleName("The picture")

    def set_picture(self, found: Picture | None) -> None:
        """Show another picture, or none."""
        self._pixels = found.pixels if found is not None else b""  # QImage does not keep them
        self._image = None
        if found is not None:
            stride = found.width * found.layout.value
            self._image = QImage(self._pixels, found.width, found.height, stride, FORMATS[found.layout])
        self.update()

    def _place(self, image: QImage) -> QRect:
        room = SIDE - 2 * MARGIN
        most = max(image.width(), image.height())
        size = (
            image.size() * (room // most)
            if most <= room
            else image.size().scaled(room, room, Qt.AspectRatioMode.KeepAspectRatio)
        )
        place = QRect(0, 0, max(1, size.width()), max(1, size.height()))
        place.moveCenter(self.rect().center())
        return place

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        if self._image is not None:
            place = self._place(self._image)
            painter.fillRect(place, patterns.checkerboard("#ffffff", "#c2c7ce", self.devicePixelRatioF()))
            painter.drawImage(place, self._image)
        painter.setPen(self._theme.ui.border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
