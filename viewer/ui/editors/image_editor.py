"""The editor of the image of Godot 2: its picture where the format is a plain one, and its numbers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QWidget,
)

from viewer.base.words import counted
from viewer.document import outline
from viewer.document.edits.slots import EditError
from viewer.document.forms.pictures import doubt, picture
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.visuals.pixel_formats import Picture
from viewer.ui.editors.fields import NumberField, label, note
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme
from viewer.ui.visuals.picture_decoding import of_pixels
from viewer.ui.visuals.picture_view import paint_thumbnail
from viewer.variant.dialect import image_formats
from viewer.variant.read import read_shallow
from viewer.variant.value import Image

SIDE = 224
MARGIN = 8
NUMBERS = ("width", "height", "mipmaps")


class ImageEditor(Editor):
    """An Image. The numbers can be changed; the pixels stay as they are."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        frame = outline.frame_of(target.document, target.item)
        data = read_shallow(frame.table, target.item.node).data if frame is not None else None
        if not isinstance(data, Image):
            raise EditError("This image is cut off; fix it in the bytes first.")
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
        self.setFixedSize(QSize(SIDE, SIDE))
        self.setAccessibleName("The picture")

    def set_picture(self, found: Picture | None) -> None:
        """Show another picture, or none."""
        self._image = of_pixels(found) if found is not None else None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        if self._image is not None:
            room = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            paint_thumbnail(painter, room, self._image, self._theme)
        painter.setPen(self._theme.ui.border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
