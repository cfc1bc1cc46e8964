"""Lengths of texts that are wrong, and what the doctor takes them for."""

from __future__ import annotations

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
