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
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QGridLayout, QPushButton, QSpacerItem, QWidget

from viewer.base.version import VERSION
from viewer.base.words import counted, grouped_in
from viewer.ui.look.fonts import ui_font
from viewer.ui.look.plain_text import PlainLabel, set_box_text
from viewer.ui.worker import Job

WIDTH = 480
MARGIN = 24
BETWEEN = 12
PATIENCE = 500
LOSSES = 6
NAMED = 8
"""So many files are named; of more the number is said."""
NAME_SIGNS = 44
LEAST = 56
"""Pixels for the words on a button, as in the style sheet."""
BREATH = 0.03
"""Seconds between two looks at the window while something is done beside it."""


class UserChoice(Enum):
    """What a person chose."""

    SAVE = "save"
    DISCARD = "discard"
    OVERWRITE = "overwrite"
    RELOAD = "reload"
    CANCEL = "cancel"


def is_asking(part: QWidget) -> bool:
    """Whether a dialog over a window waits for an answer: until it has one, what it is about must stay what is shown.

    Args:
        part: the window, or something in it.
    """
    window = part.window()
    asking = [each for each in QApplication.topLevelWidgets() if each.isModal() and each.isVisible()]
    return any(
        dialog.windowModality() is Qt.WindowModality.ApplicationModal or _lies_over(dialog, window) for dialog in asking
    )


def _lies_over(dialog: QWidget, window: QWidget) -> bool:
    """Whether a dialog is a window, or lies over it or over another dialog of it."""
    above: QWidget | None = dialog
    while above is not None and above is not window:
        above = above.parentWidget()
    return above is not None


def ask_unsaved(parent: QWidget, name: str, is_gone: bool = False) -> UserChoice:
    """Changes would be lost, or the last copy of a file: save them, drop them, or stay."""
    told = (
        (f"“{shortened(name)}” is gone from the disk.", "This is the last copy; it is lost if you don't save it.")
        if is_gone
        else (f"“{shortened(name)}” has unsaved changes.", "They are lost if you don't save them.")
    )
    box = question(parent, *told)
    buttons = {
        box.addButton("&Save", QtWidgets.QMessageBox.ButtonRole.AcceptRole): UserChoice.SAVE,
        box.addButton(
            "&Discard" if is_gone else "&Discard Changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole
        ): UserChoice.DISCARD,
    }
    return answer(box, buttons)


def ask_all_unsaved(parent: QWidget, names: Sequence[str]) -> tuple[UserChoice, list[int]]:
    """Changes of several files would be lost: save some or all of them, drop them all, or stay.

    Returns:
        The choice, and the numbers of the files to save.
    """
    from viewer.ui.unsaved_dialog import UnsavedDialog

    dialog = UnsavedDialog(parent, names)
    dialog.exec()
    dialog.deleteLater()
    return dialog.choice, dialog.wanted


def named(things: Sequence[str]) -> list[str]:
    """The first of many things, a line each, and how many there are beside."""
    more = len(things) - NAMED
    return [*things[:NAMED], *([f"and {more} more"] if more > 0 else [])]


def shortened(name: str) -> str:
    """A name that fits on a line: the middle of a long one is left out."""
    return name if len(name) <= NAME_SIGNS else f"{name[: NAME_SIGNS // 2]}…{name[-NAME_SIGNS // 2 + 1 :]}"


def ask_changed_on_disk(parent: QWidget, name: str, keeps: bool = True) -> UserChoice:
    """The file on disk is not the one that was read: write over it, read it, or stay; *keeps*: its version stays."""
    box = question(
        parent,
        f"Another program has written “{shortened(name)}” since it was read.",
        "Overwriting replaces what it wrote; that version "
        + ("stays as .bak." if keeps else "is lost, as no earlier versions are kept."),
    )
    buttons = {
        box.addButton("&Overwrite", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): UserChoice.OVERWRITE,
        box.addButton(
            "&Reload and Discard My Changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole
        ): UserChoice.RELOAD,
    }
    return answer(box, buttons)


