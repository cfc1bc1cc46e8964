"""Fragment: a value that was taken out of a document, with its key, and how it becomes a row of another collection."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.record import dataclass, replace
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import FILE, Collection, EditError, Slot, collection, slot_of
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.retype import convert
from viewer.variant.convert.translate import translate
from viewer.variant.dialect import NAMED, Dialect, Kind, Precision, TypeRow
from viewer.variant.encode import encode, property_name
from viewer.variant.expected import ExpectedTypes, expected
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.primitives import EncodeError, encode_number, encode_string_element
from viewer.variant.read import read, read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Data, ElementType, Value

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


# Fitting: the bytes of a row of some collection, with the key, type and dialect that it asks for.


NEW_KEY = "new"
MOST_TRIED = 1 << 20


@dataclass(frozen=True, slots=True)
class FittedRow:
    """The bytes of a row, and how many of them stand before its value."""

    raw: bytes
    before: int = 0


class FragmentFitter:
    """Makes rows of one collection out of fragments, one after another.

    Args:
        held: the collection.
        renames: whether a key that is there already gets a number, so that both can be told apart.
        leaving: numbers of rows that are about to leave, whose keys are free.
        lost: takes sentences about what changes on the way; None refuses what would change.
    """

    def __init__(
        self,
        held: Collection,
        renames: bool = True,
        leaving: frozenset[int] = frozenset(),
        lost: list[str] | None = None,
    ) -> None:
        self._held = held
        self._document = held.document
        self._renames = renames
        self._leaving = leaving
        self._lost = lost
        self._keys: set[bytes] | None = None

    def fit(self, fragment: Fragment) -> FittedRow:
        """The bytes of a row.

        Raises:
            EditError: the collection cannot hold it.
        """
        own = self._translated(fragment)
        held = self._held
        if held.frame == FILE:
            return self._frame(own)
        if held.is_packed:
            return FittedRow(self._element(own))
        key_type, value_type = held.held()
        value = self._typed(own, value_type, "value" if held.has_keys else "element").value
        check_depth(self._document, held.table, held.node, 1, value)
        if not held.has_keys:
            return FittedRow(value)
        key = self._key(own, key_type)
        return FittedRow(key + value, len(key))

    # Kinds of rows

    def _frame(self, fragment: Fragment) -> FittedRow:
        framing = self._document.framing
        if framing.kind is FramingKind.BARE:
            raise EditError("A bare file holds one value only; give it length prefixes first.")
        if framing.kind is FramingKind.CONCATENATED:
            return FittedRow(fragment.value)
        order = "big" if framing.big_endian else "little"
        prefix = len(fragment.value).to_bytes(4, order)  # type: ignore[arg-type]
        return FittedRow(prefix + fragment.value, len(prefix))

    def _element(self, fragment: Fragment) -> bytes:
        row = self._held.row
        assert row is not None
        value = self._converted(fragment.data, element_type(row, self._document.dialect), "element")
        try:
            if row.kind is Kind.PACKED_STRINGS:
                return encode_string_element(str(value.data), self._document.dialect.rules.closed_texts)
            numbers = value.data if isinstance(value.data, tuple) else (value.data,)
            fields = row.fields(self._held.table.header(self._held.node))
            return b"".join(encode_number(n, field.type) for n, field in zip(numbers, fields, strict=True))  # type: ignore[arg-type]
        except (EncodeError, ValueError) as error:
            raise EditError(str(error)) from error

    def _typed(self, fragment: Fragment, held: ElementType | None, what: str) -> Fragment:
        """The fragment with the type that a typed collection asks for."""
        assert self._held.row is not None
        only = expected(self._document.dialect, self._held.row.kind, held)
        if only is None or _number(fragment) in only.kept:
            return fragment
        return made(self._document, self._converted(fragment.data, self._only_name(only), what))

    def _only_name(self, only: ExpectedTypes) -> str:
        if only.name not in self._document.dialect.by_name:
            raise EditError(f"Only objects of type {only.name} are allowed here.")
        return only.name

    def _converted(self, value: Value, target: str, what: str) -> Value:
        """The value in the type that is asked for, where nothing gets lost on the way."""
        if value.type == target:
            return value
        refusal = f"Every {what} here is of type {target}, and this {value.type}"
        try:
            found = convert(value, target, self._document.dialect, self._document.precision)
        except ConvertError as error:
            raise EditError(f"{refusal} cannot become one.") from error
        self._say(found.losses, f"{refusal} would lose something")
        return found.value

    def _say(self, losses: Sequence[str], refusal: str) -> None:
        """Note what changes, or refuse it."""
        if losses and self._lost is None:
            raise EditError(f"{refusal}: {losses[0]}.")
        if self._lost is not None:
            self._lost.extend(loss for loss in losses if loss not in self._lost)

    def _translated(self, fragment: Fragment) -> Fragment:
        """The fragment in the document's dialect."""
        document = self._document
        if fragment.dialect is document.dialect:
            return fragment
        value = made(document, self._other_dialect(fragment, fragment.data))
        key = fragment.key_data
        return value if key is None else value.with_key(made(document, self._other_dialect(fragment, key)).value)

    def _other_dialect(self, fragment: Fragment, value: Value) -> Value:
        document, source = self._document, fragment.dialect
        refusal = f"{document.dialect.name} cannot hold this value of {source.name}"
        try:
            found = translate(value, source, document.dialect, document.precision)
        except ConvertError as error:
            raise EditError(f"{refusal}: {error}") from error
        self._say(found.losses, refusal)
        return found.value

    # Keys

    def _key(self, fragment: Fragment, key_type: ElementType | None) -> bytes:
        assert self._held.row is not None
        is_object = self._held.row.kind in NAMED
        keyed = fragment if fragment.key else fragment.with_key(self._new_key(key_type))
        if not is_object and key_type is not None:
            as_value = Fragment(keyed.key, keyed.dialect, keyed.precision)
            keyed = keyed.with_key(self._typed(as_value, key_type, "key").value)
        raw = name_bytes(keyed, self._held.table) if is_object else keyed.key
        if self._renames and raw in self._taken():
            keyed = self._renamed(keyed)
            raw = name_bytes(keyed, self._held.table) if is_object else keyed.key
        self._taken().add(raw)
        return raw

    def _taken(self) -> set[bytes]:
        """The keys of the collection as bytes."""
        if self._keys is None:
            held = self._held
            stay = (k for k in range(len(held)) if k not in self._leaving) if self._renames else ()
            spans = (held.table.span(held.key(k)) for k in stay)
            self._keys = {bytes(held.table.buffer[span.start : span.end]) for span in spans}
        return self._keys

    def _new_key(self, key_type: ElementType | None) -> bytes:
        """A key for a value that has none: the next number where the last key is one, else a text."""
        held, document = self._held, self._document
        last = None
        if len(held) and held.row is not None and held.row.kind is Kind.DICTIONARY:
            last = held.table.row(held.key(len(held) - 1))
        is_number = last is not None and last.name == "int"
        if key_type is not None and key_type.builtin is not None:
            row = document.dialect.row(key_type.builtin)
            is_number = row is not None and row.name == "int"
        return made(document, Value("int", len(held)) if is_number else Value("String", NEW_KEY)).value

    def _renamed(self, fragment: Fragment) -> Fragment:
        """The fragment under the next free key; keys that are neither text nor number stay, and are marked as equal."""
        key = fragment.key_data
        assert key is not None
        if isinstance(key.data, bool) or not isinstance(key.data, int | str):
            return fragment
        is_object = self._held.row is not None and self._held.row.kind in NAMED
        for k in range(1, MOST_TRIED):
            data = key.data + k if isinstance(key.data, int) else _numbered(key.data, k)
            other = fragment.with_key(made(self._document, Value(key.type, data)).value)
            if (name_bytes(other, self._held.table) if is_object else other.key) not in self._taken():
                return other
        return fragment


