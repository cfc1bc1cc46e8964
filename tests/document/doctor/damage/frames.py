"""Damage to frames: lengths, and values that follow each other."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from document.doctor.damage.case import Case, made, opened, word
from document.doctor.material import source

from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.doctor import Cause
from viewer.document.doctor.candidate import Patch, patched
from viewer.document.reading import ReadOptions


def prefix_missing(random: Random) -> Case | None:
    some = source(random, STORED)
    at = some.start(random.randrange(len(some.values))) - 4
    data = some.data[:at] + some.data[at + 4 :]
    return Case(Cause.PREFIX_MISSING, data, some.data, opened(random, some, framing=True))


def prefix_extra(random: Random) -> Case | None:
    some = source(random, BARE)
    data = word(len(some.data)) + some.data
    return Case(Cause.PREFIX_EXTRA, data, some.data, opened(random, some, framing=True))


def prefix_doubled(random: Random) -> Case | None:
    some = source(random, STORED)
    index = random.randrange(len(some.values))
    at, length = some.start(index) - 4, len(some.values[index].data)
    data = some.data[:at] + word(length + random.choice((0, 4))) + some.data[at:]
    return made(Cause.PREFIX_DOUBLED, random, some, data, also=frozenset({Cause.PREFIX_EXTRA}))


def _rewritten(random: Random, cause: Cause, change: Callable[[int], int], least: int, everywhere: bool) -> Case:
    some = source(random, STORED, random.choice((2, 3, 5)) if least > 1 else 0)
    chosen = range(len(some.values)) if everywhere else [random.randrange(len(some.values))]
    patches = [Patch(some.start(k) - 4, 4, word(change(len(some.values[k].data)))) for k in chosen]
    return made(cause, random, some, patched(some.data, patches))


def prefix_swapped(random: Random) -> Case | None:
    def swapped(length: int) -> int:
        return int.from_bytes(word(length), "big")

    return _rewritten(random, Cause.PREFIX_SWAPPED, swapped, 2, False)


def prefix_counts_itself(random: Random) -> Case | None:
    return _rewritten(random, Cause.PREFIX_COUNTS_ITSELF, lambda n: n + 4, 1, random.random() < 0.5)


def prefix_off(random: Random) -> Case | None:
    by = random.choice((-8, -4, -2, -1, 1, 2, 3, 8, 12))
    return _rewritten(random, Cause.PREFIX_OFF, lambda n: max(0, n + by), 1, False)


def several_values(random: Random) -> Case | None:
    some = source(random, STORED, random.choice((2, 3)))
    if random.random() < 0.5:
        raw = b"".join(value.data for value in some.values)
        return Case(Cause.SEVERAL_VALUES, word(len(raw)) + raw, some.data, opened(random, some))
    raw = b"".join(value.data for value in some.values)
    choice = ReadOptions(some.dialect, None, FramingKind.BARE)
    return Case(Cause.SEVERAL_VALUES, raw, raw + b"", choice, reads_as="concatenated")


def value_cut(random: Random) -> Case | None:
    some = source(random, STORED, 1)
    raw = some.values[0].data
    at = random.randrange(4, len(raw) - 4)
    data = word(at) + raw[:at] + word(len(raw) - at) + raw[at:]
    return made(Cause.VALUE_CUT, random, some, data)
