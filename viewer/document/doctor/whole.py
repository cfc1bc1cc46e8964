"""Hypotheses about what happened to all bytes at once: treated as text, swapped, trimmed, cut."""

from __future__ import annotations

import re
from array import array
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from io import BytesIO

from viewer.base.buffer import Buffer, stretches
from viewer.base.diagnostic import count_bytes
from viewer.base.record import replace
from viewer.container.frames import BARE, MIN_VALUE, STORED, Framing, FramingKind, is_header, prefix
from viewer.document.detection.detect import FRAMINGS, looks_like_values, way_of_sound_values
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import ReadGuess, RepairContext, WorkBudget, reach, walk
from viewer.document.doctor.trying import insertion
from viewer.document.doctor.whole_masks import masked_candidates
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import take_off
from viewer.variant.dialect import Dialect, available

MOST_ZEROS = 256
LEAST = 4
LEAST_SHIFTED = 32
MOST = 1 << 25
SAMPLE = 1 << 17
"""So many bytes must make sense before all are read."""
MOST_WORK = 1 << 30
"""So much work tells whether all bytes are sound values."""
UNWRAPPED, JUDGED, MOST_JUDGED = 1 << 16, 3 << 11, 1 << 12
"""What it costs to look for packed bytes inside of others, and of each byte to rank the ways in which all are read; of
so many bytes it costs no more."""
TEXT_LINE = re.compile(rb"(?<=[\x20-\xf4])\n(?=[\x20-\xf4\r\n]|\x00)")
MIXED = "cp1252 with the gaps of it as they are"
"""What most programs mean by code page 1252: the five codes that it lacks stand for themselves."""
WINDOWS, EITHER = "Windows code page 1252", "Latin-1 or as Windows code page 1252"
CONTROLS = re.compile(rb"[\x80-\x9f]")
"""What the two code pages do not share."""
CARRIED = "An encoder hardly does that: look for what carries them in such words, such as a bus, a register or “dd”."
LONGEST_CUT = 1 << 16
"""So many bytes may be missing."""
STRETCH = 1 << 20
"""So many bytes are changed at once: what lies between the old and the new ones must not take as much as they."""