def ask_drop_changes(parent: QWidget, name: str, is_another: bool = False) -> bool:
    """Whether to go back to the saved file; *is_another* where another program has written it since."""
    words = f"Read what another program has written to “{name}”?" if is_another else f"Go back to the saved “{name}”?"
    box = question(parent, words, "Your changes are lost." if is_another else "All changes since then are lost.")
    return answer(
        box, {box.addButton("&Discard Changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): UserChoice.DISCARD}
    ) is (UserChoice.DISCARD)


def ask_read_again(parent: QWidget, name: str, steps: int) -> bool:
    """Whether to read what another program has written, though so many steps of undo do not lead back behind that."""
    words = f"Read what another program has written to “{name}”?"
    box = question(parent, words, f"Undo does not go back beyond that: {counted(steps, 'step')} will be lost.")
    button = box.addButton("&Read Again", QtWidgets.QMessageBox.ButtonRole.AcceptRole)
    return answer(box, {button: UserChoice.RELOAD}) is UserChoice.RELOAD


def ask_large(parent: QWidget, name: str, why: str, size: str) -> bool:
    """Whether very much may come out of a few bytes.

    Args:
        parent: the window.
        name: the file's.
        why: one sentence that says what comes out and what is allowed.
        size: how much is to be allowed, with its unit.
    """
    box = question(
        parent,
        f"Unpack “{name}” up to {size}?",
        f"{why} It may be a file that was made to fill up memory. Unpacking it takes about that much memory; "
        "without that it is shown packed, as it is.",
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    button = box.addButton(f"&Unpack up to {size}", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: UserChoice.DISCARD}) is UserChoice.DISCARD


def ask_drop_recorded(parent: QWidget, when: str) -> bool:
    """Whether recorded packets may go; *when* they do, in words."""
    box = question(parent, "The recorded packets are not saved.", f"They are lost if {when} now.")
    button = box.addButton("&Discard Them", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: UserChoice.DISCARD}) is UserChoice.DISCARD


def ask_drop_steps(parent: QWidget) -> bool:
    """Whether to leave an editor in which something was changed step by step."""
    box = question(parent, "Discard the changes made here?", "All steps since it was opened will be lost.")
    button = box.addButton("&Discard Changes", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: UserChoice.DISCARD}) is UserChoice.DISCARD


def ask_zstd(parent: QWidget, problem: str) -> bool:
    """Whether to compress by another method what cannot be written as it was."""
    box = question(parent, problem, "Zstd is what engines write instead; a game opens it in the same way.")
    button = box.addButton("&Save as Zstd", QtWidgets.QMessageBox.ButtonRole.AcceptRole)
    return answer(box, {button: UserChoice.SAVE}) is UserChoice.SAVE


def ask_save_as(parent: QWidget, problem: str) -> bool:
    """Whether to save elsewhere what cannot be written where it is; *problem* is the sentence that says why."""
    box = question(parent, problem, "")
    button = box.addButton("Save &As…", QtWidgets.QMessageBox.ButtonRole.AcceptRole)
    return answer(box, {button: UserChoice.SAVE}) is UserChoice.SAVE


def ask_losses(parent: QWidget, asked: str, losses: Sequence[str], verb: str) -> bool:
    """Whether to go on with what loses something; *losses* are sentences without full stops, *verb* is the button."""
    said = [f"{loss}." for loss in losses[:LOSSES]]
    if len(losses) > LOSSES:
        more = len(losses) - LOSSES
        said.append("1 more thing is lost." if more == 1 else f"{more} more things are lost.")
    box = question(parent, asked, "\n".join(said))
    buttons = {box.addButton(verb, QtWidgets.QMessageBox.ButtonRole.DestructiveRole): UserChoice.DISCARD}
    return answer(box, buttons) is UserChoice.DISCARD


