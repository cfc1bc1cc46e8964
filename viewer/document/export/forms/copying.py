"""An item or a run of bytes of a document in a form, and a text read as one."""

from __future__ import annotations

from pathlib import Path

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.armor import byte_text
from viewer.container.armor.byte_text import FormError
from viewer.container.armor.hexdump import read_hexdump, write_hexdump
from viewer.document import outline
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.export.forms.form_table import (
    BASE64,
    C_ARRAY,
    HEX,
    HEXDUMP,
    PACKED,
    PRINTED,
    PYTHON,
    FormContent,
    TextForm,
)
from viewer.document.export.forms.recognising import MOST_TEXT, Recognised, check_length, decode, is_whole, recognise
from viewer.document.export.forms.value_forms import read_value, write_value
from viewer.document.export.item_text import item_value
from viewer.document.outline import span as span_of
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.translate import translate
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
class CopiedText:
    """A text, and what of the value it does not tell, in a few words each."""

    text: str
    lost: tuple[str, ...] = ()


def write(form: TextForm, document: Document, what: Item | Span) -> CopiedText:
    """An item, or a run of bytes of the layer, in a form.

    Raises:
        FormError: the form cannot hold it.
    """
    if form.writes is FormContent.BYTES:
        return CopiedText(write_bytes(form, *bytes_of(document, what)))
    value = item_value(document, what) if isinstance(what, Item) else None
    if not isinstance(value, Value):
        raise FormError(NO_VALUE)
    return CopiedText(*write_value(form, value, document.dialect, document.precision))


def bytes_of(document: Document, what: Item | Span) -> tuple[bytes, int]:
    """The bytes of an item or a run, and the offset of the first one in the layer."""
    span = what if isinstance(what, Span) else outline.span(document, what)
    return bytes(document.buffer[span.start : span.end]), span.start


def write_bytes(form: TextForm, data: bytes, start: int = 0) -> str:
    """Bytes in a form of bytes; *start* is the offset of the first one, where the form tells offsets."""
    return write_hexdump(data, start) if form == HEXDUMP else _WRITERS[form](data)


def read(form: TextForm, text: str, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Value | bytes:
    """What a text in this form holds.

    Raises:
        FormError: it is not in this form, or holds what the dialect lacks.
    """
    text = check_length(text).removeprefix("\ufeff")
    if form.reads is FormContent.BYTES:
        return _READERS[form](text)
    return read_value(form, text, dialect, precision)


def value_of(content: Value | bytes, dialect: Dialect) -> Value:
    """The value that was read, or that the bytes which were read encode.

    Raises:
        FormError: the bytes are no whole value.
    """
    return decode(content, dialect) if isinstance(content, bytes) else content


# Values to files and from files, in any form or as plain bytes.

MOST_VALUE = 4 << 20
"""Bytes of a value that is written as one: each takes microseconds, and its text many times its bytes."""
MOST_BYTES = 16 << 20
"""Bytes on a clipboard."""


def check_size(form: TextForm, document: Document, what: Item | Span, most: int = MOST_BYTES) -> None:
    """Refuse what would take minutes or more memory than its text is worth.

    Raises:
        FormError: it is too long.
    """
    size = len(what if isinstance(what, Span) else span_of(document, what))
    limit = most if form.writes is FormContent.BYTES else MOST_VALUE
    if size > limit:
        hint = (
            "select a smaller value" if form.writes is FormContent.VALUE or most > MOST_BYTES else "export it to a file"
        )
        raise FormError(f"These {size} bytes are too many to be written as {form.name}; {hint} instead.")


def export_file(form: TextForm | None, document: Document, item: Item, path: Path) -> tuple[str, ...]:
    """Write an item to a file, as the bytes themselves where *form* is None.

    Returns:
        What the text does not tell, in a few words each.

    Raises:
        FormError: the form cannot hold it, or the file cannot be written; an older file is left as it was.
    """
    if form is None:
        data, found = bytes_of(document, item)[0], CopiedText("")
    else:
        check_size(form, document, item, MOST_TEXT)
        found = write(form, document, item)
        data = found.text.encode()
    try:
        files.write(path, data, backup=False)
    except files.FileProblem as problem:
        raise FormError(str(problem)) from problem
    return found.lost


def import_file(form: TextForm | None, document: Document, path: Path) -> Recognised:
    """The value of a file in a form, or in whichever it is where *form* is None, encoded bytes included.

    Raises:
        FormError: it cannot be read, or holds no value; the sentence names the place.
    """
    data = _read(path)
    if form is None and is_whole(data, document.dialect):
        return Recognised(HEX, decode(data, document.dialect), document.dialect)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Recognised(HEX, decode(data, document.dialect), document.dialect)
    if form is None:
        found = recognise(text, document.dialect, document.precision)
    else:
        content = read(form, text, document.dialect, document.precision)
        found = Recognised(form, content, document.dialect)
    return Recognised(found.form, value_of(found.content, found.dialect), found.dialect)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_TEXT:
            raise FormError(f"“{path.name}” is larger than {MOST_TEXT >> 20} MiB, too large to be one value.")
        return path.read_bytes()
    except OSError as error:
        raise FormError(f"“{path.name}” cannot be read: {error.strerror or error}.") from None


def translated(found: Recognised, dialect: Dialect, precision: Precision) -> tuple[Value, tuple[str, ...]]:
    """The value that was read as one of this dialect, and what it loses where it was one of another engine line.

    Raises:
        FormError: nothing in this dialect comes near it.
    """
    try:
        there = translate(value_of(found.content, found.dialect), found.dialect, dialect, precision)
    except ConvertError as error:
        raise FormError(
            f"This is a value of {found.dialect.name}, and {dialect.name} has none like it: {error}"
        ) from None
    return there.value, there.losses
