"""Layouts: a kind of file as data, from ``resources/layouts`` and from the person's own folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TypeAlias

from viewer.base.record import dataclass, field
from viewer.document.readers.checksums import WIDTHS

# Amounts such as ``count * 4 - 2``, and conditions such as ``1..3``.


Said: TypeAlias = "int | float | str"
"""What a field says: a number or a text."""
LONGEST = 200
"""Letters of an amount or a condition at most."""
_TERM = re.compile(r"([+-])([^+*\-]+)(?:\*(\d{1,12}))?")
_NUMBER = r"-?(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})"
_TEST = re.compile(rf"(not\s+)?(?:(&)?({_NUMBER})|({_NUMBER})?\.\.({_NUMBER})?)")


@dataclass(frozen=True, slots=True)
class Amount:
    """How much or where: a sum of numbers and fields.

    Args:
        terms: the name of a field, empty for a number by itself, and its factor.
    """

    terms: tuple[tuple[str, int], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The fields in it."""
        return tuple(name for name, _ in self.terms if name)

    @property
    def only(self) -> str:
        """The field that can follow where the amount changes: the only one in it, counted once; else empty."""
        named = [(name, factor) for name, factor in self.terms if name]
        return named[0][0] if len(named) == 1 and named[0][1] == 1 else ""


def parse_amount(found: object) -> Amount | None:
    """An amount from a layout: a number from 0 on, or a sum such as ``size * 4 - 8``; None for anything else."""
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 63:
        return Amount((("", found),))
    if not isinstance(found, str) or not found.strip() or len(found) > LONGEST:
        return None
    text = re.sub(r"\s*([+*-])\s*", r"\1", f"+{found.strip()}")
    terms, at = [], 0
    while at < len(text):
        term = _TERM.match(text, at)
        if term is None:
            return None
        sign, name, factor = -1 if term[1] == "-" else 1, term[2].strip(), int(term[3] or 1)
        is_number = name.isascii() and name.isdigit()
        if not name or (is_number and len(name) > len(str(1 << 63))):
            return None
        terms.append(("", sign * factor * int(name)) if is_number else (name, sign * factor))
        at = term.end()
    return Amount(tuple(terms))


@dataclass(frozen=True, slots=True)
class FieldCondition:
    """What a field may say: one of these.

    Args:
        tests: of a number: whether it is turned round, the mask of bits that must be set or -1, the lowest and the
            highest number; of a text its pattern.
        words: as the layout has it.
    """

    tests: tuple[tuple[bool, int, int | None, int | None] | str, ...]
    words: str

    def holds(self, said: Said) -> bool:
        """Whether a field that says this is as it should be."""
        return any(_holds(test, said) for test in self.tests)

    @property
    def letters(self) -> int:
        """How many letters of a text are fixed, in the pattern that says least."""
        return min(len(test.replace("*", "").replace("?", "")) if isinstance(test, str) else 0 for test in self.tests)


def _holds(test: tuple[bool, int, int | None, int | None] | str, said: Said) -> bool:
    if isinstance(test, str):
        return isinstance(said, str) and fnmatchcase(said, test)
    turned, mask, low, high = test
    if isinstance(said, str):
        return False
    if mask >= 0:
        inside = isinstance(said, int) and said & mask == mask
    else:
        inside = (low is None or said >= low) and (high is None or said <= high)
    return inside is not turned


def parse_condition(found: object, is_text: bool | None) -> FieldCondition | None:
    """A condition from a layout; None for what is none.

    Args:
        found: for a number ``3``, ``"1..3"``, ``"2.."``, ``"&4"`` (that bit is set), ``"not 0"``; for a text a pattern
            with ``*`` and ``?``; or a list of such.
        is_text: whether the field is a text; None where it may be both, as a value: what is quoted is a pattern then.
    """
    tests = []
    listed = found if isinstance(found, list) else [found]
    for each in listed:
        test = _test(each, is_text)
        if test is None:
            return None
        tests.append(test)
    return FieldCondition(tuple(tests), ", ".join(map(str, listed))) if tests else None


def _test(found: object, is_text: bool | None) -> tuple[bool, int, int | None, int | None] | str | None:
    if is_text or (is_text is None and isinstance(found, str)):
        return found if isinstance(found, str) and len(found) <= LONGEST else None
    if isinstance(found, int) and not isinstance(found, bool):
        return False, -1, found, found
    match = _TEST.fullmatch(found.strip()) if isinstance(found, str) and len(found) <= LONGEST else None
    if match is None or found == "..":
        return None
    turned, number = match[1] is not None, match[3]
    if number is not None:
        value = int(number, 0) if "x" in number.lower() else int(number)
        if match[2] is not None:
            return (turned, value, None, None) if value > 0 else None
        return turned, -1, value, value
    low, high = (
        None if each is None else int(each, 0) if "x" in each.lower() else int(each) for each in match.group(4, 5)
    )
    if low is not None and high is not None and low > high:
        return None
    return turned, -1, low, high


# Layouts.


