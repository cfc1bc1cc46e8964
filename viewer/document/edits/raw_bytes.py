"""Raw bytes: edits of bytes without any fix-up but that of checksums.

What they make untrue (lengths, fill, prefixes), :mod:`viewer.document.edits.length_fixups` offers to put right. Where
no byte moves, a checksum that was right stays right: nobody types one.
"""

from __future__ import annotations

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import CountLabel, Edit, EditLabel, Splice

MOST = 1 << 28
"""So many bytes are put in or taken out at once: they are copied, and undo keeps them in memory."""


def overwrite(document: Document, offset: int, new: bytes, merge: str = "") -> Edit:
    """The edit that writes *new* over the bytes at *offset*, without any fix-up.

    Raises:
        EditError: the bytes would reach beyond the end.
    """
    old = bytes(document.buffer[offset : offset + len(new)])
    if len(old) < len(new):
        raise EditError("These bytes would reach beyond the end of the file; insert them in insert mode (Ins).")
    label = (
        EditLabel("Overwrite byte 0x{:X}", (offset,))
        if len(new) == 1
        else EditLabel("Overwrite {} at 0x{:X}", (CountLabel(len(new), "byte"), offset))
    )
    return Edit(label, _summed(document, Splice(offset, old, new)), merge)


def insert_bytes(document: Document, offset: int, new: bytes, merge: str = "") -> Edit:
    """The edit that puts *new* before the byte at *offset*, or behind the last byte.

    Raises:
        EditError: the offset lies beyond the end, or they are too many.
    """
    return replace_bytes(document, Span(offset, offset), new, merge)


def remove_bytes(document: Document, span: Span, merge: str = "") -> Edit:
    """The edit that takes the bytes of *span* out.

    Raises:
        EditError: they do not lie in the file, or are too many.
    """
    return replace_bytes(document, span, b"", merge)


def replace_bytes(document: Document, span: Span, new: bytes, merge: str = "") -> Edit:
    """The edit that puts *new*, of any length, in the place of *span*.

    Raises:
        EditError: the span does not lie in the file, or they are too many bytes.
    """
    _check(document, span)
    if max(len(span), len(new)) > MOST:
        raise EditError(f"At most {MOST >> 20} MiB can be inserted or removed at once; take fewer bytes.")
    old = bytes(document.buffer[span.start : span.end])
    return Edit(_label(span, new), _summed(document, Splice(span.start, old, new)), merge)


def fill(document: Document, span: Span, pattern: bytes) -> Edit:
    """The edit that writes *pattern* over the bytes of *span*, again and again; the last time only what fits.

    Raises:
        EditError: the span does not lie in the file, they are too many bytes, or there is no pattern.
    """
    _check(document, span)
    if not pattern:
        raise EditError("Give at least one byte to fill with.")
    if len(span) > MOST:
        raise EditError(f"At most {MOST >> 20} MiB can be filled at once; take fewer bytes.")
    old = bytes(document.buffer[span.start : span.end])
    splice = Splice(span.start, old, repeated(pattern, len(span)))
    label = EditLabel("Fill {} at 0x{:X}", (CountLabel(len(span), "byte"), span.start))
    return Edit(label, _summed(document, splice))


def _summed(document: Document, splice: Splice) -> tuple[Splice, ...]:
    """A splice, and those of the checksums over its bytes; where bytes move, none can be made."""
    structure = document.structure
    if structure is None or not structure.checksums or splice.growth or document.task is not None:
        return (splice,)
    from viewer.document.edits.checksum_fixups import WrittenRun, right_checksums  # few files have checksums

    span = Span(splice.offset, splice.offset + len(splice.removed))
    changed = right_checksums(structure.checksums, document.buffer, [WrittenRun(span, splice.inserted, span)])
    sums = (Splice(place.start, bytes(document.buffer[place.start : place.end]), new) for place, new in changed)
    return (splice, *sums)


def repeated(pattern: bytes, size: int) -> bytes:
    """*size* bytes of *pattern*, again and again."""
    return (pattern * -(-size // len(pattern)))[:size]


def _check(document: Document, span: Span) -> None:
    if not 0 <= span.start <= span.end <= len(document.buffer):
        raise EditError("These bytes are not in the file.")


def _label(span: Span, new: bytes) -> EditLabel:
    verb = "Delete" if not new else "Replace" if len(span) else "Insert"
    return EditLabel("{} {} at 0x{:X}", (verb, CountLabel(len(span) or len(new), "byte"), span.start))
