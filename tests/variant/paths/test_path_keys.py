"""Keys that are written alike: each has a path of its own, whatever its bytes."""

from __future__ import annotations

import struct
import weakref
from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from viewer.base.buffer import BufferWindow
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import Dialect, keys, load
from viewer.variant.items import Item
from viewer.variant.paths import path_keys as document_keys
from viewer.variant.paths.path_keys import key_segment
from viewer.variant.scan import scan

PATIENT = settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
MANY = 100_000
GODOT3 = load("godot3")


def word(number: int) -> bytes:
    return struct.pack("<I", number)


def head(name: str, dialect: Dialect, flag: int = 0) -> bytes:
    return word(dialect.type_number(name) | flag) if name in dialect.by_name else word(0)


def string(raw: bytes, dialect: Dialect = GODOT3, fill: bytes = b"\0\0\0") -> bytes:
    return head("String", dialect) + word(len(raw)) + raw + fill[: -len(raw) % 4]


def opened(found: list[bytes], dialect: Dialect = GODOT3) -> Document:
    """A Dictionary with these keys, each with null as its value."""
    raw = head("Dictionary", dialect) + word(len(found)) + b"".join(key + word(0) for key in found)
    return Document(raw, choice=ReadOptions(dialect, framing=FramingKind.BARE))


def made(which: int, dialect: Dialect) -> bytes:
    """One of some keys, of which many are written alike."""
    wide, floats, doubles = 1 << 16, struct.Struct("<2f"), struct.Struct("<2d")
    found = [
        *(string(raw, dialect) for raw in (b"a", b"a", b"b", b"", b"two words", "é".encode(), b"\xff", b"\xc1\xa1")),
        *(string(raw, dialect) for raw in (b"a\0x", b"\xef\xbb\xbfa", b"\0", b"\xef\xbf\xbd", b"\xed\xa0\x80")),
        string(b"a", dialect, b"\1\2\3"),
        head("int", dialect, 0) + word(5),
        head("int", dialect, 0) + word(1 << 32 - 1),
        head("bool", dialect) + word(1),
        head("bool", dialect) + word(7),
        head("bool", dialect) + word(0),
        head("float", dialect) + bytes.fromhex("0000c07f"),
        head("float", dialect) + bytes.fromhex("0100c07f"),
        *(head("float", dialect) + struct.pack("<f", number) for number in (0.0, -0.0, 0.5, 0.1)),
        *(head("Vector2", dialect) + floats.pack(*pair) for pair in ((0.5, 1), (0.1, 1), (0.0, -0.0))),
        word(0),
        head("NodePath", dialect) + word(1 << 31) + word(0) + word(0),
        head("Array", dialect) + word(1) + head("int", dialect) + word(5),
        head("Array", dialect) + word(0),
        head("Dictionary", dialect) + word(1) + string(b"a", dialect) + string(b"a", dialect),
    ]
    if dialect.rules.flag64:
        found += [
            head("int", dialect, wide) + struct.pack("<q", 5),
            head("int", dialect, wide) + struct.pack("<q", 5 + (1 << 32)),
            head("float", dialect, wide) + bytes.fromhex("010000000000f07f"),
            *(head("float", dialect, wide) + struct.pack("<d", number) for number in (0.0, 0.5, 0.1, 0.10000000149)),
            head("Array", dialect) + word(1) + head("int", dialect, wide) + struct.pack("<q", 5),
            word(dialect.type_number("String") | 1 << 17) + word(1) + b"a\0\0\0",
        ]
    if dialect.rules.wide_reals:
        pairs = ((0.5, 1.0), (0.1, 1.0), (0.10000000149011612, 1.0))
        found += [head("Vector2", dialect, wide) + doubles.pack(*pair) for pair in pairs]
    if "StringName" in dialect.by_name:
        found += [head("StringName", dialect) + word(1) + b"a\0\0\0", head("RID", dialect) + bytes(8)]
        found += [head("Color", dialect) + struct.pack("<4f", 0.1, 0.2, 0.3, 1)] * 2
    return found[which % len(found)]


@PATIENT
@given(st.lists(st.integers(0, 63), min_size=1, max_size=14), st.sampled_from(keys()), st.booleans())
def test_every_key_has_a_path_that_leads_back_to_it(which: list[int], key: str, remembered: bool) -> None:
    dialect = load(key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_keys, "MANY", 0 if remembered else 256)
        document = opened([made(number, dialect) for number in which], dialect)
        for node in document.frames[0].table.children(0):
            path = format_path(document, Item(0, node))
            assert parse_path(document, path) == Item(0, node)


