"""The likely cause: what the doctor thinks went wrong, said at the findings that a repair would take away."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.span import Span
from viewer.base.words import percent
from viewer.document.damage import LOOSE, is_damaged, may_be_damaged
from viewer.document.doctor.causes import LIMITS
from viewer.document.doctor.diagnose import examine
from viewer.document.doctor.kept import Moves
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document

LIKELY = 0.5
"""An explanation is told beside a finding from this confidence on."""
WORK = 3 << 26
"""The work of looking unasked, in bytes that a compiled scanner reads: half a second; ``doctor`` does twice that."""
LESS_WORK = WORK // 4
"""The same where an engine reads all of it: a wrong encoder is found soon, or hardly."""
MOST_LINTED = 1 << 22
"""In more bytes only errors, skipped and left-over bytes are taken for explained."""
BROKEN = LOOSE | {Code.SKIPPED_BYTES, Code.VALUE_DAMAGED}
MENDS, TELLS = "The doctor says how to fix it.", "The doctor says more."


class LikelyCause:
    """What most probably went wrong with a document, and which findings that explains.

    Args:
        document: as it is now.
        repair: the likeliest explanation.
    """

    def __init__(self, document: Document, repair: Repair) -> None:
        self.repair = repair
        splices = repair.edit.splices if repair.edit is not None else ()
        self._moves = Moves(splices)
        self._changed = sorted(Span(each.offset, each.offset + len(each.removed)) for each in splices)
        self._ends = [span.end for span in self._changed]
        self._is_all = repair.choice is not None and bool(repair.choice.opening.codecs)
        self._is_linted = len(document.buffer) <= MOST_LINTED
        self._left: dict[Code, list[int]] = {}
        self._last = _last_error(document)
        if repair.can_be_applied and not self._is_all:
            after = preview(document, repair)
            for found in after.findings.all() if self._is_linted else after.findings.known():
                self._left.setdefault(found.code, []).append(found.span.start)
        for places in self._left.values():
            places.sort()

    @property
    def sentence(self) -> str:
        """What happened, and how likely that is."""
        return f"Likely ({percent(self.repair.confidence)}): {self.repair.sentence}"

    @property
    def deed(self) -> str:
        """What to do about it."""
        return MENDS if self.repair.can_be_applied else TELLS

    def explains(self, found: Diagnostic) -> bool:
        """Whether a finding of the document as it is would be gone after the repair."""
        if not self.repair.can_be_applied:
            return self._last is not None and (found.code, found.span) == self._last
        if found.severity is not Severity.ERROR and found.code not in BROKEN and not self._is_linted:
            return False
        if self._is_all:
            return True
        left = self._left.get(found.code, ())
        first, last = self._after(found.span.start), self._after(max(found.span.start, found.span.end - 1))
        near = bisect_left(left, first)
        return near == len(left) or left[near] > last

    def touches(self, span: Span) -> bool:
        """Whether the repair changes some of these bytes, puts others between them, or reads them in another way."""
        if self.repair.choice is not None:
            return True  # all is read in another way
        near = bisect_left(self._ends, span.start)
        while near < len(self._changed) and self._changed[near].start < span.end:
            here = self._changed[near]
            if here.end > span.start or not len(here):
                return True
            near += 1
        return False

    def _after(self, offset: int) -> int:
        """Where a byte lies after the repair; one that is taken out moves to where it was."""
        return self._moves.place(offset, sys.maxsize)


def _last_error(document: Document) -> tuple[Code, Span] | None:
    """The error nearest to the end; where there is none, the first bytes that come out of no value."""
    known = document.findings.known()
    errors: Iterable[Diagnostic] = (found for found in known if found.severity is Severity.ERROR)
    loose: Iterable[Diagnostic] = (found for found in known if found.code in BROKEN)
    last = max(errors, key=lambda found: found.span.start, default=None)
    told = last or min(loose, key=lambda found: found.span.start, default=None)
    return None if told is None else (told.code, told.span)


def likeliest(document: Document, repairs: Sequence[Repair]) -> LikelyCause | None:
    """The explanation to be told beside the findings, None where none is likely.

    Args:
        document: what the doctor looked at.
        repairs: its answer.
    """
    some = (repair for repair in repairs if repair.confidence >= LIKELY and repair.cause not in LIMITS)
    first = next(some, None)
    return None if first is None else LikelyCause(document, first)


def looked_for(document: Document) -> LikelyCause | None:
    """The likely cause of what is wrong with a document, None where nothing is wrong or nothing is likely."""
    if is_damaged(document):
        return likeliest(document, examine(document, work=WORK).repairs)
    return likeliest(document, examine(document, work=LESS_WORK).repairs) if may_be_damaged(document) else None
