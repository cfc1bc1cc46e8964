"""Random values of every type of a dialect, for property tests."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from viewer.variant.dialect import Dialect, Field, Kind, TypeRow, input_event
from viewer.variant.literal.numbers import RANGES
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NodePath,
    ObjectFull,
    ObjectId,
    RawText,
    Signal,
    Value,
    float_from,
)

VALUES = st.data()
TEXTS = st.one_of(st.text(st.characters(), max_size=8), st.sampled_from(["", "a/b", "res://a.gd", "int", "i:5", "1"]))
RAW_TEXTS = st.binary(max_size=6).map(lambda raw: RawText(raw.decode(errors="replace"), raw))
WORDS = st.integers(0, 2**32 - 1)
IDS = st.integers(0, 2**64 - 1)
DEPTH = 3


def any_value(dialect: Dialect, *, text_only: bool = False, depth: int = DEPTH) -> st.SearchStrategy[Value]:
    """Values of any type; *text_only* leaves out what the engine's text cannot hold."""
    rows = dialect.rows if depth else [row for row in dialect.rows if row.kind is Kind.FIXED]
    return st.sampled_from(rows).flatmap(lambda row: _Values(dialect, text_only, depth).of(row))


class _Values:
    def __init__(self, dialect: Dialect, text_only: bool, depth: int) -> None:
        self.dialect = dialect
        self.text_only = text_only
        self.inner = any_value(dialect, text_only=text_only, depth=depth - 1) if depth else st.just(Value("Nil"))
        self.text = TEXTS if text_only else st.one_of(TEXTS, RAW_TEXTS)
        self.shared = st.just(False) if text_only or not dialect.rules.shared_bit else st.booleans()

    def of(self, row: TypeRow) -> st.SearchStrategy[Value]:
        return _STRATEGIES[row.kind](self, row).map(lambda data: Value(row.name, data))

    def fixed(self, row: TypeRow) -> st.SearchStrategy[Any]:
        if not row.narrow:
            return st.none()
        plain = [self.group(row.narrow), self.group(row.wide)]
        one = st.one_of(plain)
        return one if len(row.narrow) > 1 else one.map(lambda numbers: numbers[0])

    def group(self, fields: tuple[Field, ...]) -> st.SearchStrategy[Any]:
        return st.tuples(*(number(field.type) for field in fields))

    def packed(self, row: TypeRow) -> st.SearchStrategy[Any]:
        if row.narrow[0].type == "u8":
            return st.binary(max_size=6)
        if len(row.narrow) == 1:
            return st.lists(number(row.narrow[0].type), max_size=4).map(tuple)
        groups = st.one_of(self.group(row.narrow), self.group(row.wide))
        return st.lists(groups, max_size=3).map(tuple)

    def string(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return self.text

    def packed_strings(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return st.lists(self.text, max_size=3).map(tuple)

    def node_path(self, row: TypeRow) -> st.SearchStrategy[Any]:
        names = st.lists(self.text, max_size=3).map(tuple)
        prop = st.none() | self.text if self.dialect.rules.property_flag else st.none()
        return st.builds(NodePath, names, names, st.booleans(), prop)

    def object(self, row: TypeRow) -> st.SearchStrategy[Any]:
        properties = st.lists(st.tuples(self.text, self.inner), max_size=3).map(tuple)
        return st.one_of(st.none(), st.builds(ObjectId, IDS), st.builds(ObjectFull, self.text, properties))

    def nothing(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return st.none()

    def signal(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return st.builds(Signal, self.text, IDS)

    def element(self, allowed: bool) -> st.SearchStrategy[ElementType | None]:
        if not allowed:
            return st.none()
        numbers = st.integers(0, len(self.dialect.rows) + 2)
        builtin = st.builds(ElementType, builtin=numbers)
        named = st.builds(ElementType, class_name=self.text) | st.builds(ElementType, script=self.text)
        return st.none() | builtin | named

    def array(self, row: TypeRow) -> st.SearchStrategy[Any]:
        elements = st.lists(self.inner, max_size=4).map(tuple)
        return st.builds(Array, elements, self.element(self.dialect.rules.typed_arrays), self.shared)

    def typed_array(self, row: TypeRow) -> st.SearchStrategy[Any]:
        number_of_object = self.dialect.type_number("Object")
        builtin = st.integers(0, len(self.dialect.rows) + 2).filter(lambda number: number != number_of_object)
        of_class = st.builds(ElementType, st.just(number_of_object), self.text)
        of_ids = st.just(ElementType(number_of_object, as_ids=True))
        element = st.one_of(st.builds(ElementType, builtin), of_class, of_ids)
        return st.builds(Array, st.lists(self.inner, max_size=4).map(tuple), element)

    def dictionary(self, row: TypeRow) -> st.SearchStrategy[Any]:
        pairs = st.lists(st.tuples(self.inner, self.inner), max_size=3).map(tuple)
        element = self.element(self.dialect.rules.typed_dictionaries)
        return st.builds(Dictionary, pairs, element, element, self.shared)

    def image(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return st.builds(Image, st.integers(0, 30), WORDS, WORDS, WORDS, st.binary(max_size=4))

    def input_event(self, row: TypeRow) -> st.SearchStrategy[Any]:
        return st.integers(0, 12).flatmap(self._event)

    def _event(self, kind: int) -> st.SearchStrategy[InputEvent]:
        names = {field.name: number(field.type) for field in input_event(kind).fields}
        fields = st.fixed_dictionaries(names).map(lambda found: tuple(found.items()))
        return st.builds(InputEvent, st.just(kind), st.integers(-(2**31), 2**31 - 1), fields)


def number(form: str) -> st.SearchStrategy[int | float]:
    """Numbers of one field type, NaNs with odd bits among the floats."""
    if form == "bool":
        return st.booleans()
    if form in RANGES:
        low, high = RANGES[form]
        return st.integers(low, high)
    size, code = (4, "<f") if form == "f32" else (8, "<d")
    short = st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e10]) | st.sampled_from(["0.1", "1e-45", "16777216"]).map(float)
    packed = short.map(lambda number: struct.pack(code, number))
    return st.one_of(packed, st.binary(min_size=size, max_size=size)).map(float_from)


_STRATEGIES: dict[Kind, Callable[[_Values, TypeRow], st.SearchStrategy[Any]]] = {
    Kind.FIXED: _Values.fixed,
    Kind.STRING: _Values.string,
    Kind.NODE_PATH: _Values.node_path,
    Kind.OBJECT: _Values.object,
    Kind.NULL_OBJECT: _Values.nothing,
    Kind.SIGNAL: _Values.signal,
    Kind.DICTIONARY: _Values.dictionary,
    Kind.ARRAY: _Values.array,
    Kind.TYPED_ARRAY: _Values.typed_array,
    Kind.PACKED: _Values.packed,
    Kind.PACKED_STRINGS: _Values.packed_strings,
    Kind.IMAGE: _Values.image,
    Kind.INPUT_EVENT: _Values.input_event,
}
