"""Describing bytes of no value: a layout comes of it, by which all files of the game are read."""

from __future__ import annotations

import tomllib
import zlib
from pathlib import Path

import corpus
import pytest

from viewer.base import assets
from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.edits.describing import (
    HEAD,
    CannotDescribe,
    describe,
    forget,
    gap_guess,
    is_concerned,
    layout_text,
    pattern_of,
    undescribe,
    usual_name,
)
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.readers.field_readings import FieldReading
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.viewmodel.field_choices import field_choices
from viewer.variant.dialect import Precision
from viewer.variant.items import Item, Role

FOLDER = corpus.DATA / "mixed"
STORED = bytes.fromhex("08000000 02000000 05000000")
PASCAL, VERSION, TIMED = FOLDER / "m00.save", FOLDER / "m01.save", FOLDER / "m02.save"


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts, empty."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    return tmp_path / "layouts"


def chosen(document: Document, span: Span, words: str, name: str = "") -> list[tuple[FieldReading, str]]:
    """The fields of the choice with these words, the only one under another name."""
    choice = next(each for each in field_choices(document, span) if each.words.startswith(words))
    return [(reading, name or usual) for reading, usual in choice.fields]


def described(path: Path, words: str = "", gap: int = 0, name: str = "") -> Document:
    """The file, with a gap described in the likeliest way or the one that is named."""
    document = Document.open(path)
    describe(document, chosen(document, document.unexplained[gap], words, name)).write()
    return Document.open(path)


def names(document: Document) -> list[str]:
    return [piece.name for piece in document.fields]


def test_the_file_and_those_with_the_same_mark_are_read_by_what_was_said(own: Path) -> None:
    assert names(described(PASCAL)) == ["mark", "version"]
    others = [Document.open(path) for path in sorted(FOLDER.glob("*.save"))]
    read = [each for each in others if each.structure is not None]
    assert len(read) == 10
    assert {bytes(each.buffer[:8]) for each in read} == {b"\4\0\0\0SAVE"}
    assert all(each.fields[1].name == "version" for each in read)
    assert [path.name for path in own.iterdir()] == ["save-save.toml"]


def test_a_file_without_a_mark_is_told_by_its_name_and_where_its_first_value_stands(own: Path) -> None:
    document = described(VERSION)
    assert names(document) == ["version"]
    assert 'files = "m*.save"' in next(own.iterdir()).read_text(encoding="utf-8")
    assert Document.open(TIMED).structure is None


def test_fields_behind_values_may_be_missing_behind_others() -> None:
    document = described(TIMED)
    while document.explained < 1:
        document = described(TIMED)
    assert names(document) == ["mark", "version", "time", "number", "number", "number"]
    other = Document.open(FOLDER / "m10.save")
    assert names(other) == ["mark", "version", "time", "skipped bytes"]
    assert {found.code for found in other.findings.all()} == {Code.FOREIGN_BYTES}


def test_a_part_of_a_gap_leaves_the_rest_of_it_to_be_described() -> None:
    document = Document.open(PASCAL)
    describe(document, chosen(document, Span(8, 12), "u32", "slots")).write()
    document = Document.open(PASCAL)
    assert [(piece.name, len(piece.span)) for piece in document.fields[:2]] == [("skipped bytes", 8), ("slots", 4)]
    assert document.unexplained == [Span(0, 8)]
    assert [reading.words for reading in gap_guess(document, Span(0, 8))] == ["mark, a Pascal string"]
    assert not gap_guess(document, Span(8, 12))
    assert [ByteClassifier(document).at(offset).role for offset in (0, 8)] == [Role.GAP, Role.HEADER]
    describe(document, chosen(document, Span(0, 8), "mark")).write()
    document = Document.open(PASCAL)
    assert names(document)[:2] == ["mark", "slots"]
    assert document.explained == 1


def test_a_description_is_changed_and_taken_away_again(own: Path) -> None:
    document = described(PASCAL)
    field = document.fields[1].span
    before = next(own.iterdir()).read_text(encoding="utf-8")
    describe(document, chosen(document, field, "i32", "level")).write()
    document = Document.open(PASCAL)
    assert names(document)[:2] == ["mark", "level"]
    assert [each.words for each in field_choices(document, field) if each.is_now] == ["i32"]
    undescribe(document, field).write()
    document = Document.open(PASCAL)
    assert document.unexplained == [field]
    undescribe(document, document.fields[0].span).write()
    assert not list(own.iterdir())
    assert Document.open(PASCAL).structure is None
    assert "version" in before


def test_a_change_is_taken_back_to_the_letter(own: Path) -> None:
    document = Document.open(PASCAL)
    first = describe(document, chosen(document, document.gaps[0], ""))
    first.write()
    document = Document.open(PASCAL)
    made = next(own.iterdir())
    text = made.read_text(encoding="utf-8")
    for change in (undescribe(document, document.fields[1].span), forget(document)):
        change.write()
        assert not made.exists() or made.read_text(encoding="utf-8") != text
        change.inverse.write()
        assert made.read_text(encoding="utf-8") == text
    first.inverse.write()
    assert not list(own.iterdir())


