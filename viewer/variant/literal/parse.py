"""Text to value: reads what the engines write, with a stack of its own for what is nested."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never, cast

from viewer.base.late_pattern import late_pattern
from viewer.variant.dialect import PACKED, Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.build import builder, grouped, number, object_id, path, reference
from viewer.variant.literal.html_colour import colour_of
from viewer.variant.literal.lexer import LiteralError, LiteralReader, shown
from viewer.variant.literal.names import AS_IDS, REFERENCES, class_element, is_known, named_element, nearest, resolve
from viewer.variant.literal.numbers import FLOAT_WORD, NUMBER, RANGES, forms, is_integer, to_f32, whole
from viewer.variant.value import Array, Dictionary, ElementType, NodePath, ObjectFull, Value

# A value at a place where another type is expected: the conversions that lose nothing.

_VOWELS = tuple("AEIOUaeiou")


def fitted(reader: LiteralReader, value: Value, row: TypeRow, start: int) -> Value:
    """The value as one of this type, where that loses nothing but the way it was written."""
    source = reader.dialect.by_name[value.type]
    if source is row:
        return value
    if value.type == "Nil" and row.kind is Kind.OBJECT:
        return value
    if value.type == "Nil" and row.kind in (Kind.NULL_OBJECT, Kind.REFERENCE):
        return Value(row.name, None)
    if source.kind is Kind.STRING and row.kind is Kind.STRING:
        return Value(row.name, value.data)
    if source.kind is Kind.STRING and row.kind in (Kind.NODE_PATH, Kind.INDEXED_PATH):
        return Value(row.name, path(reader, cast(str, value.data), start))
    if isinstance(value.data, NodePath) and row.kind is Kind.STRING:
        return Value(row.name, value.data.text)
    converted = _collected(reader, value, row) or _same_shape(reader, source, value, row)
    if converted is None:
        raise reader.error(f"{_wanted(row)} is expected here, not {value.type}.", start)
    return converted


def _collected(reader: LiteralReader, value: Value, row: TypeRow) -> Value | None:
    """A packed array from a list of its elements."""
    if not isinstance(value.data, Array) or row.kind not in PACKED:
        return None
    elements = value.data.elements
    if row.kind is Kind.PACKED_STRINGS:
        texts = tuple(element.data for element in elements if isinstance(element.data, str))
        return Value(row.name, texts) if len(texts) == len(elements) else None
    flat: list[int | float] = []
    kinds = forms(row, reader.precision)
    for element in elements:
        parts = element.data if isinstance(element.data, tuple) else (element.data,)
        if len(parts) not in (1, len(kinds)) or not _fits(parts, kinds, flat):
            return None
    if len(flat) % len(kinds):
        return None
    return Value(row.name, bytes(map(int, flat)) if kinds == ("u8",) else grouped(flat, len(kinds)))


def _same_shape(reader: LiteralReader, source: TypeRow, value: Value, row: TypeRow) -> Value | None:
    """A Vector2i from a Vector2 and the like."""
    kinds = forms(row, reader.precision)
    alike = row.name.removesuffix("i") == source.name.removesuffix("i") and len(kinds) > 1
    flat: list[int | float] = []
    if not alike or not isinstance(value.data, tuple) or not _fits(value.data, kinds, flat):
        return None
    return Value(row.name, tuple(flat))


def _fits(parts: tuple[object, ...], kinds: tuple[str, ...], out: list[int | float]) -> bool:
    """Append these numbers in these forms; False where one is no number or would change."""
    for k, part in enumerate(parts):
        form = kinds[k % len(kinds)]
        if isinstance(part, bool) or not isinstance(part, int | float):
            return False
        if is_integer(form):
            low, high = RANGES[form]
            if not (low <= part <= high) or part != int(part):
                return False
            out.append(int(part))
        else:
            single = to_f32(float(part)) if form == "f32" else float(part)
            if single is None:
                return False
            out.append(single)
    return True


# Values that hold others, while they are read from text.
#
# A frame stands on the reader's stack. It says whether another value follows inside it, is given each one, and makes
# its own value at its end.


class NestingLevel:
    """A value that holds others, while it is read."""

    def __init__(self, reader: LiteralReader, row: TypeRow) -> None:
        self.reader = reader
        self.row = row
        self.values: list[Value] = []

    def more(self) -> bool:
        """Move to the next value inside, or past the end."""
        raise NotImplementedError

    def finish(self) -> Value:
        """The value, its end being read."""
        raise NotImplementedError

    def _next(self, close: str, place: str) -> bool:
        """Move past a comma, if one is due; or past the closing bracket, also behind a comma."""
        if self.reader.skip(close):
            return False
        if not self.values:
            return True
        if not self.reader.skip(","):
            raise self.reader.missing(f"“,” or “{close}”", place)
        return not self.reader.skip(close)


class ListFrame(NestingLevel):
    """``[1, 2]``, or the elements of a Pandemonium ``TypedArray(int, 1, 2)``."""

    def __init__(
        self, reader: LiteralReader, row: TypeRow, close: str = "]", element: ElementType | None = None
    ) -> None:
        super().__init__(reader, row)
        self.close = close
        self.element = element

    def more(self) -> bool:
        return self._next(self.close, "inside an array")

    def finish(self) -> Value:
        return Value(self.row.name, Array(tuple(self.values), self.element))


class TableFrame(NestingLevel):
    """``{"a": 1}``: key, value, key, value."""

    def more(self) -> bool:
        if len(self.values) % 2:
            self.reader.need(":", "inside a dictionary after a key")
            return True
        return self._next("}", "inside a dictionary")

    def finish(self) -> Value:
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        return Value(self.row.name, Dictionary(tuple(pairs)))


class ObjectFrame(NestingLevel):
    """``Object(Class,"property":value)``."""

    def __init__(self, reader: LiteralReader, row: TypeRow, class_name: str) -> None:
        super().__init__(reader, row)
        self.class_name = class_name
        self.names: list[str] = []

    def more(self) -> bool:
        if self.reader.skip(")"):
            return False
        self.reader.need(",", "inside an object")
        if self.reader.skip(")"):
            return False
        self.names.append(self.reader.string())
        self.reader.need(":", "after a property's name")
        return True

    def finish(self) -> Value:
        return Value(self.row.name, ObjectFull(self.class_name, tuple(zip(self.names, self.values, strict=True))))


class TypedFrame(NestingLevel):
    """``Array[int]([1])`` and ``Dictionary[String, int]({})``: the plain collection inside, and its types."""

    def __init__(self, reader: LiteralReader, row: TypeRow, types: list[ElementType | None]) -> None:
        super().__init__(reader, row)
        self.types = types
        self.start = reader.pos

    def more(self) -> bool:
        if not self.values:
            return True
        self.reader.need(")", f"inside {self.row.name}[…](…)")
        return False

    def finish(self) -> Value:
        data = self.values[0].data
        if isinstance(data, Array) and self.row.kind is Kind.ARRAY and data.element_type is None:
            return Value(self.row.name, Array(data.elements, self.types[0]))
        untyped = isinstance(data, Dictionary) and data.key_type is None and data.value_type is None
        if isinstance(data, Dictionary) and untyped and self.row.kind is Kind.DICTIONARY:
            return Value(self.row.name, Dictionary(data.pairs, self.types[0], self.types[1]))
        brackets = "[…]" if self.row.kind is Kind.ARRAY else "{…}"
        raise self.reader.error(f"{self.row.name}[…] takes its content in brackets: ({brackets}).", self.start)


__all__ = ["LiteralError", "parse_literal"]

_FILES = {word: kind for kind, word in REFERENCES.items()}
_WORDS = {"null": ("Nil", None), "true": ("bool", True), "false": ("bool", False)}
_MEANT = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_MEANT |= {"None": "null", "nil": "null", "Nil": "null", "NULL": "null", "Null": "null"}
_DIGITS = late_pattern("[0-9]+")
_WORD = late_pattern(r"[^\W\d]\w*")
_NUMBERLIKE = late_pattern(r"[+-]*[\d.][\w.+-]*")
"""What begins as numbers do, where no number could be read: ``12x``, ``2.5.1``, ``--5``."""
_COMMA = late_pattern(r"\s*([+-]?\d+),(\d+)\s*", re.ASCII)
_GROUPS_OF_THREE = late_pattern(r"\s*[+-]?\d{1,3}(?:[ ,'\u00a0\u2009\u202f]\d{3})+\s*", re.ASCII)
THREE = 3
COLLECTIONS = {"Array": "[1, 2]", "Dictionary": '{"key":1}'}
"""How they are written."""
FEW = 4
"""Of so many numbers an example is shown."""


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
    reader = LiteralReader(text, dialect, precision)
    if expected is None:
        value = _read(reader)
    else:
        row = resolve(expected, dialect)
        if row is None:
            raise LiteralError(_unknown(expected, dialect))
        value = _read_expected(reader, row)
    if reader.peek():
        raise reader.error(f"One value belongs here: {shown(text[reader.pos : reader.pos + 60])} is unexpected.")
    return value


def _read(reader: LiteralReader) -> Value:
    """One value with all that it holds."""
    stack: list[NestingLevel] = []
    while True:
        begun = _start(reader)
        if isinstance(begun, NestingLevel):
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


def _start(reader: LiteralReader) -> Value | NestingLevel:
    """A value without others inside, or the frame of one with them."""
    char = reader.peek()
    opener = _OPENERS.get(char)
    if opener is not None:
        return opener(reader)
    start = reader.pos
    token = reader.number()
    if token is not None:
        name = "float" if whole(token) is None or "int" not in reader.dialect.by_name else "int"
        return Value(name, number(reader, token, reader.scalars[name], start, name))
    word = reader.word()
    if word is None:
        if (numberlike := _not_a_number(reader)) is not None:
            raise reader.error(f"{shown(numberlike[0])} is not a number.", start, numberlike.end())
        raise reader.error(f"No value begins with “{char}”." if char else "A value is missing here.")
    return _named(reader, word, start)


def _text(reader: LiteralReader) -> Value:
    return Value("String", reader.string())


def _name(reader: LiteralReader) -> Value:
    start = reader.pos
    reader.pos += 1
    text = reader.string()
    if "StringName" not in reader.dialect.by_name:
        raise reader.error(_unknown("StringName", reader.dialect), start, start + 1, "")
    return Value("StringName", text)


def _path(reader: LiteralReader) -> Value:
    start = reader.pos
    reader.pos += 1
    return Value("NodePath", path(reader, reader.string(), start))


def _list(reader: LiteralReader) -> NestingLevel:
    reader.pos += 1
    return ListFrame(reader, reader.dialect.by_name["Array"])


def _table(reader: LiteralReader) -> NestingLevel:
    reader.pos += 1
    return TableFrame(reader, reader.dialect.by_name["Dictionary"])


_OPENERS: dict[str, Callable[[LiteralReader], Value | NestingLevel]] = {
    '"': _text,
    "'": _text,
    "&": _name,
    "@": _name,
    "^": _path,
    "[": _list,
    "{": _table,
}


def _named(reader: LiteralReader, word: str, start: int) -> Value | NestingLevel:
    """What begins with a word: a constant, or a type and its arguments."""
    plain = _WORDS.get(word)
    if plain is not None:
        return Value(*plain)
    end = reader.pos
    if word in _MEANT:
        raise reader.error(f"“{word}” is written “{_MEANT[word]}”.", start, end, _MEANT[word])
    if word == AS_IDS and reader.skip("("):
        return _object_id(reader, start)
    if word in _FILES and word in reader.dialect.by_name and reader.dialect.by_name[word].kind is Kind.STRING:
        return _resource_name(reader, word)
    if word in _FILES and "Object" in reader.dialect.by_name and _refers(reader.dialect):
        return reference(reader, reader.dialect.by_name["Object"], _FILES[word])
    if word in _FILES:
        raise reader.error(f"{word}(…) names a file of the game; a file can only hold the value itself.", start)
    row = resolve(word, reader.dialect)
    if row is None:
        other = nearest(word, reader.dialect)
        raise reader.error(_unknown(word, reader.dialect), start, end, other)
    if reader.skip("["):
        return _typed(reader, row)
    if not reader.skip("("):
        raise reader.missing("“(”", f"after {word}")
    return _called(reader, row, start)


def _resource_name(reader: LiteralReader, word: str) -> Value:
    """A resource behind its word, as the engines' own text names it."""
    inside = f"inside {word}(…)"
    reader.need("(", f"after {word}")
    digits = reader.number() if reader.peek().isdecimal() else None
    name = reader.string() if digits is None else digits
    reader.need(")", inside)
    return Value(word, name)


