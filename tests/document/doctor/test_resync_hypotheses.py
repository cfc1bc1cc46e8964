"""Slips anywhere in what an engine wrote: found by where reading goes on behind them."""

from __future__ import annotations

import re

import corpus
import pytest

from viewer.document.doctor import Repair, examine, preview
from viewer.document.doctor.causes import Cause
from viewer.document.document import Document

DATA = (corpus.DATA / "godot4" / "files" / "mixed_header.bin").read_bytes()[24:444]
"""One value, bare."""
SPAWN = DATA.index(b"spawn") - 8


def _best(data: bytes) -> tuple[Document, Repair]:
    document = Document(data)
    return document, examine(document).repairs[0]


@pytest.mark.parametrize(
    ("cause", "data"),
    [
        (Cause.BYTE_INSERTED, DATA[:SPAWN] + bytes(range(0x90, 0xA1)) + DATA[SPAWN:]),
        (Cause.BYTE_INSERTED, DATA[: SPAWN + 10] + b"\xf3\x1c\x9b\x81\x07" + DATA[SPAWN + 10 :]),
        (Cause.LENGTH_OFF, DATA[: SPAWN + 4] + b"\xff\xff\xff\xff" + DATA[SPAWN + 8 :]),
        (Cause.WORD_OVERWRITTEN, DATA[:SPAWN] + b"\x39\x30\0\0" + DATA[SPAWN + 4 :]),
        (Cause.WORD_SWAPPED, DATA[:4] + DATA[4:8][::-1] + DATA[8:]),
    ],
)
def test_one_slip_is_undone(cause: Cause, data: bytes) -> None:
    document = Document(data)
    right = [each for each in examine(document).repairs[:3] if bytes(preview(document, each).buffer[:]) == DATA]
    assert cause in [each.cause for each in right]


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (DATA[:SPAWN] + bytes(range(0x90, 0xA1)) + DATA[SPAWN:], SPAWN),
        (DATA[:SPAWN] + b"\x39\x30\0\0" + DATA[SPAWN + 4 :], SPAWN),
        (DATA[:4] + DATA[4:8][::-1] + DATA[8:], 4),
    ],
)
def test_facts_count_offsets_from_the_begin_of_all_bytes(data: bytes, at: int) -> None:
    sound = len(DATA).to_bytes(4, "little") + DATA
    repairs = examine(Document(len(data).to_bytes(4, "little") + data + sound)).repairs
    told = [found[1] for each in repairs for found in [re.search(r"(?:at|from) 0x([0-9A-F]+)", each.reason)] if found]
    assert told
    assert set(told) == {f"{at + 4:X}"}


def test_an_end_that_is_missing_is_no_length_that_is_wrong() -> None:
    _, best = _best(DATA[:300])
    assert best.cause is not Cause.LENGTH_OFF
    assert best.cause is not Cause.WORD_OVERWRITTEN
