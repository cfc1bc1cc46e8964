"""What the bytes show of the place where the person is."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.look.palette import theme
from viewer.ui.session import Session
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.value import Array, Value

#                       type 19: Array of 2, an int, a type that does not exist
BEGIN = bytes.fromhex("13000000 02000000 02000000 01000000 ee000000")
GAP = 1 << 16
NUMBERS = Value("Array", Array(tuple(Value("int", place) for place in range(100))))


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    found = Session()
    view = HexView(theme("light"))
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    found.bridge = HexBridge(found, view)  # type: ignore[attr-defined]
    found.show(Document(BEGIN + b"\xee" * GAP, choice=ReadOptions(load("godot3"))))
    return found


def shown(session: Session) -> HexView:
    view = session.bridge.parent()  # type: ignore[attr-defined]
    assert isinstance(view, HexView)
    return view


def test_a_byte_in_the_middle_of_a_large_gap_is_in_view(session: Session) -> None:
    session.go_to(GAP // 2)
    assert session.item_span is not None
    assert session.caret == GAP // 2
    assert GAP // 2 in session.item_span
    assert GAP // 2 in shown(session).visible_span


def test_a_collection_chosen_in_the_tree_is_shown_from_its_start(session: Session) -> None:
    session.go_to(GAP // 2)
    session.select(Item(0, 0))
    assert 0 in shown(session).visible_span


def test_the_caret_of_bytes_selected_elsewhere_stands_where_all_others_say(session: Session) -> None:
    session.go_to(4, Span(4, 8))
    view = shown(session)
    assert view.selection == Span(4, 8)
    assert view.caret.offset == session.caret == 4
    session.go_to(7, Span(4, 8))
    assert view.caret.offset == session.caret == 7


def test_findings_that_are_shown_already_leave_the_painted_bytes_alone(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    refreshed: list[bool] = []
    monkeypatch.setattr(HexView, "refresh", lambda view: refreshed.append(True))
    bridge, document = session.bridge, session.document  # type: ignore[attr-defined]
    assert document is not None
    bridge._source.errors(0, 8)
    bridge.show_findings()
    assert not refreshed
    document.findings._lints[0] = document.findings.known()[:1]
    bridge.show_findings()
    assert refreshed


def test_what_is_chosen_elsewhere_has_rows_around_it(qtbot: QtBot, session: Session) -> None:
    session.show(Document(encode(NUMBERS, load("godot3"))))
    view = shown(session)
    document = session.document
    assert document is not None
    view.clearFocus()
    for place in range(60):
        session.select(parse_path(document, f"[0][{place}]"))
        span = session.item_span
        assert span is not None
        assert span.end + 2 * view.columns <= view.visible_span.end
    for place in range(60, 10, -1):
        session.select(parse_path(document, f"[0][{place}]"))
        span = session.item_span
        assert span is not None
        assert view.visible_span.start <= span.start - span.start % view.columns - 2 * view.columns


def test_a_scroll_bar_has_no_handle_where_all_is_in_view(qtbot: QtBot, session: Session) -> None:
    view = shown(session)
    assert view.verticalScrollBar().isEnabled()
    session.show(Document(encode(Value("int", 1), load("godot3"))))
    assert not view.verticalScrollBar().isEnabled()
