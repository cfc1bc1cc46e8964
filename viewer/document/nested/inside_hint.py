"""A quick look at whether something may be inside a value, for who asks it of each row: no look where there is nothing.

It says yes wherever :func:`~viewer.document.nested.inside_evidence.inside_of` may, from the first bytes alone.
"""

from __future__ import annotations

from binascii import Error, a2b_base64

from viewer.base.buffer import u32
from viewer.base.late_pattern import late_pattern
from viewer.container.codecs import MARKED
from viewer.document import outline
from viewer.document.document import Document
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.items import Item
from viewer.variant.table import NodeTable

HEAD = 8
"""Bytes before the content of a text or of an array of bytes: the header, and the length or count."""
LOOK = 32
LEAST = 5
"""Bytes of the shortest text of a value with a structure."""
LONGEST_BASE64, QUAD = 24, 4
MARKS = (b"RSRC", *(codec.mark for codec in MARKED))
MOST_TYPE = 0x3F
_TEXT = late_pattern(rb"\s*(?:[{\[]|[A-Z]\w*[(\[])")
_BASE64 = late_pattern(rb"[A-Za-z0-9+/]{24,}={0,2}")


def holds_file(document: Document, item: Item) -> bool:
    """Whether an item is a field of bytes that has a content of its own, such as a file in a package."""
    field = outline.field_of(document, item) if document.structure is not None else None
    if field is None or field.form is None or not len(field.span):
        return False
    return field.form.type == "bytes" and not field.form.is_locked


def holds_content(row: TypeRow | None) -> bool:
    """Whether values of a type are texts, or arrays of bytes."""
    if row is None:
        return False
    return row.kind is Kind.STRING or (row.kind is Kind.PACKED and [field.type for field in row.narrow] == ["u8"])


def may_hold(table: NodeTable, node: int) -> bool:
    """Whether something may be inside a text or an array of bytes."""
    start, end = table.start[node] + HEAD, table.end(node)
    if end - start < LEAST or not holds_content(table.row(node)):
        return False
    size = u32(table.buffer, start - 4)
    return may_begin(bytes(table.buffer[start : min(end, start + LOOK)]), size)


def may_begin(start: bytes, size: int) -> bool:
    """Whether so many bytes that begin like this may hold values, plain or in a wrap."""
    if size < LEAST:
        return False
    if _TEXT.match(start) is not None or _may_be_raw(start, size):
        return True
    if size < LONGEST_BASE64 or _BASE64.match(start) is None:
        return False
    try:
        inner = a2b_base64(start[:LONGEST_BASE64])
    except Error:
        return False
    return _may_be_raw(inner, size // QUAD * 3) or _TEXT.match(inner) is not None


def _may_be_raw(start: bytes, size: int) -> bool:
    if start.startswith(MARKS) or (start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0):
        return True
    if _is_header(start) or start.startswith((bytes(8), b"\1" + bytes(7))):
        return True  # the latter is a resource without its mark
    lengths = (int.from_bytes(start[:4], "little"), int.from_bytes(start[:4], "big"))
    return _is_header(start[4:]) and any(4 <= length <= size - 4 for length in lengths)


def _is_header(word: bytes) -> bool:
    return len(word) >= 4 and 0 < word[0] <= MOST_TYPE and word[1] <= 3 and word[2] <= 0xF and word[3] == 0
