"""What the doctor says is as often true as it says: one case of each kind of damage in the corpus."""

from __future__ import annotations

import pytest
from document.doctor.judging import load_cases
from document.doctor.measure import CASES, Record, chosen, figures, measured

FIRST, RESTORED, SURE = 0.75, 0.65, 0.9
"""The least shares of true first answers, of restored cases and of offers of 90 % and more that are true."""
SHOWN = 0.93
"""The least mean share of the whole values that are shown by who knows the mistake."""
OFF, HARM = 0.09, 0.02
"""The most that probabilities of so few cases may be off, where chance alone makes it half of that, and the largest
share of harmful offers."""


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [measured(case) for case in chosen(load_cases(CASES), (), 1)]


def test_first_answers_are_mostly_true_and_mostly_restore(records: list[Record]) -> None:
    told = figures(records)
    assert told["failed"] == 0
    assert told["first true"] >= FIRST
    assert told["first restored"] >= RESTORED


def test_a_percentage_is_a_probability(records: list[Record]) -> None:
    told = figures(records)
    assert told["sure true"] >= SURE
    assert told["calibration error, first"] <= OFF


def test_hardly_any_likely_offer_costs_a_sound_value(records: list[Record]) -> None:
    assert figures(records)["likely harmful"] <= HARM


def test_nearly_all_whole_values_are_shown(records: list[Record]) -> None:
    shares = [record.known / record.leaves for record in records if record.leaves]
    assert sum(shares) / len(shares) >= SHOWN
