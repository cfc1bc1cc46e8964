"""The damage that is held out: the same for the same seed, made of what engines write, and damage indeed."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from document.doctor.heldout import strangers
from document.doctor.heldout.__main__ import KINDS, LISTS, cases, main
from document.doctor.heldout.made import source
from document.doctor.heldout.strip import Strip
from document.doctor.heldout.writer import Writer
from document.doctor.judging import known, load_cases, truths
from document.doctor.measure import CASES


@pytest.mark.parametrize("seed", range(12))
def test_the_writer_without_mistakes_writes_what_engines_write(seed: int) -> None:
    some = source(Random(seed), least=1500 if seed % 3 == 0 else 0)
    for value, payload in zip(some.values, some.payloads, strict=True):
        writer = Writer(some.dialect)
        writer.value(value)
        assert bytes(writer.out) == payload


def test_every_kind_has_cases_and_names_and_is_new() -> None:
    found = list(cases(seed=3, count=1))
    assert [row["damage"] for row in found] == list(KINDS)
    assert all(truths()[kind][0] == kind for kind in KINDS)
    assert not set(KINDS) & {case.kind for case in load_cases(CASES)}


def test_cases_are_damaged_and_their_leaves_lie_in_the_bytes() -> None:
    for row in cases(seed=4, count=1):
        case = known(json.dumps(row))
        assert case.data not in case.results, case.kind
        inner = max([len(case.data), *map(len, case.results)])
        assert all(0 <= start < end <= inner for start, end in case.leaves), case.kind


@pytest.mark.parametrize("name", strangers.PATHS)
def test_the_lists_of_strangers_are_damage_and_half_of_their_kinds_are_held_back(name: str) -> None:
    found = list(load_cases(strangers.PATHS[name]))
    kinds = {case.kind for case in found}
    assert all(case.data not in case.results for case in found)
    assert all(truths()[kind][0] == kind for kind in kinds)
    assert not kinds & (set(KINDS) | {case.kind for case in load_cases(CASES)})
    assert (len(found), len(kinds), len(kinds & strangers.held_back())) == (360, 60, 30)


def test_the_same_seed_gives_the_same_cases() -> None:
    one, two, other = (list(islice(cases(seed, 2), 40)) for seed in (1, 1, 2))
    assert one == two != other
    assert [row["damage"] for row in one] == [kind for kind in KINDS for _ in range(2)][:40]


def test_the_file_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    main(["--seed", "5", "--out", str(path), "--per-kind", "1"])
    assert [case.kind for case in load_cases(path)] == list(LISTS["first"])


def test_a_strip_knows_which_values_are_whole() -> None:
    strip = Strip(source(Random(5), framed=False))
    some = strip.source.leaves
    strip.replace(some[1][0], 1, b"")
    strip.replace(0, 0, b"before")
    assert strip.leaves[0] == (some[0][0] + 6, some[0][1] + 6)
    assert len(strip.leaves) == len(some) - 1
