"""The document: one file's bytes, its frames and tables, and every change to them.

It alone changes bytes. Everything that shows them asks it and is told by a :class:`Change` what an edit did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from viewer.buffer import Buffer, window
from viewer.container.codecs import START, looks_wrapped
from viewer.container.frames import BARE, Framing
from viewer.container.layer import Layer, WrapError
from viewer.container.wire import WireLayer
from viewer.document import files
from viewer.document.detect import Candidate, looks_like_values
from viewer.document.findings import Findings
from viewer.document.framing import Frame
from viewer.document.history import History
from viewer.document.news import News
from viewer.document.packets.message import Message, Piece
from viewer.document.reading import Choice, Explain, Progress, Reading, Task, Way
from viewer.document.splice import Edit, Move, Splice, applied, moved, touched
from viewer.document.wraps import Opening, Wraps, take_off
from viewer.span import Span
from viewer.variant.columns import Pool
from viewer.variant.dialect import Dialect, Kind, Precision, available
from viewer.variant.scan import make_ready


@dataclass(frozen=True, slots=True)
class Change:
    """What became of the document.

    Args:
        revision: the document's generation after it.
        splices: the bytes that changed, none where only the reading did.
        structure: whether node ids may mean other nodes now; if not, only values changed.
        waits: whether the bytes are still to be read: there are no frames until then, and another change will tell.
        moves: which of the bytes were only carried elsewhere.
        focus: where the values begin that should be selected now, the current one first; none to leave that as it is.
    """

    revision: int
    splices: tuple[Splice, ...]
    structure: bool
    waits: bool = False
    moves: tuple[Move, ...] = ()
    focus: tuple[int, ...] = ()


class CannotWrap(files.FileProblem):
    """The bytes cannot be wrapped as they were; nothing was changed."""


class Moved(Protocol):
    """What changed bytes, and which of them it only carried elsewhere."""

    @property
    def splices(self) -> tuple[Splice, ...]: ...
    @property
    def moves(self) -> tuple[Move, ...]: ...


def joined_moves(first: Moved, then: Moved) -> tuple[Move, ...]:
    """What two changes carried elsewhere; nothing where both wrote: the one may have written what the other moved."""
    return then.moves if not first.splices else first.moves if not then.splices else ()


class Document(Findings):
    """One file, open.

    Args:
        buffer: the bytes of the file; the wraps around its values are taken off.
        path: where they come from, None for pasted or new ones.
        name: what to call them where there is no path.
        choice: what not to look for.
        stamp: the state of the file when it was read.
        progress: told the offset reached now and then; returning False gives up.
        patience: so many bytes are read at once; where it are more, a :attr:`task` is left. None is any number.
        carried: the layers of a network around the bytes, outermost first.
        explain: says what a packet's bytes are, which then are cut as it says.

    Attributes:
        buffer: the bytes of the innermost layer, as they are now.
        wraps: what was taken off, and the bytes as they were saved.
        task: what is still to be read, None where all is; until it is done there are no frames.
        frames: the values, in order.
        gaps: what lies between them.
        news: values that are others than before the file was read again, for as long as that is worth telling.
        fields: of a packet, what each gap is; else nothing.
        message: what a packet says, None for what is none.
        value_names: what a packet calls its values.
        way: how the bytes are read.
        revision: grows by one with every change.

    Raises:
        Cancelled: *progress* gave up.
    """

    def __init__(
        self,
        buffer: Buffer,
        path: Path | None = None,
        name: str = "",
        choice: Choice | None = None,
        stamp: files.Stamp | None = None,
        progress: Progress | None = None,
        patience: int | None = None,
        carried: tuple[WireLayer, ...] = (),
        explain: Explain | None = None,
    ) -> None:
        super().__init__()
        self.choice = choice or Choice()
        self.carried = carried
        self.explain = explain
        self.wraps = take_off(buffer, self.choice.opening, looks_like_values)
        self.buffer = self.wraps.inside
        self.path = path
        self.given_name = name
        self.stamp = stamp
        self.patience = patience
        self.revision = 0
        self.history = History()
        self.way = _unread(self.choice)
        self.task: Task | None = None
        self.frames: list[Frame] = []
        self.gaps: list[Span] = []
        self.fields: tuple[Piece, ...] = ()
        self.message: Message | None = None
        self.value_names: tuple[str, ...] = ()
        self.news: tuple[News, ...] = ()
        self._pool = Pool()
        self._packed: tuple[int, Wraps] | None = None
        self._last: list[Frame] = []
        self._since: tuple[Splice, ...] = ()
        self.read_as(self.choice, progress)

    @classmethod
    def open(
        cls,
        path: Path,
        choice: Choice | None = None,
        progress: Progress | None = None,
        patience: int | None = None,
    ) -> Document:
        """Read a file; with little patience, a long one without having it in memory yet, see :meth:`warm_up`.

        Args:
            path: the file.
            choice, progress, patience: as for a document.

        Raises:
            FileProblem: it cannot be read.
            Cancelled: *progress* gave up.
        """
        whole = patience is None or looks_wrapped(files.start_of(path, START))
        data, stamp = files.read(path, files.LARGE if whole else files.LONG)
        return cls(data, path, choice=choice, stamp=stamp, progress=progress, patience=patience)

    @property
    def name(self) -> str:
        """The file's name, or what else it is called."""
        return self.path.name if self.path else self.given_name

    @property
    def layers(self) -> list[Layer]:
        """The buffers that the file unwraps into, the file itself first."""
        return self.wraps.layers(self.buffer)

    # Reading

    @property
    def dialect(self) -> Dialect:
        """The engine line that the bytes are read in."""
        return self.way.dialect

    @property
    def precision(self) -> Precision:
        """The precision of the engine that wrote them."""
        return self.way.precision

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All ways to read the bytes, the best first, as found when they were read the first time."""
        return self.way.candidates

    def read_as(self, choice: Choice, progress: Progress | None = None) -> Change:
        """Read the bytes anew; what *choice* leaves open is found.

        Raises:
            Cancelled: *progress* gave up; the task stays.
        """
        self.choice = replace(choice, opening=self.choice.opening)
        self._last, self._since = [], ()
        return self._read(Task(self.buffer, choice, None, pool=self._pool, explain=self.explain), (), progress)

    def take(self, task: Task, reading: Reading) -> Change | None:
        """Have what came of *task*; None where meanwhile there is another one."""
        if task is not self.task:
            return None
        self.task = None
        self.way, self.frames, self.gaps = reading.way, reading.frames, reading.gaps
        self.fields, self.message, self.news = reading.fields, reading.message, ()
        self.value_names = reading.value_names
        self._last, self._since = self.frames, ()
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, (), structure=True)

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
            make_ready(self._pool, size, nodes)

    def _read(self, task: Task, splices: tuple[Splice, ...], progress: Progress | None = None) -> Change:
        """Do a task at once, or leave it to be done; what is still wrapped holds no values."""
        self.task = task
        if self.wraps.blocked is not None:
            self.take(task, Reading(_unread(task.choice), [], [Span(0, len(self.buffer))]))
            return Change(self.revision, splices, structure=True)
        if self.patience is None or task.size <= self.patience:
            self.take(task, task.run(progress))
            return Change(self.revision, splices, structure=True)
        self.way = task.way or _unread(task.choice)
        self.frames, self.gaps, self.fields, self.message = [], [], (), None
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, splices, structure=True, waits=True)

    # Changing

    def apply(self, edit: Edit) -> Change:
        """Do an edit and remember it.

        Raises:
            ValueError: the edit was made for other bytes.
        """
        change = self._apply(edit)
        self.history.record(edit)
        return change

    def undo(self) -> Change | None:
        """Take the last edit back; None where there is none."""
        edit = self.history.undo()
        return self._apply(edit) if edit else None

    def redo(self) -> Change | None:
        """Do the edit again that was taken back last; None where there is none."""
        edit = self.history.redo()
        return self._apply(edit) if edit else None

    def _apply(self, edit: Edit) -> Change:
        change = self._write(edit.splices) if edit.framing is None else self._reframe(edit.splices, edit.framing[1])
        return replace(change, moves=edit.moves, focus=edit.focus.after if edit.focus is not None else ())

    def _write(self, splices: tuple[Splice, ...]) -> Change:
        only_numbers = self.task is None and all(self._is_number(splice) for splice in splices)
        self.buffer = applied(self.buffer, splices)
        if not only_numbers:
            self._since += splices
            way = None if self.task is not None and self.task.way is None else self.way
            task = Task(self.buffer, self.choice, way, self._last, self._since, self._pool, self.explain)
            return self._read(task, splices)
        self._rebind()
        self.forget_findings()
        self.revision += 1
        return Change(self.revision, splices, structure=False)

    def _reframe(self, splices: tuple[Splice, ...], framing: Framing) -> Change:
        """Write, and read the bytes in another framing from then on."""
        self.choice = Choice(self.dialect, self.precision, framing.kind, self.choice.opening)
        self.way = replace(self.way, framing=framing)
        self.buffer = applied(self.buffer, splices)
        self._last, self._since = [], ()
        return self._read(Task(self.buffer, self.choice, self.way, pool=self._pool), splices)

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
        if table.guess is not None:
            return False  # what is guessed behind an error may come out otherwise
        if row is None or table.is_name(node) or row.kind not in (Kind.FIXED, Kind.PACKED):
            return False
        start = frame.start + table.start[node] + (4 if row.kind is Kind.FIXED else 8)
        return start <= splice.offset and splice.offset + len(splice.removed) <= frame.start + table.end(node)

    def save(
        self, path: Path | None = None, force: bool = False, progress: Progress | None = None, backup: int = 1
    ) -> None:
        """Write the bytes to *path*, or to where they came from.

        Args:
            path: the file, None for the one they came from.
            force: whether the file may have been changed meanwhile.
            progress: told how many bytes are written; returning False stops before anything was changed.
            backup: how many previous versions stay beside it.

        Raises:
            ChangedOnDisk: the file was changed meanwhile, and *force* is not set.
            CannotWrap: it cannot be wrapped as it was; nothing was changed.
            FileProblem: it cannot be written; nothing was changed.
            ValueError: there is no path.
        """
        target = path or self.path
        if target is None:
            raise ValueError("These bytes have no file yet: choose a name.")
        same = self.path is not None and target == self.path
        wraps = self._wrapped()
        self.stamp = files.write(target, wraps.outside, self.stamp if same and not force else None, backup, progress)
        self.wraps, self._packed = wraps, None
        self.buffer = files.reread(target, self.buffer, self.stamp)
        self._rebind()
        self.path = target
        self.history.mark_saved()

    def to_be_written(self) -> Buffer:
        """The bytes of the file as saving would write them; saving does not make them again.

        Raises:
            FileProblem: they cannot be wrapped as they were.
        """
        return self._wrapped().outside

    def opened_as(self, opening: Opening) -> Document:
        """The same file as it was read or saved last, with other wraps taken off."""
        choice = replace(self.choice, opening=opening)
        return Document(self.wraps.outside, self.path, self.given_name, choice, self.stamp, patience=self.patience)

    def _wrapped(self) -> Wraps:
        if self._packed is not None and self._packed[0] == self.revision:
            return self._packed[1]
        try:
            self._packed = (self.revision, self.wraps.put_on(self.buffer))
            return self._packed[1]
        except WrapError as error:
            raise CannotWrap(str(error)) from error

    @property
    def has_other_wraps(self) -> bool:
        """Whether Zstd could take the place of a method that no engine writes."""
        return self.wraps.writable() is not None

    def use_other_wraps(self) -> None:
        """Let it, from the next save on."""
        self.wraps = self.wraps.writable() or self.wraps

    @property
    def changed_on_disk(self) -> bool:
        """Whether the file on disk is another one than the one that was read or written last."""
        return self.path is not None and self.stamp is not None and files.stamp(self.path) != self.stamp

    @property
    def modified(self) -> bool:
        """Whether there are changes that are not saved."""
        return self.history.modified

    def modified_spans(self) -> list[Span]:
        """The bytes that differ from the saved file by an edit, as they lie now."""
        splices = self.history.since_saved()
        return [Span(0, len(self.buffer))] if splices is None else touched(s.trimmed() for s in splices)

    def moved(self, offset: int, change: Change) -> int:
        """Where a byte lies after a change."""
        return min(moved(offset, change.splices), max(0, len(self.buffer) - 1))

    # Looking

    def frame_at(self, offset: int) -> int:
        """Index of the frame whose prefix or payload holds the byte at *offset*, -1 for none."""
        low, high = 0, len(self.frames)
        while low < high:
            middle = (low + high) // 2
            if self.frames[middle].span.end <= offset:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.frames) and offset in self.frames[low].span else -1

    def node_at(self, offset: int) -> tuple[Frame, int] | None:
        """The deepest node that holds the byte at *offset*, with its frame; None for prefixes and gaps."""
        index = self.frame_at(offset)
        if index < 0:
            return None
        frame = self.frames[index]
        local = offset - frame.start
        return (frame, frame.table.at(local)) if 0 <= local < frame.table.end_of_data else None


def _unread(choice: Choice) -> Way:
    """How bytes are said to be read until somebody has looked at them."""
    dialect = choice.dialect or next(iter(available()))
    return Way((), dialect, choice.precision or Precision.SINGLE, BARE)
