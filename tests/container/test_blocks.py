"""GCPF and GCMP: what the engines wrote comes out, goes back in, and is shown when it is broken."""

from __future__ import annotations

import struct
import tracemalloc
from itertools import accumulate, pairwise

import corpus
import pytest
from container.fuzzing import harmed

from viewer.base.buffer import BufferWindow
from viewer.base.span import Span
from viewer.container.blocks import GCMP, GCPF, BlockCodec, BlockForm
from viewer.container.inflate import Method
from viewer.container.layer import TooLarge, Unwrapped, WrapError

MAGICS: dict[bytes, BlockCodec] = {b"GCPF": GCPF, b"GCMP": GCMP}
FILES = [
    saved
    for engine in corpus.ENGINES
    for saved in corpus.wrapped(engine.folder)
    if saved.path.read_bytes()[:4] in MAGICS
]
BROKEN = [
    (engine.folder, row)
    for engine in corpus.ENGINES
    for row in corpus.broken_wraps(engine.folder)
    if row["id"].startswith("gcpf")
]
SEVERAL = ["medium_1mb_fastlz.save", "comp_deflate_many.save", "comp_zstd_many.save", "comp_gzip_rpg.save"]
WRITTEN = [Method.FASTLZ, Method.DEFLATE, Method.ZSTD, Method.GZIP]


def unwrap(outside: bytes) -> Unwrapped:
    """What comes out of either wrap."""
    return MAGICS[outside[:4]].unwrap(outside)


def save(name: str) -> bytes:
    """A file that Godot 3 saved."""
    return (corpus.DATA / "godot3" / "files" / name).read_bytes()


def made(method: Method, inside: bytes, block_size: int = 4096) -> bytes:
    """Bytes wrapped as the engine does."""
    return BlockForm(GCPF.kind, method, block_size, b"GCPF").wrap(inside)


def changed(data: bytes, at: int) -> bytes:
    """Bytes with one of them another."""
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def stored_blocks(outside: bytes) -> list[bytes]:
    """The compressed blocks of a sound wrap."""
    _, size, total = struct.unpack_from("<3I", outside, 4)
    sizes = struct.unpack_from(f"<{total // size + 1}I", outside, 16)
    ends = list(accumulate(sizes, initial=16 + 4 * len(sizes)))
    return [outside[start:end] for start, end in pairwise(ends)]


# What engines wrote


@pytest.mark.parametrize("saved", FILES, ids=str)
def test_what_an_engine_wrote_comes_out_whole(saved: corpus.SavedFile) -> None:
    found = unwrap(saved.path.read_bytes())
    assert found.damages == ()
    assert len(found.inside) == saved.sidecar.get("payload_bytes", saved.sidecar.get("plain_length"))


@pytest.mark.parametrize("name", ["medium_1mb_fastlz.save", "medium_1mb_zstd.save"])
def test_the_same_save_comes_out_of_every_method(name: str) -> None:
    assert unwrap(save(name)).inside == save("medium_1mb.save")


@pytest.mark.parametrize("saved", FILES, ids=str)
def test_an_untouched_wrap_is_the_same_bytes(saved: corpus.SavedFile) -> None:
    outside = saved.path.read_bytes()
    found = unwrap(outside)
    assert found.form.wrap(bytes(bytearray(found.inside))) == outside


@pytest.mark.parametrize("saved", [saved for saved in FILES if "zstd" not in saved.path.name], ids=str)
def test_blocks_are_compressed_as_the_engine_compresses_them(saved: corpus.SavedFile) -> None:
    outside = saved.path.read_bytes()
    found = unwrap(outside)
    form = found.form
    assert isinstance(form, BlockForm)
    if form.method is not Method.BROTLI:
        assert BlockForm(form.kind, form.method, form.block_size, form.tail).wrap(found.inside) == outside


