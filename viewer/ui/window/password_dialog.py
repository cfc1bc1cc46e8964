"""The dialog that asks for the password or the key of an encrypted file."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from viewer.base.unseen import escaped
from viewer.container.layer import Secret, SecretError
from viewer.ui.dialogs import MARGIN, WIDTH, give_room
from viewer.ui.editors.fields import CheckBox
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel

PASSWORD, KEY = 0, 1
PROMISE = "It stays in memory until the file is closed, and is never written down."


class PasswordDialog(QDialog):
    """Asks for a password or a key of 64 hex digits; what was wrong with the last one stands below the field.

    Args:
        parent: the window.
        theme: the colours.
        name: the file.
        wrong: why the last answer did not fit, empty for the first question.
        hint: what the profile of the game says about it.

    Attributes:
        secret: what was given, None until the dialog is accepted.
    """

    def __init__(self, parent: QWidget, theme: Theme, name: str, wrong: str = "", hint: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("passwordDialog")
        self.setWindowTitle("Encrypted file")
        self.setMinimumWidth(WIDTH)
        self._theme = theme
        self.secret: Secret | None = None
        self._title = PlainLabel(f"“{name}” is encrypted.")
        self._title.setFont(ui_font(Size.UI, strong=True))
        self._title.setWordWrap(True)
        self.hint = PlainLabel(escaped(f"The profile of the game says: {hint}"))
        self.hint.setWordWrap(True)
        self.hint.setVisible(bool(hint))
        self.kind = QComboBox()
        self.kind.addItems(["Password", "Key"])
        self.kind.setAccessibleName("What you have")
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.show_text = CheckBox(theme, "&Show what I type")
        self._says = PlainLabel(PROMISE)
        self._says.setWordWrap(True)
        self._says.setFont(ui_font(Size.SECONDARY))
        self._says.setMinimumHeight(2 * self._says.fontMetrics().height())
        self._buttons = QDialogButtonBox()
        self._buttons.addButton("Show bytes &as they are", QDialogButtonBox.ButtonRole.RejectRole)
        self.open_button = self._buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setDefault(True)
        give_room(self._buttons.buttons())
        self._lay_out()
        self._choose(PASSWORD)
        if wrong:
            self._complain(wrong)
        self.kind.currentIndexChanged.connect(self._choose)
        self.show_text.toggled.connect(self._show_text)
        self.field.textEdited.connect(self._calm)
        self._buttons.accepted.connect(self._take)
        self._buttons.rejected.connect(self.reject)
        self.field.setFocus()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.kind)
        row.addWidget(self.field, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self.hint)
        layout.addLayout(row)
        layout.addWidget(self.show_text)
        layout.addWidget(self._says)
        layout.addWidget(self._buttons)

    def _choose(self, kind: int) -> None:
        is_key = kind == KEY
        self.field.setAccessibleName("Key, 64 hex digits" if is_key else "Password")
        self.field.setPlaceholderText("64 hexadecimal digits" if is_key else "May be empty")
        self._calm()

    def _show_text(self, shown: bool) -> None:
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)

    def _calm(self) -> None:
        self._says.setStyleSheet("")
        self._says.setText(PROMISE)

    def _complain(self, sentence: str) -> None:
        self._says.setStyleSheet(f"color: {self._theme.state('error').fg.name()}")
        self._says.setText(sentence)
        self.field.selectAll()
        self.field.setFocus()

    def _take(self) -> None:
        text = self.field.text()
        try:
            is_key = self.kind.currentIndex() == KEY
            self.secret = Secret.of_hex(text.strip()) if is_key else Secret.of_password(text)
        except SecretError as error:
            self._complain(str(error))
            return
        self.field.clear()
        self.accept()
