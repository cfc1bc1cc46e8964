"""Session: the one hub of a window. It owns the document, the selection and the way back.

It alone changes and announces; tree, hex view, inspector and problems observe it and never call each other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits import EditError, overwrite, set_literal
from viewer.document.findings import next_finding
from viewer.document.reading import AT_ONCE, Choice, Progress, Reading
from viewer.document.splice import Edit
from viewer.document.whereabouts import Anchor, Whereabouts
from viewer.ui.reading import ReadingBeside
from viewer.ui.standpoint import Standpoint
from viewer.ui.untold import Untold
from viewer.variant.items import Item

WAITS = "These bytes are still being read; try again in a moment."


class Session(Standpoint):
    """What is open in a window, and where the person is in it.

    Attributes:
        reading: reads large files beside the window.

    Signals:
        opened: another document (or none) is shown; everything must be read anew.
        changed: ``Change``: bytes or reading of the document changed.
        saving: the ``Path`` of a file that the document is about to be written to.
        written: the splices, right after they were done, whether or not what they leave is read yet.
        problems_changed: the findings may be other ones.
        news_changed: the file on disk is another one, or what it changed is told or no longer told.
        reread: a person has chosen how the bytes are read.
        failed: ``str``: something a person asked for could not be done; one sentence.
    """

    opened = Signal()
    changed = Signal(object)
    saving = Signal(object)
    written = Signal(object)
    problems_changed = Signal()
    news_changed = Signal()
    reread = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reading = ReadingBeside(self)
        self.reading.taken.connect(self._announce)
        self.reading.failed.connect(self.failed)
        self._untold = Untold(self)
        self._untold.due.connect(self._tell_unread)

    # Opening and closing

    def show(self, document: Document | None, standing: Whereabouts | None = None) -> None:
        """Show another document, or nothing, at the place where it was left. Errors of reading are the caller's."""
        self.reading.stop()
        self._untold.forget()
        left = standing or Whereabouts()
        self._document, self._here, self._layer = document, Whereabouts(places=left.places), None
        if document is not None:
            document.patience = AT_ONCE
        self.opened.emit()
        self.history_changed.emit()
        self.problems_changed.emit()
        if document is not None:
            self._find_again(document, left.anchor, left.caret)
        self.read_on()

    def save(
        self, path: Path | None = None, force: bool = False, progress: Progress | None = None, backup: int = 1
    ) -> tuple[str, ...]:
        """Write the document; *backup* earlier versions stay.

        Returns:
            Sentences about what could not be kept as it was.

        Raises:
            FileProblem: it cannot be written.
        """
        if self._document is None:
            return ()
        target = path or self._document.path
        if target is not None:
            self.saving.emit(target)
        remarks = self._document.save(path, force, progress, backup)
        self.history_changed.emit()
        return remarks

    def read_as(self, choice: Choice) -> None:
        """Read the bytes with another dialect, precision or framing."""
        if self._document is not None:
            self._announce(self._document.read_as(choice))
            self.reread.emit()

    def learn(self, reading: Reading) -> None:
        """Have the values read as somebody does who knows what is wrong with the bytes, until these change."""
        if self._document is not None and self._document.task is None:
            self._announce(self._document.learn(reading))

    def unlearn(self) -> None:
        """Have the values read again as somebody does who does not know."""
        if self._document is not None:
            self._announce(self._document.unlearn())

    # Reading beside the window

    def read_on(self) -> None:
        """Read what is still to be read, beside the window."""
        if self._document is not None:
            self.reading.start(self._document)

    def dismiss_news(self) -> None:
        """A person has seen what another program has changed: it is marked no longer."""
        if self._document is not None and self._document.news:
            self._document.news = ()
            self.news_changed.emit()

    def stop_reading(self) -> None:
        """Give up reading; the bytes stay, and :meth:`read_on` begins again."""
        self.reading.stop()
        self._untold.tell()

    def _tell_unread(self, change: Change) -> None:
        """A change has bytes that are not read yet, and it takes longer than a moment."""
        self._here = replace(self._here, item=None, marked=None)
        self.changed.emit(change)
        self.selected.emit(None)
        self.history_changed.emit()

    # Changing

    def apply(self, edit: Edit, caret: int | None = None) -> None:
        """Do an edit; afterwards the selection is found again, or the caret stands at *caret*."""
        if self._document is not None and edit.splices:
            self._announce(self._document.apply(self._coming_back(self._document, edit)), caret)

    def _coming_back(self, document: Document, edit: Edit) -> Edit:
        """An edit that selects something selects, once it is taken back, what is selected now."""
        start = None if edit.focus is None or self.waits else self._here.row_start(document)
        return edit if edit.focus is None or start is None else replace(edit, focus=edit.focus.leaving(start))

    def set_literal(self, item: Item, text: str) -> None:
        """Set an item to a literal.

        Raises:
            EditError: the item cannot hold it.
        """
        if self.waits:
            raise EditError(WAITS)
        if self._document is not None:
            self.apply(set_literal(self._document, item, text))

    def overwrite(self, offset: int, new: bytes, merge: str = "") -> None:
        """Write bytes over others, without fix-ups; the same bytes over themselves are no change."""
        if self._document is None or self._document.buffer[offset : offset + len(new)] == new:
            return
        try:
            self.apply(overwrite(self._document, offset, new, merge))
        except EditError as error:
            self.failed.emit(str(error))

    def seal(self) -> None:
        """Let the next edit be a step of its own, however alike it is to the last one."""
        if self._document is not None:
            self._document.history.seal()

    def undo(self) -> None:
        """Take the last edit back."""
        if self._document is not None:
            self._announce(self._document.undo())

    def redo(self) -> None:
        """Do the edit again that was taken back last."""
        if self._document is not None:
            self._announce(self._document.redo())

    def _announce(self, change: Change | None, caret: int | None = None) -> None:
        """Tell everybody about a change and find the selection again: by its path, else by its offset.

        Where a *caret* is given, what is there is selected instead.
        """
        document = self._document
        if change is None or document is None:
            return
        if change.splices:
            self.written.emit(change.splices)
        by_caret = caret is not None and (change.structure or change.waits)
        caret = document.moved(self.caret, change) if caret is None else caret
        anchor = Anchor() if by_caret else self._here.anchor.after(change.splices)
        self._here = replace(self._here, anchor=anchor)
        change = self._untold.joined_to(change)
        if change.waits:
            self._here = replace(self._here, caret=caret)
            self._untold.keep(change)
            self.read_on()
        else:
            if change.structure:
                self._here = replace(self._here, item=None, marked=None)
            self.reading.stop()
            self._untold.forget()
            self._tell(document, change, caret)

    def _tell(self, document: Document, change: Change, caret: int) -> None:
        """Tell everybody about a change whose bytes are read, and select what is to be selected after it."""
        self.changed.emit(change)
        if change.focus:
            self._focus(document, change.focus[0])
        elif change.structure:
            self._find_again(document, self._here.anchor, caret)
        self.history_changed.emit()
        self.problems_changed.emit()

    # Problems

    def problems(self, least: Severity = Severity.NOTE) -> list[Diagnostic]:
        """Findings of at least this gravity, in byte order."""
        return [d for d in self._document.diagnostics() if d.severity >= least] if self._document else []

    def step_problem(self, direction: int, least: Severity = Severity.WARNING) -> None:
        """Go to the next (1) or previous (-1) finding, around the end."""
        found = self.problems(least)
        if found:
            self.go_to_problem(next_finding(found, self.caret, direction))
