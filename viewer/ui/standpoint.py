"""Standpoint: where the person is in what a window shows, and the way back.

Offsets in signals travel as objects, because ``Signal(int)`` cuts them to 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from viewer.base.diagnostic import Diagnostic
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import PathError, parse_path
from viewer.document.shown.layer_rows import shown_layers
from viewer.document.typed_places import parse_place
from viewer.document.whereabouts import Anchor, Whereabouts
from viewer.variant.items import Item


class Standpoint(QObject):
    """The half of a session that goes to places in its document and changes nothing.

    Signals:
        selected: ``Item`` or None: another item is selected. Comes after the caret has moved.
        caret_moved: ``int``: the caret stands at another offset of the layer.
        marked: ``Span`` or None: another run of bytes is selected.
        layer_shown: another layer is to be seen in its own bytes, see :attr:`layer`.
        history_changed: undo, redo, the modified state or the way back changed.
    """

    selected = Signal(object)
    caret_moved = Signal(object)
    marked = Signal(object)
    layer_shown = Signal()
    history_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._here = Whereabouts()
        self._layer: int | None = None

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
        """The selected item: a node, a part of one, a gap; None while the bytes are still to be read."""
        return None if self.waits else self._here.item

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
        return None if self._document is None or self.waits else self._here.value_span(self._document)

    @property
    def path(self) -> str:
        """The path of the selected item, empty for none."""
        return self._here.anchor.path

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

    def standing(self) -> Whereabouts:
        """Where the person is."""
        return self._here

    # Going to places

    def select(self, item: Item | None, remember: bool = True) -> None:
        """Select an item; the caret goes to its first byte, unless it already stands inside."""
        document = self._document
        if document is not None and item is not None and outline.exists(document, item):
            self.show_layer(None)
            self._go(self._here.on(document, item), remember)

    def go_to(self, offset: int, marked: Span | None = None, remember: bool = True) -> None:
        """Put the caret on a byte, or behind the last one, and select the deepest item there."""
        if self._document is not None:
            self.show_layer(None)
            self._go(self._here.at(self._document, offset, marked), remember)

    def mark(self, span: Span | None) -> None:
        """Select a run of bytes."""
        self._go(replace(self._here, marked=span))

    def go_to_problem(self, problem: Diagnostic) -> None:
        """Show a finding: its bytes are selected, the caret stands on the first of them."""
        self.go_to(problem.span.start, problem.span if len(problem.span) > 1 else None)

    def go_to_place(self, text: str) -> None:
        """Go to a path or offset that a person wrote.

        Raises:
            PathError: it leads nowhere.
        """
        if self._document is None:
            raise PathError("Nothing is open.")
        try:
            place = parse_place(self._document, text, self.caret)
        except PathError:
            if self.waits:
                raise PathError("These bytes are still being read: give an offset, or try again then.") from None
            raise
        self.select(place) if isinstance(place, Item) else self.go_to(place)

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

    def _go(self, there: Whereabouts, remember: bool = False) -> None:
        """Be elsewhere, and tell what is another one there."""
        before, self._here = self._here, there
        other = there.item != before.item
        if there.marked != before.marked:
            self.marked.emit(there.marked)
        if other or there.caret != before.caret:
            self.caret_moved.emit(there.caret)
        if other:
            if remember:
                there.places.visit(there.anchor.path, there.caret)
            self.selected.emit(there.item)
            self.history_changed.emit()

    def _focus(self, document: Document, start: int) -> None:
        """Select the value that begins at this offset."""
        there = self._here.focused(document, start)
        self._go(there) if there is not None else self.go_to(start, remember=False)

    def _find_again(self, document: Document, anchor: Anchor, caret: int) -> None:
        """Select what the anchor leads to, else the deepest item at *caret*; at the very beginning the first value."""
        there = self._here.again(document, anchor, caret)
        if there is not None:
            self._go(there, remember=not anchor.path)
        else:
            self.go_to(caret, remember=False)
