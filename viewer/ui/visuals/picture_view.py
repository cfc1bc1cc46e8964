"""The picture at any zoom: pixels on a checkerboard, one channel or all, moved by mouse and keys."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.ui.look import patterns
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_focus
from viewer.ui.panels.panel_widgets import FocusRing
from viewer.ui.visuals.zoom_input import STEP, ZoomInput

SMALLEST, LARGEST = 1 / 64, 64.0
PAN = 48
MARGIN = 12


class Channel(Enum):
    """What of the pixels is shown; the value is its words."""

    ALL = "All"
    COLOUR = "Without alpha"
    RED = "Red"
    GREEN = "Green"
    BLUE = "Blue"
    ALPHA = "Alpha"


_BYTES = {Channel.RED: 0, Channel.GREEN: 1, Channel.BLUE: 2, Channel.ALPHA: 3}


def of_channel(image: QImage, channel: Channel) -> QImage:
    """The image of one channel in greys, or of the colours as if they were opaque."""
    if channel is Channel.ALL:
        return image
    if channel is Channel.COLOUR:
        return _opaque(image)
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    grey = bytes(plain.constBits()[: plain.sizeInBytes()])[_BYTES[channel] :: 4]
    return QImage(grey, plain.width(), plain.height(), plain.width(), QImage.Format.Format_Grayscale8).copy()


def _opaque(image: QImage) -> QImage:
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    plain.reinterpretAsFormat(QImage.Format.Format_RGBX8888)
    return plain


class PictureView(QWidget):
    """Shows one image.

    Signals:
        moved: zoom or place have changed, or the mouse is over another pixel.
    """

    moved = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pictureView")
        self._theme = theme
        self._image: QImage | None = None
        self._shown: QPixmap | None = None
        self._channel = Channel.ALL
        self._zoom, self._centre = 1.0, QPointF()
        self._fits = True
        self._dragged: QPointF | None = None
        self._ring = FocusRing(self)
        self._input = ZoomInput(self, self._step, self._zoom_by, self.fit)
        self.pixel: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(160, 120))

    @property
    def image(self) -> QImage | None:
        """What is shown, with all its channels."""
        return self._image

    @property
    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        return self._zoom

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_image(self, image: QImage | None) -> None:
        """Show another image, or none; one of the same size keeps zoom and place."""
        same = image is not None and self._image is not None and image.size() == self._image.size()
        self._image = image
        self.pixel = None
        self._draw()
        if not same:
            self.fit()

    def set_channel(self, channel: Channel) -> None:
        """Show another channel."""
        self._channel = channel
        self._draw()

    def _draw(self) -> None:
        self._shown = QPixmap.fromImage(of_channel(self._image, self._channel)) if self._image is not None else None
        self.update()

    # Zoom

    def fit(self) -> None:
        """Show all of it, small pictures enlarged by a whole number."""
        self._fits = True
        if self._image is not None:
            self._centre = QPointF(self._image.width() / 2, self._image.height() / 2)
            room = min(
                (self.width() - 2 * MARGIN) / self._image.width(), (self.height() - 2 * MARGIN) / self._image.height()
            )
            self._zoom = min(max(room if room < 1 else float(int(room)), SMALLEST), LARGEST)
        self.update()
        self.moved.emit()

    def zoom_to(self, zoom: float, about: QPointF | None = None) -> None:
        """Show it at another zoom; the point *about* of the widget stays where it is."""
        zoom = min(max(zoom, SMALLEST), LARGEST)
        about = about if about is not None else QPointF(self.rect().center())
        at = self._to_picture(about)
        self._zoom, self._fits = zoom, False
        off = (about - QPointF(self.width() / 2, self.height() / 2)) / zoom
        self._set_centre(at - off)

    def _zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        self.zoom_to(self._zoom * factor, about)

    def _step(self, across: int, down: int) -> None:
        self.pan(PAN * across, PAN * down)

    def zoom_in(self) -> None:
        """Show it larger."""
        self._zoom_by(STEP)

    def zoom_out(self) -> None:
        """Show it smaller."""
        self._zoom_by(1 / STEP)

    def whole_pixels(self) -> None:
        """One pixel of the screen for each of the picture."""
        self.zoom_to(1.0)

    def pan(self, across: float, down: float) -> None:
        """Move what is seen by some pixels of the screen."""
        self._fits = False
        self._set_centre(self._centre + QPointF(across, down) / self._zoom)

    def _set_centre(self, centre: QPointF) -> None:
        if self._image is not None:
            x = min(max(centre.x(), 0.0), float(self._image.width()))
            y = min(max(centre.y(), 0.0), float(self._image.height()))
            self._centre = QPointF(x, y)
        self.update()
        self.moved.emit()

    def _to_picture(self, point: QPointF) -> QPointF:
        return (point - QPointF(self.width() / 2, self.height() / 2)) / self._zoom + self._centre

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fits:
            self.fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._dragged = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None
        self.unsetCursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            moved = self._dragged - event.position()
            self.pan(moved.x(), moved.y())
            self._dragged = event.position()
            return
        at = self._to_picture(event.position())
        pixel = int(at.x() // 1), int(at.y() // 1)
        inside = self._image is not None and self._image.rect().contains(*pixel)
        self.pixel = pixel if inside else None
        self.moved.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_1:
            self.whole_pixels()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ui = self._theme.ui
        painter.fillRect(self.rect(), ui.base)
        if self._shown is not None:
            middle = QPointF(self.width() / 2, self.height() / 2)
            corner = middle - self._centre * self._zoom
            corner = QPointF(round(corner.x()), round(corner.y()))
            place = QRectF(corner, self._shown.size().toSizeF() * self._zoom)
            seen = place.intersected(QRectF(self.rect()))
            painter.fillRect(seen, patterns.checkerboard("#ffffff", "#c2c7ce", self.devicePixelRatioF()))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom < 1)
            part = QRectF((seen.topLeft() - corner) / self._zoom, seen.size() / self._zoom)
            painter.drawPixmap(seen, self._shown, part)
        painter.setPen(ui.border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._ring.is_shown:
            paint_focus(painter, QRectF(self.rect()), self._theme)
        painter.end()


def thumbnail_size(image: QImage, width: float, height: float) -> QSizeF:
    """How large an image is shown in some room: whole, small ones enlarged by a whole number."""
    factor = min(width / max(1, image.width()), height / max(1, image.height()))
    size = image.size().toSizeF() * (factor if factor < 1 else float(int(factor)))
    return QSizeF(max(1.0, round(size.width())), max(1.0, round(size.height())))


def paint_thumbnail(painter: QPainter, room: QRectF, image: QImage, theme: Theme, centred: bool = True) -> QRectF:
    """Paint an image into some room: whole, on a checkerboard, small ones enlarged by a whole number."""
    place = QRectF(QPointF(), thumbnail_size(image, room.width(), room.height()))
    if centred:
        place.moveTo(round(room.center().x() - place.width() / 2), round(room.center().y() - place.height() / 2))
    else:
        place.moveTo(room.topLeft())
    device = painter.device()
    ratio = device.devicePixelRatio() if device else 1.0
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, place.width() < image.width())
    painter.fillRect(place, patterns.checkerboard("#ffffff", "#c2c7ce", ratio))
    painter.drawImage(place, image)
    painter.setPen(theme.ui.border)
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
    painter.restore()
    return place
