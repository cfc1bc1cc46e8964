"""Hypotheses about one text: its length, its fill, its encoding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.diagnostic import count_bytes
from viewer.base.record import replace
from viewer.base.unseen import escaped
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import raw_bits
from viewer.document.doctor.repair_context import MOST_TEXTS, Node, Raw, RepairContext, Text, nodes, texts
from viewer.document.doctor.trying import deletion, insertion
from viewer.variant.dialect import Kind

OFF = (-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8)
LONGEST = 4096
MOST_ALIKE = 1 << 12
"""So many texts may have the same mistake."""
SHOWN = 24
"""Letters of a text that a sentence quotes."""
DIRTY = 0.03
"""How much less likely a text is whose fill is not zero."""
LONE = 0.2
"""How much less likely UTF-16 is of a single sign: a letter and a zero stand in many places."""


def text_candidates(ground: RepairContext, some: list[Node] | None = None) -> Iterator[Candidate]:
    """What may be wrong with one text near the trouble, or in *some* nodes."""
    data = ground.payload
    found = nodes(ground) if some is None else some
    for text in texts(ground, found):
        for candidate in _of(data, text):
            yield _moved(candidate, ground.start)
    yield from _open_strings(ground, found)
    for node in found:
        if node.row.kind is Kind.PACKED and node.row.narrow_size == 1:
            for candidate in _bytes(data, node):
                yield _moved(candidate, ground.start)


def alike_candidates(ground: RepairContext, some: list[Node]) -> Iterator[Candidate]:
    """The same mistake in all texts of *some* nodes in which it can be: what wrote one wrote the others, too."""
    yield from _open_strings(ground, some, MOST_ALIKE)
    data = ground.payload
    found = sorted(texts(ground, some, MOST_ALIKE), key=lambda text: text.at)
    for units in (1, 2):  # the length counts bytes, or pairs of them
        read: list[Candidate] = []
        fill, end = b"", 0
        for text in found:
            size = units * text.length
            for each in islice(_utf16(data, text, size), 1):
                patch = each.patches[0]
                if end <= patch.at and data[patch.at : patch.at + patch.size] != patch.new:
                    read.append(each)
                    end = patch.at + patch.size
                    fill += data[text.start + size : end].strip(b"\0")
        if len(read) > 1:
            patches = tuple(each.patches[0].shifted(ground.start) for each in read)
            fact, weight = f"This is so in {count_texts(len(read))}.", max(each.weight for each in read)
            yield Candidate(Cause.TEXT_UTF16, patches, fact, weight, thrown=raw_bits(fill))


def _moved(candidate: Candidate, by: int) -> Candidate:
    return replace(candidate, patches=tuple(patch.shifted(by) for patch in candidate.patches))


def _of(data: Raw, text: Text) -> Iterator[Candidate]:
    if text.end <= len(data):
        yield from _fill(data, text.end, text.length, _shown(data, text))
        yield from _counts_characters(data, text)
        yield from _latin1(data, text)
    yield from _counts_nul(data, text)
    yield from _utf16(data, text, text.length, 2 * text.length)
    yield from _off(data, text)


def _shown(data: Raw, text: Text, lead: bool = False) -> str:
    """A text in quotes; one without letters by what it is, with a capital where it leads a sentence."""
    raw = data[text.start : min(text.end, text.start + 4 * SHOWN)].rstrip(b"\0")
    nul = " with its NUL" if lead and raw and not any(data[text.end - 1 : text.end]) else ""
    if not raw:
        return "The empty text" if lead else "the empty text"
    return _quoted(raw.decode("utf-8", "replace")) + nul


def _quoted(shown: str) -> str:
    """The first letters of a text in quotes."""
    shown = shown.rstrip("\0")
    return f"“{escaped(shown)}”" if len(shown) <= SHOWN else f"“{escaped(shown[:SHOWN])}…”"


def _fill(data: Raw, end: int, length: int, name: str) -> Iterator[Candidate]:
    """The fill behind *length* bytes that end at *end*."""
    fill = -length % 4
    if fill:
        fact = f"After {name} there should be {count_bytes(fill)} of padding."
        yield Candidate(Cause.PADDING_MISSING, (insertion(end, bytes(fill)),), fact)
    there = len(data[end : end + 16]) - len(data[end : end + 16].lstrip(b"\0"))
    for size in (*range(1, fill), *range(fill + 1, fill + 9)):
        if size < fill:
            fact = f"The padding after {name} has {size} of its {count_bytes(fill)}."
            yield Candidate(Cause.PADDING_WRONG, (insertion(end + size, bytes(fill - size)),), fact, 0.5)
        elif size <= there:
            over = size - fill
            cause = Cause.PADDING_EXTRA if size == 4 or over == 4 else Cause.PADDING_WRONG
            fact = f"The padding after {name} has {count_bytes(over)} too many."
            yield Candidate(cause, (deletion(end + fill, over),), fact, 1.0 if cause is Cause.PADDING_EXTRA else 0.5)


def _counts_nul(data: Raw, text: Text) -> Iterator[Candidate]:
    if text.closed or not 2 <= text.length <= len(data) - text.start + 1:
        return
    shorter = text.length - 1
    real = Text(text.at, shorter)
    if any(data[real.end : real.end + 1]) and real.length % 4:
        return
    fact = f"{_shown(data, real, lead=True)} takes {count_bytes(shorter)}."
    yield Candidate(Cause.LENGTH_COUNTS_NUL, (word(text.at, shorter),), fact)
    if not any(data[real.end : real.end + 4]) and shorter % 4 == 0:
        patches = (word(text.at, shorter), deletion(real.end, 4))
        yield Candidate(Cause.LENGTH_COUNTS_NUL, patches, fact, 0.9)


def _counts_characters(data: Raw, text: Text) -> Iterator[Candidate]:
    extra = int(text.closed)
    length = _bytes_of(data, text.start, text.length - extra)
    if length < 0 or length == text.length - extra or length > LONGEST:
        return
    length += extra
    end = text.start + length
    fact = f"{_shown(data, Text(text.at, length), lead=True)} has {text.length} characters in {count_bytes(length)}."
    yield Candidate(Cause.LENGTH_COUNTS_CHARACTERS, (word(text.at, length),), fact)
    there = -text.length % 4
    belongs = -length % 4
    if there != belongs and not any(data[end : end + there]):
        patch = Patch(end, there, bytes(belongs))
        yield Candidate(Cause.LENGTH_COUNTS_CHARACTERS, (word(text.at, length), patch), fact, 0.7)


def _bytes_of(data: Raw, at: int, count: int) -> int:
    """How many bytes *count* characters of UTF-8 take, -1 where they are none."""
    start = at
    for _ in range(min(count, LONGEST)):
        if at >= len(data):
            return -1
        lead = data[at]
        at += 1 if lead < 0x80 else 2 if 0xC2 <= lead < 0xE0 else 3 if lead < 0xF0 else 4
        if 0x80 <= lead < 0xC2:
            return -1
    return at - start if at <= len(data) and count <= LONGEST else -1


def _latin1(data: Raw, text: Text) -> Iterator[Candidate]:
    raw = data[text.start : text.end]
    if raw.isascii() or len(raw) > LONGEST:
        return
    try:
        raw.decode()
    except UnicodeDecodeError:
        shown = raw.decode("latin-1")
        if any("\x7f" <= sign < "\xa0" for sign in shown):
            return
        there = len(raw) + (-len(raw) % 4)
        yield _transcoded(Cause.TEXT_LATIN1, data, text, there, shown, len(raw))


def _utf16(data: Raw, text: Text, *sizes: int) -> Iterator[Candidate]:
    """The text as one of UTF-16, of one of so many bytes."""
    for size in sizes:
        raw = data[text.start : text.start + size]
        if size % 2 or size < 2 or len(raw) != size or size > LONGEST:
            continue
        for order in ("utf-16-le", "utf-16-be"):
            try:
                shown = raw.decode(order)
            except UnicodeDecodeError:
                continue
            if shown.rstrip("\0").isprintable() and _is_western(shown):
                shown = shown.removeprefix("\ufeff")
                for there in dict.fromkeys((size + (-size % 4), size + (-text.length % 4), size)):
                    plain = shown if text.closed else shown.rstrip("\0")
                    yield _transcoded(Cause.TEXT_UTF16, data, text, there, plain, size)


def _is_western(shown: str) -> bool:
    """Whether nearly all signs are Latin, or take a pair of units, which no other text looks like by chance."""
    return sum(sign < "\u0100" or sign > "\uffff" for sign in shown) > 0.7 * len(shown)


def _transcoded(cause: Cause, data: Raw, text: Text, there: int, shown: str, size: int) -> Candidate:
    """A text of *size* bytes in another encoding, which takes *there* with its fill."""
    weight = DIRTY if any(data[text.start + size : text.start + there]) else 1.0 if len(shown) > 1 else LONE
    raw = shown.encode("utf-8", "surrogatepass")
    body = len(raw).to_bytes(4, "little") + raw + bytes(-len(raw) % 4)
    taken = 4 + min(there, len(data) - text.start)
    fact = f"Read that way, the text is {_quoted(shown)}."
    return Candidate(cause, (Patch(text.at, taken, body),), fact, weight)


def _off(data: Raw, text: Text) -> Iterator[Candidate]:
    """The length is another one, and nothing else is wrong."""
    swapped = int.from_bytes(data[text.at : text.at + 4], "big")
    seen = set()
    if swapped not in (0, text.length) and swapped <= len(data) - text.start:
        seen.add(swapped)
        yield Candidate(
            Cause.LENGTH_SWAPPED, (word(text.at, swapped),), f"Swapped back it says {count_bytes(swapped)}."
        )
    for length in (*(text.length + by for by in OFF), *_natural(data, text)):
        if 0 <= length <= len(data) - text.start and length != text.length and length not in seen:
            seen.add(length)
            real = Text(text.at, length)
            fact = f"{_shown(data, real, lead=True)} takes {count_bytes(length)}, not {text.length}."
            weight = 1.0 / (1 + abs(length - text.length).bit_length())
            if any(data[real.end : real.end + (-length % 4)]):
                continue
            yield Candidate(Cause.LENGTH_OFF, (word(text.at, length),), fact, weight)


def _natural(data: Raw, text: Text) -> Iterator[int]:
    """Where the text seems to end by itself: at the first zero."""
    size = data[min(text.start, len(data)) : text.start + LONGEST].find(b"\0")
    if size >= 0:
        end = text.start + size
        yield end - text.start
        yield from range(max(0, end - text.start - 3), end - text.start)
        yield end - text.start + 1


def _open_strings(ground: RepairContext, found: list[Node], most: int = MOST_TEXTS) -> Iterator[Candidate]:
    """String arrays whose texts lack the closing NUL."""
    data, patches = ground.payload, []
    arrays = [node for node in found if node.row.kind is Kind.PACKED_STRINGS]
    for text in texts(ground, arrays, most):
        raw = data[text.start : text.end]
        if raw and raw[-1] and len(raw) == text.length:
            body = (len(raw) + 1).to_bytes(4, "little") + raw + b"\0"
            there = min(len(data) - text.at, 4 + len(raw) + (-len(raw) % 4))
            patches.append(Patch(text.at, there, body + bytes(-len(body) % 4)))
    if patches:
        moved = tuple(sorted(patch.shifted(ground.start) for patch in patches))
        yield Candidate(Cause.NUL_MISSING, moved, f"This is so in {count_texts(len(moved))}.")


def count_texts(count: int) -> str:
    """A number of texts in words."""
    return "1 text" if count == 1 else f"{count} texts"


def _bytes(data: Raw, node: Node) -> Iterator[Candidate]:
    """An array of bytes: its fill."""
    count = int.from_bytes(data[node.start + 4 : node.start + 8], "little")
    end = node.start + 8 + count
    if end <= len(data):
        yield from _fill(data, end, count, f"an array of {count_bytes(count)}")
