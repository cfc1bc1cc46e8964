"""Packets: the pane with all that can be done with it, in one piece for the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from viewer.base.buffer import Buffer
from viewer.base.words import counted
from viewer.container.wire import Endpoint
from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.export.forms import FormError, TextForm, form
from viewer.document.export.forms.packet_forms import packet_forms, packets_text
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.packets.live import LiveError, send_udp
from viewer.document.packets.packet import Packet
from viewer.document.packets.packet_source import MOST_RECORDS, CaptureSource, PacketSource, Recording
from viewer.document.viewmodel.packet_row import packet_row
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.menu_entry import MenuEntry
from viewer.ui.packets.entries import AT_ROW, BY_NAME, COPY_MENU, ENTRIES, KEEP_MENU
from viewer.ui.packets.live_traffic import RecordingRequest, TrafficListener
from viewer.ui.packets.packet_comparing import PacketComparing
from viewer.ui.packets.packet_dialogs import EndsDialog, ListenDialog, ProxyDialog, SendDialog
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.panels.panel_widgets import empty_menu

# What can be done with packets: copy, export, send, step from one to the next, say what their bytes mean.

NO_PACKET = "Choose a packet first"
NO_PACKETS = "No packets are listed"
NO_ERRORS = "No packet has an error"
MOST_TEXT = 16 << 20
TOO_MUCH = "These are too many bytes for the clipboard; export them instead."
BYTES = "Plain bytes (*.bin)"
JOINED = "One file, each after its length (*.bin)"
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
        from viewer.document.export.packet_files import payload_name

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
        from viewer.document.export.packet_files import joined

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
        from viewer.document.export.packet_files import csv_lines, json_lines

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
        said: ``TrafficSettings``: a person said something else; the packets should be read again.
    """

    said = Signal(object)

    def __init__(self, pane: PacketsPane) -> None:
        super().__init__(pane)
        self._pane = pane
        self.told = TrafficSettings()

    def slots(self) -> Slots:
        """The actions by name."""
        return {"ports": self.ask_ports, "methods": self.ask_methods}

    def ask_ports(self) -> None:
        """Ask what a port carries; the port of the chosen packet's server is offered."""
        from viewer.ui.packets.packet_dialogs import PortsDialog

        packet = self._pane.packet
        port = None
        if packet is not None:
            port = (packet.target if packet.to_server else packet.source).port
        self._ask(PortsDialog(self._pane.window(), self.told, port))

    def ask_methods(self) -> None:
        """Ask for the names of methods."""
        from viewer.ui.packets.packet_dialogs import MethodsDialog

        self._ask(MethodsDialog(self._pane.window(), self.told))

    def _ask(self, dialog: EndsDialog) -> None:
        dialog.answered.connect(self.tell)
        dialog.show()

    def tell(self, told: TrafficSettings) -> None:
        """Take what a person says."""
        if told != self.told:
            self.told = told
            self.said.emit(told)


# What can be done with live traffic: listen, stand between, stop, start again, clear, save.

PCAPNG = "Captures (*.pcapng)"
NOT_RECORDED = "Nothing is being recorded"
RUNS = "It is recording already"
NEVER = "Nothing was recorded yet"
NO_RECORDS = "There is nothing recorded"


