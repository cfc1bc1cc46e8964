"""Words of flags as named bits."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.variant.dialect import EventType


@dataclass(frozen=True, slots=True)
class Bit:
    """One named bit: its mask and what it means."""

    mask: int
    name: str


MODIFIERS = (Bit(1 << 25, "Shift"), Bit(1 << 26, "Alt"), Bit(1 << 27, "Meta"), Bit(1 << 28, "Ctrl"))
"""What Godot 2 keeps of a key event's modifiers."""


def bits_of(event: EventType, field: str) -> tuple[Bit, ...]:
    """The named bits of an input event's field; nothing where it is a plain number."""
    return MODIFIERS if event.name == "KEY" and field == "modifiers" else ()


def with_bit(word: int, bit: Bit, on: bool) -> int:
    """The word with a bit on or off; all others stay."""
    return word | bit.mask if on else word & ~bit.mask
