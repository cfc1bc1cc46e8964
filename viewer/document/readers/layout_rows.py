"""Very many entries of one kind in a file that is read by a layout: each of them in one go, as long as it is ordinary.

What is ordinary: numbers, a text behind its length, checksums, and bytes elsewhere whose place and length these numbers
say. An entry that is cut off, leads nowhere or lacks a field is left to the reader of fields, which finds out all that
is to be said of it; both give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import overload

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.pieces.message import FieldForm, MessageField
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.file_layout import NUMBERS, PLACES, LayoutField, Said
from viewer.document.readers.file_structure import LengthWord, OffsetWord
from viewer.document.readers.layout_cursor import LONGEST_TEXT, LayoutScope, is_little, number_words
from viewer.variant import text

SHOWN_TEXT = 200
SIGNS = {"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "i1": "b", "i2": "h", "i4": "i", "i8": "q"}
CONTENTS = ("bytes", "file")


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """What is still to be done about an entry that was read.

    Args:
        end: where the next one begins.
        spent: the bytes of its texts and numbers.
        sums: its checksums with their places, and the bytes that they are over.
    """

    end: int
    spent: int
    sums: tuple[tuple[LayoutField, Span, Span], ...]


@dataclass(frozen=True, slots=True)
class EntryTables:
    """Where what is read of entries goes: see the reader of fields, whose these are.

    Args:
        pieces: fields, in the order in which they are read.
        sources: which field of the layout begins at a byte.
        offsets, lengths: numbers that follow where an edit moves something.
    """

    pieces: list[MessageField]
    sources: dict[int, tuple[int, ...]]
    offsets: dict[Span, OffsetWord]
    lengths: list[LengthWord]


def is_ordinary(each: LayoutField) -> bool:
    """Whether all entries of a repeated group may be ordinary, where none of their names is said around them."""
    fields, content = each.fields[:-1], each.fields[-1] if each.fields else None
    if each.type != "group" or each.prefix or each.length is not None or each.last is not None or content is None:
        return False
    names = [field.name for field in each.fields]
    is_own = len(set(names)) == len(names) and all(_is_plain(field) for field in fields)
    return is_own and len(fields) > 1 and _is_content(content, set(names[:-1]), names[-1], fields)


def _is_plain(field: LayoutField) -> bool:
    if field.must is not None or field.when or field.at is not None or field.repeat is not None or field.optional:
        return False
    if field.called or field.last is not None:
        return False
    if field.type == "text":
        return field.prefix in NUMBERS and NUMBERS[field.prefix][1] == "u" and not field.ending
    return field.type in WIDTHS or (field.type in NUMBERS and NUMBERS[field.type][1] != "f")


def _is_content(field: LayoutField, own: set[str], name: str, fields: tuple[LayoutField, ...]) -> bool:
    if field.type not in CONTENTS or field.at is None or field.length is None or field.prefix or field.must is not None:
        return False
    if field.repeat is not None or field.optional or field.last is not None or field.length.only not in own:
        return False
    numbers = {each.name for each in fields if each.type in NUMBERS}
    sums = all(each.over == (name, name) for each in fields if each.type in WIDTHS)
    is_told = field.length.terms == ((field.length.only, 1),) and field.length.only in numbers
    is_placed = numbers.intersection(field.at.names) and not set(PLACES).intersection(field.at.names)
    return sums and is_told and bool(is_placed)


class _Plan:
    """How one field of an entry is read."""

    __slots__ = ("field", "form", "is_sum", "is_text", "locks", "step", "unpack", "width", "words")

    def __init__(self, field: LayoutField, locks: bool) -> None:
        self.field, self.locks = field, locks
        self.is_sum, self.is_text = field.type in WIDTHS, field.type == "text"
        self.step = -1 if self.is_sum and is_little(field) else 1
        width, sort = NUMBERS.get(field.prefix if self.is_text else field.type, (WIDTHS.get(field.type, 0), ""))
        self.width = width
        self.unpack = Struct((">" if field.big_endian else "<") + SIGNS.get(f"{sort}{width}", "0s")).unpack
        is_plain = not (field.names or field.bits or field.shown_as)
        self.words: Callable[[LayoutField, int], str] = _digits if is_plain else number_words
        kind = "uid" if field.shown_as == "uid" else field.type
        number = FieldForm(kind, field.big_endian, is_locked=locks)
        sized = FieldForm("text", field.big_endian, width, fill=field.align)
        self.form = None if self.is_sum else sized if self.is_text else number


def _digits(_: LayoutField, number: int) -> str:
    return str(number)


class EntryFields(Sequence[MessageField]):
    """The fields of an entry, each made when somebody asks for it; there are far more of them than anybody sees.

    Args:
        plans: how each is read.
        places: where each begins, and the last one ends.
        words: what each says.
    """

    __slots__ = ("_plans", "places", "words")

    def __init__(self, plans: Sequence[_Plan], places: list[int], words: list[str]) -> None:
        self._plans, self.places, self.words = plans, places, words

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, number: int) -> MessageField: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[MessageField, ...]: ...
    def __getitem__(self, number: int | slice) -> MessageField | tuple[MessageField, ...]:
        if isinstance(number, slice):
            return tuple(self[place] for place in range(*number.indices(len(self))))
        place = range(len(self.words))[number]
        plan, span = self._plans[place], Span(self.places[place], self.places[place + 1])
        return MessageField(span, plan.field.name, self.words[place], form=plan.form)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class EntryReader:
    """Reads entries of one kind.

    Args:
        buffer: the file.
        each: the field that is repeated, of which :func:`is_ordinary` is true.
        scope: what the fields around it say.
        path: the number of the field in the layout, behind those of the groups that it lies in.
        tables: where what is read goes.
        words: what the bytes of a span are, for a file inside.
    """

    def __init__(
        self,
        buffer: Buffer,
        each: LayoutField,
        scope: LayoutScope,
        path: tuple[int, ...],
        tables: EntryTables,
        words: Callable[[Span], str],
    ) -> None:
        content = each.fields[-1]
        assert content.at is not None
        assert content.length is not None
        self._buffer, self._size, self._name = buffer, len(buffer), each.name
        self._called = each.called
        self._around, self._words_around = scope.said, scope.words
        self._content, self._content_path = content, (*path, len(each.fields) - 1)
        self._at, self._sized_by = content.at.terms, content.length.only
        placed = {name for name, factor in self._at if factor == 1}
        self._plans = [_Plan(field, field.name == self._sized_by or field.name in placed) for field in each.fields[:-1]]
        self._paths = [(*path, place) for place in range(len(self._plans))]
        self._big = {field.name: field.big_endian for field in each.fields}
        self._form = FieldForm("bytes")
        self._tables, self._words = tables, words
        self.said_before: list[int] = []
        """How much is said when each of the fields begins."""
        said = len(scope.said)
        for field in each.fields:
            self.said_before.append(said)
            said += field.type not in WIDTHS and field.name not in scope.said

    def read(self, place: int, start: int, last: int, most: int) -> ReadEntry | None:
        """Read an entry; None, and nothing done, for one that is not ordinary.

        Args:
            place: which one it is.
            start: where it begins.
            last: where the part ends that it lies in.
            most: so many bytes of texts and numbers may be read.
        """
        buffer, at = self._buffer, start
        said, spans, sums, places, words = dict(self._around), {}, [], [start], []
        for plan in self._plans:
            field, begin = plan.field, at
            at += plan.width
            if at > last:
                return None
            raw = bytes(buffer[begin:at])
            if plan.is_sum:
                sums.append((field, Span(begin, at)))
                words.append(raw[:: plan.step].hex().upper())
                places.append(at)
                continue
            number = plan.unpack(raw)[0]
            if plan.is_text:
                body, at = at, at + number
                if number > LONGEST_TEXT or at > last:
                    return None
                said[field.name] = found = str(text.read(bytes(buffer[body:at]).rstrip(b"\0"), "lenient"))
                words.append(found[:SHOWN_TEXT])
            else:
                said[field.name] = number
                words.append(plan.words(field, number))
                if plan.locks and number:
                    spans[field.name] = Span(begin, at)
                elif plan.locks:
                    return None
            places.append(at)
        terms = self._terms(said)
        run = self._run(said, sum(terms), start, at)
        if run is None or at - start > most:
            return None
        self._keep(place, said, spans, EntryFields(self._plans, places, words), terms, run)
        return ReadEntry(at, at - start, tuple((field, span, run) for field, span in sums))

    def _run(self, said: dict[str, Said], target: int, start: int, end: int) -> Span | None:
        """The bytes elsewhere; None where they are not there, or in the entry itself."""
        if not all(name in said and wanted.holds(said[name]) for name, wanted in self._content.when):
            return None
        size = said[self._sized_by]
        is_there = isinstance(size, int) and target >= 0 and 0 <= size <= self._size - target
        return Span(target, target + int(size)) if is_there and not start <= target < end else None

    def _terms(self, said: dict[str, Said]) -> list[int]:
        """What each number in the place of the bytes elsewhere adds to it; one that is none adds nothing."""
        terms = []
        for name, factor in self._at:
            value = said.get(name) if name else 1
            terms.append(factor * value if isinstance(value, int) else 0)
        return terms

    def _keep(
        self,
        place: int,
        said: dict[str, Said],
        spans: dict[str, Span],
        inside: EntryFields,
        terms: list[int],
        run: Span,
    ) -> None:
        """Tell what was read."""
        tables, content, base = self._tables, self._content, 0
        places, sources = inside.places, tables.sources
        for number, path in enumerate(self._paths):
            sources[places[number]] = path
        sources[run.start] = self._content_path
        for value, (name, factor) in zip(terms, self._at, strict=True):
            span = spans.get(name)
            if span is not None:
                big = self._big[name]
            elif name in self._words_around:
                span, big, _ = self._words_around[name]
            if span is not None and factor == 1 and value:
                tables.offsets.setdefault(span, OffsetWord(span, base + value, big, base))
            base += value
        tables.lengths.append(LengthWord(spans[self._sized_by], run, self._big[self._sized_by]))
        if len(run):
            words = f"{count_bytes(len(run))}{self._words(run) if content.type == 'file' else ''}"
            called = content.called if content.called != content.name else ""
            name = (str(said.get(called, ""))[:SHOWN_TEXT] if called else "") or content.name
            tables.pieces.append(MessageField(run, name, words, form=self._form))
        name = f"{self._name} {place}"
        name = str(said.get(self._called, name))[:SHOWN_TEXT] or name
        told = ", ".join([words for words in inside.words if words and words != name])[:SHOWN_TEXT]
        tables.pieces.append(MessageField(Span(places[0], places[-1]), name, told, children=inside))
