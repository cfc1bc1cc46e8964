"""Machines: one way to talk to the decompressors of four libraries, which each have ways of their own."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from viewer.buffer import Bytes

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

WINDOW = 1 << 27
"""The most memory that a Zstd stream may ask for to look back into."""


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

    def feed(self, data: Bytes, room: int) -> bytes:
        """What the next piece stands for; some machines stop after *room* > 0 bytes, others do not.

        Raises:
            Broken: and what this piece gave before is lost.
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

    def feed(self, data: Bytes, room: int) -> bytes:
        """What the next piece stands for, at most *room* bytes."""
        try:
            return self._machine.decompress(data, room)
        except zlib.error as error:
            raise Broken(f"zlib says “{str(error).rpartition(': ')[2]}”") from None


class Zstd:
    """One Zstd frame."""

    def __init__(self, workshop: ZstdDecompressor) -> None:
        import zstandard

        self._error = zstandard.ZstdError
        self._machine = workshop.decompressobj()

    @property
    def done(self) -> bool:
        """Whether the frame is at its end."""
        return self._machine.eof

    @property
    def spare(self) -> int:
        """How many bytes of the last piece stand behind the end."""
        return len(self._machine.unused_data)

    def feed(self, data: Bytes, room: int) -> bytes:
        """What the next piece stands for, all of it."""
        try:
            return self._machine.decompress(data)
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

    def feed(self, data: Bytes, room: int) -> bytes:
        """What the next piece stands for, all of it."""
        try:
            return bytes(self._machine.process(data))
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