@PATIENT
@given(st.lists(st.integers(0, 63), min_size=1, max_size=14), st.sampled_from(keys()))
def test_a_rank_counts_the_keys_that_are_written_alike(which: list[int], key: str) -> None:
    dialect = load(key)
    document = opened([made(number, dialect) for number in which], dialect)
    table = document.frames[0].table
    assume(table.guess is None)  # a key that this engine line reads as a shorter one may leave a rest
    seen: Counter[str] = Counter()
    for node in table.children(0)[::2]:
        written = key_segment(table, node)
        seen[written] += 1
        rank = f"#{seen[written]}" if seen[written] > 1 else ""
        assert format_path(document, Item(0, node)) == f"[0]{written}{rank}@key"


def test_a_hundred_thousand_equal_keys_are_told_apart_one_by_one() -> None:
    document = opened([string(b"same")] * MANY)
    paths = [format_path(document, Item(0, 2 * k + 2)) for k in range(MANY)]
    assert paths[:2] == ["[0].same", "[0].same#2"]
    assert paths[-1] == f"[0].same#{MANY}"
    assert [parse_path(document, path).node for path in paths[::100]] == list(range(2, 2 * MANY, 200))


def test_a_number_that_changed_gives_a_key_another_path() -> None:
    document = opened([head("int", GODOT3) + word(k) for k in range(1_000)])
    assert format_path(document, Item(0, 20)) == "[0][9]"
    change = document.apply(Edit("set", (Splice(8 + 12 * 8 + 4, word(8), word(9)),)))
    assert not change.structure
    assert format_path(document, Item(0, 20)) == "[0][9]#2"
    assert parse_path(document, "[0][9]").node == 18
    with pytest.raises(PathError, match="There is no key"):
        parse_path(document, "[0][8]")


def test_keys_on_disk_have_paths() -> None:
    raw = opened([string(b"key%d" % (k // 2)) for k in range(1_000)]).buffer
    document = Document(BufferWindow(raw, 0, len(raw)), choice=ReadOptions(GODOT3, framing=FramingKind.BARE))
    assert format_path(document, Item(0, 2 * 801 + 2)) == "[0].key400#2"
    assert parse_path(document, "[0].key400#2").node == 2 * 801 + 2


def test_the_names_of_an_object_are_told_apart() -> None:
    name = word(1) + b"a\0\0\0"
    raw = head("Object", GODOT3) + word(1) + b"X\0\0\0" + word(2) + name + word(0) + name + word(0)
    document = Document(raw, choice=ReadOptions(GODOT3, framing=FramingKind.BARE))
    paths = [format_path(document, Item(0, node)) for node in document.frames[0].table.children(0)]
    assert paths == ["[0].a@key", "[0].a", "[0].a#2@key", "[0].a#2"]
    assert [parse_path(document, path).node for path in paths] == [1, 2, 3, 4]


def test_a_key_without_a_value_is_told_apart_from_an_equal_one() -> None:
    whole = opened([string(b"a"), string(b"a")])
    document = Document(whole.buffer[:-4], choice=whole.choice)
    assert format_path(document, Item(0, 3)) == "[0].a#2@key"
    assert parse_path(document, "[0].a#2@key").node == 3


def test_what_is_remembered_holds_no_table() -> None:
    table = scan(opened([string(b"a")] * 1_000).buffer, GODOT3)
    assert document_keys.ranked_segment(table, 3) == ".a#2"
    alive, memo = weakref.ref(table), table.memo
    del table
    assert memo is not None
    assert alive() is None


@pytest.mark.parametrize("rank", ["0", "3", "9" * 5_000, "²"])
def test_a_rank_beyond_the_last_names_no_key(rank: str) -> None:
    document = opened([string(b"a"), string(b"a")])
    with pytest.raises(PathError):
        parse_path(document, f"[0].a#{rank}")


def test_a_key_that_is_cut_off_has_a_path() -> None:
    vector = head("Vector2", GODOT3) + struct.pack("<f", 1.0)  # its second half is missing
    whole = head("Dictionary", GODOT3) + word(2) + string(b"a") + word(0) + vector
    document = Document(whole, choice=ReadOptions(GODOT3, framing=FramingKind.BARE))
    item = Item(0, max(document.frames[0].table.nodes))
    assert parse_path(document, format_path(document, item)) == item
