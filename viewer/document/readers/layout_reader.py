"""A file read by a layout: its fields and values, as far as the bytes follow it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from struct import unpack
from typing import TypeAlias

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.container.frame_scanner import is_header
from viewer.document.message import FieldRole, MessageField
from viewer.document.readers.file_layout import FITS, NUMBERS, Layout, LayoutField
from viewer.document.readers.file_structure import Structure
from viewer.variant import text
from viewer.variant.dialect import Dialect, load
from viewer.variant.scan import scan

Known: TypeAlias = dict[str, int | str]
"""What the fields before said, by their names."""
Follows: TypeAlias = Callable[[int], bool]
TELLING = ("value", "mark", "text")
"""What stands somewhere by no chance; a number fits anywhere."""
MOST_LOOKS = 1 << 20
"""After so many looks at what might stand somewhere nothing does any more."""
FARTHEST = 1 << 16
"""So far behind an unknown byte the next field is looked for."""
LEAST_VALUE = 4
MOST_FIELDS = 1 << 18
"""So many fields are told; what lies behind them stays one."""
LONGEST_TEXT = 1 << 20
SHOWN_TEXT = 200
MOST_TRIED = 64
"""Values that tell which of some dialects is the file's."""


def read_layout(buffer: Buffer, layout: Layout) -> Structure:
    """Cut a file that begins with the mark of a layout; never raises on bytes."""
    if not layout.searches or len(layout.dialects) < 2:
        return _LayoutReader(buffer, layout).read()
    tried = (_LayoutReader(buffer, replace(layout, dialects=(key,))).read() for key in layout.dialects)
    return max(tried, key=lambda found: sum(len(piece.span) for piece in found.values))


def structure_by(buffer: Buffer, layout: Layout) -> Structure | None:
    """What a layout makes of a file that may be of its kind; None where too little of the file follows it.

    A mark and the lengths behind it may tell everything. Where fields are looked for, there must be values, and where a
    name takes the place of a mark, the first of them stands where the layout says.
    """
    found = read_layout(buffer, layout)
    if not layout.searches:
        return found
    if not found.values or (not layout.mark and found.findings):
        return None
    first = found.values[0].span.start
    left = any(piece.role is FieldRole.OPAQUE and piece.span.end == first for piece in found.pieces)
    return found if layout.mark or not left else None


def is_readable(raw: bytes) -> bool:
    """Whether a person can read bytes as text; empty ones are none."""
    try:
        return bool(raw) and all(sign.isprintable() or sign in "\t\r\n" for sign in raw.decode())
    except UnicodeDecodeError:
        return False


class _Ends(Exception):
    """The bytes do not follow the layout any further."""


