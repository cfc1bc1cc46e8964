"""The likely cause: the doctor's answer beside the findings, the advice and the pages about the bytes concerned."""

from __future__ import annotations

import struct

import pytest

from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.document.advice import ADVICE, advice
from viewer.document.doctor.likely import LikelyCause, looked_for
from viewer.document.document import Document
from viewer.document.explain import Page, explain
from viewer.document.export.report import report, report_text

HALF = struct.pack("<Id", 3, 0.1)
"""A float of eight bytes without the flag that says so."""
UNPADDED = bytes.fromhex("1c000000 02000000 04000000 05000000 6162636465 02000000 07000000")
"""A text without padding in front of an int: its header stands where the padding should."""
CUT = bytes.fromhex("1c000000 03000000 02000000 01000000 02000000 02000000 04000000 40000000 61626364")
"""An array whose last text goes on behind the end."""


def cause_of(document: Document) -> LikelyCause:
    found = looked_for(document)
    assert found is not None
    return found


def said(page: Page) -> str:
    return " ".join(note.text for section in page.sections for note in section.notes)


def test_the_other_half_of_a_double_is_not_to_be_deleted() -> None:
    document = Document(HALF)
    (found,) = document.findings.all()
    cause = cause_of(document)
    assert found.code is Code.TRAILING_BYTES
    assert advice(found) == ADVICE[Code.TRAILING_BYTES]
    assert "without the 64-bit flag" in advice(found, cause)
    assert "Delete" not in advice(found, cause)


def test_a_header_that_stands_in_the_padding_is_not_to_be_zeroed() -> None:
    document = Document(UNPADDED)
    cause = cause_of(document)
    assert cause.repair.name == "padding-missing"
    for found in document.findings.all():
        assert "padding after a text or byte array was left out" in advice(found, cause)


@pytest.mark.parametrize("data", [HALF, UNPADDED])
def test_every_page_about_the_bytes_concerned_says_what_went_wrong(data: bytes) -> None:
    document = Document(data)
    cause = cause_of(document)
    for found in document.findings.all():
        for offset in (found.span.start, found.span.end):
            page = explain(document, offset, cause)
            assert "The doctor says how to fix it." in said(page)
            assert ADVICE[found.code] not in said(page)


def test_the_page_of_a_byte_that_a_repair_changes_says_so_without_a_finding() -> None:
    document = Document(HALF)
    cause = cause_of(document)
    assert "without the 64-bit flag" in said(explain(document, 2, cause))
    assert "without the 64-bit flag" not in said(explain(document, 2))


def test_findings_that_stay_after_the_repair_keep_their_advice() -> None:
    odd_bool = bytes.fromhex("08000000 01000000 07000000")
    data = odd_bool + struct.pack("<I", len(HALF)) + HALF + odd_bool
    document = Document(data)
    cause = cause_of(document)
    told = {found.code: cause.explains(found) for found in document.findings.all()}
    assert told == {Code.BOOL_NOT_0_OR_1: False, Code.TRAILING_BYTES: True}
    assert not cause.touches(Span(0, 12))


def test_what_nothing_mends_is_told_at_the_last_error_alone() -> None:
    document = Document(CUT)
    cause = cause_of(document)
    assert cause.repair.name == "end-missing"
    assert [found.code for found in document.findings.all() if cause.explains(found)] == [Code.LENGTH_TOO_LONG]


def test_sound_bytes_are_not_looked_into() -> None:
    assert looked_for(Document(bytes.fromhex("02000000 07000000"))) is None


def test_a_report_tells_it_too() -> None:
    document = Document(HALF)
    told = "\n".join(report_text(report(document, cause=cause_of(document))))
    assert f"{cause_of(document).sentence} The doctor says how to fix it." in told


def test_the_end_of_the_bytes_has_a_page() -> None:
    document = Document(HALF)
    page = explain(document, len(HALF))
    assert (page.title, page.summary) == (
        "End of the bytes",
        "There is nothing at 0xC: the file ends here, after 12 bytes.",
    )
    assert explain(Document(b""), 0).summary == "There are no bytes."
    with pytest.raises(KeyError):
        explain(document, len(HALF) + 1)
