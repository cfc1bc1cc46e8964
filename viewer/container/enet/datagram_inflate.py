"""Compressed datagrams: ENet does not say by which of four algorithms; each host uses one for all it sends."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from enum import Enum

from viewer.container.enet.range_coder import beginning, decompress, first_byte

MOST_INSIDE = 4096
"""ENet itself inflates no more."""
ZSTD_MARK = b"\x28\xb5\x2f\xfd"
MOST_WINDOW = 1 << 23
"""What every reader of Zstd has to grant a frame; more is only asked for by a lie."""
PEEKS = (4, 8, 52)
"""The head of a command, the length of its data, and the longest command without data with the head of the next."""


class InflateError(ValueError):
    """The bytes are not compressed by this algorithm."""


class Algorithm(Enum):
    """How a datagram is compressed, in the order in which they are tried."""

    ZLIB = "zlib"
    ZSTD = "zstd"
    FASTLZ = "FastLZ"
    RANGE_CODER = "range coder"


def may_fit(algorithm: Algorithm, block: bytes) -> bool:
    """Whether the first bytes allow the algorithm; cheap, and wrong only in saying yes."""
    if len(block) < 2:
        return algorithm is Algorithm.RANGE_CODER and bool(block)
    if algorithm is Algorithm.ZLIB:
        return block[0] & 0x0F == 8 and int.from_bytes(block[:2], "big") % 31 == 0
    if algorithm is Algorithm.ZSTD:
        return block.startswith(ZSTD_MARK)
    return algorithm is Algorithm.RANGE_CODER or block[0] < 0x20


def glimpses(algorithm: Algorithm, block: bytes) -> Iterator[bytes]:
    """Longer and longer beginnings of what is inside, for who wants to stop early; none where reading all is cheap.

    Raises:
        InflateError: the bytes are not compressed by this algorithm.
    """
    if algorithm is not Algorithm.RANGE_CODER:
        return
    byte = first_byte(block)
    yield b"" if byte is None else bytes([byte])
    try:
        for size in PEEKS:
            yield beginning(block, size)
    except ValueError as error:
        raise InflateError(str(error)) from None


def inflate(algorithm: Algorithm, block: bytes, limit: int = MOST_INSIDE) -> bytes:
    """What a compressed block stands for.

    Raises:
        InflateError: the bytes are not compressed by this algorithm, something follows them, or more than *limit*
            bytes would come out.
    """
    try:
        if algorithm is Algorithm.ZLIB:
            return _zlib(block, limit)
        if algorithm is Algorithm.ZSTD:
            return _zstd(block, limit)
        if algorithm is Algorithm.FASTLZ:
            return _fastlz(block, limit)
        return decompress(block, limit)
    except InflateError:
        raise
    except ValueError as error:
        raise InflateError(str(error)) from None


def _zlib(block: bytes, limit: int) -> bytes:
    reader = zlib.decompressobj()
    try:
        inside = reader.decompress(block, limit + 1)
    except zlib.error as error:
        raise InflateError(str(error)) from None
    if not reader.eof or reader.unused_data or len(inside) > limit:
        raise InflateError("The zlib stream does not end where it should.")
    return inside


def _zstd(block: bytes, limit: int) -> bytes:
    import zstandard

    maker = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW)
    try:
        if len(maker.stream_reader(block).read(limit + 1)) > limit:
            raise InflateError(f"More than {limit} bytes would come out.")
        # only now is it known that all of it may come out at once, and only this reader knows where the frame ends
        reader = maker.decompressobj()
        inside = reader.decompress(block)
    except zstandard.ZstdError as error:
        raise InflateError(str(error)) from None
    if not reader.eof or reader.unused_data:
        raise InflateError("The Zstd frame does not end where it should.")
    return inside


def _fastlz(block: bytes, limit: int) -> bytes:
    from viewer.container import fastlz

    return fastlz.decompress(block, limit)
