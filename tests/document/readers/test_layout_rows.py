"""Entries that are read in one go, held beside the same read field by field."""

from __future__ import annotations

import hashlib
import random
import struct
import zlib

import pytest

from viewer.base.record import fields
from viewer.document.readers import layout_reader
from viewer.document.readers.file_layout import Layout
from viewer.document.readers.file_structure import Structure
from viewer.document.readers.layout_folder import layouts
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.readers.layout_reader import read_layout
from viewer.document.readers.layout_rows import is_ordinary

OWN = """
name = "archive"
field = [
    { name = "mark", type = "mark", text = "ARCH" },
    { name = "base", type = "u16" },
    { name = "count", type = "u8" },
    { name = "part", type = "group", length = "u16", field = [
        { name = "file", type = "group", called = "title", repeat = "count", field = [
            { name = "title", type = "text", length = "u8" },
            { name = "where", type = "u16", order = "big", as = "hex" },
            { name = "long", type = "u16", order = "big" },
            { name = "sum", type = "crc32", over = "body" },
            { name = "kind", type = "i8", names = { 1 = "level", 2 = "sound" } },
            { name = "body", type = "bytes", at = "base + where", length = "long", when = { kind = "1.." } },
        ] },
    ] },
]
"""
COUNT = 12
CONTENTS = [b"content %d " % k * (k % 4 + 1) for k in range(COUNT)]


def package(version: int) -> bytes:
    """A package of a game; every file but one has a true checksum."""
    head = b"GDPC" + struct.pack("<4I", version, 4, 2, 1)
    fixed = {1: 0, 2: 12, 3: 20}[version]
    size = 4 + 32 + 16 + 16 + (4 if version > 1 else 0)
    begin = len(head) + fixed + 64 + 4 + COUNT * size
    files = begin if version > 1 else 0
    tail = struct.pack("<IQ", 2, files) if version > 1 else b""
    if version == 3:
        tail += struct.pack("<Q", len(head) + fixed + 64)
    rows, at = [], begin
    for k, content in enumerate(CONTENTS):
        path = b"res://icon %d.png" % k
        sum_ = hashlib.md5(content if k != 5 else b"another").digest()
        row = struct.pack("<I", 32) + path.ljust(32, b"\0") + struct.pack("<QQ", at - files, len(content)) + sum_
        rows.append(row + (struct.pack("<I", int(k == 7)) if version > 1 else b""))
        at += len(content)
    return head + tail + bytes(64) + struct.pack("<I", COUNT) + b"".join(rows) + b"".join(CONTENTS)


def archive() -> bytes:
    """A file of the layout above."""
    rows, at = [], 0
    for k, content in enumerate(CONTENTS):
        title = b"" if k == 3 else b"file \xc3\xa4 %d" % k
        sum_ = struct.pack("<I", zlib.crc32(content))
        rows.append(struct.pack("B", len(title)) + title + struct.pack(">HH", at, len(content)) + sum_ + b"\1")
        at += len(content)
    table = b"".join(rows)
    head = b"ARCH" + struct.pack("<HBH", 9 + len(table), COUNT, len(table))
    return head + table + b"".join(CONTENTS)


def layout_of(raw: bytes) -> Layout:
    if raw.startswith(b"ARCH"):
        return parse_layout("archive", OWN, "archive.toml")
    return next(each for each in layouts() if each.mark and raw.startswith(each.mark))


def both(raw: bytes, layout: Layout, monkeypatch: pytest.MonkeyPatch) -> tuple[Structure, Structure]:
    quick = read_layout(raw, layout)
    with monkeypatch.context() as patch:
        patch.setattr(layout_reader, "MANY", 1 << 60)
        return quick, read_layout(raw, layout)


def check(raw: bytes, layout: Layout, monkeypatch: pytest.MonkeyPatch) -> Structure:
    quick, plain = both(raw, layout, monkeypatch)
    for each in fields(plain):
        assert getattr(quick, each.name) == getattr(plain, each.name), each.name
    return quick


RAWS = {"1": package(1), "2": package(2), "3": package(3), "own": archive()}


@pytest.mark.parametrize("name", RAWS)
def test_entries_in_one_go_are_those_that_are_read_field_by_field(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = layout_of(RAWS[name])
    found = check(RAWS[name], layout, monkeypatch)
    assert len(found.lengths) >= COUNT - 1
    assert len(found.counted[0].entries) == COUNT
    assert len(found.findings) == (name != "own")  # the checksum of the one


@pytest.mark.parametrize("name", RAWS)
def test_damaged_entries_are_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    choose, raw = random.Random(5), RAWS[name]
    layout = layout_of(raw)
    for cut in range(len(layout.mark), len(raw), 7):
        check(raw[:cut], layout, monkeypatch)
    for _ in range(150):
        spoilt = bytearray(raw)
        for _ in range(choose.choice((1, 1, 3))):
            at = choose.randrange(len(layout.mark), len(raw))
            spoilt[at] = choose.choice((0, 1, 127, 255, spoilt[at] ^ 1 << choose.randrange(8)))
        check(bytes(spoilt), layout, monkeypatch)


@pytest.mark.parametrize("limit", ["MOST_FIELDS", "MOST_FILES", "MOST_SUMMED"])
def test_limits_hold_in_the_middle_of_them(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in range(1, 120, 9):
        monkeypatch.setattr(layout_reader, limit, most)
        check(RAWS["2"], layout_of(RAWS["2"]), monkeypatch)


def test_entries_that_need_a_closer_look_are_known_as_such() -> None:
    own = parse_layout("archive", OWN, "archive.toml")
    assert is_ordinary(own.fields[3].fields[0])
    for old, new in (
        ('type = "text", length = "u8"', 'type = "text", until = ";"'),
        ('at = "base + where"', 'at = "here + where"'),
        ('length = "long"', 'length = "long + 1"'),
        ('over = "body"', 'over = ["title", "long"]'),
        ('type = "i8"', 'type = "varint"'),
    ):
        assert old in OWN
        other = parse_layout("archive", OWN.replace(old, new), "archive.toml")
        assert not is_ordinary(other.fields[3].fields[0]), new
