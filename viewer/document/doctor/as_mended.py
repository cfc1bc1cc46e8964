"""As mended: the values of damaged bytes, read as a repair says that they were meant, where they lie now.

A repair that explains an encoder's mistake tells where each value of the damaged bytes begins and ends: the mended
bytes are read, and what is read is carried back through the splices of the repair. What the splices do not touch is
whole; what they touch is shown as a damaged value with the bytes that stand there.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from viewer.base.buffer import Buffer, u32, window
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.frames import CONCATENATED, Cut, FramingKind
from viewer.document.doctor.kept import leaves
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame, gaps
from viewer.document.reading import Reading
from viewer.document.splice import Splice
from viewer.variant.dialect import Dialect
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NONE, Gap, NodeTable

LIKELY, SURE = 0.5, 0.9
"""How sure a repair must be that shows more values than there are now; and one that shows no more, but others."""
MOST_NODES = 1 << 16
MOST_SPLICES = 1 << 16
HEADER = 4


def read_as_mended(document: Document, repairs: Sequence[Repair]) -> Reading | None:
    """How the bytes of a document are read by who knows the mistake that the first repair explains.

    Args:
        document: as it was read without knowing.
        repairs: what the doctor says of it, the best first.

    Returns:
        Frames over the bytes as they are; None where the first repair is not likely, takes wraps off, or shows less.
    """
    repair = next(iter(repairs), None)
    if repair is None or repair.edit is None or repair.edit.bases is not None or repair.confidence < LIKELY:
        return None
    if len(repair.edit.splices) > MOST_SPLICES or (repair.choice is not None and repair.choice.opening.codecs):
        return None
    mended = preview(document, repair)
    if sum(len(frame.table) for frame in mended.frames) > MOST_NODES:
        return None
    if not all(frame.sound and frame.gap is None for frame in mended.frames):
        return None
    way_back = MendedOffsets(repair.edit.splices)
    try:
        frames = [_frame(document.buffer, mended.dialect, frame, way_back) for frame in mended.frames]
    except _Vanished:
        return None
    framing, is_stored = mended.framing, mended.framing.kind is FramingKind.STORED
    if any(frame.cut.prefix is None for frame in frames) if is_stored else gaps(frames, len(document.buffer)):
        framing = CONCATENATED
        frames = [replace(frame, cut=Cut(None, frame.cut.payload)) for frame in frames]
    way = replace(mended.way, framing=framing, candidates=document.way.candidates)
    found = Reading(way, frames, gaps(frames, len(document.buffer)))
    whole, now = _whole(frames), _now(document, is_sure=repair.confidence >= SURE)
    return found if whole > now or (whole == now and repair.confidence >= SURE) else None


class _Vanished(Exception):
    """A value of the mended bytes has no byte in those that were written."""


class MendedOffsets:
    """Where bytes of the mended buffer lie in the one before.

    Args:
        splices: of the repair, which are told from the last place to the first.
    """

    def __init__(self, splices: Sequence[Splice]) -> None:
        self._old: list[Span] = []
        self._new: list[Span] = []
        growth = 0
        for splice in sorted((each.trimmed() for each in splices), key=lambda each: each.offset):
            start = splice.offset + growth
            self._old.append(Span(splice.offset, splice.offset + len(splice.removed)))
            self._new.append(Span(start, start + len(splice.inserted)))
            growth += splice.growth
        self._starts = [span.start for span in self._new]
        self._ends = [span.end for span in self._new]

    def start(self, at: int) -> int:
        """Where what begins at *at* began; behind bytes that were taken out there."""
        return self._back(at, bisect_right(self._starts, at) - 1)

    def end(self, at: int) -> int:
        """Where what ends at *at* ended; before bytes that were taken out there."""
        return self._back(at, bisect_left(self._starts, at) - 1)

    def _back(self, at: int, index: int) -> int:
        if index < 0:
            return at
        old, new = self._old[index], self._new[index]
        return old.end + at - new.end if at >= new.end else min(old.start + at - new.start, old.end)

    def touches(self, span: Span) -> bool:
        """Whether a splice writes into these bytes of the mended buffer, or took bytes out between them."""
        index = bisect_left(self._ends, span.start)
        while index < len(self._new) and self._new[index].start < span.end:
            new = self._new[index]
            if new.end > span.start or (new.start == new.end and span.start < new.start):
                return True
            index += 1
        return False


def _frame(buffer: Buffer, dialect: Dialect, frame: Frame, way_back: MendedOffsets) -> Frame:
    """A frame of the mended bytes over those that were written."""
    payload = Span(way_back.start(frame.start), way_back.end(frame.cut.payload.end))
    prefix = frame.cut.prefix
    if prefix is not None:
        prefix = Span(way_back.start(prefix.start), way_back.end(prefix.end))
        if len(prefix) != HEADER or prefix.end != payload.start:
            prefix = None
    if payload.end <= payload.start:
        raise _Vanished
    return Frame(Cut(prefix, payload), _Carried(buffer, dialect, frame, way_back, payload).table())


class _Carried:
    """The table of one frame, carried back."""

    def __init__(self, buffer: Buffer, dialect: Dialect, frame: Frame, way_back: MendedOffsets, payload: Span) -> None:
        self.mended = frame.table
        self.offset = frame.start
        self.way_back = way_back
        self.payload = payload
        self.made = NodeTable(window(buffer, payload.start, payload.end), dialect)

    def table(self) -> NodeTable:
        mended, made = self.mended, self.made
        made.start = memoryview(array("I", map(self._start, mended.start)))
        made.parent, made.first = mended.parent, mended.first
        made.end_of_data = len(self.payload)
        made.skip(tuple(self._gaps()))
        damaged = [node for node in mended.nodes if self._is_touched(node)]
        if any(made.end(node) <= made.start[node] for node in damaged):
            raise _Vanished
        for node in damaged:
            if not (mended.is_name(node) or self._tells_itself(node)):
                made.assumed[node] = mended.header(node)
        self._tell(damaged)
        return made

    def _start(self, at: int) -> int:
        return self.way_back.start(self.offset + at) - self.payload.start

    def _gaps(self) -> list[Gap]:
        """What was taken out between two values."""
        mended, made = self.mended, self.made
        found = []
        for node in range(1, len(mended)):
            end = self.way_back.end(self.offset + mended.start[node]) - self.payload.start
            if end < made.start[node]:
                found.append(Gap(Span(end, made.start[node]), mended.parent[node]))
        return sorted(found, key=lambda gap: gap.span.start)

    def _is_touched(self, node: int) -> bool:
        own = Span(self.mended.start[node], self.mended.head_end(node)).shifted(self.offset)
        return self.way_back.touches(own)

    def _tells_itself(self, node: int) -> bool:
        """Whether the bytes of a damaged node, taken alone, are read as the same type and value."""
        made, header = self.made, self.mended.header(node)
        own = bytes(made.buffer[made.start[node] : made.head_end(node)])
        if len(own) < HEADER or u32(own, 0) != header:
            return False
        if self.mended.child_count(node):
            return True
        alone = scan(own, made.dialect)
        return len(alone) == 1 and read_shallow(alone, 0) == read_shallow(made, node)

    def _tell(self, damaged: Sequence[int]) -> None:
        """What an engine says of the bytes, which values are damaged, and from where on they are guessed."""
        made = self.made
        first = scan(made.buffer, made.dialect)
        told = [Diagnostic(Code.VALUE_DAMAGED, Span(made.start[node], made.head_end(node)), node) for node in damaged]
        errors = [found for found in first.diagnostics if found.severity is Severity.ERROR]
        told += [replace(found, node=made.at(min(found.span.start, made.end_of_data - 1)), part="") for found in errors]
        made.diagnostics = sorted(told, key=lambda found: found.span.start)
        if told or made.gaps or first.end_of_data < len(self.payload):
            places = [made.head_end(node) for node in damaged] + [gap.span.end for gap in made.gaps]
            made.guess = min([first.end_of_data, *places])


def _now(document: Document, is_sure: bool) -> int:
    """How many values are shown now; where it is known better, those that are guessed do not count."""
    guessed = [span for frame in document.frames for span in frame.guessed] if is_sure else []
    starts = [span.start for span in guessed]
    total = 0
    for start, _ in leaves(document):
        index = bisect_right(starts, start) - 1
        total += index < 0 or start >= guessed[index].end
    return total


def _whole(frames: Sequence[Frame]) -> int:
    """How many values that hold no others are not damaged."""
    total = 0
    for frame in frames:
        table = frame.table
        damaged = {found.node for found in table.diagnostics if found.code is Code.VALUE_DAMAGED}
        total += sum(
            node not in damaged and not table.child_count(node) and (not node or table.parent[node] != NONE)
            for node in table.nodes
        )
    return total
