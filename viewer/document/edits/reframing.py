"""Reframing: a bare file becomes a stored one, each value behind its length, and back."""

from __future__ import annotations

from dataclasses import replace

from viewer.base.span import Span
from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.edits.rework import Rework
from viewer.document.splice import Edit


def to_stored(document: Document) -> Edit:
    """The edit that puts the length of each value before it, as ``store_var`` does.

    Raises:
        EditError: they have lengths already, or there is no value.
    """
    if document.framing.kind is FramingKind.STORED:
        raise EditError("The values of this file have length prefixes already.")
    _need_values(document)
    rework = Rework(document)
    for frame in document.frames:
        start = frame.cut.payload.start
        rework.write(-1, Span(start, start), len(frame.cut.payload).to_bytes(4, "little"))
    return replace(rework.edit("Add length prefixes"), framing=(document.framing, STORED))


def to_bare(document: Document) -> Edit:
    """The edit that takes the length of the only value away, as ``var_to_bytes`` gives it.

    Raises:
        EditError: there is no length, or there are several values.
    """
    if document.framing.kind is not FramingKind.STORED:
        raise EditError("The values of this file have no length prefixes.")
    _need_values(document)
    if len(document.frames) > 1 or document.gaps:
        raise EditError("A bare file holds one value and nothing else; delete the others first.")
    prefix = document.frames[0].cut.prefix
    assert prefix is not None
    rework = Rework(document)
    rework.write(-1, prefix, b"")
    return replace(rework.edit("Take the length prefix away"), framing=(document.framing, BARE))


def _need_values(document: Document) -> None:
    if not document.frames:
        raise EditError("There is no value in this file.")
