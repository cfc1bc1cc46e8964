"""Engine text as a wrap: word for word kept where nothing changed."""

from __future__ import annotations

import pytest

from viewer.document.nested.engine_text import EngineText, is_engine_text
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT4 = load("godot4")
CODEC = EngineText(GODOT4, Precision.SINGLE)
PRETTY = '{\n"a": 1,\n"b": [1, 2,   3],\n"c": Vector2(1, 0.5)\n}\n'


def changed(text: str, new: str) -> str:
    form = CODEC.unwrap(text.encode()).form
    return form.wrap(encode(parse_literal(new, GODOT4), GODOT4)).decode()


def test_a_text_that_says_the_same_stays() -> None:
    assert changed(PRETTY, '{"a": 1, "b": [1, 2, 3], "c": Vector2(1, 0.5)}') == PRETTY


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ('{"a": 50, "b": [1, 2, 3], "c": Vector2(1, 7)}', '{\n"a": 50,\n"b": [1, 2,   3],\n"c": Vector2(1, 7)\n}\n'),
        ('{"a": 1, "b": [1, 3], "c": Vector2(1, 0.5)}', '{\n"a": 1,\n"b": [1,   3],\n"c": Vector2(1, 0.5)\n}\n'),
        ('{"a": 1, "b": [1, 2, 3, [4]], "c": Vector2(1, 0.5)}', None),
        ('{"c": "x"}', None),
    ],
)
def test_only_what_changed_is_written_anew(new: str, text: str | None) -> None:
    found = changed(PRETTY, new)
    assert parse_literal(found, GODOT4) == parse_literal(new, GODOT4)
    if text is not None:
        assert found == text


@pytest.mark.parametrize("text", ['{"a": 1}', PRETTY, "[1, 2]", "Color(1, 0, 0, 1)", '{"a": {"b": &"c"}}'])
def test_what_the_engine_writes_is_engine_text(text: str) -> None:
    assert is_engine_text(text, GODOT4, Precision.SINGLE)


@pytest.mark.parametrize("text", ["12", "null", '"x"', "[1]", "{}", "{a: 1}", "[1, 2", "Hello (you)", "[b]x[/b]", ""])
def test_other_texts_are_none(text: str) -> None:
    assert not is_engine_text(text, GODOT4, Precision.SINGLE)
