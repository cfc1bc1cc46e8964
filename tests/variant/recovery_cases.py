"""Damaged values: golden bytes broken in twelve ways at seeded places, and how much of the rest is still shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from corpus import ENGINES, files, vector_bytes, vectors

from viewer.document.export.walk import walk
from viewer.span import Span
from viewer.variant import items
from viewer.variant.dialect import Dialect, load
from viewer.variant.items import Role
from viewer.variant.recover import recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

SMALLEST, LARGEST = 40, 1 << 16


@dataclass(frozen=True, slots=True)
class Sample:
    """Sound bytes of one value, and its leaves."""

    raw: bytes
    table: NodeTable

    @property
    def dialect(self) -> Dialect:
        """What they are read in."""
        return self.table.dialect


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done: the bytes in *span* of the sound ones were replaced by *new*."""

    span: Span
    new: bytes
    swapped: Span | None = None
    """A second place that was changed, of the same size before and after."""

    def place(self, span: Span) -> int | None:
        """Where sound bytes lie now; None where they were touched."""
        if self.swapped is not None and _meet(span, self.swapped):
            return None
        if span.end <= self.span.start:
            return span.start
        if span.start >= self.span.end and (len(self.span) or span.start >= self.span.start):
            return span.start + len(self.new) - len(self.span)
        return None


@dataclass(slots=True)
class Tally:
    """How many intact leaves there were, and how many of them were shown."""

    cases: int = 0
    intact: int = 0
    first: int = 0
    shown: int = 0
    placed: int = 0
    worse: list[str] = field(default_factory=list)


Leaf = tuple[bytes, str | None]
Break = Callable[[random.Random, Sample], tuple[bytes, Damage] | None]


def samples() -> list[Sample]:
    """All vectors and frames of saved files that are large enough and sound."""
    found: dict[tuple[str, bytes], Sample] = {}
    for engine in ENGINES:
        dialect = load(engine.dialect)
        raws = [vector_bytes(row) for row in vectors(engine.folder)]
        for saved in files(engine.folder):
            raws.extend(_frames(saved.path.read_bytes()))
        for raw in raws:
            if not SMALLEST <= len(raw) <= LARGEST or (engine.dialect, raw) in found:
                continue
            table = scan(raw, dialect)
            if not table.diagnostics and table.end_of_data == len(raw):
                found[engine.dialect, raw] = Sample(raw, table)
    return list(found.values())


def _frames(raw: bytes) -> Iterator[bytes]:
    at = 0
    while at + 4 <= len(raw):
        size = int.from_bytes(raw[at : at + 4], "little")
        if size > len(raw) - at - 4:
            return
        yield raw[at + 4 : at + 4 + size]
        at += 4 + size


def leaves(table: NodeTable) -> dict[int, Leaf]:
    """The leaf values of a table that are no keys, by their start: their bytes and path."""
    found: dict[int, Leaf] = {}
    for visit in walk(table, ""):
        if visit.is_key or table.child_count(visit.node):
            continue
        start = table.start[visit.node]
        found[start] = bytes(table.buffer[start : table.end(visit.node)]), visit.path
    return found


def run(seed: int, cases: int, sound: list[Sample]) -> dict[str, Tally]:
    """Break samples at random; the tallies by the way of damage."""
    chance = random.Random(seed)
    tallies = {name: Tally() for name in WAYS}
    known: dict[int, dict[int, Leaf]] = {}
    names = list(WAYS)
    while sum(tally.cases for tally in tallies.values()) < cases:
        name = chance.choice(names)
        number = chance.randrange(len(sound))
        done = WAYS[name](chance, sound[number])
        if done is None or done[0] == sound[number].raw:
            continue
        if number not in known:
            known[number] = leaves(sound[number].table)
        _count(tallies[name], sound[number], known[number], *done)
    return tallies


def _count(tally: Tally, sample: Sample, sound: dict[int, Leaf], raw: bytes, damage: Damage) -> None:
    first = scan(raw, sample.dialect)
    then = recover(first)
    before, after = leaves(first), leaves(then)
    tally.cases += 1
    seen = kept = 0
    for start, (leaf, path) in sound.items():
        place = damage.place(Span(start, start + len(leaf)))
        if place is None or place + len(leaf) > len(raw):
            continue
        tally.intact += 1
        kept += _same(before.get(place), leaf)
        here = _same(after.get(place), leaf)
        seen += here
        tally.placed += here and after[place][1] == path
    tally.first += kept
    tally.shown += seen
    if seen < kept:
        tally.worse.append(raw.hex())


def _same(found: Leaf | None, leaf: bytes) -> bool:
    return found is not None and found[0] == leaf


