"""Streams: a whole file that is one stream of gzip, zlib, xz, bzip2, Zstd or bare deflate. Some games save so."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import Protocol

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.inflate import (
    GZIP,
    RAW,
    WINDOW,
    ZLIB,
    ZLIB_STEPS,
    ZSTD_LEVEL,
    ZSTD_STEPS,
    Bzip2,
    Inflated,
    InflateFault,
    Machine,
    StreamBroken,
    Xz,
    Zlib,
    feed,
    zstd_machines,
)
from viewer.container.layer import MOST_INSIDE, ContainerFormat, Damage, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import Output

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
GZIP_MAGIC = b"\x1f\x8b\x08"
XZ_MAGIC, XZ_CHECKS = b"\xfd7zXZ\0", (0, 1, 4, 10)
"""How xz begins, and the numbers of its checks."""
LZMA_MAGIC, LZMA_HEAD = b"\x5d\0\0", 13
"""How the older LZMA begins where nobody chose otherwise, and the bytes before its stream."""
BZIP2_MAGICS = (b"1AY&SY", b"\x17rE8P\x90")
LITTLE = 1 << 20
"""Bytes that may be needed beside what comes out, however little that is."""
LONGEST_HEAD = 18
"""Bytes of a Zstd frame's header."""
LOOK = 1 << 12
"""So many bytes of a zlib stream, which has no magic, must be sound for it to be one."""


# Forms


@dataclass(frozen=True, slots=True)
class GzipForm:
    """A gzip stream.

    Args:
        head: its header as it was, with time and name.
        tail: what stands behind it.
    """

    head: bytes
    tail: bytes = b""

    @property
    def label(self) -> str:
        """``gzip``."""
        return "gzip"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes into one stream behind the same header, also where there were several."""
        machine = zlib.compressobj({2: 9, 4: 1}.get(self.head[8], -1), wbits=RAW)
        check = zlib.crc32(inside).to_bytes(4, "little") + (len(inside) & 0xFFFFFFFF).to_bytes(4, "little")
        return b"".join((self.head, machine.compress(inside), machine.flush(), check, self.tail))


@dataclass(frozen=True, slots=True)
class ZlibForm:
    """A zlib stream; *level* is one of those that its header tells apart."""

    level: int
    tail: bytes = b""

    @property
    def label(self) -> str:
        """``zlib``."""
        return "zlib"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes at about the same level."""
        return zlib.compress(inside, self.level) + self.tail


@dataclass(frozen=True, slots=True)
class RawForm:
    """A stream of deflate without a header."""

    @property
    def label(self) -> str:
        """``raw deflate, guessed``."""
        return "raw deflate, guessed"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes at the usual level."""
        machine = zlib.compressobj(wbits=RAW)
        return machine.compress(inside) + machine.flush()


@dataclass(frozen=True, slots=True)
class XzForm:
    """A stream of xz with one of its checks, or of the older LZMA, which has none."""

    is_old: bool
    check: int = -1
    tail: bytes = b""

    @property
    def label(self) -> str:
        """``xz`` or ``LZMA``."""
        return "LZMA" if self.is_old else "xz"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes at the usual level."""
        import lzma

        kind = lzma.FORMAT_ALONE if self.is_old else lzma.FORMAT_XZ
        return lzma.compress(inside, kind, check=-1 if self.is_old else self.check) + self.tail


