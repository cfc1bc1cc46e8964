"""How likely a mend is said to be, by what can be seen of it."""

from __future__ import annotations

import pytest

from viewer.base.span import Span
from viewer.text.mend_shares import SHARES, MendForm, drops, likelihood

ONE = MendForm(False, 1, 0, False, False, 0)


@pytest.mark.parametrize(
    ("old", "fresh", "is_dropped"),
    [
        (b"250", b"25", True),
        (b"250", b'"250"', False),
        (b".5", b"0.5", False),
        (b"True", b"true", False),
        (b"fals", b"false", False),
        (b"SubResource( 2", b"2", True),
        (b",,", b",", False),
    ],
)
def test_letters_and_digits_that_are_gone_are_dropped(old: bytes, fresh: bytes, is_dropped: bool) -> None:
    assert drops(b"x=" + old, [(Span(2, 2 + len(old)), fresh)]) is is_dropped


def test_what_speaks_against_a_mend_makes_it_less_likely() -> None:
    first = likelihood(ONE)
    against = (
        MendForm(False, 1, 2, True, False, 0),
        MendForm(False, 3, 0, False, False, 0),
        MendForm(False, 1, 0, False, True, 0),
        MendForm(False, 1, 0, False, False, 2),
        MendForm(True, 1, 0, False, False, 0, is_guess=True),
        MendForm(False, 5, 0, False, False, 0, is_beyond=True),
    )
    assert all(likelihood(form) < first for form in against)


def test_all_offers_together_are_no_more_than_certain() -> None:
    for name in SHARES:
        parts = name.split(", ")
        form = MendForm(
            parts[0] == "whole",
            {"one": 1, "two": 2, "more": 3}.get(parts[0], 1),
            int("rivals" in parts),
            "drops" in parts,
            False,
            int(name == "some left"),
            name == "guess",
        )
        assert form.name == name
        assert sum(likelihood(form, rank) for rank in range(6)) <= 1
