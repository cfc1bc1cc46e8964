"""Text to value: reads what the engines write, with a stack of its own for what is nested."""

from __future__ import annotations

import re
from collections.abc import Callable

from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.args import number
from viewer.variant.literal.build import builder, object_id, path
from viewer.variant.literal.fit import fitted
from viewer.variant.literal.names import AS_IDS, class_element, is_known, named_element, nearest, resolve
from viewer.variant.literal.nesting import Frame, ListFrame, ObjectFrame, TableFrame, TypedFrame
from viewer.variant.literal.numbers import forms, whole
from viewer.variant.literal.text import LiteralError, Reader, shown
from viewer.variant.value import ElementType, Value

__all__ = ["LiteralError", "parse_literal"]

_FILES = ("Resource", "ExtResource", "SubResource")
_WORDS = {"null": ("Nil", None), "true": ("bool", True), "false": ("bool", False)}
_MEANT = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_MEANT |= {"None": "null", "nil": "null", "Nil": "null", "NULL": "null", "Null": "null"}
_DIGITS = re.compile("[0-9]+")


def parse_literal(
    text: str, dialect: Dialect, expected: str | None = None, *, precision: Precision = Precision.SINGLE
) -> Value:
    """Read a value from its text in any engine line's style.

    Args:
        expected: the type at that place. A whole number becomes a float there, a text a name or a path, a list a packed
            array, and ``(1, 2)`` is enough for a Vector2. ``null`` for an object is a Nil where the engine writes that.
        precision: of the file: whether ``0.1`` in a Vector2 means the 32-bit number or the double.

    Raises:
        LiteralError: it cannot be read, does not fit, or is no value of the expected type.
    """
    reader = Reader(text, dialect, precision)
    if expected is None:
        value = _read(reader)
    else:
        row = resolve(expected, dialect)
        if row is None:
            raise LiteralError(_unknown(expected, dialect))
        value = _read_expected(reader, row)
    if reader.peek():
        raise reader.error(f"The value is complete, but more follows: {shown(text[reader.pos : reader.pos + 60])}.")
    return value


def _read(reader: Reader) -> Value:
    """One value with all that it holds."""
    stack: list[Frame] = []
    while True:
        begun = _start(reader)
        if isinstance(begun, Frame):
            stack.append(begun)
        elif not stack:
            return begun
        else:
            stack[-1].values.append(begun)
        while not stack[-1].more():
            done = stack.pop().finish()
            if not stack:
                return done
            stack[-1].values.append(done)


def _start(reader: Reader) -> Value | Frame:
    """A value without others inside, or the frame of one with them."""
    char = reader.peek()
    opener = _OPENERS.get(char)
    if opener is not None:
        return opener(reader)
    start = reader.pos
    token = reader.number()
    if token is not None:
        name = "float" if whole(token) is None else "int"
        return Value(name, number(reader, token, reader.scalars[name], start, name))
    word = reader.word()
    if word is None:
        raise reader.error(f"No value begins with “{char}”." if char else "The text ends where a value should follow.")
    return _named(reader, word, start)


def _text(reader: Reader) -> Value:
    return Value("String", reader.string())


def _name(reader: Reader) -> Value:
    start = reader.pos
    reader.pos += 1
    text = reader.string()
    if "StringName" not in reader.dialect.by_name:
        raise reader.error(_unknown("StringName", reader.dialect), start, start + 1, "")
    return Value("StringName", text)


def _path(reader: Reader) -> Value:
    start = reader.pos
    reader.pos += 1
    return Value("NodePath", path(reader, reader.string(), start))


def _list(reader: Reader) -> Frame:
    reader.pos += 1
    return ListFrame(reader, reader.dialect.by_name["Array"])


def _table(reader: Reader) -> Frame:
    reader.pos += 1
    return TableFrame(reader, reader.dialect.by_name["Dictionary"])


_OPENERS: dict[str, Callable[[Reader], Value | Frame]] = {
    '"': _text,
    "'": _text,
    "&": _name,
    "@": _name,
    "^": _path,
    "[": _list,
    "{": _table,
}


def _named(reader: Reader, word: str, start: int) -> Value | Frame:
    """What begins with a word: a constant, or a type and its arguments."""
    plain = _WORDS.get(word)
    if plain is not None:
        return Value(*plain)
    end = reader.pos
    if word in _MEANT:
        raise reader.error(f"“{word}” is written “{_MEANT[word]}”.", start, end, _MEANT[word])
    if word == AS_IDS and reader.skip("("):
        return _object_id(reader, start)
    if word in _FILES:
        raise reader.error(f"{word}(…) names a file of the game; a file can only hold the value itself.", start)
    row = resolve(word, reader.dialect)
    if row is None:
        other = nearest(word, reader.dialect)
        raise reader.error(_unknown(word, reader.dialect), start, end, other)
    if reader.skip("["):
        return _typed(reader, row)
    if not reader.skip("("):
        raise reader.missing("“(”", f"behind {word}")
    return _called(reader, row, start)


