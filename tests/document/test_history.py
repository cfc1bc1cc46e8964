"""The line of edits: what it lists, and how it leads over several of them in one step."""

from __future__ import annotations

import corpus
import pytest

from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path


@pytest.fixture
def document() -> Document:
    return Document(next(f.path for f in corpus.files("godot3") if f.path.name == "rpg.save").read_bytes())


def put(document: Document, path: str, literal: str) -> None:
    document.apply(set_literal(document, parse_path(document, path), literal))
    document.history.seal()


@pytest.fixture
def edited(document: Document) -> list[bytes]:
    """The bytes before and after each of three edits, of which the second makes the file longer."""
    states = [bytes(document.buffer[:])]
    for path, value in (("[0].player.gold", "1"), ("[0].player.name", '"Somebody longer"'), ("[0].player.hp", "2.0")):
        put(document, path, value)
        states.append(bytes(document.buffer[:]))
    return states


def test_it_lists_all_edits_and_the_place_of_now(document: Document, edited: list[bytes]) -> None:
    document.undo()
    assert len(document.history.labels) == 3
    assert document.history.done == 2
    assert document.history.saved == 0


@pytest.mark.parametrize("there", [0, 1, 2])
def test_several_edits_are_taken_back_and_done_again_as_one_change(
    document: Document, edited: list[bytes], there: int
) -> None:
    revision = document.revision
    document.history.aim(there)
    document.undo()
    assert document.buffer[:] == edited[there]
    document.history.aim(3)
    document.redo()
    assert document.buffer[:] == edited[3]
    assert document.revision == revision + 2


def test_the_tables_are_those_of_a_fresh_reading(document: Document, edited: list[bytes]) -> None:
    document.history.aim(0)
    document.undo()
    fresh = Document(edited[0])
    assert bytes(document.frames[0].table.start) == bytes(fresh.frames[0].table.start)


def test_an_aim_holds_for_one_step_only(document: Document, edited: list[bytes]) -> None:
    document.history.aim(1)
    document.undo()
    document.redo()
    assert document.history.done == 2


def test_an_aim_on_the_other_side_is_no_aim(document: Document, edited: list[bytes]) -> None:
    document.undo()
    document.history.aim(3)
    document.undo()
    assert document.history.done == 1


def test_an_edit_forgets_the_aim(document: Document, edited: list[bytes]) -> None:
    document.history.aim(0)
    put(document, "[0].player.gold", "7")
    document.undo()
    assert document.history.done == 3


@pytest.mark.parametrize("there", [-1, 4])
def test_there_is_no_aim_outside(document: Document, edited: list[bytes], there: int) -> None:
    with pytest.raises(ValueError, match="no place"):
        document.history.aim(there)


def test_what_was_modified_is_known_after_a_jump(document: Document, edited: list[bytes]) -> None:
    document.history.aim(0)
    document.undo()
    assert not document.modified
    assert document.modified_spans() == []


def typed(document: Document, offset: int, byte: int, merge: str = "type") -> None:
    """A byte as the hex view writes it while a person types."""
    document.apply(overwrite(document, offset, bytes([byte]), merge))


def test_bytes_typed_one_after_the_other_are_one_step(document: Document) -> None:
    before = bytes(document.buffer[:])
    for k in range(4):
        typed(document, 40 + k, 0xA0 + k)
    assert document.history.done == 1
    assert bytes(document.buffer[40:44]) == bytes.fromhex("a0a1a2a3")
    document.undo()
    assert bytes(document.buffer[:]) == before
    document.redo()
    assert bytes(document.buffer[40:44]) == bytes.fromhex("a0a1a2a3")


def test_a_seal_another_kind_of_edit_and_an_undo_each_begin_a_new_step(document: Document) -> None:
    typed(document, 40, 1)
    document.history.seal()
    typed(document, 41, 2)
    typed(document, 42, 3, merge="delete")
    typed(document, 43, 4, merge="")
    typed(document, 44, 5, merge="")
    assert document.history.done == 5
    document.undo()
    typed(document, 45, 6, merge="")
    assert document.history.done == 5


def test_what_is_typed_after_a_save_is_no_part_of_the_saved_step(document: Document) -> None:
    typed(document, 40, 1)
    document.history.mark_saved()
    typed(document, 41, 2)
    assert (document.history.done, document.history.modified) == (2, True)
    document.undo()
    assert not document.history.modified
    assert bytes(document.buffer[40:41]) == b"\x01"


def test_what_is_typed_after_an_undo_does_not_grow_into_the_step_before_it(document: Document) -> None:
    typed(document, 40, 1)
    document.history.seal()
    typed(document, 50, 2)
    document.undo()
    typed(document, 41, 3)
    assert document.history.done == 2
    document.undo()
    assert bytes(document.buffer[40:41]) == b"\x01"
