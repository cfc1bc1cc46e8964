"""Splices: bytes replaced by bytes, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.base.span import Span
from viewer.document.disk.paged import Paged
from viewer.document.history import History
from viewer.document.splice import MANY, Edit, Splice, applied, moved, touched


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, Edit]:
    """A buffer and an edit of some splices, each true to what the ones before it left."""
    buffer = start = draw(st.binary(max_size=40))
    splices = []
    for _ in range(draw(st.integers(0, 5))):
        offset = draw(st.integers(0, len(buffer)))
        end = draw(st.integers(offset, len(buffer)))
        splice = Splice(offset, buffer[offset:end], draw(st.binary(max_size=8)))
        splices.append(splice)
        buffer = applied(buffer, [splice])
    return start, Edit("test", tuple(splices))


@given(edits())
def test_the_inverse_restores_the_bytes(case: tuple[bytes, Edit]) -> None:
    buffer, edit = case
    assert applied(applied(buffer, edit.splices), edit.inverse.splices) == buffer


@given(edits())
def test_bytes_outside_the_touched_spans_are_bytes_of_before_in_order(case: tuple[bytes, Edit]) -> None:
    buffer, edit = case
    after = applied(buffer, edit.splices)
    kept = bytes(b for k, b in enumerate(after) if not any(k in span for span in touched(edit.splices)))
    it = iter(buffer)
    assert all(byte in it for byte in kept)


def test_trimming_leaves_only_what_differs() -> None:
    assert Splice(10, b"abcdef", b"abXdef").trimmed() == Splice(12, b"c", b"X")
    assert Splice(10, b"aaaa", b"aaaaa").trimmed() == Splice(14, b"", b"a")


def test_an_offset_behind_an_insertion_moves_with_its_byte() -> None:
    splices = [Splice(4, b"", b"1234")]
    assert [moved(offset, splices) for offset in (3, 4, 9)] == [3, 8, 13]


def test_a_splice_that_finds_other_bytes_is_refused() -> None:
    with pytest.raises(ValueError, match="not those that this edit replaces"):
        applied(b"abc", [Splice(0, b"x", b"y")])


def test_edits_of_many_bytes_copy_none_of_them() -> None:
    before = bytes(MANY + 1)
    splices = [Splice(9, b"\0", b"abc"), Splice(MANY, b"", b"xyz")]
    after = applied(before, splices)
    assert isinstance(after, Paged)
    assert (bytes(after), len(after)) == (applied(before[:MANY], [splices[0]])[:MANY] + b"xyz" + b"\0" * 3, MANY + 6)
    back = applied(after, Edit("test", tuple(splices)).inverse.splices)
    assert (isinstance(back, Paged), bytes(back)) == (True, before)


def typed(offset: int, old: bytes, new: bytes) -> Edit:
    return Edit("Type", (Splice(offset, old, new),), merge="typing")


def test_typing_merges_into_one_step_until_something_else_happens() -> None:
    history = History()
    history.record(typed(0, b"a", b"b"))
    history.record(typed(1, b"a", b"c"))
    history.seal()
    history.record(typed(2, b"a", b"d"))
    undone = [history.undo(), history.undo(), history.undo()]
    assert [edit and len(edit.splices) for edit in undone] == [1, 2, None]


def test_undo_back_to_the_saved_state_is_not_modified() -> None:
    history = History()
    history.record(typed(0, b"a", b"b"))
    history.mark_saved()
    history.record(typed(0, b"b", b"c"))
    assert history.modified
    history.undo()
    assert not history.modified
    history.undo()
    assert history.modified
    assert history.since_saved() == [Splice(0, b"b", b"a")]


def test_an_edit_after_undoing_a_saved_one_has_no_way_back_to_the_file() -> None:
    history = History()
    history.record(typed(0, b"a", b"b"))
    history.mark_saved()
    history.undo()
    history.record(typed(0, b"a", b"z"))
    assert history.modified
    assert history.since_saved() is None


def test_touched_spans_of_a_deletion_and_an_insertion() -> None:
    splices = [Splice(4, b"", b"12"), Splice(0, b"ab", b"")]
    assert touched(splices) == [Span(0, 0), Span(2, 4)]


def test_touched_spans_of_edits_one_after_the_other() -> None:
    falling = (Splice(9, b"x", b"abc"), Splice(4, b"xy", b""), Splice(0, b"", b"new"))
    assert touched(falling) == [Span(0, 3), Span(10, 13)]
    assert touched((*falling, Splice(11, b"bc", b""))) == [Span(0, 3), Span(10, 11)]
    assert touched((*falling, Splice(1, b"ew4567", b"."))) == [Span(0, 2), Span(5, 8)]
