"""Blocks: what is the same is stored once, and what is damaged is known."""

from __future__ import annotations

import random
import stat
import sys
from pathlib import Path

import pytest

from viewer.document.timeline.block_store import SMALLEST, BlockStore, DamagedBlock, cut_points

CHANCE = random.Random(5)
LONG = CHANCE.randbytes(1_000_000)


def test_what_is_stored_comes_back_and_takes_room_once(tmp_path: Path) -> None:
    store = BlockStore(tmp_path / "blocks")
    for data in (b"", b"a", b"short" * 100, LONG[: 2 * SMALLEST], LONG[: 2 * SMALLEST + 1], LONG):
        first = store.add(data)
        assert store.read(first.name, first.size) == data
        assert store.add(data).added == 0
        assert BlockStore(tmp_path / "blocks").read(first.name, first.size) == data
    assert store.stored == sum(file.stat().st_size for file in (tmp_path / "blocks").iterdir())


@pytest.mark.parametrize("at", [10, 340_003, 999_990])
def test_a_change_of_a_long_content_stores_little_anew(tmp_path: Path, at: int) -> None:
    """Put in at any place, also by a number of bytes that moves all words."""
    store = BlockStore(tmp_path / "blocks")
    store.add(LONG)
    for changed in (LONG[:at] + b"seven.." + LONG[at:], LONG[:at] + b"x" + LONG[at + 1 :], LONG[:at] + LONG[at + 5 :]):
        assert store.add(changed).added < len(LONG) // 5


def test_blocks_are_neither_tiny_nor_without_number() -> None:
    for data in (LONG, bytes(300_000), b"ab" * 150_000, LONG * 3):
        ends = list(cut_points(data))
        sizes = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        assert sum(sizes) == len(data)
        assert min(sizes[:-1]) >= SMALLEST
        assert len(ends) <= 1024


def test_damage_is_known_and_mended_when_the_same_comes_again(tmp_path: Path) -> None:
    store = BlockStore(tmp_path / "blocks")
    data = LONG[:200_000]
    kept = store.add(data)
    whole = {file: file.read_bytes() for file in (tmp_path / "blocks").iterdir()}
    for file, raw in whole.items():
        for damaged in (b"", raw[:-1], raw[: len(raw) // 2] + b"\0\1\2" + raw[len(raw) // 2 + 3 :], None):
            file.unlink(missing_ok=True)
            if damaged is not None:
                file.write_bytes(damaged)
            with pytest.raises(DamagedBlock):
                BlockStore(tmp_path / "blocks").read(kept.name, kept.size)
        again = BlockStore(tmp_path / "blocks")
        again.add(data)
        assert again.read(kept.name, kept.size) == data


def test_what_nothing_needs_goes_and_what_died_half_written(tmp_path: Path) -> None:
    store = BlockStore(tmp_path / "blocks")
    first, second = store.add(b"first" * 99), store.add(LONG)
    (tmp_path / "blocks" / "half.new").write_bytes(b"half")
    store = BlockStore(tmp_path / "blocks")
    store.keep_only(store.files_of(second.name, second.size))
    assert store.read(second.name, second.size) == LONG
    assert not (tmp_path / "blocks" / "half.new").exists()
    with pytest.raises(DamagedBlock, match="gone"):
        store.read(first.name, first.size)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such permissions")
def test_blocks_are_for_their_owner_alone(tmp_path: Path) -> None:
    store = BlockStore(tmp_path / "t" / "blocks")
    store.add(LONG)
    for path in (tmp_path / "t", *(tmp_path / "t").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
