"""docs/layouts.md says what the parser reads, no more and no less; the examples beside it can be used."""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.cli.program import main
from viewer.document.pieces.message import FieldRole
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.file_layout import COUNTS, DEEPEST, END, FITS, KEYS, PLACES, SHOWN_AS, TOP_KEYS, TYPES
from viewer.document.readers.layout_parser import MOST_OF_THEM, parse_layout
from viewer.document.readers.layout_reader import MOST_FIELDS, read_layout
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Value

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "resources" / "layouts" / "examples").glob("*.toml"))
MOST_LINES = 25


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    folder = tmp_path / "layouts"
    folder.mkdir()
    return folder


def words_of(heading: str) -> set[str]:
    """The words in the first column of the table under a heading."""
    rows = re.findall(r"^\|([^|]*)\|", PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0], re.MULTILINE)
    return {word for row in rows[2:] for word in re.findall(r"`([^`]+)`", row)}


def test_the_page_lists_all_words_of_the_language_and_no_others() -> None:
    assert words_of("What a layout has") == TOP_KEYS
    assert words_of("Types of fields") == set(TYPES)
    assert words_of("What a field has") == KEYS
    rest = PAGE.partition("## What a field has\n")[2]
    for word in (*SHOWN_AS, *PLACES, *COUNTS, FITS, END):
        assert f"`{word}`" in rest, word
    assert set(WIDTHS) < set(TYPES)


def test_the_page_tells_the_limits_that_there_are() -> None:
    for number in (MOST_OF_THEM, MOST_FIELDS):
        assert f"{number:,}" in PAGE
    assert f"up to {DEEPEST} levels" in PAGE


def test_the_readme_and_the_page_lead_to_each_other() -> None:
    assert "docs/layouts.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(\.\./([^)]+)\)", PAGE):
        assert (ROOT / target).exists()


def test_the_example_on_the_page_is_the_one_in_its_file() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    of_page, of_file = (
        parse_layout("tale", text, "tale.toml")
        for text in (block, (EXAMPLES[0].parent / "tale.toml").read_text(encoding="utf-8"))
    )
    assert of_page.fields == of_file.fields


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_no_layouts_of_the_program(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parse_layout(path.stem, text, path.name)
    assert len([line for line in text.splitlines() if line and not line.startswith("#")]) < MOST_LINES
    assert path.name not in assets.names("layouts")
    assert len(EXAMPLES) == 3


def stored(dialect: str, number: int) -> bytes:
    """A stored value."""
    raw = encode(Value("int", number), load(dialect))
    return len(raw).to_bytes(4, "little") + raw


def tale() -> bytes:
    """A save of the first game."""
    world = stored("godot4", 5)
    head = b"TALE" + struct.pack("<HHI", 2, 0b1001, 3) + b"Mia" + struct.pack("<QI", 1_700_000_000, zlib.crc32(world))
    return head + b"\2\0" + b"\5sword" + struct.pack("<I", 1) + b"\6potion" + struct.pack("<I", 9) + world


def rally() -> bytes:
    """A ghost of the second game."""
    track = encode(Value("int", 7), load("godot3"))
    blocks = b"\1" + struct.pack(">Iff", 8, 61.5, 60.25) + b"\2" + struct.pack(">I", 4) + b"Ann\0"
    blocks += b"\3" + struct.pack(">I", len(track)) + track + b"\x09" + struct.pack(">I", 2) + b"??"
    return b"RLY\x1a" + struct.pack(">Q", 1_700_000_000_000) + hashlib.sha256(blocks).digest() + blocks


def farm() -> bytes:
    """A slot of the third game."""
    head = b"farm-slot\nOld MacDonald\n\2"
    head += bytes(-len(head) % 8)
    picture = b"\x89PNG\r\n\x1a\n" + bytes(9)
    animals = encode(Value("int", 3), load("godot4")) + encode(Value("int", 4), load("godot4"))
    place = len(head) + 4 + 24 + len(animals)
    return head + struct.pack("<I", 1) + b"red".ljust(16, b"\0") + struct.pack("<II", place, 17) + animals + picture


FILES = {"tale": (tale, 1), "rally": (rally, 1), "farm": (farm, 2)}


@pytest.mark.parametrize("name", FILES)
def test_every_byte_of_a_file_of_each_made_up_game_is_explained(name: str) -> None:
    make, count = FILES[name]
    text = (EXAMPLES[0].parent / f"{name}.toml").read_text(encoding="utf-8")
    found = read_layout(make(), parse_layout(name, text, f"{name}.toml"))
    assert not found.findings
    assert len(found.values) == count
    assert not any(piece.role is FieldRole.OPAQUE for piece in found.pieces)
    assert len(found.checksums) == (name != "farm")


def test_a_checksum_that_is_wrong_is_told_where_the_field_is(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own.parent / "bad.save"
    path.write_bytes(tale()[:-1] + b"\1")
    (own / "tale.toml").write_bytes((EXAMPLES[0].parent / "tale.toml").read_bytes())
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.endswith("(@checksum)\n")
    assert main(["explain", str(path), "@checksum"]) == 0
    assert "not as the layout of such files says" in capsys.readouterr().out
