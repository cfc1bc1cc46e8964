"""Which form a pasted text is in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.document.document import Document
from viewer.document.export.forms import FORMS, FormError, form, recognise, value_of, write
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.value import Value

GODOT3, GODOT4 = load("godot3"), load("godot4")
SAVE = bytes.fromhex("12000000 01000000 04000000 04000000 676f6c64 02000000 63000000")  # {"gold": 99}


def tried(text: str) -> str:
    """The form that a text is in, or why it is in none."""
    try:
        return recognise(text, GODOT4).form.key
    except FormError as error:
        return str(error)


@pytest.mark.parametrize("key", [found.key for found in FORMS if found.key not in ("literal", "literal4", "json")])
def test_what_is_copied_is_recognised(key: str) -> None:
    document = Document(SAVE)
    found = recognise(write(form(key), document, Item(0, 0)).text, document.dialect)
    assert found.form == form(key)
    assert found.dialect is document.dialect
    assert encode(value_of(found.content, document.dialect), document.dialect) == SAVE


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("5", "literal4"),
        ("1300000000000000", "literal4"),
        ("0200000005000000", "hex"),
        ("02 00 00 00 05 00 00 00", "hex"),
        ("0x02, 0, 0, 0, 5, 0, 0, 0", "c"),
        ("[2, 0, 0, 0, 5, 0, 0, 0]", "print"),
        ("[2, 0, 0, 0, 5, 0]", "literal4"),
        ("PackedByteArray([2, 0, 0, 0, 5, 0, 0, 0])", "packed"),
        ("PackedByteArray(1, 2, 3)", "literal4"),
        ("AgAAAAUAAAA=", "base64"),
        ("true", "literal4"),
        ('{"a": 1}', "literal4"),
        ('{"a": "i:5"}', "literal4"),
        ('["i:5", "s:x"]', "native"),
        ('{"type": "Vector2", "args": [1, 2]}', "native"),
        ('{"type": "sword", "name": "x"}', "literal4"),
        ('{"a": 1e5, "b": "\\/"}', "literal4"),
        ("Vector2(1, 2)", "literal4"),
        ("PoolIntArray(1, 2)", "literal4"),
        ("00000000: 0200 0000 0500 0000  ........", "hexdump"),
        ("b'\\x02\\x00'", "python"),
        ("[2 0 0 0 5 0 0 0]", "print"),
        ('{"type":"Buffer","data":[2,0,0,0,5,0,0,0]}', "print"),
        ('{"type":"Buffer","data":[2,0,0,0,5,0,0]}', "literal4"),
        ("0000000 0002 0000 0005 0000\n0000008\n", "hexdump"),
        ("12 34 56", "hex"),
        ("\ufeff[1]", "literal4"),
    ],
)  # fmt: skip
def test_a_pasted_text_is_recognised(text: str, key: str) -> None:
    assert recognise(text, GODOT4).form.key == key


def test_json_that_is_no_literal_is_plain_json() -> None:
    assert recognise('{"a": [1, 2.5], "b": "\\ud83d\\ude00", "c": -1e400}', GODOT4).form.key in ("literal4", "json")
    assert recognise('["a", {"b": 1}]', GODOT4).content == recognise('["a", {"b": 1}]', GODOT3).content


def test_a_value_of_another_engine_line_tells_which() -> None:
    found = recognise("[Vector2i(1, 2)]", GODOT3)
    assert (found.form.key, found.dialect.key) == ("literal4", "godot4")


def test_a_name_that_another_engine_line_uses_is_read_as_this_ones() -> None:
    found = recognise("PackedInt32Array(1, 2)", GODOT3)
    assert (found.content, found.dialect) == (Value("PoolIntArray", (1, 2)), GODOT3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "There is no text here; copy a value or some bytes first."),
        ("hello", "“hello” is not a value of Godot 4. A text goes in quotes (line 1, column 1)."),
        ("[1, 2", "The text ends inside an array: “,” or “]” is missing (line 1, column 6)."),
        ('{"a": [1,\n 2}', "Here, inside an array, “,” or “]” is missing before “}” (line 2, column 3)."),
        ("Vector2(1, x)", "“x” is not a number (line 1, column 12)."),
        ("dead beef zz", "“z” is not a hex digit; bytes are written like 13 00 or 0x13, 0x00 (line 1, column 11)."),
        ('b"\\x13', 'Bytes of Python are written b"…", with a closing quote (line 1, column 1).'),
        ("x[] = {0x13, 0x999};", "“0x999” is not a byte; one is written like 0x13 or 19 (line 1, column 14)."),
        ('{"type": "Vector2", "args": [1]}', "At $.args: Vector2 takes 2 numbers, not 1."),
    ],
)
def test_a_text_in_no_form_says_what_the_likeliest_one_lacks(text: str, reason: str) -> None:
    with pytest.raises(FormError) as failure:
        recognise(text, GODOT4)
    assert str(failure.value) == reason


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=80) | st.text(alphabet='0123456789abfx ,:"[]{}()\\=Vector2PA&', max_size=80))
def test_any_text_is_something_or_one_sentence(text: str) -> None:
    assert tried(text)


@pytest.mark.parametrize("piece", ["[", '{"a":', "00", "0x00,", '"', "Vector2(", "b'", "AAAA", "{ ]=", "1,", "a:", "&"])
def test_very_many_characters_of_nonsense_are_recognised_or_refused(piece: str) -> None:
    assert len(tried(piece * (300_000 // len(piece)))) < 300
