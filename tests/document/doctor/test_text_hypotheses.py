"""Lengths of texts that are wrong, and what the doctor takes them for."""

from __future__ import annotations

import struct

import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

ARRAY_OF_TWO = "1c000000 02000000"
SEVEN = "02000000 07000000"


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        # four letters have no fill, so that a length which counts a NUL takes the next header's first byte
        (f"{ARRAY_OF_TWO} 04000000 05000000 61626364 {SEVEN}", f"{ARRAY_OF_TWO} 04000000 04000000 61626364 {SEVEN}"),
        # two letters have fill, of which the first byte is the NUL
        (f"{ARRAY_OF_TWO} 04000000 03000000 61620000 {SEVEN}", f"{ARRAY_OF_TWO} 04000000 02000000 61620000 {SEVEN}"),
        # the NUL was written too, and filled up
        (
            f"{ARRAY_OF_TWO} 04000000 05000000 61626364 00000000 {SEVEN}",
            f"{ARRAY_OF_TWO} 04000000 04000000 61626364 {SEVEN}",
        ),
    ],
    ids=["without fill", "with fill", "with a word of zeros"],
)
def test_a_length_that_counts_a_nul_is_called_that(broken: str, whole: str) -> None:
    document = Document(bytes.fromhex(broken), choice=ReadOptions(load("godot4"), framing=FramingKind.BARE))
    repair = next(repair for repair in diagnose(document) if repair.cause is Cause.LENGTH_COUNTS_NUL)
    assert bytes(preview(document, repair).buffer[:]) == bytes.fromhex(whole)


NAMES = (("Épée", "latin-1"), ("世 ä", "utf-8"), ("Bâton", "latin-1"), ("Jäger", "latin-1"))
PLAIN = tuple((f"name {index}", "utf-8") for index in range(400))
"""More than are looked at around the place where reading stops."""


def _array(texts: tuple[tuple[str, str], ...], before: bytes = b"") -> bytes:
    """An array of texts, each in its encoding, behind one other value where that is given."""
    out = struct.pack("<II", 0x1C, len(texts) + bool(before)) + before
    for shown, coding in texts:
        raw = shown.encode(coding)
        out += struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)
    return out


OBJECT = struct.pack("<II", 0x18, 4) + b"Node" + bytes(4)
"""An object without properties."""


@pytest.mark.parametrize(
    ("texts", "before"),
    [(NAMES, b""), (NAMES, OBJECT), (((NAMES[0]), *PLAIN), b""), ((("Größe", "utf-8"), *NAMES), b"")],
    ids=["beside UTF-8", "beside an object", "far from the end", "beside one that Latin-1 could tell"],
)
def test_texts_in_latin1_are_told_from_those_in_utf8(texts: tuple[tuple[str, str], ...], before: bytes) -> None:
    right = _array(tuple((shown, "utf-8") for shown, _ in texts), before)
    document = Document(_array(texts, before), choice=ReadOptions(load("godot4"), framing=FramingKind.BARE))
    best = diagnose(document)[0]
    assert best.cause is Cause.TEXT_LATIN1
    assert bytes(preview(document, best).buffer[:]) == right
