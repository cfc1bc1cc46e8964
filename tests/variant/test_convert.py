"""Conversions: what a value becomes in another type or engine line, and what is said to be lost."""

from __future__ import annotations

import corpus
import pytest
from variant.corpus_values import same
from variant.small_values import DEEP, golden, nested, written_and_read

from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.defaults import default
from viewer.variant.convert.retype import convert, targets
from viewer.variant.dialect import Dialect, Precision, available, load
from viewer.variant.encode import encode
from viewer.variant.value import Array, ElementType, NaN, NodePath, RawText, Value

GODOT2, GODOT3, GODOT4, PANDEMONIUM5 = map(load, ("godot2", "godot3", "godot4", "pandemonium5"))
CUT = "2 of 3 numbers are cut to whole ones"
F32 = 0.10000000149011612
SAID = ("bool", "int", "float", "Color")
"""Types that a text may say."""


def bare(value: Value) -> Value:
    """An array without what it says that it holds; a test of its own asks for the words about that."""
    data = value.data
    return Value("Array", Array(data.elements)) if isinstance(data, Array) else value


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
class TestGoldenValues:
    def test_each_comes_back_from_every_type_where_no_loss_is_said(self, engine: corpus.Engine) -> None:
        dialect, precision = load(engine.dialect), Precision(engine.precision)
        tried = 0
        for value in golden(engine):
            for row in dialect.rows:
                try:
                    there = convert(value, row.name, dialect, precision)
                    back = convert(there.value, value.type, dialect, precision)
                except ConvertError:
                    continue
                is_new = value.type in ("Nil", row.name)
                if is_new or there.losses or back.losses:
                    continue
                tried += 1
                if row.name in SAID and value.type in ("String", "StringName"):  # a number is written in many ways
                    assert same(convert(back.value, row.name, dialect, precision).value, there.value), value
                else:
                    assert same(bare(back.value), bare(value)), (value, row.name)
        assert tried > 100

    def test_what_each_becomes_can_be_written_and_is_read_the_same(self, engine: corpus.Engine) -> None:
        dialect, precision = load(engine.dialect), Precision(engine.precision)
        for value in golden(engine):
            for name in targets(value, dialect):
                try:
                    there = convert(value, name, dialect, precision).value
                except ConvertError:
                    continue
                assert same(written_and_read(there, dialect, precision), there), (value, name)

    def test_every_type_that_is_offered_can_be_converted_to(self, engine: corpus.Engine) -> None:
        dialect = load(engine.dialect)
        for value in golden(engine):
            for name in targets(value, dialect):
                assert convert(value, name, dialect).value.type == name


@pytest.mark.parametrize("dialect", available(), ids=lambda dialect: dialect.key)
class TestDefaults:
    def test_every_type_has_one_that_is_written_and_read_the_same(self, dialect: Dialect) -> None:
        for row in dialect.rows:
            value = default(row.name, dialect)
            assert same(written_and_read(value, dialect, Precision.SINGLE), value), row.name

    def test_nil_becomes_the_default_of_every_type(self, dialect: Dialect) -> None:
        for row in dialect.rows:
            assert convert(Value("Nil"), row.name, dialect).value == default(row.name, dialect)
            assert not convert(Value("Nil"), row.name, dialect).losses


def test_defaults_are_those_of_the_engine() -> None:
    found = {}
    for row in corpus.vectors("godot3"):
        name, _, which = row["id"].partition("/")
        if which == "default":
            found[name] = corpus.vector_bytes(row)
    assert "Color" in found
    for name, raw in found.items():
        assert encode(default(name, GODOT3), GODOT3) == raw, name


def test_a_type_that_the_dialect_lacks_is_refused() -> None:
    with pytest.raises(ConvertError, match=r"Godot 3 has no type Vector2i\."):
        convert(Value("Nil"), "Vector2i", GODOT3)