def check_depth(document: Document, table: NodeTable, node: int, level: int, value: bytes) -> None:
    """Refuse a value that an engine refuses because it nests deeper than its limit.

    Args:
        document: what it is for.
        table, node: the collection that it stands in, or the value that it takes the place of.
        level: how many levels below that it lies, 1 or 0.
        value: its bytes.

    Raises:
        EditError: it would lie too deep.
    """
    while node:
        node, level = table.parent[node], level + 1
    most = document.dialect.rules.max_depth
    if most and level + _depth(scan(value, document.dialect).parent) > most:
        raise EditError(f"{document.dialect.name} reads at most {most} levels, and this would be deeper.")


def _number(fragment: Fragment) -> int:
    """The type number of a value."""
    return int.from_bytes(fragment.value[:4], "little") & fragment.dialect.rules.header_mask


def _numbered(name: str, k: int) -> str:
    """A name with a number behind it, counted on from the one that it has: ``sword`` ``sword2`` ``sword3``."""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    if digits.isascii() and digits and len(digits) < 10:
        return f"{stem}{int(digits) + k}"
    return f"{name}{k + 1}"


def _depth(parent: memoryview) -> int:
    """How many levels lie under the root of a table; parents have smaller ids than their children."""
    levels = [0] * len(parent)
    for node in range(1, len(parent)):
        if parent[node] < node:
            levels[node] = levels[parent[node]] + 1
    return max(levels, default=0)
