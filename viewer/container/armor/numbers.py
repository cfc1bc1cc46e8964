"""Lists of numbers: as ``print()`` shows an array of bytes, in the name of a packed array, in the braces of C."""

from __future__ import annotations

import re
from dataclasses import dataclass

from viewer.container.armor.base64_text import read_line
from viewer.container.armor.byte_text import read_c, read_printed
from viewer.container.armor.error import error_at
from viewer.container.armor.patterns import linear
from viewer.container.armor.rows import dressed
from viewer.container.armor.worn import Dress, Worn

LEAST = 4
"""Bytes that a bare list must hold to be taken for some."""
_NAMED = r"\s*+(?:(?:var|const)\s++)?(?:[A-Za-z_]\w*+\s*+(?::\s*+\w++\s*+)?:?=\s*+)?"
_LIST = re.compile(_NAMED + r"(?P<name>PackedByteArray|PoolByteArray|RawArray|ByteArray)?\s*+(?P<mark>\(\s*+\[?|\[)")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<body>[A-Za-z0-9+/=]*+)(?P=quote)\s*+\)\s*+;?\s*+""")
_ITEM = r"\s*+\d{1,3}\s*+"
_BYTES = linear(rf"{_ITEM}(?:,{_ITEM})*+,?\s*+")
_DECIMAL = re.compile(r"(?P<byte>\d{1,3})")
_SPELT = tuple(map(str, range(256)))

_C_ITEM = r"(?:0[xX][0-9a-fA-F]{1,2}|\d{1,3})"
_C_BLANK = r"(?:\s|//[^\n]*+(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_C_HEAD = re.compile(r"[^{}=]{0,400}\]\s*+=\s*+\{|\s*+\{(?=\s*+(?:0[xX]|//|/\*))")
_C_BYTES = linear(rf"{_C_BLANK}{_C_ITEM}{_C_BLANK}(?:,{_C_BLANK}{_C_ITEM}{_C_BLANK})*+,?{_C_BLANK}")
_C_TOKEN = linear(rf"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|(?P<byte>{_C_ITEM})")
_C_COUNT = re.compile(r"(?<=\[)\d+(?=\s*\])|(?<==)\s*\d+(?=\s*;)")
_C_HEX = re.compile(r"0([xX])([0-9a-fA-F]+)")


def looks_listed(text: str, whole: bool) -> bool:
    """Whether a text is a list of bytes and nothing else."""
    found = _LIST.match(text)
    if found is None:
        return False
    at = found.end()
    if found["name"] and _QUOTED.fullmatch(text, at):
        return True
    if not whole:
        body = text[at : text.rfind(",", at) + 1]
        return (body == "" and bool(found["name"])) or _BYTES.fullmatch(body) is not None
    body = text[at:].rstrip().removesuffix(";").rstrip().rstrip("])").rstrip()
    return _BYTES.fullmatch(body) is not None and (bool(found["name"]) or body.count(",") >= LEAST - 1)


def read_listed(text: str) -> Worn:
    """The bytes of a list.

    Raises:
        FormError: there is something else.
    """
    found = _LIST.match(text)
    if found is None:
        raise error_at(text, 0, "A list of bytes begins with “[”")
    at = found.end()
    quoted = _QUOTED.fullmatch(text, at)
    if found["name"] and quoted:
        return read_line(text, *quoted.span("body"), f"{found['name']}, base64")
    opened = found.start("name") if found["name"] else found.start("mark")
    end = len(text.rstrip().removesuffix(";"))
    inside = b"" if not text[at:end].strip(" \t\r\n[]()") else read_printed(text[opened:end])
    return Worn(inside, dressed(text, inside, _DECIMAL, _SPELT, (at, end)), found["name"] or "list of bytes")


def looks_c(text: str, whole: bool) -> bool:
    """Whether a text is one array of C."""
    head = _C_HEAD.match(text)
    if head is None:
        return False
    if not whole:
        return _C_BYTES.match(text, head.end()) is not None
    return _C_BYTES.fullmatch(text, head.end(), max(text.rfind("}"), head.end())) is not None


def read_c_array(text: str) -> Worn:
    """The bytes of an array of C; where its size is told, it is told anew for others.

    Raises:
        FormError: there is something else.
    """
    inside = read_c(text)
    start = text.find("{") + 1
    end = text.rfind("}") if start else len(text)
    body = text[start:end]
    dress = Counted(text[:start], text[end:], dressed(body, inside, _C_TOKEN, _c_spelt(body)), len(inside))
    return Worn(inside, dress, "C array")


def _c_spelt(body: str) -> tuple[str, ...]:
    """How the numbers of an array are written: as most of the first ones."""
    tokens = [found["byte"] for found in _C_TOKEN.finditer(body[:4096]) if found["byte"]]
    hexes = [found for found in map(_C_HEX.fullmatch, tokens) if found]
    if tokens and 2 * len(hexes) <= len(tokens):
        return _SPELT
    x = hexes[0][1] if hexes else "x"
    upper = any(found[2] != found[2].lower() for found in hexes)
    short = any(len(found[2]) == 1 for found in hexes)
    digits = ("X" if upper else "x") if short else ("02X" if upper else "02x")
    return tuple(f"0{x}{byte:{digits}}" for byte in range(256))


@dataclass(frozen=True, slots=True)
class Counted:
    """A text between two others that may tell how many bytes there are.

    Args:
        head, tail: the texts around.
        body: what is between.
        size: how many bytes there were.
    """

    head: str
    tail: str
    body: Dress
    size: int

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it, and their number where the old one stood."""
        return f"{self._told(self.head, inside)}{self.body.write(inside)}{self._told(self.tail, inside)}"

    def _told(self, text: str, inside: bytes) -> str:
        def fresh(found: re.Match[str]) -> str:
            old = found[0]
            return old.replace(old.strip(), str(len(inside))) if int(old) == self.size else old

        return _C_COUNT.sub(fresh, text)
