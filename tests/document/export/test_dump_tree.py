"""The quick way through a table writes what the slow one would, node by node; and nothing is held for long."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from random import Random

import corpus
import pytest
from corpus import ENGINES, Engine

from tests.document.export.test_dump import FILES, bare, document, words
from viewer.document.document import Document
from viewer.document.export import child_blocks, leaf_json, value_json
from viewer.document.export.deep_json import chunks
from viewer.document.export.dump import dump
from viewer.document.export.leaf_json import LeafJson
from viewer.document.export.path_room import PathRoom
from viewer.document.export.value_json import ValueJson, values
from viewer.document.reading import ReadOptions
from viewer.variant.native import to_native
from viewer.variant.read import read

LARGE = 200_000
"""The slow way takes seconds for a megabyte."""


def sources(engine: Engine) -> Iterator[Document]:
    for row in corpus.spread(corpus.vectors(engine.folder), 14, engine.folder):
        yield Document(corpus.vector_bytes(row), name="test", choice=bare(engine))
    for row in corpus.spread(corpus.malformed(engine.folder), 14, engine.folder):
        yield Document(bytes.fromhex(row["hex"]), name="test", choice=bare(engine))
    for saved in corpus.files(engine.folder):
        if saved.path.stat().st_size < LARGE:
            yield Document(saved.path.read_bytes(), name="test", choice=ReadOptions())


def changed(raw: bytes, random: Random) -> bytes:
    """The same bytes but for a few."""
    out = bytearray(raw)
    for _ in range(random.randrange(1, 4)):
        out[random.randrange(len(out))] = random.choice((0, 1, 2, 4, 18, 0x7F, 0x80, 0xFF, random.randrange(256)))
    return bytes(out)


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be told by its bytes alone."""
    monkeypatch.setattr(child_blocks, "LONGEST", -1)
    monkeypatch.setattr(child_blocks.ChildBlocks, "is_plain", lambda self, node: False)
    monkeypatch.setattr(value_json, "LONG", 1 << 40)


def assert_alike(found: list[Document], monkeypatch: pytest.MonkeyPatch) -> None:
    quick = ["".join(dump(each)) for each in found]
    with monkeypatch.context() as patch:
        slow(patch)
        for each, text in zip(found, quick, strict=True):
            assert "".join(dump(each)) == text
    for each in found:
        for line, frame in zip("".join(values(each)).splitlines(), each.frames, strict=True):
            table = frame.table
            told = to_native(read(table, surplus=False), table.dialect) if len(table) else None
            assert line == "".join(chunks(told))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_both_ways_write_the_same(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike(list(sources(engine)), monkeypatch)


@pytest.mark.parametrize("folder", ["godot3", "godot4"])
def test_both_ways_write_the_same_of_resources(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted((corpus.DATA / "resources" / folder).glob("*.res"))
    assert paths
    assert_alike([Document(path.read_bytes(), name=path.name, choice=ReadOptions()) for path in paths], monkeypatch)


@pytest.mark.parametrize(
    "saved", corpus.spread((each for each in FILES if 0 < each.path.stat().st_size < 5_000), 3), ids=str
)
def test_both_ways_write_the_same_of_broken_bytes(saved: corpus.SavedFile, monkeypatch: pytest.MonkeyPatch) -> None:
    random, raw = Random(saved.path.name), saved.path.read_bytes()
    choice = Document(raw, choice=ReadOptions()).choice
    assert_alike([Document(changed(raw, random), name="test", choice=choice) for _ in range(6)], monkeypatch)


@pytest.mark.parametrize(
    "raw",
    [
        words(19, 300) + words(2, 7) * 300,
        words(18, 300) + words(4, 1, 97, 2, 7) * 300,
        words(19, 2) + words(20, 6000) + bytes(range(256)) * 23 + bytes(112) + words(0),
        words(24, 3000) + words(0x7F800001, 0x3F800000, 0x7F800000, 0xFF800000, 0, 0x80000000) * 1000,
        words(22, 4000) + words(1, 0xFFFFFFFF) * 2000,
        words(18, 2, 19, 1, 2, 5, 0, 19, 0, 0),
        words(18, 1, 4, 1, 97),
        words(19, 3, 2, 5, 99),
    ],
    ids=["many", "equal keys", "bytes", "vectors", "ints", "keys that hold", "no value", "unknown type"],
)
def test_both_ways_write_the_same_of_rare_values(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike([document(raw)], monkeypatch)


def test_what_is_remembered_of_leaves_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = words(19, 500) + b"".join(words(2, k) for k in range(500))
    whole = "".join(dump(document(raw)))
    monkeypatch.setattr(leaf_json, "REMEMBERED", 10)
    writer = ValueJson(document(raw).dialect, document(raw).precision)
    assert json.loads("".join(writer.pieces(document(raw).frames[0].table))) == [f"i:{k}" for k in range(500)]
    assert len(writer.known) <= 10
    assert "".join(dump(document(raw))) == whole


@pytest.mark.parametrize("write", [dump, values])
def test_writing_takes_memory_of_no_more_than_a_piece(write: object) -> None:
    assert callable(write)

    def peak(count: int) -> int:
        source = document(words(19, count) + words(18, 1, 4, 1, 97, 2, 7) * count)
        for _ in write(source):
            pass
        tracemalloc.start()
        for _ in write(source):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    # what threads of earlier tests and finalizers take meanwhile is traced, too: what is ours comes again each time
    assert any(peak(12_000) < 2 * peak(3_000) + (1 << 20) for _ in range(3))


def test_what_is_ascii_is_not_joined_with_what_is_not() -> None:
    texts = words(4, 2) + "é".encode() + bytes(2)
    pieces = list(dump(document(words(19, 4000) + (words(2, 1) * 9 + texts) * 400)))
    assert any("é" in piece for piece in pieces)
    assert sum(map(len, filter(str.isascii, pieces))) > 0.8 * sum(map(len, pieces))


def test_long_paths_are_left_out_where_all_of_them_would_be_too_much() -> None:
    source = document(words(19, 2) * 3_000 + words(0) * 3_001)
    room = PathRoom(len(source.buffer))
    text = "".join(dump(source, room))
    assert room.missing > 1000
    assert str(room.missing) in room.left_out
    assert len(text) < 5_000_000
    assert '"path": "[0][1]"' in text


def test_a_leaf_is_told_by_its_bytes_only_where_an_engine_writes_it_so() -> None:
    source = document(words(2, 5))
    leaves = LeafJson(source.dialect, source.precision)
    assert leaves.value(words(2, 5)) == '"i:5"'
    assert leaves.value(words(2 | 1 << 16, 5, 0)) is None
    assert leaves.value(words(1, 7)) is None
    assert leaves.value(words(4, 1, 0x161)) is None
    assert leaves.value(words(3, 0x7FC00000)) is None
