"""Setting: "this item becomes that" as an edit.

Setting a value writes its header, length and padding anew where they must change, and the length prefix of its frame.
Bytes that need not change stay.
"""

from __future__ import annotations

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder, replaced
from viewer.document.edits.field_edit import FormedField, editable_field, formed_field
from viewer.document.edits.fragment import check_depth
from viewer.document.edits.slots import EditError
from viewer.document.outline import is_key, node_frame, shown_value
from viewer.document.path import item_path
from viewer.document.pieces.framing import Frame
from viewer.document.splice import Edit, EditLabel
from viewer.variant import items
from viewer.variant.dialect import COLLECTIONS, NUMBERS
from viewer.variant.elements import TextIndex
from viewer.variant.encode import EncodeError, encode, property_name
from viewer.variant.expected import ExpectedTypes, expected
from viewer.variant.items import Item, Part, Role
from viewer.variant.literal.numbers import NUMBER, whole
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.preview import element_text
from viewer.variant.literal.printing import format_literal
from viewer.variant.primitives import encode_name, encode_number, encode_string_element, encode_text
from viewer.variant.read import read, read_shallow
from viewer.variant.table import NONE, NodeTable
from viewer.variant.value import Array, Dictionary, Value


@dataclass(frozen=True, slots=True)
class EditDraft:
    """What an edit would write: the item's bytes now and afterwards, and the edit itself."""

    before: bytes
    after: bytes
    edit: Edit


def can_set(document: Document, item: Item) -> bool:
    """Whether :func:`draft` may set this item: a value of a known type, an element or field of one, a field."""
    item = shown_value(document, item)
    frame = node_frame(document, item)
    if frame is None:
        return editable_field(document, item) is not None
    if not item.part:
        return frame.table.row(item.node) is not None
    return item.part != "elements" and not item.part.endswith("padding")


def literal(document: Document, item: Item) -> str:
    """The item's value as text that :func:`draft` reads.

    Raises:
        EditError: the item has no value of its own.
    """
    item = shown_value(document, item)
    field = formed_field(document, item)
    if field is not None:
        return field.literal(document)
    table = _table(document, item)[1]
    if not item.part:
        if table.row(item.node) is None:
            raise EditError("This value's type is unknown; change its header in the bytes.")
        return format_literal(read(table, item.node), table.dialect, precision=document.precision)
    part = _part(table, item)
    return (
        format_literal(Value("String", str(part.value)), table.dialect) if part.type == "text" else element_text(part)
    )


def draft(document: Document, item: Item, text: str) -> EditDraft:
    """What setting *item* to the literal *text* would do.

    Raises:
        EditError: the text is no literal, or the item cannot hold it.
    """
    item = shown_value(document, item)
    field = editable_field(document, item)
    if field is not None:
        return _field_draft(document, item, field, text)
    frame, table = _table(document, item)
    try:
        after = _part_bytes(document, table, item, text) if item.part else _node_bytes(document, table, item.node, text)
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error
    except EncodeError as error:
        raise EditError(str(error)) from error
    span = _target(table, item).shifted(frame.start)
    before, label = bytes(document.buffer[span.start : span.end]), set_label(document, item)
    exact = _exact(document, item, text) if document.wraps.text is not None and not item.part else None
    if exact is not None:
        place = exact.bases[1].inside if exact.bases is not None else after
        return EditDraft(before, bytes(place[span.start : span.start + len(after)]), exact)
    if item.part or not table.is_name(item.node):
        return EditDraft(before, after, replaced(document, item.frame, span, after, label))
    rework = EditBuilder(document)
    name = rework.named(after)
    rework.write(item.frame, span, name)
    return EditDraft(before, name, rework.edit(label))


def _exact(document: Document, item: Item, text: str) -> Edit | None:
    """The edit of a text that writes a number as it is typed, where engines read another one; else None."""
    from viewer.document.edits.text_limits import exact_number

    return exact_number(document, item, text)


def _field_draft(document: Document, item: Item, field: FormedField, text: str) -> EditDraft:
    """What setting a field would do; what counts its bytes, or says what lies behind them, follows."""
    try:
        after = field.encoded(text, document.dialect)
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error
    span = field.span
    before = bytes(document.buffer[span.start : span.end])
    edit = replaced(document, -1, span, after, EditLabel("Set {}", (item_path(document, item),)))
    return EditDraft(before, after, edit)


def set_literal(document: Document, item: Item, text: str) -> Edit:
    """The edit that sets *item* to the literal *text*.

    Raises:
        EditError: the text is no literal, or the item cannot hold it.
    """
    return draft(document, item, text).edit


def set_label(document: Document, item: Item) -> EditLabel:
    """What undo calls it that an item is set; of a key, that what it is the key of is renamed."""
    path = item_path(document, item)
    if item.part in ("", "text") and path.steps[-1:] == ("@key",):
        return EditLabel("Rename {}", (replace(path, steps=path.steps[:-1], end=""),))
    return EditLabel("Set {}", (path,))


def set_value(document: Document, item: Item, value: Value) -> Edit:
    """The edit that sets a whole node to *value*, of any type.

    Raises:
        EditError: the item is no node, or the dialect cannot hold the value.
    """
    frame, table = _table(document, item)
    if item.part:
        raise EditError("Only a whole value can be replaced by another value.")
    span = table.span(item.node).shifted(frame.start)
    try:
        after = node_bytes(document, table, item.node, value)
    except EncodeError as error:
        raise EditError(str(error)) from error
    return replaced(document, item.frame, span, after, set_label(document, item))