class LiveActions(QObject):
    """Starts, stops and saves what a pane lists.

    Args:
        pane: what lists it.
        say: told in words what was done.
        fail: told in words what could not be done.

    Attributes:
        recording: what was heard, None while a capture or nothing is listed.
        told: what a person said about the traffic, for the next recording.

    Signals:
        started: something is recorded.
    """

    started = Signal()

    def __init__(self, pane: PacketsPane, say: Callable[[str], None], fail: Callable[[str], None]) -> None:
        super().__init__(pane)
        self._pane, self._say, self._fail = pane, say, fail
        self.recording: Recording | None = None
        self.told = TrafficSettings()
        self.most = MOST_RECORDS
        self._last: dict[type[EndsDialog], RecordingRequest] = {}
        self._number = 1
        pane.bar.stop_requested.connect(self.stop)
        pane.bar.start_requested.connect(self.start_again)
        pane.bar.clear_requested.connect(self.clear)
        pane.bar.save_requested.connect(self.save)

    def slots(self) -> dict[str, Callable[[], object]]:
        """The actions by name."""
        return {
            "listen": self.ask_listen,
            "proxy": self.ask_proxy,
            "stop_live": self.stop,
            "start_live": self.start_again,
            "clear_live": self.clear,
            "save_live": self.save,
        }

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        live, recording = self._pane.live, self.recording
        if name == "stop_live" and not live.state.is_running:
            return NOT_RECORDED
        if name == "start_live" and (live.wanted is None or live.state.is_running):
            return RUNS if live.state.is_running else NEVER
        if name in ("clear_live", "save_live") and (recording is None or not recording.records):
            return NO_RECORDS
        return ""

    def ask_listen(self) -> None:
        """Ask where to listen."""
        self._ask(ListenDialog(self._pane.window(), self._last.get(ListenDialog)))

    def ask_proxy(self) -> None:
        """Ask where to listen and whom to forward to."""
        self._ask(ProxyDialog(self._pane.window(), self._last.get(ProxyDialog)))

    def start(self, wanted: RecordingRequest) -> bool:
        """Record; whether that is possible. What was recorded before stays in the list."""
        self.stop()
        try:
            ear = open_ear(wanted, self._number)
        except LiveError as error:
            self._fail(str(error))
            return False
        recording = self.recording
        if recording is None:
            recording = self.recording = Recording(self.told, self.most)
        self._last[ProxyDialog if wanted.server is not None else ListenDialog] = wanted
        self._pane.live.start(wanted, ear, recording.add)
        if self._pane.source is not recording:
            self._pane.drop_filter()
            self._pane.show_source(recording)
        self.started.emit()
        return True

    def start_again(self) -> None:
        """Record on the same port as before."""
        if self._pane.live.wanted is not None:
            self.start(self._pane.live.wanted)

    def stop(self) -> None:
        """Stop recording; the packets stay."""
        self._pane.live.stop()
        if self.recording is not None and self.recording.records:
            self._number = self.recording.records[-1].number + 1

    def clear(self) -> None:
        """Forget what was recorded."""
        if self.recording is not None:
            self.recording.clear()
            self._pane.live.count_anew()
            self._pane.forget()

    def tell(self, told: TrafficSettings) -> None:
        """Take up what was recorded anew, with what a person says about it."""
        self.told = told
        if self.recording is not None:
            self.recording = self.recording.again(told)
            self._pane.live.put_into(self.recording.add)
            self._pane.show_source(self.recording)

    def leave(self) -> None:
        """Stop, and have nothing to do with what the pane lists from now on."""
        self.stop()
        self.recording, self._number = None, 1
        self._pane.live.end()

    def save(self) -> None:
        """Ask for a file, and write what was recorded to it."""
        if self.why_not("save_live"):
            self._say(f"{NO_RECORDS}.")
            return
        name, _ = QtWidgets.QFileDialog.getSaveFileName(
            self._pane.window(), "Save recorded packets", "recorded.pcapng", PCAPNG
        )
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write what was recorded to a file."""
        from viewer.container.capture import CaptureError

        assert self.recording is not None
        path = path if path.suffix else path.with_suffix(".pcapng")
        try:
            count = self.recording.save(path)
        except (FileProblem, CaptureError) as error:
            self._fail(f"“{path.name}” was not written. {error}")
        else:
            self._say(f"Saved {counted(count, 'packet')} to “{path.name}”.")

    def _ask(self, dialog: EndsDialog) -> None:
        dialog.answered.connect(self.start)
        dialog.show()


def open_ear(wanted: RecordingRequest, first: int = 1) -> TrafficListener:
    """Listen, and forward where that is wanted; the first record gets the number *first*.

    Raises:
        LiveError: that is not possible; the text says why.
    """
    from viewer.document.packets.live import Proxy, Recorder

    if wanted.server is None:
        return Recorder(wanted.port, wanted.host, first=first)
    return Proxy(wanted.port, wanted.server, wanted.host, first=first)


class Packets(QObject):
    """A pane of packets, its actions and its menus.

    Args:
        theme: its colours.
        say: told in words what was done.
        fail: told in words what could not be done.

    Attributes:
        pane: the widget.
        commands, live, meaning, comparing: what its actions do.
    """

    def __init__(self, theme: Theme, say: Callable[[str], None], fail: Callable[[str], None]) -> None:
        super().__init__()
        self._theme = theme
        self.pane = PacketsPane(theme)
        self.commands = PacketCommands(self.pane, say, fail)
        self.live = LiveActions(self.pane, say, fail)
        self.meaning = MeaningActions(self.pane)
        self.comparing = PacketComparing(self.pane, say)
        self._slots: Slots = {
            **self.commands.slots(),
            **self.live.slots(),
            **self.meaning.slots(),
            **self.comparing.slots(),
        }
        self.meaning.said.connect(self._read_again)
        self.pane.reload_requested.connect(self.read_again)
        self.pane.menu_requested.connect(self._open_row_menu)
        self.pane.tools_requested.connect(self._open_tools)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self.pane.set_theme(theme)

    def open_capture(self, buffer: Buffer) -> None:
        """List the packets of a capture, which is read while there is time.

        Raises:
            CaptureError: it is none.
        """
        self.show_source(CaptureSource(buffer, self.meaning.told))

    def show_source(self, source: PacketSource | None) -> None:
        """List other packets; recording is stopped, and what was recorded is let go."""
        self.live.leave()
        self.comparing.good = None
        self.pane.drop_filter()
        self.pane.show_source(source)

    def read_again(self) -> None:
        """Read the capture from its start."""
        self._read_again(self.meaning.told)

    def _read_again(self, told: TrafficSettings) -> None:
        source = self.pane.source
        row = self.pane.table.chosen if self.pane.table.by_hand else None
        if isinstance(source, CaptureSource):
            self.pane.show_source(source.again(told))
        else:
            self.live.tell(told)
        if row is not None:
            self.pane.choose_later(row)

    @property
    def has_recorded(self) -> bool:
        """Whether there is anything recorded that closing would lose."""
        return bool(self.live.recording is not None and self.live.recording.records)

    def close(self) -> None:
        """Stop all threads; for the end of the program."""
        self.live.leave()

    # Actions by name, for the menus of the window and for those here

    def run(self, name: str) -> None:
        """Do what an entry says."""
        self._slots[name]()

    def why_not(self, name: str) -> str:
        """Why an entry cannot be chosen now, in words; empty where it can."""
        return self.commands.why_not(name) or self.live.why_not(name) or self.comparing.why_not(name)

    def is_on(self, name: str) -> bool:
        """Whether a switch is on."""
        return name == "control_packets" and self.pane.shows_control

    def fill(self, menu: QMenu, names: Iterable[str | None]) -> None:
        """Put entries into a menu, as they can be chosen now."""
        menu.setToolTipsVisible(True)
        for name in names:
            if name is None:
                menu.addSeparator()
            elif name == KEEP_MENU:
                continue  # the menu bar has it
            elif name == COPY_MENU:
                self._add_copy_menu(menu, BY_NAME[name])
            else:
                self._add(menu, BY_NAME[name])
        menu.triggered.connect(self._on_triggered)

    def keep(self, most: int) -> None:
        """Keep so many packets of what is recorded from the next start on."""
        self.live.most = most

    def _add(self, menu: QMenu, entry: MenuEntry) -> None:
        keys = QKeySequence(entry.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if entry.keys else ""
        action = menu.addAction(f"{entry.text}\t{keys}" if keys else entry.text)  # shown only: the window has the keys
        why = self.why_not(entry.name)
        action.setObjectName(entry.name)
        action.setData(entry.name)
        action.setEnabled(not why)
        action.setToolTip(plain_tip(why or entry.tip))
        action.setCheckable(entry.checkable)
        action.setChecked(self.is_on(entry.name))
        if entry.icon:
            action.setIcon(icon(entry.icon, self._theme))

    def _add_copy_menu(self, menu: QMenu, entry: MenuEntry) -> None:
        below = menu.addMenu(entry.text)
        below.setToolTipsVisible(True)
        below.setIcon(icon(entry.icon, self._theme))
        self.commands.fill_copy_menu(below)
        below.triggered.connect(self.commands.copy_chosen)

    def _on_triggered(self, action: QAction) -> None:
        if action.data() in self._slots:
            self.run(action.data())

    def _open_row_menu(self, at: QPoint) -> None:
        self._open(AT_ROW if self.pane.packet is not None else ("listen", "proxy"), at)

    def _open_tools(self, at: QPoint) -> None:
        self._open([entry.name if entry is not None else None for entry in ENTRIES], at)

    def _open(self, names: Iterable[str | None], at: QPoint) -> None:
        menu = QMenu(self.pane)
        menu.setObjectName("packetsMenu")
        menu.aboutToHide.connect(menu.deleteLater)
        self.fill(menu, names)
        menu.popup(at)
