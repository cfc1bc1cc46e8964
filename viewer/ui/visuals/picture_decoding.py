"""Pictures as images of Qt, within bounds: bytes of a file are told to be a picture, and may be anything.

Only the form that the first bytes say is tried, what a picture takes in memory is bounded, and an SVG is drawn from
itself alone (:func:`viewer.document.visuals.found_picture.svg_refusal`). What is wrong is one sentence.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLoggingCategory, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter, QPainter

from viewer.document.visuals.found_picture import PictureForm, picture_head, sides_text, svg_area, svg_refusal
from viewer.document.visuals.picture_replacing import NewPicture
from viewer.document.visuals.pixel_formats import MOST_PIXELS, Picture, PixelLayout

MEBIBYTES = 256
"""What one picture may take while Qt decodes it."""
SVG_SIDE = 512
"""Pixels of the longer side of an SVG that does not tell its size."""
LAYOUTS = {
    PixelLayout.GREY: QImage.Format.Format_Grayscale8,
    PixelLayout.RGB: QImage.Format.Format_RGB888,
    PixelLayout.RGBA: QImage.Format.Format_RGBA8888,
    PixelLayout.RGBA_HALF: QImage.Format.Format_RGBA16FPx4,
    PixelLayout.RGBA_FLOAT: QImage.Format.Format_RGBA32FPx4,
}


@cache
def _prepare() -> None:
    """Bound what Qt may take, and keep what it says of broken pictures off the terminal: it is told in a sentence."""
    QImageReader.setAllocationLimit(MEBIBYTES)
    QLoggingCategory.setFilterRules("qt.gui.imageio*=false\nqt.svg*=false")


def of_pixels(picture: Picture) -> QImage:
    """The image of raw pixels, with bytes of its own."""
    stride = picture.width * picture.layout.value
    return QImage(picture.pixels, picture.width, picture.height, stride, LAYOUTS[picture.layout]).copy()


def decoded(raw: bytes, form: PictureForm) -> QImage | str:
    """The image in a picture file, or one sentence why there is none."""
    if form is PictureForm.SVG:
        return _drawn(raw)
    _prepare()
    device = QBuffer()
    device.setData(QByteArray(raw))
    device.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(device, QByteArray(form.value.encode()))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        return f"The picture has {sides_text(size.width(), size.height())} pixels: too many to be drawn."
    image = reader.read()
    if image.isNull():
        return f"These bytes begin like a picture ({form.words}), but cannot be read as one: {_reason(reader)}."
    return image


def _reason(reader: QImageReader) -> str:
    """Why a picture could not be read; Qt's own sentences name nothing of the file."""
    return {
        QImageReader.ImageReaderError.UnsupportedFormatError: "this program has no reader for it",
        QImageReader.ImageReaderError.DeviceError: "they end too early",
    }.get(reader.error(), "they are damaged or cut off")


def _drawn(raw: bytes) -> QImage | str:
    refused = svg_refusal(raw)
    if refused:
        return refused
    from PySide6.QtSvg import QSvgRenderer

    _prepare()
    renderer = QSvgRenderer()
    head = picture_head(raw)
    if head is None or not renderer.load(QByteArray(raw)):
        return "These bytes begin like a picture (SVG), but cannot be read as one: they are damaged or cut off."
    size = QSize(head.width, head.height)
    if not (0 < size.width() <= 4 * SVG_SIDE and 0 < size.height() <= 4 * SVG_SIDE):
        shape = renderer.defaultSize() if size.isEmpty() else size
        square = QSize(SVG_SIDE, SVG_SIDE)
        size = shape.scaled(square, Qt.AspectRatioMode.KeepAspectRatio) if not shape.isEmpty() else square
    area = svg_area(raw)
    if size.width() * size.height() > area:
        size *= (area / (size.width() * size.height())) ** 0.5
    size = size.expandedTo(QSize(1, 1))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    return image


def rgba(image: QImage) -> bytes:
    """The pixels of an image, four bytes each, row by row without gaps."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return bytes(plain.constBits()[: plain.sizeInBytes()])


def as_file(image: QImage, form: PictureForm) -> bytes | None:
    """A picture file of an image; None where that form cannot be written."""
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(device, QByteArray(form.value.encode()))
    if form is PictureForm.JPEG:
        writer.setQuality(92)
    return bytes(device.data().data()) if writer.canWrite() and writer.write(image) else None


def new_picture(raw: bytes) -> NewPicture | str:
    """A picture file that is to be stored in a value, or one sentence why it cannot be."""
    head = picture_head(raw)
    if head is None:
        return "This is not a picture that can be read here; PNG, JPEG, WebP, BMP, GIF and SVG can."
    image = decoded(raw, head.form)
    return image if isinstance(image, str) else picture_of(image, (head.form, raw))


def picture_of(image: QImage, file: tuple[PictureForm, bytes] | None = None) -> NewPicture:
    """An image that is to be stored in a value, with the file that it was read from."""

    def scaled(width: int, height: int) -> bytes:
        same = (width, height) == (image.width(), image.height())
        mode = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        return rgba(image if same else image.scaled(width, height, *mode))

    return NewPicture(image.width(), image.height(), scaled, lambda form: as_file(image, form), file)