def _unknown(word: str, dialect: Dialect) -> str:
    other = nearest(word, dialect)
    if other is not None:
        return f"{dialect.name} has no {word}; the nearest is {other}."
    if is_known(word):
        return f"{dialect.name} has no {word}."
    return f"“{word}” is not a value of {dialect.name}. A text goes in quotes."


def _object_id(reader: LiteralReader, start: int) -> Value:
    row = reader.dialect.by_name["Object"]
    if row.kind is not Kind.OBJECT:
        raise reader.error(f"{reader.dialect.name} writes no ids of objects.", start)
    return object_id(reader, row)


def _refers(dialect: Dialect) -> bool:
    """Whether an object is another resource, as it is in binary resources."""
    return dialect.by_name["Object"].kind is Kind.REFERENCE


def _called(reader: LiteralReader, row: TypeRow, start: int) -> Value | NestingLevel:
    """A type behind its opening bracket."""
    match row.kind:
        case Kind.TYPED_ARRAY:
            element = _element(reader) if reader.peek() not in ",)" else class_element("", reader.dialect)
            if reader.peek() != ")":
                reader.need(",", f"inside {row.name}(…)")
            return ListFrame(reader, row, ")", element)
        case Kind.OBJECT | Kind.RESOURCE:
            nothing = reader.skip(")")
            return Value(row.name) if nothing else ObjectFrame(reader, row, reader.word() or reader.string())
        case Kind.REFERENCE:
            raise reader.error("Another resource is named as SubResource(1) or ExtResource(0).", start)
        case Kind.NULL_OBJECT:
            if reader.skip(")"):
                return Value(row.name)
            raise reader.error(f"{reader.dialect.name} writes no objects, only that there was one: Object().", start)
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            build = builder(row, reader.dialect)
            if build is not None:
                return build(reader, row)
            raise reader.error(f"{row.name} is written without its name.", start)
        case _:
            assert_never(row.kind)


