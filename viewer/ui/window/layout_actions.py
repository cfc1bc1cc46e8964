"""What a person does with layouts: describe bytes, take a description away, forget a layout, open its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.describing import (
    CannotDescribe,
    LayoutChange,
    describable,
    describe,
    files_beside,
    forget,
    is_concerned,
    own_layout,
    undescribe,
)
from viewer.document.readers.file_layout import LayoutError
from viewer.document.reading import ReadOptions
from viewer.ui.look.palette import Theme
from viewer.ui.session import WAITS, Session


class SaysWithAction(Protocol):
    """Says something, with a button that does something about it."""

    def __call__(self, text: str, action: str = "", do: Callable[[], object] | None = None, /) -> None: ...


class LayoutActions:
    """Describes bytes of the open file.

    Args:
        window: the parent of the dialog.
        session: what is open.
        theme: tells the theme of the moment.
        documents: all that are open.
        say: told in words what was done, with a button that takes it back.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        theme: Callable[[], Theme],
        documents: Callable[[], Sequence[Document]],
        say: SaysWithAction,
    ) -> None:
        self._window, self._session = window, session
        self._theme, self._documents, self._say = theme, documents, say

    def describe(self) -> None:
        """Ask what the selected bytes are, and read them so."""
        document = self._session.document
        if document is None or self._session.waits:
            self._say(WAITS)
            return
        from viewer.ui.window.describe_dialog import DescribeDialog

        try:
            dialog = DescribeDialog(self._window, document, self._span(document), self._theme())
        except CannotDescribe as error:
            self._say(str(error))
            return
        if dialog.exec():
            fields, name = dialog.fields, dialog.layout_name
            self._do(lambda: describe(document, fields, name), "Described.", beside=True)
        elif dialog.opens:
            self.open_file()
        dialog.deleteLater()

    def undescribe(self) -> None:
        """Take the description of the selected field away."""
        document, item = self._session.document, self._session.item
        if document is not None and item is not None and outline.exists(document, item):
            span = outline.span(document, item)
            self._do(lambda: undescribe(document, span), "Description removed.")

    def forget(self) -> None:
        """Let the layout of the open file go."""
        document = self._session.document
        if document is not None and not self._session.waits:
            self._do(lambda: forget(document), "Layout forgotten.")

    def open_file(self) -> None:
        """Open the layout of the open file in the person's editor."""
        document = self._session.document
        path = own_layout(document) if document is not None else None
        if path is None:
            self._say("This file is not read by a layout of your own.")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._say(f"The layout is “{path}”.")

    # Inside

    def _span(self, document: Document) -> Span:
        """The selected bytes, else those of the selected row.

        Raises:
            CannotDescribe: nothing is selected that can be described.
        """
        session = self._session
        marked = session.marked_span
        if marked is not None and len(marked):
            return marked
        item = session.item
        if item is not None and item.frame < 0 and outline.exists(document, item):
            return outline.span(document, item)
        return describable(document, Span(session.caret, session.caret + 1))

    def _do(self, make: Callable[[], LayoutChange], words: str, beside: bool = False) -> None:
        """Change a layout file, read the open file anew, and offer the way back."""
        try:
            change = make()
            change.write()
        except (CannotDescribe, LayoutError) as error:
            self._say(str(error))
            return
        except OSError as error:
            self._say(f"The layout could not be written: {error.strerror}.")
            return
        self._read_anew(change)
        document = self._session.document
        more = files_beside(document, change) if beside and document is not None else 0
        if more:
            read = f"{'is' if more == 1 else 'are'} read this way"
            words = f"{words[:-1]}; {counted(more, 'more file')} in this folder {read}."
        self._say(words, "Undo", lambda: self._take_back(change))

    def _take_back(self, change: LayoutChange) -> None:
        try:
            change.inverse.write()
        except OSError as error:
            self._say(f"The layout could not be written: {error.strerror}.")
            return
        self._read_anew(change)

    def _read_anew(self, change: LayoutChange) -> None:
        """Read the open files as their layouts say now, whatever dialect or framing was chosen before."""
        shown = self._session.document
        for document in self._documents():
            if document is not shown and is_concerned(document, change):
                document.read_as(_unchosen(document))
        if shown is not None:
            self._session.read_as(_unchosen(shown))


def _unchosen(document: Document) -> ReadOptions:
    return replace(document.choice, dialect=None, framing=None, big_endian=None)
