"""Layouts: files read by data, exported settings that engines wrote, and layouts that say something wrong."""

from __future__ import annotations

import random
from pathlib import Path

import corpus
import pytest

from viewer.base import assets
from viewer.base.diagnostic import Code, Severity
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.readers.file_layout import LayoutError, all_fields
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.readers.layout_reader import read_layout
from viewer.variant.read import read
from viewer.variant.scan import scan

FILES = sorted((corpus.DATA / "projects").iterdir())
SOUND = [path for path in FILES if "nonascii" not in path.name]
SAVE = """
name = "a game's save"
dialects = ["godot4"]
[[field]]
name = "mark"
type = "mark"
text = "SAVE"
[[field]]
name = "version"
type = "u16"
order = "big"
[[field]]
name = "hero"
type = "text"
length = "u8"
[[field]]
name = "slots"
type = "u8"
[[field]]
name = "slot"
type = "i32"
repeat = "slots"
[[field]]
name = "picture"
type = "bytes"
length = 3
[[field]]
name = "scale"
type = "f32"
[[field]]
name = "world"
type = "value"
length = "u32"
called = "hero"
[[field]]
name = "rest"
type = "rest"
"""
BYTES = bytes.fromhex(
    "53415645 0102 03426f62 02 07000000 ffffffff aabbcc 0000003f 08000000 0200000005000000 6565".replace(" ", "")
)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_settings_that_an_engine_exported_are_told_key_by_key(path: Path) -> None:
    document = Document.open(path)
    assert document.structure is not None
    assert document.structure.kind == "project"
    assert document.dialect.key == path.name.partition("-")[0]
    assert document.explained == 1
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    assert "application/config/name" in document.value_names
    assert bytes(document.to_be_written()) == path.read_bytes()
    at = 0
    for piece in document.structure.pieces:
        assert piece.span.start == at
        at = piece.span.end
    assert at == len(document.buffer)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_a_longer_value_takes_its_length_with_it_and_nothing_else(path: Path) -> None:
    document = Document.open(path)
    place = document.value_names.index("application/config/name")
    before = [read(frame.table) for frame in document.frames]
    document.apply(set_literal(document, parse_path(document, f"[{place}]"), '"A much longer name of the game"'))
    again = Document(bytes(document.buffer))
    after = [read(frame.table) for frame in again.frames]
    assert not [found for found in again.findings.all() if found.severity is Severity.ERROR]
    assert [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if repr(old) != repr(new)] == [
        place
    ]
    assert after[place].data == "A much longer name of the game"


def test_what_godot_3_spoils_itself_is_told_and_the_rest_is_shown() -> None:
    document = Document.open(next(path for path in FILES if "nonascii" in path.name))
    found = [each for each in document.findings.all() if each.severity is Severity.ERROR]
    assert [each.code for each in found] == [Code.LAYOUT_ENDS]
    assert len(document.frames) > 20


def test_fields_of_every_type_are_read() -> None:
    found = read_layout(BYTES, parse_layout("save", SAVE, "save.toml"))
    told = [(piece.name, piece.text) for piece in found.pieces]
    assert told == [
        ("mark", "SAVE"), ("version", "258"), ("hero", "Bob"), ("slots", "2"), ("slot 0", "7"), ("slot 1", "-1"),
        ("picture", "3 bytes"), ("scale", "0.5"), ("Bob", ""), ("rest", "2 bytes"),
    ]  # fmt: skip
    assert not found.findings
    (value,) = found.values
    start = value.children[0].span.end
    assert read(scan(BYTES[start : value.span.end], found.dialect)).data == 5


def test_cut_and_flipped_files_never_raise() -> None:
    layout, some = parse_layout("save", SAVE, "save.toml"), random.Random(21)
    for end in range(len(BYTES)):
        found = read_layout(BYTES[:end], layout)
        assert sum(len(piece.span) for piece in found.pieces) == end
    for path in FILES:
        whole = path.read_bytes()
        for _ in range(40):
            broken = bytearray(whole[: some.randrange(4, len(whole))])
            for _ in range(3):
                broken[some.randrange(4, len(broken)) if len(broken) > 4 else 3] = some.randrange(256)
            Document(bytes(broken)).findings.all()


WRONG = [
    ("name = 3", "line 1: A layout needs a name"),
    ('name = "x"', "line 1: Fields are missing"),
    ('name = "x"\n[[field]]\nname = "a"\ntype = "u99"', "line 2: “u99” is not a type"),
    ('name = "x"\n[[field]]\ntype = "u8"', "line 2: A field needs a name"),
    ('name = "x"\n[[field]]\nname = "a"\ntype = "u8"', "line 2: The first field must be a mark"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"', "line 2: A mark needs the text"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "AB"\n[[field]]\nname = "t"\ntype = "text"', "line 6"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "A"\nsize = 4', "has no “size”"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "A"\nrepeat = "n"', "“repeat” names “n”, but no field"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "A"\norder = "middle"', "not a byte order"),
    ('name = "x"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "A"\n[[field]]\nname = "v"\ntype = "value"', "dialects"),
    ("name = ", "own.toml: "),
]


@pytest.mark.parametrize(("text", "words"), WRONG, ids=[words[:24] for _, words in WRONG])
def test_a_wrong_layout_says_where_and_what(text: str, words: str) -> None:
    with pytest.raises(LayoutError) as raised:
        parse_layout("own", text, "own.toml")
    assert words in str(raised.value)
    assert str(raised.value).startswith("own.toml")
    assert str(raised.value).endswith((".", "column 8)."))


def test_the_layouts_of_the_program_can_be_used_and_are_short() -> None:
    for name in assets.names("layouts"):
        text = assets.text("layouts", name)
        layout = parse_layout(name, text, name)
        assert layout.mark or any(each.tells for each in all_fields(layout.fields))
        assert len([line for line in text.splitlines() if line and not line.startswith("#")]) < 25
