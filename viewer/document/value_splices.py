"""From the values of a text to those that it was read to once more: splices that lie on what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.document.splice import Edit, Splice, applied
from viewer.document.wraps import holds
from viewer.text.patching import common, common_end, misread_floats
from viewer.variant.dialect import HOLDING, load_text_values
from viewer.variant.table import NodeTable

if TYPE_CHECKING:  # it asks for this
    from viewer.document.document import Document

COUNT, DOUBLE = 4, 8
"""Bytes of the number of values in a collection: the last ones in front of these."""
MOST_UNDONE = 1 << 24
"""So many bytes are copied to see what they were before."""


def value_splices(document: Document, new: bytes) -> tuple[Splice, ...]:
    """What turns the bytes of a document into others that differ in one place, and in the counts of what is around it.

    Values that were put in or taken out are whole in it, also where they begin as what is behind them does.

    Args:
        document: its bytes as they are.
        new: as they are to be.
    """
    old = bytes(document.buffer[:])
    counts: list[Splice] = []
    holders: list[Span] = []
    at = start = common(old, 0, len(old), new, 0, len(new))
    while at < len(old):
        found = _value_at(document, at)
        if found is None or any(found[0].start > holder.end for holder in holders):
            return _changed(old, new, 0)
        span, count = found
        start = span.start
        if count is None or at not in count:
            break
        holders.append(span)
        counts.append(Splice(count.start, old[count.start : count.end], new[count.start : count.end]))
        at = start = count.end + common(old, count.end, len(old), new, count.end, len(new))
    return (*counts, *_changed(old, new, min(start, at)))


def with_floats_as_read(document: Document, edit: Edit) -> Edit:
    """An edit of values that leaves what will be read of the text: some floats have no spelling that is read as them.

    Args:
        document: its values were read from a text.
        edit: it changes values, and not the text.
    """
    text = document.wraps.text
    if text is None or not edit.splices:
        return edit
    try:
        read = document.text_after(edit).inside
    except WrapError:
        return edit  # it cannot be saved, and that is told
    after = applied(document.buffer, edit.splices)
    if holds(after, read):
        return edit
    meant = bytes(after[:])
    places = misread_floats(read, meant, load_text_values(text.dialect)) or ()
    more = (Splice(at, meant[at : at + DOUBLE], read[at : at + DOUBLE]) for at in places)
    return replace(edit, splices=(*edit.splices, *more))


def _value_at(document: Document, offset: int) -> tuple[Span, Span | None] | None:
    """The value that a byte belongs to, and the count of what it holds; None where there is none."""
    index = document.frame_at(offset)
    frame = document.frames[index] if index >= 0 else None
    if frame is None or not 0 <= offset - frame.start < frame.table.end_of_data:
        return None
    table = frame.table
    node = table.at(offset - frame.start)
    span, count = table.span(node), _count_of(table, node)
    return span.shifted(frame.start), count.shifted(frame.start) if count is not None else None


def _count_of(table: NodeTable, node: int) -> Span | None:
    row = table.row(node)
    if row is None or row.kind not in HOLDING:
        return None
    end = table.head_end(node)
    return Span(end - COUNT, end)


def _changed(old: bytes, new: bytes, start: int) -> tuple[Splice, ...]:
    """What is another one from a byte on, where the bytes in front are the same but for counts."""
    back = common_end(old, start, len(old), new, start, len(new))
    splice = Splice(start, old[start : len(old) - back], new[start : len(new) - back])
    if splice.removed and splice.inserted:
        splice = splice.trimmed()
    return (splice,) if splice.removed or splice.inserted else ()


def really_changed(document: Document, spans: list[Span], splices: list[Splice]) -> list[Span]:
    """What of some written bytes differs from what was there before.

    While a text is typed, values go for a moment and come back: these were written, and are no other ones.

    Args:
        document: its bytes as they are.
        spans: what was written, in order.
        splices: by which.
    """
    now = bytes(document.buffer[:])
    if len(now) * len(splices) > MOST_UNDONE:
        return spans
    before = now
    for splice in reversed(splices):
        end = splice.offset + len(splice.inserted)
        before = before[: splice.offset] + splice.removed + before[end:]
    others = [Span(each.offset, each.offset + len(each.removed)) for each in value_splices(document, before)]
    parts = [part for span in spans for other in others if (part := _shared(span, other)) is not None]
    return parts if parts or not others else spans


def _shared(one: Span, other: Span) -> Span | None:
    """What two spans share, which is empty where one of them is; None where they lie apart."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    return Span(start, end) if start < end or (start == end and not (len(one) and len(other))) else None
