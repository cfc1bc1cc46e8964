"""What was painted once is shown again without a pixel of difference, and is not painted again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import corpus
import pytest
from PySide6.QtGui import QPainter, QPixmap
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.hex_page import HexPage
from viewer.ui.hex.ink import DIM, LOUD
from viewer.ui.hex.kept_picture import shows_pixels
from viewer.ui.hex.kept_rows import KeptRows
from viewer.ui.hex.page_painter import HexPainter
from viewer.ui.hex.view import HexView
from viewer.ui.look import palette
from viewer.ui.session import Session
from viewer.variant.tints import STYLES

STEPS = 80


def save() -> Path:
    """A save with values of all kinds."""
    return next(entry.path for entry in corpus.files("godot3") if entry.path.name == "rpg.save")


@pytest.fixture
def view(qtbot: QtBot) -> HexView:
    """Some rows of a save, painted."""
    shown = HexView(palette.theme(palette.LIGHT))
    qtbot.addWidget(shown)
    session = Session(shown)
    HexBridge(session, shown)
    shown.resize(700, 500)
    shown.show()
    session.show(Document.open(save()))
    shown.finish()
    shown.grab()
    return shown


@pytest.mark.parametrize(("scale", "seed"), [("1", 1), ("1.5", 14), ("2", 3)])
def test_kept_rows_look_like_those_painted_anew(scale: str, seed: int, tmp_path: Path) -> None:
    tests = Path(__file__).parents[2]
    env = os.environ | {
        "QT_SCALE_FACTOR": scale,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join((str(tests.parent), str(tests))),
    }
    call = [sys.executable, "-m", "ui.hex.scrolled", str(save()), str(seed), str(STEPS)]
    found = subprocess.run(call, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert found.stdout.split() == [str(3 * STEPS)], found.stderr[-500:]


def test_scrolling_paints_only_rows_that_come_into_view(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[int] = []
    paint = KeptRows._paint

    def counted(self: KeptRows, page: HexPage, rows: range, painter: HexPainter) -> None:
        painted.extend(page.top + row for row in rows)
        paint(self, page, rows, painter)

    monkeypatch.setattr(KeptRows, "_paint", counted)
    view._scroll.to_row(40)
    view.grab()
    painted.clear()
    for top in (43, 46, 49):
        view._scroll.to_row(top)
        view.grab()
    assert len(painted) == len(set(painted)) == 9


def test_no_outline_is_painted_again_while_only_its_sides_are_in_view(
    view: HexView, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[Span] = []
    frame = HexPainter._frame

    def counted(self: HexPainter, painter: QPainter, page: HexPage, span: Span, *rest: Any) -> None:
        painted.append(span)
        frame(self, painter, page, span, *rest)

    monkeypatch.setattr(HexPainter, "_frame", counted)
    view.set_selected_item(Span(0, view.size_of_source), [])
    view._scroll.to_row(0)
    view.grab()
    assert painted
    view._scroll.to_row(40)
    view.grab()
    painted.clear()
    for top in (43, 80, 49):
        view._scroll.to_row(top)
        view.grab()
    assert not painted


def test_only_zeros_and_what_cannot_be_printed_are_dim() -> None:
    assert DIM == 0
    assert DIM not in LOUD[: len(STYLES)]


def test_the_strip_paints_its_marks_once(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[int] = []
    monkeypatch.setattr(CoverageStrip, "_paint_marks", lambda self, painter: painted.append(1))
    for top in (3, 9, 12):
        view._scroll.to_row(top)
        view._strip.grab()
    assert not painted
    view._strip.set_selected(Span(8, 90))
    view._strip.grab()
    view._strip.grab()
    assert len(painted) == 1


@pytest.mark.parametrize(("scale", "shift", "exact"), [(1, 3, True), (1, 0.5, False), (1.5, 0, False)])
def test_a_picture_is_shown_only_where_pixels_meet(qtbot: QtBot, scale: float, shift: float, exact: bool) -> None:
    picture = QPixmap(10, 10)
    painter = QPainter(picture)
    painter.translate(shift, 0)
    painter.scale(scale, scale)
    assert shows_pixels(painter, 1.0) == exact
    painter.end()
