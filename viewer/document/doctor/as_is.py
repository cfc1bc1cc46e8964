"""As is: the explanations that change nothing: nothing is wrong, or nobody knows what is; and what they cost."""

from __future__ import annotations

from itertools import islice

from viewer.base.diagnostic import Code, Severity
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import CONCATENATED, FramingKind
from viewer.document.doctor.description import MOST_RAW, ODD_FLAGS, Memory, description_length, raw_bits, told_nodes
from viewer.document.doctor.own_fields import is_doubled
from viewer.document.doctor.prefixes import likelihood
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, is_readable, walk, wrong_step
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.variant.dialect import Kind

UNKNOWN = 14.0
"""Bits: that bytes were damaged in a way that nobody knows, beside one of the known ways."""
FOREIGN = -6.0
"""Bits: that a game stored fields of its own between values which all decode; no mistake makes all of them decode."""
LINES = -20.0
"""Bits: that these fields are lines of text, such as the version of a save: no mistake makes a line either."""
CANONICAL, SOUND = -30.0, 0.0
"""Bits: that nothing is wrong with values that an engine would write so, and with those that it reads as they are."""
DOUBTFUL = 6.0
"""Bits: that values without lengths stand one after another."""
OWN_FIELDS = 5.0
"""Bits of each run of bytes between values that a game stored otherwise."""
MOST_PIECES, MOST_FRAMES, MOST_LINTED, MOST_JUDGED = 512, 512, 1 << 22, 8
TEXT_HEADER, MANY_TEXTS = b"\4\0\0\0", 4
"""What stands before a text in every engine line."""
_LINES = late_pattern(rb"(?:[\t\x20-\x7e\x80-\xff]++\r?\n)++")
ODD = frozenset(
    {
        Code.NUL_IN_TEXT,
        Code.NUL_MISSING,
        Code.PADDING_NOT_ZERO,
        Code.LOST_TEXT,
        Code.BOOL_NOT_0_OR_1,
        Code.IGNORED_FLAGS,
        Code.DUPLICATE_KEY,
        Code.WRONG_ELEMENT_TYPE,
    }
)
"""What no engine writes, though one may read it without an error."""
STRANGE = 5.0
"""Bits for each byte of values that no game stores."""


@dataclass(frozen=True, slots=True)
class AsIs:
    """How a document reads without any change.

    Args:
        sound: whether all its bytes read, but for such as a game may have stored between values.
        doubtful: whether they read one after another, which may be one broken value.
        canonical: whether nothing is there that no engine writes: a wrong rule must show in several places then.
        foreign: whether sound values lie among other bytes.
        lines: whether all these bytes are lines of text.
    """

    sound: bool = False
    doubtful: bool = False
    canonical: bool = False
    foreign: bool = False
    lines: bool = False

    @property
    def is_readable(self) -> bool:
        """Whether all values read somehow."""
        return self.sound or self.doubtful or self.foreign

    @property
    def bits(self) -> float:
        """What it costs to say that it is so, beside the values."""
        if self.sound:
            return CANONICAL if self.canonical else SOUND
        if self.foreign:
            return LINES if self.lines else FOREIGN
        return DOUBTFUL if self.doubtful else UNKNOWN


def as_is(document: Document, data: bytes, meter: WorkBudget) -> AsIs:
    """How a document reads whose wraps are off."""
    if _is_sound(document, data, meter):
        if _is_doubtful(document, data, meter):
            return AsIs(doubtful=True)
        return AsIs(sound=True, canonical=not is_unlike_engines(document))
    is_mistake = document.framing.kind is FramingKind.STORED and is_doubled(data, document.gaps, document.framing)
    is_foreign = bool(document.gaps) and not is_mistake and reads_whole(document)
    return AsIs(foreign=is_foreign, lines=is_foreign and all(_is_line(data, gap) for gap in document.gaps))


def _is_line(data: bytes, gap: Span) -> bool:
    """Whether some bytes are lines of text of which the last one ends."""
    return bool(_LINES.fullmatch(data, gap.start, gap.end))


