"""Session: the one hub of a window. It owns the document, the selection and the way back.

It alone changes and announces; tree, hex view, inspector and problems observe it and never call each other. Offsets in
signals travel as objects, because ``Signal(int)`` cuts them to 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.diagnostic import Diagnostic, Severity
from viewer.document import outline
from viewer.document.anchor import Anchor
from viewer.document.document import Change, Document, joined_moves
from viewer.document.edits import EditError, overwrite, set_literal
from viewer.document.path_reading import PathError, parse_path
from viewer.document.places import Places
from viewer.document.reading import AT_ONCE, Choice, Progress
from viewer.document.splice import Edit
from viewer.document.typed_places import parse_place
from viewer.span import Span
from viewer.ui.reading import ReadingBeside
from viewer.variant.items import Item

GRACE = 120
"""Milliseconds for which a change that is still to be read is not shown, so that short readings do not flicker."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person is in a document: the selected item, the caret, and the way back."""

    anchor: Anchor
    caret: int
    places: Places


class Session(QObject):
    """What is open in a window, and where the person is in it.

    Attributes:
        reading: reads large files beside the window.

    Signals:
        opened: another document (or none) is shown; everything must be read anew.
        changed: ``Change``: bytes or reading of the document changed.
        written: the splices, right after they were done, whether or not what they leave is read yet.
        selected: ``Item`` or None: another item is selected. Comes after the caret has moved.
        caret_moved: ``int``: the caret stands at another offset of the layer.
        marked: ``Span`` or None: another run of bytes is selected.
        history_changed: undo, redo, the modified state or the way back changed.
        problems_changed: the findings may be other ones.
        news_changed: the file on disk is another one, or what it changed is told or no longer told.
        layer_shown: another layer is to be seen in its own bytes, see :attr:`layer`.
        failed: ``str``: something a person asked for could not be done; one sentence.
    """

    opened = Signal()
    changed = Signal(object)
    written = Signal(object)
    selected = Signal(object)
    caret_moved = Signal(object)
    marked = Signal(object)
    history_changed = Signal()
    problems_changed = Signal()
    news_changed = Signal()
    layer_shown = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._layer: int | None = None
        self._document: Document | None = None
        self._item: Item | None = None
        self._caret = 0
        self._marked: Span | None = None
        self._anchor = Anchor()
        self._places = Places()
        self.reading = ReadingBeside(self)
        self.reading.taken.connect(self._announce)
        self.reading.failed.connect(self.failed)
        self._untold: Change | None = None
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE)
        self._grace.timeout.connect(self._tell_waiting)

    @property
    def document(self) -> Document | None:
        """The open document, None where nothing is open."""
        return self._document

    @property
    def item(self) -> Item | None:
        """The selected item: a node, a part of one, a gap; None while the bytes are still to be read."""
        return None if self.waits else self._item

    @property
    def caret(self) -> int:
        """Offset of the caret in the layer."""
        return self._caret

    @property
    def marked_span(self) -> Span | None:
        """The selected bytes, None where no run is selected."""
        return self._marked

    @property
    def item_span(self) -> Span | None:
        """The bytes of the selected node (of the whole value when one of its parts is selected)."""
        if self._document is None or self._item is None or self.waits:
            return None
        whole = Item(self._item.frame, self._item.node, "" if self._item.node >= 0 else self._item.part)
        try:
            return outline.span(self._document, whole)
        except KeyError:
            return None

    @property
    def path(self) -> str:
        """The path of the selected item, empty for none."""
        return self._anchor.path

    @property
    def layer(self) -> int | None:
        """The number of the layer that is looked at in its own bytes, outermost first; None for the values."""
        return self._layer

    def show_layer(self, number: int | None) -> None:
        """Look at a layer around the values, or at the values again."""
        if number != self._layer:
            self._layer = number
            self.layer_shown.emit()

    # Opening and closing

    def standing(self) -> Standing:
        """Where the person is."""
        return Standing(self._anchor, self._caret, self._places)

    def show(self, document: Document | None, standing: Standing | None = None) -> None:
        """Show another document, or nothing, at the place where it was left. Errors of reading are the caller's."""
        self.reading.stop()
        self._forget_untold()
        self._document = document
        self._places = standing.places if standing is not None else Places()
        self._caret, self._marked, self._item, self._anchor, self._layer = 0, None, None, Anchor(), None
        if document is not None:
            document.patience = AT_ONCE
        self.opened.emit()
        self.history_changed.emit()
        self.problems_changed.emit()
        if document is not None and standing is not None:
            self._find_again(standing.anchor, standing.caret)
        elif document is not None:
            self._find_again(Anchor(), 0)
        self.read_on()

    def save(
        self, path: Path | None = None, force: bool = False, progress: Progress | None = None, backup: int = 1
    ) -> None:
        """Write the document; *backup* earlier versions stay.

        Raises:
            FileProblem: it cannot be written.
        """
        if self._document is not None:
            self._document.save(path, force, progress, backup)
            self.history_changed.emit()

    def read_as(self, choice: Choice) -> None:
        """Read the bytes with another dialect, precision or framing."""
        if self._document is not None:
            self._announce(self._document.read_as(choice))

    # Reading beside the window

    @property
    def waits(self) -> bool:
        """Whether the bytes are still to be read: they are shown, and no values yet."""
        return self._document is not None and self._document.task is not None

    def read_on(self) -> None:
        """Read what is still to be read, beside the window."""
        if self._document is not None:
            self.reading.start(self._document)

    def stop_reading(self) -> None:
        """Give up reading; the bytes stay, and :meth:`read_on` begins again."""
        self.reading.stop()
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        """A change has bytes that are not read yet, and it takes longer than a moment."""
        self._grace.stop()
        change = self._untold
        if change is not None:
            self._untold = replace(change, splices=(), moves=())
            if change.splices:
                self._item, self._marked = None, None
                self.changed.emit(change)
                self.selected.emit(None)
                self.history_changed.emit()

    def _forget_untold(self) -> None:
        self._grace.stop()
        self._untold = None

    # Where the person is

    def select(self, item: Item | None, remember: bool = True) -> None:
        """Select an item; the caret goes to its first byte, unless it already stands inside."""
        document = self._document
        if document is None or item is None or not outline.exists(document, item):
            return
        self.show_layer(None)
        span = outline.span(document, item)
        inside = self._caret in span and self._item is not None and item.part == ""
        self._place(item, self._caret if inside and self._item == item else span.start, None, remember)

    def go_to(self, offset: int, marked: Span | None = None, remember: bool = True) -> None:
        """Put the caret on a byte, or behind the last one, and select the deepest item there."""
        document = self._document
        if document is None:
            return
        self.show_layer(None)
        offset = max(0, min(offset, len(document.buffer)))
        if document.task is not None:
            self._stand(offset, marked)
        else:
            self._place(outline.item_at(document, min(offset, len(document.buffer) - 1)), offset, marked, remember)

    def _stand(self, caret: int, marked: Span | None) -> None:
        """Put the caret on a byte of which nobody knows yet what it belongs to."""
        moved = caret != self._caret
        self._caret, self._anchor = caret, Anchor() if moved else self._anchor
        self.mark(marked)
        if moved:
            self.caret_moved.emit(caret)

    def mark(self, span: Span | None) -> None:
        """Select a run of bytes."""
        if span != self._marked:
            self._marked = span
            self.marked.emit(span)

    def go_to_place(self, text: str) -> None:
        """Go to a path or offset that a person wrote.

        Raises:
            PathError: it leads nowhere.
        """
        if self._document is None:
            raise PathError("Nothing is open.")
        try:
            place = parse_place(self._document, text, self._caret)
        except PathError:
            if self.waits:
                raise PathError("These bytes are still being read: give an offset, or try again then.") from None
            raise
        self.select(place) if isinstance(place, Item) else self.go_to(place)

    def _place(self, item: Item | None, caret: int, marked: Span | None, remember: bool) -> None:
        moved, other = caret != self._caret, item != self._item
        self._caret, self._item = caret, item
        self._anchor = Anchor.of(self._document, item) if self._document is not None else Anchor()
        self.mark(marked)
        if moved or other:
            self.caret_moved.emit(caret)
        if other:
            if remember:
                self._places.visit(self._anchor.path, caret)
            self.selected.emit(item)
            self.history_changed.emit()

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier place."""
        return self._places.has_back

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later place."""
        return self._places.has_forward

    def back(self) -> None:
        """Go to the place before this one."""
        self._return_to(self._places.back)

    def forward(self) -> None:
        """Go to the place that back left."""
        self._return_to(self._places.forward)

    def _return_to(self, step: Callable[[], tuple[str, int] | None]) -> None:
        place = step()
        if place is None or self._document is None:
            return
        path, offset = place
        try:
            item: Item | None = parse_path(self._document, path) if path else None
        except PathError:
            item = None
        if item is not None:
            self.select(item, remember=False)
        else:
            self.go_to(offset, remember=False)
        self.history_changed.emit()

    # Changing

    def apply(self, edit: Edit, caret: int | None = None) -> None:
        """Do an edit; afterwards the selection is found again, or the caret stands at *caret*."""
        if self._document is not None and edit.splices:
            self._announce(self._document.apply(self._coming_back(edit)), caret)

    def _coming_back(self, edit: Edit) -> Edit:
        """An edit that selects something selects, once it is taken back, what is selected now."""
        start = self._row_start()
        if edit.focus is None or start is None:
            return edit
        before = edit.focus.before if start in edit.focus.before else ()
        others = tuple(other for other in before if other != start)
        return replace(edit, focus=replace(edit.focus, before=(start, *others)))

    def _row_start(self) -> int | None:
        """Where what the selected row of the tree shows begins: a node, an element or a gap."""
        if self._document is None or self.item is None or not outline.exists(self._document, self.item):
            return None
        return outline.span(self._document, outline.row_item(self._document, self.item)).start

    def set_literal(self, item: Item, text: str) -> None:
        """Set an item to a literal.

        Raises:
            EditError: the item cannot hold it.
        """
        if self.waits:
            raise EditError("These bytes are still being read; try again in a moment.")
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
        self._anchor = Anchor() if by_caret else self._anchor.after(change.splices)
        caret = document.moved(self._caret, change) if caret is None else caret
        if self._untold is not None:
            change = _joined(self._untold, change)
        if change.waits:
            self._caret, self._untold = caret, change
            self._grace.start()
            self.read_on()
            return
        self.reading.stop()
        self._forget_untold()
        if not change.structure:
            self.changed.emit(change)
            self._focus(change.focus) if change.focus else None
        else:
            self._item, self._marked = None, None
            self.changed.emit(change)
            self._focus(change.focus) if change.focus else self._find_again(self._anchor, caret)
        self.history_changed.emit()
        self.problems_changed.emit()

    def _focus(self, starts: tuple[int, ...]) -> None:
        """Select the value that begins at the first of these offsets."""
        document = self._document
        assert document is not None
        item = outline.item_at(document, starts[0])
        if item is None:
            self.go_to(starts[0], remember=False)
        else:
            self._place(outline.row_item(document, item), starts[0], None, remember=False)

    def _find_again(self, anchor: Anchor, caret: int) -> None:
        """Select what the anchor leads to, else the deepest item at *caret*; at the very beginning the first value."""
        document = self._document
        assert document is not None
        item = anchor.find(document)
        if item is None and not anchor.path and caret == 0 and outline.exists(document, Item(0, 0)):
            item = Item(0, 0)
        if item is None:
            self.go_to(caret, remember=False)
            return
        span = outline.span(document, item)
        self._place(item, caret if caret in span else span.start, None, remember=not anchor.path)

    # Problems

    def problems(self, least: Severity = Severity.NOTE) -> list[Diagnostic]:
        """Findings of at least this gravity, in byte order."""
        return [d for d in self._document.diagnostics() if d.severity >= least] if self._document else []

    def step_problem(self, direction: int, least: Severity = Severity.WARNING) -> None:
        """Go to the next (1) or previous (-1) finding, around the end."""
        found = self.problems(least)
        if not found:
            return
        starts = [d.span.start for d in found]
        if direction > 0:
            target = next((k for k, start in enumerate(starts) if start > self._caret), 0)
        else:
            target = next((k for k in reversed(range(len(starts))) if starts[k] < self._caret), len(starts) - 1)
        self.go_to_problem(found[target])

    def go_to_problem(self, problem: Diagnostic) -> None:
        """Show a finding: its bytes are selected, the caret stands on the first of them."""
        self.go_to(problem.span.start, problem.span if len(problem.span) > 1 else None)


def _joined(untold: Change, change: Change) -> Change:
    """Two changes as one, of which nobody was told of the first."""
    return replace(
        change,
        splices=untold.splices + change.splices,
        structure=True,
        moves=joined_moves(untold, change),
        focus=change.focus or untold.focus,
    )
