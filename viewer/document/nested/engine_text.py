"""Engine text as a wrap: what ``var_to_str`` makes of a value, taken off so that the value lies there in its bytes.

Putting it on again changes only what differs: each word of the text stays with the blanks before it where the same word
would be written again.
"""

from __future__ import annotations

from itertools import zip_longest

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import MOST_INSIDE, Secret, TooLarge, Unwrapped, WrapError
from viewer.document.pieces.framing import FrameReader
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, Value

NAME = "engine-text"
LONGEST = 1 << 24
"""Bytes of the longest text that is read as a value."""
LEAST_ELEMENTS = 2
"""Elements that an array must have, so that a text such as ``[1]`` is taken for words."""
_BEGIN = late_pattern(r"\s*(?:[{\[]|[A-Z]\w*[(\[])")
_WORDS = late_pattern(r"""\s*+(?:"(?:[^"\\]|\\.)*+"|[\w.+\-]++|\S)""")
_CONSTRUCTED = late_pattern(r"\s*[A-Z]\w*[(\[]")


def begins_as_value(text: str) -> bool:
    """Whether a text begins as that of a value with a structure."""
    return _BEGIN.match(text) is not None


def is_engine_text(text: str, dialect: Dialect, precision: Precision) -> bool:
    """Whether a text is word for word what the engine writes for a value with a structure; blanks aside."""
    if not begins_as_value(text):
        return False
    try:
        value = parse_literal(text, dialect, precision=precision)
    except LiteralError:
        return False
    if not _has_structure(value, text):
        return False
    return [word.lstrip() for word in _words(text)] == [
        word.lstrip() for word in _words(format_literal(value, dialect, precision=precision))
    ]


def _has_structure(value: Value, text: str) -> bool:
    data = value.data
    if isinstance(data, Dictionary):
        return len(data.pairs) > 0
    if isinstance(data, Array):
        return len(data.elements) >= LEAST_ELEMENTS
    return _CONSTRUCTED.match(text) is not None


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.rstrip())


@dataclass(frozen=True, slots=True)
class EngineTextForm:
    """How a value was written as text.

    Args:
        text: that text.
        value: what it says.
        dialect, precision: how the bytes of the value are written.
    """

    text: str
    value: Value
    dialect: Dialect
    precision: Precision

    @property
    def label(self) -> str:
        """What kind of wrap it is."""
        return "Engine text"

    def wrap(self, inside: bytes) -> bytes:
        """The text of another value, as near to the old text as it goes.

        Raises:
            WrapError: the bytes are no whole value.
        """
        table = FrameReader(inside, self.dialect).table(Span(0, len(inside)))
        if not len(table) or table.end_of_data != len(inside) or table.diagnostics:
            raise WrapError("The text can hold one whole value only.")
        new = format_literal(read(table), self.dialect, precision=self.precision)
        return self._merged(new).encode()

    def _merged(self, new: str) -> str:
        old = format_literal(self.value, self.dialect, precision=self.precision)
        there, before, after = _words(self.text), _words(old), _words(new)
        if len(there) != len(before):
            return new  # written in a style of its own: word for word it cannot be kept
        tail = self.text[len(self.text.rstrip()) :]
        if len(before) == len(after):
            pairs = zip_longest(there, before, after, fillvalue="")
            return "".join(own if was == now else _blanks(own) + now.lstrip() for own, was, now in pairs) + tail
        head = next(k for k, (was, now) in enumerate(zip_longest(before, after)) if was != now)
        shorter = min(len(before), len(after)) - head
        foot = next((k for k in range(shorter) if before[-1 - k] != after[-1 - k]), shorter)
        kept = there[len(there) - foot :]
        return "".join((*there[:head], *after[head : len(after) - foot], *kept)) + tail


def _blanks(word: str) -> str:
    return word[: len(word) - len(word.lstrip())]


@dataclass(frozen=True, slots=True)
class EngineText:
    """The codec of engine text.

    Args:
        dialect, precision: how the value is written as bytes.
    """

    dialect: Dialect
    precision: Precision

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return NAME

    def probe(self, outside: Buffer) -> bool:
        """Whether the bytes begin as the text of a value with a structure."""
        return len(outside) <= LONGEST and _BEGIN.match(bytes(outside[:64]).decode(errors="replace")) is not None

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """The bytes of the value that the text says.

        Raises:
            TooLarge: more than *limit* bytes would come out.
            WrapError: it is no such text.
        """
        try:
            text = bytes(outside[:]).decode()
            value = parse_literal(text, self.dialect, precision=self.precision)
            inside = encode(value, self.dialect, self.precision)
        except (UnicodeDecodeError, LiteralError, EncodeError, KeyError) as error:
            raise WrapError(f"This is no text of a value: {error}") from error
        if len(inside) > limit:
            raise TooLarge("The value of this text takes more bytes than are allowed.", len(inside))
        return Unwrapped(inside, EngineTextForm(text, value, self.dialect, self.precision))
