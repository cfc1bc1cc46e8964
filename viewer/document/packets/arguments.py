"""Compressed variants as pieces of a message."""

from __future__ import annotations

from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.document.packets.compressed import MODE_BITS, CompressedError, decode, is_short
from viewer.document.packets.draft import Broken, Draft
from viewer.document.packets.message import Piece, Role


def compressed(draft: Draft, name: str) -> str:
    """A value in its short form, or an ordinary one, and its piece; returns its text.

    Raises:
        Broken: it cannot be read.
    """
    at, end = draft.at, draft.end
    if at >= end:
        raise Broken(f"At byte {at}: {name} should begin here, but nothing is left.")
    first = draft.data[at]
    if not is_short(first):
        if first & MODE_BITS:
            raise Broken(
                f"At byte {at}: {name} has the type byte 0x{first:02X}; only int and bool may have its high bits set."
            )
        return draft.value(name).text
    try:
        short = decode(draft.data, at, end)
    except CompressedError as error:
        raise Broken(f"In {name}, at byte {at}: {error}") from None
    assert short is not None
    draft.has_values = True
    if isinstance(short.value, bool):
        text = "true" if short.value else "false"
        if short.spare:
            draft.remark(Severity.WARNING, f"In {name}, at byte {at}: bit 6 means nothing for a bool.")
        draft.put(name, 1, text, Role.COMPRESSED)
        return text
    text = str(short.value)
    children = (
        Piece(Span(at, at + 1), "form", short.form),
        Piece(Span(at + 1, at + short.size), "value", text),
    )
    draft.put(name, short.size, text, Role.COMPRESSED, children)
    return text
