"""Frames: what is done wrong around values, before or behind each."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from struct import pack
from zlib import adler32, crc32

from document.doctor.heldout.encoders import leb128
from document.doctor.heldout.made import Made, Maker, Source, source, word

Wrap = Callable[[int, bytes], tuple[bytes, bytes]]
"""What stands before and behind a value, by its number and its bytes."""


def _wrapped(some: Source, wrap: Wrap, also: tuple[bytes, ...]) -> Made | None:
    data, leaves = b"", []
    own = some.leaves
    at = 0
    for index, payload in enumerate(some.payloads):
        at += 4 if some.framed else 0
        before, behind = wrap(index, payload)
        shift = len(data) + len(before) - at
        leaves += [(start + shift, end + shift) for start, end in own if at <= start < at + len(payload)]
        data += before + payload + behind
        at += len(payload)
    return Made(data, some, tuple(leaves), True, also) if data != some.data else None


def _maker(wrap: Callable[[Random], Wrap], framed: bool = True) -> Maker:
    """A kind of damage to the lengths of stored values; where there is one value, it may do without."""

    def make(random: Random) -> Made | None:
        some = source(random, framed=framed)
        payloads = some.payloads
        also = (b"".join(payloads),) if framed else (word(len(payloads[0])) + payloads[0],)
        return _wrapped(some, wrap(random), also)

    return make


def _prefix(make: Callable[[bytes], bytes]) -> Callable[[Random], Wrap]:
    return lambda random: lambda index, payload: (make(payload), b"")


def _stored(before: Callable[[int, bytes], bytes], behind: Callable[[bytes], bytes] = lambda payload: b"") -> Wrap:
    """Lengths as they should be, with something before and behind each value."""
    return lambda index, payload: (before(index, payload) + word(len(payload)), behind(payload))


def _counter(random: Random) -> Wrap:
    first = random.randrange(1, 5000)
    return _stored(lambda index, payload: word(first + index))


def _clock(random: Random) -> Wrap:
    first = 1_690_000_000_000 + random.randrange(1 << 32)
    return _stored(lambda index, payload: pack("<Q", first + 37 * index))


def _constant(size: int) -> Callable[[Random], Wrap]:
    def wrap(random: Random) -> Wrap:
        some = bytes(random.randrange(1, 256) for _ in range(size))
        return lambda index, payload: (some, b"")

    return wrap


MAKERS: dict[str, Maker] = {
    "prefix-u24": _maker(_prefix(lambda payload: word(len(payload))[:3])),
    "prefix-one-byte": _maker(_prefix(lambda payload: bytes([len(payload) & 0xFF]))),
    "prefix-leb128": _maker(_prefix(lambda payload: leb128(len(payload)))),
    "prefix-decimal-line": _maker(_prefix(lambda payload: f"{len(payload)}\n".encode())),
    "prefix-netstring": _maker(lambda random: lambda index, payload: (f"{len(payload)}:".encode(), b",")),
    "prefix-in-bits": _maker(_prefix(lambda payload: word(8 * len(payload)))),
    "prefix-zero": _maker(_prefix(lambda payload: word(0))),
    "prefix-minus-one": _maker(_prefix(lambda payload: b"\xff" * 4)),
    "prefix-big-endian-counts-itself": _maker(_prefix(lambda payload: pack(">I", len(payload) + 4))),
    "prefix-padded-to-16": _maker(_prefix(lambda payload: word(len(payload) + -len(payload) % 16))),
    "prefix-one-less": _maker(_prefix(lambda payload: word(len(payload) - 1))),
    "prefix-behind": _maker(lambda random: lambda index, payload: (b"", word(len(payload)))),
    "prefix-both-ends": _maker(lambda random: _stored(lambda index, payload: b"", lambda payload: word(len(payload)))),
    "checksum-behind-each": _maker(
        lambda random: _stored(lambda index, payload: b"", lambda payload: word(crc32(payload)))
    ),
    "checksum-before-each": _maker(
        lambda random: lambda index, payload: (word(len(payload)) + word(adler32(payload)), b"")
    ),
    "counter-before-each": _maker(_counter),
    "clock-before-each": _maker(_clock),
    "line-feed-behind-each": _maker(lambda random: lambda index, payload: (b"", b"\n")),
    "crlf-behind-each": _maker(lambda random: _stored(lambda index, payload: b"", lambda payload: b"\r\n")),
    "nul-behind-each": _maker(lambda random: lambda index, payload: (b"", b"\0")),
    "two-bytes-before": _maker(_constant(2), framed=False),
    "three-bytes-before": _maker(_constant(3), framed=False),
    "twelve-bytes-before": _maker(_constant(12), framed=False),
    "type-byte-behind": _maker(lambda random: lambda index, payload: (b"", payload[:1]), framed=False),
}
"""The kinds by name."""
