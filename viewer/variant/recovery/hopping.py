"""Hop from head to head as long as each is one that an engine would write.

This file runs as it stands, and Cython compiles the same file (types in ``hopping.pxd``). Bytes are read one by one, so
they may lie anywhere in memory. Nothing is said of collections: a head only adds up how many values are whole.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.base.buffer import Bytes
from viewer.variant.dialect import Kind

COMPILED: bool = cython.compiled
INT_MAX, SHARED = 0x7FFFFFFF, 0x80000000
UNUSUAL, ARRAY, PAIRS, PACKED, TEXT, TEXTS, PATH, BOOL, NOTHING = 0, -1, -2, -3, -4, -5, -6, -7, -8
"""What a step says beside a number of words: which layout follows, or that the header alone is the value."""
CODES = {
    Kind.STRING: TEXT,
    Kind.ARRAY: ARRAY,
    Kind.DICTIONARY: PAIRS,
    Kind.PACKED: PACKED,
    Kind.PACKED_STRINGS: TEXTS,
    Kind.NODE_PATH: PATH,
}
"""The layouts that are hopped over, for those who make plans: compiled, the names above are known here only."""
OF_BOOL, OF_NOTHING = BOOL, NOTHING


def hop(raw: Bytes, at: int, goal: int, steps: array[int], sizes: array[int], filled: bool, tally: array[int]) -> int:
    """Hop over heads from *at* until one begins at or behind *goal*.

    Args:
        raw: the frame's bytes.
        at, goal: offsets in them.
        steps, sizes: what :func:`~viewer.variant.recovery.header_run.plan` says of the dialect.
        filled: whether the engine writes zeros as fill.
        tally: two numbers that grow: the values, less those that heads on the way still promise, and the heads.

    Returns:
        The offset behind the last head that an engine would write, at *goal* or behind it where all were.
    """
    size, values, heads = len(raw), tally[0], tally[1]
    with cython.nogil:
        while at < goal and at + 4 <= size:
            header = _word(raw, at)
            if header < 256:
                index = header
            elif 0x10000 <= header < 0x10100:
                index = header - 0xFF00
            else:
                break
            step = steps[index]
            after = at + 4
            if step > 0:
                after = at + 4 * step
            elif step == NOTHING:
                pass
            elif step == UNUSUAL or at + 8 > size:
                break
            else:
                count = _word(raw, at + 4)
                after = at + 8
                if step == BOOL:
                    if count > 1:
                        break
                elif step == TEXT:
                    after = text_end(raw, at + 4, False, filled)
                elif step == PACKED:
                    if count > INT_MAX or count * sizes[index] > size - after:
                        break
                    after = _behind(raw, after, count * sizes[index], filled)
                elif step >= PAIRS:
                    if count > INT_MAX:
                        break
                    count = count * 2 if step == PAIRS else count
                    if count > (size - after) >> 2:
                        break
                    values -= count
                else:
                    if step == PATH:
                        after = at + 16
                        if count < SHARED or after > size:
                            break
                        count = count - SHARED + _word(raw, at + 8) + (_word(raw, at + 12) >> 1 & 1)
                    if count > (size - after) >> 2:
                        break
                    while count and after:
                        after = text_end(raw, after, step == TEXTS, filled and step == TEXTS)
                        count -= 1
                if not after:
                    break
            if after > size:
                break
            at = after
            values += 1
            heads += 1
    tally[0], tally[1] = values, heads
    return at


def text_end(raw: Bytes, at: int, closed: bool, filled: bool) -> int:
    """The offset behind a length word, its text and fill; 0 where that is no text that an engine would write.

    Args:
        raw: the frame's bytes.
        at: where the length word stands.
        closed: whether a NUL may end the text.
        filled: whether the fill must be zeros.
    """
    size = len(raw)
    if at + 4 > size:
        return 0
    length = _word(raw, at)
    begin = at + 4
    if length > size - begin or not is_clean(raw, begin, begin + length, closed):
        return 0
    return _behind(raw, begin, length, filled)


def is_clean(raw: Bytes, at: int, end: int, closed: bool) -> bool:
    """Whether bytes are UTF-8 without control characters but tabs and line ends; *closed*: a NUL may end them."""
    while at < end:
        lead = raw[at]
        at += 1
        if lead < 0x80:
            if lead < 0x20 and lead not in (9, 10, 13) and not (closed and lead == 0 and at == end):
                return False
            continue
        if 0xC2 <= lead < 0xE0:
            more = 1
        elif 0xE0 <= lead < 0xF0:
            more = 2
        elif 0xF0 <= lead < 0xF5:
            more = 3
        else:
            return False
        if at + more > end:
            return False
        for k in range(at, at + more):
            if raw[k] & 0xC0 != 0x80:
                return False
        at += more
    return True


def _behind(raw: Bytes, at: int, length: int, filled: bool) -> int:
    """The offset behind *length* bytes at *at* and their fill; 0 where there are too few, or the fill is odd."""
    end = at + length
    after = end + (-length & 3)
    if after > len(raw):
        return 0
    if filled:
        for k in range(end, after):
            if raw[k]:
                return 0
    return after


def _word(raw: Bytes, at: int) -> int:
    """The unsigned little-endian word at *at*."""
    if not cython.compiled:
        return int.from_bytes(raw[at : at + 4], "little")
    word = raw[at + 3]
    word = word << 8 | raw[at + 2]
    word = word << 8 | raw[at + 1]
    return word << 8 | raw[at]
