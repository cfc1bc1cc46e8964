"""Export Value and Import Value: the selected value to a file and from one, in any form of text or as bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.edits.slots import EditError
from viewer.document.export.forms import BYTE_FORMS, FormError, TextForm, form, forms_for, write
from viewer.document.export.forms.copying import check_size, export_file, import_file, translated
from viewer.ui import dialogs
from viewer.ui.hex.view import HexView
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.variant.items import Item

# Copy As: the selected value or bytes on the clipboard, in any form of text.

COPY_MENU_NOTHING = "Select a value or some bytes first."


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
    def what(self) -> tuple[Document, Item | Span] | None:
        """The bytes selected in the hex view where that has the focus, else the selected value, with its document."""
        document, marked, spot = self._session.document, self._session.marked_span, self._session.spot
        if document is not None and marked and self._hex.hasFocus():
            return document, marked
        return (spot.document, spot.item) if spot is not None else None

    def fill(self) -> None:
        """Offer the forms that fit what is selected."""
        empty_menu(self._menu)
        found = self.what
        if found is None:
            self._menu.addAction(COPY_MENU_NOTHING).setEnabled(False)
            return
        document, what = found
        offered = BYTE_FORMS if isinstance(what, Span) else forms_for(document.dialect)
        for k, each in enumerate(offered):
            if k and each == BYTE_FORMS[0]:
                self._menu.addSeparator()
            action = self._menu.addAction(each.words)
            action.setToolTip(plain_tip(each.about))
            action.setStatusTip(each.about)
            action.setData(each.key)

    def copy(self, wanted: TextForm) -> None:
        """Put what is selected on the clipboard in a form; why that cannot be done is said."""
        found = self.what
        if found is None:
            self._say(COPY_MENU_NOTHING)
            return
        try:
            self._say(self._copied(wanted, *found))
        except FormError as error:
            self._session.failed.emit(str(error))

    def _copied(self, wanted: TextForm, document: Document, what: Item | Span) -> str:
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


NOTHING = "Select a value first."
WAITS = "These bytes are still being read; try again in a moment."
RAW = "Plain bytes (*.bin)"
ANY = "Any form (*)"
_NAME = re.compile(r"[^\w-]+")


class ExportActions:
    """Asks for a file and writes the selected value there, or reads it from there.

    Args:
        window: the parent of the dialogs.
        session: knows the selected value.
        say: told in words what was done.
    """

    def __init__(self, window: QWidget, session: Session, say: Callable[[str], None]) -> None:
        self._window = window
        self._session = session
        self._say = say
        self._filter = ""
        self._folder = Path()

    def slots(self) -> dict[str, Callable[[], object]]:
        """The actions by name."""
        return {"export_value": self.export, "import_value": self.import_}

    def export(self) -> None:
        """Ask for a file and a form, and write the selected value."""
        found = self._selected()
        if found is None:
            return
        document, item = found
        filters = self._filters(document, (RAW,))
        start = str(self._start_folder / self._name())
        name, chosen = QtWidgets.QFileDialog.getSaveFileName(
            self._window, "Export value", start, ";;".join(filters), self._remembered(filters)
        )
        if name:
            self._filter, self._folder = chosen, Path(name).parent
            self._export(document, item, Path(name), filters.get(chosen))

    def _export(self, document: Document, item: Item, path: Path, form: TextForm | None) -> None:
        path = path if path.suffix else path.with_suffix(form.suffix if form else ".bin")
        try:
            lost = export_file(form, document, item, path)
        except FormError as error:
            dialogs.tell(self._window, str(error))
        else:
            self._say(f"Exported to “{path.name}” as {form.name if form else 'plain bytes'}{told(lost)}.")

    def import_(self) -> None:
        """Ask for a file and set the selected value to what it holds."""
        found = self._selected()
        if found is None:
            return
        document, item = found
        filters = {ANY: None, **self._filters(document)}
        name, chosen = QtWidgets.QFileDialog.getOpenFileName(
            self._window, "Import value", str(self._start_folder), ";;".join(filters), ANY
        )
        if name:
            self._folder = Path(name).parent
            self._import(document, item, Path(name), filters.get(chosen))

    def _import(self, document: Document, item: Item, path: Path, form: TextForm | None) -> None:
        try:
            value, lost = translated(import_file(form, document, path), document.dialect, document.precision)
            edit = set_value(document, item, value)
        except (FormError, EditError) as error:
            dialogs.tell(self._window, f"“{path.name}” was not imported. {error}")
        else:
            self._session.apply(edit, of=document)
            self._say(f"Imported “{path.name}”{told(lost)}.")

    def _selected(self) -> tuple[Document, Item] | None:
        spot = self._session.spot
        if spot is None:
            self._say(WAITS if self._session.waits else NOTHING)
            return None
        return spot.document, spot.item

    def _filters(self, document: Document, more: tuple[str, ...] = ()) -> dict[str, TextForm | None]:
        """The forms under the words that a file dialog offers."""
        offered: dict[str, TextForm | None] = {
            f"{form.name} (*{form.suffix})": form for form in forms_for(document.dialect)
        }
        return offered | dict.fromkeys(more)

    def _remembered(self, filters: dict[str, TextForm | None]) -> str:
        return self._filter if self._filter in filters else next(iter(filters))

    @property
    def _start_folder(self) -> Path:
        document = self._session.document
        if self._folder != Path():
            return self._folder
        return document.path.parent if document is not None and document.path else Path.home()

    def _name(self) -> str:
        """A file name from the path of the value: ``player_position`` for ``[0].player.position``."""
        return _NAME.sub("_", self._session.path).strip("_")[-60:] or "value"
