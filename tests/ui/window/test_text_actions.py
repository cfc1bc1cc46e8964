"""A file that is text, in the window: as text, edited with real keys, beside its tree."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.path import PathError, parse_path
from viewer.ui.text import text_bridge
from viewer.ui.text.line_view import TextView
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.work_area import PaneLayout

TEXT = b'{\n  "gold": 1.50,\n  "name": "Ada"\n}\n'
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "save.json"
    path.write_bytes(TEXT)
    return path


@pytest.fixture(autouse=True)
def _opened(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_bridge, "QUICK", 60.0)  # a short text is read behind every key, however busy the machine
    window.session.show(Document.open(path))


def view_of(window: MainWindow) -> TextView:
    view = window._parts.bytes.current
    assert isinstance(view, TextView)
    return view


def text_of(window: MainWindow) -> bytes:
    assert window.session.document is not None
    return bytes(window.session.document.shown[:])


def settled(window: MainWindow) -> bytes:
    QApplication.processEvents()
    return text_of(window)


def select(window: MainWindow, path: str) -> None:
    assert window.session.document is not None
    window.session.select(parse_path(window.session.document, path))


def test_a_text_is_shown_as_text_and_one_key_away_as_bytes(window: MainWindow) -> None:
    assert view_of(window).source is not None
    window._actions["text"].trigger()
    assert window._parts.bytes.current is window._parts.hex
    assert window._parts.hex.source is not None
    assert window._parts.hex.source.read(0, 8) == TEXT[:8]
    window._actions["text"].trigger()
    assert view_of(window).hasFocus()


def test_a_text_behind_the_values_comes_to_the_front_first(window: MainWindow) -> None:
    window.resize(560, 600)
    window._actions["bytes"].trigger()
    assert window._parts.work.form is PaneLayout.TINY
    window._parts.work.reveal(window._parts.tree)
    assert not view_of(window).isVisible()
    window._actions["text"].trigger()
    assert view_of(window).isVisible()
    window._actions["text"].trigger()
    assert window._parts.hex.isVisible()


def test_the_values_keep_the_keys_when_the_window_gets_narrow_and_wide(window: MainWindow) -> None:
    window._parts.tree.setFocus()
    for width in (560, 1280):
        window.resize(width, 600)
        QApplication.processEvents()
        assert window._parts.tree.hasFocus()


def test_the_selected_value_is_marked_in_the_text(window: MainWindow) -> None:
    select(window, "[0].name")
    assert view_of(window)._item == Span(TEXT.index(b'"Ada"'), TEXT.index(b'"Ada"') + 5)


def test_the_caret_selects_the_value_around_it(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"1.50") + 1)
    QApplication.processEvents()
    assert window.session.path == "[0].gold"


def at_gold(window: MainWindow) -> TextView:
    """The caret was put at a value a moment ago, which is not selected yet."""
    view = view_of(window)
    view.setFocus()
    select(window, "[0].name")
    view.move_caret(TEXT.index(b"1.50") + 1)
    assert window.session.path == "[0].name"
    return view


def test_a_value_is_edited_that_the_caret_has_only_now_reached(window: MainWindow) -> None:
    QTest.keyClick(at_gold(window), Qt.Key.Key_F2)
    assert window.session.path == "[0].gold"
    assert window._parts.tree.editor.is_open
    assert window._parts.tree.tree_model.spot(window._parts.tree.currentIndex()).item == window.session.item


def test_a_click_elsewhere_finds_the_value_at_the_caret_selected(window: MainWindow) -> None:
    view = at_gold(window)
    seen: list[str] = []
    window.session.selected.connect(lambda _: seen.append(window.session.path))
    tree = window._parts.tree
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(tree.model().index(0, 0)).center())
    QApplication.processEvents()
    assert seen == ["[0].gold", "[0]"]
    assert view.caret.offset == TEXT.index(b"{")


def test_of_many_keys_at_once_the_last_caret_alone_is_selected(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(0)
    QApplication.processEvents()
    seen: list[str] = []
    window.session.selected.connect(lambda _: seen.append(window.session.path))
    for _ in range(TEXT.index(b"Ada")):
        QTest.keyClick(view, Qt.Key.Key_Right)
    assert not seen
    QApplication.processEvents()
    assert seen == ["[0].name"]


def test_what_is_selected_otherwise_meanwhile_stays_selected(window: MainWindow) -> None:
    at_gold(window)
    window.session.go_to_place("[0]")
    QApplication.processEvents()
    assert window.session.path == "[0]"


def test_undo_right_behind_the_last_key_takes_that_back(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"1.50") + 1)
    QTest.keyClicks(view, "23")
    QTest.keyClick(view, Qt.Key.Key_Z, CTRL)
    assert settled(window) == TEXT
    assert window.session.path == "[0].gold"


def test_a_file_that_is_left_or_closed_right_behind_a_key_takes_no_selection_along(window: MainWindow) -> None:
    first = window.session.document
    assert first is not None
    at_gold(window)
    window._opened.add(Document(b'{"a": [1, 2]}'))
    assert window.session.path == "[0]"
    QApplication.processEvents()
    assert window.session.path == "[0]"
    window._opened.switch(window._opened.documents.index(first))
    assert window.session.path == "[0].gold"
    view_of(window).setFocus()
    view_of(window).move_caret(TEXT.index(b"Ada"))
    window.session.show(None)
    QApplication.processEvents()
    assert window.session.item is None


def test_a_line_that_a_person_goes_to_is_selected_whatever_the_caret_did_before(window: MainWindow) -> None:
    at_gold(window)
    window.session.go_to_place("line 3:12")
    QApplication.processEvents()
    assert window.session.path == "[0].name"


def test_what_is_typed_is_read_and_can_be_taken_back(window: MainWindow, path: Path) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"Ada") + 3)
    for sign in "nna":
        QTest.keyClicks(view, sign)
        QApplication.processEvents()
    wanted = TEXT.replace(b"Ada", b"Adanna")
    assert settled(window) == wanted
    assert window.session.path == "[0].name"
    window._actions["save"].trigger()
    assert path.read_bytes() == wanted
    window.session.undo()
    assert settled(window) == TEXT
    assert view.source is not None
    assert bytes(view.source.data) == TEXT


def test_what_is_typed_elsewhere_is_a_step_of_its_own(window: MainWindow) -> None:
    view = at_gold(window)
    QTest.keyClicks(view, "55")
    settled(window)
    first = text_of(window)
    view.set_caret(text_of(window).index(b"}"))
    QTest.keyClicks(view, " ")
    settled(window)
    assert text_of(window) != first
    window._actions["undo"].trigger()
    assert text_of(window) == first


def test_blanks_that_are_typed_are_saved(window: MainWindow, path: Path) -> None:
    view = view_of(window)
    view.setFocus()
    view.move_caret(1)
    QTest.keyClick(view, Qt.Key.Key_Return)
    settled(window)
    window._actions["save"].trigger()
    assert path.read_bytes() == TEXT[:1] + b"\n" + TEXT[1:]


def test_broken_text_stays_as_it_is_typed_and_the_rest_is_read(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    view.select(Span(TEXT.index(b","), TEXT.index(b",") + 1))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert settled(window) == TEXT.replace(b",", b"")
    assert window.session.problems()
    select(window, "[0].name")
    assert view._item is not None
    assert list(view.source.marks(Span(0, len(TEXT)))) if view.source else False


def test_text_without_a_value_is_as_safe_as_any(window: MainWindow, path: Path) -> None:
    view = view_of(window)
    view.setFocus()
    view.select_all()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    settled(window)
    QTest.keyClicks(view, "hello")
    assert settled(window) == b"hello"
    document = window.session.document
    assert document is not None
    assert (document.modified, window.session.has_typed, window.session.item) == (True, False, None)
    assert [problem.severity for problem in window.session.problems()] == [Severity.ERROR]
    window._actions["insert_into"].trigger()
    window._actions["delete"].trigger()
    assert text_of(window) == b"hello"
    window._actions["save"].trigger()
    assert path.read_bytes() == b"hello"
    for _ in range(3):
        window.session.undo()
    assert settled(window) == TEXT
    assert view.source is not None
    assert bytes(view.source.data) == TEXT
    window.session.redo()
    window.session.redo()
    assert settled(window) == b"hello"
    view.select_all()
    QTest.keyClicks(view, "{}")
    settled(window)
    window._actions["save"].trigger()
    assert path.read_bytes() == b"{}"


def test_what_a_text_cannot_hold_is_refused_and_changes_nothing(window: MainWindow, qtbot: QtBot) -> None:
    document = window.session.document
    assert document is not None
    with qtbot.waitSignal(window.session.failed) as told:
        window.session.set_literal(parse_path(document, "[0].gold"), "nan")
    assert told.args == ["JSON has no number for NaN: set another one."]
    assert (text_of(window), document.modified, document.text_problem) == (TEXT, False, "")


def test_an_edit_in_the_tree_shows_in_the_text(window: MainWindow) -> None:
    assert window.session.document is not None
    window.session.set_literal(parse_path(window.session.document, "[0].gold"), "7.0")
    view = view_of(window)
    assert view.source is not None
    assert b'"gold": 7.0' in bytes(view.source.data)


def test_a_long_text_is_read_when_the_typing_pauses(
    window: MainWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_bridge, "QUICK", -1)
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"Ada"))
    QTest.keyClicks(view, "x")
    settled(window)
    QTest.keyClicks(view, "y")
    assert settled(window) == TEXT.replace(b"Ada", b"xAda")
    assert window._actions["save"].isEnabled()
    window._actions["save"].trigger()
    assert path.read_bytes() == TEXT.replace(b"Ada", b"xyAda")
    QTest.keyClicks(view, "z")
    qtbot.waitUntil(lambda: b"xyzAda" in text_of(window), timeout=3000)


def test_cut_and_paste_of_the_window_mean_the_text(window: MainWindow) -> None:
    view = view_of(window)
    view.setFocus()
    start = TEXT.index(b'  "name"')
    view.select(Span(start, start + 2))
    window._actions["cut"].trigger()
    assert settled(window) == TEXT.replace(b'  "name"', b'"name"')
    window._actions["paste_value"].trigger()
    assert settled(window) == TEXT
    window._actions["select_all"].trigger()
    assert view.selection == Span(0, len(TEXT))


def test_a_person_goes_to_a_line(window: MainWindow) -> None:
    window.session.go_to_place("line 3:4")
    assert view_of(window).caret.offset == TEXT.index(b"name")
    window.session.go_to_place(":2")
    assert view_of(window).caret.offset == TEXT.index(b'  "gold"')
    with pytest.raises(PathError, match="last one is line 5"):
        window.session.go_to_place("line 9")


def test_a_problem_leads_to_its_place_in_the_text(window: MainWindow) -> None:
    window.session.show(Document(TEXT.replace(b",", b"")))
    window.session.step_problem(1)
    assert view_of(window).caret.offset == TEXT.index(b'"name"') - 1


def test_what_was_typed_is_read_without_taking_the_selection_from_the_tree(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_bridge, "SHORT", -1)
    window.session.show(Document(TEXT))
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"Ada"))
    QTest.keyClicks(view, "x")
    window._parts.tree.setFocus()
    select(window, "[0].gold")
    qtbot.waitUntil(lambda: b"xAda" in text_of(window), timeout=3000)
    assert window.session.path == "[0].gold"


def test_going_to_another_file_keeps_what_holds_no_value_yet_and_writes_it_nowhere_else(window: MainWindow) -> None:
    other = Document(b'{"longer": "than the first one, so that its places lie behind its end"}\n' * 3)
    first = window.session.document
    assert first is not None
    window._opened.add(other)
    window._opened.switch(window._opened.documents.index(first))
    view = view_of(window)
    view.setFocus()
    view.select_all()
    QTest.keyClicks(view, "}")
    settled(window)
    window._opened.switch(window._opened.documents.index(other))
    assert settled(window) == bytes(other.shown[:])
    assert not other.modified
    window._opened.switch(window._opened.documents.index(first))
    assert view.source is not None
    assert bytes(view.source.data) == b"}"
    assert first.modified


def test_typing_just_before_another_file_is_shown_is_read_into_its_own(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_bridge, "SHORT", -1)
    first = Document(TEXT)
    window._opened.add(first)
    view = view_of(window)
    view.setFocus()
    view.move_caret(TEXT.index(b"Ada"))
    QTest.keyClicks(view, "x")
    other = Document(b'{"longer": "than the first one, so that its places lie behind its end"}\n' * 3)
    window._opened.add(other)
    assert first.shown == TEXT.replace(b"Ada", b"xAda")
    assert not other.modified


LONG = b"{\n" + b"".join(b'  "k%d": %d,\n' % (k, k) for k in range(200)) + b'  "end": 1\n}\n'


def test_undo_and_redo_go_to_what_they_change_in_the_text(window: MainWindow) -> None:
    window.session.show(Document(LONG))
    view = view_of(window)
    view.setFocus()
    first, last = LONG.index(b'"k3": 3') + 7, LONG.index(b'"k180": 180') + 11
    view.move_caret(last)
    QTest.keyClicks(view, "99")
    settled(window)
    view.move_caret(first)
    QApplication.processEvents()
    window._actions["undo"].trigger()
    QApplication.processEvents()
    assert view.caret.offset == last
    assert view.viewport().rect().contains(view.caret_rect().adjusted(0, 1, 0, -1))
    assert window.session.path == "[0].k180"
    view.move_caret(first)
    window._actions["redo"].trigger()
    QApplication.processEvents()
    assert view.caret.offset == last + 2
    assert window.session.path == "[0].k180"


@pytest.mark.parametrize(("text", "typed", "selected"), [(b"[1, 2]", "3", "[0][1]"), (b"[[1]]", "2", "[0][0][0]")])
def test_a_number_that_is_typed_at_the_end_stays_selected(
    window: MainWindow, text: bytes, typed: str, selected: str
) -> None:
    window.session.show(Document(text))
    view = view_of(window)
    view.setFocus()
    view.move_caret(len(text.rstrip(b"]")))
    QTest.keyClicks(view, typed)
    settled(window)
    QApplication.processEvents()
    assert window.session.path == selected


@pytest.mark.parametrize("seed", range(3))
def test_after_many_keys_pastes_and_undos_the_text_is_as_if_typed_at_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    dice, view, session = random.Random(seed), view_of(window), window.session
    monkeypatch.setattr(text_bridge, "QUICK", -1.0 if seed else text_bridge.QUICK)  # read when it pauses only
    view.setFocus()
    plain = settled(window)
    for _ in range(60):
        place = dice.randrange(len(plain) + 1)
        deed = dice.choice("tttppdxur")
        view.set_caret(place)
        if deed in "tp":
            text = dice.choice(["7", " ", "\n", "\t"]) if deed == "t" else "\n\n \t7\r\n" * dice.randrange(1, 9)
            at = view.caret.offset
            view.write(text)
            plain = plain[:at] + text.encode() + plain[at:]
        elif deed in "dx":
            span = Span(place, min(place + dice.choice([1, 9]), len(plain)))
            view.erase(span)
            plain = plain[: span.start] + plain[span.end :]
        else:
            (session.undo if deed == "u" else session.redo)()
            plain = text_of(window)
        assert view.source is not None
        assert view.source.data[:] == plain
        line = dice.randrange(plain.count(b"\n") + 1)
        assert view.offset_of(line + 1) == sum(len(each) + 1 for each in plain.split(b"\n")[:line])
        assert len(view._rows.data) == len(plain)
    assert settled(window) == text_of(window)
    session.settle()
    assert text_of(window) == plain
