"""Texts too long to be held: looked at piece by piece, as if they were looked at in one."""

from __future__ import annotations

import random

import pytest

from viewer.base.buffer import Bytes, bounds
from viewer.variant import text
from viewer.variant.dialect import load
from viewer.variant.items import LONG, parts, whole_parts
from viewer.variant.scan import Stopped, scan

SIGNS = [b"a", b"bc", b"\xc3\xa4", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"]
FAULTS = [b"\xff", b"\x80", b"\xc0\x80", b"\xe2\x82", b"\xf0\x9f", b"\0"]
TEXT = b"\x04\0\0\0"


class Zeros:
    """A buffer of a beginning and zeros, which counts what is read of it."""

    def __init__(self, begin: bytes, size: int) -> None:
        self.begin, self.size, self.read = begin, size, 0

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at: int | slice) -> int | Bytes:  # type: ignore[override]
        if isinstance(at, int):
            return self.begin[at] if at < len(self.begin) else 0
        start, stop = bounds(at, self.size)
        self.read += stop - start
        return self.begin[start:stop].ljust(stop - start, b"\0")


@pytest.mark.parametrize("rule", ["strict", "lenient", "any"])
def test_pieces_tell_the_same_as_the_whole(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "PIECE", 16)
    choose = random.Random(7)
    for _ in range(3000):
        signs = choose.choices(SIGNS, k=choose.randrange(40))
        if choose.random() < 0.7:
            signs.insert(choose.randrange(len(signs) + 1), choose.choice(FAULTS))
        raw = b"".join(signs)
        assert text.fault_in(b"??" + raw + b"\xff", 2, 2 + len(raw), rule) == text.fault(raw, rule), raw


@pytest.mark.parametrize("before", [b"", b"\xc3\xa4", b"\xed\xa0\x80"], ids=["letters", "UTF-8", "surrogate"])
def test_a_fault_is_found_without_a_look_at_each_letter(before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    sequence = text._sequence
    monkeypatch.setattr(text, "_sequence", lambda raw, at: looked.append(at) or sequence(raw, at))
    raw = b"a" * 5_000 + before + b"a" * 5_000
    found = text.fault(raw + b"\xff", "lenient")
    assert found is not None
    assert found.offset == len(raw)
    assert len(looked) <= 2


def test_a_long_text_asks_whether_to_go_on() -> None:
    size = 8 << 20
    raw = TEXT + size.to_bytes(4, "little") + b"a" * size
    told: list[int] = []

    def progress(offset: int) -> bool:
        told.append(offset)
        return len(told) < 3

    with pytest.raises(Stopped) as stopped:
        scan(Zeros(raw, len(raw)), load("godot4"), progress)
    assert told == [8 + (k << 20) for k in (1, 2, 3)]
    assert stopped.value.table.end_of_data == told[-1]


def test_a_text_of_zeros_is_looked_at_up_to_its_first_piece() -> None:
    size = 1 << 30
    zeros = Zeros(TEXT + size.to_bytes(4, "little"), 8 + size)
    table = scan(zeros, load("godot4"))
    assert table.end_of_data == 8 + size
    assert not table.diagnostics
    assert zeros.read < 4 << 20


def test_a_part_of_a_long_text_holds_its_beginning() -> None:
    body = "ä".encode() * LONG
    raw = TEXT + len(body).to_bytes(4, "little") + body
    table = scan(raw, load("godot4"))
    shown = next(part for part in parts(table, 0) if part.type == "text")
    assert shown.value == "ä" * (LONG // 2)
    assert len(shown.span) == len(body)
    assert next(part for part in whole_parts(table, 0) if part.type == "text").value == body.decode()


def test_a_sample_gives_no_room_to_children_that_it_cannot_reach() -> None:
    count = (1 << 28) - 2
    zeros = Zeros(b"\x13\0\0\0" + count.to_bytes(4, "little"), 8 + 4 * count)
    with pytest.raises(Stopped) as stopped:
        scan(zeros, load("godot3"), lambda offset: False, sample=True)
    assert stopped.value.table.promised < 1 << 16
    assert stopped.value.table.end_of_data >= 1 << 17
