"""What is on the screen looks as if it were painted anew, to the pixel, and is not painted again."""

from __future__ import annotations

import os
import subprocess
import sys
from math import ceil
from pathlib import Path
from typing import Any

import corpus
import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import insert_bytes, remove_bytes, replace_bytes
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.hex_page import HexPage
from viewer.ui.hex.hex_rows import TOP_PAD, RowBar
from viewer.ui.hex.ink import DIM, LOUD
from viewer.ui.hex.kept_picture import shows_pixels
from viewer.ui.hex.page_painter import HexPainter
from viewer.ui.hex.ruler import HexRuler
from viewer.ui.hex.seen_page import SPARE
from viewer.ui.hex.view import HexView
from viewer.ui.look import palette
from viewer.ui.session import Session
from viewer.variant.tints import PLAIN, STYLES

STEPS, PICTURES = 80, 5
CUT, FEW = 6000, 20


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


@pytest.mark.parametrize(
    ("scale", "seed", "damaged"),
    [("1", 1, False), ("1.5", 14, False), ("2", 3, False), ("1", 5, True), ("1.25", 6, True), ("1.5", 4, True)],
)
def test_the_screen_looks_as_if_it_were_painted_anew(scale: str, seed: int, damaged: bool, tmp_path: Path) -> None:
    path = save()
    if damaged:  # what is guessed has dashes around it
        data, path = bytearray(path.read_bytes()), tmp_path / "damaged.save"
        for at in (0x1A0, 0x600, 0xB00):
            data[at : at + 4] = bytes.fromhex("FFFF0377")
        path.write_bytes(data)
    check_steps(path, scale, seed, STEPS, tmp_path)


def check_steps(path: Path, scale: str, seed: int, steps: int, folder: Path) -> None:
    tests = Path(__file__).parents[2]
    env = os.environ | {
        "QT_SCALE_FACTOR": scale,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join((str(tests.parent), str(tests))),
    }
    call = [sys.executable, "-m", "ui.hex.scrolled", str(path), str(seed), str(steps)]
    found = subprocess.run(call, capture_output=True, text=True, env=env, cwd=folder, check=False)
    assert found.stdout.split() == [str(PICTURES * steps)], found.stderr[-500:]


@pytest.mark.parametrize(("scale", "seed"), [("1", 2), ("1", 3)])
def test_the_screen_shows_bytes_that_are_still_being_read(scale: str, seed: int, tmp_path: Path) -> None:
    whole = next(entry.path for entry in corpus.files("godot3") if entry.path.name == "medium_1mb.save")
    path = tmp_path / "cut.save"  # with an end that is missing it takes long to be read
    path.write_bytes(whole.read_bytes()[:CUT])
    check_steps(path, scale, seed, FEW, tmp_path)


