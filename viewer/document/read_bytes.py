"""Read bytes: a buffer and the values that were read from it, which stay true to it when it is spliced."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from viewer.base.buffer import window
from viewer.base.progress import Progress
from viewer.base.span import Span
from viewer.container.frames import BARE, Framing
from viewer.document.change import Change, ExternalChange
from viewer.document.detection.detect import DetectionCandidate
from viewer.document.disk import files
from viewer.document.findings import Findings
from viewer.document.framing import Frame
from viewer.document.message import Message, MessageField
from viewer.document.moment import Moment, TakesLong
from viewer.document.reading import Explain, Reading, ReadJob, ReadMode, ReadOptions
from viewer.document.splice import Splice, applied, kept
from viewer.document.wraps import Wraps
from viewer.variant.columns import Pool
from viewer.variant.dialect import NUMERIC, Dialect, Kind, Precision, first
from viewer.variant.items import Item
from viewer.variant.scan import make_ready


class ReadBytes(Findings):
    """The half of a document that knows how its bytes are read, and nothing of files and edits.

    Args:
        wraps: what was taken off; the bytes inside are read.
        choice: what not to look for.
        patience: so many bytes are read at once; where it are more, a :attr:`task` is left. None is any number.
        explain: says what a packet's bytes are, which then are cut as it says.

    Attributes:
        buffer: the bytes of the innermost layer, as they are now.
        wraps: what was taken off, and the bytes as they were saved.
        task: what is still to be read, None where all is.
        frames: the values, in order; until the task is done there are none, or a glimpse of the first ones.
        gaps: what lies between them.
        news: values that are others than before the file was read again, for as long as that is worth telling.
        fields: of a packet, what each gap is; else nothing.
        message: what a packet says, None for what is none.
        value_names: what a packet calls its values.
        way: how the bytes are read.
        revision: grows by one with every change.
    """

    def __init__(self, wraps: Wraps, choice: ReadOptions, patience: int | None, explain: Explain | None) -> None:
        super().__init__()
        self.wraps = wraps
        self.buffer = wraps.inside
        self.choice = choice
        self.patience = patience
        self.explain = explain
        self.revision = 0
        self.way = _unread(choice)
        self.task: ReadJob | None = None
        self.frames: list[Frame] = []
        self.gaps: list[Span] = []
        self.fields: tuple[MessageField, ...] = ()
        self.message: Message | None = None
        self.value_names: tuple[str, ...] = ()
        self.news: tuple[ExternalChange, ...] = ()
        self.pool = Pool()
        self._last: list[Frame] = []
        self._since: tuple[Splice, ...] = ()
        self._was_read = False
        self._unlearned: Reading | None = None

    @property
    def dialect(self) -> Dialect:
        """The engine line that the bytes are read in."""
        return self.way.dialect

    @property
    def precision(self) -> Precision:
        """The precision of the engine that wrote them."""
        return self.way.precision

    @property
    def candidates(self) -> tuple[DetectionCandidate, ...]:
        """All ways to read the bytes, the best first, as found when they were read the first time."""
        return self.way.candidates

    # Reading

    def read_as(self, choice: ReadOptions, progress: Progress | None = None) -> Change:
        """Read the bytes anew; what *choice* leaves open is found.

        Raises:
            Cancelled: *progress* gave up; the task stays.
        """
        self.choice = replace(choice, opening=self.choice.opening)
        self._last, self._since, self._unlearned = [], (), None
        return self._read(ReadJob(self.buffer, choice, None, pool=self.pool, explain=self.explain), (), progress)

    def take(self, task: ReadJob, reading: Reading) -> Change | None:
        """Have what came of *task*; None where meanwhile there is another one."""
        if task is not self.task:
            return None
        self.task = None
        self.way, self.frames, self.gaps = reading.way, reading.frames, reading.gaps
        self.fields, self.message = reading.fields, reading.message
        self.news = tuple(self._followed(self.news, task.since)) if task.way is not None else ()
        self.value_names = reading.value_names
        self._last, self._since, self._was_read = self.frames, (), True
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, (), structure=True)

    @property
    def is_learned(self) -> bool:
        """Whether the values are read as somebody learned who knows what is wrong with the bytes."""
        return self._unlearned is not None

    @property
    def plain(self) -> Reading:
        """How the bytes are read by who knows nothing of what is wrong with them, as an engine does."""
        now = Reading(self.way, self.frames, self.gaps, self.fields, self.message, self.value_names)
        return self._unlearned or now

    def learn(self, reading: Reading) -> Change:
        """Have the values as *reading* has them, until the bytes change."""
        self._unlearned = self.plain
        return self._have(reading)

    def unlearn(self) -> Change | None:
        """Have them again as they are read without knowing; None where they are."""
        before, self._unlearned = self._unlearned, None
        return self._have(before) if before is not None else None

    def _have(self, reading: Reading) -> Change:
        self.way, self.frames, self.gaps = reading.way, reading.frames, reading.gaps
        self._last, self._since = [], ()
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, (), structure=True)

    def _followed(self, news: tuple[ExternalChange, ...], splices: tuple[Splice, ...]) -> Iterator[ExternalChange]:
        """The news of values that are still there, where they are after an edit."""
        for each in news:
            start = kept(each.span.start, splices)
            found = self.node_at(start) if start is not None else None
            if start is None or found is None:
                continue
            frame, node = found
            span = frame.table.span(node).shifted(frame.start)
            if span.start == start:
                yield replace(each, item=Item(self.frame_at(start), node), span=span)

    @property
    def wants_glimpse(self) -> bool:
        """Whether none of these bytes was ever shown as values: then the first ones are worth being seen early."""
        return self.task is not None and not self._was_read

    def show_glimpse(self, task: ReadJob, reading: Reading) -> Change | None:
        """Have the first values until *task* is done; None where meanwhile there is another one."""
        return self._begin_with(reading.frames, reading.way) if task is self.task else None

    def drop_glimpse(self) -> Change | None:
        """Have no values, as the task is given up; None where there are none."""
        return self._begin_with([], self.way) if self.task is not None and self.frames else None

    def _begin_with(self, frames: list[Frame], way: ReadMode) -> Change:
        self.way, self.frames = way, frames
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, (), structure=True, waits=True)

    @property
    def is_cold(self) -> bool:
        """Whether the bytes are still read from a file though there is room for them in memory."""
        return files.is_loose(self.buffer)

    def warm_up(self) -> None:
        """Have the bytes in memory, and room to read the largest frame again; for a thread, as fresh memory is slow."""
        files.hold(self.buffer)
        sizes = [(len(frame.table), len(frame.cut.payload)) for frame in self.frames]
        if sizes:
            nodes, size = max(sizes)
            make_ready(self.pool, size, nodes)

    def _read(self, task: ReadJob, splices: tuple[Splice, ...], progress: Progress | None = None) -> Change:
        """Do a task at once, or leave it to be done; what is still wrapped holds no values.

        While bytes wait to be read, so do they after an edit: several edits in a row take one moment, not one each.
        """
        is_late, self.task = self.task is not None, task
        if self.wraps.blocked is not None:
            self.take(task, Reading(_unread(task.choice), [], [Span(0, len(self.buffer))]))
            return Change(self.revision, splices, structure=True)
        if self.patience is None or (task.size <= self.patience and not is_late):
            with suppress(TakesLong):
                self.take(task, task.run(progress, work=None if self.patience is None else Moment().work))
                return Change(self.revision, splices, structure=True)
        self.way = task.way or _unread(task.choice)
        self.frames, self.gaps, self.fields, self.message = [], [], (), None
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, splices, structure=True, waits=True)

    # Writing

    def _write(self, splices: tuple[Splice, ...]) -> Change:
        """Splice the bytes, and read again what that may have changed.

        Raises:
            ValueError: a splice was made for other bytes.
        """
        self.unlearn()
        only_numbers = self.task is None and all(self._is_number(splice) for splice in splices)
        self.buffer = applied(self.buffer, splices)
        if not only_numbers:
            self._since += splices
            way = None if self.task is not None and self.task.way is None else self.way
            task = ReadJob(self.buffer, self.choice, way, self._last, self._since, self.pool, self.explain)
            return self._read(task, splices)
        self._rebind()
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, splices, structure=False)

    def _reframe(self, splices: tuple[Splice, ...], framing: Framing) -> Change:
        """Write, and read the bytes in another framing from then on."""
        self.unlearn()
        self.choice = ReadOptions(self.dialect, self.precision, framing.kind, self.choice.opening, framing.big_endian)
        self.way = replace(self.way, framing=framing)
        self.buffer = applied(self.buffer, splices)
        self._last, self._since = [], ()
        return self._read(ReadJob(self.buffer, self.choice, self.way, pool=self.pool), splices)

    def _rebind(self) -> None:
        """Let the tables read from the buffer as it is now; what they say of it is still true."""
        for frame in self.frames:
            frame.table.buffer = window(self.buffer, frame.cut.payload.start, frame.cut.payload.end)

    def _is_number(self, splice: Splice) -> bool:
        """Whether a splice writes only numbers over numbers of the same size, which cannot change any structure."""
        if splice.growth or not splice.removed:
            return False
        found = self.node_at(splice.offset)
        if found is None:
            return False
        frame, node = found
        table = frame.table
        row = table.row(node)
        is_whole = frame.sound and frame.gap is None and frame.prefix_is_true(self.buffer, self.way.framing)
        if not is_whole or table.guess is not None:
            return False  # how far a broken frame goes, and what is guessed in it, may come out otherwise
        if row is None or table.is_name(node) or row.kind not in NUMERIC:
            return False
        start = frame.start + table.start[node] + (4 if row.kind is Kind.FIXED else 8)
        return start <= splice.offset and splice.offset + len(splice.removed) <= frame.start + table.end(node)

    # Looking

    def frame_at(self, offset: int) -> int:
        """Index of the frame whose prefix or payload holds the byte at *offset*, -1 for none."""
        index = bisect_right(self.frames, offset, key=_end)
        return index if index < len(self.frames) and offset in self.frames[index].span else -1

    def node_at(self, offset: int) -> tuple[Frame, int] | None:
        """The deepest node that holds the byte at *offset*, with its frame; None for prefixes and gaps."""
        index = self.frame_at(offset)
        if index < 0:
            return None
        frame = self.frames[index]
        local = offset - frame.start
        return (frame, frame.table.at(local)) if 0 <= local < frame.table.end_of_data else None


def _end(frame: Frame) -> int:
    return frame.span.end


def _unread(choice: ReadOptions) -> ReadMode:
    """How bytes are said to be read until somebody has looked at them."""
    dialect = choice.dialect or first()
    return ReadMode((), dialect, choice.precision or Precision.SINGLE, BARE)
