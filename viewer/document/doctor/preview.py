"""Preview: a document as a repair would leave it, beside the one that is open."""

from __future__ import annotations

from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import applied
from viewer.document.wraps import UnwrapOptions


def preview(document: Document, repair: Repair) -> Document:
    """A new document with *repair* applied; the one given stays as it is.

    Returns:
        The bytes of the innermost layer, mended and read as the repair says, or else as they are read now. Where the
        repair takes wraps off, what is inside them.
    """
    if repair.edit is not None and repair.edit.bases is not None:
        return Document(repair.edit.bases[1].around[-1].outside, name=document.name)
    buffer = document.buffer if repair.edit is None else applied(document.buffer, repair.edit.splices)
    way = document.plain.way
    as_now = ReadOptions(way.dialect, way.precision, way.framing.kind, UnwrapOptions(()), way.framing.big_endian)
    return Document(buffer, name=document.name, choice=repair.choice or as_now)
