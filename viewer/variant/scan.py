"""Scan a Variant buffer into a node table.

The scanner is iterative: nesting depth comes from the file, so recursion would let a file crash us. It never raises on
bytes: the first place where the structure cannot be followed becomes a diagnostic, everything before it stays in the
table. It never allocates by a count from the file: children are promised ids only while words for them are left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import Struct

from viewer.diagnostic import Code, Diagnostic, count_bytes
from viewer.span import Span
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Kind, TypeRow, image_formats, input_event
from viewer.variant.table import NONE, NodeTable

U32 = Struct("<I").unpack_from
PROGRESS_EVERY = 1 << 16
INT_MAX = 0x7FFFFFFF


class Stopped(Exception):
    """The progress callback asked the scan to stop; :attr:`table` holds what was scanned until then."""

    def __init__(self, table: NodeTable) -> None:
        super().__init__("The scan was stopped.")
        self.table = table


class _Broken(Exception):
    """The structure cannot be followed beyond *stop*."""

    def __init__(self, code: Code, span: Span, stop: int, part: str = "", **facts: object) -> None:
        super().__init__(code)
        self.code, self.span, self.stop, self.part, self.facts = code, span, stop, part, facts


def scan(
    buffer: bytes | bytearray | memoryview,
    dialect: Dialect,
    progress: Callable[[int], bool] | None = None,
) -> NodeTable:
    """Scan one value from the start of *buffer*.

    Args:
        buffer: a frame's bytes, at most 4 GiB.
        dialect: how to read them.
        progress: called now and then with the offset reached; returning False stops the scan.

    Returns:
        The table; ``table.end_of_data`` is the end of the value, or of what could be read of it.

    Raises:
        Stopped: *progress* returned False.
        OverflowError: the buffer is larger than 4 GiB.
    """
    if len(buffer) > 0xFFFFFFFF:
        raise OverflowError("One value may be at most 4 GiB long; this one is longer.")
    return _Scanner(buffer, dialect, progress).run()


class _Scanner:
    """The state of one scan.

    ``levels`` holds the open collections as ``[next id, last id + 1, children without an id, named, node]``; children
    without an id are those that the count promises but the bytes cannot hold. ``named`` is the lowest bit of the ids
    that are property names, -1 where none are.
    """

    def __init__(
        self,
        buffer: bytes | bytearray | memoryview,
        dialect: Dialect,
        progress: Callable[[int], bool] | None,
    ) -> None:
        self.buffer = buffer
        self.size = len(buffer)
        self.dialect = dialect
        self.rules = dialect.rules
        self.progress = progress
        self.table = NodeTable(buffer, dialect)
        self.node = -1
        self.promised = 0
        self.levels: list[list[int]] = []
        self.too_deep = False

    def run(self) -> NodeTable:
        """Scan to the end of the root value or to the first place that cannot be followed."""
        table = self.table
        try:
            self._words(0, 1, Code.HEADER_MISSING)
            self._reserve(1)
            table.end_of_data = self._walk()
        except _Broken as broken:
            table.end_of_data = broken.stop
            table.diagnostics.append(Diagnostic(broken.code, broken.span, self.node, broken.part, broken.facts))
        table.diagnostics.sort(key=lambda found: found.span.start)
        return table

    def _walk(self) -> int:
        """Read values one after another, in the order of their bytes; returns the end of the root."""
        start, parent, levels = self.table.start, self.table.parent, self.levels
        buffer, size, rows, mask = self.buffer, self.size, self.dialect.rows, self.rules.header_mask
        readers, plain = _plan(self.dialect)
        node, owner, named, pos, report = 0, NONE, False, 0, PROGRESS_EVERY
        while True:
            if pos + 4 > size:
                self._child_missing(pos)
            start[node] = pos
            parent[node] = owner
            self.node = node
            if named:
                pos = self._text(pos, "name")
            else:
                header = U32(buffer, pos)[0]
                number = header & mask
                if number >= len(rows):
                    self._unknown_type(header, pos)
                payload = plain[number][1 if header & FLAG_64 else 0]
                if 0 <= payload <= size - pos - 4:
                    pos += 4 + payload
                else:
                    pos = readers[number](self, rows[number], header, pos)
            while levels:
                level = levels[-1]
                node = level[0]
                if node < level[1]:
                    level[0] += 1
                    self.promised -= 1
                    owner = level[4]
                    named = level[3] == node & 1
                    break
                if level[2]:
                    self._child_missing(pos)
                levels.pop()
            else:
                return pos
            if pos >= report:
                report = pos + PROGRESS_EVERY
                if self.progress is not None and not self.progress(pos):
                    self.table.end_of_data = pos
                    raise Stopped(self.table)

    # Ids and levels

    def _reserve(self, count: int) -> int:
        """Give consecutive ids to *count* nodes; returns the first."""
        table = self.table
        first = len(table.start)
        blank = bytes(4 * count)
        table.start.frombytes(blank)
        table.first.frombytes(blank)
        table.parent.frombytes(b"\xff" * (4 * count))
        return first

    def _open(self, pos: int, count: int, named: bool = False) -> int:
        """Open a collection whose *count* children begin at *pos*."""
        room = (self.size - pos) // 4 - self.promised
        held = max(0, min(count, room))
        first = self._reserve(held)
        if held:
            self.table.first[self.node] = first
        self.promised += held
        if count:
            self.levels.append([first, first + held, count - held, first & 1 if named else -1, self.node])
            limit = self.rules.max_depth
            if limit and len(self.levels) > limit and not self.too_deep:
                self.too_deep = True
                facts = {"depth": len(self.levels), "limit": limit, "dialect": self.dialect.name}
                self._found(Code.TOO_DEEP, Span(pos, min(pos + 4, self.size)), "", **facts)
        return pos

    def _child_missing(self, pos: int) -> None:
        """The next child of the innermost collection should begin at *pos*, but too few bytes are left."""
        level = self.levels[-1]
        self.node = level[4]
        row = self.table.row(level[4])
        present = self.table.child_count(level[4])
        promised = level[1] - self.table.first[level[4]] + level[2] if present else level[2] + level[1] - level[0]
        unit = "element"
        if row is not None and row.kind in (Kind.DICTIONARY, Kind.OBJECT):
            unit, present, promised = "pair", present // 2, promised // 2
        name = row.name if row is not None else "collection"
        facts = {"parent": name, "promised": _plural(promised, unit), "present": _are(present)}
        raise _Broken(Code.CHILD_MISSING, Span(pos, self.size), pos, "count", **facts)

    def _found(self, code: Code, span: Span, part: str = "", **facts: object) -> None:
        self.table.diagnostics.append(Diagnostic(code, span, self.node, part, facts))

    def _unknown_type(self, header: int, pos: int) -> None:
        rows = self.dialect.rows
        span, name = Span(pos, pos + 4), self.dialect.name
        if header & 0xFF < len(rows):
            raise _Broken(Code.FLAGS_REFUSED, span, pos + 4, "header", header=f"0x{header:08X}", dialect=name)
        number = header & self.rules.header_mask
        raise _Broken(Code.UNKNOWN_TYPE, span, pos + 4, "header", number=number, dialect=name, highest=len(rows) - 1)

    # Primitives: each takes the offset of what it reads and returns the offset behind it.

    def _words(
        self, pos: int, count: int, code: Code = Code.PAYLOAD_TRUNCATED, what: str = "value", part: str = ""
    ) -> int:
        """Check that *count* words stand at *pos*."""
        return self._bytes(pos, 4 * count, what, part, code)

    def _bytes(self, pos: int, count: int, what: str, part: str = "", code: Code = Code.PAYLOAD_TRUNCATED) -> int:
        """Check that *count* bytes stand at *pos*."""
        left = self.size - pos
        if count > left:
            facts = {"type": what, "expected": count_bytes(count), "available": count_bytes(left)}
            raise _Broken(code, Span(pos, self.size), pos, part, **facts)
        return pos + count

    def _text(self, pos: int, what: str, padding: bool | None = None) -> int:
        """A length word, that many bytes, fill up to a multiple of four."""
        body = self._words(pos, 1, what=f"{what} length", part=_part(what, "length"))
        length: int = U32(self.buffer, pos)[0]
        left = self.size - body
        if length > INT_MAX:
            raise _Broken(Code.LENGTH_NEGATIVE, Span(pos, body), body, _part(what, "length"), length=length - (1 << 32))
        if length > left:
            facts = {"length": count_bytes(length), "available": count_bytes(left)}
            raise _Broken(Code.LENGTH_TOO_LONG, Span(pos, body), body, _part(what, "length"), **facts)
        end = body + length
        fill = -length % 4
        required = self.rules.string_padding == "required" if padding is None else padding
        if required and fill > left - length:
            facts = {"expected": count_bytes(fill), "available": count_bytes(left - length)}
            raise _Broken(Code.PADDING_MISSING, Span(end, self.size), end, _part(what, "padding"), **facts)
        self._check_text(body, end, what)
        return min(end + fill, self.size)

    def _check_text(self, start: int, end: int, what: str) -> None:
        raw = bytes(self.buffer[start:end])
        fault = text.fault(raw, self.rules.utf8)
        if fault is not None:
            at = start + fault.offset
            self._found(Code.BAD_UTF8, Span(at, at + 1), what, byte=f"0x{raw[fault.offset]:02X}", reason=fault.reason)

    def _count(self, pos: int, what: str, part: str = "count") -> tuple[int, int]:
        """A count word; returns it as stored and the offset behind it."""
        end = self._words(pos, 1, what=what, part=part)
        return U32(self.buffer, pos)[0], end

    # Kinds: each takes the row, the header and the offset of the header, and returns the offset behind the head.

    def _fixed(self, row: TypeRow, header: int, pos: int) -> int:
        """Only called when the fixed payload does not fit: whole fields are kept."""
        left, at = self.size - pos - 4, pos + 4
        for field in row.fields(header):
            if at + field.size > self.size:
                facts = {"type": row.name, "expected": count_bytes(_size(row, header)), "available": count_bytes(left)}
                raise _Broken(Code.PAYLOAD_TRUNCATED, Span(at, self.size), at, field.name, **facts)
            at += field.size
        return at

    def _string(self, row: TypeRow, header: int, pos: int) -> int:
        return self._text(pos + 4, "text")

    def _node_path(self, row: TypeRow, header: int, pos: int) -> int:
        names, at = self._count(pos + 4, "NodePath", "name_count")
        if not names & SHARED:
            return self._old_node_path(pos + 4)
        names &= INT_MAX
        self._words(at, 2, what="NodePath", part="subname_count")
        total = name_total(names, U32(self.buffer, at)[0], U32(self.buffer, at + 4)[0])
        at += 8
        for k in range(total):
            at = self._text(at, f"name{k}" if k < names else f"subname{k - names}", padding=True)
        return at

    def _old_node_path(self, pos: int) -> int:
        """One plain string, without fill even inside a collection [run]."""
        if not self.rules.old_node_path:
            raise _Broken(Code.OLD_NODE_PATH, Span(pos, pos + 4), pos + 4, "name_count", dialect=self.dialect.name)
        length: int = U32(self.buffer, pos)[0]
        left = self.size - pos - 4
        if length > left:
            facts = {"length": count_bytes(length), "available": count_bytes(left)}
            raise _Broken(Code.LENGTH_TOO_LONG, Span(pos, pos + 4), pos + 4, "length", **facts)
        return pos + 4 + length

    def _object(self, row: TypeRow, header: int, pos: int) -> int:
        if header & FLAG_64:
            return self._bytes(pos + 4, 8, row.name, "id")
        at = self._text(pos + 4, "class")
        name = text.logical(bytes(self.buffer[pos + 8 : pos + 8 + U32(self.buffer, pos + 4)[0]]))
        if not name.removeprefix(text.BOM):
            return at  # without a class it is null, and nothing follows
        count, at = self._count(at, row.name)
        return self._open(at, 0 if count > INT_MAX else 2 * count, named=True)

    def _signal(self, row: TypeRow, header: int, pos: int) -> int:
        at = self._text(pos + 4, "name")
        return self._bytes(at, 8, row.name, "id")

    def _dictionary(self, row: TypeRow, header: int, pos: int) -> int:
        at = pos + 4
        if self.rules.typed_dictionaries:
            at = self._element_type(header >> 16 & 3, at, "key")
            at = self._element_type(header >> 18 & 3, at, "value")
        count, at = self._count(at, row.name)
        return self._open(at, 2 * (count & INT_MAX))

    def _array(self, row: TypeRow, header: int, pos: int) -> int:
        at = pos + 4
        if self.rules.typed_arrays:
            at = self._element_type(header >> 16 & 3, at, "element")
        count, at = self._count(at, row.name)
        return self._open(at, count & INT_MAX)

    def _element_type(self, kind: int, pos: int, what: str) -> int:
        """The type behind a typed container's header: 1 a number, 2 a class name, 3 a script path."""
        if kind == 0:
            return pos
        if kind == 1:
            number, end = self._count(pos, f"{what} type", f"{what}_type")
            if number >= len(self.dialect.rows):
                facts = {"number": number, "dialect": self.dialect.name, "highest": len(self.dialect.rows) - 1}
                self._found(Code.ELEMENT_TYPE, Span(pos, end), f"{what}_type", **facts)
            return end
        return self._text(pos, f"{what}_class" if kind == 2 else f"{what}_script")

    def _typed_array(self, row: TypeRow, header: int, pos: int) -> int:
        self._words(pos + 4, 2, what=row.name, part="element_type")
        number, at = U32(self.buffer, pos + 4)[0] & INT_MAX, pos + 8
        if number == self.dialect.type_number("Object") and not header & FLAG_64:
            class_header = U32(self.buffer, at)[0]
            if class_header & self.rules.header_mask != self.dialect.type_number("StringName"):
                raise _Broken(
                    Code.CLASS_NAME_EXPECTED, Span(at, at + 4), at, "class_header", number=class_header & 0xFF
                )
            at = self._text(at + 4, "class")
        count, at = self._count(at, row.name)
        return self._open(at, count & INT_MAX)

    def _packed(self, row: TypeRow, header: int, pos: int) -> int:
        count, at = self._count(pos + 4, row.name)
        size = _size(row, header)
        left = self.size - at
        if count > INT_MAX:
            raise _Broken(Code.COUNT_NEGATIVE, Span(at - 4, at), at, "count", count=count - (1 << 32))
        if count * size > left:
            facts = {
                "type": row.name,
                "count": count,
                "expected": count_bytes(count * size),
                "available": count_bytes(left),
            }
            raise _Broken(Code.COUNT_TOO_LARGE, Span(at - 4, at), at + left // size * size, "count", **facts)
        end = at + count * size
        return min(end + (-count * size) % 4, self.size)

    def _packed_strings(self, row: TypeRow, header: int, pos: int) -> int:
        count, at = self._count(pos + 4, row.name)
        for k in range(0 if count > INT_MAX else count):
            at = self._text(at, f"[{k}]")
        return at

    def _image(self, row: TypeRow, header: int, pos: int) -> int:
        at = self._words(pos + 4, 5, what=row.name, part="format")
        number = U32(self.buffer, pos + 4)[0]
        if number >= len(image_formats()):
            raise _Broken(
                Code.IMAGE_FORMAT, Span(pos + 4, pos + 8), at, "format", format=number, highest=len(image_formats()) - 1
            )
        length: int = U32(self.buffer, pos + 20)[0]
        end = self._bytes(at, length, row.name, "data")
        return min(end + -length % 4, self.size)

    def _input_event(self, row: TypeRow, header: int, pos: int) -> int:
        at = self._words(pos + 4, 3, what=row.name, part="type")
        event = input_event(U32(self.buffer, pos + 4)[0])
        return self._bytes(at, sum(field.size for field in event.fields), row.name)


def name_total(names: int, subnames: int, flags: int) -> int:
    """How many names an engine reads from a node path: it adds in 32 bits, so that hostile counts wrap [run]."""
    return names + subnames + (flags >> 1 & 1) & 0xFFFFFFFF


_Read = Callable[[_Scanner, TypeRow, int, int], int]
_READERS: dict[Kind, _Read] = {
    Kind.FIXED: _Scanner._fixed,
    Kind.NULL_OBJECT: _Scanner._fixed,
    Kind.STRING: _Scanner._string,
    Kind.NODE_PATH: _Scanner._node_path,
    Kind.OBJECT: _Scanner._object,
    Kind.SIGNAL: _Scanner._signal,
    Kind.DICTIONARY: _Scanner._dictionary,
    Kind.ARRAY: _Scanner._array,
    Kind.TYPED_ARRAY: _Scanner._typed_array,
    Kind.PACKED: _Scanner._packed,
    Kind.PACKED_STRINGS: _Scanner._packed_strings,
    Kind.IMAGE: _Scanner._image,
    Kind.INPUT_EVENT: _Scanner._input_event,
}


@cache
def _plan(dialect: Dialect) -> tuple[list[_Read], list[tuple[int, int]]]:
    """By type number: what reads a value, and its payload's size where that never varies."""
    return [_READERS[row.kind] for row in dialect.rows], [_plain_sizes(row) for row in dialect.rows]


def _plain_sizes(row: TypeRow) -> tuple[int, int]:
    """Payload bytes without and with the 64-bit flag where they are always the same, else -1."""
    if row.kind in (Kind.FIXED, Kind.NULL_OBJECT):
        return row.narrow_size, row.wide_size
    return (-1, 8) if row.kind is Kind.OBJECT else (-1, -1)


def _size(row: TypeRow, header: int) -> int:
    return row.wide_size if header & FLAG_64 else row.narrow_size


def _part(what: str, suffix: str) -> str:
    """The name of the part beside a text: ``length`` for the text of a String, ``name0_length`` for a name."""
    return suffix if what in ("text", "name") else f"{what}_{suffix}"


def _plural(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _are(count: int) -> str:
    return f"{count} is" if count == 1 else f"{count} are"
