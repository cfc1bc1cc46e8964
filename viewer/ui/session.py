"""Session: the one hub of a view. It owns the document, the selection and the way back.

It alone changes and announces; tree, hex view, inspector and problems observe it and never call each other. A document
that several views show has a session in each: what one of them does to it the others hear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.findings import next_finding
from viewer.document.path import INSIDE, PathError, parse_path
from viewer.document.reading import AT_ONCE, Reading, ReadOptions
from viewer.document.selection import SelectionAnchor, SelectionState, Spot, TextPosition
from viewer.document.splice import Edit
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.ui.inside_levels import InsideLevels
from viewer.ui.reading_beside import PendingChanges, ReadingBeside
from viewer.variant.dialect import Kind
from viewer.variant.items import Item

if TYPE_CHECKING:  # loaded with the first profile that fits
    from viewer.document.profiles.profile_labels import ProfileLabels

WAITS = "These bytes are still being read; try again in a moment."
UNSAVED = "What is typed cannot be saved: {}"
NO_VALUE = "What is typed is not a value, so it cannot be saved: fix it, or undo it."
READ_MEANWHILE = "What was typed has only now been read: please do that again."


class Session(QObject):
    """What is open in a window, and where the person is in it.

    Offsets in signals travel as objects, because ``Signal(int)`` cuts them to 32 bits.

    Attributes:
        reading: reads large files beside the window.
        inside: what is open inside values.
        labels: what the values mean, by the profile of the game; None where none fits.
        beside: gives the sessions of other views that show the same document.
        hears: whether what is being told was done in another view.

    Signals:
        selected: ``Item`` or None: another item is selected, or another one inside of it, see :attr:`spot`. Comes after
            the caret has moved.
        caret_moved: ``int``: the caret stands at another offset of the layer.
        marked: ``Span`` or None: another run of bytes is selected.
        layer_shown: another layer is to be seen in its own bytes, see :attr:`layer`.
        history_changed: undo, redo, the modified state or the way back changed; typing_changed: :attr:`has_typed` did.
        opened: another document (or none) is shown; everything must be read anew.
        changed: ``Change``: bytes or reading of the document changed.
        text_place: the byte (int) of the document's text that a person went to; what is around it is selected already.
        text_caret_moved: the caret stands elsewhere in the text, see :attr:`text_caret`.
        finding_wanted: the byte (int) of the text where something is found that is to be looked at.
        settling: something is about to happen to the document: what a person typed and is not read yet is to be read.
        saving: the ``Path`` of a file that the document is about to be written to.
        written: the splices, right after they were done, whether or not what they leave is read yet.
        problems_changed: the findings may be other ones.
        news_changed: the file on disk is another one, or what it changed is told or no longer told.
        reread: a person has chosen how the bytes are read.
        levels_changed: other values are open inside values: all rows must be asked for anew.
        looked_inside: the tree has opened a value.
        labels_changed: what is known of the game whose save this is, see :attr:`labels`.
        failed: ``str``: something a person asked for could not be done; one sentence.
    """

    selected = Signal(object)
    caret_moved = Signal(object)
    marked = Signal(object)
    layer_shown = Signal()
    history_changed = Signal()
    typing_changed = Signal()
    opened = Signal()
    changed = Signal(object)
    text_place = Signal(object)
    text_caret_moved = Signal()
    finding_wanted = Signal(object)
    settling = Signal()
    saving = Signal(object)
    written = Signal(object)
    problems_changed = Signal()
    news_changed = Signal()
    reread = Signal()
    levels_changed = Signal()
    looked_inside = Signal()
    labels_changed = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._here = SelectionState()
        self.inside = InsideLevels(self._say_soon, self._tell_opened)
        self.labels: ProfileLabels | None = None
        self.beside: Callable[[], Sequence[Session]] = tuple
        self.hears = False
        self._edited: tuple[object, Edit] | None = None
        self._layer: int | None = None
        self._text_caret: TextPosition | None = None
        self._typed: dict[str, str] = {}
        self.reading = ReadingBeside(self)
        self.reading.taken.connect(self._announce)
        self.reading.failed.connect(self.failed)
        self.reading.glimpsed.connect(self._show_glimpse_beside)
        self.reading.changed.connect(self._tell_reading_beside)
        self._untold = PendingChanges(self)
        self._untold.due.connect(self._tell_unread)

    def show_labels(self, labels: ProfileLabels | None) -> None:
        """Say what the values of the document mean, or no longer."""
        if labels is not self.labels:
            self.labels = labels
            self.labels_changed.emit()

    @property
    def document(self) -> Document | None:
        """The open document, None where nothing is open."""
        return self._document

    @property
    def waits(self) -> bool:
        """Whether the bytes are still to be read: they are shown, and no values yet."""
        return self._document is not None and self._document.task is not None

    @property
    def item(self) -> Item | None:
        """The selected item: a node, a part of one, a gap; None while the bytes are still to be read.

        Where something inside a value is selected, that value; see :attr:`spot`.
        """
        return None if self.waits else self._here.item

    @property
    def spot(self) -> Spot | None:
        """The selected item at whatever level it lies; None while there is none."""
        if self._document is None or self.item is None:
            return None
        return self._here.inside[0] if self._here.inside is not None else Spot(self._document, self.item)

    @property
    def caret(self) -> int:
        """Offset of the caret in the layer."""
        return self._here.caret

    @property
    def marked_span(self) -> Span | None:
        """The selected bytes, None where no run is selected."""
        return self._here.marked

    @property
    def item_span(self) -> Span | None:
        """The bytes of the selected node (of the whole value when one of its parts is selected)."""
        if self._document is None or self.waits:
            return None
        inside = self._here.inside[0].span(is_whole=True) if self._here.inside is not None else None
        return inside or self._here.value_span(self._document)

    @property
    def path(self) -> str:
        """The path of the selected item, empty for none."""
        return self._here.path

    @property
    def text_caret(self) -> TextPosition | None:
        """Where the caret stands in the text of the document, None where no text is in view."""
        return self._text_caret

    def stand_in_text(self, place: TextPosition | None) -> None:
        """The caret stands elsewhere in the text that is in view."""
        if place != self._text_caret:
            self._text_caret = place
            self.text_caret_moved.emit()

    @property
    def layer(self) -> int | None:
        """The number of the layer that is looked at in its own bytes, outermost first; None for the values."""
        return self._layer

    def show_layer(self, number: int | None) -> None:
        """Look at a layer around the values, or at the values again; one that is not there is not shown."""
        around = len(shown_layers(self._document)) - 1 if self._document is not None else 0
        if number != self._layer and (number is None or number < around):
            self._layer = number
            self.layer_shown.emit()

    def standing(self) -> SelectionState:
        """Where the person is."""
        return self._here

    # Going to places

    def select(self, item: Item | None, remember: bool = True) -> None:
        """Select an item; the caret goes to its first byte, unless it already stands inside."""
        document = self._document
        if document is not None and item is not None and outline.exists(document, item):
            self.show_layer(None)
            self._go(self._here.on(document, item), remember)

    def select_spot(self, spot: Spot, remember: bool = True) -> None:
        """Select an item of any level; the caret goes to its first byte, unless it already stands inside.

        Where a wrap lies around its bytes it goes to those of the value that holds it.
        """
        document = self._document
        if spot.level is None or document is None:
            self.select(spot.item, remember)
        elif outline.exists(spot.document, spot.item):
            holder = self.inside.holder(spot)
            there = self._here.to(document, holder, self._here.caret).within(spot)
            shown = spot.span() or outline.span(document, holder)
            self.show_layer(None)
            self._go(there if there.caret in shown else replace(there, caret=shown.start), remember)

    def go_to(self, offset: int, marked: Span | None = None, remember: bool = True) -> None:
        """Put the caret on a byte, or behind the last one, and select the deepest item there."""
        if self._document is not None:
            self.show_layer(None)
            there = self._here.at(self._document, offset, marked)
            spot = self.inside.at_byte(there.item, there.caret) if not self.waits else None
            if spot is not None:
                holder = self.inside.holder(spot)
                there = self._here.to(self._document, holder, there.caret, marked).within(spot)
            self._go(there, remember)

    def mark(self, span: Span | None) -> None:
        """Select a run of bytes."""
        self._go(replace(self._here, marked=span))

    def go_to_problem(self, problem: Diagnostic) -> None:
        """Show a finding: its bytes are selected, the caret stands on the first of them."""
        self.go_to(problem.span.start, problem.span if len(problem.span) > 1 else None)
        place = self._document.findings.place_in_text(problem) if self._document is not None else None
        text = self._document.text if self._document is not None else None
        if place is not None and text is not None:
            self.stand_in_text(TextPosition(place.start, *text.line_and_column(place.start)))
            self.text_place.emit(place.start)

    def go_to_place(self, text: str) -> None:
        """Go to a path or offset that a person wrote.

        Raises:
            PathError: it leads nowhere.
        """
        from viewer.document.typed_places import parse_line, parse_place

        if self._document is None:
            raise PathError("Nothing is open.")
        at = parse_line(self._document, text)
        if at is not None and self._document.text is not None:
            self.go_to(self._document.text.inside_of(at))
            self.text_place.emit(at)
            return
        if INSIDE in text and not self.waits:
            self._go_inside(text)
            return
        try:
            place = parse_place(self._document, text, self.caret)
        except PathError:
            if self.waits:
                raise PathError("These bytes are still being read: give an offset, or try again then.") from None
            raise
        self.select(place) if isinstance(place, Item) else self.go_to(place)

    def _go_inside(self, path: str, remember: bool = True) -> None:
        """Go to an item inside a value, and open what is on the way.

        Raises:
            PathError: the path leads nowhere.
        """
        before = len(self.inside.all)
        spot = self.inside.find(path)
        if len(self.inside.all) != before:
            self.levels_changed.emit()
        self.select_spot(spot, remember)

    def look_inside(self, spot: Spot) -> None:
        """Open what is inside a value, or show its elements again where that is open.

        Raises:
            EditError: nothing is inside that can be read.
        """
        item = outline.row_item(spot.document, spot.item)
        row = outline.type_row(spot.document, item)
        if item.part.startswith("[") and row is not None and row.kind is Kind.PACKED:
            item = Item(item.frame, item.node)  # of an array of bytes the whole is meant
        spot = replace(spot, item=item)
        if self.inside.choice(spot.level, spot.item):
            self.inside.shut(spot.level, spot.item)
        else:
            try:
                self.inside.look(spot.level, spot.item)
            except ValueError as error:
                raise EditError(str(error)) from error
        self.levels_changed.emit()
        self.select_spot(spot)

    def _tell_opened(self) -> None:
        """Tell that a row of the tree was opened, once the rows that are being asked for are told."""
        QTimer.singleShot(0, self, self.looked_inside.emit)

    def _say_soon(self, sentence: str) -> None:
        """Say why something failed, once the rows that are being asked for are told."""
        QTimer.singleShot(0, self, lambda: self.failed.emit(sentence))

    # The way back

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier place."""
        return self._here.places.has_back

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later place."""
        return self._here.places.has_forward

    def back(self) -> None:
        """Go to the place before this one."""
        self._return_to(self._here.places.back)

    def forward(self) -> None:
        """Go to the place that back left."""
        self._return_to(self._here.places.forward)

    def _return_to(self, step: Callable[[], tuple[str, int] | None]) -> None:
        place = step()
        if place is None or self._document is None:
            return
        path, offset = place
        if INSIDE in path and not self.waits:
            with suppress(PathError):
                self._go_inside(path, remember=False)
                self.history_changed.emit()
                return
        try:
            item: Item | None = parse_path(self._document, path) if path else None
        except PathError:
            item = None
        if item is not None:
            self.select(item, remember=False)
        else:
            self.go_to(offset, remember=False)
        self.history_changed.emit()

    # Being elsewhere

    def _go(self, there: SelectionState, remember: bool = False) -> None:
        """Be elsewhere, and tell what is another one there."""
        before, self._here = self._here, there
        other = there.item != before.item or there.inside != before.inside
        if other or there.caret != before.caret:
            self._text_caret = None  # who shows the text says where it stands in that now
        if there.marked != before.marked:
            self.marked.emit(there.marked)
        if other or there.caret != before.caret:
            self.caret_moved.emit(there.caret)
        if other:
            if remember:
                there.places.visit(there.path, there.caret)
            self.selected.emit(there.item)
            self.history_changed.emit()

    def _focus(self, document: Document, start: int) -> None:
        """Select the value that begins at this offset."""
        there = self._here.focused(document, start)
        self._go(there) if there is not None else self.go_to(start, remember=False)

    def _find_again(self, document: Document, anchor: SelectionAnchor, caret: int) -> None:
        """Select what the anchor leads to, else the deepest item at *caret*; at the very beginning the first value."""
        there = self._here.again(document, anchor, caret)
        if there is not None:
            self._go(there, remember=not anchor.path)
        else:
            self.go_to(caret, remember=False)

    # Opening and closing

    def show(self, document: Document | None, standing: SelectionState | None = None) -> None:
        """Show a document, or nothing, at the place where it was left; the one that is shown already is read on."""
        self.settle()
        beside = self.beside()
        if document is not self._document:
            self.reading.stop(is_due=True)
            self._untold.forget()
        left = standing or SelectionState()
        self._document, self._here, self._layer = document, SelectionState(places=left.places), None
        self._text_caret = None
        self.inside.show(document)
        if document is not None:
            document.patience = AT_ONCE
        for signal in (self.opened, self.history_changed, self.problems_changed):
            signal.emit()
        if document is not None:
            self._find_again(document, left.anchor, left.caret)
        self.read_on()
        for other in beside:
            other.read_on()

    def save(
        self, path: Path | None = None, force: bool = False, progress: Progress | None = None, backup: int = 1
    ) -> tuple[str, ...]:
        """Write the document; *backup* earlier versions stay.

        Returns:
            Sentences about what could not be kept as it was.

        Raises:
            FileProblem: it cannot be written.
        """
        self.settle()
        if self._document is None:
            return ()
        if self.has_typed:
            why = max(why for session in (self, *self.beside()) for why in session._typed.values())
            raise FileProblem(UNSAVED.format(why) if why else NO_VALUE)
        target = path or self._document.path
        if target is not None:
            self.saving.emit(target)
        remarks = self._document.save(path, force, progress, backup)
        for session in (self, *self.beside()):
            session.inside.mark_saved()
            session.history_changed.emit()
        return remarks

    def read_as(self, choice: ReadOptions) -> None:
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
        """Read what is still to be read, beside the window; where another view does so already, it goes on there."""
        if self._document is not None:
            reader = next((other for other in self.beside() if other.reading.is_on), self)
            if not reader.reading.is_on or reader.reading.is_outdated:
                reader.reading.start(self._document)

    def dismiss_news(self) -> None:
        """A person has seen what another program has changed: it is marked no longer."""
        if self._document is not None and self._document.news:
            self._document.news = ()
            for session in (self, *self.beside()):
                session.news_changed.emit()

    def stop_reading(self) -> None:
        """Give up reading; the bytes stay, and :meth:`read_on` begins again."""
        for session in (self, *self.beside()):
            session.reading.stop()
            session._untold.tell()

    def _show_glimpse_beside(self, change: Change) -> None:
        """The first values of a document can be seen, or no longer: the other views hear it."""
        if not self.hears:
            for other in self.beside():
                other.hears = True
                other.reading.glimpsed.emit(change)
                other.hears = False

    def _tell_reading_beside(self) -> None:
        if not self.hears:
            for other in self.beside():
                other.hears = True
                other.reading.changed.emit()
                other.hears = False

    def _tell_unread(self, change: Change) -> None:
        """A change has bytes that are not read yet, and it takes longer than a moment."""
        self._here = replace(self._here, item=None, marked=None)
        self.changed.emit(change)
        self.selected.emit(None)
        self.history_changed.emit()

    # Changing

    def apply(self, edit: Edit, caret: int | None = None, of: Document | None = None) -> None:
        """Do an edit; afterwards the selection is found again, or the caret stands at *caret*.

        Args:
            edit: it.
            caret: where the caret is to stand.
            of: the document that the edit was made for, where that may be what is inside a value.
        """
        if self._document is not None and self._document.is_begun:
            self.failed.emit(WAITS)
            return
        revision = self._document.revision if self._document is not None else 0
        self.settle()
        if self._document is not None and self._document.revision != revision:
            self.failed.emit(READ_MEANWHILE)
            return
        if self._document is not None and of is not None and of is not self._document and edit.splices:
            try:
                outer = self.inside.put_back(edit, of)
            except EditError as error:
                self.failed.emit(str(error))
                return
            self._edited = (self.inside.of(of), edit)
            edit = outer
        why = self._document.refusal(edit) if self._document is not None and self._document.text is not None else ""
        if why:
            self._edited = None
            self.failed.emit(why)
            return
        if self._document is not None and edit.does_something:
            self._announce(self._document.apply(self._coming_back(self._document, edit)), caret)

    def _coming_back(self, document: Document, edit: Edit) -> Edit:
        """An edit that selects something selects, once it is taken back, what is selected now."""
        start = None if edit.focus is None or self.waits else self._here.row_start(document)
        return edit if edit.focus is None or start is None else replace(edit, focus=edit.focus.leaving(start))

    def set_literal(self, item: Item, text: str, of: Document | None = None) -> None:
        """Set an item to a literal.

        Args:
            item: it.
            text: the literal.
            of: the document of the item, where that may be what is inside a value.

        Raises:
            EditError: the item cannot hold it.
        """
        from viewer.document.edits.setting import set_literal

        if self.waits:
            raise EditError(WAITS)
        document = of or self._document
        if document is not None:
            self.apply(set_literal(document, item, text), of=document)

    def overwrite(self, offset: int, new: bytes, merge: str = "") -> None:
        """Write bytes over others, without fix-ups; the same bytes over themselves are no change."""
        from viewer.document.edits.raw_bytes import overwrite

        if self._document is None or self._document.buffer[offset : offset + len(new)] == new:
            return
        try:
            self.apply(overwrite(self._document, offset, new, merge))
        except EditError as error:
            self.failed.emit(str(error))

    @property
    def has_typed(self) -> bool:
        """Whether a person typed something that is not read yet, in this view or another of the document."""
        return any(session._typed for session in (self, *self.beside()))

    def note_typing(self, is_read: bool, where: str = "text", why: str = "") -> None:
        """A person types what will be read later (*why* not now), or all is read; *where*: each place notes its own."""
        had = self._typed.pop(where, None) is not None
        self._typed |= {} if is_read else {where: why}
        if had == is_read:
            self.typing_changed.emit()

    def settle(self) -> None:
        """Have everything read that a person typed, wherever the document is shown."""
        for session in (self, *self.beside()):
            session.settling.emit()

    def seal(self) -> None:
        """Let the next edit be a step of its own, however alike it is to the last one."""
        if self._document is not None:
            self._document.history.seal()

    def undo(self) -> Change | None:
        """Take the last edit back; None where there is none."""
        self.settle()
        change = self._document.undo() if self._document is not None else None
        self._announce(change)
        return change

    def redo(self) -> Change | None:
        """Do the edit again that was taken back last; None where there is none."""
        self.settle()
        change = self._document.redo() if self._document is not None else None
        self._announce(change)
        return change

    def _announce(self, change: Change | None, caret: int | None = None) -> None:
        """Tell everybody about a change, here and in the other views of the document.

        The selection is found again by its path, else by its offset; where a *caret* is given, what is there is
        selected instead.
        """
        document = self._document
        if change is None or document is None:
            return
        beside = self.beside()
        self._take(document, change, caret)
        for other in beside:
            other._hear(document, change)
        if change.waits:
            self.read_on()

    def _hear(self, document: Document, change: Change) -> None:
        """The document was changed in another view: what is selected here stays selected."""
        if self._document is not document:
            return
        self.hears = True
        try:
            self._take(document, replace(change, focus=()))
        finally:
            self.hears = False

    def _take(self, document: Document, change: Change, caret: int | None = None) -> None:
        """Follow a change, and tell everybody in this view about it."""
        if change.splices or change.text:
            self.written.emit(change.splices)
            self.inside.moved(change.splices)
        by_caret = caret is not None and (change.structure or change.waits)
        caret = document.moved(self.caret, change) if caret is None else caret
        anchor = SelectionAnchor() if by_caret else self._here.anchor.after(change.splices)
        self._here = replace(self._here, anchor=anchor, inside=None if by_caret else self._here.inside)
        change = self._untold.joined_to(change)
        if change.waits:
            self._here = replace(self._here, caret=caret)
            self._untold.keep(change)
        else:
            was_inside = self._here.inside
            if self.inside.is_any_open and self.inside.follow(change.structure):
                change = replace(change, structure=True)
            if change.structure:
                self._here = replace(self._here, item=None, marked=None, inside=None)
            self.reading.stop()
            self._untold.forget()
            self._tell(document, change, caret, was_inside)

    def _tell(
        self, document: Document, change: Change, caret: int, was_inside: tuple[Spot, SelectionAnchor] | None
    ) -> None:
        """Tell everybody about a change whose bytes are read, and select what is to be selected after it."""
        self.changed.emit(change)
        inside = self._inside_after(was_inside) if change.structure else None
        if change.focus:
            self._focus(document, change.focus[0])
        elif inside is not None:
            self.select_spot(inside, remember=False)
        elif change.structure:
            self._find_again(document, self._here.anchor, caret)
            if self._here.item is None:
                self.selected.emit(None)
        self.history_changed.emit()
        self.problems_changed.emit()

    def _inside_after(self, before: tuple[Spot, SelectionAnchor] | None) -> Spot | None:
        """What is to be selected inside a value after a change, None for nothing there."""
        edited, self._edited = self._edited, None
        level, edit = edited if edited is not None else (None, None)
        found = self.inside.focused(level, edit) if edit is not None else None
        return found or (self.inside.again(*before) if before is not None else None)

    # Problems

    def problems(self, least: Severity = Severity.NOTE) -> list[Diagnostic]:
        """Findings of at least this gravity, in the order in which they stand in what is shown."""
        found = [d for d in self._document.findings.all() if d.severity >= least] if self._document else []
        return sorted(found, key=lambda each: self._shown_place(each).start)

    def _shown_place(self, found: Diagnostic) -> Span:
        return self._document.findings.shown(found) if self._document is not None else found.span

    @property
    def _shown_caret(self) -> int:
        """Where the caret stands in what is shown."""
        if self._document is None or self._document.text is None:
            return self.caret
        if self._text_caret is not None:
            return self._text_caret.offset
        return self._document.place(Span(self.caret, self.caret + 1)).start

    def step_problem(self, direction: int, least: Severity = Severity.WARNING) -> None:
        """Go to the next (1) or previous (-1) finding, around the end."""
        found = self.problems(least)
        if found:
            self.go_to_problem(next_finding(found, self._shown_caret, direction, self._shown_place))