class _LayoutReader:
    """Goes through the fields of a layout. Groups lie in each other as deep as the layout says, and no deeper."""

    def __init__(self, buffer: Buffer, layout: Layout) -> None:
        self._buffer = buffer
        self._layout = layout
        self._size = len(buffer)
        self._at = 0
        self._pieces: list[MessageField] = []
        self._found: list[Diagnostic] = []
        self._value_ends: dict[int, int | None] = {}
        self._likeliest: Dialect | None = None
        self._looks = 0
        self._searches = layout.searches

    def read(self) -> Structure:
        """The structure."""
        with suppress(_Ends):
            self._fields(self._layout.fields, {}, self._is_end)
        if self._at < self._size:
            told = count_bytes(self._size - self._at)
            self._pieces.append(MessageField(Span(self._at, self._size), "unread", told, FieldRole.OPAQUE))
        title = f"{self._layout.name[:1].upper()}{self._layout.name[1:]}"
        return Structure(
            self._layout.key,
            title,
            self._dialect(),
            tuple(self._pieces),
            findings=tuple(self._found),
            is_searched=self._searches,
        )

    def _fields(self, fields: tuple[LayoutField, ...], known: Known, follows: Follows) -> None:
        """Read a row of fields; *follows* says whether what comes behind them stands at an offset."""
        for place, field in enumerate(fields):

            def behind(at: int, place: int = place) -> bool:
                return self._may_stand(fields, place + 1, at, known, follows)

            if field.optional and not self._stands(field, known, behind):
                continue
            if field.repeat == FITS:
                self._as_often_as_it_fits(field, known, behind)
            else:
                self._repeated(field, known, behind)

    def _repeated(self, field: LayoutField, known: Known, behind: Follows) -> None:
        told = known.get(field.repeat) if isinstance(field.repeat, str) else field.repeat
        count = 1 if field.repeat is None else told if isinstance(told, int) else 0
        most, row = self._size - self._at + 1, field.fields or (field,)

        def again(at: int) -> bool:
            return behind(at) or self._may_stand(row, 0, at, known, behind)

        for number in range(min(count, most)):
            if len(self._pieces) >= MOST_FIELDS:
                raise _Ends
            is_last = number + 1 == count
            self._field(field, known, number if field.repeat is not None else -1, behind if is_last else again)
        if count > most:
            self._end(field)

    def _as_often_as_it_fits(self, field: LayoutField, known: Known, behind: Follows) -> None:
        number, row = 0, field.fields or (replace(field, repeat=None),)

        def again(at: int) -> bool:
            return self._may_stand(row, 0, at, known, behind) or behind(at)

        while self._at < self._size and self._may_stand(row, 0, self._at, known, behind):
            before = self._at
            if len(self._pieces) >= MOST_FIELDS:
                raise _Ends
            self._field(field, known, number, again)
            number += 1
            if self._at == before:
                break

    def _field(self, field: LayoutField, known: Known, number: int, behind: Follows) -> None:
        name = field.name if number < 0 else f"{field.name} {number}"
        if field.type == "group":
            self._fields(field.fields, dict(known), behind)
        elif field.type == "value":
            self._value(field, known, name)
        elif field.type == "unknown":
            self._unknown(field, behind)
        elif field.type == "rest":
            self._tell(self._at, self._size, name, count_bytes(self._size - self._at))
            self._at = self._size
        elif field.type in NUMBERS:
            start = self._at
            found = self._number(field, field.type)
            if isinstance(found, int):
                known[field.name] = found
            self._tell(start, self._at, name, str(found))
        else:
            self._texts(field, known, name)

    def _unknown(self, field: LayoutField, behind: Follows) -> None:
        start = self._at
        if isinstance(field.length, int):
            end = min(self._size, start + field.length)
        else:
            end = next((at for at in range(start, min(self._size, start + FARTHEST)) if behind(at)), self._size)
        if end > start:
            told = f"{count_bytes(end - start)} that no value claims"
            self._pieces.append(MessageField(Span(start, end), "skipped bytes", told, FieldRole.OPAQUE))
        self._at = end

    # What fits

    def _is_end(self, at: int) -> bool:
        return at == self._size

    def _stands(self, field: LayoutField, known: Known, behind: Follows) -> bool:
        """Whether an optional field stands here: what follows it does not, and it fits."""
        if behind(self._at):
            return False
        end = self._end_of(field, self._at, known)
        return end is not None and (field.type in (*TELLING, "group") or behind(end))

    def _may_stand(self, fields: tuple[LayoutField, ...], place: int, at: int, known: Known, follows: Follows) -> bool:
        """Whether a row of fields may stand at an offset, by the first of them that tells something."""
        while place < len(fields):
            field = fields[place]
            place += 1
            self._looks += 1
            if self._looks > MOST_LOOKS:
                return False
            if field.type == "unknown" and field.length is None:
                continue
            end = self._end_of(field, at, known)
            if end is not None and (field.type in TELLING or self._may_stand(fields, place, end, known, follows)):
                return True
            if not field.optional and field.repeat != FITS:
                return False
        return follows(at)

    def _end_of(self, field: LayoutField, at: int, known: Known) -> int | None:
        """Where a field ends that stands at an offset once; None where it does not fit."""
        if field.type == "value":
            return self._value_end(field, at)
        if field.type == "group":
            return at if self._may_stand(field.fields, 0, at, known, lambda _: False) else None
        if field.type == "rest":
            return self._size
        start, self._at = self._at, at
        try:
            if field.type in NUMBERS:
                self._number(field, field.type)
            elif field.type == "mark":
                if self._raw(field, len(field.mark)) != field.mark:
                    return None
            else:
                raw = self._raw(field, self._length(field, known))
                if field.type == "text" and not is_readable(raw):
                    return None
            return self._at
        except _Ends:
            self._found.pop()
            return None
        finally:
            self._at = start

    def _value_end(self, field: LayoutField, at: int) -> int | None:
        """Where a sound value ends that stands at an offset, behind its length where it has one."""
        if at not in self._value_ends:
            self._value_ends[at] = self._measured(field, at)
        return self._value_ends[at]

    def _measured(self, field: LayoutField, at: int) -> int | None:
        width = NUMBERS[str(field.length)][0] if field.length is not None else 0
        start, end = at + width, self._size
        if width:
            order = "big" if field.big_endian else "little"
            end = start + int.from_bytes(self._buffer[at:start], order)  # type: ignore[arg-type]
        if start + LEAST_VALUE > end or end > self._size or not is_header(self._buffer, start):
            return None
        if self._likeliest is None:
            self._likeliest = load(self._layout.dialects[0]) if self._layout.dialects else load("godot4")
        table = scan(window(self._buffer, start, end), self._likeliest)
        is_sound = not any(found.severity is Severity.ERROR for found in table.diagnostics)
        if not is_sound or (width and start + table.end_of_data != end):
            return None
        return start + table.end_of_data

    def _texts(self, field: LayoutField, known: Known, name: str) -> None:
        start = self._at
        if field.type == "mark":
            raw = self._raw(field, len(field.mark))
            if raw != field.mark:
                self._at = start
                self._end(field)
            self._tell(start, self._at, name, field.text)
            return
        raw = self._raw(field, self._length(field, known))
        if field.type == "bytes":
            self._tell(start, self._at, name, count_bytes(len(raw)))
            return
        found = str(text.read(raw, "lenient"))
        known[field.name] = found
        self._tell(start, self._at, name, found[:SHOWN_TEXT])

    def _value(self, field: LayoutField, known: Known, name: str) -> None:
        start = self._at
        stored = isinstance(field.length, str)
        bare = self._value_end(field, start) if self._searches and not stored else None
        size = self._number(field, str(field.length)) if stored else (bare or self._size) - start
        body = self._at
        if not isinstance(size, int) or size > self._size - body:
            self._at = start
            self._end(field)
        assert isinstance(size, int)
        self._at = body + size
        called = known.get(field.called, name) if field.called else name
        inside = (MessageField(Span(start, body), "length", str(size)),) if stored else ()
        piece = MessageField(Span(start, self._at), str(called)[:SHOWN_TEXT] or name, "", FieldRole.VALUE, inside)
        self._pieces.append(piece)

    # Primitives

    def _length(self, field: LayoutField, known: Known) -> int:
        if isinstance(field.length, int):
            return field.length
        if field.length in NUMBERS:
            found: int | float | str | None = self._number(field, str(field.length))
        else:
            found = known.get(str(field.length))
        return found if isinstance(found, int) else 0

    def _raw(self, field: LayoutField, size: int) -> bytes:
        if size > self._size - self._at or size > LONGEST_TEXT:
            self._end(field)
        raw = bytes(self._buffer[self._at : self._at + size])
        self._at += size
        return raw

    def _number(self, field: LayoutField, kind: str) -> int | float:
        size, sort = NUMBERS[kind]
        raw = self._raw(field, size)
        order = "big" if field.big_endian else "little"
        if sort == "f":
            number: float = unpack((">" if field.big_endian else "<") + ("f" if size == 4 else "d"), raw)[0]
            return number
        return int.from_bytes(raw, order, signed=sort == "i")  # type: ignore[arg-type]

    def _tell(self, start: int, end: int, name: str, told: str) -> None:
        if end > start:
            self._pieces.append(MessageField(Span(start, end), name, told))

    def _end(self, field: LayoutField) -> None:
        """The bytes end, or are others, where a field should be."""
        covered = self._pieces[-1].span.end if self._pieces else 0
        self._at = covered
        span = Span(min(covered, max(0, self._size - 1)), self._size)
        facts = {"field": escaped(field.name), "name": self._layout.name}
        self._found.append(Diagnostic(Code.LAYOUT_ENDS, span, facts=facts))
        raise _Ends

    def _dialect(self) -> Dialect:
        """That of the layout's dialects in which most of the first values are sound."""
        known = [load(key) for key in self._layout.dialects] or [load("godot4")]
        values = [piece for piece in self._pieces if piece.role is FieldRole.VALUE][:MOST_TRIED]

        def sound(dialect: Dialect) -> int:
            count = 0
            for piece in values:
                start = piece.children[0].span.end if piece.children else piece.span.start
                table = scan(window(self._buffer, start, piece.span.end), dialect)
                is_sound = not any(found.severity is Severity.ERROR for found in table.diagnostics)
                count += is_sound and table.end_of_data == piece.span.end - start
            return count

        return max(known, key=sound)
