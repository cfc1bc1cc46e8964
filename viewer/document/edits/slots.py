"""Slots: the places where values can stand, and where their bytes lie.

A collection is a Dictionary, an Array, an object with its properties, a packed array, or the file with its frames. Its
rows are elements, pairs or frames, and a slot is the place before one of them or behind the last.
"""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.element_index import element_number
from viewer.variant import items
from viewer.variant.dialect import HOLDING, NAMED, PACKED, PAIRED, Kind, TypeRow
from viewer.variant.elements import TextIndex, element_count, element_size
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType

# Why an edit cannot be made.


class EditError(ValueError):
    """This item cannot be set to that; the text is one sentence that says why."""

    def __init__(self, message: str, position: int = -1, fix: str | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.fix = fix


FILE = -1
PACKED_HEAD = 8


@dataclass(frozen=True, slots=True)
class Slot:
    """The place before row *number* of a collection; *frame* is :data:`FILE` where the rows are the frames."""

    frame: int
    node: int
    number: int


class Collection:
    """One collection of a document.

    Args:
        document: what holds it.
        frame, node: which one; *frame* is :data:`FILE` for the frames.

    Raises:
        EditError: this node holds no values.
    """

    def __init__(self, document: Document, frame: int, node: int) -> None:
        self.document = document
        self.frame = frame
        self.node = node
        self.row: TypeRow | None = None
        if frame == FILE:
            if document.message is not None:
                raise EditError(
                    "A packet has its values where its protocol puts them; change one of them, or its bytes."
                )
            if document.structure is not None:
                raise EditError("What is at the top of this file is fixed there; change what is inside it.")
            return
        holder = outline.node_frame(document, Item(frame, node))
        if holder is None:
            raise EditError("These bytes belong to no value; choose an array, a dictionary or an object.")
        self.start, self.table = holder.start, holder.table
        self.row = self.table.row(node)
        if self.row is None or self.row.kind not in (*HOLDING, *PACKED) or self.table.is_name(node):
            raise EditError("This value holds no others; choose an array, a dictionary or an object.")
        if self.row.kind in NAMED and outline.part(document, Item(frame, node, "count")) is None:
            raise EditError("This object is an id or null and holds no properties.")
        if self.table.guess is not None and not _is_sure(self.table, node):
            raise EditError("What this collection holds is a guess after an error; fix that in the bytes first.")
        self._texts = TextIndex(self.table, node) if self.row.kind is Kind.PACKED_STRINGS else None
        self._children = self.table.children(node)

    @property
    def is_packed(self) -> bool:
        """Whether the rows are elements of a packed array."""
        return self.row is not None and self.row.kind in PACKED

    @property
    def has_padding(self) -> bool:
        """Whether fill follows the last row, so that the whole takes a multiple of four bytes."""
        return self.row is not None and self.row.kind is Kind.PACKED

    @property
    def missing_fill(self) -> bytes:
        """Fill that a text at the end lacks: some engines let the end of the data cut it off."""
        if self.document.dialect.rules.closed_texts:
            return b""
        if self._texts is not None:
            return bytes((self.offset(0) - self.offset(len(self))) % 4)
        if self.row is None or self.table.end(self.node) != self.table.end_of_data or not self.table.end_of_data:
            return b""
        last = self.table.at(self.table.end_of_data - 1)
        text = items.part(self.table, last, "text")
        if text is None:
            return b""
        return bytes(max(0, -len(text.span) % 4 - (self.table.end_of_data - text.span.end)))

    @property
    def has_keys(self) -> bool:
        """Whether each row has a key or a name."""
        return self.row is not None and self.row.kind in PAIRED

    def __len__(self) -> int:
        """How many rows there are."""
        if self.row is None:
            return len(self.document.frames)
        if self._texts is not None:
            return len(self._texts)
        if self.is_packed:
            return element_count(self.table, self.node)
        return len(self._children) // 2 if self.has_keys else len(self._children)

    def item(self, number: int) -> Item:
        """The value in a row."""
        if self.row is None:
            return Item(number, 0)
        if self.is_packed:
            return Item(self.frame, self.node, f"[{number}]")
        return Item(self.frame, self._children[2 * number + 1 if self.has_keys else number])

    def key(self, number: int) -> int:
        """The node of a row's key."""
        return self._children[2 * number]

    def offset(self, number: int) -> int:
        """Where a row's first byte lies in the layer, or with ``number == len(self)`` the first byte behind them."""
        if self.row is None:
            return self._frame_offset(number)
        if self._texts is not None:
            return self.start + min(self._texts.start(number), self.table.end(self.node))
        if self.is_packed:
            size = element_size(self.row, self.table.header(self.node))
            return self.start + self.table.start[self.node] + PACKED_HEAD + number * size
        children, each = self._children, 2 if self.has_keys else 1
        if number * each < len(children):
            return self.start + self.table.start[children[number * each]]
        return self.start + self.table.end(self.node)

    def span(self, number: int) -> Span:
        """All bytes of a row: the value with its key, the frame with its prefix."""
        if self.row is None:
            return self.document.frames[number].span
        return Span(self.offset(number), self.offset(number + 1))

    def value_start(self, number: int) -> int:
        """Where the value of a row begins in the layer."""
        if self.row is None:
            return self.document.frames[number].start
        if not self.has_keys:
            return self.offset(number)
        return self.start + self.table.start[self.item(number).node]

    def held(self) -> tuple[ElementType | None, ElementType | None]:
        """The types that a typed collection says its keys and its values have."""
        if self.row is None or self.is_packed or self.row.kind in NAMED:
            return None, None
        data = read_shallow(self.table, self.node).data
        if isinstance(data, Dictionary):
            return data.key_type, data.value_type
        return None, data.element_type if isinstance(data, Array) else None

    def _frame_offset(self, number: int) -> int:
        frames = self.document.frames
        if number < len(frames):
            return frames[number].span.start
        return frames[-1].span.end if frames else 0


def slot_of(document: Document, item: Item) -> Slot:
    """The place of a value that has a row of its own.

    Raises:
        EditError: the item is no such value.
    """
    row = outline.row_item(document, item)
    frame = outline.frame_of(document, row)
    if frame is None or row.node < 0 or not outline.exists(document, row):
        raise EditError("These bytes belong to no value; change them in the hex view.")
    number = element_number(row)
    if number >= 0:
        return Slot(row.frame, row.node, number)
    if row.part or not row.node:
        return Slot(FILE, 0, row.frame)
    parent, index = frame.table.parent[row.node], frame.table.index(row.node)
    if frame.table.has_pairs(parent):
        if index % 2 == 0:
            raise EditError("This key has no value; fix it in the bytes first.")
        index //= 2
    return Slot(row.frame, parent, index)


def _is_sure(table: NodeTable, node: int) -> bool:
    """Whether the count of a collection tells what it holds, and no bytes are skipped in it."""
    if node in table.assumed or table.gaps_of(node):
        return False
    found = next((part for part in reversed(items.parts(table, node)) if part.name == "count"), None)
    row = table.row(node)
    if found is None or row is None or row.kind in PACKED:
        return True
    count = table.child_count(node)
    present = count // 2 if table.has_pairs(node) and count % 2 == 0 else count
    return isinstance(found.value, int) and found.value & 0x7FFFFFFF == present


def collection(document: Document, slot: Slot) -> Collection:
    """The collection of a slot.

    Raises:
        EditError: there is none.
    """
    return Collection(document, slot.frame, slot.node)


def inside(document: Document, item: Item) -> Slot:
    """The place behind the last row of a collection.

    Raises:
        EditError: the item is no collection.
    """
    if outline.frame_of(document, item) is None:
        raise EditError("These bytes belong to no value; choose an array, a dictionary or an object.")
    if item.part and element_number(item) < 0 and not item.part.startswith("@"):
        item = Item(item.frame, item.node)
    found = Collection(document, item.frame, item.node)
    return Slot(item.frame, item.node, len(found))
