"""Hop over what is too many for a loop that is not compiled: the texts of a packed array, the keys of a dictionary, the
values of binary resources, which are not aligned, and the lines of a text.

This file runs as it stands, and Cython compiles the same file (types in ``hops.pxd``). Bytes are read one by one, so
they may lie anywhere in memory. The functions for keys look at a window: *raw* begins at the byte *low* of the frame
and holds all bytes of the keys in question, which are every other id of ``[first, stop)``, each with a value behind it.
"""

from __future__ import annotations

from array import array
from functools import cache
from struct import Struct

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.base.buffer import STRETCH, Buffer, Bytes, in_memory, unpacker
from viewer.variant.dialect import Dialect, Kind

COMPILED: bool = cython.compiled
SIGN, INFINITE, WIDE_INFINITE = 0x80000000, 0x7F800000, 0x7FF00000
FLAG, ONES, SIGNS = 0x10000, 0x01010101, 0x80808080
INT_MAX, NONE, NOWHERE = 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFE
TEXT, EXACT, BOOL, FLOATS, DOUBLES = 1, 2, 3, 4, 5
"""The forms of :mod:`viewer.variant.key_forms`, which is loaded where somebody asks for keys."""
NOTHING = -(1 << 40)
LINE, WITHIN = 10, bytes(range(0x80, 0xC0))


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


@cython.boundscheck(False)  # type: ignore[untyped-decorator]
def line_ends(raw: bytes, start: int, end: int, ends: array[int]) -> int:
    """Where the lines of a text end, as many as there is room for: behind each LF, counted from *start*; how many.

    Args:
        raw: the text; *start* and *end* bound what is looked at of it.
        ends: room for the numbers.
    """
    at, count, most, size = start, 0, len(ends), min(end, len(raw))
    while count < most:
        if cython.compiled:  # noqa: SIM108
            at = line_at(raw, at, size)  # type: ignore[name-defined]  # noqa: F821
        else:
            at = raw.find(LINE, at, size) % (size + 1)
        if at == size:
            break
        at += 1
        ends[count] = at - start
        count += 1
    return count


@cython.boundscheck(False)  # type: ignore[untyped-decorator]
def letters(raw: bytes, start: int, end: int) -> int:
    """How many letters of UTF-8 begin in front of *end*, from *start* on."""
    count, start, end = 0, max(start, 0), max(min(end, len(raw)), 0)
    if not cython.compiled:
        return len(raw[start:end].translate(None, WITHIN))
    for k in range(start, end):
        count += raw[k] & 0xC0 != 0x80
    return count


def longest_line(ends: array[int]) -> int:
    """The bytes of the longest line, without its LF, of those that end there."""
    before = longest = 0
    for k in range(len(ends)):
        longest = max(longest, ends[k] - before)
        before = ends[k]
    return longest - 1


def shift(column: array[int], first: int, end: int, by: int) -> int:
    """Add a number to each of ``[first, end)`` of a column; none of them becomes less than zero."""
    if cython.compiled:
        for k in range(first, end):
            column[k] = column[k] + by
    else:
        column[first:end] = array("I", [number + by for number in column[first:end]])
    return 0


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


# Values of binary resources

UNUSUAL, ARRAY, PAIRS, NUMBERS, CLOSED, TEXTS, LINK, PATH = 0, -1, -2, -3, -4, -5, -6, -7
"""What a plan says beside a number of bytes: which layout follows."""
POS, NODE, OWNER, USED, DEPTH, NEXT, BASE = range(7)
"""The places in the state of :func:`hop_resource`, and of :func:`hop_resources`."""
LEAST_RESOURCE = 9
"""Bytes: the length of a class with its NUL, and how many properties it has."""
_LAYOUTS = {
    Kind.STRING: CLOSED,
    Kind.ARRAY: ARRAY,
    Kind.DICTIONARY: PAIRS,
    Kind.PACKED: NUMBERS,
    Kind.PACKED_STRINGS: TEXTS,
    Kind.REFERENCE: LINK,
    Kind.INDEXED_PATH: PATH,
}


