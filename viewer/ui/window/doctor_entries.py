"""The doctor's actions in the menus."""

from __future__ import annotations

from viewer.ui.window.entry import Entry

REPORT = Entry("export_report", "Export Repor&t…", (), "", "Write all that is known of the bytes for a bug tracker")
REPAIRS = Entry(
    "repairs", "Suggested Repai&rs", ("Ctrl+R",), "", "Show or hide what may have gone wrong", checkable=True
)
TOOLS = (
    Entry("explain", "E&xplain", ("F1",), "info", "Say what the selected value or byte is, and how it is laid out"),
    Entry("engines", "What &Engines Do…", (), "stethoscope", "Say which engine versions would read these bytes"),
    Entry("shrink", "S&hrink Failing Bytes…", (), "", "Find the smallest bytes that are refused in the same way"),
)
