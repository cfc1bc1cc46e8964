"""Floats as the engines read them from a text, which is not always the nearest one, and spellings that they read right.

Source: ``built_in_strtod`` in ``core/string/ustring.cpp``; 3.2.3 and 4.6 asked for 807 numbers each.
"""

from __future__ import annotations

import re
from itertools import chain

from viewer.base.late_pattern import late_pattern

MOST_DIGITS, HALF = 18, 9
"""So many digits are read, in two halves; what follows only moves the point."""
MOST_EXPONENT = 511
SAFE_DIGITS = 15
"""With so many digits, and a small exponent, each number is read right."""
_POWERS = (1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256)
_PIECE = late_pattern(
    r'"(?:[^"\\]|\\.)*"|(?<![\w.])(-?)(?:(inf)|(\d+\.\d+|\d+(?=e))(?:e([-+]?\d+))?|(0))(?![\w.])', re.DOTALL
)
INFINITE = "1e400"
"""Infinity for Godot 3, which has no word for it in front of a minus and inside of vectors."""
_NEAR = 300


def engine_float(text: str) -> float:
    """What the engines read from the text of a number."""
    sign = -1.0 if text.startswith("-") else 1.0
    mantissa, _, exponent = text.lstrip("+-").partition("e")
    whole, _, rest = mantissa.partition(".")
    digits = (whole + rest)[:MOST_DIGITS]
    shift = len(whole) - len(digits) + int(exponent or 0)
    number = 1e9 * int(digits[:-HALF] or 0) + int(digits[-HALF:] or 0)
    scale, left = 1.0, min(abs(shift), MOST_EXPONENT)
    for power in _POWERS:
        if left & 1:
            scale *= power
        left >>= 1
    return sign * (number / scale if shift < 0 else number * scale)


def respelled(literal: str, is_old: bool = False) -> str:
    """The text of a value, each float in it spelled so that the engines read it as it is, if there is such a spelling.

    Args:
        literal: the text.
        is_old: whether Godot 3 reads it, which does not take every ``inf``.
    """
    if is_old and "inf" in literal:
        literal = _PIECE.sub(lambda found: f"{found[1]}{INFINITE}" if found[2] else found[0], literal)
    return _PIECE.sub(_spelled, literal)


def is_misread(number: float) -> bool:
    """Whether the engines read another number from every spelling of a float."""
    if number != number or number in (float("inf"), -float("inf")):
        return False
    return engine_float(_spelling(repr(abs(number)))) != abs(number)


def _spelled(found: re.Match[str]) -> str:
    mantissa = found[3]
    if found[5] and found[1]:
        return "-0.0"  # without a point it is a whole number, which has no sign there
    if mantissa is None or (len(mantissa) <= SAFE_DIGITS and found[4] is None):
        return found[0]
    return found[1] + _spelling(found[0].removeprefix("-"))


def _spelling(text: str) -> str:
    """A spelling of a number without sign that the engines read right; the same one where there is none."""
    number = float(text)
    if number in (0.0, float("inf")) or number != number or engine_float(text) == number:
        return text
    for places in (MOST_DIGITS - 2, MOST_DIGITS - 1):
        mantissa, _, exponent = f"{number:.{places}e}".partition("e")
        whole = int(mantissa.replace(".", ""))
        for step in chain.from_iterable((step, -step) for step in range(_NEAR)):
            digits = str(whole + step)
            if len(digits) != places + 1:
                continue
            near = _plain(digits, int(exponent))
            if float(near) != number:
                if step > 0:
                    break
                continue
            if engine_float(near) == number:
                return near
    return text


def _plain(digits: str, exponent: int) -> str:
    """Digits with a point behind the first one and an exponent, or without it where that is short."""
    if 0 <= exponent < len(digits) - 1:
        return f"{digits[: exponent + 1]}.{digits[exponent + 1 :]}"
    if -5 < exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    return f"{digits[0]}.{digits[1:]}e{exponent:+03d}"
