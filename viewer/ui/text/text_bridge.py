"""Between session and text view: what one says, the other shows; what is typed becomes an edit.

Reading a long text takes longer than a person should wait between two keys. So what is typed is shown at once, and is
read beside the window when the typing pauses or the view is left; before anything else happens to the document it is
read while that waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import process_time
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from viewer.base.buffer import joined
from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.container.layer import SourceText
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.slots import EditError
from viewer.document.selection import TextPosition
from viewer.document.splice import Edit
from viewer.ui.session import WAITS, Session
from viewer.ui.text.line_view import TextView
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.session_text import SessionText
from viewer.ui.text.text_source import TextTyped
from viewer.ui.worker import Job, Worker
from viewer.variant.items import Item

QUICK = 0.02
"""Seconds that reading may take after every key."""
SHORT = 1 << 18
"""A text of so many bytes is taken for quick to read until that is measured."""
PAUSE = 600
"""Milliseconds without a key after which a longer text is read."""
DEEDS = (
    QEvent.Type.ShortcutOverride,
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.ContextMenu,
    QEvent.Type.FocusOut,
    QEvent.Type.Close,
)
"""What begins something that may be about the selected value."""


class TextBridge(QObject):
    """Keeps a text view in step with the session, both ways.

    Args:
        session: whose document is shown, where its values were read from a text.
        view: shows it.
    """

    def __init__(self, session: Session, view: TextView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._source: SessionText | None = None
        self._is_quick = True
        self._merge = ""
        self._typed_to = 0
        self._left: WeakKeyDictionary[Document, SessionText] = WeakKeyDictionary()
        self._is_applying = False
        self._changed: int | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._read_beside)
        self._unselected: tuple[Document, int] | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._select_at_caret)
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        session.opened.connect(self._open)
        session.changed.connect(self._follow)
        session.selected.connect(self._select)
        session.caret_moved.connect(self._move)
        session.settling.connect(self.settle)
        session.text_place.connect(self._go)
        session.problems_changed.connect(self.refresh_marks)
        view.caret_moved.connect(self._caret)
        view.selection_changed.connect(self._mark)
        view.typed.connect(self._type)
        view.finding_requested.connect(session.finding_wanted)
        view.installEventFilter(self)
        self._open()

    def show_hits(self, hits: list[Span], current: Span | None) -> None:
        """Mark what a search found, in the text."""
        document, source = self._session.document, self._source
        if document is not None and source is not None and source.document is document:
            place = document.place
            self._view.set_hits(map(place, hits), place(current) if current is not None else None)

    def refresh_marks(self) -> None:
        """More is known about what is wrong."""
        if self._source is not None:
            self._source.forget_marks()
        self._view.refresh()
        self.tell_place()

    def tell_place(self) -> None:
        """Say where the caret stands in the text, as long as that is in view."""
        if self._source is None or self._view.isHidden():
            return
        offset = self._view.caret.offset
        mark = self._view.mark_at(offset)
        found = (mark.sentence, mark.severity) if mark is not None else ("", Severity.NOTE)
        place = TextPosition(offset, *self._view.position(offset), *found, selected=self._view.selection)
        self._session.stand_in_text(place)

    def go_to_change(self) -> bool:
        """Put the caret behind what was undone or done again a moment ago; returns whether that is in sight now."""
        if self._changed is None or self._session.waits or not self._view.hasFocus():
            return False
        self._view.set_caret(self._changed)
        self._caret(self._changed)
        return True

    def settle(self) -> None:
        """Have everything read that was typed. What holds no value yet stays as it is, and is told."""
        self._pause.stop()
        self._select_at_caret()
        source, document = self._source, self._session.document
        if source is None or document is None or self._is_applying or not self._waits(source, document):
            return
        self._worker.stop()
        began = process_time()
        try:
            self._apply(text_written(document, bytes(source.data), self._merge))
        except EditError as problem:
            self._session.failed.emit(str(problem))
        self._is_quick = process_time() - began < QUICK

    @staticmethod
    def _waits(source: SessionText, document: Document) -> bool:
        """Whether something was typed into the text of a document that is still to be read."""
        return source.document is document and not source.is_read

    def _read_beside(self) -> None:
        """Have what was typed read in a thread."""
        source, document = self._source, self._session.document
        if source is None or document is None or not self._waits(source, document):
            return
        if self._is_quick:
            self.settle()
            return
        table, revision, merge = source.data, document.revision, self._merge
        pieces, edition = table.pieces, table.edition
        self._worker.start(lambda _: (document, revision, table, edition, *_read(document, pieces, merge)))

    def _take(self, job: Job[tuple[Document, int, PieceTable, int, bytes, Edit | None]]) -> None:
        """What was typed is read; where more was typed since, that is read at the next pause."""
        source, found = self._source, job.result
        if isinstance(job.error, EditError):
            self._session.failed.emit(str(job.error))
        elif job.error is not None:
            raise job.error
        if found is None or source is None:
            return
        document, revision, table, edition, data, edit = found
        is_now = document is self._session.document and document.revision == revision and source.data is table
        if is_now and table.take_joined(edition, data):
            self._apply(edit)

    def _apply(self, edit: Edit | None) -> None:
        """Do the edit that what was typed has become."""
        if edit is None:
            self._follow_text()
            return
        self._is_applying = True
        try:
            self._session.apply(edit)
        finally:
            self._is_applying = False
        if self._view.hasFocus():  # else the person is elsewhere by now, and stays there
            self._caret(self._view.caret.offset)

    # From the session

    def _is_read_of(self, document: Document) -> bool:
        """Whether the text in view is that of a document, and all of it read."""
        return self._source is not None and self._source.document is document and self._source.is_read

    @property
    def _text(self) -> SourceText | None:
        document = self._session.document
        return document.text if document is not None else None

    def _open(self) -> None:
        document, text, left = self._session.document, self._text, self._source
        if left is not None and not left.is_read:
            self._left[left.document] = left
        self._source = None
        if document is not None and text is not None:
            typed = self._left.pop(document, None)
            is_kept = typed is not None and typed.revision == document.revision
            self._source = typed if is_kept else SessionText(document, text)
        self._view.set_source(self._source)
        self._session.note_typing(is_read=self._source is None or self._source.is_read)
        self._is_quick = text is None or len(text.outside) <= SHORT

    def _follow(self, change: Change) -> None:
        self._follow_text()
        self._select(self._session.item)

    def _follow_text(self) -> None:
        """Show the text as it is now; the caret stays at its letters."""
        text = self._text
        if self._source is None or text is None:
            self._open()
            return
        change = self._source.read_again(text)
        self._changed = change.offset + len(change.inserted) if change.removed or change.inserted else None
        self._session.note_typing(is_read=True)
        if change.removed or change.inserted:
            self._view.replaced(Span(change.offset, change.offset + len(change.removed)), change.inserted)
        self._view.refresh()

    def _select(self, item: Item | None) -> None:
        self._forget_caret()
        document, span = self._session.document, self._session.item_span
        if document is None or not self._is_read_of(document):
            return
        place = document.place(span) if span is not None and item is not None else None
        self._view.set_selected_item(place)
        if place is not None and not self._view.hasFocus():
            self._view.set_caret(place.start)
            self._view.ensure_visible(place)
        self.tell_place()

    def _move(self, offset: int) -> None:
        self._forget_caret()
        document = self._session.document
        if document is None or self._view.hasFocus() or not self._is_read_of(document):
            return
        self._view.set_caret(document.place(Span(offset, offset + 1)).start)
        self.tell_place()

    def _go(self, offset: int) -> None:
        """A person went to a byte of the text."""
        self._forget_caret()
        document = self._session.document
        if document is not None and self._is_read_of(document):
            self._view.set_caret(offset)
            self.tell_place()

    # From the view

    def _caret(self, offset: int) -> None:
        """A person moved the caret: the value there is selected when that is painted."""
        document = self._session.document
        if document is not None:
            application = QApplication.instance()
            if self._unselected is None and application is not None:
                application.installEventFilter(self)
            self._unselected = document, offset
            self._soon.start()
        self.tell_place()

    def _select_at_caret(self) -> None:
        """Select the value at which the caret was put last, if that is still to be done."""
        (document, offset), source = self._unselected or (None, 0), self._source
        self._forget_caret()
        if document is None or source is None or document is not self._session.document or self._session.waits:
            return
        found = self._value_at(document, source, offset) if self._is_read_of(document) else None
        if found is not None:
            self._session.select(Item(found.frame, found.node), remember=False)
            self.tell_place()

    @staticmethod
    def _value_at(document: Document, source: SessionText, offset: int) -> Item | None:
        """The value at the caret: the one that ends in front of it, where none begins behind it."""
        found = outline.item_at(document, source.inside_of(offset))
        if not offset or (found is not None and document.place(outline.span(document, found)).start == offset):
            return found
        before = outline.item_at(document, source.inside_of(offset - 1))
        ends = before is not None and document.place(outline.span(document, before)).end == offset
        return before if ends else found

    def _forget_caret(self) -> None:
        """Something is selected: the value at the caret, or another one."""
        if self._unselected is not None:
            self._unselected = None
            self._soon.stop()
            application = QApplication.instance()
            if application is not None:
                application.removeEventFilter(self)

    def _mark(self, span: Span | None) -> None:
        """A person selected text; the bytes made of it are others, so that nothing is marked in them."""
        if self._source is not None and self._session.marked_span is not None:
            self._session.mark(None)
        self.tell_place()

    def _type(self, typed: TextTyped) -> None:
        source = self._source
        if source is None:
            return
        if source.document.is_begun:
            self._session.failed.emit(WAITS)
            return
        goes_on = self._typed_to in (typed.removed.start, typed.removed.end)
        if typed.merge != self._merge or not (typed.merge and goes_on):
            self._begin_step()
        self._merge = typed.merge
        self._typed_to = typed.removed.start + len(typed.inserted)
        source.replace(typed.removed, typed.inserted)
        self._view.replaced(typed.removed, typed.inserted)
        self._session.note_typing(is_read=False)
        if self._is_quick:
            QTimer.singleShot(0, self, self.settle)
        else:
            self._pause.start()

    def _begin_step(self) -> None:
        """Something else is typed than before: a step of its own for undo, where all before it is read."""
        if self._is_quick:
            self.settle()
        if self._source is not None and self._source.is_read:
            self._session.seal()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if self._unselected is not None and self._is_deed(watched, event):
            self._select_at_caret()
        if kind == QEvent.Type.FocusOut and watched is self._view:
            self._read_beside()
        return False

    def _is_deed(self, watched: QObject, event: QEvent) -> bool:
        """Whether a person begins something elsewhere; a window hears of every key before the text does."""
        if event.type() == QEvent.Type.Shortcut:
            return True
        is_own = watched is self._view and isinstance(event, QKeyEvent) and self._view.takes(event)
        return event.type() in DEEDS and isinstance(watched, QWidget) and not is_own


def _read(document: Document, pieces: Iterable[memoryview], merge: str) -> tuple[bytes, Edit | None]:
    """What a text is in one piece, and the edit that it becomes; the errors are those of `text_written`."""
    data = joined(pieces)
    return data, text_written(document, data, merge)
