"""Damage by another engine line, or by numbers of another width."""

from __future__ import annotations

from random import Random
from struct import pack, unpack_from

from document.doctor.damage.case import Case, made, word
from document.doctor.material import reframed, source

from viewer.document.doctor import Cause
from viewer.document.doctor.candidate import Patch
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import FLAG_64, Kind, available


def other_engine(random: Random) -> Case | None:
    some = source(random)
    other = random.choice([line for line in available() if line is not some.dialect])
    choice = ReadOptions(other, None, some.framing.kind)
    document = Document(some.data, choice=choice)
    if document.frames and all(f.sound and f.gap is None for f in document.frames) and not document.gaps:
        return None
    return Case(Cause.OTHER_ENGINE, some.data, some.data, choice, reads_as=some.dialect.key)


def other_precision(random: Random) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    table, patches = value.table, []
    for node in table.nodes:
        row, header = table.row(node), table.header(node)
        if row is None or not row.real or row.kind not in (Kind.FIXED, Kind.PACKED):
            continue
        start = table.start[node]
        if row.has_wide:
            patches.append(Patch(start, 4, word(header ^ FLAG_64)))
        else:
            body = start + (4 if row.kind is Kind.FIXED else 8)
            raw = value.data[body : table.end(node)]
            patches += [Patch(body + k, 4, pack("<d", unpack_from("<f", raw, k)[0])) for k in range(0, len(raw), 4)]
    return made(Cause.OTHER_PRECISION, random, some, reframed(some, index, patches)) if patches else None


def _flag(random: Random, cause: Cause, is_set: bool) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    table = some.values[index].table
    places = [
        table.start[node]
        for node in table.nodes
        if (row := table.row(node)) is not None
        and row.name in ("int", "float")
        and row.has_wide
        and bool(table.header(node) & FLAG_64) is is_set
    ]
    if not places:
        return None
    at = random.choice(places)
    header = int.from_bytes(some.values[index].data[at : at + 4], "little")
    return made(cause, random, some, reframed(some, index, [Patch(at, 4, word(header ^ FLAG_64))]))


def flag_missing(random: Random) -> Case | None:
    return _flag(random, Cause.FLAG_MISSING, True)


def flag_extra(random: Random) -> Case | None:
    return _flag(random, Cause.FLAG_EXTRA, False)