NUMBERS = {
    **{f"u{8 * size}": (size, "u") for size in (1, 2, 4, 8)},
    **{f"i{8 * size}": (size, "i") for size in (1, 2, 4, 8)},
    "f32": (4, "f"),
    "f64": (8, "f"),
}
"""Bytes and sort of each type of number with a size of its own."""
VARINT = "varint"
COUNTS = (*(name for name, (_, sort) in NUMBERS.items() if sort == "u"), VARINT)
TYPES = (
    *NUMBERS, VARINT, "mark", "text", "bytes", "file", "padding", "value", *WIDTHS, "group", "layout", "unknown",
    "rest",
)  # fmt: skip
SIZED = ("text", "bytes", "file", "group", "value", "mark", "unknown", "padding")
"""What may have a length."""
KEYS = frozenset(
    {
        "name", "type", "order", "text", "hex", "length", "until", "align", "repeat", "called", "field", "optional",
        "at", "is", "when", "names", "bits", "as", "over", "layout",
    }
)  # fmt: skip
TOP_KEYS = frozenset({"name", "dialects", "order", "files", "field"})
FITS, END = "fits", "end"
"""How often a field stands there that stands as often as such bytes do, or up to the end."""
PLACES = ("here", "start", "end")
"""Amounts that are no fields: where the field would stand, where its part begins and ends."""
SHOWN_AS = ("seconds", "milliseconds", "uid", "hex")
DEEPEST = 8
LEAST_LETTERS = 4
"""Fixed letters of a text that tell a file without a mark."""
FOLDER = "layouts"


class LayoutError(ValueError):
    """A layout that cannot be used; the text names file and line, and says what to mend."""


@dataclass(frozen=True, slots=True)
class LayoutField:
    """One field.

    Args:
        name: what it is called.
        type: one of :data:`TYPES`.
        big_endian: the order of the bytes of its number, or of its length.
        mark_text, mark_bytes: of a mark, what stands there.
        length: of a text, bytes, a part: how many bytes it has; None where something else says it.
        prefix: the type of the number in front of it that says so, empty for none.
        ending: what ends a text, b"" for nothing.
        align: to a multiple of so many bytes a text is filled, or padding goes; 0 for none.
        repeat: how often it stands there; None is once, :data:`FITS`, :data:`END`.
        last: what the last of the repeated ones says, or the first field in it.
        called: the field whose text is its name.
        at: the offset where it lies; None is behind the one before.
        must: what it must say.
        when: what other fields must say so that it stands there, by their names.
        names: what its numbers mean.
        bits: of a number, the name of each run of bits with the lowest and the highest.
        shown_as: one of :data:`SHOWN_AS`, or empty.
        over: of a checksum, the names of the first and the last field that it is over.
        fields: of a group.
        optional: whether it may be missing.
    """

    name: str
    type: str
    big_endian: bool = False
    mark_text: str = ""
    mark_bytes: bytes = b""
    length: Amount | None = None
    prefix: str = ""
    ending: bytes = b""
    align: int = 0
    repeat: Amount | str | None = None
    last: FieldCondition | None = None
    called: str = ""
    at: Amount | None = None
    must: FieldCondition | None = None
    when: tuple[tuple[str, FieldCondition], ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    bits: tuple[tuple[str, int, int], ...] = ()
    shown_as: str = ""
    over: tuple[str, str] | None = None
    fields: tuple[LayoutField, ...] = ()
    optional: bool = False

    @property
    def mark(self) -> bytes:
        """The bytes of a mark, behind their length where it has one; empty for all other fields."""
        raw, width = self.mark_bytes, NUMBERS[self.prefix][0] if self.prefix in NUMBERS else 0
        is_sized = raw and width
        return len(raw).to_bytes(width, "big" if self.big_endian else "little") + raw if is_sized else raw

    @property
    def searches(self) -> bool:
        """Whether its place and number depend on what fits."""
        return self.optional or self.repeat == FITS or (self.type == "unknown")

    @property
    def tells(self) -> bool:
        """Whether it stands nowhere by chance, so that it tells a file without a mark."""
        fixed = self.must.letters if self.must is not None else 0
        return self.type == "mark" or self.type in WIDTHS or fixed >= LEAST_LETTERS


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of file.

    Args:
        key: the name of its file without the ending; what JSON calls it.
        name: what a person calls it.
        dialects: in which its values may be, the likeliest first.
        fields: what it is made of.
        files: the names of its files, where no mark tells them: ``slot*.save``.
    """

    key: str
    name: str
    dialects: tuple[str, ...]
    fields: tuple[LayoutField, ...]
    files: str = ""

    @property
    def mark(self) -> bytes:
        """How every such file begins; empty where its name tells it."""
        return self.fields[0].mark

    @property
    def searches(self) -> bool:
        """Whether some of its fields are looked for."""
        return any(each.searches for each in all_fields(self.fields))

    @property
    def heard(self) -> frozenset[str]:
        """The names of fields whose content matters for others, or is told by a condition."""
        named = set()
        for each in all_fields(self.fields):
            amounts = (each.length, each.repeat, each.at)
            named |= {name for amount in amounts if isinstance(amount, Amount) for name in amount.names}
            named |= {each.called, *(name for name, _ in each.when)}
            if each.must is not None or each.last is not None:
                named.add(each.name)
            if each.last is not None and each.fields:
                named.add(each.fields[0].name)
        return frozenset(named)

    @property
    def is_conditional(self) -> bool:
        """Whether neither a mark nor a name tells its files, but what their fields say."""
        return not self.mark and not self.files

    @property
    def has_places(self) -> bool:
        """Whether some of its fields lie where an offset says."""
        return any(each.at is not None for each in all_fields(self.fields))

    def may_be(self, start: bytes, name: str) -> bool:
        """Whether a file that begins so, and is called so, may be of this kind."""
        return start.startswith(self.mark) and (not self.files or fnmatchcase(name.lower(), self.files.lower()))


def all_fields(fields: tuple[LayoutField, ...]) -> Iterator[LayoutField]:
    """Fields with those inside them."""
    waiting = list(fields)
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(each.fields)