@pytest.mark.parametrize("saved", FILES, ids=str)
def test_changed_bytes_can_be_wrapped_and_read_again(saved: corpus.SavedFile) -> None:
    found = unwrap(saved.path.read_bytes())
    form = found.form
    assert isinstance(form, BlockForm)
    if form.method is Method.BROTLI:
        form = form.as_zstd()
    inside = found.inside[: len(found.inside) // 2] + b"added" + found.inside[len(found.inside) // 2 :]
    again = unwrap(form.wrap(inside))
    assert (again.inside, again.damages) == (inside, ())


# Edits


@pytest.mark.parametrize("name", SEVERAL)
def test_an_edit_rewrites_only_the_blocks_that_changed(name: str) -> None:
    outside = save(name)
    found = unwrap(outside)
    edited = found.form.wrap(changed(found.inside, 5000))
    before, after = stored_blocks(outside), stored_blocks(edited)
    assert [number for number, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] == [1]
    assert edited.endswith(b"GCPF")


@pytest.mark.parametrize("method", WRITTEN)
@pytest.mark.parametrize("size", [0, 1, 4, 15, 16, 17, 4095, 4096, 4097, 8192, 10_000])
def test_every_size_has_one_shorter_block_at_its_end(method: Method, size: int) -> None:
    inside = bytes(range(251)) * 40
    outside = made(method, inside[:size])
    assert len(stored_blocks(outside)) == size // 4096 + 1
    assert (GCPF.unwrap(outside).inside, GCPF.unwrap(outside).damages) == (inside[:size], ())


@pytest.mark.parametrize("change", [-4096, -1, 1, 4096])
def test_bytes_may_become_fewer_or_more(change: int) -> None:
    found = unwrap(save("comp_fastlz_exact8192.save"))
    inside = found.inside[:change] if change < 0 else found.inside + bytes(change)
    again = unwrap(found.form.wrap(inside))
    assert (again.inside, again.damages) == (inside, ())


def test_a_large_block_is_compressed_by_the_second_level_of_fastlz() -> None:
    inside = save("medium_1mb.save")
    outside = made(Method.FASTLZ, inside, 1 << 17)
    assert stored_blocks(outside)[0][0] >> 5 == 1
    assert GCPF.unwrap(outside).inside == inside


def test_nobody_writes_brotli_but_zstd_can_be_taken_instead() -> None:
    outside = (corpus.DATA / "godot4" / "files" / "compressed_brotli_single.gcpf").read_bytes()
    found = GCPF.unwrap(outside)
    form = found.form
    assert isinstance(form, BlockForm)
    with pytest.raises(WrapError, match="No engine writes Brotli"):
        form.wrap(changed(found.inside, 9))
    again = GCPF.unwrap(form.as_zstd().wrap(changed(found.inside, 9)))
    assert (again.form.label, again.inside) == ("GCPF, Zstd", changed(found.inside, 9))


# Broken wraps


@pytest.mark.parametrize(("folder", "row"), BROKEN, ids=[f"{folder}/{row['id']}" for folder, row in BROKEN])
def test_a_broken_file_is_shown_or_refused_with_a_sentence(folder: str, row: corpus.Row) -> None:
    data = bytes.fromhex(row["hex"])
    try:
        found = GCPF.unwrap(data)
    except WrapError as error:
        sentence = str(error)
    else:
        # FastLZ has no check: one wrong byte may go unseen
        sentence = found.damages[0].sentence if found.damages or "fastlz" not in row["id"] else "."
        assert found.form.wrap(found.inside) == data
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("name", "known"),
    [("gcpf_bad_trailer", 580), ("gcpf_extra_after_trailer", 580), ("gcpf_csize_plus1", 580),
     ("gcpf_total_minus4", 576), ("gcpf_total_plus4", 580)],
)  # fmt: skip
def test_what_the_engine_reads_of_a_broken_file_is_shown(name: str, known: int) -> None:
    row = next(row for folder, row in BROKEN if (folder, row["id"]) == ("godot4", name))
    sound = unwrap((corpus.DATA / "godot4" / "files" / "compressed_zstd_multi.gcpf").read_bytes()).inside
    assert GCPF.unwrap(bytes.fromhex(row["hex"])).inside[:known] == sound[:known]


def test_of_a_broken_zstd_block_the_bytes_are_shown_that_the_engine_reads() -> None:
    row = next(row for folder, row in BROKEN if (folder, row["id"]) == ("pandemonium5", "gcpf_zstd_corrupt_near_end"))
    found = GCPF.unwrap(bytes.fromhex(row["hex"]))
    assert "Vector3( 1, 2, 3 )" in row["stdout"]
    assert found.inside[48:68] == struct.pack("<2I3f", 16, 9, 1, 2, 3)
    assert found.damages[0].inside == Span(0, 604)


