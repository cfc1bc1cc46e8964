"""Plots and colours by keys: shown beside the window, in step with its selection both ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from document.visuals.picture_values import bag, save
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.sheets.column_plot import column_plot
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.sheets.sheet_pane import SheetPane
from viewer.ui.visuals.plot_dialog import NO_PLOT, PlotDialog
from viewer.ui.visuals.plot_view import PlotMode
from viewer.ui.window.main_window import MainWindow
from viewer.variant.value import Array, Value

KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier


class Stage:
    """The window with a save of things to plot."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        foes = tuple(
            bag(at=Value("Vector2", (float(k), 1.0)), hp=Value("int", k), gold=Value("int", 9 - k)) for k in range(4)
        )
        self.document = save(
            way=Value("PoolVector2Array", ((0.0, 0.0), (5.0, 5.0), (9.0, 1.0))),
            numbers=Value("PoolRealArray", tuple(float(k % 7) for k in range(100))),
            foes=Value("Array", Array(foes)),
            colours=Value("PoolColorArray", tuple((k / 4, 0.0, 0.0, 1.0) for k in range(5))),
            gold=Value("int", 5),
        )
        window.session.show(self.document)

    def select(self, name: str) -> None:
        self.window.session.select(parse_path(self.document, f"[0].{name}"))

    def open(self, name: str) -> PlotDialog:
        """Select a value and press the key."""
        self.select(name)
        self.qtbot.keyClick(self.window, KEY.Key_F7, CTRL)
        dialog = self.window.findChild(PlotDialog)
        assert dialog is not None
        assert dialog.isVisible()
        return dialog


@pytest.fixture
def stage(window: MainWindow, qtbot: QtBot) -> Stage:
    return Stage(window, qtbot)


def test_a_point_is_selected_in_the_window_and_the_other_way_round(stage: Stage) -> None:
    dialog = stage.open("way")
    assert dialog.words.text() == "PoolVector2Array, 3 points"
    for _ in range(2):
        stage.qtbot.keyClick(dialog.view, KEY.Key_PageDown)
    assert dialog.place.text() == "[1]  (5, 5)"
    stage.qtbot.keyClick(dialog.view, KEY.Key_Return)
    assert stage.window.session.path == "[0].way[1]"
    stage.select("way[2].x")
    assert dialog.view.marked == 2


def test_the_plot_follows_edits_and_says_when_its_value_is_gone(stage: Stage) -> None:
    dialog = stage.open("way")
    session = stage.window.session
    session.apply(set_literal(stage.document, parse_path(stage.document, "[0].way[1]"), "(7, 8)"))
    assert dialog.view.data is not None
    assert dialog.view.data.values(1) == (7, 8)
    session.apply(set_literal(stage.document, parse_path(stage.document, "[0]"), "{}"))
    assert dialog.words.text() == NO_PLOT


def test_numbers_are_a_line_or_a_histogram(stage: Stage) -> None:
    dialog = stage.open("numbers")
    assert [dialog.mode.itemText(k) for k in range(dialog.mode.count())] == ["Line", "Histogram"]
    dialog.mode.setCurrentIndex(1)
    dialog.mode.activated.emit(1)
    assert dialog.view.mode is PlotMode.HISTOGRAM
    assert not dialog.side.isVisible()


def test_from_one_enemy_all_are_seen_and_it_is_marked(stage: Stage) -> None:
    dialog = stage.open("foes[2].at")
    assert dialog.path.text() == "[0].foes"
    assert dialog.view.marked == 2


def test_keys_of_dictionaries_are_chosen_and_kept_through_edits(stage: Stage) -> None:
    dialog = stage.open("foes")
    assert dialog.key_row.isVisible()
    assert not dialog.against.isVisible()
    for box, name in ((dialog.key, "hp"), (dialog.against, "gold")):
        box.setCurrentIndex(box.findData(name))
        box.activated.emit(box.currentIndex())
    assert dialog.words.text() == "Array, 4 points of \u201chp\u201d against \u201cgold\u201d"
    assert dialog.view._place.is_up
    dialog.view.step(2)
    assert dialog.place.text() == "[1].hp  (8, 1)    at: Vector2(1, 1), hp: 1, gold: 8"
    session = stage.window.session
    session.apply(set_literal(stage.document, parse_path(stage.document, "[0].foes[1].hp"), "5"))
    assert dialog.view.data is not None
    assert dialog.view.data.values(1) == (8, 5)
    stage.open("way")
    assert not dialog.key_row.isVisible()


def test_colours_are_a_palette_whose_colours_are_edited(stage: Stage) -> None:
    dialog = stage.open("colours")
    view = dialog.palette_view
    assert view.isVisible()
    assert not dialog.view.isVisible()
    dialog.grab()
    for _ in range(3):
        stage.qtbot.keyClick(view, KEY.Key_Right)
    assert stage.window.session.path == "[0].colours[2]"
    assert dialog.place.text() == "[2]  (0.5, 0, 0, 1)"
    stage.qtbot.keyClick(view, KEY.Key_Return)
    card = stage.window.findChild(EditorCard)
    assert card is not None
    card.reject()


