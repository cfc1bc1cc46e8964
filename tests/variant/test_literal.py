"""Values as the engine's own text, both ways."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from variant.comparing import alike, ordered, vectors
from variant.corpus_values import DIALECTS, expected_value, same
from variant.random_values import VALUES, any_value

from viewer.variant.dialect import Dialect, Precision, keys, load
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
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
SIX_DIGITS = 2e-5

LOST = {
    "an RID has an empty text": r"(?i)rid\b|rid[_/]|all_?types|all_value_types",
    "an object is printed, its id or nothing was written": r"object_(.*(as_id|of_id)|plain$|reference$)|Object/id",
    "a typed collection names the class, its ids were written": r"(typedarray|typeddict)_.*(class|script|[oO]bject)",
    "a signal has an empty text": r"signal_(changed|in_array)",
    "a script is printed as a Resource(…)": r"Object/full/(scripted|in_dict)",
    "two names have one text": r"nodepath_(emptyname|specialchars|[123]n[12]s)|NodePath/.*empty",
    "a large double that fits 32 bits is printed in their digits": r"float_(f32_\w+|2p53)",
    "the text is narrower than the number": r"float_(f64|1e300|below)|(vector|rect)\d?i_ext|float/.*(denorm|dbl)",
    "a byte order mark is written and printed, but not read": r"bom_prefix|PoolStringArray/unicode",
    "an input event's device and axis value are not printed, some types neither": r"inputevent_",
    "a format without a name": r"image_yuv",
    "a lone surrogate is not printed as one": r"surrogate|beyond_unicode|string_31bit",
    "a null object's text is null": r"object_null",
    "what the encoder wrote is not what was printed": r"pv4i_n|dict_nan_key|packedtypedarray_t00",
}

LOST_BY = {
    "godot4.0": {
        "the array is typed in its text, the bytes tell no type": r"typedarray_",
        "objects were allowed or not, which the text does not tell": r"object_(refcounted|resource|encoded_)",
        "an id is not printed": r"signal_",
    },
    "pandemonium3.5": {
        "objects were allowed or not, which the text does not tell": r"object_(resource|encoded_)",
        "ints are printed with six digits": r"pv[23]i_|random_36",
        "the text is wider than a float's": r"array_floats",
    },
}
"""What the text of one engine does not tell, by the engine."""


def precision_of(folder: str) -> Precision:
    return Precision.DOUBLE if folder == "godot4-double" else Precision.SINGLE


def error_position(text: str, dialect: Dialect) -> int:
    """Where a text is wrong; its end where it is right."""
    try:
        parse_literal(text, dialect)
    except LiteralError as error:
        return error.position
    return len(text)


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_engines_text_reads_as_the_value_it_wrote(folder: str) -> None:
    lost = {**LOST, **LOST_BY.get(folder, {})}
    dialect, read = load(DIALECTS[folder]), 0
    for vector in vectors(folder):
        if any(re.search(ids, vector["id"]) for ids in lost.values()):
            continue
        if "var_to_str" not in vector and "text" not in vector:
            continue  # the engine printed no text
        text = vector["text" if folder == "godot3" else "var_to_str"]
        value = ordered(parse_literal(text, dialect, precision=precision_of(folder)), dialect)
        expected = ordered(expected_value(vector, dialect), dialect)
        assert alike(value, expected, 0.0 if folder in ("godot4", "godot4-double") else SIX_DIGITS), vector["id"]
        read += 1
    assert read > len(vectors(folder)) // 2


@pytest.mark.parametrize("folder", DIALECTS)
def test_our_text_of_each_vector_reads_back(folder: str) -> None:
    dialect = load(DIALECTS[folder])
    for vector in vectors(folder):
        if "shared" in vector["id"]:
            continue  # the shared bit has no text
        value = expected_value(vector, dialect)
        for precision in Precision:
            text = format_literal(value, dialect, precision=precision)
            assert "\n" not in text, vector["id"]
            assert same(parse_literal(text, dialect, precision=precision), value), vector["id"]
        assert same(parse_literal(text, dialect, value.type, precision=precision), value)


@pytest.mark.parametrize("key", keys())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=VALUES)
def test_any_value_reads_back_from_its_text(key: str, data: Any) -> None:
    dialect = load(key)
    value = data.draw(any_value(dialect, text_only=True))
    for precision in Precision:
        text = format_literal(value, dialect, precision=precision)
        assert same(parse_literal(text, dialect, precision=precision), value), text


@pytest.mark.parametrize(
    ("dialect", "value", "text"),
    [
        (GODOT4, Value("Vector2", (1.0, 2.0)), "Vector2(1, 2)"),
        (GODOT4, Value("Vector2", (0.10000000149011612, -0.0)), "Vector2(0.1, -0)"),
        (GODOT4, Value("Vector2", (0.1, 1e39)), "Vector2(0.1000000000, 1.000000000e+39)"),
        (GODOT4, Value("float", 0.1), "0.1"),
        (GODOT4, Value("float", 1.0), "1.0"),
        (GODOT2, Value("float", 0.10000000149011612), "0.1"),
        (GODOT4, Value("float", -math.inf), "-inf"),
        (GODOT4, Value("int", -5), "-5"),
        (GODOT4, Value("String", 'a"b\n'), r'"a\"b\n"'),
        (GODOT4, Value("String", RawText("a", b"a\0b")), '"a"'),
        (GODOT4, Value("StringName", "n"), '&"n"'),
        (PANDEMONIUM5, Value("StringName", "n"), '@"n"'),
        (GODOT4, Value("NodePath", NodePath(("A",), ("b",))), 'NodePath("A:b")'),
        (GODOT2, Value("NodePath", NodePath(("A",), (), False, "b")), 'NodePath("A:b")'),
        (GODOT2, Value("NodePath", NodePath(("A",), ("b",))), 'NodePath(["A"], ["b"], false)'),
        (GODOT3, Value("PoolByteArray", b"\1\2"), "PoolByteArray(1, 2)"),
        (GODOT2, Value("RawArray", b"\1\2"), "ByteArray(1, 2)"),
        (GODOT4, Value("Array", Array((Value("int", 1),), ElementType(builtin=2))), "Array[int]([1])"),
        (GODOT4, Value("Array", Array((), ElementType(class_name="Resource"))), "Array[Resource]([])"),
        (GODOT4, Value("Array", Array((), ElementType(class_name="int"))), 'Array["int"]([])'),
        (GODOT4, Value("Array", Array((), ElementType(script="res://a.gd"))), 'Array[Resource("res://a.gd")]([])'),
        (
            GODOT4,
            Value("Dictionary", Dictionary(((Value("String", "a"), Value("int", 1)),), ElementType(builtin=4))),
            'Dictionary[String, Variant]({"a": 1})',
        ),
        (GODOT4, Value("Dictionary", Dictionary()), "{}"),
        (GODOT4, Value("Object", ObjectId(2**63)), "EncodedObjectAsID(9223372036854775808)"),
        (
            GODOT4,
            Value("Object", ObjectFull("Resource", (("resource_name", Value("String", "x")),))),
            'Object(Resource,"resource_name":"x")',
        ),
        (GODOT4, Value("Object"), "Object()"),
        (GODOT4, Value("Signal", Signal("hit", 5)), 'Signal("hit", 5)'),
        (GODOT4, Value("RID", 7), "RID(7)"),
        (GODOT3, Value("RID"), "RID()"),
        (GODOT4, Value("Callable"), "Callable()"),
        (GODOT2, Value("Image", Image(3, 0, 1, 1, b"\1\2\3")), "Image(1, 1, 0, RGB, 1, 2, 3)"),
        (GODOT2, Value("InputEvent", InputEvent(1, 3, (("modifiers", 1 << 25), ("scancode", 65)))),
         "InputEvent(KEY,65,S,device=3)"),
        (
            PANDEMONIUM5,
            Value("TypedArray", Array((Value("int", 0),), ElementType(builtin=2))),
            "TypedArray(int, 0)",
        ),
    ],
)  # fmt: skip
def test_a_value_prints_as_the_engine_would_on_one_line(dialect: Dialect, value: Value, text: str) -> None:
    assert format_literal(value, dialect) == text
    assert same(parse_literal(text, dialect), value)


@pytest.mark.parametrize(
    ("dialect", "text", "value"),
    [
        (GODOT4, "0x1F", Value("int", 31)),
        (GODOT4, "-0b101", Value("int", -5)),
        (GODOT4, "1_000", Value("int", 1000)),
        (GODOT4, "1e3", Value("float", 1000.0)),
        (GODOT4, "inf_neg", Value("float", -math.inf)),
        (GODOT2, "-inf.0", Value("float", -math.inf)),
        (GODOT4, r'"\u0041\U01F600\ud83d\ude00\t\'"', Value("String", "A\U0001f600\U0001f600\t'")),
        (GODOT4, '"two\nlines"', Value("String", "two\nlines")),
        (GODOT4, '^"A:b"', Value("NodePath", NodePath(("A",), ("b",)))),
        (GODOT4, "Quat( 0, 0, 0, 1 )", Value("Quaternion", (0.0, 0.0, 0.0, 1.0))),
        (GODOT3, "Quaternion(0, 0, 0, 1)", Value("Quat", (0.0, 0.0, 0.0, 1.0))),
        (GODOT4, 'PoolByteArray( "AQID" )', Value("PackedByteArray", b"\1\2\3")),
        (GODOT3, "PackedInt32Array(1)", Value("PoolIntArray", (1,))),
        (GODOT3, "Matrix32( 1, 2, 3, 4, 5, 6 )", Value("Transform2D", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))),
        (GODOT4, "Color(1, 0, 0)", Value("Color", (1.0, 0.0, 0.0, 1.0))),
        (GODOT4, 'Color("#ff0000")', Value("Color", (1.0, 0.0, 0.0, 1.0))),
        (GODOT4, "[1, 2,]", Value("Array", Array((Value("int", 1), Value("int", 2))))),
        (GODOT4, "EncodedObjectAsID(-1)", Value("Object", ObjectId(2**64 - 1))),
        (PANDEMONIUM5, "TypedArray( Nil ,  )", Value("TypedArray", Array((), ElementType(builtin=0)))),
    ],
)
def test_other_ways_to_write_a_value_are_read(dialect: Dialect, text: str, value: Value) -> None:
    assert same(parse_literal(text, dialect), value)


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("5", "float", Value("float", 5.0)),
        ("9223372036854775808", "float", Value("float", 2.0**63)),
        ("5", "int", Value("int", 5)),
        ('"a"', "StringName", Value("StringName", "a")),
        ('&"a"', "String", Value("String", "a")),
        ('"a/b"', "NodePath", Value("NodePath", NodePath(("a", "b")))),
        ("(1, 2)", "Vector2", Value("Vector2", (1.0, 2.0))),
        ("Vector2(1, 2)", "Vector2i", Value("Vector2i", (1, 2))),
        ("[1, 2]", "PackedInt32Array", Value("PackedInt32Array", (1, 2))),
        ("[Vector2(1, 2)]", "PackedVector2Array", Value("PackedVector2Array", ((1.0, 2.0),))),
        ('["a"]', "PackedStringArray", Value("PackedStringArray", ("a",))),
        ("null", "Object", Value("Nil")),
    ],
)
def test_the_expected_type_decides_what_a_text_means(text: str, expected: str, value: Value) -> None:
    assert same(parse_literal(text, GODOT4, expected), value)


@pytest.mark.parametrize(
    ("dialect", "text", "channels"),
    [
        (GODOT4, "#ff8000", (255, 128, 0, 255)),
        (GODOT4, "#f80", (255, 136, 0, 255)),
        (GODOT4, "#ff800040", (255, 128, 0, 64)),
        (GODOT3, "#40ff8000", (255, 128, 0, 64)),
    ],
)
def test_a_colour_may_be_written_as_on_a_web_page(dialect: Dialect, text: str, channels: tuple[int, ...]) -> None:
    found = parse_literal(text, dialect, "Color")
    assert found.type == "Color"
    assert [round(255 * channel) for channel in found.data] == list(channels)


@pytest.mark.parametrize(
    ("text", "expected", "message", "position", "fix"),
    [
        ("9223372036854775808", None, "One too large for int. The largest value is 9223372036854775807.", 0,
         "9223372036854775807"),
        ("[1, 1" + "0" * 9999 + "]", "Array", None, 4, "[1, 9223372036854775807]"),
        ("1.5", "int", "“1.5” is not whole, but int has no fraction.", 0, "1"),
        ("Vector2(1, 2, 3)", None, "Vector2 takes 2 numbers, not 3.", 8, None),
        ('"abc', None, "The quote at the end of this text is missing.", 0, None),
        ("PackedByteArray(1, 300)", None, "“300” is too large for a byte. The largest value is 255.", 19,
         "PackedByteArray(1, 255)"),
        ("Vector2i(2147483648, 0)", None, "One too large for a 32-bit integer. The largest value is 2147483647.", 9,
         "Vector2i(2147483647, 0)"),
        ("hello", "String", "A text goes in quotes.", 0, '"hello"'),
        ("True", None, "“True” is written “true”.", 0, "true"),
        ("[1, 2", None, "The text ends inside an array: “,” or “]” is missing.", 5, None),
        ("", None, "A value is missing here.", 0, None),
        ("1 2", None, "One value belongs here: “2” is unexpected.", 2, None),
        ('Resource("res://a.tres")', None,
         "Resource(…) names a file of the game; a file can only hold the value itself.", 0, None),
        ("TypedArray(int, 1)", None, "Godot 4 has no TypedArray; the nearest is Array.", 0, "Array(int, 1)"),
        ("true", "Vector2", "A Vector2, such as (1, 2), is expected here, not bool.", 0, None),
        ("true", "Basis", "A Basis is expected here, not bool.", 0, None),
        ("", "int", "An int, such as 12, is missing here.", 0, None),
        ("7", "Array", "An Array, such as [1, 2], is expected here, not int.", 0, None),
        ("abc", "Dictionary", '“abc” is not a Dictionary, such as {"key":1}.', 0, None),
        ("7", "PackedVector2Array", "A PackedVector2Array, such as [(1, 2)], is expected here, not int.", 0, None),
        ("7", "PackedStringArray", 'A PackedStringArray, such as ["a", "b"], is expected here, not int.', 0, None),
        ("abc", "int", "“abc” is not an int, such as 12.", 0, None),
        ("12x", "int", "“12x” is not an int, such as 12.", 0, None),
        ("2.5.1", "float", "“2.5.1” is not a float, such as 1.5.", 0, None),
        ("(1, 2x)", "Vector2", "“2x” is not a number.", 4, None),
        ("1 2", "Vector2", "A Vector2 goes in brackets.", 0, "(1, 2)"),
        ("yes", "bool", "“yes” is not a bool, such as true.", 0, None),
        ("abc", "float", "“abc” is not a float, such as 1.5.", 0, None),
        ("red", "Color", "“red” is not a Color, such as (1, 0.5, 0, 1) or #ff8000.", 0, None),
        ("abc", "Basis", "“abc” is not a Basis.", 0, None),
        ("#ff88", "Vector2", None, 0, None),
        ("#12345", "Color", None, 0, None),
        ("500, -13.5", "Vector2", "A Vector2 goes in brackets.", 0, "(500, -13.5)"),
        ("5 000", "int", "Nothing goes between the thousands of a number.", 0, "5000"),
        ("-5,000,000", "int", "Nothing goes between the thousands of a number.", 0, "-5000000"),
        ("1\u202f234", "float", "Nothing goes between the thousands of a number.", 0, "1234"),
        ("82,5", "float", "Decimals follow a point.", 0, "82.5"),
        ("1,234", "float", "Decimals follow a point.", 0, None),
        ("1234,567", "float", "Decimals follow a point.", 0, "1234.567"),
        ("1, 2, 3, 4, 5, 6", "AABB", "An AABB goes in brackets.", 0, "(1, 2, 3, 4, 5, 6)"),
        ("1, 2, 3", "Vector2", "A Vector2, such as (1, 2), is expected here, not int.", 0, None),
        ("1.5, 2", "Vector2i", None, 0, None),
        ("foo", "Callable", "“foo” is not a Callable.", 0, None),
        ("50 00", "int", "One value belongs here: “00” is unexpected.", 3, None),
    ],
)  # fmt: skip
def test_an_error_says_what_is_wrong_where_and_what_would_do(
    text: str, expected: str | None, message: str | None, position: int, fix: str | None
) -> None:
    with pytest.raises(LiteralError) as caught:
        parse_literal(text, GODOT4, expected)
    assert message is None or str(caught.value) == message
    assert (caught.value.position, caught.value.fix) == (position, fix)


def test_an_int_of_godot_2_has_32_bits() -> None:
    with pytest.raises(LiteralError, match=r"One too large for int\. The largest value is 2147483647\."):
        parse_literal("2147483648", GODOT2)


@pytest.mark.parametrize("key", keys())
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=VALUES)
def test_every_beginning_of_a_text_is_an_error_or_a_value(key: str, data: Any) -> None:
    dialect = load(key)
    text = format_literal(data.draw(any_value(dialect, text_only=True)), dialect)
    for end in range(min(len(text), 60)):
        assert 0 <= error_position(text[:end], dialect) <= end


@pytest.mark.parametrize(
    ("start", "end"), [("[", "]"), ('{"a": ', "}"), ("Array[Array]([", "])"), ('Object(A,"b":', ")")]
)
def test_thirty_thousand_levels_are_no_deeper_than_one(start: str, end: str) -> None:
    text = start * 30_000 + "1" + end * 30_000
    value = parse_literal(text, GODOT4)
    assert format_literal(value, GODOT4) == text
    with pytest.raises(LiteralError):
        parse_literal(start * 30_000, GODOT4)


def test_a_limit_cuts_the_text_without_reading_the_whole_value() -> None:
    class Counted(tuple[float, ...]):
        def __iter__(self) -> Any:
            for k in range(1000):
                assert k < 20, "more numbers than the limit asks for were read"
                yield 1.0

    value = Value("PackedFloat32Array", Counted())
    assert format_literal(value, GODOT4, limit=30) == "PackedFloat32Array(1, 1, 1, 1,…"
    assert format_literal(Value("int", 5), GODOT4, limit=1) == "5"
    assert format_literal(Value("String", "a" * 10_000_000), GODOT4, limit=4) == '"aaa…'


def test_a_broken_value_prints_as_a_question_mark() -> None:
    broken = (Value("Vector2"), Value(""), Value("String"), Value("float"))
    assert format_literal(Value("Array", Array(broken)), GODOT4) == "[?, ?, ?, ?]"


def test_a_nan_loses_its_bits_in_text() -> None:
    value = Value("float", NaN(bytes.fromhex("010000000000f07f")))
    assert format_literal(value, GODOT4) == "nan"