@pytest.mark.parametrize("method", [Method.FASTLZ, Method.DEFLATE, Method.GZIP])
def test_a_damaged_block_gives_its_beginning_and_zeros_and_the_others_are_whole(method: Method) -> None:
    inside = save("medium_1mb.save")[:20_000]
    outside = made(method, inside)
    blocks = stored_blocks(outside)
    start = outside.index(blocks[2])
    middle = start + len(blocks[2]) // 2
    found = GCPF.unwrap(outside[:middle] + b"\xff" * 8 + outside[middle + 8 :])
    (damage,) = found.damages
    assert damage.span == Span(start, start + len(blocks[2]))
    assert damage.sentence.startswith("Block 3 ")
    assert found.inside[:8192] == inside[:8192]
    assert found.inside[12288:] == inside[12288:]
    assert damage.inside is not None
    assert Span(8192, 12288).covers(damage.inside)
    if method is Method.FASTLZ:
        assert not any(found.inside[damage.inside.start : damage.inside.end])


@pytest.mark.parametrize("method", WRITTEN)
def test_a_cut_file_shows_all_that_is_there(method: Method) -> None:
    inside = save("medium_1mb.save")[:20_000]
    outside = made(method, inside)
    blocks = stored_blocks(outside)
    cut = outside.index(blocks[2]) + 10
    found = GCPF.unwrap(outside[:cut])
    assert found.inside[:8192] == inside[:8192]
    assert found.damages[-1].inside is not None
    assert found.damages[-1].inside.end == len(inside)
    assert found.form.wrap(found.inside) == outside[:cut]
    edited = changed(found.inside, 0)
    assert GCPF.unwrap(found.form.wrap(edited)).inside == edited


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("47435046", "header is cut"),
        ("47435046 02000000 00100000 44020000", "it takes 4 bytes, and none are there"),
        ("47435046 09000000 00100000 44020000 00000000", "method 9"),
        ("47435046 02000000 00000000 44020000 00000000", "holds no bytes"),
        ("47435046 00000000 00100000 FFFFFFFF" + "00" * 24, "it takes 4194304 bytes, and 24 are there"),
        ("47435046 00000000 01000000 FFFFFFFF" + "00" * 24, "it takes 17179869184 bytes, and 24 are there"),
        ("47434D50 02000000 00100000 44020000 00000000", "method 2"),
    ],
)
def test_a_head_that_cannot_be_is_refused(head: str, words: str) -> None:
    data = bytes.fromhex(head)
    with pytest.raises(WrapError, match=words):
        unwrap(data)


@pytest.mark.parametrize("method", list(Method))
def test_a_few_bytes_that_promise_very_many_cost_nothing(method: Method) -> None:
    data = b"GCPF" + struct.pack("<5I", method.value, 1 << 31, (1 << 32) - 1, 8, 8) + b"\x03abcdefg" * 2
    tracemalloc.start()
    try:
        GCPF.unwrap(data)
    except WrapError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 1 << 22


def test_a_table_of_empty_blocks_is_not_filled_with_zeros_without_end() -> None:
    count = 100_000
    data = b"GCPF" + struct.pack("<3I", 2, 4096, 4096 * count - 1) + bytes(4 * count)
    found = GCPF.unwrap(data)
    assert len(found.inside) <= 17 * len(data) + (1 << 20)
    assert len(found.damages) < 1000
    assert found.damages[-2].inside == Span(len(found.inside), 4096 * count - 1)


@pytest.mark.parametrize("method", WRITTEN)
def test_more_than_the_caller_allows_is_not_decompressed(method: Method) -> None:
    outside = made(method, bytes(1 << 20))
    with pytest.raises(TooLarge) as caught:
        GCPF.unwrap(outside, limit=100_000)
    assert caught.value.size == 1 << 20


def test_bytes_that_are_not_in_memory_are_read_too() -> None:
    outside = save("comp_zstd_many.save")
    assert GCPF.probe(BufferWindow(outside, 0, len(outside)))
    assert GCPF.unwrap(BufferWindow(outside, 0, len(outside))).inside == unwrap(outside).inside


@pytest.mark.parametrize("name", ["rpg.save", "single_int.save", "enc_pass_one.save", "raw_var2bytes.bin"])
def test_other_files_are_no_such_wraps(name: str) -> None:
    assert not GCPF.probe(save(name))
    assert not GCMP.probe(save(name))


def test_harmed_wraps_fail_only_as_they_should() -> None:
    samples = [saved.path.read_bytes() for saved in FILES]
    for data in harmed([data for data in samples if len(data) < 20_000]):
        codec = MAGICS.get(data[:4], GCPF)
        try:
            found = codec.unwrap(data, limit=1 << 22)
        except WrapError:
            continue
        assert len(found.inside) <= 1 << 22
        assert all(0 <= damage.span.start <= damage.span.end <= len(data) for damage in found.damages)
        assert found.form.wrap(found.inside) == data
