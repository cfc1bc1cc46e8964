"""Putting a layer back: bytes that were taken out, changed elsewhere, and take the place of a layer."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.base.record import replace
from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import take_off


def layer_replaced(document: Document, number: int, data: Buffer) -> Edit:
    """The edit that lets *data* take the place of a layer.

    Args:
        document: whose layer it is.
        number: which one, the file itself first.
        data: the new bytes of that layer; the wraps further in are taken off them.

    Raises:
        EditError: the wraps that lie further in cannot be taken off them.
    """
    names = document.wraps.names[number:]
    opening = replace(document.choice.opening, codecs=names, secret=document.wraps.secret)
    found = take_off(data, opening, lambda _: True)
    if found.blocked is not None:
        raise EditError(f"These bytes cannot take the place of that layer: {found.blocked}")
    try:
        inside = bytes(found.inside[:])
    except WrapError as error:
        raise EditError(str(error)) from error
    old = bytes(document.buffer[:])
    return Edit("Replace layer", (Splice(0, old, inside).trimmed(),) if old != inside else ())
