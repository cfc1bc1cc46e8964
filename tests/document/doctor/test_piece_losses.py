"""Pieces of one size that each lost their end: told with their size, and what reads on is put there."""

from __future__ import annotations

import pytest
from document.doctor.test_stretches import SAVE, frame, save

from viewer.document.doctor import diagnose, preview
from viewer.document.document import Document


def sliced(data: bytes, size: int, lost: int = 1) -> bytes:
    """Data of which a slice of each piece ends too early."""
    return b"".join(data[at : at + size][:-lost] for at in range(0, len(data), size))


@pytest.mark.parametrize(("size", "lost"), [(64, 1), (100, 1), (128, 1), (256, 1), (128, 2)])
def test_pieces_without_their_last_bytes_are_told_by_their_size(size: int, lost: int) -> None:
    for data in (SAVE, save("Kim", 20)):
        document = Document(sliced(data, size, lost))
        first = diagnose(document)[0]
        assert first.slug == "pieces-cut-short", first
        assert f"Of every {size} bytes the last {lost} byte" in first.reason
        assert "cannot be known" in first.reason
        assert len(preview(document, first).buffer) == len(data)
        assert all(each.sound for each in preview(document, first).frames)


def test_where_zeros_were_lost_all_comes_back() -> None:
    data = frame(save("Bo", 12))
    places = [size for size in (64, 128) if not any(data[size - 1 :: size])]
    for size in places:
        document = Document(sliced(data, size))
        assert bytes(preview(document, diagnose(document)[0]).buffer[:]) == data


def test_one_byte_that_was_lost_is_no_piece() -> None:
    names = {each.slug for each in diagnose(Document(SAVE[:200] + SAVE[201:]))}
    assert "pieces-cut-short" not in names
