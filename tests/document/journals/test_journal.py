"""Journals: what was edited and not saved can be had again; what was encrypted is never written down."""

from __future__ import annotations

import gzip
import json
import os
import random
import tracemalloc
import zlib
from pathlib import Path

import pytest
from corpus import DATA

from viewer.container.layer import Secret
from viewer.document.disk import files
from viewer.document.disk.files import ChangedOnDisk
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.raw_bytes import insert_bytes, overwrite
from viewer.document.edits.setting import set_literal
from viewer.document.journals.bringing_back import JournalFit, NotBroughtBack, brought_back, outlook
from viewer.document.journals.journal import (
    COMPARED,
    KEPT_WHOLE,
    KEPT_WITHOUT_FILE,
    RECORD,
    SAMPLE,
    STEP,
    Journal,
    NotKept,
    fingerprint,
    left_behind,
    sync,
)
from viewer.document.path import parse_path
from viewer.document.reading import AT_ONCE, ReadOptions
from viewer.document.splice import Edit
from viewer.document.wraps import UnwrapOptions

if os.name != "nt":
    import resource

RPG = DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "rpg.save"
    path.write_bytes(RPG.read_bytes())
    return path


class Edited:
    """A document whose changes are written down."""

    def __init__(self, path: Path, choice: ReadOptions | None = None) -> None:
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
    for _ in range(25):
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


def look(path: Path, file: Path | None = None) -> JournalFit:
    left = left_behind(path)
    assert left is not None
    return outlook(left, file).fit


def test_a_file_that_another_program_wrote_keeps_its_bytes_and_the_changes_come_back_beside_it(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    save.write_bytes(b"another" * 50)
    assert look(edited.path) is JournalFit.ALONE
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])
    assert back.modified
    with pytest.raises(ChangedOnDisk):
        back.save()
    assert save.read_bytes() == b"another" * 50


def test_a_file_that_differs_only_far_from_the_changes_is_another_one(save: Path) -> None:
    """Its bytes with these changes are a state that never was."""
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    other = bytearray(save.read_bytes())
    other[900] ^= 255
    save.write_bytes(other)
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])


