"""Patches: replacements in the bytes as they are, all of which count in the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from viewer.document.splice import Splice


@dataclass(frozen=True, slots=True, order=True)
class Patch:
    """*size* bytes at *at* become *new*."""

    at: int
    size: int
    new: bytes

    @property
    def growth(self) -> int:
        """How many bytes longer the bytes get."""
        return len(self.new) - self.size

    def shifted(self, by: int) -> Patch:
        """The same at a place *by* bytes later."""
        return Patch(self.at + by, self.size, self.new)


Patches = tuple[Patch, ...]
"""In order of their places, not overlapping."""


def word(at: int, number: int, big_endian: bool = False) -> Patch:
    """The patch that writes a 32-bit word.

    Raises:
        OverflowError: the number does not fit.
    """
    return Patch(at, 4, (number).to_bytes(4, "big" if big_endian else "little"))


def patched(data: bytes, patches: Iterable[Patch], since: int = 0) -> bytes:
    """The bytes after the patches, from *since* on; no patch lies before it."""
    view, at = memoryview(data), since
    out: list[bytes | memoryview] = []
    for patch in patches:
        out += [view[at : patch.at], patch.new]
        at = patch.at + patch.size
    out.append(view[at:])
    return b"".join(out)


def growth(patches: Iterable[Patch]) -> int:
    """How many bytes longer the bytes get."""
    return sum(patch.growth for patch in patches)


def splices(data: bytes, patches: Patches) -> tuple[Splice, ...]:
    """The same as splices, of which each counts in the bytes that the one before it left: the last place first."""
    found = (Splice(p.at, data[p.at : p.at + p.size], p.new).trimmed() for p in reversed(patches))
    return tuple(splice for splice in found if splice.removed or splice.inserted)
