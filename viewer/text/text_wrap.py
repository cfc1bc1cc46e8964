"""What every text that is read to values has in common: its form, its damages in words, what is no text at all."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from viewer.base.buffer import joined
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.layer import MOST_INSIDE, Damage, SourceText, Unwrapped, WrapError
from viewer.text.patching import Notation, Patcher, Respelled, common, common_end, is_as_near_as_can_be
from viewer.text.source_map import SourceMap
from viewer.variant.dialect import COLLECTIONS, load_text_values
from viewer.variant.hops import letters

SAMPLE = 1 << 16
"""So many bytes tell whether a file is such a text."""
BEGINNING = 1 << 16
"""So many bytes of a long text hold more values than a screen shows, and are read in a moment."""
CONTROLS = late_pattern(rb"[\x00-\x08\x0e-\x1f]")
UNITS_OF_A_LINE = 2
"""A key and its value, or the name of a section and what it holds."""
BLANKS, BLANKS_BEHIND = bytes(range(1, 33)), 1 << 10
"""What is white space to the engines, and how much of it may stand behind a value that is read by itself."""
BEHIND_KEYS = b":=;"
"""Signs of which one follows a key; of which one may stand in a comment behind it."""
FEW = 64
"""A text has no more control signs than one, and one more in so many bytes."""
BOM = b"\xef\xbb\xbf"
MOST_SLIPS = 100
ZERO_INSIDE = "There is a zero byte here: Godot 4 refuses such a text, Godot 3 reads something else or refuses it too."
ZERO_PASSED = "There is a zero byte here: engines pass over it."
_ZEROS = late_pattern(rb"\x00++")
NOTHING_READ = "None of this text can be read, so no value can be put into it: repair the text first."
BEGUN = "Only the beginning of this text was read; it can be changed when all of it has been."


def is_text(start: bytes) -> bool:
    """Whether bytes are text, of which a few signs may be damaged."""
    return b"\0" not in start and (len(CONTROLS.findall(start)) - 1) * FEW <= len(start)


def without_zeros(text: bytes) -> tuple[bytes, list[Damage]]:
    """A text without the zero bytes behind its end, and what is to be told of them."""
    kept = text.rstrip(b"\0")
    count = len(text) - len(kept)
    if not count or not kept:
        return text, []
    what = "A zero byte comes" if count == 1 else f"{count} zero bytes come"
    sentence = f"{what} after the end, as a crash leaves them while a file is written; engines stop reading here."
    return kept, [Damage(Span(len(kept), len(text)), sentence)]


def zeros_inside(text: bytes) -> list[Damage]:
    """Zero bytes in front of the end of a text, which is refused for them."""
    found, at = list[Damage](), text.find(b"\0")
    while at >= 0 and len(found) < MOST_SLIPS:
        found.append(Damage(Span(at, at + 1), ZERO_INSIDE))
        at = text.find(b"\0", at + 1)
    return found


def zeros_passed(text: bytes, told: Sequence[Damage]) -> list[Damage]:
    """Zero bytes that engines pass over in settings and resources [run: 3.2.3 and 4.6]: all but the refused ones."""
    starts = [damage.span.start for damage in told]
    runs = islice(_ZEROS.finditer(text), MOST_SLIPS)
    return [
        Damage(Span(*run.span()), ZERO_PASSED)
        for run in runs
        if not any(run.start() <= start < run.end() for start in starts)
    ]


def beginning(text: bytes) -> bytes:
    """The beginning of a long text, up to a comma or the end of a line: no number goes on behind; empty for none."""
    end = max(text.rfind(b"\n", 0, BEGINNING), text.rfind(b",", 0, BEGINNING)) + 1
    return text[:end]


@dataclass(frozen=True, slots=True)
class LoneValues:
    """How values of a kind of text that hold no others are read by themselves.

    Args:
        read: gives the bytes of a text that is one such value, None for every other.
        is_such: whether a text in which values were changed is still read in the same dialect.
        is_apart: whether nothing hangs on how the value is spelled that stands at some bytes of a text.
        has_sections: whether the values of the outermost one are sections, and their names.
    """

    read: Callable[[bytes], bytes | None]
    is_such: Callable[[bytes], bool] = lambda _: True
    is_apart: Callable[[bytes, Span], bool] = lambda _, __: True
    has_sections: bool = False


class ReadText(SourceText):
    """A text that was read, with all that it takes to write it again.

    Args:
        label: what a person calls it.
        outside: the text.
        inside: the bytes that were made of it.
        places: where their values stand.
        dialect: the name of the file that says how they lie.
        is_list: whether there are several.
        notation: makes of a text what writes values as it does.
        damages: what the engines refuse, and what could not be read.
        notes: what else is worth knowing, as sentences with their places.
        scripts: where a script stands that the engine would run.
        slips: what the engines take, but hardly as it was meant.
        lone: how values are read by themselves; None where other things hang on each of them.
        refused: what the engines refuse, though it could be read.
        is_begun: whether only the beginning was read.
    """

    def __init__(
        self,
        label: str,
        outside: bytes,
        inside: bytes,
        places: SourceMap,
        dialect: str,
        is_list: bool,
        notation: Callable[[bytes], Notation],
        damages: Sequence[Damage],
        notes: Sequence[Damage] = (),
        scripts: tuple[Span, ...] = (),
        slips: Sequence[Damage] = (),
        lone: LoneValues | None = None,
        refused: Sequence[Damage] = (),
        is_begun: bool = False,
    ) -> None:
        self.label = label
        self.outside = outside
        self.inside = inside
        self.places = places
        self.dialect = dialect
        self.is_list = is_list
        self.damages = tuple(_told(outside, (*damages, *refused)))
        self._broken = [damage.span for damage in damages]
        self.notes = tuple(_told(outside, notes))
        self.slips = tuple(_told(outside, slips[:MOST_SLIPS]))
        self.scripts = scripts
        self.is_begun = is_begun
        self._notation = notation
        self._lone = lone
        self._lines = _LineCounts(outside)
        self._columns = ColumnCounter()

    def wrap(self, inside: bytes) -> bytes:
        """The text with what changed since it was read.

        Raises:
            WrapError: it cannot hold a value, or something that could not be read would change.
        """
        return self.rewritten(inside)[0]

    def rewritten(self, inside: bytes) -> tuple[bytes, ReadText | None]:
        """The same, and the text as it would be read, where that is known already: only single values are others.

        Raises:
            WrapError: as above.
        """
        if inside == self.inside:
            return self.outside, self
        if self.is_begun:
            raise WrapError(BEGUN)
        if not len(self.places):
            raise WrapError(NOTHING_READ)
        dialect = load_text_values(self.dialect)
        notation = self._notation(self.outside)
        patcher = Patcher(self.outside, self.inside, self.places, inside, dialect, notation, self._broken)
        text = patcher.patched()
        return text, self._known(text, inside, patcher.respelled)

    def _known(self, text: bytes, inside: bytes, respelled: Sequence[Respelled] | None) -> ReadText | None:
        """The text after values were spelled otherwise, without reading it; None where it must be read.

        A text in which nothing is wrong is cut by the signs between its values. So it is read as before, if each new
        spelling by itself is read to the bytes that it stands for, or as near to them as a text can come.
        """
        if respelled is None or self._lone is None or not self._is_plain or not self._lone.is_such(text):
            return None
        truth = [self._read(each, inside, self._lone) for each in respelled]
        if None in truth:
            return None
        for each, read in zip(respelled, truth, strict=True):
            if read is not None and read != inside[each.new.start : each.new.end]:
                inside = joined((memoryview(inside)[: each.new.start], read, memoryview(inside)[each.new.end :]))
        changes = [
            (each.number, len(each.new) - each.old, len(each.spelled) - len(self.places.span(each.number)))
            for each in sorted(respelled, key=lambda each: each.number)
        ]
        places = self.places.respelled(changes)
        if not all(self._lone.is_apart(text, places.span(number)) for number, _, _ in changes):
            return None
        first = places.start[changes[0][0]] if changes else 0
        return self._changed(text, inside, places, first)

    @property
    def _is_plain(self) -> bool:
        """Whether all was read and nothing is to be told of it, so that it is cut by the signs between its values."""
        return not (self.damages or self.notes or self.slips or self.scripts or self.is_list or self.is_begun)

    def _changed(self, text: bytes, inside: bytes, places: SourceMap, first: int) -> ReadText:
        """A text with other values in the same places; *first* is the first byte that is another one."""
        known = ReadText(
            self.label,
            text,
            inside,
            places,
            self.dialect,
            False,
            self._notation,
            (),
            lone=self._lone,
        )
        known.comment, known.has_sections = self.comment, self.has_sections
        known._count_from(self, first)
        return known

    def follow(self, before: SourceText) -> None:
        if isinstance(before, ReadText):
            old, new = before.outside, self.outside
            self._count_from(before, common(old, 0, len(old), new, 0, len(new)))

    def _count_from(self, before: ReadText, first: int) -> None:
        """Have the lines and columns of another text, which is the same up to a byte."""
        self._lines, self._columns = before._lines.followed(self.outside, first), before._columns.followed(first)

    def unread(self, text: bytes, why: str) -> Unwrapped:
        """Another text in this one's place of which nothing can be read: it is kept, and holds no value."""
        damages = (Damage(Span(0, len(text)), why),)
        form = ReadText(self.label, text, b"", SourceMap(), self.dialect, self.is_list, self._notation, damages)
        form.comment, form.has_sections = self.comment, self.has_sections
        return Unwrapped(b"", form, form.damages)

    def _read(self, change: Respelled, inside: bytes, lone: LoneValues) -> bytes | None:
        """What a new spelling is read to where an old value without others stood; None where that is not as meant."""
        place = self.places.span(change.number)
        if not self.places.is_single(change.number) or change.number == 0 or b"\n" in change.spelled:
            return None
        if not lone.is_apart(self.outside, place):
            return None
        read, meant = lone.read(change.spelled), inside[change.new.start : change.new.end]
        if read is None or read == meant:
            return read
        return read if is_as_near_as_can_be(read, meant, load_text_values(self.dialect)) else None

    def retyped(self, text: bytes) -> Unwrapped | None:
        """What is read of a text where only one value that holds no others was typed over; None for every other.

        All around it is cut as before, by the signs on both sides of it, if what was typed is such a value by itself.
        """
        lone, places, old = self._lone, self.places, self.outside
        if lone is None or not self._is_plain or not len(places) or len(text) > MOST_INSIDE:
            return None
        front = common(old, 0, len(old), text, 0, len(text))
        end = len(old) - common_end(old, front, len(old), text, front, len(text))
        number, grown = places.begun(front), len(text) - len(old)
        place = places.span(number)
        typed = Span(place.start, place.end + grown)
        if not (place.start <= front and end <= place.end and self._is_lone(number, lone)):
            return None
        if not (lone.is_such(text) and lone.is_apart(old, place) and lone.is_apart(text, typed)):
            return None
        spelled = text[typed.start : typed.end]
        value = lone.read(spelled) if b"\n" not in spelled else None
        if value is None:
            return None
        begin, behind = places.inside[number], places.inside_end(number, len(self.inside))
        inside = joined((memoryview(self.inside)[:begin], value, memoryview(self.inside)[behind:]))
        if len(inside) > MOST_INSIDE:
            return None
        moved = places.respelled([(number, len(value) - (behind - begin), grown)])
        return Unwrapped(inside, self._changed(text, inside, moved, front))

    def _is_lone(self, number: int, lone: LoneValues) -> bool:
        """Whether a value holds no others and could not, and is neither a key nor a name."""
        places, text = self.places, self.outside
        if number == 0 or not places.is_single(number) or (lone.has_sections and not places.parent[number]):
            return False
        at, end = places.inside[number], places.end[number]
        row = load_text_values(self.dialect).row(int.from_bytes(self.inside[at : at + 4], "little"))
        if row is None or row.kind in COLLECTIONS:
            return False
        follows = text[end : end + BLANKS_BEHIND].lstrip(BLANKS)[:1]
        return follows not in BEHIND_KEYS if follows else end + BLANKS_BEHIND >= len(text)

    def span_of(self, offset: int) -> Span:
        """The bytes of the text that spell the value around a byte inside."""
        return self.places.span(self.places.number(offset)) if len(self.places) else Span(0, 0)

    def inside_of(self, offset: int) -> int:
        """Where the value begins inside that a byte of the text belongs to."""
        return self.places.inside[self.places.at(offset)] if len(self.places) else 0

    def values_in(self, start: int, end: int) -> Iterator[tuple[Span, int]]:
        """The values that touch some bytes of the text, outer ones first: where each stands, and begins inside."""
        places = self.places
        return ((places.span(number), places.inside[number]) for number in places.touching(start, end))

    def crowded(self, start: int, end: int) -> Span | None:
        """Where in the lines of some bytes a key or a section begins behind another one; None where none does.

        Engines take that, and hardly anybody means it. It is asked of ConfigFile, resources and scenes.
        """
        places, at = self.places, self.outside.rfind(b"\n", 0, start) + 1
        end = self.outside.find(b"\n", end)
        line, count = -1, 0
        for number in places.touching(at, len(self.outside) if end < 0 else end):
            begin, parent = places.start[number], places.parent[number]
            if begin < at or not number or (parent and places.parent[parent]):
                continue
            head = self.outside.rfind(b"\n", 0, begin)
            line, count = head, count + 1 if head == line else 1
            if count > UNITS_OF_A_LINE:
                return Span(begin, begin + 1)
        return None

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte, both from 1."""
        before = self._lines.before(offset)
        return before + 1, self._columns.column(self.outside, self._lines.start(before) or 0, offset)

    def offset_of(self, line: int, column: int = 1) -> int | None:
        """The byte at a line and a column, both from 1, the last one of a shorter line; None for no such line."""
        start = self._lines.start(line - 1)
        if start is None:
            return None
        end = self.outside.find(b"\n", start)
        end = len(self.outside) if end < 0 else end
        signs = self.outside[start:end].decode(errors="surrogateescape")[: max(column - 1, 0)]
        return start + len(signs.encode(errors="surrogateescape"))


class _LineCounts:
    """How many lines end in front of each stretch of a text, as far as somebody asked.

    Args:
        text: all of it.
    """

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._counts = array("Q", (0,))

    def followed(self, text: bytes, start: int) -> _LineCounts:
        """The counts of another text, which is the same up to a byte."""
        found = _LineCounts(text)
        found._counts = self._counts[: start // SAMPLE + 1]
        return found

    def before(self, offset: int) -> int:
        """How many lines end in front of a byte."""
        stretch = offset // SAMPLE
        while len(self._counts) <= stretch:
            self._count()
        return self._counts[stretch] + self._text.count(b"\n", stretch * SAMPLE, offset)

    def start(self, line: int) -> int | None:
        """Where a line begins, the first one is 0; None where there is none."""
        while line > self._counts[-1] and len(self._counts) * SAMPLE < len(self._text) + SAMPLE:
            self._count()
        if line <= 0:
            return 0 if line == 0 else None
        stretch = bisect_left(self._counts, line) - 1
        at = stretch * SAMPLE
        for _ in range(line - self._counts[stretch]):
            at = self._text.find(b"\n", at) + 1
            if not at:
                return None
        return at

    def _count(self) -> None:
        """Count one stretch more."""
        at = (len(self._counts) - 1) * SAMPLE
        self._counts.append(self._counts[-1] + self._text.count(b"\n", at, at + SAMPLE))


class Sliced(Protocol):
    """What columns are counted in: bytes, however they are kept."""

    def __getitem__(self, at: slice, /) -> bytes:
        """Some of them."""


class ColumnCounter:
    """Columns in a text; the letters of a very long line are counted by stretches, each of them once."""

    def __init__(self) -> None:
        self._begin = 0
        self._counts = array("Q", (0,))

    def followed(self, start: int) -> ColumnCounter:
        """What counts in another text, which is the same up to a byte."""
        found = ColumnCounter()
        if self._begin <= start:
            found._begin, found._counts = self._begin, self._counts[: (start - self._begin) // SAMPLE + 1]
        return found

    def column(self, text: Sliced, begin: int, offset: int) -> int:
        """The column of a byte in the line that begins at another one, in characters, from 1.

        A byte order mark is none.
        """
        if offset - begin <= SAMPLE:
            return len(text[begin:offset].removeprefix(BOM).decode(errors="replace")) + 1
        if begin != self._begin:
            self._begin, self._counts = begin, array("Q", (0,))
        stretch = (offset - begin) // SAMPLE
        while len(self._counts) <= stretch:
            at = begin + (len(self._counts) - 1) * SAMPLE
            self._counts.append(self._counts[-1] + _letters(text[at : at + SAMPLE]))
        has_mark = begin == 0 and text[: len(BOM)] == BOM
        return self._counts[stretch] + _letters(text[begin + stretch * SAMPLE : offset]) + 1 - has_mark


def _letters(part: bytes) -> int:
    found: int = len(part) if part.isascii() else letters(part, 0, len(part))
    return found


def _told(text: bytes, damages: Sequence[Damage]) -> list[Damage]:
    """Damages with the line, the column and the byte in their sentences."""
    out, line, at, begin, columns = [], 1, 0, 0, ColumnCounter()
    for damage in sorted(damages, key=lambda each: each.span.start):
        start = damage.span.start
        line += text.count(b"\n", at, start)
        at = start
        begin = max(begin, text.rfind(b"\n", begin, start) + 1)
        place = f"Line {line}, column {columns.column(text, begin, start)} (byte {start}): "
        out.append(replace(damage, sentence=place + damage.sentence))
    return out
