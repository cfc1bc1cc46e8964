"""Plots by mouse and keys: what a pixel means, what is seen, and that very many points stay few at a time."""

from __future__ import annotations

import math
from array import array
from typing import cast

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from viewer.document.visuals.min_max_pyramid import Column, MinMaxPyramid
from viewer.document.visuals.plot_data import EdgeRole, PlotData, PlotEdge
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.visuals import plot_painting
from viewer.ui.visuals.plot_painting import PlotPlace, tick_text, ticks
from viewer.ui.visuals.plot_view import PlotMode, PlotSide, PlotView
from viewer.variant.items import Item

KEY = Qt.Key


class Stage:
    """A view that is shown."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.view = PlotView(theme(LIGHT))
        qtbot.addWidget(self.view)
        self.view.resize(600, 400)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.picked: list[int] = []
        self.view.picked.connect(self.picked.append)

    def show(self, *columns: list[float], edges: tuple[PlotEdge, ...] = ()) -> None:
        arrays = tuple(cast(Column, array("d", column)) for column in columns)
        data = PlotData(Item(0, 0), "numbers", arrays, edges, lambda index: Item(0, 0, f"[{index}]"))
        self.view.set_data(data, tuple(map(MinMaxPyramid, arrays)))
        self.view.grab()

    def click(self, index: int) -> None:
        self.qtbot.mouseClick(self.view, Qt.MouseButton.LeftButton, pos=self.view._pixel(index).toPoint())


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    return Stage(qtbot)


def test_a_click_chooses_the_number_of_a_line(stage: Stage) -> None:
    stage.show([math.sin(k / 5) for k in range(50)])
    stage.click(17)
    assert stage.picked == [17]
    assert stage.view.marked == 17


def test_of_many_numbers_in_a_pixel_the_one_at_the_mouse_is_meant(stage: Stage) -> None:
    numbers = [0.0] * 100_000
    numbers[50_003] = 9.0
    stage.show(numbers)
    at = stage.view._pixel(50_003)
    assert stage.view.index_at(at) == 50_003


def test_points_are_chosen_from_each_side(stage: Stage) -> None:
    stage.show([0.0, 5.0, 9.0], [1.0, 7.0, 2.0], [3.0, 3.0, 8.0])
    for side in PlotSide:
        stage.view.set_side(side)
        stage.view.grab()
        for index in range(3):
            stage.click(index)
            assert stage.picked[-1] == index, side


def test_keys_move_zoom_step_and_choose(stage: Stage) -> None:
    view = stage.view
    stage.show([0.0, 10.0], [0.0, 10.0])
    whole = view._place
    stage.qtbot.keyClick(view, KEY.Key_Plus)
    assert view._place.across > whole.across
    stage.qtbot.keyClick(view, KEY.Key_Right)
    assert view._place.x > whole.x
    stage.qtbot.keyClick(view, KEY.Key_0)
    assert view._place == whole
    stage.qtbot.keyClick(view, KEY.Key_PageDown)
    stage.qtbot.keyClick(view, KEY.Key_PageDown)
    stage.qtbot.keyClick(view, KEY.Key_Return)
    assert stage.picked == [1]
    stage.qtbot.keyClick(view, KEY.Key_Home)
    assert view.marked == 0


def test_the_point_under_the_mouse_stays_while_zooming(stage: Stage) -> None:
    stage.show([0.0, 10.0], [0.0, 10.0])
    at = QPointF(100, 80)
    before = stage.view._place.to_data(at)
    stage.view.zoom(3, at)
    assert stage.view._place.to_data(at) == pytest.approx(before)


def test_a_histogram_tells_its_bars(stage: Stage) -> None:
    stage.show([0.0] * 30 + [1.0] * 10)
    stage.view.set_mode(PlotMode.HISTOGRAM)
    stage.qtbot.waitUntil(lambda: bool(stage.view._bins))
    stage.view.grab()
    bar = stage.view._place.to_pixel(0.001, 5)
    assert stage.view.bin_words(bar) == "from 0 to 0.005: 30"


def test_very_many_points_are_sampled_first_and_all_counted_in_a_moment(stage: Stage) -> None:
    count = 30_000
    stage.show([math.sin(k * k) for k in range(count)], [math.cos(k) for k in range(count)])
    assert stage.view.drawn_of > 1
    stage.qtbot.waitUntil(lambda: stage.view._all is not None)
    assert stage.view.drawn_of == 1
    stage.view.grab()
    stage.view.pan(5, 5)
    assert stage.view._all is None
    with stage.qtbot.waitSignal(stage.view.counted):
        stage.view.grab()
    assert stage.view.drawn_of > 1


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf"), 1e308, 5e-324])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_odd_numbers_are_drawn_without_a_fault(stage: Stage, odd: float, width: int) -> None:
    stage.show(*([[1.0, odd, 3.0]] * width))
    stage.view.zoom(1e9)
    stage.view.grab()
    stage.view.fit()
    stage.show(*([[odd, odd]] * width))
    stage.view.index_at(QPointF(300, 200))


def test_edges_are_drawn_with_their_points(stage: Stage) -> None:
    edges = tuple(
        PlotEdge((0.0, 0.0, 0.0), end, role, 0) for role, end in zip(EdgeRole, [(1.0, 1.0, 1.0)] * 4, strict=True)
    )
    stage.show([0.0], [0.0], [0.0], edges=edges)
    assert stage.view.modes == [PlotMode.POINTS]
    for side in PlotSide:
        stage.view.set_side(side)
        stage.view.grab()


def test_a_value_of_the_same_number_elsewhere_is_seen_as_a_whole(stage: Stage) -> None:
    stage.show([0.0, 1e6], [0.0, 1e6])
    stage.show([0.0, 1.0], [0.0, 1.0])
    assert stage.view._place.box.right < 3


def test_numbers_beside_the_grid_are_whole(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also beside a line that lies at the upper edge."""
    tops: list[float] = []

    def note(painter: object, rect: QRectF, *rest: object, **how: object) -> float:
        tops.append(rect.top())
        return 0.0

    stage.show([0.0, 10.0, 20.0], [0.0, 7.0, 3.0])
    monkeypatch.setattr(plot_painting, "paint_line", note)
    for _ in range(120):
        stage.view.pan(0, 1)
        stage.view.grab()
    assert len(tops) > 60
    assert min(tops) >= 0
    assert min(tops) < 15