@pytest.fixture
def painted(view: HexView, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows that are painted from now on; only whole ones are in view."""
    found: list[int] = []
    paint = HexPainter.paint

    def counted(
        self: HexPainter, painter: QPainter, page: HexPage, left: int, width: int, rows: range, is_exact: bool
    ) -> None:
        found.extend(page.top + row for row in rows)
        paint(self, painter, page, left, width, rows, is_exact)

    view.resize(view.width(), view.height() - (view.viewport().height() - TOP_PAD) % view._grid.row_height)
    settle()
    monkeypatch.setattr(HexPainter, "paint", counted)
    return found


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def test_scrolling_paints_only_rows_that_come_into_view(view: HexView, painted: list[int]) -> None:
    view._scroll.to_row(40)
    settle()
    assert set(painted) == {40 + row for row in range(view.visible_rows)}
    painted.clear()
    for top in (43, 46, 49):
        view._scroll.to_row(top)
        settle()
    assert len(painted) == len(set(painted)) == 9


def test_only_what_rows_take_is_moved_and_painted_again(view: HexView) -> None:
    view.set_row_width(8)
    view.resize(900, view.height())
    settle()
    areas: list[QRect] = []

    class Areas(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if isinstance(event, QPaintEvent):
                areas.append(event.rect())
            return False

    watcher = Areas()
    view.viewport().installEventFilter(watcher)
    for top in (3, 6):
        view._scroll.to_row(top)
        settle()
    assert {(area.left(), area.width()) for area in areas} == {(0, ceil(view._grid.width) + SPARE)}
    areas.clear()
    view.show_utf8(True)
    seen = view._seen_now()
    assert seen is not None
    assert seen.page.signs == ()
    wide = replace(seen, page=replace(seen.page, signs=((0, "\N{BLACK FOUR POINTED STAR}"),)))
    assert wide.used_width(seen) == seen.used_width(wide) == view.viewport().width()


def test_the_caret_paints_the_rows_that_it_leaves_and_enters(view: HexView, painted: list[int]) -> None:
    view.set_caret(2 * view.columns)
    settle()
    painted.clear()
    view.set_caret(9 * view.columns)
    settle()
    assert set(painted) == {1, 2, 3, 8, 9, 10}


def test_what_the_mouse_is_over_paints_the_rows_that_its_dashes_are_in(view: HexView, painted: list[int]) -> None:
    view._hovered = Span(6 * view.columns + 3, 8 * view.columns)
    view._show_changes()
    settle()
    assert set(painted) == {5, 6, 7, 8}
    painted.clear()
    view._scroll.to_row(3)
    settle()
    assert len(painted) == len(set(painted)) == 3


def test_dashes_around_guesses_begin_at_the_same_bytes_wherever_the_rows_lie(
    view: HexView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DocumentSource, "recovered", lambda *_: [Span(3 * 16 + 5, 90 * 16 + 2)])
    height, pictures = view._grid.row_height, []
    for top in (0, 1, 7, 10):
        view._scroll.to_row(top)
        rows = QRect(0, TOP_PAD + (12 - top) * height, view.viewport().width(), 3 * height)
        pictures.append(view.viewport().grab(rows).toImage())
    assert all(picture == pictures[0] for picture in pictures)


def test_a_changed_byte_paints_its_row(view: HexView, painted: list[int]) -> None:
    source = view.source
    assert isinstance(source, DocumentSource)
    source._document.apply(replace_bytes(source._document, Span(324, 325), b"\x01"))
    view.refresh()
    settle()
    assert set(painted) <= {19, 20, 21}


def test_bytes_that_are_still_to_be_read_are_shown_at_once(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    source = view.source
    assert isinstance(source, DocumentSource)
    session, document = source._session, source._document
    monkeypatch.setattr(session.reading, "start", lambda document: None)
    session._untold._grace.setInterval(60_000)
    view._scroll.to_row(10)
    settle()
    seen = view._seen
    assert seen is not None
    styles, at = seen.page.styles, 324 - seen.page.start
    document.patience = 0
    for change, moved in (
        (insert_bytes(document, 324, b"\x01\x02"), styles[:at] + bytes((PLAIN,)) * 2 + styles[at:-2]),
        (None, styles[:-2] + bytes((PLAIN,)) * 2),
    ):
        session.undo() if change is None else session.apply(change)
        settle()
        assert session.waits
        seen = view._seen
        assert seen is not None
        assert seen.page.data == source.read(seen.page.start, seen.page.start + len(seen.page.data))
        assert seen.page.size == len(document.buffer)
        assert seen.page.styles == moved


def test_the_strip_frames_only_what_is_in_view_when_bytes_come_and_go(view: HexView) -> None:
    source, strip = view.source, view._strip
    assert isinstance(source, DocumentSource)
    document, size = source._document, view.size_of_source
    for change in (lambda: insert_bytes(document, 40, bytes(size)), lambda: remove_bytes(document, Span(40, size))):
        view._scroll.to_row(20)
        settle()
        document.apply(change())
        view.refresh()
        settle()
        view.finish()
        settle()
        view._scroll.to_row(60)
        settle()
        shown = view.backingStore().paintDevice()
        assert isinstance(shown, QImage)
        anew = strip.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        assert shown.copy(strip.geometry()).convertToFormat(QImage.Format.Format_RGB32) == anew


def test_several_changes_are_painted_once(view: HexView, painted: list[int]) -> None:
    view._scroll.to_row(40)
    view.set_caret(41 * view.columns)
    view.set_selection(Span(41 * view.columns, 44 * view.columns))
    settle()
    assert len(painted) == view.visible_rows


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


def test_a_scroll_bar_is_painted_again_only_where_its_handle_moves(qtbot: QtBot) -> None:
    bar = RowBar()
    qtbot.addWidget(bar)
    bar.setRange(0, 1_000_000)
    bar.resize(10, 400)
    bar.show()
    bar.setValue(1)
    settle()
    watched = Painted(bar)
    for value, count in ((3, 0), (6, 0), (500_000, 1), (500_003, 1), (1_000_000, 2)):
        bar.setValue(value)
        settle()
        assert watched.count == count


def test_a_strip_is_painted_again_only_where_its_frame_moves(view: HexView) -> None:
    strip, size = view._strip, view.size_of_source
    strip.set_view(Span(0, 160))
    settle()
    watched = Painted(strip)
    for start, count in ((1, 0), (size // 2, 1), (size // 2 + 1, 1), (0, 2)):
        strip.set_view(Span(start, start + 160))
        settle()
        assert watched.count == count
    strip.set_view(Span(0, size))
    settle()
    assert watched.count == 3


def test_the_ruler_paints_the_lit_number_once(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[int] = []
    monkeypatch.setattr(HexRuler, "_paint_lit", lambda self, painter, column: painted.append(column))
    for column, count in ((3, 1), (3, 1), (5, 2)):
        view._ruler.set_caret(column, False)
        view._ruler.grab()
        view._ruler.grab()
        assert len(painted) == count


def test_the_bytes_of_a_page_are_asked_for_once_a_step(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    settle()
    asked: list[int] = []
    styles = DocumentSource.styles

    def counted(self: DocumentSource, start: int, end: int) -> bytes:
        asked.append(start)
        return styles(self, start, end)

    monkeypatch.setattr(DocumentSource, "styles", counted)
    view._scroll.to_row(3)
    settle()
    assert asked == [3 * view.columns]


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() == QEvent.Type.Paint
        return False
