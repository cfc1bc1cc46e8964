"""Raw bytes: edits of bytes without any fix-up."""

from __future__ import annotations

from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.splice import Edit, Splice


def overwrite(document: Document, offset: int, new: bytes, merge: str = "") -> Edit:
    """The edit that writes *new* over the bytes at *offset*, without any fix-up.

    Raises:
        EditError: the bytes would reach beyond the end.
    """
    old = bytes(document.buffer[offset : offset + len(new)])
    if len(old) < len(new):
        raise EditError("These bytes would reach beyond the end of the file.")
    return Edit(
        f"Overwrite {len(new)} bytes at 0x{offset:X}" if len(new) != 1 else f"Overwrite byte 0x{offset:X}",
        (Splice(offset, old, new),),
        merge,
    )