@dataclass(frozen=True, slots=True)
class Bzip2Form:
    """A stream of bzip2; *level* is the size of its blocks."""

    level: int
    tail: bytes = b""

    @property
    def label(self) -> str:
        """``bzip2``."""
        return "bzip2"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes in blocks of the same size."""
        import bz2

        return bz2.compress(inside, self.level) + self.tail


@dataclass(frozen=True, slots=True)
class ZstdForm:
    """A Zstd frame; *checked* with a checksum at its end, *sized* with the plain size at its start."""

    checked: bool
    sized: bool
    tail: bytes = b""

    @property
    def label(self) -> str:
        """``Zstd``."""
        return "Zstd"

    def wrap(self, inside: bytes) -> bytes:
        """Compress bytes into one frame at the usual level."""
        import zstandard

        machine = zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=self.checked, write_content_size=self.sized)
        return machine.compress(inside) + self.tail


# Kinds


class StreamKind(Protocol):
    """What the codecs of this file differ in."""

    @property
    def name(self) -> str:
        """The codec's name."""

    @property
    def joins(self) -> bool:
        """Whether streams that follow each other count as one."""

    def probe(self, outside: Buffer) -> bool:
        """Whether such a stream begins here."""

    def machines(self) -> Callable[[], Machine]:
        """What makes a new machine for each stream."""

    @property
    def steps(self) -> tuple[int, ...]:
        """How many bytes it gets at a time."""

    def room(self, outside: Buffer, limit: int) -> int:
        """How much may come out where half as much as *limit* may be needed beside it, to look back into."""

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        """The form of the stream at the start of *outside*, with what stands behind it."""


class _Gzip:
    name = "gzip"
    joins = True
    steps = ZLIB_STEPS

    def probe(self, outside: Buffer) -> bool:
        return len(outside) >= 18 and bytes(outside[:3]) == GZIP_MAGIC and not outside[3] & 0xE0

    def machines(self) -> Callable[[], Machine]:
        return partial(Zlib, GZIP)

    def room(self, outside: Buffer, limit: int) -> int:
        return limit

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        return GzipForm(outside[: _gzip_head(outside)], tail)


class _Zlib:
    name = "zlib"
    joins = False
    steps = ZLIB_STEPS

    def probe(self, outside: Buffer) -> bool:
        head = bytes(outside[:2])
        if len(head) < 2 or head[0] & 15 != 8 or head[0] > 0x78 or int.from_bytes(head, "big") % 31 or head[1] & 0x20:
            return False
        machine = Zlib(ZLIB)
        try:
            found = b"".join(machine.feed(bytes(outside[:LOOK]), LOOK))
        except StreamBroken:
            return False
        return machine.done or len(found) >= min(LOOK, len(outside)) // 8 > 0

    def machines(self) -> Callable[[], Machine]:
        return partial(Zlib, ZLIB)

    def room(self, outside: Buffer, limit: int) -> int:
        return limit

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        return ZlibForm((1, 5, -1, 9)[outside[1] >> 6], tail)


class _Raw:
    name = "raw-deflate"
    joins = False
    steps = ZLIB_STEPS

    def probe(self, outside: Buffer) -> bool:
        if not len(outside) or outside[0] >> 1 & 3 not in (1, 2):
            return False
        machine = Zlib(RAW)
        try:
            some = any(machine.feed(bytes(outside[:LOOK]), LOOK))
        except StreamBroken:
            return False
        return some and not machine.spare and (not machine.done or len(outside) <= LOOK)

    def machines(self) -> Callable[[], Machine]:
        return partial(Zlib, RAW)

    def room(self, outside: Buffer, limit: int) -> int:
        return limit

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        return RawForm()


class _Xz:
    steps = ZLIB_STEPS

    def __init__(self, is_old: bool) -> None:
        self._is_old = is_old
        self.name = "lzma" if is_old else "xz"
        self.joins = not is_old

    def probe(self, outside: Buffer) -> bool:
        begin = bytes(outside[:LZMA_HEAD])
        if not self._is_old:
            return len(outside) >= 32 and begin.startswith(XZ_MAGIC) and begin[7] in XZ_CHECKS
        size = int.from_bytes(begin[5:LZMA_HEAD], "little")
        told = size == (1 << 64) - 1 or len(outside) // 2 <= size < 1 << 40
        return len(outside) > LZMA_HEAD and begin[:3] == LZMA_MAGIC and told and not outside[LZMA_HEAD]

    def machines(self) -> Callable[[], Machine]:
        return partial(Xz, WINDOW, self._is_old)

    def room(self, outside: Buffer, limit: int) -> int:
        return limit - limit // 4  # what comes out is kept once more, to look back into

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        return XzForm(self._is_old, -1 if self._is_old else outside[7], tail)


