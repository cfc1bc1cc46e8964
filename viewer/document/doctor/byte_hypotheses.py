"""Hypotheses about single bytes: some lost, or some too many, at an offset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from struct import Struct
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import Node, RepairContext, Text, nodes, texts
from viewer.document.doctor.replay_numbers import single
from viewer.document.doctor.trying import deletion, insertion
from viewer.variant.dialect import FLAG_64, NUMERIC, Kind, kinds_where

# Fillings: what may have stood where bytes were lost, as far as the other bytes tell.

FILLER = b"?"
OUTSIDE = 0.1
"""How much less likely a character was lost where few stand around."""
PERIODS = (4, 8, 12, 16)
REPEATED = 64.0
"""How much likelier what the element before tells is than zeros."""
WORD = 4
HEAD = 0.5
"""How much less likely each begin of a header is."""
KNOWN = 8.0
"""How much likelier a text is that stands in other places too."""
MOST_TEXTS = 8
SHORTEST, LONGEST = 3, 64
"""Bytes of texts that are looked for in other places."""
MOST_KNOWN, MOST_FOUND, REACH = 64, 1 << 12, 1 << 20


@dataclass(frozen=True, slots=True)
class Filling:
    """Bytes that may have been lost.

    Args:
        at: where, in the layer.
        new: the bytes.
        weight: how likely they are beside zeros.
        fact: what tells so, as a sentence.
    """

    at: int
    new: bytes
    weight: float
    fact: str


def around(ground: RepairContext, at: int, size: int) -> Iterator[Filling]:
    """What fits the bytes on both sides: zeros, in a text characters, in an array what the element before holds."""
    data = ground.data
    fact = f"With {count_bytes(size)} more at 0x{at:X} everything fits; what was there cannot be known."
    if at == 0 or data[at - 1] or data[at - 1 : at + 1] == b"\0":
        yield Filling(at, bytes(size), 1.0, fact)
    plain = [0x20 <= byte < 0x7F for byte in data[max(0, at - 2) : at + 2]]
    if any(plain[1:3]):
        yield Filling(at, FILLER * size, 1.0 if all(plain[1:3]) or sum(plain) > 2 else OUTSIDE, fact)
    for period in PERIODS:
        new = _repeated(data, ground.start, at, size, period)
        if new is not None:
            same = f"the same as {count_bytes(period)} before"
            like = f"With {_hex(new)} more at 0x{at:X}, {same}, everything fits."
            yield Filling(at, new, REPEATED, like)
            return


def _repeated(data: bytes, start: int, at: int, size: int, period: int) -> bytes | None:
    """The bytes *period* before, if with them the broken word is the one that stands there."""
    begin = at - (at - start) % WORD
    if begin - period < start:
        return None
    new = data[at - period : at - period + size]
    own = data[begin:at]
    rest = data[at : at + max(0, WORD - len(own) - size)]
    made = (own + new + rest)[:WORD]
    return new if any(new) and any(own + rest) and made == data[begin - period : begin - period + WORD] else None


def known_texts(ground: RepairContext, texts: Iterator[Text], size: int) -> Iterator[Filling]:
    """What makes a text of those near the trouble one that stands whole in another place."""
    data = ground.data
    for text in islice(texts, MOST_TEXTS):
        start = ground.start + text.start
        left = data[start : start + text.length - size]
        if not SHORTEST <= text.length <= LONGEST or len(left) != text.length - size:
            continue
        for known in _of_length(data, text.length, start - 4):
            at = next((k for k in range(len(left) + 1) if known[:k] + known[k + size :] == left), None)
            if at is not None:
                shown = known.rstrip(b"\0").decode()
                fact = (
                    f"With {count_bytes(size)} more at 0x{start + at:X} this is “{shown}”, which also occurs elsewhere."
                )
                yield Filling(start + at, known[at : at + size], KNOWN, fact)


def _of_length(data: bytes, length: int, without: int) -> Iterator[bytes]:
    """The different texts of so many bytes that stand behind their length, around the one at *without*."""
    word, at = length.to_bytes(4, "little"), max(0, without - REACH) - 1
    found: set[bytes] = set()
    for _ in range(MOST_FOUND):
        at = data.find(word, at + 1, without + REACH)
        if at < 0 or len(found) == MOST_KNOWN:
            return
        raw = data[at + 4 : at + 4 + length]
        text = raw.rstrip(b"\0")
        if at == without or len(raw) < length or raw in found or not text.isascii():
            continue
        if text and text.decode().isprintable():
            found.add(raw)
            yield raw


def flags(ground: RepairContext, node: Node, size: int) -> Iterator[Filling]:
    """What sets the 64-bit flag in the header of a number."""
    if not node.row.has_wide or node.row.kind not in NUMERIC:
        return
    header = (node.row.number | FLAG_64).to_bytes(4, "little")
    for by in range(max(1, 3 - size), min(2, 4 - size) + 1):
        at, new = ground.start + node.start + by, header[by : by + size]
        fact = f"With {_hex(new)} at 0x{at:X}, which sets the 64-bit flag, everything fits."
        yield Filling(at, new, 1.0, fact)


def heads(ground: RepairContext, at: int, size: int) -> Iterator[Filling]:
    """The begin of a header, length or count, whose first byte is hardly ever zero."""
    for number in range(1, len(ground.way.dialect.rows)):
        new = bytes((number,)) + bytes(size - 1)
        fact = f"With {count_bytes(size)} more at 0x{at:X}, such as {_hex(new)}, everything fits."
        yield Filling(at, new, HEAD, fact)


def _hex(raw: bytes) -> str:
    return raw.hex(" ").upper()


BEHIND, BEFORE = 8, 480
MOST_PLACES = 1 << 11
MOST_HEADS = 24
LEAST = 8
SIZES = (1, 2, 3)


def byte_candidates(ground: RepairContext) -> Iterator[Candidate]:
    """Bytes put in or taken out near the trouble, the nearest first."""
    data = ground.data
    if len(data) - ground.at < LEAST:
        return
    lost, extra = _sizes(ground)
    for at in _places(ground):
        for size in extra:
            if at + size <= len(data) and (at == 0 or size > 1 or data[at - 1] != data[at]):
                fact = f"Without {data[at : at + size].hex(' ').upper()} at 0x{at:X} everything fits."
                yield Candidate(Cause.BYTE_INSERTED, (deletion(at, size),), fact, _odds(size))
        for size in lost:
            yield from map(_lost, around(ground, at, size))
    if lost:
        yield from map(_lost, _of_nodes(ground, nodes(ground), lost))


def _lost(filling: Filling) -> Candidate:
    patch, weight = insertion(filling.at, filling.new), filling.weight * _odds(len(filling.new))
    return Candidate(Cause.BYTE_LOST, (patch,), filling.fact, weight)


def _sizes(ground: RepairContext) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many bytes may be lost, and too many: values take whole words."""
    size = len(ground.data) - ground.start
    if not ground.has_prefix:
        over = size % 4
        return ((4 - over,), (over,)) if over else ((), ())
    lacking = ground.stored - size
    if 0 < lacking <= SIZES[-1]:
        return (lacking,), ()
    if 0 < -lacking <= SIZES[-1]:
        return (), (-lacking,)
    return SIZES, SIZES


