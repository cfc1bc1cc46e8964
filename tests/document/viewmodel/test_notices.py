"""What is told about a whole file, and when nothing is."""

from __future__ import annotations

import os
from pathlib import Path

import corpus
import pytest

from viewer.document.disk import files
from viewer.document.disk.paged import FileBlocks, Paged
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.notices import Remedy, notice
from viewer.variant.dialect import load

INT = bytes.fromhex("08000000 02000000 05000000")


@pytest.mark.parametrize("folder", [engine.folder for engine in corpus.ENGINES])
def test_nothing_is_told_about_an_ordinary_save(folder: str) -> None:
    told = {
        file.path.name: found.sentence
        for file in corpus.files(folder)
        if file.path.stat().st_size > 100 and (found := notice(Document.open(file.path))) is not None
    }
    assert told == {}


def test_a_file_that_the_game_wrote_again_offers_to_reload(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(INT)
    document = Document.open(path)
    assert notice(document) is None
    path.write_bytes(INT + INT)
    found = notice(document)
    assert found is not None
    assert found.remedy is Remedy.RELOAD
    path.unlink()
    found = notice(document)
    assert found is not None
    assert "gone" in found.sentence


def test_a_large_file_that_is_cut_off_while_it_is_open_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(INT)
    pages = Paged(FileBlocks(path, block=4))
    document = Document(pages, path, stamp=files.stamp(path))
    os.truncate(path, 4)
    assert pages.source.read(0, len(INT)) == INT[:4] + bytes(8)
    found = notice(document)
    assert found is not None
    assert (found.sentence, found.remedy) == (pages.fault, Remedy.RELOAD)


def test_bytes_that_are_no_save_say_that_they_are_not_explained() -> None:
    found = notice(Document(b"# Just a text file, with some lines of text.\n" * 9))
    assert found is not None
    assert found.remedy is Remedy.READ_AS


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"\nhello there, this is text\n", "plain text"),
        (b"# a comment, which begins like an array\n", "plain text"),
        (b"%PDF-1.4 and so on", "a PDF document"),
    ],
)
def test_what_is_no_stored_value_is_called_what_it_is_and_no_guess_of_an_engine(raw: bytes, what: str) -> None:
    found = notice(Document(raw))
    assert found is not None
    assert found.sentence.startswith(f"This is {what}: ")


@pytest.mark.parametrize("raw", [b"\thello", b"\t\n\t\n"])
def test_a_few_letters_are_no_guess_of_an_engine(raw: bytes) -> None:
    found = notice(Document(raw))
    assert found is None or "guess" not in found.sentence


def test_a_save_that_is_mostly_noise_is_called_damaged_and_not_of_another_engine() -> None:
    #     type 19: an array of 5: int 1 …
    raw = bytes.fromhex("13000000 05000000") + bytes.fromhex("02000000 01000000") * 4 + b"\xee" * 200
    found = notice(Document(raw, choice=ReadOptions(load("godot3"))))
    assert found is not None
    assert "damaged" in found.sentence
    assert "engine" not in found.sentence
    assert found.remedy is Remedy.NONE


def test_values_that_a_chosen_engine_does_not_know_say_that_another_one_may_fit() -> None:
    #     type 27: a Dictionary of Godot 4, nothing of Godot 3
    raw = bytes.fromhex("1b000000 01000000 02000000 01000000 04000000 04000000 4d697261")
    found = notice(Document(raw, choice=ReadOptions(load("godot3"))))
    assert found is not None
    assert "another engine line" in found.sentence
    assert found.remedy is Remedy.READ_AS


def test_a_reading_that_is_a_guess_says_so_until_a_person_has_chosen() -> None:
    #                       type 14  four floats: a Color of Godot 3, a Plane of Godot 4
    color = bytes.fromhex("0e000000 0000803f 0000003f 0000803e 0000803f")
    found = notice(Document(color))
    assert found is not None
    assert "is a guess" in found.sentence
    assert found.remedy is Remedy.READ_RIVAL
    assert found.button == "Read as Godot 4"
    assert notice(Document(color, choice=ReadOptions(load("godot4")))) is None


def test_damaged_bytes_that_another_line_reads_without_an_error_offer_that_line() -> None:
    array = bytes.fromhex("13000000 02000000 02000000 2A000000 04000000 02000000 6869")
    document = Document(array)
    assert document.dialect is load("godot3")
    found = notice(document)
    assert found is not None
    assert (found.remedy, found.button) == (Remedy.READ_RIVAL, "Read as Godot 2")
    document.read_as(ReadOptions(load("godot2")))
    assert notice(document) is None or notice(document).remedy is not Remedy.READ_RIVAL  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            b'{"a": [1 2],\n"b": 3\n"c": 4}',
            "JSON with 2 mistakes; the rest is shown. The first: Line 1, column 10: A comma is missing before this.",
        ),
        (
            b"[a]\n\nx=1\ny=tru\n",
            "Godot 4 ConfigFile with a mistake; the rest is shown. Line 4, column 3: "
            "“tru” is not a value of Godot 4. A text goes in quotes.",
        ),
    ],
)
def test_of_a_text_with_mistakes_these_are_counted_and_the_first_is_gone_to(text: bytes, sentence: str) -> None:
    found = notice(Document(text))
    assert found is not None
    assert (found.sentence, found.remedy) == (sentence, Remedy.MISTAKE)


def test_the_mistakes_of_a_text_are_told_where_they_are_after_an_edit_in_front_of_them() -> None:
    document = Document(b'{"gold": 1.50, "list": [1 2]}')
    before = notice(document)
    document.apply(set_literal(document, parse_path(document, "[0].gold"), "12345.5"))
    after = notice(document)
    assert before is not None
    assert after is not None
    assert after.remedy is Remedy.MISTAKE
    assert "Line 1, column 27" in before.sentence
    assert after.sentence == before.sentence.replace("column 27", "column 30")


def test_settings_without_their_section_are_offered_as_a_config_file() -> None:
    found = notice(Document(b"x=1\ny=tru\nz=2..3\n"))
    assert found is not None
    assert found.remedy is Remedy.AS_CONFIG
    assert "a setting" in found.sentence


def test_a_resource_whose_first_line_is_lost_is_no_config_file() -> None:
    text = b'[resource]\nmetadata/name = "Ada"\n'
    found = notice(Document(text, name="a.tres"))
    assert found is not None
    assert found.sentence.startswith("The first line is lost: a .tres begins with [gd_resource …]")
    assert notice(Document(text, name="a.cfg")) is None
    assert notice(Document(b'[gd_resource type="Resource" format=3]\n\n' + text, name="a.tres")) is None