@pytest.mark.parametrize(
    ("before", "after", "losses"),
    [
        (Value("bool", True), Value("int", 1), ()),
        (Value("int", 5), Value("float", 5.0), ()),
        (Value("int", 5), Value("bool", True), ("5 becomes true",)),
        (Value("int", 2**53 + 1), Value("float", 2.0**53), ("9007199254740993 is rounded to 9007199254740992.0",)),
        (Value("float", 0.5), Value("int", 0), ("0.5 becomes 0",)),
        (Value("float", -1.75), Value("int", -1), ("-1.75 becomes -1",)),
        (Value("float", -0.0), Value("int", 0), ("-0.0 becomes 0",)),
        (Value("int", -7), Value("String", "-7"), ()),
        (Value("float", 0.1), Value("String", "0.1"), ()),
        (Value("bool", False), Value("String", "false"), ()),
        (Value("String", "42"), Value("int", 42), ()),
        (Value("String", " 0x10 "), Value("int", 16), ()),
        (Value("String", "5.75"), Value("int", 5), ("“5.75” becomes 5",)),
        (Value("String", "0.1"), Value("float", 0.1), ()),
        (Value("String", "1e3"), Value("float", 1000.0), ()),
        (Value("String", "0.10000000000000000001"), Value("float", 0.1), ("“0.10000000000000000001” becomes 0.1",)),
        (Value("String", "true"), Value("bool", True), ()),
        (Value("String", "2"), Value("bool", True), ("“2” becomes true",)),
        (Value("String", "A/B:x"), Value("NodePath", NodePath(("A", "B"), ("x",))), ()),
        (Value("String", "A//B"), Value("NodePath", NodePath(("A", "B"))), ("“A//B” becomes “A/B”",)),
        (Value("NodePath", NodePath(("A",), (), True)), Value("String", "/A"), ()),
        (Value("String", "#ff8000"), Value("Color", (1.0, 0.501960813999176, 0.0, 1.0)), ()),
        (Value("Color", (1.0, 0.0, 0.0, 1.0)), Value("String", "#ff0000"), ()),
        (Value("Color", (0.25, 0.0, 0.0, 1.0)), Value("String", "#400000"), ("The colour is rounded to “#400000”",)),
        (Value("Color", (0.25, 1.5, 0.0, 1.0)), Value("PoolColorArray", ((0.25, 1.5, 0.0, 1.0),)), ()),
        (Value("Color", (0.25, 1.5, 0.0, 1.0)), Value("PoolRealArray", (0.25, 1.5, 0.0, 1.0)), ()),
        (Value("PoolColorArray", ((0.25, 1.5, 0.0, 1.0),)), Value("Color", (0.25, 1.5, 0.0, 1.0)), ()),
        (Value("String", "é"), Value("PoolByteArray", b"\xc3\xa9"), ()),
        (Value("PoolByteArray", b"\xc3\xa9"), Value("String", "é"), ()),
        (Value("PoolIntArray", (1, 2)), Value("PoolRealArray", (1.0, 2.0)), ()),
        (Value("PoolRealArray", (1.5, 2.5, 3.0)), Value("PoolIntArray", (1, 2, 3)), (CUT,)),
        (Value("PoolVector2Array", ((1.0, 2.0),)), Value("PoolRealArray", (1.0, 2.0)), ()),
        (Value("PoolRealArray", (1.0, 2.0)), Value("PoolVector2Array", ((1.0, 2.0),)), ()),
        (Value("int", 5), Value("Nil"), ("5 is lost",)),
        (Value("Array", Array((Value("int", 5),) * 3)), Value("Nil"), ("All 3 elements are lost",)),
        (Value("Array", Array((Value("int", 5),))), Value("PoolIntArray", (5,)), ()),
        (Value("Array", Array((Value("int", 5),))), Value("PoolRealArray", (5.0,)), ("An int becomes a float",)),
        (Value("Array", Array((Value("String", "a"),))), Value("PoolStringArray", ("a",)), ()),
        (Value("PoolByteArray", b"\1"), Value("Array", Array((Value("int", 1),))), ()),
    ],
    ids=lambda part: f"{part.type} {part.data}"[:60] if isinstance(part, Value) else None,
)  # fmt: skip
def test_conversions_of_godot_3(before: Value, after: Value, losses: tuple[str, ...]) -> None:
    found = convert(before, after.type, GODOT3)

    assert found.losses == losses
    assert same(found.value, after)