def test_nothing_is_written_before_it_is_wanted(own: Path) -> None:
    document = Document.open(PASCAL)
    describe(document, chosen(document, document.gaps[0], ""))
    assert not own.exists()


@pytest.mark.parametrize(
    ("span", "why"),
    [
        (Span(8, 20), "A value claims these bytes; select bytes that none does."),
        (Span(20, 24), "A value claims these bytes; select bytes that none does."),
        (Span(4, 4), "A value claims these bytes; select bytes that none does."),
    ],
)
def test_bytes_of_a_value_are_not_described(span: Span, why: str) -> None:
    with pytest.raises(CannotDescribe, match=why):
        field_choices(Document.open(PASCAL), span)


def test_files_that_the_program_knows_and_broken_ones_are_not_described() -> None:
    known = Document(b"ECFG\1\0\0\0\1\0\0\0k\x08\0\0\0\2\0\0\0\1\0\0\0")
    with pytest.raises(CannotDescribe, match="Settings of a Godot project is a kind of file that the program knows"):
        field_choices(known, Span(0, 4))
    broken = Document(PASCAL.read_bytes()[:40], name="broken.save")
    with pytest.raises(CannotDescribe, match="among sound values"):
        field_choices(broken, Span(0, 4))


def test_comments_in_a_layout_are_never_lost(own: Path) -> None:
    document = described(PASCAL)
    made = next(own.iterdir())
    text = made.read_text(encoding="utf-8")
    made.write_text("# Mine.\n" + text, encoding="utf-8")
    document = Document.open(PASCAL)
    change = describe(document, chosen(document, document.fields[1].span, "i32"))
    assert change.after is not None
    assert change.after.startswith("# Mine.\n" + HEAD)
    made.write_text(text.replace('name = "version"', 'name = "version" # of the file'), encoding="utf-8")
    with pytest.raises(CannotDescribe, match="comments between its fields"):
        describe(Document.open(PASCAL), chosen(document, document.fields[1].span, "i32"))


def test_the_text_of_a_layout_says_what_its_table_does() -> None:
    table = {
        "name": 'a "b"\\ \n # é',
        "dialects": ["godot3"],
        "field": [{"name": "n", "type": "u8", "optional": True, "names": {"0": "none", "a b": "#"}}],
    }
    assert tomllib.loads(layout_text(table)) == table


def test_all_layouts_that_are_made_can_be_read(own: Path) -> None:
    for path in sorted(FOLDER.glob("*.save"))[:12]:
        document = described(path) if Document.open(path).explained < 1 else Document.open(path)
        assert document.structure is not None
    for made in own.iterdir():
        parse_layout(made.stem, made.read_text(encoding="utf-8"), made.name)


def test_another_open_file_is_concerned_where_it_is_read_otherwise() -> None:
    sibling, stranger = Document.open(FOLDER / "m04.save"), Document.open(TIMED)
    document = Document.open(PASCAL)
    change = describe(document, chosen(document, document.gaps[0], ""))
    change.write()
    assert is_concerned(sibling, change)
    assert not is_concerned(stranger, change)


@pytest.mark.parametrize(
    ("name", "pattern", "kind"),
    [
        ("slot3.save", "slot*.save", "slot save"),
        ("12.dat", "*.dat", "own save"),
        ("", "unnamed", "own save"),
        ("world.sav", "world.sav", "world save"),
    ],
)
def test_a_new_layout_is_named_after_its_files(name: str, pattern: str, kind: str) -> None:
    document = Document(b"\1\0\0\0" + VERSION.read_bytes()[4:], name=name)
    assert pattern_of(name) == pattern
    assert usual_name(document) == kind


def made(path: Path, head: bytes, values: int = 2) -> Path:
    """A file of bytes of its own before some stored values."""
    path.write_bytes(head + STORED * values)
    return path


def test_values_stand_as_often_as_their_count_says(tmp_path: Path, own: Path) -> None:
    path = made(tmp_path / "a.dat", b"GAME\3\0\0\0", 3)
    document = described(path)
    assert names(document) == ["mark", "count"]
    assert 'repeat = "count"' in next(own.iterdir()).read_text(encoding="utf-8")
    assert not document.findings.all()
    assert Document.open(made(tmp_path / "b.dat", b"GAME\2\0\0\0")).explained == 1
    wrong = Document.open(made(tmp_path / "c.dat", b"GAME\3\0\0\0"))
    assert [found.code for found in wrong.findings.all()] == [Code.LAYOUT_ENDS]
    describe(document, chosen(document, Span(4, 8), "i32", "level")).write()
    assert not Document.open(path).findings.all()
    assert Document.open(tmp_path / "c.dat").explained == 1
    undescribe(Document.open(path), Span(4, 8)).write()
    assert Document.open(path).unexplained == [Span(4, 8)]