def _meet(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


# Ways


def _replaced(raw: bytes, at: int, size: int, new: bytes) -> tuple[bytes, Damage]:
    return raw[:at] + new + raw[at + size :], Damage(Span(at, at + size), new)


def _truncate(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    at = chance.randrange(8, len(sample.raw))
    return _replaced(sample.raw, at, len(sample.raw) - at, b"")


def _lose(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    return _replaced(sample.raw, chance.randrange(len(sample.raw)), 1, b"")


def _insert(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    return _replaced(sample.raw, chance.randrange(len(sample.raw)), 0, chance.randbytes(1))


def _flip(chance: random.Random, sample: Sample, names: tuple[str, ...], role: Role) -> tuple[bytes, Damage] | None:
    """Change one byte of a part with one of these names, or this role where there are none."""
    nodes = list(sample.table.nodes)
    for _ in range(40):
        node = chance.choice(nodes)
        found = [
            part
            for part in items.parts(sample.table, node)
            if (any(part.name.endswith(name) for name in names) if names else part.role is role) and len(part.span)
        ]
        if found:
            span = chance.choice(found).span
            at = span.start if chance.random() < 0.5 else chance.randrange(span.start, span.end)
            return _replaced(sample.raw, at, 1, bytes([sample.raw[at] ^ chance.randrange(1, 256)]))
    return None


def _flip_length(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    return _flip(chance, sample, ("length",), Role.LENGTH)


def _flip_count(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    return _flip(chance, sample, ("count",), Role.LENGTH)


def _flip_type(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    return _flip(chance, sample, ("header",), Role.HEADER)


def _flip_padding(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    return _flip(chance, sample, (), Role.PADDING)


def _swap(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    """Swap two words."""
    words = len(sample.raw) // 4
    one, two = sorted(4 * place for place in chance.sample(range(words), 2))
    raw = sample.raw
    swapped = raw[:one] + raw[two : two + 4] + raw[one + 4 : two] + raw[one : one + 4] + raw[two + 4 :]
    return swapped, Damage(Span(one, one + 4), raw[two : two + 4], Span(two, two + 4))


def _swap_values(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    """Swap two neighbouring leaves."""
    table = sample.table
    nodes = [node for node in table.nodes if not table.child_count(node)]
    chance.shuffle(nodes)
    for node in nodes[:40]:
        if node + 1 < len(table) and table.parent[node + 1] == table.parent[node] and not table.child_count(node + 1):
            start, middle, end = table.start[node], table.start[node + 1], table.end(node + 1)
            return _replaced(sample.raw, start, end - start, sample.raw[middle:end] + sample.raw[start:middle])
    return None


def _overwrite(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    return _replaced(sample.raw, chance.randrange(len(sample.raw) - 4), 4, chance.randbytes(4))


def _duplicate(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    at = chance.randrange(len(sample.raw) - 4)
    return _replaced(sample.raw, at, 0, sample.raw[at : at + 4])


def _zero(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    return _replaced(sample.raw, chance.randrange(len(sample.raw) - 8), 8, bytes(8))


def _byte_swap(chance: random.Random, sample: Sample) -> tuple[bytes, Damage]:
    at = 4 * chance.randrange(len(sample.raw) // 4)
    return _replaced(sample.raw, at, 4, sample.raw[at : at + 4][::-1])


def _swap_two(chance: random.Random, sample: Sample) -> tuple[bytes, Damage] | None:
    return _swap(chance, sample) if chance.random() < 0.5 else _swap_values(chance, sample)


WAYS: dict[str, Break] = {
    "truncate": _truncate,
    "lose a byte": _lose,
    "insert a byte": _insert,
    "flip a length": _flip_length,
    "flip a count": _flip_count,
    "flip a type": _flip_type,
    "flip a padding byte": _flip_padding,
    "swap two values": _swap_two,
    "overwrite 4 bytes": _overwrite,
    "duplicate 4 bytes": _duplicate,
    "zero 8 bytes": _zero,
    "byte-swap a word": _byte_swap,
}


def table(tallies: dict[str, Tally]) -> str:
    """The shares in words, one way a line."""
    lines = [f"{'':22}{'cases':>6}{'intact':>9}{'first':>8}{'shown':>8}{'placed':>8}{'worse':>7}"]
    total = Tally()
    for tally in tallies.values():
        for name in ("cases", "intact", "first", "shown", "placed"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
        total.worse.extend(tally.worse)
    for name, tally in [*tallies.items(), ("all", total)]:
        shares = (100 * part / max(1, tally.intact) for part in (tally.first, tally.shown, tally.placed))
        lines.append(
            f"{name:22}{tally.cases:6}{tally.intact:9}"
            + "".join(f"{share:8.1f}" for share in shares)
            + f"{len(tally.worse):7}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    import os
    import time

    sound = samples()
    begun = time.perf_counter()
    print(len(sound), "samples,", sum(len(sample.raw) for sample in sound), "bytes")
    print(table(run(int(os.environ.get("RECOVERY_SEED", "1")), int(os.environ.get("RECOVERY_CASES", "1000")), sound)))
    print(f"{time.perf_counter() - begun:.1f} s")
