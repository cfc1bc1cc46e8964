"""Many places in one packed string array: each is found without hopping over all strings before it."""

from __future__ import annotations

import struct

import pytest

from viewer.document import outline
from viewer.document.document import Document
from viewer.variant import elements

COUNT = 5000
STRINGS = struct.pack("<II", 34, COUNT) + struct.pack("<I4s", 2, b"a") * COUNT


def test_the_strings_before_are_hopped_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hops = []
    hop = elements.text_starts
    monkeypatch.setattr(elements, "text_starts", lambda *given: hops.append(given[1]) or hop(*given))
    document = Document(STRINGS)
    for offset in range(8, len(STRINGS), 4):
        item = outline.item_at(document, offset)
        assert item is not None
        assert outline.part(document, item) is not None
    assert len(hops) <= 4 * COUNT // elements.STRIDE + 8


def test_an_edit_is_seen() -> None:
    document = Document(STRINGS)
    assert outline.item_at(document, 8 + 8 * 3) == outline.Item(0, 0, "[3]@length")
    other = Document(STRINGS[:8] + struct.pack("<I8s", 6, b"abcde") + STRINGS[16:])
    assert outline.item_at(other, 12 + 8 * 3) == outline.Item(0, 0, "[3]@length")
