"""What bytes mean, in words: an item for the hover card, the value of a part for the inspector."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.base.words import counted, grouped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.pieces.message import FieldRole
from viewer.variant import items
from viewer.variant.dialect import (
    COLLECTIONS,
    FLAG_64,
    SHARED,
    Content,
    Dialect,
    Kind,
    TypeRow,
    content,
    image_formats,
    input_event,
)
from viewer.variant.items import Item, Part, Role, element_count
from viewer.variant.literal.preview import LIMIT, element_text, part_text
from viewer.variant.table import NodeTable

# What bytes that belong to no value are called: skipped ones, those of a closed file, the fields of a packet.


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Its name and meaning in words; *is_field* where a protocol explains it, *guess* what it seems to say."""

    name: str
    text: str
    is_field: bool = False
    guess: str = ""


def unclaimed(document: Document, item: Item, span: Span) -> Unclaimed:
    """The words for a gap.

    Args:
        document: whose gap it is.
        item: the gap.
        span: its bytes.
    """
    count = counted(len(span), "byte")
    if document.wraps.blocked is not None:
        return Unclaimed("closed bytes", f"{count}, still wrapped")
    field = outline.field_of(document, item)
    if field is not None and field.role is not FieldRole.OPAQUE:
        return Unclaimed(field.name, field.text or count, is_field=True)
    from viewer.document.edits.describing import gap_guess, guess_text, guess_words  # few files have gaps

    name, told = ("skipped bytes", f"{count} that no value claims")
    if field is not None:
        name, told = field.name, field.text or count
    row = gap_guess(document, span)
    return Unclaimed(name, f"{told}, {guess_words(row)}" if row else told, guess=guess_text(row))


COUNT_MASK = SHARED - 1
NUMBER_WORDS = {
    "bool": "32-bit bool",
    "u8": "byte",
    "u32": "unsigned 32-bit integer",
    "i32": "32-bit integer",
    "u64": "unsigned 64-bit integer",
    "i64": "64-bit integer",
    "f32": "32-bit float",
    "f64": "64-bit float",
}
ABSOLUTE, PROPERTY = 1, 2
NAMES = 0x7FFF
"""The bits of a 16-bit count of names in a binary resource; the one above says that a path is absolute."""
TARGETS = {0: "null", 1: "a resource by its path", 2: "a resource in this file", 3: "an external resource"}
"""How a reference in a binary resource names another one."""


# An item


def meaning(document: Document, item: Item) -> str:
    """What an item is: ``Color, field g, 32-bit float``."""
    if item.frame < 0 or item.node < 0 or outline.is_gap(item):
        return _outside(document, item)
    table = document.frames[item.frame].table
    row = table.row(item.node)
    name = row.name if row is not None else f"unknown type {table.header(item.node) & 0xFF}"
    if outline.is_key(table, item.node):
        name = "property name" if table.is_name(item.node) else f"key, {name}"
    part = outline.part(document, item)
    return name if part is None else f"{name}, {_piece(part, row)}"


def _outside(document: Document, item: Item) -> str:
    span = outline.span(document, item)
    if item.part != outline.PREFIX:
        return unclaimed(document, item, span).text
    order = "big-endian" if document.framing.big_endian else "little-endian"
    return f"length of the value that follows, {order}"


def _piece(part: Part, row: TypeRow | None) -> str:
    """What a part is to its node."""
    if part.role is Role.PADDING:
        return "padding, which engines ignore"
    if part.role is not Role.VALUE:
        return label(part)
    if part.name.startswith("["):
        return _element(part)
    if part.type in NUMBER_WORDS and part.name != "elements":
        field = part.name if part.name == "value" else f"field {part.name}"
        return f"{field}, {NUMBER_WORDS[part.type]}"
    return label(part)


def _element(part: Part) -> str:
    index, _, field = part.name[1:].partition("]")
    words = [f"element {index}", *([f"field {field[1:]}"] if field else []), NUMBER_WORDS.get(part.type, "")]
    return ", ".join(word for word in words if word)


def label(part: Part) -> str:
    """A part's name in words: ``sub-name 0 length``."""
    return items.part_label(part).replace("subname", "sub-name").replace("@", " ")


# The value of a part


def part_words(document: Document, item: Item, part: Part, limit: int = LIMIT) -> str:
    """What the bytes of a part say: ``7 bytes`` for a length, ``relative`` for flags, ``zero`` for fill."""
    if item.frame < 0 or item.node < 0 or outline.is_gap(item):
        return _outside_words(document, part)
    table = document.frames[item.frame].table
    row = table.row(item.node)
    if part.role is Role.HEADER:
        return _header_words(part, table.dialect)
    if part.role is Role.PADDING:
        return _padding_words(part)
    if part.role is Role.LENGTH and isinstance(part.value, int):
        return _word_words(part, part.value, table.dialect, row)
    return _value_words(table, item.node, row, part, limit)


