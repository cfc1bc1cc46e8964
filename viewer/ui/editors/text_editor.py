"""The editor of a text: several lines, or one in which tabs and line breaks can be seen."""

from __future__ import annotations

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget
from viewer.document.forms.typed_texts import (
    escaped,
    measure,
    odd,
    plain,
    unescaped,
)
from viewer.ui.editors.fields import CheckBox, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme

HEIGHT = 140


class TextEditor(Editor):
    """A String, a StringName, or an element of an array of them."""

    grows = True

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        self._kept = target.data if isinstance(target.data, str) else ""
        self.field = QPlainTextEdit()
        self.field.setFont(fixed_font())
        self.field.setTabChangesFocus(True)
        self.field.setMinimumHeight(HEIGHT)
        self.field.setAccessibleName("Text")
        self.escapes = CheckBox(theme, r"Tabs and line &breaks as \t and \n")
        self.marks = CheckBox(theme, "&Show blanks")
        self.length = note()
        self._lay_out()
        self.escapes.setChecked(not plain(self._kept))
        self.escapes.setEnabled(plain(self._kept))
        self._show(self._kept)
        self.escapes.toggled.connect(self._switch)
        self.marks.toggled.connect(self._show_marks)
        self.field.textChanged.connect(self._typed)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.field, 1)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.escapes)
        row.addWidget(self.marks)
        row.addStretch()
        layout.addLayout(row)
        layout.addWidget(self.length)

    def _show(self, text: str) -> None:
        shown = escaped(text) if self.escapes.isChecked() else text
        quietly(self.field, lambda: self.field.setPlainText(shown))
        self._opened_with = self._shown()
        self._measure(text)

    def _shown(self) -> str:
        """What stands in the field; Qt's plain text would make blanks of those that do not break."""
        return self.field.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def _switch(self, on: bool) -> None:
        """Show the same text the other way; what cannot be read yet stays as it is."""
        text = self._shown()
        try:
            now = unescaped(text) if not on else text
        except EditError as error:
            quietly(self.escapes, lambda: self.escapes.setChecked(True))
            self.said.emit(str(error))
            return
        untouched = text == self._opened_with
        self._show(self._kept if untouched else now)
        self._opened_with = self._opened_with if untouched else ""
        self.edited.emit()

    def _show_marks(self, on: bool) -> None:
        options = self.field.document().defaultTextOption()
        flag = QTextOption.Flag.ShowTabsAndSpaces | QTextOption.Flag.ShowLineAndParagraphSeparators
        options.setFlags(options.flags() | flag if on else options.flags() & ~flag)
        self.field.document().setDefaultTextOption(options)

    def _typed(self) -> None:
        self.edited.emit()
        try:
            self._measure(self.made())
        except EditError:
            mark_invalid(self.field, True)

    def _measure(self, text: str) -> None:
        mark_invalid(self.field, False)
        self.length.setText(f"{measure(text)}. {odd(text)}".strip())

    def made(self) -> str:
        """The text; as long as nobody touched it, with the very bytes that it has."""
        text = self._shown()
        if text == self._opened_with:
            return self._kept
        return unescaped(text) if self.escapes.isChecked() else text

    def start(self) -> None:
        """Begin at the end of the text."""
        self.field.setFocus()
        self.field.selectAll()
