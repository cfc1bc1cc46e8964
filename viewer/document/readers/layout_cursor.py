"""What stands at a place of a file that is read by a layout: bytes, numbers, lines, values; and the words for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from struct import unpack

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, field
from viewer.base.span import Span
from viewer.base.varint import LONGEST, varint_at
from viewer.container.frames import is_header
from viewer.document.pieces.message import FieldForm, FieldRole, MessageField
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.file_layout import NUMBERS, PLACES, VARINT, Amount, LayoutField, Said
from viewer.document.readers.resource_uid import uid_text
from viewer.variant.dialect import Dialect, load
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LONGEST_TEXT = 1 << 20
MOST_TEXT = 1 << 26
"""Bytes of texts and numbers that are read in one file."""
LINE = 256
"""Bytes in which the end of a text is looked for first."""


class LayoutEnds(Exception):
    """The bytes do not follow the layout any further.

    Args:
        field: what should stand there; None where there is too much to read.
        at: where.
    """

    def __init__(self, field: LayoutField | None, at: int) -> None:
        super().__init__()
        self.field = field
        self.at = at


@dataclass(slots=True)
class LayoutScope:
    """What the fields before said, by their names.

    Args:
        said: what they said.
        words: where the numbers among them stand, and in which order of bytes.
        spans: where all of them lie.
        checks: checksums whose fields were not all read yet.
    """

    said: dict[str, Said] = field(default_factory=dict)
    words: dict[str, tuple[Span, bool, bool]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    checks: list[tuple[LayoutField, Span]] = field(default_factory=list)

    def inner(self) -> LayoutScope:
        """That of a group."""
        return LayoutScope(dict(self.said), dict(self.words), dict(self.spans))


class LayoutCursor:
    """An offset in a file, and the part of it that may be read there.

    Args:
        buffer: the bytes of the file.
    """

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self.text_left = MOST_TEXT
        self.at = 0
        self.part = Span(0, len(buffer))

    def whole(self, each: LayoutField, kind: str) -> int:
        """A whole number of a type."""
        found = self.number(each, kind)
        assert isinstance(found, int)
        return found

    def raw(self, each: LayoutField, size: int) -> bytes:
        """So many bytes."""
        if size > LONGEST_TEXT:
            raise LayoutEnds(each, self.at)
        start = self.at
        self.skip(each, size)
        self._spend(each, size)
        return bytes(self._buffer[start : self.at])

    def _spend(self, each: LayoutField, size: int) -> None:
        """No file is read over and over by offsets that lead back to the same bytes."""
        self.text_left -= size
        if self.text_left < 0:
            raise LayoutEnds(each, self.at)

    def skip(self, each: LayoutField, size: int) -> None:
        """Leave so many bytes behind."""
        if not 0 <= size <= self.part.end - self.at:
            raise LayoutEnds(each, self.at)
        self.at += size

    def number(self, each: LayoutField, kind: str) -> int | float:
        """A number of a type, in the order of the field."""
        if kind == VARINT:
            return self._varint(each)
        size, sort = NUMBERS[kind]
        raw = self.raw(each, size)
        order = "big" if each.big_endian else "little"
        if sort == "f":
            number: float = unpack((">" if each.big_endian else "<") + ("f" if size == 4 else "d"), raw)[0]
            return number
        return int.from_bytes(raw, order, signed=sort == "i")  # type: ignore[arg-type]

    def amount(self, amount: Amount, said: Mapping[str, Said]) -> int:
        """An amount here; fields that are no whole numbers, or not there, count nothing."""
        total = 0
        for name, factor in amount.terms:
            total += self.term(name, factor, said)
        return total

    def term(self, name: str, factor: int, said: Mapping[str, Said]) -> int:
        """One term of an amount: a number by itself, what a field said, or a place."""
        value = said.get(name) if name else 1
        if value is None and name in PLACES:
            value = self.at if name == "here" else self.part.start if name == "start" else self.part.end
        return factor * value if isinstance(value, int) else 0

    def _varint(self, each: LayoutField) -> int:
        found = varint_at(bytes(self._buffer[self.at : min(self.at + LONGEST, self.part.end)]))
        if found is None:
            raise LayoutEnds(each, self.at)
        self.raw(each, found[1])
        return found[0]

    def line(self, each: LayoutField) -> bytes:
        """A text up to what ends it, or up to the end of the part."""
        ending, start = each.ending, self.at
        raw, size = b"", LINE
        while ending not in raw and len(raw) < self.part.end - start:
            raw = bytes(self._buffer[start : min(start + size, self.part.end)])
            size *= 4
            if len(raw) > LONGEST_TEXT and ending not in raw:
                raise LayoutEnds(each, self.at)
        place = raw.find(ending)
        self._spend(each, len(raw) if place < 0 else place)
        if place < 0:
            raise LayoutEnds(each, self.at)
        self.at = start + place + len(ending)
        return raw[:place]


# Values: where they end, what they say, in which dialect they are.


LEAST_VALUE = 4
MOST_TRIED = 64
"""Values that tell which of some dialects is the file's."""
SPEAKING = 1 << 12
"""Bytes of a value that are looked at for what it says."""
USUAL = "godot4"


