"""The editor of a bool."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout

from viewer.document.forms.target import EditTarget
from viewer.ui.editors.fields import CheckBox
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme


class BoolEditor(Editor):
    """One check box."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        self.box = CheckBox(theme, "&True")
        self.box.setChecked(bool(target.data))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        self.box.toggled.connect(self.edited)

    def made(self) -> bool:
        """Whether it is ticked."""
        return self.box.isChecked()

    def start(self) -> None:
        """Begin at the box."""
        self.box.setFocus()
