"""The doctor's bounds: long values are looked at near the damage, answers come early, and a search can be ended."""

from __future__ import annotations

import struct
from itertools import islice
from random import Random
from typing import Any

import corpus
import pytest
from document.doctor.judging import load_cases
from document.doctor.measure import CASES

from viewer.base.record import replace
from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.doctor import Cause, Repair, description, diagnose, examine, finding_collector, preview
from viewer.document.doctor.as_is import bits_as_is
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.diagnose import BUDGET, MONOTONOUS_WORK, Diagnosis
from viewer.document.doctor.encoder_rules import number_rules
from viewer.document.doctor.hypotheses import doubled_candidates
from viewer.document.doctor.repair import SHORT, STOPPED, Answer
from viewer.document.doctor.repair_context import HEAD, NODE, ReadGuess, RepairContext, WorkBudget, survey
from viewer.document.doctor.sifting import lens
from viewer.document.doctor.trying import deletion, insertion, resulting, try_on
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()[4:]
GODOT3 = load("godot3")


def mismeasured() -> tuple[bytes, int]:
    """The save with a text whose length is five too large, and where that stands."""
    at = SAVE.index(b"\4\0\0\0\5\0\0\0", len(SAVE) // 2) + 4
    return SAVE[:at] + bytes((SAVE[at] + 5,)) + SAVE[at + 1 :], at


def document(data: bytes) -> Document:
    return Document(data, choice=ReadOptions(GODOT3, None, FramingKind.BARE))


def ground(data: bytes) -> RepairContext:
    found = survey(data, ReadGuess(GODOT3, BARE), WorkBudget(1 << 30))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def told() -> tuple[list[Answer], list[Repair]]:
    """What was told of the broken save, and all answers."""
    parts: list[Answer] = []
    return parts, diagnose(document(mismeasured()[0]), found=parts.append)


def test_a_wrong_length_in_a_long_value_is_among_the_answers(
    told: tuple[list[Answer], list[Repair]],
) -> None:
    broken = document(mismeasured()[0])
    assert any(bytes(preview(broken, each).buffer[:]) == SAVE for each in told[1] if each.edit is not None)


def test_answers_are_told_while_the_search_goes_on(told: tuple[list[Answer], list[Repair]]) -> None:
    parts, last = told
    assert not parts[0].repairs  # nothing was tried yet
    assert any(each.can_be_applied for each in parts[1].repairs)
    assert {each.cause for each in parts[-1].repairs} & {each.cause for each in last}


def test_the_same_work_finds_the_same() -> None:
    broken = mismeasured()[0]
    first, again = examine(document(broken), work=1 << 26), examine(document(broken), work=1 << 26)
    assert first == again


def test_says_that_the_search_was_cut_short() -> None:
    assert examine(document(mismeasured()[0]), work=1 << 22).cut == SHORT


def test_says_nothing_where_all_was_tried() -> None:
    assert examine(document(SAVE[:400] + b"\xff\xff\xff\xff" + SAVE[404:800])).cut == ""


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_a_search_ends_with_the_call_that_says_so(calls: int) -> None:
    asked: list[int] = []

    def progress(tried: int) -> bool:
        asked.append(tried)
        return len(asked) < calls

    assert examine(document(mismeasured()[0]), progress).cut == STOPPED
    assert len(asked) == calls


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<3I", 0x10012, 2, 16) * 5_000,
        struct.pack("<3I", 18, 17, 17) * 5_000,
        b"SAVE" + struct.pack("<2I", 27, 8_000) * 8_000,
        struct.pack("<2I", 18, 2) * 8_000,
        struct.pack("<2I", 19, 1) * 8_000,
    ],
    ids=["typed dictionaries", "objects", "texts", "levels", "arrays"],
)
def test_work_is_counted_where_it_is_done(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads that are read one by one, and nodes, take longer than their bytes say."""
    nodes, heads, work = 0, 0, 1 << 25

    def counted(*args: Any) -> NodeTable:
        nonlocal nodes, heads
        table = scan(*args)
        nodes, heads = nodes + len(table), heads + table.checked
        return table

    monkeypatch.setattr("viewer.document.doctor.repair_context.scan", counted)
    examine(Document(data), work=work)
    assert NODE * nodes + HEAD * heads < 2 * work


@pytest.mark.parametrize("case", [70, 76, 273, 392])
def test_a_packet_takes_no_more_work_than_there_is(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is counted, also what parts of the search count for themselves, is within what is allowed in all."""
    data, work, charge = next(islice(load_cases(CASES), case, None)).data, 0, WorkBudget.charge

    def counted(meter: WorkBudget, more: int) -> None:
        nonlocal work
        work += more
        charge(meter, more)

    monkeypatch.setattr(WorkBudget, "charge", counted)
    examine(Document(data))
    assert len(data) <= 4 << 10
    assert BUDGET // 2 < work < 9 * BUDGET // 8
    assert BUDGET <= 3 << 27


def test_few_words_again_and_again_are_not_worth_much_work() -> None:
    data, tried = struct.pack("<2I", 18, 2) * 5_000, list[int]()
    search = Diagnosis(Document(data), lambda count: tried.append(count) is None, None, BUDGET)
    search.run()
    assert MONOTONOUS_WORK < BUDGET
    assert -(1 << 25) < search.meter.left < MONOTONOUS_WORK


def test_what_moves_the_next_length_away_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    value = struct.pack("<IIIiIi", 19, 2, 2, 1, 2, 2)
    stored = struct.pack("<I", len(value)) + value
    data = stored + stored[:8] + b"\7" + stored[9:] + stored
    place = survey(data, ReadGuess(GODOT3, STORED), WorkBudget(1 << 30))
    assert place is not None
    scanned: list[int] = []
    monkeypatch.setattr(WorkBudget, "scan", lambda *_: scanned.append(1))
    assert (
        try_on(place, Candidate(Cause.BYTE_LOST, (insertion(len(stored) + 8, b"\0"),), framed=True), WorkBudget(9))
        is None
    )
    assert not scanned


def test_a_packed_array_of_odd_texts_is_as_much_work_as_the_texts() -> None:
    odd = struct.pack("<I4s", 4, b"\xc3\xa9\xff\0")
    assert scan(struct.pack("<II", 34, 500) + odd * 500, load("godot4")).checked == 1 + 500


def test_values_much_less_strange_than_before_are_no_trouble() -> None:
    """A repair that does away with hundreds of strange values gains more than a float's exponent holds."""
    repairs = diagnose(Document(struct.pack("<III", 27, 0x80000001, 15) * 2_000))
    assert repairs
    assert all(0 <= each.confidence <= 1 for each in repairs)


def test_what_is_only_too_deep_is_explained() -> None:
    depth = 1500
    answer = examine(Document(struct.pack("<II", 28, 1) * depth + bytes(4), choice=ReadOptions(load("godot4"))))
    assert [each.cause for each in answer.repairs] == [Cause.TOO_DEEP]
    assert answer.unexplained is None
    junk = examine(Document(struct.pack("<II", 28, 1) * depth + b"\xff" * 8, choice=ReadOptions(load("godot4"))))
    assert Cause.TOO_DEEP in {each.cause for each in junk.repairs}
    assert junk.unexplained is not None
    assert junk.unexplained <= 0.05


def test_an_answer_is_told_before_rules_are_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    value = struct.pack("<II", 19, 40) + struct.pack("<4I4s", 2, 7, 4, 4, b"word") * 20
    told: list[Answer] = []
    before: list[int] = []
    monkeypatch.setattr(Diagnosis, "_learn", lambda *_: before.append(len(told)))
    answer = examine(Document(value[:100] + b"\7" + value[100:]), found=told.append)
    assert told[0] == Answer((), is_read=False, unexplained=1.0)  # before anything was tried
    assert before[0] > 1
    assert told[1].repairs[0].edit is not None
    assert answer.unexplained == pytest.approx(1 - sum(each.confidence for each in answer.repairs), abs=1e-3)


def test_most_of_what_is_tried_needs_no_look_at_all_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a value once more costs as much as thinking of one more candidate, or more."""
    value = struct.pack("<II", 19, 40) + struct.pack("<4I4s", 2, 7, 4, 4, b"word") * 20
    scans: list[int] = []
    scan_one = WorkBudget.scan

    def counted(*args: Any) -> NodeTable:
        scans.append(1)
        return scan_one(*args)

    monkeypatch.setattr(WorkBudget, "scan", counted)
    search = Diagnosis(Document(value[:100] + b"\7" + value[100:]), None, None, BUDGET)
    search.run()
    assert len(scans) < search.meter.tried // 3


def test_bytes_as_they_are_shown_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many changes read, and wherever they are, they are held against the same."""
    value = struct.pack("<II", 19, 40) + struct.pack("<4I4s", 2, 7, 4, 4, b"word") * 20
    told: list[tuple[Any, ...]] = []

    def bits(*args: Any) -> float:
        told.append(args[2:3])
        return bits_as_is(*args)

    monkeypatch.setattr(finding_collector, "bits_as_is", bits)
    search = Diagnosis(Document(value[:100] + b"\7" + value[100:]), None, None, BUDGET)
    search.run()
    places = {(each.success.region, each.success.near) for each in search.findings.some}
    assert len(places) > 2 * len({region for region, _ in places})
    assert len(told) <= len(set(told)) + 1


def test_numbers_are_told_once_for_all_that_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [k / 7 for k in range(60)]
    value = struct.pack("<II60f", 32, 60, *numbers)
    told: list[float] = []

    def bits(number: float, mantissa: int) -> float:
        told.append(number)
        return 9.0

    monkeypatch.setattr(description, "_float_bits", bits)
    description._number_bits.cache_clear()
    table = scan(value, load("godot4"))
    assert description.description_length(table) == description.description_length(table)
    description._number_bits.cache_clear()
    assert len(told) == len(numbers)


def test_a_rule_of_an_encoder_is_made_once() -> None:
    """So two of them are compared, and looked up, at no cost."""
    dialect = load("godot4")
    once, again = list(number_rules(dialect, (2, 99))), list(number_rules(dialect, (99, 2)))
    assert set(map(id, once)) == set(map(id, again))


def test_progress_is_asked_often() -> None:
    asked: list[int] = []

    def progress(tried: int) -> bool:
        asked.append(tried)
        return True

    examine(document(mismeasured()[0]), progress, work=1 << 28)
    assert len(asked) >= 1 << 28 - 25


def test_a_look_near_the_trouble_knows_the_right_length() -> None:
    data, at = mismeasured()
    view = lens(ground(data))
    assert view is not None
    right, wrong = SAVE[at], SAVE[at] + 8
    glances = [
        view.glance(Candidate(Cause.LENGTH_OFF, (word(at, length),)), WorkBudget(1 << 30)) for length in (right, wrong)
    ]
    assert view.low <= at
    assert glances[0] is not None
    assert glances[0].sure
    assert glances[1] is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((insertion(200_002, b"\0"),), (insertion(200_009, b"\0"),)),
        ((deletion(200_002, 4),), (deletion(200_010, 4),)),
        ((Patch(200_002, 4, b"\0\0\0\1"),), (Patch(200_005, 1, b"\1"),)),
        ((Patch(200_002, 2, b"\0\7\0"),), (Patch(200_003, 1, b"\7\0"),)),
    ],
    ids=["put in", "taken out", "a word and a byte", "longer"],
)
def test_patches_that_do_the_same_are_told_to_be_the_same(one: tuple[Patch, ...], other: tuple[Patch, ...]) -> None:
    place = ground(b"words " * 33_333 + bytes(18) + b"words " * 16_666)
    assert resulting(place, one) == resulting(place, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((insertion(200_002, b"\1"),), (insertion(200_006, b"\1"),)),
        ((insertion(200_002, b"\0"),), (insertion(200_002, b"\0\0"),)),
        ((deletion(200_002, 4),), (deletion(200_002, 5),)),
        ((word(200_002, 1),), (word(200_002, 2),)),
        ((word(100_000, 1), word(200_002, 1)), (word(100_000, 1), word(200_002, 2))),
    ],
    ids=["elsewhere", "more put in", "more taken out", "another number", "far apart"],
)
def test_patches_that_do_not_are_told_apart(one: tuple[Patch, ...], other: tuple[Patch, ...]) -> None:
    place = ground(b"words " * 33_333 + bytes(18) + b"words " * 16_666)
    assert resulting(place, one) != resulting(place, other)


class WatchedBytes(bytes):
    """Bytes that know how often somebody looked at them."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)


def test_what_nearly_stands_twice_is_compared_once() -> None:
    block = bytearray(Random(1).randbytes(4000))
    data = bytes(block)
    block[2000] ^= 1
    watched = WatchedBytes(data + block + block[:2000] + bytes(2000))
    near = replace(ground(watched), data=watched, start=0, trouble=4000)
    assert not list(doubled_candidates(near, WorkBudget(1 << 30)))
    assert watched.looks < 8 * len(watched)
