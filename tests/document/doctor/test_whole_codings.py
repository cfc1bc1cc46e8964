"""Codings that all bytes went through, undone."""

from __future__ import annotations

import pytest
from document.doctor.restoring import case_of, restoring

from viewer.document.doctor.causes import Cause


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("http-chunked", Cause.IN_PIECES),
        ("counter-before-pieces", Cause.IN_PIECES),
        ("slip-escaped", Cause.ESCAPED),
        ("hdlc-escaped", Cause.ESCAPED),
        ("cobs", Cause.ESCAPED),
        ("rotated", Cause.PARTS_SWAPPED),
        ("even-then-odd-bytes", Cause.OTHER_ORDER),
        ("control-pictures", Cause.ZEROS_REPLACED),
    ],
)
def test_a_coding_is_undone(kind: str, cause: Cause) -> None:
    repair = restoring(case_of(kind))
    assert repair is not None
    assert repair.cause is cause
