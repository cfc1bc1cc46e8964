"""Layouts: a kind of file as data, from ``resources/layouts`` and from the person's own folder.

``docs/layouts.md`` teaches all that one may say. What a layout says wrong is told with the file and the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from viewer.base.record import dataclass, field
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.layout_words import Amount, FieldCondition

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
