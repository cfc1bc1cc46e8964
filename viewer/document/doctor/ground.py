"""Ground: bytes read in one way up to the first frame that is not right, where the damage is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Code, Severity
from viewer.base.span import Span
from viewer.container.frames import Framing, FramingKind
from viewer.container.stored import MIN_VALUE, prefix
from viewer.document.doctor.part import Raw, part
from viewer.document.doctor.room import Room
from viewer.document.doctor.sight import Sight
from viewer.variant.dialect import Dialect
from viewer.variant.scan import COMPILED, scan
from viewer.variant.table import NodeTable

MOST_FRAMES = 512
"""So many frames are followed."""
PACE = 1 if COMPILED else 24
"""What a byte costs to scan, in the work that a compiled scanner has with it."""
SCAN = 1 << 12
"""What a scan costs beside its bytes."""
NODE, HEAD = 4, 1 << 11
"""What a node costs beside its bytes, and a head that a scan reads by itself."""
EVERY, MANY = 1 << 23, 64
"""So much work, or so many candidates, lie between two questions whether to go on."""

Progress = Callable[[int], bool]


class GivenUp(Exception):
    """Whoever asked does not want to wait for more."""


@dataclass(frozen=True, slots=True)
class Way:
    """How to read: engine line, framing, and how likely that is beside other ways, 0 to 1."""

    dialect: Dialect
    framing: Framing
    weight: float = 1.0


class Meter:
    """Counts work, so that no input takes long, and the same input always comes as far.

    Args:
        most: how much may be done, in bytes that a compiled scanner reads.
        progress: told now and then how many candidates were tried; returning False ends all work.
        room: the memory of its scans.

    Attributes:
        left: how much is left.
        tried: candidates that were tried.
    """

    def __init__(self, most: int, progress: Progress | None = None, room: Room | None = None) -> None:
        self.left = most
        self.tried = 0
        self._room = room or Room()
        self._progress = progress
        self._unasked = 0

    @property
    def spent(self) -> bool:
        """Whether no more should be scanned."""
        return self.left <= 0

    def anew(self, most: int) -> Meter:
        """One that counts for itself, without a question to anybody, and whose scans take the memory of these."""
        return Meter(most, room=self._room)

    def charge(self, work: int) -> None:
        """Count work.

        Raises:
            GivenUp: nobody wants more.
        """
        self.left -= work
        self._unasked += work
        if self._unasked >= EVERY:
            self.ask()

    def count(self, work: int) -> None:
        """Count a candidate, and the work of thinking of it.

        Raises:
            GivenUp: nobody wants more.
        """
        self.tried += 1
        self.charge(work)
        if self.tried % MANY == 0:
            self.ask()

    def ask(self) -> None:
        """See whether to go on.

        Raises:
            GivenUp: nobody wants more.
        """
        self._unasked = 0
        if self._progress is not None and not self._progress(self.tried):
            raise GivenUp

    def scan(self, data: Buffer, start: int, end: int, dialect: Dialect) -> NodeTable:
        """The table of the value in ``data[start:end]``; it holds only until the next scan."""
        view = data if start == 0 and end == len(data) else window(data, start, end)
        table = scan(view, dialect, None, self._room)
        self.charge(
            PACE * (table.end_of_data + NODE * table.promised) + HEAD * table.checked + (end - start >> 6) + SCAN
        )
        return table

    def sight(self, payload: Buffer, dialect: Dialect) -> Sight:
        """A value, with a table that holds."""
        self.charge(PACE * len(payload))
        return Sight(payload, dialect, self._room)


def is_readable(table: NodeTable) -> bool:
    """Whether the bytes say all that they mean; an engine may refuse it for other reasons, such as its depth."""
    found = (d.code for d in table.diagnostics if d.severity is Severity.ERROR)
    return len(table) > 0 and all(code is Code.TOO_DEEP for code in found)


@dataclass(frozen=True, slots=True)
class Step:
    """One frame of a walk: where it starts, the payload, and the size of the value if it is sound, else -1."""

    at: int
    payload: Span
    size: int

    @property
    def fills(self) -> bool:
        """Whether a sound value fills the payload."""
        return self.size == len(self.payload)


def walk(data: Buffer, way: Way, meter: Meter, at: int = 0) -> Iterator[Step]:
    """Frame after frame as the framing says, up to the end or the first that is not right."""
    while at < len(data) and not meter.spent:
        step = frame(data, at, way, meter)
        yield step
        if not step.fills:
            return
        at = step.payload.end


def frame(data: Buffer, at: int, way: Way, meter: Meter) -> Step:
    """The frame at *at*, whatever it is."""
    end, start = len(data), at
    if way.framing.kind is FramingKind.STORED:
        length = prefix(data, at, way.framing.big_endian)
        start = min(at + 4, end)
        if length < MIN_VALUE or length > end - start:
            return Step(at, Span(start, end), -1)
        end = start + length
    table = meter.scan(data, start, end, way.dialect)
    size = table.end_of_data if is_readable(table) else -1
    if way.framing.kind is FramingKind.CONCATENATED and size >= 0:
        end = start + size
    return Step(at, Span(start, end), size)


@dataclass(frozen=True, slots=True)
class Ground:
    """The first frame that is not right.

    Args:
        data: all bytes.
        way: how they are read.
        at: where the frame starts, with its prefix.
        start, end: its payload: as long as the prefix says, where what follows agrees; else up to the end.
        stored: what the prefix says, -1 where there is none.
        prefix_agrees: whether the prefix and what follows the payload agree.
        sight: the payload read.
        trouble: where the value cannot be read any further, from the start of the payload.
        sound: whether the value has no error; then bytes follow it.
        payload: the bytes of the value.
    """

    data: bytes
    way: Way
    at: int
    start: int
    end: int
    stored: int
    prefix_agrees: bool
    sight: Sight
    trouble: int
    sound: bool
    payload: Raw

    @property
    def has_prefix(self) -> bool:
        """Whether a length stands before the value."""
        return self.way.framing.kind is FramingKind.STORED

    @property
    def view(self) -> Buffer:
        """The bytes of the value, for scans."""
        return window(self.data, self.start, self.end)

    @property
    def table(self) -> NodeTable:
        """What was read of the payload. Who looks at it while many bytes are scanned pays with its memory."""
        return self.sight.table


def extent(ground: Ground) -> int:
    """Up to where in the layer values are judged: what follows reads the same whatever was wrong."""
    return ground.end if ground.prefix_agrees else ground.start + ground.trouble


def survey(data: bytes, way: Way, meter: Meter) -> Ground | None:
    """The first frame that is not right, None where all are."""
    step = wrong_step(data, way, meter)
    return None if step is None else stand(data, way, meter, step)


def wrong_step(data: bytes, way: Way, meter: Meter) -> Step | None:
    """The first frame that is not right, as a step of the walk; None where all are."""
    last = None
    for count, step in enumerate(walk(data, way, meter)):
        last = step
        if count > MOST_FRAMES:
            return None
    if last is None or (last.fills and last.payload.end == len(data)) or meter.spent:
        return None
    return last


def stand(data: bytes, way: Way, meter: Meter, step: Step) -> Ground:
    """The ground at one frame, right or not."""
    at, start, stored, agrees, end = step.at, step.payload.start, -1, True, step.payload.end
    if way.framing.kind is FramingKind.STORED:
        stored = prefix(data, at, way.framing.big_endian)
        fits = MIN_VALUE <= stored <= len(data) - start
        agrees = fits and follows(data, start + stored, way, meter)
        end = start + stored if fits else len(data)
    elif way.framing.kind is FramingKind.CONCATENATED and step.size < 0:
        end = len(data)
    sight = meter.sight(window(data, start, end), way.dialect)
    sound, trouble = is_readable(sight.table), sight.table.end_of_data
    return Ground(data, way, at, start, end, stored, agrees, sight, trouble, sound, part(data, start, end))


def frame_before(ground: Ground, meter: Meter) -> Ground | None:
    """The frame before the first that is not right: bytes lost or put in there move all that follows it.

    None where there is none, or no length tells where it should end.
    """
    if not ground.has_prefix or not ground.at:
        return None
    for step in walk(ground.data, ground.way, meter):
        if step.payload.end == ground.at:
            return stand(ground.data, ground.way, meter, step)
        if step.payload.end > ground.at or not step.fills:
            break
    return None


def follows(data: Buffer, at: int, way: Way, meter: Meter) -> bool:
    """Whether the bytes end here, or a frame that is right begins."""
    return at == len(data) or (at < len(data) and frame(data, at, way, meter).fills)
