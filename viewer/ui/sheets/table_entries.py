"""The actions of tables in the menus."""

from __future__ import annotations

from viewer.ui.menu_entry import SEPARATOR, MenuEntry

ENTRIES: tuple[MenuEntry | None, ...] = (
    MenuEntry(
        "table",
        "Show as Table",
        ("Ctrl+Shift+T",),
        "",
        "Show the list that the selected value belongs to as rows and columns, or close it",
        checkable=True,
    ),
    MenuEntry(
        "table_alone", "Table A&lone", ("F11",), "", "Give the table all of the window, or part of it", checkable=True
    ),
    MenuEntry("table_other", "Other Ta&bles…", ("Ctrl+Alt+T",), "", "List the tables of this file, and show another"),
    MenuEntry("table_swap", "S&wap Rows and Columns", (), "", "Show arrays side by side as columns, or as rows"),
    SEPARATOR,
    MenuEntry("table_filter", "&Filter Rows…", ("Ctrl+Alt+R",), "funnel", "Show only rows with some words or numbers"),
    MenuEntry(
        "table_sort",
        "&Sort by This Column",
        ("Ctrl+Alt+S",),
        "",
        "Show the rows in order: up, then down, then as they are stored; the data stay where they are",
    ),
    MenuEntry(
        "table_sort_data", "Sort the &Data This Way", (), "", "Put the values themselves into the order that is shown"
    ),
    SEPARATOR,
    MenuEntry(
        "table_plot",
        "Plot T&his Column…",
        ("Ctrl+Alt+F7",),
        "",
        "Show the numbers of this column as a line, as a histogram or against another column",
    ),
    SEPARATOR,
    MenuEntry(
        "table_fill", "Fill D&own", (), "arrow-down", "Give the selected cells the value of the topmost (Ctrl+D)"
    ),
    MenuEntry("table_column", "&Add Column…", (), "plus", "Give all rows a key that they lack"),
    MenuEntry("table_rename", "Rena&me Column…", (), "pencil", "Give the key of this column another name in all rows"),
    MenuEntry("table_rows", "Du&plicate Rows", (), "copy-plus", "Insert a copy after each selected row"),
    MenuEntry("table_delete", "Delete Rows", (), "trash-2", "Delete the selected rows"),
    SEPARATOR,
    MenuEntry("table_import", "&Import CSV…", (), "download", "Set the cells to what a CSV file holds"),
    MenuEntry("table_export", "&Export CSV…", (), "upload", "Write the rows and columns that are shown to a CSV file"),
)
AT_CELL = (
    "edit_value",
    "edit_in_editor",
    "look_inside",
    "change_type",
    "copy",
    "paste_value",
    "delete",
    "table_fill",
    "table_column",
    "table_rename",
    "table_rows",
    "table_delete",
    "table_sort",
    "table_sort_data",
    "table_plot",
    "table_filter",
    "table_swap",
    "table_alone",
    "table_import",
    "table_export",
    "copy_path",
)
"""What the menu at a cell offers."""
AT_COLUMN = (
    "table_sort",
    "table_sort_data",
    "table_plot",
    "table_column",
    "table_rename",
    "table_filter",
    "table_swap",
)
"""What the menu at the title of a column offers."""
NEED_TABLE = tuple(entry.name for entry in ENTRIES if entry is not None and entry.name != "table")
"""Actions that have nothing to do where no table is shown."""
