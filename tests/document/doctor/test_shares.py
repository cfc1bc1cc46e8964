"""How often the doctor names the true cause: damage is made, and the table of shares printed.

``DOCTOR_CASES=25`` makes so many cases of each cause; by default a few, so that a slow machine is done in time.
``DOCTOR_SEED=2`` makes other ones. ``DOCTOR_CAUSES=length-off,bit-flip`` asks about these causes alone, and only tells.

A repair is true if it names the cause, or one of those that the case says its bytes cannot tell from it; or if it gives
the undamaged bytes back, read as they were: then what it says of these bytes is true, whatever was done to them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from document.doctor.cases import DAMAGES, Case, cases

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document

SIZE = int(os.environ.get("DOCTOR_CASES", "1"))
SEED = int(os.environ.get("DOCTOR_SEED", "1"))
ASKED = frozenset(filter(None, os.environ.get("DOCTOR_CAUSES", "").split(",")))
FULL = 20
FIRST, THREE, RESTORED = 0.95, 0.98, 0.96
"""The shares of all cases that are reached; each may be missed by a little where there are few."""
SLACK = 0.1


@dataclass
class Share:
    """What came of the cases of one cause."""

    cases: int = 0
    first: int = 0
    three: int = 0
    restored: int = 0

    def add(self, case: Case) -> None:
        """Diagnose one case."""
        document = Document(case.data, choice=case.choice)
        found = diagnose(document)
        truth = [_is_true(case, document, repair) for repair in found]
        self.cases += 1
        self.first += truth[:1] == [True]
        self.three += any(truth[:3])
        self.restored += case.only_note or any(_restores(case, document, repair) for repair in found)

    def line(self, name: str) -> str:
        """One line of the table."""
        most = max(1, self.cases)
        shares = f"{self.first / most:6.2f} {self.three / most:6.2f} {self.restored / most:6.2f}"
        return f"{name:26} {self.cases:4} {shares}"


def _is_true(case: Case, document: Document, repair: Repair) -> bool:
    """Whether a repair names the cause, or one that the same bytes tell."""
    return repair.cause in {case.cause, *case.also} or (not case.only_note and _restores(case, document, repair))


def _restores(case: Case, document: Document, repair: Repair) -> bool:
    if not repair.can_be_applied:
        return False
    after = preview(document, repair)
    read = not case.reads_as or case.reads_as in (after.dialect.key, after.framing.label)
    return read and case.is_restored(bytes(after.buffer[:]))


def _measured(cause: Cause) -> Share:
    share = Share()
    for case in cases(cause, SIZE, SEED):
        share.add(case)
    return share


def test_true_causes_rank_first() -> None:
    assert {cause.slug for cause in DAMAGES} >= ASKED, "nothing makes such damage"
    shares = {cause: _measured(cause) for cause in DAMAGES if not ASKED or cause.slug in ASKED}
    whole = Share(*(sum(getattr(each, name) for each in shares.values()) for name in Share.__annotations__))
    print(f"\n{'cause':26} {'n':>4} {'first':>6} {'three':>6} {'mended':>6}")
    for cause, share in shares.items():
        print(share.line(cause.slug))
    print(whole.line("all"))

    if ASKED:
        return
    slack = 0.0 if SIZE >= FULL else SLACK
    assert whole.first >= (FIRST - slack) * whole.cases
    assert whole.three >= (THREE - slack) * whole.cases
    assert whole.restored >= (RESTORED - slack) * whole.cases
