"""Values as JSON in the form of the engine's ``JSON.from_native``, both ways."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variant.comparing import DATA, alike, ordered, vectors
from variant.corpus_values import DIALECTS, expected_value, same
from variant.random_values import VALUES, any_value

from viewer.document.export.deep_json import dumps, loads
from viewer.variant.dialect import Dialect, keys, load
from viewer.variant.literal.parse import parse_literal
from viewer.variant.native import NativeError, from_native, to_native
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NaN,
    NodePath,
    ObjectFull,
    ObjectId,
    RawText,
    Signal,
    Value,
)

GODOT2, GODOT3, GODOT4, PANDEMONIUM5 = load("godot2"), load("godot3"), load("godot4"), load("pandemonium5")
FOURTEEN_DIGITS = 1e-12
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["i:5", "f:x", "np:a::b", "sn:", "Vector2", "Array", "nan", "Object", "Image"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["type", "args", "props", "bits", "id", "elem_type", "text", "raw", "a"]), inner),
    max_leaves=12,
)  # fmt: skip


def native_lines() -> list[Any]:
    lines = (DATA / "godot4" / "native.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(vector, id=vector["id"]) for vector in map(json.loads, lines)]


def through_json(node: object) -> Any:
    return loads(dumps(node))


def near(a: Any, b: Any) -> bool:
    """Whether two JSON structures are the same but for digits of floats, and of whole numbers that no double holds."""
    if isinstance(a, str) and isinstance(b, int):
        return abs(b) > 2**53 and a == str(b)  # the engine writes a number, and reads another one
    if isinstance(a, str) and isinstance(b, str) and a[:2] == b[:2] == "f:":
        return math.isclose(float(a[2:]), float(b[2:]), rel_tol=FOURTEEN_DIGITS)
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(near(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    return type(a) is type(b) and bool(a == b)


@pytest.mark.parametrize("vector", native_lines())
def test_the_engines_own_json_reads_as_the_value_that_it_printed(vector: dict[str, Any]) -> None:
    value = ordered(from_native(json.loads(vector["native"]), GODOT4), GODOT4)
    assert alike(value, ordered(parse_literal(vector["text"], GODOT4), GODOT4), FOURTEEN_DIGITS)


@pytest.mark.parametrize("vector", native_lines())
def test_our_json_is_the_engines(vector: dict[str, Any]) -> None:
    native = json.loads(vector["native"])
    assert near(to_native(from_native(native, GODOT4), GODOT4), native)


@pytest.mark.parametrize("folder", DIALECTS)
def test_each_vector_comes_back_from_json(folder: str) -> None:
    dialect = load(DIALECTS[folder])
    for vector in vectors(folder):
        value = expected_value(vector, dialect)
        assert same(from_native(through_json(to_native(value, dialect)), dialect), value), vector["id"]


@pytest.mark.parametrize("key", keys())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=VALUES)
def test_any_value_comes_back_from_json(key: str, data: Any) -> None:
    dialect = load(key)
    value = data.draw(any_value(dialect))
    assert same(from_native(through_json(to_native(value, dialect)), dialect), value)


@pytest.mark.parametrize(
    ("dialect", "value", "node"),
    [
        (GODOT4, Value("Nil"), None),
        (GODOT4, Value("bool", True), True),
        (GODOT4, Value("int", 2**53 + 1), "i:9007199254740993"),
        (GODOT4, Value("float", 1 / 3), "f:0.3333333333333333"),
        (GODOT4, Value("float", -math.inf), "f:-inf"),
        (GODOT4, Value("float", NaN(bytes.fromhex("000000000000f87f"))), "f:nan"),
        (
            GODOT4,
            Value("float", NaN(bytes.fromhex("010000000000f07f"))),
            {"type": "float", "args": ["nan"], "bits": {"0": "7ff0000000000001"}},
        ),
        (
            GODOT4,
            Value("Vector2", (NaN(bytes.fromhex("0100807f")), math.inf)),
            {"type": "Vector2", "args": ["nan", math.inf], "bits": {"0": "7f800001"}},
        ),
        (
            GODOT4,
            Value("PackedInt64Array", (2**53, -(2**53) - 1)),
            {"type": "PackedInt64Array", "args": [2**53, "-9007199254740993"]},
        ),
        (GODOT4, Value("String", "a:b"), "s:a:b"),
        (GODOT4, Value("String", RawText("a", b"a\0")), {"type": "String", "text": "a", "raw": "6100"}),
        (GODOT3, Value("String", "\ud83d\ude00"), {"type": "String", "text": "\ud83d\ude00", "raw": "eda0bdedb880"}),
        (GODOT4, Value("StringName", "a"), "sn:a"),
        (GODOT4, Value("NodePath", NodePath(("a",), ("b",))), "np:a:b"),
        (
            GODOT4,
            Value("NodePath", NodePath(("a/b",))),
            {"type": "NodePath", "names": ["a/b"], "subnames": [], "absolute": False, "property": None},
        ),
        (
            GODOT4,
            Value("Basis", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)),
            {"type": "Basis", "args": [1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0]},
        ),
        (GODOT4, Value("RID", 7), {"type": "RID", "id": "7"}),
        (GODOT4, Value("RID", 0), {"type": "RID"}),
        (GODOT4, Value("Callable"), {"type": "Callable"}),
        (GODOT4, Value("Signal", Signal("s", 5)), {"type": "Signal", "name": "s", "id": "5"}),
        (GODOT4, Value("Object", ObjectId(5)), {"type": "Object", "id": "5"}),
        (GODOT4, Value("Object"), {"type": "Object"}),
        (GODOT4, Value("Object", ObjectFull("A", (("b", Value("int", 1)),))), {"type": "A", "props": ["b", "i:1"]}),
        (
            GODOT4,
            Value("Array", Array((Value("int", 1),), ElementType(builtin=2))),
            {"type": "Array", "elem_type": "int", "args": ["i:1"]},
        ),
        (GODOT2, Value("Array", Array((), None, True)), {"type": "Array", "shared": True, "args": []}),
        (
            PANDEMONIUM5,
            Value("TypedArray", Array((), ElementType(builtin=23, as_ids=True))),
            {
                "type": "TypedArray",
                "elem_type": {"builtin": 23, "class": None, "script": None, "ids": True},
                "args": [],
            },
        ),
        (GODOT4, Value("PackedVector2Array", ((1.0, 2.0),)), {"type": "PackedVector2Array", "args": [1.0, 2.0]}),
        (
            GODOT2,
            Value("Image", Image(0, 0, 3, 1, b"\1\2\3")),
            {"type": "Image", "format": 0, "mipmaps": 0, "width": 3, "height": 1, "data": "AQID"},
        ),
        (
            GODOT2,
            Value("InputEvent", InputEvent(3, -1, (("button_index", 2),))),
            {"type": "InputEvent", "event": 3, "device": -1, "names": ["button_index"], "args": [2]},
        ),
    ],
)
def test_a_value_has_this_json(dialect: Dialect, value: Value, node: object) -> None:
    assert to_native(value, dialect) == node
    assert same(from_native(node, dialect), value)


@pytest.mark.parametrize(
    ("node", "value"),
    [
        ("plain", Value("String", "plain")),
        ("http://a", Value("String", "http://a")),
        (5, Value("int", 5)),
        (5.0, Value("float", 5.0)),
        ([1], Value("Array", Array((Value("int", 1),)))),
        ({"a": None}, Value("Dictionary", Dictionary(((Value("String", "a"), Value("Nil")),)))),
        ({"type": "PoolIntArray", "args": [1.0]}, Value("PackedInt32Array", (1,))),
        ("f:10000000000.0", Value("float", 1e10)),
        ("f:0.0000000001", Value("float", 1e-10)),
    ],
)
def test_plain_json_and_other_lines_names_are_read(node: object, value: Value) -> None:
    assert same(from_native(node, GODOT4), value)


@pytest.mark.parametrize(
    ("node", "path", "message"),
    [
        ({"type": "sword"}, "$", "At $: Godot 4 has no type “sword”."),
        ({"a": [{"type": "Vector2", "args": [1]}]}, "$.a[0].args", "Vector2 takes 2 numbers, not 1."),
        ({"type": "Vector2"}, "$", "The list “args” is missing."),
        ([{"type": "Vector2i", "args": [1, 0.5]}], "$[0].args[1]", "0.5 is not whole, but a 32-bit integer"),
        ({"type": "Vector2", "args": [1, "x"]}, "$.args[1]", "A number belongs here, not a text."),
        ({"type": "Dictionary", "args": ["s:a", "i:x"]}, "$.args[1]", "“x” is no int."),
        ("i:9223372036854775808", "$", "The number does not fit a 64-bit integer"),
        ({"type": "A", "props": ["a"]}, "$.props", "The last property has a name but no value."),
        ({"type": "Nil"}, "$", "Nil is written without its name."),
        ("np:a::b", "$", "A node path cannot have an empty name"),
        (10**400, "$", "The number does not fit"),
        ({"type": "Vector2", "args": [10**400, 0]}, "$.args[0]", "The number is too large for a float."),
        ({1: 2}, "$", "A key of a JSON object is a text."),
        (object(), "$", "object is not JSON."),
    ],
)
def test_an_error_says_where_and_what(node: object, path: str, message: str) -> None:
    with pytest.raises(NativeError) as caught:
        from_native(node, GODOT4)
    assert caught.value.path == path
    assert message in str(caught.value)


@pytest.mark.parametrize("key", keys())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(node=ANY_JSON)
def test_any_json_is_a_value_or_one_error(key: str, node: object) -> None:
    dialect = load(key)
    try:
        value = from_native(node, dialect)
    except NativeError:
        return
    assert same(from_native(to_native(value, dialect), dialect), value)


def test_a_broken_value_is_marked_and_not_read_back() -> None:
    node = to_native(Value("Array", Array((Value("Vector2"), Value("")))), GODOT4)
    assert node == [{"type": "Vector2", "broken": True}, {"type": "", "broken": True}]
    with pytest.raises(NativeError):
        from_native(node, GODOT4)


def test_thirty_thousand_levels_are_no_deeper_than_one() -> None:
    value = Value("Nil")
    for _ in range(30_000):
        value = Value("Dictionary", Dictionary(((Value("int", 1), Value("Array", Array((value,)))),)))
    node = to_native(value, GODOT4)
    assert same(from_native(node, GODOT4), value)
    while isinstance(node, list | dict):  # taken apart by hand: Python's own way down may recurse
        node = node["args"][1] if isinstance(node, dict) else node[0]
