"""Fields of a packet that follow an edit of its values: how long they are, and where a path begins behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.packets.message import Piece

PATH_BIT = 0x80000000
SIZES = ("size", "data size", "length")
NODE, PATH = "node", "path"
U32_MAX = 0xFFFFFFFF

Growth = Callable[[int, int], int]
"""How many bytes longer what lies in ``start <= offset < end`` becomes."""


def followed(document: Document, growth: Growth) -> Iterator[tuple[Span, bytes]]:
    """The fields that must change with the values, each with its new bytes; nothing for what is no packet.

    Raises:
        EditError: a field cannot hold what it must say.
    """
    for field in document.fields:
        if len(field.span) != 4:
            continue
        raw = bytes(document.buffer[field.span.start : field.span.end])
        new = _path_offset(document, field, raw, growth) if field.name == NODE else None
        if field.name in SIZES:
            new = _size(document, field, raw, growth)
        if new is not None and new != raw:
            yield field.span, new


def _size(document: Document, field: Piece, raw: bytes, growth: Growth) -> bytes | None:
    """The bytes behind the field are so many; None where it lies, which stays as it is."""
    order = "big" if field.text.endswith("(big-endian)") else "little"
    size = int.from_bytes(raw, order)  # type: ignore[arg-type]
    start = field.span.end
    if start + size > len(document.buffer):
        return None
    size += growth(start, start + size)
    if size > U32_MAX:
        raise EditError("This packet would hold more than 4 GiB.")
    return size.to_bytes(4, order)  # type: ignore[arg-type]


def _path_offset(document: Document, field: Piece, raw: bytes, growth: Growth) -> bytes | None:
    """The path behind the arguments begins at this offset; None where the node is named by a number."""
    word = int.from_bytes(raw, "little")
    path = next((each for each in document.fields if each.name == PATH and each.span.start > field.span.start), None)
    if not word & PATH_BIT or path is None:
        return None
    moved = word + growth(field.span.end, path.span.start)
    if moved > U32_MAX:
        raise EditError("The path of this packet would begin too far from its start.")
    return moved.to_bytes(4, "little")
