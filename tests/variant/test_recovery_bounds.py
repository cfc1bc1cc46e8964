"""Recovery's bounds: it ends when it is told to, and the same bytes always come out the same."""

from __future__ import annotations

import importlib
import struct
import sys
from pathlib import Path
from random import Random
from types import FrameType

import corpus
import pytest

from viewer.base.diagnostic import Code
from viewer.variant.dialect import load
from viewer.variant.header import hop_plain
from viewer.variant.recovery.false_counts import cost
from viewer.variant.recovery.header_run import LEAST, LOOK, SEARCHES, Trails
from viewer.variant.recovery.recover import recover
from viewer.variant.scan import scan

GODOT3, GODOT4 = load("godot3"), load("godot4")
TOOLS = Path(__file__).parents[2] / "tools"
SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()[4:]


def damaged(places: int) -> bytes:
    """The save with eight bytes overwritten in some places."""
    chance, data = Random(5), bytearray(SAVE)
    for _ in range(places):
        at = chance.randrange(1000, len(data) - 8)
        data[at : at + 8] = chance.randbytes(8)
    return bytes(data)


@pytest.mark.parametrize("calls", [1, 2, 4])
def test_ends_within_a_few_calls_when_told_to(calls: int) -> None:
    first = scan(damaged(8), GODOT3)
    asked: list[int] = []

    def progress(offset: int) -> bool:
        asked.append(offset)
        return len(asked) < calls

    recover(first, progress)
    assert calls <= len(asked) <= calls + 2


def test_the_same_bytes_come_out_the_same() -> None:
    first = scan(damaged(8), GODOT3)
    one, other = recover(first), recover(first)
    assert list(one.start[: len(one)]) == list(other.start[: len(other)])
    assert one.diagnostics == other.diagnostics


def test_one_heavy_error_leaves_enough_for_those_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost bytes, noise and a broken header far from each other: all of the save that is not noise is shown."""
    monkeypatch.syspath_prepend(str(TOOLS))
    raw: bytes = importlib.import_module("damaged_save").damaged()[4:]
    table = recover(scan(raw, GODOT3))
    assert table.end_of_data == len(raw)
    assert sum(len(gap.span) for gap in table.gaps) < 1000
    assert len(table) > 70_000


def test_a_question_that_asks_too_much_has_no_answer_but_the_next_one_has() -> None:
    trails = Trails(SAVE, GODOT3)
    trails.begin(0)
    assert trails.ask(lambda: [trails.head(0) for _ in range(len(SAVE))]) is None
    assert trails.ask(lambda: trails.head(0)) == trails.head(0)


def test_all_questions_together_are_bounded() -> None:
    """However many searches begin, each with a share of what is left."""
    raw = SAVE[:100_000]
    trails = Trails(raw, GODOT3)
    looks = 0

    def look() -> None:
        nonlocal looks
        while True:
            trails.head(0)
            looks += 1

    for at in range(200):
        trails.begin(at)
        assert trails.ask(look) is None
    assert looks * LOOK <= SEARCHES * (2 * len(raw) + LEAST)


def strings(texts: list[bytes], count: int | None = None) -> bytes:
    rows = b"".join(struct.pack("<I", len(text)) + text + bytes(-len(text) % 4) for text in texts)
    return struct.pack("<II", 34, len(texts) if count is None else count) + rows


def test_a_bad_text_among_many_is_told_where_it_lies() -> None:
    texts = [b"name%d\0" % k for k in range(1000)]
    texts[700] = b"bad\xff\0"
    raw = strings(texts, 1001)
    found = [each for each in scan(raw, GODOT4).diagnostics if each.code is Code.BAD_UTF8]
    assert [(each.part, each.span.start) for each in found] == [("[700]", raw.index(0xFF, 8))]


def test_the_text_that_is_cut_off_is_told_by_its_number() -> None:
    raw = strings([b"name%d\0" % k for k in range(1000)])[:-6]
    found = scan(raw, GODOT4).diagnostics[-1]
    assert found.code is Code.LENGTH_TOO_LONG
    assert found.part == "[999]_length"


def test_plain_texts_are_hopped_over_up_to_one_that_is_not() -> None:
    raw = strings([b"a\0"] * 600 + [b"\xc3\xa4\0"] + [b"b\0"] * 20)
    known, at = hop_plain(raw, 8, 621, ascii_only=False)
    assert (known, at) == (621, len(raw))
    assert hop_plain(raw, 8, 621, ascii_only=True) == (0, 8)
    assert hop_plain(raw, 8, 600, ascii_only=True) == (600, 8 + 600 * 8)


def test_goes_on_at_the_right_place_among_many_equal_numbers() -> None:
    """Behind the broken one zeros at odd places pass for odd Nils, up to the end: that must not take all the work."""
    number, count = struct.pack("<II", 2, 7), 100_000
    half = count // 2
    raw = struct.pack("<II", 19, count) + number * half + b"\x7e" + number[1:] + number * (count - half - 1)
    found = recover(scan(raw, GODOT3))
    assert found.child_count(0) == count
    broken = 8 + 8 * half
    assert [(gap.span.start, gap.span.end) for gap in found.gaps] == [(broken + 4, broken + 8)]


def test_where_a_trail_leads_does_not_depend_on_what_was_asked_before() -> None:
    raw = struct.pack("<II", 2 | 4 << 16, 5) * 140 + (struct.pack("<II", 4, 4) + b"abcd") * 100
    asked = Trails(raw, GODOT4)
    asked.follow(0)
    for at in range(0, 140 * 8, 8):
        assert asked.follow(at) == Trails(raw, GODOT4).follow(at)
    assert asked.follow(1024).end == len(raw)


def test_the_values_of_an_object_count_as_work() -> None:
    """Objects that hold objects: each is read with all that it holds, which takes longer than hopping over it."""
    one = struct.pack("<II4sII4s", 24, 4, b"Node", 1, 1, b"p\0\0\0")
    raw = one * 500 + struct.pack("<I", 0)
    trails = Trails(raw, GODOT4)
    before = trails.budget
    assert trails.head(0) == (len(raw), 0, True)
    assert before - trails.budget >= LOOK * 1000


def test_a_trail_that_is_known_counts_as_work_but_not_against_the_budget() -> None:
    """The same trails are asked for from tens of thousands of places."""
    told: list[int] = []
    trails = Trails(struct.pack("<II", 2, 5) * 100, GODOT4, work=told.append)
    known = trails.follow(0)
    told.clear()
    before = trails.budget
    assert trails.follow(0) == known
    assert (told, trails.budget) == ([LOOK], before)


def test_judging_deep_nesting_takes_a_few_calls_a_node() -> None:
    """A dictionary of one pair in each other: a trial of recovery judges all of them, and there are many trials."""
    table = scan(struct.pack("<IIII", 27, 1, 2, 5) * 1000 + struct.pack("<I", 0), GODOT4)
    count = 0

    def seen(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        assert cost(table) == 0
    finally:
        sys.setprofile(None)
    assert count <= 20 * len(table)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((27, 1, 2, 5, 0), 0.0),
        ((27, 1, 0, 0), 0.5),
        ((27, 2, 2, 5, 0, 2, 5, 0), 2.0),
        ((27, 2, 2, 5, 0, 0, 0), 1.5),
        ((28, 1, 0), 0.0),
        ((28, 2, 0, 2, 5), 0.3),
    ],
)
def test_oddness_is_that_of_keys_and_mixed_types(words: tuple[int, ...], expected: float) -> None:
    assert cost(scan(struct.pack(f"<{len(words)}I", *words), GODOT4)) == pytest.approx(expected)
