"""What an editor changes: the value that is selected, and what applying would write."""

from __future__ import annotations

import struct
from base64 import b64encode
from typing import Any

import pytest

from viewer.base.record import replace
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget, open_target
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.value import Data, Image, InputEvent, NodePath


def words(*numbers: int) -> bytes:
    return b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in numbers)


def document(raw: bytes, dialect: str = "godot3", framing: FramingKind = FramingKind.BARE) -> Document:
    return Document(raw, name="test", choice=ReadOptions(load(dialect), None, framing))


def target(raw: bytes, part: str = "", **options: Any) -> EditTarget:
    return open_target(document(raw, **options), Item(0, 0, part))


def after(found: EditTarget, data: Data) -> bytes:
    proposal = found.propose(data)
    assert proposal.verdict.ok
    assert proposal.edit is not None
    found.document.apply(proposal.edit)
    return bytes(found.document.buffer[:])


def test_a_value_is_set_with_the_verdict_before_it() -> None:
    found = target(words(8, 2, 5), framing=FramingKind.STORED)
    proposal = found.propose(1 << 40)
    assert proposal.verdict.before == words(2, 5)
    assert proposal.verdict.after == words(0x10002, 0, 256)
    assert after(found, 1 << 40) == words(12, 0x10002, 0, 256)


def test_the_same_data_writes_nothing_and_leaves_odd_bytes() -> None:
    for raw in (words(1, 5), words(0x10002, 5, 0), words(4, 1) + b"a\1\2\3"):
        found = target(raw)
        proposal = found.propose(found.data)
        assert proposal.edit is None
        assert not proposal.verdict.changes_something


def test_minus_zero_is_another_number_than_zero() -> None:
    assert after(target(words(3, 0)), -0.0) == words(3, 0x80000000)


def test_what_does_not_fit_is_refused_with_nothing_written() -> None:
    found = target(words(21, 1, 5), "[0]")
    proposal = found.propose(1 << 40)
    assert proposal.edit is None
    assert not proposal.verdict.ok
    assert "does not fit" in proposal.verdict.title


def test_an_element_is_a_value_of_its_own() -> None:
    found = target(words(24, 1) + struct.pack("<2f", 1, 2), "[0].x")
    assert (found.type, found.data) == ("Vector2", (1.0, 2.0))
    assert after(found, (3.0, 2.0)) == words(24, 1) + struct.pack("<2f", 3, 2)


def test_a_string_in_an_array_brings_length_and_fill() -> None:
    found = target(words(23, 2, 2) + b"a\0\0\0" + words(1) + b"\0\0\0\0", "[0]")
    proposal = found.propose("abcd")
    assert proposal.verdict.before == words(2) + b"a\0\0\0"
    assert proposal.verdict.after == words(5) + b"abcd\0\0\0\0"
    assert after(found, "abcd") == words(23, 2, 5) + b"abcd\0\0\0\0" + words(1) + b"\0\0\0\0"


def test_a_part_leads_to_its_value() -> None:
    found = target(words(5, 0, 0), "x")
    assert (found.item, found.data) == (Item(0, 0), (0.0, 0.0))


def test_numbers_in_their_places_are_set_together() -> None:
    dialect = load("godot2")
    number = dialect.by_name["Image"].number
    found = target(words(number, 4, 0, 1, 1, 4) + b"abcd", dialect="godot2")
    assert found.data is None
    proposal = found.propose_parts({"format": 0, "width": 2, "height": 2})
    assert proposal.edit is not None
    found.document.apply(proposal.edit)
    assert bytes(found.document.buffer[:]) == words(number, 0, 0, 2, 2, 4) + b"abcd"
    assert found.propose_parts({"width": 1 << 40}).verdict.ok is False


def test_what_is_read_has_the_type_of_its_editor() -> None:
    number = load("godot2").by_name["InputEvent"].number
    assert isinstance(target(words(number, 1, 0, 20, 0, 65), dialect="godot2").data, InputEvent)
    path = words(15, 1 | 1 << 31, 0, 1, 1) + b"A\0\0\0"
    assert target(path).data == NodePath(("A",), (), True)
    assert Image(0, 0, 0, 0, b"").data == b""


@pytest.mark.parametrize(
    ("raw", "item", "reason"),
    [
        (words(99), Item(0, 0), "no known value"),
        (words(2, 5, 0), Item(0, -1, "gap"), "no known value"),
        (words(5, 0), Item(0, 0), "cut off"),
        (words(4, 1 << 21) + bytes(1 << 21), Item(0, 0), "too long"),
        (words(21, 1, 5), Item(0, 0, "[7]"), "no such element"),
    ],
)
def test_what_has_no_editor_is_said_in_words(raw: bytes, item: Item, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        open_target(document(raw), item)


LISTS = b"[a]\n\npos=Vector2(1.5, 2)\npts=PackedInt32Array(" + b", ".join(b"%d" % k for k in range(40)) + b")\n"


def test_of_a_value_in_a_text_the_text_is_shown_and_no_bytes() -> None:
    document = Document(LISTS)
    found = open_target(document, parse_path(document, "[0].a.pos"))
    assert found.propose(found.data).verdict.spelled == ("Vector2(1.5, 2)", "")
    assert found.propose((1.5, 3.25)).verdict.spelled == ("Vector2(1.5, 2)", "Vector2(1.5, 3.25)")
    assert found.propose_parts({"x": 7.0}).verdict.spelled[1] == "Vector2(7, 2)"


def test_of_a_long_value_in_a_text_what_changes_is_shown() -> None:
    document = Document(LISTS)
    found = open_target(document, replace(parse_path(document, "[0].a.pts"), part="[30]"))
    now, then = found.propose(99).verdict.spelled
    assert now == "…25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)"
    assert then == now.replace("30", "99")


def test_the_growth_of_a_value_in_a_wrap_is_that_inside_it() -> None:
    inside = words(4, 3) + b"abc\0"
    document = Document(b64encode(inside), name="test")
    assert document.wraps.names == ("base64",)
    found = open_target(document, Item(0, 0))
    assert found.propose("abcdefg").verdict.detail == "4 bytes longer than now, inside base64."
