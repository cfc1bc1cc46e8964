"""A value that is edited is found after changes that are made elsewhere, and no other value is taken for it."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from PySide6.QtWidgets import QApplication

from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.path import format_path, parse_path
from viewer.ui.edited_value import EditedValue
from viewer.ui.session import Session

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def session(qapp: QApplication) -> Session:
    found = Session()
    found.show(Document(RPG.read_bytes()))
    return found


def document(session: Session) -> Document:
    assert session.document is not None
    return session.document


def value(session: Session, path: str) -> EditedValue:
    return EditedValue(session, document(session), parse_path(document(session), path))


def after(session: Session, edited: EditedValue, *gone: str) -> bool:
    """Delete values; whether the edited one is found again."""
    changes: list[Change] = []
    session.changed.connect(changes.append)
    session.apply(delete(document(session), [parse_path(document(session), path) for path in gone]))
    return edited.follow(changes[0].splices)


def test_it_is_found_where_it_is_now(session: Session) -> None:
    edited = value(session, "[0].inventory[4]")
    before = edited.digest()
    assert after(session, edited, "[0].inventory[0]", "[0].saved_at")
    assert format_path(document(session), edited.spot.item) == "[0].inventory[3]"
    assert edited.digest() == before


def test_the_next_one_is_not_taken_for_one_that_is_gone(session: Session) -> None:
    assert not after(session, value(session, "[0].inventory[4]"), "[0].inventory[4]")


def test_another_value_of_it_has_another_digest(session: Session) -> None:
    edited = value(session, "[0].player.gold")
    before = edited.digest()
    session.apply(set_literal(document(session), parse_path(document(session), "[0].player.gold"), "5"))
    assert edited.follow(())
    assert edited.digest() != before
    session.undo()
    assert edited.digest() == before


def test_it_is_found_in_its_file_read_again_and_in_no_other(session: Session, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.save", "two.save")]
    for path in paths:
        path.write_bytes(RPG.read_bytes())
    session.show(Document.open(paths[0]))
    edited = value(session, "[0].player.gold")
    assert not edited.follow_to(Document.open(paths[1]))
    again = Document.open(paths[0])
    assert edited.follow_to(again)
    assert edited.spot.document is again


@pytest.mark.parametrize("at", ["[0].saved_at", "[0].map.tiles"])
def test_a_change_of_another_document_says_nothing_about_it(session: Session, tmp_path: Path, at: str) -> None:
    paths = [tmp_path / name for name in ("one.save", "two.save")]
    for path in paths:
        path.write_bytes(RPG.read_bytes())
    session.show(Document.open(paths[0]))
    edited = value(session, "[0].player.gold")
    session.show(Document.open(paths[1]))
    assert not after(session, edited, at)
    session.show(Document.open(paths[0]))
    assert edited.follow(())
    assert edited.spot.document is session.document
