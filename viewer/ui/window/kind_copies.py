"""Save as Another Kind: the values as another kind of file, a resource in its other form, to a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.document import Document
from viewer.document.export.converting import BARE, CONFIG, JSON, PROJECT, VALUES, ConvertedFile, converted
from viewer.document.export.resources.resource_content import CannotConvertError
from viewer.document.export.resources.resource_forms import other_forms
from viewer.ui import dialogs
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.ui.window.engine_copies import write_copy

KINDS = {
    "tres": ("Text Resource (.tres)", ".tres"),
    "tscn": ("Text Scene (.tscn)", ".tscn"),
    "res": ("Binary Resource (.res)", ".res"),
    "scn": ("Binary Scene (.scn)", ".scn"),
    JSON: ("JSON", ".json"),
    CONFIG: ("ConfigFile (.cfg)", ".cfg"),
    VALUES: ("Stored Values", ".save"),
    BARE: ("Bare Values", ".bin"),
    PROJECT: ("Exported Settings (project.binary)", ".binary"),
}
"""What each kind is called, and how the names of its files end."""
OF_VALUES = (JSON, CONFIG, VALUES, BARE, PROJECT)


class KindCopies:
    """Fills the menu of the kinds, and writes the file of the one that is chosen.

    Args:
        window: the parent of the dialogs.
        session: whose document it is.
        say: told in words what was done.
    """

    def __init__(self, window: QWidget, session: Session, say: Callable[[str], None]) -> None:
        self._window = window
        self._session = session
        self._say = say

    def fill(self, menu: QMenu) -> None:
        """Offer the kinds that the file can become."""
        empty_menu(menu)
        document = self._session.document
        if document is None:
            menu.addAction("Nothing is open").setEnabled(False)
            return
        for kind in other_forms(document) or OF_VALUES:
            menu.addAction(KINDS[kind][0], partial(self.write_as, kind))

    def write_as(self, kind: str) -> None:
        """Ask for a name and write the file; what is lost by that is asked about first."""
        self._session.settle()
        document = self._session.document
        if document is None:
            return
        try:
            found = self._made(document, kind)
        except CannotConvertError as problem:
            dialogs.tell(self._window, str(problem))
            return
        name, ending = KINDS[kind]
        path = document.path or Path(document.name or "save")
        question = f"{name}: some of it becomes something else."
        written = write_copy(self._window, f"Save as {name}", question, path.with_suffix(ending), found)
        if written:
            self._say(f"Wrote “{written}”.")

    def _made(self, document: Document, kind: str) -> ConvertedFile:
        """The file; making a long one is waited for.

        Raises:
            CannotConvertError: there is none.
        """
        found: list[ConvertedFile] = []
        with dialogs.Waiting(self._window, "Writing the values as another kind of file …") as waiting:
            waiting.do(lambda: found.append(converted(document, kind)))
        return found[0]
