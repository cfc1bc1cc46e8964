"""Damaged bytes read by who knows the mistake: more whole values, and still each byte told as it is."""

from __future__ import annotations

from collections.abc import Iterator

import corpus
import pytest
from document.doctor.judging import Known, load_cases
from document.doctor.measure import CASES
from document.export.test_dump import again, assert_tiled, tree
from document.test_byte_map import assert_accounted
from searched import examined_once

from viewer.document.doctor.as_mended import MendedOffsets, read_as_mended
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.explain import explain
from viewer.document.splice import Splice

SHORT = 4096
EACH = 3


def cases() -> Iterator[Known]:
    """One of each third kind of damage; ``test_reliability.py`` counts the values that all of them show."""
    seen: set[str] = set()
    for case in load_cases(CASES):
        if case.kind not in seen and case.leaves and len(case.data) <= SHORT:
            if len(seen) % EACH == 0:
                yield case
            seen.add(case.kind)


@pytest.fixture(scope="module")
def learned() -> list[tuple[Known, Document]]:
    """Documents read as somebody would who knows."""
    found = []
    for case in corpus.spread(cases(), 2):
        document = Document(case.data)
        reading = read_as_mended(document, examined_once(document).repairs)
        if reading is not None:
            document.learn(reading)
        found.append((case, document))
    return found


def test_some_are_learned(learned: list[tuple[Known, Document]]) -> None:
    assert sum(document.is_learned for _, document in learned) >= len(learned) // EACH


def test_each_byte_is_told_as_it_is(learned: list[tuple[Known, Document]]) -> None:
    for _, document in learned:
        assert_accounted(document)
        assert again(document) == bytes(document.buffer[:])
        if len(document.layers) == 1:
            assert_tiled(tree(document))


def test_each_byte_can_be_asked_for(learned: list[tuple[Known, Document]]) -> None:
    for _, document in learned:
        for offset in range(0, len(document.buffer), 11):
            assert explain(document, offset)


def test_an_edit_brings_back_what_is_read_without_knowing(learned: list[tuple[Known, Document]]) -> None:
    for case, document in learned:
        if document.is_learned:
            other = Document(case.data)
            document.apply(overwrite(document, 0, bytes([case.data[0] ^ 1])))
            document.undo()
            assert not document.is_learned
            assert [frame.cut for frame in document.frames] == [frame.cut for frame in other.frames]


def test_what_a_repair_takes_out_lies_between_two_values_and_what_it_puts_in_nowhere() -> None:
    way_back = MendedOffsets([Splice(12, b"", b"\0\0"), Splice(4, b"ab", b"")])
    assert [(way_back.start(at), way_back.end(at)) for at in (0, 3, 4, 5)] == [(0, 0), (3, 3), (6, 4), (7, 7)]
    assert [(way_back.start(at), way_back.end(at)) for at in (10, 11, 12, 13)] == [
        (12, 12),
        (12, 12),
        (12, 12),
        (13, 13),
    ]
