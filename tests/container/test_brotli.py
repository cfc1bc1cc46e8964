"""Brotli: what the program reads of it is what a decoder written for the tests reads."""

from __future__ import annotations

import random
import struct

import brotli
import pytest
from container.brotli_decoder import decompress
from corpus import DATA

from viewer.container.blocks import GCPF

FILE = DATA / "godot4" / "files" / "compressed_brotli_single.gcpf"


def samples() -> dict[str, bytes]:
    chance = random.Random(3)
    rpg = (DATA / "godot3" / "files" / "rpg.save").read_bytes()
    return {
        "nothing": b"",
        "one byte": b"x",
        "zeros": bytes(5000),
        "noise": chance.randbytes(3000),
        "numbers": b"".join(struct.pack("<II", 2, chance.randrange(1000)) for _ in range(900)),
        "few signs": bytes(chance.choice(b"\x00\x04\x12abc") for _ in range(4000)),
        "a save": rpg[:8192],
    }


def own(data: bytes) -> bytes:
    """By the decoder of the tests; a stream that needs the dictionary says nothing."""
    try:
        return decompress(data)
    except NotImplementedError:
        pytest.skip("the stream refers to the static dictionary, which the decoder of the tests does not have")


@pytest.mark.parametrize("quality", [0, 1, 4, 9, 11])
@pytest.mark.parametrize("name", samples())
def test_both_decoders_read_the_same(name: str, quality: int) -> None:
    data = samples()[name]
    assert own(brotli.compress(data, quality=quality)) == data


def test_a_file_that_the_engine_reads_is_read_alike_by_both() -> None:
    raw = FILE.read_bytes()
    mode, size, total = struct.unpack_from("<III", raw, 4)
    assert mode == 4
    count = total // size + 1
    sizes = struct.unpack_from(f"<{count}I", raw, 16)
    at, inside = 16 + 4 * count, b""
    for length in sizes:
        inside += own(raw[at : at + length])
        at += length
    assert inside[:total] == GCPF.unwrap(raw).inside
