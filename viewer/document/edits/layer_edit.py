"""Edits of layers around the values: bytes of the text that they were read from, or another inside for a wrap."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.buffer import Buffer
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.document.value_splices import value_splices
from viewer.document.wraps import Wraps, take_off
from viewer.text.patching import patched

LABEL = "Edit text"


def text_replaced(document: Document, patches: Sequence[tuple[Span, bytes]], label: str) -> Edit:
    """The edit that puts other bytes into the text; the values follow.

    Args:
        document: whose text.
        patches: what stands where now, in order and apart, and what is to stand there.
        label: what undo calls it.

    Raises:
        EditError: there is no text, or what it becomes is no such text any more.
    """
    text = document.text
    if text is None or document.text_problem:
        raise EditError(document.text_problem or "These values were not read from a text.")
    try:
        after = document.wraps.with_text(patched(text.outside, patches), text)
    except WrapError as error:
        raise EditError(f"Then nothing in it can be read any longer: {error}") from error
    return _edit(document, after, label)


def text_written(document: Document, text: bytes, merge: str = "") -> Edit | None:
    """The edit that lets *text* be what the values are read from; None where it is already.

    Args:
        document: its values were read from a text.
        text: the whole of it, as it is to be; what cannot be read of it is a finding, and stays, were it all of it.
        merge: edits that may grow together while a person types: consecutive ones with the same name do.

    Raises:
        EditError: more comes of it than may.
    """
    if text == document.shown and not document.text_problem:
        return None
    try:
        after = document.wraps.with_text(text, document.text, is_kept=True)
    except WrapError as error:
        raise EditError(str(error)) from error
    return _edit(document, after, LABEL, merge)


def _edit(document: Document, after: Wraps, label: str, merge: str = "") -> Edit:
    """The edit from the text as it is to the one in these wraps."""
    splices = value_splices(document, bytes(after.inside[:]))
    readings = (bytes(document.buffer[:]) == document.wraps.inside, True)
    return Edit(label, splices, merge, bases=(document.wraps, after), readings=readings)


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
        raise EditError(f"These bytes cannot replace that layer: {found.blocked}")
    try:
        inside = bytes(found.inside[:])
    except WrapError as error:
        raise EditError(str(error)) from error
    old = bytes(document.buffer[:])
    return Edit("Replace layer", (Splice(0, old, inside).trimmed(),) if old != inside else ())
