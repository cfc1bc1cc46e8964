"""A moment: bytes that take longer to make sense of are left to be read beside the window, others are read at once."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from types import FrameType

import corpus
import pytest

from viewer.base.progress import LOOK, MOMENT, Moment, TakesLong
from viewer.document import document as document_module
from viewer.document.document import Document
from viewer.document.reading import AT_ONCE
from viewer.document.splice import Edit, Splice

RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
MOST_CALLS = 1_800_000
"""Calls of functions that the work of a moment comes to, with room for what is not counted."""


def nested_keys(depth: int, broken: int) -> bytes:
    """Dictionaries that are each other's only key, one byte overwritten."""
    raw = bytearray(struct.pack("<II", 18, 1) * depth + bytes(4 * depth + 12))
    raw[broken] = 10
    return bytes(raw)


def broken_saves(count: int) -> bytes:
    """Stored values one behind another, each with a broken header in its middle."""
    one = bytearray(RPG)
    one[200:204] = b"\xff\xff\xff\xff"
    return bytes(one) * count


def small_values(count: int) -> bytes:
    """Stored whole numbers, all sound."""
    return struct.pack("<III", 8, 2, 7) * count


def calls(work: Callable[[], object]) -> int:
    """How many functions are called."""
    count = 0

    def seen(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "raw",
    [nested_keys(500, 4760), broken_saves(40), small_values(8000)],
    ids=["nested keys", "many broken", "many sound"],
)
def test_what_takes_long_is_left_to_be_read_after_a_bounded_amount_of_work(raw: bytes) -> None:
    documents: list[Document] = []
    assert calls(lambda: documents.append(Document(raw, patience=AT_ONCE))) < MOST_CALLS
    (document,) = documents
    assert document.task is not None
    assert not document.frames
    document.take(document.task, document.task.run())
    assert [frame.span for frame in document.frames] == [frame.span for frame in Document(raw).frames]


@pytest.mark.parametrize("raw", [RPG, RPG[:-9], broken_saves(1)], ids=["sound", "cut off", "broken"])
def test_a_save_is_read_at_once_broken_or_not(raw: bytes) -> None:
    document = Document(raw, patience=AT_ONCE)
    assert document.task is None
    assert document.frames


def test_an_edit_before_many_broken_values_leaves_them_to_be_read() -> None:
    """What stands behind an edit may have to be made sense of again, value by value."""
    document = Document(broken_saves(40))
    assert len(document.frames) > 8
    document.patience = AT_ONCE
    change = document.apply(Edit("lose a byte", (Splice(300, bytes(document.buffer[300:301]), b""),)))
    assert change.waits
    assert document.task is not None


def test_while_bytes_wait_to_be_read_no_edit_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(broken_saves(40), patience=AT_ONCE)
    assert document.task is not None
    monkeypatch.setattr(document_module, "Moment", lambda: pytest.fail("it was tried to read them at once"))
    document.apply(Edit("one", (Splice(300, bytes(document.buffer[300:301]), b""),)))
    document.undo()
    assert document.task is not None


def test_all_that_is_done_for_a_file_counts_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """To find out how bytes are read, to cut them, and to recover what is broken."""
    moments: list[Moment] = []

    class Watched(Moment):
        def __init__(self) -> None:
            super().__init__()
            moments.append(self)

    monkeypatch.setattr(document_module, "Moment", Watched)
    Document(RPG, patience=AT_ONCE)
    Document(broken_saves(1), patience=AT_ONCE)
    sound, broken = (MOMENT - each.left for each in moments)
    assert sound >= LOOK
    assert broken > 2 * sound


def test_more_than_a_moment_is_told() -> None:
    moment = Moment()
    moment.work(MOMENT)
    with pytest.raises(TakesLong):
        moment.work(1)
