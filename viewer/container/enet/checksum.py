"""ENet's checksum: a CRC-32 that covers the connect id, which does not travel with it.

The four bytes of the checksum hold the connect id while it is computed. Since a CRC can be run backwards, a datagram
also tells which connect id it was computed with; two that agree prove each other.
"""

from __future__ import annotations

import zlib
from enum import Enum

SIZE = 4
NO_ID = bytes(SIZE)
_WORD = 0xFFFF_FFFF


class Check(Enum):
    """What is known of a checksum."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "cannot be checked, the connect id was not captured"


def checksum(header: bytes, connect_id: bytes, commands: bytes) -> int:
    """The checksum of a datagram: its header, the connect id as sent (zeros while there is none), its commands."""
    return zlib.crc32(commands, zlib.crc32(connect_id, zlib.crc32(header)))


def connect_id_of(header: bytes, found: int, commands: bytes) -> bytes:
    """The connect id with which a datagram has the checksum *found*."""
    state = found ^ _WORD
    for byte in reversed(commands):
        state = _back(state, byte)
    # Four zeros from here backwards: what the register held before the id, were the id zero. The difference is the id.
    for _ in range(SIZE):
        state = _back(state, 0)
    return ((zlib.crc32(header) ^ _WORD) ^ state).to_bytes(SIZE, "little")


def _table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        row = byte
        for _ in range(8):
            row = row >> 1 ^ (0xEDB8_8320 if row & 1 else 0)
        rows.append(row)
    return tuple(rows)


_ROWS = _table()
_BY_TOP = bytes(sorted(range(256), key=lambda byte: _ROWS[byte] >> 24))


def _back(state: int, byte: int) -> int:
    """The register before *byte* went into it."""
    index = _BY_TOP[state >> 24]
    return ((state ^ _ROWS[index]) << 8 | index ^ byte) & _WORD
