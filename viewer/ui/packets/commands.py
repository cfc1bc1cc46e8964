"""What can be done with packets: copy, export, send, step from one to the next, say what their bytes mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from viewer.container.wire import Endpoint
from viewer.document import files
from viewer.document.export.forms import FormError, TextForm, form
from viewer.document.packets.conversation import Told
from viewer.document.packets.exporting import packet_forms, packets_text
from viewer.document.packets.live.sockets import LiveError, send_udp
from viewer.document.packets.packet import Packet
from viewer.document.shown.counts import counted
from viewer.document.shown.packet_row import packet_row
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.dialogs import EndsDialog, SendDialog
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.panels.pieces import empty_menu

NO_PACKET = "Choose a packet first"
NO_PACKETS = "No packets are listed"
NO_ERRORS = "No packet has an error"
MOST_TEXT = 16 << 20
TOO_MUCH = "These are too many bytes for the clipboard; export them instead."
BYTES = "Plain bytes (*.bin)"
JOINED = "One file, each behind its length (*.bin)"
TABLES = {"Comma-separated values (*.csv)": ".csv", "JSON (*.json)": ".json"}
NEED_PACKET = ("copy_packet", "copy_packet_rows", "export_payload", "send_packet")
NEED_LIST = ("export_payloads", "export_packets", "next_packet", "previous_packet", "follow_packets")
Slots = dict[str, Callable[[], object]]


class PacketCommands(QObject):
    """Does what the menus offer for the packets of a pane.

    Args:
        pane: the packets.
        say: told in words what was done.
        fail: told in words what could not be done.
    """

    def __init__(self, pane: PacketsPane, say: Callable[[str], None], fail: Callable[[str], None]) -> None:
        super().__init__(pane)
        self._pane, self._say, self._fail = pane, say, fail
        self._last_end: Endpoint | None = None
        self._folder = Path.home()
        pane.copy_requested.connect(self.copy_rows)

    def slots(self) -> Slots:
        """The actions by name."""
        pane = self._pane
        return {
            "filter_packets": pane.title.filter.focus,
            "control_packets": pane.title.control_button.toggle,
            "follow_packets": pane.table.follow,
            "next_packet": self.next,
            "previous_packet": self.previous,
            "next_bad_packet": self.next_bad,
            "copy_packet_rows": self.copy_rows,
            "export_payload": self.export_payload,
            "export_payloads": self.export_payloads,
            "export_packets": self.export_list,
            "send_packet": self.ask_send,
        }

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        pane = self._pane
        if name in NEED_PACKET and pane.packet is None:
            return NO_PACKET
        if name in NEED_LIST and not pane.model.rowCount():
            return NO_PACKETS
        if name == "next_bad_packet" and not pane.counts.errors:
            return NO_ERRORS
        return ""

    # From one to the next

    def next(self) -> None:
        """Choose the next packet."""
        self._pane.table.step(1)

    def previous(self) -> None:
        """Choose the packet before."""
        self._pane.table.step(-1)

    def next_bad(self) -> None:
        """Choose the next packet with an error, also one that the filter hides."""
        source, chosen = self._pane.source, self._pane.table.chosen
        found = source.next_error(-1 if chosen is None else chosen) if source is not None else None
        if found is not None:
            self._pane.table.choose(found)

    # Copying

    def fill_copy_menu(self, menu: QMenu) -> None:
        """Offer the forms that fit the chosen packet; :meth:`copy_chosen` takes the choice."""
        empty_menu(menu)
        if self._pane.packet is None:
            menu.addAction(f"{NO_PACKET}.").setEnabled(False)
            return
        for each in packet_forms([self._pane.packet]):
            action = menu.addAction(each.words)
            action.setToolTip(plain_tip(each.about))
            action.setStatusTip(each.about)
            action.setData(each.key)

    def copy_chosen(self, action: QAction) -> None:
        """Copy the selected packets in the form of an action of the copy menu."""
        if action.data():
            self.copy(form(action.data()))

    def copy(self, wanted: TextForm) -> None:
        """Copy the selected packets in a form."""
        packets = self._pane.selected()
        if sum(packet.size for packet in packets) > MOST_TEXT:
            self._fail(TOO_MUCH)
            return
        try:
            text = packets_text(packets, wanted)
        except FormError as error:
            self._fail(str(error))
            return
        QGuiApplication.clipboard().setText(text)
        self._say(f"{counted(len(packets), 'packet')} copied as {wanted.name}.")

    def copy_rows(self) -> None:
        """Copy the selected rows as lines of text."""
        packets = self._pane.selected()
        if packets:
            QGuiApplication.clipboard().setText("\n".join(packet_row(packet).words for packet in packets))
            self._say(f"{counted(len(packets), 'row')} copied.")

    # Exporting

    def export_payload(self) -> None:
        """Ask for a file, and write the bytes of the chosen packet to it."""
        from viewer.document.packets.exporting import payload_name

        packet = self._pane.packet
        if packet is None:
            return
        path = self._ask_path("Export payload", payload_name(packet.payload), [BYTES])[0]
        if path is not None:
            self._write(path, packet.payload.data, f"{counted(packet.size, 'byte')} written to “{path.name}”.")

    def export_payloads(self) -> None:
        """Ask for a file, and write the bytes of all listed packets to it, each behind its length."""
        path = self._ask_path("Export all payloads", "payloads.bin", [JOINED])[0]
        if path is not None:
            self.write_payloads(path)

    def write_payloads(self, path: Path) -> None:
        """Write the bytes of all listed packets to a file, each behind its length."""
        from viewer.document.packets.exporting import joined

        rows = self._pane.listed()
        data = b"".join(joined(packet.payload for packet in self._packets(rows)))
        self._write(path, data, f"{counted(len(rows), 'payload')} written to “{path.name}”.")

    def export_list(self) -> None:
        """Ask for a file, and write the listed packets to it, as a table or as JSON."""
        path, chosen = self._ask_path("Export list", "packets.csv", list(TABLES))
        if path is not None:
            self.write_list(path if path.suffix else path.with_suffix(TABLES.get(chosen, ".csv")))

    def write_list(self, path: Path) -> None:
        """Write the listed packets to a file, as JSON where its name says so, else as comma-separated values."""
        from viewer.document.packets.exporting import csv_lines, json_lines

        lines = json_lines if path.suffix.lower() == ".json" else csv_lines
        rows = self._pane.listed()
        data = "".join(lines(self._packets(rows))).encode("utf-8", "surrogatepass")
        self._write(path, data, f"{counted(len(rows), 'packet')} written to “{path.name}”.")

    def _packets(self, rows: Sequence[int]) -> Iterable[Packet]:
        source = self._pane.source
        assert source is not None
        return (source.packet(row) for row in rows if row >= source.first)

    def _ask_path(self, title: str, name: str, filters: list[str]) -> tuple[Path | None, str]:
        chosen, which = QtWidgets.QFileDialog.getSaveFileName(
            self._pane.window(), title, str(self._folder / name), ";;".join(filters)
        )
        if not chosen:
            return None, which
        path = Path(chosen)
        self._folder = path.parent
        return path, which

    def _write(self, path: Path, data: bytes, done: str) -> None:
        try:
            files.write(path, data, backup=False)
        except files.FileProblem as error:
            self._fail(str(error))
        else:
            self._say(done)

    # Sending

    def ask_send(self) -> None:
        """Ask whom to send the bytes of the chosen packet to."""
        packet = self._pane.packet
        if packet is not None:
            self.ask_send_bytes(packet.payload.data)

    def ask_send_bytes(self, data: bytes) -> None:
        """Ask whom to send bytes to, such as those of a payload that was edited."""
        dialog = SendDialog(self._pane.window(), data, self._last_end)
        dialog.asked.connect(self.send)
        dialog.show()

    def send(self, data: bytes, end: Endpoint) -> None:
        """Send bytes in one datagram."""
        self._last_end = end
        try:
            send_udp(data, end.host, end.port)
        except LiveError as error:
            self._fail(str(error))
        else:
            self._say(f"{counted(len(data), 'byte')} sent to {end.label}.")


# What a person can say about packets that was not recognised: what ports carry, whose rules hold, names of methods.


class MeaningActions(QObject):
    """Asks, and hands on what was said.

    Args:
        pane: the packets.

    Attributes:
        told: all that was said so far about what is listed.

    Signals:
        said: ``Told``: a person said something else; the packets should be read again.
    """

    said = Signal(object)

    def __init__(self, pane: PacketsPane) -> None:
        super().__init__(pane)
        self._pane = pane
        self.told = Told()

    def slots(self) -> Slots:
        """The actions by name."""
        return {"ports": self.ask_ports, "methods": self.ask_methods}

    def ask_ports(self) -> None:
        """Ask what a port carries; the port of the chosen packet's server is offered."""
        from viewer.ui.packets.dialogs import PortsDialog

        packet = self._pane.packet
        port = None
        if packet is not None:
            port = (packet.target if packet.to_server else packet.source).port
        self._ask(PortsDialog(self._pane.window(), self.told, port))

    def ask_methods(self) -> None:
        """Ask for the names of methods."""
        from viewer.ui.packets.dialogs import MethodsDialog

        self._ask(MethodsDialog(self._pane.window(), self.told))

    def _ask(self, dialog: EndsDialog) -> None:
        dialog.answered.connect(self.tell)
        dialog.show()

    def tell(self, told: Told) -> None:
        """Take what a person says."""
        if told != self.told:
            self.told = told
            self.said.emit(told)
