"""Raw bytes: put in, taken out, filled, with nothing else changed."""

from __future__ import annotations

import corpus
import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import MOST, fill, insert_bytes, overwrite, remove_bytes, replace_bytes
from viewer.document.edits.slots import EditError

HELLO = bytes.fromhex("04000000 05000000 48656C6C 6F000000")


def hello() -> Document:
    return Document(HELLO)


def test_bytes_are_put_before_a_byte_and_nothing_else_changes() -> None:
    document = hello()
    document.apply(insert_bytes(document, 13, b"!?"))
    assert document.buffer == HELLO[:13] + b"!?" + HELLO[13:]


def test_bytes_are_put_behind_the_last_byte() -> None:
    document = hello()
    document.apply(insert_bytes(document, len(HELLO), b"\x01"))
    assert document.buffer == HELLO + b"\x01"


def test_bytes_are_put_into_an_empty_file() -> None:
    document = Document(b"")
    document.apply(insert_bytes(document, 0, HELLO))
    assert document.buffer == HELLO
    assert len(document.frames) == 1


def test_bytes_are_taken_out_and_come_back_with_undo() -> None:
    document = hello()
    document.apply(remove_bytes(document, Span(4, 8)))
    assert document.buffer == HELLO[:4] + HELLO[8:]
    document.undo()
    assert document.buffer == HELLO


def test_all_bytes_can_be_taken_out() -> None:
    document = hello()
    document.apply(remove_bytes(document, Span(0, len(HELLO))))
    assert document.buffer == b""


def test_bytes_are_replaced_by_more_of_them() -> None:
    document = hello()
    document.apply(replace_bytes(document, Span(8, 13), b"Good day"))
    assert document.buffer == HELLO[:8] + b"Good day" + HELLO[13:]


def test_a_fill_repeats_its_pattern_and_cuts_the_last_one() -> None:
    document = hello()
    document.apply(fill(document, Span(8, 13), b"ab"))
    assert document.buffer == HELLO[:8] + b"ababa" + HELLO[13:]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda document: overwrite(document, 15, b"ab"), "insert mode"),
        (lambda document: insert_bytes(document, 17, b"a"), "are not in the file"),
        (lambda document: remove_bytes(document, Span(10, 17)), "are not in the file"),
        (lambda document: fill(document, Span(0, 4), b""), "at least one byte"),
        (lambda document: insert_bytes(document, 0, bytes(MOST + 1)), "take fewer bytes"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(make: object, words: str) -> None:
    with pytest.raises(EditError, match=words):
        make(hello())  # type: ignore[operator]


def test_undo_of_typed_insertions_takes_the_whole_run_back() -> None:
    document = hello()
    for number, letter in enumerate(b"abc"):
        document.apply(insert_bytes(document, 13 + number, bytes([letter]), merge="typing"))
    document.undo()
    assert document.buffer == HELLO


def test_bytes_put_in_and_taken_out_anywhere_in_a_save_come_back_with_undo() -> None:
    data = next(file.path for file in corpus.files("godot3") if file.path.stat().st_size < 1 << 13).read_bytes()
    document = Document(data)
    for offset in range(0, len(data), 1 + len(data) // 30):
        document.apply(insert_bytes(document, offset, b"\xff\x00\x07"))
        document.apply(remove_bytes(document, Span(offset // 2, offset // 2 + 2)))
        document.undo()
        document.undo()
        assert document.buffer == data
