"""Paths and the outline: every byte has an item, every item a path, every path leads back."""

from __future__ import annotations

import corpus
import pytest

from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.typed_places import parse_line, parse_place, parse_range
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.paths.path_walk import PathBook
from viewer.variant.tints import PLAIN

SMALL = [
    file.path
    for engine in corpus.ENGINES
    for file in corpus.files(engine.folder)
    if 0 < file.path.stat().st_size < 30_000
]


def save(name: str = "rpg.save") -> Document:
    return Document.open(next(file.path for file in corpus.files("godot3") if file.path.name == name))


def made(text: str, dialect: str = "godot4") -> Document:
    """A bare document of one literal."""
    line = load(dialect)
    return Document(encode(parse_literal(text, line), line), choice=ReadOptions(line, framing=FramingKind.BARE))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_every_byte_has_an_item_whose_path_leads_back_to_it(path) -> None:  # type: ignore[no-untyped-def]
    document = Document.open(path)
    for offset in range(0, len(document.buffer), 1 if len(document.buffer) < 3000 else 13):
        item = outline.item_at(document, offset)
        assert item is not None
        assert offset in outline.span(document, item)
        assert parse_path(document, format_path(document, item)) == item


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_the_ledger_codes_every_byte(path) -> None:  # type: ignore[no-untyped-def]
    document = Document.open(path)
    codes = ByteClassifier(document).codes(0, len(document.buffer))
    assert len(codes) == len(document.buffer)
    assert PLAIN not in codes


@pytest.mark.parametrize(
    "path",
    [
        "[0]",
        "[0]@prefix",
        "[0].player.gold",
        "[0].inventory[3].name",
        "[0].player.hitbox.size.x",
        "[0].player.gold@key",
        "[0].player.gold@key@length",
        "[0].player.target@name0_padding",
        "[0].player.target.name1",
        "[0].player@count",
        "[0].settings[Vector2(1, 1)]",
    ],
)
def test_paths_read_as_they_are_written(path: str) -> None:
    document = save()
    assert format_path(document, parse_path(document, path)) == path


def test_keys_that_are_no_identifiers_stand_in_brackets() -> None:
    document = made('{"any key": 1, 42: 2, &"name": 3, "ok": 4, 1.5: 5, "2nd": 6}')
    paths = [format_path(document, Item(0, node)) for node in outline.row_children(document.frames[0].table, 0)]
    assert paths == ['[0]["any key"]', "[0][42]", '[0][&"name"]', "[0].ok", "[0][1.5]", '[0]["2nd"]']
    assert [parse_path(document, path).node for path in paths] == [2, 4, 6, 8, 10, 12]


def test_the_second_of_two_equal_keys_is_numbered() -> None:
    document = made('{"a": 1, "b": 2}')
    document = Document(document.buffer.replace(b"b\0\0\0", b"a\0\0\0"), choice=document.choice)
    paths = [format_path(document, Item(0, node)) for node in (2, 4)]
    assert paths == ["[0].a", "[0].a#2"]
    assert parse_path(document, "[0].a#2").node == 4


def test_elements_and_components_of_packed_arrays_have_paths() -> None:
    document = made("PackedVector2Array(1, 2, 3, 4)")
    item = parse_path(document, "[0][1].y")
    assert outline.span(document, item) == Span(20, 24)
    assert format_path(document, item) == "[0][1].y"
    assert outline.row_item(document, item) == Item(0, 0, "[1]")


def test_a_key_shows_in_its_values_row() -> None:
    document = save()
    key = parse_path(document, "[0].player.gold@key")
    assert outline.row_item(document, key) == parse_path(document, "[0].player.gold")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "begins with a frame"),
        ("player", "begins with a frame"),
        ("[7]", "There is no frame [7]; the file has 1 frame."),
        ("[0].player.silver", "There is no key silver in [0].player; it has name, class, level, xp, gold and 14 more."),
        ("[0].inventory[99]", "There is no element 99 in [0].inventory: it has 24 elements."),
        ("[0].inventory.x", "write [0] to [23]"),
        ("[0].player.gold@depth", "has no part “depth”; it has header, value."),
        ("[0].player[", "not closed"),
        ("[0].player[nonsense(]", "closed"),
        ("[0]..", "is not a segment"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_fails(path: str, words: str) -> None:
    with pytest.raises(PathError) as caught:
        parse_path(save(), path)
    assert words in str(caught.value)


def test_places_are_paths_or_offsets() -> None:
    document = save()
    assert parse_place(document, "0x1A0") == 0x1A0
    assert parse_place(document, "416") == 416
    assert parse_line(document, "line 3") is None  # these bytes have no lines
    assert parse_place(document, "+16", 100) == 116
    assert parse_place(document, "-0x10", 100) == 84
    assert parse_place(document, " [0].player ") == parse_path(document, "[0].player")
    with pytest.raises(PathError, match="is outside the bytes"):
        parse_place(document, "0xFFFFFF")


def test_ranges_are_two_offsets_or_an_offset_and_a_length() -> None:
    document = save()
    assert parse_range(document, "0x10..0x1F") == Span(16, 32)
    assert parse_range(document, "0x10+16") == Span(16, 32)
    for wrong in ("", "0x10", "5..2", "0..0xFFFFFF", "[0]..[1]", "0x10+x"):
        with pytest.raises(PathError):
            parse_range(document, wrong)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        # Dictionary 2      int      5        null     null
        ("12000000 02000000 02000000 05000000 00000000 00000000", "[0][null]@key"),
        # Dictionary 1      int      cut
        ("12000000 01000000 02000000 0500", "[0][?]@key"),
    ],
)
def test_a_key_whose_value_is_missing_has_a_path(raw: str, key: str) -> None:
    document = Document(bytes.fromhex(raw), choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    item = parse_path(document, key)
    assert format_path(document, item) == key
    with pytest.raises(PathError, match="missing"):
        parse_path(document, key.removesuffix("@key"))
    with pytest.raises(PathError, match="missing"):
        parse_path(document, key.replace("@key", "@header"))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_few_paths_and_many_are_the_same(path) -> None:  # type: ignore[no-untyped-def]
    document = Document.open(path)
    for number, frame in enumerate(document.frames):
        name, nodes = f"[{number}]", list(frame.table.nodes)
        many = PathBook(frame.table, name)
        for node in nodes:
            assert many.path(node) == PathBook(frame.table, name).path(node)
