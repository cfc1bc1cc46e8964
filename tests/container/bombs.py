"""Files of few bytes that stand for very many, in every wrap that can hold them; made piece by piece."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator

import brotli
import zstandard

from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh

MEBI = 1 << 20
MANY = 96
"""Mebibytes that a bomb stands for."""
PIECE = bytes(MEBI)


def _fed(compress: Callable[[bytes], bytes], flush: Callable[[], bytes], mebi: int = MANY) -> bytes:
    return b"".join([*(compress(PIECE) for _ in range(mebi)), flush()])


def deflated(window_bits: int, mebi: int = MANY) -> bytes:
    """Zeros, deflated."""
    machine = zlib.compressobj(9, wbits=window_bits)
    return _fed(machine.compress, machine.flush, mebi)


def brotlied() -> bytes:
    """Zeros in a Brotli stream."""
    machine = brotli.Compressor(quality=1)
    return _fed(machine.process, machine.finish)


def zstandardised(**parameters: int) -> bytes:
    """Zeros in a Zstd frame that does not say how many."""
    machine = zstandard.ZstdCompressor(compression_params=zstandard.ZstdCompressionParameters(**parameters))
    work = machine.compressobj()
    return _fed(work.compress, work.flush)


def fast(mebi: int = MANY) -> bytes:
    """Zeros in FastLZ of level 2: one literal, and one match as long as all the rest."""
    length = mebi * MEBI - 1 - 9
    return b"\x20\x00" + b"\xe0" + b"\xff" * (length // 255) + bytes((length % 255, 0))


def blocks(method: int, block: bytes, count: int, size: int = MANY * MEBI, last: bytes = b"") -> bytes:
    """A GCPF file of equal blocks of *size* plain bytes."""
    sizes = [len(block)] * count + [len(last)]
    head = struct.pack(f"<3I{count + 1}I", method, size, size * count, *sizes)
    return b"GCPF" + head + block * count + last + b"GCPF"


def _listed() -> bytes:
    return b"[" + b"0," * (4 * MEBI) + b"0]"


def bombs() -> Iterator[tuple[str, bytes]]:
    """All of them by name."""
    one = MEBI
    yield "gzip", deflated(31)
    yield "gzip in gzip", gzip.compress(deflated(31))
    yield "many gzip streams", deflated(31, 1) * MANY
    yield "zlib", deflated(15)
    yield "gzip in base64", fresh("base64", None).wrap(deflated(31))
    yield "gzip in hex", deflated(31).hex().encode()
    yield "zstd", zstandardised(window_log=20)
    yield "zstd that looks far back", zstandardised(window_log=27)
    yield "zstd that says its size", zstandard.ZstdCompressor().compress(bytes(MANY * MEBI))
    yield "one block of FastLZ", blocks(0, fast(), 1)
    yield "many blocks of FastLZ", blocks(0, fast(1), MANY, one)
    yield "one block of deflate", blocks(1, deflated(15), 1)
    yield "many blocks of deflate", blocks(1, deflated(15, 1), MANY, one)
    yield "one block of Zstd", blocks(2, zstandardised(), 1)
    yield "one block of gzip", blocks(3, deflated(31), 1)
    yield "one block of Brotli", blocks(4, brotlied(), 1)
    yield "blocks in a gzip", gzip.compress(blocks(4, brotlied(), 1))
    yield "an encrypted gzip", fresh("gdec:2", Secret.of_password("key")).wrap(deflated(31))
    yield "a text in a gzip", gzip.compress(fresh("base64", None).wrap(bytes(MANY * MEBI // 2)))
    yield "a list in a gzip", gzip.compress(_listed() * 12, 1)
    yield "xz", lzma.compress(bytes(MANY * MEBI))
    yield "lzma", lzma.compress(bytes(MANY * MEBI), lzma.FORMAT_ALONE)
    yield "bzip2", bz2.compress(bytes(MANY * MEBI))
