"""Prefix rules: lengths before values that an encoder writes otherwise than ``store_var`` does.

The values are found without their lengths: so many bytes are skipped, a value is read, and so on to the end. What the
skipped bytes say in each place then tells the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from viewer.base.record import dataclass
from viewer.container.frames import BARE, CONCATENATED, STORED
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.encoder_rule import EncoderRule
from viewer.document.doctor.repair_context import WorkBudget, is_readable
from viewer.variant.dialect import Dialect

MOST_FRAMES = 256
MOST_BYTES = 1 << 22
SHORTEST = 8
READS = "reads four bytes, little-endian, that count the bytes of the value"


@dataclass(frozen=True, slots=True)
class PrefixRule:
    """One way to write the length before a value.

    Args:
        slug: its name on the command line.
        writes: what the encoder does.
        size: bytes of the length.
        order: of its bytes.
        says: what it says before a value of so many bytes.
        bits: how rare it is.
    """

    slug: str
    writes: str
    size: int
    order: str
    says: Callable[[int], int]
    bits: float = 7.0

    def fits(self, raw: bytes, value: int) -> bool:
        """Whether these bytes stand before a value of *value* bytes."""
        return int.from_bytes(raw, self.order) == self.says(value)  # type: ignore[arg-type]


def _itself(value: int) -> int:
    return value


PREFIX_RULES = (
    PrefixRule("prefix-one-byte", "writes the length before a value as one byte", 1, "little", _itself, 8.0),
    PrefixRule("prefix-u16", "writes the length before a value as two bytes", 2, "little", _itself),
    PrefixRule("prefix-u16-big-endian", "writes the length before a value as two bytes, big-endian", 2, "big", _itself),
    PrefixRule("prefix-three-bytes", "writes the length before a value as three bytes", 3, "little", _itself, 9.0),
    PrefixRule("prefix-u64", "writes the length before a value as eight bytes", 8, "little", _itself),
    PrefixRule(
        "prefix-u64-big-endian", "writes the length before a value as eight bytes, big-endian", 8, "big", _itself, 8.0
    ),
    PrefixRule(
        "prefix-in-words",
        "writes the length before a value in words of four bytes",
        4,
        "little",
        lambda value: value // 4,
    ),
    PrefixRule("prefix-in-bits", "writes the length before a value in bits", 4, "little", lambda value: value * 8, 9.0),
    PrefixRule(
        "prefix-counts-twice", "writes twice the length before a value", 4, "little", lambda value: value * 2, 9.0
    ),
    PrefixRule(
        "prefix-eight-more",
        "writes a length before a value that is eight more than it",
        4,
        "little",
        lambda value: value + 8,
        9.0,
    ),
    PrefixRule(
        "prefix-u16-counts-itself",
        "writes the length before a value as two bytes, and counts them",
        2,
        "little",
        lambda value: value + 2,
        8.5,
    ),
    PrefixRule(
        "prefix-u16-big-endian-counts-itself",
        "writes the length before a value as two bytes, big-endian, and counts them",
        2,
        "big",
        lambda value: value + 2,
        8.5,
    ),
    PrefixRule("prefix-zero", "writes a zero instead of the length before a value", 4, "little", lambda value: 0, 8.0),
)
CONSTANT = ("prefix-constant", 8.0)


def _everywhere(count: int, noun: str, where: str = "in") -> str:
    """That it is so in all places where it can be."""
    alone = ": only one place shows it" if count == 1 else ""
    return f"This is so {where} {count:,} of {count:,} {noun}{'s' * (count != 1)}{alone}."


def prefix_rule_candidates(data: bytes, dialects: Iterable[Dialect], meter: WorkBudget) -> Iterator[Candidate]:
    """What would undo wrong lengths before all values.

    Raises:
        GivenUp: nobody wants more.
    """
    if not SHORTEST <= len(data) <= MOST_BYTES:
        return
    sizes = sorted({rule.size for rule in PREFIX_RULES})
    for dialect in dialects:
        for size in sizes:
            values = _values(data, dialect, size, meter)
            if values:
                yield from _told(data, dialect, size, values)


SEPARATORS = (b"\n", b"\r\n", b"\0", b"\xff", b"\0\0\0\0", b"\xff\xff\xff\xff", b",", b";")
"""What programs write behind each value, or each packet in a log."""
READS_ONE = "expects nothing between values but the length of four bytes before each"


def odd_prefix_candidates(data: bytes, dialects: Iterable[Dialect], meter: WorkBudget) -> Iterator[Candidate]:
    """Lengths of no fixed size, lengths on both sides of a value, and what separates values.

    Raises:
        GivenUp: nobody wants more.
    """
    if not SHORTEST <= len(data) <= MOST_BYTES:
        return
    for dialect in dialects:
        for read, slug, writes, bits in ODD:
            found = _chain(data, dialect, read, meter)
            if found:
                yield _stored(dialect, found, EncoderRule(slug, writes, READS, "length", (), bits))
        for mark in SEPARATORS:
            for prefixed in (False, True):
                ends = _separated(data, dialect, mark, prefixed, meter)
                if ends:
                    yield _without(dialect, ends, mark, prefixed)


def _leb128(data: bytes, at: int) -> tuple[int, int, int]:
    """Where the value begins behind a length in LEB128, how long it is, and what follows it."""
    size = shift = 0
    for k in range(5):
        byte = data[at + k]
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return at + k + 1, size, 0
    raise IndexError


def _netstring(data: bytes, at: int) -> tuple[int, int, int]:
    colon = data.index(b":", at, at + 10)
    return colon + 1, int(data[at:colon]), 1


def _decimal_line(data: bytes, at: int) -> tuple[int, int, int]:
    end = data.index(b"\n", at, at + 12)
    return end + 1, int(data[at:end]), 0


def _both_ends(data: bytes, at: int) -> tuple[int, int, int]:
    size = int.from_bytes(data[at : at + 4], "little")
    if data[at + 4 + size : at + 8 + size] != data[at : at + 4]:
        raise IndexError
    return at + 4, size, 4


Odd = Callable[[bytes, int], tuple[int, int, int]]
ODD: tuple[tuple[Odd, str, str, float], ...] = (
    (_leb128, "prefix-leb128", "writes the length before a value as a varint (LEB128)", 7.5),
    (_netstring, "prefix-netstring", "writes the length before a value in digits, a colon, and a comma after it", 8.0),
    (_decimal_line, "prefix-in-digits", "writes the length before a value in digits and a line feed", 8.5),
    (_both_ends, "prefix-both-ends", "writes the length of a value before it and after it", 8.0),
)


def _chain(data: bytes, dialect: Dialect, read: Odd, meter: WorkBudget) -> list[tuple[int, int, int, int]]:
    """Where each prefix and its value begin, where the value ends and the next prefix begins."""
    at = 0
    out: list[tuple[int, int, int, int]] = []
    while at < len(data):
        try:
            start, size, behind = read(data, at)
        except (IndexError, ValueError):
            return []
        end = start + size
        if size < 4 or end + behind > len(data) or len(out) >= MOST_FRAMES or meter.spent:
            return []
        table = meter.scan(data, start, end, dialect)
        if not is_readable(table) or table.end_of_data != size:
            return []
        out.append((at, start, end, end + behind))
        at = end + behind
    return out


def _stored(dialect: Dialect, found: list[tuple[int, int, int, int]], rule: EncoderRule) -> Candidate:
    patches: list[Patch] = []
    for at, start, end, after in found:
        patches.append(Patch(at, start - at, (end - start).to_bytes(4, "little")))
        patches += [Patch(end, after - end, b"")] if after > end else []
    count = len(found)
    fact = _everywhere(count, "length")
    return Candidate(
        Cause.PREFIX_OFF,
        tuple(patches),
        fact,
        framed=True,
        framing=STORED,
        dialect=dialect,
        rules=(rule,),
        bits=rule.bits,
        places=count,
    )


def _separated(data: bytes, dialect: Dialect, mark: bytes, prefixed: bool, meter: WorkBudget) -> list[int]:
    """Where the separators stand that follow each value, with its length before it or without; none if they do not."""
    if mark not in data:
        return []
    at = 0
    out: list[int] = []
    while at < len(data) and len(out) < MOST_FRAMES and not meter.spent:
        start = at + 4 * prefixed
        if start + 4 > len(data):
            return []
        size = int.from_bytes(data[at : at + 4], "little") if prefixed else len(data) - start
        if size > len(data) - start:
            return []
        table = meter.scan(data, start, start + size, dialect)
        end = start + table.end_of_data
        if not is_readable(table) or (prefixed and table.end_of_data != size):
            return []
        if end == len(data) and out:
            return out
        if data[end : end + len(mark)] != mark:
            return []
        out.append(end)
        at = end + len(mark)
    return out if at == len(data) and (len(out) > 1 or any(mark)) else []


def _without(dialect: Dialect, found: list[int], mark: bytes, prefixed: bool) -> Candidate:
    shown, count = mark.hex(" ").upper(), len(found)
    writes = f"writes {shown} after each value"
    rule = EncoderRule("separators", writes, READS_ONE, "value", (), 7.0)
    patches = tuple(Patch(at, len(mark), b"") for at in found)
    framing = STORED if prefixed else BARE if count == 1 else CONCATENATED
    fact = _everywhere(count, "value", "after") if count > 1 else f"{shown} follows the value."
    return Candidate(
        Cause.SEPARATED,
        patches,
        fact,
        framed=True,
        framing=framing,
        dialect=dialect,
        rules=(rule,),
        bits=rule.bits,
        places=count,
    )


def _values(data: bytes, dialect: Dialect, size: int, meter: WorkBudget) -> list[tuple[int, int]]:
    """Where the values lie, each behind *size* bytes; nothing where they do not fill all bytes."""
    at = 0
    out: list[tuple[int, int]] = []
    while at < len(data) and len(out) < MOST_FRAMES and not meter.spent:
        start = at + size
        if start + 4 > len(data):
            return []
        taken = meter.size(data, start, len(data), dialect)
        if taken < 0:
            return []
        at = start + taken
        out.append((start, at))
    return out if at == len(data) else []


def _told(data: bytes, dialect: Dialect, size: int, values: list[tuple[int, int]]) -> Iterator[Candidate]:
    raws = [data[start - size : start] for start, _ in values]
    sizes = [end - start for start, end in values]
    found = [
        EncoderRule(rule.slug, rule.writes, READS, "length", (), rule.bits)
        for rule in PREFIX_RULES
        if rule.size == size and all(rule.fits(raw, value) for raw, value in zip(raws, sizes, strict=True))
    ]
    if not found:
        found = list(_related(raws, values))
    number = int.from_bytes(raws[0], "little")
    if not found and size == 4 and len(set(raws)) == 1 and number != sizes[0]:
        slug, bits = CONSTANT
        writes = f"writes {number:,} before each value, whatever its length"
        found = [EncoderRule(slug, writes, READS, "length", (), bits + (2.0 if number & number - 1 else 0.0))]
    for rule in found:
        patches = tuple(Patch(start - size, size, (end - start).to_bytes(4, "little")) for start, end in values)
        count = len(values)
        fact = _everywhere(count, "length")
        yield Candidate(
            Cause.PREFIX_OFF,
            patches,
            fact,
            framed=True,
            framing=STORED,
            dialect=dialect,
            rules=(rule,),
            bits=rule.bits,
            places=count,
        )


def _end_of(start: int, end: int) -> int:
    return end


def _begin_of(start: int, end: int) -> int:
    return start


def _size_of(start: int, end: int) -> int:
    return end - start


LEAST_RELATED, SURELY_RELATED, MOST_OFF = 2, 3, 64
"""So many numbers tell what they are, where they are it exactly; with a constant beside it, so small, it takes more."""
RELATED = 8.5
"""Bits: that an encoder writes such a number for the length of a value; a constant takes as many more as it has."""
RELATIONS: tuple[tuple[str, str, Callable[[int, int], int]], ...] = (
    ("prefix-offset-of-end", "writes where a value ends, counted from the beginning, for how long it is", _end_of),
    (
        "prefix-offset-of-value",
        "writes where a value begins, counted from the beginning, for how long it is",
        _begin_of,
    ),
    ("prefix-off", "writes the length before a value", _size_of),
)
"""What the number before a value may tell, each with its name on the command line and what the encoder does."""


def _beside(by: int, is_own_size: bool) -> str:
    """By how much a number is another one than it should be."""
    return f", but {abs(by)} too {'large' if by > 0 else 'small'}{', as if it counted itself' if is_own_size else ''}"


def _related(raws: list[bytes], values: list[tuple[int, int]]) -> Iterator[EncoderRule]:
    """What the numbers before all values tell, if they are not constant, up to a constant that is the same for all."""
    if len(set(raws)) < LEAST_RELATED:
        return
    for order in ("little", "big"):
        numbers = [int.from_bytes(raw, order) for raw in raws]
        for slug, writes, told in RELATIONS:  # a number that counts up is no length: a game stored it
            off = {number - told(*value) for number, value in zip(numbers, values, strict=True)}
            by = off.pop()
            if off or (by and (len(raws) < SURELY_RELATED or abs(by) > MOST_OFF)):
                continue
            more = _beside(by, told is _size_of and by == len(raws[0])) if by else ""
            turned = ", big-endian" if order == "big" and len(raws[0]) > 1 else ""
            bits = RELATED + abs(by).bit_length() + (1.0 if turned else 0.0)
            yield EncoderRule(slug, f"{writes}{more}{turned}", READS, "length", (), bits)
            return
