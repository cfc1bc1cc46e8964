"""Copy As: the selected value or bytes on the clipboard, in any form of text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.export.forms import BYTE_FORMS, Form, FormError, form, forms_for, write
from viewer.document.export.forms.copying import check_size
from viewer.ui.hex.view import HexView
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import empty_menu
from viewer.ui.session import Session
from viewer.variant.items import Item

NOTHING = "Select a value or some bytes first."


class CopyMenu(QObject):
    """Fills the menu when it opens, with the forms that fit what is selected, and copies in the chosen one.

    Args:
        menu: the submenu of the Edit menu.
        session: knows the selected value and bytes.
        hex_view: has the focus where its selected bytes are meant.
        say: told in words what was done.
    """

    def __init__(self, menu: QMenu, session: Session, hex_view: HexView, say: Callable[[str], None]) -> None:
        super().__init__(menu)
        self._menu = menu
        self._session = session
        self._hex = hex_view
        self._say = say
        menu.triggered.connect(self._chosen)

    @property
    def what(self) -> Item | Span | None:
        """The bytes selected in the hex view where that has the focus, else the selected value."""
        marked = self._session.marked_span
        return marked if marked and self._hex.hasFocus() else self._session.item

    def fill(self) -> None:
        """Offer the forms that fit what is selected."""
        empty_menu(self._menu)
        document, what = self._session.document, self.what
        if document is None or what is None:
            self._menu.addAction(NOTHING).setEnabled(False)
            return
        offered = BYTE_FORMS if isinstance(what, Span) else forms_for(document.dialect)
        for k, each in enumerate(offered):
            if k and each == BYTE_FORMS[0]:
                self._menu.addSeparator()
            action = self._menu.addAction(each.words)
            action.setToolTip(plain_tip(each.about))
            action.setStatusTip(each.about)
            action.setData(each.key)

    def copy(self, wanted: Form) -> None:
        """Put what is selected on the clipboard in a form; why that cannot be done is said."""
        document, what = self._session.document, self.what
        if document is None or what is None:
            self._say(NOTHING)
            return
        try:
            self._say(self._copied(wanted, document, what))
        except FormError as error:
            self._session.failed.emit(str(error))

    def _copied(self, wanted: Form, document: Document, what: Item | Span) -> str:
        check_size(wanted, document, what)
        written = write(wanted, document, what)
        QGuiApplication.clipboard().setText(written.text)
        return f"Copied as {wanted.name}{told(written.lost)}."

    def _chosen(self, action: QAction) -> None:
        if action.data():
            self.copy(form(action.data()))


def told(lost: tuple[str, ...]) -> str:
    """The end of a sentence that says what a text does not tell, short enough for a toast."""
    if not lost:
        return ""
    more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
    return f", with losses: {lost[0].split(' (')[0]}{more}"