@cache
def resource_plan(dialect: Dialect) -> tuple[array[int], array[int]]:
    """For each type number of a dialect of binary resources: its step, and the size of an element.

    A step is the bytes of the value where these never vary, else one of the layouts.
    """
    steps, sizes = array("i", bytes(4 * 256)), array("i", bytes(4 * 256))
    for row in dialect.rows:
        sizes[row.number] = row.narrow_size
        fixed = row.kind in (Kind.FIXED, Kind.NULL_OBJECT)
        steps[row.number] = 4 + row.narrow_size if fixed else _LAYOUTS.get(row.kind, UNUSUAL)
    return steps, sizes


def hop_resource(
    state: array[int],
    raw: Bytes,
    low: int,
    start: memoryview,
    parent: memoryview,
    first: memoryview,
    steps: array[int],
    sizes: array[int],
    names: int,
    stop: int,
    short: int,
    most: int,
    widest: int,
) -> None:
    """Hop over the values of one resource, until one is unusual, the resource ends, or the window does.

    Args:
        state: where the way begins, and then where it ended: offset, node, owner, used rows, depth.
        raw: the window; it begins at the byte *low*.
        start, parent, first: the columns.
        steps, sizes: the plan of the dialect.
        names: how many names the file has; a name is the place of one of them.
        stop: the offset from which on no value is begun.
        short: the collection whose end is for somebody else.
        most, widest: so many nodes there may be at most, and so many in one collection.
    """
    with cython.nogil:
        _hop_values(state, raw, low, start, parent, first, steps, sizes, names, stop, short, most, widest)


@cython.boundscheck(False)  # type: ignore[untyped-decorator]
def _hop_values(
    state: array[int],
    raw: Bytes,
    low: int,
    start: memoryview,
    parent: memoryview,
    first: memoryview,
    steps: array[int],
    sizes: array[int],
    names: int,
    stop: int,
    short: int,
    most: int,
    widest: int,
) -> int:
    """What :func:`hop_resource` says, without the lock.

    Nothing checks an index here but what stands here: words are read in front of *held*, plans below 256, and ids up to
    *used*, whose parent is no owner's, below the capacity. ``tools/sanitized.py`` shows it by damaged bytes.
    """
    at, node, owner, used, depth = state[POS], state[NODE], state[OWNER], state[USED], state[DEPTH]
    held, capacity = low + len(raw), len(parent)
    last = min(held - 4, stop - 1)
    if not (low <= at and 0 <= node <= used < capacity and capacity == len(start) == len(first)):
        return 0
    if (owner >= used and owner != NONE) or len(steps) < 256 or len(sizes) < 256:
        return 0
    while True:
        while parent[node] != owner and owner not in (NONE, short, 0):
            node = owner + 1
            owner = parent[owner]
            depth -= 1
        if parent[node] != owner or at > last:
            break
        start[node] = at
        if first[node]:  # only read, a page of zeros takes no memory
            first[node] = 0
        if cython.compiled:  # noqa: SIM108
            word = word_at(cython.address(raw[0]), at - low)  # type: ignore[name-defined]  # noqa: F821
        else:
            word = _word(raw, at - low)
        if owner == 0 and not (node - first[0]) & 1:
            if word >= names:
                break
            at += 4
            node += 1
            continue
        step = steps[word] if word < 256 else UNUSUAL
        if step > 0:
            if at + step > held:
                break
            at += step
        elif step == UNUSUAL or at + 8 > held:
            break
        elif step == CLOSED:
            after = _behind_text(raw, at + 4 - low) + low
            if after < at:
                break
            at = after
        else:
            count = _word(raw, at + 4 - low)
            after = at + 8
            if step >= PAIRS:
                count &= INT_MAX
                if step == PAIRS:
                    count *= 2
                if count:
                    if used + count >= capacity or used + count > most or count > widest:
                        break
                    first[node] = used
                    owner = node
                    node = used
                    used += count
                    if cython.compiled:
                        for k in range(node, used):
                            parent[k] = owner
                    else:
                        parent[node:used] = array("I", (owner,)) * count
                    parent[used] = NOWHERE
                    depth += 1
                    at = after
                    continue
            elif step == NUMBERS:
                after += count * sizes[word] + 3 & ~3 if count <= INT_MAX else held
            else:
                after = _behind_parts(raw, after - low, step, count, names) + low
            if not at < after <= held:
                break
            at = after
        node += 1
    state[POS], state[NODE], state[OWNER], state[USED], state[DEPTH] = at, node, owner, used, depth
    return 0


