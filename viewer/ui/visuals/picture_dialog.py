"""The window of one picture: zoom, channels, how raw bytes are to be taken, export and replace."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QWidget

from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.words import counted
from viewer.document.selection import Spot
from viewer.document.visuals.found_picture import (
    FoundPicture,
    RawGuess,
    fitting_height,
    found_picture,
    leftover,
    picture_bytes,
    picture_pixels,
    raw_guesses,
    refusal,
)
from viewer.document.visuals.pixel_formats import RAW_FORMATS
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.session import Session
from viewer.ui.viewport import fit_screen
from viewer.ui.visuals.picture_decoding import decoded, of_pixels
from viewer.ui.visuals.picture_view import Channel, PictureView
from viewer.ui.visuals.value_window import ValueWindow
from viewer.ui.worker import Job, Worker

SIZE = (800, 580)
MOST_SIDE = 16384
NO_PICTURE = "The picture is gone."
REPLACE_TIP = "Replace the picture with one from a file"
RAW_STAYS = "Nothing in these bytes says how the pixels are laid out, so no other picture is written here"


def image_of(spot: Spot, found: FoundPicture) -> QImage | str:
    """The image of a value, or one sentence why there is none; may take long."""
    refused = refusal(spot.document, found)
    if refused:
        return refused
    if found.form is not None:
        return decoded(picture_bytes(spot.document, found), found.form)
    shown = picture_pixels(spot.document, found)
    return shown if isinstance(shown, str) else of_pixels(shown)


class PictureDialog(ValueWindow):
    """Shows the picture that a value is, beside the window; another selected picture is shown instead.

    Args:
        window: what it belongs to.
        session: what is open.
        theme: the colours.

    Signals:
        export_wanted, replace_wanted: a person wants the picture in a file, or another one in its place.
        paste_wanted: a person wants the picture of the clipboard in its place.
    """

    export_wanted = Signal()
    replace_wanted = Signal()
    paste_wanted = Signal()

    def __init__(self, window: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(window, session, theme, "pictureDialog", "Picture")
        fit_screen(self, SIZE)
        self.found: FoundPicture | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self.view = PictureView(theme)
        self.view.moved.connect(self._tell_place)
        self._build_choices()
        self._build()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        super().set_theme(theme)
        self.view.set_theme(theme)

    # Building

    def _build_choices(self) -> None:
        self.channel = QComboBox()
        self.channel.addItems([channel.value for channel in Channel])
        self.channel.setAccessibleName("Channels")
        self.channel.currentIndexChanged.connect(lambda k: self.view.set_channel(list(Channel)[k]))
        self.guess = QComboBox()
        self.guess.setAccessibleName("Size and format that fit")
        self.guess.activated.connect(self._take_guess)
        self.format = QComboBox()
        self.format.addItems(list(RAW_FORMATS))
        self.format.setAccessibleName("Format of the pixels")
        self.format.currentIndexChanged.connect(self._take_raw)
        self.width_field = QSpinBox()
        self.width_field.setRange(1, MOST_SIDE)
        self.width_field.setAccessibleName("Width in pixels")
        self.width_field.valueChanged.connect(self._take_raw)

    def _build(self) -> None:
        self.raw_row = QWidget()
        raw = QHBoxLayout(self.raw_row)
        raw.setContentsMargins(0, 0, 0, 0)
        raw.setSpacing(8)
        for text, field in (("&Looks like", self.guess), ("For&mat", self.format), ("&Width", self.width_field)):
            self._labelled(raw, text, field)
        raw.addStretch(1)
        row = self._lay_out(self.raw_row, self.view)
        self._labelled(row, "C&hannels", self.channel)
        for text, tip, slot in (
            ("\u2212", "Smaller (\u2212)", self.view.zoom_out),
            ("+", "Larger (+)", self.view.zoom_in),
            ("&Fit", "All of it (0)", self.view.fit),
            ("&1:1", "One screen pixel for each picture pixel (1)", self.view.whole_pixels),
        ):
            row.addWidget(self._tool(text, tip, slot))
        row.addStretch(1)
        self.copy_button = self._tool("&Copy", "Copy the picture (Ctrl+C)", self.copy)
        self.paste_button = self._tool(
            "&Paste", "Replace the picture with the one on the clipboard (Ctrl+V)", self._paste
        )
        row.addWidget(self.copy_button)
        row.addWidget(self.paste_button)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self, self.copy)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self, self._paste)
        self.export_button = self._button("&Export…", "Write the picture to a file", self.export_wanted.emit)
        self.replace_button = self._button("&Replace…", REPLACE_TIP, self.replace_wanted.emit)
        row.addWidget(self.export_button)
        row.addWidget(self.replace_button)

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        if self.view.image is not None:
            QGuiApplication.clipboard().setImage(self.view.image)

    def _paste(self) -> None:
        if self.replace_button.isEnabled():
            self.paste_wanted.emit()

    # Showing

    def show_spot(self, spot: Spot) -> bool:
        """Show the picture of a value, or its bytes as pixels; False where it has none to show."""
        found = found_picture(spot.document, spot.item, raw=True)
        if found is None:
            return False
        self.stand_on(replace(spot, item=found.item))
        self._show_found(found)
        return True

    def _show_found(self, found: FoundPicture) -> None:
        other = self.found is None or (found.item, found.length) != (self.found.item, self.found.length)
        self.found = found
        self.raw_row.setVisible(found.is_raw)
        if found.is_raw:
            self._offer_guesses(found) if other else self._take_raw()
        else:
            self._load(found)

    def _offer_guesses(self, found: FoundPicture) -> None:
        assert self.spot is not None
        guesses = raw_guesses(picture_bytes(self.spot.document, found))
        self.guess.clear()
        for each in guesses:
            self.guess.addItem(each.words, each)
        self.guess.setEnabled(bool(guesses))
        if guesses:
            self._take_guess()
        else:
            self.width_field.setValue(max(1, int((found.length / 4) ** 0.5)))
            self._take_raw()

    def _take_guess(self) -> None:
        guess = self.guess.currentData()
        assert isinstance(guess, RawGuess)
        for field in (self.format, self.width_field):
            field.blockSignals(True)
        self.format.setCurrentIndex(RAW_FORMATS.index(guess.format))
        self.width_field.setValue(guess.width)
        for field in (self.format, self.width_field):
            field.blockSignals(False)
        self._take_raw()

    def _take_raw(self) -> None:
        """Take the bytes for pixels as the fields say."""
        if self.found is None or not self.found.is_raw:
            return
        name, width = RAW_FORMATS[self.format.currentIndex()], self.width_field.value()
        height = fitting_height(name, width, self.found.length)
        shown = replace(self.found, format=name, width=width, height=height)
        self._load(shown, leftover(name, width, height, self.found.length))

    def _load(self, found: FoundPicture, more: str = "") -> None:
        """Read the picture beside the window."""
        spot = self.spot
        assert spot is not None
        size = counted(found.length, "byte")
        self.words.set_text(" · ".join(filter(None, (found.words, size, more))))

        def work(goes_on: Progress) -> QImage | str:
            return image_of(spot, found)

        self._worker.start(work)

    def _take(self, job: Job[QImage | str]) -> None:
        if job.error is not None:
            raise job.error
        result = job.result
        is_image = isinstance(result, QImage)
        self.view.set_image(result if isinstance(result, QImage) else None)
        self.view.setVisible(is_image)
        self.problem.setText("" if is_image else str(result))
        self.problem.setVisible(not is_image)
        self.place.setVisible(is_image)
        raw = self.found is not None and self.found.is_raw
        self.export_button.setEnabled(is_image)
        self.copy_button.setEnabled(is_image)
        for button in (self.replace_button, self.paste_button):
            button.setEnabled(not raw)
        self.replace_button.setToolTip(plain_tip(RAW_STAYS if raw else REPLACE_TIP))
        self.view.setAccessibleName(f"Picture: {self.words.text()}" if is_image else "")

    def _tell_place(self) -> None:
        words = [f"{self.view.zoom * 100:.4g} %"]
        image = self.view.image
        if image is not None and self.view.pixel is not None:
            colour = image.pixelColor(*self.view.pixel)
            x, y = self.view.pixel
            parts = (colour.red(), colour.green(), colour.blue(), colour.alpha())
            words.append(f"x {x}, y {y}: {', '.join(map(str, parts))}")
        self.place.set_text("    ".join(words))

    # Following

    def follow(self, spot: Spot) -> None:
        """Show another picture that is selected."""
        found = found_picture(spot.document, spot.item)
        if found is not None and (self.spot is None or spot.path != self.spot.path):
            self.show_spot(spot)

    def refresh(self, spot: Spot | None) -> None:
        """The bytes have changed: show the picture as it is now."""
        if spot is None or not self.show_spot(spot):
            self.found = None
            self.stop()
            self.view.set_image(None)
            self.words.set_text(NO_PICTURE)
            for button in (self.copy_button, self.paste_button, self.export_button, self.replace_button):
                button.setEnabled(False)

    def stop(self) -> None:
        """Read the picture no further."""
        self._worker.stop()

    def clear(self) -> None:
        """Let go of the picture."""
        self.found = None
        self.view.set_image(None)
