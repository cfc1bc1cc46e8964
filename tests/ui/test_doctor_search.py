"""The search for repairs in the window: what is found first is shown at once, and what comes later does not disturb."""

from __future__ import annotations

import struct
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.base.record import replace
from viewer.container.frames import FramingKind
from viewer.document.doctor import Repair, diagnose
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.doctor.finder import FoundRepairs, RepairFinder, SearchProgress
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.look.palette import theme
from viewer.ui.session import Session
from viewer.variant.dialect import load

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
PACKET = (SAMPLES / "broken-packet.bin").read_bytes()
SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()[4:]
LENGTH = SAVE.index(b"\4\0\0\0\5\0\0\0", len(SAVE) // 2) + 4
LARGE = SAVE[:LENGTH] + b"\x0a" + SAVE[LENGTH + 1 :]
PATIENCE = 30_000


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session()


@pytest.fixture
def finder(session: Session) -> RepairFinder:
    return RepairFinder(session, session)


@pytest.fixture(scope="module")
def repairs() -> tuple[Repair, ...]:
    """Those of a small packet."""
    return tuple(diagnose(Document(PACKET)))


@pytest.fixture
def view(qtbot: QtBot, session: Session, finder: RepairFinder, repairs: tuple[Repair, ...]) -> RepairsView:
    """The pane with these repairs, as if they had just been found."""
    view = RepairsView(session, finder, theme("light"))
    qtbot.addWidget(view, before_close_func=lambda _: finder.leave())
    view.resize(500, 400)
    view.show()
    document = Document(PACKET, name="packet")
    session.show(document)
    finder.cancel()
    finder.state, finder.found = SearchProgress.DONE, FoundRepairs(document, document.revision, None, repairs)
    finder.changed.emit()
    return view


def record(number: int) -> bytes:
    """A dictionary by an encoder that writes a bool as one byte."""
    health = struct.pack("<II2sxxII", 4, 2, b"hp", 2, 7 + number)
    alive = struct.pack("<II5sxxxIB", 4, 5, b"alive", 1, number % 2)
    return struct.pack("<II", 18, 3) + health + alive + struct.pack("<II5sxxxIf", 4, 5, b"speed", 3, number / 2)


def tell(finder: RepairFinder, *repairs: Repair, cut: str = "") -> None:
    """Have the finder tell other repairs."""
    assert finder.found is not None
    finder.found = replace(finder.found, repairs=repairs, cut=cut)
    finder.changed.emit()


def test_the_first_repairs_are_there_while_others_are_looked_for(
    qtbot: QtBot, session: Session, finder: RepairFinder
) -> None:
    seen: list[tuple[SearchProgress, int]] = []

    def look() -> None:
        seen.append((finder.state, len(finder.repairs)))

    finder.changed.connect(look)
    session.show(Document(LARGE, choice=ReadOptions(load("godot3"), None, FramingKind.BARE)))
    qtbot.waitUntil(lambda: finder.state is SearchProgress.DONE, timeout=PATIENCE)
    assert any(state is SearchProgress.ON and count for state, count in seen)
    finder.leave()


def test_what_is_found_of_bytes_that_changed_meanwhile_is_not_shown(
    qtbot: QtBot, session: Session, finder: RepairFinder
) -> None:
    session.show(Document(LARGE, choice=ReadOptions(load("godot3"), None, FramingKind.BARE)))
    finder.look_now()
    qtbot.waitUntil(lambda: bool(finder.repairs), timeout=PATIENCE)
    session.show(Document(SAVE, choice=ReadOptions(load("godot3"), None, FramingKind.BARE)))
    assert finder.repairs == ()
    finder.leave()
    qtbot.waitUntil(lambda: finder.state is SearchProgress.NOTHING, timeout=PATIENCE)
    assert finder.repairs == ()


def test_a_row_that_was_opened_stays_open_where_it_moves_to(view: RepairsView, finder: RepairFinder) -> None:
    first, second = finder.repairs[0], replace(finder.repairs[0], note="Another one.", edit=None)
    tell(finder, first, second)
    view.open_row(1)
    tell(finder, replace(first, confidence=0.2), replace(first, choice=ReadOptions()), replace(second, confidence=0.1))
    assert [row.is_open for row in view.rows] == [False, False, True]


def test_the_likeliest_stands_open_where_nobody_chose_another(view: RepairsView, finder: RepairFinder) -> None:
    first = finder.repairs[0]
    tell(finder, replace(first, edit=None), first)
    assert [row.is_open for row in view.rows] == [True, False]


def test_a_row_keeps_the_keys_when_more_is_found(qtbot: QtBot, view: RepairsView, finder: RepairFinder) -> None:
    first = finder.repairs[0]
    view.activateWindow()
    view.take_focus()
    qtbot.waitUntil(lambda: view.rows[0].head.hasFocus())
    tell(finder, replace(first, edit=None), first)
    assert view.rows[1].head.hasFocus()


def test_a_search_that_was_cut_short_says_so_below_the_rows(view: RepairsView, finder: RepairFinder) -> None:
    tell(finder, *finder.repairs, cut="Only some was tried.")
    assert view.says.isVisible()
    assert view.says.text() == "Only some was tried."


def test_how_likely_something_else_is_stands_below_the_rows(view: RepairsView, finder: RepairFinder) -> None:
    first = replace(finder.repairs[0], confidence=0.7)
    assert finder.found is not None
    for unexplained, is_told in ((0.3, True), (0.04, False)):
        finder.found = replace(finder.found, repairs=(first,), unexplained=unexplained)
        finder.changed.emit()
        assert view.rest.isVisible() is is_told
    assert view.rest.text == "Something else 4 %"
    for state in (SearchProgress.ON, SearchProgress.STOPPED):
        finder.state, finder.found = state, replace(finder.found, unexplained=0.9)
        finder.changed.emit()
        assert not view.rest.isVisible()  # nobody knows yet
    assert view.rest.y() >= view.rows[-1].geometry().bottom()


def test_many_rows_are_scrolled(view: RepairsView, finder: RepairFinder) -> None:
    first = replace(finder.repairs[0], reason="", note="", before=None, after=None, edit=None)
    tell(finder, *(replace(first, confidence=0.05, note=f"{k}") for k in range(12)))
    view.resize(500, 150)
    view._page.grab()
    assert view.area.verticalScrollBar().maximum() > 100
    assert all(row.head.height() >= 28 for row in view.rows)


def test_the_list_is_as_long_as_its_rows(view: RepairsView) -> None:
    view.resize(900, 300)
    view._page.grab()
    assert not view.area.verticalScrollBar().maximum()


def test_a_long_search_says_how_far_it_is_and_can_be_ended(
    qtbot: QtBot, view: RepairsView, finder: RepairFinder
) -> None:
    finder.state = SearchProgress.ON
    finder.changed.emit()
    qtbot.waitUntil(lambda: view.again.isVisible(), timeout=PATIENCE)
    assert view.says.isVisible()
    qtbot.mouseClick(view.again, Qt.MouseButton.LeftButton)
    assert finder.state is SearchProgress.STOPPED


def test_a_search_that_goes_on_beside_rows_is_told_and_ended_in_the_title(
    qtbot: QtBot, view: RepairsView, finder: RepairFinder
) -> None:
    assert view.title.detail.text() == ""
    finder.state = SearchProgress.ON
    finder.changed.emit()
    assert view.rows
    assert view.title.detail.text() == "still looking …"
    qtbot.waitUntil(lambda: view.again.isVisible(), timeout=PATIENCE)
    assert view.title.isAncestorOf(view.again)
    finder.cancel()
    assert view.title.detail.text() == ""


def test_values_are_read_by_who_knows_the_mistake_until_the_bytes_change(
    qtbot: QtBot, session: Session, finder: RepairFinder
) -> None:
    """An encoder wrote each bool as one byte."""
    values = [struct.pack("<II", 2, 7), struct.pack("<IB", 1, 1), struct.pack("<Id", 3 | 1 << 16, 0.5)] * 8
    document = Document(struct.pack("<II", 19, len(values)) + b"".join(values))
    plain = len(document.frames[0].table)
    session.show(document)
    qtbot.waitUntil(lambda: document.is_learned, timeout=PATIENCE)
    assert len(document.frames[0].table) == 1 + len(values) > plain
    assert finder.state is SearchProgress.DONE
    assert finder.repairs[0].confidence > 0.9
    other = Document(PACKET)
    rest = finder.found.unexplained if finder.found is not None else 0.0
    assert 0 < rest < 0.1
    session.show(other)
    session.show(document)
    assert finder.state is SearchProgress.DONE
    assert finder.found is not None
    assert finder.found.unexplained == rest
    assert document.is_learned
    session.overwrite(8, b"\2\0\0\0\7")
    assert session.document is document
    session.overwrite(12, b"\5")
    assert not document.is_learned
    qtbot.waitUntil(lambda: document.is_learned, timeout=PATIENCE)
    finder.restart()
    assert not document.is_learned


def test_the_engine_is_asked_about_the_bytes_as_the_likeliest_repair_reads_them(
    qtbot: QtBot, session: Session, finder: RepairFinder
) -> None:
    """Records whose bools have one byte: by chance two stretches of them look like stored values."""
    document = Document(struct.pack("<II", 19, 6) + b"".join(map(record, range(6))))
    assert len(document.frames) == 2
    session.show(document)
    qtbot.waitUntil(lambda: document.is_learned, timeout=PATIENCE)
    assert finder.found is not None
    assert finder.found.headline is not None
    assert not finder.found.headline.is_good
