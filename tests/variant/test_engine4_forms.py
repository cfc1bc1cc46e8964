"""Random nested values: our bytes, our text and our JSON mean to Godot 4.6 what they mean to us, and its own to us."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from engine4 import Answer, Godot, Request

from viewer.document.export.deep_json import dumps, loads
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow, load
from viewer.variant.encode import encode
from viewer.variant.items import Role
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.native import from_native, to_native
from viewer.variant.scan import scan
from viewer.variant.value import Array, Data, Dictionary, ElementType, NodePath, Signal, Value

pytestmark = pytest.mark.engine4

GODOT4 = load("godot4")
SEEDS = range(12)
AT_ONCE = 25
"""Values of one seed."""
DEPTH = 4
SIGNS = "abcXYZ 019_-/.,:;'\"\\\t\n\r{}[]()&^äßÖ漢字😀\u200b\u2028\u00ad\u0001\u007f\u0085\ufdd0\U0010ffff"
PATH_SIGNS = "abc 01äß漢😀.%@"
COLLECTIONS = frozenset({Kind.ARRAY, Kind.DICTIONARY})
ELEMENTS = tuple(row.name for row in GODOT4.rows if row.name not in ("Nil", "Object", "Callable", "Signal", "RID"))
"""What typed collections of the random values hold."""


class Dice:
    """Random values of Godot 4, of every type but objects, that every form of the engine holds.

    A text of the engine has 15 digits at most that count: of longer ones it reads the last digits wrong.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def value(self, depth: int = DEPTH) -> Value:
        rows = [row for row in GODOT4.rows if row.name != "Object" and (depth or row.kind not in COLLECTIONS)]
        return self._of(self._random.choice(rows), depth)

    def _of(self, row: TypeRow, depth: int) -> Value:
        return Value(row.name, self._makers[row.kind](self, row, depth))

    def _named(self, name: str, depth: int) -> Value:
        return self._of(GODOT4.by_name[name], depth)

    def _number(self, form: str) -> int | float:
        if form == "bool":
            return self._random.random() < 0.5
        if form[0] == "f":
            return self._real(single=form == "f32")
        bits, low = int(form[1:]), 0 if form[0] == "u" else -1
        size = self._random.choice((3, 8, 31, bits - 1))
        number = self._random.getrandbits(min(size, bits - 1))
        return -number if low and self._random.random() < 0.5 else number

    def _real(self, single: bool) -> float:
        digits = 6 if single else 15
        number = self._random.choice((0.0, 1.0, 0.5, -2.25, 1e10, float("inf"), float("-inf")))
        if self._random.random() < 0.7:
            number = float(f"{self._random.uniform(-1000, 1000):.{digits}g}")
        return struct.unpack("<f", struct.pack("<f", number))[0] if single else number

    def _text(self, signs: str = SIGNS) -> str:
        return "".join(self._random.choices(signs, k=self._random.randrange(9)))

    def _fixed(self, row: TypeRow, depth: int) -> Data:
        if row.name == "RID" or not row.narrow:
            return 0 if row.narrow else None
        if row.name == "int":
            return self._number("i64")
        if row.name == "float":
            return self._real(single=False)
        numbers = tuple(self._number(field.type) for field in row.narrow)
        return numbers if len(numbers) > 1 else numbers[0]

    def _path(self, row: TypeRow, depth: int) -> Data:
        names, subnames = ([name for _ in range(3) if (name := self._text(PATH_SIGNS))] for _ in range(2))
        absolute = self._random.random() < 0.5 and bool(names)
        return NodePath(tuple(names), tuple(subnames if names else ()), absolute)

    def _array(self, row: TypeRow, depth: int) -> Data:
        inside = max(0, depth - 1)
        count = self._random.randrange(5)
        if self._random.random() < 0.4:
            return Array(tuple(self.value(inside) for _ in range(count)))
        name = self._element(inside)
        elements = tuple(self._named(name, inside) for _ in range(count))
        return Array(elements, ElementType(builtin=GODOT4.type_number(name)))

    def _element(self, depth: int) -> str:
        return self._random.choice([name for name in ELEMENTS if depth or GODOT4.by_name[name].kind not in COLLECTIONS])

    def _dictionary(self, row: TypeRow, depth: int) -> Data:
        inside, count = max(0, depth - 1), self._random.randrange(5)
        key_name, value_name = (
            self._element(0) if self._random.random() < 0.4 else None,
            self._element(inside) if self._random.random() < 0.4 else None,
        )
        pairs: dict[str, tuple[Value, Value]] = {}
        for _ in range(count):
            key = self._named(key_name, 0) if key_name else self.value(0)
            value = self._named(value_name, inside) if value_name else self.value(inside)
            pairs[str(key.data)] = (key, value)  # the engine takes "a" and &"a" for one key
        types = (ElementType(builtin=GODOT4.type_number(name)) if name else None for name in (key_name, value_name))
        return Dictionary(tuple(pairs.values()), *types)

    def _packed(self, row: TypeRow, depth: int) -> Data:
        count = self._random.randrange(5)
        if row.narrow[0].type == "u8":
            return self._random.randbytes(count)
        groups = tuple(tuple(self._number(field.type) for field in row.narrow) for _ in range(count))
        return tuple(number for (number,) in groups) if len(row.narrow) == 1 else groups

    _makers: ClassVar[dict[Kind, Callable[[Dice, TypeRow, int], Any]]] = {
        Kind.FIXED: _fixed,
        Kind.STRING: lambda self, row, depth: self._text(),
        Kind.NODE_PATH: _path,
        Kind.NULL_OBJECT: lambda self, row, depth: None,
        Kind.SIGNAL: lambda self, row, depth: Signal("", 0),
        Kind.ARRAY: _array,
        Kind.DICTIONARY: _dictionary,
        Kind.PACKED: _packed,
        Kind.PACKED_STRINGS: lambda self, row, depth: tuple(self._text() for _ in range(self._random.randrange(4))),
    }  # fmt: skip


