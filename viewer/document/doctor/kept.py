"""Kept and lost: how many of the values that can be read now are still there after a repair."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import WHOLE, Memory, raw_bits, told_nodes
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.trust import of_first, of_result
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.document.splice import Splice
from viewer.variant.dialect import HOLDING
from viewer.variant.table import NONE, NodeTable

DOUBTFUL = 0.1
"""No repair is believed more than this that costs values and shows fewer than there were."""
SPURIOUS, SOME, FEW = 2, 5, 20
"""So many values that are read now may have been read by mistake behind the damage, one in so many; of more one in
fewer."""
SOUND = (0.0, 1.0)
"""The bits that tell a value of which none were counted, and those that its bytes take: it was not read by mistake."""
MOST_COUNTED = 1 << 16
"""So many values are looked for after each repair."""
MOST_JUDGED = 6
"""So many repairs, the likeliest first, are made for a look at what is left."""
OUT = -1
"""No place."""
LEAST_MOVED = 8
"""Fewer bytes are no values that are put elsewhere."""
AGAIN = frozenset({Cause.CHILD_DUPLICATED, Cause.SEGMENT_DOUBLED})
"""What takes out values that stand there twice."""
COPIES = AGAIN | frozenset(
    {Cause.PACKETS_MIXED, Cause.BYTES_BEHIND, Cause.STALE_TAIL, Cause.WRAPPED, Cause.DAMAGED, Cause.MERGE_MARKERS}
    | {Cause.FILL_INSIDE}
)
"""What takes out values that are no part of the one that was stored."""


def leaves(document: Document) -> Iterator[tuple[int, int]]:
    """Where the values begin and end, in the layer, that hold no others and can be read, recovered ones too.

    Nulls are none of them: any four zeros are read as one.
    """
    for frame in document.frames:
        yield from _leaves(frame)


def _leaves(frame: Frame) -> Iterator[tuple[int, int]]:
    table, start = frame.table, frame.start
    broken = {found.node for found in table.diagnostics if found.severity is Severity.ERROR}
    for node in table.nodes:
        if node not in broken and _is_leaf(table, node):
            yield start + table.start[node], start + table.end(node)


def _is_leaf(table: NodeTable, node: int) -> bool:
    if node in table.assumed or table.child_count(node) or (node and table.parent[node] == NONE):
        return False
    row = table.row(node)
    return row is not None and row.kind not in HOLDING and row.number > 0


@dataclass(frozen=True, slots=True)
class JudgedRepair:
    """A repair with what it keeps and loses.

    Args:
        repair: as much believed as its share of all explanations and what comes out of it allow.
        first: how much it is believed, 0 to 1, if none is believed more.
    """

    repair: Repair
    first: float


class LossCounter:
    """Counts what repairs of one document lose.

    Args:
        document: as it is now.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._now = tuple(islice(leaves(document), MOST_COUNTED))

    def judged(self, repair: Repair) -> JudgedRepair:
        """The repair with what it keeps and loses; believed little where it loses what it does not know for a copy."""
        if not repair.can_be_applied or (repair.choice is not None and repair.choice.opening.codecs):
            return JudgedRepair(repair, repair.confidence)
        mended = preview(self.document, repair)
        after = {start for start, _ in islice(leaves(mended), 2 * MOST_COUNTED)}
        moves = Moves(repair.edit.splices if repair.edit is not None else ())
        places = [(start, moves.place(start, end)) for start, end in self._now]
        lost = [start for start, place in places if place not in after]
        taken = sum(moves.takes_out(start, end) for start, end in self._now)
        trust = of_result(repair, mended, len(lost) - self._copies(repair, lost))
        believed = trust * repair.confidence
        first = self._as_first(repair, trust)
        if self._is_harm(repair, lost, after):
            believed, first = min(believed, DOUBTFUL), min(first, DOUBTFUL)
        counted = replace(repair, keeps=len(self._now) - len(lost), loses=len(lost), takes_out=taken)
        judged = replace(counted, confidence=round(believed, 3))
        return JudgedRepair(judged, round(first, 3))

    def _copies(self, repair: Repair, lost: Sequence[int]) -> int:
        """How many lost values are a copy that is taken out, and still stand beside it."""
        if repair.cause not in AGAIN or repair.edit is None:
            return 0
        gone = [Span(each.offset, each.offset + len(each.removed)) for each in repair.edit.splices]
        return sum(any(span.start <= start < span.end for span in gone) for start in lost)

    def _is_harm(self, repair: Repair, lost: Sequence[int], after: AbstractSet[int]) -> bool:
        few = len(lost) * (SOME if len(lost) <= SPURIOUS else FEW) <= len(self._now)
        fewer = len(after) < len(self._now) or len(lost) > len(after)
        return bool(lost) and not few and fewer and repair.cause not in COPIES and not self._is_noise(lost)

    def _is_noise(self, lost: Sequence[int]) -> bool:
        """Whether values, by where they begin, take more bits to tell than their bytes: they were read by mistake."""
        bits = [self._bits.get(start, SOUND) for start in lost]
        return sum(told for told, _ in bits) > sum(raw for _, raw in bits)

    @cached_property
    def _bits(self) -> dict[int, tuple[float, float]]:
        """By where the values begin of frames that have faults, the bits that tell them, and those of their bytes."""
        found = dict[int, tuple[float, float]]()
        for frame in self.document.frames:
            table, start = frame.table, frame.start
            if len(table) > WHOLE or not table.diagnostics:
                continue
            for node, told in told_nodes(table, Memory()):
                if table.child_count(node):
                    continue  # it is asked about none that holds others, and those that hold each other hold much twice
                own = bytes(table.buffer[table.start[node] : table.end(node)])
                found[start + table.start[node]] = (told, raw_bits(own))
        return found

    def _as_first(self, repair: Repair, trust: float) -> float:
        """How much the repair is believed if none is believed more."""
        support = repair.support
        if support is None or _explains_less(repair):
            return trust * repair.confidence
        of_types = min(1.0, repair.confidence / support.share)
        return of_types * of_first(support, trust)


