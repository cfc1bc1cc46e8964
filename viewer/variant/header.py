"""Headers: everything of a value but its children, read with all checks and a finding for each that fails.

The scanner hops over ordinary values by itself and asks here about every other one: rare kinds, odd headers, texts that
are not plain, and whatever is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, assert_never

from viewer.base.buffer import STRETCH, Buffer, u32
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.late_pattern import late_pattern
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Kind, TypeRow, by_kind, image_formats, input_event
from viewer.variant.hops import text_starts
from viewer.variant.value import ReferenceKind

if TYPE_CHECKING:  # most files have none
    from viewer.variant.string_table import StringTable

# Checked reading: the words, texts and counts of a head. What cannot be followed is raised, what is odd is kept.

INT_MAX = 0x7FFFFFFF
INLINE = 1 << 31
"""In a name's word: no place in a table of strings, but the length of a text that follows."""
TEXTS = late_pattern(r"(\[|name|subname)(\d+)]?")


class HeaderBroken(Exception):
    """The structure cannot be followed beyond *stop*."""

    def __init__(self, code: Code, span: Span, stop: int, part: str = "", **facts: object) -> None:
        super().__init__(code)
        self.code, self.span, self.stop, self.part, self.facts = code, span, stop, part, facts

    def found(self, node: int) -> Diagnostic:
        """What to tell about *node*."""
        return Diagnostic(self.code, self.span, node, self.part, self.facts)


class ReadingStopped(Exception):
    """The progress callback ended the reading of a head at the offset *reached*."""

    def __init__(self, reached: int) -> None:
        super().__init__("Reading was stopped.")
        self.reached = reached


class CheckedReader:
    """Reads primitives in the bytes of a frame, for one node after another.

    Args:
        buffer: a frame's bytes.
        dialect: how to read them.
        progress: told the offset reached while long texts are looked at; returning False ends that.

    Attributes:
        node: what is being read.
        found: findings that do not keep a value from being followed.
        checked: how many heads and texts were read so far.
    """

    def __init__(self, buffer: Buffer, dialect: Dialect, progress: Progress | None = None) -> None:
        self.buffer = buffer
        self.size = len(buffer)
        self.progress = progress
        self.dialect = dialect
        self.rules = dialect.rules
        self.found: list[Diagnostic] = []
        self.node = -1
        self.checked = 0

    def word(self, pos: int) -> int:
        """The u32 at *pos*."""
        return u32(self.buffer, pos)

    def need_header(self, pos: int) -> None:
        """Check that a header stands at *pos*.

        Raises:
            Broken: fewer than four bytes are left.
        """
        self._words(pos, 1, Code.HEADER_MISSING)

    def _tell(self, code: Code, span: Span, part: str = "", **facts: object) -> None:
        self.found.append(Diagnostic(code, span, self.node, part, facts))

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
            facts = {"subject": _subject(what), "expected": count_bytes(count), "available": count_bytes(left)}
            raise HeaderBroken(code, Span(pos, self.size), pos, part, **facts)
        return pos + count

    def _text(self, pos: int, what: str, padding: bool | None = None) -> int:
        """A length word, that many bytes, fill up to a multiple of four."""
        self.checked += 1
        body = self._words(pos, 1, what=f"{what} length", part=_part(what, "length"))
        length = self.word(pos)
        left = self.size - body
        if length > INT_MAX:
            raise HeaderBroken(
                Code.LENGTH_NEGATIVE, Span(pos, body), body, _part(what, "length"), length=length - (1 << 32)
            )
        if length > left:
            facts = {"length": count_bytes(length), "available": count_bytes(left)}
            raise HeaderBroken(Code.LENGTH_TOO_LONG, Span(pos, body), body, _part(what, "length"), **facts)
        end = body + length
        fill = 0 if self.rules.closed_texts else -length % 4
        required = self.rules.string_padding == "required" if padding is None else padding
        if required and fill > left - length:
            facts = {"expected": count_bytes(fill), "available": count_bytes(left - length)}
            raise HeaderBroken(Code.PADDING_MISSING, Span(end, self.size), end, _part(what, "padding"), **facts)
        self._check_text(body, end, what)
        return min(end + fill, self.size)

    def _check_text(self, start: int, end: int, what: str) -> None:
        if self.rules.utf8 == "any":
            return
        fault = text.fault_in(self.buffer, start, end, self.rules.utf8, self._goes_on)
        if fault is not None and self.rules.closed_texts:
            self._tell(Code.RESOURCE_TEXT, Span(start + fault.offset, start + fault.offset + 1), what)
        elif fault is not None:
            at = start + fault.offset
            self._tell(Code.BAD_UTF8, Span(at, at + 1), what, byte=f"0x{self.buffer[at]:02X}", reason=fault.reason)

    def _goes_on(self, reached: int) -> None:
        """Tell how far the reading came.

        Raises:
            ReadingStopped: it should end.
        """
        if self.progress is not None and not self.progress(reached):
            raise ReadingStopped(reached)

    def _count(self, pos: int, what: str, part: str = "count") -> tuple[int, int]:
        """A count word; returns it as stored and the offset behind it."""
        named = what if part.endswith("_type") else f"{what} {part}"
        end = self._words(pos, 1, what=named, part=part)
        return self.word(pos), end