def reads_whole(document: Document) -> bool:
    """Whether every frame decodes up to its last byte, and its length prefix is true."""
    return bool(document.frames) and all(
        frame.sound and frame.gap is None and frame.prefix_is_true(document.buffer, document.framing)
        for frame in document.frames
    )


def bits_as_is(document: Document, data: bytes, region: Span, near: int) -> float:
    """What it takes to tell the bytes of a region as the document shows them.

    Args:
        document: its frames, with what was recovered of broken ones, and the bytes that no value claims.
        data: its bytes.
        region: the frames that reach into it count.
        near: the place around which long values are told.
    """
    frames = (frame for frame in document.frames if frame.start < region.end and frame.span.end > region.start)
    memory = Memory()
    bits = sum(_frame_bits(frame, data, near, memory) for frame in islice(frames, MOST_FRAMES))
    for gap in document.gaps:
        if gap.start < region.end and gap.end > region.start:
            bits += OWN_FIELDS + raw_bits(data[max(gap.start, region.start) : min(gap.end, region.end)])
    return bits


def _frame_bits(frame: Frame, data: bytes, near: int, memory: Memory) -> float:
    table = frame.table
    bits = description_length(table, near - frame.start, memory) if len(table) else 0.0
    for gap in table.gaps:
        bits += OWN_FIELDS + raw_bits(data[frame.start + gap.span.start : frame.start + gap.span.end])
    if frame.gap is not None:
        bits += OWN_FIELDS + raw_bits(data[frame.gap.start : frame.gap.end])
    return bits


def untold_bits(document: Document, data: bytes) -> float:
    """What it takes to tell, beside :func:`bits_as_is`, lengths that are not true and heads that do not read.

    A value of which only what it holds was recovered counts there with the head that it should have.
    """
    bits = 0.0
    for frame in islice(document.frames, MOST_FRAMES):
        table, length = frame.table, frame.cut.prefix
        if length is not None and not frame.prefix_is_true(document.buffer, document.framing):
            bits += raw_bits(data[length.start : length.end])
        if not len(table) or not (0 in table.assumed or any(found.node == 0 for found in table.diagnostics)):
            continue
        head = data[frame.start : frame.start + table.head_end(0)]
        bits += max(0.0, raw_bits(head) - next(told_nodes(table, Memory()))[1])
    return bits


def _is_sound(document: Document, data: bytes, meter: WorkBudget) -> bool:
    """Whether all bytes read as they are read now."""
    if not document.frames or not is_readable(document.frames[0].table) or _swallows(document):
        return False
    return wrong_step(data, ReadGuess(document.dialect, document.framing), meter) is None


def _swallows(document: Document) -> bool:
    """Whether all of it is one array of another engine line, in whose elements keys and texts stand with headers."""
    table = document.frames[0].table
    row = table.row(0)
    is_one = len(document.frames) == len(table) == 1
    if document.choice.dialect is not None or not is_one or row is None or row.kind is not Kind.PACKED:
        return False
    data = bytes(document.buffer[:MOST_RAW])
    return data.count(TEXT_HEADER) >= MANY_TEXTS


def _is_doubtful(document: Document, data: bytes, meter: WorkBudget) -> bool:
    """Whether what was taken for values one after another may as well be one broken value."""
    if document.framing.kind is not FramingKind.CONCATENATED or document.choice.framing is not None:
        return False
    steps = islice(walk(data, ReadGuess(document.dialect, CONCATENATED), meter), MOST_PIECES)
    unlike = likelihood(data, document.dialect, [step.size for step in steps]) < 1
    return unlike or (_looks_strange(document) and is_unlike_engines(document))


def _looks_strange(document: Document) -> bool:
    some = document.frames[:MOST_JUDGED]
    return any(description_length(frame.table) >= ODD_FLAGS + STRANGE * len(frame.cut.payload) for frame in some)


def is_unlike_engines(document: Document) -> bool:
    """Whether there is what no engine writes: rare values alone are no sign of damage."""
    if len(document.buffer) > MOST_LINTED:
        return False
    return any(
        found.severity is Severity.WARNING or found.code in ODD
        for index in range(len(document.frames))[:MOST_JUDGED]
        for found in document.findings.lints(index)
    )