class _Bzip2:
    name = "bzip2"
    joins = True
    steps = ZLIB_STEPS

    def probe(self, outside: Buffer) -> bool:
        begin = bytes(outside[:10])
        return begin[:3] == b"BZh" and begin[3:4] in b"123456789" and begin[4:] in BZIP2_MAGICS

    def machines(self) -> Callable[[], Machine]:
        return Bzip2

    def room(self, outside: Buffer, limit: int) -> int:
        return limit

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        return Bzip2Form(outside[3] - ord("0"), tail)


class _Zstd:
    name = "zstd"
    joins = True
    steps = ZSTD_STEPS

    def probe(self, outside: Buffer) -> bool:
        return len(outside) > 8 and bytes(outside[:4]) == ZSTD_MAGIC and not outside[4] & 0x08

    def machines(self) -> Callable[[], Machine]:
        return zstd_machines()

    def room(self, outside: Buffer, limit: int) -> int:
        import zstandard

        try:
            window = min(WINDOW, zstandard.get_frame_parameters(bytes(outside[:LONGEST_HEAD])).window_size)
        except zstandard.ZstdError:
            return limit
        beside = max(limit // 2, LITTLE)
        return limit if window <= beside else max(limit - limit // 4, limit + beside - window)

    def form(self, outside: bytes, tail: bytes) -> ContainerFormat:
        head = outside[4]
        return ZstdForm(checked=bool(head & 4), sized=bool(head & 0xE0), tail=tail)


def _gzip_head(outside: bytes) -> int:
    """The size of a gzip header, with the extra field, name, comment and check that its flags promise."""
    flags, at = outside[3], 10
    if flags & 4:
        at += 2 + int.from_bytes(outside[at : at + 2], "little")
    for flag in (8, 16):
        if flags & flag:
            at = outside.find(b"\0", at) + 1 or len(outside)
    return min(at + (flags & 2), len(outside))


# Codecs


@dataclass(frozen=True, slots=True)
class StreamCodec:
    """Takes a stream off, and those of the same kind that follow it."""

    kind: StreamKind

    @property
    def name(self) -> str:
        """The word for the command line."""
        return self.kind.name

    def probe(self, outside: Buffer) -> bool:
        """Whether such a stream begins here."""
        return self.kind.probe(outside)

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Decompress; what is cut or damaged gives what comes before."""
        if not self.kind.probe(outside):
            raise WrapError(f"These bytes are not a {self.name} stream.")
        data = bytes(outside[:])
        view = memoryview(data)
        out = Output(expected)
        at = 0
        start = self.kind.machines()
        while True:
            room = max(0, self.kind.room(view[at:], limit) - len(out))
            found = feed(start, view[at:], out, room, self.kind.steps)
            at += found.used
            if found.trouble or not self.kind.joins or not self.kind.probe(view[at:]):
                break
        if found.trouble is InflateFault.MORE:
            raise TooLarge(f"More than {limit} bytes would come out, and no more may.", limit + 1, exact=False)
        if found.trouble and not len(out):
            raise WrapError(f"Nothing can be read from this {self.name} stream: at byte {at} {found.why}.")
        tail = b"" if found.trouble else data[at:]
        return Unwrapped(out.take(), self.kind.form(data, tail), self._damages(found, at, len(data)))

    def _damages(self, found: Inflated, at: int, size: int) -> tuple[Damage, ...]:
        """What is wrong; *at* is where the last stream ends or is broken."""
        if found.trouble is InflateFault.CUT:
            return (Damage(Span(size, size), f"The {self.name} stream is cut: {found.why}."),)
        if found.trouble:
            return (Damage(Span(at, size), f"The {self.name} stream is damaged at byte {at}: {found.why}."),)
        if at < size:
            more = f"After the {self.name} stream the file goes on; bytes there: {size - at}."
            return (Damage(Span(at, size), more),)
        return ()


GZIP_STREAM = StreamCodec(_Gzip())
ZLIB_STREAM = StreamCodec(_Zlib())
RAW_STREAM = StreamCodec(_Raw())
XZ_STREAM = StreamCodec(_Xz(is_old=False))
LZMA_STREAM = StreamCodec(_Xz(is_old=True))
BZIP2_STREAM = StreamCodec(_Bzip2())
ZSTD_STREAM = StreamCodec(_Zstd())
