"""The editors of a text, in several lines or in one where tabs can be seen, and of a node path in its parts."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPlainTextEdit, QVBoxLayout

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget
from viewer.document.forms.typed_values import escaped, from_text, lines, measure, node_path, odd, plain, unescaped
from viewer.ui.editors.fields import CheckBox, heading, label, mark_invalid, note, quietly, text_of
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import LongLine
from viewer.variant.value import NodePath

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
        self._opened_with = text_of(self.field)
        self._measure(text)

    def _switch(self, on: bool) -> None:
        """Show the same text the other way; what cannot be read yet stays as it is."""
        text = text_of(self.field)
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
        text = text_of(self.field)
        if text == self._opened_with:
            return self._kept
        return unescaped(text) if self.escapes.isChecked() else text

    def start(self) -> None:
        """Begin at the end of the text."""
        self.field.setFocus()
        self.field.selectAll()


LIST_HEIGHT = 84


class PathEditor(Editor):
    """The whole path as text, and its names, sub-names and flags; each follows the other."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        path = target.data if isinstance(target.data, NodePath) else NodePath()
        self._with_property = target.document.dialect.rules.property_flag
        self.text = LongLine()
        self.names, self.subnames = _list("Names"), _list("Sub-names")
        self.absolute = CheckBox(theme, "A&bsolute: begins at the root")
        self.has_property = CheckBox(theme, "Has a p&roperty")
        self.prop = LongLine()
        for field, name in ((self.text, "Path"), (self.prop, "Property")):
            field.setFont(fixed_font())
            field.setAccessibleName(name)
        self._lay_out()
        self._show_parts(path)
        self._show_text(path)
        self._kept, self._opened_with = path, self._state()
        self._connect()

    def _lay_out(self) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(12)
        layout.addWidget(label("&Path", self.text), 0, 0)
        layout.addWidget(self.text, 0, 1, 1, 2)
        layout.addWidget(heading("&Names", self.names), 1, 1)
        layout.addWidget(heading("&Sub-names", self.subnames), 1, 2)
        layout.addWidget(self.names, 2, 1)
        layout.addWidget(self.subnames, 2, 2)
        layout.addWidget(self.absolute, 3, 1, 1, 2)
        if self._with_property:
            layout.addWidget(self.has_property, 4, 1)
            layout.addWidget(self.prop, 4, 2)
        layout.addWidget(note("One name per line. A name with a line break in it is written with \\n."), 5, 1, 1, 2)

    def _connect(self) -> None:
        self.text.textEdited.connect(self._text_typed)
        for field in (self.names, self.subnames):
            field.textChanged.connect(self._part_typed)
        self.absolute.toggled.connect(self._part_typed)
        self.has_property.toggled.connect(self._part_typed)
        self.prop.textChanged.connect(self._part_typed)

    def _show_parts(self, path: NodePath) -> None:
        quietly(self.names, lambda: self.names.setPlainText(lines(path.names)))
        quietly(self.subnames, lambda: self.subnames.setPlainText(lines(path.subnames)))
        quietly(self.absolute, lambda: self.absolute.setChecked(path.absolute))
        quietly(self.has_property, lambda: self.has_property.setChecked(path.prop is not None))
        quietly(self.prop, lambda: self.prop.setText(escaped(path.prop or "")))
        self.prop.setEnabled(path.prop is not None)

    def _show_text(self, path: NodePath) -> None:
        quietly(self.text, lambda: self.text.setText(path.text))
        mark_invalid(self.text, False)

    def _text_typed(self, text: str) -> None:
        try:
            path = from_text(text, self._with_property)
        except EditError as error:
            mark_invalid(self.text, True)
            self.blame(error)
            return
        self.fault = None
        mark_invalid(self.text, False)
        self._show_parts(path)
        self.edited.emit()

    def _part_typed(self) -> None:
        self.prop.setEnabled(self.has_property.isChecked())
        self.fault = None
        with suppress(EditError):  # the verdict says it
            self._show_text(self.made())
        self.edited.emit()

    def _state(self) -> tuple[object, ...]:
        boxes = self.absolute.isChecked(), self.has_property.isChecked()
        return text_of(self.names), text_of(self.subnames), self.prop.text(), *boxes

    def made(self) -> NodePath:
        """The path of the parts."""
        if self._state() == self._opened_with:
            return self._kept
        prop = self.prop.text() if self._with_property and self.has_property.isChecked() else None
        return node_path(text_of(self.names), text_of(self.subnames), self.absolute.isChecked(), prop)

    def start(self) -> None:
        """Begin with the whole path."""
        self.text.setFocus()
        self.text.selectAll()


def _list(name: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setFont(fixed_font())
    field.setTabChangesFocus(True)
    field.setFixedHeight(LIST_HEIGHT)
    field.setAccessibleName(f"{name}, one per line")
    return field
