"""The place of the packets in the window: the list across the top, the chosen payload in tree and bytes below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from viewer.base.buffer import Buffer
from viewer.base.record import replace
from viewer.document.document import Document
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.entries import COPY_MENU, ENTRIES, KEEP_MENU
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.window.actions import Actions
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:  # built late, see Late
    from viewer.document.packets.packet import Packet
    from viewer.ui.packets.packets_view import Packets
    from viewer.ui.packets.pane import PacketsPane

NAMES = tuple(entry.name for entry in ENTRIES if entry is not None and entry.name not in (COPY_MENU, KEEP_MENU))
OPENING = ("listen", "proxy")
"""What can be done where no list of packets is shown yet."""
NO_LIST = "Open a capture or listen to a port first"


class PacketsController(QObject):
    """Joins the list of packets to the window; nothing of it is loaded before it is first asked for.

    Args:
        parent: the window.
        parts: where the list lies.
        opened: shows payloads, each in the place of the one before it unless that was changed.
        most: says how many recorded packets are kept.
        say, fail: told in words what was done, and what could not be.

    Signals:
        shown_changed: the list was shown or hidden.
        counts_changed: ``PacketCounts``: for the status bar.
        compare_wanted: two ``Document``, the older or good packet first.
        columns_wanted: a list of ``Document``, over which it is to be shown what varies.
    """

    shown_changed = Signal()
    counts_changed = Signal(object)
    compare_wanted = Signal(object, object)
    columns_wanted = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        parts: Parts,
        opened: OpenFiles,
        most: Callable[[], int],
        say: Callable[[str], None],
        fail: Callable[[str], None],
    ) -> None:
        super().__init__(parent)
        self._parts = parts
        self._opened = opened
        self._most = most
        self._say, self._fail = say, fail
        self._late = parts.later(self._build)
        self._name = ""
        self._payload: Document | None = None
        self._shown: list[tuple[Packet, Document]] = []
        self._actions: Actions | None = None

    def _build(self, theme: Theme) -> Packets:
        from viewer.ui.packets.packets_view import Packets

        packets = Packets(theme, self._say, self._fail)
        packets.setParent(self)
        packets.keep(self._most())
        pane = packets.pane
        self._parts.work.set_packets(pane)
        pane.packet_chosen.connect(self._show_payload)
        pane.tree_requested.connect(self._parts.give_keys)
        pane.closed.connect(self.hide)
        pane.counts_changed.connect(self.counts_changed)
        pane.changed.connect(self.update_actions)
        packets.live.started.connect(self._show_recording)
        packets.comparing.wanted.connect(self._compare)
        packets.comparing.columns_wanted.connect(self.columns_wanted)
        return packets

    def _compare(self, old: Packet, new: Packet) -> None:
        """Compare two packets; one that is open in a tab as it is there."""
        self.compare_wanted.emit(self._document_of(old), self._document_of(new))

    def _document_of(self, packet: Packet) -> Document:
        for shown, document in self._shown:
            if shown.payload is packet.payload and self._opened.place_of(document) >= 0:
                return document
        return self._late.get().comparing.document(packet)

    # Shown

    @property
    def is_shown(self) -> bool:
        """Whether the list is in view."""
        return self._late.part is not None and self._parts.work.packets_shown

    def show_capture(self, path: Path, buffer: Buffer) -> None:
        """List the packets of a capture.

        Raises:
            CaptureError: it is none.
        """
        self._show()
        self._name = path.name
        self._late.get().open_capture(buffer)

    def _show(self) -> None:
        self._late.get()
        if not self.is_shown:
            self._parts.work.show_packets(True)
            self.shown_changed.emit()
        self.update_actions()

    def _show_recording(self) -> None:
        self._name = ""
        self._show()

    def hide(self) -> None:
        """Put the list away; what is recorded stays until the window closes."""
        self._parts.work.show_packets(False)
        self._parts.give_keys()
        self.shown_changed.emit()
        self.update_actions()

    def finish(self) -> None:
        """Look at all packets now, for a picture."""
        if self._late.part is not None:
            self._late.part.pane.finish()

    @property
    def has_recorded(self) -> bool:
        """Whether closing would lose what was recorded."""
        return self._late.part is not None and self._late.part.has_recorded

    def leave(self) -> None:
        """Stop all recording; for the end of the program."""
        if self._late.part is not None:
            self._late.part.close()

    def _show_payload(self, packet: Packet) -> None:
        """Show a packet's bytes below; what was changed of another one keeps its tab."""
        from viewer.document.export.packet_files import payload_document

        pane = self._late.get().pane
        source = pane.source
        if source is None:
            return
        if self._go_to_tab(packet, pane):
            return
        name = f"{self._name}: packet {packet.payload.number}" if self._name else f"packet {packet.payload.number}"
        document = payload_document(packet, source.store.explainer(packet.row), name)
        had_focus = pane.table.hasFocus()
        place = self._opened.place_of(self._payload)
        if place >= 0 and self._payload is not None and not self._payload.modified:
            self._opened.switch(place)
            self._opened.replace(document)
        else:
            self._opened.add(document)
        self._payload = document
        here = self._opened.documents
        self._shown = [(other, shown) for other, shown in self._shown if any(shown is each for each in here)]
        self._shown.append((packet, document))
        if had_focus:
            pane.table.setFocus()

    def _go_to_tab(self, packet: Packet, pane: PacketsPane) -> bool:
        """Show the tab that a packet is open in; False where it is in none."""
        for shown, document in self._shown:
            place = self._opened.place_of(document)
            if shown.row == packet.row and shown.payload is packet.payload and place >= 0:
                had_focus = pane.table.hasFocus()
                self._opened.switch(place)
                self._payload = document
                if had_focus:
                    pane.table.setFocus()
                return True
        return False

    def follow_change(self) -> None:
        """A document was changed, saved or closed: the list shows what the packets of open tabs say now."""
        if self._late.part is None or not self._shown:
            return
        model = self._late.part.pane.model
        for packet, document in self._shown:
            if model.source is None or document.message is None:
                continue
            is_edited = document.modified and self._opened.place_of(document) >= 0
            payload = replace(packet.payload, data=bytes(document.buffer[:])) if is_edited else packet.payload
            edited = replace(packet, payload=payload, message=document.message) if is_edited else None
            model.set_edited(packet.row, edited)

    def keep(self, most: int) -> None:
        """Keep so many recorded packets."""
        if self._late.part is not None:
            self._late.part.keep(most)

    # Actions

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {name: partial(self.run, name) for name in NAMES}

    def run(self, name: str) -> None:
        """Do what an entry says."""
        if name not in OPENING and self._late.part is None:
            return
        packets = self._late.get()
        document = self._payload
        if name == "send_packet" and document is not None and document.modified:
            packets.commands.ask_send_bytes(bytes(document.buffer[:]))
        else:
            packets.run(name)

    def join(self, actions: Actions) -> None:
        """Take the window's actions, to switch them on and off, and fill the menu of copying."""
        self._actions = actions
        actions.menus[COPY_MENU].aboutToShow.connect(self._fill_copy_menu)
        actions.menus[COPY_MENU].triggered.connect(lambda action: self._late.get().commands.copy_chosen(action))
        self.update_actions()

    def _fill_copy_menu(self) -> None:
        if self._actions is not None and self._late.part is not None:
            menu = self._actions.menus[COPY_MENU]
            empty_menu(menu)
            self._late.part.commands.fill_copy_menu(menu)

    def update_actions(self) -> None:
        """Bring the actions up to date."""
        if self._actions is None:
            return
        part = self._late.part
        for name in (*NAMES, COPY_MENU):
            action = self._actions[name]
            why = "" if part is None and name in OPENING else NO_LIST if part is None else part.why_not(name)
            action.setEnabled(not why)
            action.setToolTip(plain_tip(why or action.statusTip()))
            if part is not None and action.isCheckable():
                action.setChecked(part.is_on(name))
