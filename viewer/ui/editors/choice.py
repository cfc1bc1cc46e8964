"""Which editor belongs to which type."""

from __future__ import annotations

from typing import assert_never

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget
from viewer.ui.editors.bool_editor import BoolEditor
from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.colour_editor import ColourEditor
from viewer.ui.editors.component_editor import ComponentEditor
from viewer.ui.editors.image_editor import ImageEditor
from viewer.ui.editors.number_editor import NumberEditor
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.editors.parts_editor import EventEditor, IdEditor, SignalEditor
from viewer.ui.editors.path_editor import PathEditor
from viewer.ui.editors.text_editor import TextEditor
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme
from viewer.variant.dialect import FLAG_64, Kind
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
