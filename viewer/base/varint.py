"""Whole numbers in as many bytes as they need: seven bits a byte, the lowest first, and a bit that says more follow."""

from __future__ import annotations

LONGEST = 10
"""Bytes of a number of 64 bits."""
MORE = 0x80


def varint_at(raw: bytes, start: int = 0) -> tuple[int, int] | None:
    """The number that begins at an offset, and where it ends; None where it does not end, or is too long."""
    number = 0
    for place, byte in enumerate(raw[start : start + LONGEST]):
        number |= (byte & (MORE - 1)) << 7 * place
        if byte < MORE:
            return number, start + place + 1
    return None


def varint_bytes(number: int) -> bytes:
    """The bytes of a number from 0 on."""
    out = bytearray()
    while number >= MORE:
        out.append(number & (MORE - 1) | MORE)
        number >>= 7
    return bytes((*out, number))
