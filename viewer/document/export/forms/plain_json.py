"""Plain JSON: what programs without Variants read and write, and what is lost on the way there.

Like the engines' ``JSON.stringify``: objects for dictionaries, lists for arrays, texts for what JSON has no word for.
Where that would write the words of ``str()``, which nothing reads, there stand here the value's literal, which
``str_to_var`` reads, and for every packed array the list of its elements. An infinity is 1e99999, a NaN is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, cast

from viewer.base.record import dataclass, field
from viewer.container.armor.byte_text import FormError
from viewer.document.export.deep_json import JsonError, dumps, loads
from viewer.variant.dialect import PACKED, Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.numbers import component_text, float_text, forms
from viewer.variant.literal.printing import format_literal
from viewer.variant.native.json_reader import FaultError, number_of
from viewer.variant.native.json_writer import is_plain
from viewer.variant.value import Array, Dictionary, NodePath, Value

INFINITY = "1e99999"
Piece: TypeAlias = "str | Value"
ODD_TEXT = "the odd bytes of a text"
NO_NAN = "a NaN (written null)"
ODD_KEY = "the types of keys (written as texts)"
EQUAL_KEY = "a value (its key occurs twice, readers take the last)"
ELEMENTS = "the types of typed collections"
SHARED_BIT = "the shared bit of a collection"


def write_plain_json(value: Value, dialect: Dialect, precision: Precision) -> tuple[str, tuple[str, ...]]:
    """The JSON of a value on one line, and what it does not tell, in a few words each."""
    writer = _Writer(dialect, precision)
    out: list[str] = []
    stack = [writer.pieces(value)]
    while stack:
        piece = next(stack[-1], None)
        if piece is None:
            stack.pop()
        elif isinstance(piece, Value):
            stack.append(writer.pieces(piece))
        else:
            out.append(piece)
    return "".join(out), tuple(writer.lost)


@dataclass(frozen=True, slots=True)
class _Writer:
    """The pieces of one value's JSON, and what was lost so far (a dict for its order)."""

    dialect: Dialect
    precision: Precision
    lost: dict[str, None] = field(default_factory=dict)

    def lose(self, what: str) -> None:
        self.lost[what] = None

    def pieces(self, value: Value) -> Iterator[Piece]:
        data = value.data
        row = self.dialect.by_name[value.type]
        if isinstance(data, Array):
            return self.array(row, data)
        if isinstance(data, Dictionary):
            return self.dictionary(data)
        if row.kind in PACKED:
            return self.packed(row, data)
        return iter((self.scalar(row, value),))

    def scalar(self, row: TypeRow, value: Value) -> str:
        data = value.data
        if row.name == "Nil":
            return "null"
        if isinstance(data, bool):
            return "true" if data else "false"
        if row.name == "int":
            return str(data)
        if row.name == "float":
            return self.number(cast(float, data), float_text(cast(float, data), forms(row, self.precision)[0]))
        if row.name == "String":
            return self.text(cast(str, data))
        self.lose(f"the type {row.name} (written as a text)")
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, NodePath):
            return self.text(data.text)
        return dumps(format_literal(value, self.dialect, precision=self.precision))

    def number(self, number: float, text: str) -> str:
        if number != number:
            self.lose(NO_NAN)
            return "null"
        return text if abs(number) != float("inf") else INFINITY if number > 0 else f"-{INFINITY}"

    def text(self, text: str) -> str:
        if not is_plain(text):
            self.lose(ODD_TEXT)
        return dumps(str(text))

    def array(self, row: TypeRow, array: Array) -> Iterator[Piece]:
        self.lose_marks(array.element_type is not None, array.shared)
        if row.kind is not Kind.ARRAY:
            self.lose(f"the type {row.name} (written as a list)")
        yield "["
        for k, element in enumerate(array.elements):
            yield "," if k else ""
            yield element
        yield "]"

    def dictionary(self, table: Dictionary) -> Iterator[Piece]:
        self.lose_marks(table.key_type is not None or table.value_type is not None, table.shared)
        seen: set[str] = set()
        yield "{"
        for k, (key, value) in enumerate(table.pairs):
            name = self.key(key)
            if name in seen:
                self.lose(EQUAL_KEY)
            seen.add(name)
            yield f"{',' if k else ''}{name}:"
            yield value
        yield "}"

    def key(self, key: Value) -> str:
        if key.type == "String":
            return self.text(cast(str, key.data))
        self.lose(ODD_KEY)
        if isinstance(key.data, str):
            return self.text(key.data)
        return dumps(format_literal(key, self.dialect, precision=self.precision))

    def packed(self, row: TypeRow, data: object) -> Iterator[Piece]:
        self.lose(f"the type {row.name} (written as a list)")
        if row.kind is Kind.PACKED_STRINGS:
            yield f"[{','.join(map(self.text, cast('tuple[str, ...]', data)))}]"
            return
        if isinstance(data, bytes):
            yield f"[{','.join(map(str, data))}]"
            return
        kinds = forms(row, self.precision)
        if len(kinds) == 1:
            yield f"[{','.join(self.component(number, kinds[0]) for number in cast('tuple[float, ...]', data))}]"
            return
        groups = cast("tuple[tuple[float, ...], ...]", data)
        inner = (",".join(map(self.component, group, kinds)) for group in groups)
        yield f"[{','.join(f'[{numbers}]' for numbers in inner)}]"

    def component(self, number: float, form: str) -> str:
        return self.number(number, component_text(number, form))

    def lose_marks(self, typed: bool, shared: bool) -> None:
        if typed:
            self.lose(ELEMENTS)
        if shared:
            self.lose(SHARED_BIT)


