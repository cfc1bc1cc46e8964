"""A file read by a layout: its fields and values, as far as the bytes follow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.document.pieces.message import FieldForm, FieldRole, MessageField
from viewer.document.readers.checksums import NAMES, WIDTHS, ChecksumWord
from viewer.document.readers.file_layout import FITS, NUMBERS, VARINT, Amount, Layout, LayoutField, Said
from viewer.document.readers.file_structure import EntryRun, FillRun, LengthWord, OffsetWord, Structure, locked_pieces
from viewer.document.readers.layout_cursor import (
    LONGEST_TEXT,
    LayoutCursor,
    LayoutEnds,
    LayoutScope,
    LayoutValues,
    file_words,
    is_little,
    is_readable,
    number_form,
    number_words,
)
from viewer.document.readers.layout_rows import EntryReader, EntryTables, is_ordinary
from viewer.variant import text

Follows: TypeAlias = Callable[[int], bool]
TELLING = ("value", "mark", "text")
"""What stands somewhere by no chance; a number fits anywhere."""
MOST_LOOKS = 1 << 20
"""After so many looks at what might stand somewhere nothing does any more."""
FARTHEST = 1 << 16
"""So far behind an unknown byte the next field is looked for."""
MOST_FIELDS = 1 << 19
"""So many fields are told; what lies behind them stays one."""
STEPS_A_NOTE, NAMES_A_STEP = 16, 16
"""A field that is not there is as dear as so many that are, and so many names of fields before as one field."""
MOST_SUMMED = 1 << 26
"""Bytes over which checksums are verified."""
MOST_FILES, MANY = 1000, 8
"""So many files inside are looked at for what they are; so many entries are worth being read in one go."""
SHOWN_TEXT, LEAST_JOINED, SEVERAL = 200, 2, 3
MOSTLY = 0.9
"""A share of the bytes that is as the fields say, where the end was cut off."""


def read_layout(buffer: Buffer, layout: Layout) -> Structure:
    """Cut a file that begins with the mark of a layout; never raises on bytes."""
    if not layout.searches or len(layout.dialects) < 2:
        return _LayoutReader(buffer, layout).read()
    tried = (_LayoutReader(buffer, replace(layout, dialects=(key,))).read() for key in layout.dialects)
    return max(tried, key=lambda found: sum(len(piece.span) for piece in found.values))


def structure_by(buffer: Buffer, layout: Layout) -> Structure | None:
    """What a layout makes of a file that may be of its kind; None where too little of the file follows it.

    A mark and the lengths behind it may tell everything. Where fields are looked for, there must be values, and where a
    name takes the place of a mark, the first of them stands where the layout says. Where only the fields tell the file,
    every byte must follow.
    """
    if layout.is_conditional:
        reader = _LayoutReader(buffer, layout)
        found = reader.read()
        return found if _is_told_by_fields(found, reader.signs, len(buffer)) else None
    found = read_layout(buffer, layout)
    if not layout.searches:
        return found
    if not found.values or (not layout.mark and found.findings):
        return None
    first = found.values[0].span.start
    left = next((piece for piece in found.pieces if piece.role is FieldRole.OPAQUE and piece.span.end == first), None)
    is_sure = layout.mark or left is None or _has_length(layout, found.sources.get(left.span.start, ()))
    return found if is_sure else None


def _has_length(layout: Layout, source: tuple[int, ...]) -> bool:
    """Whether a field of a layout is as long as the layout says, wherever what follows it fits."""
    fields: tuple[LayoutField, ...] = layout.fields
    each: LayoutField | None = None
    for step in source:
        each = fields[step]
        fields = each.fields
    return each is not None and each.length is not None


def _is_told_by_fields(found: Structure, signs: int, size: int) -> bool:
    """Whether every byte is as the fields of a layout say; the end may have been cut off.

    Args:
        found: what was read.
        signs: how many fields stand nowhere by chance.
        size: the bytes of the file.
    """
    if not found.findings:
        return signs > 0 and not any(piece.role is FieldRole.OPAQUE for piece in found.pieces)
    told = sum(len(piece.span) for piece in found.pieces if piece.role is not FieldRole.OPAQUE)
    is_cut = len(found.findings) == 1 and found.findings[0].code is Code.LAYOUT_ENDS
    return signs >= SEVERAL and is_cut and found.findings[0].span.end == size and told >= MOSTLY * size


class _LayoutReader:
    """Goes through the fields of a layout. Groups lie in each other as deep as the layout says, and no deeper."""

    def __init__(self, buffer: Buffer, layout: Layout) -> None:
        self._buffer = buffer
        self._layout = layout
        self._size = len(buffer)
        self._cursor = LayoutCursor(buffer)
        self._pieces: list[MessageField] = []
        self._path: tuple[int, ...] = ()
        self._sources: dict[int, tuple[int, ...]] = {}
        self._found: list[Diagnostic] = []
        self._counts: set[Span] = set()
        self._counted: list[EntryRun] = []
        self._offsets: dict[Span, OffsetWord] = {}
        self._lengths: list[LengthWord] = []
        self._sums: list[ChecksumWord] = []
        self._fills: list[FillRun] = []
        self._values = LayoutValues(buffer, layout.dialects)
        self._heard = layout.heard
        self._looks = 0
        self._steps = 0
        self.signs = 0
        self._files_left = MOST_FILES
        self._sum_left = MOST_SUMMED
        self._searches = layout.searches

    def read(self) -> Structure:
        """The structure."""
        scope = LayoutScope()
        try:
            self._fields(self._layout.fields, scope, self._is_end)
        except LayoutEnds as ends:
            self._note(ends)
        self._verify(scope, None)
        title = f"{self._layout.name[:1].upper()}{self._layout.name[1:]}"
        following = {word.span for word in self._lengths} | self._offsets.keys() | self._counts
        pieces = locked_pieces(self._tiled(), following)
        return Structure(
            self._layout.key,
            title,
            self._values.likeliest(pieces),
            pieces,
            offsets=tuple(self._offsets.values()),
            findings=tuple(self._found),
            is_searched=self._searches,
            is_conditional=self._layout.is_conditional,
            lengths=tuple(self._lengths),
            counted=tuple(self._counted),
            checksums=tuple(self._sums),
            fills=tuple(self._fills),
            sources=self._sources,
        )

    def _tiled(self) -> tuple[MessageField, ...]:
        """The pieces in the order of the bytes, with what lies between them; of two over each other the first."""
        out: list[MessageField] = []
        at = 0
        for piece in sorted(self._pieces, key=lambda piece: piece.span.start):
            if piece.span.start < at:
                continue
            if piece.span.start > at:
                out.append(self._between(Span(at, piece.span.start)))
            out.append(piece)
            at = piece.span.end
        if at < self._size:
            out.append(self._between(Span(at, self._size)))
        return tuple(out)

    def _between(self, span: Span) -> MessageField:
        """Bytes that no field names; zeros before what lies at an offset only fill the room."""
        told = count_bytes(len(span))
        if self._layout.has_places and self._is_zero(span):
            return MessageField(span, "fill", told)
        self._sources.pop(span.start, None)
        return MessageField(span, "unread", told, FieldRole.OPAQUE)

    def _is_zero(self, span: Span) -> bool:
        starts = range(span.start, span.end, LONGEST_TEXT)
        return not any(bytes(self._buffer[at : min(at + LONGEST_TEXT, span.end)]).strip(b"\0") for at in starts)

    # Rows of fields

    def _fields(self, fields: tuple[LayoutField, ...], scope: LayoutScope, follows: Follows) -> None:
        """Read a row of fields; *follows* says whether what comes behind them stands at an offset."""
        above = self._path
        for place, each in enumerate(fields):
            self._path = (*above, place)
            self._step(scope)

            def behind(at: int, place: int = place) -> bool:
                return self._may_stand(fields, place + 1, at, scope, follows)

            if each.when and not self._is_wanted(each, scope):
                continue
            if each.optional and not self._stands(each, scope, behind):
                continue
            start = self._cursor.at
            if each.at is not None:
                self._elsewhere(each, scope)
            elif each.repeat == FITS:
                self._as_often_as_it_fits(each, scope, behind)
            else:
                self._repeated(each, scope, behind)
            if each.at is None:
                scope.spans[each.name] = Span(start, self._cursor.at)
        self._path = above
        if scope.checks:
            self._verify(scope, {each.name for each in fields})

    def _step(self, scope: LayoutScope) -> None:
        """A file that has more fields than anybody could look at is not read to its end."""
        self._steps += 1 + len(scope.said) // NAMES_A_STEP
        if self._steps > MOST_FIELDS:
            raise LayoutEnds(None, self._cursor.at)

    def _note(self, ends: LayoutEnds) -> None:
        """The bytes end, or are others, where a field should be."""
        if ends.field is None:
            self._note_stop()
            return
        self._steps += STEPS_A_NOTE
        at = min(ends.at, max(0, self._size - 1))
        facts = {"field": escaped(ends.field.name), "name": self._layout.name}
        self._found.append(Diagnostic(Code.LAYOUT_ENDS, Span(at, max(self._cursor.part.end, at)), facts=facts))

    def _note_stop(self) -> None:
        """Say once that the fields are too many for all of them to be told."""
        if self._steps > MOST_FIELDS and all(found.code is not Code.LAYOUT_STOPS for found in self._found):
            start, facts = self._pieces[-1].span.start, {"count": f"{MOST_FIELDS:,}", "name": self._layout.name}
            self._found.append(Diagnostic(Code.LAYOUT_STOPS, Span(start, start + 1), facts=facts))

    def _is_wanted(self, each: LayoutField, scope: LayoutScope) -> bool:
        """Whether the fields before say that this one stands there."""
        return all(name in scope.said and wanted.holds(scope.said[name]) for name, wanted in each.when)

    def _elsewhere(self, each: LayoutField, scope: LayoutScope) -> None:
        """Read a field that lies where an offset says."""
        assert each.at is not None
        target, at, part = self._cursor.amount(each.at, scope.said), self._cursor.at, self._cursor.part
        words = [scope.words[name] for name in each.at.names if name in scope.words]
        if not 0 <= target <= self._size:
            facts = {"field": escaped(each.name), "offset": str(target)}
            span = words[-1][0] if words else Span(at, at)
            self._found.append(Diagnostic(Code.LAYOUT_OFFSET, span, facts=facts))
            return
        self._follow_offset(each.at, scope, target)
        self._cursor.at, self._cursor.part = target, Span(0, self._size)
        try:
            self._repeated(each, scope, self._is_end)
        except LayoutEnds as ends:
            self._note(ends)
            if ends.field is None:
                raise
        scope.spans[each.name] = Span(target, max(target, self._cursor.at))
        self._cursor.at, self._cursor.part = at, part

    def _follow_offset(self, amount: Amount, scope: LayoutScope, target: int) -> None:
        """Where the place moves, the numbers that say it do: each from where those before it lead to."""
        base = 0
        for name, factor in amount.terms:
            value = self._cursor.term(name, factor, scope.said)
            if name in scope.words and factor == 1 and value:
                span, big, _ = scope.words[name]
                self._offsets.setdefault(span, OffsetWord(span, base + value, big, base))
            base += value
        assert base == target

    def _repeated(self, each: LayoutField, scope: LayoutScope, behind: Follows) -> None:
        if each.repeat is None:
            self._field(each, scope, -1, behind)
            return
        is_open = not isinstance(each.repeat, Amount)
        most = self._cursor.part.end - self._cursor.at + 1
        count = most if isinstance(each.repeat, str) else self._cursor.amount(each.repeat, scope.said)
        if isinstance(each.repeat, Amount):
            self._counts |= {scope.words[name][0] for name in each.repeat.names if name in scope.words}
        row = each.fields or (each,)
        word = self._count_word(each, scope)
        entries: list[Span] = []
        is_own = scope.said.keys().isdisjoint(field.name for field in each.fields)
        quick = self._entries(each, scope) if min(count, most) >= MANY and is_own and is_ordinary(each) else None
        steps = sum(1 + said // NAMES_A_STEP for said in quick.said_before) if quick is not None else 0

        def again(at: int) -> bool:
            return behind(at) or self._may_stand(row, 0, at, scope, behind)

        for number in range(min(count, most)):
            if is_open and self._cursor.at >= self._cursor.part.end and each.last is None:
                return
            start = self._cursor.at
            self._step(scope)
            if quick is not None and self._read_at_once(quick, number, steps):
                entries.append(Span(start, self._cursor.at))
                continue
            said = self._field(each, scope, number, behind if number + 1 == count else again)
            entries.append(Span(start, self._cursor.at))
            if each.last is not None and said is not None and each.last.holds(said):
                return
            if is_open and self._cursor.at == start:
                return
        if count > most:
            raise LayoutEnds(each, self._cursor.at)
        if word is not None and entries and entries[-1].end > entries[0].start:
            self._counted.append(EntryRun(word, tuple(entries)))

    def _entries(self, each: LayoutField, scope: LayoutScope) -> EntryReader:
        tables = EntryTables(self._pieces, self._sources, self._offsets, self._lengths)
        return EntryReader(self._buffer, each, scope, self._path, tables, self._file_words)

    def _read_at_once(self, entries: EntryReader, number: int, steps: int) -> bool:
        """Read an entry that is ordinary, and costs so many steps; False for any other one."""
        if self._steps + steps > MOST_FIELDS:
            return False
        found = entries.read(number, self._cursor.at, self._cursor.part.end, self._cursor.text_left)
        if found is None:
            return False
        self._steps += steps
        self._cursor.at = found.end
        self._cursor.text_left -= found.spent
        for each, span, run in found.sums:
            self._compare(each, span, run)
        return True

    def _count_word(self, each: LayoutField, scope: LayoutScope) -> LengthWord | None:
        """The number that says how often a field is repeated, if it says nothing else with it."""
        only = each.repeat.only if isinstance(each.repeat, Amount) else ""
        if only not in scope.words:
            return None
        span, big, is_varint = scope.words[only]
        return LengthWord(span, span, big, is_varint)

    def _as_often_as_it_fits(self, each: LayoutField, scope: LayoutScope, behind: Follows) -> None:
        number, row = 0, each.fields or (replace(each, repeat=None),)

        def again(at: int) -> bool:
            return self._may_stand(row, 0, at, scope, behind) or behind(at)

        while self._cursor.at < self._cursor.part.end and self._may_stand(row, 0, self._cursor.at, scope, behind):
            before = self._cursor.at
            self._step(scope)
            self._field(each, scope, number, again)
            number += 1
            if self._cursor.at == before:
                break

    # One field

    def _field(self, each: LayoutField, scope: LayoutScope, number: int, behind: Follows) -> Said | None:
        """Read one field; what it says, of a group what its first field says."""
        name = each.name if number < 0 else f"{each.name} {number}"
        self._sources[self._cursor.at] = self._path
        if each.called and each.called != each.name:
            name = str(scope.said.get(each.called, ""))[:SHOWN_TEXT] or name
        if each.type == "group":
            return self._group(each, scope, name, number >= 0, behind)
        if each.type == "value":
            return self._value(each, scope, name)
        if each.type == "unknown":
            self._unknown(each, scope, behind)
        elif each.type == "rest":
            start, self._cursor.at = self._cursor.at, self._cursor.part.end
            self._tell(start, self._cursor.at, name, count_bytes(self._cursor.at - start))
        elif each.type in NUMBERS or each.type == VARINT:
            return self._told_number(each, scope, name)
        elif each.type in WIDTHS:
            self._checksum(each, scope, name)
        elif each.type == "padding":
            self._padding(each, scope, name)
        elif each.type == "mark":
            self._mark(each, name)
        elif each.type == "text":
            return self._text(each, scope, name)
        else:
            self._bytes(each, scope, name)
        return None

    def _told_number(self, each: LayoutField, scope: LayoutScope, name: str) -> Said:
        start = self._cursor.at
        found = self._cursor.number(each, each.type)
        span = Span(start, self._cursor.at)
        scope.said[each.name] = found
        scope.words[each.name] = span, each.big_endian, each.type == VARINT
        words = number_words(each, found)
        form = number_form("uid" if each.shown_as == "uid" else each.type, each.big_endian)
        self._pieces.append(MessageField(span, name, words, form=form))
        self._check(each, span, found, words)
        return found

    def _check(self, each: LayoutField, span: Span, found: Said, words: str) -> None:
        """What a field says must be what the layout wants; it tells a file that nothing else tells."""
        if each.must is None or each.must.holds(found):
            self.signs += each.tells
            return
        facts = {"field": escaped(each.name), "found": escaped(words[:SHOWN_TEXT]), "name": self._layout.name}
        self._found.append(Diagnostic(Code.LAYOUT_VALUE, span, facts={**facts, "wanted": each.must.words}))
        if self._layout.is_conditional:
            raise LayoutEnds(None, span.start)

    def _mark(self, each: LayoutField, name: str) -> None:
        start = self._cursor.at
        if self._cursor.raw(each, len(each.mark)) != each.mark:
            self._cursor.at = start
            raise LayoutEnds(each, self._cursor.at)
        self.signs += 1
        self._tell(start, self._cursor.at, name, each.mark_text)

    def _text(self, each: LayoutField, scope: LayoutScope, name: str) -> Said:
        start = self._cursor.at
        if each.ending:
            raw = self._cursor.line(each)
            form = FieldForm("text", end=each.ending)
        else:
            size, form = self._sized(each, scope, "text")
            raw = self._cursor.raw(each, size)
        span = Span(start, self._cursor.at)
        found = str(text.read(raw.rstrip(b"\0"), "lenient"))
        scope.said[each.name] = found
        if len(span):
            self._pieces.append(MessageField(span, name, found[:SHOWN_TEXT], form=form))
        self._check(each, span, found, found)
        return found

    def _bytes(self, each: LayoutField, scope: LayoutScope, name: str) -> None:
        start = self._cursor.at
        size, form = self._sized(each, scope, "bytes")
        inside = Span(self._cursor.at, self._cursor.at + size)
        self._cursor.skip(each, size)
        words = count_bytes(size)
        if each.type == "file" and size:
            words += self._file_words(inside)
        if self._cursor.at > start:
            self._pieces.append(MessageField(Span(start, self._cursor.at), name, words, form=form))

    def _file_words(self, span: Span) -> str:
        """What a file inside is, as long as not too many of them are looked at."""
        if not self._files_left:
            return ""
        self._files_left -= 1
        return file_words(self._buffer, span)

    def _sized(self, each: LayoutField, scope: LayoutScope, kind: str) -> tuple[int, FieldForm]:
        """How long a text or bytes are, and how they can be written anew."""
        fill = each.align if kind == "text" else 0
        if each.prefix:
            width = -1 if each.prefix == VARINT else NUMBERS[each.prefix][0]
            size = self._cursor.whole(each, each.prefix)
            return size, FieldForm(kind, each.big_endian, width, fill=fill)
        size = self._length(each, scope)
        follows = self._follow_length(each, scope, Span(self._cursor.at, self._cursor.at + max(0, size)))
        return size, FieldForm(kind, is_fixed=not follows, fill=fill)

    def _follow_length(self, each: LayoutField, scope: LayoutScope, run: Span) -> bool:
        """Whether a number elsewhere says how long a run is, and can be written anew."""
        if each.length is None or each.repeat is not None or run.end > self._cursor.part.end:
            return False
        if sorted(name for name, _ in each.length.terms if name) == ["end", "here"]:
            return True  # it follows the part that it lies in
        if each.length.only not in scope.words:
            return False
        span, big, is_varint = scope.words[each.length.only]
        self._lengths.append(LengthWord(span, run, big, is_varint))
        return True

    def _group(
        self, each: LayoutField, scope: LayoutScope, name: str, is_repeated: bool, behind: Follows
    ) -> Said | None:
        inner, start, first = scope.inner() if is_repeated else scope, self._cursor.at, len(self._pieces)
        if each.prefix or each.length is not None:
            self._bounded(each, inner, name)
        else:
            self._fields(each.fields, inner, behind)
        if is_repeated:
            scope.checks += inner.checks
        self._join(Span(start, self._cursor.at), str(inner.said.get(each.called, name))[:SHOWN_TEXT] or name, first)
        return inner.said.get(each.fields[0].name)

    def _join(self, span: Span, name: str, first: int) -> None:
        """Make one piece of those that were read since *first*, with these as its parts, if none of them is a value."""
        inside = [piece for piece in self._pieces[first:] if span.start <= piece.span.start < span.end]
        inside.sort(key=lambda piece: piece.span.start)
        starts = [*(piece.span.end for piece in inside[:-1]), span.end]
        tiles = inside and inside[0].span.start == span.start and inside[-1].span.end == span.end
        is_tiled = tiles and all(piece.span.start == end for piece, end in zip(inside[1:], starts, strict=False))
        if not is_tiled or len(inside) < LEAST_JOINED or any(piece.role is not FieldRole.FIELD for piece in inside):
            return
        outside = [piece for piece in self._pieces[first:] if not span.start <= piece.span.start < span.end]
        told = ", ".join(piece.text for piece in inside if piece.text and piece.text != name)[:SHOWN_TEXT]
        self._pieces[first:] = [*outside, MessageField(span, name, told, children=tuple(inside))]

    def _bounded(self, each: LayoutField, scope: LayoutScope, name: str) -> None:
        """A part, which has so many bytes."""
        start = self._cursor.at
        size = self._cursor.whole(each, each.prefix) if each.prefix else self._length(each, scope)
        body, outer = self._cursor.at, self._cursor.part
        if not 0 <= size <= outer.end - body:
            self._cursor.at = start
            raise LayoutEnds(each, self._cursor.at)
        run = Span(body, body + size)
        if body > start:
            self._tell(start, body, f"length of {name}", str(size))
            self._lengths.append(LengthWord(Span(start, body), run, each.big_endian, each.prefix == VARINT))
        else:
            self._follow_length(each, scope, run)
        self._cursor.part = run
        try:
            self._fields(each.fields, scope, self._is_end)
        except LayoutEnds as ends:
            self._note(ends)
            if ends.field is None or self._layout.is_conditional:
                raise
        finally:
            self._cursor.part = outer
        self._cursor.at = run.end

    def _padding(self, each: LayoutField, scope: LayoutScope, name: str) -> None:
        start = self._cursor.at
        size = self._length(each, scope) if each.length is not None else -(start - self._cursor.part.start) % each.align
        self._cursor.skip(each, size)
        if each.length is None and each.align:
            self._fills.append(FillRun(Span(start, self._cursor.at), each.align, self._cursor.part))
        self._tell(start, self._cursor.at, name, count_bytes(self._cursor.at - start))

    def _checksum(self, each: LayoutField, scope: LayoutScope, name: str) -> None:
        start = self._cursor.at
        raw = self._cursor.raw(each, WIDTHS[each.type])
        span = Span(start, self._cursor.at)
        scope.checks.append((each, span))
        self._tell(start, self._cursor.at, name, raw[:: 1 if not is_little(each) else -1].hex().upper())

    def _verify(self, scope: LayoutScope, names: set[str] | None) -> None:
        """Compare the checksums whose fields were all read: those over *names*, or all that are left."""
        left = []
        for each, span in scope.checks:
            assert each.over is not None
            first, last = (scope.spans.get(name) for name in each.over)
            if names is not None and (first is None or last is None or not names.issuperset(each.over)):
                left.append((each, span))
            elif first is not None and last is not None and first.start <= last.end:
                self._compare(each, span, Span(first.start, last.end))
        scope.checks[:] = left

    def _compare(self, each: LayoutField, span: Span, run: Span) -> None:
        word = ChecksumWord(span, run, each.type, each.big_endian)
        if len(run) > self._sum_left:
            self._sums.append(word)
            return
        self._sum_left -= len(run)
        stands = bytes(self._buffer[span.start : span.end])
        wanted = word.over(self._buffer)
        if stands == wanted:
            self.signs += 1
            self._sums.append(word)
        elif stands.strip(b"\0"):  # zeros say that nobody made one
            step = -1 if is_little(each) else 1
            facts = {
                "kind": NAMES[each.type],
                "stands": stands[::step].hex().upper(),
                "wanted": wanted[::step].hex().upper(),
            }
            self._found.append(Diagnostic(Code.LAYOUT_CHECKSUM, span, facts={**facts, "field": escaped(each.name)}))

    def _unknown(self, each: LayoutField, scope: LayoutScope, behind: Follows) -> None:
        start = self._cursor.at
        if each.length is not None:
            end = min(self._cursor.part.end, start + max(0, self._length(each, scope)))
        else:
            last = min(self._cursor.part.end, start + FARTHEST)
            end = next((at for at in range(start, last) if behind(at)), self._cursor.part.end)
        if end > start:
            told = f"{count_bytes(end - start)} that no value claims"
            self._pieces.append(MessageField(Span(start, end), "skipped bytes", told, FieldRole.OPAQUE))
        self._cursor.at = end

    def _value(self, each: LayoutField, scope: LayoutScope, name: str) -> Said | None:
        start = self._cursor.at
        body, size = self._value_place(each, scope)
        self._cursor.at = body + size
        run, is_stored = Span(body, self._cursor.at), each.prefix == "u32" and not each.big_endian
        said = self._values.says(run) if each.name in self._heard else None
        if said is not None:
            scope.said[each.name] = said
        if each.called == each.name:
            name = str(said)[:SHOWN_TEXT] if said is not None else name
        if is_stored:
            inside = (MessageField(Span(start, body), "length", str(size)),)
            self._pieces.append(MessageField(Span(start, self._cursor.at), name, "", FieldRole.VALUE, inside))
        else:
            self._before_value(each, scope, name, start, run)
            self._pieces.append(MessageField(run, name, "", FieldRole.VALUE))
        self._check(each, run, "" if said is None else said, "nothing" if said is None else str(said))
        return said

    def _value_place(self, each: LayoutField, scope: LayoutScope) -> tuple[int, int]:
        """Where a value begins, and how long it is."""
        start = self._cursor.at
        if each.prefix:
            size = self._cursor.whole(each, each.prefix)
        elif each.length is not None:
            size = self._length(each, scope)
        else:
            bare = self._value_end(each, start) if self._is_measured(each) else None
            size = (bare or self._cursor.part.end) - start
        if not 0 < size <= self._cursor.part.end - self._cursor.at:
            self._cursor.at = start
            raise LayoutEnds(each, self._cursor.at)
        return self._cursor.at, size

    def _before_value(self, each: LayoutField, scope: LayoutScope, name: str, start: int, run: Span) -> None:
        """A length of another form than that of stored values stands for itself."""
        if run.start == start:
            self._follow_length(each, scope, run)
            return
        self._tell(start, run.start, f"length of {name}", str(len(run)))
        self._lengths.append(LengthWord(Span(start, run.start), run, each.big_endian, each.prefix == VARINT))

    def _is_measured(self, each: LayoutField) -> bool:
        """Whether the end of a bare value must be found: other fields may follow it."""
        return self._searches or each is not self._layout.fields[-1]

    # What fits

    def _is_end(self, at: int) -> bool:
        return at == self._cursor.part.end

    def _stands(self, each: LayoutField, scope: LayoutScope, behind: Follows) -> bool:
        """Whether an optional field stands here: what follows it does not, and it fits."""
        if behind(self._cursor.at):
            return False
        end = self._end_of(each, self._cursor.at, scope)
        return end is not None and (each.type in (*TELLING, "group") or behind(end))

    def _may_stand(
        self, fields: tuple[LayoutField, ...], place: int, at: int, scope: LayoutScope, follows: Follows
    ) -> bool:
        """Whether a row of fields may stand at an offset, by the first of them that tells something."""
        while place < len(fields):
            each = fields[place]
            place += 1
            self._looks += 1
            if self._looks > MOST_LOOKS:
                return False
            if (each.type == "unknown" and each.length is None) or each.at is not None:
                continue
            end = self._end_of(each, at, scope)
            if end is not None and (each.type in TELLING or self._may_stand(fields, place, end, scope, follows)):
                return True
            if not each.optional and each.repeat != FITS:
                return False
        return follows(at)

    def _end_of(self, each: LayoutField, at: int, scope: LayoutScope) -> int | None:
        """Where a field ends that stands at an offset once; None where it does not fit."""
        if each.type == "value":
            return self._value_end(each, at)
        if each.type == "group":
            return at if self._may_stand(each.fields, 0, at, scope, lambda _: False) else None
        if each.type == "rest":
            return self._cursor.part.end
        start, self._cursor.at = self._cursor.at, at
        try:
            if each.type in NUMBERS or each.type == VARINT:
                said = self._cursor.number(each, each.type)
                return self._cursor.at if each.must is None or each.must.holds(said) else None
            if each.type == "mark":
                return self._cursor.at if self._cursor.raw(each, len(each.mark)) == each.mark else None
            if each.type == "text":
                raw = self._cursor.line(each) if each.ending else self._cursor.raw(each, self._any_length(each, scope))
                return self._cursor.at if is_readable(raw.rstrip(b"\0")) or each.ending else None
            self._cursor.skip(each, WIDTHS.get(each.type) or self._any_length(each, scope))
            return self._cursor.at
        except LayoutEnds:
            return None
        finally:
            self._cursor.at = start

    def _any_length(self, each: LayoutField, scope: LayoutScope) -> int:
        if each.type == "padding" and each.length is None:
            return -(self._cursor.at - self._cursor.part.start) % each.align
        return self._cursor.whole(each, each.prefix) if each.prefix else self._length(each, scope)

    def _value_end(self, each: LayoutField, at: int) -> int | None:
        """Where a sound value ends that stands at an offset, behind its length where it has one."""
        width = NUMBERS[each.prefix][0] if each.prefix in NUMBERS else 0
        return self._values.end(at, self._cursor.part.end, width, each.big_endian)

    def _length(self, each: LayoutField, scope: LayoutScope) -> int:
        return self._cursor.amount(each.length, scope.said) if each.length is not None else 0

    def _tell(self, start: int, end: int, name: str, told: str) -> None:
        if end > start:
            self._pieces.append(MessageField(Span(start, end), name, told))
