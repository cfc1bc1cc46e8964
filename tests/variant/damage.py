"""Twelve ways of damage to sound bytes, at random places."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from viewer.base.span import Span
from viewer.variant import items
from viewer.variant.dialect import Dialect
from viewer.variant.items import Role
from viewer.variant.table import NodeTable

PREFIX = -1
"""Stands for a length prefix among the nodes of a piece."""
TRIES = 40


@dataclass(frozen=True, slots=True)
class Piece:
    """A value in sound bytes: its table, and where that begins.

    Args:
        table: offsets count from *start*.
        prefix: the length in front of it, None where there is none.
    """

    table: NodeTable
    start: int = 0
    prefix: Span | None = None


@dataclass(frozen=True)
class Sample:
    """Sound bytes and the values in them."""

    raw: bytes
    pieces: tuple[Piece, ...]
    name: str = ""

    @property
    def dialect(self) -> Dialect:
        """What they are read in."""
        return self.pieces[0].table.dialect

    @cached_property
    def nodes(self) -> Sequence[tuple[Piece, int]]:
        """All nodes, and the length prefixes."""
        found = [(piece, PREFIX) for piece in self.pieces if piece.prefix is not None]
        return [*found, *((piece, node) for piece in self.pieces for node in piece.table.nodes)]

    @cached_property
    def leaves(self) -> Sequence[tuple[Piece, int]]:
        """All nodes without children."""
        return [(piece, node) for piece, node in self.nodes if node != PREFIX and not piece.table.child_count(node)]


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


Broken = tuple[bytes, Damage]
Break = Callable[[random.Random, Sample], Broken | None]


def _meet(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _replaced(raw: bytes, at: int, size: int, new: bytes) -> Broken:
    return raw[:at] + new + raw[at + size :], Damage(Span(at, at + size), new)


def _truncate(chance: random.Random, sample: Sample) -> Broken:
    at = chance.randrange(8, len(sample.raw))
    return _replaced(sample.raw, at, len(sample.raw) - at, b"")


def _lose(chance: random.Random, sample: Sample) -> Broken:
    return _replaced(sample.raw, chance.randrange(len(sample.raw)), 1, b"")


def _insert(chance: random.Random, sample: Sample) -> Broken:
    return _replaced(sample.raw, chance.randrange(len(sample.raw)), 0, chance.randbytes(1))


def _flip(chance: random.Random, sample: Sample, name: str, role: Role) -> Broken | None:
    """Change one byte of a part whose name ends so, or of this role where there is no name."""
    for _ in range(TRIES):
        found = [
            span
            for part, span, its_role in _parts(*chance.choice(sample.nodes))
            if (part.endswith(name) if name else its_role is role) and len(span)
        ]
        if found:
            span = chance.choice(found)
            at = span.start if chance.random() < 0.5 else chance.randrange(span.start, span.end)
            return _replaced(sample.raw, at, 1, bytes([sample.raw[at] ^ chance.randrange(1, 256)]))
    return None


def _parts(piece: Piece, node: int) -> list[tuple[str, Span, Role]]:
    if node == PREFIX:
        return [("length", piece.prefix, Role.LENGTH)] if piece.prefix is not None else []
    return [(part.name, part.span.shifted(piece.start), part.role) for part in items.parts(piece.table, node)]


def _flip_length(chance: random.Random, sample: Sample) -> Broken | None:
    return _flip(chance, sample, "length", Role.LENGTH)


def _flip_count(chance: random.Random, sample: Sample) -> Broken | None:
    return _flip(chance, sample, "count", Role.LENGTH)


def _flip_type(chance: random.Random, sample: Sample) -> Broken | None:
    return _flip(chance, sample, "header", Role.HEADER)


def _flip_padding(chance: random.Random, sample: Sample) -> Broken | None:
    return _flip(chance, sample, "", Role.PADDING)


def _swap_words(chance: random.Random, sample: Sample) -> Broken:
    raw = sample.raw
    one, two = sorted(4 * place for place in chance.sample(range(len(raw) // 4), 2))
    swapped = raw[:one] + raw[two : two + 4] + raw[one + 4 : two] + raw[one : one + 4] + raw[two + 4 :]
    return swapped, Damage(Span(one, one + 4), raw[two : two + 4], Span(two, two + 4))


def _swap_leaves(chance: random.Random, sample: Sample) -> Broken | None:
    """Swap two neighbouring leaves."""
    for _ in range(TRIES if sample.leaves else 0):
        piece, node = chance.choice(sample.leaves)
        table = piece.table
        if node + 1 < len(table) and table.parent[node + 1] == table.parent[node] and not table.child_count(node + 1):
            start, middle, end = (
                piece.start + at for at in (table.start[node], table.start[node + 1], table.end(node + 1))
            )
            return _replaced(sample.raw, start, end - start, sample.raw[middle:end] + sample.raw[start:middle])
    return None


def _swap(chance: random.Random, sample: Sample) -> Broken | None:
    return _swap_words(chance, sample) if chance.random() < 0.5 else _swap_leaves(chance, sample)


def _overwrite(chance: random.Random, sample: Sample) -> Broken:
    return _replaced(sample.raw, chance.randrange(len(sample.raw) - 4), 4, chance.randbytes(4))


def _duplicate(chance: random.Random, sample: Sample) -> Broken:
    at = chance.randrange(len(sample.raw) - 4)
    return _replaced(sample.raw, at, 0, sample.raw[at : at + 4])


def _zero(chance: random.Random, sample: Sample) -> Broken:
    return _replaced(sample.raw, chance.randrange(len(sample.raw) - 8), 8, bytes(8))


def _byte_swap(chance: random.Random, sample: Sample) -> Broken:
    at = 4 * chance.randrange(len(sample.raw) // 4)
    return _replaced(sample.raw, at, 4, sample.raw[at : at + 4][::-1])


WAYS: dict[str, Break] = {
    "truncate": _truncate,
    "lose a byte": _lose,
    "insert a byte": _insert,
    "flip a length": _flip_length,
    "flip a count": _flip_count,
    "flip a type": _flip_type,
    "flip a padding byte": _flip_padding,
    "swap two values": _swap,
    "overwrite 4 bytes": _overwrite,
    "duplicate 4 bytes": _duplicate,
    "zero 8 bytes": _zero,
    "byte-swap a word": _byte_swap,
}


def damaged(chance: random.Random, samples: Sequence[Sample]) -> tuple[str, int, bytes, Damage]:
    """A random sample broken in a random way: the way, the number of the sample, the bytes now, what was done."""
    names = list(WAYS)
    while True:
        name, number = chance.choice(names), chance.randrange(len(samples))
        done = WAYS[name](chance, samples[number])
        if done is not None and done[0] != samples[number].raw:
            return name, number, *done