def _odds(size: int) -> float:
    return 0.3 ** (size - 1)


def _places(ground: RepairContext) -> Iterator[int]:
    """Offsets in the layer, from a little behind the trouble backwards."""
    end = min(len(ground.data), ground.start + ground.trouble + BEHIND)
    short = end - ground.at <= MOST_PLACES
    yield from range(end, ground.at - 1 if short else max(ground.at - 1, end - BEFORE), -1)


def _of_nodes(ground: RepairContext, near: list[Node], sizes: tuple[int, ...]) -> Iterator[Filling]:
    """What may have been lost of the heads and texts of some nodes."""
    places = [ground.start + ground.trouble + by for by in (0, -4, -8, 4)]
    for node in near[:MOST_HEADS]:
        places += [ground.start + node.start, ground.start + node.end, ground.start + node.start + 4]
    for at in list(dict.fromkeys(places))[:MOST_HEADS]:
        for size in sizes if ground.at <= at <= len(ground.data) else ():
            yield from heads(ground, at, size)
    for size in sizes:
        yield from known_texts(ground, texts(ground, near), size)
        for node in near[:MOST_HEADS]:
            yield from flags(ground, node, size)


# Hypotheses about one bit that is another: in a header, a count or a length near the trouble.

MOST_NODES = 24
BITS = 32


