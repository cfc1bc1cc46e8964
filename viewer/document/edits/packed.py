"""Packed arrays: setting, inserting and deleting their elements, with count and fill made true.

An element is what :mod:`viewer.variant.value` says: a number, a tuple of numbers where it has several components, a
text in a string array. Indexes are those before the edit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from viewer.base.record import dataclass, field
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.slots import EditError
from viewer.document.outline import node_frame
from viewer.document.path import item_path
from viewer.document.pieces.framing import Frame
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import Field, Kind
from viewer.variant.elements import TextIndex, element_count, is_whole
from viewer.variant.items import Item
from viewer.variant.primitives import EncodeError, encode_number, encode_string_element
from viewer.variant.table import NodeTable

# Packed arrays as a run of elements: where each lies in its frame, and the bytes of a new one.

Element: TypeAlias = "int | float | str | tuple[int | float, ...]"


@dataclass(frozen=True, slots=True)
class NumberArray:
    """A packed array of numbers, or of elements of several numbers."""

    frame: Frame
    node: int
    count: int
    fields: tuple[Field, ...]

    @property
    def table(self) -> NodeTable:
        """The nodes of the array's frame."""
        return self.frame.table

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return sum(field.size for field in self.fields)

    @property
    def whole(self) -> bool:
        """Whether the bytes hold all the elements that the count promises."""
        return is_whole(self.table, self.node)

    def __len__(self) -> int:
        return self.count

    def start(self, index: int) -> int:
        """Where an element begins."""
        return self.table.start[self.node] + 8 + index * self.size

    def encoded(self, value: Element) -> bytes:
        """The bytes of one element."""
        numbers = value if isinstance(value, tuple) else (value,)
        if len(numbers) != len(self.fields):
            raise EditError(f"An element takes {_numbers(len(self.fields))}, not {len(numbers)}.")
        return b"".join(_encoded(number, field) for number, field in zip(numbers, self.fields, strict=True))


@dataclass(frozen=True, slots=True)
class TextArray:
    """A packed array of strings."""

    frame: Frame
    node: int
    index: TextIndex

    @property
    def table(self) -> NodeTable:
        """The nodes of the array's frame."""
        return self.frame.table

    @property
    def whole(self) -> bool:
        """Whether the bytes hold all the elements that the count promises."""
        return is_whole(self.table, self.node)

    def __len__(self) -> int:
        return len(self.index)

    def start(self, index: int) -> int:
        """Where the length word of a string stands; the fill of the last one may be missing."""
        return min(self.index.start(index), self.table.end(self.node))

    def encoded(self, value: Element) -> bytes:
        """The bytes of one string."""
        if not isinstance(value, str):
            raise EditError("An element is a text.")
        return encode_string_element(value, self.table.dialect.rules.closed_texts)


def open_array(document: Document, item: Item) -> NumberArray | TextArray:
    """The packed array that an item is, or is a part of.

    Raises:
        EditError: it is none.
    """
    frame = node_frame(document, item)
    row = None if frame is None else frame.table.row(item.node)
    if frame is None or row is None or frame.table.is_name(item.node):
        raise EditError("This is not a packed array.")
    if row.kind is Kind.PACKED_STRINGS:
        return TextArray(frame, item.node, TextIndex(frame.table, item.node))
    if row.kind is not Kind.PACKED:
        raise EditError("This is not a packed array.")
    fields = row.fields(frame.table.header(item.node))
    return NumberArray(frame, item.node, element_count(frame.table, item.node), fields)


def _encoded(number: object, field: Field) -> bytes:
    if not isinstance(number, int | float) or (isinstance(number, float) and field.type[0] != "f"):
        kind = "A number" if field.type[0] == "f" else "A whole number"
        raise EditError(f"{kind} belongs here.")
    try:
        return encode_number(number, field.type)
    except EncodeError as error:
        raise EditError(str(error)) from error


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


