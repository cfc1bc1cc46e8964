"""Layouts that look for their fields: what may be missing, what stands as often as it fits, what nobody described."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest

from viewer.base import assets
from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.pieces.message import FieldRole
from viewer.document.readers.file_layout import LayoutError
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.readers.layout_reader import read_layout

MIXED = sorted((corpus.DATA / "mixed").glob("*.save"))
VERSION = '[[field]]\nname = "version"\ntype = "u32"\n'
BODY = """
[[field]]
name = "values"
type = "group"
repeat = "fits"
[[field.field]]
name = "value"
type = "value"
length = "u32"
[[field.field]]
name = "number"
type = "u32"
optional = true
[[field.field]]
name = "end"
type = "text"
length = "u32"
optional = true
[[field.field]]
name = "skipped bytes"
type = "unknown"
"""
HEADS = {
    "behind": '[[field]]\nname = "mark"\ntype = "mark"\ntext = "SAVE"\nlength = "u32"\n' + VERSION,
    "named": 'files = "m*.save"\n' + VERSION,
    "letters": '[[field]]\nname = "mark"\ntype = "mark"\ntext = "EVAS"\n[[field]]\nname = "version"\ntype = "u16"\n'
    '[[field]]\nname = "time"\ntype = "u64"\n',
    "mark": '[[field]]\nname = "mark"\ntype = "mark"\ntext = "GSAV"\n' + VERSION,
}
LAYOUTS = {key: f'name = "a save"\ndialects = ["godot3"]\n{head}{BODY}' for key, head in HEADS.items()}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts, with one for each of the four games."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    folder = tmp_path / "layouts"
    folder.mkdir()
    for key, text in LAYOUTS.items():
        (folder / f"{key}.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("number", range(40))
def test_a_layout_explains_all_saves_of_its_game(own: Path, number: int) -> None:
    plain_values = [bytes(frame.table.buffer[:]) for frame in _plainly(MIXED[number]).frames]
    document = Document.open(MIXED[number])
    assert document.structure is not None
    assert document.structure.kind == list(HEADS)[number % 4]
    assert document.explained == 1
    assert not document.findings.all()
    assert [bytes(frame.table.buffer[:]) for frame in document.frames] == plain_values


def _plainly(path: Path) -> Document:
    return Document(path.read_bytes())


def test_other_files_keep_their_reading(own: Path) -> None:
    for line in ("godot2", "godot3", "godot4", "godot4.0", "pandemonium4"):
        for path in sorted((corpus.DATA / line / "files").glob("*"))[:40]:
            if path.suffix != ".json" and path.is_file():
                document = Document.open(path)
                assert document.structure is None or document.structure.kind not in HEADS, path


def test_values_without_a_mark_are_told_by_the_name_of_their_file_and_by_their_place(own: Path) -> None:
    save = MIXED[1].read_bytes()
    for name, head, expected in (("m7.save", b"", True), ("slot.save", b"", False), ("m7.save", b"\1", False)):
        document = Document(head + save, name=name)
        assert (document.structure is not None) == expected, name


def test_bytes_that_nobody_described_are_left_over_and_the_values_behind_them_found(own: Path) -> None:
    save = MIXED[7].read_bytes()
    document = Document(save[:40] + b"\xff\xfe\xfd" + save[40:], name="m.save")
    assert document.structure is not None
    left = [piece for piece in document.structure.pieces if piece.role is FieldRole.OPAQUE]
    assert [piece.span.start for piece in left] == [40]
    assert len(left[0].span) == 7
    assert len(document.frames) == 3
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]


def test_a_damaged_value_is_told_and_not_left_over(own: Path) -> None:
    save = bytearray(MIXED[11].read_bytes())
    save[0x40:0x44] = b"\xff\xff\xff\x7f"
    document = Document(bytes(save), name="m11.save")
    assert document.structure is None
    assert [found for found in document.findings.all() if found.severity is Severity.ERROR]


def test_cut_files_never_raise_and_every_byte_is_told(own: Path) -> None:
    for number, text in enumerate(LAYOUTS.values()):
        layout, whole = parse_layout("x", text, "x.toml"), MIXED[number].read_bytes()
        for end in range(len(whole)):
            assert sum(len(piece.span) for piece in read_layout(whole[:end], layout).pieces) == end


def test_a_layout_that_was_written_anew_is_read_anew(own: Path) -> None:
    assert Document.open(MIXED[3]).value_names == ("value",)
    text = LAYOUTS["mark"].replace('name = "value"', 'name = "player"')
    (own / "mark.toml").write_text(text, encoding="utf-8")
    assert Document.open(MIXED[3]).value_names == ("player",)


WRONG = [
    ('name = "x"\ndialects = ["godot3"]\nfiles = "*"\n' + VERSION + BODY, "must be a mark"),
    ('name = "x"\nfiles = "m*.save"\n' + VERSION, "must be a mark"),
    (LAYOUTS["mark"].replace("optional = true", 'optional = "yes"'), "“optional” is true or false"),
    (LAYOUTS["behind"].replace('length = "u32"', "length = 4", 1), "The length of a mark"),
    (LAYOUTS["mark"].replace('type = "unknown"', 'type = "unknown"\nlength = "u32"'), "The length of unknown bytes"),
]


@pytest.mark.parametrize(("text", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_contradicts_itself_is_said(text: str, words: str) -> None:
    with pytest.raises(LayoutError) as raised:
        parse_layout("own", text, "own.toml")
    assert words in str(raised.value)
