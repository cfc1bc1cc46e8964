"""Opening editors: which one belongs to which type; on the selected value, by key, menu or double click on a swatch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget, open_target
from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.colour_editor import ColourEditor
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.image_editor import ImageEditor
from viewer.ui.editors.number_editor import BoolEditor, NumberEditor
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.editors.parts_editor import ComponentEditor, EventEditor, IdEditor, SignalEditor
from viewer.ui.editors.text_editor import PathEditor, TextEditor
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.variant.dialect import FLAG_64, Kind
from viewer.variant.items import Item
from viewer.variant.value import InputEvent, NodePath, ObjectId, Signal


def editor_for(target: EditTarget, theme: Theme) -> Editor:
    """The editor of a value.

    Raises:
        EditError: it has none; one sentence says where it is changed instead.
    """
    if target.is_element:
        return _of_data(target, theme)
    match target.row.kind:
        case Kind.ARRAY | Kind.DICTIONARY | Kind.TYPED_ARRAY:
            raise EditError("Open this collection in the tree and edit what is in it.")
        case Kind.IMAGE:
            return ImageEditor(target, theme)
        case Kind.PACKED:
            is_bytes = target.row.narrow[0].type == "u8"
            return BytesEditor(target, theme) if is_bytes else PackedEditor(target, theme)
        case Kind.PACKED_STRINGS:
            return PackedEditor(target, theme)
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.INPUT_EVENT
        ):
            return _of_data(target, theme)
        case _:
            assert_never(target.row.kind)


def _of_data(target: EditTarget, theme: Theme) -> Editor:
    data = target.data
    if isinstance(data, str):
        return TextEditor(target, theme)
    if isinstance(data, NodePath):
        return PathEditor(target, theme)
    if isinstance(data, Signal):
        return SignalEditor(target, theme)
    if isinstance(data, InputEvent):
        return EventEditor(target, theme)
    if isinstance(data, ObjectId):
        return IdEditor(target, theme)
    return _of_numbers(target, theme)


def _of_numbers(target: EditTarget, theme: Theme) -> Editor:
    data = target.data
    if target.type == "Color" and isinstance(data, tuple):
        return ColourEditor(target, theme)
    if isinstance(data, bool):
        return BoolEditor(target, theme)
    if isinstance(data, tuple):
        return ComponentEditor(target, theme)
    if not isinstance(data, int | float):
        raise EditError(f"A value of the type {target.type} has nothing to edit here; press F2 to write another one.")
    if target.fields[0].type == "u64":
        return IdEditor(target, theme)
    if target.is_element:
        return NumberEditor(target, theme, target.fields[0], target.fields[0], True)
    frame = target.document.frames[target.item.frame]
    stored_wide = bool(frame.table.header(target.item.node) & FLAG_64)
    return NumberEditor(target, theme, target.row.narrow[0], target.row.wide[0], stored_wide)


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
        self._card: EditorCard | None = None
        self._cancelled: Callable[[], object] | None = None

    def when_cancelled(self, do: Callable[[], object]) -> None:
        """Have something done where the open editor is left without Apply; nothing where none is open."""
        self._cancelled = do if self._card is not None else None

    def set_theme(self, theme: Theme) -> None:
        """Open editors in another theme from now on."""
        self._theme = theme

    def open(self) -> EditorCard | None:
        """Open the editor of the selected value; where it has none, that is told."""
        return self._open(as_grid=False)

    def open_grid(self, first: int | None = None) -> EditorCard | None:
        """Open the grid of the selected packed array, at the selected element or at the one that is named."""
        return self._open(as_grid=True, first=first)

    def _open(self, as_grid: bool, first: int | None = None) -> EditorCard | None:
        spot = self._session.spot
        if spot is None:
            reading = self._session.waits
            self._session.failed.emit(
                "These bytes are still being read; try again in a moment." if reading else "Select a value first."
            )
            return None
        try:
            target = open_target(spot.document, spot.item)
            if as_grid:
                at = int(spot.item.part[1:].partition("]")[0]) if target.is_element else 0
                target = open_target(spot.document, Item(spot.item.frame, spot.item.node))
                editor: Editor = PackedEditor(target, self._theme, at if first is None else first)
            else:
                editor = editor_for(target, self._theme)
        except EditError as error:
            self._session.failed.emit(str(error))
            return None
        return self._show(target, editor)

    def _show(self, target: EditTarget, editor: Editor) -> EditorCard:
        with_bytes = not isinstance(editor, PackedEditor | BytesEditor)
        card = self._card = EditorCard(editor, self._session, self._theme, self._window, with_bytes)
        self._cancelled = None
        card.finished.connect(partial(self._end, card))
        if isinstance(editor, BytesEditor):
            editor.grid_wanted.connect(partial(self._turn_to_grid, card))
        if isinstance(editor, PackedEditor):
            card.resize(*GRID_SIZE)
        elif isinstance(editor, BytesEditor):
            card.resize(DUMP_WIDTH, card.height())
        card.start()
        return card

    def _end(self, card: EditorCard, _: int) -> None:
        """An editor is left."""
        if card is self._card:
            do, self._card, self._cancelled = self._cancelled, None, None
            if do is not None and not card.result():
                do()

    def _turn_to_grid(self, card: EditorCard) -> None:
        """Go on in the grid; what is done where it is left without Apply stays the same."""
        do, self._card, self._cancelled = self._cancelled, None, None
        card.reject()
        QTimer.singleShot(0, self, partial(self._open_grid_after, do))

    def _open_grid_after(self, do: Callable[[], object] | None) -> None:
        card = self.open_grid()
        if do is not None:
            self.when_cancelled(do) if card is not None else do()