def _typed(reader: LiteralReader, row: TypeRow) -> NestingLevel:
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
    reader.need("(", f"after {row.name}[…]")
    return TypedFrame(reader, row, types)


def _element(reader: LiteralReader) -> ElementType | None:
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


def _read_expected(reader: LiteralReader, row: TypeRow) -> Value:
    """A value where the type is known beforehand."""
    char = reader.peek()
    start = reader.pos
    kinds = forms(row, reader.precision)
    if not char:
        raise reader.error(f"{_wanted(row)} is missing here.")
    if row.kind is Kind.FIXED and row.name in ("int", "float"):
        _refuse_other_signs(reader, row)
        token = reader.number()
        if token is not None:
            return Value(row.name, number(reader, token, reader.scalars[row.name], start, row.name))
    if row.kind is Kind.FIXED or row.kind in PACKED or row.name in COLLECTIONS:
        _refuse_plain_word(reader, row)
    if row.kind is Kind.FIXED:
        _refuse_bare(reader, row, kinds)
    if char == "#" and row.name == "Color" and (colour := colour_of(reader.text[start:], reader.dialect)) is not None:
        reader.pos = len(reader.text)
        return Value(row.name, colour)
    build = builder(row, reader.dialect)
    if char == "(" and build is not None and (len(kinds) > 1 or row.kind is Kind.PACKED):
        reader.pos += 1
        return build(reader, row)
    if row.kind is Kind.STRING and char not in ('"', "'", "&", "@", "^", "N"):
        raise reader.error("A text goes in quotes.", 0, len(reader.text), _in_quotes(reader.text))
    return fitted(reader, _read(reader), row, start)


