"""The editor of a text: several lines, or one in which tabs and line breaks can be seen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout

from viewer.base.words import counted, grouped
from viewer.document.edits import EditError
from viewer.document.edits.packed import open_array, replace_bytes
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.forms.typed_texts import (
    ROW,
    escaped,
    from_text,
    hex_lines,
    lines,
    measure,
    node_path,
    odd,
    plain,
    unescaped,
)
from viewer.document.viewmodel.verdict import SAME, Verdict
from viewer.ui.editors.fields import CheckBox, heading, label, mark_invalid, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
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


# The editor of a node path in its parts.

LIST_HEIGHT = 84


class PathEditor(Editor):
    """The whole path as text, and its names, sub-names and flags; each follows the other."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        path = target.data if isinstance(target.data, NodePath) else NodePath()
        self._with_property = target.document.dialect.rules.property_flag
        self.text = QLineEdit()
        self.names, self.subnames = _list("Names"), _list("Sub-names")
        self.absolute = CheckBox(theme, "A&bsolute: begins at the root")
        self.has_property = CheckBox(theme, "Has a p&roperty")
        self.prop = QLineEdit()
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
        layout.addWidget(note("One name a line. A name with a line break in it is written with \\n."), 5, 1, 1, 2)

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
        return self.names.toPlainText(), self.subnames.toPlainText(), self.prop.text(), *boxes

    def made(self) -> NodePath:
        """The path of the parts."""
        if self._state() == self._opened_with:
            return self._kept
        prop = self.prop.text() if self._with_property and self.has_property.isChecked() else None
        return node_path(self.names.toPlainText(), self.subnames.toPlainText(), self.absolute.isChecked(), prop)

    def start(self) -> None:
        """Begin with the whole path."""
        self.text.setFocus()
        self.text.selectAll()


def _list(name: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setFont(fixed_font())
    field.setTabChangesFocus(True)
    field.setFixedHeight(LIST_HEIGHT)
    field.setAccessibleName(f"{name}, one a line")
    return field


# The editor of an array of bytes: its size, the first of them, import and export; single ones in the grid.

SHOWN = 8
BYTES_EDITOR_HEIGHT = 168
CHUNK = 1 << 20
MOST = 1 << 30
"""Bytes of a file beyond which it is not read in."""


class BytesEditor(Editor):
    """A byte array as a whole.

    Signals:
        grid_wanted: single bytes are to be edited.
    """

    grid_wanted = Signal()

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        self._array = open_array(target.document, target.item)
        self._new: bytes | None = None
        self.count = note()
        self.dump = QPlainTextEdit()
        self.dump.setReadOnly(True)
        self.dump.setFont(fixed_font(Size.SECONDARY))
        self.dump.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.dump.setTabChangesFocus(True)
        self.dump.setFixedHeight(BYTES_EDITOR_HEIGHT)
        self.dump.setAccessibleName("The first bytes")
        self.import_button = QPushButton("&Import…")
        self.export_button = QPushButton("&Export…")
        self.grid_button = QPushButton("Edit as &numbers…")
        self._lay_out()
        self._show()
        self.import_button.clicked.connect(self._import)
        self.export_button.clicked.connect(self._export)
        self.grid_button.clicked.connect(self.grid_wanted)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.count)
        layout.addWidget(self.dump)
        row = QHBoxLayout()
        for button in (self.import_button, self.export_button, self.grid_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch()
        layout.addLayout(row)

    def _show(self) -> None:
        count = len(self._array) if self._new is None else len(self._new)
        first = self._bytes(0, SHOWN * ROW) if self._new is None else self._new[: SHOWN * ROW]
        rows = hex_lines(first, SHOWN)
        more = count - len(first)
        self.count.setText(counted(count, "byte") + ("" if more else ", all shown"))
        self.dump.setPlainText("\n".join([*rows, f"… {grouped(more)} more"] if more else rows))

    def _bytes(self, first: int, last: int) -> bytes:
        array = self._array
        start, end = array.start(first), array.start(min(last, len(array)))
        return bytes(array.table.buffer[start:end])

    # Import and export

    def _import(self) -> None:
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self.window(), "Import bytes")
        if name:
            self.import_file(Path(name))

    def import_file(self, path: Path) -> None:
        """Take the bytes of a file; they are written when the editor is applied."""
        try:
            if path.stat().st_size > MOST:
                self.said.emit("This file is larger than 1 GiB; choose a smaller one.")
                return
            self._new = path.read_bytes()
        except OSError as error:
            self.said.emit(f"“{path.name}” cannot be read: {error.strerror}. Choose another file.")
            return
        self._show()
        self.edited.emit()

    def _export(self) -> None:
        name, _ = QtWidgets.QFileDialog.getSaveFileName(self.window(), "Export bytes", "bytes.bin")
        if name:
            self.export_file(Path(name))

    def export_file(self, path: Path) -> None:
        """Write the bytes to a file."""
        try:
            with path.open("wb") as file:
                for at in range(0, len(self._array), CHUNK):
                    file.write(self._bytes(at, at + CHUNK))
        except OSError as error:
            self.said.emit(f"“{path.name}” cannot be written: {error.strerror}. Choose another place.")
            return
        self.said.emit(f"{counted(len(self._array), 'byte')} written to “{path.name}”.")

    # Editor

    def _proposal(self) -> Proposal:
        """The bytes of long arrays are not shown; the words say how many there will be."""
        now = counted(len(self._array), "byte")
        if self._new is None:
            return Proposal(Verdict(True, SAME, "Import a file to replace the bytes.", b"", b""), None)
        edit = replace_bytes(self.target.document, self.target.item, self._new)
        if not edit.splices:
            return Proposal(Verdict(True, SAME, "The file holds the same bytes.", b"", b""), None)
        words = f"{counted(len(self._new), 'byte')} replace the {now} there are."
        return Proposal(Verdict(True, "Valid bytes", words, b"", self._new[:1]), edit)

    def start(self) -> None:
        """Begin at Import."""
        try:
            replace_bytes(self.target.document, self.target.item, b"")
        except EditError as error:
            self.import_button.setEnabled(False)
            self.import_button.setToolTip(plain_tip(str(error)))
        self.import_button.setFocus()
