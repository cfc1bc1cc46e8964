"""Paged buffers: read from the file on demand, edited without a copy, never an exception when the file goes away."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.base.buffer import stretches, u32, unpacker, view, window
from viewer.document.disk.paged import FileBlocks, HeldBytes, Paged
from viewer.document.splice import Splice, applied

POSITIONED = [True, False] if hasattr(os, "pread") else [False]
RAW = bytes(range(256)) * 4


def paged(path: Path, raw: bytes = RAW, block: int = 16, kept: int = 4, positioned: bool = POSITIONED[0]) -> Paged:
    """A paged buffer over a new file, with blocks so small that every read meets their borders."""
    path.write_bytes(raw)
    return Paged(FileBlocks(path, block, kept, positioned))


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, list[list[Splice]], list[bytes]]:
    """Bytes, groups of splices that are true one after another, and the bytes after each group."""
    buffer = start = draw(st.binary(max_size=120))
    groups, after = [], []
    for _ in range(draw(st.integers(1, 4))):
        group = []
        for _ in range(draw(st.integers(0, 4))):
            offset = draw(st.integers(0, len(buffer)))
            end = draw(st.integers(offset, min(len(buffer), offset + 40)))
            inserted = draw(st.binary(max_size=30))
            group.append(Splice(offset, buffer[offset:end], inserted))
            buffer = buffer[:offset] + inserted + buffer[end:]
        groups.append(group)
        after.append(buffer)
    return start, groups, after


@pytest.mark.parametrize("positioned", POSITIONED)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(case=edits(), data=st.data())
def test_splices_give_the_same_as_on_bytes(
    tmp_path: Path, positioned: bool, case: tuple[bytes, list[list[Splice]], list[bytes]], data: st.DataObject
) -> None:
    start, groups, after = case
    pages = paged(tmp_path / "a", start, block=8, positioned=positioned)
    plain = start
    for group, expected in zip(groups, after, strict=True):
        changed = applied(pages, group)
        plain = applied(plain, group)
        assert isinstance(changed, Paged)
        pages = changed
        assert (plain, bytes(pages), len(pages)) == (expected, expected, len(expected))
        low = data.draw(st.integers(0, len(expected)))
        high = data.draw(st.integers(low, len(expected)))
        assert pages[low:high] == expected[low:high]
        assert [pages[k] for k in range(low, high)] == list(expected[low:high])


def test_the_buffer_before_an_edit_stays_what_it_was(tmp_path: Path) -> None:
    before = paged(tmp_path / "a")
    after = before.spliced(10, 5, b"new")
    assert (bytes(before), bytes(after)) == (RAW, RAW[:10] + b"new" + RAW[15:])


def test_a_splice_that_finds_other_bytes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not those that this edit replaces"):
        applied(paged(tmp_path / "a"), [Splice(4, b"x", b"y")])


def test_typing_ten_thousand_bytes_makes_few_pieces(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a")
    for k in range(10_000):
        buffer = buffer.spliced(100 + k, 0, b"x")
    assert len(buffer._pieces) == 3
    assert bytes(buffer) == RAW[:100] + b"x" * 10_000 + RAW[100:]


def test_overwriting_one_byte_after_another_makes_few_pieces(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a")
    for k in range(100, 900):
        buffer = buffer.spliced(k, 1, b"x")
    assert len(buffer._pieces) == 3
    assert bytes(buffer) == RAW[:100] + b"x" * 800 + RAW[900:]


def test_taking_an_insertion_back_leaves_one_piece(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a").spliced(100, 0, b"x").spliced(100, 1, b"")
    assert len(buffer._pieces) == 1


@pytest.mark.parametrize(("start", "end"), [(0, 0), (0, 1), (15, 17), (3, 300), (-4, None), (1000, 9999), (5, 2)])
def test_slices_are_those_of_bytes(tmp_path: Path, start: int, end: int | None) -> None:
    assert paged(tmp_path / "a")[start:end] == RAW[start:end]


def test_a_byte_beyond_the_end_is_an_index_error(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a")
    assert buffer[-1] == RAW[-1]
    with pytest.raises(IndexError, match="no byte 1024"):
        buffer[len(RAW)]


def test_an_empty_file_is_an_empty_buffer(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a", b"")
    assert not buffer
    assert bytes(buffer.spliced(0, 0, b"new")) == b"new"


def test_a_window_reads_like_its_bytes(tmp_path: Path) -> None:
    inner = window(window(paged(tmp_path / "a"), 100, 400), 10, 50)
    assert (len(inner), inner[0], inner[-1], bytes(inner[5:9])) == (40, RAW[110], RAW[149], RAW[115:119])
    assert bytes(inner[38:99]) == RAW[148:150]


def test_numbers_are_read_alike_from_memory_and_from_a_file(tmp_path: Path) -> None:
    buffer = window(paged(tmp_path / "a"), 3, 1000)
    ours, theirs = unpacker("<I", buffer), unpacker("<I", RAW[3:1000])
    assert [ours(at) for at in (0, 50, 7, 993)] == [theirs(at) for at in (0, 50, 7, 993)]
    assert u32(buffer, 7) == theirs(7)[0]


def test_stretches_tile_a_buffer(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a")
    found = list(stretches(buffer, 5, 1000, size=300, overlap=7))
    assert [(at, bytes(raw)) for at, raw in found] == [(at, RAW[at : min(at + 307, 1000)]) for at in (5, 305, 605, 905)]


# The file changes under us


@pytest.mark.parametrize("positioned", POSITIONED)
def test_a_file_cut_off_by_another_program_reads_as_zeros_and_says_so(tmp_path: Path, positioned: bool) -> None:
    buffer = paged(tmp_path / "a.save", positioned=positioned)
    os.truncate(tmp_path / "a.save", 100)
    assert not buffer.shrunk
    assert buffer[96:104] == RAW[96:100] + bytes(4)
    assert bytes(buffer) == RAW[:100] + bytes(len(RAW) - 100)
    assert buffer.shrunk
    assert buffer.fault == (
        "“a.save” became shorter while it was open here: zeros are shown for the bytes that are missing. Reload it."
    )


def test_a_file_cut_off_before_an_edit_says_so_in_the_edited_buffer(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a").spliced(0, 0, b"new")
    os.truncate(tmp_path / "a", 0)
    assert bytes(buffer) == b"new" + bytes(len(RAW))
    assert buffer.shrunk


@pytest.mark.skipif(os.name == "nt", reason="Windows does not let an open file be deleted")
def test_a_file_replaced_by_another_program_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    buffer = paged(path)
    (tmp_path / "b").write_bytes(b"other")
    os.replace(tmp_path / "b", path)
    assert bytes(buffer) == RAW
    assert buffer.source.is_intact


def test_a_file_written_in_place_is_not_intact(tmp_path: Path) -> None:
    path = tmp_path / "a"
    buffer = paged(path)
    os.utime(path, ns=(0, 0))
    assert not buffer.source.is_intact


@pytest.mark.parametrize("positioned", POSITIONED)
def test_bytes_that_are_held_outlive_the_file(tmp_path: Path, positioned: bool) -> None:
    path = tmp_path / "a.save"
    buffer = paged(path, positioned=positioned)
    edited = buffer.spliced(3, 2, b"new")
    source = buffer.source
    assert isinstance(source, FileBlocks)
    assert source.hold()
    assert source.data == RAW
    path.write_bytes(b"")
    assert bytes(buffer) == RAW
    assert bytes(edited) == RAW[:3] + b"new" + RAW[5:]
    assert source.is_intact
    assert not source.fault


def test_a_view_is_what_lies_in_one_run_in_memory(tmp_path: Path) -> None:
    held = Paged(HeldBytes(RAW)).spliced(8, 2, b"new")
    found = [view(window(held, 2, 100), start, end) for start, end in ((0, 98), (6, 10), (9, 20), (9, 500))]
    assert found == [RAW[2:8], None, RAW[10:21], RAW[10:99]]
    on_disk = paged(tmp_path / "a.save")
    assert view(on_disk, 0, 9) is None
    assert isinstance(on_disk.source, FileBlocks)
    on_disk.source.hold()
    assert view(on_disk, 4, 9) == RAW[4:9]
    assert view(RAW, 0, 9) is None


@pytest.mark.parametrize("positioned", POSITIONED)
def test_a_file_that_was_written_to_is_not_held(tmp_path: Path, positioned: bool) -> None:
    path = tmp_path / "a.save"
    source = paged(path, positioned=positioned).source
    assert isinstance(source, FileBlocks)
    with path.open("r+b") as file:
        file.truncate(9)
    assert not source.hold()
    assert source.data is None
    assert source.fault


@pytest.mark.parametrize("positioned", POSITIONED)
def test_what_is_held_may_be_replaced_on_disk(tmp_path: Path, positioned: bool) -> None:
    path = tmp_path / "a.save"
    buffer = paged(path, positioned=positioned)
    assert isinstance(buffer.source, FileBlocks)
    buffer.source.hold()
    with buffer.source.let_go(tmp_path / "a.save.bak"):
        path.unlink()
    assert bytes(buffer[5:700]) == RAW[5:700]


@pytest.mark.parametrize("positioned", POSITIONED)
def test_two_threads_read_what_one_would(tmp_path: Path, positioned: bool) -> None:
    buffer = paged(tmp_path / "a", RAW * 40, kept=3, positioned=positioned).spliced(1000, 0, b"between")
    whole = bytes(buffer)

    def read(step: int) -> bool:
        places = [k * step % (len(whole) - 50) for k in range(4000)]
        return all(buffer[at : at + 50] == whole[at : at + 50] for at in places)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, (7, 1009, 4099, 9973)))


# A file that the system does not let anybody rename while it is open


def test_a_file_that_is_let_go_is_read_under_its_new_name(tmp_path: Path) -> None:
    path, old = tmp_path / "a", tmp_path / "a.bak"
    buffer = paged(path, positioned=False)
    with buffer.source.let_go(old):
        os.replace(path, old)
        path.write_bytes(b"other")
    assert (bytes(buffer), buffer.source.path, buffer.fault) == (RAW, old, "")


def test_a_file_that_is_let_go_and_stays_is_read_where_it_was(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a", positioned=False)
    with pytest.raises(OSError, match="full"), buffer.source.let_go(tmp_path / "a.bak"):
        raise OSError("full")
    assert (bytes(buffer), buffer.source.path, buffer.fault) == (RAW, tmp_path / "a", "")


def test_a_file_that_is_let_go_and_lost_reads_as_zeros(tmp_path: Path) -> None:
    buffer = paged(tmp_path / "a", positioned=False)
    with buffer.source.let_go(tmp_path / "a.bak"):
        os.unlink(tmp_path / "a")
    assert bytes(buffer) == bytes(len(RAW))
    assert "“a” is gone" in buffer.fault
