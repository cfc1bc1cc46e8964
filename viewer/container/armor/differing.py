"""Where two runs of bytes are the same, from either end."""

from __future__ import annotations

_STEP = 1 << 12


def same_start(one: bytes, other: bytes, most: int | None = None) -> int:
    """How many bytes at the beginning are the same, *most* at most."""
    stop = min(len(one), len(other))
    stop = stop if most is None else min(stop, most)
    at = 0
    while at < stop and one[at : min(at + _STEP, stop)] == other[at : min(at + _STEP, stop)]:
        at = min(at + _STEP, stop)
    while at < stop and one[at] == other[at]:
        at += 1
    return at


def same_end(one: bytes, other: bytes, most: int) -> int:
    """How many bytes at the end are the same, *most* at most."""
    stop = min(len(one), len(other), most)
    at = 0
    while at + _STEP <= stop and one[len(one) - at - _STEP : len(one) - at] == _before(other, at):
        at += _STEP
    while at < stop and one[-1 - at] == other[-1 - at]:
        at += 1
    return at


def _before(data: bytes, at: int) -> bytes:
    return data[len(data) - at - _STEP : len(data) - at]
