"""Made: one damaged case, and the bytes that it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from document.doctor.heldout.worlds import values
from document.doctor.heldout.writer import Writer

from viewer.variant.dialect import Dialect, load
from viewer.variant.encode import encode
from viewer.variant.value import Value

LINES = ("godot3", "godot3", "godot3", "godot4", "godot4", "godot4", "pandemonium5", "pandemonium5", "godot2")
Leaf = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """Undamaged values of one engine line, bare or each behind its length."""

    values: tuple[Value, ...]
    dialect: Dialect
    framed: bool

    @property
    def payloads(self) -> list[bytes]:
        """Each value as the engine writes it."""
        return [encode(value, self.dialect) for value in self.values]

    @property
    def data(self) -> bytes:
        """All bytes."""
        return b"".join((word(len(each)) if self.framed else b"") + each for each in self.payloads)

    @property
    def leaves(self) -> list[Leaf]:
        """Where the values lie that hold no others."""
        return self._placed("leaves")

    @property
    def words(self) -> list[Leaf]:
        """Where headers, counts and lengths lie."""
        return self._placed("words")

    def _placed(self, name: str) -> list[Leaf]:
        found, at = [], 0
        for value in self.values:
            writer = Writer(self.dialect)
            writer.value(value)
            at += 4 if self.framed else 0
            found += [(at + start, at + end) for start, end in getattr(writer, name)]
            at += len(writer.out)
        return found


@dataclass(frozen=True, slots=True)
class Made:
    """Damaged bytes.

    Args:
        data: the bytes.
        source: what they were.
        leaves: values whose bytes are whole.
        known: whether somebody can know what was there.
        also: what is as right as the undamaged bytes.
    """

    data: bytes
    source: Source
    leaves: tuple[Leaf, ...]
    known: bool = True
    also: tuple[bytes, ...] = ()

    def row(self, kind: str) -> dict[str, object]:
        """The case as a line of a file has it."""
        return {
            "damage": kind,
            "data": self.data.hex(),
            "undamaged": self.source.data.hex() if self.known else None,
            "also_right": [each.hex() for each in self.also],
            "equal_values_suffice": True,
            "dialect": self.source.dialect.key,
            "framed": self.source.framed,
            "intact_leaves": [list(leaf) for leaf in self.leaves],
        }


Maker = Callable[[Random], Made | None]


def word(number: int) -> bytes:
    """A 32-bit word."""
    return number.to_bytes(4, "little")


def source(random: Random, framed: bool | None = None, least: int = 0, lines: tuple[str, ...] = LINES) -> Source:
    """Some values of at least so many bytes."""
    dialect = load(random.choice(lines))
    stored = random.random() < 0.4 if framed is None else framed
    for _ in range(100):
        count = random.choice((1, 1, 2, 3, 5)) if stored else 1
        found = Source(
            tuple(values(random, dialect, count, large=least > 600 or random.random() < 0.3)), dialect, stored
        )
        if len(found.data) >= least:
            return found
    grown = tuple(values(random, dialect, 1 + least // 1000 if stored else 1, large=True, most=1 + least // 60))
    return Source(grown, dialect, stored)