def read_plain_json(text: str, dialect: Dialect) -> Value:
    """The value of a JSON text; every text in it is a String, whatever it begins with.

    Raises:
        FormError: it is no JSON, or a number does not fit the dialect.
    """
    return plain_value(read_json(text), dialect)


def read_json(text: str) -> object:
    """The structure of a JSON text.

    Raises:
        FormError: it is no JSON.
    """
    try:
        return loads(text)
    except JsonError as error:
        raise FormError(str(error), error_position(text, str(error))) from None


def error_position(text: str, sentence: str) -> int:
    """Where a sentence that ends with line and column points to, in characters."""
    words = sentence.rstrip(".").replace(",", "").split()
    line, column = int(words[-3]), int(words[-1])
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at + column - 1


@dataclass(slots=True)
class _Open:
    """A list or object whose parts are being read."""

    keys: list[str] | None
    nodes: list[object]
    values: list[Value] = field(default_factory=list)

    def finish(self) -> Value:
        if self.keys is None:
            return Value("Array", Array(tuple(self.values)))
        names = (Value("String", key) for key in self.keys)
        return Value("Dictionary", Dictionary(tuple(zip(names, self.values, strict=True))))

    @property
    def place(self) -> str:
        at = len(self.values)
        return f"[{at}]" if self.keys is None else f".{self.keys[at]}"


def plain_value(node: object, dialect: Dialect) -> Value:
    """The value of a JSON structure.

    Raises:
        FormError: a number does not fit the dialect.
    """
    stack: list[_Open] = []
    while True:
        if isinstance(node, list):
            stack.append(_Open(None, node))
        elif isinstance(node, dict):
            stack.append(_Open(list(node), list(node.values())))
        else:
            done = _leaf(node, dialect, stack)
            if not stack:
                return done
            stack[-1].values.append(done)
        while len(stack[-1].values) == len(stack[-1].nodes):
            done = stack.pop().finish()
            if not stack:
                return done
            stack[-1].values.append(done)
        node = stack[-1].nodes[len(stack[-1].values)]


def _leaf(node: object, dialect: Dialect, stack: list[_Open]) -> Value:
    if node is None:
        return Value("Nil")
    if isinstance(node, bool):
        return Value("bool", node)
    if isinstance(node, str):
        return Value("String", node)
    name = "int" if isinstance(node, int) else "float"
    try:
        return Value(name, number_of(node, forms(dialect.by_name[name], Precision.SINGLE)[0], ""))
    except FaultError as fault:
        path = "".join(opened.place for opened in stack)
        raise FormError(f"At ${path[:200]}: {fault}") from None
