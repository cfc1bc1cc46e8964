"""Bytes as text and back: hex, base64, C, Python, and lists of numbers as an engine prints them.

Texts come from anywhere and may be megabytes long: every reader is one linear pass and never makes more bytes than the
text has characters.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from viewer.base.late_pattern import late_pattern

NOISE = late_pattern(r"0[xX](?=[0-9A-Fa-f])|\\x|[\s,;:{}\[\]()<>\"'_-]+")


class PasteError(ValueError):
    """The text is no bytes; one sentence says why."""


def bytes_from_text(text: str) -> bytes:
    """The bytes that hex text stands for: ``04 00``, ``0x04, 0x00``, ``\\x04\\x00``, ``0400``.

    Raises:
        PasteError: there is no text, or it is not hex.
    """
    if not text.strip():
        raise PasteError(
            "There is no text on the clipboard; copy hex bytes first, for example 02 00 00 00 2A 00 00 00."
        )
    digits = NOISE.sub("", text)
    wrong = re.search(r"[^0-9A-Fa-f]", digits)
    if wrong:
        raise PasteError(f"“{wrong.group()}” is not a hex digit; paste bytes as 02 00 00 00 or 0x02, 0x00.")
    if len(digits) % 2:
        raise PasteError("The text has an odd number of hex digits; a byte takes two.")
    return bytes.fromhex(digits)


# Patterns that take linear time on any text, also where the interpreter's own way to say so goes astray.

_GROUP = late_pattern(r"(?<!\\)\)([*+?])\+")
GOES_ASTRAY = re.match(r"(?:[^*]|\*(?!/))*+\*/", "a*/") is None
"""Python before 3.11.5 does not come back to where a repeated group failed that gives nothing back."""


def linear(pattern: str, flags: int = 0, gives_back: bool = GOES_ASTRAY) -> re.Pattern[str]:
    """A pattern whose repeated groups give nothing back, compiled when it is first used.

    Args:
        pattern: in each group that is repeated so, no two ways to read the same text.
        flags: those of :mod:`re`.
        gives_back: whether to let these groups give back: that finds the same, and takes more memory.
    """
    return late_pattern(_GROUP.sub(r")\1", pattern) if gives_back else pattern, flags)


# Why a text is not of a form, or a value has none in it.


class FormError(ValueError):
    """One sentence for a person.

    Attributes:
        position: where in the text, in characters; -1 where it is about no place.
    """

    def __init__(self, sentence: str, position: int = -1) -> None:
        super().__init__(sentence)
        self.position = position


def error_at(text: str, position: int, sentence: str) -> FormError:
    """The error of a place in a text, which the sentence names by line and column, both from 1."""
    position = max(0, min(position, len(text)))
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return FormError(f"{sentence.removesuffix('.')} (line {line}, column {column}).", position)


C_ROW = 12
LIST_PIECE = 1 << 20
"""Characters of a list of numbers that are split at a time."""
_HEX_WRONG = late_pattern(r"[^0-9A-Fa-f\s,;:{}\[\]()<>\"'_\\xX-]")
_HEX_NOISE = dict.fromkeys(map(ord, " \t\n\r\f\v,;:{}[]()<>\"'_-"))
_LOOSE_X = late_pattern(r"(?<![0\\])[xX]|[xX](?![0-9A-Fa-f])|\\(?!x)")
_BLANK = late_pattern(r"\s+")
_BASE64_WRONG = late_pattern(r"[^A-Za-z0-9+/=_\s-]")
_COMMENT = late_pattern(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_C_LENGTH = linear(r"\s*+;?\s*+(?:(?:const|unsigned|int|long|size_t)\s++)*+\w++\s*+=\s*+\d++\s*+;?\s*+")
_BYTES_LITERAL = linear(r"""\s*+[bB](?:"((?:[^"\\\n]++|\\.)*+)"|'((?:[^'\\\n]++|\\.)*+)')\s*+""", re.DOTALL)
_PYTHON_CALL = late_pattern(r"\s*+(?:bytes|bytearray)?\s*+\(")
_PYTHON_NAME = late_pattern(r"\s*+[A-Za-z_]\w*+\s*+=(?!=)")
_ESCAPE = late_pattern(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|[^x0-7])", re.DOTALL)
_UNCOMMON = late_pattern(r"\\(?:x(?![0-9a-fA-F]{2})|[4-7][0-7]{2}|[^x0-7abfnrtv'\"]|\Z)", re.DOTALL)
_ESCAPES = {"n": 10, "r": 13, "t": 9, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34}
_ARRAY_NAME = late_pattern(r"\s*+(?:PackedByteArray|PoolByteArray|RawArray|ByteArray)?\s*+\(?\s*+\[?")
_WORDS = {str(byte): byte for byte in range(256)}
_HEX_DIGITS = "0123456789abcdefABCDEF"
_C_WORDS = _WORDS | {
    f"0{x}{high}{low}": int(high + low, 16) for x in "xX" for high in ("", *_HEX_DIGITS) for low in _HEX_DIGITS
}
_C_SPELT = tuple(f"0x{byte:02x}" for byte in range(256))
_PYTHON_SPELT = tuple(f"\\x{byte:02x}" for byte in range(256))
_C_BAD = "is not a byte; one is written like 0x13 or 19"


