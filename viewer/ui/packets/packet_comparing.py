"""Packets held against each other: with the one before of the same shape, with a good one, many by what varies."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from viewer.base.progress import Cancelled
from viewer.document.document import Document
from viewer.document.export.packet_files import payload_document
from viewer.document.packets.packet import Packet
from viewer.ui import dialogs
from viewer.ui.packets.pane import PacketsPane

MOST_BEFORE = 20_000
"""So many packets are looked at for one of the same shape."""
MOST_COMPARED = 500
NEED_ONE = ("compare_packet_before", "good_packet", "compare_good_packet", "packet_columns")
NO_PACKET, NO_GOOD = "Choose a packet first", "Mark a packet as good first"
NONE_BEFORE = "No packet before this one has the same shape."
TOO_FEW = "Select two packets or more in the list."
Slots = dict[str, Callable[[], object]]


class PacketComparing(QObject):
    """What the menus offer for comparing packets.

    Args:
        pane: the packets.
        say: told in words what was done, or why not.

    Attributes:
        good: the packet that the others are held against, None for none.

    Signals:
        wanted: two ``Packet`` are to be compared, the older or good one first.
        columns_wanted: a list of ``Document``: what varies over these packets is to be shown.
    """

    wanted = Signal(object, object)
    columns_wanted = Signal(object)

    def __init__(self, pane: PacketsPane, say: Callable[[str], None]) -> None:
        super().__init__(pane)
        self._pane, self._say = pane, say
        self.good: Packet | None = None

    def slots(self) -> Slots:
        """The actions by name."""
        return {
            "compare_packet_before": self.with_before,
            "good_packet": self.mark_good,
            "compare_good_packet": self.with_good,
            "packet_columns": self.show_columns,
        }

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        if name in NEED_ONE and self._pane.packet is None:
            return NO_PACKET
        return NO_GOOD if name == "compare_good_packet" and self.good is None else ""

    def document(self, packet: Packet) -> Document:
        """The bytes of a packet as a document."""
        source = self._pane.source
        assert source is not None
        return payload_document(packet, source.store.explainer(packet.row), f"packet {packet.payload.number}")

    def with_before(self) -> None:
        """Compare the chosen packet with the last one before it that has its shape."""
        packet = self._pane.packet
        if packet is None:
            return
        try:
            with dialogs.Waiting(self._pane.window(), "Looking for a packet of the same shape …") as waiting:
                before = self.before(packet, waiting.goes_on)
        except Cancelled:
            return
        if before is None:
            self._say(NONE_BEFORE)
        else:
            self.wanted.emit(before, packet)

    def before(self, packet: Packet, goes_on: Callable[[int], bool] = lambda _: True) -> Packet | None:
        """The last listed packet before one that has its shape and went the same way; None where there is none.

        Raises:
            Cancelled: *goes_on* said so.
        """
        from viewer.document.compare.varying_values import shape_of

        source = self._pane.source
        if source is None:
            return None
        shape = shape_of(self.document(packet))
        rows = [row for row in self._pane.listed() if source.first <= row < packet.row][-MOST_BEFORE:]
        for number, row in enumerate(reversed(rows)):
            if not goes_on(number):
                raise Cancelled
            other = source.packet(row)
            if other.message.kind != packet.message.kind or other.to_server is not packet.to_server:
                continue
            if shape_of(self.document(other)) == shape:
                return other
        return None

    def mark_good(self) -> None:
        """Let the chosen packet be the one that others are held against."""
        self.good = self._pane.packet
        if self.good is not None:
            self._say(f"Packet {self.good.payload.number} is the good one; others can be compared with it.")
            self._pane.changed.emit()

    def with_good(self) -> None:
        """Compare the chosen packet with the good one."""
        packet, good = self._pane.packet, self.good
        if packet is None or good is None:
            self._say(NO_GOOD)
        elif packet.payload is good.payload:
            self._say("This is the good packet itself: choose another one.")
        else:
            self.wanted.emit(good, packet)

    def show_columns(self) -> None:
        """Show what varies over the selected packets."""
        packets = self._pane.selected()
        if len(packets) < 2:
            self._say(TOO_FEW)
            return
        if len(packets) > MOST_COMPARED:
            self._say(f"Only the first {MOST_COMPARED} of the selected packets are looked at.")
        self.columns_wanted.emit([self.document(packet) for packet in packets[:MOST_COMPARED]])