FOCUSED = 1000
"""Beyond so many deleted elements, taking the deletion back selects only the first of them."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What happens to the elements of one array, all in indexes as they are before.

    Args:
        sets: the new value of elements that stay.
        inserts: pairs of an index and the elements that come before it; the count appends.
        deletes: which elements go; no two overlap.
    """

    sets: Mapping[int, Element] = field(default_factory=dict)
    inserts: Sequence[tuple[int, Sequence[Element]]] = ()
    deletes: Sequence[range] = ()

    @property
    def growth(self) -> int:
        """How many elements more there are afterwards."""
        return sum(len(values) for _, values in self.inserts) - sum(map(len, self.deletes))

    @property
    def size(self) -> int:
        """How many elements they concern."""
        return len(self.sets) + sum(len(values) for _, values in self.inserts) + sum(map(len, self.deletes))


def set_elements(document: Document, item: Item, values: Mapping[int, Element]) -> Edit:
    """The edit that gives elements of a packed array new values.

    Raises:
        EditError: the item is no packed array, an index is out of range, or the array cannot hold a value.
    """
    return change_elements(document, item, Changes(sets=values))


def insert_elements(document: Document, item: Item, at: int, values: Sequence[Element]) -> Edit:
    """The edit that puts *values* before element *at* of a packed array; its count appends them.

    Raises:
        EditError: as :func:`set_elements`; or an error in the bytes cut the array off.
    """
    return change_elements(document, item, Changes(inserts=((at, values),)))


def delete_elements(document: Document, item: Item, ranges: Iterable[range]) -> Edit:
    """The edit that takes elements out of a packed array.

    Args:
        document: what is to be changed.
        item: the array, or any part of it.
        ranges: the indexes that go, in steps of 1; empty ranges are ignored.

    Raises:
        EditError: as :func:`insert_elements`; or ranges overlap.
    """
    return change_elements(document, item, Changes(deletes=tuple(ranges)))


def replace_bytes(document: Document, item: Item, data: bytes) -> Edit:
    """The edit that gives a packed array of bytes other contents.

    Raises:
        EditError: the item is no array of bytes, or an error in the bytes cuts it off.
    """
    array = open_array(document, item)
    if not isinstance(array, NumberArray) or array.size != 1:
        raise EditError("This is not an array of bytes.")
    _check(array, Changes(inserts=((0, ()),)), [])
    rework = EditBuilder(document)
    there = Span(array.start(0), array.table.end(array.node)).shifted(array.frame.start)
    rework.write(item.frame, there, data + bytes(-len(data) % 4))
    if len(data) != len(array):
        rework.count(item.frame, item.node, len(data) - len(array))
    return rework.edit(EditLabel("Replace the bytes of {}", (item_path(document, Item(item.frame, item.node)),)))


def change_elements(document: Document, item: Item, changes: Changes) -> Edit:
    """The edit that makes all *changes* to a packed array in one step.

    Raises:
        EditError: as :func:`insert_elements`.
    """
    array = open_array(document, item)
    deletes = _ordered(changes.deletes)
    _check(array, changes, deletes)
    rework = EditBuilder(document)
    writer = _Writer(document, array, rework, item.frame)
    inserted = [writer.insert(at, values) for at, values in changes.inserts if values]
    writer.set(changes.sets, {at for at, _ in changes.inserts})
    deleted = [writer.delete(gone) for gone in deletes]
    if changes.growth:
        rework.count(item.frame, item.node, changes.growth)
    if isinstance(array, NumberArray):
        rework.grow(item.frame, item.node, changes.growth * array.size)
    before = _focus_before(array, changes, deletes)
    after = inserted or [_behind(writer, array, deletes, deleted)] if before else ()
    return rework.edit(_label(document, item, changes), before, tuple(after))


# The changes


def _ordered(ranges: Iterable[range]) -> list[range]:
    return sorted((gone for gone in ranges if len(gone)), key=lambda gone: gone.start)


def _check(array: NumberArray | TextArray, changes: Changes, deletes: list[range]) -> None:
    """Refuse what lies outside the array, or changes the length of one that an error cut off."""
    count = len(array)
    if (changes.inserts or deletes) and not array.whole:
        raise EditError("An error in the bytes cuts this array off; fix it first, then insert or delete elements.")
    for at, _ in changes.inserts:
        if not 0 <= at <= count:
            raise EditError(f"There is no place {at} in this array; it has {count} elements.")
    end = 0
    for gone in deletes:
        if gone.step != 1 or gone.start < end:
            raise EditError("An element cannot be deleted twice.")
        end = gone.stop
    if end > count:
        raise EditError(f"There is no element {end - 1}; the array has {count} elements.")
    for index in changes.sets:
        if not 0 <= index < count:
            raise EditError(f"There is no element {index}; the array has {count} elements.")


