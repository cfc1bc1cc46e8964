"""An item or a run of bytes of a document in a form, and a text read as one."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.container.armor import byte_text
from viewer.container.armor.byte_text import FormError
from viewer.container.armor.hexdump import read_hexdump, write_hexdump
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.export.forms.decoding import decode
from viewer.document.export.forms.recognising import check_length
from viewer.document.export.forms.table import (
    BASE64,
    C_ARRAY,
    HEX,
    HEXDUMP,
    PACKED,
    PRINTED,
    PYTHON,
    Form,
    Holds,
)
from viewer.document.export.forms.values import read_value, write_value
from viewer.document.export.item_text import item_value
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.items import Item
from viewer.variant.value import Value

NO_VALUE = "These bytes hold no value of their own; copy them as bytes instead, for example as hex."
_WRITERS = {
    HEX: byte_text.write_hex,
    BASE64: byte_text.write_base64,
    C_ARRAY: byte_text.write_c,
    PYTHON: byte_text.write_python,
    PRINTED: byte_text.write_printed,
    PACKED: byte_text.write_packed,
}
_READERS = {
    HEX: byte_text.read_hex,
    BASE64: byte_text.read_base64,
    C_ARRAY: byte_text.read_c,
    PYTHON: byte_text.read_python,
    PRINTED: byte_text.read_printed,
    PACKED: byte_text.read_printed,
    HEXDUMP: read_hexdump,
}


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and what of the value it does not tell, in a few words each."""

    text: str
    lost: tuple[str, ...] = ()


def write(form: Form, document: Document, what: Item | Span) -> Written:
    """An item, or a run of bytes of the layer, in a form.

    Raises:
        FormError: the form cannot hold it.
    """
    if form.writes is Holds.BYTES:
        return Written(write_bytes(form, *bytes_of(document, what)))
    value = item_value(document, what) if isinstance(what, Item) else None
    if not isinstance(value, Value):
        raise FormError(NO_VALUE)
    return Written(*write_value(form, value, document.dialect, document.precision))


def bytes_of(document: Document, what: Item | Span) -> tuple[bytes, int]:
    """The bytes of an item or a run, and the offset of the first one in the layer."""
    span = what if isinstance(what, Span) else outline.span(document, what)
    return bytes(document.buffer[span.start : span.end]), span.start


def write_bytes(form: Form, data: bytes, start: int = 0) -> str:
    """Bytes in a form of bytes; *start* is the offset of the first one, where the form tells offsets."""
    return write_hexdump(data, start) if form == HEXDUMP else _WRITERS[form](data)


def read(form: Form, text: str, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Value | bytes:
    """What a text in this form holds.

    Raises:
        FormError: it is not in this form, or holds what the dialect lacks.
    """
    text = check_length(text).removeprefix("\ufeff")
    if form.reads is Holds.BYTES:
        return _READERS[form](text)
    return read_value(form, text, dialect, precision)


def value_of(content: Value | bytes, dialect: Dialect) -> Value:
    """The value that was read, or that the bytes which were read encode.

    Raises:
        FormError: the bytes are no whole value.
    """
    return decode(content, dialect) if isinstance(content, bytes) else content
