"""The same file for another engine line: its values as that line has them, in wraps that it opens, with its key."""

from __future__ import annotations

import re

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.container.gdec import GdecForm, Version
from viewer.container.layer import MOST_INSIDE, SourceText, WrapError
from viewer.document.document import Document
from viewer.document.export.converting import (
    BARE,
    JSON,
    PROJECT,
    VALUES,
    CannotConvertError,
    Conversion,
    ConversionChoice,
    ConvertedFile,
    converted,
)
from viewer.document.path import format_path
from viewer.document.readers.file_structure import RESOURCE
from viewer.text.engine_codec import CONFIG, VALUE
from viewer.text.engine_notation import KEYS, EngineNotation
from viewer.text.engine_parser import EngineTextParser
from viewer.text.patching import patched
from viewer.text.text_wrap import CONTROLS
from viewer.variant.dialect import Dialect, load, load_text_values
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Value

OF_ITS_LINE = "A resource names classes of its own engine line; the editor of the other one imports it."
LENGTH = 4
"""Bytes of the length in front of a stored value."""
NEWER = ("godot4.0", "godot4")
"""The lines that encrypt by the second version of GDEC, and that read the names of types that an older one had."""
OLDER = "godot3"
_NAMES = re.compile(rb'"(?:[^"\\]|\\.)*+"|([A-Za-z_]\w*+)[\x01-\x20]*+[(\[]', re.DOTALL)
"""Texts, which are stepped over, and the names of types."""


def for_engine(document: Document, line: str, choice: ConversionChoice | None = None) -> ConvertedFile:
    """A file that an engine line reads as this one is read now; comments and white space of a text stay.

    Args:
        document: its values as they are now.
        line: the engine line, by its key.
        choice: what a person chose for values in that line.

    Raises:
        CannotConvertError: there is no such file.
    """
    if document.wraps.blocked is not None:
        raise CannotConvertError(f"This file is still closed: {document.wraps.blocked}")
    inside = _inside(document, line, choice or ConversionChoice())
    return replace(inside, data=_wrapped(document, inside.data, line))


def _inside(document: Document, line: str, choice: ConversionChoice) -> ConvertedFile:
    """What lies inside the wraps."""
    text, codec = document.text, document.wraps.names[-1:]
    if document.structure is not None and document.structure.kind == RESOURCE:
        raise CannotConvertError(OF_ITS_LINE)
    if text is None:
        return _values(document, line, choice)
    if document.text_problem:
        raise CannotConvertError(document.text_problem)
    if codec == (JSON,):
        return ConvertedFile(text.outside, ())
    if codec in ((CONFIG,), (VALUE,)):
        if text.damages:
            raise CannotConvertError(f"{text.damages[0].sentence} Repair the text first.")
        return _text(document, text, line, codec == (VALUE,), choice)
    raise CannotConvertError(OF_ITS_LINE)


def _values(document: Document, line: str, choice: ConversionChoice) -> ConvertedFile:
    """Values as they follow each other; what holds none stays as it is."""
    if document.structure is not None:
        return converted(document, PROJECT, line, choice)
    data = bytes(document.buffer[:])
    if not any(frame.sound for frame in document.frames):
        if document.wraps.is_secret and _is_text(data):
            return ConvertedFile(data, ())
        raise CannotConvertError(
            "No value here can be read to its end: it is damaged, or not a value at all. Repair it first."
        )
    if document.gaps:
        raise CannotConvertError(
            "Between the values are bytes that belong to none; nobody knows what they would become."
        )
    is_stored = document.framing.kind is FramingKind.STORED
    found = converted(document, VALUES if is_stored else BARE, line, choice)
    return replace(found, data=_big_lengths(found.data)) if is_stored and document.framing.big_endian else found


def _big_lengths(data: bytes) -> bytes:
    """Stored values with their lengths in the other byte order."""
    out, at = bytearray(data), 0
    while at < len(out):
        size = int.from_bytes(out[at : at + LENGTH], "little")
        out[at : at + LENGTH] = size.to_bytes(LENGTH, "big")
        at += LENGTH + size
    return bytes(out)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return CONTROLS.search(data) is None


def _text(document: Document, text: SourceText, line: str, is_value: bool, choice: ConversionChoice) -> ConvertedFile:
    """A text of the engine in which only those values are spelled anew that the other line would read otherwise."""
    target = load_text_values(line)
    into = Conversion(document, target, choice)
    notation = EngineNotation(b"", target, is_value)
    table = document.frames[0].table
    patches: list[tuple[Span, bytes]] = []
    for node in [0] if is_value else _keys(document):
        value = into.carried_over(read(table, node), format_path(document, Item(0, node)))
        place = document.place(table.span(node).shifted(document.frames[0].start))
        spelled = text.outside[place.start : place.end]
        if not _reads_as(spelled, value, target, line):
            try:
                patches.append((place, notation.value(value, spelled, 0 if is_value else KEYS)))
            except WrapError as error:
                raise CannotConvertError(str(error)) from error
    return into.file(patched(text.outside, patches))


def _keys(document: Document) -> list[int]:
    """The nodes of the values of all keys in all sections."""
    table, out = document.frames[0].table, list[int]()
    for section in table.children(0)[1::2]:
        out += table.children(section)[1::2]
    return out


def _reads_as(spelled: bytes, value: Value, dialect: Dialect, line: str) -> bool:
    """Whether an engine line reads a text as this value."""
    known = dialect.by_name.keys() | (load(OLDER).by_name.keys() if line in NEWER else set())
    if any(found[1] and found[1].decode() not in known for found in _NAMES.finditer(spelled)):
        return False
    parser = EngineTextParser(spelled, dialect, MOST_INSIDE)
    parser.read_value()
    try:
        return not parser.damages and parser.out == encode(value, dialect)
    except EncodeError:
        return False


def _wrapped(document: Document, inside: bytes, line: str) -> bytes:
    """Bytes in the wraps of a document, encrypted as an engine line does it.

    Raises:
        CannotConvertError: one of them cannot be put on.
    """
    wraps = (document.wraps.writable() or document.wraps).around_text
    version = Version.CFB if line in NEWER else Version.ECB
    data = inside
    try:
        for wrap in reversed(wraps.around):
            form = wrap.form
            if isinstance(form, GdecForm):
                form = replace(form, version=version, outside=b"")
            outside = form.wrap(data)
            if wrap.codec.unwrap(outside, wraps.secret, max(MOST_INSIDE, len(data))).inside != data:
                raise CannotConvertError(f"These bytes do not survive being wrapped as {form.label}.")
            data = outside
    except WrapError as error:
        raise CannotConvertError(str(error)) from error
    return data