def hop_resources(
    state: array[int],
    raw: Bytes,
    low: int,
    begins: array[int],
    ends: array[int],
    rows: array[int],
    counts: array[int],
    start: memoryview,
    parent: memoryview,
    first: memoryview,
    steps: array[int],
    sizes: array[int],
    names: int,
    of_all: int,
    longest: int,
) -> None:
    """Hop over resources, each from its class to its end, as far as the window reaches and the columns have room.

    Args:
        state: as for :func:`hop_resource`, for the values of one of them; then which resource is next, and how many
            rows are used.
        raw: the window; it begins at the byte *low*.
        begins, ends: the bytes of each resource.
        rows, counts: room for where the rows of each begin, and how many they are: none where something in it is
            unusual, or where it has more bytes than *longest*.
        start, parent, first: the columns, which all of them share.
        steps, sizes, names: as above.
        of_all: the number behind that of the last one.
    """
    number, base = state[NEXT], state[BASE]
    held, capacity = low + len(raw), len(parent)
    with cython.nogil:
        while number < of_all:
            begin, end = begins[number], ends[number]
            size = end - begin
            rows[number] = counts[number] = 0
            if LEAST_RESOURCE <= size <= longest:
                room = size // 4 + 3
                if begin < low or end > held or base + room > capacity:
                    break
                at = _behind_class(raw, begin - low, end - low) - (begin - low)
                children = _word(raw, begin - low + at) if at > 0 else 0
                children *= 2  # not in one step: a word would not hold it
                if 0 < children < room - 2:
                    start[base], parent[base], first[base] = 0, NONE, 1
                    for k in range(base + 1, base + children + 1):
                        parent[k] = 0
                    parent[base + children + 1] = NOWHERE
                    state[POS], state[NODE], state[OWNER], state[USED], state[DEPTH] = at + 4, 1, 0, children + 1, 1
                    stop, last = base + room, begin - low + size
                    _hop_values(
                        state, raw[begin - low : last], 0, start[base:stop], parent[base:stop], first[base:stop],
                        steps, sizes, names, size + 1, NOWHERE, room - 2, NOWHERE,
                    )  # fmt: skip
                    if state[POS] == size and state[OWNER] == 0 and state[NODE] == children + 1:
                        rows[number], counts[number] = base, state[USED]
                        base += state[USED]
            number += 1
    state[NEXT], state[BASE] = number, base


def _behind_class(raw: Bytes, at: int, end: int) -> int:
    """The byte behind a name in ASCII, from its length on, that ends with its only NUL; far before it for others."""
    length = _word(raw, at)
    behind = at + 4 + length
    if not 0 < length <= end - at - 8 or raw[behind - 1]:
        return NOTHING
    for k in range(at + 4, behind - 1):
        if not 0 < raw[k] < 0x80:
            return NOTHING
    return behind


def hop_directory(state: array[int], raw: Bytes, low: int, starts: array[int], targets: array[int]) -> None:
    """Hop over the entries of a table, each a text behind its length and a number of 64 bits.

    Args:
        state: where the next entry begins, and which it is; then those where it ended.
        raw: the window; it begins at the byte *low*.
        starts: room for where each entry begins.
        targets: room for the number in each.
    """
    at, number, of_all, size = state[0] - low, state[1], len(starts), len(raw)
    with cython.nogil:
        while number < of_all and 0 <= at <= size - 4:
            end = at + 4 + _word(raw, at)
            if end + 8 > size:
                break
            high = _word(raw, end + 4)
            starts[number], targets[number] = low + at, _word(raw, end) | high << 32
            at = end + 8
            number += 1
    state[0], state[1] = low + at, number


