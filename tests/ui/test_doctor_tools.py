"""What engines do, explanations, shrinking, reports, and what of it stands in status bar and coverage strip."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from viewer.base.progress import Progress
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.engines.verdicts import Outcome
from viewer.document.explain import Note, Page, PageRow, Section, explain
from viewer.ui import dialogs
from viewer.ui.doctor.engines_dialog import EngineColumn, EnginesDialog
from viewer.ui.doctor.explain_card import ExplainCard, page_html
from viewer.ui.doctor.lone_worker import LoneWorker
from viewer.ui.doctor.shrink_dialog import ShrinkDialog
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.menus import BYTES, TREE

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
BROKEN = SAMPLES / "broken-packet.bin"
SOUND = SAMPLES / "godot3-rpg.save"
LENGTH = 0x44
"""Where in the broken packet the length is that nobody believes."""
PATIENCE = 20_000


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> MainWindow:
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=_leave)
    found.resize(1000, 640)
    found.show()
    found.session.show(Document(BROKEN.read_bytes(), name="packet"))
    return found


def _leave(window: MainWindow) -> None:
    window._doctor.leave()
    window.session.show(None)


def run(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert isinstance(action, QAction)
    action.trigger()


# What engines do


@pytest.fixture
def engines(qtbot: QtBot, window: MainWindow) -> EnginesDialog:
    run(window, "engines")
    dialog = window.findChild(EnginesDialog)
    assert isinstance(dialog, EnginesDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0, timeout=PATIENCE)
    return dialog


def cells(dialog: EnginesDialog, row: int) -> list[str]:
    return [str(dialog.model.index(row, column).data()) for column in EngineColumn]


def test_each_engine_has_a_row_with_its_verdict_and_where_it_stops(engines: EnginesDialog) -> None:
    by_name = {cells(engines, row)[0]: cells(engines, row)[1:] for row in range(engines.model.rowCount())}
    assert by_name["Godot 3.2"] == [
        "refuses it",
        "0x44  [0].name@length",
        "ERR_FILE_EOF: strlen < 0 || strlen + pad > len",
    ]
    assert "Godot 3.5 *" in by_name
    assert by_name["Godot 4.4 and 4.5"][0] == "reads other values"


def test_the_model_keeps_the_rules_of_models(engines: EnginesDialog, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(engines.model)


def test_a_verdict_is_told_by_sign_and_words_not_by_colour_alone(engines: EnginesDialog) -> None:
    for row, verdict in enumerate(engines.model.rows):
        index = engines.model.index(row, EngineColumn.VERDICT)
        assert index.data() == verdict.outcome.label
        assert not index.data(Qt.ItemDataRole.DecorationRole).isNull()


def test_a_click_on_a_row_goes_to_the_byte(qtbot: QtBot, window: MainWindow, engines: EnginesDialog) -> None:
    refuses = next(k for k, verdict in enumerate(engines.model.rows) if verdict.outcome is Outcome.REFUSES)
    rect = engines.table.visualRect(engines.model.index(refuses, EngineColumn.WHY))
    qtbot.mouseClick(engines.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert window.session.caret == LENGTH
    assert window.session.marked_span == Span(LENGTH, LENGTH + 4)


def test_the_chosen_row_is_told_in_full_with_its_source(engines: EnginesDialog) -> None:
    engines.table.selectRow(1)
    assert engines.detail.text().endswith("found by running Godot 3.2.3.")


def test_the_table_can_be_copied_as_text(engines: EnginesDialog) -> None:
    engines.copy_button.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == engines.model.rowCount()
    assert lines[1].startswith("Godot 3.2")


def test_the_table_follows_the_file(qtbot: QtBot, window: MainWindow, engines: EnginesDialog) -> None:
    with qtbot.waitSignal(engines.model.modelReset, timeout=PATIENCE):
        window.session.overwrite(LENGTH, b"\x04\x00\x00\x00")
    godot3 = next(verdict for verdict in engines.model.rows if verdict.engine.key == "godot3.2")
    assert godot3.outcome is Outcome.ACCEPTS


# Explanations


@pytest.fixture
def card(qtbot: QtBot, window: MainWindow) -> ExplainCard:
    window.session.go_to(LENGTH)
    run(window, "explain")
    found = window.findChild(ExplainCard)
    assert isinstance(found, ExplainCard)
    qtbot.waitUntil(lambda: found.page is not None, timeout=PATIENCE)
    return found


def test_f1_explains_what_is_selected(window: MainWindow, card: ExplainCard) -> None:
    assert card.page is not None
    assert window.session.document is not None
    assert window.session.item is not None
    assert card.page == explain(window.session.document, window.session.item)
    assert card.page.title in card.text.toPlainText()
    action = window.findChild(QAction, "explain")
    assert isinstance(action, QAction)
    assert action.shortcut().toString() == "F1"


def test_the_explanation_follows_the_selection(qtbot: QtBot, window: MainWindow, card: ExplainCard) -> None:
    before = card.page
    window.session.go_to_place("[0].to")
    qtbot.waitUntil(lambda: card.page is not before, timeout=PATIENCE)
    assert "Vector2" in card.text.toPlainText()


def test_escape_closes_the_explanation(qtbot: QtBot, card: ExplainCard) -> None:
    qtbot.keyClick(card.text, Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_the_explanation_can_be_copied(card: ExplainCard) -> None:
    card.copy_button.click()
    assert card.page is not None
    assert QGuiApplication.clipboard().text() == card.page.as_text()


def test_texts_of_a_page_are_escaped_and_load_nothing() -> None:
    row = PageRow("<img src=x>", "<script>", 16, 4, b"\x00\x01", here=True)
    page = Page("<b>", "&", (Section("<h1>", (row,), (Note("<i>", "</p>"),)),))
    html = page_html(page, theme("light"))
    assert not any(wrong in html for wrong in ("<img", "<script", "<h1>", "<i>"))
    assert "00&nbsp;01" in html


def test_both_menus_at_the_mouse_offer_to_explain() -> None:
    assert "explain" in TREE
    assert "explain" in BYTES


# Shrinking


@pytest.fixture
def shrinking(qtbot: QtBot, window: MainWindow) -> ShrinkDialog:
    run(window, "shrink")
    dialog = window.findChild(ShrinkDialog)
    assert isinstance(dialog, ShrinkDialog)
    qtbot.waitUntil(lambda: dialog.result_bytes is not None, timeout=PATIENCE)
    return dialog


def test_failing_bytes_are_cut_down_to_a_few(shrinking: ShrinkDialog) -> None:
    assert shrinking.result_bytes is not None
    assert len(shrinking.result_bytes.data) == 8
    assert shrinking.text.toPlainText() == shrinking.result_bytes.data.hex(" ")
    assert shrinking.says.text() == (
        "8 of 120 bytes fail in the same way. "
        "This text says it is 67\u202f108\u202f864 bytes long, but no bytes are left."
    )
    assert not shrinking.literal_button.isEnabled()
    shrinking.reject()


def test_the_small_bytes_can_be_handed_on_as_a_test(shrinking: ShrinkDialog) -> None:
    shrinking.test_button.click()
    assert QGuiApplication.clipboard().text().startswith("func test():")
    shrinking.reject()


def test_the_small_bytes_open_in_a_tab_of_their_own(window: MainWindow, shrinking: ShrinkDialog) -> None:
    assert shrinking.result_bytes is not None
    data = shrinking.result_bytes.data
    shrinking.tab_button.click()
    assert window.session.document is not None
    assert bytes(window.session.document.buffer[:]) == data
    assert len(window._opened.documents) == 2


def test_a_sound_file_has_nothing_to_shrink(window: MainWindow) -> None:
    window.session.show(Document.open(SOUND))
    run(window, "shrink")
    assert window.findChild(ShrinkDialog) is None
    assert window._toast.get().line.text() == "No value here is refused, so there is nothing to shrink."


# Reports


@pytest.mark.parametrize("suffix", [".txt", ".json", ".html"])
def test_the_report_has_the_form_of_its_suffix(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path = tmp_path / f"report{suffix}"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    run(window, "export_report")
    qtbot.waitUntil(lambda: window._toast.part is not None and "report" in window._toast.part.line.text())
    text = path.read_text("utf-8")
    assert "length-too-long" in text or "67108864" in text
    if suffix == ".json":
        assert json.loads(text)["dialect"] == "godot3"
    else:
        assert text.startswith("<!doctype html>" if suffix == ".html" else "Variant Viewer")


def test_a_report_that_cannot_be_written_says_why(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    wanted = (str(tmp_path / "nowhere" / "report.txt"), "")
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: wanted)
    run(window, "export_report")
    qtbot.waitUntil(lambda: len(told) == 1)


# Status bar and coverage strip


def test_the_share_explained_tells_how_it_stands_with_the_bytes(window: MainWindow) -> None:
    lines = window._parts.status.explained._summed_up().splitlines()
    assert lines[0].startswith("Some bytes belong to no value")
    assert "4 refused" in lines
    assert any(line.endswith("shown as a guess") for line in lines)


def test_the_coverage_strip_marks_what_was_found_and_what_is_guessed(window: MainWindow) -> None:
    window._parts.bridge.show_hits([Span(0x10, 0x13)], None)
    source = window._parts.bridge._source
    assert source is not None
    marks = list(source.coverage(source.size()))
    assert [k for k, mark in enumerate(marks) if mark.found] == [0x10, 0x11, 0x12]
    assert marks[0x58].recovered
    assert marks[LENGTH].error


def test_found_places_change_the_picture_of_the_strip(window: MainWindow, qtbot: QtBot) -> None:
    strip = window._parts.hex._strip
    strip.grab()
    qtbot.waitUntil(lambda: strip._rest is None)
    before = strip.grab().toImage()
    window._parts.bridge.show_hits([Span(0x10, 0x13)], None)
    qtbot.waitUntil(lambda: strip.grab().toImage() != before)


# Work beside the window


def test_work_that_was_stopped_ends_before_the_next_begins(qtbot: QtBot) -> None:
    worker, go_on, ran = LoneWorker(), Event(), list[str]()

    def slow(goes_on: Progress) -> None:
        go_on.wait(10)
        ran.append("slow")

    def quick(name: str, goes_on: Progress) -> str:
        ran.append(name)
        return name

    worker.start(slow)
    worker.start(partial(quick, "never begun"))
    worker.start(partial(quick, "quick"))
    with qtbot.waitSignal(worker.finished) as told:
        go_on.set()
    assert ran == ["slow", "quick"]
    assert told.args is not None
    assert told.args[0].result == "quick"
