"""What a pyramid tells of runs of numbers is what looking at each of them tells."""

from __future__ import annotations

import random
from array import array

import pytest

from viewer.base.progress import Cancelled
from viewer.document.visuals.min_max_pyramid import (
    BLOCK,
    STEP,
    Column,
    MinMaxPyramid,
    PlotBox,
    PointCloud,
    bounds,
    histogram,
)

NAN, INF = float("nan"), float("inf")


def numbers(count: int, seed: int = 1) -> Column:
    chance = random.Random(seed)
    return array("d", (chance.random() for _ in range(count)))


def cloud(count: int) -> PointCloud:
    return PointCloud(MinMaxPyramid(numbers(count)), MinMaxPyramid(numbers(count, 2)))


def test_few_numbers_are_told_exactly_and_many_by_their_runs() -> None:
    column = numbers(20_000)
    pyramid = MinMaxPyramid(column)
    assert [level.size for level in pyramid.levels] == [BLOCK, BLOCK * STEP, BLOCK * STEP**2]
    assert pyramid.whole == bounds(column.tolist())
    assert pyramid.between(5, 5 + 2 * BLOCK) == bounds(column[5 : 5 + 2 * BLOCK].tolist())
    for first, last in ((0, 20_000), (777, 5000), (100, 400)):
        found = pyramid.between(first, last)
        assert found is not None
        low, high = bounds(column[first:last].tolist())
        assert found[0] <= low
        assert high <= found[1]
        size = max(level.size for level in pyramid.levels if 2 * level.size <= last - first)
        assert found == bounds(column[first // size * size : -(-last // size) * size].tolist())


def test_there_is_nothing_outside() -> None:
    pyramid = MinMaxPyramid(numbers(100))
    assert pyramid.between(-50, -4) is None
    assert pyramid.between(200, 300) is None
    assert MinMaxPyramid(array("d")).whole == (0.0, 0.0)


@pytest.mark.parametrize("odd", [[NAN, 1.0, 2.0], [1.0, NAN, 2.0], [1.0, 2.0, NAN]])
def test_what_is_no_number_does_not_count(odd: list[float]) -> None:
    assert bounds(odd) == (1.0, 2.0)
    assert bounds([NAN]) == (INF, -INF)
    assert bounds([INF, 0.0]) == (0.0, 1e300)


def test_building_and_counting_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        MinMaxPyramid(numbers(10), lambda _: False)
    with pytest.raises(Cancelled):
        histogram(numbers(10), 0, 1, 5, lambda _: False)
    with pytest.raises(Cancelled):
        cloud(10).density(PlotBox(0, 0, 1, 1), 4, 4, lambda _: False)


def test_a_histogram_counts_each_number_once() -> None:
    assert histogram(array("d", [0, 0.1, 0.5, 1, NAN, 7]), 0, 1, 2) == [2, 2]
    assert histogram(array("d", [3, 3]), 3, 3, 2) == [2, 0]
    assert sum(histogram(numbers(1000), 0, 1, 17)) == 1000


def test_a_sample_has_all_points_of_a_box_where_these_are_few() -> None:
    points = cloud(300)
    box = PlotBox(0.2, 0.2, 0.6, 0.5)
    runs, step = points.sample(box, 12_000)
    assert step == 1
    found = {number for run in runs for number in run}
    xs, ys = points.across.column.tolist(), points.down.column.tolist()
    inside = {k for k in range(300) if 0.2 <= xs[k] <= 0.6 and 0.2 <= ys[k] <= 0.5}
    assert inside <= found


def test_a_sample_of_many_points_is_even() -> None:
    runs, step = cloud(50_000).sample(PlotBox(0, 0, 1, 1), 1000)
    taken = [number for run in runs for number in run]
    assert step == 50
    assert len(taken) == pytest.approx(1000, abs=80)
    assert taken == sorted(set(taken))
    assert taken[-1] < 50_000


def test_runs_outside_a_box_are_left_out() -> None:
    across = MinMaxPyramid(array("d", range(10_000)))
    points = PointCloud(across, across)
    runs, _ = points.sample(PlotBox(5000, 5000, 5010, 5010), 1000)
    assert sum(map(len, runs)) <= 2 * BLOCK
    assert points.nearest(5003.2, 5003.2, 2, 2) == 5003
    assert points.nearest(-10, -10, 2, 2) == -1


def test_the_density_counts_the_points_of_each_pixel() -> None:
    points = PointCloud(MinMaxPyramid(array("d", [0, 0, 0.9, 5])), MinMaxPyramid(array("d", [0, 0.1, 0.9, 5])))
    assert points.density(PlotBox(0, 0, 1, 1), 2, 2) == bytes((2, 0, 0, 1))
