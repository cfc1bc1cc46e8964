"""Journals: what was edited and not saved can be had again; what was encrypted is never written down."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from corpus import DATA

from viewer.container.secret import Secret
from viewer.document.document import Document
from viewer.document.edits import overwrite, set_literal
from viewer.document.edits.raw_bytes import insert_bytes
from viewer.document.journal import Journal, JournalError, brought_back, left_behind
from viewer.document.path_reading import parse_path
from viewer.document.reading import Choice
from viewer.document.splice import Edit
from viewer.document.wraps import Opening

RPG = DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "rpg.save"
    path.write_bytes(RPG.read_bytes())
    return path


class Edited:
    """A document whose changes are written down."""

    def __init__(self, path: Path, choice: Choice | None = None) -> None:
        self.document = Document.open(path, choice)
        self.path = path.with_suffix(".journal")
        self.journal = Journal(self.path, self.document)

    def apply(self, edit: Edit) -> None:
        self.document.apply(edit)
        self.journal.add(edit.splices)

    def undo(self) -> None:
        change = self.document.undo()
        assert change is not None
        self.journal.add(change.splices)


def again(path: Path) -> Document | None:
    left = left_behind(path)
    assert left is not None
    return brought_back(left)


def test_many_edits_and_undos_come_back_to_the_same_bytes(save: Path) -> None:
    edited = Edited(save)
    chance = random.Random(7)
    for _ in range(60):
        offset = chance.randrange(len(edited.document.buffer) - 8)
        if chance.random() < 0.3 and edited.document.modified:
            edited.undo()
        elif chance.random() < 0.5:
            edited.apply(overwrite(edited.document, offset, chance.randbytes(4)))
        else:
            edited.apply(insert_bytes(edited.document, offset, chance.randbytes(chance.randrange(1, 9))))
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])
    assert back.modified
    back.undo()
    assert bytes(back.buffer[:]) == save.read_bytes()


def test_a_journal_that_is_cut_off_gives_back_what_is_whole(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    after_one = bytes(edited.document.buffer[:])
    edited.apply(overwrite(edited.document, 200, b"\5\6\7\x08"))
    whole = edited.path.read_bytes()
    edited.path.write_bytes(whole[:-3])
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == after_one


def test_a_file_that_was_saved_needs_nothing(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    edited.apply(insert_bytes(edited.document, 300, b"\0" * 8))
    edited.document.save()
    assert again(edited.path) is None


def test_a_file_that_another_program_wrote_keeps_its_bytes(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    save.write_bytes(b"another" * 50)
    with pytest.raises(JournalError, match="do not fit"):
        again(edited.path)
    assert save.read_bytes() == b"another" * 50


def test_a_file_that_is_gone_is_said(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    save.unlink()
    with pytest.raises(JournalError, match="is gone"):
        again(edited.path)


def test_bytes_without_a_file_come_back(tmp_path: Path) -> None:
    document = Document(RPG.read_bytes(), name="pasted")
    journal = Journal(tmp_path / "pasted.journal", document)
    edit = overwrite(document, 50, b"\x09\x09")
    document.apply(edit)
    journal.add(edit.splices)
    back = again(tmp_path / "pasted.journal")
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(document.buffer[:])
    assert back.name == "pasted"


def test_what_was_encrypted_is_not_written_down(tmp_path: Path) -> None:
    path = tmp_path / "secret.save"
    path.write_bytes((DATA / "godot3" / "files" / "enc_pass_one.save").read_bytes())
    secret = Secret.of_password("hunter2")
    edited = Edited(path, Choice(opening=Opening(secret=secret)))
    if not edited.document.wraps.is_secret:
        pytest.fail("The save does not open with its password.")
    item = parse_path(edited.document, "[0]")
    edited.apply(set_literal(edited.document, item, '{"x": "a plain secret"}'))
    written = edited.path.read_bytes()
    assert b"plain secret" not in written
    assert secret.key not in written
    with pytest.raises(JournalError, match="encrypted"):
        again(edited.path)


def test_what_is_no_journal_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    for data in (b"", b"\0" * 40, RPG.read_bytes(), b"\x05\0\0\0\0\0\0\0hello"):
        path.write_bytes(data)
        assert left_behind(path) is None
