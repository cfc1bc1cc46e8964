"""Floats that no spelling is read as: an edit writes the one next to it, the tree shows what engines will read."""

from __future__ import annotations

import json
import random
import re

import engine
import pytest
from engine4 import Godot
from text.plain_values import of_document, of_godot3, of_godot4

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.text_limits import check_typed
from viewer.document.export.converting import JSON, converted
from viewer.document.nested.nested_document import open_nested
from viewer.document.path import parse_path
from viewer.document.viewmodel.verdict import judge
from viewer.text.float_spelling import engine_float, is_misread, lost, readable
from viewer.text.patching import misread_floats
from viewer.variant.dialect import load, load_text_values
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Value

MISREAD = 0.9598675916129511
READ = 0.959867591612951
NEIGHBOURS = ("0.9598675916129511", "0.40296206595566275", "-2.2250738585072014e-308", "1.234e-307")
TEXTS = {
    "json": b'{"a": 1.5, "b": [2.5, "x"]}\n',
    "lines": b'{"a": 1.5}\n{"b": [2.5]}\n',
    "settings": b'[s]\n\na=1.5\nb=[ 2.5, "x" ]\n',
    "resource": b'[gd_resource type="Resource" format=3]\n\n[resource]\na = 1.5\nb = PackedFloat64Array(2.5, 1.5)\n',
}
ALL = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


def float_of(document: Document) -> Item:
    """The first number."""
    for number, frame in enumerate(document.frames):
        for node in range(len(frame.table)):
            row = frame.table.row(node)
            if row is not None and row.name == "float":
                return Item(number, node)
    raise AssertionError


def number_in(document: Document) -> object:
    item = float_of(document)
    return read(document.frames[item.frame].table, item.node).data


@ALL
@pytest.mark.parametrize("typed", NEIGHBOURS)
def test_the_tree_shows_what_is_read_and_nothing_else_changes(text: bytes, typed: str) -> None:
    document = Document(text)
    edit = set_literal(document, float_of(document), typed)
    check_typed(document, edit)
    assert not document.refusal(edit)
    document.apply(edit)
    assert number_in(document) == readable(float(typed)) != float(typed)
    assert not document.text_problem
    saved = bytes(document.to_be_written()[:])
    start, end = text.index(b"1.5"), len(text) - text.index(b"1.5") - len(b"1.5")
    assert (saved[:start], saved[len(saved) - end :]) == (text[:start], text[len(text) - end :])
    assert engine_float(saved[start : len(saved) - end].decode()) == number_in(document)
    again = Document(saved)
    assert bytes(again.buffer[:]) == bytes(document.buffer[:])
    document.undo()
    assert (bytes(document.to_be_written()[:]), number_in(document)) == (text, 1.5)
    document.redo()
    assert bytes(document.to_be_written()[:]) == saved


def test_an_element_of_a_packed_array_is_shown_as_it_is_read() -> None:
    document = Document(TEXTS["resource"])
    node = next(k for k in range(9) if (row := document.frames[0].table.row(k)) and row.name == "PackedFloat64Array")
    found = judge(document, Item(0, node, "[1]"), repr(MISREAD))
    assert (found.ok, found.detail) == (True, f"Godot reads {READ} here: no spelling of {MISREAD} is read exactly.")
    document.apply(set_literal(document, Item(0, node, "[1]"), repr(MISREAD)))
    assert read(document.frames[0].table, node).data == (2.5, READ)
    assert b"PackedFloat64Array(2.5, 0.95986" in bytes(document.to_be_written()[:])


@ALL
def test_it_is_said_while_it_is_typed(text: bytes) -> None:
    document = Document(text)
    found = judge(document, float_of(document), repr(MISREAD))
    assert (found.ok, found.detail) == (True, f"Godot reads {READ} here: no spelling of {MISREAD} is read exactly.")
    assert judge(document, float_of(document), "0.25").detail == ""
    binary = Document(bytes.fromhex("0300010000000000000000f03f"[:8] + "000000000000f03f"))
    assert "Godot reads" not in judge(binary, Item(0, 0), repr(MISREAD)).detail


def test_two_of_them_and_a_damaged_neighbour_are_written_at_once() -> None:
    document = Document(b'{"a": 1.5, "b": 2.5, "c": oops}')
    document.apply(set_literal(document, float_of(document), repr(MISREAD)))
    document.apply(set_literal(document, Item(0, 4), "2.25e-308"))
    assert document.refusal(set_literal(document, Item(0, 4), "1.5e-308")) == ""
    assert of_document(document) == of_document(Document(bytes(document.to_be_written()[:])))


