"""Remembered previews say what looking again would say."""

from __future__ import annotations

from corpus import ENGINES, malformed, vector_bytes, vectors

from viewer.document.viewmodel.row_data import Previews
from viewer.variant.dialect import load
from viewer.variant.literal.preview import preview
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LIMIT = 60


def tables() -> list[NodeTable]:
    """Every vector and broken input, read as all engines would: the same bytes mean other values to another one."""
    raws = [vector_bytes(row) for engine in ENGINES for row in (*vectors(engine.folder), *malformed(engine.folder))]
    return [scan(raw, load(dialect)) for raw in raws for dialect in ("godot3", "godot4", "godot2")]


def test_what_is_remembered_is_what_is_seen() -> None:
    previews, looked = Previews(), 0
    for table in tables():
        for node in table.nodes:
            seen = preview(table, node, LIMIT)
            assert previews.of(table, node, LIMIT) == seen
            assert previews.of(table, node, LIMIT) == seen
            looked += 1
    assert looked > 10_000


def test_the_same_bytes_elsewhere_are_not_looked_at_again() -> None:
    #                    Array    2        String   1        a        String   1        a
    raw = bytes.fromhex("13000000 02000000 04000000 01000000 61000000 04000000 01000000 61000000")
    table, previews = scan(raw, load("godot3")), Previews()
    assert previews.of(table, 1, LIMIT) is previews.of(table, 2, LIMIT)
    assert previews.of(table, 1, 1) != previews.of(table, 1, LIMIT)
