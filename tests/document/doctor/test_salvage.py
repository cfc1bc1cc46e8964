"""Damage among a game's own bytes: the doctor looks at each broken value as if it were alone."""

from __future__ import annotations

import corpus
import pytest

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document

HEADED = corpus.DATA / "godot4" / "files" / "mixed_header.bin"
"""Twenty bytes of the game's own, a value of 420 bytes behind its length, 13 bytes more, and another value."""
DATA = HEADED.read_bytes()
PREFIX, VALUE, MIDDLE, END = 20, 24, 234, 444
SPAWN = DATA.index(b"spawn") - 4


def _best(data: bytes) -> tuple[Document, Repair]:
    document = Document(data)
    return document, diagnose(document)[0]


@pytest.mark.parametrize(
    ("cause", "data"),
    [
        (Cause.BYTE_LOST, DATA[:MIDDLE] + DATA[MIDDLE + 1 :]),
        (Cause.BYTE_INSERTED, DATA[:MIDDLE] + b"\x55" + DATA[MIDDLE:]),
        (Cause.PREFIX_OFF, DATA[:PREFIX] + b"\xac" + DATA[PREFIX + 1 :]),
        (Cause.PREFIX_OFF, DATA[:PREFIX] + b"\xda" + DATA[PREFIX + 1 :]),
        (Cause.PREFIX_OFF, DATA[:PREFIX] + b"\x7f" + DATA[PREFIX + 1 :]),
        (Cause.LENGTH_OFF, DATA[:SPAWN] + b"\x0a" + DATA[SPAWN + 1 :]),
    ],
)
def test_what_is_wrong_with_a_value_behind_foreign_bytes(cause: Cause, data: bytes) -> None:
    document, best = _best(data)
    assert best.cause is cause
    assert bytes(preview(document, best).buffer[:]) == DATA


def test_its_offsets_are_those_of_the_file() -> None:
    _, best = _best(DATA[:MIDDLE] + b"\x55" + DATA[MIDDLE:])
    assert f"0x{MIDDLE:X}" in best.reason


def test_foreign_bytes_alone_are_nothing_wrong() -> None:
    assert not diagnose(Document(DATA))


def test_a_value_that_is_cut_off_behind_foreign_bytes_is_shown() -> None:
    document = Document(DATA[:300])
    assert [frame.start for frame in document.frames] == [VALUE]
    assert len(document.frames[0].table) > 10
    assert diagnose(document)[0].cause is Cause.DAMAGED


def test_a_value_whose_length_reaches_beyond_the_end_is_shown() -> None:
    document = Document(DATA[:PREFIX] + b"\xff\xff" + DATA[PREFIX + 2 :])
    assert document.frames[0].span.end == END
    assert document.frames[0].sound
