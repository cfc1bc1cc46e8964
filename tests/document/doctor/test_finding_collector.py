"""What is found is kept with what it saves beside the bytes as they are, and told when there is a first one."""

from __future__ import annotations

from document.doctor.test_stretches import SAVE, text

from viewer.container.frames import BARE
from viewer.document.doctor import Cause
from viewer.document.doctor.as_is import AsIs
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.finding_collector import EXPLAINED, GAINED, FindingCollector
from viewer.document.doctor.repair_context import ReadGuess, ScratchArena, WorkBudget
from viewer.document.document import Document
from viewer.variant.dialect import load

AT = SAVE.index(text("items"))
BROKEN = SAVE[::-1]
RIGHT = Candidate(Cause.BYTES_BACKWARDS, (Patch(0, len(SAVE), SAVE),), framed=True)
WRONG = Candidate(Cause.BYTES_BACKWARDS, (Patch(0, len(SAVE), SAVE[4:] + SAVE[:4]),), framed=True)


def collector(data: bytes, told: list[int], stands: AsIs | None = None) -> tuple[FindingCollector, ReadGuess]:
    document = Document(data)
    made = FindingCollector(
        document, data, stands or AsIs(), WorkBudget(1 << 30), ScratchArena(), lambda: told.append(len(made.some))
    )
    return made, ReadGuess(load("godot4"), BARE)


def test_what_reads_is_kept_and_the_first_of_it_is_told() -> None:
    told: list[int] = []
    findings, way = collector(BROKEN, told)
    for candidate in (WRONG, RIGHT, RIGHT):
        findings.try_read(way, candidate)
    assert [each.success.candidate.cause for each in findings.some] == [Cause.BYTES_BACKWARDS] * 2
    assert told == [1]
    assert findings.some[0].bits < -GAINED
    assert findings.are_likely
    assert findings.explain
    assert findings.some[0].bits < findings.stands.bits - EXPLAINED


def test_what_is_found_apart_counts_once_it_is_taken_over() -> None:
    findings, way = collector(BROKEN, [])
    other = findings.apart()
    other.try_read(way, RIGHT)
    assert (len(findings.some), len(other.some), findings.are_likely) == (0, 1, False)
    findings.add(other)
    assert findings.are_likely


def test_a_rare_one_is_not_kept_where_it_is_not_trusted() -> None:
    """Of values that an engine would write so, a change saves little."""
    findings, way = collector(SAVE, [], AsIs(sound=True, canonical=True))
    count = Patch(AT - 4, 4, b"\5\0\0\0")  # of the gold before it
    other = Candidate(Cause.WORD_OVERWRITTEN, (count,), framed=True, places=1)
    findings.try_read(way, other, is_rare=True)
    assert not findings.some
    findings.try_read(way, other)
    assert [each.trust < 1.0 for each in findings.some] == [True]
