"""The bytes at an offset as numbers of every size, in both byte orders."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.variant.literal.numbers import component_text

FORMATS = {
    "u8": "B",
    "i8": "b",
    "u16": "H",
    "i16": "h",
    "u32": "I",
    "i32": "i",
    "u64": "Q",
    "i64": "q",
    "f16": "e",
    "f32": "f",
    "f64": "d",
}
"""The number types, in the order in which they are shown."""
ELLIPSIS = "…"
LONGEST = 8
SHORTEST = 6


@dataclass(frozen=True, slots=True)
class NumberReading:
    """One number type at an offset.

    Args:
        kind: ``u8`` to ``f64``.
        little, big: the number in both byte orders, None where too few bytes are left.
    """

    kind: str
    little: int | float | None
    big: int | float | None

    @property
    def ordered(self) -> bool:
        """Whether the byte order matters: not for one byte."""
        return self.kind not in ("u8", "i8")

    @property
    def texts(self) -> tuple[str | None, str | None]:
        """Both numbers in full."""
        return text(self.little, self.kind), text(self.big, self.kind)


def readings(buffer: Buffer, offset: int) -> list[NumberReading]:
    """What the bytes at *offset* would be as each number type."""
    return list(_readings(buffer, offset))


def _readings(buffer: Buffer, offset: int) -> Iterator[NumberReading]:
    raw = buffer[offset : offset + LONGEST] if offset >= 0 else b""
    for kind, code in FORMATS.items():
        size = struct.calcsize(f"<{code}")
        if size > len(raw):
            yield NumberReading(kind, None, None)
        else:
            little, big = (struct.unpack(f"{order}{code}", raw[:size])[0] for order in "<>")
            yield NumberReading(kind, little, big)


def text(number: int | float | None, kind: str) -> str | None:
    """A number as it can be copied: floats as short as reads back to the same bits."""
    if isinstance(number, float):
        return component_text(number, "f64") if kind != "f32" else component_text(number, "f32")
    return None if number is None else str(number)


def offset_text(offset: int, size: int) -> str:
    """An offset in hex, with as many digits as a layer of *size* bytes needs: an even number, six at least."""
    digits = len(f"{max(0, size - 1):X}")
    return f"0x{offset:0{max(6, digits + digits % 2)}X}"


def shortened(full: str, room: int) -> str:
    """A number in at most *room* characters: floats lose digits, whole numbers their middle."""
    if len(full) <= room:
        return full
    if full.lstrip("-").isdigit():
        head = (room - 1) // 2
        return f"{full[:head]}{ELLIPSIS}{full[len(full) - (room - 1 - head) :]}"
    for digits in range(17, 0, -1):
        shorter = f"{float(full):.{digits}g}"
        if len(shorter) <= max(room, SHORTEST):
            return shorter
    return full[: room - 1] + ELLIPSIS
