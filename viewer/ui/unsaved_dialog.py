"""The question about several files with unsaved changes: a tick for each that is to be saved."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from viewer.base.unseen import escaped
from viewer.ui import dialogs
from viewer.ui.dialogs import BETWEEN, MARGIN, WIDTH, UserChoice
from viewer.ui.look.plain_text import PlainLabel, plain_tip

ROWS = 8
"""So many files are seen without scrolling."""


class UnsavedDialog(QDialog):
    """Asks what becomes of changes.

    Args:
        parent: the window.
        names: the files, told apart.

    Attributes:
        choice: what a person chose.
        list: a row with a tick for each file.
        says: what becomes of those without one.
        save_button, discard_button: what can be done.
    """

    def __init__(self, parent: QWidget, names: Sequence[str]) -> None:
        super().__init__(parent)
        self.choice = UserChoice.CANCEL
        self.setWindowTitle("Variant Viewer")
        self.setObjectName("unsavedDialog")
        self.setMinimumWidth(WIDTH)
        words = PlainLabel(f"{len(names)} files are not saved.")
        words.setObjectName("dialogTitle")
        words.setWordWrap(True)
        self.list = QtWidgets.QListWidget()
        self.list.setAccessibleName("Files to save")
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for name in names:
            row = QtWidgets.QListWidgetItem(escaped(name), self.list)
            row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            row.setCheckState(Qt.CheckState.Checked)
            row.setToolTip(plain_tip(name))
        self.list.setCurrentRow(0)
        height = self.list.sizeHintForRow(0) * min(len(names), ROWS) + 2 * self.list.frameWidth()
        self.list.setFixedHeight(height)
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save_button = buttons.addButton("&Save Selected", QDialogButtonBox.ButtonRole.AcceptRole)
        self.discard_button = buttons.addButton("&Discard All", QDialogButtonBox.ButtonRole.DestructiveRole)
        self.save_button.setDefault(True)
        self.discard_button.setAutoDefault(False)
        dialogs.give_room(buttons.buttons())
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(BETWEEN)
        for part in (words, self.list, self.says, buttons):
            column.addWidget(part)
        self.list.itemChanged.connect(self._tell)
        self.save_button.clicked.connect(lambda: self._choose(UserChoice.SAVE))
        self.discard_button.clicked.connect(lambda: self._choose(UserChoice.DISCARD))
        buttons.rejected.connect(self.reject)
        self._tell()
        self.list.setFocus()

    @property
    def wanted(self) -> list[int]:
        """The numbers of the files that have a tick."""
        rows = range(self.list.count())
        return [row for row in rows if self.list.item(row).checkState() is Qt.CheckState.Checked]

    def _tell(self, *_: object) -> None:
        """Say what becomes of the files without a tick."""
        left = self.list.count() - len(self.wanted)
        self.save_button.setEnabled(bool(self.wanted))
        if not left:
            self.says.setText("Space clears a tick: that file is then not saved.")
        elif left == 1:
            self.says.setText("The changes of the file without a tick are lost.")
        else:
            self.says.setText(f"The changes of the {left} files without a tick are lost.")

    def _choose(self, choice: UserChoice) -> None:
        self.choice = choice
        self.accept()
