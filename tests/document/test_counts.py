"""Numbers in groups of three, by themselves and inside sentences."""

from __future__ import annotations

import pytest

from viewer.base.span import Span
from viewer.base.words import counted, grouped, grouped_in
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import fill
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.variant.dialect import load


def spaced(text: str) -> str:
    return text.replace("_", "\u202f")


@pytest.mark.parametrize(("number", "text"), [(9999, "9999"), (10_000, "10_000"), (-67_108_864, "-67_108_864")])
def test_numbers_from_ten_thousand_on_are_grouped(number: int, text: str) -> None:
    assert grouped(number) == spaced(text)


def test_one_of_a_kind_has_no_plural() -> None:
    assert (counted(1, "byte"), counted(12_000, "byte")) == ("1 byte", spaced("12_000 bytes"))


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        (
            "it is 67108864 bytes long, but only 48 bytes are left.",
            "it is 67_108_864 bytes long, but only 48 bytes are left.",
        ),
        ("not 67108864. All 12000 values", "not 67_108_864. All 12_000 values"),
        ("a count of -67108864 (or 1,234,567)", "a count of -67_108_864 (or 1_234_567)"),
    ],
)
def test_the_numbers_of_a_sentence_are_grouped(plain: str, text: str) -> None:
    assert grouped_in(plain) == spaced(text)


@pytest.mark.parametrize(
    "sentence",
    [
        "at 0x12345678 and 0x10000",
        "“house 12345” takes 9 bytes",
        'refuses "res://12345 67890.gd"',
        "[0].items[12345].count12345",
        "Godot 3.20201 at 1.123456",
        "header 00012345",
        "12345/67890 and #12345",
        "port 45001 carries values",
        "net id 45001 is gone, path id 123456",
        "A port is a number from 0 to 65535.",
        "A port to send to is a number from 1 to 65535.",
    ],
)
def test_what_is_no_plain_number_stays_as_it_is(sentence: str) -> None:
    assert grouped_in(sentence) == sentence


def test_a_layer_and_the_label_of_an_edit_group_their_digits() -> None:
    array = bytes.fromhex("13000000") + (12_345).to_bytes(4, "little") + bytes(4 * 12_345)
    document = Document(array, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    assert shown_layers(document)[0].size == spaced("49_388 bytes")
    assert fill(document, Span(0, 12_000), b"\0").label == spaced("Fill 12_000 bytes at 0x0")


def test_a_hostile_sentence_takes_no_long_time_and_stays() -> None:
    sentence = "“" * 20_000 + "9" * 20_000
    assert grouped_in(sentence) == sentence
