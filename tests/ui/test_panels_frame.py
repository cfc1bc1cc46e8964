"""Status bar, banner, toast and the empty state."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.look.palette import DARK, LIGHT, theme
from viewer.ui.panels.banner import HEIGHT, Banner
from viewer.ui.panels.empty_state import EmptyState, size_words, when_words
from viewer.ui.panels.problems_view import FindingCounts
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.panels.toast import Toast
from viewer.ui.samples import SampleFile
from viewer.ui.session import Session
from viewer.ui.settings import RecentFile
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

FILES = Path(__file__).parents[1] / "data/godot3/files"
LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class _Shown(QObject):
    """Counts how often what it watches is shown."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() in (QEvent.Type.Show, QEvent.Type.ShowToParent)
        return False


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.show(Document.open(FILES / "rpg.save"))
    return session


@pytest.fixture
def bar(session: Session, qtbot: QtBot) -> StatusBar:
    bar = StatusBar(session, theme(LIGHT))
    qtbot.addWidget(bar)
    bar.resize(1280, 26)
    bar.show()
    return bar


def test_the_bar_says_where_and_how_much(bar: StatusBar, session: Session) -> None:
    assert session.document is not None
    session.select(parse_path(session.document, "[0].player.target"))
    session.go_to(0x3AC)
    assert bar.place.text() == "0x0003AC · 940"
    assert bar.selection.text() == "Selected 52 bytes (0x34)"
    session.mark(Span(0, 1))
    assert bar.selection.text() == "Selected 1 byte (0x1)"


def test_the_bar_says_how_the_bytes_are_read(bar: StatusBar) -> None:
    assert bar.reading.text() == "Godot 3 · single · stored"
    assert bar.explained.text() == "100 % explained"
    assert bar.mode.text() == "OVR"


def test_words_go_where_it_is_narrow(bar: StatusBar, session: Session) -> None:
    bar.resize(1000, 26)
    QApplication.processEvents()
    assert bar.reading.text() == "Godot 3"
    assert bar.explained.text() == "100 %"
    assert bar.problems.text() == "0"
    assert "Selected" not in bar.selection.text()
    bar.resize(449, 26)
    QApplication.processEvents()
    assert (bar.place.text(), bar.explained.text()) == ("0x000004", "")
    for button in (bar.place, bar.selection, bar.mode, bar.explained, bar.problems, bar.reading):
        assert button.width() >= button.sizeHint().width(), button.text()


def test_changes_show_a_pencil_until_they_are_undone(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    assert session.document is not None
    assert not bar.modified.isVisible()
    session.set_literal(parse_path(session.document, "[0].player.xp"), "5")
    assert bar.modified.isVisible()
    session.go_to(0)
    qtbot.mouseClick(bar.modified, LEFT)
    assert session.path == "[0].player.xp.value"
    session.undo()
    assert not bar.modified.isVisible()


def test_what_the_bar_does_not_say_is_not_shown_for_a_moment(bar: StatusBar, session: Session) -> None:
    seen, hidden = _Shown(bar), (bar.modified, bar.finding)
    for each in hidden:
        each.installEventFilter(seen)
    bar.set_insert_mode(True)
    assert bar.mode.text() == "INS"
    assert not any(each.isVisible() for each in hidden)
    assert seen.count == 0


def test_what_was_read_is_told_by_the_bar_and_the_title_once(window: MainWindow, qtbot: QtBot) -> None:
    told: list[bool] = []
    reading = window.session.reading
    window.retitled.connect(lambda: told.append(reading.is_handing_over))
    window.session.show(Document(bytes.fromhex("02000000 05000000"), name="a.save", patience=0))
    qtbot.waitUntil(lambda: not reading.is_on and window.session.document.task is None)  # type: ignore[union-attr]
    assert told
    assert not any(told)
    assert window._parts.status.explained.text() == "100 % explained"
    assert window._parts.status.reading.text().startswith("Godot")


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (FindingCounts(), "No problems"),
        (FindingCounts(notes=3), "No problems"),
        (FindingCounts(errors=1, warnings=2), "1 error"),
        (FindingCounts(warnings=2), "2 warnings"),
    ],
)
def test_problems_are_counted_by_gravity(bar: StatusBar, counts: FindingCounts, words: str) -> None:
    bar.set_counts(counts)
    assert bar.problems.text() == words


def test_what_an_entry_of_a_menu_does_stands_in_the_place_of_the_segments(bar: StatusBar) -> None:
    bar.showMessage(" ")
    empty = bar.grab().toImage()
    bar.showMessage("Undo the last change")
    assert bar.grab().toImage() != empty
    assert not bar.place.isVisible()
    bar.clearMessage()
    assert bar.place.isVisible()


