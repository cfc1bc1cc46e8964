"""The values that take a flat list of arguments: ``Vector2(1, 2)``, ``PackedStringArray("a")``, ``Signal("a", 5)``.

Each builder starts behind the opening bracket and moves past the closing one.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import assert_never

from viewer.variant.dialect import Dialect, Kind, TypeRow, image_formats, input_event
from viewer.variant.literal.html_colour import colour_of, example
from viewer.variant.literal.lexer import LiteralReader, shown
from viewer.variant.literal.names import REFERENCES, split_path
from viewer.variant.literal.numbers import (
    F32_LARGEST,
    F64_LARGEST,
    RANGES,
    SPOKEN,
    floating,
    forms,
    is_integer,
    narrow_real,
    to_f32,
    whole,
)
from viewer.variant.value import Image, InputEvent, NodePath, ObjectId, Reference, ReferenceKind, Signal, Value

# The arguments: numbers between brackets, each checked against its field.


def number(reader: LiteralReader, token: str, form: str, start: int, subject: str = "") -> int | float:
    """The number that a token means in a field of this form.

    Args:
        start: where the token stands, for the error.
        subject: what the error calls the field; by default what its form is called.

    Raises:
        LiteralError: it is no number, has a fraction where none can be, or does not fit.
    """
    double = floating(token)
    end = start + len(token)
    if double is None:
        what = f"{shown(token)} is not a number." if token else "A number is missing."
        raise reader.error(what, start)
    subject = subject or SPOKEN[form]
    if is_integer(form):
        return _integer(reader, token, double, form, start, subject)
    infinite = double in (float("inf"), float("-inf"))
    sign = "-" if token.startswith("-") else ""
    if infinite and "n" not in token.lower():
        raise reader.error(f"{shown(token)} is too large for {subject}.", start, end, sign + F64_LARGEST)
    if form == "f64" or infinite:
        return double
    if form == "real":
        return narrow_real(double, token)
    single = to_f32(double)
    if single is None:
        reason = f"{shown(token)} is too large for {subject}. The largest value is {F32_LARGEST}."
        raise reader.error(reason, start, end, sign + F32_LARGEST)
    return single


def _integer(reader: LiteralReader, token: str, double: float, form: str, start: int, subject: str) -> int:
    end = start + len(token)
    integer = whole(token)
    if integer is None:
        if not double.is_integer():
            fix = None if double != double or abs(double) == float("inf") else str(int(double))
            raise reader.error(f"{shown(token)} is not whole, but {subject} has no fraction.", start, end, fix)
        integer = int(double)
    low, high = RANGES[form]
    if low <= integer <= high:
        return integer
    side, word, bound = ("large", "largest", high) if integer > high else ("small", "smallest", low)
    much = "One" if abs(integer - bound) == 1 else shown(token) + " is"
    reason = f"{much} too {side} for {subject}. The {word} value is {bound}."
    raise reader.error(reason, start, end, str(bound))


def tokens_of(reader: LiteralReader, opening: str) -> tuple[int, list[str]]:
    """Where the arguments begin, and their texts."""
    start = reader.pos
    end = reader.text.find(")", start)
    if end < 0:
        reader.pos = len(reader.text)
        raise reader.error(f"The text ends after “{opening}”: the closing bracket is missing.", None, reader.pos, ")")
    body = reader.text[start:end]
    reader.pos = end + 1
    listed = body.strip()
    if listed.startswith("[") and listed.endswith("]"):
        start, body = start + body.index("[") + 1, listed[1:-1]
    return start, body.split(",") if body.strip() else []


def converted(reader: LiteralReader, tokens: list[str], kinds: tuple[str, ...], start: int) -> list[int | float]:
    """The numbers that these texts mean, their forms in turn; *start* is where the first text begins."""
    out: list[int | float] = []
    step = len(kinds)
    for k, token in enumerate(tokens):
        bare = token.strip()
        try:
            out.append(number(reader, bare, kinds[k % step], 0))
        except ValueError:
            at = start + sum(map(len, tokens[:k])) + k + len(token) - len(token.lstrip())
            number(reader, bare, kinds[k % step], at)
    return out


def grouped(flat: list[int | float], size: int) -> tuple[int | float, ...] | tuple[tuple[int | float, ...], ...]:
    """Numbers as a packed array holds them: by themselves, or in tuples of this size."""
    return tuple(flat) if size == 1 else tuple(zip(*[iter(flat)] * size, strict=True))


# Images and input events, which no engine after Godot 2 has.


_KEY_LETTERS = {"A": 1 << 26, "S": 1 << 25, "C": 1 << 28, "M": 1 << 27}
_EVENT_TYPES = {input_event(number).name: number for number in range(9)}
_EVENT_TYPES |= {"MBUTTON": 3, "JAXIS": 4, "JBUTTON": 5}


def image(reader: LiteralReader, row: TypeRow) -> Value:
    """Godot 2's image: width, height, mipmaps, format, bytes."""
    start, tokens = tokens_of(reader, row.name)
    words = [token.strip() for token in tokens[:4]]
    if not words:
        return Value(row.name, Image(0, 0, 0, 0, b""))
    if len(words) < 4:
        raise reader.error("Image takes a width, a height, a number of mipmaps and a format, then its bytes.", start)
    names = image_formats()
    known = str(names.index(words[3])) if words[3] in names else words[3]
    pixel_format = int(number(reader, known, "u32", start, "a format"))
    width, height, mipmaps = (int(number(reader, word, "u32", start)) for word in words[:3])
    data = converted(reader, tokens[4:], ("u8",), start + sum(map(len, tokens[:4])) + 4)
    return Value(row.name, Image(pixel_format, mipmaps, width, height, bytes(int(byte) for byte in data)))


