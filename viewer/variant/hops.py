"""Hop over what is too many for a loop that is not compiled: the texts of a packed array, the keys of a dictionary.

This file runs as it stands, and Cython compiles the same file (types in ``hops.pxd``). Bytes are read one by one, so
they may lie anywhere in memory. The functions for keys look at a window: *raw* begins at the byte *low* of the frame
and holds all bytes of the keys in question, which are every other id of ``[first, stop)``, each with a value behind it.
"""

from __future__ import annotations

from array import array
from struct import Struct

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.base.buffer import STRETCH, Buffer, Bytes, in_memory, unpacker
from viewer.variant.key_forms import BOOL, DOUBLES, EXACT, FLOATS, TEXT

COMPILED: bool = cython.compiled
SIGN, INFINITE, WIDE_INFINITE = 0x80000000, 0x7F800000, 0x7FF00000
FLAG, ONES, SIGNS = 0x10000, 0x01010101, 0x80808080


# Texts


def text_starts(buffer: Buffer, start: int, end: int, count: int) -> array[int]:
    """Where texts begin that stand one behind another, each a length word, its bytes and fill to four.

    Args:
        buffer: the frame's bytes.
        start: where the first text begins; *end* is the first byte that is none of theirs.
        count: how many to look for at most.

    Returns:
        The start of each text that is whole, then the first byte behind the last of them.
    """
    if not cython.compiled:
        return _plain_starts(buffer, start, end, count)
    room = min(count, max(0, end - start) // 4)
    found = array("Q", bytes(8 * (room + 1)))
    found[0] = start
    size, known, low = len(buffer), 0, start
    while known < room and low + 4 <= min(end, size):
        raw = buffer if in_memory(buffer) else buffer[low : low + STRETCH]
        after = _hop(raw, 0 if in_memory(buffer) else low, end, found, known, room)
        if after == known:
            break
        known, low = after, found[after]
    return found[: known + 1]


def _hop(raw: Bytes, low: int, end: int, found: array[int], known: int, room: int) -> int:
    """Go on behind the text that was *known* last until a length word lies behind the window; how many are known."""
    at, last = found[known], min(end, low + len(raw)) - 4
    with cython.nogil:
        while known < room and at <= last:
            behind = at + 4 + _word(raw, at - low)
            if behind > end:
                break
            at = behind + (at - behind & 3)
            known += 1
            found[known] = at
    return known


def _plain_starts(buffer: Buffer, start: int, end: int, count: int) -> array[int]:
    found, word = array("Q", (start,)), unpacker("<I", buffer)
    append, at, last = found.append, start, end - 4
    for _ in range(count):
        if at > last:
            break
        behind = at + 4 + word(at)[0]
        if behind > end:
            break
        at = behind + (at - behind & 3)
        append(at)
    return found


# Keys


def equal_keys(
    start: memoryview,
    first: int,
    stop: int,
    raw: Bytes,
    low: int,
    size: int,
    mask: int,
    word: int,
    body: bytes,
    found: array[int],
) -> int:
    """Find the keys of *size* bytes whose first word is *word* under *mask*, and that go on with *body*.

    Args:
        start: the table's column; *first* and *stop* bound the keys, *raw* and *low* are the window.
        found: room for their ids, one for each key that is looked at.

    Returns:
        How many there are.
    """
    count, length = 0, len(body)
    if not cython.compiled:
        ends = start[first : stop + 1].tolist()
        for key, at, behind in zip(range(first, stop, 2), ends[::2], ends[1::2], strict=False):
            if behind - at == size:
                at -= low
                if raw[at + 4 : at + 4 + length] == body and _word(raw, at) & mask == word:
                    found[count] = key
                    count += 1
        return count
    text = body
    with cython.nogil:
        for key in range(first, stop, 2):
            at = start[key]
            if start[key + 1] - at != size:
                continue
            at -= low
            k = length  # from behind: keys of one dictionary begin alike more often than they end alike
            while k and raw[at + 3 + k] == text[k - 1]:
                k -= 1
            if not k and _word(raw, at) & mask == word:
                found[count] = key
                count += 1
    return count


def odd_keys(
    start: memoryview,
    first: int,
    stop: int,
    raw: Bytes,
    low: int,
    mask: int,
    forms: array[int],
    sizes: array[int],
    named: bool,
    found: array[int],
) -> int:
    """Find the keys that other bytes of their type may stand for as well, or that nobody can read.

    Args:
        start: the table's column; *first* and *stop* bound the keys, *raw* and *low* are the window.
        mask: the bits of a header that name the type.
        forms, sizes: what :func:`~viewer.variant.key_forms.plan` says of the dialect.
        named: whether they are property names, which are texts without a header.
        found: room for their ids, one for each key that is looked at.

    Returns:
        How many there are.
    """
    count, types = 0, len(forms) // 2
    if not cython.compiled:
        return _plain_odd_keys(start, first, stop, raw, low, mask, forms, sizes, named, found)
    with cython.nogil:
        for key in range(first, stop, 2):
            at = start[key] - low
            size = start[key + 1] - start[key]
            if named:
                odd = size < 4 or not _is_plain_text(raw, at, size)
            else:
                header = _word(raw, at) if size >= 4 else 0
                number = header & mask
                if size < 4 or number >= types:
                    odd = True
                else:
                    index = number + types if header & FLAG else number
                    if forms[index] == TEXT:
                        odd = not _is_plain_text(raw, at + 4, size - 4)
                    else:
                        odd = size != 4 + sizes[index] or not _is_plain(raw, at + 4, size - 4, forms[index])
            if odd:
                found[count] = key
                count += 1
    return count


def _plain_odd_keys(
    start: memoryview,
    first: int,
    stop: int,
    raw: Bytes,
    low: int,
    mask: int,
    forms: array[int],
    sizes: array[int],
    named: bool,
    found: array[int],
) -> int:
    """The same with the commonest keys, short ASCII texts, by themselves."""
    count, types, two, skipped = 0, len(forms) // 2, Struct("<II").unpack_from, 4 if named else 8
    ends = start[first : stop + 1].tolist()
    for key, at, behind in zip(range(first, stop, 2), ends[::2], ends[1::2], strict=False):
        begin, size = at - low, behind - at
        if size < 4:
            odd = True
        else:
            header, length = two(raw, begin) if size >= 8 else (_word(raw, begin), 0)
            number = header & mask
            index = number + types if header & FLAG else number
            if named or (number < types and forms[index] == TEXT):
                length = header if named else length
                fits = size == skipped + (length + 3 & ~3)
                text = bytes(raw[begin + skipped : begin + skipped + length]) if fits else b"\0"
                plain = text.isascii() and b"\0" not in text
                odd = not plain and not _is_plain_text(raw, begin + skipped - 4, size - skipped + 4)
            else:
                fits = number < types and size == 4 + sizes[index]
                odd = not fits or not _is_plain(raw, begin + 4, size - 4, forms[index])
        if odd:
            found[count] = key
            count += 1
    return count


def _is_plain(raw: Bytes, at: int, size: int, form: int) -> bool:
    """Whether a payload of one of the forms but TEXT is the only one that reads as it does."""
    if form == EXACT:
        return True
    if form == BOOL:
        return _word(raw, at) <= 1
    if form not in (FLOATS, DOUBLES):
        return False
    wide, step, infinite = form == DOUBLES, 8 if form == DOUBLES else 4, WIDE_INFINITE if form == DOUBLES else INFINITE
    end = at + size
    while at < end:
        high = _word(raw, at + step - 4) & ~SIGN
        if high > infinite or (high == infinite and wide and _word(raw, at)):
            return False
        at += step
    return True


def _is_plain_text(raw: Bytes, at: int, size: int) -> bool:
    """Whether *size* bytes are a length word, UTF-8 without NUL and byte order mark, and the fill to four."""
    length = _word(raw, at) if size >= 4 else 0
    if size < 4 or size != 4 + (length + 3 & ~3):
        return False
    at += 4
    end = at + length
    if length >= 3 and raw[at] == 0xEF and raw[at + 1] == 0xBB and raw[at + 2] == 0xBF:
        return False
    while at < end:
        if cython.compiled:
            while at + 4 <= end:  # four letters at once: no high bit is set, and none comes up by a borrow from a zero
                four = _word(raw, at)
                if (four | four - ONES) & SIGNS:
                    break
                at += 4
            if at == end:
                break
        lead = raw[at]
        at += 1
        if lead == 0:
            return False
        if lead < 0x80:
            continue
        more = _more(lead, raw[at] if at < end else 0)
        if more == 0 or at + more > end:
            return False
        for k in range(at, at + more):
            if raw[k] & 0xC0 != 0x80:
                return False
        at += more
    return True


def _more(lead: int, second: int) -> int:
    """How many bytes follow the first one of a UTF-8 sequence; 0 where the first two can begin none."""
    if 0xC2 <= lead < 0xE0:
        return 1
    if 0xE0 <= lead < 0xF0:
        surrogate, long = lead == 0xED and second >= 0xA0, lead == 0xE0 and second < 0xA0
        return 0 if surrogate or long else 2
    if 0xF0 <= lead < 0xF5:
        beyond, long = lead == 0xF4 and second >= 0x90, lead == 0xF0 and second < 0x90
        return 0 if beyond or long else 3
    return 0


def _word(raw: Bytes, at: int) -> int:
    """The unsigned little-endian word at *at*."""
    if not cython.compiled:
        return int.from_bytes(raw[at : at + 4], "little")
    word = raw[at + 3]
    word = word << 8 | raw[at + 2]
    word = word << 8 | raw[at + 1]
    return word << 8 | raw[at]
