"""Texts that say a number, a truth or a colour, and how each is written."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from viewer.variant import html_colour
from viewer.variant.convert.numbers import fitted
from viewer.variant.convert.tally import Change, ConvertError, Tally, spelt
from viewer.variant.dialect import Dialect
from viewer.variant.literal.numbers import FLOAT_WORD, NUMBER, floating, is_integer, to_f32, whole
from viewer.variant.value import Number

LONGEST_NUMBER = 1000
TRUTHS = {"true": True, "false": False}


def number_of(text: str, form: str, tally: Tally) -> Number:
    """The number that a text says, in the way in which the engine's literals are written.

    Raises:
        ConvertError: it says none, or one that the form cannot hold.
    """
    token = text.strip()
    if len(token) > LONGEST_NUMBER or not (NUMBER.fullmatch(token) or FLOAT_WORD.fullmatch(token)):
        raise ConvertError(f"{spelt(text)} is not a number.")
    exact = whole(token)
    if exact is not None and is_integer(form):
        return fitted(exact, form, tally)
    said = floating(token)
    assert said is not None
    if said in (float("inf"), float("-inf")) and FLOAT_WORD.fullmatch(token) is None:
        raise ConvertError(f"{spelt(text)} is too large for a number.")
    number = fitted(said, form, Tally())
    if number == number and not _is_said(number, token, exact):
        tally.change(Change.WRITTEN, text, number)
    return number


def _is_said(number: Number, token: str, exact: int | None) -> bool:
    """Whether a token says just this number, but for digits that no float of that size keeps."""
    if exact is not None:
        return exact == number
    if FLOAT_WORD.fullmatch(token):
        return isinstance(number, float)
    try:
        said = Decimal(token.replace("_", ""))
    except InvalidOperation:
        return False
    short = f"{number:.6g}" if isinstance(number, float) and to_f32(float(token.replace("_", ""))) == number else ""
    return said == Decimal(repr(number)) or (bool(short) and said == Decimal(short))


def truth_of(text: str, tally: Tally) -> bool:
    """The bool that a text says: ``true``, ``false``, or a number.

    Raises:
        ConvertError: it says none.
    """
    known = TRUTHS.get(text.strip())
    if known is not None:
        return known
    try:
        number = number_of(text, "f64", Tally())
    except ConvertError:
        raise ConvertError(f"{spelt(text)} is neither true nor false.") from None
    if number not in (0, 1):
        tally.change(Change.TRUTH, text, bool(number))
    return bool(number)


def colour_of(text: str, dialect: Dialect) -> tuple[float, ...]:
    """The colour of an HTML text such as ``#ff8800``; four numbers from 0 to 1.

    Raises:
        ConvertError: the text is none.
    """
    found = html_colour.colour_of(text, dialect)
    if found is None:
        raise ConvertError(f"{spelt(text)} is not a colour; one is written like “#ff8800”.")
    return found


def colour_text(numbers: tuple[float, ...], dialect: Dialect, tally: Tally) -> str:
    """A colour as HTML text, its alpha left out where it is 1.

    Raises:
        ConvertError: a number is no part of a colour.
    """
    if any(number != number for number in numbers):
        raise ConvertError("A colour with NaN in it cannot become a text.")
    text = html_colour.text_of(numbers, dialect)
    if any(back != number for back, number in zip(colour_of(text, dialect), numbers, strict=True)):
        tally.say(f"The colour is rounded to {spelt(text)}")
    return text