def event(reader: LiteralReader, row: TypeRow) -> Value:
    """Godot 2's input event: its type, then what it stores by place or by name, then its device."""
    start, tokens = tokens_of(reader, row.name)
    words = [token.strip() for token in tokens] or ["NONE"]
    kind = _EVENT_TYPES.get(words[0])
    if kind is None:
        kind = int(number(reader, words[0], "u32", start, "an event type"))
    named = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    device = int(number(reader, named.pop("device", "0"), "i32", start))
    placed = [word for word in words[1:] if "=" not in word]
    stored = {field.name: field.type for field in input_event(kind).fields}
    fields = [(name, number(reader, text, stored.get(name, "i64"), start)) for name, text in named.items()]
    if kind == 1 and placed:
        letters = placed[1] if len(placed) > 1 else ""
        mask = sum(_KEY_LETTERS.get(letter, 0) for letter in dict.fromkeys(letters))
        fields += [("modifiers", mask), ("scancode", int(number(reader, placed[0], "u32", start)))]
    else:
        texts = zip(stored.items(), placed, strict=False)
        fields += [(name, number(reader, text, form, start)) for (name, form), text in texts]
    return Value(row.name, InputEvent(kind, device, tuple(fields)))


# All other values.


def fixed(reader: LiteralReader, row: TypeRow) -> Value:
    """A value of several numbers."""
    kinds = forms(row, reader.precision)
    if row.name == "Color" and reader.peek() in ('"', "'"):
        return Value(row.name, _html_color(reader))
    start, tokens = tokens_of(reader, row.name)
    if row.name == "Color" and len(tokens) == 3:
        tokens.append("1")
    if len(tokens) != len(kinds):
        raise reader.error(f"{row.name} takes {len(kinds)} numbers, not {len(tokens)}.", start)
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
        reason = f"{row.name} takes its numbers in groups of {len(kinds)}, but there are {len(tokens)}."
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
    reader.need("(", f"after {REFERENCES[kind]}")
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
