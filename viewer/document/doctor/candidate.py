"""Candidates: what a hypothesis says could have happened, before it was tried."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.base.buffer import Buffer, window
from viewer.base.record import dataclass
from viewer.container.frames import Framing
from viewer.document.disk.paged import BufferPiece, HeldBytes, Paged
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.encoder_rule import EncoderRule
from viewer.document.splice import Splice
from viewer.variant.dialect import Dialect

# Patches: replacements in the bytes as they are, all of which count in the same bytes.

COPIED = 1 << 20
"""Up to so many bytes are copied: what copies so few is quicker to read from."""
LEAST_CUT, MOST_CUT, MOST_PIECES, ALIKE = 16, 1 << 16, 1 << 10, (8, 4, 2)
"""Changes of so many bytes are told in so many pieces at most, if so many bytes between them stay the same, rather more
of them than fewer."""
NEAR = sorted(((gone, come) for gone in range(9) for come in range(9)), key=lambda pair: (sum(pair), pair))
"""How many bytes may go and come in one place, the fewest first."""
AROUND = 8
"""So many bytes before and behind two patches tell whether these are of the same bytes, which stand twice."""


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
    """The bytes after the patches, from *since* on; no patch lies before it. What takes all bytes' place is no copy."""
    view, at = memoryview(data), since
    out: list[bytes | memoryview] = []
    for patch in patches:
        out += [view[at : patch.at], patch.new]
        at = patch.at + patch.size
    out.append(view[at:])
    return b"".join([piece for piece in out if len(piece)])


def mended(data: bytes, patches: Patches, since: int = 0) -> Buffer:
    """The same bytes; of many there is no copy, but the unchanged ones are read from where they are."""
    if len(data) - since <= COPIED:
        if len(patches) == 1:  # nearly all have one, and there are very many
            (patch,) = patches
            return data[since : patch.at] + patch.new + data[patch.at + patch.size :]
        return patched(data, patches, since)
    if not patches or _replaces_all(data, patches, since):
        return patches[0].new if patches else window(data, since)
    pieces, at = [], since
    for patch in patches:
        pieces += [BufferPiece(at, patch.at - at), BufferPiece(0, len(patch.new), patch.new)]
        at = patch.at + patch.size
    pieces.append(BufferPiece(at, len(data) - at))
    return Paged(HeldBytes(data), [piece for piece in pieces if piece.size])


def _replaces_all(data: bytes, patches: Patches, since: int) -> bool:
    return len(patches) == 1 and patches[0].at == since == 0 and patches[0].size == len(data)


def growth(patches: Iterable[Patch]) -> int:
    """How many bytes longer the bytes get."""
    grown = 0
    for patch in patches:
        grown += len(patch.new) - patch.size
    return grown


def splices(data: bytes, patches: Patches) -> tuple[Splice, ...]:
    """The same as splices, of which each counts in the bytes that the one before it left: the last place first."""
    found = (splice for patch in reversed(patches) for splice in reversed(_in_pieces(_splice(data, patch))))
    return tuple(splice for splice in found if splice.removed or splice.inserted)


def _splice(data: bytes, patch: Patch) -> Splice:
    """A patch as a splice: of many new bytes without a copy."""
    splice = Splice(patch.at, data[patch.at : patch.at + patch.size], patch.new)
    return splice if len(patch.new) > COPIED else splice.trimmed()


def _in_pieces(splice: Splice) -> list[Splice]:
    """A splice as those of the places that change, where the bytes between them only move; in their order."""
    old, new = splice.removed, splice.inserted
    if len(old) == len(new) or not LEAST_CUT <= len(old) <= MOST_CUT:
        return [splice]
    out, at, to = list[Splice](), 0, 0
    while at < len(old) or to < len(new):
        gone, come = _next_alike(old, new, at, to)
        if gone or come:
            out.append(Splice(splice.offset + at, old[at : at + gone], new[to : to + come]))
        at, to = at + gone, to + come
        while at < len(old) and to < len(new) and old[at] == new[to]:
            at, to = at + 1, to + 1
        if len(out) > MOST_PIECES:
            return [splice]
    return out


def _next_alike(old: bytes, new: bytes, at: int, to: int) -> tuple[int, int]:
    """How many bytes of each to leave out until both go on alike, as few as can be; the rest where they do not."""
    for alike in ALIKE:
        for gone, come in NEAR:
            if old[at + gone : at + gone + alike] == new[to + come : to + come + alike]:
                return gone, come
    return len(old) - at, len(new) - to


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mistake, and the patches that would undo it.

    Args:
        cause: the mistake.
        patches: what to change, in the layer; the length before the value is put right by who tries it.
        fact: what is known only of this one, as a sentence; may be empty.
        weight: how likely it is beside others of the same cause, 0 to 1.
        framed: whether the patches say all about the length before the value, so that it is left alone.
        framing, dialect: how to read the bytes then, None as they are read now.
        note: what else to do.
        thrown: the bits that tell the bytes which are taken out, where they are known for what they are.
        rules: the rules of an encoder that it undoes.
        bits: how rare these are; without rules what tells the slips behind the first.
        places: in how many places they show; *otherwise* in how many an engine's way stands where they would differ.
        causes: the mistakes, where there are several slips.
    """

    cause: Cause
    patches: Patches
    fact: str = ""
    weight: float = 1.0
    framed: bool = False
    framing: Framing | None = None
    dialect: Dialect | None = None
    note: str = ""
    thrown: float | None = None
    rules: tuple[EncoderRule, ...] = ()
    bits: float = 0.0
    places: int = 0
    otherwise: int = 0
    causes: tuple[Cause, ...] = ()

    def different_places(self, data: bytes) -> int:
        """In how many places they show that are not of the same bytes: what stands twice is one sign."""
        around = {data[max(0, each.at - AROUND) : each.at + each.size + AROUND] for each in self.patches}
        return self.places - (len(self.patches) - len(around))