def _refuse_bare(reader: LiteralReader, row: TypeRow, kinds: tuple[str, ...]) -> None:
    """Say that the numbers of a value stand in brackets where they stand there without.

    Raises:
        LiteralError: they do.
    """
    text = reader.text[reader.pos :]
    parts = [part.strip() for part in text.split(",")] if "," in text else text.split()
    tokens = [NUMBER.fullmatch(part) for part in parts]
    fits = [whole(part) is not None or not is_integer(kind) for part, kind in zip(parts, kinds, strict=False)]
    if len(kinds) > 1 and len(parts) == len(kinds) and all(tokens) and all(fits):
        text = f"({', '.join(parts)})"
        raise reader.error(f"{_article(row)} {row.name} goes in brackets.", reader.pos, len(reader.text), text)


def _refuse_other_signs(reader: LiteralReader, row: TypeRow) -> None:
    """Say how a number is written where its thousands or decimals have the signs of another country.

    Raises:
        LiteralError: they have, with the number as it is written here.
    """
    start, text = reader.pos, reader.text
    comma = _COMMA.fullmatch(text, start) if row.name == "float" else None
    if comma is not None:
        is_clear = len(comma[2]) != THREE or len(comma[1].lstrip("+-")) > THREE  # 1,234 may mean either
        fix = f"{comma[1]}.{comma[2]}" if is_clear else None
        raise reader.error("Decimals follow a point.", start, len(text), fix)
    if (groups := _GROUPS_OF_THREE.fullmatch(text, start)) is not None:
        digits = "".join(sign for sign in groups[0] if sign.isdigit() or sign in "+-")
        raise reader.error("Nothing goes between the thousands of a number.", start, len(text), digits)


