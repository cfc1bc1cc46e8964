"""Part: some of many bytes, read as if they were bytes of their own, without a copy of them."""

from __future__ import annotations

from typing import TypeAlias, overload

from viewer.base.buffer import bounds, place

COPIED = 1 << 17
"""Fewer bytes are rather copied: what copies so few is quicker to read from."""


class Part:
    """The bytes ``start <= offset < end`` of others; a slice of them is ``bytes``.

    Args:
        data: the others.
        start, end: which.
    """

    __slots__ = ("_data", "_size", "_start")

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._size = end - start

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> bytes: ...
    def __getitem__(self, at: int | slice, /) -> int | bytes:
        if isinstance(at, slice):
            start, stop = bounds(at, self._size)
            return self._data[self._start + start : self._start + stop]
        return self._data[self._start + place(at, self._size)]


Raw: TypeAlias = bytes | Part


def part(data: bytes, start: int, end: int) -> Raw:
    """The bytes ``start <= offset < end``, with a copy of few of them and without one of many."""
    if end - start == len(data) or end - start <= COPIED:
        return data[start:end]
    return Part(data, start, end)