def test_what_has_no_plot_is_told(stage: Stage) -> None:
    told: list[str] = []
    stage.window.session.failed.connect(told.append)
    stage.select("gold")
    stage.window._actions["plot"].trigger()
    assert told[0].startswith("Nothing to plot here")
    assert stage.window.findChild(PlotDialog) is None


def test_a_closed_window_keeps_nothing_of_a_file(stage: Stage) -> None:
    dialog = stage.open("way")
    assert dialog.view.data is not None
    stage.window.session.show(None)
    assert not dialog.isVisible()
    assert dialog.spot is None
    assert dialog.view.data is None


def test_an_edit_leaves_the_place_and_another_value_is_seen_as_a_whole(stage: Stage) -> None:
    dialog = stage.open("way")
    whole = dialog.view._place
    dialog.view.zoom(4)
    near = dialog.view._place
    stage.window.session.apply(set_literal(stage.document, parse_path(stage.document, "[0].way[1]"), "(700, 8)"))
    assert dialog.view._place == near
    stage.open("numbers")
    assert dialog.view._place not in (near, whole)
    stage.open("way")
    assert dialog.view._place.box.right > 700


def test_a_column_of_a_table_is_plotted_alone_and_against_another(stage: Stage) -> None:
    stage.select("foes")
    stage.qtbot.keyClick(stage.window, KEY.Key_T, CTRL | Qt.KeyboardModifier.ShiftModifier)
    pane = stage.window.findChild(SheetPane)
    assert pane is not None
    titles = [column.title for column in pane.sheet.columns]
    pane.view.go(pane.model.index(2, titles.index("hp")))
    stage.qtbot.keyClick(pane.view, KEY.Key_F7, CTRL | Qt.KeyboardModifier.AltModifier)
    dialog = stage.window.findChild(PlotDialog)
    assert dialog is not None
    assert dialog.words.text() == "4 numbers of “hp”"
    assert [dialog.key.itemText(k) for k in range(dialog.key.count())] == ["at", "hp", "gold"]
    dialog.against.setCurrentIndex(dialog.against.findText("gold"))
    dialog.against.activated.emit(0)
    assert dialog.words.text() == "4 points of “hp” against “gold”"
    assert [dialog.view.data.values(k) for k in range(4)] == [(9.0, 0.0), (8.0, 1.0), (7.0, 2.0), (6.0, 3.0)]
    dialog.view.picked.emit(1)
    assert stage.window.session.path == "[0].foes[1].hp"
    assert pane.view.currentIndex().row() == 1
    stage.window.session.set_literal(parse_path(stage.document, "[0].foes[1].hp"), "77")
    assert dialog.view.data.values(1) == (8.0, 77.0)
    dialog.key.setCurrentIndex(dialog.key.findText("at"))
    dialog.key.activated.emit(0)
    assert dialog.words.text() == "4 points of “at”"


def test_columns_that_are_arrays_and_columns_without_numbers(stage: Stage) -> None:
    document = save(
        hp=Value("PoolIntArray", (5, 6, 7)),
        gold=Value("PoolRealArray", (0.5, 1.5, 2.5)),
        names=Value("PoolStringArray", ("a", "b", "c")),
    )
    top = parse_path(document, "[0]")
    plot = column_plot(document, top, True, ("gold", "hp"))
    assert plot is not None
    assert [plot.values(k) for k in range(3)] == [(5.0, 0.5), (6.0, 1.5), (7.0, 2.5)]
    assert plot.item_at(2) == parse_path(document, "[0].gold[2]")
    assert column_plot(document, top, True, ("names", "")) is None
    assert column_plot(document, top, True, ("nothing", "")) is None


def test_the_plot_stays_with_its_value_where_the_file_is_read_again(stage: Stage, tmp_path: Path) -> None:
    path, other = tmp_path / "a.save", tmp_path / "b.save"
    for each in (path, other):
        each.write_bytes(bytes(stage.document.buffer[:]))
    stage.window.open_path(path)
    dialog = stage.open("way")
    written = Document.open(path)
    written.apply(set_literal(written, parse_path(written, "[0].way[1]"), "(7, 8)"))
    written.save()
    stage.window._files.reload(is_asked=False)
    assert dialog.isVisible()
    assert dialog.view.data is not None
    assert dialog.view.data.values(1) == (7, 8)
    assert dialog.spot is not None
    assert dialog.spot.document is stage.window.session.document
    stage.window.open_path(other)
    assert not dialog.isVisible()


def test_a_value_that_has_no_plot_in_the_file_read_again_stays_without_one(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(bytes(stage.document.buffer[:]))
    stage.window.open_path(path)
    dialog = stage.open("way")
    written = save(way=Value("String", "gone"), gold=Value("int", 5))
    path.write_bytes(bytes(written.buffer[:]))
    stage.window._files.reload(is_asked=False)
    shown = stage.window.session.document
    assert shown is not None
    stage.window.session.apply(set_literal(shown, parse_path(shown, "[0].gold"), "6"))
    assert dialog.words.text().startswith("Fewer than two")
    assert dialog.view.data is None
    assert dialog.spot is not None
    assert dialog.spot.document is shown
