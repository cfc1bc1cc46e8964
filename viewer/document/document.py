"""The document: one file, its bytes, what is read from them, and every change to them.

It alone changes bytes. Everything that shows them asks it and is told by a
:class:`~viewer.document.change.Change` what an edit did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from viewer.base.buffer import Buffer
from viewer.base.progress import Progress
from viewer.base.span import Span
from viewer.container.codecs import START, looks_wrapped
from viewer.container.layer import Layer, WrapError
from viewer.container.wire import WireLayer
from viewer.document.change import Change
from viewer.document.detection.detect import holds_only_values, looks_like_values
from viewer.document.disk import files
from viewer.document.read_bytes import ReadBytes
from viewer.document.reading import Explain, ReadOptions
from viewer.document.splice import Edit, EditFocus, Splice, moved, touched
from viewer.document.wraps import UnwrapOptions, Wraps, take_off

# History: edits done and undone, and where the saved file stands among them.


class History:
    """A line of edits with a place on it."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._done = 0
        self._saved: int | None = 0
        self._sealed = True
        self._aim: int | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all edits, done and undone, in their order."""
        return tuple(edit.label for edit in self._edits)

    @property
    def done(self) -> int:
        """How many of the edits are done: the place of now."""
        return self._done

    @property
    def saved(self) -> int | None:
        """How many edits lie before the saved bytes, None where these cannot be reached any more."""
        return self._saved

    @property
    def modified(self) -> bool:
        """Whether the bytes differ from the saved ones by any edit."""
        return self._done != self._saved

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return self._done > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to do again."""
        return self._done < len(self._edits)

    @property
    def undo_label(self) -> str:
        """The label of the edit that undo would take back, empty where there is none."""
        return self._edits[self._done - 1].label if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that redo would do again, empty where there is none."""
        return self._edits[self._done].label if self.can_redo else ""

    def record(self, edit: Edit) -> None:
        """Remember an edit that was just applied; what had been undone is forgotten."""
        del self._edits[self._done :]
        self._aim = None
        if self._saved is not None and self._saved > self._done:
            self._saved = None
        last = self._edits[-1] if self._edits else None
        if last and edit.merge and last.merge == edit.merge and not self._sealed and self._saved != self._done:
            self._edits[-1] = last.then(edit)
        else:
            self._edits.append(edit)
            self._done += 1
        self._sealed = False

    def seal(self) -> None:
        """Let the next edit be a step of its own."""
        self._sealed = True

    def aim(self, done: int) -> None:
        """Let the next undo or redo go as far as the place where *done* edits are done, in one step.

        Raises:
            ValueError: there is no such place.
        """
        if not 0 <= done <= len(self._edits):
            raise ValueError(f"There is no place behind {done} edits.")
        self._aim = done

    def undo(self) -> Edit | None:
        """The edit that takes the last one back, or all that are aimed at, now to be applied; None at the beginning."""
        if not self._done:
            return None
        target = self._aimed(self._done - 1, 0, self._done)
        undone = [edit.inverse for edit in reversed(self._edits[target : self._done])]
        self._done = target
        self.seal()
        return _joined(undone)

    def redo(self) -> Edit | None:
        """The edit to be applied again, or all that are aimed at as one; None at the end."""
        if self._done == len(self._edits):
            return None
        target = self._aimed(self._done + 1, self._done + 1, len(self._edits) + 1)
        redone = self._edits[self._done : target]
        self._done = target
        self.seal()
        return _joined(redone)

    def _aimed(self, usual: int, low: int, high: int) -> int:
        """The place aimed at where it lies in ``[low, high)``, else the *usual* one; the aim is forgotten."""
        aim, self._aim = self._aim, None
        return usual if aim is None or not low <= aim < high else aim

    def mark_saved(self) -> None:
        """The bytes as they are now are on disk."""
        self._saved = self._done
        self.seal()

    def since_saved(self) -> list[Splice] | None:
        """The splices that lead from the saved bytes to those of now; None where no way is known."""
        if self._saved is None:
            return None
        if self._saved <= self._done:
            return [splice for edit in self._edits[self._saved : self._done] for splice in edit.splices]
        undone = reversed(self._edits[self._done : self._saved])
        return [splice for edit in undone for splice in edit.inverse.splices]


def _joined(edits: Sequence[Edit]) -> Edit:
    """Consecutive edits as one; what a later one wrote may be what an earlier one moved, so that no moves are left."""
    first, last = edits[0], edits[-1]
    if first is last:
        return first
    focus = EditFocus(first.focus.before if first.focus else (), last.focus.after) if last.focus else None
    return Edit(last.words, tuple(splice for edit in edits for splice in edit.splices), focus=focus)


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
        choice: ReadOptions | None = None,
        stamp: files.Stamp | None = None,
        progress: Progress | None = None,
        patience: int | None = None,
        carried: tuple[WireLayer, ...] = (),
        explain: Explain | None = None,
    ) -> None:
        choice = choice or ReadOptions()
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
        choice: ReadOptions | None = None,
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

    def opened_as(self, opening: UnwrapOptions) -> Document:
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
