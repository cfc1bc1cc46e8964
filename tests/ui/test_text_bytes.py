"""A text in the window: the bytes are its own, with the selection of the tree, both ways."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import TOP, RowIndex
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.look.palette import theme
from viewer.ui.session import Session

SAVE = b'{\n  "name": "Bob",\n  "hp": 12, "list": [1, 2]\n}\n'


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    found = Session()
    view = HexView(theme("light"))
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    found.bridge = HexBridge(found, view)  # type: ignore[attr-defined]
    found.show(Document(SAVE))
    return found


def shown(session: Session) -> HexView:
    view = session.bridge.parent()  # type: ignore[attr-defined]
    assert isinstance(view, HexView)
    return view


def chosen(session: Session, path: str) -> None:
    assert session.document is not None
    session.select(parse_path(session.document, path))


def test_the_bytes_are_those_of_the_text(session: Session) -> None:
    source = shown(session).source
    assert source is not None
    assert source.read(0, source.size()) == SAVE
    assert len(source.styles(0, source.size())) == len(SAVE)
    assert shown(session).read_only


def test_a_value_that_is_selected_is_outlined_where_it_stands(session: Session) -> None:
    chosen(session, "[0].hp")
    at = SAVE.index(b"12")
    assert at in shown(session).visible_span
    assert shown(session).caret.offset == at


def test_a_byte_that_is_clicked_selects_its_value_and_the_caret_stays(session: Session) -> None:
    at = SAVE.index(b"Bob") + 1
    shown(session).set_caret(at)
    shown(session).caret_moved.emit(at)
    assert session.path == "[0].name"
    assert shown(session).caret.offset == at


def test_after_an_edit_the_bytes_are_those_that_would_be_saved(session: Session) -> None:
    chosen(session, "[0].name")
    assert session.item is not None
    session.set_literal(session.item, '"Bobby"')
    source = shown(session).source
    assert source is not None
    assert source.read(0, source.size()) == SAVE.replace(b"Bob", b"Bobby")
    assert source.modified(0, source.size())


def test_rows_tell_where_a_value_stands_in_the_text(session: Session) -> None:
    document = session.document
    assert document is not None
    rows = RowIndex(document)
    facts = row_facts(document, rows, RowDecorations(document), rows.holder(TOP, 0), 1)
    assert facts.span == Span(SAVE.index(b"12"), SAVE.index(b"12") + 2)


def test_a_text_that_is_mended_shows_what_it_has_become_and_goes_back(session: Session) -> None:
    broken = SAVE.replace(b"12,", b"12")
    session.show(Document(broken))
    document = session.document
    assert document is not None
    repair = next(each for each in diagnose(document) if each.can_be_applied)
    assert repair.edit is not None
    session.apply(repair.edit)
    source = shown(session).source
    assert source is not None
    assert source.read(0, source.size()) == SAVE
    assert not document.findings.all()
    session.undo()
    assert source.read(0, source.size()) == broken
    assert not document.modified
