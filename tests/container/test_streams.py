"""Files that are one gzip, zlib or Zstd stream."""

from __future__ import annotations

import gzip
import io
import random
import zlib

import corpus
import pytest
import zstandard
from container.fuzzing import harmed

from viewer.base.span import Span
from viewer.container.layer import TooLarge, WrapError
from viewer.container.streams import GZIP_STREAM, ZLIB_STREAM, ZSTD_STREAM, StreamCodec

PLAIN = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()


def gzipped(data: bytes, name: str = "slot1.save") -> bytes:
    """A gzip stream with a name and a time in its header."""
    target = io.BytesIO()
    with gzip.GzipFile(name, "wb", 6, target, mtime=1_234_567_890) as stream:
        stream.write(data)
    return target.getvalue()


def zstandardised(data: bytes) -> bytes:
    """A Zstd frame with a checksum."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


STREAMS = {
    "gzip": (GZIP_STREAM, gzipped(PLAIN)),
    "zlib": (ZLIB_STREAM, zlib.compress(PLAIN)),
    "zstd": (ZSTD_STREAM, zstandardised(PLAIN)),
}
every = pytest.mark.parametrize(("codec", "outside"), STREAMS.values(), ids=STREAMS.keys())


@every
def test_a_stream_is_recognised_and_comes_out_whole(codec: StreamCodec, outside: bytes) -> None:
    assert codec.probe(outside)
    found = codec.unwrap(outside)
    assert (found.inside, found.damages) == (PLAIN, ())


@every
def test_only_its_own_codec_recognises_a_stream(codec: StreamCodec, outside: bytes) -> None:
    assert [other for other, _ in STREAMS.values() if other.probe(outside)] == [codec]


@every
def test_changed_bytes_are_wrapped_the_same_way(codec: StreamCodec, outside: bytes) -> None:
    form = codec.unwrap(outside).form
    again = codec.unwrap(form.wrap(PLAIN + b"more"))
    assert (again.inside, again.form, again.damages) == (PLAIN + b"more", form, ())


def test_the_header_of_gzip_stays_as_it_was() -> None:
    wrapped = GZIP_STREAM.unwrap(gzipped(PLAIN)).form.wrap(b"other")
    assert wrapped[:20] == gzipped(PLAIN)[:20]
    assert gzip.decompress(wrapped) == b"other"


def test_all_fields_of_a_gzip_header_are_passed_over() -> None:
    head = bytes.fromhex("1F8B08 1E 00000000 00 03  0300 414243  6E616D6500  636F6D6D656E7400")
    head += (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")
    outside = head + gzip.compress(PLAIN, mtime=0)[10:]
    found = GZIP_STREAM.unwrap(outside)
    assert found.inside == PLAIN
    assert found.form.wrap(PLAIN)[: len(head)] == head


@pytest.mark.parametrize("level", [1, 5, 6, 9])
def test_the_level_of_zlib_stays_as_it_was(level: int) -> None:
    outside = zlib.compress(PLAIN, level)
    assert ZLIB_STREAM.unwrap(outside).form.wrap(PLAIN) == outside


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_streams_that_follow_each_other_are_one(name: str) -> None:
    codec, outside = STREAMS[name]
    found = codec.unwrap(outside * 3)
    assert (found.inside, found.damages) == (PLAIN * 3, ())


@every
def test_bytes_behind_a_stream_stay(codec: StreamCodec, outside: bytes) -> None:
    found = codec.unwrap(outside + b"tail")
    assert found.inside == PLAIN
    assert [damage.span for damage in found.damages] == [Span(len(outside), len(outside) + 4)]
    assert found.form.wrap(b"other").endswith(b"tail")


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_a_cut_stream_shows_its_beginning(name: str) -> None:
    codec, outside = STREAMS[name]
    found = codec.unwrap(outside[: len(outside) // 2])
    assert 100 < len(found.inside) < len(PLAIN)
    assert PLAIN.startswith(found.inside)
    assert "cut" in found.damages[0].sentence


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_a_wrong_checksum_is_told_and_all_is_shown(name: str) -> None:
    codec, outside = STREAMS[name]
    at = -5 if name == "gzip" else -1
    found = codec.unwrap(outside[:at] + bytes([outside[at] ^ 1]) + outside[at:][1:])
    assert found.inside == PLAIN
    assert "incorrect data check" in found.damages[0].sentence


@every
def test_more_than_the_caller_allows_does_not_come_out(codec: StreamCodec, outside: bytes) -> None:
    with pytest.raises(TooLarge):
        codec.unwrap(outside, limit=len(PLAIN) - 1)
    assert codec.unwrap(outside, limit=len(PLAIN)).inside == PLAIN


@every
def test_a_stream_of_nothing_is_one_too(codec: StreamCodec, outside: bytes) -> None:
    empty = {"gzip": gzipped(b""), "zlib": zlib.compress(b""), "zstd": zstandardised(b"")}[codec.name]
    assert codec.probe(empty)
    assert codec.unwrap(empty).inside == b""


@every
def test_nothing_else_is_taken_for_a_stream(codec: StreamCodec, outside: bytes) -> None:
    for engine in corpus.ENGINES:
        assert not [saved for saved in corpus.files(engine.folder) if codec.probe(saved.path.read_bytes())]
        assert not [row for row in corpus.vectors(engine.folder) if codec.probe(corpus.vector_bytes(row))]


def test_frames_whose_length_looks_like_zlib_are_no_streams() -> None:
    for second in (0x01, 0x5E, 0x9C, 0xDA):
        frame = bytes([0x78, second, 0, 0]) + random.Random(second).randbytes(0x78 + 256 * second)
        value = bytes([0x78, second, 0, 0, 4, 0, 0, 0]) + (0x70 + 256 * second).to_bytes(4, "little")
        assert not ZLIB_STREAM.probe(frame)
        assert not ZLIB_STREAM.probe(value + b"text" * (0x1C + 64 * second))


@every
def test_harmed_streams_fail_only_as_they_should(codec: StreamCodec, outside: bytes) -> None:
    for data in harmed([outside, outside * 2, outside[:200]]):
        if not codec.probe(data):
            continue
        try:
            found = codec.unwrap(data, limit=1 << 20)
        except WrapError:
            continue
        assert len(found.inside) <= 1 << 20
        assert found.form.wrap(b"other")
