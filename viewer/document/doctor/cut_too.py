"""Cut too: bytes that were changed all, and whose end is missing as well.

A document tells it, and takes long to open: that is done only where all that is cheaper says that it may be so, and
that it would be told at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.base.span import Span
from viewer.container.frames import BARE, CONCATENATED, STORED, STORED_BIG, Framing
from viewer.document.doctor.as_is import bits_as_is
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cut_off import GET_REST, may_lack_its_end, missing
from viewer.document.doctor.description import Memory, description_length
from viewer.document.doctor.ranking import Edits, label, samples
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import FrameStep, ReadGuess, WorkBudget, reach, walk
from viewer.document.doctor.trying import TOLD, mistake_bits
from viewer.document.doctor.whole import may_be_values
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.variant.dialect import Dialect, available

LEAST_CUT, MOST_CUT, CUT_TOO, CUT_TOO_TRUE = 16, 1 << 16, 6.0, 0.6
"""So many bytes that were changed all are looked at for a missing end; the bits that tell it, and how often both
happened: nothing behind the end says that it fits."""
UNTOLD = 24.0
"""Bits: what takes so many more than another explanation is not told."""
OPENED, MOST_OPENED = 1 << 15, 1 << 12
"""What it costs to open each byte of a document, and how many of its bytes are read in more ways than one."""


def cut_too(
    document: Document, data: bytes, candidate: Candidate, now: float, least: float, meter: WorkBudget, edits: Edits
) -> tuple[Repair, float] | None:
    """What is told of a candidate that changes all bytes, after which all is sound but the end, None where it is not.

    Args:
        document, data: what was looked at, and its bytes.
        candidate: it does not read.
        now: the bits that tell all bytes as the document shows them.
        least: the bits of the best finding so far.
        meter: counts the work.
        edits: what was made already.

    Returns:
        The repair, and its bits.
    """
    new, choice = candidate.patches[0].new, document.choice
    if not may_be_values(new) or not _reads_far(new, choice, meter):
        return None
    beside = now - mistake_bits(candidate) - CUT_TOO
    if not _may_be_cut(new, choice, beside + least + UNTOLD, meter) or meter.spent:
        return None
    cost = OPENED * min(len(new), MOST_OPENED)
    if cost > meter.left:
        return None
    meter.charge(cost)
    other = Document(new, choice=choice)
    if missing(other) is None:
        return None
    bits = bits_as_is(other, new, Span(0, len(new)), 0) - beside
    sentence = f"{candidate.cause.sentence} The end is missing too."
    edit = Edit(label(sentence), edits.splices(data, candidate.patches))
    before, after = samples(data, candidate.patches)
    repair = Repair(
        candidate.cause, sentence, candidate.fact, CUT_TOO_TRUE, edit, note=GET_REST, before=before, after=after
    )
    return repair, bits


def _reads_far(data: bytes, choice: ReadOptions, meter: WorkBudget) -> bool:
    """Whether some engine line reads most of the bytes, as if only their end were missing."""
    return any(2 * reach(data, way, meter) >= len(data) for way in _ways(choice, (BARE, STORED, STORED_BIG)))


def _may_be_cut(data: bytes, choice: ReadOptions, most: float, meter: WorkBudget) -> bool:
    """Whether some engine line reads values, told in so many bits, up to one that breaks as if its end were missing."""
    for way in _ways(choice, (BARE, STORED, STORED_BIG, CONCATENATED)):
        steps = list(walk(data, way, meter))
        if not steps or steps[-1].fills:
            continue
        last = meter.scan(data, steps[-1].payload.start, len(data), way.dialect)
        if may_lack_its_end(last) and _are_told_in(data, way.dialect, steps, most, meter):
            return True
    return False


def _are_told_in(data: bytes, dialect: Dialect, steps: Iterable[FrameStep], most: float, meter: WorkBudget) -> bool:
    """Whether values, the last of which is broken, are told in so many bits."""
    memory, bits = Memory(), 0.0
    for step in steps:
        table = meter.scan(data, step.payload.start, step.payload.end, dialect)
        meter.charge(TOLD * len(table))
        bits += description_length(table, 0, memory)
        if bits > most or meter.spent:
            return False
    return True


def _ways(choice: ReadOptions, framings: Iterable[Framing]) -> Iterator[ReadGuess]:
    """Each of some framings in each engine line that the bytes may be of."""
    for dialect in available() if choice.dialect is None else (choice.dialect,):
        yield from (ReadGuess(dialect, framing) for framing in framings)
