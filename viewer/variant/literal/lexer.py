"""The characters of a literal: a place in the text, its words, strings and errors."""

from __future__ import annotations

from viewer.base.late_pattern import late_pattern
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.literal.numbers import FLOAT_WORD, NUMBER, forms

_SPACE = late_pattern(r"[\s\ufeff]*")
_WORD = late_pattern(r"[^\W\d]\w*")
_ESCAPE_OR_END = late_pattern(r"[\\\"']")
_HEX = {"u": late_pattern("[0-9a-fA-F]{4}"), "U": late_pattern("[0-9a-fA-F]{6}")}
_LOW_HALF = late_pattern(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_ESCAPES |= {char: char for char in "\"'\\/"}
_SHOWN = 40


class LiteralError(ValueError):
    """A text that is no literal, in one sentence for a person.

    Attributes:
        position: where in the text, in characters.
        fix: the whole text mended, where there is one obvious way; else None.
    """

    def __init__(self, message: str, position: int = 0, fix: str | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.fix = fix


class LiteralReader:
    """A place in a literal's text, and what it is read for."""

    def __init__(self, text: str, dialect: Dialect, precision: Precision) -> None:
        self.text = text
        self.dialect = dialect
        self.precision = precision
        self.scalars: dict[str, str] = {
            name: forms(dialect.by_name[name], precision)[0] for name in ("int", "float") if name in dialect.by_name
        }
        self.pos = 0

    def error(
        self, message: str, start: int | None = None, end: int | None = None, fix: str | None = None
    ) -> LiteralError:
        """An error at *start* (here by default); *fix* is what should stand between *start* and *end*."""
        at = self.pos if start is None else start
        mended = None if fix is None or end is None else self.text[:at] + fix + self.text[end:]
        return LiteralError(message, min(at, len(self.text)), mended)

    def peek(self) -> str:
        """The next character behind any blanks; an empty text at the end."""
        space = _SPACE.match(self.text, self.pos)
        if space is not None:
            self.pos = space.end()
        return self.text[self.pos : self.pos + 1]

    def skip(self, char: str) -> bool:
        """Move past this character if it is the next one."""
        found = self.peek() == char
        self.pos += found
        return found

    def need(self, char: str, place: str) -> None:
        """Move past this character.

        Raises:
            LiteralError: it is not the next one; *place* completes "is missing".
        """
        if not self.skip(char):
            raise self.missing(f"“{char}”", place)

    def missing(self, what: str, place: str) -> LiteralError:
        """The error for something that should stand here."""
        here = self.text[self.pos : self.pos + 1]
        if not here:
            return self.error(f"The text ends {place}: {what} is missing.")
        return self.error(f"Here, {place}, {what} is missing before “{here}”.")

    def word(self) -> str | None:
        """Move past the next word, if there is one: a name, not a number."""
        self.peek()
        match = _WORD.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        return match[0]

    def number(self) -> str | None:
        """Move past the next number or word for one, if there is one."""
        self.peek()
        match = NUMBER.match(self.text, self.pos) or FLOAT_WORD.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        return match[0]

    def string(self) -> str:
        """Move past a text in quotes.

        Raises:
            LiteralError: none begins here, it does not end, or holds a bad escape.
        """
        start = self.pos
        quote = self.peek()
        if quote not in ('"', "'") or not quote:
            raise self.missing("a text in quotes", "where it belongs")
        self.pos += 1
        out: list[str] = []
        while True:
            match = _ESCAPE_OR_END.search(self.text, self.pos)
            if match is None:
                self.pos = len(self.text)
                raise self.error("The quote at the end of this text is missing.", start)
            out.append(self.text[self.pos : match.start()])
            self.pos = match.end()
            if match[0] == quote:
                return "".join(out)
            out.append(self._escape() if match[0] == "\\" else match[0])

    def _escape(self) -> str:
        start = self.pos - 1
        letter = self.text[self.pos : self.pos + 1]
        self.pos += 1
        if letter in _HEX:
            return self._code(letter, start)
        if letter not in _ESCAPES:
            fix = "\\\\" if letter else None
            reason = f"“\\{letter}” means nothing in a string. A backslash is written “\\\\”."
            raise self.error(reason, start, start + 1, fix)
        return _ESCAPES[letter]

    def _code(self, letter: str, start: int) -> str:
        digits = _HEX[letter].match(self.text, self.pos)
        if digits is None:
            raise self.error(f"“\\{letter}” needs {4 if letter == 'u' else 6} hexadecimal digits after it.", start)
        self.pos = digits.end()
        code = int(digits[0], 16)
        low = _LOW_HALF.match(self.text, self.pos) if letter == "u" and 0xD800 <= code < 0xDC00 else None
        if low is not None:
            self.pos = low.end()
            code = 0x10000 + (code - 0xD800 << 10) + (int(low[1], 16) - 0xDC00)
        if code > 0x10FFFF:
            raise self.error("The highest character is \\U10ffff.", start, self.pos, "\\U10ffff")
        return chr(code)


def shown(text: str) -> str:
    """A text to quote in a message, cut where it is long."""
    text = text.strip()
    return f"“{text}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN]}…”"
