"""Fields: numbers, texts and bytes of a file that are no values, written anew in the form that they lie in."""

from __future__ import annotations

import struct

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.varint import LONGEST, varint_at, varint_bytes
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.pieces.message import FieldForm, MessageField
from viewer.document.readers.resource_uid import parse_uid, uid_text
from viewer.variant import text
from viewer.variant.dialect import Dialect
from viewer.variant.items import Item
from viewer.variant.literal.numbers import component_text, floating, whole
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Value

REALS = ("f32", "f64")
MOST_TYPED = 1 << 12
"""Nobody types more bytes than these as hex digits."""
TYPES = (*(f"{sort}{8 * size}" for sort in "ui" for size in (1, 2, 4, 8)), *REALS, "text", "bytes", "uid", "varint")


@dataclass(frozen=True, slots=True)
class FormedField:
    """A field whose form is known: where it is, and in which form."""

    span: Span
    form: FieldForm

    def value(self, document: Document) -> Value | bytes:
        """What it holds now; an id is a text."""
        form, raw = self.form, bytes(document.buffer[self.span.start : self.span.end])
        if form.type in REALS:
            return Value("float", struct.unpack(_real(form), raw)[0])
        if form.type == "varint":
            return Value("int", (varint_at(raw) or (0, 0))[0])
        raw = raw[self._head(raw) :] if form.type in ("text", "bytes") else raw
        if form.type == "text":
            inside = raw
            inside = inside.rstrip(b"\0") if form.is_fixed or form.fill else inside.removesuffix(form.end)
            return Value("String", text.read(inside, "lenient"))
        if form.type == "bytes":
            return raw
        number = int.from_bytes(raw, _order(form), signed=form.type[0] == "i")  # type: ignore[arg-type]
        return Value("String", uid_text(number)) if form.type == "uid" else Value("int", number)

    def literal(self, document: Document) -> str:
        """What it holds now, as text that :meth:`encoded` reads."""
        found = self.value(document)
        if isinstance(found, bytes):
            return found.hex(" ").upper()
        if self.form.type in REALS:
            return component_text(float(found.data), self.form.type)  # type: ignore[arg-type]
        return format_literal(found, document.dialect) if self.form.type == "text" else str(found.data)

    def encoded(self, literal: str, dialect: Dialect) -> bytes:
        """The bytes of the field with another content.

        Args:
            literal: a number, a text in quotes, or bytes as hex digits, as the form wants it.
            dialect: whose literals are read.

        Raises:
            EditError: the field cannot hold it.
            LiteralError: it is no text in quotes.
        """
        form = self.form
        if form.type in REALS:
            return _encoded_real(literal, form)
        if form.type not in ("text", "bytes"):
            return _encoded_number(literal, form)
        raw = _encoded_text(literal, dialect, form) if form.type == "text" else _encoded_bytes(literal)
        return self.fitted(raw)

    def _head(self, raw: bytes) -> int:
        """How many bytes the length in front of a text or bytes takes."""
        if self.form.length >= 0:
            return self.form.length
        return (varint_at(raw) or (0, 0))[1]

    def content(self, document: Document) -> Span:
        """Where the bytes of a field of bytes lie, behind their length."""
        raw = bytes(document.buffer[self.span.start : min(self.span.end, self.span.start + LONGEST)])
        return Span(self.span.start + self._head(raw), self.span.end)

    def fitted(self, raw: bytes) -> bytes:
        """A text or bytes with what lies around them."""
        form = self.form
        if form.is_fixed:
            room = len(self.span) - form.length
            if len(raw) > room or (form.type == "bytes" and len(raw) != room):
                raise EditError(f"This field has {room} bytes; that would be {len(raw)}.")
            raw = raw.ljust(room, b"\0")
        if form.fill:
            raw += bytes(-len(raw) % form.fill)
        if form.length < 0:
            return varint_bytes(len(raw)) + raw
        if not form.length:
            return raw
        if len(raw) >= 1 << 8 * form.length:
            raise EditError(f"The length of this field counts up to {(1 << 8 * form.length) - 1} bytes.")
        return len(raw).to_bytes(form.length, _order(form)) + raw  # type: ignore[arg-type]


def formed_field(document: Document, item: Item) -> FormedField | None:
    """The field that an item names, where its form is known."""
    field = outline.field_of(document, item)
    return None if field is None else formed(field)


def formed(field: MessageField) -> FormedField | None:
    """A field whose form is known; None for any other."""
    form = field.form
    return FormedField(field.span, form) if form is not None and form.type in TYPES else None


def editable_field(document: Document, item: Item) -> FormedField | None:
    """The field that an item names, where a person may change it."""
    found = formed_field(document, item)
    if found is None or found.form.is_locked or (found.form.type == "bytes" and len(found.span) > MOST_TYPED):
        return None
    return found


def _order(form: FieldForm) -> str:
    return "big" if form.big_endian else "little"


def _real(form: FieldForm) -> str:
    return (">" if form.big_endian else "<") + ("f" if form.type == "f32" else "d")


def _encoded_real(literal: str, form: FieldForm) -> bytes:
    number = floating(literal.strip())
    if number is None:
        raise EditError("A number belongs here, such as 1.5.")
    try:
        return struct.pack(_real(form), number)
    except OverflowError:
        return struct.pack(_real(form), float("inf") if number > 0 else float("-inf"))


def _encoded_number(literal: str, form: FieldForm) -> bytes:
    is_uid = form.type == "uid"
    number = parse_uid(literal.strip()) if is_uid else None
    number = whole(literal.strip()) if number is None else number
    if number is None:
        example = (
            "An id belongs here, such as uid://b4lu8f, or none" if is_uid else "A whole number belongs here: 12, 0x0C"
        )
        raise EditError(f"{example}.")
    bits, is_signed = 64 if form.type in ("uid", "varint") else int(form.type[1:]), form.type[0] == "i"
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    if not low <= number <= high:
        word, nearest = ("largest", high) if number > high else ("smallest", low)
        raise EditError(f"This field holds {low} to {high}: {nearest} is the {word}.", 0, str(nearest))
    if form.type == "varint":
        return varint_bytes(number)
    return number.to_bytes(bits // 8, _order(form), signed=is_signed)  # type: ignore[arg-type]


def _encoded_text(literal: str, dialect: Dialect, form: FieldForm) -> bytes:
    raw = text.write(str(parse_literal(literal, dialect, "String").data))
    if form.end and form.end in raw:
        raise EditError("What ends this text cannot occur inside it.")
    return raw + form.end


def _encoded_bytes(literal: str) -> bytes:
    try:
        return bytes.fromhex(literal)
    except ValueError:
        raise EditError("Bytes are written as pairs of hex digits, such as 0A FF.") from None
