"""Restoring: whether what the doctor offers gives back the bytes of cases of a held-out kind."""

from __future__ import annotations

import json

from document.doctor.heldout.__main__ import KINDS, cases
from document.doctor.judging import Known, known, restores

from viewer.document.doctor import Repair, examine, preview
from viewer.document.document import Document


def case_of(kind: str, seed: int = 5) -> Known:
    """One case of a kind."""
    return known(json.dumps(next(cases(seed, 1, {kind: KINDS[kind]}))))


def restoring(case: Known) -> Repair | None:
    """The first offer, if it gives the bytes back."""
    document = Document(case.data)
    repairs = examine(document).repairs
    if not repairs or not repairs[0].can_be_applied or not restores(case, document, preview(document, repairs[0])):
        return None
    return repairs[0]
