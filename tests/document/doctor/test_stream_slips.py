"""Lengths that lack among stored values."""

from __future__ import annotations

import pytest
from document.doctor.restoring import case_of, restoring

from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.doctor.stream_slips import stream_slips
from viewer.variant.dialect import load


@pytest.mark.parametrize("kind", ["first-length-lost", "one-length-lost"])
def test_a_length_that_lacks_is_put_in(kind: str) -> None:
    repair = restoring(case_of(kind))
    assert repair is not None
    assert repair.name == "prefix-missing"


def test_stored_values_without_a_mistake_have_none() -> None:
    case = case_of("first-length-lost")
    assert not list(stream_slips(case.results[0], [load(case.dialect)], WorkBudget(1 << 26)))
