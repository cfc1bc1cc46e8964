"""Compressed variants as pieces of a message."""

from __future__ import annotations

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.packets.draft import MessageBroken, MessageDraft
from viewer.document.pieces.message import FieldRole, MessageField

# Compressed variants: the short forms that Godot 4 multiplayer has for whole numbers and truth values.
#
# The first byte holds the type in its low six bits and a mode in its high two. A bool is that one byte; an int says in
# the mode how wide the number behind it is. Every other type is an ordinary Variant, whose first byte has no mode.

BOOL, INT = 1, 2
TYPE_BITS, MODE_BITS, TRUE_BIT = 0x3F, 0xC0, 0x80
SIZES = (1, 2, 4, 8)
"""Bytes of an int's number, by mode."""


class CompressedError(ValueError):
    """The bytes end before the number does, or the number has no such form; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Short:
    """A value in its short form.

    Args:
        value: what it says.
        size: bytes of it, the first one included.
        spare: bits of the first byte that mean nothing here and that an engine never sets.
    """

    value: bool | int
    size: int
    spare: int = 0

    @property
    def form(self) -> str:
        """The form in words: ``bool``, ``int, 16 bits``."""
        return "bool" if isinstance(self.value, bool) else f"int, {8 * (self.size - 1)} bits"


def is_short(first: int) -> bool:
    """Whether a value with this first byte has a short form."""
    return first & TYPE_BITS in (BOOL, INT)


def decode(data: bytes, at: int, end: int) -> Short | None:
    """The short value at *at*, None where an ordinary Variant or nothing begins there.

    Args:
        end: no byte from here on belongs to it.

    Raises:
        CompressedError: its number is cut off.
    """
    if at >= end or not is_short(data[at]):
        return None
    first = data[at]
    if first & TYPE_BITS == BOOL:
        return Short(bool(first & TRUE_BIT), 1, first & MODE_BITS & ~TRUE_BIT)
    size = SIZES[first >> 6]
    if at + 1 + size > end:
        raise CompressedError(f"this int needs {size} bytes behind its first one, but only {end - at - 1} are left.")
    return Short(int.from_bytes(data[at + 1 : at + 1 + size], "little", signed=True), 1 + size)


def encode(value: bool | int, size: int | None = None) -> bytes:
    """The short form of a bool or an int.

    Args:
        value: what it shall say.
        size: bytes of an int's number (1, 2, 4 or 8); by default the fewest that hold it, as engines write it.

    Raises:
        CompressedError: the number does not fit, or there is no such size.
    """
    if isinstance(value, bool):
        return bytes((BOOL | (TRUE_BIT if value else 0),))
    for mode, room in enumerate(SIZES):
        if size not in (None, room):
            continue
        if -(1 << 8 * room - 1) <= value < 1 << 8 * room - 1:
            return bytes((INT | mode << 6,)) + value.to_bytes(room, "little", signed=True)
    widest = size if size in SIZES else SIZES[-1]
    if size is not None and size not in SIZES:
        raise CompressedError(f"An int takes 1, 2, 4 or 8 bytes, not {size}.")
    raise CompressedError(f"{value} does not fit in {8 * widest} bits.")


def compressed(draft: MessageDraft, name: str) -> str:
    """A value in its short form, or an ordinary one, and its piece; returns its text.

    Raises:
        Broken: it cannot be read.
    """
    at, end = draft.at, draft.end
    if at >= end:
        raise MessageBroken(f"At byte {at}: {name} should begin here, but nothing is left.")
    first = draft.data[at]
    if not is_short(first):
        if first & MODE_BITS:
            raise MessageBroken(
                f"At byte {at}: {name} has the type byte 0x{first:02X}; only int and bool may have its high bits set."
            )
        return draft.value(name).text
    try:
        short = decode(draft.data, at, end)
    except CompressedError as error:
        raise MessageBroken(f"In {name}, at byte {at}: {error}") from None
    assert short is not None
    draft.has_values = True
    if isinstance(short.value, bool):
        text = "true" if short.value else "false"
        if short.spare:
            draft.remark(Severity.WARNING, f"In {name}, at byte {at}: bit 6 means nothing for a bool.")
        draft.put(name, 1, text, FieldRole.COMPRESSED)
        return text
    text = str(short.value)
    children = (
        MessageField(Span(at, at + 1), "form", short.form),
        MessageField(Span(at + 1, at + short.size), "value", text),
    )
    draft.put(name, short.size, text, FieldRole.COMPRESSED, children)
    return text
