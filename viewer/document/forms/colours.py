"""Colours as a person writes them: channels from 0 to 1 or 0 to 255, and the hexadecimal form of HTML."""

from __future__ import annotations

from viewer.document.edits.slots import EditError
from viewer.document.viewmodel.row_data import Rgba
from viewer.variant.dialect import Dialect
from viewer.variant.literal.html_colour import colour_of, example
from viewer.variant.literal.numbers import to_f32

FULL = 255


def to_byte(channel: float) -> int:
    """A channel as 0 to 255; brighter than full counts on (2.0 is 510), what is no number counts as 0."""
    if channel != channel:
        return 0
    return round(min(max(channel, -1e6), 1e6) * FULL)


def from_byte(number: int) -> float:
    """A channel from 0 to 255, and on."""
    return _f32(number / FULL)


def parse_html(text: str, dialect: Dialect) -> Rgba:
    """The colour of an HTML text, as the engine line reads it.

    Raises:
        EditError: it is none.
    """
    found = colour_of(text, dialect)
    if found is None:
        raise EditError(f"Write a colour as #rrggbb or {example(dialect)}.")
    return found


def is_hdr(colour: Rgba) -> bool:
    """Whether a channel is brighter than a screen can show."""
    return max(colour[:3]) > 1


def _f32(number: float) -> float:
    single = to_f32(number)
    assert single is not None
    return single
