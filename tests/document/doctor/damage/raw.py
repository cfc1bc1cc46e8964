"""Damage to all bytes, or to single ones."""

from __future__ import annotations

from random import Random

from document.doctor.damage.case import Case, made
from document.doctor.material import Source, source

from viewer.document.doctor import Cause
from viewer.document.reading import ReadOptions


def byte_order(random: Random) -> Case | None:
    some = source(random)
    data = some.data
    return made(Cause.BYTE_ORDER, random, some, b"".join(data[k : k + 4][::-1] for k in range(0, len(data), 4)))


def _place(random: Random, some: Source) -> int:
    index = random.randrange(len(some.values))
    return some.start(index) + random.randrange(len(some.values[index].data))


def byte_lost(random: Random) -> Case | None:
    some = source(random)
    at, size = _place(random, some), random.choice((1, 1, 1, 2, 3))
    data = some.data[:at] + some.data[at + size :]
    gone = frozenset(range(at, at + size)) if any(some.data[at : at + size]) else frozenset()
    return made(Cause.BYTE_LOST, random, some, data, lost=gone)


def byte_inserted(random: Random) -> Case | None:
    some = source(random)
    at, size = _place(random, some), random.choice((1, 1, 1, 2, 3))
    return made(Cause.BYTE_INSERTED, random, some, some.data[:at] + random.randbytes(size) + some.data[at:])


def made_utf8(random: Random) -> Case | None:
    some = source(random)
    return made(Cause.MADE_UTF8, random, some, some.data.decode("latin-1").encode())


def made_crlf(random: Random) -> Case | None:
    some = source(random)
    return made(Cause.MADE_CRLF, random, some, some.data.replace(b"\n", b"\r\n"))


def cut_at_nul(random: Random) -> Case | None:
    some = source(random)
    data = some.data.partition(b"\0")[0]
    choice = ReadOptions(some.dialect)
    return Case(Cause.CUT_AT_NUL, data, b"", choice, only_note=True) if data else None


def zeros_trimmed(random: Random) -> Case | None:
    some = source(random)
    return made(Cause.ZEROS_TRIMMED, random, some, some.data.rstrip(b"\0"))
