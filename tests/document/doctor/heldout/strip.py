"""Strip: bytes of which each knows where it came from, so that whole values are found again after any damage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from document.doctor.heldout.made import Leaf, Made, Maker, Source, source

FOREIGN = -1


class Strip:
    """The bytes of a source while they are damaged.

    Attributes:
        data: the bytes.
        origins: for each where it lay, :data:`FOREIGN` for none of the source.
    """

    def __init__(self, some: Source) -> None:
        self.source = some
        self.data = bytearray(some.data)
        self.origins = list(range(len(self.data)))

    def __len__(self) -> int:
        return len(self.data)

    def replace(self, at: int, size: int, new: bytes) -> None:
        """Write other bytes in place of some."""
        self.data[at : at + size] = new
        self.origins[at : at + size] = [FOREIGN] * len(new)

    def keep(self, stretches: Iterable[Leaf]) -> None:
        """Have these stretches one after another, and no other bytes."""
        some = list(stretches)
        data, origins = self.data, self.origins
        self.data = bytearray(b"".join(data[start:end] for start, end in some))
        self.origins = [origin for start, end in some for origin in origins[start:end]]

    def translate(self, table: dict[int, bytes]) -> None:
        """Write something else for each byte that is in the table."""
        data, origins = bytearray(), []
        for byte, origin in zip(self.data, self.origins, strict=True):
            new = table.get(byte)
            data += bytes([byte]) if new is None else new
            origins += [origin] if new is None else [FOREIGN] * len(new)
        self.data, self.origins = data, origins

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Where the whole values lie now; of what is there twice the first."""
        first: dict[int, int] = {}
        for at, origin in enumerate(self.origins):
            first.setdefault(origin, at)
        found = []
        for start, end in self.source.leaves:
            at = first.get(start, len(self.origins))
            if self.origins[at : at + end - start] == list(range(start, end)):
                found.append((at, at + end - start))
        return tuple(sorted(found))

    def made(self, known: bool = True, also: tuple[bytes, ...] = ()) -> Made | None:
        """The case; None where nothing was damaged."""
        data = bytes(self.data)
        return Made(data, self.source, self.leaves, known, also) if data != self.source.data else None


Damage = Callable[[Random, Strip], bool | None]
"""Damages a strip; returns whether nobody can know what was there."""
LOST = True


def damaged(damage: Damage, least: int = 0, framed: bool | None = None) -> Maker:
    """What makes cases of a damage, in values of *least* bytes."""

    def make(random: Random) -> Made | None:
        strip = Strip(source(random, framed=framed, least=least))
        lost = damage(random, strip)
        return strip.made(known=not lost)

    return make
