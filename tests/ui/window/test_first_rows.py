"""The values shown before the window is there lie where they stay, and are those that the window goes on with."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document.reading import AT_ONCE
from viewer.ui.hex import coverage_strip
from viewer.ui.hex.view import HexView
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.path_bar import PathBar
from viewer.ui.reading_beside import ReadingBeside
from viewer.ui.settings import PaneWidths
from viewer.ui.tree.view import TreeView
from viewer.ui.window import first_frame, first_rows, work_area
from viewer.ui.window.first_frame import StartedWindow
from viewer.ui.window.first_rows import FirstRows, show_first_rows
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.windows import Windows

SAVE = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
INT, ARRAY = 2, 19


@pytest.fixture
def begun(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartedWindow]:
    """A start with a window that shows nothing yet."""
    QSettings().clear()
    monkeypatch.setattr(first_frame, "application", lambda: qapp)
    made = StartedWindow(str(SAVE))
    monkeypatch.setattr(first_frame, "_begun", [made])
    yield made
    for frame in (made.frame, *QApplication.topLevelWidgets()):
        frame.hide()
    QSettings().clear()


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A file that is too long to be read at once."""
    path = tmp_path / "long.bin"
    count = AT_ONCE // 8 + 100_000
    path.write_bytes(struct.pack("<II", ARRAY, count) + struct.pack("<Ii", INT, 7) * count)
    return path


def _shown(begun: StartedWindow, path: Path) -> FirstRows:
    show_first_rows(str(path))
    assert begun.rows is not None
    return begun.rows


def _taken(begun: StartedWindow, rows: FirstRows) -> MainWindow:
    windows = Windows(begun.settings, begun.theme)
    begun.frame.setProperty("windows", windows)  # they live as long as it
    view = windows.take(begun.frame, rows).active
    view.take_rows(rows)
    begun.frame.reveal()
    return view


def test_what_it_knows_of_the_window_is_so() -> None:
    assert (first_rows.WIDE, first_rows.SMALLEST) == (work_area.NARROW, work_area.TINY)
    assert (first_rows.INSPECTOR, first_rows.HANDLE) == (work_area.INSPECTOR_WIDTH, work_area.HANDLE)
    assert (first_rows.GOOD, first_rows.LEAST) == (work_area.TREE_GOOD, work_area.TREE_MIN)
    assert first_rows.STRIP == coverage_strip.WIDTH


def test_it_knows_how_narrow_the_inspector_may_be(begun: StartedWindow) -> None:
    view = _taken(begun, _shown(begun, SAVE))
    assert view.findChild(Inspector).minimumWidth() == first_rows.INSPECTOR_LEAST


@pytest.mark.parametrize("width", [800, 1000, 1149, 1150, 1280, 1500, 2000])
@pytest.mark.parametrize(("row_width", "zoom", "inspector"), [(0, 0, True), (16, 0, False), (8, 3, True)])
def test_the_rows_lie_where_they_stay(
    begun: StartedWindow, qtbot: QtBot, width: int, row_width: int, zoom: int, inspector: bool
) -> None:
    begun.settings.row_width, begun.settings.zoom = row_width, zoom
    begun.settings.keep_flag("inspector", inspector)
    begun.frame.resize(width, 700)
    qtbot.waitUntil(lambda: begun.frame.centralWidget().width() == width)
    rows = _shown(begun, SAVE)
    before = rows.tree.mapTo(begun.frame, QPoint(0, 0)), rows.tree.size()
    assert rows.tree.isVisible()
    view = _taken(begun, rows)
    view.settle()
    assert (rows.tree.mapTo(begun.frame, QPoint(0, 0)), rows.tree.size()) == before


@pytest.mark.parametrize("width", [800, 1149, 1150, 1280, 2000])
@pytest.mark.parametrize(
    ("kept", "shows_bytes", "inspector"),
    [
        (PaneWidths(450, 330), True, True),
        (PaneWidths(450, 330), True, False),
        (PaneWidths(450, 330), False, True),
        (PaneWidths(0, 400), True, True),
        (PaneWidths(5000, 220), True, True),
        (PaneWidths(10, 10), True, True),
        (PaneWidths(10, 5000), True, True),
        (PaneWidths(10, 5000), False, True),
    ],
)
def test_the_rows_lie_where_a_person_dragged_them(
    begun: StartedWindow, qtbot: QtBot, width: int, kept: PaneWidths, shows_bytes: bool, inspector: bool
) -> None:
    for form in ("wide", "narrow"):
        begun.settings.keep_pane_widths(form, kept)
    begun.settings.keep_flag("bytes/values", shows_bytes)
    begun.settings.keep_flag("inspector", inspector)
    begun.frame.resize(width, 700)
    qtbot.waitUntil(lambda: begun.frame.centralWidget().width() == width)
    rows = _shown(begun, SAVE)
    before = rows.tree.mapTo(begun.frame, QPoint(0, 0)), rows.tree.size()
    view = _taken(begun, rows)
    QApplication.processEvents()
    assert (rows.tree.mapTo(begun.frame, QPoint(0, 0)), rows.tree.size()) == before
    view.settle()
    assert (rows.tree.mapTo(begun.frame, QPoint(0, 0)), rows.tree.size()) == before
    assert view._parts.bytes.isVisible() is shows_bytes


def test_the_window_goes_on_with_what_was_shown(begun: StartedWindow, qtbot: QtBot) -> None:
    rows = _shown(begun, SAVE)
    row = rows.tree.model().index(0, 0)
    assert rows.tree.isExpanded(row)
    view = _taken(begun, rows)
    assert view.session is rows.session
    assert view.findChildren(TreeView, "treeView") == [rows.tree]
    assert view.opened.documents == [rows.document]
    assert begun.frame.windowTitle().startswith(SAVE.name)
    assert begun.frame.focusWidget() is rows.tree
    assert view.findChild(HexView, "hexView").size_of_source == len(rows.document.buffer)
    assert rows.tree.isExpanded(rows.tree.model().index(0, 0))
    assert [item.path for item in begun.settings.recent] == [SAVE]
    view.settle()
    assert not view.findChild(Inspector).grab().toImage().isNull()
    assert view.findChild(PathBar).isVisible()


def test_what_is_being_read_is_read_once_and_to_the_end(
    begun: StartedWindow, long: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_rows, "GLIMPSE_WITHIN", 60_000)  # a busy machine may need longer than a start waits
    starts: list[object] = []
    start = ReadingBeside.start
    monkeypatch.setattr(ReadingBeside, "start", lambda self, document: (starts.append(document), start(self, document)))
    rows = _shown(begun, long)
    assert rows.document.frames
    view = _taken(begun, rows)
    qtbot.waitUntil(lambda: rows.document.task is None and not view.session.reading.is_on)
    assert len(starts) == 1
    assert view.session.item is not None
    assert rows.tree.model().rowCount() == 1


@pytest.mark.parametrize("kind", ["wrapped", "missing", "folder", "small"])
def test_what_takes_more_than_a_moment_is_left_to_the_window(begun: StartedWindow, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file.save"
    if kind == "wrapped":
        path.write_bytes(gzip.compress(SAVE.read_bytes()))
    elif kind == "folder":
        path.mkdir()
    elif kind == "small":
        path.write_bytes(SAVE.read_bytes())
        begun.frame.setMinimumSize(300, 200)
        begun.frame.resize(first_rows.SMALLEST - 1, 500)
    show_first_rows(str(path))
    assert begun.rows is None
