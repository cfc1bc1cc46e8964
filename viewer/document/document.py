"""The document: one file, its bytes, what is read from them, and every change to them.

It alone changes bytes. Everything that shows them asks it and is told by a
:class:`~viewer.document.change.Change` what an edit did.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.container.codecs import START, looks_wrapped
from viewer.container.layer import Layer, WrapError
from viewer.container.wire import WireLayer
from viewer.document import files
from viewer.document.change import Change
from viewer.document.detect import holds_only_values, looks_like_values
from viewer.document.history import History
from viewer.document.read_bytes import ReadBytes
from viewer.document.reading import Choice, Explain, Progress
from viewer.document.splice import Edit, moved, touched
from viewer.document.wraps import Opening, Wraps, take_off


class CannotWrap(files.FileProblem):
    """The bytes cannot be wrapped as they were; nothing was changed."""


class Document(ReadBytes):
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
        path, stamp, carried: as above; path and state of the file change when it is saved.
        history: the edits done and undone.

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
        choice = choice or Choice()
        wraps = take_off(buffer, choice.opening, looks_like_values, holds_only_values)
        super().__init__(wraps, choice, patience, explain)
        self.path = path
        self.given_name = name
        self.stamp = stamp
        self.carried = carried
        self.history = History()
        self._packed: tuple[int, Wraps] | None = None
        self.read_as(choice, progress)

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
        saved = files.write(target, wraps.outside, self.stamp if same and not force else None, backup, progress)
        self.stamp = saved.stamp
        self.wraps, self._packed = wraps, None
        self.buffer = files.reread(target, self.buffer, self.stamp)
        self._rebind()
        self.path = target
        self.history.mark_saved()
        return saved.remarks

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
