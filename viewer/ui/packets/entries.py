"""Every action of the list of packets: one table, for the menu bar and for the menu at the mouse."""

from __future__ import annotations

from viewer.ui.menu_entry import MenuEntry

SEPARATOR = None
ENTRIES: tuple[MenuEntry | None, ...] = (
    MenuEntry(
        "listen", "&Listen on UDP Port…", ("Ctrl+Shift+U",), "network", "List what programs send to a port by UDP"
    ),
    MenuEntry(
        "proxy",
        "Proxy &Between Client and Server…",
        (),
        "",
        "Forward UDP between a client and a server, and list what they say",
    ),
    MenuEntry("stop_live", "S&top Recording", ("Ctrl+Shift+.",), "x", "Stop listening; the packets stay"),
    MenuEntry("start_live", "Start &Again", (), "refresh-cw", "Record on the same port again"),
    MenuEntry("clear_live", "&Clear Recorded", (), "trash-2", "Forget the packets that were recorded"),
    MenuEntry("most_packets", "Packets to &Keep"),
    MenuEntry("save_live", "Save Recor&ded…", (), "save", "Write what was recorded to a pcapng file"),
    SEPARATOR,
    MenuEntry("filter_packets", "&Filter Packets…", ("Ctrl+Shift+K",), "funnel", "Show only packets that match"),
    MenuEntry(
        "control_packets",
        "Show C&ontrol Packets",
        (),
        "",
        "Also show what protocols send for themselves",
        checkable=True,
    ),
    MenuEntry(
        "follow_packets", "Follow Ne&w Packets", (), "arrow-down", "Go to the end, and stay there as packets come"
    ),
    MenuEntry("next_packet", "&Next Packet", ("Ctrl+Alt+Down",), "", "Choose the next packet"),
    MenuEntry("previous_packet", "&Previous Packet", ("Ctrl+Alt+Up",), "", "Choose the previous packet"),
    MenuEntry("next_bad_packet", "Next Packet with &Error", ("Ctrl+F8",), "", "Choose the next packet with an error"),
    SEPARATOR,
    MenuEntry("copy_packet", "Copy Pa&yload As", (), "copy", "Copy the bytes or the value of the chosen packets"),
    MenuEntry("copy_packet_rows", "Copy &Rows", (), "", "Copy the chosen rows as text; in the list Ctrl+C does so"),
    MenuEntry("export_payload", "E&xport Payload…", (), "upload", "Write the bytes of the chosen packet to a file"),
    MenuEntry("export_payloads", "Export All Payloads…", (), "", "Write the bytes of all listed packets to one file"),
    MenuEntry("export_packets", "Export Li&st…", (), "", "Write the listed packets to a file as CSV or JSON"),
    MenuEntry("send_packet", "Send by &UDP…", ("Ctrl+Shift+D",), "", "Send the bytes of the chosen packet to a host"),
    SEPARATOR,
    MenuEntry(
        "compare_packet_before",
        "Compare with Previous Packet",
        ("Ctrl+Alt+J",),
        "",
        "Compare the packet with the last one before it that has the same shape",
    ),
    MenuEntry("good_packet", "Mark as &Good", (), "", "Use this packet as the one that others are compared with"),
    MenuEntry("compare_good_packet", "Compare w&ith Good Packet", (), "", "Compare the packet with the good one"),
    MenuEntry("packet_columns", "What &Varies…", (), "", "Show which values vary across the selected packets"),
    SEPARATOR,
    MenuEntry("ports", "W&hat Ports Carry…", (), "", "Say what the bytes on a port are, where that was not recognised"),
    MenuEntry("methods", "&Method Names…", (), "", "Give the names of methods that Godot 4 sends as numbers"),
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
    "compare_packet_before",
    "good_packet",
    "compare_good_packet",
    "packet_columns",
    SEPARATOR,
    "next_bad_packet",
    "ports",
    "methods",
)
"""What the menu at a row offers."""
BY_NAME = {entry.name: entry for entry in ENTRIES if entry is not None}