def write_hex(data: bytes) -> str:
    """``13 00 00 00``."""
    return data.hex(" ").upper()


def read_hex(text: str) -> bytes:
    """Bytes of hex digits in any usual form.

    Raises:
        FormError: there is something else, or half a byte.
    """
    plain = "x" not in text and "X" not in text and text.isascii()
    digits = text.translate(_HEX_NOISE) if plain else NOISE.sub("", text)
    try:
        return bytes.fromhex(digits) if digits else _nothing()
    except ValueError:
        pass
    wrong = _HEX_WRONG.search(text) or _LOOSE_X.search(text)
    if wrong is not None:
        raise error_at(
            text, wrong.start(), f"“{wrong[0]}” is not a hex digit; bytes are written like 13 00 or 0x13, 0x00"
        )
    raise error_at(text, len(text.rstrip()), "The number of hex digits is odd, but a byte takes two")


def write_base64(data: bytes) -> str:
    """One line of base64, filled up with ``=``."""
    return base64.b64encode(data).decode("ascii")


def read_base64(text: str) -> bytes:
    """Bytes of base64, also of that for URLs, with or without line breaks and filling.

    Raises:
        FormError: there is something else, or it ends inside a byte.
    """
    try:
        return binascii.a2b_base64(text, strict_mode=True) or _nothing()  # most texts are one clean run
    except ValueError:
        pass
    wrong = _BASE64_WRONG.search(text)
    if wrong is not None:
        raise error_at(text, wrong.start(), f"“{wrong[0]}” does not occur in base64")
    joined = _BLANK.sub("", text).translate({ord("-"): "+", ord("_"): "/"})
    bare = joined.rstrip("=")
    if "=" in bare:
        raise error_at(text, text.index("="), "“=” occurs only at the end of base64")
    if len(bare) % 4 == 1 or len(joined) - len(bare) > 2:
        raise error_at(text, len(text.rstrip()), "This base64 is cut off; copy all of it")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4)) if bare else _nothing()
    except binascii.Error as error:
        raise FormError(f"This is not base64: {error}.", 0) from None


def write_c(data: bytes) -> str:
    """``unsigned char data[] = {…};``, some bytes a line."""
    rows = (data[start : start + C_ROW] for start in range(0, len(data), C_ROW))
    body = ",\n".join("    " + ", ".join(map(_C_SPELT.__getitem__, row)) for row in rows)
    return f"unsigned char data[] = {{\n{body}\n}};\n"


def read_c(text: str) -> bytes:
    """Bytes of the numbers in the braces of a C array, or of a bare list of them; comments are skipped.

    Raises:
        FormError: there is something else, or a brace is missing.
    """
    if not text.strip():
        _nothing()
    plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    start = plain.find("{") + 1
    end = plain.find("}", start)
    if not start and end >= 0:
        raise error_at(text, end, "This “}” has no “{” before it")
    if start and end < 0:
        raise error_at(text, len(text), "The closing “}” of the array is missing")
    if start and not _is_c_end(plain[end + 1 :]):
        raise error_at(text, end + 1, "The array is complete, but more follows")
    body = plain[start : end if start else len(plain)]
    return _numbers(text, body.rstrip().removesuffix(";"), start, _C_WORDS, _C_BAD)


def _is_c_end(rest: str) -> bool:
    return rest.strip() in ("", ";") or _C_LENGTH.fullmatch(rest) is not None


def write_python(data: bytes) -> str:
    """``b"\\x13\\x00"``."""
    return f'b"{"".join(map(_PYTHON_SPELT.__getitem__, data))}"'


