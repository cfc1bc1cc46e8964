"""Text around bytes: how it is read from a file, how it is known, and how it is written again in the same form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Protocol

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.container.armor.byte_text import FormError
from viewer.container.layer import MOST_INSIDE, Damage, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import UNASKED_OF_FEW

MOST_TEXT = 1 << 28
"""Bytes of a text that is read as a whole."""
READING = 4
"""Reading a text takes about so many times the memory of its characters."""
WIDEST = 4
"""Bytes of a character in memory where one of them is none of ASCII."""
SAMPLE = 1 << 16
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_STRAIGHT = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f", "''''\"\"\"\"")
_NO_TEXT = late_pattern(r"[\x00-\x08\x0b\x0e-\x1f]")


class ArmorWriter(Protocol):
    """How bytes stand in a text."""

    def write(self, inside: bytes) -> str:
        """The text with other bytes in it."""


@dataclass(frozen=True, slots=True)
class Dearmored:
    """Bytes that stood in a text, and how.

    Args:
        inside: the bytes.
        writer: writes others the same way.
        label: what a person calls it.
        damages: what of them is missing, the spans counted in characters of the text.
    """

    inside: bytes
    writer: ArmorWriter
    label: str
    damages: tuple[Damage, ...] = ()


@dataclass(frozen=True, slots=True)
class Charset:
    """How a text was written as bytes: an encoding, with or without a mark before the text."""

    name: str
    bom: bytes = b""

    def encode(self, text: str) -> bytes:
        """The bytes of a text, the mark included."""
        return self.bom + text.encode(self.name)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How bytes were written as text.

    Args:
        label: what kind of text it is, for a person.
        outside: the file as it was, which is what the same bytes are written as.
        inside: the bytes that were in it.
        charset: how the text was written as bytes.
        writer: how the bytes stood in the text.
    """

    label: str
    outside: bytes = field(repr=False)
    inside: bytes = field(repr=False)
    charset: Charset
    writer: ArmorWriter = field(repr=False)

    def wrap(self, inside: bytes) -> bytes:
        """The text with these bytes in the places of the old ones."""
        return self.outside if inside == self.inside else self.charset.encode(self.writer.write(inside))


@dataclass(frozen=True, slots=True)
class TextCodec:
    """One form of text as a codec.

    Args:
        name: the word for it.
        looks: whether a text, or the beginning of one, is in this form; the second argument says whether it is all.
        read: the bytes of a text in this form; raises FormError.
    """

    name: str
    looks: Callable[[str, bool], bool]
    read: Callable[[str], Dearmored]

    def probe(self, outside: Buffer) -> bool:
        """Whether a file is text in this form: all of it where it is short, else as far as its beginning tells."""
        whole = len(outside) <= SAMPLE
        return any(self._is_read(each, whole) for each in _beginnings(bytes(outside[:SAMPLE]), cut=not whole))

    def _is_read(self, text: str, whole: bool) -> bool:
        try:
            return self.looks(text, whole) and (not whole or bool(self.read(text).inside))
        except FormError:
            return False

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Read a text.

        Raises:
            TooLarge: it holds more than *limit* bytes, or reading it takes much more memory than that.
            WrapError: it is no text, or not in this form; the sentence names the place.
        """
        if len(outside) > MOST_TEXT:
            raise WrapError(f"This text is longer than {MOST_TEXT >> 20} MiB, too long to be read as {self.name}.")
        data = bytes(outside[:])
        memory = READING * len(data) * (1 if data.isascii() else WIDEST)
        if memory > max(limit + limit // 2, UNASKED_OF_FEW):
            raise TooLarge(f"Reading this text takes {memory} bytes of memory.", -(-memory * 2 // 3), exact=False)
        text, charset = decoded(data)
        dearmored = self._dearmored(text)
        if len(dearmored.inside) > limit:
            size = len(dearmored.inside)
            raise TooLarge(f"{size} bytes are written in this text, more than are opened.", size)
        form = TextFormat(dearmored.label, data, dearmored.inside, charset, dearmored.writer)
        return Unwrapped(dearmored.inside, form, tuple(_in_bytes(dearmored.damages, text, charset)))

    def _dearmored(self, text: str) -> Dearmored:
        wrong: FormError | None = None
        for each in _spellings(text):
            try:
                return self.read(each)
            except FormError as error:
                wrong = wrong or error
        raise WrapError(str(wrong))


def _spellings(text: str) -> Iterator[str]:
    """A text, and the same with straight quotes, of which a chat or a word processor made typographic ones."""
    yield text
    if not text.isascii() and any(chr(sign) in text for sign in _STRAIGHT):  # rewriting a text takes far longer
        yield text.translate(_STRAIGHT)


@lru_cache(1)  # one form after another asks for it
def _beginnings(start: bytes, *, cut: bool) -> tuple[str, ...]:
    """The spellings of the beginning of a file, none where it is no text."""
    try:
        return tuple(_spellings(decoded(start, cut=cut)[0]))
    except WrapError:
        return ()


def _in_bytes(damages: tuple[Damage, ...], text: str, charset: Charset) -> Iterator[Damage]:
    """Damages, which come in order, with their places in the bytes of a text instead of in its characters."""
    at, size = 0, len(charset.bom)
    for damage in damages:
        start = size + len(text[at : damage.span.start].encode(charset.name))
        size = start + len(text[damage.span.start : damage.span.end].encode(charset.name))
        at = damage.span.end
        yield replace(damage, span=Span(start, size))


def decoded(data: bytes, *, cut: bool = False) -> tuple[str, Charset]:
    """The text of a file, and how it was written.

    Args:
        data: the file, or its beginning.
        cut: whether more follows, so that a character may be cut off at the end.

    Raises:
        WrapError: it is no text.
    """
    bom, name = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data[len(bom) :]
    try:
        text = body.decode(name)
    except UnicodeDecodeError as error:
        if not cut or error.start < len(body) - 4:
            raise WrapError("This file is not text.") from None
        text = body[: error.start].decode(name)
    if _NO_TEXT.search(text):
        raise WrapError("This file is not text: it holds control characters.")
    return text, Charset(name, bom)
