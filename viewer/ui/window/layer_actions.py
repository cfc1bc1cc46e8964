"""What can be done with the layers of a file: look at one, take it out, put it back, take a wrap off by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from viewer.base.record import replace
from viewer.container.codecs import NAMES
from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.layer_edit import layer_replaced
from viewer.document.edits.slots import EditError
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.ui import dialogs
from viewer.ui.look.plain_text import in_menu
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session


class LayerActions:
    """Fills the menu of the layers and does what it offers.

    Args:
        window: the parent of the dialogs.
        session: whose document it is.
        show: shows a document in the place of the one that is open.
        say: told in words what was done.
    """

    def __init__(
        self, window: QWidget, session: Session, show: Callable[[Document], None], say: Callable[[str], None]
    ) -> None:
        self._window = window
        self._session = session
        self._show = show
        self._say = say

    def pop_up(self, place: QPoint) -> None:
        """Offer everything at a global position."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu)
        menu.popup(place)

    def fill(self, menu: QMenu) -> None:
        """Fill a menu with what can be done now."""
        empty_menu(menu)
        document = self._session.document
        if document is None:
            menu.addAction("Nothing is open").setEnabled(False)
            return
        self._offer_looks(menu, document)
        menu.addSeparator()
        menu.addAction("&Extract This Layer…", self.extract)
        put_back = menu.addAction("&Put a Layer Back…", self.put_back)
        put_back.setEnabled(document.wraps.blocked is None and not document.carried)
        if document.carried:
            return
        menu.addSeparator()
        self._offer_wraps(menu, document)

    def _offer_looks(self, menu: QMenu, document: Document) -> None:
        shown = self._session.layer
        for number, layer in enumerate(shown_layers(document)):
            target = None if layer.is_inside else number
            action = menu.addAction(in_menu(f"{layer.label}, {layer.size}"), partial(self._session.show_layer, target))
            action.setCheckable(True)
            action.setChecked(target == shown)

    def _offer_wraps(self, menu: QMenu, document: Document) -> None:
        names = document.wraps.names
        if document.wraps.needs_key:
            menu.addAction("Enter Pass&word…", self.enter_password)
        if names:
            menu.addAction(f"&Leave the Inner Wrap On ({names[-1]})", partial(self._open_as, names[:-1]))
        more = menu.addMenu("&Take Off Another Wrap")
        for name in NAMES:
            more.addAction(name, partial(self._open_as, (*names, name)))
        menu.addAction("&Find the Wraps Again", partial(self._open_as, None))

    # Slots

    def read_as_config(self) -> None:
        """Read a text as a ConfigFile, whatever is wrong with it."""
        self._open_as(("config",))

    def enter_password(self) -> None:
        """Ask again for the key of a file that is still closed."""
        document = self._session.document
        if document is not None:
            self._show(document)

    def extract(self) -> None:
        """Write the bytes of the layer that is looked at to a file."""
        document = self._session.document
        if document is None:
            return
        layers = shown_layers(document)
        layer = layers[-1 if self._session.layer is None else self._session.layer]
        start = str((document.path or Path(document.name)).with_suffix(".layer.bin"))
        name, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Extract this layer", start, "All files (*)")
        if not name:
            return
        try:
            files.write(Path(name), layer.buffer)
        except FileProblem as problem:
            dialogs.tell(self._window, str(problem))
            return
        self._say(f"Wrote {layer.size} to “{Path(name).name}”.")

    def put_back(self) -> None:
        """Let a file take the place of the layer that is looked at; can be undone."""
        document = self._session.document
        if document is None:
            return
        name, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Put a layer back", "", "All files (*)")
        if not name:
            return
        number = len(document.wraps.around) if self._session.layer is None else self._session.layer
        try:
            edit = layer_replaced(document, number, files.read_whole(Path(name)))
        except (FileProblem, EditError) as problem:
            dialogs.tell(self._window, str(problem))
            return
        self._session.show_layer(None)
        self._session.apply(edit)

    def _open_as(self, names: tuple[str, ...] | None) -> None:
        document = self._session.document
        if document is None or (document.modified and not dialogs.ask_drop_changes(self._window, document.name)):
            return
        fresh = document.opened_as(replace(document.choice.opening, codecs=names))
        if fresh.wraps.blocked is not None and not fresh.wraps.needs_key:
            dialogs.tell(self._window, str(fresh.wraps.blocked))
            return
        self._show(fresh)
