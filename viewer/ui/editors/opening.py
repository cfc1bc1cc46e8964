"""Opening editors: on the selected value, by a key, the menu or a double click on a swatch."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget, open_target
from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.choice import editor_for
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session

GRID_SIZE = (720, 620)
DUMP_WIDTH = 640


class Editors(QObject):
    """Opens the editor of the selected value over a window.

    Args:
        session: what is edited.
        theme: the colours.
        window: what the cards lie over.
    """

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._theme, self._window = session, theme, window

    def set_theme(self, theme: Theme) -> None:
        """Open editors in another theme from now on."""
        self._theme = theme

    def open(self) -> EditorCard | None:
        """Open the editor of the selected value; where it has none, that is told."""
        return self._open(as_grid=False)

    def open_grid(self) -> EditorCard | None:
        """Open the grid of the selected packed array, at the selected element."""
        return self._open(as_grid=True)

    def _open(self, as_grid: bool) -> EditorCard | None:
        spot = self._session.spot
        if spot is None:
            reading = self._session.waits
            self._session.failed.emit(
                "These bytes are still being read; try again in a moment." if reading else "Select a value first."
            )
            return None
        try:
            target = open_target(spot.document, spot.item)
            editor = PackedEditor(target, self._theme) if as_grid else editor_for(target, self._theme)
        except EditError as error:
            self._session.failed.emit(str(error))
            return None
        return self._show(target, editor)

    def _show(self, target: EditTarget, editor: Editor) -> EditorCard:
        with_bytes = not isinstance(editor, PackedEditor | BytesEditor)
        card = EditorCard(editor, self._session, self._theme, self._window, with_bytes)
        if isinstance(editor, BytesEditor):
            editor.grid_wanted.connect(card.reject)
            editor.grid_wanted.connect(self.open_grid, Qt.ConnectionType.QueuedConnection)
        if isinstance(editor, PackedEditor):
            card.resize(*GRID_SIZE)
        elif isinstance(editor, BytesEditor):
            card.resize(DUMP_WIDTH, card.height())
        card.start()
        return card
