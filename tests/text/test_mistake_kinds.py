"""Kinds of mistakes in texts: a few of each are told and undone."""

from __future__ import annotations

import pytest
from text.later_mistakes import LATER_KINDS
from text.mistake_judge import judged
from text.mistake_kinds import HELD, TUNED, MistakeKind, cases

from viewer.document.doctor import diagnose
from viewer.document.document import Document

HARD = ("quote doubled", "equals sign lost", "cut off", "old names of types")
"""Of these some are not undone, or are no mistakes."""


@pytest.mark.parametrize(
    "kind", [kind for kind in (*TUNED, *HELD) if kind.name not in HARD], ids=lambda kind: kind.name
)
def test_the_cause_is_told_first_and_what_was_meant_comes_back(kind: MistakeKind) -> None:
    for case in cases(kind, len(kind.saves), 3):
        is_told, is_right, words = judged(kind, case)
        assert is_told, words
        assert is_right, words


OPENED = ("encoded for a URL",)
"""This is taken off on opening, so there is nothing to mend."""


@pytest.mark.parametrize("kind", [kind for kind in LATER_KINDS if kind.name not in OPENED], ids=lambda kind: kind.name)
def test_mistakes_of_other_programs_are_told_and_undone(kind: MistakeKind) -> None:
    for case in cases(kind, 1, 4):
        is_told, is_right, words = judged(kind, case)
        assert is_told, words
        assert is_right, words


def test_a_repair_that_does_more_than_was_wrong_is_hardly_believed() -> None:
    line = "{" + ",".join(f'"k{i}": [{i}, "v{i}", {{"z": {i}.5}}]' for i in range(60)) + "}"
    broken = line.replace('"v10", ', '"v10 ').encode()
    assert all(each.confidence <= 0.3 for each in diagnose(Document(broken)))
