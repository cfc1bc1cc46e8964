"""Numbers as a person types them: decimal, ``0x`` and ``0b``, words like ``inf``; and their bits in hexadecimal."""

from __future__ import annotations

from viewer.base.words import grouped
from viewer.document.edits.slots import EditError
from viewer.variant.dialect import NUMBERS
from viewer.variant.literal.numbers import (
    F32_LARGEST,
    NUMBER,
    RANGES,
    SPOKEN,
    component_text,
    floating,
    to_f32,
    whole,
)
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.value import NaN, float_from

HEX = set("0123456789abcdefABCDEF")


def number_text(number: float, kind: str) -> str:
    """The shortest text that reads back to the same number; *kind* is ``i32``, ``f64`` and so on."""
    return component_text(number, kind)


def parse_number(text: str, kind: str) -> int | float:
    """The number that a text stands for.

    Raises:
        EditError: it is none, or *kind* does not hold it.
    """
    token = text.strip()
    if not token:
        raise EditError("A number belongs here.")
    return _float(token, kind) if kind[0] == "f" else _integer(token, kind)


def limits(kind: str) -> str:
    """The range of a kind in words: ``0 … 255``; empty for floats, which take nearly all."""
    if kind not in RANGES:
        return ""
    low, high = RANGES[kind]
    return f"{grouped(low)} … {grouped(high)}"


def bits_text(number: float, kind: str) -> str:
    """The bits of a number: ``0x3F800000``."""
    raw = encode_number(number, kind)
    return f"0x{raw[::-1].hex().upper()}"


def parse_bits(text: str, kind: str) -> int | float:
    """The number with these bits, with or without ``0x``; fewer digits mean zeros in front.

    Raises:
        EditError: these are no hexadecimal digits, or too many.
    """
    digits = text.strip().lower().removeprefix("0x").replace("_", "").replace(" ", "")
    size = NUMBERS[kind]
    if not digits or not set(digits) <= HEX:
        raise EditError("Hexadecimal digits belong here: 0 to 9 and A to F.")
    if len(digits) > 2 * size:
        raise EditError(f"Too many digits: {SPOKEN.get(kind, kind)} has {2 * size}.")
    raw = int(digits, 16).to_bytes(size, "little")
    if kind[0] == "f":
        return float_from(raw)
    return int.from_bytes(raw, "little", signed=kind[0] == "i")


def _integer(token: str, kind: str) -> int:
    number = whole(token) if NUMBER.fullmatch(token) else None
    if number is None:
        decimal = floating(token)
        if decimal is not None:
            raise EditError("A whole number belongs here, without a fraction.")
        raise EditError(f"“{_shown(token)}” is no number. Write 42, -7 or 0x2A.")
    low, high = RANGES[kind]
    if number > high:
        raise EditError(f"Too large for {SPOKEN[kind]}. The largest is {grouped(high)}.", fix=str(high))
    if number < low:
        raise EditError(f"Too small for {SPOKEN[kind]}. The smallest is {grouped(low)}.", fix=str(low))
    return number


def _float(token: str, kind: str) -> float:
    try:
        number = floating(token)
    except OverflowError:
        number = None
    if number is None:
        raise EditError(f"“{_shown(token)}” is no number. Write 0.5, -7, 1e10, inf or nan.")
    if kind != "f32" or isinstance(number, NaN):
        return number
    single = to_f32(number)
    if single is None:
        raise EditError(f"Too large for {SPOKEN[kind]}. The largest is {F32_LARGEST}.", fix=F32_LARGEST)
    return single


def _shown(token: str) -> str:
    return token if len(token) <= 24 else token[:24] + "…"


def fits(number: float, kind: str) -> bool:
    """Whether a kind holds a number at all."""
    try:
        encode_number(number, kind)
    except EncodeError:
        return False
    return True
