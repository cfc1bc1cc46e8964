"""A key that was laid over all bytes is found, and taken away again."""

from __future__ import annotations

import struct
from itertools import pairwise
from random import Random

import pytest

from viewer.document.doctor import examine, preview
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.doctor.whole_masks import masked_candidates
from viewer.document.document import Document


def text(shown: str) -> bytes:
    raw = shown.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def packet(count: int = 5) -> bytes:
    rows = [
        struct.pack("<II", 27, 3) + text("id") + struct.pack("<Ii", 2, 3 * k) + text("name") + text(f"Player {k}")
        + text("alive") + struct.pack("<II", 1, k & 1)
        for k in range(count)
    ]  # fmt: skip
    return struct.pack("<II", 28, count) + b"".join(rows)


def mended(data: bytes) -> tuple[bytes, Cause]:
    first = examine(Document(data)).repairs[0]
    return bytes(preview(Document(data), first).buffer[:]), first.cause


@pytest.mark.parametrize("size", [2, 3, 4, 7, 8, 16])
@pytest.mark.parametrize("is_framed", [False, True])
def test_a_key_that_repeats_is_taken_away(size: int, is_framed: bool) -> None:
    right, key = packet(4 + size), Random(size).randbytes(size)
    right = struct.pack("<I", len(right)) * is_framed + right
    assert mended(bytes(byte ^ key[k % size] for k, byte in enumerate(right))) == (right, Cause.MASKED)
    assert mended(bytes(byte + key[k % size] & 0xFF for k, byte in enumerate(right))) == (right, Cause.BYTES_SHIFTED)


def test_the_mask_of_a_small_websocket_frame_is_taken_away() -> None:
    right = packet(2)
    for seed in range(8):
        mask = Random(seed).randbytes(4)
        assert mended(bytes(byte ^ mask[k % 4] for k, byte in enumerate(right))) == (right, Cause.MASKED)


def test_bytes_that_tell_how_they_differ_from_the_one_before_are_summed_up() -> None:
    right = packet()
    steps = bytes([right[0], *(after - before & 0xFF for before, after in pairwise(right))])
    assert mended(steps) == (right, Cause.BYTES_SHIFTED)
    flips = bytes([right[0], *(after ^ before for before, after in pairwise(right))])
    assert mended(flips) == (right, Cause.MASKED)
    assert mended(bytes(byte ^ k & 0xFF for k, byte in enumerate(right))) == (right, Cause.MASKED)


def test_values_as_they_are_have_no_mask() -> None:
    assert not [each for each in masked_candidates(packet(), WorkBudget(1 << 30)) if "repeats" in each.fact]
    assert not list(masked_candidates(Random(3).randbytes(4000), WorkBudget(1 << 30)))
