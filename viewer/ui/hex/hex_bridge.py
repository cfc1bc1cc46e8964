"""Between session and hex view: what one says, the other shows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from viewer.base.span import Span
from viewer.container.layer import SourceText
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.splice import Splice
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.ui.hex.byte_editing import ByteEditing
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.hex.view import HexView
from viewer.ui.session import Session
from viewer.variant.items import Item

SPARE = 2
"""Rows of bytes that are shown above and below what is selected elsewhere."""


class HexBridge(QObject):
    """Keeps the hex view in step with the session, both ways, without either knowing the other.

    Attributes:
        editing: carries out what is typed and commanded in the view.
    """

    def __init__(self, session: Session, view: HexView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._source: DocumentSource | None = None
        self.editing = ByteEditing(session, view)
        session.opened.connect(self._open)
        session.written.connect(self._follow)
        session.layer_shown.connect(self._show_layer)
        session.changed.connect(self._change)
        session.selected.connect(self._select)
        session.caret_moved.connect(self._move)
        session.marked.connect(self._mark)
        session.history_changed.connect(self.refresh)
        session.problems_changed.connect(self.refresh)
        session.news_changed.connect(self.refresh)
        session.levels_changed.connect(self.refresh)
        session.looked_inside.connect(self.refresh)
        view.caret_moved.connect(self._caret)
        view.selection_changed.connect(self._marked)
        view.item_requested.connect(self._go_to)

    def refresh(self) -> None:
        """More is known about the same bytes."""
        if self._source is not None:
            self._source.refresh()
            self._view.refresh()

    def show_findings(self) -> None:
        """What is wrong with the bytes was looked for; where that is what is painted already, the picture stays."""
        if self._source is not None and self._source.has_other_findings:
            self.refresh()

    def show_hits(self, hits: Sequence[Span], current: Span | None) -> None:
        """Mark what a search found."""
        if self._source is not None:
            self._source.set_hits(hits, current)
            self._view.refresh()

    def _open(self) -> None:
        self._source = DocumentSource(self._session) if self._session.document else None
        self._view.set_source(self._source)
        self._view.set_selected_item(None, [])
        self._view.read_only = self._text is not None

    @property
    def _text(self) -> SourceText | None:
        """The text that the view shows, in which the offsets of the session are others; None for plain values."""
        return self._session.document.text if self._session.document is not None else None

    def _show_layer(self) -> None:
        """Show the bytes of a layer around the values, or those of the values where the person left them."""
        session, document = self._session, self._session.document
        if session.layer is None or document is None:
            caret = session.caret
            self._open()
            self._view.set_caret(caret if self._text is None else self._text.span_of(caret).start)
            self._select(session.item)
            return
        from viewer.ui.hex.layer_source import LayerSource

        self._source = None
        self._view.set_source(LayerSource(shown_layers(document)[session.layer]))
        self._view.set_selected_item(None, [])
        self._view.read_only = True

    def _follow(self, splices: Sequence[Splice]) -> None:
        """Show bytes that are still to be read, of which the session tells only if that takes longer than a moment."""
        if self._source is not None and self._session.waits:
            self._source.follow(splices)
            self._view.refresh_bytes()

    def _change(self, change: Change) -> None:
        self.refresh()
        self._select(self._session.item)

    def _select(self, item: Item | None) -> None:
        if self._source is None:
            return
        span, document, caret = self._session.item_span, self._session.document, self._session.caret
        if span is not None and document is not None and document.text is not None:
            span, caret = document.place(span), document.place(Span(caret, caret + 1)).start
        self._view.set_selected_item(span, self._source.tints())
        if span is not None and not self._view.hasFocus():
            self._view.ensure_visible(span, caret, SPARE)

    def _move(self, offset: int) -> None:
        if self._source is None:
            return
        if self._text is not None:
            span = self._text.span_of(offset)
            if self._view.caret.offset not in span:
                self._view.set_caret(span.start)
            self._view.ensure_visible(Span(self._view.caret.offset, self._view.caret.offset + 1))
            return
        marked = self._session.marked_span
        if marked is None and (self._view.caret.offset != offset or self._view.selection is not None):
            self._view.set_caret(offset)
        elif self._view.caret.offset != offset and marked is not None and offset in (marked.start, marked.end - 1):
            self._view.set_selection(marked, at_first=offset == marked.start)
        self._view.ensure_visible(Span(offset, offset + 1))

    def _mark(self, span: Span | None) -> None:
        if self._source is not None and self._text is None and self._view.selection != span:
            self._view.set_selection(span, at_first=span is not None and self._session.caret == span.start)

    def _caret(self, offset: int) -> None:
        if self._source is None:
            return
        if self._text is not None:
            self._go_in_text(self._text, offset)
            return
        self._session.go_to(offset, self._view.selection)

    def _marked(self, span: Span | None) -> None:
        if self._source is not None and self._text is None:
            self._session.mark(span)

    def _go_to(self, offset: int) -> None:
        if self._source is not None and self._text is not None:
            self._go_in_text(self._text, offset)
        elif self._source is not None:
            self._session.go_to(offset)

    def _go_in_text(self, text: SourceText, offset: int) -> None:
        """Select the whole value that a byte of the text belongs to."""
        document = self._session.document
        item = outline.item_at(document, text.inside_of(offset)) if document is not None else None
        if item is not None:
            self._session.select(Item(item.frame, item.node))
