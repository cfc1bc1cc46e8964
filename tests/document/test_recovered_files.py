"""Damaged saves, opened as the program opens them: what is whole is still shown, in whatever way they were broken."""

from __future__ import annotations

import os

import pytest
from document.recovery_files import Saved, run, saves
from variant.recovery_cases import Tally, shares, total

CASES = int(os.environ.get("RECOVERY_CASES", "160"))
FEWEST = 200
LOST_BY_RULE = 0.01
"""Of cases in which less is shown than a game reads before its first error, though the engine line is told.

The game knows where its own bytes end; the program must find its values behind them. There it believes no null value
that no frame follows, no value without words whose length lies, and no broken one of which few bytes can be read.
"""
LOST_BY_GUESS = 0.015
"""The same where the engine line is found: a small file that breaks early may look more like one of another engine."""


@pytest.fixture(scope="module")
def sound() -> list[Saved]:
    return saves()


@pytest.fixture(scope="module")
def found(sound: list[Saved]) -> dict[str, Tally]:
    return run(7, CASES, sound)


@pytest.fixture(scope="module")
def told(sound: list[Saved]) -> dict[str, Tally]:
    return run(7, CASES, sound, told=True)


def test_what_is_undamaged_is_read_as_its_game_reads_it(sound: list[Saved]) -> None:
    assert len(sound) > 30
    for saved in sound:
        assert saved.until_error(saved.sample.raw).keys() == saved.leaves.keys(), saved.sample.name


def test_nine_in_ten_intact_values_of_a_damaged_save_are_shown(found: dict[str, Tally]) -> None:
    every = total(found.values())
    assert every.shown >= 0.9 * every.intact, shares(found)
    assert every.shown > every.first


def test_more_are_shown_where_the_engine_line_is_told(found: dict[str, Tally], told: dict[str, Tally]) -> None:
    assert total(told.values()).shown >= max(0.95 * total(told.values()).intact, total(found.values()).shown)


def test_no_damage_empties_the_tree(found: dict[str, Tally], told: dict[str, Tally]) -> None:
    assert total(found.values()).empty == total(told.values()).empty == 0


def test_hardly_ever_is_less_shown_than_the_game_reads_before_its_first_error(
    found: dict[str, Tally], told: dict[str, Tally]
) -> None:
    for tallies, share in ((told, LOST_BY_RULE), (found, LOST_BY_GUESS)):
        worse = total(tallies.values()).worse
        assert len(worse) <= share * max(CASES, FEWEST), [(each.sample, each.way, each.span) for each in worse]


def test_told_the_engine_line_never_is_less_shown_where_all_bytes_are_values(
    sound: list[Saved], told: dict[str, Tally]
) -> None:
    """Where a game puts bytes of its own in front of a value, only the game knows how many."""
    foreign = {saved.sample.name for saved in sound if saved.gaps}
    worse = [each for each in total(told.values()).worse if each.sample not in foreign]
    assert not worse, [(each.sample, each.way, each.span) for each in worse]
