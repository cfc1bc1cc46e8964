"""Save for Another Engine: the file as another engine line reads it, in the same wraps, to a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.export.converting import CannotConvertError, ConvertedFile
from viewer.document.export.other_engine import for_engine
from viewer.ui import dialogs
from viewer.ui.look.plain_text import in_menu
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.variant.dialect import keys, load


def write_copy(window: QWidget, title: str, question: str, start: Path, found: ConvertedFile) -> str:
    """Ask about what is lost and for a name, then write a file; its name, empty where nothing was written.

    Args:
        window: the parent of the dialogs.
        title: that of the one for the name.
        question: stands over what is lost.
        start: the name that is offered.
        found: the file.
    """
    losses = [loss.removesuffix(".") for loss in found.lost]
    if losses and not dialogs.ask_losses(window, question, losses, "&Write"):
        return ""
    chosen, _ = QtWidgets.QFileDialog.getSaveFileName(window, title, str(start), "All files (*)")
    if not chosen:
        return ""
    try:
        files.write(Path(chosen), found.data)
    except FileProblem as problem:
        dialogs.tell(window, str(problem))
        return ""
    return Path(chosen).name


class EngineCopies:
    """Fills the menu of the engine lines, and writes the file for the one that is chosen.

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
        """Offer every engine line."""
        empty_menu(menu)
        if self._session.document is None:
            menu.addAction("Nothing is open").setEnabled(False)
            return
        for key in keys():
            menu.addAction(in_menu(load(key).name), partial(self.write_for, key))

    def write_for(self, line: str) -> None:
        """Ask for a name and write the file for an engine line; what is lost by that is asked about first."""
        self._session.settle()
        document = self._session.document
        if document is None:
            return
        try:
            found = self._made(document, line)
        except CannotConvertError as problem:
            dialogs.tell(self._window, str(problem))
            return
        name = load(line).name
        path = document.path or Path(document.name or "save")
        start = path.with_name(f"{path.stem}-{line}{path.suffix}")
        written = write_copy(
            self._window, f"Save for {name}", f"For {name} some of it becomes something else.", start, found
        )
        kept = ", encrypted with the same key" if document.wraps.is_secret else ""
        if written:
            self._say(f"Wrote “{written}” for {name}{kept}.")

    def _made(self, document: Document, line: str) -> ConvertedFile:
        """The file; making a long one is waited for.

        Raises:
            CannotConvertError: there is none.
        """
        found: list[ConvertedFile] = []
        with dialogs.Waiting(self._window, "Writing the values for the other engine …") as waiting:
            waiting.do(lambda: found.append(for_engine(document, line)))
        return found[0]
