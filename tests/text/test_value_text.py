"""What ``var_to_str`` writes, alone in a file: it is known however long it is, and though JSON looks so too."""

from __future__ import annotations

import pytest
from engine4 import Godot

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import delete, insert
from viewer.document.path import parse_path
from viewer.text.engine_codec import VALUES
from viewer.text.engine_parser import EngineTextParser
from viewer.text.text_wrap import SAMPLE
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

PLAIN = (
    b'{\n"big": 9007199254740993,\n"hp": 12,\n"name": "a,b\n\tc",\n"seen": [1, 2]\n}',
    b'[{\n"hp": 1\n}, {\n"hp": 2.5\n}]',
    b'{\n"\x01": 1\n}',
    b'{\n"inner": {\n"a": null\n},\n"none": {}\n}',
)
"""Of what JSON has, too, as Godot 4 writes it."""
JSON = (
    b'{"hp":12,"seen":[1,2]}',
    b'{\n"hp": 12,\n"seen": [\n1,\n2\n]\n}',
    b'{\n\t"hp": 12\n}',
    b'{\r\n"hp": 12\r\n}',
    b'{\n"hp":12\n}',
    b"[1, 2]",
    b'{}\n{\n\t"hp": 1\n}\n',
)
"""What no engine writes so."""
LONG = [
    "[" + ", ".join(f'{{\n"at": Vector2({number}, 1),\n"n": {number}\n}}' for number in range(5000)) + "]",
    "PackedInt32Array(" + ", ".join(map(str, range(30000))) + ")",
    '{\n"name": &"x",\n"text": "' + "abc " * 30000 + '"\n}',
]
"""Longer than what tells other texts by their beginning; as Godot 4 writes them."""


def shown(document: Document) -> str:
    return format_literal(read(document.frames[0].table, 0), document.dialect)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_values_keep_their_types(text: bytes) -> None:
    document = Document(text)
    assert document.wraps.names == ("engine-value",)
    assert document.findings.all() == []
    assert shown(Document(text + b"\n")) == shown(document)


def test_a_large_int_is_no_float() -> None:
    document = Document(PLAIN[0])
    assert '"big": 9007199254740993,' in shown(document)
    document.apply(set_literal(document, parse_path(document, "[0].big"), "9007199254740995"))
    assert bytes(document.to_be_written()[:]) == PLAIN[0].replace(b"0993", b"0995")


@pytest.mark.parametrize("text", ["[Vector2(1, 2), 9223372036854775808]", '[&"a", "\\u0000"]\n'])
def test_what_engines_read_otherwise_does_not_hide_the_value(text: str) -> None:
    document = Document(text.encode())
    assert document.wraps.names == ("engine-value",)
    assert [found.code for found in document.findings.all()] == [Code.TEXT_SLIP]


@pytest.mark.parametrize("text", ["Vector2(1, 2) x", "Color(1, 0, 0, 1) = red\n"])
def test_what_goes_on_behind_a_value_is_none(text: str) -> None:
    assert Document(text.encode()).wraps.names != ("engine-value",)


@pytest.mark.parametrize("text", JSON)
def test_json_is_json(text: bytes) -> None:
    assert Document(text).wraps.names == ("json",)


@pytest.mark.parametrize("text", LONG, ids=["dictionaries", "numbers", "text"])
def test_a_long_value_is_read_to_its_end(text: str) -> None:
    assert len(text) > SAMPLE
    document = Document(text.encode())
    assert document.wraps.names == ("engine-value",)
    assert document.findings.all() == []


@pytest.mark.parametrize("text", LONG, ids=["dictionaries", "numbers", "text"])
def test_of_a_long_text_that_ends_without_a_bracket_the_end_is_enough(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[int]()
    monkeypatch.setattr(EngineTextParser, "read_value", lambda parser: read.append(1))
    assert not VALUES.probe(text.encode()[:-3])
    assert not VALUES.probe(text.encode() + b"\nx\n\n")
    assert not read


@pytest.mark.engine4
def test_godot4_writes_them_so(godot4: Godot) -> None:
    texts = [*(text.decode() for text in PLAIN), *LONG]
    answers = godot4.texts(texts)
    assert [answer.values[0].text for answer in answers] == texts
    again = godot4.texts(shown(Document(text.encode())) for text in texts)
    assert [answer.values[0].data for answer in again] == [answer.values[0].data for answer in answers]


SEVERAL = [
    b"Vector2(1, 2)\n[1, 2]\n5\n",
    b'{\n"hp": 1\n}\nVector2(3, 4)\n"last"\n',
    b'"Bob"\n12\nColor(1, 0, 0, 1)\ntrue\n',
    b'{\n"a": Vector2(1, 1)\n}\r\n{\n"a": null\n}\r\n',
    b"[RID()]\n[1]\n",
    b'{}\n{\n"hp": 1\n}\n[]\n',
    b'[1, 2]\n{\n"hp": 1.5\n}\ntrue\n',
]
"""Several calls of ``store_line(var_to_str(value))``."""


@pytest.mark.parametrize("text", SEVERAL)
def test_several_values_each_from_a_line_of_its_own_on_are_all_read(text: bytes) -> None:
    document = Document(text)
    assert document.wraps.names == ("engine-value",)
    assert document.findings.all() == []
    assert len(document.frames) > 1
    assert bytes(document.to_be_written()[:]) == text


def test_each_of_them_is_changed_added_and_taken_away_by_itself() -> None:
    document = Document(SEVERAL[0])
    assert [read(frame.table, 0).type for frame in document.frames] == ["Vector2", "Array", "int"]
    document.apply(set_literal(document, parse_path(document, "[1][0]"), "7"))
    document.apply(set_literal(document, parse_path(document, "[2]"), "6"))
    assert bytes(document.to_be_written()[:]) == b"Vector2(1, 2)\n[7, 2]\n6\n"
    document.apply(insert(document, Slot(-1, -1, 3), [written(document, '"new"')]))
    document.apply(insert(document, Slot(-1, -1, 0), [written(document, "true")]))
    assert bytes(document.to_be_written()[:]) == b'true\nVector2(1, 2)\n[7, 2]\n6\n"new"\n'
    document.apply(delete(document, [parse_path(document, "[1]")]))
    document.apply(delete(document, [parse_path(document, "[3]")]))
    assert bytes(document.to_be_written()[:]) == b"true\n[7, 2]\n6\n"


@pytest.mark.engine4
def test_godot4_reads_each_line_of_them_by_itself(godot4: Godot) -> None:
    lines = SEVERAL[0].decode().splitlines()
    document = Document(SEVERAL[0])
    found = [answer.values[0].data for answer in godot4.texts(lines)]
    literals = [format_literal(read(frame.table, 0), document.dialect) for frame in document.frames]
    assert found == [answer.values[0].data for answer in godot4.texts(literals)]


@pytest.mark.parametrize(
    "text",
    [
        b"Vector2(1, 2)\nx\n",
        b"Vector2(1, 2) [1]\n",
        b"12\n[a]\n",
        b"12 [1]\n[2]\n",
        b'"a" "b"\n[1]\n',
        b"5\n6\n",
        b"true\nVector2(1, 2)\nx=5\n",
    ],
)
def test_other_lines_are_none(text: bytes) -> None:
    assert Document(text).wraps.names != ("engine-value",)
