"""Values as text, the way the engine itself writes them: ``Vector2(1, 2)``, ``{"a": 1}``.

:func:`format_literal` prints what ``var_to_str`` (``var2str``) prints, on one line and without inner blanks;
:func:`parse_literal` reads that and everything the engines write. What they have no text for has a form of its own:

=============================  =============================================================
an object's id                 ``EncodedObjectAsID(5)``
a null object                  ``Object()``
a signal                       ``Signal("name", 5)``
an RID's id                    ``RID(7)``
a path that its text would     ``NodePath(["a/b"], ["c"], true)``: names, sub-names, whether absolute, and in
split differently              Godot 2 the property
a class with an odd name       in quotes: ``Object("my class")``, ``Array["my class"]([])``
an element type's number that  ``Array[99]([])``
has no name
an input event's device        ``InputEvent(KEY,65,S,device=3)``; fields by name where theirs cannot hold them
=============================  =============================================================

Lost in text: the bits of a NaN, the shared bit of Godot 2, the raw bytes behind a
:class:`~viewer.variant.value.RawText`. JSON (:mod:`viewer.variant.native`) keeps them.

Values nest as deep as a file says: nothing here recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias, assert_never, cast

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.unseen import SIGNS, escape
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow, by_kind, image_formats, input_event
from viewer.variant.literal.names import (
    AS_IDS,
    REFERENCES,
    UNTYPED,
    builtin_name,
    is_broken,
    named_element,
    printed,
    split_path,
)
from viewer.variant.literal.numbers import component_text, float_text, forms
from viewer.variant.value import (
    Array,
    Data,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NodePath,
    ObjectFull,
    ObjectId,
    Reference,
    ReferenceKind,
    Signal,
    Value,
)

BROKEN = "?"
_CHUNK = 4096
_IDENTIFIER = late_pattern(r"[^\W\d]\w*")
_ESCAPED = late_pattern(rf'["\\{SIGNS}]')
FILES = frozenset(REFERENCES.values())
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f"}
_KEY_LETTERS = (("A", 1 << 26), ("S", 1 << 25), ("C", 1 << 28), ("M", 1 << 27))
_EVENT_NAMES = {3: "MBUTTON", 4: "JAXIS", 5: "JBUTTON"}

Piece: TypeAlias = "str | Value"


def format_literal(
    value: Value, dialect: Dialect, *, limit: int | None = None, precision: Precision = Precision.SINGLE
) -> str:
    """The text of a value on one line, readable by :func:`parse_literal` and, where it has such a value, by the engine.

    A broken value, whose type or data is missing, prints as ``?``, which nothing reads.

    Args:
        limit: cut the text after this many characters and end it with ``…``; the work done is in proportion.
        precision: of the file; in a double-precision one components are printed as doubles.
    """
    out: list[str] = []
    length = 0
    for piece in literal_pieces(value, dialect, precision):
        out.append(piece)
        length += len(piece)
        if limit is not None and length > limit:
            return "".join(out)[:limit] + "…"
    return "".join(out)


def literal_pieces(value: Value, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Iterator[str]:
    """The same text in pieces, of which none is long."""
    printer = _Printer(dialect, precision)
    stack = [printer.pieces(value)]
    while stack:
        piece = next(stack[-1], None)
        if piece is None:
            stack.pop()
        elif isinstance(piece, Value):
            stack.append(printer.pieces(piece))
        else:
            yield piece


def quoted(text: str) -> str:
    """A text in double quotes, its quotes, backslashes and all that cannot be seen escaped."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or escape(match[0])


def _quoted_pieces(text: str) -> Iterator[str]:
    yield '"'
    for start in range(0, len(text), _CHUNK):
        yield _ESCAPED.sub(_escape, text[start : start + _CHUNK])
    yield '"'


def _joined_bytes(data: bytes) -> Iterator[str]:
    for start in range(0, len(data), _CHUNK):
        yield ", ".join(map(str, data[start : start + _CHUNK]))


