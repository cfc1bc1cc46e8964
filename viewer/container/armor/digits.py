"""Plain hex: pairs of digits in groups of one size, also as ``0x13`` or ``\\x13``, with anything usual in between."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.container.armor.byte_text import error_at, linear, read_hex
from viewer.container.armor.text_format import Dearmored
from viewer.container.armor.token_rows import writer_of_tokens

LEAST = 4
"""Bytes that a text must hold to be taken for hex."""
_OPEN = r"""[\s<\[({]*+(?:[xX]?['"])?\s*+"""
_CLOSE = r"""\s*+['"]?[\s>\])},;]*+"""
_PART = r"(?:0[xX]|\\[xX])?[0-9a-fA-F]{2}(?:[0-9a-fA-F]{2})*+"
_GAP = r"[\s,;:_-]++"
_TEXT = linear(rf"{_OPEN}(?P<body>{_PART}(?:(?:{_GAP}(?=[0-9a-fA-F\\])|(?=\\)){_PART})*+){_CLOSE}")
_GAPS = " \t\r\n,;:_-"
_GROUP = late_pattern(r"[0-9a-fA-F]{2,}")
_PREFIX = late_pattern(r"0[xX]|\\[xX]")
_NO_NUMBER = late_pattern(r"[a-fA-FxX]")
_TOKENS = {
    "0x": late_pattern(r"(?P<byte>0[xX][0-9a-fA-F]{2})"),
    "\\x": late_pattern(r"(?P<byte>\\[xX][0-9a-fA-F]{2})"),
    "": late_pattern(r"0[xX]|\\[xX]|(?P<byte>[0-9a-fA-F]{2})"),
}


def looks(text: str, whole: bool) -> bool:
    """Whether a text is nothing but hex, and no number, date or name that only looks so."""
    if not whole:
        text = text[: max(map(text.rfind, _GAPS)) + 1] or text[: len(text) & ~1]
    found = _TEXT.fullmatch(text)
    if found is None:
        return False
    body = _PREFIX.sub(" ", found["body"])
    groups = _GROUP.findall(body)
    size = len(groups[0])
    even = all(len(group) == size for group in groups[:-1]) and len(groups[-1]) <= size
    return even and sum(map(len, groups)) >= 2 * LEAST and _is_no_number(found["body"], groups)


def _is_no_number(body: str, groups: list[str]) -> bool:
    """Whether digits that may be decimal ones are bytes all the same: those of values are full of zeros."""
    if _NO_NUMBER.search(body):
        return True
    return "0000" in ("".join(groups) if len(groups[0]) == 2 or len(groups) == 1 else body)


def read(text: str) -> Dearmored:
    """The bytes of a text of hex.

    Raises:
        FormError: there is something else.
    """
    if not text.strip():
        return Dearmored(b"", writer_of_tokens(text, b"", _TOKENS[""], _spelt("", False), between=" "), "hex")
    found = _TEXT.fullmatch(text)
    if found is None:
        read_hex(text)
        raise error_at(text, 0, "This is not hex: the digits are not in pairs")
    start, end = found.span("body")
    inside = read_hex(found["body"])
    prefix = _prefix(text, start, end, len(inside))
    first = _PREFIX.match(text, start)
    if first and not prefix:
        start = first.end()
    return Dearmored(
        inside, writer_of_tokens(text, inside, _TOKENS[prefix], _spelt(prefix, _is_upper(text, start, end))), "hex"
    )


def _prefix(text: str, start: int, end: int, size: int) -> str:
    """What stands before each byte, empty where it stands before some only."""
    if text.count("\\x", start, end) + text.count("\\X", start, end) == size:
        return "\\x"
    return "0x" if text.count("0x", start, end) + text.count("0X", start, end) == size else ""


def _is_upper(text: str, start: int, end: int) -> bool:
    return re.compile(r"[a-f]").search(text, start, end) is None and (
        re.compile(r"[A-F]").search(text, start, end) is not None
    )


def _spelt(prefix: str, upper: bool) -> tuple[str, ...]:
    return tuple(f"{prefix}{byte:02X}" if upper else f"{prefix}{byte:02x}" for byte in range(256))