def _outside_words(document: Document, part: Part) -> str:
    if part.type == "field":
        return escaped(str(part.value))
    if part.role is not Role.PREFIX:
        return counted(len(part.span), "byte")
    raw = document.buffer[part.span.start : part.span.end]
    return counted(int.from_bytes(raw, "big" if document.framing.big_endian else "little"), "byte")


def _header_words(part: Part, dialect: Dialect) -> str:
    header = part.value if isinstance(part.value, int) else 0
    row = dialect.row(header)
    if row is None:
        return f"0x{header:08X}, unknown"
    words = [row.name]
    if header & FLAG_64 and row.kind is Kind.OBJECT:
        words.append("as id")
    elif header & FLAG_64 and row.has_wide:
        words.append("64-bit")
    if _is_typed(header, row, dialect):
        words.append("typed")
    return ", ".join(words)


def _is_typed(header: int, row: TypeRow, dialect: Dialect) -> bool:
    if row.kind is Kind.ARRAY:
        return dialect.rules.typed_arrays and bool(header >> 16 & 3)
    return row.kind is Kind.DICTIONARY and dialect.rules.typed_dictionaries and bool(header >> 16 & 15)


def _padding_words(part: Part) -> str:
    raw = part.value if isinstance(part.value, bytes) else b""
    return f"{raw.hex(' ').upper()}, ignored" if any(raw) else "zero"


def _word_words(part: Part, value: int, dialect: Dialect, row: TypeRow | None) -> str:
    """A count, length, flags or type word."""
    last = part.name.rpartition("_")[2].rpartition("@")[2]
    if part.type == "u16":
        words = grouped(value & NAMES)
        return f"{words}, {'absolute' if value > NAMES else 'relative'}" if part.name == "subname_count" else words
    if part.name == "target":
        return TARGETS.get(value, f"{value}, unknown")
    if part.name == "name_count":
        return f"{grouped(value & COUNT_MASK)}, {'new' if value & SHARED else 'old'} form"
    if part.name == "subname_count":
        return grouped(value)
    if last == "flags":
        return _flag_words(value, dialect)
    if last == "type":
        return _type_words(value, dialect)
    if last == "length":
        return counted(value, "byte") if value < SHARED else f"{value - (1 << 32)}, negative"
    return _count_words(value, dialect, row)


def _flag_words(value: int, dialect: Dialect) -> str:
    words = ["absolute" if value & ABSOLUTE else "relative"]
    known = ABSOLUTE
    if dialect.rules.property_flag:
        known |= PROPERTY
        words += ["with property"] if value & PROPERTY else []
    return ", ".join([*words, *([f"and 0x{value & ~known:X}"] if value & ~known else [])])


def _type_words(value: int, dialect: Dialect) -> str:
    number = value & COUNT_MASK
    name = dialect.rows[number].name if number < len(dialect.rows) else f"{number}, unknown"
    return f"{name}, shared" if value & SHARED else name


def _count_words(value: int, dialect: Dialect, row: TypeRow | None) -> str:
    if value & SHARED and (row is None or row.kind not in COLLECTIONS):
        return f"{value - (1 << 32)}, negative"
    words = counted(value & COUNT_MASK, _unit(row.kind) if row is not None else "element")
    words = words.replace("propertys", "properties")
    return f"{words}, shared bit" if value & SHARED else words


def _unit(kind: Kind) -> str:
    match content(kind):
        case Content.PAIRS:
            return "pair"
        case Content.PROPERTIES:
            return "property"
        case Content.TEXTS:
            return "text"
        case Content.VALUES | Content.NUMBERS | Content.NOTHING:
            return "element"


def _value_words(table: NodeTable, node: int, row: TypeRow | None, part: Part, limit: int) -> str:
    kind = row.kind if row is not None else None
    if part.name == "elements":
        return counted(element_count(table, node), "value")
    if kind is Kind.IMAGE and part.name == "format" and isinstance(part.value, int):
        names = image_formats()
        return names[part.value] if part.value < len(names) else f"{part.value}, unknown"
    if kind is Kind.INPUT_EVENT and part.name == "type" and isinstance(part.value, int):
        return input_event(part.value).name
    if part.type == "bytes":
        return counted(len(part.span), "byte")
    return element_text(part) if isinstance(part.value, tuple) else part_text(part, limit)
