"""Items: every byte of a node by name.

A node's own bytes are cut into parts: header, counts and lengths, fields, texts, padding. Parts tile the node up to its
first child. They are read from the bytes when asked for, and kept only where they are very many. The elements of a
packed array are one part, ``elements``, and each element is a part of its own on demand, named ``[3]``; a component of
an element ``[3].x``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.span import Span
from viewer.variant import text
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Field, Kind, TypeRow, input_event
from viewer.variant.elements import TextIndex, element, element_count, element_size, is_whole, number, text_index
from viewer.variant.header import INLINE, INT_MAX, indexed_counts, name_total
from viewer.variant.part import Item, Part, Role
from viewer.variant.table import NodeTable
from viewer.variant.value import ReferenceKind

LONG = 1 << 16
"""Of texts and bytes that are longer, a part that is only shown or looked over holds so many from the beginning."""


class PartCutter:
    """Cuts one node into parts. What an error cut off is left out, so that any table can be read.

    Args:
        table, node: what to cut.
        most: so many bytes of a text or of data are read for the value of their part; None for all of them.
    """

    def __init__(self, table: NodeTable, node: int, most: int | None = LONG) -> None:
        self.table = table
        self.most = most
        self.buffer = table.buffer
        self.node = node
        self.at = table.start[node]
        self.end = table.head_end(node)
        self.dialect: Dialect = table.dialect

    def parts(self) -> Iterator[Part]:
        """The parts; of a value that was cut off in front of a guessed one, whatever is left is the last."""
        yield from self._known()
        if self.table.guess is not None and self.at < self.end:
            raw = self._bytes(self.end - self.at)
            yield self._raw("rest", self.end - self.at, Role.VALUE, "bytes", raw)

    def _known(self) -> Iterator[Part]:
        if self.table.is_name(self.node):
            yield from self._text("") if self.table.names is None else self._indexed_name("name")
            return
        if self.table.is_opaque(self.node):
            return
        header = self.table.header(self.node)
        row = self.dialect.row(header)
        if row is not None and row.kind is Kind.RESOURCE:
            yield from self._object(header)
            return
        yield self._raw("header", 4, Role.HEADER, "u32", header)
        if row is not None:
            yield from self._payload(row, header)

    def _payload(self, row: TypeRow, header: int) -> Iterator[Part]:
        match row.kind:
            case Kind.FIXED | Kind.NULL_OBJECT:
                yield from self._fields(row.fields(header))
            case Kind.STRING:
                yield from self._text("")
            case Kind.ARRAY | Kind.DICTIONARY | Kind.TYPED_ARRAY:
                yield from self._collection(row.kind, header)
            case Kind.NODE_PATH:
                yield from self._node_path()
            case Kind.INDEXED_PATH:
                yield from self._indexed_path()
            case Kind.REFERENCE:
                yield from self._reference()
            case Kind.OBJECT | Kind.RESOURCE:
                yield from self._object(header)
            case Kind.SIGNAL:
                yield from self._text("name")
                yield from self._fields((Field("id", "u64"),))
            case Kind.PACKED:
                yield from self._packed(row, header)
            case Kind.PACKED_STRINGS:
                yield from self._packed_strings()
            case Kind.IMAGE:
                yield from self._image()
            case Kind.INPUT_EVENT:
                yield from self._input_event()
            case _:
                assert_never(row.kind)

    def string(self, number: int, start: int) -> Iterator[Part]:
        """The parts of one string of a packed string array; its length word stands at *start*."""
        self.at = start
        yield from self._text(f"[{number}]", closing_nul=True)

    # Pieces

    def _raw(self, name: str, size: int, role: Role, kind: str, value: object) -> Part:
        span = Span(self.at, self.at + size)
        self.at += size
        return Part(name, span, role, kind, value)

    def _bytes(self, size: int) -> bytes:
        """The next bytes, of many the beginning."""
        return bytes(self.buffer[self.at : self.at + (size if self.most is None else min(size, self.most))])

    def _text_bytes(self, size: int) -> bytes:
        """The same of a text: the beginning ends with a whole character."""
        raw = self._bytes(size)
        return raw if len(raw) == size else raw[: text.whole_characters(raw)]

    def _has(self, size: int) -> bool:
        return self.end - self.at >= size

    def _word(self, name: str) -> Iterator[Part]:
        """A count, length or flags word."""
        if self._has(4):
            yield self._raw(name, 4, Role.LENGTH, "u32", u32(self.buffer, self.at))

    def _fields(self, fields: tuple[Field, ...]) -> Iterator[Part]:
        for field in fields:
            if not self._has(field.size):
                return
            yield self._raw(field.name, field.size, Role.VALUE, field.type, number(self.buffer, self.at, field.type))

    def _text(self, name: str, closing_nul: bool = False) -> Iterator[Part]:
        """Length word, text, fill. *name* is empty for the only text of a node."""
        prefix = f"{name}_" if name and not name.startswith("[") else f"{name}@" if name else ""
        length = None
        for word in self._word(f"{prefix}length"):
            length = word.value
            yield word
        if not isinstance(length, int) or not self._has(length):
            return
        raw, closed = self._text_bytes(length), self.dialect.rules.closed_texts
        shown = raw[:-1] if (closing_nul or closed) and raw.endswith(b"\0") else raw
        if length:
            yield self._raw(name or "text", length, Role.VALUE, "text", text.read(shown, self.dialect.rules.utf8))
        elif closing_nul:
            yield self._raw(name, 0, Role.VALUE, "text", "")
        if not closed:
            yield from self._padding(-length % 4, f"{prefix}padding")

    def _padding(self, size: int, name: str = "padding") -> Iterator[Part]:
        size = min(size, self.end - self.at)
        if size > 0:
            raw = bytes(self.buffer[self.at : self.at + size])
            yield self._raw(name, size, Role.PADDING, "bytes", raw)

    # Kinds

    def _node_path(self) -> Iterator[Part]:
        if not self._has(4):
            return
        names = u32(self.buffer, self.at)
        if not names & SHARED:
            if self.dialect.rules.old_node_path:
                yield from self._old_node_path()
            else:
                yield from self._word("name_count")
            return
        words = [*self._word("name_count"), *self._word("subname_count"), *self._word("flags")]
        yield from words
        if len(words) == 3:
            counts = [word.value if isinstance(word.value, int) else 0 for word in words]
            names &= INT_MAX
            for k in range(name_total(names, counts[1], counts[2])):
                if not self._has(4):
                    return
                yield from self._text(f"name{k}" if k < names else f"subname{k - names}")

    def _indexed_name(self, name: str) -> Iterator[Part]:
        """A place in the table of strings, told as the string there; or the length of a text, and the text."""
        if not self._has(4):
            return
        word, names = u32(self.buffer, self.at), self.table.names
        if not word & INLINE:
            told = names[word] if names is not None and word < len(names) else word
            yield self._raw(name, 4, Role.VALUE, "text" if isinstance(told, str) else "u32", told)
            return
        yield self._raw(f"{name}_length", 4, Role.LENGTH, "u32", word)
        raw = bytes(self.buffer[self.at : min(self.end, self.at + (word & INT_MAX))])
        shown = text.read(raw.removesuffix(b"\0"), self.dialect.rules.utf8)
        yield self._raw(name, len(raw), Role.VALUE, "text", shown)

    def _indexed_path(self) -> Iterator[Part]:
        if not self._has(4):
            return
        names, total = indexed_counts(u32(self.buffer, self.at))
        for what in ("name_count", "subname_count"):
            word = int.from_bytes(self.buffer[self.at : self.at + 2], "little")
            yield self._raw(what, 2, Role.LENGTH, "u16", word)
        for k in range(total):
            if not self._has(4):
                return
            yield from self._indexed_name(f"name{k}" if k < names else f"subname{k - names}")

    def _reference(self) -> Iterator[Part]:
        for word in self._word("target"):
            yield word
            if word.value == ReferenceKind.PATH:
                yield from self._text("class")
                yield from self._text("path")
            elif word.value in (ReferenceKind.INTERNAL, ReferenceKind.EXTERNAL):
                yield from self._fields((Field("index", "u32"),))

    def _old_node_path(self) -> Iterator[Part]:
        for word in self._word("length"):
            yield word
            length = word.value
            if isinstance(length, int) and length and self._has(length):
                raw = self._text_bytes(length)
                yield self._raw("text", length, Role.VALUE, "text", text.read(raw, self.dialect.rules.utf8))

    def _object(self, header: int) -> Iterator[Part]:
        if header & FLAG_64:
            yield from self._fields((Field("id", "u64"),))
            return
        yield from self._text("class")
        yield from self._word("count")

    def _packed(self, row: TypeRow, header: int) -> Iterator[Part]:
        yield from self._word("count")
        count = element_count(self.table, self.node)
        size = element_size(row, header)
        if count:
            yield self._raw(
                "elements", count * size, Role.VALUE, row.narrow[0].type if len(row.narrow) == 1 else "", None
            )
        yield from self._padding(-(count * size) % 4)

    def _packed_strings(self) -> Iterator[Part]:
        count = 0
        for word in self._word("count"):
            count = word.value if isinstance(word.value, int) else 0
            yield word
        for k in range(count if count <= INT_MAX else 0):
            if not self._has(4):
                return
            yield from self._text(f"[{k}]", closing_nul=True)

    def _image(self) -> Iterator[Part]:
        fields = tuple(Field(name, "u32") for name in ("format", "mipmaps", "width", "height"))
        yield from self._fields(fields)
        for word in self._word("length"):
            yield word
            length = word.value
            if isinstance(length, int) and self._has(length):
                if length:
                    raw = self._bytes(length)
                    yield self._raw("data", length, Role.VALUE, "bytes", raw)
                yield from self._padding(-length % 4)

    def _input_event(self) -> Iterator[Part]:
        if not self._has(12):
            yield from self._fields((Field("type", "u32"), Field("device", "i32")))
            return
        event = input_event(u32(self.buffer, self.at))
        yield from self._fields((Field("type", "u32"), Field("device", "i32")))
        yield from self._word("length")
        yield from self._fields(event.fields)

    def _collection(self, kind: Kind, header: int) -> Iterator[Part]:
        rules = self.dialect.rules
        if kind is Kind.TYPED_ARRAY:
            yield from self._typed_array(header)
        elif kind is Kind.DICTIONARY and rules.typed_dictionaries:
            yield from self._element_type(header >> 16 & 3, "key")
            yield from self._element_type(header >> 18 & 3, "value")
        elif kind is Kind.ARRAY and rules.typed_arrays:
            yield from self._element_type(header >> 16 & 3, "element")
        yield from self._word("count")

    def _element_type(self, kind: int, what: str) -> Iterator[Part]:
        if kind == 1:
            yield from self._word(f"{what}_type")
        elif kind:
            yield from self._text(f"{what}_class" if kind == 2 else f"{what}_script")

    def _typed_array(self, header: int) -> Iterator[Part]:
        number_ = 0
        for word in self._word("element_type"):
            number_ = word.value if isinstance(word.value, int) else 0
            yield word
        if number_ & INT_MAX == self.dialect.type_number("Object") and not header & FLAG_64 and self._has(4):
            yield self._raw("class_header", 4, Role.HEADER, "u32", u32(self.buffer, self.at))
            yield from self._text("class")


# Parts and elements by their names and places.


LONGEST_NUMBER = 10
GAP = "gap"
MANY = 256
"""The parts of a node that has so many are kept until another such one is cut: a NodePath may have thousands."""

__all__ = [
    "Item",
    "Part",
    "Role",
    "element",
    "element_count",
    "gap_part",
    "head",
    "holds_whole_strings",
    "number",
    "part",
    "part_at",
    "parts",
    "string_parts",
    "whole_parts",
]


def parts(table: NodeTable, node: int) -> list[Part]:
    """The parts of a node in byte order; they tile it up to its first child.

    A long text or long data is not read as a whole: :func:`whole_parts` does that.
    """
    kept = table.cut
    if kept is not None and kept[0] is table.buffer and kept[1] == node:
        return list(kept[2])
    found = tuple(PartCutter(table, node).parts())
    if len(found) >= MANY:
        table.cut = table.buffer, node, found
    return list(found)


def whole_parts(table: NodeTable, node: int) -> Iterator[Part]:
    """The same parts, all values with all of their bytes."""
    return PartCutter(table, node, None).parts()


def path_lengths(table: NodeTable, node: int) -> list[int]:
    """The lengths of the names of a node path; none of one that is cut off, or not in the form that is written now."""
    buffer, found = table.buffer, []
    at, end = table.start[node] + 16, table.head_end(node)
    if at > end or not u32(buffer, at - 12) & SHARED or table.is_opaque(node):
        return []
    while at + 4 <= end:
        length = u32(buffer, at)
        found.append(length)
        at += 4 + length + -length % 4
    return found if at == end else []


def part_at(table: NodeTable, node: int, offset: int) -> Part | None:
    """The smallest part, or the gap, of this node that holds the byte at *offset* (from the start of the frame)."""
    gap = table.gap_at(offset) if table.gaps else None
    if gap is not None:
        return gap_part(table, table.gaps.index(gap))
    if holds_whole_strings(table, node):
        return _string_part_at(table, node, offset)
    found = parts(table, node)
    place = bisect_right(found, offset, key=lambda part: part.span.start) - 1
    if place < 0 or offset not in found[place].span:
        return None
    return _element_at(table, node, found[place], offset) if found[place].name == "elements" else found[place]


def part(table: NodeTable, node: int, name: str) -> Part | None:
    """The part or gap with this name, or None where the node has none."""
    if name.startswith(GAP):
        return _gap(table, node, name)
    if name.startswith("["):
        return _element(table, node, name)
    found = head(table, node) if holds_whole_strings(table, node) else parts(table, node)
    return _named(found, name)


def part_label(part: Part) -> str:
    """The name of a part in words: ``name 0 length``."""
    spaced = part.name.replace("_", " ")
    head = spaced.rstrip("0123456789")
    stem, dot, rest = spaced.partition(" ")
    bare = stem.rstrip("0123456789")
    if dot and bare in ("name", "subname") and bare != stem:
        return f"{bare} {stem[len(bare) :]} {rest}"
    return f"{head} {spaced[len(head) :]}" if head in ("name", "subname") and head != spaced else spaced


def gap_part(table: NodeTable, number: int) -> Part:
    """Gap *number* of a table, as a part of the collection that it lies in."""
    gap = table.gaps[number]
    return Part(f"{GAP}{number}", gap.span, Role.GAP, "bytes", None)


def _gap(table: NodeTable, node: int, name: str) -> Part | None:
    digits = name.removeprefix(GAP)
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < LONGEST_NUMBER else -1
    return gap_part(table, number) if 0 <= number < len(table.gaps) and table.gaps[number].owner == node else None


def _element(table: NodeTable, node: int, name: str) -> Part | None:
    """Element ``[3]`` of a packed array, its component ``[3].x``, or ``[3]@length`` of a string."""
    digits, _, component = name[1:].partition("]")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        return None
    if holds_whole_strings(table, node):
        return _named(string_parts(table, node, text_index(table, node), int(digits)), name)
    if int(digits) < element_count(table, node):
        whole = element(table, node, int(digits))
        return _named(_components(table, node, whole), name) if component else whole
    return _named(parts(table, node), name)


def _named(found: Iterable[Part], name: str) -> Part | None:
    return next((part for part in found if part.name == name), None)


def _element_at(table: NodeTable, node: int, elements: Part, offset: int) -> Part:
    row = table.row(node)
    assert row is not None
    size = element_size(row, table.header(node))
    whole = element(table, node, (offset - elements.span.start) // size)
    return next((found for found in _components(table, node, whole) if offset in found.span), whole)


def _components(table: NodeTable, node: int, whole: Part) -> Iterator[Part]:
    row = table.row(node)
    assert row is not None
    fields = row.fields(table.header(node))
    at = whole.span.start
    for field in fields if len(fields) > 1 else ():
        span = Span(at, at + field.size)
        yield Part(f"{whole.name}.{field.name}", span, Role.VALUE, field.type, number(table.buffer, at, field.type))
        at += field.size


# Strings, one at a time: an array of a million is never cut as a whole to find one


def holds_whole_strings(table: NodeTable, node: int) -> bool:
    """Whether this is a packed string array that no error cut off."""
    row = table.row(node)
    return row is not None and row.kind is Kind.PACKED_STRINGS and not table.is_name(node) and is_whole(table, node)


def head(table: NodeTable, node: int) -> Iterator[Part]:
    """Header and count."""
    return islice(PartCutter(table, node).parts(), 2)


def string_parts(table: NodeTable, node: int, index: TextIndex, number: int) -> Iterator[Part]:
    """Length, text and fill of a string; nothing where there is no such string."""
    if number >= len(index):
        return iter(())
    return PartCutter(table, node).string(number, index.start(number))


def _string_part_at(table: NodeTable, node: int, offset: int) -> Part | None:
    index = text_index(table, node)
    number = index.at(offset)
    found = string_parts(table, node, index, number) if number >= 0 else head(table, node)
    return next((part for part in found if offset in part.span), None)
