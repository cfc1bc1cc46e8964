"""A file read by a layout: its fields and values, as far as the bytes follow it."""

from __future__ import annotations

from contextlib import suppress
from struct import unpack

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.document.message import FieldRole, MessageField
from viewer.document.readers.file_layout import NUMBERS, Layout, LayoutField
from viewer.document.readers.file_structure import Structure
from viewer.variant import text
from viewer.variant.dialect import Dialect, load
from viewer.variant.scan import scan

MOST_FIELDS = 1 << 18
"""So many fields are told; what lies behind them stays one."""
LONGEST_TEXT = 1 << 20
SHOWN_TEXT = 200
MOST_TRIED = 64
"""Values that tell which of some dialects is the file's."""


def read_layout(buffer: Buffer, layout: Layout) -> Structure:
    """Cut a file that begins with the mark of a layout; never raises on bytes."""
    return _LayoutReader(buffer, layout).read()


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

    def read(self) -> Structure:
        """The structure."""
        with suppress(_Ends):
            self._fields(self._layout.fields, {})
        if self._at < self._size:
            told = count_bytes(self._size - self._at)
            self._pieces.append(MessageField(Span(self._at, self._size), "unread", told, FieldRole.OPAQUE))
        title = f"{self._layout.name[:1].upper()}{self._layout.name[1:]}"
        return Structure(self._layout.key, title, self._dialect(), tuple(self._pieces), findings=tuple(self._found))

    def _fields(self, fields: tuple[LayoutField, ...], known: dict[str, int | str]) -> None:
        for field in fields:
            told = known.get(field.repeat) if isinstance(field.repeat, str) else field.repeat
            count = 1 if field.repeat is None else told if isinstance(told, int) else 0
            most = self._size - self._at + 1
            for number in range(min(count, most)):
                if len(self._pieces) >= MOST_FIELDS:
                    raise _Ends
                self._field(field, known, number if field.repeat is not None else -1)
            if count > most:
                self._end(field)

    def _field(self, field: LayoutField, known: dict[str, int | str], number: int) -> None:
        name = field.name if number < 0 else f"{field.name} {number}"
        if field.type == "group":
            self._fields(field.fields, dict(known))
        elif field.type == "value":
            self._value(field, known, name)
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

    def _texts(self, field: LayoutField, known: dict[str, int | str], name: str) -> None:
        start = self._at
        if field.type == "mark":
            raw = self._raw(field, len(field.text.encode()))
            if raw != field.text.encode():
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

    def _value(self, field: LayoutField, known: dict[str, int | str], name: str) -> None:
        start = self._at
        stored = isinstance(field.length, str)
        size = self._number(field, str(field.length)) if stored else self._size - start
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

    def _length(self, field: LayoutField, known: dict[str, int | str]) -> int:
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
