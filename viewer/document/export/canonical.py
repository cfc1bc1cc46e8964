"""The bytes that a dump's reader writes for one node, so that the dump says only what differs from them.

A *leaf* is a node without children of its own kind; a *head* is what stands before the children of a collection or an
object, with their count as its last word.
"""

from __future__ import annotations

from viewer.variant.dialect import SHARED, Dialect, Kind, Precision, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.heads import INT_MAX
from viewer.variant.items import parts
from viewer.variant.literal.names import is_broken
from viewer.variant.primitives import encode_text
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value

COLLECTIONS = (Kind.ARRAY, Kind.DICTIONARY, Kind.TYPED_ARRAY)


def is_inner(table: NodeTable, node: int, row: TypeRow | None) -> bool:
    """Whether a node is told by its head and its children: a collection, or an object with class and properties."""
    if row is None or table.is_name(node):
        return False
    if row.kind is Kind.OBJECT:
        return any(part.name == "count" for part in parts(table, node)[-2:]) or table.child_count(node) > 0
    return row.kind in COLLECTIONS


def has_pairs(row: TypeRow) -> bool:
    """Whether children come as pairs."""
    return row.kind in (Kind.DICTIONARY, Kind.OBJECT)


def default_head(row: TypeRow) -> Value | None:
    """The head that needs no words; None for an object, whose class must be told."""
    if row.kind is Kind.ARRAY:
        return Value(row.name, Array())
    if row.kind is Kind.DICTIONARY:
        return Value(row.name, Dictionary())
    return Value(row.name, Array((), ElementType(builtin=0))) if row.kind is Kind.TYPED_ARRAY else None


def leaf_bytes(value: Value, dialect: Dialect, precision: Precision, like: bytes = b"") -> bytes:
    """A leaf with its header.

    Raises:
        EncodeError: the dialect cannot hold it, or it is broken.
    """
    row = dialect.by_name.get(value.type)
    if row is None or is_broken(row, value.data):
        raise EncodeError("This value was broken where it was read: its content is missing.")
    return encode(value, dialect, precision, like)


def name_bytes(value: Value) -> bytes:
    """The name of a property: text without a header.

    Raises:
        EncodeError: it is no text, or broken.
    """
    if not isinstance(value.data, str):
        raise EncodeError("The name of a property must be a text.")
    return encode_text(value.data)


def head_bytes(head: Value, count: int, dialect: Dialect, precision: Precision, like: bytes = b"") -> bytes:
    """The head of a collection or object with *count* elements or pairs.

    Raises:
        EncodeError: the dialect cannot hold it.
    """
    plain = encode(head, dialect, precision, like)
    if isinstance(head.data, ObjectFull) and not head.data.class_name:
        if count:
            raise EncodeError("An object without a class cannot have properties.")
        return plain
    return with_count(plain, count)


def with_count(head: bytes, count: int) -> bytes:
    """The same head with another count; the shared bit stays."""
    if count > INT_MAX:
        raise EncodeError(f"A collection may hold at most {INT_MAX} elements.")
    word = int.from_bytes(head[-4:], "little") & SHARED | count
    return head[:-4] + word.to_bytes(4, "little")


def read_leaf(raw: bytes, dialect: Dialect, is_name: bool) -> Value:
    """What bytes from a dump decode to; those of a property's name lack the header."""
    header = dialect.type_number("String").to_bytes(4, "little") if is_name else b""
    return read_shallow(_scanned(header + raw, dialect), 0)


def read_head(raw: bytes, dialect: Dialect) -> tuple[Value, int | None]:
    """What a head from a dump decodes to, and its count: None where it breaks off before."""
    table = _scanned(raw, dialect)
    if table.end_of_data < len(raw):  # broken by what followed it: any value that is no class name will do
        table = _scanned(raw + bytes(8), dialect)
    return read_shallow(table, 0), stored_count(table, 0)


def stored_count(table: NodeTable, node: int) -> int | None:
    """The elements or pairs that a head promises; None where it breaks off before its count."""
    own = parts(table, node)
    last = own[-2] if own[-1].name == "rest" and len(own) > 1 else own[-1]
    if last.name != "count" or not isinstance(last.value, int):
        return None
    row = table.row(node)
    if row is not None and row.kind is Kind.OBJECT:
        return last.value if last.value <= INT_MAX else 0
    return last.value & INT_MAX


def _scanned(raw: bytes, dialect: Dialect) -> NodeTable:
    table = scan(raw, dialect)
    if not len(table):
        raise EncodeError("Bytes of a value are at least its 4-byte header.")
    return table