def test_a_file_that_is_gone_comes_back_whole_and_is_written_when_it_is_saved(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    save.unlink()
    assert look(edited.path) is JournalFit.ALONE
    back = again(edited.path)
    assert back is not None
    back.save()
    assert save.read_bytes() == bytes(edited.document.buffer[:])


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A file of more bytes than a journal keeps."""
    path = tmp_path / "long.save"
    with path.open("wb") as file:
        file.write(RPG.read_bytes())
        file.truncate(KEPT_WHOLE + 4096)
    return path


def test_a_long_file_waits_where_it_is_gone_and_is_found_again_where_it_was_moved(long: Path, tmp_path: Path) -> None:
    edited = Edited(long)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    moved = tmp_path / "elsewhere.save"
    long.rename(moved)
    assert look(edited.path) is JournalFit.WAITS
    with pytest.raises(NotBroughtBack, match="put it back"):
        again(edited.path)
    assert edited.path.exists()
    left = left_behind(edited.path)
    assert left is not None
    back = brought_back(left, moved)
    assert back is not None
    assert back.path == moved
    assert back.buffer[100:104] == b"\1\2\3\4"
    moved.rename(long)
    assert look(edited.path) is JournalFit.FITS


def test_a_long_file_that_was_written_since_is_brought_back_only_where_a_person_chooses_it(long: Path) -> None:
    edited = Edited(long)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    os.utime(long, ns=(1, 1))
    assert look(edited.path) is JournalFit.LIKELY
    with pytest.raises(NotBroughtBack, match="too large"):
        again(edited.path)
    assert look(edited.path, long) is JournalFit.FITS
    with long.open("r+b") as file:
        file.seek(100)
        file.write(rb"\9")
    assert look(edited.path, long) is JournalFit.WAITS


def test_a_long_file_that_differs_only_far_from_the_changes_is_another_one(long: Path) -> None:
    edited = Edited(long)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    with long.open("r+b") as file:
        file.seek(900)
        file.write(b"\xee")
    assert look(edited.path) is JournalFit.WAITS
    assert look(edited.path, long) is JournalFit.WAITS


def test_a_long_file_that_was_saved_needs_nothing(long: Path) -> None:
    edited = Edited(long)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    edited.journal.about_to_save(long)
    assert look(edited.path) is JournalFit.FITS
    edited.document.save(backup=0)
    assert look(edited.path) is JournalFit.HELD


def test_what_was_being_saved_under_another_name_needs_nothing_once_it_is_there(save: Path, tmp_path: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    edited.journal.about_to_save(tmp_path / "other.save")
    assert look(edited.path) is JournalFit.FITS
    edited.document.save(tmp_path / "other.save")
    assert look(edited.path) is JournalFit.HELD


def test_bringing_back_reads_only_what_the_changes_remove(tmp_path: Path) -> None:
    path = tmp_path / "huge.save"
    with path.open("wb") as file:
        file.write(RPG.read_bytes())
        file.truncate(1 << 30)
    document = Document.open(path, patience=AT_ONCE)
    journal = Journal(path.with_suffix(".journal"), document)
    edit = overwrite(document, 1 << 29, b"\1\2")
    document.apply(edit)
    journal.add(edit.splices)
    tracemalloc.start()
    back = again(path.with_suffix(".journal"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert back is not None
    assert back.buffer[(1 << 29) - 1 : (1 << 29) + 3] == b"\0\1\2\0"
    assert peak < 32 << 20


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
    edited = Edited(path, ReadOptions(opening=UnwrapOptions(secret=secret)))
    if not edited.document.wraps.is_secret:
        pytest.fail("The save does not open with its password.")
    item = parse_path(edited.document, "[0]")
    edited.apply(set_literal(edited.document, item, '{"x": "a plain secret"}'))
    written = edited.path.read_bytes()
    assert b"plain secret" not in written
    assert secret.key not in written
    with pytest.raises(NotBroughtBack, match="encrypted"):
        again(edited.path)


def test_what_says_nothing_is_nothing(save: Path) -> None:
    path = save.with_name("x.journal")
    begun = Edited(save)
    begun.apply(overwrite(begun.document, 100, b"\1"))
    whole = begun.path.read_bytes()
    for data in (b"", b"\0" * 40, b"\0" * 9000, whole[: -STEP.size - 5]):
        path.write_bytes(data)
        assert left_behind(path) is None


def test_a_journal_that_cannot_be_understood_is_named_and_stays(save: Path) -> None:
    path = save.with_name("x.journal")
    deep = b"[" * 100_000
    begun = Edited(save)
    begun.apply(overwrite(begun.document, 100, b"\1"))
    whole = bytearray(begun.path.read_bytes())
    whole[-1] ^= 1
    for data in (RPG.read_bytes(), b"hello", record(b"hello"), record(b'{"magic": 7}'), record(deep), bytes(whole)):
        path.write_bytes(data)
        left = left_behind(path)
        assert left is not None
        look = outlook(left)
        assert look.fit is JournalFit.NEVER
        assert "damaged" in look.sentence
        assert str(path) in look.sentence
        with pytest.raises(NotBroughtBack, match="damaged"):
            brought_back(left)


def record(payload: bytes) -> bytes:
    return RECORD.pack(len(payload), zlib.crc32(payload)) + payload


def test_changes_before_a_damaged_one_come_back_and_it_is_said(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    after_one = bytes(edited.document.buffer[:])
    size = edited.path.stat().st_size
    for number in range(2):
        edited.apply(overwrite(edited.document, 200 + number, b"\5"))
    data = bytearray(edited.path.read_bytes())
    data[size + RECORD.size + 3] ^= 1
    edited.path.write_bytes(data)
    left = left_behind(edited.path)
    assert left is not None
    assert "damaged" in outlook(left).sentence
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == after_one


def test_a_journal_of_the_first_version_is_read(save: Path, tmp_path: Path) -> None:
    stamp = files.stamp(save)
    assert stamp is not None
    old = RPG.read_bytes()
    about = {"magic": "variant-viewer journal 1", "name": "rpg.save", "path": str(save), "layers": [], "secret": False}
    about["stamp"] = [stamp.size, stamp.modified_ns, stamp.inode]
    steps = STEP.pack(100, 4, zlib.crc32(old[100:104]), 2) + b"\1\2", STEP.pack(50, 0, 0, 3) + b"abc"
    path = tmp_path / "old.journal"
    path.write_bytes(b"".join(record(each) for each in (json.dumps(about).encode(), *steps)))
    back = again(path)
    assert back is not None
    new = old[:50] + b"abc" + old[50:100] + b"\1\2" + old[104:]
    assert bytes(back.buffer[:]) == new
    os.utime(save, ns=(1, 1))
    assert look(path) is JournalFit.LIKELY
    save.write_bytes(new)
    assert look(path) is JournalFit.HELD
    save.write_bytes(b"other" * 99)
    assert look(path) is JournalFit.WAITS


def test_bytes_without_a_file_come_back_from_the_first_version(tmp_path: Path) -> None:
    about = {"magic": "variant-viewer journal 1", "name": "pasted", "path": "", "layers": ["gzip"], "stamp": None}
    payloads = json.dumps(about).encode(), b"hello world", STEP.pack(0, 5, zlib.crc32(b"hello"), 2) + b"oh"
    path = tmp_path / "old.journal"
    path.write_bytes(b"".join(record(each) for each in payloads))
    back = again(path)
    assert back is not None
    assert (bytes(back.buffer[:]), back.name) == (b"oh world", "pasted")


def test_wrapped_bytes_without_a_file_come_back_in_their_wraps(tmp_path: Path) -> None:
    document = Document(gzip.compress(RPG.read_bytes()), name="packet from clipboard")
    assert document.wraps.names == ("gzip",)
    path = tmp_path / "x.journal"
    journal = Journal(path, document)
    edit = overwrite(document, 50, b"\x09\x09")
    document.apply(edit)
    journal.add(edit.splices)
    back = again(path)
    assert back is not None
    assert back.wraps.names == ("gzip",)
    assert bytes(back.buffer[:]) == bytes(document.buffer[:])


def test_bytes_without_a_file_that_are_too_many_are_said_not_to_be_kept(tmp_path: Path) -> None:
    document = Document(
        bytes(KEPT_WITHOUT_FILE + 1), name="long", choice=ReadOptions(opening=UnwrapOptions(())), patience=0
    )
    edit = overwrite(document, 50, b"\x09")
    document.apply(edit)
    with pytest.raises(NotKept, match="Save it"):
        Journal(tmp_path / "x.journal", document).add(edit.splices)
    assert not (tmp_path / "x.journal").exists() or left_behind(tmp_path / "x.journal") is None


def test_what_was_brought_back_stays_in_the_old_journal_until_a_new_one_has_it(save: Path, tmp_path: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    back = again(edited.path)
    assert back is not None
    (tmp_path / "blocked").write_bytes(b"")
    journal = Journal(tmp_path / "blocked" / "x.journal", back, instead_of=edited.path)
    with pytest.raises(OSError, match="directory"):
        journal.catch_up()
    journal.settle()
    assert again(edited.path) is not None
    (tmp_path / "blocked").unlink()
    edit = overwrite(back, 200, b"\7\7")
    back.apply(edit)
    journal.add(edit.splices)
    assert edited.path.exists()
    journal.settle()
    assert not edited.path.exists()
    twice = again(journal.path)
    assert twice is not None
    assert bytes(twice.buffer[:]) == bytes(back.buffer[:])
    assert twice.buffer[100:104] == b"\1\2\3\4"
    journal.drop()
    assert not journal.path.exists()


def test_the_older_of_two_journals_is_dropped_first(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in between, the older one alone would offer a state from long before what was saved."""
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    back = again(edited.path)
    assert back is not None
    journal = Journal(save.with_name("new.journal"), back, instead_of=edited.path)
    journal.catch_up()
    gone: list[str] = []
    unlink = Path.unlink

    def told(path: Path, missing_ok: bool = False) -> None:
        gone.append(path.name)
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", told)
    journal.drop()
    assert gone == [edited.path.name, "new.journal"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of this kind")
def test_on_a_full_disk_the_journal_stays_whole_and_catches_up_later(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    after_one = bytes(edited.document.buffer[:])
    size = edited.path.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
    try:
        for number in range(3):
            with pytest.raises(OSError, match="large"):
                edited.apply(insert_bytes(edited.document, 200 + number, b"after the disk was full"))
            assert edited.journal.is_behind
            assert edited.path.stat().st_size == size
            back = again(edited.path)
            assert back is not None
            assert bytes(back.buffer[:]) == after_one
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    edited.apply(overwrite(edited.document, 300, rb"\9"))
    assert not edited.journal.is_behind
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])


def test_a_journal_that_somebody_took_away_begins_anew_with_all_changes(save: Path) -> None:
    edited = Edited(save)
    for number in range(3):
        edited.apply(overwrite(edited.document, 100 * number, b"\1\2\3\4"))
        if number == 0:
            edited.path.unlink()
        elif number == 1:
            os.truncate(edited.path, 30)
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])


