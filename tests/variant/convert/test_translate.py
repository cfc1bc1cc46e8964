"""Translations: a value of one engine line in another one, and what is said to be lost."""

from __future__ import annotations

from typing import Any

import corpus
import pytest
from variant.corpus_values import same
from variant.small_values import DEEP, golden, nested, written_and_read

from viewer.base.record import replace
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.translate import translate
from viewer.variant.dialect import Dialect, Precision, available, load, load_text_values
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, ElementType, NodePath, ObjectFull, Signal, Value

GODOT2, GODOT3, GODOT4, PANDEMONIUM5 = map(load, ("godot2", "godot3", "godot4", "pandemonium5"))
F32 = 0.10000000149011612


def plain(value: Value) -> Value:
    """The value without the marks that no conversion speaks of: Godot 2's shared bit, Pandemonium's array of Nil."""
    data = value.data
    if isinstance(data, Array):
        held = None if data.element_type == ElementType(builtin=0) else data.element_type
        name = "Array" if held is None and value.type.endswith("TypedArray") else value.type
        return Value(name, Array(tuple(map(plain, data.elements)), held))
    if isinstance(data, Dictionary):
        pairs = tuple((plain(key), plain(inner)) for key, inner in data.pairs)
        return Value(value.type, replace(data, pairs=pairs, shared=False))
    if isinstance(data, ObjectFull):
        return Value(value.type, replace(data, properties=tuple((name, plain(v)) for name, v in data.properties)))
    return value


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_each_comes_back_from_every_engine_line_where_no_loss_is_said(engine: corpus.Engine) -> None:
    dialect, precision = load(engine.dialect), Precision(engine.precision)
    for value in corpus.spread(golden(engine), 2, engine.folder):
        for other in available():
            if other is dialect:
                continue
            try:
                there = translate(value, dialect, other)
                back = translate(there.value, other, dialect, precision)
            except ConvertError:
                continue
            assert same(written_and_read(there.value, other, Precision.SINGLE), there.value), (value, other)
            if not there.losses and not back.losses:
                assert same(plain(back.value), plain(value)), (value, other)


@pytest.mark.parametrize(
    ("source", "before", "target", "after", "losses"),
    [
        (GODOT3, Value("PoolByteArray", b"ab"), GODOT4, Value("PackedByteArray", b"ab"), ()),
        (GODOT3, Value("Transform", (1.0,) * 12), GODOT4, Value("Transform3D", (1.0,) * 12), ()),
        (GODOT3, Value("Quat", (0.0, 0.0, 0.0, 1.0)), GODOT4, Value("Quaternion", (0.0, 0.0, 0.0, 1.0)), ()),
        (GODOT4, Value("Vector2i", (1, 2)), GODOT3, Value("Vector2", (1.0, 2.0)), ("A Vector2i becomes a Vector2",)),
        (GODOT4, Value("StringName", "a"), GODOT3, Value("String", "a"), ("A StringName becomes a String",)),
        (
            GODOT4,
            Value("PackedInt64Array", (2**40,)),
            GODOT3,
            Value("Array", Array((Value("int", 2**40),))),
            ("A PackedInt64Array becomes an Array",),
        ),
        (GODOT4, Value("Signal", Signal("a", 5)), GODOT3, Value("Nil"), ("A Signal becomes Nil",)),
        (GODOT4, Value("RID", 7), GODOT3, Value("RID"), ("The id 7 of an RID is lost",)),
        (GODOT3, Value("float", 0.1), GODOT2, Value("float", F32), ("0.1 is rounded to 0.10000000149011612",)),
        (GODOT3, Value("int", 2**40), GODOT2, Value("float", 2.0**40), ("An int becomes a float",)),
        (
            GODOT4,
            Value("NodePath", NodePath(("A",), ("position", "x"))),
            GODOT2,
            Value("NodePath", NodePath(("A",), ("position",), False, "x")),
            (),
        ),
        (
            GODOT4,
            Value("Array", Array((Value("int", 1),), ElementType(builtin=2))),
            GODOT3,
            Value("Array", Array((Value("int", 1),))),
            ("The array no longer says that it holds int",),
        ),
        (
            GODOT4,
            Value("Array", Array((Value("Vector2", (1.0, 2.0)),), ElementType(builtin=5))),
            PANDEMONIUM5,
            Value("TypedArray", Array((Value("Vector2", (1.0, 2.0)),), ElementType(builtin=7))),
            (),
        ),
        (
            PANDEMONIUM5,
            Value("TypedArray", Array((), ElementType(builtin=23, as_ids=True))),
            GODOT4,
            Value("Array", Array((), ElementType(class_name="EncodedObjectAsID"))),
            (),
        ),
    ],
    ids=lambda part: repr(part) if isinstance(part, Dialect) else part.type if isinstance(part, Value) else None,
)  # fmt: skip
def test_translations(source: Dialect, before: Value, target: Dialect, after: Value, losses: Any) -> None:
    found = translate(before, source, target)

    assert found.losses == losses
    assert same(found.value, after)


def test_a_text_that_the_other_engine_refuses_is_cleaned_with_a_word() -> None:
    found = translate(Value("String", "a\ud800"), GODOT3, GODOT4)

    assert found.value == Value("String", "a\ufffd")
    assert found.losses == ("“a\\U00d800” becomes “a\ufffd”",)


def test_what_is_inside_a_collection_is_counted() -> None:
    value = Value("Array", Array(tuple(Value("Vector2i", (k, k)) for k in range(3))))

    assert translate(value, GODOT4, GODOT3).losses == ("3 values change from Vector2i to Vector2",)


def test_a_broken_value_inside_is_refused() -> None:
    with pytest.raises(ConvertError, match="broken"):
        translate(Value("Array", Array((Value("int", None),))), GODOT4, GODOT3)


def test_nesting_of_any_depth_is_translated() -> None:
    found = translate(nested(DEEP), GODOT3, GODOT4)

    assert len(encode(found.value, GODOT4)) == 8 * (DEEP + 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("PackedInt32Array(1, 2)", "[1.0, 2.0]"),
        ("PackedByteArray(0, 255)", "[0.0, 255.0]"),
        ("PackedFloat32Array(1.5)", "[1.5]"),
        ('PackedStringArray("a", "b")', '["a", "b"]'),
        ("Vector2(1, 2)", '"Vector2(1, 2)"'),
        ('{"at": Color(1, 0, 0, 1)}', '{"at": "Color(1, 0, 0, 1)"}'),
        ('NodePath("a/b")', '"NodePath(\\"a/b\\")"'),
    ],
)
def test_what_json_has_not_becomes_numbers_and_texts_there(before: str, after: str) -> None:
    json = load_text_values("json")
    found = translate(parse_literal(before, GODOT4), GODOT4, json, Precision.SINGLE)
    assert format_literal(found.value, json) == after
    assert found.losses
