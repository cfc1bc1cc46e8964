"""The card round an editor: whose value it is, the fields, the verdict on them, Apply and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from viewer.document.change import Change
from viewer.document.edits import EditError
from viewer.document.forms.target import Proposal
from viewer.document.path import format_path
from viewer.ui.editors.base import Editor
from viewer.ui.editors.fields import note
from viewer.ui.editors.verdict_band import VerdictBand
from viewer.ui.look import chips
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_title
from viewer.ui.panels.pieces import Line
from viewer.ui.session import Session

MARGIN = 24
WIDTH = 520
SPACING = 12
APPLY_KEYS = ("Ctrl+Return", "Ctrl+Enter")


class EditorCard(QDialog):
    """One open editor. Applying is one step for undo; Esc leaves everything as it was.

    Args:
        editor: the fields.
        session: applies the edit.
        theme: the colours.
        parent: the window it lies over.
        with_bytes: whether the verdict shows the bytes.
    """

    def __init__(
        self, editor: Editor, session: Session, theme: Theme, parent: QWidget, with_bytes: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("editorCard")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.editor = editor
        self._session, self._theme = session, theme
        target = editor.target
        self.setWindowTitle(in_title(f"Edit {target.type}"))
        self.band = VerdictBand(theme, target.row.group, with_bytes)
        self.says = note()
        self.apply_button = QPushButton("&Apply")
        self.cancel_button = QPushButton("&Cancel")
        self._lay_out(format_path(target.document, target.item))
        self._connect()
        self._judge()
        self.resize(self.sizeHint().expandedTo(QSize(WIDTH, 0)))

    def _lay_out(self, path: str) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN - 4)
        layout.setSpacing(SPACING)
        layout.addLayout(self._head(path))
        layout.addWidget(note(self.editor.target.about))
        layout.addWidget(self.editor, 1)
        if not self.editor.grows:
            layout.addStretch()
        layout.addWidget(self.says)
        self.says.hide()
        layout.addWidget(self.band)
        buttons = QDialogButtonBox()
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.cancel_button, QDialogButtonBox.ButtonRole.RejectRole)
        self.apply_button.setDefault(True)
        self.apply_button.setToolTip("Write this (Ctrl+Enter)")
        self.cancel_button.setToolTip("Leave without a change (Esc)")
        layout.addWidget(buttons)

    def _head(self, path: str) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        target = self.editor.target
        own = target.document.dialect.by_name.get(target.type, target.row)
        head.addWidget(_Chip(self._theme, own.chip, own.group))
        name = Line(self._theme, fixed_font(Size.UI, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        name.set_text(path)
        kind = Line(self._theme, ui_font(Size.SECONDARY), "text_secondary")
        kind.set_text(target.type)
        head.addWidget(name, 1)
        head.addWidget(kind)
        return head

    def _connect(self) -> None:
        self.editor.edited.connect(self._judge)
        self.editor.said.connect(self.say)
        self.apply_button.clicked.connect(self.apply)
        self.cancel_button.clicked.connect(self.reject)
        for keys in APPLY_KEYS:
            QShortcut(QKeySequence(keys), self).activated.connect(self.apply)
        self._session.changed.connect(self._leave)
        self._session.opened.connect(self.reject)

    def start(self) -> None:
        """Show it and let a person type."""
        self.open()
        self.editor.start()

    def say(self, sentence: str) -> None:
        """Tell something above the verdict."""
        self.says.setText(sentence)
        self.says.setVisible(bool(sentence))

    def _judge(self) -> None:
        self.say("")
        proposal: Proposal = self.editor.proposal()
        self.band.set_verdict(proposal.verdict)
        self.apply_button.setEnabled(proposal.verdict.ok)

    def apply(self) -> None:
        """Write the value and close; where it cannot be written, stay and say why."""
        if not self.apply_button.isEnabled():
            return
        try:
            if self._session.waits:
                raise EditError("These bytes are still being read; try again in a moment.")
            edit = self.editor.edit()
        except EditError as error:
            self.say(str(error))
            return
        self._session.changed.disconnect(self._leave)
        self.accept()
        if edit is not None:
            self._session.seal()
            self._session.apply(edit)

    def _leave(self, change: Change) -> None:
        """The bytes changed under the editor: what it shows is not what is there any more."""
        self.reject()
        self._session.failed.emit("The file was changed meanwhile; open the editor again.")


class _Chip(QWidget):
    """The chip of a type."""

    def __init__(self, theme: Theme, letters: str, group: str) -> None:
        super().__init__()
        self._theme, self._letters, self._group = theme, letters, group
        self.setFixedSize(chips.WIDTH, chips.HEIGHT + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        chips.paint_chip(painter, QRectF(self.rect()), self._letters, self._group, self._theme)
        painter.end()
