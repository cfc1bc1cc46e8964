"""Numbers in the braces of C, and of the languages that took them over."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.armor.byte_text import linear, read_c
from viewer.container.armor.text_format import ArmorWriter, Dearmored
from viewer.container.armor.token_rows import writer_of_tokens

_SPELT = tuple(map(str, range(256)))
_TYPED = (
    r"(?:[^{}=\n]{0,80}=\s*+)?(?:new\s++)?(?:\[\d*+\]\s*+(?:byte|uint8|u8)|(?:byte|Byte|uint8_t)\s*+\[\d*+\])\s*+\{"
)
_C_ITEM = r"(?:0[xX][0-9a-fA-F]{1,2}|\d{1,3})"
_C_BLANK = r"(?:\s|//[^\n]*+(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_C_HEAD = late_pattern(rf"[^{{}}=]{{0,400}}\]\s*+=\s*+\{{|\s*+{_TYPED}|\s*+\{{(?=\s*+(?:0[xX]|//|/\*))")
_C_BYTES = linear(rf"{_C_BLANK}{_C_ITEM}{_C_BLANK}(?:,{_C_BLANK}{_C_ITEM}{_C_BLANK})*+,?{_C_BLANK}")
_C_TOKEN = linear(rf"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|(?P<byte>{_C_ITEM})")
_C_COUNT = late_pattern(r"(?<=\[)\d+(?=\s*\])|(?<==)\s*\d+(?=\s*;)")
_C_HEX = late_pattern(r"0([xX])([0-9a-fA-F]+)")


def looks(text: str, whole: bool) -> bool:
    """Whether a text is one array of C."""
    head = _C_HEAD.match(text)
    if head is None:
        return False
    if not whole:
        return _C_BYTES.match(text, head.end()) is not None
    return _C_BYTES.fullmatch(text, head.end(), max(text.rfind("}"), head.end())) is not None


def read(text: str) -> Dearmored:
    """The bytes of an array of C; where its size is told, it is told anew for others.

    Raises:
        FormError: there is something else.
    """
    inside = read_c(text)
    start = text.find("{") + 1
    end = text.rfind("}") if start else len(text)
    body = text[start:end]
    writer = CountedArrayWriter(
        text[:start], text[end:], writer_of_tokens(body, inside, _C_TOKEN, _c_spelt(body)), len(inside)
    )
    return Dearmored(inside, writer, "C array")


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
class CountedArrayWriter:
    """A text between two others that may tell how many bytes there are.

    Args:
        head, tail: the texts around.
        body: what is between.
        size: how many bytes there were.
    """

    head: str
    tail: str
    body: ArmorWriter
    size: int

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it, and their number where the old one stood."""
        return f"{self._told(self.head, inside)}{self.body.write(inside)}{self._told(self.tail, inside)}"

    def _told(self, text: str, inside: bytes) -> str:
        def fresh(found: re.Match[str]) -> str:
            old = found[0]
            return old.replace(old.strip(), str(len(inside))) if int(old) == self.size else old

        return _C_COUNT.sub(fresh, text)
