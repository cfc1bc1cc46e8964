"""JSON of any depth: written strictly by the standard, read as the engines write it too.

The standard library's reader and writer recurse over what is nested; here they do the work while they can, and loops
with a stack where they cannot. Godot writes control characters into a text as they are, and ``\\v`` for one of them;
infinity is to it, and here, a number too large for a double.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from viewer.base.unseen import SIGNS
from viewer.document.pieces.framing import uncollected

_UNSEEN = re.compile(f"[{SIGNS}]")
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_STRING = re.compile(r'"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"')
_ESCAPE = re.compile(r"\\.")
_INFINITE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<minus>-?)Infinity|(?P<nan>NaN)')
INFINITY = "1e99999"
"""Infinity as Godot writes and reads it."""
_WORDS: dict[str, object] = {"null": None, "true": True, "false": False}
_WORD = re.compile("null|true|false")
_EMPTY = object()


class JsonError(ValueError):
    """Text that is no JSON: one sentence with line and column."""


def loads(text: str) -> object:
    """The structure that a JSON text spells: dicts, lists, texts, numbers, bools and None.

    Raises:
        JsonError: it is no JSON.
    """
    try:
        with uncollected():
            found: object = json.loads(text, parse_constant=_refuse)
        return found
    except (RecursionError, ValueError):
        return _Reader(text).read()


def dumps(node: object) -> str:
    """A structure of bounded depth on one line; what cannot be seen, or not be encoded, is escaped.

    Raises:
        RecursionError: it is too deep; :func:`chunks` takes any depth.
        ValueError: a number in it is a NaN.
    """
    try:
        return visible(json.dumps(node, ensure_ascii=False, allow_nan=False))
    except ValueError:
        return visible(_INFINITE.sub(_spelt, json.dumps(node, ensure_ascii=False)))


def _spelt(found: re.Match[str]) -> str:
    """A text as it is, infinity as a number of the standard."""
    if found["nan"]:
        raise ValueError("JSON has no NaN.")
    return found[0] if found["minus"] is None else found["minus"] + INFINITY


def chunks(node: object) -> Iterator[str]:
    """The text of a structure of any depth, in pieces."""
    try:
        whole = dumps(node)
    except RecursionError:
        yield from _chunks(node)
    else:
        yield whole


def visible(text: str) -> str:
    """JSON in which what cannot be seen, or not be encoded, is escaped."""
    return text if text.isascii() and "\x7f" not in text else _UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _chunks(node: object) -> Iterator[str]:
    stack: list[tuple[Iterator[tuple[str, object]], str]] = [(iter([("", node)]), "")]
    while stack:
        lead, inside = next(stack[-1][0], ("", _EMPTY))
        if inside is _EMPTY:
            yield stack.pop()[1]
        elif isinstance(inside, dict):
            yield f"{lead}{{"
            stack.append((_pairs(inside), "}"))
        elif isinstance(inside, list):
            yield f"{lead}["
            stack.append((_listed(inside), "]"))
        else:
            yield lead + dumps(inside)


def _pairs(node: dict[str, object]) -> Iterator[tuple[str, object]]:
    comma = ""
    for key, value in node.items():
        yield f"{comma}{dumps(key)}: ", value
        comma = ", "


def _listed(node: list[object]) -> Iterator[tuple[str, object]]:
    comma = ""
    for value in node:
        yield comma, value
        comma = ", "


def _refuse(word: str) -> object:
    raise ValueError(word)


class _Reader:
    """Reads one text with a stack of the lists and dicts that are still open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[list[object] | dict[str, object]] = []
        self.keys: list[str] = []

    def read(self) -> object:
        """The whole structure."""
        while True:
            value = self._value()
            if value is _EMPTY:
                continue
            while self.open:
                if self._closes(value):
                    value = self.open.pop()
                    self.keys.pop()
                else:
                    break
            else:
                self._blank()
                if self.at < len(self.text):
                    raise self._error("The JSON ends here, but more text follows")
                return value

    def _blank(self) -> str:
        """Step over blanks; the character behind them, empty at the end."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def _value(self) -> object:
        """A whole value, or :data:`_EMPTY` where a list or dict that is not empty opens."""
        sign = self._blank()
        if sign in ("[", "{") and sign:
            return self._opened(sign)
        if sign == '"':
            return self._string()
        word = _WORD.match(self.text, self.at)
        if word:
            self.at = word.end()
            return _WORDS[word[0]]
        return self._number()

    def _opened(self, sign: str) -> object:
        self.at += 1
        inside: list[object] | dict[str, object] = [] if sign == "[" else {}
        if self._blank() == ("]" if sign == "[" else "}"):
            self.at += 1
            return inside
        self.open.append(inside)
        self.keys.append(self._key() if sign == "{" else "")
        return _EMPTY

    def _key(self) -> str:
        if self._blank() != '"':
            raise self._error("A key in double quotes belongs here")
        key = self._string()
        if self._blank() != ":":
            raise self._error("A colon belongs here, after the key")
        self.at += 1
        return key

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        start = self.at + 1
        if found is None or r"\v" not in found[0]:
            text, self.at = self._scanned(self.text, start, 0, strict=found is None)
            return text
        tabs = [each.start() for each in _ESCAPE.finditer(self.text, start, found.end()) if each[0] == r"\v"]
        pieces = []
        for end in (*tabs, found.end() - 1):
            pieces.append(self._scanned(self.text[start:end] + '"', 0, start, strict=False)[0])
            start = end + 2
        self.at = found.end()
        return "\v".join(pieces)

    def _scanned(self, source: str, begin: int, offset: int, strict: bool) -> tuple[str, int]:
        """The text that begins behind a quote at *begin* of a source, which lies at *offset*, and where it ends."""
        try:
            found: tuple[str, int] = json.decoder.scanstring(source, begin, strict)  # type: ignore[attr-defined]
        except json.JSONDecodeError as error:
            self.at = offset + error.pos
            raise self._error(_why_no_text(error.msg)) from None
        return found

    def _number(self) -> int | float:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise self._error("A value belongs here")
        try:
            number = float(found[0]) if found[2] or found[3] else int(found[1])
        except ValueError:
            raise self._error("This number has too many digits") from None
        self.at = found.end()
        return number

    def _closes(self, value: object) -> bool:
        """Put a value into the innermost open list or dict; whether that ends there."""
        inside = self.open[-1]
        if isinstance(inside, list):
            inside.append(value)
        else:
            inside[self.keys[-1]] = value
        sign = self._blank()
        self.at += 1
        if sign == ",":
            if isinstance(inside, dict):
                self.keys[-1] = self._key()
            return False
        if sign and sign == ("]" if isinstance(inside, list) else "}"):
            return True
        self.at -= 1
        raise self._error("A comma or a closing bracket belongs here")

    def _error(self, reason: str) -> JsonError:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return JsonError(f"{reason}: line {line}, column {column}.")


def _why_no_text(why: str) -> str:
    """What is wrong about a text, in a person's words; *why* is what the reader of the standard library says."""
    if why.startswith("Unterminated"):
        return "A text begins here, and its closing quote is missing"
    if "uXXXX" in why:
        return r"Four hex digits must follow \u, as in \u00e9"
    if "escape" in why:
        return r"A backslash in a text must come before one of \" \\ / b f n r t u; a backslash itself is written twice"
    return r"A text holds a line break or another control character here; it is written \n, or \u and four hex digits"
