"""The picture that the selected value is, small: in the inspector, under the name of the value."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.progress import Progress
from viewer.base.words import grouped_in
from viewer.document.selection import Spot
from viewer.document.visuals.found_picture import FoundPicture
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_focus, paint_line
from viewer.ui.panels.panel_widgets import FocusRing
from viewer.ui.visuals.picture_dialog import image_of
from viewer.ui.visuals.picture_view import paint_thumbnail, thumbnail_size
from viewer.ui.worker import Job, Worker

LEFT, RIGHT, TOP = 14, 12, 10
PICTURE, LEAST = 132, 32
LINE = 20
MOST_PIXELS, MOST_BYTES = 1 << 24, 1 << 26
"""Of larger pictures no thumbnail is made; they can be shown."""
LARGE = "Large: press Enter to show it."


class PictureThumbnail(QWidget):
    """A thumbnail with a line of words.

    Signals:
        opened: a person wants to see the picture large.
        drawn: ``QImage``: the picture is there.
    """

    opened = Signal()
    drawn = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pictureThumbnail")
        self._theme = theme
        self._words, self._most = "", PICTURE
        self.image: QImage | None = None
        self._ring = FocusRing(self)
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self._font = ui_font(Size.SECONDARY)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """The line under the picture; in the place of one, why there is none."""
        return self._words

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_room(self, height: int) -> None:
        """Be no higher than that, with the line of words; 0 where nothing is told."""
        self._most = min(PICTURE, max(LEAST, height - TOP - LINE - 8)) if height else PICTURE
        self.updateGeometry()
        self.update()

    def show_picture(self, spot: Spot, found: FoundPicture) -> None:
        """Show the picture of a value, as soon as it is read beside the window."""
        self.image = None
        if found.width * found.height > MOST_PIXELS or found.length > MOST_BYTES:
            self._worker.stop()
            self._say(f"{found.words}. {LARGE}")
            return
        self._say(found.words)

        def work(goes_on: Progress) -> QImage | str:
            image = image_of(spot, found)
            if isinstance(image, str) or max(image.width(), image.height()) <= 2 * PICTURE:
                return image
            size = QSize(4 * PICTURE, 2 * PICTURE)
            mode = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            return image.scaled(size, *mode)

        self._worker.start(work)

    def clear(self) -> None:
        """Forget the picture."""
        self._worker.stop()
        self.image = None

    def _take(self, job: Job[QImage | str]) -> None:
        if job.error is not None:
            raise job.error
        if isinstance(job.result, QImage):
            self.image = job.result
            self.drawn.emit(self.image)
            self.updateGeometry()
            self.update()
        else:
            self._say(str(job.result))

    def _say(self, words: str) -> None:
        self._words = grouped_in(words)
        self.setAccessibleName(f"Picture: {self._words}")
        self.setToolTip(plain_tip(f"{self._words}\nClick to show it large"))
        self.updateGeometry()
        self.update()

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(200, TOP + self._picture_height + LINE + 4)

    @property
    def _picture_height(self) -> int:
        """Pixels that the picture takes with what lies below it."""
        if self.image is None:
            return 0
        return 4 + ceil(thumbnail_size(self.image, max(1, self.width() - LEFT - RIGHT), self._most).height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = QRectF(LEFT, TOP + self._picture_height, self.width() - LEFT - RIGHT, LINE)
        if self.image is not None:
            room = QRectF(LEFT, TOP, self.width() - LEFT - RIGHT, self._most)
            paint_thumbnail(painter, room, self.image, self._theme, centred=False)
        ui = self._theme.ui
        paint_line(painter, line, self._words, self._font, ui.accent if self.underMouse() else ui.text_secondary)
        if self._ring.is_shown:
            paint_focus(painter, QRectF(self.rect()).adjusted(LEFT - 6, 0, -RIGHT + 6, 0), self._theme)
        painter.end()
