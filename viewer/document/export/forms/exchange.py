"""Values to files and from files, in any form or as plain bytes."""

from __future__ import annotations

from pathlib import Path

from viewer.base.span import Span
from viewer.container.armor.byte_text import FormError
from viewer.document import files
from viewer.document.document import Document
from viewer.document.export.forms.copying import Written, bytes_of, read, value_of, write
from viewer.document.export.forms.decoding import decode, is_whole
from viewer.document.export.forms.recognising import MOST_TEXT, Recognised, recognise
from viewer.document.export.forms.table import HEX, Form, Holds
from viewer.document.outline import span as span_of
from viewer.variant.convert import ConvertError, translate
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.items import Item
from viewer.variant.value import Value

MOST_VALUE = 4 << 20
"""Bytes of a value that is written as one: each takes microseconds, and its text many times its bytes."""
MOST_BYTES = 16 << 20
"""Bytes on a clipboard."""


def check_size(form: Form, document: Document, what: Item | Span, most: int = MOST_BYTES) -> None:
    """Refuse what would take minutes or more memory than its text is worth.

    Raises:
        FormError: it is too long.
    """
    size = len(what if isinstance(what, Span) else span_of(document, what))
    limit = most if form.writes is Holds.BYTES else MOST_VALUE
    if size > limit:
        hint = "select a smaller value" if form.writes is Holds.VALUE or most > MOST_BYTES else "export it to a file"
        raise FormError(f"These {size} bytes are too many to be written as {form.name}; {hint} instead.")


def export_file(form: Form | None, document: Document, item: Item, path: Path) -> tuple[str, ...]:
    """Write an item to a file, as the bytes themselves where *form* is None.

    Returns:
        What the text does not tell, in a few words each.

    Raises:
        FormError: the form cannot hold it, or the file cannot be written; an older file is left as it was.
    """
    if form is None:
        data, found = bytes_of(document, item)[0], Written("")
    else:
        check_size(form, document, item, MOST_TEXT)
        found = write(form, document, item)
        data = found.text.encode()
    try:
        files.write(path, data, backup=False)
    except files.FileProblem as problem:
        raise FormError(str(problem)) from problem
    return found.lost


def import_file(form: Form | None, document: Document, path: Path) -> Recognised:
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
