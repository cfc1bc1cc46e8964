"""Inflate and deflate: bytes to bytes by each of the methods that the engines know.

What is compressed may be damaged, cut, or made to burst: nothing is ever allocated by a size that the bytes state, and
what came out before the trouble is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from viewer.base.buffer import Bytes
from viewer.container import fastlz
from viewer.container.fastlz_match import MARGIN
from viewer.container.layer import WrapError
from viewer.container.machines import Broken, Brotli, Machine, Zlib, salvage, zstd_machines
from viewer.container.unpacking import Output

RAW, ZLIB, GZIP = -15, 15, 31
"""What zlib calls deflate in no dress, in its own and in gzip's."""
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


class Trouble(Enum):
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
    trouble: Trouble | None = None
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
        if careful and self._method is Method.ZSTD and found.trouble is Trouble.WRONG and len(out) == start:
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
    found = Inflated(0, Trouble.CUT, "there are no bytes")
    for step in steps if data else ():
        if found.trouble is Trouble.WRONG and step >= end - at:
            continue
        out.cut(begin)
        found = _feed(start(), data, out, begin + limit, [*sound, range(at, end, step)])
        if found.trouble is not Trouble.WRONG:
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
            except Broken as error:
                out.cut(most)
                return Inflated(at, Trouble.WRONG, str(error))
            if len(out) > most:
                out.cut(most)
                return Inflated(end, Trouble.MORE, "more bytes come out than should")
            if machine.done:
                return Inflated(end - machine.spare)
    return Inflated(len(data), Trouble.CUT, "it ends too early")


def _inflate_fastlz(data: bytes, out: Output, limit: int) -> Inflated:
    if not data:
        return Inflated(0, Trouble.CUT, "there are no bytes")
    try:
        fastlz.unpack(data, out, limit)
    except fastlz.FastLzError as error:
        return Inflated(error.offset, Trouble.WRONG, error.why)
    return Inflated(len(data))