def test_ticks_are_round_numbers() -> None:
    assert ticks(0, 10, 600) == [0, 2, 4, 6, 8, 10]
    assert ticks(-0.013, 0.021, 400) == [-0.01, 0, 0.01, 0.02]
    assert ticks(1, 1, 300) == []
    assert ticks(-1e308, 1e308, 300) == []
    assert tick_text(1e20) == "1e+20"


def test_pixels_and_data_go_both_ways() -> None:
    for is_up in (True, False):
        place = PlotPlace(5, 7, 10, 20, is_up, 300, 200)
        assert place.to_data(place.to_pixel(3.5, 9.25)) == pytest.approx((3.5, 9.25))
    assert place.to_pixel(1e300, 0).x() == 1e6


def test_points_in_space_are_seen_from_above_and_shapes_from_aside_until_a_person_chooses(stage: Stage) -> None:
    space = [0.0, 1.0, 2.0]
    edge = PlotEdge((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), EdgeRole.EDGE, 0)
    stage.show(space, space, space)
    assert stage.view.side is PlotSide.TOP
    stage.show(space, space, space, edges=(edge,))
    assert stage.view.side is PlotSide.ORBIT
    stage.view.set_side(PlotSide.FRONT)
    stage.show(space, space, space)
    assert stage.view.side is PlotSide.FRONT
