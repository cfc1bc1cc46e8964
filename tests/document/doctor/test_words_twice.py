"""A header, count or length that one branch of an encoder wrote twice is told from bytes that were inserted."""

from __future__ import annotations

import struct

import pytest

from viewer.document.doctor import examine, preview
from viewer.document.doctor.causes import Cause
from viewer.document.document import Document


def text(shown: str) -> bytes:
    raw = shown.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


NUMBER = struct.pack("<Ii", 2, 12)
PACKET = (
    struct.pack("<II", 18, 4)
    + text("op") + text("sync_state")
    + text("args") + struct.pack("<II", 19, 3) + NUMBER + text("Jürgen") + NUMBER
    + text("t") + struct.pack("<Ii", 2, 1200)
    + text("ok") + struct.pack("<II", 1, 1)
)  # fmt: skip


@pytest.mark.parametrize("word", [text("Jürgen"), text("sync_state"), struct.pack("<II", 19, 3), text("ok")])
@pytest.mark.parametrize("is_framed", [False, True])
def test_a_header_that_stands_twice_is_taken_out_once(word: bytes, is_framed: bool) -> None:
    at = PACKET.index(word)
    data = PACKET[:at] + word[:4] + PACKET[at:]
    data = struct.pack("<I", len(data)) * is_framed + data
    first = examine(Document(data)).repairs[0]
    assert first.cause is Cause.WORD_DOUBLED
    assert bytes(preview(Document(data), first).buffer[:])[4 * is_framed :] == PACKET