def test_json_inside_of_a_text_is_written_so_too() -> None:
    document = Document(b'[s]\n\nt="{\\"a\\": 1.5, \\"b\\": [1, 2, 3]}"\n')
    table = document.frames[0].table
    item = Item(
        0, next(node for node in range(len(table)) if b'"a"' in repr(read(table, node).data).encode() and node > 3)
    )
    nested = open_nested(document, item)
    document.apply(nested.put_back(set_literal(nested.document, float_of(nested.document), repr(MISREAD))))
    assert number_in(open_nested(document, item).document) == READ


def test_only_floats_that_no_spelling_is_read_as_may_come_out_otherwise() -> None:
    dialect = load_text_values("json")

    def made(number: float, word: str) -> bytes:
        return bytes(Document(json.dumps([number, word]).encode()).buffer[:])

    meant = made(0.25, "x").replace(made(0.25, "x")[12:20], made(READ, "x")[12:20])
    assert misread_floats(meant, meant, dialect) == []
    assert misread_floats(meant, made(0.25, "x"), dialect) is None
    assert misread_floats(meant, made(READ, "y"), dialect) is None
    assert misread_floats(meant, made(READ, "xyzab"), dialect) is None


def edited(text: bytes, seed: int) -> tuple[bytes, object]:
    """A text in which a random number was set, and what it says then."""
    draw, document = random.Random(seed), Document(text)
    number = draw.random() * 10.0 ** draw.choice((0, 0, 3, -20, 40, -300))
    document.apply(set_literal(document, float_of(document), repr(number)))
    return bytes(document.to_be_written()[:]), of_document(document)[0]


EDITED = 150


@pytest.mark.engine
def test_godot3_reads_what_the_tree_shows() -> None:
    found = [edited(TEXTS["json"], seed) for seed in range(EDITED)]
    answers = engine.read_back([engine.Request(text, "json") for text, _ in found])
    assert [of_godot3(answer.value) for answer in answers] == [said for _, said in found]


@pytest.mark.engine4
def test_godot4_reads_what_the_tree_shows(godot4: Godot) -> None:
    for text, ask in ((TEXTS["json"], godot4.parsed), (TEXTS["settings"], godot4.settings)):
        found = [edited(text, seed) for seed in range(EDITED)]
        answers = ask([text for text, _ in found])
        assert [of_godot4(answer.values[0].data) for answer in answers] == [said for _, said in found]


def test_some_of_these_edits_write_such_floats() -> None:
    draws = [random.Random(seed) for seed in range(EDITED)]
    assert any(is_misread(draw.random() * 10.0 ** draw.choice((0, 0, 3, -20, 40, -300))) for draw in draws)


@pytest.mark.parametrize("number", [1e-308, -2e-308, 1.5e-300, 1.25e-290])
def test_a_small_number_that_engines_read_is_written(number: float) -> None:
    for text in (b'{"a":1.5,"b":2}', b"[a]\na=1.5\nb=2\n"):
        document = Document(text)
        place = "[0].a" if text[:1] == b"{" else "[0].a.a"
        document.apply(set_literal(document, parse_path(document, place), repr(number)))
        written = bytes(document.to_be_written()[:])
        assert engine_float(re.split(rb"[:=]", written)[1].split(b",")[0].split(b"\n")[0].decode()) == number


@pytest.mark.parametrize("number", [1e-320, 5e-324, -3e-310, 4.9e-309])
def test_a_number_too_small_for_a_text_is_refused(number: float) -> None:
    assert readable(number) == 0
    for text, place, literal in (
        (b'{"a":1.5,"b":2}', "[0].a", repr(number)),
        (b"[a]\na=1.5\nb=2\n", "[0].a.a", repr(number)),
        (b"[a]\na=[1.5]\nb=2\n", "[0].a.a", f"[[{number!r}]]"),
    ):
        document = Document(text)
        edit = set_literal(document, parse_path(document, place), literal)
        assert document.refusal(edit) == lost(number)
        with pytest.raises(EditError, match=f"engines read 0.0 from each spelling of {number!r}"):
            check_typed(document, edit)


def test_converted_to_json_it_is_told() -> None:
    document = Document(encode(Value("float", 1e-320), load("godot4")))
    found = converted(document, JSON)
    assert found.data.strip() in (b"0", b"0.0")
    assert found.lost == (lost(1e-320),)
