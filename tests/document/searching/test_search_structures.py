"""Search in files that are more than values: names in a table of strings, numbers at any byte, fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from document.readers.resource_edits import files

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.export.findings_export import found_places
from viewer.document.searching.hits import hit_row
from viewer.document.searching.query import parse_query
from viewer.document.searching.search import find_all

GAMES = [path for line in ("godot3", "godot4") for path in files(line) if path.name.startswith("game")]


def found(document: Document, words: str) -> list[str]:
    """The rows of all hits, as path and text."""
    hits = find_all(document, parse_query(words))
    rows = [hit_row(document, hit.span) for hit in hits]
    return [f"{row.path} {row.text}" for row in rows]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
@pytest.mark.parametrize("words", ["key: level", "key: LEVEL", "regex: ^level$", "level", "text: level"])
def test_a_property_is_found_by_its_name(path: Path, words: str) -> None:
    document = Document(path.read_bytes())
    main = f"[{document.structure.main}].level@key" if document.structure is not None else ""
    hits = [place for place in found_places(document, parse_query(words), pytest.fail) if place.path == main]
    assert len(hits) == 1
    assert any(row.endswith("level: 27") for row in found(document, words))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_numbers_are_found_wherever_they_stand(path: Path) -> None:
    document = Document(path.read_bytes())
    for words in ("number: 27", "27", "12345678901", "98765.4321"):
        rows = found(document, words)
        assert any(row.startswith(f"[{document.structure.main}].") for row in rows if document.structure), words


def test_a_name_is_only_found_where_one_stands() -> None:
    document = Document(next(path for path in GAMES if path.name == "game.res").read_bytes())
    assert document.structure is not None
    assert document.structure.names is not None
    names = [document.structure.names[place] for place in range(len(document.structure.names))]
    hits = find_all(document, parse_query("key: price"))
    assert hits
    for hit in hits:
        place = int.from_bytes(document.buffer[hit.span.start : hit.span.end], "little")
        assert names[place] == "price"
        assert hit.item is not None
        frame = document.frames[hit.item.frame]
        assert frame.table.is_name(hit.item.node)
        assert hit.span.start == frame.start + frame.table.start[hit.item.node]
    assert find_all(document, parse_query("key: no such name")) == []


def test_a_field_is_told_by_its_names() -> None:
    document = Document(next(path for path in GAMES if path.name == "game.res").read_bytes())
    assert "strings, string 19 level" in found(document, "level")
    assert hit_row(document, Span(0, 4)).path == "header, mark"