def _subject(what: str) -> str:
    """What lacks bytes, as a sentence begins: ``This Vector3``, ``The length of name 0``."""
    owner, _, word = what.rpartition(" ")
    if word == "length":
        return f"The length of {_spoken(owner)}"
    if word == "type":
        return f"The {what}"
    return f"The {word.replace('_', ' ')} of this {owner}" if word.endswith("count") else f"This {what}"


def _spoken(what: str) -> str:
    """The name of a text as a person says it."""
    found = TEXTS.fullmatch(what)
    if found is None:
        more = " name" if "class" in what else " path" if "script" in what else ""
        return f"this {what.replace('_', ' ')}{more}"
    kind = {"[": "element", "name": "name", "subname": "sub-name"}[found[1]]
    return f"{kind} {found[2]}"


def _part(what: str, suffix: str) -> str:
    """The name of the part beside a text: ``length`` for the text of a String, ``name0_length`` for a name."""
    return suffix if what in ("text", "name") else f"{what}_{suffix}"


# Runs of texts: over the many texts of a packed array in one go, as far as there is nothing to say of them.


def hop_plain(
    buffer: Buffer, at: int, count: int, ascii_only: bool, reached: Callable[[int], None] | None = None
) -> tuple[int, int]:
    """Hop over texts that are whole, fill included.

    Args:
        buffer: the frame's bytes.
        at: where the first text begins, with its length.
        count: how many to hop over at most.
        ascii_only: whether to end in front of bytes that may be no proper text; then a stretch before them is left too.
        reached: told the offset now and then; what it raises ends the way.

    Returns:
        How many texts, and the offset behind them. The next one is broken, long, or none that is surely plain.
    """
    known, size, tell = 0, len(buffer), at + text.PIECE
    while known < count:
        if reached is not None and at >= tell:
            tell = at + text.PIECE
            reached(at)
        starts = text_starts(buffer, at, min(size, at + STRETCH), count - known)
        if starts[-1] > size:  # the fill of the last one is cut off
            starts.pop()
        if len(starts) < 2 or (ascii_only and not bytes(buffer[at : starts[-1]]).isascii()):
            break
        known, at = known + len(starts) - 1, starts[-1]
    return known, at


__all__ = ["INT_MAX", "Head", "HeaderBroken", "HeaderParser", "ReadingStopped", "name_total"]

ONE_BY_ONE = 256
"""Texts of a packed array that are read with all checks before many are hopped over again."""
FIRST = len(text.BOM) + 1
"""Bytes of a name that tell whether there is one."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head that was read.

    Args:
        end: the offset behind it.
        children: how many values it promises to follow, keys included.
        named: whether every second child, from the first on, is a property name: text without a header.
    """

    end: int
    children: int = 0
    named: bool = False


