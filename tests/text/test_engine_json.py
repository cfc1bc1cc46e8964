"""JSON as the real engines read it: equal values, edits that they read, and errors where they refuse."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import engine
import pytest
from engine4 import Godot
from text.plain_values import of_document, of_godot3, of_godot4, of_json

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.outline import type_row
from viewer.variant.items import Item

WORDS = ("hp", "name", "items", "x", "ä", "a b", "日本", 'q"q', "back\\slash", "tab\t")
SAMPLES = (
    b'{"a": [1, 2.5, "x", null, true], "b": {}, "c": [], "n": 0}',
    b'\xef\xbb\xbf{"bom": true, "x": [0.125, -3], "y": 1e3}',
    b'[\n  {"id": 1, "tags": ["a", "b"]},\n  {"id": 2, "tags": []}\n]\n',
    b'{\r\n\t"crlf": "yes",\r\n\t"deep": {"er": {"est": [[[1]]]}}\r\n}',
    b'{"esc": "\\u00e9\\n\\t\\"\\\\ \\/", "u": "x", "s": "x"}',
)
PAIRED = b'{"pair": "\\ud83d\\ude00", "s": "x", "t": 1}'
"""Godot 3 leaves the halves of a pair by themselves."""
ODD = rb'{"zero": "a\u0000b", "\u0000": [-.5, -.25e1], "s": "x"}'
"""Godot 4 has no zeros in texts."""
TWICE = b'{"1":"one","2":[{"a":1},{"b":{"3":1,"3":2}}],"1":"uno"}'
"""What ``JSON.stringify`` of both engines makes of keys that are numbers and of the same as texts."""
BEHIND_A_KEY = (
    b'{"a": 1,\n"b":\n}',
    b'{"a": 1, "x": [1, 2],\n"b"\n:\n@}',
    b'{"a": 1, "x": [1, 2],\n"b"\n2}',
    b'{"a": 1, "b": [{"c":\n\n  True}]}',
)
"""Here the line of a key is right, and a later one is not."""


def made(draw: random.Random, depth: int = 0) -> Any:
    """A value of JSON whose numbers both engines read exactly."""
    choice = draw.randrange(4 if depth > 2 else 7)
    if choice == 0:
        return draw.randint(-1000, 1000)
    if choice == 1:
        return draw.randint(-800, 800) / 8
    if choice == 2:
        return draw.choice(WORDS)
    if choice == 3:
        return draw.choice([True, False, None])
    if choice == 4:
        return [made(draw, depth + 1) for _ in range(draw.randrange(4))]
    return {draw.choice(WORDS): made(draw, depth + 1) for _ in range(draw.randrange(4))}


def texts(seed: int, count: int) -> list[bytes]:
    draw = random.Random(seed)
    out = []
    while len(out) < count:
        value = {"first": made(draw), "second": [made(draw), 1], "third": made(draw)}
        indent = draw.choice([None, 1, 2, "\t"])
        text = json.dumps(value, indent=indent, ensure_ascii=draw.random() < 0.3)
        out.append((text + draw.choice(["", "\n"])).encode())
    return out


def set_somewhere(draw: random.Random, document: Document) -> None:
    """Change one number or text."""
    table = document.frames[0].table
    while True:
        item = Item(0, draw.randrange(1, len(table)))
        row = type_row(document, item)
        if row is not None and row.name == "float":
            document.apply(set_literal(document, item, str(draw.randint(-9, 9) + draw.choice([0.0, 0.5]))))
            return
        if row is not None and row.name == "bool":
            document.apply(set_literal(document, item, draw.choice(["true", "false"])))
            return


def broken(draw: random.Random, text: bytes) -> bytes:
    raw = bytearray(text)
    for _ in range(draw.randint(1, 2)):
        at = draw.randrange(len(raw))
        if draw.random() < 0.5:
            raw[at] = draw.choice(b'{}[]",:\\ \n019atn#')
        else:
            del raw[at]
    return bytes(raw)


def is_refused(text: bytes) -> bool:
    return any(found.code is Code.TEXT_BROKEN for found in Document(text).findings.all())


def line_of_first_error(text: bytes) -> int:
    """The line of the first error, from 0, as the engine counts."""
    document = Document(text)
    found = [each.facts["sentence"] for each in document.findings.all() if each.code is Code.TEXT_BROKEN]
    return int(str(found[0]).removeprefix("Line ").partition(",")[0]) - 1


def test_a_zero_in_a_text_is_told_and_a_point_may_follow_a_minus() -> None:
    document = Document(ODD)
    assert of_document(document) == of_document(Document('{"zero": "a�b", "�": [-0.5, -2.5], "s": "x"}'.encode()))
    slips = [str(each.facts["sentence"]) for each in document.findings.all() if each.code is Code.TEXT_SLIP]
    assert [each.partition(":")[0] for each in slips] == ["Line 1, column 12 (byte 11)", "Line 1, column 23 (byte 22)"]
    assert not is_refused(ODD)


def test_what_is_wrong_behind_a_key_is_told_where_it_stands() -> None:
    assert [line_of_first_error(text) for text in BEHIND_A_KEY] == [2, 3, 2, 2]


def test_a_key_that_stands_twice_is_told() -> None:
    document = Document(TWICE)
    found = [(document.place(each.span).start, each.code) for each in document.findings.all()]
    second, third = TWICE.rindex(b'"3"'), TWICE.rindex(b'"1"')
    assert found == [(second, Code.DUPLICATE_KEY), (third, Code.DUPLICATE_KEY)]


def test_nothing_else_is_told_of_what_engines_take() -> None:
    texts = ('{"mark": "\ufeffx", "": 1, " ": 2}', '["\ufeff", "\u00e9"]', '{"e": 1, "E": 2, "é": 3}')
    assert [Document(text.encode()).findings.all() for text in texts] == [[], [], []]


Ask = Callable[[list[bytes]], list[Any]]
REFUSED = object()


def ask4(godot: Godot) -> Ask:
    return lambda asked: [
        REFUSED if answer.refused else of_godot4(answer.values[0].data) for answer in godot.parsed(asked)
    ]


def ask3(asked: list[bytes]) -> list[Any]:
    answers = engine.read_back([engine.Request(text, "json") for text in asked])
    return [REFUSED if answer.error or not answer.values else of_godot3(answer.value) for answer in answers]


def check_values(ask: Ask, *more: bytes) -> None:
    asked = [*SAMPLES, *more, *texts(1, 60)]
    for text, theirs in zip(asked, ask(asked), strict=True):
        assert of_document(Document(text)) == [theirs], text


def check_edits(ask: Ask) -> None:
    draw, edited, ours = random.Random(2), [], []
    for text in texts(3, 150):
        document = Document(text)
        set_somewhere(draw, document)
        edited.append(bytes(document.to_be_written()[:]))
        ours.append(of_document(document)[0])
    assert ask(edited) == ours


@pytest.mark.engine4
def test_godot4_reads_the_same_values(godot4: Godot) -> None:
    check_values(ask4(godot4), PAIRED, ODD)


@pytest.mark.engine4
def test_godot4_names_the_same_line_where_a_value_is_missing(godot4: Godot) -> None:
    assert [line_of_first_error(text) for text in BEHIND_A_KEY] == [2, 3, 2, 2]
    assert [answer.end for answer in godot4.parsed(BEHIND_A_KEY)] == [2, 3, 2, 2]


@pytest.mark.engine
def test_godot3_reads_the_same_values() -> None:
    check_values(ask3)


@pytest.mark.engine4
def test_godot4_keeps_the_last_of_equal_keys(godot4: Godot) -> None:
    assert ask4(godot4)([TWICE]) == [of_document(Document(b'{"1": "uno", "2": [{"a": 1}, {"b": {"3": 2}}]}'))[0]]


@pytest.mark.engine
def test_godot3_keeps_the_last_of_equal_keys() -> None:
    assert ask3([TWICE]) == of_document(Document(b'{"1": "uno", "2": [{"a": 1}, {"b": {"3": 2}}]}'))


@pytest.mark.engine4
def test_godot4_reads_what_was_edited(godot4: Godot) -> None:
    check_edits(ask4(godot4))


@pytest.mark.engine
def test_godot3_reads_what_was_edited() -> None:
    check_edits(ask3)


@pytest.mark.engine4
def test_where_godot4_refuses_there_is_an_error_and_nowhere_else(godot4: Godot) -> None:
    draw = random.Random(4)
    asked = [case for text in texts(5, 300) if "json" in Document(case := broken(draw, text)).wraps.names]
    wrong = [
        text for text, theirs in zip(asked, ask4(godot4)(asked), strict=True) if (theirs is REFUSED) != is_refused(text)
    ]
    assert len(wrong) <= len(asked) // 50, wrong


def test_python_reads_the_same_values() -> None:
    for text in texts(6, 40):
        assert of_document(Document(text)) == [of_json(json.loads(text))]