def test_the_segments_ask_for_what_they_show(bar: StatusBar, qtbot: QtBot) -> None:
    for button, signal in (
        (bar.place, bar.go_to_requested),
        (bar.selection, bar.selection_requested),
        (bar.problems, bar.problems_requested),
    ):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, LEFT)
    with qtbot.waitSignal(bar.insert_mode_requested) as asked:
        qtbot.mouseClick(bar.mode, LEFT)
    assert asked.args == [True]
    bar.set_insert_mode(True)
    assert bar.mode.text() == "INS"


def test_unexplained_bytes_can_be_visited(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    raw = bytes.fromhex("02000000 05000000 FFFFFFFF")
    session.show(Document(raw, choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)))
    assert bar.explained.text() == "67 % explained"
    qtbot.mouseClick(bar.explained, LEFT)
    assert session.marked_span == Span(8, 12)


def test_the_reading_can_be_overruled_and_found_again(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    bar.fill_reading_menu(menu)
    assert menu.actions()[0].text() == "Find Automatically"
    assert menu.actions()[0].isChecked()
    lines = next(action.menu() for action in menu.actions() if action.text() == "Engine Line")
    with qtbot.waitSignal(session.changed):
        next(action for action in lines.actions() if action.text() == "Godot 4.0").trigger()  # type: ignore[union-attr]
    assert bar.reading.text().startswith("Godot 4.0")
    bar.fill_reading_menu(menu)
    assert not menu.actions()[0].isChecked()
    menu.actions()[0].trigger()
    assert bar.reading.text() == "Godot 3 · single · stored"


def test_nothing_open_is_said(bar: StatusBar, session: Session) -> None:
    session.show(None)
    assert bar.place.text() == "No file open"
    assert bar.reading.text() == "Dialect: found automatically"
    assert not bar.explained.isVisible()


# Banner and toast


def test_a_banner_says_a_fact_and_offers_one_thing(qtbot: QtBot) -> None:
    banner, done = Banner(theme(LIGHT)), []
    qtbot.addWidget(banner)
    assert banner.isHidden()
    banner.tell("Changed on disk.", Severity.WARNING, "Reload", lambda: done.append(1))
    assert banner.isVisible()
    assert banner.accessibleName() == "warning: Changed on disk."
    qtbot.mouseClick(banner.action_button, LEFT)
    assert (done, banner.isHidden()) == ([1], True)


def test_a_banner_has_a_long_sentence_in_several_lines(qtbot: QtBot) -> None:
    banner = Banner(theme("light"))
    qtbot.addWidget(banner)
    banner.resize(900, HEIGHT)
    banner.show()
    banner.tell("This is short.")
    assert banner.height() == HEIGHT
    banner.tell("These bytes are spread as evenly as chance does it. " * 4, action="Choose…")
    assert HEIGHT < banner.height() < 3 * HEIGHT
    assert banner.sentence.toolTip() == ""
    banner.grab()
    banner.resize(3000, banner.height())
    assert banner.height() == HEIGHT
    banner.resize(300, HEIGHT)
    assert banner.height() == HEIGHT
    assert "as evenly as chance" in banner.sentence.toolTip()


def test_a_banner_can_be_closed(qtbot: QtBot) -> None:
    banner = Banner(theme(DARK))
    qtbot.addWidget(banner)
    banner.tell("Read-only.")
    assert not banner.action_button.isVisible()
    with qtbot.waitSignal(banner.closed):
        qtbot.mouseClick(banner.close_button, LEFT)
    assert banner.isHidden()


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(800, 500)
    holder.show()
    return holder


def test_a_toast_lies_in_the_corner_and_goes(holder: QWidget, qtbot: QtBot) -> None:
    toast = Toast(theme(LIGHT), holder)
    toast.timer.setInterval(20)
    toast.show_text("Saved.")
    assert toast.isVisible()
    assert holder.rect().contains(toast.geometry())
    assert toast.geometry().center().x() > holder.width() / 2
    qtbot.waitUntil(toast.isHidden)


def test_a_long_sentence_has_as_many_lines_as_it_takes(holder: QWidget) -> None:
    toast = Toast(theme(LIGHT), holder)
    for width in (1400, 900, 420):
        holder.resize(width, 600)
        for text in ("Saved.", "Nothing to plot here: " + "arrays of numbers, vectors and colours, " * 5, "Saved."):
            toast.show_text(text, "Undo", lambda: None)
            QApplication.processEvents()
            line = toast.line
            assert holder.rect().contains(toast.geometry())
            assert (
                line.fontMetrics().boundingRect(line.rect(), Qt.TextFlag.TextWordWrap, text).height() <= line.height()
            )
            assert (toast.height() > 80) == (len(text) > 200)


def test_a_toast_stays_while_the_focus_is_in_it(holder: QWidget, qtbot: QtBot) -> None:
    toast, done = Toast(theme(LIGHT), holder), []
    toast.show_text("Deleted.", "Undo", lambda: done.append(1))
    toast.action_button.setFocus(Qt.FocusReason.TabFocusReason)
    toast.timer.setInterval(5)
    toast.timer.start()
    with qtbot.waitSignal(toast.timer.timeout):
        pass
    assert toast.isVisible()
    qtbot.keyClick(toast.action_button, Qt.Key.Key_Return)
    assert (done, toast.isHidden()) == ([1], True)


def test_a_toast_stays_in_the_corner_when_the_window_shrinks(holder: QWidget) -> None:
    toast = Toast(theme(LIGHT), holder)
    toast.show_text("Copied.")
    holder.resize(400, 300)
    QApplication.processEvents()
    assert holder.rect().contains(toast.geometry())


def test_a_toast_about_one_document_goes_with_its_button_when_another_one_is_shown(holder: QWidget) -> None:
    toast, first, second = Toast(theme(LIGHT), holder), Document(b"", name="a.save"), Document(b"", name="b.save")
    undone: list[object] = []
    toast.show_text("Deleted.", "Undo", lambda: undone.append(first), about=first)
    toast.follow(first)
    assert toast.isVisible()
    toast.follow(second)
    assert toast.isHidden()
    toast.action_button.click()
    assert undone == []
    toast.show_text("Saved “a.save”.")
    toast.follow(second)
    assert toast.isVisible()


# Empty state

SAMPLES = [
    SampleFile(f"s{k}.save", f"Sample {k}", "player, inventory", "Godot 3", "{}", "collection", 21_000)
    for k in range(6)
]


@pytest.fixture
def empty(qtbot: QtBot, tmp_path: Path) -> EmptyState:
    empty = EmptyState(theme(LIGHT))
    qtbot.addWidget(empty)
    empty.set_samples(SAMPLES)
    empty.set_recent([RecentFile(tmp_path / "slot_3.save", datetime.now())])
    empty.resize(1280, 800)
    empty.show()
    return empty


def columns(empty: EmptyState) -> int:
    return len({card.x() for card in empty.cards})


def test_the_keys_begin_at_the_first_button(empty: EmptyState, qtbot: QtBot) -> None:
    qtbot.waitExposed(empty)
    empty.activateWindow()
    empty.setFocus()
    qtbot.waitUntil(empty.drop.open_button.hasFocus)


def test_buttons_cards_and_files_ask(empty: EmptyState, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(empty.open_requested):
        qtbot.mouseClick(empty.drop.open_button, LEFT)
    with qtbot.waitSignal(empty.games_requested):
        qtbot.mouseClick(empty.drop.games_button, LEFT)
    with qtbot.waitSignal(empty.paste_requested):
        qtbot.keyClick(empty.drop.paste_button, Qt.Key.Key_Space)
    with qtbot.waitSignal(empty.sample_requested) as sample:
        qtbot.keyClick(empty.cards[2], Qt.Key.Key_Return)
    assert sample.args == ["s2.save"]
    with qtbot.waitSignal(empty.file_requested) as file:
        qtbot.mouseClick(empty.recent[0], LEFT)
    assert file.args == [str(tmp_path / "slot_3.save")]


@pytest.mark.parametrize(("size", "expected"), [((1920, 1000), 3), ((1280, 800), 3), ((640, 420), 2), ((420, 420), 1)])
def test_cards_take_as_many_columns_as_fit(empty: EmptyState, size: tuple[int, int], expected: int) -> None:
    empty.resize(*size)
    for _ in range(3):
        QApplication.processEvents()
    assert columns(empty) == expected
    assert all(card.mapTo(empty, card.rect().topRight()).x() < empty.width() for card in empty.cards)


def test_a_card_that_gets_the_focus_is_scrolled_into_view(empty: EmptyState) -> None:
    empty.resize(640, 420)
    QApplication.processEvents()
    empty.cards[5].setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    top = empty.cards[5].mapTo(empty, QPoint(0, 0)).y()
    assert top >= 0
    assert top + empty.cards[5].height() <= empty.height()


def test_new_lists_replace_the_old_ones(empty: EmptyState) -> None:
    empty.set_samples(SAMPLES[:2])
    empty.set_recent([])
    assert (len(empty.cards), len(empty.recent)) == (2, 0)
    empty.set_theme(theme(DARK))
    assert not empty.grab().isNull()


def test_sizes_and_times_in_words() -> None:
    today = date(2026, 3, 14)
    assert [size_words(size) for size in (184, 21_000, 5_000_000)] == ["184 B", "21 KiB", "4.8 MiB"]
    assert when_words(datetime(2026, 3, 14, 14, 2), today) == "today, 14:02"
    assert when_words(datetime(2026, 3, 13, 23, 59), today) == "yesterday"
    assert when_words(datetime(2026, 3, 12), today).startswith("12 ")
    assert when_words(datetime(2024, 3, 12), today).endswith("2024")