def moved_places(
    targets: array[int], ends: array[int], moved: array[int], size: int, found: array[int], now: array[int]
) -> int:
    """Which numbers that say where something begins say something else once bytes have grown; how many these are.

    Args:
        targets: what the numbers say; what says zero, or more than *size*, says nothing.
        ends: where bytes that grow end, in order; *moved* by how much what lies behind so many of these moves.
        found, now: room for the places of these numbers, and for what they say then.

    Returns:
        How many there are; -1 where one would be less than zero.
    """
    count, many = 0, len(ends)
    for place in range(len(targets)):
        target = targets[place]
        if not 0 < target <= size:
            continue
        low, high = 0, many
        while low < high:
            middle = (low + high) // 2
            if target < ends[middle]:
                high = middle
            else:
                low = middle + 1
        by = moved[low]
        if by:
            if target + by < 0:
                return -1
            found[count], now[count] = place, target + by
            count += 1
    return count


def put_words(data: bytearray, low: int, starts: array[int], found: array[int], now: array[int]) -> int:
    """Write numbers of 64 bits into bytes that begin at *low*: those of the places *found*, which stand at *starts*."""
    for k in range(len(found)):
        at = starts[found[k]] - low
        if at < 0 or at + 8 > len(data):
            return -1
        number = now[k]
        for byte in range(8):
            data[at + byte] = number >> 8 * byte & 0xFF
    return 0


def _behind_parts(raw: Bytes, at: int, step: int, count: int, names: int) -> int:
    """The byte behind the parts of a value, whose count or kind stands before *at*; far before it for a closer look."""
    size = len(raw)
    if step == TEXTS:
        while count and at > 0:
            at = _behind_text(raw, at)
            count -= 1
        return at
    if step == LINK:
        if count == 1:
            at = _behind_text(raw, at)
            return _behind_text(raw, at) if at > 0 else at
        return NOTHING if count > 3 else at + 4 if count else at
    count = (count & 0xFFFF) + (count >> 16 & 0x7FFF)
    if count > (size - at) // 4:
        return NOTHING
    for k in range(count):
        if _word(raw, at + 4 * k) >= names:
            return NOTHING
    return at + 4 * count


def _behind_text(raw: Bytes, at: int) -> int:
    """The byte behind a text that ends with its only NUL, from its length on; far before it for a closer look."""
    size = len(raw)
    if at + 4 > size:
        return NOTHING
    length = _word(raw, at)
    at += 4
    if not 0 < length <= size - at or raw[at + length - 1]:
        return NOTHING
    end = at + length - 1
    if not cython.compiled:
        found = bytes(raw[at:end])
        if found.isascii() and b"\0" not in found:
            return end + 1
    return end + 1 if _is_plain_run(raw, at, end) else NOTHING


# Texts of a window


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
    return size >= 4 and size == 4 + (length + 3 & ~3) and _is_plain_run(raw, at + 4, at + 4 + length)


@cython.boundscheck(False)  # type: ignore[untyped-decorator]
def _is_plain_run(raw: Bytes, at: int, end: int) -> bool:
    """Whether bytes are UTF-8 without NUL and byte order mark; those that are not there are none."""
    if at < 0 or end > len(raw):
        return False
    if end - at >= 3 and raw[at] == 0xEF and raw[at + 1] == 0xBB and raw[at + 2] == 0xBF:
        return False
    while at < end:
        if cython.compiled:
            while at + 4 <= end:  # four letters at once: no high bit is set, and none comes up by a borrow from a zero
                four = word_at(cython.address(raw[0]), at)  # type: ignore[name-defined]  # noqa: F821
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
