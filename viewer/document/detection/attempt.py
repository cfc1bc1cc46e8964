"""Attempts: a buffer cut and scanned in one way, to see how much of it that explains and how likely the values look.

Only a sample is read: the beginning of a large buffer, and so many frames at most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from viewer.base.buffer import Buffer, u32, window
from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.progress import Work
from viewer.base.record import dataclass
from viewer.container.frames import MIN_VALUE, Framing, FramingKind, prefix
from viewer.document.detection.plausible import holds_false_event, plausibility
from viewer.document.pieces.framing import Frame, FrameReader, ScratchColumns, frames
from viewer.variant.dialect import FLAG_64, HOLDING, PAIRED, Dialect, Kind, Precision
from viewer.variant.evidence import cut_off
from viewer.variant.table import NodeTable

SAMPLE = 1 << 17
"""Bytes."""
MOST_FRAMES = 256
MOST_HEADERS = 256
BUDGET = 1 << 18
"""The work of a search for frames behind foreign bytes."""
ENOUGH = 0.5
"""The share of bytes that belong to values where these bytes were meant to be values."""
JUDGED = 8
"""So many frames are asked how likely their values look."""
LIKELIHOOD = {
    "godot3": 0.5,
    "godot4": 0.48,
    "godot4.0": 0.4,
    "pandemonium4": 0.2,
    "pandemonium5": 0.15,
    "godot2": 0.1,
    "pandemonium3.5": 0.05,
}
"""Decides only where the bytes read the same: too little to outweigh a value. The order is a choice, not a fact."""
CONCATENATED_WEIGHT = 0.85
"""Engines write values without prefixes one by one; several in one buffer are rare."""
BROKEN_WEIGHT = 0.6
"""A broken value read in a wrong engine line often seems to be several, the last of them broken."""
ODD_NULLS = 0.5
"""What counts of nulls and empty strings that fill a sample."""
LEAST_TRUST = 0.1
"""What counts of more of them than there can be."""
UNLIKELY = 0.4
"""What is left of a score when no value looks likely."""


@dataclass(frozen=True, slots=True)
class DetectionAttempt:
    """What came of reading a sample in one way.

    Args:
        dialect, framing: the way.
        explained: share of the sample's bytes that values and prefixes claim, 0 to 1.
        usual: how often buffers are framed so, and hold such values, 0 to 1.
        sample: what was read.
        frames: of the sample.
        sound: how many frames have no error.
        filled: how many of these end where their prefix or the data says.
        looked_at: how many bytes were read; *more* whether others follow.
        error: the first one.
    """

    dialect: Dialect
    framing: Framing
    explained: float
    usual: float
    sample: Buffer
    frames: tuple[Frame, ...]
    sound: int
    filled: int
    looked_at: int
    more: bool
    error: Diagnostic | None

    @property
    def tables(self) -> list[NodeTable]:
        """The values of all frames."""
        return [frame.table for frame in self.frames]

    @property
    def is_whole(self) -> bool:
        """Whether frame follows frame without anything between or behind them."""
        return self.explained == 1.0

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong inside the frames, and something is in them."""
        return 0 < len(self.frames) == self.filled and all(self.is_told(frame) for frame in self.frames)

    @property
    def sound_until(self) -> int:
        """Where in the buffer the first thing is wrong inside a frame; the end of the sample where nothing is."""
        for frame in self.frames:
            wrong = [found.span.start for found in frame.table.diagnostics if found.severity is Severity.ERROR]
            if wrong or frame.gap is not None or not self.is_told(frame):
                return frame.start + min([*wrong, frame.table.end_of_data])
        return self.looked_at if self.frames else 0

    def is_told(self, frame: Frame) -> bool:
        """Whether the length prefix of a frame tells its length; true where there is none."""
        return frame.prefix_is_true(self.sample, self.framing)

    def told(self, frame: Frame) -> int:
        """What the length prefix of a frame tells."""
        return prefix(self.sample, frame.span.start, self.framing.big_endian)

    @property
    def weight(self) -> float:
        """What the engine line is preferred by where all else is equal."""
        return LIKELIHOOD.get(self.dialect.key, 0.3)

    @property
    def bound(self) -> float:
        """The score if every value looked likely."""
        return self._score(1.0)

    def score(self, nodes: int) -> float:
        """How good this way is; only comparable within one buffer. About *nodes* nodes are looked at."""
        judged = self.tables[:JUDGED]
        each = -(-nodes // max(1, len(judged)))
        return self._score(sum(plausibility(table, each) for table in judged) / len(judged) if judged else 0.0)

    def _score(self, likely: float) -> float:
        return 100 * self.explained * self.usual * (UNLIKELY + (1 - UNLIKELY) * likely) + self.weight

    @property
    def precision(self) -> Precision:
        """What ``real`` was in the engine that wrote this."""
        return precision_of(self.dialect, self.tables)


def precision_of(dialect: Dialect, tables: Sequence[NodeTable]) -> Precision:
    """Double where a ``real`` is written in 64 bits, which only a double-precision engine does."""
    wide = dialect.rules.wide_reals and any(_has_wide_real(table) for table in tables[:JUDGED])
    return Precision.DOUBLE if wide else Precision.SINGLE


def attempt(
    sample: Buffer,
    size: int,
    dialect: Dialect,
    framing: Framing,
    budget: int,
    scratch: ScratchColumns,
    work: Work | None = None,
) -> DetectionAttempt:
    """Read the *sample* of a buffer of *size* bytes; *budget* as in :func:`viewer.container.frames.cut`."""
    limit = SAMPLE if size > SAMPLE else 0
    progress = (lambda pos: pos < limit) if limit else None
    reader = FrameReader(sample, dialect, progress=progress, pool=scratch, work=work, sample=limit > 0)
    found = frames(sample, framing, reader, budget, MOST_FRAMES)
    looked_at = found[-1].span.end if len(found) == MOST_FRAMES else len(sample)
    sound = [frame for frame in found if frame.sound and trust_in_zeros(frame.table)]
    usual = 1.0
    if framing.kind is FramingKind.CONCATENATED:
        usual = CONCATENATED_WEIGHT * (1.0 if len(sound) == len(found) else BROKEN_WEIGHT)
    usual *= max(min((trust_in_zeros(frame.table) for frame in found[:JUDGED]), default=1.0), LEAST_TRUST)
    return DetectionAttempt(
        dialect,
        framing,
        _explained(found, sample, framing, reader.stopped) / looked_at if looked_at else 0.0,
        usual,
        sample,
        tuple(found),
        len(sound),
        len(sound) if reader.stopped else sum(frame.gap is None for frame in sound),
        looked_at,
        looked_at < size,
        next((d for frame in found for d in frame.table.diagnostics if d.severity is Severity.ERROR), None),
    )


def take_sample(buffer: Buffer, framing: Framing) -> Buffer:
    """The first whole frames of a large buffer where prefixes chain so far; else its first bytes.

    A bare value is not cut: what its lengths promise must be there. Its scan stops early instead.
    """
    if framing.kind is FramingKind.BARE or len(buffer) <= SAMPLE:
        return buffer
    if framing.kind is FramingKind.CONCATENATED:
        return bytes(buffer[:SAMPLE])
    at, count = 0, 0
    while at < min(SAMPLE, len(buffer)) and count < MOST_FRAMES:
        length = prefix(buffer, at, framing.big_endian)
        if length < MIN_VALUE or length > len(buffer) - at - 4:
            return bytes(buffer[:SAMPLE])
        at += 4 + length
        count += 1
    return bytes(buffer[:at]) if at <= SAMPLE else window(buffer, 0, at)


def _explained(found: list[Frame], sample: Buffer, framing: Framing, stopped: bool) -> float:
    """How many bytes the frames explain.

    A broken value, one whose prefix lies and one with an InputEvent whose length lies count half.
    """
    total = 0.0
    for frame in found:
        claimed = len(frame.cut.payload) if stopped and frame.sound else frame.table.end_of_data
        if framing.kind is FramingKind.CONCATENATED and claimed == MIN_VALUE:
            continue  # zero words behind a value are fill more often than null values
        if frame.sound and frame.prefix_is_true(sample, framing) and not holds_false_event(frame.table):
            total += claimed + (4 if frame.cut.prefix else 0)
        elif frame.cut.prefix is not None and ends_early(found, sample) and frame is found[-1]:
            total += len(frame.span)
        else:
            total += claimed / 2
    return min(total, float(len(sample)))


def trust_in_zeros(table: NodeTable) -> float:
    """What share counts of a long value: less if all that a sample shows of it are nulls or empty strings.

    So many zeros are rather the numbers of an array; and there are never more values than words.
    """
    row = table.row(0) if len(table) else None
    if row is None or row.kind not in (HOLDING if len(table) > 1 else (Kind.PACKED_STRINGS,)):
        return 1.0
    first, seen = table.start[1] if len(table) > 1 else 8, min(table.end_of_data, len(table.buffer))
    if seen - first < SAMPLE // 2 or any(bytes(table.buffer[first : min(seen, first + SAMPLE)])):
        return 1.0
    promised = 4 * u32(table.buffer, first - 4) * (2 if row.kind in PAIRED else 1)
    room = len(table.buffer) - first
    return ODD_NULLS if promised <= room else 0.0


def ends_early(found: Sequence[Frame], sample: Buffer) -> bool:
    """Whether the last of frames, right behind the one before, is cut off by the end of the sample."""
    if len(found) < 2 or found[-2].span.end != found[-1].span.start:
        return False
    return found[-1].span.end == len(sample) and cut_off(found[-1].table) > 0


def _has_wide_real(table: NodeTable) -> bool:
    """Whether a header in the beginning names a ``real`` type under the 64-bit flag."""
    begin, tail = bytes(table.buffer[: min(SAMPLE, table.end_of_data)]), FLAG_64.to_bytes(4, "little")[1:]
    if tail not in begin:
        return False
    numbers = bytes(row.number for row in table.dialect.rows if row.real)
    header = re.compile(b"[" + re.escape(numbers) + b"]" + tail)
    places = (match.start() for match in islice(header.finditer(begin), MOST_HEADERS))
    return any(_is_header(table, place) for place in places)


def _is_header(table: NodeTable, place: int) -> bool:
    node = table.at(place)
    return table.start[node] == place and not table.is_name(node)
