"""One item as text: in pieces it is what its literal is, and a large array is not held for it."""

from __future__ import annotations

import corpus
import pytest
from corpus import ENGINES, Engine

from tests.document.export.test_dump import bare, document, words
from viewer.document.document import Document
from viewer.document.export import item_text
from viewer.document.export.item_text import item_literal, item_pieces
from viewer.variant.dialect import Kind
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.folder)
def test_packed_arrays_in_pieces_are_their_literals(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_text, "AT_ONCE", 2)
    found = 0
    for vector in corpus.vectors(engine.folder):
        source = Document(corpus.vector_bytes(vector), name="test", choice=bare(engine))
        for number, frame in enumerate(source.frames):
            for node in range(len(frame.table)):
                row = frame.table.row(node)
                if row is None or row.kind is not Kind.PACKED:
                    continue
                found += 1
                value = read(frame.table, node, surplus=False)
                assert item_literal(source, Item(number, node)) == format_literal(
                    value, source.dialect, precision=source.precision
                )
    assert found > 10


def test_no_piece_of_a_large_array_is_long() -> None:
    count = 100_000
    source = document(words(20, count) + bytes(count))
    pieces = list(item_pieces(source, Item(0, 0)))
    assert len(pieces) > count // item_text.AT_ONCE
    assert max(map(len, pieces)) < 4 * item_text.AT_ONCE + 100
    assert "".join(pieces) == f"PoolByteArray({', '.join(['0'] * count)})"


def test_an_empty_array_and_a_broken_one_have_a_text() -> None:
    assert item_literal(document(words(20, 0)), Item(0, 0)) == "PoolByteArray()"
    assert item_literal(document(words(20, 9, 1)), Item(0, 0)) == "PoolByteArray(1, 0, 0, 0)"
