"""Fragment: a value that was taken out of a document, with its key, ready to be put elsewhere."""

from __future__ import annotations

from viewer.base.record import dataclass, replace
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, Collection, EditError, Slot, collection, slot_of
from viewer.variant.dialect import NAMED, Dialect, Kind, Precision, TypeRow
from viewer.variant.encode import EncodeError, encode, property_name
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.read import read, read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Data, Value

ELEMENTS = {
    "Raw": "int",
    "Byte": "int",
    "Int": "int",
    "Int32": "int",
    "Int64": "int",
    "Real": "float",
    "Float": "float",
}
ELEMENTS |= {"Float32": "float", "Float64": "float"}


@dataclass(frozen=True, slots=True)
class Fragment:
    """One value as bytes.

    Args:
        value: the encoded value.
        dialect, precision: how both were encoded.
        key: its encoded key, empty where it has none. A property's name is a String.
    """

    value: bytes
    dialect: Dialect
    precision: Precision
    key: bytes = b""

    @property
    def data(self) -> Value:
        """The value itself."""
        return read(scan(self.value, self.dialect))

    @property
    def key_data(self) -> Value | None:
        """The key itself, None where there is none."""
        return read(scan(self.key, self.dialect)) if self.key else None

    def with_key(self, key: bytes) -> Fragment:
        """The same value under another key."""
        return replace(self, key=key)


def taken(document: Document, item: Item) -> Fragment:
    """A copy of a value that has a row of its own.

    Raises:
        EditError: the item is no such value.
    """
    slot = slot_of(document, item)
    held = collection(document, slot)
    if held.is_packed:
        return made(document, _element(held, slot.number))
    table, node = _node(document, held, slot)
    if table.row(node) is None:
        raise EditError("This value's type is unknown; copy its bytes in the hex view.")
    raw = _bytes(table, node)
    if not held.has_keys:
        return Fragment(raw, document.dialect, document.precision)
    key = _bytes(table, held.key(slot.number))
    if held.row is not None and held.row.kind in NAMED:
        key = _name(document, table, held.key(slot.number), key)
    return Fragment(raw, document.dialect, document.precision, key)


def written(document: Document, literal: str, key: str = "") -> Fragment:
    """A value from the text of a literal, and its key from another.

    Raises:
        EditError: a text is no literal of the document's dialect.
    """
    value = _parsed(document, literal)
    found = made(document, value)
    return found.with_key(made(document, _parsed(document, key)).value) if key else found


def made(document: Document, value: Value) -> Fragment:
    """A value of the document's dialect.

    Raises:
        EditError: the dialect cannot hold it.
    """
    return encoded(value, document.dialect, document.precision)


def encoded(value: Value, dialect: Dialect, precision: Precision) -> Fragment:
    """A value of a dialect.

    Raises:
        EditError: the dialect cannot hold it.
    """
    try:
        return Fragment(encode(value, dialect, precision), dialect, precision)
    except EncodeError as error:
        raise EditError(str(error)) from error


def _parsed(document: Document, literal: str) -> Value:
    try:
        return parse_literal(literal, document.dialect, precision=document.precision)
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error


def _node(document: Document, held: Collection, slot: Slot) -> tuple[NodeTable, int]:
    if slot.frame == FILE:
        return document.frames[slot.number].table, 0
    return held.table, held.item(slot.number).node


def _bytes(table: NodeTable, node: int) -> bytes:
    return bytes(table.buffer[table.start[node] : table.end(node)])


def _element(held: Collection, number: int) -> Value:
    """An element of a packed array as a value of its own."""
    part = outline.part(held.document, held.item(number))
    assert held.row is not None
    data: Data = part.value if part is not None else ""  # type: ignore[assignment]  # numbers or a text; an empty text has no part
    return Value(element_type(held.row, held.document.dialect), data)


def element_type(row: TypeRow, dialect: Dialect) -> str:
    """The type that the elements of a packed array have as values of their own."""
    if row.kind is Kind.PACKED_STRINGS:
        return "String"
    name = row.name.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    name = ELEMENTS.get(name, name)
    return name if name in dialect.by_name else "int"


def _name(document: Document, table: NodeTable, node: int, raw: bytes) -> bytes:
    """A property's name as a value of its own."""
    if table.names is None:
        return document.dialect.type_number("String").to_bytes(4, "little") + raw
    return encode(Value("String", str(read_shallow(table, node).data)), document.dialect)


def name_bytes(fragment: Fragment, table: NodeTable) -> bytes:
    """A key as the name of a property: text without a header, or its place among the strings that *table* names.

    Raises:
        EditError: it is no text.
    """
    key = fragment.key_data
    if key is None or not isinstance(key.data, str):
        raise EditError("A property's name is a text.")
    return property_name(table, key.data)
