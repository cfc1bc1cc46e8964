"""What is wrong in a text: underlined and signed beside its line, in the list and the status bar, with ways between."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.ui.text.line_view import TextView
from viewer.ui.text.text_painter import MARK_LEFT
from viewer.ui.window.main_window import MainWindow

TEXT = b'[a]\none=1\ntwo=[1, 2\n\nthree=True\nfour=4\n\n[b]\nfive=.5\nsix=6\nseven="x"\n'


@pytest.fixture(autouse=True)
def _opened(window: MainWindow) -> None:
    window.session.show(Document(TEXT, name="a.cfg"))
    window._parts.problems.refresh_now()


def view_of(window: MainWindow) -> TextView:
    view = window._parts.bytes.current
    assert isinstance(view, TextView)
    return view


def place_of(window: MainWindow) -> tuple[int, int]:
    place = window.session.text_caret
    assert place is not None
    return place.line, place.column


def test_f8_steps_through_all_mistakes_of_a_section_and_around(window: MainWindow) -> None:
    steps = []
    for _ in range(4):
        window._actions["next_problem"].trigger()
        steps.append(place_of(window))
    assert steps == [(5, 1), (5, 7), (9, 6), (5, 1)]
    window._actions["previous_problem"].trigger()
    assert place_of(window) == (9, 6)


@pytest.mark.parametrize("shows_bytes", [False, True])
def test_f8_steps_in_the_bytes_too(window: MainWindow, shows_bytes: bool) -> None:
    if shows_bytes:
        window._actions["text"].trigger()
    found = window.session.problems(Severity.WARNING)
    for each in [*found, found[0]]:
        window._actions["next_problem"].trigger()
        assert window._parts.problems._current() == each


def test_the_status_bar_counts_the_text_that_is_selected(window: MainWindow) -> None:
    view, status = view_of(window), window._parts.status
    view.setFocus()
    view.move_caret(view.offset_of(1))
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    assert status.selection.text() == "Selected 3 bytes (0x3)"
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selection is not None
    assert status.selection.text() == f"Selected {len(view.selection)} bytes (0x{len(view.selection):X})"
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.selection is None
    assert window.session.text_caret is not None
    assert window.session.text_caret.selected is None


def test_the_caret_lights_the_finding_of_its_line_and_the_status_bar_tells_it(window: MainWindow) -> None:
    view, status, problems = view_of(window), window._parts.status, window._parts.problems
    view.setFocus()
    view.move_caret(view.offset_of(1))
    assert not status.finding.isVisibleTo(status)
    view.move_caret(view.offset_of(9, 7))
    assert status.place.text() == "Line 9, column 7"
    assert status.finding.isVisibleTo(status)
    assert status.finding.text() in problems.list.currentIndex().data(Qt.ItemDataRole.DisplayRole)
    assert "Line" not in status.finding.text()


def test_the_status_bar_counts_lines_and_columns_of_the_caret_not_of_the_value(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b'"x') + 2)
    assert window._parts.status.place.text() == "Line 11, column 9"
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert window._parts.status.place.text() == "Line 11, column 1"


def test_a_row_of_the_list_leads_to_its_place(window: MainWindow) -> None:
    problems = window._parts.problems
    for row in range(problems.rows.rowCount()):
        problems._go(problems.rows.index(row))
        document = window.session.document
        assert document is not None
        assert view_of(window).caret.offset == document.findings.shown(problems.rows.rows[row]).start


def test_the_sign_beside_a_line_leads_to_the_list_and_tells_the_sentence(window: MainWindow) -> None:
    view = view_of(window)
    window._panes.show_problems(False)
    first = window._parts.problems.rows.rows[0]
    document = window.session.document
    assert document is not None
    line = view.position(document.findings.shown(first).start)[0]
    place = QPoint(MARK_LEFT + 3, (line - 1) * view._row_height + view._row_height // 2)
    assert view._told_at(place.toPointF()) == "A comma or “]” is missing before this.\n“True” is written “true”."
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window._parts.work.problems_shown
    assert window._parts.problems._current() == first
    assert view._told_at(QPoint(place.x(), place.y() + 40 * view._row_height).toPointF()) == ""


def test_what_is_typed_above_moves_the_signs_until_it_is_read(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    document = window.session.document
    assert document is not None
    before = document.findings.shown(window._parts.problems.rows.rows[-1]).start
    view.move_caret(0)
    QTest.keyClicks(view, "; more")
    mark = view.mark_at(before + 6)
    assert mark is not None
    assert mark.span.start == before + 6
    QApplication.processEvents()
    assert view.mark_at(before + 6) is not None


def test_the_banner_counts_the_mistakes_and_goes_to_the_first(window: MainWindow) -> None:
    banner = window._parts.banner
    assert banner.sentence.text().startswith("Godot 4 ConfigFile with ")
    banner.action_button.click()
    assert place_of(window) == (5, 1)
    assert banner.isVisible()


def test_settings_without_a_section_are_read_as_a_config_file_on_wish(window: MainWindow) -> None:
    window.session.show(Document(b"x=1\ny=tru\n", name="a.cfg"))
    window._parts.banner.action_button.click()
    document = window.session.document
    assert document is not None
    assert document.wraps.names == ("config",)