class Moves:
    """Where bytes go in an edit whose splices are told from the last place to the first."""

    def __init__(self, splices: Sequence[Splice]) -> None:
        ordered = sorted(splices, key=lambda each: each.offset)
        self._starts = [each.offset for each in ordered]
        self._ends = [each.offset + len(each.removed) for each in ordered]
        self._grown = [0]
        for each in ordered:
            self._grown.append(self._grown[-1] + len(each.inserted) - len(each.removed))
        self._is_cut = [2 * len(each.inserted) < len(each.removed) for each in ordered]
        self._elsewhere = {index: place for index in range(len(ordered)) if (place := self._put(ordered, index)) >= 0}

    def _put(self, ordered: Sequence[Splice], index: int) -> int:
        """Where the bytes that a splice takes out are put in again; -1 where they are not."""
        gone = ordered[index]
        if gone.inserted or len(gone.removed) < LEAST_MOVED:
            return -1
        for other, each in enumerate(ordered):
            at = each.inserted.find(gone.removed) if not each.removed else -1
            if at >= 0:
                return each.offset + self._grown[other] + at
        return -1

    def takes_out(self, start: int, end: int) -> bool:
        """Whether a value goes with its bytes, and is not written otherwise."""
        index = bisect_right(self._starts, start) - 1
        is_inside = index >= 0 and end <= self._ends[index]
        return is_inside and self._is_cut[index] and index not in self._elsewhere

    def place(self, start: int, end: int) -> int:
        """Where a value begins afterwards, OUT where it is taken out."""
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and start < self._ends[index]:
            if index in self._elsewhere:
                return self._elsewhere[index] + start - self._starts[index]
            if self._starts[index] <= start and end <= self._ends[index] and not self._stays(index):
                return OUT
            return self._starts[index] + self._grown[index] + (start - self._starts[index] if self._stays(index) else 0)
        return start + self._grown[index + 1]

    def _stays(self, index: int) -> bool:
        """Whether a splice writes at least as much as it removes."""
        return self._grown[index + 1] >= self._grown[index]


def cautious(document: Document, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """The same repairs with what they keep and lose; those that may do harm are believed little, behind the others.

    Args:
        document: as it is now.
        repairs: the likeliest first.
    """
    deeds = [repair for repair in repairs if repair.can_be_applied]
    if not deeds:
        return tuple(repairs)
    ordered = sorted(repairs, key=_explains_less)
    losses = LossCounter(document)
    told = [losses.judged(repair) for repair in ordered[:MOST_JUDGED]]
    judged = _calibrated(sorted(told, key=lambda each: (_explains_less(each.repair), -each.repair.confidence)))
    least = min(repair.confidence for repair in judged)
    rest = (replace(repair, confidence=min(least, repair.confidence)) for repair in ordered[MOST_JUDGED:])
    found = sorted((*judged, *rest), key=lambda repair: (_explains_less(repair), -repair.confidence))
    return tuple(_falling(found))


def _explains_less(repair: Repair) -> bool:
    """Whether a repair takes more bits than to leave the bytes as they are."""
    return repair.support is not None and repair.support.gained < 0


def _falling(repairs: Iterable[Repair]) -> Iterator[Repair]:
    """The repairs, none believed more than one before it."""
    most = 1.0
    for repair in repairs:
        most = min(most, repair.confidence)
        yield replace(repair, confidence=most)


def _calibrated(judged: Sequence[JudgedRepair]) -> list[Repair]:
    """The repairs, the first as often true as it is said to be; what it takes the others lose in proportion, and
    together with it they are not likelier than anything can be.

    None comes before it then but that nobody knows what happened, where that is likelier.
    """
    first, rest = judged[0], [each.repair for each in judged[1:]]
    before, most = first.repair.confidence, first.first
    left = min(1.0, (1 - most) / max(1 - before, 1e-9))
    told = [replace(first.repair, confidence=most)]
    for each in rest:
        share = round(each.confidence * left, 3)
        told.append(replace(each, confidence=share if each.cause is Cause.DAMAGED else min(most, share)))
    later = [each for each in told[1:] if each.confidence <= most]
    others = sum(each.confidence for each in later)
    room = max(0.0, 1.0 - sum(each.confidence for each in told) + others)
    if others <= room:
        return told
    return [
        replace(each, confidence=round(each.confidence * room / others, 3)) if each in later else each for each in told
    ]
