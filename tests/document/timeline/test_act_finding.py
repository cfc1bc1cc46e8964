"""Find what I did: in made sessions with noise the right value comes first.

``TIMELINE_SESSIONS=50 pytest tests/document/timeline/test_act_finding.py -s`` tries more of them.
"""

from __future__ import annotations

import os

import pytest
from document.timeline.made_sessions import made_session

from viewer.document.timeline.act_finding import acts_of, found_acts
from viewer.document.timeline.timeline import TimelineMark

SESSIONS = int(os.environ.get("TIMELINE_SESSIONS", "4"))


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_what_somebody_did_comes_first(seed: int) -> None:
    session = made_session(seed)
    found = found_acts(session.versions, session.steps, session.marks)
    assert found[0].path == session.path
    assert found[0].is_exact
    assert found[0].times == len(session.marks)
    assert any(each.elsewhere for each in found)  # there was noise at the same moment


def test_without_a_version_behind_the_mark_nothing_is_found() -> None:
    session = made_session(1, 12)
    late = [TimelineMark(1, 0, "later", session.versions[-1].number)]
    assert found_acts(session.versions, session.steps, late) == []
    assert found_acts(session.versions[:1], [], session.marks) == []


def test_marks_with_the_same_words_are_one_act() -> None:
    marks = [TimelineMark(number, 0, text, 0) for number, text in enumerate(("Buy  it", "sell it", "buy it"), 1)]
    assert [mark.number for mark in acts_of(marks, "BUY IT")] == [1, 3]