def whole_candidates(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """What one transformation of all bytes undoes; each keeps as many again in memory.

    Raises:
        GivenUp: nobody wants more.
    """
    if not data or len(data) > MOST:
        return
    yield from _utf8(data, meter)
    yield from _crlf(data, meter)
    yield from _swapped(data, meter)
    yield from _carriage_returns(data, meter)
    yield from _other_bytes(data, meter)
    yield from masked_candidates(data, meter)


def _makes_sense(begin: bytes) -> bool:
    """Whether few bytes, or the first of many, may be values, and not nulls with odd flags only."""
    return len(begin) <= SAMPLE or (any(begin[:SAMPLE:4]) and looks_like_values(begin[:SAMPLE]))


def _replaced(cause: Cause, data: bytes, new: bytes, fact: str, weight: float = 1.0) -> Candidate:
    return Candidate(cause, (Patch(0, len(data), new),), fact, weight, framed=True)


def _utf8(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    if data.isascii():
        return
    for coding in ("latin-1", "cp1252", MIXED):
        try:
            new = _transcoded(data, coding)
        except UnicodeDecodeError:
            return
        except UnicodeEncodeError:
            continue
        meter.count(len(data))
        if not _makes_sense(new):
            continue
        count = len(data) - len(new)
        name = WINDOWS if coding != "latin-1" else "Latin-1" if CONTROLS.search(new) else EITHER
        fact = f"They were read as {name} and written as UTF-8; turned back into single bytes, there are {count} fewer."
        yield _replaced(Cause.MADE_UTF8, data, new, fact)


def _transcoded(data: bytes, coding: str) -> bytes:
    """Bytes that are UTF-8 in another encoding.

    Raises:
        UnicodeDecodeError: they are not.
        UnicodeEncodeError: the encoding does not have all of their characters.
    """
    decoder, out = getincrementaldecoder("utf-8")("surrogatepass"), BytesIO()
    for _, piece in stretches(data, size=STRETCH):
        out.write(_encoded(decoder.decode(bytes(piece)), coding))
    out.write(decoder.decode(b"", True).encode("latin-1"))
    return out.getvalue()


def _encoded(shown: str, coding: str) -> bytes:
    if coding != MIXED:
        return shown.encode(coding)
    table = {ord(bytes([byte]).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
    return shown.translate(table).encode("latin-1")


def _crlf(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    pairs = data.count(b"\r\n")
    if not pairs or data.count(b"\n") - pairs > bool(data[-1:] == b"\n"):
        return
    meter.count(len(data))
    new = data.replace(b"\r\n", b"\n")
    if not _makes_sense(new):
        return
    times = "pair becomes" if pairs == 1 else "pairs become"
    yield _replaced(Cause.MADE_CRLF, data, new, f"{pairs} {times} one line feed again.")


REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
SPACES = (4, 8, 2)


def _other_bytes(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """What one rule did to every byte, or to every one of a kind."""
    meter.count(4 * len(data))
    made: list[tuple[Cause, bytes, str, float]] = [
        (
            Cause.BITS_BACKWARDS,
            data.translate(REVERSED),
            "With the bits of each byte reversed, all of it reads.",
            1.0,
        ),
        (Cause.BYTES_BACKWARDS, data[::-1], "Read from the last byte to the first, all of it reads.", 1.0),
    ]
    if data.startswith(b"\xef\xbb\xbf"):
        made.append(
            (Cause.MARK_BEFORE, data[3:], "The three bytes EF BB BF at the start say that a text follows.", 1.0)
        )
    if b"\xc0\x80" in data:
        count = data.count(b"\xc0\x80")
        made.append(
            (Cause.NULS_AS_PAIRS, data.replace(b"\xc0\x80", b"\0"), f"{count:,} of C0 80 become zeros again.", 1.0)
        )
    for pair in (b"\r\r\n", b"\r\n\n"):
        if pair in data:
            new = data.replace(pair, b"\n")
            made.append((Cause.LINES_DOUBLED, new, f"{data.count(pair):,} line ends become one byte again.", 1.0))
    for width in SPACES:
        if b" " * width in data and b"\t" not in data:
            new = data.replace(b" " * width, b"\t")
            made.append(
                (Cause.TABS_SPACED, new, f"{data.count(b' ' * width)} times {width} spaces become a tab again.", 0.5)
            )
    made += _shifted(data)
    for cause, new, fact, weight in made:
        if new != data and _makes_sense(new):
            yield _replaced(cause, data, new, fact, weight)


def _shifted(data: bytes) -> Iterator[tuple[Cause, bytes, str, float]]:
    """A number added to each byte: zeros are the most frequent bytes of values."""
    most = max(set(data[:SAMPLE]), key=data[:SAMPLE].count)
    if most and len(data) >= LEAST_SHIFTED:
        table = bytes((byte - most) & 0xFF for byte in range(256))
        yield Cause.BYTES_SHIFTED, data.translate(table), f"With {most} taken from each byte, all of it reads.", 0.3
        flipped = bytes(byte ^ most for byte in range(256))
        yield (
            Cause.BYTES_SHIFTED,
            data.translate(flipped),
            f"With each byte XORed with 0x{most:02X}, all of it reads.",
            0.3,
        )


def _carriage_returns(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    """Each line feed had a carriage return before it, all of them or those in texts."""
    meter.count(2 * len(data))
    for new in dict.fromkeys((TEXT_LINE.sub(b"\r\n", data), data.replace(b"\n", b"\r\n"))):
        count = len(new) - len(data)
        if count and _makes_sense(new):
            times = "line feed gets" if count == 1 else "line feeds get"
            yield _replaced(Cause.CR_STRIPPED, data, new, f"{count} {times} the carriage return before it again.", 0.5)


def _swapped(data: bytes, meter: WorkBudget) -> Iterator[Candidate]:
    for kind, size, name in (("I", 4, "four"), ("H", 2, "two"), ("Q", 8, "eight")):
        if len(data) % size or len(data) < 4:
            continue
        meter.count(len(data))
        if len(data) > SAMPLE and not _makes_sense(_in_other_order(data[: SAMPLE + size], kind)):
            continue
        fact = f"All bytes are in words of {name}, each backwards; turned back, all of it reads."
        swapped = _replaced(Cause.BYTE_ORDER, data, _in_other_order(data, kind), fact, 1.0 if size == 4 else 0.1)
        yield swapped if size == 4 else replace(swapped, note=CARRIED)


def _in_other_order(data: bytes, kind: str) -> bytes:
    out = BytesIO()
    for _, piece in stretches(data, size=STRETCH):
        words = array(kind, bytes(piece))
        words.byteswap()
        out.write(words)
    return out.getvalue()


KEEP_ZEROS = "Do not trim bytes: rstrip, TrimRight and TrimEnd take zeros off the end, as fields of a database may do."


def trimmed_candidates(ground: RepairContext) -> Iterator[Candidate]:
    """Zeros that were taken off the end."""
    data = ground.data
    if len(data) < LEAST or not data[-1]:
        return
    if ground.start + ground.trouble + MOST_ZEROS < len(data):
        return
    sizes: tuple[int, ...] = tuple(range(1, MOST_ZEROS))
    lacking = ground.start + ground.stored - len(data) if ground.stored >= 0 else 0
    if 0 < lacking <= MOST_ZEROS << 4:
        sizes = (lacking,)
    for size in sizes:
        fact = f"With {count_bytes(size)} of zeros after it the last value is whole."
        weight = 1.0 if ground.has_prefix else 0.9 ** min(size, 16)
        change = (insertion(len(data), bytes(size)),)
        yield Candidate(Cause.ZEROS_TRIMMED, change, fact, weight, framed=True, note=KEEP_ZEROS)


def way_to_read(data: bytes, choice: ReadOptions, meter: WorkBudget) -> ReadGuess | None:
    """The way in which all bytes are sound values, None where there is none; what *choice* fixes is not questioned.

    Raises:
        GivenUp: nobody wants more.
    """
    if meter.spent:
        return None
    meter.charge(UNWRAPPED)
    wraps = take_off(data, choice.opening, lambda inside: may_be_values(inside) and looks_like_values(inside))
    inside = wraps.inside
    if wraps.blocked is not None or not may_be_values(inside) or not _may_be_sound(inside, choice, meter):
        return None
    judging = JUDGED * min(len(inside), MOST_JUDGED)
    if judging > meter.left:
        return None
    meter.charge(judging)
    found = way_of_sound_values(inside, choice.dialect, choice.framing, choice.big_endian)
    if found is None:
        return None
    way = ReadGuess(*found)
    end, least = 0, meter.left - MOST_WORK
    for step in walk(inside, way, meter):
        if not step.fills or meter.left < least:
            return None
        end = step.payload.end
    return way if end == len(inside) else None


def _may_be_sound(data: Buffer, choice: ReadOptions, meter: WorkBudget) -> bool:
    """Whether all bytes are sound values in some way; of many bytes that is not asked."""
    if len(data) > SAMPLE:
        return True
    for dialect in available() if choice.dialect is None else (choice.dialect,):
        for framing in FRAMINGS:
            if choice.framing in (None, framing.kind):
                last = None
                for step in walk(data, ReadGuess(dialect, framing), meter):
                    last = step
                if last is not None and last.fills and last.payload.end == len(data):
                    return True
    return False


def may_be_values(data: Buffer) -> bool:
    """Whether a header stands first, or behind a length that may be true, whole or with its end missing."""
    lengths = (prefix(data, 0, big_endian) for big_endian in (False, True))
    is_length = any(MIN_VALUE <= each <= len(data) + LONGEST_CUT for each in lengths)
    return is_header(data, 0) or (is_length and is_header(data, 4))


# Read guesses: how the bytes of a document may be read, the likeliest first.

MOST_WAYS = 20
MOST_LIKELY, MOST_FARTHEST, MOST_COMPARED = 2, 4, 10
"""So many ways count as likely; of so many it is seen how far they come, and so many of these count as well."""
UNLIKELY_WAY, OTHER_WAY, OTHER_LINE = 0.02, 0.5, 0.3
"""How likely a way is that nothing speaks for, one of which something does, and another engine line at all, beside how
the bytes are read now."""


def ways_to_read(document: Document, data: bytes, meter: WorkBudget) -> list[ReadGuess]:
    """As they are read now, then as what else was likely when they were opened.

    Where a person fixed the framing alone, and the bytes are sound values in another one, these tell the engine line.

    Raises:
        GivenUp: nobody wants more.
    """
    now, choice = ReadGuess(document.dialect, document.framing), document.choice
    is_framed = choice.framing is not None and choice.dialect is None
    sound = way_to_read(data, replace(choice, framing=None, big_endian=None), meter) if is_framed else None
    broken = document.framing.kind is FramingKind.CONCATENATED
    framings = [STORED, BARE] if choice.framing is None else []
    ways = [ReadGuess(sound.dialect, document.framing)] if sound is not None else []
    ways += [now, *(ReadGuess(document.dialect, framing, 0.9 if broken else 0.5) for framing in framings)]
    best = max(1.0, document.candidates[0].score if document.candidates else 1.0)
    for each in document.candidates:
        weight = max(UNLIKELY_WAY, min(1.0, each.score / best) * OTHER_WAY)
        framed = [each.framing] if each.framing.kind is not FramingKind.CONCATENATED else framings
        ways += [ReadGuess(each.dialect, framing, weight) for framing in framed]
    if choice.dialect is None:
        ways += [ReadGuess(dialect, framing, UNLIKELY_WAY) for dialect in available() for framing in framings]
    unique: dict[tuple[str, Framing], ReadGuess] = {}
    for way in ways:
        known = unique.get((way.dialect.key, way.framing))
        if known is None or known.weight < way.weight:
            unique[way.dialect.key, way.framing] = way
    return sorted(unique.values(), key=lambda way: -way.weight)[:MOST_WAYS]


def farthest_ways(document: Document, data: bytes, meter: WorkBudget) -> list[tuple[ReadGuess, int]]:
    """The :data:`MOST_LIKELY` likeliest ways to read, then those that come farthest; with how far each comes.

    Raises:
        GivenUp: nobody wants more.
    """
    some = [(way, reach(data, way, meter)) for way in ways_to_read(document, data, meter)[:MOST_COMPARED]]
    known = {(way.framing, reached) for way, reached in some[:MOST_LIKELY]}
    rest: list[tuple[ReadGuess, int]] = []
    for way, reached in sorted(some[MOST_LIKELY:], key=lambda each: -each[1]):
        if (way.framing, reached) not in known:  # else it most likely reads alike
            known.add((way.framing, reached))
            rest.append((way, reached))
    return [*some[:MOST_LIKELY], *rest[:MOST_FARTHEST]]


def latest_first(dialects: Sequence[Dialect]) -> list[Dialect]:
    """Dialects in their order, but one of earlier versions, such as Godot 4.0, after all others: few write it now."""
    known = {each.key for each in dialects}
    return sorted(dialects, key=lambda each: each.key.rpartition(".")[0] in known)
