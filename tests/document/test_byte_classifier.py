"""What bytes are for, asked for window after window as they are scrolled."""

from __future__ import annotations

import random

import pytest
from corpus import ENGINES, Engine, files, malformed, spread
from document.readers.made_resources import many

from viewer.base.span import Span
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import replace_bytes
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.tints import PADDING

PAGE = 960


def assert_same_in_windows(document: Document, seed: int) -> None:
    """Windows that overlap say what a classifier says that has seen nothing else."""
    size, choose, known = len(document.buffer), random.Random(seed), ByteClassifier(document)
    start = 0
    for _ in range(12):
        start = min(max(start + choose.choice((-48, 16, 48, 48, PAGE, -PAGE, size // 3)), 0), size)
        end = min(start + choose.choice((PAGE, PAGE, 100, 1)), size)
        assert known.codes(start, end) == ByteClassifier(document).codes(start, end), (start, end)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_overlapping_windows_say_what_each_says_alone(engine: Engine) -> None:
    for number, row in enumerate(spread(malformed(engine.folder), 3, engine.folder)):
        data = bytes.fromhex(row["hex"])
        assert_same_in_windows(Document(data, choice=ReadOptions(load(engine.dialect))), number)
    for number, file in enumerate(files(engine.folder)):
        if file.path.stat().st_size < 1 << 17:
            assert_same_in_windows(Document.open(file.path), number)


def test_scrolling_looks_only_at_bytes_that_come_into_view(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[int, int]] = []
    codes = ByteClassifier._codes

    def seen(self: ByteClassifier, start: int, end: int) -> bytes:
        looked.append((start, end))
        return codes(self, start, end)

    monkeypatch.setattr(ByteClassifier, "_codes", seen)
    known = ByteClassifier(Document(bytes(4000)))
    for start in (480, 528, 480, 500):
        known.codes(start, start + PAGE)
    assert looked == [(480, 1440), (1440, 1488), (480, 528), (1440, 1460)]


def test_an_edit_is_seen() -> None:
    document = Document(bytes.fromhex("13000000 02000000 02000000 01000000 00000000"))
    known = ByteClassifier(document)
    before = known.codes(0, 20)
    document.apply(replace_bytes(document, Span(8, 12), bytes.fromhex("00000000")))
    assert known.codes(0, 20) == ByteClassifier(document).codes(0, 20) != before


def test_a_window_of_a_file_with_fields_looks_at_no_value_outside_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    inside = ByteClassifier._inside

    def seen(self: ByteClassifier, index: int, start: int, end: int) -> bytes:
        looked.append(index)
        return inside(self, index, start, end)

    monkeypatch.setattr(ByteClassifier, "_inside", seen)
    document = Document(many("godot4", 300))
    whole = ByteClassifier(document).codes(0, len(document.buffer))
    frame = document.frames[150].span
    for start, end in ((frame.start, frame.end), (frame.start - 5, frame.start + 5), (0, 100), (60, len(whole))):
        looked.clear()
        assert ByteClassifier(document).codes(start, end) == whole[start:end]
        assert looked == [
            k for k, each in enumerate(document.frames) if each.span.start < end and start < each.span.end
        ]


def test_comments_of_a_text_are_no_values_and_signs_in_a_value_are_no_comments() -> None:
    text = b'; of the game\n[a]\n\nname="Bob; so" ; who\ngold=12\n'
    codes = ByteClassifier(Document(text)).codes(0, len(text))
    dim = bytes(byte for byte, code in zip(text, codes, strict=True) if code == PADDING)
    assert dim == b"; of the game; who"
    middle = text.index(b"who")
    assert ByteClassifier(Document(text)).codes(middle, len(text)) == codes[middle:]
