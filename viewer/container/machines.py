"""Machines: one way to talk to the decompressors of four libraries, which each have ways of their own."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from viewer.base.buffer import Bytes
from viewer.container.unpacking import PIECE

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

WINDOW = 1 << 27
"""The most memory that a Zstd stream may ask for to look back into."""
ZSTD_BLOCK = 1 << 17
"""No block of a Zstd frame, which has a head of three bytes, stands for more bytes."""
FEW = 32
"""Compressed bytes that are never too many at a time."""


class Broken(Exception):
    """The bytes are no stream of this kind; the text is the end of a sentence that says why."""


class Machine(Protocol):
    """Decompresses one stream, piece by piece."""

    @property
    def done(self) -> bool:
        """Whether the stream is at its end."""

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, bit by bit, at most *room* > 0 bytes; Zstd may give a little more.

        Raises:
            Broken: and some of what this piece gave before is lost.
        """


class Zlib:
    """Deflate in the dress of zlib, of gzip or in none."""

    def __init__(self, window_bits: int) -> None:
        self._machine = zlib.decompressobj(window_bits)

    @property
    def done(self) -> bool:
        """Whether the stream is at its end."""
        return self._machine.eof

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""
        return len(self._machine.unused_data)

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, at most *room* bytes."""
        try:
            while found := self._machine.decompress(data, min(room, PIECE)):
                yield found
                data, room = self._machine.unconsumed_tail, room - len(found)
                if room <= 0 or self._machine.eof:
                    break
        except zlib.error as error:
            raise Broken(f"zlib says “{str(error).rpartition(': ')[2]}”") from None


class Xz:
    """One stream of xz, or of the older LZMA.

    Args:
        memory: how many bytes it may take to look back into.
        is_old: whether it is LZMA's.
    """

    def __init__(self, memory: int, is_old: bool = False) -> None:
        import lzma

        self._error: type[Exception] = lzma.LZMAError
        self._machine = lzma.LZMADecompressor(lzma.FORMAT_ALONE if is_old else lzma.FORMAT_XZ, memlimit=memory)

    @property
    def done(self) -> bool:
        """Whether the stream is at its end."""
        return self._machine.eof

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""
        return len(self._machine.unused_data)

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, at most *room* bytes."""
        yield from _limited(self._machine, self._error, bytes(data), room)


class Bzip2:
    """One stream of bzip2."""

    def __init__(self) -> None:
        import bz2

        self._machine = bz2.BZ2Decompressor()

    @property
    def done(self) -> bool:
        """Whether the stream is at its end."""
        return self._machine.eof

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""
        return len(self._machine.unused_data)

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, at most *room* bytes."""
        yield from _limited(self._machine, OSError, bytes(data), room)


class _Limited(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def _limited(machine: _Limited, error: type[Exception], data: bytes, room: int) -> Iterator[bytes]:
    """What a piece stands for, by a machine that keeps what it has no room for.

    Raises:
        Broken: the piece is none of such a stream.
    """
    try:
        while room > 0 and not machine.eof:
            found = machine.decompress(data, min(room, PIECE))
            data, room = b"", room - len(found)
            if found:
                yield found
            if machine.needs_input or not found:
                break
    except error as why:
        raise Broken(f"the library says “{why}”") from None


class Zstd:
    """One Zstd frame."""

    def __init__(self, workshop: ZstdDecompressor) -> None:
        import zstandard

        self._error = zstandard.ZstdError
        self._machine = workshop.decompressobj()
        self._behind = 0

    @property
    def done(self) -> bool:
        """Whether the frame is at its end."""
        return self._machine.eof

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""
        return len(self._machine.unused_data) + self._behind

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, a little of *room* more than that: 4 bytes may be a whole block."""
        step = max(FEW, 4 * room // (32 * ZSTD_BLOCK))
        try:
            for at in range(0, len(data), step):
                found = self._machine.decompress(data[at : at + step])
                yield found
                room -= len(found)
                self._behind = max(0, len(data) - at - step)
                if room <= 0 or self.done:
                    break
        except self._error as error:
            raise Broken(f"Zstd says “{str(error).rpartition(': ')[2].lower()}”") from None


class Brotli:
    """One Brotli stream."""

    def __init__(self) -> None:
        import brotli

        self._error: type[Exception] = brotli.error
        self._machine: Any = brotli.Decompressor()

    @property
    def done(self) -> bool:
        """Whether the stream is at its end."""
        return bool(self._machine.is_finished())

    @property
    def spare(self) -> int:
        """None: this machine takes a piece that goes beyond the end for a broken one."""
        return 0

    def feed(self, data: Bytes, room: int) -> Iterator[bytes]:
        """What the next piece stands for, at most *room* bytes."""
        try:
            while True:
                found = bytes(self._machine.process(data, output_buffer_limit=min(room, PIECE)))
                yield found
                data, room = b"", room - len(found)
                if room <= 0 or self._machine.can_accept_more_data():
                    break
        except self._error:
            raise Broken("it is no Brotli stream from there on") from None


def zstd_machines() -> Callable[[], Machine]:
    """What makes Zstd machines that share their memory; only the last one made may be used."""
    import zstandard

    return partial(Zstd, zstandard.ZstdDecompressor(max_window_size=WINDOW))


def salvage(data: bytes, most: int) -> bytes:
    """What a broken Zstd frame leaves in memory when it is decompressed in one go, which is what the engines read.

    How much of it is right, nobody can tell: zeros at the end are what was never reached.

    Args:
        data: the frame.
        most: nothing is tried where the frame says that more bytes come out.
    """
    import zstandard

    out = bytearray()
    try:
        size = zstandard.get_frame_parameters(data).content_size
        if size > most:
            return b""
        out += bytes(size)
        zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(data).readinto(out)
    except zstandard.ZstdError:
        pass
    return bytes(out).rstrip(b"\0")
