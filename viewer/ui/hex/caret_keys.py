"""The caret of the hex view, and what a key means to it: a movement, a byte to type, or a command."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.ui.hex.byte_source import TypedByte
from viewer.ui.hex.glyphs import HEX_DIGITS, PRINTABLE
from viewer.ui.hex.layout import Area

# The caret of the hex view: where it stands, what it selects, and where keys take it. Knows no widget.

HIGH, LOW = 0, 1


class CaretMove(Enum):
    """A movement of the caret."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    ROW_START = "row start"
    ROW_END = "row end"
    START = "start"
    END = "end"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"


@dataclass(slots=True)
class HexCaret:
    """The caret, the nibble to be typed next, the column it is in, and the anchor of a selection.

    A selection holds the bytes under both the anchor and the caret.
    """

    offset: int = 0
    nibble: int = HIGH
    area: Area = Area.HEX
    anchor: int | None = None
    whole: bool = False

    @property
    def selection(self) -> Span | None:
        """The selected bytes; none while anchor and caret are the same byte, unless it was selected as a whole."""
        if self.anchor is None or (self.anchor == self.offset and not self.whole):
            return None
        return Span(min(self.anchor, self.offset), max(self.anchor, self.offset) + 1)

    def place(self, offset: int, extend: bool = False) -> None:
        """Go to a byte; *extend* keeps the anchor, so that what lies between is selected."""
        if not extend:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = self.offset
        self.offset, self.nibble, self.whole = offset, HIGH, False

    def select(self, span: Span | None, at_first: bool = False) -> None:
        """Select whole bytes, the caret on the last or the first of them; None or an empty span selects nothing."""
        self.anchor = None
        self.whole = span is not None and span.start < span.end
        if span is not None and self.whole:
            ends = (span.end - 1, span.start) if at_first else (span.start, span.end - 1)
            self.anchor, self.offset, self.nibble = *ends, HIGH

    def clamp(self, last: int) -> None:
        """Stay within a buffer that may have become shorter."""
        self.offset = min(self.offset, last)
        if self.anchor is not None:
            self.anchor = min(self.anchor, last)


def target(move: CaretMove, offset: int, columns: int, page: int, last: int) -> int:
    """Where a movement ends, ``0 <= result <= last``; up and down keep the column or do nothing."""
    steps = {
        CaretMove.UP: -columns,
        CaretMove.DOWN: columns,
        CaretMove.PAGE_UP: -columns * page,
        CaretMove.PAGE_DOWN: columns * page,
    }
    if move in steps:
        return _vertical(offset, steps[move], columns, last)
    row = offset - offset % columns
    places = {
        CaretMove.LEFT: offset - 1,
        CaretMove.RIGHT: offset + 1,
        CaretMove.ROW_START: row,
        CaretMove.ROW_END: row + columns - 1,
        CaretMove.START: 0,
        CaretMove.END: last,
    }
    return min(max(places[move], 0), last)


def _vertical(offset: int, step: int, columns: int, last: int) -> int:
    """One or more rows away, in the first or last row when there are not as many."""
    wanted = offset + step
    if wanted < 0:
        return offset % columns
    if wanted > last:
        final = last - last % columns + offset % columns
        return min(final, last) if final // columns > offset // columns else offset
    return wanted


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
