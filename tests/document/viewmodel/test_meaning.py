"""What bytes mean, in words; the parts of large values; the steps of a path; numbers at an offset."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from viewer.base.words import grouped
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.crumbs import crumbs, siblings
from viewer.document.viewmodel.meaning import label, meaning, part_words
from viewer.document.viewmodel.number_table import offset_text, readings, shortened
from viewer.document.viewmodel.part_list import PartList
from viewer.variant.dialect import load
from viewer.variant.items import Item, Role

DATA = Path(__file__).parents[2] / "data"
MOST_PLACES = 100
"""In so many places of a file, spread over all of it, what lies there is told in words."""


@pytest.fixture(scope="module")
def rpg() -> Document:
    return Document.open(DATA / "godot3/files/rpg.save")


def bare(raw: bytes, dialect: str = "godot3") -> Document:
    return Document(raw, choice=ReadOptions(dialect=load(dialect), framing=FramingKind.BARE))


def rows(document: Document, path: str) -> list[tuple[str, str]]:
    item = parse_path(document, path)
    parts = PartList(document, item).window(document.frames[item.frame].start).parts
    return [(label(part), part_words(document, item, part)) for part in parts]


def test_parts_of_a_node_path_in_words(rpg: Document) -> None:
    assert rows(rpg, "[0].player.target") == [
        ("header", "NodePath"),
        ("name count", "3, new form"),
        ("sub-name count", "1"),
        ("flags", "relative"),
        ("name 0 length", "2 bytes"),
        ("name 0", '".."'),
        ("name 0 padding", "7E 4F, ignored"),
        ("name 1 length", "7 bytes"),
        ("name 1", '"Enemies"'),
        ("name 1 padding", "zero"),
        ("name 2 length", "3 bytes"),
        ("name 2", '"Orc"'),
        ("name 2 padding", "zero"),
        ("sub-name 0 length", "2 bytes"),
        ("sub-name 0", '"hp"'),
        ("sub-name 0 padding", "zero"),
    ]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("[0].player.skin.g", "Color, field g, 32-bit float"),
        ("[0].player.gold.value", "int, value, 64-bit integer"),
        ("[0].player.gold", "int"),
        ("[0].player.gold@key", "key, String"),
        ("[0].player.target@flags", "NodePath, flags"),
        ("[0].player.target@name1_padding", "NodePath, padding, which engines ignore"),
        ("[0]@count", "Dictionary, count"),
        ("[0]@prefix", "length of the value that follows, little-endian"),
    ],
)
def test_an_item_is_called_by_type_and_place(rpg: Document, path: str, words: str) -> None:
    assert meaning(rpg, parse_path(rpg, path)) == words


def test_the_header_tells_the_64_bit_flag(rpg: Document) -> None:
    assert rows(rpg, "[0].player.gold") == [("header", "int, 64-bit"), ("value", "5000000000")]


def test_counts_say_what_they_count(rpg: Document) -> None:
    assert rows(rpg, "[0]")[1] == ("count", "15 pairs")
    assert rows(rpg, "[0].inventory")[1] == ("count", "24 elements")


def test_an_unknown_type_is_said_to_be_unknown() -> None:
    document = bare(bytes.fromhex("4D000000 00000000"))
    assert meaning(document, Item(0, 0)) == "unknown type 77"
    assert rows(document, "[0]") == [("header", "0x0000004D, unknown")]


def test_every_part_of_every_golden_file_has_words() -> None:
    for path in sorted(DATA.glob("*/files/*")):
        if path.suffix == ".json" or path.stat().st_size > 60_000:
            continue
        document = Document.open(path)
        last = None
        for offset in range(0, len(document.buffer), max(3, len(document.buffer) // MOST_PLACES | 1)):
            item = outline.item_at(document, offset)
            assert item is not None
            if (item.frame, item.node) == last and offset % 10:
                continue  # another element of the same packed array
            last = item.frame, item.node
            assert meaning(document, item), (path, offset)
            window = PartList(document, item).window(offset)
            part = window.parts[window.at(offset)]
            assert offset in part.span, (path, offset)
            assert part_words(document, item, part) is not None


def test_a_million_elements_cost_only_a_window() -> None:
    raw = struct.pack("<II", 22, 1_000_000) + bytes(4_000_000)
    document = bare(raw)
    parts = PartList(document, Item(0, 0))
    window = parts.window(8 + 4 * 500_000, 200)
    assert (len(parts), len(window.parts), window.total) == (1_000_002, 200, 1_000_002)
    assert window.parts[window.at(8 + 4 * 500_000)].name == "[500000]"
    assert window.before + len(window.parts) + window.after == window.total


def test_a_million_texts_cost_only_a_window() -> None:
    raw = struct.pack("<II", 23, 1_000_000) + (struct.pack("<I", 2) + b"a\0\0\0") * 1_000_000
    document = bare(raw)
    window = PartList(document, Item(0, 0)).window(8 + 8 * 500_000 + 4, 200)
    assert window.parts[window.at(8 + 8 * 500_000 + 4)].name == "[500000]"
    assert len(window.parts) <= 200
    assert window.before + len(window.parts) + window.after == window.total
    parts = PartList(document, Item(0, 0))
    assert [parts[k].name for k in (0, 2, 3, len(parts) - 1)] == ["header", "[0]@length", "[0]", "[999999]@padding"]
    top = parts.window(0, 9)
    assert [part.name for part in top.parts][:3] == ["header", "count", "[0]@length"]


def test_a_gap_is_one_part() -> None:
    document = bare(bytes.fromhex("02000000 05000000 FFFFFFFF"))
    item = Item(0, -1, outline.GAP)
    assert [part.role for part in PartList(document, item).window(0).parts] == [Role.GAP]
    assert meaning(document, item) == "4 bytes that no value claims"


def test_crumbs_lead_from_the_file_to_the_part(rpg: Document) -> None:
    steps = crumbs(rpg, parse_path(rpg, "[0].inventory[0].tint.g"))
    assert [step.text for step in steps] == ["rpg.save", "[0]", "inventory", "[0]", "tint", "g"]
    assert steps[0].item is None
    assert steps[2].item == parse_path(rpg, "[0].inventory")


def test_siblings_are_limited_around_the_item(rpg: Document) -> None:
    item = parse_path(rpg, "[0].inventory[12]")
    beside = siblings(rpg, item, limit=6)
    assert [crumb.text for crumb in beside.crumbs] == [f"[{k}]" for k in range(9, 15)]
    assert (beside.before, beside.after) == (9, 9)


def test_numbers_in_both_orders() -> None:
    found = {reading.kind: reading for reading in readings(bytes.fromhex("0000803F"), 0)}
    assert found["f32"].texts[0] == "1"
    assert found["u16"].texts == ("0", "0")
    assert found["u32"].texts == ("1065353216", "32831")
    assert found["f64"].texts == (None, None)
    assert not found["u8"].ordered


@pytest.mark.parametrize(
    ("full", "room", "shown"),
    [
        ("12345", 8, "12345"),
        ("3248115678060805", 9, "3248…0805"),
        ("4.437836e+27", 10, "4.4378e+27"),
        ("0.1", 10, "0.1"),
    ],
)
def test_numbers_are_shortened_to_fit(full: str, room: int, shown: str) -> None:
    assert shortened(full, room) == shown


def test_offsets_have_as_many_digits_as_the_file_needs() -> None:
    assert offset_text(16, 100) == "0x000010"
    assert offset_text(16, 1 << 28) == "0x00000010"
    assert grouped(21136) == "21\u202f136"


def test_of_very_many_texts_only_the_selected_one_is_cut_to_be_coloured() -> None:
    document = bare(struct.pack("<II", 23, 100_000) + (struct.pack("<I", 2) + b"a\0\0\0") * 100_000)
    for item in (Item(0, 0), Item(0, 0, "[500]"), Item(0, 0, "[99999]@length")):
        parts = [part for part, _ in outline.roles(document, item)]
        assert len(parts) < 10
        assert [part.span.start for part in parts[1:]] == [part.span.end for part in parts[:-1]]
        assert (parts[0].span.start, parts[-1].span.end) == (0, len(document.buffer))
