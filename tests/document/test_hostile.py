"""Bytes that nobody wrote, and counts that lie: bounded, and something is said of them."""

from __future__ import annotations

import random
import struct

import pytest

from viewer.base.diagnostic import Severity
from viewer.document.document import Document

SIZE = 1_500_000
HOSTILE = {
    "random": random.Random(1).randbytes(SIZE),
    "zeros": bytes(SIZE),
    "ones": b"\xff" * SIZE,
    "largest count": struct.pack("<II", 19, 0x7FFFFFFF) + struct.pack("<ii", 2, 7) * (SIZE // 8),
    "2 GiB of numbers in 20 bytes": struct.pack("<IIIII", 21, 0x20000000, 0, 0, 0),
    "counts within counts": struct.pack("<II", 19, 0x7FFFFFFF) * 100_000,
    "a million levels": struct.pack("<II", 19, 1) * 1_000_000 + bytes(4),
    "prefixes of the largest length": struct.pack("<I", 0xFFFFFFFF) * (SIZE // 4),
    "lengths to the end": b"\xff"
    + struct.pack(f"<{SIZE // 4}I", *(w for k in range(0, SIZE, 8) for w in (SIZE - k - 4, 19))),
    "a million stored nulls": struct.pack("<II", 4, 0) * 1_000_000,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_bytes_open_with_few_nodes(raw: bytes) -> None:
    document = Document(raw)
    assert sum(len(frame.table) for frame in document.frames) <= len(raw) // 4 + len(document.frames)
    assert document.buffer == raw


@pytest.mark.parametrize("name", ["random", "ones", "largest count", "2 GiB of numbers in 20 bytes"])
def test_what_is_wrong_with_hostile_bytes_is_said(name: str) -> None:
    document = Document(HOSTILE[name])
    assert any(found.severity >= Severity.WARNING for found in document.findings.known())
