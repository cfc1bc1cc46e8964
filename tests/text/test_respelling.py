"""What is known of a text in which single values were changed, without reading it, is what reading it says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from text.engine_texts import CONFIGS, OTHERS, files

from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.outline import is_key, type_row
from viewer.document.path import parse_path
from viewer.text import source_map
from viewer.text.source_map import SourceMap
from viewer.text.text_wrap import ReadText
from viewer.variant.items import Item

ALL = [path for line in ("godot3", "godot4") for path in files(line, ".tres", ".tscn", ".cfg", ".godot", ".import")]
TYPED = (
    *(bytes((sign,)) for sign in b'5.-e"x \n,]}\\;=:'), b"", b"12", b"true", b"null", b"[]", b'"y"', "é".encode(),
)  # fmt: skip
HEAD = b'[gd_resource type="Resource" format=2]\n[resource]\na='
NUMBERS = ("7", "-3.5", "1e+20", "0.1", "12345678901234567")


def known(document: Document) -> ReadText | None:
    """What is known of the changed text without reading it, where that is the same as reading it says."""
    last = document.wraps.around[-1]
    assert isinstance(last.form, ReadText)
    text, found = last.form.rewritten(bytes(document.buffer[:]))
    again = last.codec.unwrap(text, expected=bytes(document.buffer[:]))
    assert again.inside == bytes(document.buffer[:])
    assert isinstance(again.form, ReadText)
    if found is not None:
        assert columns(found.places) == columns(again.form.places)
        assert (found.label, found.outside, found.inside) == (again.form.label, text, again.inside)
        told = [(form.damages, form.slips, form.notes, form.scripts, form.comment) for form in (found, again.form)]
        assert told[0] == told[1]
    return found


def columns(places: SourceMap) -> list[list[int]]:
    return [list(column) for column in (places.inside, places.start, places.end, places.parent)]


def change_some(document: Document, dice: random.Random, most: int) -> list[bool]:
    """Set values one after another; whether each time what all of them made of the text was known."""
    out = []
    for _ in range(most):
        table = document.frames[0].table
        nodes = [node for node in range(1, len(table)) if not is_key(table, node) and not table.child_count(node)]
        node = dice.choice(nodes)
        row = type_row(document, Item(0, node))
        others = (*NUMBERS[:3], '"x"') if row is None else OTHERS.get(row.name, ("7", "null", '"new"'))
        try:
            document.apply(set_literal(document, Item(0, node), dice.choice(others)))
        except EditError:
            continue
        out.append(known(document) is not None)
    return out


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_values_of_engine_texts(path: Path) -> None:
    document = Document.open(path)
    assert document.text is not None
    found = change_some(document, random.Random(path.name), 5)
    if path.suffix in CONFIGS and not document.text.slips:
        assert all(found)


@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_values_of_json(indent: int | str | None) -> None:
    dice = random.Random(str(indent))
    for _ in range(12):
        value = {"a": [dice.random(), {"b": "é", "c": None}, [], [True, "x" * dice.randrange(9)]], "d": {"e": 5}}
        document = Document(json.dumps(value, indent=indent, ensure_ascii=False).encode())
        assert any(change_some(document, dice, 4))


@pytest.mark.parametrize(
    ("text", "path", "literal"),
    [
        (b'{"a": 1, "b": 12345678901234567}', "[0].a", "2.0"),  # of the other one a note is told, at its place
        (b'{"a": 1,, "b": 2}', "[0].b", "3.0"),
        (b'{"a": 1}\n{"a": 2}', "[0].a", "3.0"),
        (b"[a]\nx=1\n[b]\nscript/source=1\n[c]\nconfig_version=4\n", "[0].c.config_version", "5"),
    ],
)
def test_what_is_not_known_is_read(text: bytes, path: str, literal: str) -> None:
    document = Document(text)
    document.apply(set_literal(document, parse_path(document, path), literal))
    assert known(document) is None
    assert document.text is not None
    assert document.text.inside_of(0) == 0


def typed_over(text: bytes, dice: random.Random, places: SourceMap) -> bytes:
    """The text with some letters of it typed over, mostly in a value that holds no others."""
    singles = [number for number in range(1, len(places)) if places.is_single(number)]
    if singles and dice.random() < 0.8:
        span = places.span(dice.choice(singles))
        at = dice.randrange(span.start, span.end + 1)
    else:
        at = dice.randrange(len(text) + 1)
    gone = dice.choice((0, 0, 1, 1, 2, 5))
    fresh = dice.choice(TYPED)
    return text[:at] + fresh + text[at + gone :]


@pytest.mark.parametrize("path", ALL[::2], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_typed_in_engine_texts_is_read_as_all_of_it(path: Path) -> None:
    assert_typed(Document.open(path), random.Random(path.name), 12)


@pytest.mark.parametrize("indent", [None, 1])
def test_what_is_typed_in_json_is_read_as_all_of_it(indent: int | None) -> None:
    dice, known_ones = random.Random(str(indent)), 0
    for _ in range(25):
        value = {"a": [dice.random(), {"b": "é", "c": None}, [], [True, "x" * dice.randrange(9)]], "d": {"e": 5}}
        document = Document(json.dumps(value, indent=indent, ensure_ascii=False).encode())
        known_ones += assert_typed(document, dice, 12)
    assert known_ones > 10


def assert_typed(document: Document, dice: random.Random, most: int) -> int:
    """Type something, many times: what is known of it is what reading all of it says; how often it was known."""
    last = document.wraps.around[-1]
    form, count = last.form, 0
    assert isinstance(form, ReadText)
    for _ in range(most):
        text = typed_over(form.outside, dice, form.places)
        found = form.retyped(text)
        if found is None:
            continue
        count += 1
        again = last.codec.unwrap(text)
        assert found.inside == again.inside
        assert isinstance(found.form, ReadText)
        assert isinstance(again.form, ReadText)
        assert columns(found.form.places) == columns(again.form.places)
        told = [
            (made.label, made.outside, made.damages, made.slips, made.notes, made.scripts, made.comment, made.is_list)
            for made in (found.form, again.form)
        ]
        assert told[0] == told[1]
        for at in (0, len(text) // 2, len(text)):
            assert found.form.line_and_column(at) == again.form.line_and_column(at)
        form = found.form
    return count


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"5": 1}', b'{"55": 1}'),
        (b"[5]\na=1\n", b"[55]\na=1\n"),
        (b"[a]\n5=1\n", b"[a]\n55=1\n"),
        (b"[a]\n[b]\na=1\n", b"[a]5\n[b]\na=1\n"),
        (b"[a]\na={5: 1}\n", b"[a]\na={55: 1}\n"),
        (b"[a]\na=[]\n", b"[a]\na=[5]\n"),
        (b'[a]\na={"b" ;c\n: 1}\n', b'[a]\na={"bb" ;c\n: 1}\n'),
        (HEAD + b'"x"\n', HEAD + b"ExtResource( 1 )\n"),
    ],
)
def test_what_other_things_hang_on_is_read_whole(before: bytes, after: bytes) -> None:
    document = Document(before)
    form = document.wraps.around[-1].form
    assert isinstance(form, ReadText)
    assert form.retyped(after) is None


def test_what_is_typed_is_a_step_that_is_taken_back() -> None:
    document = Document(b'{"a": [1, 2], "b": "x"}')
    before = bytes(document.buffer[:])
    for text in (b'{"a": [1, 25], "b": "x"}', b'{"a": [1, 25], "b": "long"}', b'{"a": [1, 25], "b" : "long"}'):
        edit = text_written(document, text)
        assert edit is not None
        document.apply(edit)
        assert document.shown == text
        assert bytes(document.buffer[:]) == bytes(Document(text).buffer[:])
        assert [bytes(column) for column in (document.frames[0].table.start, document.frames[0].table.parent)] == [
            bytes(column) for column in (Document(text).frames[0].table.start, Document(text).frames[0].table.parent)
        ]
    document.apply(set_literal(document, parse_path(document, "[0].a[0]"), "7.5"))
    for _ in range(4):
        document.undo()
    assert bytes(document.buffer[:]) == before
    document.redo()
    assert document.shown == b'{"a": [1, 25], "b": "x"}'


def test_what_is_typed_after_it_is_read_from_there() -> None:
    document = Document(b'{"a": [1, 2], "b": "x"}')
    document.apply(set_literal(document, parse_path(document, "[0].a[0]"), "1000.5"))
    assert known(document) is not None
    typed = bytes(document.shown[:]).replace(b'"x"', b'"longer"')
    edit = text_written(document, typed)
    assert edit is not None
    document.apply(edit)
    assert bytes(document.to_be_written()[:]) == typed == b'{"a": [1000.5, 2], "b": "longer"}'
    document.undo()
    document.undo()
    assert bytes(document.to_be_written()[:]) == b'{"a": [1, 2], "b": "x"}'


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 64])
def test_places_are_moved_alike_however_many_at_once(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    text = json.dumps([{"a": k, "b": [k, str(k)]} for k in range(20)]).encode()
    form = Document(text).wraps.around[-1].form
    assert isinstance(form, ReadText)
    places = form.places
    changes = [(places.begun(text.index(b"7")), 4, 6), (places.begun(text.index(b'"15"')), -2, -1)]
    whole = columns(places.respelled(changes))
    monkeypatch.setattr(source_map, "AT_ONCE", at_once)
    assert columns(places.respelled(changes)) == whole
