"""The folders of journals: a live run's is left alone, and of two that start at once one has what was left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import DATA

from viewer.document.disk.folder_lock import LOCK, FolderLock
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.journals.journal import RECORD, Journal
from viewer.document.journals.journal_folders import ENDING, JournalFolders

RPG = DATA / "godot3" / "files" / "rpg.save"
RUN = """
import sys
from pathlib import Path
from viewer.document.journals.journal_folders import JournalFolders
folders = JournalFolders(Path(sys.argv[1]))
folders.hold()
print(folders.fresh_path(), flush=True)
sys.stdin.read()
"""


def written(path: Path, name: str = "pasted", offset: int = 50, instead_of: Path | None = None) -> Path:
    """A journal with one change."""
    document = Document(RPG.read_bytes(), name=name)
    edit = overwrite(document, offset, b"\x09\x09")
    document.apply(edit)
    journal = Journal(path, document)
    if instead_of is not None:
        journal = Journal(path, document, instead_of)
        kept = instead_of.read_bytes()
        journal.add(edit.splices)
        instead_of.write_bytes(kept)
    else:
        journal.add(edit.splices)
    return path


def dead(folder: Path, *names: str) -> list[Path]:
    """The journals of a run that ended without a word."""
    return [written(folder / "dead" / f"{name}{ENDING}", name) for name in names]


def names(folders: JournalFolders) -> set[str]:
    return {left.name for left in folders.claim()}


def test_what_a_run_left_behind_is_found_once_it_has_ended(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        path = written(Path(run.stdout.readline().strip()))
        other = JournalFolders(tmp_path)
        assert names(other) == set()
        assert path.exists()
        run.kill()
        run.wait()
        assert names(other) == {"pasted"}


def test_of_two_runs_only_one_has_what_was_left_behind(tmp_path: Path) -> None:
    dead(tmp_path, "one", "two")
    first, second = JournalFolders(tmp_path), JournalFolders(tmp_path)
    assert names(first) == {"one", "two"}
    assert names(second) == set()
    first.release()
    assert names(second) == {"one", "two"}
    assert names(first) == set()


def test_a_journal_that_is_still_needed_is_not_released(tmp_path: Path) -> None:
    (path,) = dead(tmp_path, "one")
    first, second = JournalFolders(tmp_path), JournalFolders(tmp_path)
    first.claim()
    first.release(frozenset((path,)))
    assert names(second) == set()
    first.leave()
    assert names(second) == {"one"}


def test_only_what_is_forgotten_goes(tmp_path: Path) -> None:
    one, two = dead(tmp_path, "one", "two")
    folders = JournalFolders(tmp_path)
    folders.forget(next(left for left in folders.claim() if left.name == "one"))
    assert (one.exists(), two.exists()) == (False, True)
    folders.forget(folders.claim()[0])
    assert not one.parent.exists()


def test_an_own_journal_is_not_left_behind_and_goes_when_the_program_ends(tmp_path: Path) -> None:
    folders = JournalFolders(tmp_path)
    folders.hold()
    path = written(folders.fresh_path())
    assert folders.claim() == []
    assert path.exists()
    folders.leave()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_understood_stays_and_what_says_nothing_goes(tmp_path: Path) -> None:
    (path,) = dead(tmp_path, "one")
    path.write_bytes(b"not a journal")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / f"x{ENDING}").write_bytes(b"")
    folders = JournalFolders(tmp_path)
    assert [bool(left.problem) for left in folders.claim()] == [True]
    folders.release()
    assert [each.name for each in tmp_path.iterdir()] == ["dead"]
    assert path.read_bytes() == b"not a journal"


def test_a_journal_whose_first_record_was_never_whole_goes(tmp_path: Path) -> None:
    """The program was killed while it began to write; what such a journal took the place of is still there."""
    (path,) = dead(tmp_path, "one")
    whole = path.read_bytes()
    first = RECORD.size + RECORD.unpack_from(whole)[0]
    for size in (1, 7, 8, 9, 40, first - 1):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(whole[:size])
        folders = JournalFolders(tmp_path)
        assert folders.claim() == []
        folders.release()
        assert not path.exists()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(whole[:8] + b"\x01" + whole[9:40])
    assert [bool(left.problem) for left in JournalFolders(tmp_path).claim()] == [True]


def test_a_journal_that_took_the_place_of_another_is_offered_alone(tmp_path: Path) -> None:
    """Killed after the new one was written and before the old one went."""
    (old,) = dead(tmp_path, "one")
    new = written(tmp_path / "later" / f"two{ENDING}", "two", instead_of=old)
    assert old.exists()
    folders = JournalFolders(tmp_path)
    assert names(folders) == {"two"}
    assert (old.exists(), new.exists()) == (False, True)


def test_what_a_journal_of_a_living_run_took_the_place_of_is_not_offered(tmp_path: Path) -> None:
    """That run died while this one was looking, after the one folder was looked at and before the other was."""
    (old,) = dead(tmp_path, "one")
    living = JournalFolders(tmp_path)
    living.hold()
    written(living.fresh_path(), "two", instead_of=old)
    looking = JournalFolders(tmp_path)
    assert names(looking) == set()
    assert old.exists()
    looking.release()
    assert living._lock is not None
    living._lock.release()
    assert names(JournalFolders(tmp_path)) == {"two"}
    assert not old.exists()


def test_a_journal_that_another_one_took_the_place_of_goes_also_where_another_run_looks_at_it(tmp_path: Path) -> None:
    """It would be offered again as soon as the newer one is saved."""
    (old,) = dead(tmp_path, "one")
    looking = JournalFolders(tmp_path)
    assert names(looking) == {"one"}
    written(tmp_path / "later" / f"two{ENDING}", "two", instead_of=old)
    other = JournalFolders(tmp_path)
    (left,) = other.claim()
    other.forget(left)
    looking.release()
    assert names(JournalFolders(tmp_path)) == set()


def test_the_latest_stands_first(tmp_path: Path) -> None:
    for number, path in enumerate(dead(tmp_path, "one", "two", "three")):
        os.utime(path, (number, number))
    assert [left.name for left in JournalFolders(tmp_path).claim()] == ["three", "two", "one"]


def test_a_folder_that_goes_away_while_it_is_locked_is_not_held(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    lock = FolderLock.take(tmp_path / "run")
    assert lock is not None
    assert FolderLock.take(tmp_path / "run") is None
    lock.release()
    (tmp_path / "run" / LOCK).unlink()
    (tmp_path / "run").rmdir()
    assert FolderLock.take(tmp_path / "run") is None


def test_a_run_whose_folder_was_taken_away_makes_it_again(tmp_path: Path) -> None:
    folders = JournalFolders(tmp_path / "journals")
    folders.hold()
    path = folders.fresh_path()
    (path.parent / LOCK).unlink()
    path.parent.rmdir()
    folders.hold()
    assert JournalFolders(tmp_path / "journals").claim() == []
    assert path.parent.is_dir()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions of this kind")
def test_folders_and_locks_are_for_their_owner_alone_also_where_they_were_loose(tmp_path: Path) -> None:
    folder = tmp_path / "journals"
    (folder / "dead").mkdir(parents=True)
    (folder / "dead").chmod(0o777)
    folder.chmod(0o777)
    written(folder / "dead" / f"x{ENDING}").chmod(0o644)
    folders = JournalFolders(folder)
    folders.claim()
    folders.hold()
    places = [folder, *folder.iterdir(), *folder.glob(f"*/{LOCK}")]
    assert len(places) == 5
    assert all(not place.stat().st_mode & 0o077 for place in places)
