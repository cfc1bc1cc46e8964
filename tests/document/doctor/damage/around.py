"""Damage around values: headers, wraps, other packets, and what is no value."""

from __future__ import annotations

import base64
import gzip
import zlib
from random import Random

from document.doctor.damage.case import Case, made, opened, word
from document.doctor.material import source

from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.doctor import Cause
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions


def packet_header(random: Random) -> Case | None:
    some = source(random, BARE)
    target = random.choice((0, 1, random.randrange(2, 1 << 31)))
    head = word(random.randrange(1, 1 << 31)) + word(target)
    if random.random() < 0.5:
        node = word(random.randrange(1, 40))
        head += b"\0" + node + random.choice((b"hit", b"move_to", b"set_name", b"sync")) + b"\0\x01"
    choice = ReadOptions(some.dialect if random.random() < 0.5 else None, None, FramingKind.BARE)
    return Case(Cause.PACKET_HEADER, head + some.data, some.data, choice)


def wrapped(random: Random) -> Case | None:
    some = source(random)
    wraps = (gzip.compress, zlib.compress, base64.b64encode, lambda raw: raw.hex().encode())
    data = random.choice(wraps)(some.data)
    return Case(Cause.WRAPPED, data, some.data, ReadOptions(opening=UnwrapOptions(())))


def no_variant(random: Random) -> Case | None:
    some = (
        b"\x89PNG\r\n\x1a\n" + bytes([0, 0, 0, 13]) + b"IHDR" + random.randbytes(64),
        b"PK\x03\x04" + random.randbytes(60),
        b"OggS\x00\x02" + bytes(8) + random.randbytes(60),
        b"RIFF" + random.randbytes(4) + b"WAVEfmt " + random.randbytes(60),
        b"\x7fELF\x02\x01\x01" + bytes(9) + random.randbytes(60),
        b"SQLite format 3\x00" + random.randbytes(84),
        b"%PDF-1.7\n%" + random.randbytes(60),
        b"ID3\x04" + bytes(4) + b"\x02\x10" + random.randbytes(60),
    )
    data = random.choice(some)
    return Case(Cause.NO_VARIANT, data, b"", only_note=True)


def packets_mixed(random: Random) -> Case | None:
    form = random.choice(("inside", "before", "behind"))
    if form == "inside":
        some = source(random, STORED, 1)
        other = source(random, STORED, 1)
        if some.dialect is not other.dialect:
            return None
        at = random.randrange(8, len(some.data) - 4)
        return made(Cause.PACKETS_MIXED, random, some, some.data[:at] + other.data + some.data[at:])
    some, other = source(random, BARE), source(random, BARE)
    if some.dialect is not other.dialect:
        return None
    if form == "before":
        at = random.randrange(4, len(other.data) - 4)
        also = frozenset({Cause.FRAME_CUT})  # the first one was begun, and is not whole, whoever wrote them
        if at == 4:
            also |= {Cause.PREFIX_OFF}  # one word before a value may be its length
        return made(Cause.PACKETS_MIXED, random, some, other.data[:at] + some.data, also=also)
    if len(other.data) <= len(some.data) + 4:
        return None
    data = some.data + other.data[len(some.data) :]
    return Case(Cause.PACKETS_MIXED, data, some.data, opened(random, some, framing=True))
