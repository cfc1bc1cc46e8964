"""Places and ranges as a person types them: paths, offsets, lengths."""

from __future__ import annotations

import re

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.path import PathError, parse_path
from viewer.variant.items import Item


def parse_place(document: Document, text: str, caret: int = 0) -> Item | int:
    """The item or offset that a person means: a path, ``0x1A0``, ``416``, ``+16`` or ``-0x10`` from *caret*.

    Raises:
        PathError: it is neither, or lies outside the bytes.
    """
    text = text.strip()
    match = re.fullmatch(r"([+-]?)(?:0[xX]([0-9A-Fa-f]+)|([0-9]+))", text)
    if match is None:
        return parse_path(document, text)
    offset = int(match[2], 16) if match[2] else int(match[3])
    source = document.text
    caret = caret if source is None else document.place(Span(caret, caret + 1)).start
    offset = caret + offset if match[1] == "+" else caret - offset if match[1] == "-" else offset
    if not 0 <= offset < max(1, len(document.shown)):
        last = max(0, len(document.shown) - 1)
        raise PathError(f"Offset {text} is outside the bytes: they go from 0x0 to 0x{last:X}.")
    return offset if source is None else source.inside_of(offset)


def parse_line(document: Document, text: str) -> int | None:
    """The byte of the document's text that a person means with ``line 12``, ``line 12:5`` or ``:12``; None for else.

    Raises:
        PathError: there is no such line.
    """
    match = re.fullmatch(r"\s*(?:line\s*|:)([0-9]{1,9})(?:\s*[:,]\s*([0-9]{1,9}))?\s*", text, re.IGNORECASE)
    if match is None or document.text is None:
        return None
    offset = document.text.offset_of(int(match[1]), int(match[2] or 1))
    if offset is None:
        last = document.text.line_and_column(len(document.shown))[0]
        raise PathError(f"There is no line {match[1]}: the last one is line {last}.")
    return offset


def place_in(text: str) -> str:
    """The path or offset in a text that may be words too, empty for words; ``@`` may stand before a place."""
    text = text.strip()
    if re.match(r"@(?!gap\d)", text):
        return text[1:].strip()
    return text if re.match(r"@gap\d|\[|[+-]?\d|:\d|(?i:line) ?\d", text) else ""


def parse_range(document: Document, text: str, caret: int = 0) -> Span:
    """The bytes that a person means: ``0x10..0x1F`` (both ends belong to it) or ``0x10+16`` (a length).

    Raises:
        PathError: it is not written so, or lies outside the bytes.
    """
    start_text, sign, rest = re.fullmatch(r"\s*(.*?)\s*(\.\.|\+|$)\s*(.*?)\s*", text).groups()  # type: ignore[union-attr]
    if not sign or not rest:
        raise PathError("Write two offsets as 0x10..0x1F, or an offset and a length as 0x10+16.")
    start = parse_place(document, start_text, caret)
    last = parse_place(document, rest, caret) if sign == ".." else None
    length = None if sign == ".." else _whole(rest)
    if not isinstance(start, int) or (last is None) == (length is None) or isinstance(last, Item):
        raise PathError("Write two offsets as 0x10..0x1F, or an offset and a length as 0x10+16.")
    end = start + (length or 0) if last is None else last + 1
    if not start < end <= len(document.buffer):
        raise PathError(f"These bytes are not inside 0x0..0x{max(0, len(document.buffer) - 1):X}.")
    return Span(start, end)


def _whole(text: str) -> int | None:
    match = re.fullmatch(r"0[xX][0-9A-Fa-f]+|[0-9]+", text)
    return int(text, 16 if text[:2].lower() == "0x" else 10) if match else None
