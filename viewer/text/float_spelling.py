"""Floats as the engines read them from a text, which is not always the nearest one, and spellings that they read right.

Source: ``built_in_strtod`` in ``core/string/ustring.cpp``; JSON, settings, resources and ``str_to_var`` all come to it.
3.2.3 and 4.6 were asked for 3600 numbers each, ``tests/data/numbers`` has most of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from viewer.base.late_pattern import late_pattern

MOST_DIGITS = 18
"""So many digits are read, zeros in front of them too; what follows only moves the point."""
MOST_EXPONENT, LARGEST_FINITE = 511, 308
SAFE_DIGITS = 15
"""With so many digits, and a small exponent, each number is read right."""
LEAST, _SMALL = 1e-307, "e-3"
"""The smallest numbers that engines read are a little smaller."""
BITS_OF_EXPONENT = 32
"""In so many bits an exponent is counted, and begins anew behind them."""
BINARY_POWERS = (1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256)
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_PIECE = late_pattern(_TEXT + r"|(?<![\w.])(-?)(?:(inf)|(\d+\.\d+|\d+(?=e))(?:e([-+]?\d+))?|(0))(?![\w.])", re.DOTALL)
_READ = late_pattern(
    _TEXT + r"|(?<![\w.])-?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)(?![\w.])", re.DOTALL
)
INFINITE = "1e400"
"""Infinity for Godot 3, which has no word for it in front of a minus and inside of vectors."""
_INF = float("inf")
_COUNTS = (MOST_DIGITS - 2, MOST_DIGITS - 1, MOST_DIGITS)
"""So many digits of a float are tried: each count leads to other ones."""
_NEAR = 2
"""So many numbers on each side are tried as the digits of one."""
_SPELLED = 1 << 12


def _scale(exponent: int) -> float:
    scale = 1.0
    for power in BINARY_POWERS:
        if exponent & 1:
            scale *= power
        exponent >>= 1
    return scale


SCALES = tuple(map(_scale, range(MOST_EXPONENT + 1)))
"""The powers of ten as the engines have them: the larger ones are products, and rounded more than once."""


def engine_float(text: str) -> float:
    """What the engines read from the text of a number."""
    if len(text) <= SAFE_DIGITS and text.strip("-.0123456789") == "":
        return float(text)
    sign = -1.0 if text.startswith("-") else 1.0
    mantissa, _, exponent = text.lstrip("+-").lower().partition("e")
    whole, _, rest = mantissa.partition(".")
    digits = (whole + rest)[:MOST_DIGITS]
    shift = _raised(len(whole) - len(digits), exponent) if exponent else len(whole) - len(digits)
    number, scale = float(int(digits or "0")), SCALES[min(abs(shift), MOST_EXPONENT)]
    return sign * (number / scale if shift < 0 else number * scale)


def _raised(shift: int, exponent: str) -> int:
    """How far the point is moved with an exponent of any number of digits, which the engines count in 32 bits."""
    exponent = exponent[-1000:] if exponent[0] not in "+-" else exponent[0] + exponent[1:][-1000:]
    half = 1 << BITS_OF_EXPONENT - 1
    return (shift + int(exponent) + half) % (2 * half) - half


def engine_reading(literal: str) -> str:
    """The text of a value, each float in it spelled as the nearest one to it reads that the engines read."""
    return _READ.sub(lambda found: found[0] if found[0][0] == '"' else repr(engine_float(found[0])), literal)


def respelled(literal: str, is_old: bool = False) -> str:
    """The text of a value, each float in it spelled so that the engines read it as it is, or else the next one to it.

    Args:
        literal: the text.
        is_old: whether Godot 3 reads it, which does not take every ``inf``.
    """
    if is_old and "inf" in literal:
        literal = _PIECE.sub(lambda found: f"{found[1]}{INFINITE}" if found[2] else found[0], literal)
    return _PIECE.sub(_spelled, literal)


def is_misread(number: float) -> bool:
    """Whether the engines read another number from every spelling of a float."""
    return readable(number) != number and number == number


def readable(number: float) -> float:
    """The float next to one that the engines can read from a text; mostly itself."""
    return number if _is_plain(number) else engine_float(spelling(number))


def spelling(number: float) -> str:
    """How a float is spelled so that the engines read it, or the one next to it that they can read.

    Of those spellings that are right it is the usual one, else one that others read as the same float, too.
    """
    return repr(number) if _is_plain(number) else ("-" if number < 0 else "") + _searched(abs(number))


def lost_in(literal: str) -> str:
    """Why a text cannot hold a number of a literal, not even nearly: it is too small; empty where it holds all."""
    numbers = (float(found[0]) for found in _READ.finditer(literal) if found[0][0] != '"') if _SMALL in literal else ()
    return next(filter(None, map(lost, numbers)), "")


def lost(number: float) -> str:
    """Why a text cannot hold a float, not even nearly; empty where it does."""
    if not 0 < abs(number) < LEAST or readable(number):
        return ""
    return f"A text cannot hold so small a number: engines read 0.0 from each spelling of {number!r}."


def _is_plain(number: float) -> bool:
    """Whether nothing is to be searched: most floats that people write have few digits."""
    return not math.isfinite(number) or engine_float(repr(number)) == number


def _spelled(found: re.Match[str]) -> str:
    mantissa = found[3]
    if found[5] and found[1]:
        return "-0.0"  # without a point it is a whole number, which has no sign there
    if mantissa is None or (len(mantissa) <= SAFE_DIGITS and found[4] is None):
        return found[0]
    number = float(found[0])
    return found[0] if not math.isfinite(number) or engine_float(found[0]) == number else spelling(number)


@lru_cache(_SPELLED)
def _searched(number: float) -> str:
    """The best spelling of a float that is not read from its usual one."""
    least: tuple[Fraction, float, int, int] | None = None
    found: list[tuple[bool, bool, int, str]] = []
    for count in _COUNTS:
        for digits, power in _readings(number, count):
            read = digits / SCALES[power] if power > 0 else digits * SCALES[-power]
            if read == number:
                ways = [text for text in _texts(digits, power) if engine_float(text) == number]
                found += [(float(text) != number, "e" in text, len(text), text) for text in ways]
            elif read < _INF and not found:
                off = abs(Fraction(read) - Fraction(number)), read, digits, power
                least = off if least is None else min(least, off)
        if found and not min(found)[0]:
            break
    if found:
        return min(found)[-1]
    assert least is not None
    _, read, digits, power = least
    return next(text for text in (repr(read), *_texts(digits, power)) if engine_float(text) == read)


def _readings(number: float, count: int) -> Iterator[tuple[int, int]]:
    """Whole numbers and powers of ten that the engines divide them by: what comes to a float or next to it."""
    exponent = int(f"{number:e}".partition("e")[2])
    power = min(count - 1 - exponent, LARGEST_FINITE)
    near = number * SCALES[power] if power > 0 else number / SCALES[-power]
    over, under = number.as_integer_ratio()
    over, under = (over * 10**power, under) if power > 0 else (over, under * 10**-power)
    exact, step = (2 * over + under) // (2 * under), max(1, int(math.ulp(near)))
    for k in range(-_NEAR, _NEAR + 1):
        whole, reach = round(near) + k * step, step // 2 - 1 if step > 1 else 0
        digits = min(max(exact, whole - reach), whole + reach)
        if 0 <= digits < 10**MOST_DIGITS:
            yield digits, power


def _texts(digits: int, power: int) -> Iterator[str]:
    """A whole number through a power of ten, with a point behind the first digit and an exponent, and without it."""
    text = str(digits)
    exponent = len(text) - 1 - power
    if 0 <= exponent < len(text) - 1:
        yield f"{text[: exponent + 1]}.{text[exponent + 1 :]}"
    elif -5 < exponent < 0:
        yield f"0.{'0' * (-exponent - 1)}{text}"
    yield f"{text[0]}{'.' if text[1:] else ''}{text[1:]}e{exponent:+03d}"
