"""The editor of an array of bytes: its size, the first of them, import and export; single ones in the grid."""

from __future__ import annotations

from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout

from viewer.base.words import counted, grouped
from viewer.document.edits.packed import open_array, replace_bytes
from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.forms.typed_values import (
    ROW,
    hex_lines,
)
from viewer.document.viewmodel.verdict import SAME, Verdict
from viewer.ui.editors.fields import note
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip

SHOWN = 8
HEIGHT = 168
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
        self.dump.setFixedHeight(HEIGHT)
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
