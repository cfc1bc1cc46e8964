"""Tints: the code of every byte is what its part says, in any window, on sound and on broken bytes."""

from __future__ import annotations

import random
import tomllib

import corpus
import pytest

from viewer.base import assets
from viewer.variant.dialect import Dialect, load, load_resource_values
from viewer.variant.encode import encode
from viewer.variant.items import Role, parts
from viewer.variant.literal.parse import parse_literal
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.tints import BYTE, CODE, GAP, GROUPS, PLAIN, STYLES, Tints

EACH = pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)


def told(table: NodeTable, size: int) -> bytes:
    """The codes of a whole frame as its parts say."""
    codes = bytearray(BYTE[GAP] * size)
    for node in table.nodes if len(table) else ():
        row = table.row(node)
        for part in parts(table, node):
            group = row.group if row is not None and part.role is Role.VALUE else None
            codes[part.span.start : part.span.end] = BYTE[CODE[part.role, group]] * len(part.span)
    return bytes(codes)


def check(data: bytes, dialect: Dialect, windows: int = 0) -> None:
    """Compare the whole frame and some windows of it."""
    table = scan(data, dialect)
    expected, tints = told(table, len(data)), Tints(table)
    assert tints.codes(0, len(data)) == expected
    choose = random.Random(len(data))
    for _ in range(windows if data else 0):
        start = choose.randrange(len(data))
        end = min(len(data), start + choose.choice((1, 3, 16, 60, 1920)))
        assert tints.codes(start, end) == expected[start:end], (start, end)


@EACH
def test_every_value_an_engine_wrote_is_coded_as_its_parts_say(engine: corpus.Engine) -> None:
    for row in corpus.vectors(engine.folder):
        check(corpus.vector_bytes(row), load(engine.dialect), windows=5)


@EACH
def test_every_broken_input_is_coded_as_its_parts_say(engine: corpus.Engine) -> None:
    for row in corpus.malformed(engine.folder):
        check(bytes.fromhex(row["hex"]), load(engine.dialect), windows=2)


@EACH
def test_random_windows_of_saved_files_are_coded_as_their_parts_say(engine: corpus.Engine) -> None:
    for file in corpus.files(engine.folder):
        data = file.path.read_bytes()
        for start in (0, 4):
            check(data[start:], load(engine.dialect), windows=60)


@EACH
def test_values_that_break_off_anywhere_are_coded_as_their_parts_say(engine: corpus.Engine) -> None:
    for row in corpus.spread(corpus.vectors(engine.folder), 3, engine.folder):
        data = corpus.vector_bytes(row)
        for size in range(4, min(len(data), 200)):
            check(data[:size], load(engine.dialect))


@EACH
def test_random_bytes_are_coded_as_their_parts_say(engine: corpus.Engine) -> None:
    dialect, choose = load(engine.dialect), random.Random(7)
    for _ in range(1500):
        words = [choose.choice((choose.randrange(40), choose.randrange(6), choose.getrandbits(32))) for _ in range(24)]
        flags = [word | choose.choice((0, 0, 1 << 16, 2 << 16, 9 << 16)) for word in words]
        check(b"".join(word.to_bytes(4, "little") for word in flags)[: choose.randrange(8, 97)], dialect)


@pytest.mark.parametrize("engine", ["godot3", "godot4"])
def test_node_paths_are_coded_as_their_parts_say_whole_and_cut_off(engine: str) -> None:
    line = load(engine)
    data = encode(parse_literal('[NodePath("/root/some/place:position:x"), NodePath(""), NodePath("a")]', line), line)
    check(data, line, windows=50)
    for size in range(4, len(data)):
        check(data[:size], line)


def test_a_window_inside_a_huge_text_reads_only_itself() -> None:
    class Noted(bytes):
        asked = 0

        def __getitem__(self, at):  # type: ignore[no-untyped-def]
            found = super().__getitem__(at)
            Noted.asked += 1 if isinstance(found, int) else len(found)
            return found

    data = (4).to_bytes(4, "little") + (1 << 20).to_bytes(4, "little") + b"a" * (1 << 20)
    table = scan(data, load("godot4"))
    table.buffer = Noted(data)
    assert Tints(table).codes(500_000, 500_100) == BYTE[CODE[Role.VALUE, "text"]] * 100
    assert 0 < Noted.asked < 400


def test_bytes_behind_the_value_are_a_gap() -> None:
    line = load("godot4")
    data = encode(parse_literal("[1, 2]", line), line)
    table = scan(data + b"rest", line)
    codes = Tints(table).codes(len(data) - 2, len(data) + 4)
    assert codes[2:] == BYTE[GAP] * 4
    assert GAP not in codes[:2]


def test_a_long_way_up_from_the_last_leaf_needs_no_recursion() -> None:
    depth, line = 50_000, load("godot3")
    opening = bytes.fromhex("13000000 02000000")
    data = opening + bytes.fromhex("13000000 01000000") * depth + bytes.fromhex("00000000 00000000")
    table = scan(data, line)
    assert table.end_of_data == len(data)
    assert Tints(table).codes(len(data) - 8, len(data)) == BYTE[CODE[Role.HEADER, None]] * 8


def test_the_groups_are_those_of_the_shapes() -> None:
    shapes = tomllib.loads(assets.text("shapes.toml"))["shapes"]
    assert set(GROUPS) == {shape["group"] for shape in shapes.values()}


def test_a_code_fits_a_byte_and_zero_is_what_nobody_has_looked_at() -> None:
    assert len(STYLES) < 256
    assert STYLES[PLAIN].role is None
    assert PLAIN == 0


def test_of_the_strings_of_a_resource_only_those_in_view_are_looked_at() -> None:
    texts = [f"ítem {k}".encode() + b"\0" for k in range(3000)]
    strings = b"".join(len(raw).to_bytes(4, "little") + raw for raw in texts)
    raw = (34).to_bytes(4, "little") + len(texts).to_bytes(4, "little") + strings
    table = scan(raw, load_resource_values("godot4"))
    expected, indexes = told(table, len(raw)), {}
    for start, end in ((0, len(raw)), (0, 9), (5, 700), (len(raw) // 2, len(raw) // 2 + 1), (len(raw) - 3, len(raw))):
        assert Tints(table, indexes).codes(start, end) == expected[start:end], (start, end)
    assert list(indexes) == [0]
