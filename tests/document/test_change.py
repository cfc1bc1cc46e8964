"""Where a change is: at the value, and not at the lengths that follow it."""

from __future__ import annotations

import pytest

from viewer.document.change import place_of
from viewer.document.splice import Splice

LENGTH = Splice(0, b"\x08\0\0\0", b"\x0c\0\0\0")


@pytest.mark.parametrize(
    ("splices", "place"),
    [
        ((), None),
        ((LENGTH,), 0),
        ((LENGTH, Splice(40, b"ab", b"abcdef")), 42),
        ((Splice(40, b"ab", b"abcdef"), LENGTH), 42),
        ((Splice(40, b"ab", b"abcdef"), Splice(8, b"", b"x")), 43),  # what comes later lies before it
        ((Splice(40, b"abcdef", b""), LENGTH), 40),
    ],
)
def test_most_of_it_counts(splices: tuple[Splice, ...], place: int | None) -> None:
    assert place_of(splices) == place
