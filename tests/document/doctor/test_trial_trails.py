"""Trial trails: what they say cannot be read is not, and most of what is tried in vain needs no look at all bytes."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.container.frames import BARE, CONCATENATED, STORED, Framing
from viewer.document.doctor.byte_hypotheses import byte_candidates, flip_candidates
from viewer.document.doctor.repair_context import ReadGuess, RepairContext, WorkBudget, survey
from viewer.document.doctor.trial_trails import TrialTrails
from viewer.document.doctor.trying import try_on
from viewer.variant.dialect import load

GODOT3 = load("godot3")
WORK = 1 << 40


def broken(framing: Framing) -> RepairContext:
    """A dictionary of some values, one after another in a framing, with a byte too many in the second."""
    value = bytes.fromhex("12000000 02000000 04000000 01000000 61000000 02000000 07000000")
    value += bytes.fromhex("04000000 02000000 62630000 13000000 02000000 01000000 01000000 03000000 0000803f")
    lead = len(value).to_bytes(4, "little") if framing == STORED else b""
    whole = (lead + value) * (1 if framing == BARE else 3)
    at = len(whole) // 2 + 10
    found = survey(whole[:at] + b"\x07" + whole[at:], ReadGuess(GODOT3, framing), WorkBudget(WORK))
    assert found is not None
    return found


@pytest.mark.parametrize("framing", [BARE, STORED, CONCATENATED], ids=lambda each: each.kind.value)
def test_what_is_barred_does_not_read(framing: Framing, monkeypatch: pytest.MonkeyPatch) -> None:
    ground = broken(framing)
    trails, scans = TrialTrails(ground), list[int]()
    tried = [*byte_candidates(ground), *flip_candidates(ground)]
    alone = [try_on(ground, each, WorkBudget(WORK)) for each in tried]
    scan = WorkBudget.scan

    def counted(self: WorkBudget, *args: Any) -> Any:
        scans.append(1)
        return scan(self, *args)

    monkeypatch.setattr(WorkBudget, "scan", counted)
    assert [try_on(ground, each, WorkBudget(WORK), trails) for each in tried] == alone
    assert any(alone)
    good = sum(each is not None for each in alone)
    assert len(scans) < 12 * good + len(tried) // 8
