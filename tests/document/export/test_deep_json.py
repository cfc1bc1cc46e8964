"""JSON of any depth."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.document.export.deep_json import JsonError, _chunks, _Reader, chunks, dumps, loads

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(node=ANY)
def test_the_loops_read_and_write_as_the_standard_library_does(node: object) -> None:
    assert _Reader(json.dumps(node, indent=1)).read() == node
    assert "".join(_chunks(node)) == dumps(node)


def test_a_hundred_thousand_levels_are_read_and_written() -> None:
    text = "[" * 100_000 + '{"a": 1}' + "]" * 100_000
    assert "".join(chunks(loads(text))) == text


def test_a_lone_surrogate_is_escaped() -> None:
    assert dumps("a\ud800ä") == '"a\\ud800ä"'


def test_infinity_is_the_number_that_godot_writes_for_it() -> None:
    assert dumps([math.inf, -math.inf, '"Infinity\\', {"-Infinity": 1}]) == (
        '[1e99999, -1e99999, "\\"Infinity\\\\", {"-Infinity": 1}]'
    )
    assert loads("[1e99999, -1e99999]") == [math.inf, -math.inf]


def test_a_nan_is_not_written() -> None:
    with pytest.raises(ValueError, match="NaN"):
        dumps([1.0, math.nan])


def test_texts_are_read_as_godot_writes_them() -> None:
    """It escapes a vertical tab in its own way, and other control characters not at all."""
    assert loads('["a\x01\x1f\\vb\\\\v\\n", "\\v", "\\\\v"]') == ["a\x01\x1f\vb\\v\n", "\v", "\\v"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A value belongs here: line 1, column 1."),
        ("[1,\n 2", "A comma or a closing bracket belongs here: line 2, column 3."),
        ("[1,]", "A value belongs here: line 1, column 4."),
        ("{a: 1}", "A key in double quotes belongs here: line 1, column 2."),
        ('{"a" 1}', "A colon belongs here, after the key: line 1, column 6."),
        ("[NaN]", "A value belongs here: line 1, column 2."),
        ("01", "The JSON ends here, but more text follows: line 1, column 2."),
        (
            '["a\nb"]',
            r"A text holds a line break or another control character here; it is written \n, or \u and four hex "
            "digits: line 1, column 4.",
        ),
        (
            r'["\v\q"]',
            r"A backslash in a text must come before one of \" \\ / b f n r t u; a backslash itself is written twice: "
            "line 1, column 5.",
        ),
        (r'["\v\v\u12"]', r"Four hex digits must follow \u, as in \u00e9: line 1, column 8."),
        ("9" * 5000, "This number has too many digits: line 1, column 1."),
        ("]", "A value belongs here: line 1, column 1."),
    ],
)
def test_an_error_says_line_and_column(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        loads(text)
    assert str(caught.value) == message
