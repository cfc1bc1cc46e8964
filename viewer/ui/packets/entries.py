"""Every action of the list of packets: one table, for the menu bar and for the menu at the mouse."""

from __future__ import annotations

from viewer.ui.window.entry import Entry

SEPARATOR = None
ENTRIES: tuple[Entry | None, ...] = (
    Entry("listen", "&Listen on UDP Port…", ("Ctrl+Shift+U",), "network", "List what programs send to a port by UDP"),
    Entry("proxy", "Stand &Between…", (), "", "Forward UDP between a client and a server, and list what they say"),
    Entry("stop_live", "S&top Recording", ("Ctrl+Shift+.",), "x", "Stop listening; the packets stay"),
    Entry("start_live", "Start &Again", (), "refresh-cw", "Record on the same port again"),
    Entry("clear_live", "&Clear Recorded", (), "trash-2", "Forget the packets that were recorded"),
    Entry("most_packets", "Packets to &Keep"),
    Entry("save_live", "Save Recor&ded…", (), "save", "Write what was recorded to a pcapng file"),
    SEPARATOR,
    Entry("filter_packets", "&Filter Packets…", ("Ctrl+Shift+K",), "funnel", "Show only packets that fit"),
    Entry(
        "control_packets", "Show C&ontrol Packets", (), "", "Show also what protocols say to themselves", checkable=True
    ),
    Entry("follow_packets", "Follow Ne&w Packets", (), "arrow-down", "Go to the end, and stay there as packets come"),
    Entry("next_packet", "&Next Packet", ("Ctrl+Alt+Down",), "", "Choose the next packet"),
    Entry("previous_packet", "&Previous Packet", ("Ctrl+Alt+Up",), "", "Choose the packet before"),
    Entry("next_bad_packet", "Next Packet with &Error", ("Ctrl+F8",), "", "Choose the next packet with an error"),
    SEPARATOR,
    Entry("copy_packet", "Copy Pa&yload As", (), "copy", "Copy the bytes or the value of the chosen packets"),
    Entry("copy_packet_rows", "Copy &Rows", (), "", "Copy the chosen rows as text; in the list Ctrl+C does so"),
    Entry("export_payload", "E&xport Payload…", (), "upload", "Write the bytes of the chosen packet to a file"),
    Entry("export_payloads", "Export All Payloads…", (), "", "Write the bytes of all listed packets to one file"),
    Entry("export_packets", "Export Li&st…", (), "", "Write the listed packets to a file as CSV or JSON"),
    Entry("send_packet", "Send by &UDP…", ("Ctrl+Shift+D",), "", "Send the bytes of the chosen packet to a host"),
    SEPARATOR,
    Entry("ports", "W&hat Ports Carry…", (), "", "Say what the bytes on a port are, where that was not recognised"),
    Entry("methods", "&Method Names…", (), "", "Give the names of methods that Godot 4 sends as numbers"),
)
COPY_MENU = "copy_packet"
KEEP_MENU = "most_packets"
"""The entries that are menus of their own."""
AT_ROW = (
    "copy_packet",
    "copy_packet_rows",
    SEPARATOR,
    "export_payload",
    "send_packet",
    SEPARATOR,
    "next_bad_packet",
    "ports",
    "methods",
)
"""What the menu at a row offers."""
BY_NAME = {entry.name: entry for entry in ENTRIES if entry is not None}
