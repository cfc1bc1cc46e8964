"""Where a person is in a document: on items, at bytes, and again where they were."""

from __future__ import annotations

import corpus
import pytest

from viewer.base.diagnostic import Diagnostic
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.findings import next_finding
from viewer.document.path import PathError, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.selection import SelectionAnchor, SelectionState
from viewer.document.splice import EditFocus
from viewer.variant.dialect import load
from viewer.variant.items import Item

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"
GOLD, NAME = "[0].player.gold", "[0].player.name"


@pytest.fixture
def document() -> Document:
    return Document(RPG.read_bytes())


def on(document: Document, path: str) -> SelectionState:
    return SelectionState().on(document, parse_path(document, path))


def start(document: Document, path: str) -> int:
    return on(document, path).caret


def test_on_an_item_the_caret_stands_on_its_first_byte(document: Document) -> None:
    item = parse_path(document, GOLD)
    frame = document.frames[0]
    assert (on(document, GOLD).item, on(document, GOLD).caret) == (item, frame.start + frame.table.start[item.node])


def test_the_caret_stays_inside_the_item_that_is_selected_already(document: Document) -> None:
    there = on(document, NAME)
    inside = SelectionState(there.item, there.caret + 6, None, there.anchor)
    assert inside.on(document, parse_path(document, NAME)).caret == there.caret + 6
    assert inside.on(document, parse_path(document, GOLD)).caret == start(document, GOLD)


@pytest.mark.parametrize(("offset", "caret"), [(-5, 0), (1 << 40, len(RPG.read_bytes()))])
def test_an_offset_outside_the_bytes_is_brought_in(document: Document, offset: int, caret: int) -> None:
    assert SelectionState().at(document, offset).caret == caret


def test_while_the_bytes_are_read_the_caret_moves_and_the_item_stays() -> None:
    document = Document(RPG.read_bytes(), patience=0)
    here = SelectionState(Item(0, 3), 40, None, SelectionAnchor("[0].a", 40))
    there = here.at(document, 100, Span(100, 104))
    assert there == SelectionState(Item(0, 3), 100, Span(100, 104), SelectionAnchor(), here.places)
    assert here.at(document, 40).anchor == here.anchor


def test_the_same_value_is_found_where_another_became_longer(document: Document) -> None:
    here = on(document, GOLD)
    change = document.apply(set_literal(document, parse_path(document, NAME), '"Somebody with a longer name"'))
    there = here.again(document, here.anchor.after(change.splices), here.caret)
    assert there is not None
    assert there.anchor.path == GOLD


def test_without_an_anchor_the_first_value_is_found_at_the_very_beginning_only(document: Document) -> None:
    there = SelectionState().again(document, SelectionAnchor(), 0)
    assert there is not None
    assert there.item == Item(0, 0)
    assert SelectionState().again(document, SelectionAnchor(), 40) is None


def test_a_value_is_gone_where_another_reading_has_a_frame_without_bytes_there() -> None:
    document = Document(bytes(4), choice=ReadOptions(framing=FramingKind.BARE))
    here = SelectionState().on(document, Item(0, 0))
    document.read_as(ReadOptions(framing=FramingKind.STORED))
    assert [len(frame.cut.payload) for frame in document.frames] == [0]
    assert here.again(document, here.anchor, here.caret) is None
    with pytest.raises(PathError, match="holds no bytes"):
        parse_path(document, "[0]")


def test_the_span_of_a_part_is_that_of_its_value(document: Document) -> None:
    item = parse_path(document, NAME)
    of_part = SelectionState(Item(item.frame, item.node, "header")).value_span(document)
    assert of_part == SelectionState(item).value_span(document)
    for gone in (Item(9, 9), Item(0, len(document.frames[0].table))):
        assert SelectionState(gone).value_span(document) is None


def test_the_span_of_a_part_of_an_element_is_that_of_the_element() -> None:
    raw = bytes.fromhex("18000000 02000000") + bytes(16)  # a PoolVector2Array of two
    document = Document(raw, choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE))
    here = SelectionState(Item(0, 0, "[1].x"))
    assert here.value_span(document) == SelectionState(Item(0, 0, "[1]")).value_span(document) == Span(16, 24)
    assert SelectionState(Item(0, 0, "count")).value_span(document) == Span(0, 24)


def test_the_span_of_bytes_inside_a_value_that_no_value_claims_is_theirs() -> None:
    raw = RPG.read_bytes()
    at = raw.index(b"inventory") + 400
    document = Document(raw[:at] + b"\xe7" * 60 + raw[at + 60 :])
    gap = outline.item_at(document, at + 8)
    assert gap is not None
    assert outline.is_gap(gap)
    assert gap.node >= 0
    assert SelectionState(gap).value_span(document) == outline.span(document, gap)
    assert outline.span(document, gap) != outline.span(document, Item(gap.frame, gap.node))


def test_a_key_begins_where_the_row_of_its_value_does(document: Document) -> None:
    at_key = SelectionState().at(document, start(document, GOLD) - 1)
    assert at_key.item != parse_path(document, GOLD)
    assert at_key.row_start(document) == start(document, GOLD)


def test_taking_an_edit_back_selects_what_was_selected_first() -> None:
    assert EditFocus((8, 16, 24), (40,)).leaving(16) == EditFocus((16, 8, 24), (40,))
    assert EditFocus((8, 16), (40,)).leaving(32) == EditFocus((32,), (40,))


def test_findings_are_stepped_through_around_the_end() -> None:
    one = bytes.fromhex("01000000 02000000")
    document = Document(one * 3)
    found = document.findings.all()
    starts = [d.span.start for d in found]

    def place(found: Diagnostic) -> Span:
        return found.span

    assert len(starts) >= 2
    assert next_finding(found, starts[0], 1, place).span.start == starts[1]
    assert next_finding(found, starts[-1], 1, place) is found[0]
    assert next_finding(found, starts[0], -1, place) is found[-1]
