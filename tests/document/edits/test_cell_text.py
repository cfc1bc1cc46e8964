"""What stands in a cell while it is edited, and what typed text becomes."""

from __future__ import annotations

import pytest

from viewer.document.document import Document
from viewer.document.edits.cell_text import cell_text, is_one_line
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.verdict import AS_TEXT, QUOTED, judge_cell
from viewer.variant import dialect as dialects
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

LINES = r"""{
"name": "Bob \"the\" Elk", "id": &"goat", "gold": 100, "luck": 0.5, "none": null, "story": "a\nb", "at": Vector2(1, 2)
}"""


@pytest.fixture
def document() -> Document:
    godot4 = dialects.load("godot4")
    return Document(encode(parse_literal(LINES, godot4), godot4), choice=ReadOptions(dialects.load("godot4")))


def typed(document: Document, path: str, text: str) -> str:
    """The literal of a value after something was typed over it."""
    item = parse_path(document, path)
    document.apply(set_literal(document, item, cell_text(document, item).literal(text)))
    table = document.frames[0].table
    return format_literal(read(table, parse_path(document, path).node), document.dialect)


def test_a_text_stands_there_without_quotes(document: Document) -> None:
    assert cell_text(document, parse_path(document, "[0].name")).text == 'Bob "the" Elk'
    assert cell_text(document, parse_path(document, "[0].id")).text == "goat"


@pytest.mark.parametrize("text", ["Bob", "", "5", "null", 'a "b"', "back\\slash", "Zoë 🐐"])
def test_a_text_is_typed_as_it_is(document: Document, text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    assert typed(document, "[0].name", text) == f'"{quoted}"'


def test_a_name_keeps_its_type(document: Document) -> None:
    assert typed(document, "[0].id", "two words") == '&"two words"'


def test_a_text_with_lines_is_no_text_for_one_line(document: Document) -> None:
    assert not is_one_line(document, parse_path(document, "[0].story"))
    assert is_one_line(document, parse_path(document, "[0].name"))
    assert cell_text(document, parse_path(document, "[0].story")).text == '"a\\nb"'


@pytest.mark.parametrize(
    ("text", "written"), [("+5", "105"), ("*2", "200"), ("1e3", "1000"), ("0x1F", "31"), ("-5", "-5"), ("(1+2)*3", "9")]
)
def test_a_whole_number_is_counted_out(document: Document, text: str, written: str) -> None:
    assert typed(document, "[0].gold", text) == written


@pytest.mark.parametrize(
    ("text", "written"), [("+0.25", "0.75"), ("/2", "0.25"), ("1e-3", "0.001"), ("0.1+0.2", "0.3")]
)
def test_a_float_is_counted_out(document: Document, text: str, written: str) -> None:
    assert typed(document, "[0].luck", text) == written


def test_a_component_is_counted_out(document: Document) -> None:
    item = parse_path(document, "[0].at.x")
    assert cell_text(document, item).literal("+4") == "5"


def test_a_fraction_is_not_written_where_a_whole_number_belongs(document: Document) -> None:
    item = parse_path(document, "[0].gold")
    with pytest.raises(EditError, match=r"is 33\.3333") as found:
        cell_text(document, item).literal("/3")
    assert found.value.fix == "33"


def verdict(document: Document, path: str, text: str) -> tuple[bool, str, str | None, str]:
    item = parse_path(document, path)
    found = judge_cell(document, item, cell_text(document, item), text)
    return found.ok, found.title, found.fix, found.fix_label


def test_the_verdict_says_what_arithmetic_comes_to(document: Document) -> None:
    assert verdict(document, "[0].gold", "+5")[:2] == (True, "+5 is 105")
    ok, title, fix, _ = verdict(document, "[0].gold", "/3")
    assert (ok, fix) == (False, "33")
    assert title.startswith("/3 is 33.3")


def test_a_word_where_any_type_may_stand_is_offered_as_a_text(document: Document) -> None:
    assert verdict(document, "[0].none", "Bob")[2:] == ('"Bob"', AS_TEXT)
    assert verdict(document, "[0].none", "5")[:1] == (True,)


def test_typed_quotes_are_written_and_that_is_said(document: Document) -> None:
    item = parse_path(document, "[0].name")
    found = judge_cell(document, item, cell_text(document, item), '"Bob"')
    assert (found.ok, found.detail, found.fix) == (True, QUOTED, "Bob")


def test_what_is_no_value_has_no_text(document: Document) -> None:
    with pytest.raises(EditError):
        cell_text(document, Item(-1, -1))


def test_of_a_text_no_bytes_are_told_that_are_none_of_the_file() -> None:
    text = Document(b'{"name": "Ada", "gold": 1}')
    item = parse_path(text, "[0].name")
    found = judge_cell(text, item, cell_text(text, item), "Bob Ross")
    assert (found.title, found.detail, found.in_text) == ("Valid String, 8 characters", "", True)
    binary = Document(bytes.fromhex("0400000003000000 41646100"))
    item = parse_path(binary, "[0]")
    found = judge_cell(binary, item, cell_text(binary, item), "Bob")
    assert (found.title, found.in_text) == ("Valid String, 3 characters in 3 bytes", False)