def _unknown(word: str, dialect: Dialect) -> str:
    other = nearest(word, dialect)
    if other is not None:
        return f"{dialect.name} has no {word}; the nearest is {other}."
    if is_known(word):
        return f"{dialect.name} has no {word}."
    return f"“{word}” is no value of {dialect.name}. A text stands in quotes."


def _object_id(reader: Reader, start: int) -> Value:
    row = reader.dialect.by_name["Object"]
    if row.kind is not Kind.OBJECT:
        raise reader.error(f"{reader.dialect.name} writes no ids of objects.", start)
    return object_id(reader, row)


def _called(reader: Reader, row: TypeRow, start: int) -> Value | Frame:
    """A type behind its opening bracket."""
    build = builder(row, reader.dialect)
    if build is not None:
        return build(reader, row)
    if row.kind is Kind.TYPED_ARRAY:
        element = _element(reader) if reader.peek() not in ",)" else class_element("", reader.dialect)
        if reader.peek() != ")":
            reader.need(",", f"inside {row.name}(…)")
        return ListFrame(reader, row, ")", element)
    if row.kind in (Kind.OBJECT, Kind.NULL_OBJECT):
        if reader.skip(")"):
            return Value(row.name, None)
        if row.kind is Kind.NULL_OBJECT:
            raise reader.error(f"{reader.dialect.name} writes no objects, only that one was there: Object().", start)
        return ObjectFrame(reader, row, reader.word() or reader.string())
    raise reader.error(f"{row.name} is written without its name.", start)


def _typed(reader: Reader, row: TypeRow) -> Frame:
    """An Array or a Dictionary behind the bracket that opens its types."""
    rules = reader.dialect.rules
    wanted = {Kind.ARRAY: 1 * rules.typed_arrays, Kind.DICTIONARY: 2 * rules.typed_dictionaries}.get(row.kind, 0)
    if not wanted:
        raise reader.error(f"{reader.dialect.name} has no typed {row.name}.")
    types: list[ElementType | None] = []
    inside = f"inside {row.name}[…]"
    for k in range(wanted):
        if k:
            reader.need(",", inside)
        types.append(_element(reader))
    reader.need("]", inside)
    reader.need("(", f"behind {row.name}[…]")
    return TypedFrame(reader, row, types)


def _element(reader: Reader) -> ElementType | None:
    """The name of an element type: a type, a class, a script's path, or a bare type number."""
    char = reader.peek()
    if char in ('"', "'") and char:
        return class_element(reader.string(), reader.dialect)
    digits = _DIGITS.match(reader.text, reader.pos)
    if digits is not None:
        reader.pos = digits.end()
        return ElementType(builtin=int(number(reader, digits[0], "u32", digits.start(), "a type number")))
    word = reader.word()
    if word is None:
        raise reader.missing("the name of a type", "where one belongs")
    if word in (*_FILES, "Script") and reader.skip("("):
        script = reader.string()
        reader.need(")", f"inside {word}(…)")
        if word != "Resource" and word != "Script":
            raise reader.error(f"{word}(…) names a part of a scene; a typed collection needs a script's path.")
        return ElementType(script=script)
    return named_element(word, reader.dialect)


def _read_expected(reader: Reader, row: TypeRow) -> Value:
    """A value where the type is known beforehand."""
    char = reader.peek()
    start = reader.pos
    kinds = forms(row, reader.precision)
    if row.kind is Kind.FIXED and row.name in ("int", "float"):
        token = reader.number()
        if token is not None:
            return Value(row.name, number(reader, token, reader.scalars[row.name], start, row.name))
    build = builder(row, reader.dialect)
    if char == "(" and build is not None and (len(kinds) > 1 or row.kind is Kind.PACKED):
        reader.pos += 1
        return build(reader, row)
    if row.kind is Kind.STRING and char not in ('"', "'", "&", "@", "^", "N"):
        raise reader.error("A text stands in quotes.", 0, len(reader.text), _in_quotes(reader.text))
    return fitted(reader, _read(reader), row, start)


def _in_quotes(text: str) -> str:
    escaped = text.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