def ask_references(parent: QWidget, name: str, paths: Sequence[str]) -> bool:
    """Whether to take a resource of this name away that values name; *paths* are theirs."""
    said = (
        "1 value refers to it, and becomes null:"
        if len(paths) == 1
        else f"{len(paths)} values refer to it, and become null:"
    )
    box = question(parent, f"Delete “{shortened(name)}”, which is in use?", "\n".join((said, *named(paths))))
    box.setTextFormat(Qt.TextFormat.PlainText)
    button = box.addButton("&Delete", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
    return answer(box, {button: UserChoice.DISCARD}) is UserChoice.DISCARD


def tell(parent: QWidget, sentence: str) -> None:
    """Say what could not be done."""
    close = QtWidgets.QMessageBox.StandardButton.Close
    box = QtWidgets.QMessageBox(QtWidgets.QMessageBox.Icon.NoIcon, "Variant Viewer", "", close, parent)
    set_box_text(box, grouped_in(sentence))
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    _widen(box)
    box.exec()


def about(parent: QWidget, scanner: str) -> None:
    """Name, version, what scans."""
    text = (
        f"<h3>Variant Viewer {VERSION}</h3>"
        "<p>Bytes and values of Godot 2, 3, 4 and Pandemonium saves and packets, side by side.</p>"
        f"<p>Scanner: {scanner}.<br>MIT licence.</p>"
    )
    QtWidgets.QMessageBox.about(parent, "About Variant Viewer", text)


def question(parent: QWidget, words: str, more: str) -> QtWidgets.QMessageBox:
    """A question with Cancel, which is what Esc and Enter do; the other buttons are the caller's."""
    cancel = QtWidgets.QMessageBox.StandardButton.Cancel
    box = QtWidgets.QMessageBox(QtWidgets.QMessageBox.Icon.NoIcon, "Variant Viewer", "", cancel, parent)
    set_box_text(box, grouped_in(words), grouped_in(more))
    box.setEscapeButton(cancel)
    box.setDefaultButton(cancel)
    return box


def answer(box: QtWidgets.QMessageBox, buttons: Mapping[QPushButton, UserChoice]) -> UserChoice:
    """Ask, and say which of the buttons was chosen."""
    if UserChoice.SAVE in buttons.values():
        box.setDefaultButton(next(button for button, meant in buttons.items() if meant is UserChoice.SAVE))
    give_room(box.buttons())
    _widen(box)
    box.exec()
    clicked = box.clickedButton()
    return next((meant for button, meant in buttons.items() if button is clicked), UserChoice.CANCEL)


def give_room(buttons: Sequence[QAbstractButton]) -> None:
    """Let the words of buttons have their room in bold too, which they are in while Enter would press them.

    Qt asks for the room of the plain words only.
    """
    for button in buttons:
        words = QFontMetrics(ui_font(strong=True)).size(Qt.TextFlag.TextShowMnemonic, button.text())
        button.setStyleSheet(f"min-width: {max(LEAST, words.width())}px;")


def _widen(box: QtWidgets.QMessageBox) -> None:
    """As wide as every dialog, and wider where the words on the buttons need it."""
    layout = box.layout()
    assert isinstance(layout, QGridLayout)
    layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    for number in range(layout.count()):
        item = layout.itemAt(number)
        indent = item.spacerItem() if item is not None else None
        if indent is not None:  # Qt keeps room for an icon that is not there
            indent.changeSize(0, 0)
    layout.setHorizontalSpacing(0)
    layout.setVerticalSpacing(BETWEEN)
    layout.setColumnStretch(layout.columnCount() - 1, 1)  # that of the words
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
            self._dialog = QtWidgets.QProgressDialog("", "&Cancel", 0, 0, self._parent)
            self._dialog.setLabel(PlainLabel(self._words))
            self._dialog.setWindowTitle("Variant Viewer")
            self._dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
            self._dialog.setMinimumWidth(WIDTH)
            self._dialog.show()
        QApplication.processEvents()
        return not self._dialog.wasCanceled()


# The chooser of colours is Qt's or the platform's.


def spelled_colour(dialog: QtWidgets.QColorDialog) -> QtWidgets.QColorDialog:
    """The dialog with a title, and its words, where they are Qt's own, spelled as the program's."""
    dialog.setWindowTitle("Colour")
    labels: list[QtWidgets.QLabel] = dialog.findChildren(QtWidgets.QLabel)
    buttons: list[QAbstractButton] = dialog.findChildren(QAbstractButton)
    parts: list[QtWidgets.QLabel | QAbstractButton] = [*labels, *buttons]
    for part in parts:
        if "olor" in part.text():
            part.setText(part.text().replace("olor", "olour"))
    return dialog
