"""FastLZ: the small, fast compression that the engines use for blocks and packets.

A stream is a row of instructions. The first byte of each says what it is: below 32, that many bytes and one more
follow as they are; else its upper three bits are the length of a match and its lower five the upper bits of the
distance back. Level 1 holds short matches and distances below 8 KiB; level 2 adds long lengths and far distances.
The level stands in the upper three bits of the very first byte, which is always of the first kind.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from viewer.container.layer import WrapError
from viewer.container.unpacking import PIECE, Output

# Matches: where FastLZ finds bytes that were there before.
#
# The choice is not part of the format. It is made as the engines' own library makes it, so that blocks come out as they
# write them: only the last place with the same hash of three bytes is tried, and places inside a match are forgotten.

NEAR = 8192
"""Level 1 reaches less far back than this; in level 2 this distance stands for a far one."""
FAR = 65535 + 8190
HASH_BITS = 13
MARGIN = 13
"""So many bytes at the end begin no match."""
NO_MATCH = 3
"""So many bytes at the end are in no match."""
FAR_LOOK = 12
"""A far match may go on for so many bytes before it heeds the end."""
STRETCH = 1 << 16


class FastlzMatch(NamedTuple):
    """*length* bytes at *start* that stand *distance* bytes before as well."""

    start: int
    length: int
    distance: int


def matches(data: bytes, far: bool, margin: int = MARGIN) -> Iterator[FastlzMatch]:
    """The matches of some bytes, in order; they do not overlap.

    Args:
        data: the bytes.
        far: whether matches of level 2 are allowed: 8 KiB and more back, when they are five bytes long.
        margin: how many bytes at the end begin no match, at least 12.
    """
    near, reach = (NEAR - 1, FAR) if far else (NEAR, NEAR)
    hashes = _hashes(data)
    latest = [0] * (1 << HASH_BITS)
    at, limit = 2, len(data) - margin
    while at < limit:
        byte = data[at]
        if far and byte == data[at - 1] == data[at + 1] == data[at + 2]:
            before = at - 1
        else:
            slot = hashes[at]
            before = latest[slot]
            latest[slot] = at
            if data[before] != byte or data[before : before + 3] != data[at : at + 3] or at - before >= reach:
                at += 1
                continue
        end = len(data) - NO_MATCH
        if at - before >= near:
            if data[before + 3 : before + 5] != data[at + 3 : at + 5]:
                at += 1
                continue
            end = max(end, at + FAR_LOOK)
        stop = _first_difference(data, before + 3, at + 3, end)
        yield FastlzMatch(at, stop - at, at - before)
        latest[hashes[stop - 2]] = stop - 2
        latest[hashes[stop - 1]] = stop - 1
        at = stop


def _first_difference(data: bytes, before: int, at: int, end: int) -> int:
    """The first place from *at* on that differs from its like from *before* on; *end* where none does."""
    size = 16
    while at < end:
        here = data[at : min(at + size, end)]
        there = data[before : before + len(here)]
        if here != there:
            bits = int.from_bytes(here, "little") ^ int.from_bytes(there, "little")
            return at + ((bits & -bits).bit_length() - 1 >> 3)
        at += size
        before += size
        size = min(2 * size, STRETCH)
    return end


# Hashes of three bytes, many at once: one large number holds them all, side by side


def _hashes(data: bytes) -> array[int]:
    """The hash of the three bytes at every place; behind the end stand zeros."""
    found = array("H")
    for at in range(0, len(data), STRETCH):
        piece = data[at : at + STRETCH + 2]
        found += _hashes_of(piece.ljust(min(STRETCH, len(data) - at) + 2, b"\0"))
    return found


def _hashes_of(data: bytes) -> array[int]:
    """Two bytes, shifted two bytes and the next two, all exclusively ored."""
    size = len(data) - 2
    found = array("H", bytes(2 * size))
    for odd in (0, 1):
        count = (size - odd + 1) // 2
        lanes = int.from_bytes(b"\xff\x1f" * count, "little")
        here = int.from_bytes(data[odd : odd + 2 * count], "little")
        then = int.from_bytes(data[odd + 1 : odd + 1 + 2 * count], "little")
        mixed = (here ^ then ^ (here >> 16 - HASH_BITS & lanes)) & lanes
        found[odd::2] = array("H", mixed.to_bytes(2 * count, "little"))
    return found


LEVEL_2_FROM = 1 << 16
"""From so many bytes on the engines take level 2."""
MOST_COPY = 32
LONG = 7
"""The length in the first byte that says: more of it follows."""
FARTHEST = NEAR + (1 << 16)
"""No match reaches back so many bytes."""
LEVEL_1_LENGTH = 262
"""The longest match of level 1, without the two bytes that every match has."""


class FastLzError(WrapError):
    """The bytes are no FastLZ stream from some place on.

    Args:
        offset: of the instruction that is wrong, in the compressed bytes.

    Attributes:
        decoded: what the instructions before it gave, where that went to no other output.
    """

    def __init__(self, why: str, offset: int) -> None:
        super().__init__(f"The FastLZ data is damaged at byte {offset}: {why}.")
        self.why = why
        self.offset = offset
        self.decoded = b""


# Taking apart


def decompress(data: bytes, limit: int) -> bytes:
    """The bytes that a FastLZ stream stands for; no bytes stand for none.

    Args:
        data: the stream, of either level.
        limit: how many bytes may come out.

    Raises:
        FastLzError: an instruction is cut, points before the start, or passes the limit; or the level is unknown.
    """
    out = Output()
    try:
        if data:
            unpack(data, out, limit)
    except FastLzError as error:
        error.decoded = out.take()
        raise
    return out.take()


def unpack(data: bytes, out: Output, limit: int) -> None:
    """Add the bytes that a FastLZ stream stands for to *out*; what came before an error stays there.

    Args:
        data: the stream, of either level; at least a byte.
        out: where the bytes go.
        limit: how many bytes may come out.

    Raises:
        FastLzError: see :func:`decompress`.
    """
    level = (data[0] >> 5) + 1
    if level > 2:
        raise FastLzError(f"its first byte asks for level {level}, and only 1 and 2 exist", 0)
    recent = _Recent(out, limit)
    try:
        _decode(data, recent, far=level == 2)
    finally:
        recent.flush()


class _Recent:
    """The bytes that came out last, as far as matches reach back; those before are in the output already."""

    def __init__(self, out: Output, limit: int) -> None:
        self.bytes = bytearray()
        self.done = 0
        """How many bytes came out before these."""
        self._out = out
        self.limit = limit

    def __len__(self) -> int:
        return self.done + len(self.bytes)

    @property
    def is_over(self) -> bool:
        """Whether more came out than may."""
        return len(self) > self.limit

    def tidy(self) -> None:
        """Give what no match reaches any more to the output."""
        if len(self.bytes) > PIECE:
            self._give(len(self.bytes) - FARTHEST)

    def flush(self) -> None:
        """Give all to the output, as far as it may come out."""
        self._give(min(len(self.bytes), max(self.limit - self.done, 0)))

    def repeat(self, distance: int, length: int) -> None:
        """Add *length* bytes from *distance* bytes back, which may overlap what is added; one beyond the limit."""
        length = min(length, self.limit + 1 - len(self))
        while length > 0:
            start = len(self.bytes) - distance
            piece = self.bytes[start : start + min(length, PIECE)]
            if distance < PIECE and len(piece) < length:
                piece *= min(-(-length // distance), PIECE // distance + 1)
            self.bytes += piece[:length]
            length -= len(piece)
            self.tidy()

    def _give(self, count: int) -> None:
        self._out.write(self.bytes[:count])
        del self.bytes[:count]
        self.done += count


def _decode(data: bytes, out: _Recent, far: bool) -> None:
    at, end = 0, len(data)
    first = data[0] & 31
    while True:
        start = at
        at += 1
        if first < 32:
            at += first + 1
            out.bytes += data[start + 1 : at]
            if at > end:
                raise FastLzError("the stream ends among bytes that are to be copied", start)
        else:
            try:
                length, distance, at = _match(data, at, first, far)
            except IndexError:
                raise FastLzError("the stream ends within a match", start) from None
            if distance > len(out.bytes):
                raise FastLzError(f"a match reaches {distance} bytes back, and {len(out)} are there", start)
            out.repeat(distance, length)
        if out.is_over:
            raise FastLzError(f"more than {out.limit} bytes come out", start)
        if at == end:
            return
        first = data[at]
        out.tidy()


def _match(data: bytes, at: int, first: int, far: bool) -> tuple[int, int, int]:
    """Length, distance and end of the match whose second byte is at *at*; IndexError where the stream ends."""
    length = (first >> 5) + 2
    if length == LONG + 2:
        more = data[at]
        at += 1
        length += more
        while far and more == 255:
            more = data[at]
            at += 1
            length += more
    distance = ((first & 31) << 8 | data[at]) + 1
    at += 1
    if far and distance == NEAR:
        distance += data[at] << 8 | data[at + 1]
        at += 2
    return length, distance, at


# Putting together


def compress(data: bytes, level: int = 1, margin: int = MARGIN) -> bytes:
    """The FastLZ stream of some bytes, as the engines' own library writes it; none for no bytes.

    Args:
        data: the bytes.
        level: 1 or 2; the engines take level 2 from :data:`LEVEL_2_FROM` on.
        margin: how many bytes at the end begin no match: 13 since Godot 3, 12 in Godot 2.
    """
    if level not in (1, 2):
        raise ValueError(f"FastLZ has no level {level}.")
    out = bytearray()
    done = 0
    for match in matches(data, far=level == 2, margin=margin):
        _put_literals(out, data[done : match.start])
        (_put_near if level == 1 else _put_any)(out, match)
        done = match.start + match.length
    _put_literals(out, data[done:])
    if level == 2 and out:
        out[0] |= 1 << 5
    return bytes(out)


def _put_literals(out: bytearray, literals: bytes) -> None:
    for at in range(0, len(literals), MOST_COPY):
        piece = literals[at : at + MOST_COPY]
        out.append(len(piece) - 1)
        out += piece


def _put_near(out: bytearray, match: FastlzMatch) -> None:
    """A match of level 1; one that is too long becomes several."""
    length = match.length - 2
    distance = match.distance - 1
    high, low = distance >> 8, distance & 255
    while length > LEVEL_1_LENGTH:
        out += bytes((LONG << 5 | high, LEVEL_1_LENGTH - LONG - 2, low))
        length -= LEVEL_1_LENGTH
    if length < LONG:
        out += bytes((length << 5 | high, low))
    else:
        out += bytes((LONG << 5 | high, length - LONG, low))


def _put_any(out: bytearray, match: FastlzMatch) -> None:
    """A match of level 2, near or far."""
    length = match.length - 2
    distance = match.distance - 1
    far = distance - (NEAR - 1)
    high = 31 if far >= 0 else distance >> 8
    out.append(min(length, LONG) << 5 | high)
    if length >= LONG:
        full, rest = divmod(length - LONG, 255)
        out += b"\xff" * full
        out.append(rest)
    if far >= 0:
        out += bytes((255, far >> 8, far & 255))
    else:
        out.append(distance & 255)
