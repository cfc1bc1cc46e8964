"""Numbers as a person reads them: counts with their units, and shares."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern

_NUMBERS = late_pattern(
    r"""“[^”]{0,200}” | "[^"]{0,200}"  # what stands in quotes is from the file
      | \b(?:port|id|peer|node|sequence|packet)[ ]\d+  # what is called by a number, not counted
      | \ba[ ]port[^.]*?[ ]is[ ]a[ ]number[ ]from[ ][01][ ]to[ ]\d+
      | (?<! [\w.,:/#@\[] ) (\d{1,3} (?:,\d{3}){1,8} | [1-9]\d{4,24}) (?! [\w/\]] | [.,:]\d )""",
    re.VERBOSE | re.IGNORECASE,
)


def counted(number: int, unit: str) -> str:
    """A number with its unit: ``1 pair``, ``1 500 pairs``."""
    return f"{grouped(number)} {unit}" if number == 1 else f"{grouped(number)} {unit}s"


def grouped(number: int) -> str:
    """A number with its digits in groups of three, kept together by a narrow space; up to 9999 as it is."""
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", "\u202f")


def grouped_in(sentence: str) -> str:
    """A sentence for other programs with its numbers as people read them; offsets, paths and quotes stay as they are.

    What is found in bytes is told in sentences that the command line prints too, with plain numbers.
    """
    return _NUMBERS.sub(_grouped, sentence)


def _grouped(found: re.Match[str]) -> str:
    return grouped(int(found[1].replace(",", ""))) if found[1] else found[0]


def percent(confidence: float) -> str:
    """A confidence as a share that never says all or nothing."""
    share = round(confidence * 100)
    return "< 1 %" if share < 1 else "> 99 %" if share > 99 else f"{share} %"
