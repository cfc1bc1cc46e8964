"""Bookmarks: found again after edits, undo, and in another run."""

from __future__ import annotations

import json
from pathlib import Path

import corpus
import pytest

from viewer.document import outline
from viewer.document.bookmarks import Bookmark, BookmarkProblem, Bookmarks, keep, load
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import format_path, parse_path
from viewer.document.splice import Edit, Splice

GOLD = "[0].player.gold"


@pytest.fixture
def document() -> Document:
    return Document(next(f.path for f in corpus.files("godot3") if f.path.name == "rpg.save").read_bytes())


def marked(document: Document, *paths: str) -> Bookmarks:
    marks = Bookmarks()
    for path in paths:
        marks.add(document, parse_path(document, path), f"note of {path}")
    return marks


def found(document: Document, mark: Bookmark) -> str:
    item = mark.find(document)
    return format_path(document, item) if item is not None else ""


def put(document: Document, path: str, literal: str) -> Change:
    return document.apply(set_literal(document, parse_path(document, path), literal))


def follow(marks: Bookmarks, document: Document, change: Change | None) -> None:
    assert change is not None
    marks.follow(document, change.splices, change.moves)


def test_a_part_is_marked_by_its_row(document: Document) -> None:
    marks = marked(document, "[0].player.position.x")
    assert marks.marks[0].path == "[0].player.position"
    assert marks.at(document, parse_path(document, "[0].player.position.y")) is marks.marks[0]


def test_an_edit_before_it_moves_its_offset(document: Document) -> None:
    marks = marked(document, GOLD)
    before = marks.marks[0].offset
    follow(marks, document, put(document, "[0].player.name", '"' + "x" * 400 + '"'))
    assert marks.marks[0].offset > before
    assert found(document, marks.marks[0]) == GOLD
    assert marks.marks[0].note == f"note of {GOLD}"


def test_a_value_of_another_type_keeps_it(document: Document) -> None:
    marks = marked(document, GOLD)
    start = marks.marks[0].offset
    much = bytes.fromhex("04000000 04000000") + b"much"
    splice = Splice(start, document.buffer[start : start + len(much)], much)
    follow(marks, document, document.apply(Edit("write", (splice,))))
    follow(marks, document, put(document, "[0].player.name", '"somebody with a long name"'))
    assert found(document, marks.marks[0]) == GOLD


def test_it_comes_back_with_its_value(document: Document) -> None:
    marks = marked(document, "[0].inventory[3].name")
    follow(marks, document, put(document, "[0].inventory", "[]"))
    assert marks.marks[0].find(document) is None
    follow(marks, document, document.undo())
    assert found(document, marks.marks[0]) == "[0].inventory[3].name"


def test_steps_go_around_the_end(document: Document) -> None:
    marks = marked(document, "[0].quests", GOLD)
    gold, quests = marks.marks
    assert gold.path == GOLD
    assert marks.beside(0, 1) is gold
    assert marks.beside(gold.offset, 1) is quests
    assert marks.beside(quests.offset, 1) is gold
    assert marks.beside(gold.offset, -1) is quests
    assert Bookmarks().beside(0, 1) is None


def test_another_run_finds_it_by_its_path_first(document: Document, tmp_path: Path) -> None:
    marks = marked(document, GOLD)
    keep(tmp_path, tmp_path / "rpg.save", marks.marks)
    put(document, "[0].player.name", '"' + "x" * 400 + '"')
    again = Bookmarks(load(tmp_path, tmp_path / "rpg.save"))
    again.follow(document, ())
    assert found(document, again.marks[0]) == GOLD
    assert again.marks[0].offset > marks.marks[0].offset
    assert again.marks[0].note == f"note of {GOLD}"


def test_of_an_encrypted_save_no_key_is_kept_and_the_place_is_found_again(document: Document, tmp_path: Path) -> None:
    marks = marked(document, GOLD, "[0].inventory[3].name")
    keep(tmp_path, tmp_path / "x.save", [*marks.marks], is_secret=True)
    (written,) = tmp_path.glob("*.json")
    told = json.loads(written.read_text())["bookmarks"]
    assert [row["path"] for row in told] == ["", ""]
    again = Bookmarks(load(tmp_path, tmp_path / "x.save"))
    again.follow(document, ())
    assert [mark.path for mark in again.marks] == [mark.path for mark in marks.marks]
    assert [mark.offset for mark in again.marks] == [mark.offset for mark in marks.marks]


def test_without_its_path_the_offset_is_left(document: Document, tmp_path: Path) -> None:
    keep(tmp_path, tmp_path / "a", marked(document, GOLD).marks)
    other = Document(document.buffer[:].replace(b"gold", b"geld"))
    again = Bookmarks(load(tmp_path, tmp_path / "a"))
    again.follow(other, ())
    assert again.marks[0].find(other) is None
    assert again.marks[0].offset == marked(document, GOLD).marks[0].offset


def test_each_file_has_its_own(document: Document, tmp_path: Path) -> None:
    keep(tmp_path, tmp_path / "a", marked(document, GOLD).marks)
    assert load(tmp_path, tmp_path / "b") == []
    keep(tmp_path, tmp_path / "a", ())
    assert load(tmp_path, tmp_path / "a") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"bookmarks": 5}',
        '{"bookmarks": [5, {"path": 1, "offset": 2}, {"path": "[0]", "offset": -1}, {"path": "[0]", "offset": true}]}',
        "[" * 100_000,
        '{"bookmarks": [{"path": "[0]", "offset": ' + "9" * 40 + "}]}",
    ],
)
def test_what_is_no_bookmark_is_left_out(document: Document, tmp_path: Path, text: str) -> None:
    keep(tmp_path, tmp_path / "a", marked(document, GOLD).marks)
    next(tmp_path.iterdir()).write_text(text)
    assert load(tmp_path, tmp_path / "a") == []


def test_the_kept_file_names_the_marked_one(document: Document, tmp_path: Path) -> None:
    keep(tmp_path, tmp_path / "a", marked(document, GOLD).marks)
    assert json.loads(next(tmp_path.iterdir()).read_text())["file"] == str(tmp_path / "a")


def test_a_folder_that_cannot_be_written_is_a_sentence(document: Document, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BookmarkProblem, match="cannot be kept"):
        keep(tmp_path / "file", tmp_path / "a", marked(document, GOLD).marks)


def test_gaps_and_damaged_files_can_be_marked() -> None:
    data = bytes.fromhex("02000000 07000000 FFFFFFFF FFFFFFFF")
    document = Document(data)
    marks = Bookmarks()
    for offset in range(len(data)):
        item = outline.item_at(document, offset)
        assert item is not None
        marks.add(document, item)
    marks.follow(document, ())
    assert marks.marks
