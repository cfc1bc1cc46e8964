"""Texts inside values, taken off as a wrap: what ``var_to_str`` makes of a value, and the attributes of a section."""

from __future__ import annotations

import re
from itertools import zip_longest

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import MOST_INSIDE, Secret, TooLarge, Unwrapped, WrapError
from viewer.document.document import Document
from viewer.document.outline import key_of, key_text, node_frame
from viewer.document.pieces.framing import FrameReader
from viewer.text.float_spelling import engine_reading, respelled
from viewer.text.tags import ATTRIBUTE_NAME, attributes, word_end
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, Value

# What ``var_to_str`` makes of a value: the value lies inside in its bytes.


ENGINE_TEXT = "engine-text"
LONGEST = 1 << 24
"""Bytes of the longest text that is read as a value."""
LEAST_ELEMENTS = 2
"""Elements that an array must have, so that a text such as ``[1]`` is taken for words."""
_BEGIN = late_pattern(r"\s*(?:[{\[]|[A-Z]\w*[(\[])")
_WORDS = late_pattern(r"""\s*+(?:"(?:[^"\\]|\\.)*+"|[\w.+\-]++|\S)""")
_CONSTRUCTED = late_pattern(r"\s*[A-Z]\w*[(\[]")
_TEXTS = late_pattern(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_TIGHT = late_pattern(r"[:,]\S")


def begins_as_value(text: str) -> bool:
    """Whether a text begins as that of a value with a structure."""
    return _BEGIN.match(text) is not None


def is_engine_text(text: str, dialect: Dialect, precision: Precision) -> bool:
    """Whether a text is word for word what the engine writes for a value with a structure; blanks aside."""
    if not begins_as_value(text) or is_tight_json(text):
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


def is_tight_json(text: str) -> bool:
    """Whether a text is JSON as ``JSON.stringify`` sets it; in texts of values a blank follows commas and colons."""
    if _TIGHT.search(_TEXTS.sub('""', text)) is None:
        return False
    import json  # few values hold such texts

    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


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

    def as_read(self, inside: bytes) -> bytes:
        """A value as it is read from its text: no spelling of some floats is read as them."""
        table = FrameReader(inside, self.dialect).table(Span(0, len(inside)))
        literal = format_literal(read(table), self.dialect, precision=self.precision)
        if self._encoded(literal) != inside:
            return inside
        return self._encoded(engine_reading(respelled(literal)))

    def _encoded(self, literal: str) -> bytes:
        return encode(parse_literal(literal, self.dialect, precision=self.precision), self.dialect, self.precision)

    def _merged(self, new: str) -> str:
        old = format_literal(self.value, self.dialect, precision=self.precision)
        there, before, after = _words(self.text), _words(old), _words(new)
        if len(there) != len(before):
            return respelled(new)  # written in a style of its own: word for word it cannot be kept
        tail = self.text[len(self.text.rstrip()) :]
        if len(before) == len(after):
            pairs = zip_longest(there, before, after, fillvalue="")
            words = (own if was == now else _blanks(own) + respelled(now.lstrip()) for own, was, now in pairs)
            return "".join(words) + tail
        head = next(k for k, (was, now) in enumerate(zip_longest(before, after)) if was != now)
        shorter = min(len(before), len(after)) - head
        foot = next((k for k in range(shorter) if before[-1 - k] != after[-1 - k]), shorter)
        kept = there[len(there) - foot :]
        return "".join((*there[:head], *map(respelled, after[head : len(after) - foot]), *kept)) + tail


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
        return ENGINE_TEXT

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
            if is_tight_json(text):
                raise WrapError("This is JSON, not the text of a value.")
            value = parse_literal(engine_reading(text), self.dialect, precision=self.precision)
            inside = encode(value, self.dialect, self.precision)
        except (UnicodeDecodeError, LiteralError, EncodeError, KeyError) as error:
            raise WrapError(f"This is not the text of a value: {error}") from error
        if len(inside) > limit:
            raise TooLarge("The value of this text takes more bytes than are allowed.", len(inside))
        return Unwrapped(inside, EngineTextForm(text, value, self.dialect, self.precision))


# The attributes of a section of a resource: ``[node name="Hero" parent="."]``.


SECTION = "section"
LABEL = "attributes"
Pairs = list[tuple[str, Value]]


def section_of(document: Document, item: Item) -> str:
    """What stands in the brackets of a section; empty where an item is none, or has no attributes."""
    frame = node_frame(document, item) if document.has_sections else None
    if frame is None or item.part or item.node <= 0 or frame.table.parent[item.node]:
        return ""
    key = key_of(frame.table, item.node)
    words = key_text(frame.table, key) if key is not None else ""
    return words if attributes(words) else ""


@dataclass(frozen=True, slots=True)
class SectionForm:
    """How attributes were written.

    Args:
        text: what stands in the brackets.
        pairs: the attributes.
        dialect: how their values lie.
    """

    text: str
    pairs: tuple[tuple[str, Value], ...]
    dialect: Dialect

    @property
    def label(self) -> str:
        """What kind of wrap it is."""
        return LABEL

    def wrap(self, inside: bytes) -> bytes:
        """The section with other attributes.

        Raises:
            WrapError: they are no whole dictionary, or a name is none.
        """
        table = FrameReader(inside, self.dialect).table(Span(0, len(inside)))
        whole = read(table) if len(table) and table.end_of_data == len(inside) and not table.diagnostics else None
        if whole is None or not isinstance(whole.data, Dictionary):
            raise WrapError("The attributes of a section are a dictionary, and stay one.")
        now = [(_name(key), value) for key, value in whole.data.pairs]
        at, left = word_end(self.text), dict(now)
        out = [self.text[:at]]
        for number, (found, (name, value)) in enumerate(zip(attributes(self.text), self.pairs, strict=True)):
            fresh = now[number] if len(now) == len(self.pairs) else (name, left.get(name))
            left.pop(fresh[0], None)
            if fresh == (name, value):
                out.append(self.text[at : found.end])
            elif fresh[1] is not None:
                spelled = found.literal if fresh[1] == value else format_literal(fresh[1], self.dialect)
                out += [self.text[at : found.name_at], fresh[0]]
                out += [self.text[found.name_at + len(found.name) : found.literal_at], spelled]
            at = found.end
        more = (f" {name}={format_literal(value, self.dialect)}" for name, value in left.items())
        return "".join((*out, *more, self.text[at:])).encode()


@dataclass(frozen=True, slots=True)
class SectionText:
    """The codec of the attributes.

    Args:
        dialect: that of the text around.
    """

    dialect: Dialect

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return SECTION

    def probe(self, outside: Buffer) -> bool:
        """Whether there are attributes."""
        return bool(attributes(bytes(outside[:]).decode(errors="replace")))

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """The attributes as a dictionary.

        Raises:
            WrapError: one of them has no value that can be read.
        """
        text = bytes(outside[:]).decode(errors="replace")
        pairs: Pairs = []
        for each in attributes(text):
            try:
                pairs.append((each.name, parse_literal(each.literal, self.dialect)))
            except LiteralError as error:
                raise WrapError(f"“{each.name}” has no value that can be read: {error}") from error
        held = tuple((Value("String", name), value) for name, value in pairs)
        try:
            inside = encode(Value("Dictionary", Dictionary(held)), self.dialect)
        except EncodeError as error:
            raise WrapError(str(error)) from error
        return Unwrapped(inside, SectionForm(text, tuple(pairs), self.dialect))


def _name(key: Value) -> str:
    if key.type != "String" or not ATTRIBUTE_NAME.fullmatch(str(key.data)):
        raise WrapError("The name of an attribute is one word.")
    return str(key.data)
