"""Arithmetic in a number's place: ``5000+5``, ``(3+4)*2``, and ``+5`` or ``*2`` from the number that stands there."""

from __future__ import annotations

import math

from viewer.base.late_pattern import late_pattern
from viewer.variant.literal.numbers import NUMBER, floating, whole

TOKEN = late_pattern(
    r"\s*(0[xX][0-9a-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?|[-+*/()])"
)
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3}
LONGEST = 200
"""More characters are no arithmetic that anybody types."""
LARGEST = 1 << 1000
"""No number of a file comes near it; what grows over it is not counted on."""


class ArithmeticProblem(ValueError):
    """A text is no arithmetic.

    Args:
        message: one sentence for a person.
        position: the character that is wrong.
    """

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


def is_arithmetic(text: str) -> bool:
    """Whether a text is to be counted out: no number alone, no word, but ``+5``, ``*2``, ``5+5`` and ``(5``."""
    text = text.strip()
    if len(text) > LONGEST or not text:
        return False
    if text[0] in "+*/(=" or text.startswith("-="):
        return True
    is_digit = text[0].isdigit() or text[0] in ".-"
    return is_digit and NUMBER.fullmatch(text) is None and any(sign in text[1:] for sign in "+-*/(")


def calculate(text: str, now: int | float) -> int | float:
    """The number that arithmetic comes to; whole as long as all in it is.

    Args:
        text: numbers, ``+ - * /`` and brackets; an operator in front goes on from *now*, but ``-5`` is minus five.
            ``-=5`` takes five away, ``+=5`` adds them. An equals sign in front means nothing more.
        now: the number that stands there.

    Raises:
        ArithmeticProblem: it is none, or has no result.
    """
    tokens = _typed(text)
    if is_relative(text):
        tokens.insert(0, (now, 0))
    return _evaluated(_postfix(tokens, len(text)), text)


def is_relative(text: str) -> bool:
    """Whether arithmetic goes on from the number that stands there."""
    return text.lstrip().startswith(("+", "*", "/", "-="))


def written_out(text: str, now: str) -> str:
    """Arithmetic with *now* in the place of the number that it goes on from, and a blank beside each operator.

    Raises:
        ArithmeticProblem: it is none.
    """
    tokens = _typed(text)
    _postfix([(1, 0), *tokens] if is_relative(text) else tokens, len(text))
    out, is_behind = (now, True) if is_relative(text) else ("", False)
    for token, _ in tokens:
        if not isinstance(token, str):
            out, is_behind = f"{out}{token!r}", True
        elif token in "()":
            out, is_behind = f"{out}{token}", token == ")"
        else:
            out, is_behind = f"{out} {token} " if is_behind else f"{out}{token}", False
    return out


def _typed(text: str) -> list[tuple[int | float | str, int]]:
    return _tokens(text.replace("=", " ", 1) if text.lstrip().startswith("=") else text)


def _tokens(text: str) -> list[tuple[int | float | str, int]]:
    found: list[tuple[int | float | str, int]] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = TOKEN.match(text, at)
        if match is None:
            raise ArithmeticProblem(f"“{text[at:].strip()[:24]}” is not a number.", at)
        word, at = match[1], match.end()
        if word[0].isdigit() or word[0] == ".":
            number = whole(word)
            decimal = floating(word) if number is None else None
            if number is None and decimal is None:
                raise ArithmeticProblem(f"“{word[:24]}” is not a number.", match.start(1))
            found.append((number if number is not None else decimal or 0.0, match.start(1)))
        else:
            found.append((word, match.start(1)))
            if len(found) == 1 and word in "+-*/" and text[at : at + 1] == "=":
                at += 1
    return found


def _postfix(tokens: list[tuple[int | float | str, int]], end: int) -> list[tuple[int | float | str, int]]:
    """Numbers before their operators, by the rules of school; brackets are gone."""
    out: list[tuple[int | float | str, int]] = []
    waiting: list[tuple[str, int]] = []
    wants_number = True
    for token, place in tokens:
        if not isinstance(token, str):
            if not wants_number:
                raise ArithmeticProblem("An operator such as + is missing between two numbers.", place)
            out.append((token, place))
            wants_number = False
        elif token == "(":
            if not wants_number:
                raise ArithmeticProblem("An operator such as * is missing before the bracket.", place)
            waiting.append((token, place))
        elif token == ")":
            if wants_number:
                raise ArithmeticProblem("A number is missing before the bracket.", place)
            while waiting and waiting[-1][0] != "(":
                out.append(waiting.pop())
            if not waiting:
                raise ArithmeticProblem("The bracket that this one closes is missing.", place)
            waiting.pop()
        elif wants_number:
            if token not in "+-":
                raise ArithmeticProblem(f"A number is missing before “{token}”.", place)
            if token == "-":
                waiting.append(("negative", place))
        else:
            while waiting and PRECEDENCE.get(waiting[-1][0], 0) >= PRECEDENCE[token]:
                out.append(waiting.pop())
            waiting.append((token, place))
            wants_number = True
    if wants_number:
        raise ArithmeticProblem("A number is missing at the end.", end)
    while waiting:
        if waiting[-1][0] == "(":
            raise ArithmeticProblem("The bracket is not closed.", waiting[-1][1])
        out.append(waiting.pop())
    return out


def _evaluated(postfix: list[tuple[int | float | str, int]], text: str) -> int | float:
    stack: list[int | float] = []
    for token, place in postfix:
        if not isinstance(token, str):
            stack.append(token)
        elif token == "negative":
            stack.append(-stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            if token == "/" and right == 0:
                raise ArithmeticProblem("Nothing can be divided by zero.", place)
            stack.append(_applied(token, left, right))
            if isinstance(stack[-1], int) and abs(stack[-1]) > LARGEST:
                raise ArithmeticProblem("The result is larger than any number here.", place)
    return stack[0]


def _applied(sign: str, left: int | float, right: int | float) -> int | float:
    try:
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        is_whole = isinstance(left, int) and isinstance(right, int) and left % right == 0
        return left // right if is_whole else left / right
    except OverflowError:
        return math.inf
