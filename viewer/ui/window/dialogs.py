"""Dialogs: only to ask what cannot be undone, and for the few pages that want a place of their own.

Verbs on the buttons, the safe one is the default, Esc cancels.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Self

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QProgressDialog,
    QPushButton,
    QScrollArea,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from viewer import __version__
from viewer.document.document import Document
from viewer.document.path import PathError, parse_range
from viewer.span import Span
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.window.actions import all_entries

WIDTH = 480
MARGIN = 24
BETWEEN = 12
PATIENCE = 500
OTHER_KEYS = (
    ("Tree", "Left, Right", "Close or open a row, go to its parent or first child"),
    ("Tree", "Shift+Right", "Open everything below the row"),
    ("Tree", "Ctrl+Left", "Close everything below the row"),
    ("Tree", "Enter, F2", "Edit the value"),
    ("Tree", "Space", "Turn a bool over"),
    ("Bytes", "Tab", "Go from the hexadecimal column to the text and back"),
    ("Bytes", "Shift+arrows", "Select bytes"),
    ("Bytes", "Home, End", "Go to the start or end of the row; with Ctrl of the file"),
    ("Bytes", "0 to 9, A to F", "Overwrite, half a byte at a time"),
)


class Answer(Enum):
    """What a person chose."""

    SAVE = "save"
    DISCARD = "discard"
    OVERWRITE = "overwrite"
    RELOAD = "reload"
    CANCEL = "cancel"


def ask_unsaved(parent: QWidget, name: str) -> Answer:
    """Changes would be lost: save them, drop them, or stay."""
    box = _box(parent, f"“{name}” has changes that are not saved.", "They are lost if you don't save them.")
    buttons = {
        box.addButton("&Save", QMessageBox.ButtonRole.AcceptRole): Answer.SAVE,
        box.addButton("&Discard changes", QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD,
    }
    return _answer(box, buttons)


def ask_changed_on_disk(parent: QWidget, name: str) -> Answer:
    """The file on disk is not the one that was read: write over it, read it, or stay."""
    box = _box(
        parent,
        f"Another program has written “{name}” since it was read.",
        "Overwriting replaces what it wrote; that version stays as .bak.",
    )
    buttons = {
        box.addButton("&Overwrite", QMessageBox.ButtonRole.DestructiveRole): Answer.OVERWRITE,
        box.addButton("&Reload and drop my changes", QMessageBox.ButtonRole.DestructiveRole): Answer.RELOAD,
    }
    return _answer(box, buttons)


def ask_drop_changes(parent: QWidget, name: str) -> bool:
    """Whether to go back to the saved file."""
    box = _box(parent, f"Go back to the saved “{name}”?", "All changes since then are lost.")
    return _answer(box, {box.addButton("&Drop changes", QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD}) is (
        Answer.DISCARD
    )


def tell(parent: QWidget, sentence: str) -> None:
    """Say what could not be done."""
    box = QMessageBox(QMessageBox.Icon.Warning, "Variant Viewer", sentence, QMessageBox.StandardButton.Close, parent)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.exec()


def about(parent: QWidget, scanner: str) -> None:
    """Name, version, what scans."""
    text = (
        f"<h3>Variant Viewer {__version__}</h3>"
        "<p>Bytes and values of Godot 2, 3, 4 and Pandemonium saves and packets, side by side.</p>"
        f"<p>Scanner: {scanner}.<br>MIT licence.</p>"
    )
    QMessageBox.about(parent, "About Variant Viewer", text)


def _box(parent: QWidget, question: str, more: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Variant Viewer", question, QMessageBox.StandardButton.Cancel, parent)
    box.setInformativeText(more)
    box.setEscapeButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    return box


def _answer(box: QMessageBox, buttons: Mapping[QPushButton, Answer]) -> Answer:
    if Answer.SAVE in buttons.values():
        box.setDefaultButton(next(button for button, answer in buttons.items() if answer is Answer.SAVE))
    _widen(box)
    box.exec()
    clicked = box.clickedButton()
    return next((answer for button, answer in buttons.items() if button is clicked), Answer.CANCEL)


def _widen(box: QMessageBox) -> None:
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
        self._dialog: QProgressDialog | None = None
        self._since = QElapsedTimer()

    def __enter__(self) -> Self:
        self._since.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()

    def goes_on(self, offset: int) -> bool:
        """Whether the work may go on; keeps the dialog alive."""
        if self._since.elapsed() < PATIENCE:
            return True
        if self._dialog is None:
            self._dialog = QProgressDialog(self._words, "&Cancel", 0, 0, self._parent)
            self._dialog.setWindowTitle("Variant Viewer")
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumWidth(WIDTH)
            self._dialog.show()
        QApplication.processEvents()
        return not self._dialog.wasCanceled()


class RangeDialog(QDialog):
    """Asks for a run of bytes: ``0x10..0x1F`` or ``0x10+16``; what is wrong is said while typing."""

    def __init__(self, parent: QWidget, document: Document, caret: int) -> None:
        super().__init__(parent)
        self._document = document
        self._caret = caret
        self.span: Span | None = None
        self.setWindowTitle("Select range")
        self.setMinimumWidth(WIDTH)
        self._field = QLineEdit(f"0x{caret:X}+16")
        self._field.setFont(fixed_font())
        self._field.setAccessibleName("Bytes to select")
        self._says = QLabel()
        self._says.setWordWrap(True)
        self._says.setFont(ui_font(Size.SECONDARY))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._select = self._buttons.addButton("&Select", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._field.textChanged.connect(self._judge)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._field.selectAll()
        self._judge()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(QLabel("Bytes, as first..last or offset+length:"))
        layout.addWidget(self._field)
        layout.addWidget(self._says)
        layout.addWidget(self._buttons)

    def _judge(self) -> None:
        try:
            self.span = parse_range(self._document, self._field.text(), self._caret)
            self._says.setText(f"{len(self.span)} bytes, 0x{self.span.start:X} to 0x{self.span.end - 1:X}.")
        except PathError as error:
            self.span = None
            self._says.setText(str(error))
        self._select.setEnabled(self.span is not None)


class ShortcutsDialog(QDialog):
    """All keys, by menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self.setMinimumSize(WIDTH, 420)
        page = QWidget()
        self._fill(QGridLayout(page))
        area = QScrollArea()
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setMinimumWidth(page.sizeHint().width() + area.verticalScrollBar().sizeHint().width())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(area)
        layout.addWidget(buttons)

    def _fill(self, grid: QGridLayout) -> None:
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        rows = [(menu, _native(entry.keys), entry.tip) for menu, entry in all_entries() if entry.keys]
        shown = ""
        for menu, keys, words in [*rows, *OTHER_KEYS]:
            row = grid.rowCount()
            if menu != shown:
                title = QLabel(menu)
                title.setFont(ui_font(strong=True))
                grid.addWidget(title, row, 0, 1, 2)
                shown, row = menu, row + 1
            label = QLabel(keys)
            label.setFont(fixed_font(Size.SECONDARY))
            grid.addWidget(label, row, 0)
            grid.addWidget(QLabel(words), row, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(grid.rowCount(), 1)


def _native(keys: tuple[str, ...]) -> str:
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(form) for key in keys)
