"""Floats as the engines read them from a text."""

from __future__ import annotations

import random
import struct

import engine
import pytest
from engine4 import Godot

from viewer.document.document import Document
from viewer.text.float_spelling import engine_float, is_misread, respelled
from viewer.variant.dialect import load_text_values
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read


def numbers() -> list[float]:
    draw = random.Random(3)
    plain = [draw.random() * 10 ** draw.randrange(-9, 9) for _ in range(150)]
    wild = [struct.unpack("<d", draw.randbytes(8))[0] for _ in range(50)]
    return [1.4000000000000001, *plain, *(each for each in wild if abs(each) < 1e300)]


def test_most_numbers_have_a_spelling_that_is_read_right() -> None:
    found = [(number, respelled(repr(number))) for number in numbers()]
    assert all(float(text) == number for number, text in found)
    right = [number for number, text in found if engine_float(text) == number]
    assert len(right) > 0.85 * len(found)
    assert [is_misread(number) for number, _ in found].count(True) == len(found) - len(right)
    assert engine_float("1.4000000000000001") == 1.4


def test_the_largest_float_of_32_bits_stays_finite_beside_a_nan() -> None:
    read_back = read(Document(b"[a]\nb=1\nc=PackedFloat32Array(nan, 3.4028235e+38, 3.5e+38)\n").frames[0].table)
    assert "nan, 3.4028235e+38, inf" in format_literal(read_back, load_text_values("godot4"))


def test_texts_keep_their_numbers() -> None:
    assert respelled('["1.4000000000000001", 1.5, -inf]') == '["1.4000000000000001", 1.5, -inf]'
    assert respelled('{"inf": inf, "a": Vector2(-inf, 1)}', True) == '{"inf": 1e400, "a": Vector2(-1e400, 1)}'
    assert respelled("[0, -0, Vector2(-0, 0), -0.5]") == "[0, -0.0, Vector2(-0.0, 0), -0.5]"
    assert respelled('[1.4000000000000001, NodePath("a")]') == '[1.4000000000000002, NodePath("a")]'


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