def _listed(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces with a comma and a blank between them."""
    comma = ""
    for piece in pieces:
        yield comma + piece
        comma = ", "


@dataclass(frozen=True, slots=True)
class _Printer:
    """The pieces of one value's text: strings, and the values inside it, which the caller prints in their place."""

    dialect: Dialect
    precision: Precision

    def pieces(self, value: Value) -> Iterator[Piece]:
        row = self.dialect.by_name.get(value.type)
        if row is None or is_broken(row, value.data):
            return iter(BROKEN)
        return _PRINTERS[row.kind](self, row, value.data)

    def fixed(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        kinds = forms(row, self.precision)
        if len(kinds) > 1:
            numbers = cast("tuple[float, ...]", data)
            texts = (component_text(number, form) for number, form in zip(numbers, kinds, strict=False))
            yield f"{printed(row)}({', '.join(texts)})"
        elif data is None:
            yield "null" if row.name == "Nil" else f"{row.name}()"
        elif isinstance(data, bool):
            yield "true" if data else "false"
        elif row.name == "float":
            yield float_text(cast(float, data), kinds[0])
        else:
            yield str(data) if row.name == "int" else f"{row.name}({cast(int, data) or ''})"

    def string(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        if row.name in FILES:
            name = cast(str, data)
            is_number = name.isdecimal() and row.name != "Resource" and self.dialect.rules.literals != "godot4"
            yield f"{row.name}({name if is_number else quoted(name)})"
            return
        if row.name != "String":
            yield "&" if self.dialect.rules.literals == "godot4" else "@"
        yield from _quoted_pieces(cast(str, data))

    def node_path(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        path = cast(NodePath, data)
        yield f"{row.name}("
        if split_path(path.text, self.dialect) == path:
            yield from _quoted_pieces(path.text)
        else:
            yield from chain("[", _listed(map(quoted, path.names)), "], [", _listed(map(quoted, path.subnames)))
            yield f"], {'true' if path.absolute else 'false'}"
            yield "" if path.prop is None else f", {quoted(path.prop)}"
        yield ")"

    def object(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        if isinstance(data, ObjectId):
            yield f"{AS_IDS}({data.id})"
        elif isinstance(data, ObjectFull):
            yield f"{row.name}({_class_text(data.class_name)}"
            for name, value in data.properties:
                yield f",{quoted(name)}:"
                yield value
            yield ")"
        else:
            yield f"{row.name}()"

    def reference(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        if data is None:
            yield "null"
            return
        found = cast(Reference, data)
        named = found.kind is ReferenceKind.PATH
        yield f"{REFERENCES[found.kind]}({quoted(found.path) if named else found.number})"

    def signal(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        signal = cast(Signal, data)
        known = signal.name or signal.object_id
        yield f"{row.name}({quoted(signal.name)}, {signal.object_id})" if known else f"{row.name}()"

    def array(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        array = cast(Array, data)
        if array.element_type is not None:
            yield f"{row.name}[{self.element(array.element_type)}]("
        comma = "["
        for element in array.elements:
            yield comma
            yield element
            comma = ", "
        yield "[]" if not array.elements else "]"
        if array.element_type is not None:
            yield ")"

    def typed_array(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        array = cast(Array, data)
        yield f"{row.name}({self.element(array.element_type)}"
        for element in array.elements:
            yield ", "
            yield element
        yield ")"

    def dictionary(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        table = cast(Dictionary, data)
        typed = table.key_type is not None or table.value_type is not None
        if typed:
            yield f"{row.name}[{self.element(table.key_type)}, {self.element(table.value_type)}]("
        comma = "{"
        for key, value in table.pairs:
            yield comma
            yield key
            yield ": "
            yield value
            comma = ", "
        yield "{}" if not table.pairs else "}"
        if typed:
            yield ")"

    def element(self, element: ElementType | None) -> str:
        """The name of an element type, in quotes where a bare one would read as something else."""
        if element is None:
            return UNTYPED
        if element.script is not None:
            return f"Resource({quoted(element.script)})"
        if element.as_ids:
            return AS_IDS
        if element.class_name is None:
            return builtin_name(element.builtin or 0, self.dialect)
        bare = element.class_name
        reads_back = _IDENTIFIER.fullmatch(bare) and named_element(bare, self.dialect) == element
        return bare if reads_back else quoted(bare)

    def packed(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        kinds = forms(row, self.precision)
        yield f"{printed(row)}("
        if isinstance(data, bytes):
            yield from _listed(_joined_bytes(data))
        elif len(kinds) == 1:
            numbers = cast("tuple[float, ...]", data)
            yield from _listed(component_text(number, kinds[0]) for number in numbers)
        else:
            rows = cast("tuple[tuple[float, ...], ...]", data)
            yield from _listed(
                component_text(number, form) for numbers in rows for number, form in zip(numbers, kinds, strict=False)
            )
        yield ")"

    def packed_strings(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        yield f"{row.name}("
        comma = ""
        for text in cast("tuple[str, ...]", data):
            yield comma
            yield from _quoted_pieces(text)
            comma = ", "
        yield ")"

    def image(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        image = cast(Image, data)
        yield f"{row.name}("
        if image != Image(0, 0, 0, 0, b""):
            names = image_formats()
            name = names[image.format] if image.format < len(names) else str(image.format)
            head = (str(image.width), str(image.height), str(image.mipmaps), name)
            yield from _listed(chain(head, map(str, image.data)))
        yield ")"

    def input_event(self, row: TypeRow, data: Data) -> Iterator[Piece]:
        event = cast(InputEvent, data)
        fields = dict(event.fields)
        known = input_event(event.type)
        name = known.name if _IDENTIFIER.fullmatch(known.name) else str(event.type)
        words = [_EVENT_NAMES.get(event.type, name)]
        mask = int(fields.get("modifiers", 0))
        if event.type == 1 and tuple(fields) == ("modifiers", "scancode") and not mask & ~_ALL_KEYS:
            letters = "".join(letter for letter, bit in _KEY_LETTERS if mask & bit)
            words += [str(fields["scancode"]), letters] if letters else [str(fields["scancode"])]
        elif tuple(fields) == tuple(field.name for field in known.fields) and event.type != 1:
            words += [component_text(fields[field.name], field.type) for field in known.fields]
        else:
            words += [f"{name}={number}" for name, number in event.fields]
        if event.device:
            words.append(f"device={event.device}")
        yield f"{row.name}({','.join(words)})"


def _class_text(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else quoted(name)


_ALL_KEYS = sum(bit for _, bit in _KEY_LETTERS)


def _printer(kind: Kind) -> Callable[[_Printer, TypeRow, Data], Iterator[Piece]]:
    match kind:
        case Kind.FIXED:
            return _Printer.fixed
        case Kind.STRING:
            return _Printer.string
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return _Printer.node_path
        case Kind.OBJECT | Kind.RESOURCE | Kind.NULL_OBJECT:
            return _Printer.object
        case Kind.REFERENCE:
            return _Printer.reference
        case Kind.SIGNAL:
            return _Printer.signal
        case Kind.DICTIONARY:
            return _Printer.dictionary
        case Kind.ARRAY:
            return _Printer.array
        case Kind.TYPED_ARRAY:
            return _Printer.typed_array
        case Kind.PACKED:
            return _Printer.packed
        case Kind.PACKED_STRINGS:
            return _Printer.packed_strings
        case Kind.IMAGE:
            return _Printer.image
        case Kind.INPUT_EVENT:
            return _Printer.input_event
        case _:
            assert_never(kind)


_PRINTERS = by_kind(_printer)