def _is_counted(kind: Kind) -> bool:
    """Whether the word behind the header says how much follows."""
    match kind:
        case Kind.STRING | Kind.ARRAY | Kind.DICTIONARY | Kind.PACKED | Kind.PACKED_STRINGS:
            return True
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.TYPED_ARRAY
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(kind)


COUNTED = kinds_where(_is_counted)


def flip_candidates(ground: RepairContext, some: list[Node] | None = None) -> Iterator[Candidate]:
    """Each bit of the words that say how to read on, near the trouble or in *some* nodes."""
    data = ground.payload
    for node in islice(nodes(ground) if some is None else some, MOST_NODES):
        places = [node.start] if node.header >= 0 else []
        if node.row.kind in COUNTED:
            places.append(node.start + 4 if node.header >= 0 else node.start)
        for at in places:
            if at + 4 <= len(data):
                yield from _flips(ground, at, u32(data, at))
    for at in (ground.trouble, ground.trouble - 4):
        if 0 <= at <= len(data) - 4:
            yield from _flips(ground, at, u32(data, at))


def _flips(ground: RepairContext, at: int, number: int) -> Iterator[Candidate]:
    for bit in range(BITS):
        new = number ^ 1 << bit
        fact = f"Bit {bit} of the word at 0x{ground.start + at:X} is another: 0x{number:08X} should be 0x{new:08X}."
        yield Candidate(Cause.BIT_FLIPPED, (word(ground.start + at, new),), fact, 1 / BITS)


# Hypotheses about numbers of another width: the 64-bit flag in a header, doubles where there is none.

F32, F64 = Struct("<f"), Struct("<d")
ONE_VECTOR = 0.3
"""How likely one vector alone is of the other precision, beside all of a value."""


def number_candidates(ground: RepairContext) -> Iterator[Candidate]:
    """The 64-bit flag set or cleared at one value near the trouble, or a vector of doubles where no flag is known."""
    for node in nodes(ground):
        row, header = node.row, node.header
        if header < 0 or row.kind not in NUMERIC:
            continue
        at = ground.start + node.start
        if not row.has_wide:
            if row.real and row.kind is Kind.FIXED:
                yield from _of_doubles(ground, node)
            continue
        patches = (word(at, header ^ FLAG_64),)
        if row.real:
            bits = "32" if header & FLAG_64 else "64"
            fact = f"The components of this {row.name} have {bits} bits, which its header does not say."
            yield Candidate(Cause.OTHER_PRECISION, patches, fact, ONE_VECTOR)
        elif header & FLAG_64:
            yield Candidate(Cause.FLAG_EXTRA, patches, f"This {row.name} takes four bytes.")
        else:
            yield Candidate(Cause.FLAG_MISSING, patches, f"This {row.name} takes eight bytes.")


def _of_doubles(ground: RepairContext, node: Node) -> Iterator[Candidate]:
    """A vector whose components are doubles that are floats as well, as they become that are stored so."""
    at, size = ground.start + node.start + 4, 2 * node.row.narrow_size
    raw = ground.data[at : at + size]
    if len(raw) < size:
        return
    numbers = [number for (number,) in F64.iter_unpack(raw)]
    if any(numbers) and all(single(number) is not None for number in numbers):
        new = b"".join(map(F32.pack, numbers))
        fact = f"The components of this {node.row.name} have 64 bits; an engine reads 32."
        yield Candidate(Cause.OTHER_PRECISION, (Patch(at, size, new),), fact, ONE_VECTOR, thrown=0.0)
