"""Export Value and Import Value: the selected value to a file and from one, in any form of text or as bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.document.edits import EditError, set_value
from viewer.document.export.forms import Form, FormError, forms_for
from viewer.document.export.forms.copying import export_file, import_file, translated
from viewer.ui.session import Session
from viewer.ui.window import dialogs
from viewer.ui.window.copy_menu import told
from viewer.variant.items import Item

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
        start = str(self._folder_of(document) / self._name())
        name, chosen = QtWidgets.QFileDialog.getSaveFileName(
            self._window, "Export value", start, ";;".join(filters), self._remembered(filters)
        )
        if name:
            self._filter, self._folder = chosen, Path(name).parent
            self._export(document, item, Path(name), filters.get(chosen))

    def _export(self, document: Document, item: Item, path: Path, form: Form | None) -> None:
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
            self._window, "Import value", str(self._folder_of(document)), ";;".join(filters), ANY
        )
        if name:
            self._folder = Path(name).parent
            self._import(document, item, Path(name), filters.get(chosen))

    def _import(self, document: Document, item: Item, path: Path, form: Form | None) -> None:
        try:
            value, lost = translated(import_file(form, document, path), document.dialect, document.precision)
            edit = set_value(document, item, value)
        except (FormError, EditError) as error:
            dialogs.tell(self._window, f"“{path.name}” was not imported. {error}")
        else:
            self._session.apply(edit)
            self._say(f"Imported “{path.name}”{told(lost)}.")

    def _selected(self) -> tuple[Document, Item] | None:
        document, item = self._session.document, self._session.item
        if document is None or item is None:
            self._say(WAITS if self._session.waits else NOTHING)
            return None
        return document, item

    def _filters(self, document: Document, more: tuple[str, ...] = ()) -> dict[str, Form | None]:
        """The forms under the words that a file dialog offers."""
        offered: dict[str, Form | None] = {
            f"{form.name} (*{form.suffix})": form for form in forms_for(document.dialect)
        }
        return offered | dict.fromkeys(more)

    def _remembered(self, filters: dict[str, Form | None]) -> str:
        return self._filter if self._filter in filters else next(iter(filters))

    def _folder_of(self, document: Document) -> Path:
        if self._folder != Path():
            return self._folder
        return document.path.parent if document.path else Path.home()

    def _name(self) -> str:
        """A file name from the path of the value: ``player_position`` for ``[0].player.position``."""
        return _NAME.sub("_", self._session.path).strip("_")[-60:] or "value"
