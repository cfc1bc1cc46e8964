"""Godot 4's short forms of bool and int."""

from __future__ import annotations

import pytest

from viewer.document.packets.compressed_variants import CompressedError, decode, encode

FORMS = [
    (False, "01", "bool"),
    (True, "81", "bool"),
    (0, "02 00", "int, 8 bits"),
    (-128, "02 80", "int, 8 bits"),
    (127, "02 7f", "int, 8 bits"),
    (128, "42 80 00", "int, 16 bits"),
    (-32768, "42 00 80", "int, 16 bits"),
    (-32769, "82 ff 7f ff ff", "int, 32 bits"),
    (2147483647, "82 ff ff ff 7f", "int, 32 bits"),
    (2147483648, "c2 00 00 00 80 00 00 00 00", "int, 64 bits"),
    (-(1 << 63), "c2 00 00 00 00 00 00 00 80", "int, 64 bits"),
]


@pytest.mark.parametrize(("value", "raw", "form"), FORMS)
def test_short_form_is_read(value: bool | int, raw: str, form: str) -> None:
    data = bytes.fromhex(raw)
    short = decode(data, 0, len(data))
    assert short is not None
    assert (short.value, type(short.value), short.size, short.form) == (value, type(value), len(data), form)


@pytest.mark.parametrize(("value", "raw", "form"), FORMS)
def test_smallest_form_is_written(value: bool | int, raw: str, form: str) -> None:
    assert encode(value).hex(" ") == raw


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_any_width_can_be_written_and_read(size: int) -> None:
    data = encode(-5, size)
    short = decode(data, 0, len(data))
    assert short is not None
    assert (short.value, short.size, len(data)) == (-5, 1 + size, 1 + size)


@pytest.mark.parametrize(
    ("value", "size"), [(128, 1), (-32769, 2), (1 << 31, 4), (1 << 63, 8), (1 << 63, None), (1, 3)]
)
def test_number_that_does_not_fit_is_refused(value: int, size: int | None) -> None:
    with pytest.raises(CompressedError):
        encode(value, size)


@pytest.mark.parametrize("raw", ["02", "42 00", "82 00 00 00", "c2 00 00 00 00 00 00 00"])
def test_cut_number_is_refused(raw: str) -> None:
    data = bytes.fromhex(raw)
    with pytest.raises(CompressedError):
        decode(data, 0, len(data))


def test_other_types_have_no_short_form() -> None:
    assert decode(bytes.fromhex("04000000 00000000"), 0, 8) is None
