"""The words of a layout that are no plain data: amounts such as ``count * 4 - 2``, conditions such as ``1..3``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TypeAlias

from viewer.base.record import dataclass

Said: TypeAlias = "int | float | str"
"""What a field says: a number or a text."""
LONGEST = 200
"""Letters of an amount or a condition at most."""
_TERM = re.compile(r"([+-])([^+*\-]+)(?:\*(\d{1,12}))?")
_NUMBER = r"-?(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})"
_TEST = re.compile(rf"(not\s+)?(?:(&)?({_NUMBER})|({_NUMBER})?\.\.({_NUMBER})?)")


@dataclass(frozen=True, slots=True)
class Amount:
    """How much or where: a sum of numbers and fields.

    Args:
        terms: the name of a field, empty for a number by itself, and its factor.
    """

    terms: tuple[tuple[str, int], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The fields in it."""
        return tuple(name for name, _ in self.terms if name)

    @property
    def only(self) -> str:
        """The field that can follow where the amount changes: the only one in it, counted once; else empty."""
        named = [(name, factor) for name, factor in self.terms if name]
        return named[0][0] if len(named) == 1 and named[0][1] == 1 else ""

    def told(self, said: Mapping[str, Said]) -> int:
        """The amount; fields that are no whole numbers, or not there, count nothing."""
        total = 0
        for name, factor in self.terms:
            value = said.get(name, 0) if name else 1
            total += factor * value if isinstance(value, int) else 0
        return total


def parse_amount(found: object) -> Amount | None:
    """An amount from a layout: a number from 0 on, or a sum such as ``size * 4 - 8``; None for anything else."""
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 63:
        return Amount((("", found),))
    if not isinstance(found, str) or not found.strip() or len(found) > LONGEST:
        return None
    text = re.sub(r"\s*([+*-])\s*", r"\1", f"+{found.strip()}")
    terms, at = [], 0
    while at < len(text):
        term = _TERM.match(text, at)
        if term is None:
            return None
        sign, name, factor = -1 if term[1] == "-" else 1, term[2].strip(), int(term[3] or 1)
        is_number = name.isascii() and name.isdigit()
        if not name or (is_number and len(name) > len(str(1 << 63))):
            return None
        terms.append(("", sign * factor * int(name)) if is_number else (name, sign * factor))
        at = term.end()
    return Amount(tuple(terms))


@dataclass(frozen=True, slots=True)
class FieldCondition:
    """What a field may say: one of these.

    Args:
        tests: of a number: whether it is turned round, the mask of bits that must be set or -1, the lowest and the
            highest number; of a text its pattern.
        words: as the layout has it.
    """

    tests: tuple[tuple[bool, int, int | None, int | None] | str, ...]
    words: str

    def holds(self, said: Said) -> bool:
        """Whether a field that says this is as it should be."""
        return any(_holds(test, said) for test in self.tests)

    @property
    def letters(self) -> int:
        """How many letters of a text are fixed, in the pattern that says least."""
        return min(len(test.replace("*", "").replace("?", "")) if isinstance(test, str) else 0 for test in self.tests)


def _holds(test: tuple[bool, int, int | None, int | None] | str, said: Said) -> bool:
    if isinstance(test, str):
        return isinstance(said, str) and fnmatchcase(said, test)
    turned, mask, low, high = test
    if isinstance(said, str):
        return False
    if mask >= 0:
        inside = isinstance(said, int) and said & mask == mask
    else:
        inside = (low is None or said >= low) and (high is None or said <= high)
    return inside is not turned


def parse_condition(found: object, is_text: bool | None) -> FieldCondition | None:
    """A condition from a layout; None for what is none.

    Args:
        found: for a number ``3``, ``"1..3"``, ``"2.."``, ``"&4"`` (that bit is set), ``"not 0"``; for a text a pattern
            with ``*`` and ``?``; or a list of such.
        is_text: whether the field is a text; None where it may be both, as a value: what is quoted is a pattern then.
    """
    tests = []
    listed = found if isinstance(found, list) else [found]
    for each in listed:
        test = _test(each, is_text)
        if test is None:
            return None
        tests.append(test)
    return FieldCondition(tuple(tests), ", ".join(map(str, listed))) if tests else None


def _test(found: object, is_text: bool | None) -> tuple[bool, int, int | None, int | None] | str | None:
    if is_text or (is_text is None and isinstance(found, str)):
        return found if isinstance(found, str) and len(found) <= LONGEST else None
    if isinstance(found, int) and not isinstance(found, bool):
        return False, -1, found, found
    match = _TEST.fullmatch(found.strip()) if isinstance(found, str) and len(found) <= LONGEST else None
    if match is None or found == "..":
        return None
    turned, number = match[1] is not None, match[3]
    if number is not None:
        value = int(number, 0) if "x" in number.lower() else int(number)
        if match[2] is not None:
            return (turned, value, None, None) if value > 0 else None
        return turned, -1, value, value
    low, high = (
        None if each is None else int(each, 0) if "x" in each.lower() else int(each) for each in match.group(4, 5)
    )
    if low is not None and high is not None and low > high:
        return None
    return turned, -1, low, high
