"""The document: one file, its bytes, what is read from them, and every change to them.

It alone changes bytes. Everything that shows them asks it and is told by a
:class:`~viewer.document.change.Change` what an edit did.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer, window
from viewer.base.progress import MOMENT, Moment, Progress, TakesLong
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.codecs import START, looks_wrapped
from viewer.container.frames import Framing
from viewer.container.layer import Layer, SourceText, WrapError
from viewer.document.change import Change, ExternalChange
from viewer.document.detection.detect import DetectionCandidate, holds_only_values, looks_like_values
from viewer.document.disk import files
from viewer.document.findings import Findings
from viewer.document.history import History
from viewer.document.pieces.framing import Frame, LateFrames, unusual
from viewer.document.reading import Explain, Preferred, Reading, ReadJob, ReadMode, ReadOptions, unread, way_of_text
from viewer.document.splice import Edit, Splice, applied, kept, moved, touched
from viewer.document.wraps import UnwrapOptions, Wrap, Wraps, take_off
from viewer.variant.columns import Pool
from viewer.variant.dialect import NUMERIC, Dialect, Kind, Precision
from viewer.variant.items import Item
from viewer.variant.scan import make_ready

if TYPE_CHECKING:  # most files are nothing but values
    from viewer.container.wire import WireLayer
    from viewer.document.pieces.message import Message, MessageField
    from viewer.document.readers.file_structure import Structure

RESOURCE_TEXT = "text-resource"


class CannotWrap(files.FileProblem):
    """The bytes cannot be wrapped as they were; nothing was changed."""


class Document:
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
        wraps: what was taken off already, None to look for it.
        begins: whether of a long text only the beginning is read now, and all of it with the :attr:`task`.

    Attributes:
        path, stamp, carried: as above; path and state of the file change when it is saved.
        history: the edits done and undone.
        buffer: the bytes of the innermost layer, as they are now.
        findings: what is wrong with them.
        wraps: what was taken off; a text in it is the one that somebody wrote last.
        saved: the same, with the bytes as they were saved.
        task: what is still to be read, None where all is.
        frames: the values, in order; until the task is done there are none, or a glimpse of the first ones.
        gaps: what lies between them.
        news: values that are others than before the file was read again, for as long as that is worth telling.
        fields: of a packet, or of a file with a structure, what each gap is; else nothing.
        message: what a packet says, None for what is none.
        value_names: what a packet, or a file with a structure, calls its values.
        structure: what a reader made of the file, None where its values stand by themselves.
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
        choice: ReadOptions | None = None,
        stamp: files.FileStamp | None = None,
        progress: Progress | None = None,
        patience: int | None = None,
        carried: tuple[WireLayer, ...] = (),
        explain: Explain | None = None,
        wraps: Wraps | None = None,
        begins: bool = False,
    ) -> None:
        choice = choice or ReadOptions()
        wraps = wraps or take_off(buffer, choice.opening, looks_like_values, holds_only_values, begins)
        is_told = choice.dialect is not None or choice.framing is not None
        self.saved = self.wraps = wraps = wraps.around_text if is_told and choice.opening.codecs is None else wraps
        self.buffer = wraps.inside
        self.choice = choice
        self.patience = patience
        self.explain = explain
        self.revision = 0
        self.way = unread(choice)
        self.task: ReadJob | None = None
        self.frames: Sequence[Frame] = []
        self.gaps: list[Span] = []
        self.fields: tuple[MessageField, ...] = ()
        self.message: Message | None = None
        self.value_names: Sequence[str] = ()
        self.structure: Structure | None = None
        self.news: tuple[ExternalChange, ...] = ()
        self.pool = Pool()
        self.findings = Findings(self)
        self._last: Sequence[Frame] = []
        self._since: tuple[Splice, ...] = ()
        self._was_read = False
        self._unlearned: Reading | None = None
        self.path, self.stamp, self.carried = path, stamp, carried
        self.given_name = name
        self.history = History()
        self._packed: tuple[int, Wraps] | None = None
        self._text: tuple[int, Wrap, str] | None = None
        self._ahead: Wrap | None = None
        self._other: files.FileStamp | None = None
        self._changed: tuple[tuple[int, int | None], list[Span]] | None = None
        self.read_as(choice, progress)

    @classmethod
    def open(
        cls,
        path: Path,
        choice: ReadOptions | None = None,
        progress: Progress | None = None,
        patience: int | None = None,
        begins: bool = False,
    ) -> Document:
        """Read a file; with little patience, a long one without having it in memory yet, see :meth:`warm_up`.

        Args:
            path: the file.
            choice, progress, patience, begins: as for a document.

        Raises:
            FileProblem: it cannot be read.
            Cancelled: *progress* gave up.
        """
        whole = patience is None or looks_wrapped(files.start_of(path, START))
        data, stamp = files.read(path, files.LARGE if whole else files.LONG)
        return cls(data, path, choice=choice, stamp=stamp, progress=progress, patience=patience, begins=begins)

    @property
    def name(self) -> str:
        """The file's name, or what else it is called."""
        return self.path.name if self.path else self.given_name

    @property
    def layers(self) -> list[Layer]:
        """The buffers that the file unwraps into, the file itself first."""
        return self.wraps.layers(self.buffer)

    @property
    def text(self) -> SourceText | None:
        """The text that the values stand in, as it would be saved now; None where they stand in none.

        Where it cannot hold the values as they are, this is the last one that could.
        """
        found = self.wraps.text
        if found is None:
            return None
        if self._text is None or self._text[0] != self.revision:
            last = self._text[1] if self._text is not None else self.wraps.around[-1]
            try:
                self._text = (self.revision, self.wraps.text_of(self.buffer, self._ahead), "")
            except WrapError as error:
                self._text = (self.revision, last, str(error))
        form = self._text[1].form
        return form if isinstance(form, SourceText) else found

    @property
    def is_begun(self) -> bool:
        """Whether only the beginning of the text was read; until all of it is, nothing can be changed."""
        text = self.wraps.text
        return text is not None and text.is_begun

    @property
    def has_sections(self) -> bool:
        """Whether this is a resource or scene as text."""
        return self.wraps.names[-1:] == (RESOURCE_TEXT,)

    @property
    def text_problem(self) -> str:
        """Why the text cannot hold the values as they are, empty where it can."""
        return "" if self.text is None or self._text is None else self._text[2]

    def refusal(self, edit: Edit) -> str:
        """Why the text cannot hold what an edit makes of the values; empty where it can, and where there is no text.

        Raises:
            ValueError: the edit was made for other bytes.
        """
        if self.wraps.text is None or edit.bases is not None or self.is_begun or self.text_problem:
            return ""
        try:
            self.text_after(edit)
        except WrapError as error:
            return str(error)
        return ""

    def text_after(self, edit: Edit) -> Wrap:
        """The text as it would be after an edit of the values, with the values as they would be read from it.

        Raises:
            WrapError: it cannot hold them.
        """
        self._ahead = self.wraps.text_of(applied(self.buffer, edit.splices), self._ahead)
        return self._ahead

    @property
    def shown(self) -> Buffer:
        """The bytes that a person looks at: the text where the values were read from one."""
        return self.buffer if self.text is None else self.text.outside

    def place(self, span: Span) -> Span:
        """Where bytes of the values stand in what a person looks at."""
        text = self.text
        if text is None:
            return span
        is_part = len(span) < len(self.buffer) or not span.start
        return text.span_of(span.start) if is_part else Span(0, len(text.outside))

    def have_bytes_of(self, other: Document) -> None:
        """Have the bytes of another with the same structure, and the text that they stand in now; for a copy of it."""
        _ = other.text  # made once for both
        self.buffer, self.wraps, self.revision = other.buffer, other.wraps, other.revision
        self._text, self._ahead = other._text, other._ahead

    @property
    def dialect(self) -> Dialect:
        """The engine line that the bytes are read in."""
        return self.way.dialect

    @property
    def framing(self) -> Framing:
        """How the values follow each other."""
        return self.way.framing

    @property
    def precision(self) -> Precision:
        """The precision of the engine that wrote them."""
        return self.way.precision

    @property
    def read_as_words(self) -> str:
        """How the bytes are read, for a person: ``Godot 3, stored``, ``Godot 4 binary resource: Item``."""
        if self.wraps.text is not None:
            return self.wraps.text.label
        return self.structure.title if self.structure is not None else f"{self.dialect.name}, {self.framing.label}"

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
        return self._read(self._job(way_of_text(self.wraps.text), self.pool), (), progress)

    def _job(self, way: ReadMode | None, pool: Pool) -> ReadJob:
        """What it takes to read all bytes."""
        begun = self.wraps if self.is_begun else None
        return ReadJob(self.buffer, self.choice, way, pool=pool, explain=self.explain, name=self.name, begun=begun)

    def take(self, task: ReadJob, reading: Reading) -> Change | None:
        """Have what came of *task*; None where meanwhile there is another one."""
        if task is not self.task:
            return None
        self.task = None
        if reading.wraps is not None:
            self.wraps = self.saved = reading.wraps
            self.buffer, self._text = self.wraps.inside, None
        self.way, self.frames, self.gaps = reading.way, reading.frames, reading.gaps
        self.fields, self.message = reading.fields, reading.message
        self.news = tuple(self._followed(self.news, task.since)) if task.way is not None else ()
        self.value_names, self.structure = reading.value_names, reading.structure
        self._last, self._since, self._was_read = self.frames, (), True
        self.findings.forget()
        self.revision += 1
        return Change(self.revision, (), structure=True)

    @property
    def is_learned(self) -> bool:
        """Whether the values are read as somebody learned who knows what is wrong with the bytes."""
        return self._unlearned is not None

    @property
    def plain(self) -> Reading:
        """How the bytes are read by who knows nothing of what is wrong with them, as an engine does."""
        now = Reading(self.way, self.frames, self.gaps, self.fields, self.message, self.value_names, self.structure)
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
        self.findings.forget()
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

    def twin(self) -> Document:
        """The same bytes as a document of its own, which nobody edits: what is done to this one does not reach it.

        All of it is still to be read, see :meth:`read_now`, in the way in which this one is.
        """
        twin = copy.copy(self)
        twin.history, twin.pool, twin.findings = History(), Pool(), Findings(twin)
        twin.frames, twin.gaps, twin.fields, twin.message, twin.structure = [], [], (), None, None
        twin.news, twin.value_names, twin._last, twin._since = (), (), [], ()
        twin._unlearned, twin.patience = None, None
        is_unread = self.task is not None and self.task.way is None
        twin.task = self._job(None if is_unread else self.plain.way, twin.pool)
        return twin

    def read_now(self, progress: Progress | None = None) -> None:
        """Do what is still to be read of a document that nobody else has, such as a twin; for a thread.

        Raises:
            Cancelled: *progress* gave up.
            MemoryError: there is no room for the tables.
        """
        if self.task is not None:
            self._read(self.task, (), progress)

    @property
    def wants_glimpse(self) -> bool:
        """Whether none of these bytes was ever shown as values: then the first ones are worth being seen early."""
        return self.task is not None and not self._was_read and not self.frames

    def show_glimpse(self, task: ReadJob, reading: Reading) -> Change | None:
        """Have the first values until *task* is done; None where meanwhile there is another one."""
        if task is not self.task:
            return None
        self.value_names, self.structure = reading.value_names, reading.structure
        return self._begin_with(reading.frames, reading.way)

    def drop_glimpse(self) -> Change | None:
        """Have no values, as the task is given up; None where there are none."""
        if self.task is None or not self.frames:
            return None
        self.value_names, self.structure = (), None
        return self._begin_with([], self.way)

    def _begin_with(self, frames: Sequence[Frame], way: ReadMode) -> Change:
        self.way, self.frames = way, frames
        self.findings.forget()
        self.revision += 1
        return Change(self.revision, (), structure=True, waits=True)

    @property
    def is_cold(self) -> bool:
        """Whether the bytes are still read from a file though there is room for them in memory."""
        return files.is_loose(self.buffer)

    def warm_up(self) -> None:
        """Have the bytes in memory, and room to read the largest frame again; for a thread, as fresh memory is slow."""
        files.hold(self.buffer)
        frames = (self.frames[number] for number in unusual(self.frames))
        sizes = [(len(frame.table), len(frame.cut.payload)) for frame in frames]
        if sizes:
            nodes, size = max(sizes)
            make_ready(self.pool, size, nodes)

    def _read(self, task: ReadJob, splices: tuple[Splice, ...], progress: Progress | None = None) -> Change:
        """Do a task at once, or leave it to be done; what is still wrapped holds no values.

        While bytes wait to be read, so do they after an edit: several edits in a row take one moment, not one each.
        """
        is_late, self.task = self.task is not None, task
        if self.wraps.blocked is not None:
            self.take(task, Reading(unread(task.choice), [], [Span(0, len(self.buffer))]))
            return Change(self.revision, splices, structure=True)
        patience = self.patience
        if patience is not None and self.wraps.text is not None:
            patience = min(patience, MOMENT)  # typed collections, which only texts have so many of, take long
        if patience is None or (task.begun is None and task.size <= patience and not is_late):
            with suppress(TakesLong):
                self.take(task, task.run(progress, work=None if self.patience is None else Moment().work))
                return Change(self.revision, splices, structure=True)
        self.way = task.way or unread(task.choice)
        self.frames, self.gaps, self.fields, self.message, self.structure = [], [], (), None, None
        if task.begun is not None:
            from viewer.document.glimpse import glimpse

            self.frames = glimpse(self.buffer, self.way, len(self.buffer)).frames
        self.findings.forget()
        self.revision += 1
        return Change(self.revision, splices, structure=True, waits=True)

    # Writing

    def _write(self, splices: tuple[Splice, ...], after: Buffer | None = None) -> Change:
        """Splice the bytes, and read again what that may have changed.

        Args:
            splices: what becomes what.
            after: all bytes as they are then, where they are known.

        Raises:
            ValueError: a splice was made for other bytes.
        """
        self.unlearn()
        is_summed = self.structure is not None and bool(self.structure.checksums or self.structure.is_conditional)
        only_numbers = self.task is None and not is_summed and all(self._is_number(splice) for splice in splices)
        self.buffer = applied(self.buffer, splices) if after is None else after
        if not only_numbers:
            self._since += splices
            way = None if self.task is not None and self.task.way is None else self.way
            task = ReadJob(self.buffer, self.choice, way, self._last, self._since, self.pool, self.explain, self.name)
            return self._read(task, splices)
        self._rebind()
        self.findings.forget()
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
        if isinstance(self.frames, LateFrames):
            self.frames.rebind(self.buffer)
            return
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
        table, row = frame.table, frame.table.row(node)
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

    @property
    def unexplained(self) -> list[Span]:
        """The gaps that nothing explains: in a packet those that are no fields, elsewhere all."""
        if self.structure is not None:
            return [piece.span for piece in self.fields if piece.is_opaque]
        return [piece.span for piece in self.fields if piece.is_unread] if self.fields else self.gaps

    @property
    def explained(self) -> float:
        """Share of the bytes that values and prefixes claim, 0 to 1."""
        if not self.buffer:
            return 1.0
        unclaimed = sum(len(gap) for gap in self.unexplained)
        unclaimed += sum(len(gap) for index in self.findings.odd_frames for gap in self.frames[index].gaps)
        return 1.0 - unclaimed / len(self.buffer)

    # Changing

    def apply(self, edit: Edit) -> Change:
        """Do an edit and remember it.

        Raises:
            ValueError: the edit was made for other bytes, or only the beginning of the text was read.
        """
        if self.is_begun:
            raise ValueError("the text is not read to its end")
        if self.wraps.text is not None and edit.bases is None:
            from viewer.document.value_splices import with_floats_as_read

            edit = with_floats_as_read(self, edit)
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
        if edit.bases is not None:
            self.wraps = edit.bases[1]
            self.way = way_of_text(self.wraps.text) or self.way
        after = edit.bases[1].inside if edit.bases is not None and edit.readings[1] else None
        if edit.framing is None:
            change = self._write(edit.splices, after)
        else:
            change = self._reframe(edit.splices, edit.framing[1])
        focus = edit.focus.after if edit.focus is not None else ()
        return replace(change, moves=edit.moves, focus=focus, text=edit.bases is not None)

    @property
    def modified(self) -> bool:
        """Whether there are changes that are not saved."""
        return self.history.modified

    def modified_spans(self) -> list[Span]:
        """The bytes that differ from the saved file by an edit, as they lie now."""
        splices = self.history.since_saved()
        if splices is None:
            return [Span(0, len(self.buffer))]
        if self.task is not None or not self.history.is_typed:
            return touched(splice.trimmed() for splice in splices)
        key = (self.revision, self.history.saved)
        if self._changed is None or self._changed[0] != key:
            from viewer.document.value_splices import really_changed

            self._changed = (key, really_changed(self, touched(splices), splices))
        return list(self._changed[1])

    def moved(self, offset: int, change: Change) -> int:
        """Where a byte lies after a change."""
        return min(moved(offset, change.splices), max(0, len(self.buffer) - 1))

    # Saving

    def save(
        self, path: Path | None = None, force: bool = False, progress: Progress | None = None, backup: int = 1
    ) -> tuple[str, ...]:
        """Write the bytes to *path*, or to where they came from.

        Args:
            path: the file, None for the one they came from.
            force: whether the file may have been changed meanwhile.
            progress: told how many bytes are written; returning False stops before anything was changed.
            backup: how many previous versions stay beside it.

        Returns:
            Sentences about what could not be kept as it was.

        Raises:
            ChangedOnDisk: the file was changed meanwhile, and *force* is not set.
            CannotWrap: it cannot be wrapped as it was; nothing was changed.
            FileProblem: it cannot be written; nothing was changed.
            ValueError: there is no path.
        """
        target = path or self.path
        if target is None:
            raise ValueError("These bytes have no file yet: choose a name.")
        same = self.path is not None and (target == self.path or files.is_same(target, self.path))
        wraps = self._wrapped()
        if same and not force:
            self._compare_with_disk()
        saved = files.write(target, wraps.outside, self.stamp if same and not force else None, backup, progress)
        self.stamp = saved.stamp
        texts = (self.wraps, wraps) if self.text is not None else None
        self.wraps = self.saved = wraps
        self._packed = self._text = None
        self.buffer = files.reread(target, self.buffer, self.stamp)
        self._rebind()
        self.path = target
        self.history.mark_saved(texts)
        return saved.remarks

    def to_be_written(self) -> Buffer:
        """The bytes of the file as saving would write them; saving does not make them again.

        Raises:
            FileProblem: they cannot be wrapped as they were.
        """
        return self._wrapped().outside

    def opened_as(self, opening: UnwrapOptions) -> Document:
        """The same file as it was read or saved last, with other wraps taken off."""
        choice = replace(self.choice, opening=opening)
        return Document(self.saved.outside, self.path, self.given_name, choice, self.stamp, patience=self.patience)

    def as_saved(self) -> Document:
        """The file as it was read or saved last, in the same way, without what was changed since."""
        way = self.plain.way
        choice = replace(self.choice, preferred=Preferred(way.dialect, way.precision, way.framing))
        return Document(self.saved.outside, self.path, self.given_name, choice, self.stamp)

    def _wrapped(self) -> Wraps:
        if self._packed is not None and self._packed[0] == self.revision:
            return self._packed[1]
        try:
            made = self._text is not None and self._text[0] == self.revision and not self._text[2]
            innermost = self._text[1] if made and self._text is not None else None
            self._packed = (self.revision, self.wraps.put_on(self.buffer, innermost))
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
        """Whether the file on disk holds something else than was read or written last.

        One that was written anew with the same bytes is the same from then on; long ones are not compared.
        """
        return self._compare_with_disk()

    def _compare_with_disk(self) -> bool:
        if self.path is None or self.stamp is None:
            return False
        now = files.stamp(self.path)
        if now == self.stamp or now == self._other:
            return now != self.stamp
        if now is None or not files.holds(self.path, self.saved.outside) or files.stamp(self.path) != now:
            self._other = now
            return True
        self.stamp = now
        return False

    @property
    def is_gone(self) -> bool:
        """Whether its file is no longer on disk: then this is the last copy."""
        return self.path is not None and self.stamp is not None and files.is_missing(self.path)

    @property
    def is_unsaved(self) -> bool:
        """Whether it would be lost, or changes of it, if it were closed now."""
        return self.modified or self.is_gone


def _end(frame: Frame) -> int:
    return frame.span.end
