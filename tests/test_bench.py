"""The benchmarks' arithmetic and what they publish; what they measure is no matter of tests."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench import archive, child, command, instructions, picture, publish, rounds, run, words
from bench.archive import Run
from bench.measure import Goal, Measure, Row, Series, Unit, at_most, faster, within
from bench.noise import Noise
from bench.peers import hop, hopping
from bench.setting import BenchError, Setting
from corpus import DATA

from viewer.variant.dialect import load

HERE = Setting(DATA)
QUIET, BUSY = Noise(0.01, 0.0, 0.0), Noise(0.4, 0.3, 1.7)

pytestmark = pytest.mark.usefixtures("own_garbage")


def row(goal: Goal | None, series: Series, unit: Unit = Unit.SECONDS) -> Row:
    return Measure("name", "what", lambda _: series, "floor", goal, unit).run(HERE)


def made(rows: list[Row], noise: Noise = QUIET, commit: str = "b", before: str = "a") -> Run:
    return Run(commit, before, "a machine", False, (noise, noise), tuple(rows))


# Rounds


def test_sides_take_turns_until_the_smallest_numbers_are_steady() -> None:
    told: list[str] = []
    slow = iter([9.0, 5.0, 5.0, *[5.0] * 90])

    def ours() -> float:
        told.append("ours")
        return next(slow)

    def floor() -> float:
        told.append("floor")
        return 1.0

    mine, other = rounds.in_turns([ours, floor], math.inf, float)
    assert told == ["ours", "floor"] * 6
    assert (min(mine), other) == (5.0, (1.0,) * 6)


def test_rounds_end_with_the_time_that_they_have() -> None:
    assert rounds.in_turns([lambda: 1.0], 0, float) == [(1.0,)]


def test_the_spread_is_that_of_the_minima_of_three_thirds() -> None:
    assert rounds.spread([1.0, 7.0, 9.0, 1.25, 1.5, 8.0]) == 0.5
    assert rounds.spread([1.0] * 5) is None
    assert rounds.spread([0.0] * 6) == 0.0


# Rows


def test_only_the_smallest_numbers_count() -> None:
    taken = row(within(1.25), Series((1.5, 9.0), (4.0, 1.0)))
    assert (taken.value, taken.floor_value, taken.ratio, taken.met) == (1.5, 1.0, 1.5, False)


def test_a_speed_is_told_as_times_as_fast() -> None:
    taken = row(faster(2), Series((1.0,), (3.0,)))
    assert (taken.ratio, taken.met, words.reached(taken)) == (3.0, True, "3.00x")


def test_a_figure_is_compared_as_it_is_written() -> None:
    taken = row(at_most(12), Series((12.2,)), Unit.BYTES_A_NODE)
    assert (words.reached(taken), words.goal(taken.goal, taken.unit), taken.met) == ("12 B/node", "≤ 12 B/node", True)


def test_a_measurement_that_fails_becomes_a_row_that_missed() -> None:
    def fails(_: Setting) -> Series:
        raise BenchError("no compiler")

    taken = Measure("name", "what", fails, goal=at_most(1)).run(HERE)
    assert (words.verdict(taken), taken.met) == ("missed: no compiler", False)


def test_what_failed_is_not_tried_again_for_the_next_row() -> None:
    tried: list[int] = []

    def fails() -> int:
        tried.append(1)
        raise BenchError("no engine")

    setting = Setting(DATA)
    for _ in range(2):
        with pytest.raises(BenchError, match="no engine"):
            setting.once("engine", fails)
    assert tried == [1]


def test_every_row_has_a_name_of_its_own() -> None:
    names = [measure.name for measures in (run.SUBJECTS | run.BY_NAME).values() for measure in measures]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (["dump"], ["dump"]),
        (["dump5"], ["dump50", "dump50-memory"]),
        (["package", "get"], ["get", "compiled-size"]),
        (["nothing"], []),
    ],
)
def test_a_row_a_subject_or_a_beginning_is_chosen(wanted: list[str], names: list[str]) -> None:
    assert [measure.name for measure in run.chosen(wanted)] == names


def test_rows_with_a_goal_alone_are_chosen() -> None:
    found = list(run.chosen([], with_goal=True))
    assert found
    assert all(measure.goal is not None for measure in found)
    assert len(found) < len(list(run.chosen([])))
    assert Setting(DATA, short=True).budget < HERE.budget


def test_how_broken_bytes_are_borne_is_measured_by_name_only() -> None:
    usual = [measure.name for measure in run.chosen([])]
    assert not any(name.startswith("bounds-") for name in usual)
    assert any(measure.name.startswith("bounds-") for measure in run.chosen(["bounds"]))


# Noise


@pytest.mark.parametrize(
    ("noise", "count"), [(QUIET, 0), (BUSY, 3), (Noise(0.01, 0.0, None), 0), (Noise(0.01, 0.0, 0.5), 1)]
)
def test_noise_says_what_is_in_the_way(noise: Noise, count: int) -> None:
    assert len(noise.reasons) == count


def test_a_busy_machine_measures_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "run.json"
    code = run.main(["--only", "compiled-size", "--json", str(target)], lambda: BUSY)
    said = capsys.readouterr()
    assert (code, said.out, target.exists()) == (run.BUSY, "", False)
    assert said.err.startswith("The machine is too busy for figures: other programs keep 1.7 processors busy")


def test_figures_of_a_machine_that_became_busy_are_no_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(run.SUBJECTS, "package", [Measure("one", "one", lambda _: Series((1.0,)))])
    noise = iter([QUIET, BUSY])
    assert run.main(["--only", "one"], lambda: next(noise)) == run.BUSY
    assert capsys.readouterr().out == ""


def test_it_measures_anyway_but_does_not_publish(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in run.SUBJECTS:
        monkeypatch.setitem(run.SUBJECTS, name, [])
    monkeypatch.setitem(run.SUBJECTS, "package", [Measure("one", "one", lambda _: Series((1.0,)), goal=at_most(2))])
    assert run.main(["--anyway"], lambda: BUSY) == 0
    said = capsys.readouterr().out
    assert said.startswith("This is a busy machine: other programs keep 1.7 processors busy")
    assert "≤ 2 s  met" in said
    assert run.main(["--anyway", "--publish"], lambda: BUSY) == run.NOT_PUBLISHED


# Runs


def test_a_run_comes_back_from_json_as_it_was() -> None:
    whole = made([row(faster(2), Series((1.0,), (3.0,), "a note")), row(None, Series((1.0,)))])
    assert Run.from_json(json.dumps(json.loads(whole.to_json()))) == whole


def test_a_change_is_told_beside_the_floor_of_each_run() -> None:
    old, new = row(None, Series((2.0,) * 6, (1.0,) * 6)), row(None, Series((3.0,) * 6, (2.0,) * 6))
    assert archive.change(old, new) == -0.25
    assert archive.change(row(None, Series((2.0,))), row(None, Series((3.0,)))) == 0.5
    assert archive.change(row(None, Series()), new) is None


def test_two_runs_are_compared_row_by_row() -> None:
    steady, wide = Series((1.0,) * 6), Series((1.0, 1.0, 1.5, 1.5, 1.1, 1.1))
    grown = Series((1.2,) * 6)
    before = made([Row("a", "first", Unit.SECONDS, "", None, steady), Row("b", "gone", Unit.SECONDS, "", None)], BUSY)
    before = Run("a", "", *[getattr(before, name) for name in ("machine", "is_quick", "noise", "rows")])
    after = made([Row("a", "first", Unit.SECONDS, "", None, grown)])
    said = archive.compared(before, after)
    assert said.splitlines()[0] == "before: a, a machine (on a busy machine), the commit before"
    assert "a    first  1.00 s  1.20 s   +20 %        2 %  more" in said
    assert said.endswith("only before: b")
    unsure = made([Row("a", "first", Unit.SECONDS, "", None, wide)])
    assert "50 %" in archive.compared(unsure, after)
    assert "more" not in archive.compared(unsure, after)


def test_figures_take_the_place_between_their_marks() -> None:
    text = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n"
    new = publish.with_figures(text, made([row(at_most(1), Series((0.5,), (0.25,)))]))
    assert "old" not in new
    assert "| what | 500 ms | floor: 250 ms | 2.00x | ≤ 1 s |" in new
    with pytest.raises(ValueError, match="has no"):
        publish.with_figures("a", made([]))


@pytest.mark.parametrize("theme", picture.THEMES)
def test_the_picture_is_svg_and_tells_every_row(theme: str) -> None:
    rows = [row(faster(2), Series((1.0,), (3.0,))), row(at_most(1), Series((0.5,)))]
    root = ElementTree.fromstring(picture.draw(rows, picture.THEMES[theme]))
    bars = [found for found in root.iter() if found.tag.endswith("rect")]
    assert (root.tag, len(bars)) == ("{http://www.w3.org/2000/svg}svg", 2)


# What is measured with


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not tell what a process took")
def test_a_command_is_measured_as_a_whole() -> None:
    idle, busy = (command.used("-c", text) for text in ("pass", "(b'a' * (64 << 20)).count(1)"))
    assert 0 < idle.seconds < busy.seconds
    assert busy.peak - idle.peak > 32 << 20
    with pytest.raises(BenchError, match="ended with code 3"):
        command.used("-c", "raise SystemExit(3)")


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not tell what a process took")
def test_a_crash_is_no_finding() -> None:
    assert command.used("-c", "raise SystemExit(1)", answer=1).seconds > 0
    with pytest.raises(BenchError, match="ended with code 1"):
        command.used("-c", "raise SystemExit(1)")
    with pytest.raises(BenchError, match="ZeroDivisionError"):
        command.used("-c", "1 / 0", answer=1)


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not tell what a process took")
def test_a_command_that_takes_too_long_is_ended_with_what_it_began(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import fcntl

    monkeypatch.setattr(child, "PATIENCE", 1)
    held, start = tmp_path / "held", time.monotonic()
    slow = f"import fcntl, time; file = open({str(held)!r}, 'w'); fcntl.flock(file, fcntl.LOCK_EX); time.sleep(30)"
    with pytest.raises(BenchError, match="not done after 1 seconds"):
        command.used("-c", slow)
    with held.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
    assert time.monotonic() - start < 25


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lets a process be stepped through")
def test_instructions_are_counted_one_by_one() -> None:
    few, many = (instructions.by_steps(lambda text=text: text.count(b"a")) for text in (bytes(10), bytes(1000)))
    assert few < many < few + 100_000


def test_the_header_loop_finds_every_value() -> None:
    raw = bytes.fromhex(
        "13000000 05000000"  # Array of five
        "02000000 07000000"  # int
        "03000100 000000000000f03f"  # float of 64 bits
        "04000000 05000000 6162636465 000000"  # String with fill
        "0f000000 01000080 01000000 00000000 01000000 61000000 01000000 62000000"  # NodePath of a name and a subname
        "18000000 01000000 0000803f 0000803f"  # packed Vector2
    )
    assert hop.hop(hopping.words_of(raw), hopping.sizes_of(load("godot3"))) == 6