@pytest.mark.parametrize(
    ("value", "target", "sentence"),
    [
        (Value("String", "gold"), "int", "“gold” is not a number."),
        (Value("String", "1e999"), "float", "“1e999” is too large for a number."),
        (Value("String", "9" * 5000), "int", "is not a number."),
        (Value("float", 1e300), "int", "1e+300 does not fit a 64-bit integer"),
        (Value("float", float("nan")), "int", "nan cannot become a whole number."),
        (Value("String", "gold"), "bool", "“gold” is neither true nor false."),
        (Value("String", "a::b"), "NodePath", "A node path cannot have an empty name between two colons."),
        (Value("String", "#12345"), "Color", "“#12345” is not a colour; one is written like “#ff8800”."),
        (Value("PoolByteArray", b"\xff"), "String", "The bytes are not UTF-8: at byte 0, no character begins with it."),
        (Value("PoolIntArray", (1, 300)), "PoolByteArray", "300 does not fit a byte, which holds 0 to 255."),
        (
            Value("PoolRealArray", (1.0,) * 3),
            "PoolVector2Array",
            "takes numbers in groups of 2, but there are 3 numbers.",
        ),
        (Value("Vector2", (1.0, 2.0)), "Vector3", "A Vector2 cannot become a Vector3."),
        (Value("Vector2", None), "String", "This value is broken; fix its bytes first."),
        (Value("", None), "String", "This value is broken; fix its bytes first."),
        (
            Value("Array", Array((Value("int", 1), Value("String", "a")))),
            "PoolIntArray",
            "Element 1 is a String; a PoolIntArray takes only numbers.",
        ),
        (
            Value("Array", Array((Value("int", 1), Value("bool", True)))),
            "PoolIntArray",
            "Element 1 is a bool; a PoolIntArray takes only numbers.",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else None,
)
def test_what_has_no_meaning_is_refused_in_a_sentence(value: Value, target: str, sentence: str) -> None:
    with pytest.raises(ConvertError) as raised:
        convert(value, target, GODOT3)

    assert sentence in str(raised.value)


class TestWholeVectors:
    def test_a_vector_is_cut_to_whole_numbers(self) -> None:
        found = convert(Value("Vector2", (1.5, -2.0)), "Vector2i", GODOT4)

        assert found.value == Value("Vector2i", (1, -2))
        assert found.losses == ("1.5 becomes 1",)

    def test_a_whole_vector_is_rounded_to_the_precision_of_the_file(self) -> None:
        value = Value("Vector3i", (16777217, 0, 0))

        assert convert(value, "Vector3", GODOT4, Precision.SINGLE).losses == ("16777217 is rounded to 16777216.0",)
        assert convert(value, "Vector3", GODOT4, Precision.DOUBLE).losses == ()

    def test_a_rectangle_has_a_whole_sibling(self) -> None:
        assert convert(Value("Rect2i", (1, 2, 3, 4)), "Rect2", GODOT4).value == Value("Rect2", (1.0, 2.0, 3.0, 4.0))


class TestColours:
    def test_alpha_stands_first_before_godot_4(self) -> None:
        value = Value("String", "#80ff0000")

        assert convert(value, "Color", GODOT3).value.data == (1.0, 0.0, 0.0, 0.501960813999176)
        assert convert(value, "Color", GODOT4).value.data == (0.501960813999176, 1.0, 0.0, 0.0)

    def test_alpha_stands_last_in_godot_4(self) -> None:
        clear = Value("Color", (1.0, 0.0, 0.0, 0.0))

        assert convert(clear, "String", GODOT4).value.data == "#ff000000"
        assert convert(clear, "String", GODOT3).value.data == "#00ff0000"


class TestTypedArrays:
    def test_pandemonium_tells_the_common_type_of_the_elements(self) -> None:
        value = Value("Array", Array((Value("int", 1), Value("int", 2))))

        found = convert(value, "TypedArray", PANDEMONIUM5)

        assert found.value.data == Array((Value("int", 1), Value("int", 2)), ElementType(builtin=2))
        assert found.losses == ()

    def test_elements_of_several_types_fit_no_typed_array(self) -> None:
        value = Value("Array", Array((Value("int", 1), Value("String", "a"))))

        with pytest.raises(ConvertError, match="Element 1 is a String, the ones before it an int"):
            convert(value, "TypedArray", PANDEMONIUM5)

    def test_a_typed_array_loses_its_type_with_a_word(self) -> None:
        value = Value("TypedArray", Array((Value("int", 1),), ElementType(builtin=2)))

        found = convert(value, "Array", PANDEMONIUM5)

        assert found.value.data == Array((Value("int", 1),))
        assert found.losses == ("The array no longer says that it holds int",)

    def test_a_packed_array_of_the_same_type_needs_no_word(self) -> None:
        value = Value("Array", Array((Value("int", 1),), ElementType(builtin=2)))

        assert convert(value, "PackedInt64Array", GODOT4).losses == ()
        assert convert(value, "PackedFloat64Array", GODOT4).losses == (
            "An int becomes a float",
            "The array no longer says that it holds int",
        )


class TestTexts:
    def test_bytes_that_the_engine_does_not_read_are_said_to_be_lost(self) -> None:
        value = Value("String", RawText("5", b"5\0secret"))

        found = convert(value, "int", GODOT3)

        assert found.value == Value("int", 5)
        assert found.losses == ("The bytes of the text that the engine does not read are lost",)

    def test_a_name_keeps_the_bytes_of_the_text(self) -> None:
        value = Value("String", RawText("a", b"a\0b"))

        found = convert(value, "StringName", GODOT4)

        assert found.losses == ()
        assert encode(found.value, GODOT4)[8:12] == b"a\0b\0"

    def test_the_bits_of_a_nan_are_said_to_be_lost(self) -> None:
        value = Value("float", NaN(bytes.fromhex("010000000000f87f")))

        assert convert(value, "String", GODOT3).losses == ("The bits of the NaN are lost",)


class TestTargets:
    def test_what_loses_nothing_comes_first_and_nil_last(self) -> None:
        assert targets(Value("int", 5), GODOT3) == ["float", "String", "bool", "Nil"]

    def test_a_text_that_is_no_number_is_not_offered_as_one(self) -> None:
        assert targets(Value("String", "gold"), GODOT3) == ["NodePath", "PoolByteArray", "Nil"]

    def test_an_array_is_offered_only_as_what_its_elements_fit(self) -> None:
        value = Value("Array", Array((Value("Vector2", (1.0, 2.0)),)))

        assert targets(value, GODOT4) == ["PackedVector2Array", "Nil"]

    def test_nil_may_become_every_type(self) -> None:
        found = targets(Value("Nil"), GODOT4)

        assert found[:4] == ["int", "float", "bool", "String"]
        assert len(found) == len(GODOT4.rows) - 1

    def test_a_value_of_an_unknown_type_may_only_go(self) -> None:
        assert targets(Value("", None), GODOT3) == ["Nil"]


def test_nesting_of_any_depth_is_converted_and_offered() -> None:
    value = nested(DEEP)

    assert targets(value, PANDEMONIUM5) == ["TypedArray", "PackedTypedArray", "Nil"]
    assert convert(value, "Nil", GODOT3).losses == ("The only element is lost",)