class HeaderParser(CheckedReader):
    """Reads heads.

    Args:
        buffer: a frame's bytes.
        dialect: how to read them.
        progress: as above.
        names: the table of strings that names are places in, None where that is not known or they are texts.
    """

    def __init__(
        self, buffer: Buffer, dialect: Dialect, progress: Progress | None = None, names: StringTable | None = None
    ) -> None:
        super().__init__(buffer, dialect, progress)
        self.names = names

    def read(self, node: int, pos: int) -> Head:
        """Read the head of *node* at *pos*, where at least four bytes are left.

        Raises:
            Broken: the value cannot be followed.
        """
        self.node = node
        self.checked += 1
        header = self.word(pos)
        row = self.dialect.row(header)
        if row is None or row.kind is Kind.RESOURCE:
            raise self._unknown_type(header, pos)
        return _READERS[row.kind](self, row, header, pos)

    def name(self, node: int, pos: int) -> Head:
        """Read a property name at *pos*.

        Raises:
            Broken: it does not end inside the frame.
        """
        self.node = node
        return Head(self._indexed_name(pos, "name") if self.rules.closed_texts else self._text(pos, "name"))

    def resource(self, node: int, pos: int) -> Head:
        """Read the class of a resource, which has no header, and the count of its properties.

        Raises:
            Broken: it does not end inside the frame.
        """
        self.node = node
        at = self._text(pos, "class")
        count, at = self._count(at, "Resource")
        return Head(at, 0 if count > INT_MAX else 2 * count, named=True)

    def _indexed_name(self, pos: int, what: str) -> int:
        """A place in the table of strings, or under its highest bit the length of a text that follows."""
        end = self._words(pos, 1, what=what, part=what)
        word = self.word(pos)
        if word & INLINE:
            if not word & INT_MAX:
                raise HeaderBroken(Code.NAME_EMPTY, Span(pos, end), end, what)
            return self._bytes(end, word & INT_MAX, what, what)
        if self.names is not None and word >= len(self.names):
            self._tell(Code.NAME_INDEX, Span(pos, end), what, number=word, count=len(self.names))
        return end

    def _unknown_type(self, header: int, pos: int) -> HeaderBroken:
        rows = self.dialect.rows
        span, name = Span(pos, pos + 4), self.dialect.name
        if self.rules.closed_texts:
            return HeaderBroken(Code.UNKNOWN_RESOURCE_TYPE, span, pos + 4, "header", number=header, dialect=name)
        if header & 0xFF < len(rows):
            return HeaderBroken(Code.FLAGS_REFUSED, span, pos + 4, "header", header=f"0x{header:08X}", dialect=name)
        number = header & self.rules.header_mask
        return HeaderBroken(
            Code.UNKNOWN_TYPE, span, pos + 4, "header", number=number, dialect=name, highest=len(rows) - 1
        )

    # Kinds: each takes the row, the header word and its offset.

    def _fixed(self, row: TypeRow, header: int, pos: int) -> Head:
        """Field by field: where the payload is cut, whole fields are kept."""
        left, at = self.size - pos - 4, pos + 4
        for field in row.fields(header):
            if at + field.size > self.size:
                facts = {
                    "subject": f"This {row.name}",
                    "expected": count_bytes(_size(row, header)),
                    "available": count_bytes(left),
                }
                raise HeaderBroken(Code.PAYLOAD_TRUNCATED, Span(at, self.size), at, field.name, **facts)
            at += field.size
        return Head(at)

    def _string(self, row: TypeRow, header: int, pos: int) -> Head:
        return Head(self._text(pos + 4, "text"))

    def _node_path(self, row: TypeRow, header: int, pos: int) -> Head:
        names, at = self._count(pos + 4, "NodePath", "name_count")
        if not names & SHARED:
            return self._old_node_path(pos + 4)
        names &= INT_MAX
        self._words(at, 2, what="NodePath", part="subname_count")
        total = name_total(names, self.word(at), self.word(at + 4))
        at += 8
        for k in range(total):
            at = self._text(at, f"name{k}" if k < names else f"subname{k - names}", padding=True)
        return Head(at)

    def _old_node_path(self, pos: int) -> Head:
        """One plain string, without fill even inside a collection [run]."""
        if not self.rules.old_node_path:
            raise HeaderBroken(Code.OLD_NODE_PATH, Span(pos, pos + 4), pos + 4, "name_count", dialect=self.dialect.name)
        length = self.word(pos)
        left = self.size - pos - 4
        if length > left:
            facts = {"length": count_bytes(length), "available": count_bytes(left)}
            raise HeaderBroken(Code.LENGTH_TOO_LONG, Span(pos, pos + 4), pos + 4, "length", **facts)
        return Head(pos + 4 + length)

    def _object(self, row: TypeRow, header: int, pos: int) -> Head:
        if header & FLAG_64:
            return Head(self._bytes(pos + 4, 8, row.name, "id"))
        at = self._text(pos + 4, "class")
        begin = pos + 8
        name = text.logical(bytes(self.buffer[begin : begin + min(self.word(pos + 4), FIRST)]))
        if not name.removeprefix(text.BOM):
            return Head(at)  # without a class it is null, and nothing follows
        count, at = self._count(at, row.name)
        return Head(at, 0 if count > INT_MAX else 2 * count, named=True)

    def _signal(self, row: TypeRow, header: int, pos: int) -> Head:
        at = self._text(pos + 4, "name")
        return Head(self._bytes(at, 8, row.name, "id"))

    def _dictionary(self, row: TypeRow, header: int, pos: int) -> Head:
        at = pos + 4
        if self.rules.typed_dictionaries:
            at = self._element_type(header >> 16 & 3, at, "key")
            at = self._element_type(header >> 18 & 3, at, "value")
        count, at = self._count(at, row.name)
        return Head(at, 2 * (count & INT_MAX))

    def _array(self, row: TypeRow, header: int, pos: int) -> Head:
        at = pos + 4
        if self.rules.typed_arrays:
            at = self._element_type(header >> 16 & 3, at, "element")
        count, at = self._count(at, row.name)
        return Head(at, count & INT_MAX)

    def _element_type(self, kind: int, pos: int, what: str) -> int:
        """The type behind a typed container's header: 1 a number, 2 a class name, 3 a script path."""
        if kind == 0:
            return pos
        if kind == 1:
            number, end = self._count(pos, f"{what} type", f"{what}_type")
            if number >= len(self.dialect.rows):
                facts = {"number": number, "dialect": self.dialect.name, "highest": len(self.dialect.rows) - 1}
                self._tell(Code.ELEMENT_TYPE, Span(pos, end), f"{what}_type", **facts)
            return end
        return self._text(pos, f"{what}_class" if kind == 2 else f"{what}_script")

    def _typed_array(self, row: TypeRow, header: int, pos: int) -> Head:
        self._words(pos + 4, 2, what=row.name, part="element_type")
        number, at = self.word(pos + 4) & INT_MAX, pos + 8
        if number == self.dialect.type_number("Object") and not header & FLAG_64:
            class_header = self.word(at)
            if class_header & self.rules.header_mask != self.dialect.type_number("StringName"):
                raise HeaderBroken(
                    Code.CLASS_NAME_EXPECTED, Span(at, at + 4), at, "class_header", number=class_header & 0xFF
                )
            at = self._text(at + 4, "class")
        count, at = self._count(at, row.name)
        return Head(at, count & INT_MAX)

    def _packed(self, row: TypeRow, header: int, pos: int) -> Head:
        count, at = self._count(pos + 4, row.name)
        size = _size(row, header)
        left = self.size - at
        if count > INT_MAX:
            raise HeaderBroken(Code.COUNT_NEGATIVE, Span(at - 4, at), at, "count", count=count - (1 << 32))
        if count * size > left:
            facts = {
                "type": row.name,
                "count": count,
                "expected": count_bytes(count * size),
                "available": count_bytes(left),
            }
            raise HeaderBroken(Code.COUNT_TOO_LARGE, Span(at - 4, at), at + left // size * size, "count", **facts)
        end = at + count * size
        return Head(min(end + (-count * size) % 4, self.size))

    def _packed_strings(self, row: TypeRow, header: int, pos: int) -> Head:
        count, at = self._count(pos + 4, row.name)
        known = 0
        while self.rules.closed_texts and known < count <= INT_MAX:
            at = self._text(at, f"[{known}]")
            known += 1
        while known < count <= INT_MAX:
            hopped, at = hop_plain(self.buffer, at, count - known, self.rules.utf8 != "any", self._goes_on)
            known, first = min(count, known + hopped + ONE_BY_ONE), known + hopped
            for k in range(first, known):
                at = self._text(at, f"[{k}]")
        return Head(at)

    def _reference(self, row: TypeRow, header: int, pos: int) -> Head:
        at = self._words(pos + 4, 1, what="reference", part="target")
        kind = self.word(pos + 4)
        if kind == ReferenceKind.NULL:
            return Head(at)
        if kind == ReferenceKind.PATH:
            return Head(self._text(self._text(at, "class"), "path"))
        if kind > ReferenceKind.EXTERNAL:
            raise HeaderBroken(Code.REFERENCE_KIND, Span(pos + 4, at), at, "target", number=kind)
        return Head(self._words(at, 1, what="reference", part="index"))

    def _indexed_path(self, row: TypeRow, header: int, pos: int) -> Head:
        at = self._words(pos + 4, 1, what="NodePath", part="name_count")
        names, total = indexed_counts(self.word(pos + 4))
        for k in range(total):
            at = self._indexed_name(at, f"name{k}" if k < names else f"subname{k - names}")
        return Head(at)

    def _image(self, row: TypeRow, header: int, pos: int) -> Head:
        at = self._words(pos + 4, 5, what=row.name, part="format")
        number = self.word(pos + 4)
        if number >= len(image_formats()):
            raise HeaderBroken(
                Code.IMAGE_FORMAT, Span(pos + 4, pos + 8), at, "format", format=number, highest=len(image_formats()) - 1
            )
        length = self.word(pos + 20)
        end = self._bytes(at, length, row.name, "data")
        return Head(min(end + -length % 4, self.size))

    def _input_event(self, row: TypeRow, header: int, pos: int) -> Head:
        at = self._words(pos + 4, 3, what=row.name, part="type")
        event = input_event(self.word(pos + 4))
        return Head(self._bytes(at, sum(field.size for field in event.fields), row.name))


def indexed_counts(word: int) -> tuple[int, int]:
    """How many names the word of a NodePath in a binary resource tells, and how many with the sub-names."""
    names = word & 0xFFFF
    return names, names + (word >> 16 & 0x7FFF)


def name_total(names: int, subnames: int, flags: int) -> int:
    """How many names an engine reads from a node path: it adds in 32 bits, so that hostile counts wrap [run]."""
    return names + subnames + (flags >> 1 & 1) & 0xFFFFFFFF


_Read = Callable[[HeaderParser, TypeRow, int, int], Head]


def _reader(kind: Kind) -> _Read:
    match kind:
        case Kind.FIXED | Kind.NULL_OBJECT:
            return HeaderParser._fixed
        case Kind.REFERENCE:
            return HeaderParser._reference
        case Kind.INDEXED_PATH:
            return HeaderParser._indexed_path
        case Kind.STRING:
            return HeaderParser._string
        case Kind.NODE_PATH:
            return HeaderParser._node_path
        case Kind.OBJECT | Kind.RESOURCE:
            return HeaderParser._object
        case Kind.SIGNAL:
            return HeaderParser._signal
        case Kind.DICTIONARY:
            return HeaderParser._dictionary
        case Kind.ARRAY:
            return HeaderParser._array
        case Kind.TYPED_ARRAY:
            return HeaderParser._typed_array
        case Kind.PACKED:
            return HeaderParser._packed
        case Kind.PACKED_STRINGS:
            return HeaderParser._packed_strings
        case Kind.IMAGE:
            return HeaderParser._image
        case Kind.INPUT_EVENT:
            return HeaderParser._input_event
        case _:
            assert_never(kind)


_READERS = by_kind(_reader)


def _size(row: TypeRow, header: int) -> int:
    return row.wide_size if header & FLAG_64 else row.narrow_size
