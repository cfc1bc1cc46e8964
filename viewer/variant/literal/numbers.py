"""Numbers as text: the shortest decimal that reads back to the same bits, and what fits where.

A number in a payload takes one of these *forms*: the integer types ``u8 u32 i32 i64 u64``, ``f32``, ``f64``, and
``real`` where the width is the file's choice (a component of a Vector2 in Godot 4). A ``real`` in text is read as 32
bits unless it is written with more than nine significant digits, which no 32-bit number needs; a double that is short
is therefore printed with zeros behind (``0.1000000000``). In a double-precision file every ``real`` is simply ``f64``.
"""

from __future__ import annotations

import math
import re
import struct
from itertools import count

from viewer.base.late_pattern import late_pattern
from viewer.variant.dialect import Precision, TypeRow

RANGES = {
    "u8": (0, 255),
    "u32": (0, 2**32 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u64": (0, 2**64 - 1),
}
SPOKEN = {
    "u8": "a byte",
    "u32": "an unsigned 32-bit integer",
    "i32": "a 32-bit integer",
    "i64": "a 64-bit integer",
    "u64": "an unsigned 64-bit integer",
    "f32": "a 32-bit float",
    "f64": "a float",
    "real": "a float",
}
F32_LARGEST = "3.4028235e+38"
F64_LARGEST = "1.7976931348623157e+308"
_F32_NORMAL = 2.0**-126
_SINGLE_DIGITS = 9
_INT_DIGITS = 80

NUMBER = late_pattern(
    r"[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\w.])",
    re.ASCII,
)
FLOAT_WORD = late_pattern(r"([+-]?)(inf_neg|inf|nan|INF|NAN)(?:\.0)?(?![\w.])", re.ASCII)
_F32 = struct.Struct("<f")


def forms(row: TypeRow, precision: Precision) -> tuple[str, ...]:
    """The form of each field of a row (of one element for a packed array)."""
    out = []
    for narrow, wide in zip(row.narrow, row.wide, strict=True):
        if row.real and narrow.type != wide.type:
            out.append("real" if precision is Precision.SINGLE else "f64")
        else:
            out.append(wide.type)
    return tuple(out)


def is_integer(form: str) -> bool:
    """Whether numbers of this form are whole."""
    return form in RANGES


def to_f32(number: float) -> float | None:
    """The nearest 32-bit float as a double, or None where it would be infinite though *number* is not."""
    try:
        single: float = _F32.unpack(_F32.pack(number))[0]
    except OverflowError:
        return None
    return single


def float_text(number: float, form: str) -> str:
    """The text of a float Variant: always recognisable as a float."""
    if form == "f32" and to_f32(number) == number:
        return repr(_short_f32(number))
    return repr(float(number))


def component_text(number: float, form: str) -> str:
    """The text of one component: whole floats without ``.0``, as the engines print them."""
    if is_integer(form):
        return str(int(number))
    number = float(number)
    if form == "f64" or not math.isfinite(number):
        return _plain(number)
    if to_f32(number) == number:
        return _plain(_short_f32(number))
    return _long(number) if form == "real" else _plain(number)


def whole(token: str) -> int | None:
    """The integer that a number token stands for; None for one with a fraction or an exponent.

    A token of absurd length reads as some number far out of every range: converting it would not be linear.
    """
    token = token.replace("_", "")
    sign = -1 if token.startswith("-") else 1
    digits = token.lstrip("+-")
    for prefix, base in (("0x", 16), ("0b", 2)):
        if digits[:2].lower() == prefix:
            return sign * (int(digits[2:] or "0", base) if len(digits) < _INT_DIGITS else 1 << 999)
    if not digits.isdigit():
        return None
    digits = digits.lstrip("0") or "0"
    return sign * (int(digits) if len(digits) < _INT_DIGITS else 1 << 999)


def floating(token: str) -> float | None:
    """The double that a number token or a word like ``inf`` and ``nan`` stands for; None where it is neither."""
    word = FLOAT_WORD.fullmatch(token)
    if word is not None:
        sign = -1.0 if word[1] == "-" or word[2] == "inf_neg" else 1.0
        return math.nan if word[2].lower() == "nan" else sign * math.inf
    if NUMBER.fullmatch(token) is None:
        return None
    plain = token.replace("_", "")
    if plain.lstrip("+-")[:2].lower() in ("0x", "0b"):
        number = whole(token)
        return None if number is None else float(max(min(number, 1 << 1000), -(1 << 1000)))
    return float(plain)


def is_long(token: str) -> bool:
    """Whether a token has more significant digits than a 32-bit float ever needs."""
    mantissa = re.split("[eE]", token.lstrip("+-"), maxsplit=1)[0]
    digits = mantissa.replace(".", "").replace("_", "").lstrip("0")
    return len(digits if "." in mantissa else digits.rstrip("0")) > _SINGLE_DIGITS


def narrow_real(number: float, token: str) -> float:
    """The number that a token means where the width is open: 32 bits unless it is long or does not fit there."""
    single = None if is_long(token) else to_f32(number)
    return number if single is None or (single == 0.0 and number != 0.0) else single


def _plain(number: float) -> str:
    return repr(number).removesuffix(".0")


def _long(number: float) -> str:
    """A double in so many digits that it cannot be taken for a 32-bit float."""
    text = repr(number)
    return text if is_long(text) else f"{number:#.10g}"


def _short_f32(number: float) -> float:
    """The double with the shortest text that rounds to this 32-bit float.

    Six digits name every normal 32-bit float that fewer would; only denormals need the search from one digit on.
    """
    if not math.isfinite(number):
        return number
    for digits in count(6 if abs(number) >= _F32_NORMAL else 1):
        candidate = float(f"{number:.{digits}g}")
        if to_f32(candidate) == number:
            return candidate
    raise AssertionError("nine digits name every 32-bit float")