def some_values(seed: int) -> list[Value]:
    dice = Dice(seed)
    return [dice.value() for _ in range(AT_ONCE)]


def filled(data: bytes) -> bytes:
    """Bytes that the engine wrote, with the fill of the names of node paths zero: it leaves that unwritten."""
    found, table = bytearray(data), scan(data, GODOT4)
    for node in range(len(table.start)):
        row = table.row(node)
        if row is not None and row.kind is Kind.NODE_PATH:
            for part in items.parts(table, node):
                if part.role is Role.PADDING:
                    found[part.span.start : part.span.end] = bytes(len(part.span))
    return bytes(found)


def written(answers: list[Answer]) -> list[bytes]:
    return [filled(answer.values[0].data) for answer in answers]


def test_the_random_values_are_of_every_type() -> None:
    def names(value: Value) -> set[str]:
        inside: tuple[Value, ...] = ()
        if isinstance(value.data, Array):
            inside = value.data.elements
        elif isinstance(value.data, Dictionary):
            inside = tuple(each for pair in value.data.pairs for each in pair)
        return {value.type}.union(*(names(each) for each in inside))

    found = set().union(*(names(value) for seed in SEEDS for value in some_values(seed)))
    assert {row.name for row in GODOT4.rows} - found == {"Object"}


@pytest.mark.parametrize("seed", SEEDS)
def test_our_bytes_are_what_the_engine_writes_for_what_it_reads_in_them(godot4: Godot, seed: int) -> None:
    ours = [encode(value, GODOT4) for value in some_values(seed)]
    answers = godot4.read([Request(raw, "bare", forms=True) for raw in ours])
    assert [answer.fault for answer in answers if "JSON" not in answer.fault and answer.fault] == []
    assert written(answers) == ours


@pytest.mark.parametrize("seed", SEEDS)
def test_our_text_becomes_our_bytes_in_the_engine(godot4: Godot, seed: int) -> None:
    values = some_values(seed)
    answers = godot4.texts(format_literal(value, GODOT4) for value in values)
    assert written(answers) == [encode(value, GODOT4) for value in values]


@pytest.mark.parametrize("seed", SEEDS)
def test_our_json_becomes_our_bytes_in_the_engine(godot4: Godot, seed: int) -> None:
    values = some_values(seed)
    answers = godot4.natives(dumps(to_native(value, GODOT4)) for value in values)
    assert written(answers) == [encode(value, GODOT4) for value in values]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engines_text_and_json_become_its_bytes_here(godot4: Godot, seed: int) -> None:
    answers = godot4.read([Request(encode(value, GODOT4), "bare", forms=True) for value in some_values(seed)])
    texts = [encode(parse_literal(answer.values[0].text, GODOT4), GODOT4) for answer in answers]
    natives = [encode(from_native(loads(answer.values[0].native), GODOT4), GODOT4) for answer in answers]
    assert texts == written(answers)
    assert natives == written(answers)


def test_what_json_has_no_number_for_reaches_the_engine(godot4: Godot) -> None:
    """Infinities and whole numbers that no double holds; a NaN among others becomes 0, which no form can help."""
    values = (
        Value("Vector3", (math.inf, -math.inf, 0.5)),
        Value("PackedFloat64Array", (math.inf, -math.inf)),
        Value("PackedInt64Array", (2**63 - 1, -(2**63), 2**53 + 1)),
        Value("float", math.inf),
        Value("int", -(2**63)),
        Value("String", "\x01\x0b\x1f\x7f"),
    )
    answers = godot4.natives(dumps(to_native(value, GODOT4)) for value in values)
    assert [answer.values[0].data for answer in answers] == [encode(value, GODOT4) for value in values]


def test_control_characters_reach_us(godot4: Godot) -> None:
    value = Value("String", "".join(map(chr, (*range(1, 33), 127))) + "\\v")
    (answer,) = godot4.read([Request(encode(value, GODOT4), "bare", forms=True)])
    assert from_native(loads(answer.values[0].native), GODOT4) == value
    assert parse_literal(answer.values[0].text, GODOT4) == value
