"""Damaged values: golden bytes broken in twelve ways at seeded places, and how much of the rest is still shown.

``RECOVERY_SEED=1 RECOVERY_CASES=5000 python tests/variant/recovery_cases.py`` prints the shares.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from corpus import ENGINES, files, vector_bytes, vectors
from variant.damage import WAYS, Damage, Piece, Sample, damaged

from viewer.base.span import Span
from viewer.variant.dialect import load
from viewer.variant.paths.path_walk import walk
from viewer.variant.recovery.recover import recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

SMALLEST, LARGEST = 40, 1 << 16

Leaf = tuple[str, bytes, str | None]
"""A leaf's type, bytes and path."""


@dataclass(frozen=True, slots=True)
class Worse:
    """A case of which less is shown than before its first error: bytes, and the leaves that are missing."""

    sample: str
    way: str
    span: Span
    raw: bytes
    missing: tuple[int, ...]


@dataclass(slots=True)
class Tally:
    """How many intact leaves there were, and how many of them were shown.

    Args:
        first: by a decoder that stops at the first error.
        shown: anywhere in the tree, with the same type and bytes at their place.
        placed: with the same path too.
        empty: cases in which nothing at all is shown.
    """

    cases: int = 0
    intact: int = 0
    first: int = 0
    shown: int = 0
    placed: int = 0
    empty: int = 0
    worse: list[Worse] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count the cases of another one too."""
        for name in ("cases", "intact", "first", "shown", "placed", "empty"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.worse.extend(other.worse)

    def count(
        self,
        sound: Mapping[int, Leaf],
        raw: bytes,
        case: tuple[str, str, Damage],
        before: Mapping[int, Leaf],
        after: Mapping[int, Leaf],
    ) -> None:
        """Count one case: sample, way and damage, what stopping shows, and what is shown."""
        sample, way, damage = case
        self.cases += 1
        missing: list[int] = []
        seen = kept = 0
        for start, leaf in sound.items():
            place = damage.place(Span(start, start + len(leaf[1])))
            if place is None or place + len(leaf[1]) > len(raw):
                continue
            self.intact += 1
            stopped, here = _same(before.get(place), leaf), _same(after.get(place), leaf)
            kept += stopped
            seen += here
            self.placed += here and after[place][2] == leaf[2]
            if stopped and not here:
                missing.append(place)
        self.first += kept
        self.shown += seen
        if seen < kept:
            self.worse.append(Worse(sample, way, damage.span, raw, tuple(missing)))


def _same(found: Leaf | None, leaf: Leaf) -> bool:
    return found is not None and found[:2] == leaf[:2]


def total(tallies: Iterable[Tally]) -> Tally:
    """All cases together."""
    found = Tally()
    for tally in tallies:
        found.add(tally)
    return found


def samples() -> list[Sample]:
    """All vectors and frames of saved files that are large enough and sound."""
    found: dict[tuple[str, bytes], Sample] = {}
    for engine in ENGINES:
        dialect = load(engine.dialect)
        named = [(f"{engine} {row.get('id')}", vector_bytes(row)) for row in vectors(engine.folder)]
        for saved in files(engine.folder):
            named.extend((str(saved), raw) for raw in _frames(saved.path.read_bytes()))
        for name, raw in named:
            if not SMALLEST <= len(raw) <= LARGEST or (engine.dialect, raw) in found:
                continue
            table = scan(raw, dialect)
            if not table.diagnostics and table.end_of_data == len(raw):
                found[engine.dialect, raw] = Sample(raw, (Piece(table),), name)
    return list(found.values())


def _frames(raw: bytes) -> Iterator[bytes]:
    at = 0
    while at + 4 <= len(raw):
        size = int.from_bytes(raw[at : at + 4], "little")
        if size > len(raw) - at - 4:
            return
        yield raw[at + 4 : at + 4 + size]
        at += 4 + size


def leaves(table: NodeTable, base: int = 0) -> dict[int, Leaf]:
    """The leaf values of a table that are no keys, by their start, which counts from *base*."""
    found: dict[int, Leaf] = {}
    for visit in walk(table, ""):
        if visit.is_key or table.child_count(visit.node):
            continue
        start, row = table.start[visit.node], table.row(visit.node)
        raw = bytes(table.buffer[start : table.end(visit.node)])
        found[base + start] = ("" if row is None else row.name), raw, visit.path
    return found


def run(seed: int, cases: int, sound: Sequence[Sample]) -> dict[str, Tally]:
    """Break samples at random; the tallies by the way of damage."""
    chance = random.Random(seed)
    tallies = {name: Tally() for name in WAYS}
    known: dict[int, dict[int, Leaf]] = {}
    for _ in range(cases):
        name, number, raw, damage = damaged(chance, sound)
        sample, tally = sound[number], tallies[name]
        if number not in known:
            known[number] = leaves(sample.pieces[0].table)
        first = scan(raw, sample.dialect)
        then = recover(first)
        tally.empty += not len(then)
        tally.count(known[number], raw, (sample.name, name, damage), leaves(first), leaves(then))
    return tallies


def shares(tallies: Mapping[str, Tally]) -> str:
    """The shares in words, one way a line."""
    lines = [f"{'':22}{'cases':>6}{'intact':>9}{'first':>8}{'shown':>8}{'placed':>8}{'worse':>7}{'empty':>7}"]
    for name, tally in [*tallies.items(), ("all", total(tallies.values()))]:
        parts = (100 * part / max(1, tally.intact) for part in (tally.first, tally.shown, tally.placed))
        lines.append(
            f"{name:22}{tally.cases:6}{tally.intact:9}"
            + "".join(f"{share:8.1f}" for share in parts)
            + f"{len(tally.worse):7}{tally.empty:7}"
        )
    return "\n".join(lines)


def told(worse: Worse) -> str:
    """A case in one line, with its bytes where these are few."""
    raw = worse.raw.hex() if len(worse.raw) <= 2000 else f"{len(worse.raw)} bytes"
    return f"{worse.sample}, {worse.way} {worse.span}: {len(worse.missing)} from {worse.missing[:4]} on are lost; {raw}"


if __name__ == "__main__":
    import os
    import time

    sound = samples()
    begun = time.perf_counter()
    print(len(sound), "samples,", sum(len(sample.raw) for sample in sound), "bytes")
    found = run(int(os.environ.get("RECOVERY_SEED", "1")), int(os.environ.get("RECOVERY_CASES", "1000")), sound)
    print(shares(found))
    for each in total(found.values()).worse:
        print(told(each))
    print(f"{time.perf_counter() - begun:.1f} s")