def test_a_checksum_follows_the_values_from_then_on(tmp_path: Path) -> None:
    head = b"\7\0\0\0"
    check = zlib.crc32(head + STORED * 2).to_bytes(4, "little")
    path = made(tmp_path / "a.dat", b"GAME" + check + head)
    document = described(path)
    assert [(piece.name, piece.text) for piece in document.fields][1] == ("checksum", check[::-1].hex().upper())
    assert names(document) == ["mark", "checksum", "version"]
    document.apply(set_literal(document, Item(0, 0), "77"))
    raw = bytes(document.buffer)
    assert raw[4:8] == zlib.crc32(raw[8:]).to_bytes(4, "little")
    assert raw[8:12] == head


def test_a_checksum_is_over_all_that_follows_also_when_that_is_described_later(tmp_path: Path) -> None:
    head = b"\7\0\0\0\x09\0"
    check = zlib.crc32(head + STORED * 2).to_bytes(4, "little")
    path = made(tmp_path / "a.dat", b"GAME" + check + head)
    for span, words in ((Span(4, 8), "checksum"), (Span(0, 4), "mark"), (Span(12, 14), "u16"), (Span(8, 12), "u32")):
        document = Document.open(path)
        describe(document, chosen(document, span, words)).write()
        assert not [each for each in Document.open(path).findings.all() if each.code is not Code.FOREIGN_BYTES]
    assert Document.open(path).explained == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [("values", "The values themselves are called “values”"), ("a - b", "letters, digits and blanks")],
)
def test_names_that_a_layout_cannot_have_are_refused_in_a_sentence(
    name: str, why: str, tmp_path: Path, own: Path
) -> None:
    document = Document.open(made(tmp_path / "a.dat", b"GAME\2\0\0\0"))
    with pytest.raises(CannotDescribe, match=why):
        describe(document, chosen(document, Span(4, 8), "u32, count", name))
    assert not own.exists()


def test_a_description_that_would_hide_a_value_is_refused() -> None:
    raw = bytes.fromhex(
        "6320746578740010000000040000000500000048656c6c6f0000006c696e650a18000000130000000200000002000000010000"
        "00020000000200000008000000020000000500000063207465787400"
    )
    document = Document(raw, name="a.dat")
    with pytest.raises(CannotDescribe, match="With “text” in this place 1 value would no longer be read"):
        describe(document, chosen(document, Span(72, 79), "C string"))


def test_fields_that_were_described_are_edited_and_their_lengths_follow() -> None:
    path = FOLDER / "m04.save"
    described(path)
    document = described(path)
    before = bytes(document.buffer)
    document.apply(set_literal(document, parse_path(document, "@text"), '"finis"'))
    document.apply(set_literal(document, parse_path(document, "@version"), "9"))
    assert bytes(document.buffer) == before[:8] + b"\x09" + before[9:332] + b"\5\0\0\0finis"


def test_a_save_of_a_double_precision_engine_stays_one() -> None:
    raw = b"TALE" + bytes(assets.data("samples", "godot4-double.save")[:])
    document = Document(raw, name="tale.save")
    assert document.precision is Precision.DOUBLE
    describe(document, chosen(document, document.gaps[0], "")).write()
    document = Document(raw, name="tale.save")
    assert (document.structure is not None, document.precision) == (True, Precision.DOUBLE)
    assert not document.findings.all()


def test_big_endian_lengths_stay_so(tmp_path: Path) -> None:
    value = (corpus.DATA / "mixed" / "m00.save").read_bytes()[16:88]
    path = tmp_path / "tale.save"
    path.write_bytes(b"TALE" + (len(value).to_bytes(4, "big") + value) * 3)
    assert Document.open(path).framing.big_endian
    document = described(path)
    assert document.explained == 1
    assert not document.findings.all()
    document.apply(set_literal(document, Item(0, 0), "[]"))
    assert bytes(document.buffer[:16]) == b"TALE" + bytes.fromhex("00000008 13000000 00000000")
    assert not document.findings.all()


def test_a_long_run_of_bytes_is_described_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "map.dat"
    path.write_bytes(b"MAPS" + bytes(range(1, 251)) * 4000 + STORED)
    document = Document.open(path)
    assert not gap_guess(document, document.gaps[0])
    assert [choice.words for choice in field_choices(document, document.gaps[0])] == ["bytes"]
    describe(document, chosen(document, Span(0, 4), "mark")).write()
    document = Document.open(path)
    describe(document, chosen(document, document.unexplained[0], "bytes")).write()
    document = Document.open(path)
    assert (document.explained, len(document.frames)) == (1, 1)