def read_python(text: str) -> bytes:
    """Bytes of Python's literals, one or several in a row, also named or in ``bytes(…)`` and ``bytearray(…)``.

    Raises:
        FormError: there is something else, or a quote is missing.
    """
    name = _PYTHON_NAME.match(text)
    at = name.end() if name else 0
    call = _PYTHON_CALL.match(text, at)
    at = call.end() if call else at
    out = bytearray()
    first = at
    while found := _BYTES_LITERAL.match(text, at):
        group = 1 if found[1] is not None else 2
        out += unescaped(text, found[group], found.start(group))
        at = found.end()
    if at == first:
        raise error_at(text, at, 'Bytes of Python are written b"…", with a closing quote')
    if call is not None and text[at : at + 1] == ")":
        at += 1
    elif call is not None:
        raise error_at(text, at, "The closing “)” is missing")
    if text[at:].strip():
        raise error_at(text, at, "The bytes are complete, but more follows")
    return bytes(out)


def unescaped(text: str, body: str, start: int) -> bytes:
    """The bytes of what stands between quotes; *start* is where that begins in *text*."""
    if body.isascii() and not _UNCOMMON.search(body.replace("\\\\", "  ")):  # the codec reads these alike, and fast
        return body.encode("ascii").decode("unicode_escape").encode("latin-1")
    out = bytearray()
    at = 0
    for found in _ESCAPE.finditer(body):
        out += _plain(text, body[at : found.start()], start + at)
        out += _escaped(text, found[1], start + found.start())
        at = found.end()
    return bytes(out + _plain(text, body[at:], start + at))


def _plain(text: str, piece: str, start: int) -> bytes:
    try:
        if "\\" not in piece:
            return piece.encode("ascii")
    except UnicodeEncodeError as error:
        raise error_at(text, start + error.start, "Bytes of Python hold only ASCII; others are written \\x13") from None
    raise error_at(text, start + piece.index("\\"), "“\\x” needs two hex digits after it")


def _escaped(text: str, code: str, position: int) -> bytes:
    if code[0] == "x":
        return bytes((int(code[1:], 16),))
    if code[0] in "01234567":
        number = int(code, 8)
        if number > 255:
            raise error_at(text, position, f"“\\{code}” is more than a byte holds")
        return bytes((number,))
    if code == "\n":
        return b""
    if code in _ESCAPES:
        return bytes((_ESCAPES[code],))
    return b"\\" + _plain(text, code, position)  # Python keeps the stroke of an escape that it does not know


def write_printed(data: bytes) -> str:
    """``[19, 0, 0, 0]``."""
    return f"[{', '.join(map(str, data))}]"


def write_packed(data: bytes) -> str:
    """``PackedByteArray([19, 0, 0, 0])``."""
    return f"PackedByteArray({write_printed(data)})"


def read_printed(text: str) -> bytes:
    """Bytes of a list of numbers, in the brackets of an array, of a packed array's name, or of both.

    Raises:
        FormError: there is something else, or a bracket is missing.
    """
    head = _ARRAY_NAME.match(text)
    opening = head[0] if head else ""
    start = len(opening)
    body = text.rstrip()
    for sign, mate in (("(", ")"), ("[", "]")):
        if sign in opening:
            body = body.rstrip()
            if not body.endswith(mate) or len(body) <= start:
                raise error_at(text, len(body), f"The closing “{mate}” of the list is missing")
            body = body[:-1]
    if not opening.strip():
        raise error_at(text, start, "A list of bytes begins with “[”")
    return _numbers(text, body[start:], start, _WORDS, "is not a byte; one is a whole number from 0 to 255")


def _numbers(text: str, body: str, start: int, words: dict[str, int], bad: str) -> bytes:
    """The bytes of a comma-separated list that begins at *start* in *text*; a comma may end it."""
    out = bytearray()
    for at, piece in _list_pieces(body):
        tokens = piece.split(",")
        if at + len(piece) == len(body) and not tokens[-1].strip():
            tokens.pop()
        try:
            out += bytes([words[token.strip()] for token in tokens])
        except KeyError:
            raise _no_number(text, tokens, start + at, words, bad) from None
    return bytes(out)


def _list_pieces(body: str) -> Iterator[tuple[int, str]]:
    """A list in pieces that are cut at commas, each with its offset: a whole one may be too much to split."""
    at = 0
    while at <= len(body):
        cut = body.find(",", at + LIST_PIECE)
        end = cut if cut >= 0 else len(body)
        yield at, body[at:end]
        at = end + 1


def _no_number(text: str, tokens: list[str], at: int, words: dict[str, int], bad: str) -> FormError:
    """The error of the first token, of those from *at* on, that is no byte."""
    for token in tokens:
        if token.strip() not in words:
            break
        at += len(token) + 1
    shown = " ".join(token[:400].split())[:40]
    return error_at(text, at + len(token) - len(token.lstrip()), f"“{shown}” {bad}" if shown else "A byte is missing")


def _nothing() -> bytes:
    raise FormError("There is no text here; copy some bytes or a value first.", 0)
