"""Colours as a person writes them: channels from 0 to 1 or 0 to 255, and HTML's hexadecimal form."""

from __future__ import annotations

from viewer.document.edits.error import EditError
from viewer.document.shown.row_facts import Rgba
from viewer.variant.literal.numbers import to_f32

HEX = set("0123456789abcdefABCDEF")
FULL = 255


def to_byte(channel: float) -> int:
    """A channel as 0 to 255; brighter than full counts on (2.0 is 510), what is no number counts as 0."""
    if channel != channel:
        return 0
    return round(min(max(channel, -1e6), 1e6) * FULL)


def from_byte(number: int) -> float:
    """A channel from 0 to 255, and on."""
    return _f32(number / FULL)


def html(colour: Rgba) -> str:
    """``#RRGGBB``, with ``AA`` behind where it is not opaque; what is brighter than full counts as full."""
    red, green, blue, alpha = (min(max(to_byte(channel), 0), FULL) for channel in colour)
    opaque = f"#{red:02X}{green:02X}{blue:02X}"
    return opaque if alpha == FULL else f"{opaque}{alpha:02X}"


def parse_html(text: str) -> Rgba:
    """The colour of ``#RGB``, ``#RGBA``, ``#RRGGBB`` or ``#RRGGBBAA``, with or without ``#``.

    Raises:
        EditError: it is none of these.
    """
    digits = text.strip().removeprefix("#")
    if not digits or not set(digits) <= HEX or len(digits) not in (3, 4, 6, 8):
        raise EditError("Write a colour as #RRGGBB or #RRGGBBAA.")
    if len(digits) < 6:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue, alpha = bytes.fromhex(digits.ljust(8, "f"))
    return from_byte(red), from_byte(green), from_byte(blue), from_byte(alpha)


def is_hdr(colour: Rgba) -> bool:
    """Whether a channel is brighter than a screen can show."""
    return max(colour[:3]) > 1


def _f32(number: float) -> float:
    single = to_f32(number)
    assert single is not None
    return single
