"""Floats as the engines read them from a text."""

from __future__ import annotations

import math
import random
import struct

import engine
import pytest
from engine4 import Godot

from viewer.document.document import Document
from viewer.text.float_spelling import engine_float, engine_reading, is_misread, readable, respelled, spelling
from viewer.variant.dialect import load_text_values
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

MISREAD = (0.9598675916129511, 0.40296206595566275, 5e-324, 3e-310, 9.8765e-300)


def numbers() -> list[float]:
    draw = random.Random(3)
    plain = [draw.random() * 10 ** draw.randrange(-9, 9) for _ in range(150)]
    wild = [struct.unpack("<d", draw.randbytes(8))[0] for _ in range(50)]
    return [1.4000000000000001, *plain, *(each for each in wild if abs(each) < 1e300)]


def test_most_numbers_have_a_spelling_that_is_read_right() -> None:
    found = [(number, respelled(repr(number))) for number in numbers()]
    assert all(engine_float(text) == readable(number) for number, text in found)
    right = [number for number, text in found if engine_float(text) == number]
    assert len(right) > 0.97 * len(found)
    assert [is_misread(number) for number, _ in found].count(True) == len(found) - len(right)
    assert engine_float("1.4000000000000001") == 1.4


def test_a_spelling_is_the_usual_one_where_that_is_right_and_else_one_that_others_read_the_same() -> None:
    draw = random.Random(9)
    found = [(number, spelling(number)) for number in (draw.random() for _ in range(3000))]
    right = [(number, text) for number, text in found if engine_float(text) == number]
    assert len(right) > 0.98 * len(found)
    assert all(float(text) == number for number, text in right)
    assert all(text == repr(number) for number, text in right if engine_float(repr(number)) == number)
    assert spelling(0.0290052282836147369) == "2.9005228283614737e-02"
    assert [spelling(number) for number in (0.0, -0.0, 1.5, -2.25)] == ["0.0", "-0.0", "1.5", "-2.25"]


@pytest.mark.parametrize("number", MISREAD)
def test_where_there_is_no_spelling_the_next_float_is_spelled(number: float) -> None:
    read = engine_float(spelling(number))
    assert is_misread(number)
    assert read == readable(number) != number
    assert not is_misread(read)
    assert spelling(-number) == f"-{spelling(number)}"
    assert abs(read - number) <= max(math.ulp(number), 5e-309)


def test_zeros_in_front_are_digits_and_an_exponent_is_counted_in_32_bits() -> None:
    assert engine_float("0.00000000000000000123") == 0.0
    assert engine_float("0.0000000000000000123") == 1e-17
    assert engine_float("2e4294967297") == 20.0
    assert engine_float("1e" + "0" * 5000 + "1") == 10.0
    assert math.isnan(engine_float("0e400"))


def test_the_largest_float_of_32_bits_stays_finite_beside_a_nan() -> None:
    read_back = read(Document(b"[a]\nb=1\nc=PackedFloat32Array(nan, 3.4028235e+38, 3.5e+38)\n").frames[0].table)
    assert "nan, 3.4028235e+38, inf" in format_literal(read_back, load_text_values("godot4"))


def test_texts_keep_their_numbers() -> None:
    assert respelled('["1.4000000000000001", 1.5, -inf]') == '["1.4000000000000001", 1.5, -inf]'
    assert respelled('{"inf": inf, "a": Vector2(-inf, 1)}', True) == '{"inf": 1e400, "a": Vector2(-1e400, 1)}'
    assert respelled("[0, -0, Vector2(-0, 0), -0.5]") == "[0, -0.0, Vector2(-0.0, 0), -0.5]"
    assert respelled('[1.4000000000000001, NodePath("a")]') == '[1.4000000000000002, NodePath("a")]'
    assert engine_reading('["1.4000000000000001", 1.4000000000000001]') == '["1.4000000000000001", 1.4]'


@pytest.mark.engine
def test_godot3_reads_what_is_said() -> None:
    texts = [respelled(repr(number)) for number in numbers()]
    for text, raw in zip(texts, engine.encode(texts), strict=True):
        wide = raw[2] & 1
        assert struct.unpack_from("<d" if wide else "<f", raw, 4)[0] == engine_float(text), text


@pytest.mark.engine4
def test_godot4_reads_what_is_said(godot4: Godot) -> None:
    texts = [respelled(repr(number)) for number in numbers()]
    for text, answer in zip(texts, godot4.texts(texts), strict=True):
        raw = answer.values[0].data
        assert struct.unpack_from("<d" if raw[2] & 1 else "<f", raw, 4)[0] == engine_float(text), text


def test_numbers_in_other_digits_are_left_as_they_are() -> None:
    assert engine_reading("[\u0663.\u0664, \u0661e\u0662]") == "[\u0663.\u0664, \u0661e\u0662]"
    assert engine_reading("1.0e400") == "inf"
