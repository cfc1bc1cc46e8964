"""What is said of a text while it is typed, beyond whether it fits."""

from __future__ import annotations

import corpus
import pytest

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.cell_text import cell_text
from viewer.document.path import parse_path
from viewer.document.viewmodel.verdict import TWICE, Verdict, judge_cell
from viewer.variant.items import Item

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def document() -> Document:
    return Document.open(RPG)


def on_key(document: Document, typed: str) -> Verdict:
    """The verdict on another name for the key of the gold."""
    gold = parse_path(document, "[0].player.gold")
    key = outline.key_of(document.frames[gold.frame].table, gold.node)
    assert key is not None
    item = Item(gold.frame, key)
    return judge_cell(document, item, cell_text(document, item), typed)


def test_a_key_that_is_there_already_can_be_written_and_is_doubtful(document: Document) -> None:
    found = on_key(document, "name")
    assert (found.ok, found.is_doubtful, found.detail, found.fix) == (True, True, TWICE, None)


@pytest.mark.parametrize("typed", ["gold", "names", "nam"])
def test_a_key_that_stands_there_once_is_not(document: Document, typed: str) -> None:
    assert not on_key(document, typed).is_doubtful


def test_of_a_key_that_is_typed_the_words_are_about_the_key(document: Document) -> None:
    assert on_key(document, "gold").title == "The same key as now"
    assert on_key(document, "coins").title == "Valid key, 5 characters in 5 bytes"
    gold = parse_path(document, "[0].player.gold")
    assert judge_cell(document, gold, cell_text(document, gold), "1 + 0 * 3").title != "The same key as now"


def test_what_cannot_be_written_says_in_one_line_what_can(document: Document) -> None:
    gold = parse_path(document, "[0].player.gold")
    assert judge_cell(document, gold, cell_text(document, gold), "abc").why_not == "“abc” is not an int, such as 12."
    assert not judge_cell(document, gold, cell_text(document, gold), "7").why_not


@pytest.mark.parametrize(
    ("typed", "breaks", "fix"),
    [("a\nb", "1 line break", "a b"), ("sword\npotion\n", "2 line breaks", "sword potion"), ("\n", "1 line break", "")],
)
def test_line_breaks_that_the_field_cannot_show_are_told(document: Document, typed: str, breaks: str, fix: str) -> None:
    item = parse_path(document, "[0].game")
    found = judge_cell(document, item, cell_text(document, item), typed)
    assert found.ok
    assert found.detail == f"It has {breaks}, which the field shows as blanks."
    assert found.fix == fix


def test_a_text_of_one_line_has_its_size_told(document: Document) -> None:
    item = parse_path(document, "[0].game")
    assert "than now" in judge_cell(document, item, cell_text(document, item), "Bob").detail
