"""Buffer: bytes to read from, in memory or, where there are too many of them, on disk.

What takes a buffer asks it for single bytes and short slices only, never for a view of its memory: only
:func:`window`, :func:`view`, :func:`unpacker` and :func:`stretches` know which buffers have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from struct import Struct
from typing import Any, Protocol, TypeAlias, TypeGuard, overload

Bytes: TypeAlias = bytes | bytearray | memoryview
STRETCH = 1 << 16
_IN_MEMORY = (bytes, bytearray, memoryview)


class Buffer(Protocol):
    """Bytes of any number: a ``bytes``, ``bytearray`` or ``memoryview``, or what reads them from a file.

    Slices take no step. A slice is a copy or a view; who keeps it makes it ``bytes``.
    """

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Bytes: ...


class BufferWindow:
    """The bytes ``start <= offset < end`` of a buffer that is not in memory, read when they are asked for."""

    __slots__ = ("_base", "_size", "_start")

    def __init__(self, base: Buffer, start: int, end: int) -> None:
        self._base = base
        self._start = start
        self._size = end - start

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Bytes: ...
    def __getitem__(self, at: int | slice, /) -> int | Bytes:
        if isinstance(at, slice):
            start, stop = at.start, at.stop
            if at.step is not None or not type(start) is type(stop) is int or not 0 <= start <= stop <= self._size:
                start, stop = bounds(at, self._size)
            return self._base[self._start + start : self._start + stop]
        return self._base[self._start + place(at, self._size)]

    def __bytes__(self) -> bytes:
        return bytes(self[:])

    def within(self, start: int, end: int) -> BufferWindow:
        """A part of this window, without a window in between."""
        return BufferWindow(self._base, self._start + start, self._start + end)

    def view(self, start: int, end: int) -> memoryview | None:
        """The bytes from *start* on that lie in one run in memory, up to *end* at most; None where they do not."""
        return view(self._base, self._start + start, self._start + min(end, self._size))


def in_memory(buffer: Buffer) -> TypeGuard[Bytes]:
    """Whether all bytes are in memory, so that a view of them costs nothing."""
    return isinstance(buffer, _IN_MEMORY)


def window(buffer: Buffer, start: int = 0, end: int | None = None) -> Buffer:
    """The bytes ``start <= offset < end`` of a buffer, without a copy; offsets beyond its end are cut."""
    start, end, _ = slice(start, end).indices(len(buffer))
    end = max(start, end)
    if in_memory(buffer):
        return memoryview(buffer)[start:end]
    return buffer.within(start, end) if isinstance(buffer, BufferWindow) else BufferWindow(buffer, start, end)


def view(buffer: Buffer, start: int, end: int) -> memoryview | None:
    """As many bytes from *start* on as lie in one run in memory, up to *end* at most; None where that is not known.

    A buffer that may have some says so by a method of this name.
    """
    look: Callable[[int, int], memoryview | None] | None = getattr(buffer, "view", None)
    return look(start, end) if look is not None else None


def bounds(part: slice, size: int) -> tuple[int, int]:
    """Start and stop of a slice in a buffer of *size* bytes, ``0 <= start <= stop <= size``.

    Raises:
        ValueError: the slice has a step.
    """
    start, stop = part.start, part.stop
    if part.step is None and type(start) is type(stop) is int and 0 <= start <= stop <= size:
        return start, stop  # nearly always, and words are read by the ten thousand
    start, stop, step = part.indices(size)
    if step != 1:
        raise ValueError("A buffer is sliced without a step.")
    return start, max(start, stop)


def place(at: int, size: int) -> int:
    """The offset of one byte in a buffer of *size* bytes; a negative one counts from the end.

    Raises:
        IndexError: there is no such byte.
    """
    found = at + size if at < 0 else at
    if not 0 <= found < size:
        raise IndexError(f"There is no byte {at}.")
    return found


# Numbers


def u32(buffer: Buffer, at: int) -> int:
    """The unsigned little-endian word at *at*."""
    return int.from_bytes(buffer[at : at + 4], "little")


def unpacker(layout: str, buffer: Buffer) -> Callable[[int], tuple[Any, ...]]:
    """What reads numbers of one *layout*, as :mod:`struct` writes it, from a buffer; it takes the offset.

    Made for many numbers in the order of their bytes: a buffer on disk is read in stretches. Belongs to one thread.
    """
    number = Struct(layout)
    if in_memory(buffer):
        return partial(number.unpack_from, buffer)
    return _Unpacker(number, buffer)


class _Unpacker:
    """Reads numbers from the stretch that it read last."""

    __slots__ = ("_buffer", "_from", "_number", "_stretch", "_to")

    def __init__(self, number: Struct, buffer: Buffer) -> None:
        self._number = number
        self._buffer = buffer
        self._stretch: Bytes = b""
        self._from, self._to = 0, -1

    def __call__(self, at: int) -> tuple[Any, ...]:
        if not self._from <= at <= self._to:
            self._stretch = self._buffer[at : at + STRETCH]
            self._from, self._to = at, at + len(self._stretch) - self._number.size
        return self._number.unpack_from(self._stretch, at - self._from)


# Whole buffers


def stretches(
    buffer: Buffer, start: int = 0, end: int | None = None, size: int = STRETCH, overlap: int = 0
) -> Iterator[tuple[int, Bytes]]:
    """A buffer from *start* to *end* in pieces of *size* bytes, each with its offset.

    Args:
        buffer: the bytes.
        start, end: where to begin and to stop; by default all of them.
        size: bytes a piece.
        overlap: so many bytes of the next piece stand at the end of each as well.
    """
    stop = len(buffer) if end is None else min(end, len(buffer))
    source: Buffer = memoryview(buffer) if in_memory(buffer) else buffer
    for at in range(start, stop, size):
        yield at, source[at : min(at + size + overlap, stop)]


def joined(parts: Iterable[Bytes]) -> bytes:
    """Bytes of many parts in one piece of memory, for a thread beside which another one is to go on.

    Views of many megabytes would be joined in one go, in which no other thread runs. So they are copied a little at a
    time: what is ``bytes`` already is joined while the others run.
    """
    return b"".join([bytes(piece) for part in parts for _, piece in stretches(part)])
