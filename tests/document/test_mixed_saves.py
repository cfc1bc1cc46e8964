"""Sound saves that mix a game's own fields with values: all values are found, and nothing is called wrong."""

from __future__ import annotations

import json
import time
from collections import defaultdict

import corpus
import pytest

from viewer.base.diagnostic import Severity
from viewer.document.doctor import DOUBTFUL, diagnose
from viewer.document.document import Document
from viewer.document.edits.describing import gap_guess
from viewer.document.export.dump import dump
from viewer.document.export.text_view import text_view
from viewer.document.outline import gap_item
from viewer.document.viewmodel.meaning import meaning
from viewer.document.viewmodel.part_list import PartList
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import RowIndex

FOLDER = corpus.DATA / "mixed"
POSITIONS: dict[int, list[int]] = defaultdict(list)
for _line in (FOLDER / "positions.txt").read_text().splitlines():
    _file, _offset = _line.split()
    POSITIONS[int(_file)].append(int(_offset))


@pytest.mark.parametrize("number", corpus.spread(sorted(POSITIONS), 2))
def test_all_values_are_found_and_nothing_is_accused(number: int) -> None:
    document = Document.open(FOLDER / f"m{number:02}.save")
    prefixes = [frame.cut.prefix.start if frame.cut.prefix else None for frame in document.frames]
    assert (document.dialect.key, prefixes) == ("godot3", POSITIONS[number])
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    assert not [repair for repair in diagnose(document) if repair.confidence > DOUBTFUL]


@pytest.mark.parametrize("number", sorted(POSITIONS))
def test_all_fields_around_the_values_are_guessed_with_a_mark(number: int) -> None:
    document = Document.open(FOLDER / f"m{number:02}.save")
    assert document.gaps
    for gap in document.gaps:
        row = gap_guess(document, gap)
        assert [gap.start, *(each.span.end for each in row)] == [*(each.span.start for each in row), gap.end]


def test_a_guess_is_marked_wherever_it_is_told() -> None:
    document = Document.open(FOLDER / "m02.save")
    item = gap_item(0)
    rows = RowIndex(document)
    place = rows.place(item)
    assert place is not None
    facts = row_facts(document, rows, RowDecorations(document), *place)
    assert (facts.text, facts.recovered, facts.gap) == ("“EVAS”, 4, 2021-03-14 20:05:00", True, True)
    words = "14 bytes that no value claims, perhaps mark “EVAS”, u16 4, u64 time 2021-03-14 20:05:00"
    assert meaning(document, item) == words
    parts = PartList(document, item)
    assert [(parts[k].name, parts[k].value) for k in range(len(parts))] == [
        ("mark?", "“EVAS”"),
        ("u16?", "4"),
        ("u64, time?", "2021-03-14 20:05:00"),
    ]
    assert "14 bytes of no value, perhaps mark “EVAS”" in "\n".join(text_view(document))
    told = json.loads("".join(dump(document)))["gaps"][0]
    assert told["guess"][1] == {"span": [4, 6], "type": "u16", "text": "4"}


def test_bytes_that_say_nothing_are_not_guessed() -> None:
    raw = (FOLDER / "m00.save").read_bytes()
    document = Document(bytes.fromhex("9f3ce1b7d255a80e76c1") + raw[12:] + bytes.fromhex("d3a96be1"))
    assert [gap_guess(document, gap) for gap in document.gaps] == [(), ()]


def test_nothing_is_guessed_where_values_are_broken() -> None:
    document = Document((FOLDER / "m00.save").read_bytes()[:100])
    assert not any(gap_guess(document, gap) for gap in document.gaps)


def test_very_many_gaps_are_not_guessed_for_minutes() -> None:
    raw = (FOLDER / "m00.save").read_bytes()
    document = Document((b"name: Tom Sawyer\n" * 50 + raw[12:]) * 100)
    began = time.process_time()
    told = [gap_guess(document, gap) for gap in document.gaps]
    assert len(told) >= 100
    assert told[0]
    assert not told[-1]
    assert time.process_time() - began < 5
