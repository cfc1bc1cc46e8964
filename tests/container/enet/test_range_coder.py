"""ENet's range coder: the bytes of the library itself, there and back, and damage."""

from __future__ import annotations

import random

import pytest
from corpus import vector_bytes, vectors

from viewer.container.enet.range_coder import RangeCoderError, beginning, compress, decompress, first_byte

VECTORS = [
    (b"abracadabra", "6202df74d8204cda03311d"),
    (bytes(32), "0103e833690f77"),
    (bytes(range(16)), "0103f1068d929142466659664b8723d963ef"),
]


@pytest.mark.parametrize(("plain", "packed"), VECTORS)
def test_it_writes_what_the_library_writes(plain: bytes, packed: str) -> None:
    assert compress(plain).hex() == packed


@pytest.mark.parametrize(("plain", "packed"), VECTORS)
def test_it_reads_what_the_library_wrote(plain: bytes, packed: str) -> None:
    assert decompress(bytes.fromhex(packed)) == plain


def test_the_beginning_is_read_without_the_rest() -> None:
    assert beginning(bytes.fromhex(VECTORS[0][1]), 5) == b"abrac"


def test_the_beginning_of_little_is_all_of_it() -> None:
    assert beginning(compress(b"ab"), 9) == b"ab"


def test_the_first_byte_needs_no_model() -> None:
    assert all(first_byte(compress(bytes([byte, 7, 7]))) == byte for byte in range(256))
    assert first_byte(compress(b"")) is None


def test_nothing_becomes_nothing_and_comes_back() -> None:
    assert decompress(compress(b"")) == b""


def test_values_of_the_engine_come_back() -> None:
    for row in vectors("godot3")[::5]:
        plain = vector_bytes(row)[:4096]
        assert decompress(compress(plain)) == plain


@pytest.mark.parametrize("alphabet", [1, 2, 7, 40, 256])
def test_any_bytes_come_back(alphabet: int) -> None:
    chance = random.Random(alphabet)
    for size in (1, 2, 3, 200, 4096):
        plain = bytes(chance.randrange(alphabet) for _ in range(size))
        assert decompress(compress(plain)) == plain


def test_a_model_that_is_full_starts_again_on_both_sides() -> None:
    plain = random.Random(5).randbytes(20_000)
    assert decompress(compress(plain), len(plain)) == plain


def test_more_than_the_limit_is_refused() -> None:
    assert decompress(compress(bytes(100)), 100) == bytes(100)
    with pytest.raises(RangeCoderError, match="More than 99 bytes"):
        decompress(compress(bytes(100)), 99)


def test_bytes_behind_the_end_are_damage() -> None:
    with pytest.raises(RangeCoderError):
        decompress(compress(b"abracadabra") + b"\x01" * 12)


def test_any_bytes_are_read_or_refused() -> None:
    chance = random.Random(6)
    for _ in range(300):
        try:
            assert len(decompress(chance.randbytes(chance.randrange(60)))) <= 4096
        except RangeCoderError:
            continue
