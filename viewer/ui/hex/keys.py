"""What a key means to the hex view: a movement of the caret, a byte to type, or a command."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from viewer.base.span import Span
from viewer.ui.hex.caret import HIGH, LOW, HexCaret, Move
from viewer.ui.hex.glyphs import HEX_DIGITS, PRINTABLE
from viewer.ui.hex.layout import Area
from viewer.ui.hex.source import TypedByte

MOVES = {
    Qt.Key.Key_Left: Move.LEFT,
    Qt.Key.Key_Right: Move.RIGHT,
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_Home: Move.ROW_START,
    Qt.Key.Key_End: Move.ROW_END,
    Qt.Key.Key_PageUp: Move.PAGE_UP,
    Qt.Key.Key_PageDown: Move.PAGE_DOWN,
}
WITH_CONTROL = {Qt.Key.Key_Home: Move.START, Qt.Key.Key_End: Move.END}
QUIET = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class Command(Enum):
    """What a key asks for that neither moves nor types."""

    SELECT_ALL = "select all"
    COPY = "copy"
    CUT = "cut"
    PASTE = "paste"
    PASTE_TEXT = "paste as text"
    DELETE = "delete"
    BACKSPACE = "backspace"
    INSERT_MODE = "insert mode"


CHANGING = frozenset({Command.CUT, Command.PASTE, Command.PASTE_TEXT, Command.DELETE, Command.BACKSPACE})
"""Commands that change bytes: the owner of the view carries them out."""
STANDARD = (
    (QKeySequence.StandardKey.SelectAll, Command.SELECT_ALL),
    (QKeySequence.StandardKey.Copy, Command.COPY),
    (QKeySequence.StandardKey.Cut, Command.CUT),
    (QKeySequence.StandardKey.Paste, Command.PASTE),
)
PLAIN = {
    Qt.Key.Key_Delete: Command.DELETE,
    Qt.Key.Key_Backspace: Command.BACKSPACE,
    Qt.Key.Key_Insert: Command.INSERT_MODE,
}
CONTROL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def move_of(event: QKeyEvent) -> Move | None:
    """The movement a key asks for; with Shift the same one extends the selection."""
    key = Qt.Key(event.key())
    others = event.modifiers() & ~QUIET
    if others == Qt.KeyboardModifier.ControlModifier:
        return WITH_CONTROL.get(key)
    return MOVES.get(key) if others == Qt.KeyboardModifier.NoModifier else None


def command_of(event: QKeyEvent) -> Command | None:
    """The command that a key asks for."""
    for key, command in STANDARD:
        if event.matches(key):
            return command
    if event.modifiers() == CONTROL_ALT and event.key() == Qt.Key.Key_V:
        return Command.PASTE_TEXT
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
