"""What keys mean in a text: a step of the caret, something done to the text, or a sign that is written."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from viewer.ui.text.text_caret import TextMove

K = QKeySequence.StandardKey
MOVES = (
    (K.MoveToPreviousChar, K.SelectPreviousChar, TextMove.LEFT),
    (K.MoveToNextChar, K.SelectNextChar, TextMove.RIGHT),
    (K.MoveToPreviousWord, K.SelectPreviousWord, TextMove.WORD_LEFT),
    (K.MoveToNextWord, K.SelectNextWord, TextMove.WORD_RIGHT),
    (K.MoveToPreviousLine, K.SelectPreviousLine, TextMove.UP),
    (K.MoveToNextLine, K.SelectNextLine, TextMove.DOWN),
    (K.MoveToPreviousPage, K.SelectPreviousPage, TextMove.PAGE_UP),
    (K.MoveToNextPage, K.SelectNextPage, TextMove.PAGE_DOWN),
    (K.MoveToStartOfLine, K.SelectStartOfLine, TextMove.ROW_START),
    (K.MoveToEndOfLine, K.SelectEndOfLine, TextMove.ROW_END),
    (K.MoveToStartOfDocument, K.SelectStartOfDocument, TextMove.START),
    (K.MoveToEndOfDocument, K.SelectEndOfDocument, TextMove.END),
)
"""The keys of each movement, without and with selecting, as the platform has them."""
COMMANDS = (
    K.Copy,
    K.Cut,
    K.Paste,
    K.SelectAll,
    K.Backspace,
    K.Delete,
    K.DeleteStartOfWord,
    K.DeleteEndOfWord,
    K.InsertParagraphSeparator,
)
BARE = {
    Qt.Key.Key_Backspace: K.Backspace,
    Qt.Key.Key_Return: K.InsertParagraphSeparator,
    Qt.Key.Key_Enter: K.InsertParagraphSeparator,
}
"""Keys that mean the same everywhere, though not every platform says so."""
KEYPAD = Qt.KeyboardModifier.KeypadModifier


def step_of(event: QKeyEvent) -> tuple[TextMove, bool] | None:
    """The step of the caret that a key means, and whether it selects; None for another key."""
    for plain, extending, move in MOVES:
        if event.matches(plain) or event.matches(extending):
            return move, event.matches(extending)
    return None


def command_of(event: QKeyEvent) -> QKeySequence.StandardKey | None:
    """What a key does to the text; None for another key."""
    found = next((command for command in COMMANDS if event.matches(command)), None)
    if found is None and not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | KEYPAD):
        return BARE.get(Qt.Key(event.key()))
    return found


def writes(event: QKeyEvent) -> bool:
    """Whether a key is meant to write its sign: AltGr does, Ctrl and Alt do not."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | KEYPAD)
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    is_sign = bool(event.text()) and event.text().isprintable()
    return is_sign and held in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.GroupSwitchModifier,
        control,
    )
