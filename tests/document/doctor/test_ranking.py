"""What is said and shown of a repair: its sentence, and the bytes at its first change, before and after."""

from __future__ import annotations

import pytest

from viewer.document.doctor import Cause
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.ranking import samples, sentence_of


def test_what_is_shown_is_where_the_bytes_differ() -> None:
    """A Color without its alpha: the patch has the three floats that stay, and four bytes behind them."""
    colour = bytes(range(1, 13))
    before, after = samples(bytes(4) + colour + b"\5\0\0\0", (Patch(4, 12, colour + b"\0\0\x80\x3f"),))
    assert before is not None
    assert after is not None
    assert (before.offset, after.offset) == (16, 16)
    assert after.text.startswith("00 00 80 3F")
    assert before.text != after.text


def test_a_word_that_becomes_another_is_shown_whole() -> None:
    before, after = samples(bytes(8), (Patch(4, 4, b"\2\0\0\0"),))
    assert before is not None
    assert after is not None
    assert (before.offset, before.text, after.text) == (4, "00 00 00 00", "02 00 00 00")


@pytest.mark.parametrize(
    ("cause", "patch", "said"),
    [
        (Cause.BYTE_LOST, Patch(8, 0, b"\0"), "A byte was lost."),
        (Cause.BYTE_LOST, Patch(8, 0, bytes(3)), "3 bytes were lost."),
        (Cause.BYTE_INSERTED, Patch(8, 1, b""), "There is a byte too many here."),
        (Cause.BYTE_INSERTED, Patch(8, 2, b""), "There are 2 bytes too many here."),
    ],
)
def test_it_is_said_how_many_bytes_were_lost(cause: Cause, patch: Patch, said: str) -> None:
    assert sentence_of(Candidate(cause, (patch,))) == said
