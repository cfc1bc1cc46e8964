"""Questions about what cannot be undone, and what could not be done.

Verbs on the buttons, the safe one is the default, Esc cancels. PySide6 makes a class when it is first named, at some
milliseconds for those with many enums, so the boxes are named in functions only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Self

from PySide6 import QtWidgets
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QApplication, QGridLayout, QPushButton, QSpacerItem, QWidget

from viewer import __version__
from viewer.document.shown.counts import grouped, grouped_in
from viewer.ui.worker import Job

WIDTH = 480
MARGIN = 24
BETWEEN = 12
PATIENCE = 500
LOSSES = 6
BREATH = 0.03
"""Seconds between two looks at the window while something is done beside it."""


class Answer(Enum):
    """What a person chose."""

    SAVE = "save"
    DISCARD = "discard"
    OVERWRITE = "overwrite"
    RELOAD = "reload"
    CANCEL = "cancel"


def ask_unsaved(parent: QWidget, name: str) -> Answer:
    """Changes would be lost: save them, drop them, or stay."""
    box = question(parent, f"“{name}” has changes that are not saved.", "They are lost if you don't save them.")
    buttons = {
        box.addButton("&Save", QtWidgets.QMessageBox.ButtonRole.AcceptRole): Answer.SAVE,
        box.addButton("&Discard changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD,
    }
    return answer(box, buttons)


def ask_changed_on_disk(parent: QWidget, name: str) -> Answer:
    """The file on disk is not the one that was read: write over it, read it, or stay."""
    box = question(
        parent,
        f"Another program has written “{name}” since it was read.",
        "Overwriting replaces what it wrote; that version stays as .bak.",
    )
    buttons = {
        box.addButton("&Overwrite", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.OVERWRITE,
        box.addButton("&Reload and drop my changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.RELOAD,
    }
    return answer(box, buttons)


def ask_drop_changes(parent: QWidget, name: str) -> bool:
    """Whether to go back to the saved file."""
    box = question(parent, f"Go back to the saved “{name}”?", "All changes since then are lost.")
    return answer(
        box, {box.addButton("&Drop changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD}
    ) is (Answer.DISCARD)


def ask_large(parent: QWidget, name: str, megabytes: int) -> bool:
    """Whether very much may come out of a few bytes."""
    box = question(
        parent,
        f"“{name}” says it holds {grouped(megabytes)} MB when it is unpacked.",
        "A damaged or hostile file may say so without holding anything. Unpacking takes that much memory.",
    )
    button = box.addButton("&Unpack", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: Answer.DISCARD}) is Answer.DISCARD


def ask_drop_recorded(parent: QWidget) -> bool:
    """Whether recorded packets may go."""
    box = question(parent, "The recorded packets are not saved.", "They are lost if the program ends now.")
    button = box.addButton("&Drop them", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: Answer.DISCARD}) is Answer.DISCARD


def ask_zstd(parent: QWidget, problem: str) -> bool:
    """Whether to compress by another method what cannot be written as it was."""
    box = question(parent, problem, "Zstd is what engines write instead; a game opens it in the same way.")
    button = box.addButton("&Save as Zstd", QtWidgets.QMessageBox.ButtonRole.AcceptRole)
    return answer(box, {button: Answer.SAVE}) is Answer.SAVE


def ask_losses(parent: QWidget, asked: str, losses: Sequence[str], verb: str) -> bool:
    """Whether to go on with what loses something; *losses* are sentences without full stops, *verb* is the button."""
    said = [f"{loss}." for loss in losses[:LOSSES]]
    if len(losses) > LOSSES:
        more = len(losses) - LOSSES
        said.append("1 more thing is lost." if more == 1 else f"{more} more things are lost.")
    box = question(parent, asked, "\n".join(said))
    box.setTextFormat(Qt.TextFormat.PlainText)
    buttons = {box.addButton(verb, QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD}
    return answer(box, buttons) is Answer.DISCARD


def tell(parent: QWidget, sentence: str) -> None:
    """Say what could not be done."""
    box = QtWidgets.QMessageBox(
        QtWidgets.QMessageBox.Icon.Warning,
        "Variant Viewer",
        grouped_in(sentence),
        QtWidgets.QMessageBox.StandardButton.Close,
        parent,
    )
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.exec()


def about(parent: QWidget, scanner: str) -> None:
    """Name, version, what scans."""
    text = (
        f"<h3>Variant Viewer {__version__}</h3>"
        "<p>Bytes and values of Godot 2, 3, 4 and Pandemonium saves and packets, side by side.</p>"
        f"<p>Scanner: {scanner}.<br>MIT licence.</p>"
    )
    QtWidgets.QMessageBox.about(parent, "About Variant Viewer", text)


def question(parent: QWidget, words: str, more: str) -> QtWidgets.QMessageBox:
    """A question with Cancel, which is what Esc and Enter do; the other buttons are the caller's."""
    box = QtWidgets.QMessageBox(
        QtWidgets.QMessageBox.Icon.NoIcon,
        "Variant Viewer",
        grouped_in(words),
        QtWidgets.QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setInformativeText(grouped_in(more))
    box.setEscapeButton(QtWidgets.QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QtWidgets.QMessageBox.StandardButton.Cancel)
    return box


def answer(box: QtWidgets.QMessageBox, buttons: Mapping[QPushButton, Answer]) -> Answer:
    """Ask, and say which of the buttons was chosen."""
    if Answer.SAVE in buttons.values():
        box.setDefaultButton(next(button for button, meant in buttons.items() if meant is Answer.SAVE))
    _widen(box)
    box.exec()
    clicked = box.clickedButton()
    return next((meant for button, meant in buttons.items() if button is clicked), Answer.CANCEL)


def _widen(box: QtWidgets.QMessageBox) -> None:
    """As wide as every dialog, and wider where the words on the buttons need it."""
    layout = box.layout()
    assert isinstance(layout, QGridLayout)
    layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    words = sum(button.sizeHint().width() + BETWEEN for button in box.buttons())
    room = QSpacerItem(max(WIDTH - 2 * MARGIN, words), 0)
    layout.addItem(room, layout.rowCount(), 0, 1, layout.columnCount())


class Waiting:
    """While something long is done: after half a second a dialog with Cancel, before that nothing.

    Use it as a context manager and hand :meth:`goes_on` to what works.
    """

    def __init__(self, parent: QWidget, words: str) -> None:
        self._parent, self._words = parent, words
        self._dialog: QtWidgets.QProgressDialog | None = None
        self._since = QElapsedTimer()

    def __enter__(self) -> Self:
        self._since.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()

    def do(self, work: Callable[[], object]) -> None:
        """Do something that tells no progress, beside the window; what it raises is raised here."""
        job: Job[object] = Job(lambda _: work())
        thread = threading.Thread(target=job.run, name="waiting")
        thread.start()
        while thread.is_alive():
            thread.join(BREATH)
            self.goes_on(0)
        if job.error is not None:
            raise job.error

    def goes_on(self, offset: int) -> bool:
        """Whether the work may go on; keeps the dialog alive."""
        if self._since.elapsed() < PATIENCE:
            return True
        if self._dialog is None:
            self._dialog = QtWidgets.QProgressDialog(self._words, "&Cancel", 0, 0, self._parent)
            self._dialog.setWindowTitle("Variant Viewer")
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumWidth(WIDTH)
            self._dialog.show()
        QApplication.processEvents()
        return not self._dialog.wasCanceled()
