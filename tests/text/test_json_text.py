"""JSON as a tree over its bytes: values, places, errors, and saves in which nothing else has changed."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.plain_values import of_document, of_json

from viewer.base.diagnostic import Code
from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.fragment import written as written_fragment
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import delete, insert
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import parse_query
from viewer.document.searching.search import steps
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.document.wraps import UnwrapOptions
from viewer.text.float_spelling import engine_float

SAVE = b"""{
\t"name": "Bob",  "hp": 12, "x": 1.50,
\t"items": [1, 2, {"a": null}],
\t"ok": true
}
"""


def saved(document: Document) -> bytes:
    return bytes(document.to_be_written()[:])


def put(document: Document, path: str, literal: str) -> bytes:
    """What is saved once a value is another one."""
    document.apply(set_literal(document, parse_path(document, path), literal))
    return saved(document)


def told(text: bytes) -> list[str]:
    """What is said to be wrong."""
    return [found.message for found in Document(text).findings.all() if found.code is Code.TEXT_BROKEN]


# Reading


def test_the_tree_holds_what_the_text_says() -> None:
    document = Document(SAVE)
    assert document.wraps.names == ("json",)
    assert document.read_as_words == "JSON"
    assert of_document(document) == [of_json(json.loads(SAVE))]
    assert saved(document) == SAVE


def test_every_value_and_key_has_its_place_in_the_text() -> None:
    text = Document(SAVE).text
    assert text is not None
    spelled = [SAVE[span.start : span.end] for span, _ in text.values_in(0, len(SAVE))]
    assert spelled[1:5] == [b'"name"', b'"Bob"', b'"hp"', b"12"]
    assert spelled[-2:] == [b'"ok"', b"true"]
    for offset in range(len(SAVE)):
        inside = text.inside_of(offset)
        span = text.span_of(inside)
        assert offset in span or inside == 0
        assert text.inside_of(span.start) == inside


def test_places_are_told_in_lines_and_columns_of_characters() -> None:
    document = Document('{\n "ä": ["ö",  7]\n}'.encode())
    assert document.text is not None
    item = parse_path(document, '[0]["ä"][1]')
    start = document.place(document.frames[0].table.span(item.node)).start
    assert document.text.line_and_column(start) == (2, 14)


@pytest.mark.parametrize(
    "name", ["gcpf:zstd", "gcpf:fastlz", "gcmp:deflate", "gdec:1", "gdec:2", "gzip", "zlib", "base64"]
)
def test_in_a_wrap_it_opens_and_is_put_back(name: str) -> None:
    secret = Secret.of_password("open")
    choice = ReadOptions(opening=UnwrapOptions(secret=secret))
    document = Document(fresh(name, secret).wrap(SAVE), choice=choice)
    assert document.wraps.names == (name.partition(":")[0], "json")
    assert [layer.label for layer in shown_layers(document)][-1] == "JSON"
    assert bytes(document.shown) == SAVE
    again = Document(put(document, "[0].hp", "13.0"), choice=choice)
    assert bytes(again.shown) == SAVE.replace(b"12", b"13")


def test_numbers_are_floats_and_one_that_none_can_hold_is_told() -> None:
    document = Document(b'{"id": 9007199254740993, "n": 5}')
    notes = [found.message for found in document.findings.all() if found.code is Code.TEXT_NOTE]
    assert len(notes) == 1
    assert "Line 1, column 8 (byte 7)" in notes[0]
    assert "9007199254740992" in notes[0]
    assert put(document, "[0].n", "6.0") == b'{"id": 9007199254740993, "n": 6}'


def test_lines_of_json_are_a_value_each() -> None:
    document = Document(b'{"a": 1}\n{"a": 2}\n')
    assert len(document.frames) == 2
    assert put(document, "[1].a", "3.0") == b'{"a": 1}\n{"a": 3}\n'


@pytest.mark.parametrize("text", [b"hello", b"[section]\nkey=1\n", b"", b"12", b'"text"', b"{oh no}", b"\0\0\0\0"])
def test_what_is_no_json_is_none(text: bytes) -> None:
    assert "json" not in Document(text).wraps.names


# Editing


@pytest.mark.parametrize(
    ("path", "literal", "before", "after"),
    [
        ("[0].name", '"Eve"', b'"Bob"', b'"Eve"'),
        ("[0].hp", "13.0", b"12", b"13"),
        ("[0].hp", "0.5", b"12", b"0.5"),
        ("[0].x", "2.0", b"1.50", b"2.0"),
        ("[0].items[2].a", "[true]", b"null", b"[true]"),
        ("[0].ok", "false", b"true", b"false"),
    ],
)
def test_one_value_changed_leaves_every_other_byte(path: str, literal: str, before: bytes, after: bytes) -> None:
    document = Document(SAVE)
    assert put(document, path, literal) == SAVE.replace(before, after)
    document.undo()
    assert saved(document) == SAVE


def test_what_is_put_in_stands_as_its_neighbours_do() -> None:
    document = Document(b'{\n  "a": [\n    1,\n    2\n  ]\n}')
    document.apply(insert(document, Slot(0, 2, 2), [written_fragment(document, "3.0")]))
    assert saved(document) == b'{\n  "a": [\n    1,\n    2,\n    3\n  ]\n}'


def test_what_json_cannot_hold_is_not_saved_and_said() -> None:
    document = Document(SAVE)
    document.apply(set_literal(document, parse_path(document, "[0].hp"), "nan"))
    assert any(found.code is Code.TEXT_CANNOT and "NaN" in found.message for found in document.findings.all())
    with pytest.raises(FileProblem):
        document.to_be_written()
    document.undo()
    assert saved(document) == SAVE


def test_what_cannot_be_read_stays_while_the_rest_is_edited() -> None:
    broken = SAVE.replace(b"null", b"None").replace(b"],\n", b"]\n")
    document = Document(broken)
    assert put(document, "[0].hp", "1.0") == broken.replace(b"12", b"1")


def test_it_is_searched_like_everything_else() -> None:
    document = Document(SAVE)
    hits = [hit for step in steps(document, parse_query("Bob", False)) for hit in step.hits]
    assert [SAVE[(place := document.place(hit.span)).start : place.end] for hit in hits] == [b'"Bob"']


# What is wrong


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        (b'{"a": 1\n "b": 2}', "Line 2, column 2 (byte 9)", "A comma is missing"),
        (b'{"a": 1, "b: 2}\n', "Line 1, column 10 (byte 9)", "quote"),
        (b'{"a": [1, 2}', "Line 1, column 12 (byte 11)", "“]” is missing"),
        (b'{"a": {"b": [1, 2]}', "Line 1, column 20 (byte 19)", "“}” is missing"),
        ('{"a": 1, “b”: 2}'.encode(), "Line 1, column 10 (byte 9)", "straight double quotes"),
        (b"{\"a\": 1, 'b': 2}", "Line 1, column 10 (byte 9)", "straight double quotes"),
        (b'{"a": 1, // all\n "b": 2}', "Line 1, column 10 (byte 9)", "no comments"),
        (b'{"a": 1, "c": 3, "b": True}', "Line 1, column 23 (byte 22)", "“True” is written “true”"),
        (b'{"a": 1, "b": 1,5, "c": 1}', "Line 1, column 17 (byte 16)", "decimal point"),
        (b'{"a": 1, b: 2, "c": 3}', "Line 1, column 10 (byte 9)", "double quotes"),
        (b'{"a": "x\\qy", "b": 2}', "Line 1, column 9 (byte 8)", "escape"),
        (b'{"a": 1, "b": 2} }', "Line 1, column 18 (byte 17)", "more follows"),
        (b'{"a": 1,, "b": 2}', "Line 1, column 9 (byte 8)", "before this comma"),
    ],
)
def test_a_mistake_is_told_with_its_line_column_and_byte(text: bytes, place: str, why: str) -> None:
    sentences = told(text)
    assert sentences
    assert place in sentences[0]
    assert why in sentences[0]


def test_what_is_not_utf8_is_an_error_and_can_be_written_anew() -> None:
    text = b'{"a": "M\xe4rz", "b": 2}'
    assert "not UTF-8" in told(text)[0]
    assert put(Document(text), "[0].a", '"April"') == b'{"a": "April", "b": 2}'


def test_behind_a_mistake_the_rest_is_read() -> None:
    document = Document(b'{"a": 1, "b": oops, "c": [2, nope, 3], "d": {"e": 4}}')
    assert of_document(document) == [of_json({"a": 1, "c": [2, 3], "d": {"e": 4}})]


BLANKS = st.sampled_from(["", " ", "\n", "\t", "\r\n", "  \n  "])
TEXTS = st.text(max_size=8).filter(lambda text: "\0" not in text and text.isprintable())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-10000, 10000) | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def written(value: Any, draw: random.Random, blanks: list[str]) -> str:
    """JSON with odd white space."""

    def gap() -> str:
        return draw.choice(blanks)

    if isinstance(value, dict):
        pairs = (f"{gap()}{json.dumps(key)}{gap()}:{written(inner, draw, blanks)}" for key, inner in value.items())
        return f"{gap()}{{{','.join(pairs)}{gap()}}}{gap()}"
    if isinstance(value, list):
        return f"{gap()}[{','.join(written(inner, draw, blanks) for inner in value)}{gap()}]{gap()}"
    return gap() + json.dumps(value, ensure_ascii=draw.random() < 0.5) + gap()


@settings(max_examples=60, deadline=None)
@given(st.lists(VALUES, min_size=3, max_size=5), st.integers(0, 1 << 30), st.lists(BLANKS, min_size=1, max_size=3))
def test_any_json_is_read_and_saved_as_it_is(value: list[Any], seed: int, blanks: list[str]) -> None:
    value = ["a list of bare numbers may be bytes", *value]
    text = written(value, random.Random(seed), blanks).strip().encode()
    document = Document(text)
    assert document.wraps.names == ("json",)
    assert of_document(document) == [of_json(json.loads(text, parse_float=engine_float))]
    assert not told(text)
    assert saved(document) == text
    document.apply(delete(document, [parse_path(document, "[0][1]")]))
    assert json.loads(saved(document)) == [value[0], *value[2:]]


def test_whatever_happens_to_it_there_is_a_place_and_no_exception() -> None:
    draw = random.Random(5)
    cases = [SAVE[:cut] for cut in range(len(SAVE))]
    for _ in range(400):
        raw = bytearray(SAVE)
        for _ in range(draw.randint(1, 3)):
            raw[draw.randrange(len(raw))] = draw.choice(b'{}[]",:\\ \n\t019azTN#\xc3\xff')
        cases.append(bytes(raw))
    for case in cases:
        document = Document(case)
        if "json" not in document.wraps.names:
            continue
        assert saved(document) == case
        try:
            json.loads(case, strict=False)
            continue
        except ValueError:
            pass
        for sentence in told(case):
            assert re.match(r"Line \d+, column \d+ \(byte \d+\): [A-Z“\\].*[.]$", sentence), sentence


def test_where_a_pair_is_expected_one_is_shown() -> None:
    document = Document(b'{"a": 1,\n 12 34,\n "b": 2}\n')
    assert [found.message for found in document.findings.known()] == [
        'Line 2, column 2 (byte 10): A pair such as "key": value is expected here.'
    ]
