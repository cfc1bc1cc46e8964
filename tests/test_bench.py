"""The benchmarks' arithmetic and what they publish; what they measure is no matter of tests."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from bench import picture, publish, words
from bench.groups import bounds, scanning, tables, windows
from bench.measure import Goal, Measure, Row, Series, Unit, at_most, faster, within
from bench.peers import hop, hopping
from bench.setting import BenchError, Setting
from corpus import DATA

from viewer.variant.dialect import load

HERE = Setting(DATA)


def row(goal: Goal | None, series: Series, unit: Unit = Unit.SECONDS) -> Row:
    return Measure("key", "what", lambda _: series, unit, "peer", goal).run(HERE)


def test_a_ratio_is_the_median_of_the_rounds_and_not_the_quotient_of_the_medians() -> None:
    taken = row(faster(2), Series((1.0, 2.0, 4.0), (3.0, 8.0, 4.0)))
    assert (taken.ours, taken.theirs, taken.ratio, taken.met) == (2.0, 4.0, 3.0, True)


def test_a_goal_of_time_beside_a_peer_wants_a_small_ratio() -> None:
    taken = row(within(1.25), Series((1.5,), (1.0,)))
    assert (taken.ratio, taken.met) == (1.5, False)


def test_a_figure_is_compared_as_it_is_written() -> None:
    taken = row(at_most(12), Series((12.2,)), Unit.BYTES_A_NODE)
    assert (words.reached(taken), words.goal(taken), taken.met) == ("12 B/node", "≤ 12 B/node", True)


def test_a_measurement_that_fails_becomes_a_row_that_missed() -> None:
    def fails(_: Setting) -> Series:
        raise BenchError("no compiler")

    taken = Measure("key", "what", fails, goal=at_most(1)).run(HERE)
    assert (words.verdict(taken), taken.met) == ("missed: no compiler", False)


def test_rows_come_back_from_json_as_they_were() -> None:
    rows = [row(faster(2), Series((1.0,), (3.0,))), row(None, Series((1.0,)))]
    assert [Row.from_json(json.loads(json.dumps(one.to_json()))) for one in rows] == rows


def test_the_table_takes_the_place_between_its_marks() -> None:
    text = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n"
    assert publish.with_table(text, "new") == "a\n<!-- bench -->\nnew\n<!-- /bench -->\nb\n"
    with pytest.raises(ValueError, match="has no"):
        publish.with_table("a", "new")


@pytest.mark.parametrize("theme", picture.THEMES)
def test_the_picture_is_svg_and_tells_every_row(theme: str) -> None:
    rows = [row(faster(2), Series((1.0,), (3.0,))), row(at_most(1), Series((0.5,)))]
    root = ElementTree.fromstring(picture.draw(rows, picture.THEMES[theme]))
    bars = [found for found in root.iter() if found.tag.endswith("rect")]
    assert (root.tag, len(bars)) == ("{http://www.w3.org/2000/svg}svg", 2)


def test_every_row_has_a_key_of_its_own() -> None:
    keys = [measure.key for measure in (*bounds.MEASURES, *scanning.MEASURES, *tables.MEASURES, *windows.MEASURES)]
    assert len(keys) == len(set(keys))


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
