"""A glimpse shows of a long file's first values what reading all of it shows."""

from __future__ import annotations

import corpus
import pytest
from document.readers.made_resources import many

from viewer.document.document import Document
from viewer.document.glimpse import MOST, glimpse
from viewer.document.pieces.framing import Frame
from viewer.document.reading import Reading, ReadJob, ReadOptions
from viewer.document.viewmodel.row_data import RowDecorations
from viewer.variant.dialect import load
from viewer.variant.items import Item


def is_plain(file: corpus.SavedFile) -> bool:
    """Whether a file is all values: among foreign bytes a beginning may look otherwise than the whole."""
    document = Document.open(file.path)
    frames = document.frames
    return 0 < len(frames) < MOST and all(frame.sound for frame in frames) and not document.gaps


FILES = [file for folder in ("godot3", "godot4") for file in corpus.files(folder) if is_plain(file)]


def nodes(frame: Frame) -> set[tuple[int, int]]:
    """Where each value begins in the file, and its header."""
    table = frame.table
    return {(frame.start + table.start[node], table.header(node)) for node in table.nodes}


@pytest.mark.parametrize("file", FILES, ids=str)
def test_what_is_seen_of_the_first_half_is_there_in_the_whole(file: corpus.SavedFile) -> None:
    document = Document.open(file.path)
    size = len(document.buffer) // 2
    found = glimpse(document.buffer, document.way, size).frames
    seen = set().union(*map(nodes, found))
    whole = set().union(*map(nodes, document.frames))
    assert seen <= whole
    assert {place for place, _ in whole if place <= size - 4} - {place for place, _ in seen} == set()


def test_the_first_of_very_many_values_are_seen() -> None:
    document = Document(bytes.fromhex("08000000 02000000 07000000") * 1000)
    found = glimpse(document.buffer, document.way).frames
    assert [frame.span for frame in found] == [frame.span for frame in document.frames[:MOST]]


def test_bytes_that_are_no_values_show_none() -> None:
    document = Document(bytes.fromhex("ff") * 5000, choice=ReadOptions(load("godot3")))
    assert all(frame.table.child_count(0) == 0 for frame in glimpse(document.buffer, document.way).frames)


@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_of_a_resource_the_main_one_is_seen(line: str) -> None:
    document = Document(many(line, 40))
    seen: list[Reading] = []
    job = ReadJob(document.buffer, ReadOptions(), None)
    job.run(None, lambda way, structure: seen.append(glimpse(document.buffer, way, structure=structure)))
    (found,) = seen
    main = document.frames[document.structure.main]
    assert found.value_names == (document.value_names[document.structure.main],)
    assert (found.structure.main, [frame.span for frame in found.frames]) == (0, [main.span])
    assert nodes(found.frames[0]) == nodes(main)
    small = glimpse(document.buffer, found.way, 64, document.structure).frames
    assert nodes(small[0]) < nodes(main)
    assert not small[0].table.diagnostics


def test_of_what_is_seen_first_nothing_is_said_to_be_wrong() -> None:
    raw = many("godot3", 40)
    document = Document(raw, patience=0)
    assert document.wants_glimpse
    task = document.task
    assert task is not None
    task.run(None, lambda way, structure: document.show_glimpse(task, glimpse(raw, way, structure=structure)))
    assert len(document.frames) == 1
    marks = RowDecorations(document)
    assert [marks.finding(Item(0, node)) for node in range(len(document.frames[0].table))] == [None] * 43
    assert document.drop_glimpse() is not None
    assert (document.frames, document.structure, document.value_names) == ([], None, ())
    document.take(task, task.run())
    assert len(document.frames) == 41
