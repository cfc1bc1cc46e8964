"""What a key means to the hex view: a movement of the caret, a byte to type, or a command."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from viewer.base.span import Span
from viewer.ui.hex.caret import HIGH, LOW, CaretMove, HexCaret
from viewer.ui.hex.glyphs import HEX_DIGITS, PRINTABLE
from viewer.ui.hex.layout import Area
from viewer.ui.hex.source import TypedByte

MOVES = {
    Qt.Key.Key_Left: CaretMove.LEFT,
    Qt.Key.Key_Right: CaretMove.RIGHT,
    Qt.Key.Key_Up: CaretMove.UP,
    Qt.Key.Key_Down: CaretMove.DOWN,
    Qt.Key.Key_Home: CaretMove.ROW_START,
    Qt.Key.Key_End: CaretMove.ROW_END,
    Qt.Key.Key_PageUp: CaretMove.PAGE_UP,
    Qt.Key.Key_PageDown: CaretMove.PAGE_DOWN,
}
WITH_CONTROL = {Qt.Key.Key_Home: CaretMove.START, Qt.Key.Key_End: CaretMove.END}
QUIET = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class HexCommand(Enum):
    """What a key asks for that neither moves nor types."""

    SELECT_ALL = "select all"
    COPY = "copy"
    CUT = "cut"
    PASTE = "paste"
    PASTE_TEXT = "paste as text"
    DELETE = "delete"
    BACKSPACE = "backspace"
    INSERT_MODE = "insert mode"


CHANGING = frozenset({HexCommand.CUT, HexCommand.PASTE, HexCommand.PASTE_TEXT, HexCommand.DELETE, HexCommand.BACKSPACE})
"""Commands that change bytes: the owner of the view carries them out."""
STANDARD = (
    (QKeySequence.StandardKey.SelectAll, HexCommand.SELECT_ALL),
    (QKeySequence.StandardKey.Copy, HexCommand.COPY),
    (QKeySequence.StandardKey.Cut, HexCommand.CUT),
    (QKeySequence.StandardKey.Paste, HexCommand.PASTE),
)
PLAIN = {
    Qt.Key.Key_Delete: HexCommand.DELETE,
    Qt.Key.Key_Backspace: HexCommand.BACKSPACE,
    Qt.Key.Key_Insert: HexCommand.INSERT_MODE,
}
CONTROL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def move_of(event: QKeyEvent) -> CaretMove | None:
    """The movement a key asks for; with Shift the same one extends the selection."""
    key = Qt.Key(event.key())
    others = event.modifiers() & ~QUIET
    if others == Qt.KeyboardModifier.ControlModifier:
        return WITH_CONTROL.get(key)
    return MOVES.get(key) if others == Qt.KeyboardModifier.NoModifier else None


def command_of(event: QKeyEvent) -> HexCommand | None:
    """The command that a key asks for."""
    for key, command in STANDARD:
        if event.matches(key):
            return command
    if event.modifiers() == CONTROL_ALT and event.key() == Qt.Key.Key_V:
        return HexCommand.PASTE_TEXT
    others = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return PLAIN.get(Qt.Key(event.key())) if others == Qt.KeyboardModifier.NoModifier else None


def typed_value(event: QKeyEvent, area: Area) -> int | None:
    """The hex digit (0 to 15) or the character's byte that a key types in a column, or None."""
    text = event.text()
    if event.modifiers() & ~QUIET or len(text) != 1:
        return None
    if area is Area.HEX:
        digit = HEX_DIGITS.find(text.upper())
        return digit if digit >= 0 else None
    return ord(text) if ord(text) in PRINTABLE else None


def typed_byte(caret: HexCaret, old: int, value: int) -> TypedByte:
    """The overwrite that typing *value* at the caret asks for, where the byte is *old*."""
    if caret.area is Area.TEXT:
        return TypedByte(caret.offset, old, value, None)
    new = value << 4 | old & 0x0F if caret.nibble == HIGH else old & 0xF0 | value
    return TypedByte(caret.offset, old, new, LOW if caret.nibble else HIGH)


def inserted_byte(caret: HexCaret, selection: Span | None, value: int) -> TypedByte:
    """The insertion that typing *value* between bytes asks for; it takes the place of what is selected."""
    span = selection or Span(caret.offset, caret.offset)
    if caret.area is Area.TEXT:
        return TypedByte(span.start, 0, value, None, span)
    return TypedByte(span.start, 0, value << 4, HIGH, span)
