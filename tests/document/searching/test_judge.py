"""A sweep finds the same nodes as a look from the root."""

from __future__ import annotations

import struct

import corpus
import pytest

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.searching.judge import NodeSweep, TextFinder, text_span
from viewer.variant.dialect import load
from viewer.variant.scan import scan

MOST = 20_000
SAVED = [*corpus.files("godot3"), *corpus.files("godot4")]
RPG = next(file.path for file in SAVED if file.path.name == "rpg.save")


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: saved.path.name)
def test_every_byte_is_in_the_node_that_a_look_from_the_root_finds(saved: corpus.SavedFile) -> None:
    for frame in Document.open(saved.path).frames:
        table, sweep = frame.table, NodeSweep(frame.table)
        for offset in range(min(table.end_of_data, MOST)):
            place = sweep.at(offset)
            assert (place.node, place.is_key) == (table.at(offset), outline.is_key(table, place.node))
            assert place.is_name == table.is_name(place.node)
            assert offset < place.until


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_texts_lie_where_a_look_at_each_node_finds_them(engine: corpus.Engine) -> None:
    for row in (*corpus.vectors(engine.folder), *corpus.malformed(engine.folder)):
        table = scan(corpus.vector_bytes(row) if "cases" in row else bytes.fromhex(row["hex"]), load(engine.dialect))
        sweep, texts = NodeSweep(table), TextFinder(table)
        for offset in range(min(table.end_of_data, MOST // 10)):
            place, text = sweep.at(offset), text_span(table, table.at(offset))
            begin, end = texts.at(place)
            assert (offset in Span(begin, end)) == (offset in text), (row, offset)
            assert offset not in text or (begin, min(end, place.until)) == (text.start, text.end)


def test_far_nodes_are_found_as_well_as_near_ones() -> None:
    table = scan(struct.pack("<II", 19, 400) + struct.pack("<II", 2, 7) * 400, load("godot3"))
    for step in (1, 2, 3, 4, 5, 9, 100):
        sweep = NodeSweep(table)
        assert [sweep.at(8 + 8 * k).node for k in range(0, 400, step)] == [*range(1, 401, step)]


def test_a_node_holds_all_bytes_up_to_where_the_sweep_says() -> None:
    table = Document.open(RPG).frames[0].table
    sweep = NodeSweep(table)
    for offset in range(0, min(table.end_of_data, MOST), 4):
        place = sweep.at(offset)
        assert table.at(place.until - 1) == place.node


def test_a_lower_offset_is_found_too() -> None:
    table = Document.open(RPG).frames[0].table
    sweep = NodeSweep(table)
    sweep.at(table.end_of_data - 1)
    assert [sweep.at(offset).node for offset in (0, 8, 40, 4)] == [table.at(offset) for offset in (0, 8, 40, 4)]


def test_no_node_holds_what_lies_outside() -> None:
    table = Document.open(RPG).frames[0].table
    with pytest.raises(IndexError):
        NodeSweep(table).at(table.end_of_data)
