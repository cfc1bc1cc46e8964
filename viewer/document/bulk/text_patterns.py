"""Patterns for texts that cannot run away: the re module, kept to what it decides soon.

A pattern takes a backtracking matcher exponential time where something repeated repeats inside, and a polynomial one
where several repeats stand in a row; both are refused, and long texts are not looked at.
"""

from __future__ import annotations

import re

from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import BulkError, ValueProblem

LONGEST_PATTERN = 200
LONGEST_TEXT = 500
"""Characters of a text that a pattern is held against."""
MOST_REPEATS = 2
MOST_WAYS = 64
SMALL_COUNT = 16
_REPEAT = re.compile(r"[*+?]|\{(\d*)(,?)(\d*)\}")
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]")


@dataclass(slots=True)
class _Group:
    """What a group holds."""

    repeats: bool = False
    chooses: bool = False


def bounded(pattern: str, position: int) -> re.Pattern[str]:
    """The pattern, compiled.

    Raises:
        BulkError: it is no pattern, or one that may take for ever.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise BulkError(f"A pattern has at most {LONGEST_PATTERN} characters.", position)
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise BulkError(f"This is not a pattern: {error}.", position) from error
    _check(pattern, position)
    return compiled


def _check(pattern: str, position: int) -> None:
    groups, closed, repeats, ways, at = [_Group()], _Group(), 0, 1, 0
    while at < len(pattern):
        sign, behind = pattern[at], at + 1
        is_group = False
        if sign == "\\":
            if pattern[behind : behind + 1].isdigit() and pattern[behind] != "0":
                raise BulkError("A pattern here cannot refer back to a group.", position)
            behind = at + 2
        elif sign == "[":
            match = _CLASS.match(pattern, at)
            behind = match.end() if match is not None else behind
        elif sign == "(":
            behind = _opened(pattern, at, position)
            groups.append(_Group())
            at = behind
            continue
        elif sign == ")":
            closed, is_group = groups.pop(), True
            groups[-1].repeats |= closed.repeats
            groups[-1].chooses |= closed.chooses
        elif sign == "|":
            groups[-1].chooses = True
        repeat = _REPEAT.match(pattern, behind)
        if repeat is not None and sign != "|":
            if is_group and (closed.repeats or closed.chooses):
                raise BulkError("A repeated group may hold no repeat and no choice: that may take forever.", position)
            groups[-1].repeats = True
            repeats += _ways(repeat) == 0
            ways *= max(1, _ways(repeat))
            behind = repeat.end() + (pattern[repeat.end() : repeat.end() + 1] in ("?", "+"))
        at = behind
    if ways > MOST_WAYS:
        raise BulkError("There are too many ? and {…} in this pattern: that may take forever.", position)
    if repeats > MOST_REPEATS:
        raise BulkError(
            f"A pattern has at most {MOST_REPEATS} open repeats (* or +), and needs none at its ends.", position
        )


def _opened(pattern: str, at: int, position: int) -> int:
    """What stands behind the opening of a group."""
    if not pattern.startswith("(?", at):
        return at + 1
    if pattern.startswith(("(?:", "(?i)"), at):
        return at + 3
    raise BulkError("Of the groups that begin with (? only (?:…) and (?i) are known here.", position)


def _ways(repeat: re.Match[str]) -> int:
    """In how many ways a repeat can be counted, 0 where it may go on over much of a text."""
    if repeat[0] == "?":
        return 2
    if repeat[0][0] != "{":
        return 0
    least, most = repeat[1] or "0", repeat[3] if repeat[2] else repeat[1]
    if not most or len(most) > 3 or int(most) > SMALL_COUNT:
        return 0
    return max(1, int(most) - int(least) + 1)


def holds(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern is found in a text.

    Raises:
        ValueProblem: the text is too long to be looked at.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueProblem(f"“matches” looks at texts of up to {LONGEST_TEXT} characters; this one is longer.", True)
    return pattern.search(text) is not None
