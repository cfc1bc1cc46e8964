"""Inflate and deflate: bytes to bytes by each of the methods that the engines know.

What is compressed may be damaged, cut, or made to burst: nothing is ever allocated by a size that the bytes state, and
what came out before the trouble is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from viewer.base.buffer import Bytes
from viewer.base.record import dataclass, replace
from viewer.container import fastlz
from viewer.container.fastlz import MARGIN
from viewer.container.layer import WrapError
from viewer.container.unpacking import PIECE, Output

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

# Machines: one way to talk to the decompressors of four libraries, which each have ways of their own.

WINDOW = 1 << 27
"""The most memory that a Zstd stream may ask for to look back into."""
ZSTD_BLOCK = 1 << 17
"""No block of a Zstd frame, which has a head of three bytes, stands for more bytes."""
FEW = 32
"""Compressed bytes that are never too many at a time."""


class StreamBroken(Exception):
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
    """Deflate inside of zlib, of gzip or bare."""

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
            raise StreamBroken(f"zlib says “{str(error).rpartition(': ')[2]}”") from None


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
        raise StreamBroken(f"the library says “{why}”") from None


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
            raise StreamBroken(f"Zstd says “{str(error).rpartition(': ')[2].lower()}”") from None


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
            raise StreamBroken("it is not a Brotli stream from there on") from None


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


RAW, ZLIB, GZIP = -15, 15, 31
"""What zlib calls bare deflate, its own and that of gzip."""
ZSTD_LEVEL = 3
MOST_SALVAGED = 1 << 20
SHORTEST = 16
"""The engines add zeros to what is shorter before they give it to FastLZ."""


class Method(Enum):
    """How bytes are compressed; the number is the engines'."""

    FASTLZ = 0
    DEFLATE = 1
    ZSTD = 2
    GZIP = 3
    BROTLI = 4

    @property
    def label(self) -> str:
        """The name for a person."""
        return LABELS[self]

    @property
    def ratio(self) -> int:
        """No byte of such a stream stands for more bytes than this."""
        return RATIOS[self]


LABELS = {
    Method.FASTLZ: "FastLZ",
    Method.DEFLATE: "Deflate",
    Method.ZSTD: "Zstd",
    Method.GZIP: "GZip",
    Method.BROTLI: "Brotli",
}
RATIOS = {
    Method.FASTLZ: 1 << 8,
    Method.DEFLATE: 1 << 11,
    Method.ZSTD: 1 << 17,
    Method.GZIP: 1 << 11,
    Method.BROTLI: 1 << 24,
}
ZLIB_STEPS = (1 << 16, 1 << 6, 1)
ZSTD_STEPS = (1 << 12, 1 << 6, 1)
BROTLI_STEPS = (1 << 4, 1)
"""How many bytes a machine is given at a time: first many, then few where those are broken.

Zstd and Brotli know no limit, so that a few bytes more may become very many.
"""


class InflateFault(Enum):
    """Why less came out than should."""

    CUT = "cut"
    WRONG = "wrong"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Inflated:
    """How it went with one compressed stream.

    Args:
        used: how many compressed bytes the stream took; where it is wrong, where that shows.
        trouble: None for a whole stream.
        why: what is wrong, a clause; empty for a whole stream.
        doubtful: whether any of what came out may be wrong, not only what follows it.
    """

    used: int
    trouble: InflateFault | None = None
    why: str = ""
    doubtful: bool = False


