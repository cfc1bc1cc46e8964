"""Damage to collections: counts and children."""

from __future__ import annotations

from random import Random

from document.doctor import material
from document.doctor.damage.case import Case, made, word
from document.doctor.material import Source, children, reframed, source

from viewer.base.record import replace
from viewer.container.frames import BARE
from viewer.document.doctor import Cause
from viewer.document.doctor.candidate import Patch
from viewer.variant.dialect import Kind


def _counted(random: Random, cause: Cause, sign: int) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    node = random.choice(material.collections(value, (*material.COLLECTIONS, Kind.PACKED)) or [-1])
    if node < 0:
        return None
    row = value.table.row(node)
    packed = row is not None and row.kind is Kind.PACKED
    at = value.table.start[node] + 4 if packed else material.count_place(value, node)
    count = int.from_bytes(value.data[at : at + 4], "little")
    by = sign * random.choice((1, 1, 1, 2, 3))
    if not 0 <= (count & 0x7FFFFFFF) + by < 0x7FFFFFFF:
        return None
    also = frozenset({Cause.CHILD_DUPLICATED}) if sign < 0 else frozenset()
    return made(cause, random, some, reframed(some, index, [Patch(at, 4, word(count + by))]), also=also)


def count_too_large(random: Random) -> Case | None:
    return _child_removed(random) if random.random() < 0.4 else _counted(random, Cause.COUNT_TOO_LARGE, 1)


def count_too_small(random: Random) -> Case | None:
    return _counted(random, Cause.COUNT_TOO_SMALL, -1)


def _child(random: Random) -> tuple[Source, int, int, tuple[int, int]] | None:
    """A source, a frame, a collection in it, and one child or pair of it."""
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    nodes = [node for node in material.collections(value) if len(children(value, node)) > 0]
    if not nodes:
        return None
    node = random.choice(nodes)
    return some, index, node, random.choice(children(value, node))


def _child_removed(random: Random) -> Case | None:
    found = _child(random)
    if found is None:
        return None
    some, index, node, (start, end) = found
    value = some.values[index]
    at = material.count_place(value, node)
    count = int.from_bytes(value.data[at : at + 4], "little")
    gone = [Patch(start, end - start, b"")]
    expected = reframed(some, index, [Patch(at, 4, word(count - 1)), *gone])
    return replace(made(Cause.COUNT_TOO_LARGE, random, some, reframed(some, index, gone)), expected=expected)


def child_duplicated(random: Random) -> Case | None:
    found = _child(random)
    if found is None:
        return None
    some, index, _, (start, end) = found
    raw = some.values[index].data[start:end]
    return made(Cause.CHILD_DUPLICATED, random, some, reframed(some, index, [Patch(end, 0, raw)]))


def key_without_value(random: Random) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    table = value.table
    pairs = [
        (child, child + 1)
        for node in material.collections(value, (Kind.DICTIONARY,))
        for child in table.children(node)[::2]
    ]
    if not pairs:
        return None
    _, child = random.choice(pairs)
    start, end = table.start[child], table.end(child)
    data = reframed(some, index, [Patch(start, end - start, b"")])
    expected = reframed(some, index, [Patch(start, end - start, bytes(4))])
    is_at_end = some.framing is BARE and end == len(value.data)  # no length says that there was no more
    also = frozenset({Cause.END_MISSING}) if is_at_end else frozenset()
    return replace(made(Cause.KEY_WITHOUT_VALUE, random, some, data, also=also), expected=expected)
