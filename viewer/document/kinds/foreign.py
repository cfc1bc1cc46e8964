"""Whether a document holds stored values at all, and what it is where it holds none."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from viewer.base.late_pattern import late_pattern
from viewer.document.detection.plausible import plausibility
from viewer.document.document import Document
from viewer.variant import text as texts
from viewer.variant.dialect import Kind
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

if TYPE_CHECKING:
    from viewer.document.kinds.signatures import FileKind

SAMPLE = 1 << 16
FRAMES, NODES = 64, 512
MOSTLY, LIKELY = 0.3, 0.4
"""A share of the bytes that values claim, and how likely they must look then."""
FEW, CLEAR = 64, 0.2
"""So many nodes are looked at first; they tell enough where they are so much more or less likely than LIKELY."""
LITTLE = 0.1
"""A share of the bytes that may be left over where a header stands first."""
MANY = 4
"""So many nodes of a value are no accident where they look likely."""
LEAST_TEXT = 2
"""Bytes of a text that is none by accident."""
SEVERAL = 2
"""So many texts are no accident where little stands around them."""
_WORD = late_pattern(rb"[\x20-\x7e\xc2-\xf4\x80-\xbf]+")
_LENGTH = late_pattern(rb"(?=(?:([\x01-\xff])\0\0\0|\0\0\0([\x01-\xff]))[\x20-\x7e\xc2-\xf4])")
_SHORT = late_pattern(rb"(?=[\x04\x0f\x15]\0{0,3}([\x02-\x40])\0{0,3}[A-Za-z_])")


def foreign_kind(document: Document) -> FileKind | None:
    """What the bytes of a document are where they are no stored values, None where they may be some.

    What has a signature of its own is named whatever seems to be in it; all else only where no value is plausible.
    """
    is_open = document.task is None and document.wraps.blocked is None and document.choice.framing is None
    is_explained = any((document.message, document.structure, document.wraps.text))
    if not len(document.buffer) or is_explained or not is_open or _is_sound(document):
        return None
    from viewer.document.kinds.file_kinds import strong_kind, weak_kind

    found = strong_kind(document.buffer)
    if found is not None or has_plausible_value(document):
        return found
    return weak_kind(document.buffer)


def has_plausible_value(document: Document) -> bool:
    """Whether one value at least is in these bytes that is likely no accident, broken or in another order as well.

    Where there is none, no change of some bytes makes values of them.
    """
    if _is_sound(document) or _begins(document) or any(map(_is_likely, _tables(document))):
        return True
    return _has_texts(bytes(document.buffer[:SAMPLE]))


def _tables(document: Document) -> list[NodeTable]:
    return [frame.table for frame in islice(document.frames, FRAMES)]


def _is_sound(document: Document) -> bool:
    """Whether sound values claim about all bytes."""
    if not document.frames or not all(frame.sound for frame in islice(document.frames, FRAMES)):
        return False
    return document.explained >= 1 - MOSTLY and any(map(_looks_likely, _tables(document)))


def _looks_likely(table: NodeTable) -> bool:
    """Whether its values are likely: some of them tell that where they are clear, else more are asked."""
    likely = plausibility(table, FEW)
    if abs(likely - LIKELY) < CLEAR:
        likely = plausibility(table)
    return likely >= LIKELY


def _begins(document: Document) -> bool:
    """Whether the header of a value stands first, and reading went on from there to about the end."""
    tables = _tables(document)[:1]
    return document.explained >= 1 - LITTLE and any(len(table) and 0 < table.header(0) < 1 << 8 for table in tables)


def _is_likely(table: NodeTable) -> bool:
    """Whether a value holds a text, or so much that looks likely that it is no accident."""
    if len(table) >= MANY and _looks_likely(table):
        return True
    for node in islice(table.nodes, NODES):
        row = table.row(node)
        if row is not None and row.kind is Kind.STRING and not table.is_name(node) and _is_readable(table, node):
            return True
    return False


def _is_readable(table: NodeTable, node: int) -> bool:
    """Whether a String holds a text that can be printed; of a long one, whether it begins so."""
    at = table.start[node]
    if table.head_end(node) - at > SAMPLE:
        raw = bytes(table.buffer[at + 8 : at + SAMPLE])
        data: object = texts.read(raw[: texts.whole_characters(raw)], table.dialect.rules.utf8)
    else:
        data = read_shallow(table, node).data
    return isinstance(data, str) and len(data) >= LEAST_TEXT and data.isprintable()


def _has_texts(data: bytes) -> bool:
    """Whether texts stand behind their lengths, in either order of bytes or with the zeros around them lost."""
    if not 0 < data.count(0) < len(data):
        return _count(_SHORT, data, SEVERAL) >= SEVERAL
    return _count(_LENGTH, data, 1) > 0 or _count(_SHORT, data, SEVERAL) >= SEVERAL


def _count(pattern: re.Pattern[bytes], data: bytes, most: int) -> int:
    """How many texts there are that are as long as the byte before them says, *most* at most."""
    found = 0
    for each in pattern.finditer(data):
        group = each.lastindex or 1
        size, at = each[group][0], each.end(group)
        while at < len(data) and not data[at]:
            at += 1
        text = data[at : at + size]
        if (
            len(text) == size
            and size >= LEAST_TEXT
            and _WORD.fullmatch(text)
            and _is_text(text)
            and _ends(data, at + size)
        ):
            found += 1
            if found >= most:
                break
    return found


def _is_text(text: bytes) -> bool:
    try:
        shown = text.decode()
    except UnicodeDecodeError:
        return False
    return shown.isprintable() and sum(sign.isalnum() or sign in "_ ./:" for sign in shown) * 4 >= 3 * len(shown)


def _ends(data: bytes, at: int) -> bool:
    """Whether a text ends here: behind it stands no more of one."""
    return at >= len(data) or data[at] < 0x20
