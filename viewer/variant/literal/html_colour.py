"""HTML colours: ``#ff8800`` and its short and transparent forms, as each engine line reads and writes them."""

from __future__ import annotations

from viewer.variant.dialect import Dialect
from viewer.variant.literal.numbers import to_f32

FULL = 255
SHORT, LONG = (3, 4), (6, 8)
Rgba = tuple[float, float, float, float]


def colour_of(text: str, dialect: Dialect) -> Rgba | None:
    """Red, green, blue and alpha from 0 to 1, with or without ``#``; None where the text is no colour."""
    digits = text.strip().removeprefix("#")
    if not (digits.isascii() and digits.isalnum()):
        return None
    if len(digits) in SHORT:
        digits = "".join(2 * digit for digit in digits)
    try:
        channels = bytes.fromhex(digits) if len(digits) in LONG else b""
    except ValueError:
        return None
    if not channels:
        return None
    if len(channels) == 4 and not _alpha_is_last(dialect):
        channels = channels[1:] + channels[:1]
    red, green, blue, alpha = (to_f32(channel / FULL) or 0.0 for channel in (*channels, FULL)[:4])
    return red, green, blue, alpha


def text_of(colour: tuple[float, ...], dialect: Dialect) -> str:
    """The text of a colour, its alpha left out where it is full; what is brighter than full counts as full."""
    channels = bytes(_byte(channel) for channel in colour)
    digits, alpha = channels[:3].hex(), channels[3:].hex()
    if channels[3] == FULL:
        return f"#{digits}"
    return f"#{digits}{alpha}" if _alpha_is_last(dialect) else f"#{alpha}{digits}"


def example(dialect: Dialect) -> str:
    """How a transparent colour is written."""
    return "#rrggbbaa" if _alpha_is_last(dialect) else "#aarrggbb"


def _byte(channel: float) -> int:
    return 0 if channel != channel else round(FULL * min(max(channel, 0.0), 1.0))


def _alpha_is_last(dialect: Dialect) -> bool:
    """Godot 4 reads ``#rrggbbaa``; the engines before it and their forks read ``#aarrggbb``."""
    return dialect.rules.literals == "godot4"
