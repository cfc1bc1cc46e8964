"""Files of few bytes that stand for very many, in every wrap that can hold them; made piece by piece."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zlib
from collections.abc import Callable
from functools import cache

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


@cache
def deflated(window_bits: int, mebi: int = MANY) -> bytes:
    """Zeros, deflated."""
    machine = zlib.compressobj(9, wbits=window_bits)
    return _fed(machine.compress, machine.flush, mebi)


@cache
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


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: deflated(31),
    "gzip in gzip": lambda: gzip.compress(deflated(31)),
    "many gzip streams": lambda: deflated(31, 1) * MANY,
    "zlib": lambda: deflated(15),
    "gzip in base64": lambda: fresh("base64", None).wrap(deflated(31)),
    "gzip in hex": lambda: deflated(31).hex().encode(),
    "zstd": lambda: zstandardised(window_log=20),
    "zstd that looks far back": lambda: zstandardised(window_log=27),
    "zstd that says its size": lambda: zstandard.ZstdCompressor().compress(bytes(MANY * MEBI)),
    "one block of FastLZ": lambda: blocks(0, fast(), 1),
    "many blocks of FastLZ": lambda: blocks(0, fast(1), MANY, MEBI),
    "one block of deflate": lambda: blocks(1, deflated(15), 1),
    "many blocks of deflate": lambda: blocks(1, deflated(15, 1), MANY, MEBI),
    "one block of Zstd": lambda: blocks(2, zstandardised(), 1),
    "one block of gzip": lambda: blocks(3, deflated(31), 1),
    "one block of Brotli": lambda: blocks(4, brotlied(), 1),
    "blocks in a gzip": lambda: gzip.compress(blocks(4, brotlied(), 1)),
    "an encrypted gzip": lambda: fresh("gdec:2", Secret.of_password("key")).wrap(deflated(31)),
    "a text in a gzip": lambda: gzip.compress(fresh("base64", None).wrap(bytes(MANY * MEBI // 2))),
    "a list in a gzip": lambda: gzip.compress(_listed() * 12, 1),
    "xz": lambda: lzma.compress(bytes(MANY * MEBI)),
    "lzma": lambda: lzma.compress(bytes(MANY * MEBI), lzma.FORMAT_ALONE),
    "bzip2": lambda: bz2.compress(bytes(MANY * MEBI)),
}
"""What makes each of them, by name."""


@cache
def bomb(name: str) -> bytes:
    """One of them, made when it is first asked for: each takes a while."""
    return BOMBS[name]()