class Inflater:
    """Decompresses streams of one method, one after another."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._start, self._steps = _machines(method)

    def inflate(self, data: bytes, out: Output, limit: int, careful: bool = True) -> Inflated:
        """Decompress the first stream of *data*, at most *limit* bytes of it.

        Args:
            data: the stream, and maybe bytes behind it.
            out: where the bytes go, as many as can be had within the limit.
            limit: how many bytes may come out.
            careful: whether to try several times to get the most out of a broken stream.
        """
        if self._method is Method.FASTLZ:
            return _inflate_fastlz(data, out, limit)
        start = len(out)
        found = feed(self._start, data, out, limit, self._steps if careful else self._steps[:1])
        if careful and self._method is Method.ZSTD and found.trouble is InflateFault.WRONG and len(out) == start:
            salvaged = salvage(data, min(limit, MOST_SALVAGED))
            out.write(salvaged)
            return replace(found, doubtful=bool(salvaged))
        return found


def _machines(method: Method) -> tuple[Callable[[], Machine], tuple[int, ...]]:
    """What makes a machine, and how many bytes to give it at a time."""
    if method is Method.ZSTD:
        return zstd_machines(), ZSTD_STEPS
    if method is Method.BROTLI:
        return Brotli, BROTLI_STEPS
    return partial(Zlib, ZLIB if method is Method.DEFLATE else GZIP), ZLIB_STEPS


def deflate(method: Method, data: bytes, margin: int = MARGIN) -> bytes:
    """Compress *data* as the engines do where they were told nothing else.

    Args:
        method: how.
        data: the bytes.
        margin: FastLZ's, see :func:`viewer.container.fastlz.compress`.

    Raises:
        WrapError: no engine writes this method.
    """
    if method is Method.FASTLZ:
        level = 1 if len(data) < fastlz.LEVEL_2_FROM else 2
        return fastlz.compress(data.ljust(SHORTEST, b"\0"), level, margin)
    if method is Method.ZSTD:
        import zstandard

        return zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(data)
    if method is Method.BROTLI:
        raise WrapError("No engine writes Brotli, they only read it; compress with Zstd instead.")
    machine = zlib.compressobj(wbits=ZLIB if method is Method.DEFLATE else GZIP)
    return machine.compress(data) + machine.flush()


def feed(start: Callable[[], Machine], data: Bytes, out: Output, limit: int, steps: tuple[int, ...]) -> Inflated:
    """Decompress one stream, at most *limit* bytes of it.

    A machine keeps for itself what it made of a piece that turns out to be broken. So another one gets the sound
    pieces once more, and the broken one in smaller pieces.

    Args:
        start: makes a machine.
        data: the stream, and maybe bytes behind it.
        out: where the bytes go, as many as can be had within the limit.
        limit: how many bytes may come out.
        steps: how many bytes a machine gets at a time, falling.
    """
    sound: list[range] = []
    at, end = 0, len(data)
    begin = len(out)
    found = Inflated(0, InflateFault.CUT, "there are no bytes")
    for step in steps if data else ():
        if found.trouble is InflateFault.WRONG and step >= end - at:
            continue
        out.cut(begin)
        found = _feed(start(), data, out, begin + limit, [*sound, range(at, end, step)])
        if found.trouble is not InflateFault.WRONG:
            break
        sound.append(range(at, found.used, step))
        at, end = found.used, min(found.used + step, end)
    return found


def _feed(machine: Machine, data: Bytes, out: Output, most: int, pieces: list[range]) -> Inflated:
    """Feed one machine until *out* holds more than *most* bytes, which then are cut off."""
    for piece in pieces:
        for at in piece:
            end = min(at + piece.step, len(data), piece.stop)
            try:
                for made in machine.feed(data[at:end], most + 1 - len(out)):
                    out.write(made)
            except StreamBroken as error:
                out.cut(most)
                return Inflated(at, InflateFault.WRONG, str(error))
            if len(out) > most:
                out.cut(most)
                return Inflated(end, InflateFault.MORE, "more bytes come out than should")
            if machine.done:
                return Inflated(end - machine.spare)
    return Inflated(len(data), InflateFault.CUT, "it ends too early")


def _inflate_fastlz(data: bytes, out: Output, limit: int) -> Inflated:
    if not data:
        return Inflated(0, InflateFault.CUT, "there are no bytes")
    try:
        fastlz.unpack(data, out, limit)
    except fastlz.FastLzError as error:
        return Inflated(error.offset, InflateFault.WRONG, error.why)
    return Inflated(len(data))