def runs(indexes: Iterable[int], breaks: Collection[int] = ()) -> Iterator[range]:
    """Indexes as runs of neighbours, in order; a run begins anew at each of *breaks*."""
    start = end = -1
    for index in sorted(indexes):
        if index != end or index in breaks:
            if start >= 0:
                yield range(start, end)
            start = index
        end = index + 1
    if start >= 0:
        yield range(start, end)


class _Writer:
    """Gathers the writes of one array's changes."""

    def __init__(self, document: Document, array: NumberArray | TextArray, rework: EditBuilder, frame: int) -> None:
        self._array = array
        self._rework = rework
        self._frame = frame
        self._at = array.frame.start
        self._size = len(document.buffer)

    def set(self, values: Mapping[int, Element], breaks: Collection[int]) -> None:
        for run in runs(values, breaks):
            self.write(run.start, run.stop, b"".join(self._array.encoded(values[index]) for index in run))

    def insert(self, at: int, values: Sequence[Element]) -> int:
        new = b"".join(self._array.encoded(value) for value in values)
        missing = self._missing_fill() if at == len(self._array) else 0
        return self.write(at, at, bytes(missing) + new)

    def delete(self, gone: range) -> int:
        return self.write(gone.start, gone.stop, b"")

    def write(self, first: int, last: int, new: bytes) -> int:
        """Put *new* in the place of the elements from *first* up to *last*; returns the number of the write."""
        array = self._array
        return self._rework.write(self._frame, Span(array.start(first), array.start(last)).shifted(self._at), new)

    def here(self) -> int:
        """A write of nothing where the array itself begins."""
        start = self._array.table.start[self._array.node] + self._at
        return self._rework.write(self._frame, Span(start, start), b"")

    def _missing_fill(self) -> int:
        """Bytes of fill that the last string lacks: some engines let the end of the data cut them off."""
        array = self._array
        return (array.start(0) - array.start(len(array))) % 4 if isinstance(array, TextArray) else 0


# What is selected, and what undo calls it


def _focus_before(array: NumberArray | TextArray, changes: Changes, deletes: list[range]) -> tuple[int, ...]:
    """Where the values begin that are selected once the edit is taken back; nothing where elements are only set."""
    if deletes:
        many = sum(map(len, deletes)) > FOCUSED
        chosen = deletes[0][:1] if many else [index for gone in deletes for index in gone]
        return tuple(array.start(index) + array.frame.start for index in chosen)
    if not any(values for _, values in changes.inserts):
        return ()
    at = changes.inserts[0][0]
    start = array.start(at) if at < len(array) else array.table.start[array.node]
    return (start + array.frame.start,)


def _behind(writer: _Writer, array: NumberArray | TextArray, deletes: list[range], writes: list[int]) -> int:
    """The write at whose place the element stands that follows the first deleted ones; else that of the array."""
    return writes[0] if deletes[0].stop < len(array) else writer.here()


def _label(document: Document, item: Item, changes: Changes) -> EditLabel:
    path = item_path(document, Item(item.frame, item.node))
    inserted = sum(len(values) for _, values in changes.inserts)
    deleted = sum(map(len, changes.deletes))
    if (inserted > 0) + (deleted > 0) + (len(changes.sets) > 0) > 1:
        return EditLabel("Change {} of {}", (_elements(changes.size), path))
    if inserted:
        return EditLabel("Insert {} into {}", (_elements(inserted), path))
    if deleted:
        return EditLabel("Delete {} of {}", (_elements(deleted), path))
    if len(changes.sets) == 1:
        return EditLabel("Set {}[{}]", (path, next(iter(changes.sets))))
    return EditLabel("Set {} of {}", (_elements(len(changes.sets)), path))


def _elements(count: int) -> CountLabel:
    return CountLabel(count, "element")
