"""A glimpse shows of a long file's first values what reading all of it shows."""

from __future__ import annotations

import corpus
import pytest

from viewer.document.document import Document
from viewer.document.glimpse import MOST, glimpse
from viewer.document.pieces.framing import Frame
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load


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
