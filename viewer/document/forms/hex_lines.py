"""Bytes as a short hexdump: offset, sixteen bytes, text."""

from __future__ import annotations

ROW = 16


def hex_lines(data: bytes, rows: int) -> list[str]:
    """The first *rows* rows of sixteen bytes each."""
    return [_line(data[at : at + ROW], at) for at in range(0, min(len(data), rows * ROW), ROW)]


def _line(raw: bytes, at: int) -> str:
    pairs = " ".join(f"{byte:02X}" for byte in raw).ljust(3 * ROW - 1)
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in raw)
    return f"{at:06X}  {pairs}  {text}"