def allowed(table: NodeTable, node: int) -> ExpectedTypes | None:
    """What the collection that holds a node lets stand there; None for everything."""
    parent = table.parent[node] if node else NONE
    row = table.row(parent) if parent != NONE else None
    if row is None or row.kind not in COLLECTIONS:
        return None
    data = read_shallow(table, parent).data
    if isinstance(data, Dictionary):
        return expected(table.dialect, row.kind, data.key_type if is_key(table, node) else data.value_type)
    return expected(table.dialect, row.kind, data.element_type) if isinstance(data, Array) else None


def _table(document: Document, item: Item) -> tuple[Frame, NodeTable]:
    frame = node_frame(document, item)
    field = formed_field(document, item) if frame is None else None
    if field is not None and field.form.is_locked:
        raise EditError("This field is derived from others; change it in the hex view.")
    if field is not None:
        raise EditError("These are too many bytes to type; change them in the hex view.")
    if frame is None:
        raise EditError("These bytes belong to no value; change them in the hex view.")
    return frame, frame.table


def _part(table: NodeTable, item: Item) -> Part:
    part = items.part(table, item.node, item.part)
    if part is None:
        raise EditError("There is no such part.")
    if part.name == "elements" or part.role is Role.PADDING:
        raise EditError("These bytes are set with the value that they belong to, or in the hex view.")
    return part


def _target(table: NodeTable, item: Item) -> Span:
    """The bytes that setting the item replaces: with a text go its length and its fill."""
    if not item.part:
        return table.span(item.node)
    part = _part(table, item)
    if part.type != "text":
        return part.span
    if part.name.startswith("[") and items.holds_whole_strings(table, item.node):
        texts = TextIndex(table, item.node)
        cut = list(items.string_parts(table, item.node, texts, int(part.name[1:].partition("]")[0])))
        return Span(cut[0].span.start, cut[-1].span.end)
    found = items.parts(table, item.node)
    place = next(k for k, other in enumerate(found) if other.name == part.name)
    end = part.span.end
    if place + 1 < len(found) and found[place + 1].role is Role.PADDING:
        end = found[place + 1].span.end
    return Span(found[place - 1].span.start, end)


def _node_bytes(document: Document, table: NodeTable, node: int, text: str) -> bytes:
    if table.is_name(node):
        value = parse_literal(text, table.dialect, "String")
        return property_name(table, str(value.data))
    row = table.row(node)
    open_type = row is None or row.name == "Nil" or is_key(table, node)
    only = None if row is None or open_type else row.name
    return node_bytes(document, table, node, parse_literal(text, table.dialect, only, precision=document.precision))


def node_bytes(document: Document, table: NodeTable, node: int, value: Value) -> bytes:
    """The bytes of a value in the place of a node.

    Raises:
        EditError: what holds the node does not take it.
        EncodeError: the dialect cannot hold it.
    """
    span = table.span(node)
    head = bytes(table.buffer[span.start : min(span.end, span.start + 8)])
    row = table.row(node)
    if row is not None and row.kind in COLLECTIONS and value.type == row.name:
        value = _with_shared_bit(table, node, value)
    limit = allowed(table, node)
    if limit is not None and table.dialect.type_number(value.type) not in limit.kept | limit.changed:
        raise EditError(f"What holds this value takes only {limit.name}; change that first.")
    new = encode(value, table.dialect, document.precision, head, table.names)
    check_depth(document, table, node, 0, new)
    return new


def _with_shared_bit(table: NodeTable, node: int, value: Value) -> Value:
    """The new collection with the shared bit of the old one, which no literal can tell."""
    old = read_shallow(table, node).data
    if isinstance(old, Array | Dictionary) and isinstance(value.data, Array | Dictionary) and old.shared:
        return Value(value.type, replace(value.data, shared=True))
    return value


def _part_bytes(document: Document, table: NodeTable, item: Item, text: str) -> bytes:
    part = _part(table, item)
    if part.type == "text":
        value = parse_literal(text, table.dialect, "String")
        element = part.name.startswith("[")
        closed = table.dialect.rules.closed_texts
        if closed and not element and not part.name.endswith(("class", "path", "text")):
            return encode_name(str(value.data), table.names)
        return encode_string_element(str(value.data), closed) if element else encode_text(str(value.data), closed)
    if part.type in NUMBERS:
        return _number(table, text, part.type)
    return _element(document, table, item, text)


def _number(table: NodeTable, text: str, kind: str) -> bytes:
    """A field: a bool, a whole number or a float, in the field's own width."""
    number = whole(text.strip()) if kind in ("u32", "u64") and NUMBER.fullmatch(text.strip()) else None
    if number is not None:
        return encode_number(number, kind)
    only = "bool" if kind == "bool" else "float" if kind[0] == "f" else "int"
    value = parse_literal(text, table.dialect, only)
    data = value.data
    if not isinstance(data, bool | int | float):
        raise EditError("A number belongs here.")
    return encode_number(data, kind)


def _element(document: Document, table: NodeTable, item: Item, text: str) -> bytes:
    """An element of several components, written ``(1, 2)`` or as its own literal ``Vector2(1, 2)``."""
    row = table.row(item.node)
    assert row is not None
    name = row.name.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    value = parse_literal(text, table.dialect, name, precision=document.precision)
    fields = row.fields(table.header(item.node))
    if not isinstance(value.data, tuple) or len(value.data) != len(fields):
        raise EditError(f"An element takes {len(fields)} numbers.")
    pairs = zip(value.data, fields, strict=True)
    return b"".join(encode_number(number, field.type) for number, field in pairs)  # type: ignore[arg-type]
