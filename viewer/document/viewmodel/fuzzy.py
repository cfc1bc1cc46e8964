"""Fuzzy matching: the letters of a pattern, in order, somewhere in a text; the closer they stand the better."""

from __future__ import annotations

from viewer.base.record import dataclass

LONGEST = 120
"""So many letters of a text are looked at."""
MOST = 40
"""So many letters of a pattern are."""
ADJACENT, WORD_START, FIRST = 5, 4, 3
Found = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class FuzzyMatch:
    """How a pattern lies in a text.

    Args:
        score: higher is better.
        places: indexes of the letters that were found, rising.
    """

    score: int
    places: tuple[int, ...]


def match(pattern: str, text: str) -> FuzzyMatch | None:
    """The best way in which *pattern*, without its blanks and in either case, lies in *text*; None for none."""
    wanted = [sign.casefold() for sign in pattern if not sign.isspace()][:MOST]
    letters = [sign.casefold() for sign in text[:LONGEST]]
    ends: dict[int, Found] = {-1: (0, ())}
    for sign in wanted:
        ends = _extended(ends, sign, letters)
        if not ends:
            return None
    score, places = max(ends.values(), key=lambda found: (found[0], [-place for place in found[1]]))
    return FuzzyMatch(score, places)


def _extended(ends: dict[int, Found], sign: str, letters: list[str]) -> dict[int, Found]:
    """The best way to each place of *sign*, one letter further than *ends*, which are by their last place."""
    out: dict[int, Found] = {}
    for place, letter in enumerate(letters):
        if letter != sign:
            continue
        before = [(score + _bonus(last, place), places) for last, (score, places) in ends.items() if last < place]
        if before:
            score, places = max(before, key=lambda found: found[0])
            begins = place == 0 or not letters[place - 1].isalnum()
            out[place] = (score + WORD_START * begins + FIRST * (place == 0), (*places, place))
    return out


def _bonus(last: int, place: int) -> int:
    """Letters side by side are worth more than such with others between them."""
    return ADJACENT if last >= 0 and place == last + 1 else 0
