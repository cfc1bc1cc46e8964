"""Save for Another Engine and Save as Another Kind: what a file becomes there, written to a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.export.converting import BARE, CONFIG, JSON, PROJECT, VALUES, ConvertedFile, converted
from viewer.document.export.player_script import NAME, player_script
from viewer.document.export.resources.resource_content import CannotConvertError
from viewer.document.export.resources.resource_forms import other_forms
from viewer.ui import dialogs
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.ui.window.convert_dialog import ConvertDialog
from viewer.variant.dialect import keys, load

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


class FileCopies:
    """Fills the menus of the engine lines and of the kinds, and writes the file for the one that is chosen.

    Args:
        window: the parent of the dialogs.
        session: whose document it is.
        theme_now: the colours that are shown now.
        say: told in words what was done.
    """

    def __init__(
        self, window: QWidget, session: Session, theme_now: Callable[[], Theme], say: Callable[[str], None]
    ) -> None:
        self._window = window
        self._session = session
        self._theme_now = theme_now
        self._say = say

    def fill_engines(self, menu: QMenu) -> None:
        """Offer every engine line."""
        if self._emptied(menu) is not None:
            for key in keys():
                menu.addAction(in_menu(load(key).name), partial(self.write_for, key))

    def fill_kinds(self, menu: QMenu) -> None:
        """Offer the kinds that the file can become."""
        document = self._emptied(menu)
        if document is not None:
            for kind in other_forms(document) or OF_VALUES:
                menu.addAction(KINDS[kind][0], partial(self.write_as, kind))

    def _emptied(self, menu: QMenu) -> Document | None:
        """The document that a menu is about, which says itself that there is none."""
        empty_menu(menu)
        if self._session.document is None:
            menu.addAction("Nothing is open").setEnabled(False)
        return self._session.document

    def write_for(self, line: str) -> None:
        """Show what becomes of the values for an engine line, ask for a name and write the file."""
        document = self._settled()
        if document is None:
            return
        dialog = ConvertDialog(self._window, document, line, self._theme_now(), self._session.go_to_place)
        dialog.script_button.clicked.connect(self.write_script)
        is_wanted, found, line = dialog.exec(), dialog.found, dialog.line
        dialog.deleteLater()
        if not is_wanted or found is None:
            return
        name, path = load(line).name, _path(document)
        written = self._written(found.data, f"Save for {name}", path.with_name(f"{path.stem}-{line}{path.suffix}"))
        kept = ", encrypted with the same key" if document.wraps.is_secret else ""
        if written:
            self._say(f"Wrote “{written}” for {name}{kept}.")

    def write_script(self) -> None:
        """Ask for a name and write the script that converts saves where the players of a game have them."""
        document = self._settled()
        if document is None:
            return
        written = self._written(player_script().encode(), "GDScript for your game", _path(document).with_name(NAME))
        if written:
            self._say(f"Wrote “{written}”: it says what it does and what it does not.")

    def write_as(self, kind: str) -> None:
        """Ask for a name and write the file of a kind; what is lost by that is asked about first."""
        document = self._settled()
        if document is None:
            return
        found = self._made(lambda: converted(document, kind), "Writing the values as another kind of file …")
        name, ending = KINDS[kind]
        losses = [loss.removesuffix(".") for loss in found.lost] if found is not None else []
        question = f"{name}: some of it becomes something else."
        if found is None or (losses and not dialogs.ask_losses(self._window, question, losses, "&Write")):
            return
        written = self._written(found.data, f"Save as {name}", _path(document).with_suffix(ending))
        if written:
            self._say(f"Wrote “{written}”.")

    def _settled(self) -> Document | None:
        self._session.settle()
        return self._session.document

    def _made(self, make: Callable[[], ConvertedFile], words: str) -> ConvertedFile | None:
        """The file; making a long one is waited for. None where there can be none, which was told."""
        found: list[ConvertedFile] = []
        try:
            with dialogs.Waiting(self._window, words) as waiting:
                waiting.do(lambda: found.append(make()))
        except CannotConvertError as problem:
            dialogs.tell(self._window, str(problem))
            return None
        return found[0]

    def _written(self, data: bytes, title: str, start: Path) -> str:
        """Ask for a name, *start* being offered, and write a file; its name, empty where nothing was written."""
        chosen, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, title, str(start), "All files (*)")
        if not chosen:
            return ""
        try:
            files.write(Path(chosen), data)
        except FileProblem as problem:
            dialogs.tell(self._window, str(problem))
            return ""
        return Path(chosen).name


def _path(document: Document) -> Path:
    return document.path or Path(document.name or "save")