class LayoutValues:
    """The values of one file.

    Args:
        buffer: its bytes.
        dialects: in which they may be, the likeliest first.
    """

    def __init__(self, buffer: Buffer, dialects: Sequence[str]) -> None:
        self._buffer = buffer
        self._keys = dialects or (USUAL,)
        self._dialects: list[Dialect] = []
        self._ends: dict[tuple[int, int], int | None] = {}

    @property
    def dialects(self) -> list[Dialect]:
        """Those that were named."""
        if not self._dialects:
            self._dialects = [load(key) for key in self._keys]
        return self._dialects

    def end(self, at: int, last: int, width: int, big_endian: bool) -> int | None:
        """Where a sound value ends that stands at an offset; None where there is none.

        Args:
            at: where it, or its length, begins.
            last: where its part ends.
            width: the bytes of the length in front of it, 0 for none.
            big_endian: the order of these.
        """
        key = at, last
        if key not in self._ends:
            self._ends[key] = self._measured(at, last, width, big_endian)
        return self._ends[key]

    def _measured(self, at: int, last: int, width: int, big_endian: bool) -> int | None:
        start, end = at + width, last
        if width:
            order = "big" if big_endian else "little"
            end = start + int.from_bytes(self._buffer[at:start], order)  # type: ignore[arg-type]
        if start + LEAST_VALUE > end or end > last or not is_header(self._buffer, start):
            return None
        table = scan(window(self._buffer, start, end), self.dialects[0])
        if not _is_sound(table) or (width and start + table.end_of_data != end):
            return None
        return start + table.end_of_data

    def says(self, span: Span) -> Said | None:
        """What a value says: a number, a text, or what the first value inside it says; None for anything else."""
        whole = min(span.end, span.start + SPEAKING)
        for dialect in self.dialects:
            table = scan(window(self._buffer, span.start, whole), dialect)
            for node in range(min(len(table), 2)):
                row = table.row(node)
                found = read_shallow(table, node).data if row is not None else None
                if isinstance(found, int | float | str):
                    return found if isinstance(found, float) else str(found) if isinstance(found, str) else int(found)
        return None

    def likeliest(self, pieces: Sequence[MessageField]) -> Dialect:
        """The dialect in which most of the first values are sound."""
        if len(self.dialects) == 1:
            return self.dialects[0]
        values = [piece for piece in pieces if piece.role is FieldRole.VALUE][:MOST_TRIED]

        def sound(dialect: Dialect) -> int:
            count = 0
            for piece in values:
                start = piece.children[0].span.end if piece.children else piece.span.start
                table = scan(window(self._buffer, start, piece.span.end), dialect)
                count += _is_sound(table) and table.end_of_data == piece.span.end - start
            return count

        return max(self.dialects, key=sound)


def _is_sound(table: NodeTable) -> bool:
    return not any(found.severity is Severity.ERROR for found in table.diagnostics)


# Words: numbers with their names, bits and times, and what a file inside is.


LATEST = 253_402_300_800
"""Seconds since 1970 from which on there is no date that a person writes: the year 10000."""
HEAD = 1 << 12
"""Bytes that tell what a file is."""


def number_words(each: LayoutField, number: float) -> str:
    """A number, and what it means."""
    if each.shown_as in ("seconds", "milliseconds"):
        return _time(number, 1000 if each.shown_as == "milliseconds" else 1)
    if not isinstance(number, int):
        return str(number)
    if each.shown_as == "uid":
        return uid_text(number)
    words = f"0x{number:X}" if each.shown_as == "hex" or each.bits else str(number)
    meaning = [each.names[number]] if number in each.names else []
    meaning += [told for name, low, high in each.bits if (told := _bits(number, name, low, high))]
    return f"{words} ({', '.join(meaning)})" if meaning else words


def _bits(number: int, name: str, low: int, high: int) -> str:
    """What a run of bits says, empty for a single one that is not set."""
    value = number >> low & (1 << high - low + 1) - 1
    if low == high:
        return name if value else ""
    return f"{name} {value}"


def _time(number: float, parts: int) -> str:
    seconds = number / parts if isfinite(number) else -1
    if not 0 <= seconds < LATEST:
        return str(number)
    from datetime import UTC, datetime  # few files have a time

    words = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"{number} ({words})"


def file_words(buffer: Buffer, span: Span) -> str:
    """What the bytes of a span are where they are a file of a known kind: ``, a picture (PNG)``; else nothing."""
    from viewer.document.kinds.file_kinds import strong_kind  # only packages hold files

    found = strong_kind(bytes(buffer[span.start : min(span.end, span.start + HEAD)]))
    return f", {found.name}" if found is not None else ""


def is_readable(raw: bytes) -> bool:
    """Whether a person can read bytes as text; empty ones are none."""
    try:
        return bool(raw) and all(sign.isprintable() or sign in "\t\r\n" for sign in raw.decode())
    except UnicodeDecodeError:
        return False


@lru_cache(64)
def number_form(kind: str, big_endian: bool) -> FieldForm:
    """How a number lies in its bytes: one form for all of a kind."""
    return FieldForm(kind, big_endian)


def is_little(each: LayoutField) -> bool:
    """Whether a checksum is a number whose last byte is the first."""
    return WIDTHS[each.type] == WIDTHS["crc32"] and not each.big_endian
