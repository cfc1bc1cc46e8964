"""Editing the text that values were read from: any of its bytes, as one step of undo."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.text.mending import patched
from viewer.text.patching import common, common_end


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
        after = document.wraps.with_text(patched(text.outside, patches))
    except WrapError as error:
        raise EditError(f"Then nothing in it can be read any more: {error}") from error
    old, new = bytes(document.buffer[:]), bytes(after.inside[:])
    front = common(old, 0, len(old), new, 0, len(new))
    back = common_end(old, front, len(old), new, front, len(new))
    changed = Splice(front, old[front : len(old) - back], new[front : len(new) - back])
    return Edit(label, (changed,) if old != new else (), bases=(document.wraps, after))
