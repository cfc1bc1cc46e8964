"""Asks what a merge is made of: the base, and the side that is merged into the shown file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.dialogs import BETWEEN, MARGIN, WIDTH
from viewer.ui.look.plain_text import PlainLabel

ANOTHER = "Another file…"
WORDS = "What each side changed in the base is merged value by value; you are asked about what both changed."


class MergeSidesDialog(QDialog):
    """Asks for base and theirs.

    Args:
        parent: the window.
        ours: what the shown file is called.
        folder: where files are looked for first.
        versions: the earlier versions of the shown file, the latest first.
        others: the other open documents.

    Attributes:
        base, theirs: the boxes.
    """

    def __init__(
        self, parent: QWidget, ours: str, folder: str, versions: Sequence[Path], others: Sequence[Document]
    ) -> None:
        super().__init__(parent)
        self.setObjectName("mergeSidesDialog")
        self.setWindowTitle("Merge")
        self.setMinimumWidth(WIDTH)
        self._folder = folder
        self.base, self.theirs = QComboBox(), QComboBox()
        says = PlainLabel(WORDS)
        says.setWordWrap(True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(BETWEEN)
        grid.setVerticalSpacing(BETWEEN)
        grid.addWidget(PlainLabel("Ours:"), 0, 0)
        grid.addWidget(PlainLabel(ours), 0, 1)
        for row, (words, box, name) in enumerate(
            (("&Base:", self.base, "Base"), ("&Theirs:", self.theirs, "Theirs")), start=1
        ):
            box.setAccessibleName(name)
            label = PlainLabel(words)
            label.setBuddy(box)
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1)
        grid.setColumnStretch(1, 1)
        for path in versions:
            self.base.addItem(path.name, path)
        for box in (self.theirs, self.base):
            for other in others:
                box.addItem(other.name, other)
            box.addItem(ANOTHER)
            box.activated.connect(lambda number, box=box: self._ask_file(box, number))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = buttons.addButton("&Merge…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setDefault(True)
        dialogs.give_room(buttons.buttons())
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(BETWEEN)
        layout.addWidget(says)
        layout.addLayout(grid)
        layout.addWidget(buttons)

    def chosen(self, box: QComboBox) -> Path | Document | None:
        """What a box says, None for nothing yet."""
        found = box.currentData()
        return found if isinstance(found, Path | Document) else None

    def _ask_file(self, box: QComboBox, number: int) -> None:
        if box.itemData(number) is not None:
            return
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self, box.accessibleName(), self._folder, "All files (*)")
        if name:
            box.insertItem(0, Path(name).name, Path(name))
            box.setCurrentIndex(0)

    def _accept(self) -> None:
        """Ask for files where none is chosen; close when both are."""
        for box in (self.base, self.theirs):
            if self.chosen(box) is None:
                self._ask_file(box, box.currentIndex())
            if self.chosen(box) is None:
                return
        self.accept()
