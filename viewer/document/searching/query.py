"""Queries: what a person wrote into a search field, read."""

from __future__ import annotations

import re
import warnings
from enum import Enum

from viewer.base.record import dataclass

LIMIT = 10_000
"""So many places of one query are kept."""
HEX_DIGITS = frozenset("0123456789abcdef")


class QueryError(ValueError):
    """Something that cannot be looked for; the text is one sentence that says why."""


class SearchError(QueryError):
    """A search that cannot go on; the text is one sentence that says why."""


class Mode(Enum):
    """What a query is about; the value is its prefix."""

    ANY = ""
    TEXT = "text"
    KEY = "key"
    VALUE = "value"
    TYPE = "type"
    REGEX = "regex"
    HEX = "hex"
    NUMBER = "number"


PREFIXES = {mode.value: mode for mode in Mode if mode is not Mode.ANY} | {"bytes": Mode.HEX}


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Args:
        text: what stands behind the prefix, or all of it.
        mode: what it is about.
        case_sensitive: whether letters must match exactly.
    """

    text: str
    mode: Mode = Mode.ANY
    case_sensitive: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.text


def parse_query(text: str, case_sensitive: bool = False) -> Query:
    """Read what a person wrote: ``gold``, ``key: gold``, ``type: Vector2``, ``number: 5``, ``hex: 10 4? ??``.

    Raises:
        QueryError: the bytes, the number or the regular expression cannot be read.
    """
    mode, rest = split_mode(text)
    return query_for(rest, mode, case_sensitive)


def query_for(text: str, mode: Mode, case_sensitive: bool = False) -> Query:
    """A query for words without a prefix.

    Raises:
        QueryError: the bytes, the number or the regular expression cannot be read.
    """
    query = Query(text if mode is Mode.ANY else text.strip(), mode, case_sensitive)
    if mode is Mode.HEX and query.text:
        parse_bytes(query.text)
    if mode is Mode.NUMBER and query.text and parse_number(query.text) is None:
        raise QueryError(f"“{query.text}” is not a number: write 42, -1.5 or 0x1F.")
    if mode is Mode.REGEX and query.text:
        parse_regex(query.text)
    return query


def split_mode(text: str) -> tuple[Mode, str]:
    """What a person's words are about by their prefix, whether they can be read or not; and the words without it."""
    prefix, colon, rest = text.partition(":")
    mode = PREFIXES.get(prefix.strip().lower(), Mode.ANY) if colon else Mode.ANY
    return (mode, text) if mode is Mode.ANY else (mode, rest.strip())


def parse_regex(text: str) -> re.Pattern[str]:
    """A regular expression as Python writes them.

    Raises:
        QueryError: it is none; the sentence says what is wrong where.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text)
    except re.error as error:
        raise QueryError(_regex_words(text, error)) from error
    except (OverflowError, RecursionError):
        raise QueryError("This regular expression is too large: write a shorter one.") from None


WRONG_REGEX = (
    ("missing ), unterminated subpattern", "“(”{at} is never closed: add “)”, or write \\( for the character itself."),
    ("missing ), unterminated comment", "“(?#”{at} is never closed: add “)”, or write \\( for the character itself."),
    ("unbalanced parenthesis", "“)”{at} closes nothing: remove it, or write \\) for the character itself."),
    ("unterminated character set", "“[”{at} is never closed: add “]”, or write \\[ for the character itself."),
    (
        "nothing to repeat",
        "“{sign}”{at} repeats what precedes it, which is nothing: write \\{sign} for the character itself.",
    ),
    ("multiple repeat", "“{sign}”{at} repeats a repetition: remove it, or write \\{sign} for the character itself."),
    (
        "min repeat greater",
        "the repetition{at} has its larger number first: write the smaller one before it, like {{2,5}}.",
    ),
    (
        "bad character range",
        "the range{at} is not valid: write its lower end first, like a-z, or \\- for the character itself.",
    ),
    ("bad escape (end", "“\\” at the end stands for nothing: write \\\\ for the character itself."),
    ("bad escape", "“\\”{at} and the letter after it stand for nothing: write \\\\ for the character itself."),
    ("incomplete escape", "“\\”{at} lacks digits after it: write \\\\ for the character itself."),
    (
        "invalid group reference",
        "the number{at} names a group that is not there: put ( ) around what it is to find again.",
    ),
    ("unknown group name", "the name{at} is not that of a group: write (?P<name>…) around what it is to find again."),
    ("look-behind requires", "what is in (?<=…) must always have the same length: write it without * and +."),
    ("global flags", "“(?”{at} with letters for all of it must come first: move it to the beginning."),
)
"""How Python's words about an expression begin, and what a person is told: what is wrong, and what to do."""


def _regex_words(text: str, error: re.error) -> str:
    """One sentence about what is wrong with a regular expression, and what to do."""
    place = error.pos if error.pos is not None else len(text)
    at = f" at character {place + 1}" if place < len(text) else " at the end"
    told = next((words for start, words in WRONG_REGEX if error.msg.startswith(start)), None)
    if told is None:
        told = "something is wrong{at}: write \\ before each character that stands for itself, such as ( [ * + ?."
    return f"In this regular expression {told.format(at=at, sign=text[place : place + 1])}"


def parse_bytes(text: str) -> list[tuple[int, int]]:
    """Bytes in hex as (value, mask); ``?`` stands for any digit.

    Raises:
        QueryError: there are other signs, or a byte has one digit.
    """
    digits = re.sub(r"0[xX]|[\s,]", "", text).lower()
    wrong = next((sign for sign in digits if sign not in HEX_DIGITS and sign != "?"), None)
    if wrong is not None:
        raise QueryError(f"“{wrong}” is not a hex digit: write bytes as 10 27 4? ??.")
    if len(digits) % 2:
        raise QueryError("A byte has two digits: write 0A, not A; ? stands for any digit.")
    return [_masked(digits[k : k + 2]) for k in range(0, len(digits), 2)]


def _masked(pair: str) -> tuple[int, int]:
    value = mask = 0
    for digit in pair:
        value, mask = value << 4, mask << 4
        if digit != "?":
            value, mask = value | int(digit, 16), mask | 15
    return value, mask


def parse_number(text: str) -> int | float | None:
    """A number as a person writes it, None for anything else."""
    text = text.strip().replace("_", "")
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text) if re.fullmatch(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?", text) else None
    except ValueError:
        return None
