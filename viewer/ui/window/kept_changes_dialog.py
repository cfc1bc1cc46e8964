"""File > Recover Unsaved: all changes that are kept of runs that ended, what can be done with each, and doing it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QListView, QVBoxLayout, QWidget

from viewer.base.unseen import escaped
from viewer.document.document import Document
from viewer.document.journals.bringing_back import JournalFit, JournalOutlook
from viewer.document.journals.journal import LeftJournal
from viewer.ui import dialogs
from viewer.ui.dialogs import MARGIN, UserChoice
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.list_card import CardDelegate, CardModel, CardRow
from viewer.ui.window.bring_back_question import bring_back, time_of
from viewer.ui.window.journal_keeper import JournalKeeper

SIZE = (640, 360)
DAMAGED = "damaged record"
NOTHING = "Nothing is kept: all changes were saved, dropped or brought back."
ICONS = {
    JournalFit.FITS: ("circle-check", "state.ok.fg"),
    JournalFit.ALONE: ("triangle-alert", "state.warning.fg"),
    JournalFit.LIKELY: ("info", "text_secondary"),
    JournalFit.WAITS: ("triangle-alert", "state.warning.fg"),
    JournalFit.NEVER: ("circle-x", "state.error.fg"),
}
NEEDS_FILE = frozenset((JournalFit.LIKELY, JournalFit.WAITS))


class KeptChangesDialog(QDialog):
    """Lists what was left behind.

    Args:
        parent: the window.
        keeper: knows it, and brings it back.
        show: shows a document in a tab of its own.
        theme: the colours.

    Attributes:
        list: a row for each document.
        says: what is known of the current one.
        bring_back_button, choose_button, drop_button: what can be done with it.
    """

    def __init__(self, parent: QWidget, keeper: JournalKeeper, show: Callable[[Document], None], theme: Theme) -> None:
        super().__init__(parent)
        self._keeper, self._show = keeper, show
        self._found: list[tuple[LeftJournal, JournalOutlook]] = []
        self.setWindowTitle("Recover unsaved changes")
        self.setObjectName("keptChangesDialog")
        self.resize(*SIZE)
        self.model = CardModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(CardDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.StyledPanel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Kept changes")
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.says.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.says.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.says.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.bring_back_button = self._buttons.addButton("&Bring Back", QDialogButtonBox.ButtonRole.ActionRole)
        self.choose_button = self._buttons.addButton("Choose &File…", QDialogButtonBox.ButtonRole.ActionRole)
        self.drop_button = self._buttons.addButton("&Discard…", QDialogButtonBox.ButtonRole.ActionRole)
        self.bring_back_button.setDefault(True)
        self.choose_button.setAutoDefault(False)
        self.drop_button.setAutoDefault(False)
        dialogs.give_room(self._buttons.buttons())
        self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.addWidget(self.list, 1)
        column.addWidget(self.says)
        column.addWidget(self._buttons)
        self.list.setFocus()

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(self._tell)
        self.list.doubleClicked.connect(self.bring_back)  # Enter presses the button
        self.bring_back_button.clicked.connect(self.bring_back)
        self.choose_button.clicked.connect(self.choose)
        self.drop_button.clicked.connect(self.drop)
        self._buttons.rejected.connect(self.reject)

    def refresh(self) -> None:
        """List what is kept now."""
        row = self.list.currentIndex().row()
        self._found = self._keeper.left()
        self.model.set_rows([_row(left, look) for left, look in self._found])
        self.list.setCurrentIndex(self.model.index(max(0, min(row, len(self._found) - 1)), 0))
        self._tell()

    @property
    def _current(self) -> tuple[LeftJournal, JournalOutlook] | None:
        row = self.list.currentIndex().row()
        return self._found[row] if 0 <= row < len(self._found) else None

    def _tell(self, *_: object) -> None:
        """Say what is known of the current one, and what can be done."""
        current = self._current
        look = current[1] if current is not None else None
        self.says.setText(look.sentence if look is not None else NOTHING)
        self.bring_back_button.setEnabled(look is not None and look.is_ready)
        self.choose_button.setEnabled(look is not None and look.fit in NEEDS_FILE)
        self.drop_button.setEnabled(look is not None)

    # What the buttons do

    def bring_back(self) -> None:
        """Show the current document with its changes."""
        current = self._current
        if current is not None and current[1].is_ready:
            self._bring_back(current[0], None)

    def choose(self) -> None:
        """Ask where the edited file is now, and show that with the changes."""
        current = self._current
        if current is None or current[1].fit not in NEEDS_FILE:
            return
        start = str(current[0].file or "")
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self, "Choose the edited file", start, "All files (*)")
        if name:
            self._bring_back(current[0], Path(name))

    def _bring_back(self, left: LeftJournal, file: Path | None) -> None:
        said = bring_back(self._keeper, left, self._show, file)
        self.refresh()
        if said:
            self.says.setText(said)
        elif not self._found:
            self.accept()

    def drop(self) -> None:
        """Ask, and take the current changes away."""
        current = self._current
        if current is None:
            return
        box = dialogs.question(
            self, f"Discard the kept changes of “{escaped(current[0].name)}”?", "They cannot be recovered."
        )
        button = box.addButton("&Discard Them", QtWidgets.QMessageBox.ButtonRole.DestructiveRole)
        if dialogs.answer(box, {button: UserChoice.DISCARD}) is UserChoice.DISCARD:
            self._keeper.forget(current[0])
            self.refresh()

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.drop()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._keeper.release()
        super().done(result)


def _row(left: LeftJournal, look: JournalOutlook) -> CardRow:
    icon, role = ("lock", "text_secondary") if left.is_secret else ICONS[look.fit]
    name = DAMAGED if left.problem else escaped(left.name)
    return CardRow(name, detail=escaped(_place(left)), end=time_of(left), icon=icon, icon_role=role)


def _place(left: LeftJournal) -> str:
    """Where the edited file was; of what cannot be read, where that lies."""
    if left.problem:
        return str(left.path.parent)
    return str(left.file.parent) if left.file is not None else "no file"
