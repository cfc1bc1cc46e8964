"""A sweep finds the same nodes as a look from the root."""

from __future__ import annotations

import corpus
import pytest

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.searching.judge import Sweep

MOST = 20_000
SAVED = [*corpus.files("godot3"), *corpus.files("godot4")]
RPG = next(file.path for file in SAVED if file.path.name == "rpg.save")


@pytest.mark.parametrize("saved", SAVED, ids=lambda saved: saved.path.name)
def test_every_byte_is_in_the_node_that_a_look_from_the_root_finds(saved: corpus.SavedFile) -> None:
    for frame in Document.open(saved.path).frames:
        table, sweep = frame.table, Sweep(frame.table)
        for offset in range(min(table.end_of_data, MOST)):
            place = sweep.at(offset)
            assert (place.node, place.is_key) == (table.at(offset), outline.is_key(table, place.node))
            assert offset < place.until


def test_a_node_holds_all_bytes_up_to_where_the_sweep_says() -> None:
    table = Document.open(RPG).frames[0].table
    sweep = Sweep(table)
    for offset in range(0, min(table.end_of_data, MOST), 4):
        place = sweep.at(offset)
        assert table.at(place.until - 1) == place.node


def test_a_lower_offset_is_found_too() -> None:
    table = Document.open(RPG).frames[0].table
    sweep = Sweep(table)
    sweep.at(table.end_of_data - 1)
    assert [sweep.at(offset).node for offset in (0, 8, 40, 4)] == [table.at(offset) for offset in (0, 8, 40, 4)]


def test_no_node_holds_what_lies_outside() -> None:
    table = Document.open(RPG).frames[0].table
    with pytest.raises(IndexError):
        Sweep(table).at(table.end_of_data)
