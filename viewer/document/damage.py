"""Damage: whether a document holds bytes that somebody should look at who knows what commonly goes wrong.

And which other files are looked at in the same way.
"""

from __future__ import annotations

from viewer.base.diagnostic import Code, Severity
from viewer.document.document import Document

FEW, JUDGED = 1 << 14, 64
"""Bytes, and frames of them, of which it is asked what no engine writes."""
LOOSE = frozenset({Code.TRAILING_BYTES, Code.FOREIGN_BYTES})
"""Findings that are no error, but say that the bytes and the values do not come out even."""
ENDED = frozenset({Code.RESOURCE_TAIL})
"""The same of a file that is more than values: its end is missing, and an engine makes it up."""


def has_error(document: Document | None) -> bool:
    """Whether an engine refuses something; False while the bytes are to be read."""
    if document is None or document.task is not None:
        return False
    return document.is_learned or any(found.severity is Severity.ERROR for found in document.findings.known())


def is_damaged(document: Document | None) -> bool:
    """Whether something is refused, or bytes are left over; False as long as the bytes are still to be read.

    What a file has beside its values may stand there for the game alone: bytes that are left over are no damage there.
    """
    if document is None or document.task is not None:
        return False
    if document.text is not None:
        return bool(document.text.damages)
    loose = LOOSE if document.structure is None else ENDED
    return document.is_learned or any(
        found.severity is Severity.ERROR or found.code in loose for found in document.findings.known()
    )


def may_be_damaged(document: Document | None) -> bool:
    """Whether something is damaged, or stands in a few values that an engine reads but never writes."""
    if document is None or is_damaged(document):
        return document is not None
    return can_be_misread(document) and any(
        found.severity is Severity.WARNING
        for index in range(min(len(document.frames), JUDGED))
        for found in document.findings.lints(index)
    )


def can_be_misread(document: Document) -> bool:
    """Whether it is so few plain values that it is asked soon whether a wrong encoder wrote what an engine reads."""
    is_plain = document.task is None and document.text is None and document.structure is None
    return is_plain and document.message is None and 0 < len(document.buffer) <= FEW


def kind_of(document: Document) -> str:
    """Which files are looked at alike: ``damaged``, ``text``, ``resource``, ``values``."""
    if is_damaged(document):
        return "damaged"
    if document.text is not None:
        return "text"
    return "resource" if document.structure is not None else "values"
