"""Packed arrays as a run of elements: where each lies in its frame, and the bytes of a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.framing import Frame
from viewer.document.outline import node_frame
from viewer.variant.dialect import Field, Kind
from viewer.variant.elements import TextIndex, element_count, is_whole
from viewer.variant.items import Item
from viewer.variant.primitives import EncodeError, encode_number, encode_string_element
from viewer.variant.table import NodeTable

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
            raise EditError(f"An element takes {_numbers(len(self.fields))}, here are {len(numbers)}.")
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
        return encode_string_element(value)


def open_array(document: Document, item: Item) -> NumberArray | TextArray:
    """The packed array that an item is, or is a part of.

    Raises:
        EditError: it is none.
    """
    frame = node_frame(document, item)
    row = None if frame is None else frame.table.row(item.node)
    if frame is None or row is None or frame.table.is_name(item.node):
        raise EditError("This is no packed array.")
    if row.kind is Kind.PACKED_STRINGS:
        return TextArray(frame, item.node, TextIndex(frame.table, item.node))
    if row.kind is not Kind.PACKED:
        raise EditError("This is no packed array.")
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
