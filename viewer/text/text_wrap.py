"""What every text that is read to values has in common: its form, its damages in words, what is no text at all."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from viewer.base.late_pattern import late_pattern
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.layer import Damage, SourceText, WrapError
from viewer.text.patching import Notation, Patcher, Respelled
from viewer.variant.dialect import load_text_values

if TYPE_CHECKING:
    from viewer.text.source_map import SourceMap

SAMPLE = 1 << 16
"""So many bytes tell whether a file is such a text."""
BEGINNING = 1 << 17
"""So many bytes of a long text hold more values than a screen shows, and are read in a moment."""
_WITHIN_SIGN = bytes(range(0x80, 0xC0))
"""What goes on with a sign of several bytes."""
CONTROLS = late_pattern(rb"[\x00-\x08\x0e-\x1f]")
UNITS_OF_A_LINE = 2
"""A key and its value, or the name of a section and what it holds."""
FEW = 64
"""A text has no more control signs than one, and one more in so many bytes."""
BOM = b"\xef\xbb\xbf"
MOST_SLIPS = 100
BEGUN = "Only the beginning of this text was read; it can be changed when all of it is."


def is_text(start: bytes) -> bool:
    """Whether bytes are text, of which a few signs may be damaged."""
    return b"\0" not in start and (len(CONTROLS.findall(start)) - 1) * FEW <= len(start)


def beginning(text: bytes) -> bytes:
    """The beginning of a long text, up to a comma or the end of a line: no number goes on behind; empty for none."""
    end = max(text.rfind(b"\n", 0, BEGINNING), text.rfind(b",", 0, BEGINNING)) + 1
    return text[:end]


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
        value_of: gives the bytes of a text that is one value without others inside, None for every other; None where
            other things hang on values.
        is_such: whether a text in which values were changed is still read in the same dialect.
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
        value_of: Callable[[bytes], bytes | None] | None = None,
        is_such: Callable[[bytes], bool] = lambda _: True,
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
        self._value_of = value_of
        self._is_such = is_such
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
        dialect = load_text_values(self.dialect)
        notation = self._notation(self.outside)
        patcher = Patcher(self.outside, self.inside, self.places, inside, dialect, notation, self._broken)
        text = patcher.patched()
        return text, self._known(text, inside, patcher.respelled)

    def _known(self, text: bytes, inside: bytes, respelled: Sequence[Respelled] | None) -> ReadText | None:
        """The text after values were spelled otherwise, without reading it; None where it must be read.

        A text in which nothing is wrong is cut by the signs between its values. So it is read as before, if each new
        spelling by itself is read to the bytes that it stands for.
        """
        is_plain = not (self.damages or self.notes or self.slips or self.scripts or self.is_list)
        if respelled is None or self._value_of is None or not is_plain or not self._is_such(text):
            return None
        if not all(self._is_true(each, inside, self._value_of) for each in respelled):
            return None
        changes = [
            (each.number, len(each.new) - each.old, len(each.spelled) - len(self.places.span(each.number)))
            for each in sorted(respelled, key=lambda each: each.number)
        ]
        places = self.places.respelled(changes)
        known = ReadText(
            self.label,
            text,
            inside,
            places,
            self.dialect,
            False,
            self._notation,
            (),
            value_of=self._value_of,
            is_such=self._is_such,
        )
        known.comment = self.comment
        return known

    def _is_true(self, change: Respelled, inside: bytes, value_of: Callable[[bytes], bytes | None]) -> bool:
        """Whether a new spelling is read to the value that it stands for, wherever an old one without others stood."""
        places, spelled = self.places, change.spelled
        following = change.number + 1
        is_single = following == len(places) or places.parent[following] != change.number
        if not is_single or change.number == 0 or b"\n" in spelled:
            return False
        return value_of(spelled) == inside[change.new.start : change.new.end]

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


class ColumnCounter:
    """Columns in a text; in a very long line the next one is counted from the last one."""

    def __init__(self) -> None:
        self._last: tuple[bytes, int, int, int] = (b"", 0, 0, 0)

    def column(self, text: bytes, begin: int, offset: int) -> int:
        """The column of a byte in the line that begins at another one, in characters, from 1.

        A byte order mark is none.
        """
        if offset - begin <= SAMPLE:
            return len(text[begin:offset].removeprefix(BOM).decode(errors="replace")) + 1
        last, first, known, count = self._last
        if last is not text or first != begin or known > offset:
            known, count = begin, 1 - (begin == 0 and text.startswith(BOM))
        for start in range(known, offset, SAMPLE):
            piece = text[start : min(start + SAMPLE, offset)]
            count += len(piece if piece.isascii() else piece.translate(None, _WITHIN_SIGN))
        self._last = (text, begin, offset, count)
        return count


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
