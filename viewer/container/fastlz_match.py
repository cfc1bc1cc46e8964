"""Matches: where FastLZ finds bytes that were there before.

The choice is not part of the format. It is made as the engines' own library makes it, so that blocks come out as they
write them: only the last place with the same hash of three bytes is tried, and places inside a match are forgotten.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

NEAR = 8192
"""Level 1 reaches less far back than this; in level 2 this distance stands for a far one."""
FAR = 65535 + 8190
HASH_BITS = 13
MARGIN = 13
"""So many bytes at the end begin no match."""
NO_MATCH = 3
"""So many bytes at the end are in no match."""
FAR_LOOK = 12
"""A far match may go on for so many bytes before it heeds the end."""
STRETCH = 1 << 16


class Match(NamedTuple):
    """*length* bytes at *start* that stand *distance* bytes before as well."""

    start: int
    length: int
    distance: int


def matches(data: bytes, far: bool, margin: int = MARGIN) -> Iterator[Match]:
    """The matches of some bytes, in order; they do not overlap.

    Args:
        data: the bytes.
        far: whether matches of level 2 are allowed: 8 KiB and more back, when they are five bytes long.
        margin: how many bytes at the end begin no match, at least 12.
    """
    near, reach = (NEAR - 1, FAR) if far else (NEAR, NEAR)
    hashes = _hashes(data)
    latest = [0] * (1 << HASH_BITS)
    at, limit = 2, len(data) - margin
    while at < limit:
        byte = data[at]
        if far and byte == data[at - 1] == data[at + 1] == data[at + 2]:
            before = at - 1
        else:
            slot = hashes[at]
            before = latest[slot]
            latest[slot] = at
            if data[before] != byte or data[before : before + 3] != data[at : at + 3] or at - before >= reach:
                at += 1
                continue
        end = len(data) - NO_MATCH
        if at - before >= near:
            if data[before + 3 : before + 5] != data[at + 3 : at + 5]:
                at += 1
                continue
            end = max(end, at + FAR_LOOK)
        stop = _first_difference(data, before + 3, at + 3, end)
        yield Match(at, stop - at, at - before)
        latest[hashes[stop - 2]] = stop - 2
        latest[hashes[stop - 1]] = stop - 1
        at = stop


def _first_difference(data: bytes, before: int, at: int, end: int) -> int:
    """The first place from *at* on that differs from its like from *before* on; *end* where none does."""
    size = 16
    while at < end:
        here = data[at : min(at + size, end)]
        there = data[before : before + len(here)]
        if here != there:
            bits = int.from_bytes(here, "little") ^ int.from_bytes(there, "little")
            return at + ((bits & -bits).bit_length() - 1 >> 3)
        at += size
        before += size
        size = min(2 * size, STRETCH)
    return end


# Hashes of three bytes, many at once: one large number holds them all, side by side


def _hashes(data: bytes) -> array[int]:
    """The hash of the three bytes at every place; behind the end stand zeros."""
    found = array("H")
    for at in range(0, len(data), STRETCH):
        piece = data[at : at + STRETCH + 2]
        found += _hashes_of(piece.ljust(min(STRETCH, len(data) - at) + 2, b"\0"))
    return found


def _hashes_of(data: bytes) -> array[int]:
    """Two bytes, shifted two bytes and the next two, all exclusively ored."""
    size = len(data) - 2
    found = array("H", bytes(2 * size))
    for odd in (0, 1):
        count = (size - odd + 1) // 2
        lanes = int.from_bytes(b"\xff\x1f" * count, "little")
        here = int.from_bytes(data[odd : odd + 2 * count], "little")
        then = int.from_bytes(data[odd + 1 : odd + 1 + 2 * count], "little")
        mixed = (here ^ then ^ (here >> 16 - HASH_BITS & lanes)) & lanes
        found[odd::2] = array("H", mixed.to_bytes(2 * count, "little"))
    return found
