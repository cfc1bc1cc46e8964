"""The values that take a flat list of arguments: ``Vector2(1, 2)``, ``PackedStringArray("a")``, ``Signal("a", 5)``.

Each builder starts behind the opening bracket and moves past the closing one.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import assert_never

from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.literal.args import converted, grouped, number, tokens_of
from viewer.variant.literal.godot2 import event, image
from viewer.variant.literal.html_colour import colour_of, example
from viewer.variant.literal.lexer import LiteralReader, shown
from viewer.variant.literal.names import REFERENCES, split_path
from viewer.variant.literal.numbers import RANGES, forms
from viewer.variant.value import NodePath, ObjectId, Reference, ReferenceKind, Signal, Value


def fixed(reader: LiteralReader, row: TypeRow) -> Value:
    """A value of several numbers."""
    kinds = forms(row, reader.precision)
    if row.name == "Color" and reader.peek() in ('"', "'"):
        return Value(row.name, _html_color(reader))
    start, tokens = tokens_of(reader, row.name)
    if row.name == "Color" and len(tokens) == 3:
        tokens.append("1")
    if len(tokens) != len(kinds):
        verb = "is" if len(tokens) == 1 else "are"
        raise reader.error(f"{row.name} takes {len(kinds)} numbers, here {verb} {len(tokens)}.", start)
    return Value(row.name, tuple(converted(reader, tokens, kinds, start)))


def _html_color(reader: LiteralReader) -> tuple[float, ...]:
    start = reader.pos
    text = reader.string()
    reader.need(")", "inside Color(…)")
    colour = colour_of(text, reader.dialect)
    if colour is None:
        form = example(reader.dialect)
        raise reader.error(f"{shown(text)} is not a colour; one is written like “#ff8800” or “{form}”.", start)
    return colour


def packed(reader: LiteralReader, row: TypeRow) -> Value:
    """An array of numbers, or of groups of them; bytes also as base64."""
    kinds = forms(row, reader.precision)
    if reader.peek() in ('"', "'"):
        return _base64(reader, row, kinds)
    start, tokens = tokens_of(reader, row.name)
    if len(tokens) % len(kinds):
        reason = f"{row.name} takes its numbers in groups of {len(kinds)}, here are {len(tokens)}."
        raise reader.error(reason, start)
    flat = converted(reader, tokens, kinds, start)
    if kinds == ("u8",):
        return Value(row.name, bytes(int(byte) for byte in flat))
    return Value(row.name, grouped(flat, len(kinds)))


def _base64(reader: LiteralReader, row: TypeRow, kinds: tuple[str, ...]) -> Value:
    start = reader.pos
    text = reader.string()
    reader.need(")", f"inside {row.name}(…)")
    if kinds != ("u8",):
        raise reader.error(f"{row.name} takes numbers, not a text.", start)
    try:
        return Value(row.name, base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise reader.error("The text in quotes is not base64.", start) from None


def packed_strings(reader: LiteralReader, row: TypeRow) -> Value:
    """An array of strings, also in the brackets of a list."""
    listed = reader.skip("[")
    texts = _strings(reader, "]" if listed else ")", row.name)
    if listed:
        reader.need(")", f"inside {row.name}(…)")
    return Value(row.name, tuple(texts))


def _strings(reader: LiteralReader, close: str, name: str) -> list[str]:
    texts: list[str] = []
    while not reader.skip(close):
        if texts:
            reader.need(",", f"inside {name}(…)")
        texts.append(reader.string())
    return texts


def path(reader: LiteralReader, text: str, start: int) -> NodePath:
    """The node path of a text as the engine splits it.

    Raises:
        LiteralError: a part between two colons is empty.
    """
    split = split_path(text, reader.dialect)
    if split is None:
        raise reader.error("A node path cannot have an empty name between two colons.", start)
    return split


def node_path(reader: LiteralReader, row: TypeRow) -> Value:
    """A node path, by its text or by its parts."""
    inside = "inside NodePath(…)"
    if not reader.skip("["):
        start = reader.pos
        text = "" if reader.peek() == ")" else reader.string()
        reader.need(")", inside)
        return Value(row.name, path(reader, text, start))
    names = _strings(reader, "]", row.name)
    reader.need(",", inside)
    reader.need("[", inside)
    subnames = _strings(reader, "]", row.name)
    reader.need(",", inside)
    word = reader.word()
    if word not in ("true", "false"):
        raise reader.missing("“true” or “false”", inside)
    prop = reader.string() if reader.skip(",") else None
    reader.need(")", inside)
    return Value(row.name, NodePath(tuple(names), tuple(subnames), word == "true", prop))


def signal(reader: LiteralReader, row: TypeRow) -> Value:
    """A signal: its name and the id of its object."""
    if reader.skip(")"):
        return Value(row.name, Signal("", 0))
    name = reader.string()
    reader.need(",", "inside Signal(…)")
    return Value(row.name, Signal(name, _id(reader, row.name)))


def object_id(reader: LiteralReader, row: TypeRow) -> Value:
    """An object by its id; the signed form that engines print is taken too."""
    return Value(row.name, ObjectId(_id(reader, "EncodedObjectAsID")))


def _id(reader: LiteralReader, name: str) -> int:
    reader.peek()
    start = reader.pos
    token = reader.number() or ""
    negative = token.startswith("-")
    integer = int(number(reader, token, "i64" if negative else "u64", start, "an id"))
    reader.need(")", f"inside {name}(…)")
    return integer & RANGES["u64"][1]


def reference(reader: LiteralReader, row: TypeRow, kind: ReferenceKind) -> Value:
    """Another resource: by its number in the file, or by its path."""
    word = f"{REFERENCES[kind]}(…)"
    reader.need("(", f"behind {REFERENCES[kind]}")
    if kind is ReferenceKind.PATH:
        path = reader.string()
        reader.need(")", f"inside {word}")
        return Value(row.name, Reference(kind, 0, "Resource", path))
    reader.peek()
    start = reader.pos
    place = int(number(reader, reader.number() or "", "u32", start, "a place"))
    reader.need(")", f"inside {word}")
    return Value(row.name, Reference(kind, place))


def handle(reader: LiteralReader, row: TypeRow) -> Value:
    """An RID or a Callable: nothing, or one id where the dialect writes it."""
    if reader.skip(")"):
        return Value(row.name, 0 if row.narrow else None)
    if row.narrow:
        return Value(row.name, _id(reader, row.name))
    raise reader.error(f"{row.name} holds nothing in a file of {reader.dialect.name}.", None, None)


def builder(row: TypeRow, dialect: Dialect) -> Callable[[LiteralReader, TypeRow], Value] | None:
    """What reads the arguments of this type; None where they are whole values or the type has no such text."""
    match row.kind:
        case Kind.FIXED:
            return fixed if len(row.narrow) > 1 else handle if row.name in ("RID", "Callable") else None
        case Kind.PACKED:
            return packed
        case Kind.PACKED_STRINGS:
            return packed_strings
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return node_path
        case Kind.SIGNAL:
            return signal
        case Kind.IMAGE:
            return image
        case Kind.INPUT_EVENT:
            return event
        case (
            Kind.STRING
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
        ):
            return None
        case _:
            assert_never(row.kind)
