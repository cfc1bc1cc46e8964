"""The bytes of one side of a comparison: the hex view of the window, to be read only, with what differs marked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.hex.view import HexView
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.variant.items import Item


class ComparedSource(DocumentSource):
    """The bytes of a document; those that differ from the other side look like changed ones.

    Args:
        session: has the document.
        differing: the bytes that differ, in order.
    """

    def __init__(self, session: Session, differing: list[Span]) -> None:
        super().__init__(session)
        self._differing = differing

    def modified(self, start: int, end: int) -> list[Span]:
        """The bytes that differ and touch ``[start, end)``."""
        spans = self._differing
        first = max(0, bisect_right(spans, start, key=_start) - 1)
        last = bisect_left(spans, end, key=_start)
        return [span for span in spans[first:last] if span.end > start]


def _start(span: Span) -> int:
    return span.start


class SideBytes(QObject):
    """The hex view of one side.

    Args:
        theme: the colours.
        title: what the view is called.
        parent: what it lies in.

    Attributes:
        view: it.

    Signals:
        item_chosen: ``Item``: the caret was put on another value.
    """

    item_chosen = Signal(object)

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = Session(self)
        self._source: ComparedSource | None = None
        self.view = HexView(theme)
        self.view.setAccessibleName(title)
        self.view.read_only = True
        self.view.caret_moved.connect(self._choose)

    def show(self, document: Document | None, differing: list[Span]) -> None:
        """Show the bytes of a document that is read, or of one whose values nobody knows yet."""
        self._session.show(document if document is not None and document.task is None else None)
        if document is None:
            self._source = None
            self.view.set_source(None)
            return
        if document.task is not None:
            from viewer.ui.compare.plain_bytes import PlainSource

            self._source = None
            self.view.set_source(PlainSource(document.shown))
        else:
            self._source = ComparedSource(self._session, differing)
            self.view.set_source(self._source)
        self.view.read_only = True

    def select(self, item: Item | None) -> None:
        """Outline a value and bring it into sight; None for a hole."""
        document = self._session.document
        if document is None or self._source is None or item is None or not outline.exists(document, item):
            self.view.set_selected_item(None, [])
            return
        self._session.select(item, remember=False)
        span = document.place(outline.span(document, item))
        self.view.set_selected_item(span, self._source.tints())
        if not self.view.hasFocus():
            self.view.set_caret(span.start)
            self.view.ensure_visible(span, span.start)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.view.set_theme(theme)

    def leave(self) -> None:
        """Let go of the document."""
        self.show(None, [])

    def _choose(self, offset: int) -> None:
        document = self._session.document
        if document is None or not self.view.hasFocus():
            return
        at = offset if document.text is None else document.text.inside_of(offset)
        item = outline.item_at(document, at)
        if item is not None:
            self.item_chosen.emit(item)