def _refuse_plain_word(reader: LiteralReader, row: TypeRow) -> None:
    """Say how numbers are written where a word stands that means nothing, or what only begins as a number.

    Raises:
        LiteralError: there is such a word.
    """
    if (numberlike := _not_a_number(reader)) is not None:
        raise _not_such(reader, row, numberlike)
    found = _WORD.match(reader.text, reader.pos)
    if found is None or FLOAT_WORD.match(reader.text, reader.pos) is not None:
        return
    word, dialect = found[0], reader.dialect
    means_something = word in _WORDS or word in _MEANT or word in _FILES or is_known(word) or word in dialect.by_name
    if not means_something and nearest(word, dialect) is None and reader.text[found.end() : found.end() + 1] != "(":
        raise _not_such(reader, row, found)


def _not_a_number(reader: LiteralReader) -> re.Match[str] | None:
    """What begins here as a number does, and is none."""
    found = _NUMBERLIKE.match(reader.text, reader.pos)
    return found if found is not None and NUMBER.match(reader.text, reader.pos) is None else None


def _not_such(reader: LiteralReader, row: TypeRow, found: re.Match[str]) -> LiteralError:
    """A text that is no value of a type of a few numbers."""
    such = _example(row)
    words = f"{_article(row).lower()} {row.name}{f', such as {such}' if such else ''}"
    return reader.error(f"{shown(found[0])} is not {words}.", found.start(), found.end())


def _article(row: TypeRow) -> str:
    return "An" if row.name.startswith(_VOWELS) else "A"


def _wanted(row: TypeRow) -> str:
    """A value of a type in words, with an example where that is short."""
    such = _example(row)
    return f"{_article(row)} {row.name}, such as {such}," if such else f"{_article(row)} {row.name}"


def _example(row: TypeRow) -> str:
    """How a short value is written, or one of a few numbers; empty for one of many."""
    count = len(row.wide)
    if row.name in COLLECTIONS:
        return COLLECTIONS[row.name]
    if row.kind is Kind.STRING:
        return '"text"'
    if row.kind is Kind.PACKED_STRINGS:
        return '["a", "b"]'
    if row.kind in PACKED:
        return "[1, 2]" if count == 1 else f"[({', '.join(map(str, range(1, count + 1)))})]"
    if row.name == "Color":
        return "(1, 0.5, 0, 1) or #ff8000"
    if count == 1:
        return {"int": "12", "float": "1.5", "bool": "true"}.get(row.name, "")
    return f"({', '.join(map(str, range(1, count + 1)))})" if 1 < count <= FEW else ""


def _in_quotes(text: str) -> str:
    escaped = text.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
