"""Values as a person types them: numbers in decimal, ``0x`` and ``0b``, words like ``inf``, and their bits; texts in
which tabs and line breaks can be seen; colours.
"""

from __future__ import annotations

import re

from viewer.base.unseen import SIGNS, escape
from viewer.base.words import counted, grouped
from viewer.document.edits.slots import EditError
from viewer.document.viewmodel.row_data import Rgba
from viewer.variant import text as wire
from viewer.variant.dialect import NUMBERS, Dialect
from viewer.variant.literal.html_colour import colour_of, example
from viewer.variant.literal.numbers import F32_LARGEST, NUMBER, RANGES, SPOKEN, component_text, floating, to_f32, whole
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.value import NaN, NodePath, RawText, float_from

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
        raise EditError(f"“{_shown(token)}” is not a number. Write 42, -7 or 0x2A.")
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
        raise EditError(f"“{_shown(token)}” is not a number. Write 0.5, -7, 1e10, inf or nan.")
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


# Texts.


LONG = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
UNSEEN = re.compile(rf"[\\{SIGNS}]")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.|$)", re.DOTALL)


def escaped(text: str) -> str:
    """A text on one line: backslash, tab, line breaks and what cannot be seen as ``\\n``, ``\\t``, ``\\u0001``."""
    return UNSEEN.sub(lambda found: "\\\\" if found[0] == "\\" else escape(found[0]), text)


def unescaped(text: str) -> str:
    """The text that :func:`escaped` stands for.

    Raises:
        EditError: a backslash is followed by something unknown.
    """
    return ESCAPE.sub(_meant, text)


def plain(text: str) -> bool:
    """Whether a field of several lines shows the text as it is: of what is unseen it has line breaks and tabs only."""
    return not any(found[0] not in "\n\t\\" for found in UNSEEN.finditer(text))


def measure(text: str) -> str:
    """Length in words: ``5 characters, 7 bytes, 2 lines``."""
    lines = text.count("\n") + 1
    size = f"{counted(len(text), 'character')}, {counted(len(wire.write(text)), 'byte')}"
    return size if lines == 1 else f"{size}, {counted(lines, 'line')}"


def odd(text: object) -> str:
    """One sentence where the bytes of a text are not what an engine would write for it, else empty."""
    if not isinstance(text, RawText):
        return ""
    if len(text.raw) == 1:
        return "Its 1 byte is not plain UTF-8 of this text; a change rewrites it."
    return f"Its {counted(len(text.raw), 'byte')} are not plain UTF-8 of this text; a change rewrites them."


def _meant(match: re.Match[str]) -> str:
    form = match[1]
    if form in LONG:
        return LONG[form]
    if form[:1] in ("u", "U") and len(form) > 1:
        number = int(form[1:], 16)
        if number <= 0x10FFFF:
            return chr(number)
    raise EditError(rf"“\{form}” is unknown. Write \n, \t, \\ or \u and four digits.", match.start())


# Node paths in their parts, as lists with one name a line.


def lines(names: tuple[str, ...]) -> str:
    """Names, one a line."""
    return "\n".join(escaped(name) for name in names)


def names(text: str) -> tuple[str, ...]:
    """The names of a list; an empty line in it is an empty name, an empty list none.

    Raises:
        EditError: a backslash is followed by something unknown.
    """
    return tuple(unescaped(line) for line in text.split("\n")) if text else ()


def node_path(names_text: str, subnames_text: str, absolute: bool, prop: str | None) -> NodePath:
    """The path of these parts; *prop* is None where it has no property.

    Raises:
        EditError: as :func:`names`.
    """
    return NodePath(names(names_text), names(subnames_text), absolute, unescaped(prop) if prop is not None else None)


def from_text(text: str, with_property: bool) -> NodePath:
    """The path that an engine makes of ``/A/B:sub``; *with_property*: the last sub-name is a property.

    Raises:
        EditError: the text has no name between two slashes.
    """
    path, *tail = text.split(":")
    parts = tuple(name for name in path.split("/") if name)
    if "" in tail:
        raise EditError("A sub-name is missing after a colon.")
    prop = tail.pop() if tail and with_property else None
    return NodePath(parts, tuple(tail), path.startswith("/"), prop)


# Bytes as a short hexdump: offset, sixteen bytes, text.

ROW = 16


def hex_lines(data: bytes, rows: int) -> list[str]:
    """The first *rows* rows of sixteen bytes each."""
    return [_line(data[at : at + ROW], at) for at in range(0, min(len(data), rows * ROW), ROW)]


def _line(raw: bytes, at: int) -> str:
    pairs = " ".join(f"{byte:02X}" for byte in raw).ljust(3 * ROW - 1)
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in raw)
    return f"{at:06X}  {pairs}  {text}"


# Colours: channels from 0 to 1 or 0 to 255, and the hexadecimal form of HTML.


FULL = 255


def to_byte(channel: float) -> int:
    """A channel as 0 to 255; brighter than full counts on (2.0 is 510), what is no number counts as 0."""
    if channel != channel:
        return 0
    return round(min(max(channel, -1e6), 1e6) * FULL)


def from_byte(number: int) -> float:
    """A channel from 0 to 255, and on."""
    return _f32(number / FULL)


def parse_html(text: str, dialect: Dialect) -> Rgba:
    """The colour of an HTML text, as the engine line reads it.

    Raises:
        EditError: it is none.
    """
    found = colour_of(text, dialect)
    if found is None:
        raise EditError(f"Write a colour as #rrggbb or {example(dialect)}.")
    return found


def is_hdr(colour: Rgba) -> bool:
    """Whether a channel is brighter than a screen can show."""
    return max(colour[:3]) > 1


def _f32(number: float) -> float:
    single = to_f32(number)
    assert single is not None
    return single
