"""The flat arguments of a literal: numbers between brackets, each checked against its field."""

from __future__ import annotations

from viewer.variant.literal.lexer import LiteralReader, shown
from viewer.variant.literal.numbers import (
    F32_LARGEST,
    F64_LARGEST,
    RANGES,
    SPOKEN,
    floating,
    is_integer,
    narrow_real,
    to_f32,
    whole,
)


def number(reader: LiteralReader, token: str, form: str, start: int, subject: str = "") -> int | float:
    """The number that a token means in a field of this form.

    Args:
        start: where the token stands, for the error.
        subject: what the error calls the field; by default what its form is called.

    Raises:
        LiteralError: it is no number, has a fraction where none can be, or does not fit.
    """
    double = floating(token)
    end = start + len(token)
    if double is None:
        what = f"{shown(token)} is not a number." if token else "A number is missing."
        raise reader.error(what, start)
    subject = subject or SPOKEN[form]
    if is_integer(form):
        return _integer(reader, token, double, form, start, subject)
    infinite = double in (float("inf"), float("-inf"))
    sign = "-" if token.startswith("-") else ""
    if infinite and "n" not in token.lower():
        raise reader.error(f"{shown(token)} is too large for {subject}.", start, end, sign + F64_LARGEST)
    if form == "f64" or infinite:
        return double
    if form == "real":
        return narrow_real(double, token)
    single = to_f32(double)
    if single is None:
        reason = f"{shown(token)} is too large for {subject}. The largest value is {F32_LARGEST}."
        raise reader.error(reason, start, end, sign + F32_LARGEST)
    return single


def _integer(reader: LiteralReader, token: str, double: float, form: str, start: int, subject: str) -> int:
    end = start + len(token)
    integer = whole(token)
    if integer is None:
        if not double.is_integer():
            fix = None if double != double or abs(double) == float("inf") else str(int(double))
            raise reader.error(f"{shown(token)} is not whole, but {subject} has no fraction.", start, end, fix)
        integer = int(double)
    low, high = RANGES[form]
    if low <= integer <= high:
        return integer
    side, word, bound = ("large", "largest", high) if integer > high else ("small", "smallest", low)
    much = "One" if abs(integer - bound) == 1 else shown(token) + " is"
    reason = f"{much} too {side} for {subject}. The {word} value is {bound}."
    raise reader.error(reason, start, end, str(bound))


def tokens_of(reader: LiteralReader, opening: str) -> tuple[int, list[str]]:
    """Where the arguments begin, and their texts."""
    start = reader.pos
    end = reader.text.find(")", start)
    if end < 0:
        reader.pos = len(reader.text)
        raise reader.error(f"The text ends behind “{opening}”: the closing bracket is missing.", None, reader.pos, ")")
    body = reader.text[start:end]
    reader.pos = end + 1
    listed = body.strip()
    if listed.startswith("[") and listed.endswith("]"):
        start, body = start + body.index("[") + 1, listed[1:-1]
    return start, body.split(",") if body.strip() else []


def converted(reader: LiteralReader, tokens: list[str], kinds: tuple[str, ...], start: int) -> list[int | float]:
    """The numbers that these texts mean, their forms in turn; *start* is where the first text begins."""
    out: list[int | float] = []
    step = len(kinds)
    for k, token in enumerate(tokens):
        bare = token.strip()
        try:
            out.append(number(reader, bare, kinds[k % step], 0))
        except ValueError:
            at = start + sum(map(len, tokens[:k])) + k + len(token) - len(token.lstrip())
            number(reader, bare, kinds[k % step], at)
    return out


def grouped(flat: list[int | float], size: int) -> tuple[int | float, ...] | tuple[tuple[int | float, ...], ...]:
    """Numbers as a packed array holds them: by themselves, or in tuples of this size."""
    return tuple(flat) if size == 1 else tuple(zip(*[iter(flat)] * size, strict=True))
