"""What an engine refuses although the bytes are right."""

from __future__ import annotations

from random import Random

import corpus
from document.doctor import material
from document.doctor.damage.case import Case, word
from document.doctor.material import Source, Value

from viewer.container.frames import STORED, FramingKind
from viewer.document.doctor import Cause
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import FLAG_64, Kind, load
from viewer.variant.scan import scan

LONGEST = 6000
"""Bytes of a value beside others."""


def objects_not_allowed(random: Random) -> Case | None:
    engine = random.choice([engine for engine in corpus.ENGINES if engine.folder not in ("godot2", "godot3")])
    line = load(engine.dialect)
    rows = [row for row in corpus.vectors(engine.folder) if row.get("full_objects")]
    data = corpus.vector_bytes(random.choice(rows))
    table = scan(data, line)
    objects = [n for n in table.nodes if (row := table.row(n)) is not None and row.kind is Kind.OBJECT]
    if all(table.header(node) & FLAG_64 for node in objects):
        return None
    framing, data = _among(random, Value(data, line))
    return Case(Cause.OBJECTS_NOT_ALLOWED, data, data + b"-", ReadOptions(line, None, framing), only_note=True)


def _among(random: Random, value: Value) -> tuple[FramingKind, bytes]:
    """A value by itself, or stored with others."""
    if random.random() < 0.5:
        return FramingKind.BARE, value.data
    others = [each for each in material.values() if each.dialect is value.dialect and len(each.data) < LONGEST]
    some = [value, *random.sample(others, random.choice((1, 2)))]
    random.shuffle(some)
    return FramingKind.STORED, Source(tuple(some), STORED).data


def too_deep(random: Random) -> Case | None:
    line = load(random.choice(("godot4", "godot4.0", "pandemonium4", "pandemonium5")))
    head = word(line.type_number("Array")) + word(1)
    data = head * random.randrange(1025, 1400) + word(2) + word(random.randrange(1000))
    return Case(Cause.TOO_DEEP, data, b"", ReadOptions(line), only_note=True)


def too_large(random: Random) -> Case | None:
    line = load(random.choice(("godot3", "godot4")))
    number = line.type_number("PoolByteArray" if line.key == "godot3" else "PackedByteArray")
    size = (8 << 20) + 4 * random.randrange(1, 1 << 16)
    data = word(number) + word(size) + bytes(size)
    return Case(Cause.TOO_LARGE, data, b"", ReadOptions(line, None, FramingKind.BARE), only_note=True)


def newer_feature(random: Random) -> Case | None:
    value: Value = random.choice([value for value in material.values() if value.dialect.key == "godot4"])
    table = value.table
    if not any(table.header(n) >> 16 & 0xF and n in material.collections(value) for n in table.nodes):
        return None
    framing, data = _among(random, value)
    return Case(Cause.NEWER_FEATURE, data, b"", ReadOptions(value.dialect, None, framing), only_note=True)
