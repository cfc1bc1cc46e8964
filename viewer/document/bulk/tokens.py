"""Tokens: the text of a bulk edit in words, numbers, texts and signs.

Values that only the engine's own text form can write (lists, ``Color(…)``) are no tokens: the parser cuts them out by
their brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from viewer.document.bulk.error import BulkError

LONGEST = 4000
"""Characters that a bulk edit may have."""
SIGNS = ("->", "..", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}")
MORE_SIGNS = (",", ".", "?", "#", "@", "&", "^")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[^\W\d]\w*")
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_QUOTED_NAME = re.compile(r"`[^`]*`")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


class Sort(Enum):
    """What a token is."""

    NUMBER = "number"
    WORD = "word"
    NAME = "name in backticks"
    TEXT = "text"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token as it is written, and where it begins and ends, in characters."""

    sort: Sort
    text: str
    start: int
    end: int

    def is_sign(self, *signs: str) -> bool:
        """Whether this is one of these signs."""
        return self.sort is Sort.SIGN and self.text in signs

    def is_word(self, *words: str) -> bool:
        """Whether this is one of these words."""
        return self.sort is Sort.WORD and self.text in words


def tokens(text: str) -> list[Token]:
    """All tokens, an end behind them.

    Raises:
        BulkError: a sign means nothing, a text does not end, or there is too much of it.
    """
    if len(text) > LONGEST:
        raise BulkError(f"A bulk edit has at most {LONGEST} characters; make it in several steps.", LONGEST)
    out: list[Token] = []
    at = 0
    while at < len(text):
        space = _SPACE.match(text, at)
        if space is not None:
            at = space.end()
            continue
        token = _token(text, at, out[-1] if out else None)
        out.append(token)
        at = token.end
    return [*out, Token(Sort.END, "", len(text), len(text))]


def _token(text: str, at: int, before: Token | None) -> Token:
    for sort, pattern in ((Sort.NUMBER, _NUMBER), (Sort.WORD, _WORD), (Sort.TEXT, _TEXT), (Sort.NAME, _QUOTED_NAME)):
        match = pattern.match(text, at)
        if match is not None and not (match[0][0] == "." and before is not None and before.end == at):
            return Token(sort, match[0], at, match.end())
    sign = next((sign for sign in (*SIGNS, *MORE_SIGNS) if text.startswith(sign, at)), None)
    if sign is None:
        raise _unknown(text[at], at)
    return Token(Sort.SIGN, sign, at, at + len(sign))


def _unknown(sign: str, at: int) -> BulkError:
    if sign in "\"'`":
        return BulkError(f"The text or name that begins here does not end: write another {sign} behind it.", at)
    if sign == "=":
        return BulkError("Two values are compared with ==, and a new value stands behind ->.", at)
    meant = {"!": "not", "|": "or", "→": "->", "“": '"', "”": '"'}.get(sign)
    return BulkError(f"“{sign}” means nothing here" + (f"; write {meant}." if meant else "."), at)


def bracket_end(text: str, start: int) -> int:
    """Where the bracket that opens at *start* has closed; texts and inner brackets are stepped over.

    Raises:
        BulkError: it does not close.
    """
    open_ones: list[str] = []
    at = start
    while at < len(text):
        quoted = _TEXT.match(text, at)
        if quoted is not None:
            at = quoted.end()
            continue
        if text[at] in _CLOSERS:
            open_ones.append(_CLOSERS[text[at]])
        elif open_ones and text[at] == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at + 1
        at += 1
    raise BulkError(
        f"A bracket opens here and does not close: write {_CLOSERS[text[start]]} behind what it holds.", start
    )
