"""Fuzzy matching, and places among words."""

from __future__ import annotations

import pytest

from viewer.document.typed_places import place_in
from viewer.document.viewmodel.fuzzy import match


def score(pattern: str, text: str) -> int:
    found = match(pattern, text)
    assert found is not None
    return found.score


def test_letters_are_found_in_their_order_in_either_case() -> None:
    found = match("SA", "Save As…")
    assert found is not None
    assert found.places == (0, 1)
    assert match("vs", "Save As…") is not None
    assert match("xs", "Save As…") is None
    assert match("aass", "Save As…") is None


def test_an_empty_pattern_fits_everything() -> None:
    found = match("  ", "Undo")
    assert found is not None
    assert found.places == ()


def test_word_starts_and_runs_are_worth_more() -> None:
    assert score("np", "Next Pane") > score("np", "Open Recent: map")
    assert score("undo", "Undo") > score("undo", "unfolded door")
    assert score("redo", "Redo") > score("redo", "Shared folder")


def test_no_text_is_so_long_that_matching_takes_long() -> None:
    assert match("a" * 5000, "a" * 100_000) is not None
    assert match("b", "a" * 100_000 + "b") is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("@[0].player", "[0].player"),
        (" [0].player ", "[0].player"),
        ("@ 0x1A0", "0x1A0"),
        ("416", "416"),
        ("+16", "+16"),
        ("@gap0", "@gap0"),
        ("gold", ""),
        ("", ""),
    ],
)
def test_a_place_among_words_is_known_by_its_first_sign(text: str, place: str) -> None:
    assert place_in(text) == place