def test_changes_after_the_saved_bytes_cannot_be_reached_any_more_are_kept(save: Path) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1\2\3\4"))
    edited.document.save(backup=0)
    edited.journal.drop()
    edited.document.undo()  # not told to the journal
    edited.apply(overwrite(edited.document, 300, b"\5"))
    assert edited.document.history.since_saved() is None
    back = again(edited.path)
    assert back is not None
    assert bytes(back.buffer[:]) == bytes(edited.document.buffer[:])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions of this kind")
def test_a_journal_is_for_its_owner_alone(save: Path, tmp_path: Path) -> None:
    folder = tmp_path / "loose"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "x.journal").write_bytes(b"")
    (folder / "x.journal").chmod(0o666)
    document = Document.open(save)
    edit = overwrite(document, 100, b"\1")
    document.apply(edit)
    Journal(folder / "x.journal", document).add(edit.splices)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "x.journal")] == [0o700, 0o600]


def test_a_journal_reaches_the_disk(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = Edited(save)
    edited.apply(overwrite(edited.document, 100, b"\1"))
    synced: list[int] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    sync(edited.path)
    assert edited.path.stat().st_ino in synced
    assert os.name == "nt" or edited.path.parent.stat().st_ino in synced
    sync(save.with_name("gone.journal"))


def test_samples_tell_long_bytes_apart_at_both_ends() -> None:
    data = bytearray(COMPARED + 1)
    seen = {fingerprint(data)}
    for place in (0, len(data) - 1, COMPARED // 2 // SAMPLE * SAMPLE):
        data[place] = 1
        seen.add(fingerprint(data))
    assert len(seen) >= 3


@pytest.mark.parametrize("is_packed", [False, True])
def test_what_is_written_in_a_text_comes_back_with_its_blanks(tmp_path: Path, is_packed: bool) -> None:
    text = b'{\n  "gold": 1.50,\n  "name": "Ada"\n}\n'
    path = tmp_path / "save.json"
    path.write_bytes(gzip.compress(text, mtime=0) if is_packed else text)
    edited = Edited(path)
    document = edited.document
    edited.apply(set_literal(document, parse_path(document, "[0].gold"), "7.0"))
    written = text_of(document).replace(b'"Ada"', b'\t"Ada"  ')
    edit = text_written(document, written)
    assert edit is not None
    assert not edit.splices
    edited.apply(edit)
    edited.apply(set_literal(document, parse_path(document, "[0].name"), '"Bo"'))
    edited.undo()
    assert look(edited.path) is JournalFit.FITS
    back = again(edited.path)
    assert back is not None
    assert text_of(back) == written
    assert back.modified
    back.undo()
    assert text_of(back) == text
    document.save()
    assert again(edited.path) is None


def test_a_text_of_which_nothing_can_be_read_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    path.write_bytes(b'{"gold": 1}')
    edited = Edited(path)
    edit = text_written(edited.document, b"hello")
    assert edit is not None
    edited.apply(edit)
    assert look(edited.path) is JournalFit.FITS
    back = again(edited.path)
    assert back is not None
    assert (text_of(back), back.modified) == (b"hello", True)
    back.undo()
    assert text_of(back) == b'{"gold": 1}'


def text_of(document: Document) -> bytes:
    return bytes(document.shown[:])
