"""Damage by machines that leaves signs of its own: blank blocks, blocks that stand twice, bytes that no longer occur.

What was there cannot be known; what happened can. Each sign is told with the bits that it saves: bytes of which nothing
is known would not look so by chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import log2

from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.doctor.causes import Cause
from viewer.document.document import Document
from viewer.variant.dialect import Kind

BLOCK = 512
BLOCKS = {512: "a block of a disk", 4096: "a page of memory or a block of a file system"}
EDGES, SLACK = (BLOCK, 256, 128, 64), 16
"""The sizes of blocks at whose edges a run begins or ends, and how many bytes beside it may be zeros by themselves."""
SHORTEST_RUN = 96
LEAST_BYTES = 12
ZERO_SHARE = 0.3
"""So many of the bytes of stored values are zeros, at least."""
REAL_BITS = 3.0
"""What each float saves that has no such byte: nearly all that are not round have one."""
SIGN_OFF, USUAL_EXPONENT = 0x7F, 0x30
"""The upper byte of a float without its sign, and the least one of numbers that games store, zero aside: others are
whatever bytes stood there."""
MOST_REALS, MOST_NODES = 64, 1 << 12
"""So many floats are enough, and so many values are looked at."""
HIGH_SHARE_WITHOUT_ZEROS = 0.15
"""So many of the bytes that are not zero are above 127, at most; of noise it is one half."""
MOST_FREQUENT, LEAST_FREQUENT = 0.25, 0x20
"""Where one byte, no type number, is so many of them, zeros became that byte, and were not taken out."""
BESIDE = 16
"""So many bytes before and behind a block that occurs twice tell whether it is a part of what repeats anyway."""
SIGN_TRUE, TAKEN_OUT_TRUE = 0.95, 0.85
"""How often such a sign is true; and that of bytes which do not occur, for some codes have none of them either."""
CONTROL_SHARE = 0.01
"""So many of the bytes that are left are no signs of a text, at least."""
FEW_KINDS, LEAST_VARIED = 4, 48
"""Of so many bytes, or of all where there are fewer, at least one in so many is another one."""
REPLACEMENT = b"\xef\xbf\xbd"
REPLACED_BITS = 18.0
"""What each sign U+FFFD saves: in a text that somebody wrote it is rare."""
RUN_BITS = 0.125
"""What each byte of a blank block saves: in values so many are seldom alike."""
PRIOR = 9.0
SEND_BYTES = "Send and store bytes as bytes, not as a text, and send or save them again: what is lost is not in here."
OTHER_COPY = (
    "Look for another copy of the file: a backup, or the game's own earlier saves. To keep it from happening, write to "
    "another file, flush it, and rename it."
)


@dataclass(frozen=True, slots=True)
class DamageSign:
    """One thing that tells what happened.

    Args:
        cause: what happened.
        reason: what tells so.
        bits: what it takes to tell it, beside unknown damage; negative where it saves more.
        note: what to do.
        true: how often it is so, 0 to 1, where nothing else explains the bytes.
        span: the bytes that it is about, None where it is about all.
        denies: whether bytes with it are nothing that a game wrote in its own way.
    """

    cause: Cause
    reason: str
    bits: float
    note: str
    true: float = SIGN_TRUE
    span: Span | None = None
    denies: bool = True


def machine_damage(data: bytes, reals: int) -> Iterator[DamageSign]:
    """The signs in bytes that do not read.

    Args:
        data: the bytes.
        reals: how many floats are read among them that are not zero.
    """
    if len(data) < LEAST_BYTES:
        return
    yield from _lost_bytes(data, reals)
    yield from _blank_blocks(data)
    yield from _repeated_blocks(data)


def reals_in(document: Document) -> int:
    """How many floats are read that a game stores, alone, in vectors and arrays, zeros and more than enough aside."""
    found = 0
    nodes = ((frame.table, node) for frame in document.frames for node in frame.table.nodes)
    for table, node in islice(nodes, MOST_NODES):
        row = table.row(node)
        fields = row.fields(table.header(node)) if row is not None and row.narrow else ()
        if row is None or not fields or fields[0].type not in ("f32", "f64"):
            continue
        size, first = fields[0].size, table.start[node] + (8 if row.kind is Kind.PACKED else 4)
        last = min(table.head_end(node), first + MOST_REALS * size) - size
        found += sum(table.buffer[at + size - 1] & SIGN_OFF >= USUAL_EXPONENT for at in range(first, last + 1, size))
        if found >= MOST_REALS:
            break
    return min(found, MOST_REALS)


def _lost_bytes(data: bytes, reals: int) -> Iterator[DamageSign]:
    count = data.count(REPLACEMENT)
    if count:
        signs = "one character U+FFFD stands" if count == 1 else f"{count:,} characters U+FFFD stand"
        where = f", first at 0x{data.find(REPLACEMENT):X}"
        reason = f"{signs[0].upper()}{signs[1:]} in place of bytes that were not UTF-8{where}; these are lost."
        yield DamageSign(Cause.REPLACED, reason, PRIOR - REPLACED_BITS * count, SEND_BYTES)
    if 0 not in data and _has_controls(data) and not _has_other_zeros(data):
        gain = min(-log2(1 - ZERO_SHARE) * len(data), _unlike_noise(data))
        reason = "There is no zero among these bytes; a header or a length alone has two or three."
        yield DamageSign(Cause.ZEROS_STRIPPED, reason, PRIOR - gain, SEND_BYTES, TAKEN_OUT_TRUE)
    elif 0 in data and max(data) < 0x80:
        gain = REAL_BITS * reals
        reason = "No byte is above 127; floats and other scripts have such bytes."
        yield DamageSign(Cause.SEVEN_BIT, reason, PRIOR - gain, SEND_BYTES, TAKEN_OUT_TRUE)


def _has_controls(data: bytes) -> bool:
    """Whether there are bytes that no text has, as many as type numbers and lengths would leave, among many others."""
    is_varied = len(set(data)) * FEW_KINDS >= min(len(data), LEAST_VARIED)
    return is_varied and sum(byte < 0x20 and byte not in b"\t\n\f\r" for byte in data) >= CONTROL_SHARE * len(data)


def _has_other_zeros(data: bytes) -> bool:
    """Whether one byte is as frequent as zeros are among values."""
    return any(data.count(byte) >= MOST_FREQUENT * len(data) for byte in set(data) if byte >= LEAST_FREQUENT)


def _unlike_noise(data: bytes) -> float:
    """The bits by which bytes without a zero look more like values that lost theirs than like noise."""
    high = sum(byte >= 0x80 for byte in data)
    return high * log2(HIGH_SHARE_WITHOUT_ZEROS / 0.5) + (len(data) - high) * log2((1 - HIGH_SHARE_WITHOUT_ZEROS) / 0.5)


def _blank_blocks(data: bytes) -> Iterator[DamageSign]:
    """The longest run of zeros or of 0xFF, which begins or ends where blocks do."""
    for value in (0, 0xFF):
        start, end = _longest_run(data, value)
        edge = _edge(start, end, SLACK if value == 0 else 1)
        if end - start < SHORTEST_RUN:
            continue
        size = max((each for each in BLOCKS if end - start >= each // 2), default=BLOCK)
        name = BLOCKS[size] if edge == BLOCK else f"a block of {edge} bytes"
        upto = f", up to where {name} ends or begins" if edge > 1 else ""
        word = "zeros" if value == 0 else "0xFF"
        reason = f"{count_bytes(end - start)} from 0x{start:X} on are {word}{upto}: it was never written, or was wiped."
        cause = Cause.SECTOR_ONES if value else Cause.SECTOR_ZEROS
        bits = PRIOR + log2(BLOCK / edge) - RUN_BITS * (end - start)
        yield DamageSign(cause, reason, bits, OTHER_COPY, span=Span(start, end), denies=edge > 1)


def _edge(start: int, end: int, slack: int) -> int:
    """The size of the blocks of which one begins or ends with a run, which zeros beside it may make longer; else 1."""
    for size in EDGES:
        if any(at % size == 0 for at in (*range(start, start + slack), *range(end, end - slack, -1))):
            return size
    return 1


def cuts_blank(data: bytes, start: int, end: int) -> bool:
    """Whether a part of the bytes holds a blank run and more, or is a part of one: it was not put in as it is."""
    for value in (0, 0xFF) if end - start >= SHORTEST_RUN else ():
        low, high = _longest_run(data[start:end], value)
        sign = bytes([value])
        if high - low >= SHORTEST_RUN:
            return high - low < end - start or sign in (data[start - 1 : start], data[end : end + 1])
    return False


def _longest_run(data: bytes, value: int) -> tuple[int, int]:
    """Where the longest run of a byte is, among those that hold a whole eighth of a block."""
    piece = bytes([value]) * (SHORTEST_RUN // 2)
    best, at = (0, 0), data.find(piece)
    while at >= 0:
        rest = data[at:]
        end = at + len(rest) - len(rest.lstrip(piece[:1]))
        best = max(best, (at, end), key=lambda run: run[1] - run[0])
        at = data.find(piece, end)
    return best


def _repeated_blocks(data: bytes) -> Iterator[DamageSign]:
    """A block that stands at two places."""
    for size in (4096, BLOCK):
        seen: dict[bytes, int] = {}
        for at in range(0, len(data) - size + 1, size):
            block = data[at : at + size]
            if len(set(block)) < 8:
                continue
            if block in seen and not _is_of_longer(data, seen[block], at, size):
                reason = f"The {size} bytes at 0x{at:X} are those at 0x{seen[block]:X} again: {BLOCKS[size]}."
                yield DamageSign(Cause.BLOCK_REPEATED, reason, PRIOR - RUN_BITS * size, OTHER_COPY)
                return
            seen.setdefault(block, at)


def _is_of_longer(data: bytes, one: int, other: int, size: int) -> bool:
    """Whether the bytes on both sides of two equal blocks are equal, too: such as equal records, one after another."""
    before = data[max(0, one - BESIDE) : one] == data[max(0, other - BESIDE) : other]
    ends = one + size, other + size
    return before and data[ends[0] : ends[0] + BESIDE] == data[ends[1] : ends[1] + BESIDE]
