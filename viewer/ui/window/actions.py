"""Every action of the window: one table of name, menu, words, keys and icon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.entries import COPY_MENU, ENTRIES, KEEP_MENU
from viewer.ui.window.entry import SEPARATOR, Entry

# The doctor's actions in the menus.

REPORT = Entry("export_report", "Export Repor&t…", (), "", "Write all that is known of the bytes for a bug tracker")
REPAIRS = Entry(
    "repairs", "Suggested Repai&rs", ("Ctrl+R",), "", "Show or hide what may have gone wrong", checkable=True
)
TOOLS = (
    Entry("explain", "E&xplain", ("F1",), "info", "Say what the selected value or byte is, and how it is laid out"),
    Entry("engines", "What &Engines Do…", (), "stethoscope", "Say which engine versions would read these bytes"),
    Entry("shrink", "S&hrink Failing Bytes…", (), "", "Find the smallest bytes that are refused in the same way"),
)


MENUS: tuple[tuple[str, tuple[Entry | None, ...]], ...] = (
    (
        "&File",
        (
            Entry("open", "&Open…", ("Ctrl+O",), "folder-open", "Open a save or packet"),
            Entry(
                "paste", "Open Clip&board", ("Ctrl+Shift+V",), "clipboard-paste", "Open the hex bytes on the clipboard"
            ),
            Entry("recent", "Open &Recent"),
            Entry("samples", "Sa&mples"),
            Entry("recover", "Recover &Unsaved…", (), "", "List unsaved changes that were kept when the program ended"),
            SEPARATOR,
            Entry("save", "&Save", ("Ctrl+S",), "save", "Write the changes; earlier versions stay beside the file"),
            Entry("save_as", "Save &As…", ("Ctrl+Shift+S",), "save-all", "Write to another file"),
            Entry("revert", "Re&vert", (), "history", "Go back to the saved file and drop all changes"),
            Entry("reload", "Re&load", ("F5",), "refresh-cw", "Read the file again"),
            Entry(
                "reload_unasked",
                "Reload by Itsel&f",
                (),
                "",
                "Read a file without unsaved changes again as soon as another program has written it",
                checkable=True,
            ),
            Entry("backups", "&Earlier Versions to Keep"),
            Entry("layers", "La&yers"),
            SEPARATOR,
            Entry(
                "export_value", "E&xport Value…", (), "upload", "Write the selected value to a file, as text or bytes"
            ),
            Entry("import_value", "&Import Value…", (), "download", "Set the selected value to what a file holds"),
            REPORT,
            SEPARATOR,
            Entry("close", "&Close", ("Ctrl+W",), "x", "Close the file"),
            Entry("quit", "&Quit", ("Ctrl+Q",), "", "Leave the program"),
        ),
    ),
    (
        "&Edit",
        (
            Entry("undo", "&Undo", ("Ctrl+Z",), "undo-2", "Take the last change back"),
            Entry("redo", "&Redo", ("Ctrl+Y", "Ctrl+Shift+Z"), "redo-2", "Do the change again"),
            Entry("history", "C&hanges…", ("Ctrl+Alt+Z",), "history", "List all changes and go back or forth to any"),
            SEPARATOR,
            Entry("edit_value", "&Edit Value", ("F2",), "pencil", "Change the selected value"),
            Entry("edit_in_editor", "Edit in Edit&or…", ("F4", "Ctrl+Return"), "", "Open the editor of its type"),
            Entry("edit_grid", "Edit in &Grid…", ("Shift+F4",), "", "Change a packed array in rows and columns"),
            Entry("cut", "Cu&t", ("Ctrl+X",), "scissors", "Copy the selected values and take them away"),
            Entry("copy", "&Copy", ("Ctrl+C",), "copy", "Copy the selected bytes or values"),
            Entry("paste_value", "&Paste", ("Ctrl+V",), "clipboard-paste", "Put what was copied behind the selection"),
            Entry("paste_into", "Paste &Into", ("Ctrl+Alt+V",), "", "Put what was copied into the selected collection"),
            Entry("delete", "&Delete", ("Del",), "trash-2", "Take the selected values away"),
            Entry("copy_as", "Copy A&s", (), "", "Copy the selected value or bytes in another form"),
            Entry("copy_path", "Cop&y Path", ("Ctrl+Alt+C",), "", "Copy the path of the selected item"),
            SEPARATOR,
            Entry("select_all", "Select &All", ("Ctrl+A",), "", "Select all bytes"),
            Entry("select_range", "Select Ra&nge…", ("Ctrl+E",), "", "Select bytes from one offset to another"),
            SEPARATOR,
            Entry("find", "&Find…", ("Ctrl+F",), "search", "Find a key, value, text or bytes"),
            Entry("find_next", "Find Ne&xt", ("F3",), "arrow-down", "Go to the next place found"),
            Entry("find_previous", "Find Pre&vious", ("Shift+F3",), "arrow-up", "Go to the previous place found"),
            Entry("replace", "Replace…", ("Ctrl+H",), "replace", "Replace what is found"),
            Entry("bulk_edit", "&Bulk Edit…", ("Ctrl+Alt+H",), "", "Change many values by a pattern"),
            Entry("find_list", "&List Places Found", ("Ctrl+Shift+F",), "", "List all places found", checkable=True),
        ),
    ),
    (
        "Va&lue",
        (
            Entry("insert_after", "I&nsert…", ("Ctrl+N",), "plus", "Put a new value behind the selected one"),
            Entry("insert_before", "Insert &Before…", ("Ctrl+Shift+N",), "", "Put a new value before the selected one"),
            Entry("insert_into", "Insert Into…", ("Ctrl+Alt+N",), "", "Put a new value into the selected collection"),
            SEPARATOR,
            Entry("duplicate", "Dup&licate", ("Ctrl+D",), "copy-plus", "Put a copy behind each selected value"),
            Entry("move_up", "Move &Up", ("Ctrl+Shift+Up",), "arrow-up", "Move the selected values a row up"),
            Entry("move_down", "Move Do&wn", ("Ctrl+Shift+Down",), "arrow-down", "Move the selected values a row down"),
            SEPARATOR,
            Entry("rename_key", "&Rename Key", ("Shift+F2",), "pencil", "Change the key of the selected value"),
            Entry("change_type", "C&hange Type"),
            Entry("sort_keys", "Sort &Keys", (), "", "Put the pairs of the selected dictionary in order"),
            SEPARATOR,
            Entry("to_stored", "Add Len&gth Prefixes", (), "", "Write each value behind its length, as store_var does"),
            Entry("to_bare", "Take Length Prefi&x Away", (), "", "Leave the bare value, as var_to_bytes gives it"),
        ),
    ),
    (
        "&Bytes",
        (
            Entry(
                "insert_mode", "Insert &Mode", ("Ins",), "", "Insert typed bytes, or write over others", checkable=True
            ),
            SEPARATOR,
            Entry("insert_bytes", "&Insert Bytes…", ("Ctrl+Shift+I",), "plus", "Put bytes before the caret"),
            Entry("fill_bytes", "&Fill…", ("Ctrl+Shift+L",), "", "Fill the selected bytes with a pattern"),
            Entry(
                "paste_bytes",
                "&Paste into Bytes",
                (),
                "clipboard-paste",
                "Paste hex bytes; in the bytes Ctrl+V does so",
            ),
            Entry("paste_text", "Past&e as Text", (), "", "Paste text in UTF-8; in the bytes Ctrl+Alt+V does so"),
            Entry("delete_bytes", "&Delete Bytes", (), "trash-2", "Take bytes out; in the bytes Del does so"),
            SEPARATOR,
            Entry(
                "mend",
                "Fix &Length and Padding",
                ("Ctrl+L",),
                "wand-sparkles",
                "Make true what changed bytes left wrong",
            ),
        ),
    ),
    (
        "&View",
        (
            Entry("inspector", "&Inspector", ("Ctrl+I",), "panel-right", "Show or hide the inspector", checkable=True),
            Entry(
                "problems", "&Problems", ("Ctrl+Shift+M",), "panel-bottom", "Show or hide the problems", checkable=True
            ),
            REPAIRS,
            Entry("next_pane", "&Next Pane", ("F6",), "", "Move the focus to the next pane"),
            Entry("previous_pane", "Previous Pane", ("Shift+F6",), "", "Move the focus to the previous pane"),
            Entry("next_tab", "Next File", ("Ctrl+Tab", "Ctrl+PgDown"), "", "Show the next open file"),
            Entry("previous_tab", "Previous File", ("Ctrl+Shift+Tab", "Ctrl+PgUp"), "", "Show the open file before"),
            SEPARATOR,
            Entry("filter", "&Filter Values…", ("Ctrl+Alt+F",), "funnel", "Show only rows with a name, type or value"),
            Entry(
                "expand_1", "Expand Level &1", ("Ctrl+Alt+1",), "", "Open the first level of the tree, close all below"
            ),
            Entry("expand_2", "Expand Level &2", ("Ctrl+Alt+2",), "", "Open two levels of the tree, close all below"),
            Entry("expand_3", "Expand Level &3", ("Ctrl+Alt+3",), "", "Open three levels of the tree, close all below"),
            Entry("expand_4", "Expand Level &4", ("Ctrl+Alt+4",), "", "Open four levels of the tree, close all below"),
            Entry("collapse_all", "&Collapse All", ("Ctrl+Alt+0",), "", "Close all rows of the tree"),
            SEPARATOR,
            Entry("zoom_in", "&Zoom In", ("Ctrl++", "Ctrl+="), "plus", "Show the bytes larger"),
            Entry("zoom_out", "Zoom &Out", ("Ctrl+-",), "", "Show the bytes smaller"),
            Entry("zoom_reset", "Normal &Size", ("Ctrl+0",), "", "Show the bytes in their normal size"),
            Entry("row_width", "&Bytes a Row"),
            SEPARATOR,
            Entry("theme", "&Theme", (), "sun-moon"),
        ),
    ),
    (
        "&Go",
        (
            Entry(
                "go_to",
                "To Path or &Offset…",
                ("Ctrl+G",),
                "locate-fixed",
                "Go to a path, or an offset such as 0x1A0 or +16",
            ),
            SEPARATOR,
            Entry("back", "&Back", ("Alt+Left",), "arrow-left", "Go to the place before"),
            Entry("forward", "&Forward", ("Alt+Right",), "arrow-right", "Go to the place after"),
            SEPARATOR,
            Entry(
                "bookmark", "Book&mark", ("Ctrl+B",), "bookmark", "Set a bookmark at the selected value, or remove it"
            ),
            Entry("next_bookmark", "&Next Bookmark", ("Alt+Down",), "", "Go to the next bookmark"),
            Entry("previous_bookmark", "Pre&vious Bookmark", ("Alt+Up",), "", "Go to the bookmark before"),
            Entry("bookmarks", "Bookmark &List…", ("Ctrl+Shift+B",), "", "List all bookmarks with their notes"),
            SEPARATOR,
            Entry("next_problem", "Next &Problem", ("F8",), "triangle-alert", "Go to the next problem"),
            Entry("previous_problem", "Previous Problem", ("Shift+F8",), "", "Go to the problem before"),
            SEPARATOR,
            Entry(
                "dismiss_news",
                "&Dismiss Change Marks",
                ("Ctrl+Alt+D",),
                "",
                "No longer mark what another program has changed",
            ),
        ),
    ),
    (
        "&Tools",
        (
            Entry(
                "palette",
                "&Command Palette…",
                ("Ctrl+Shift+P",),
                "search",
                "Run any action by a few letters of its name",
            ),
            SEPARATOR,
            Entry("read_as", "&Read As", (), "layers", "Choose engine line, precision and framing"),
            Entry("stop_reading", "&Stop Reading", ("Ctrl+.",), "", "Give up reading the values; the bytes stay"),
            SEPARATOR,
            *TOOLS,
        ),
    ),
    ("&Packets", ENTRIES),
    (
        "&Help",
        (
            Entry("shortcuts", "&Keyboard", ("Ctrl+F1",), "keyboard", "Show all keys"),
            Entry("about", "&About Variant Viewer", (), "info", "Show the version"),
        ),
    ),
)
IN_VIEW = frozenset({"open", "save", "undo", "redo", "back", "forward", "find", "problems", "inspector"})
"""Actions whose icons stand in the tool row."""
ICONS_AFTER = 200
"""Milliseconds until the icons of the menus are drawn, so that the first frame need not wait for them."""
SUBMENUS = (
    "copy_as",
    "recent",
    "samples",
    "row_width",
    "theme",
    "read_as",
    "change_type",
    "backups",
    "layers",
    COPY_MENU,
    KEEP_MENU,
)


class Actions:
    """The window's actions and menus, built from the table.

    Args:
        window: whose actions they are.
        bar: the menu bar to fill.
        slots: what each action does, by its name; every action but the submenus must have one.
    """

    def __init__(self, window: QWidget, bar: QMenuBar, slots: Mapping[str, Callable[[], object]]) -> None:
        self._actions: dict[str, QAction] = {}
        self._theme: Theme | None = None
        self._later = QTimer(window, singleShot=True, interval=ICONS_AFTER)
        self._later.timeout.connect(self._draw_all)
        self._icons: dict[str, str] = {}
        self.menus: dict[str, QMenu] = {}
        for title, entries in MENUS:
            menu = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            for entry in entries:
                if entry is SEPARATOR:
                    menu.addSeparator()
                elif entry.name in SUBMENUS:
                    self._add_submenu(menu, entry)
                else:
                    self._add_action(menu, window, entry, slots[entry.name])

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in a theme: those that are always in view at once, those of the menus in a moment."""
        self._theme = theme
        self._draw(IN_VIEW)
        self._later.start()

    def _draw_all(self) -> None:
        self._draw(self._icons.keys() - IN_VIEW)

    def _draw(self, names: Iterable[str]) -> None:
        assert self._theme is not None
        for name in names:
            self._actions[name].setIcon(icon(self._icons[name], self._theme))

    def _add_submenu(self, menu: QMenu, entry: Entry) -> None:
        submenu = menu.addMenu(entry.text)
        submenu.setToolTipsVisible(True)
        self.menus[entry.name] = submenu
        self._keep(entry, submenu.menuAction())

    def _add_action(self, menu: QMenu, window: QWidget, entry: Entry, slot: Callable[[], object]) -> None:
        action = QAction(entry.text, window)
        action.setShortcuts([QKeySequence(keys) for keys in entry.keys])
        action.setCheckable(entry.checkable)
        action.setIconVisibleInMenu(not entry.checkable)
        action.triggered.connect(lambda checked=False: slot())
        menu.addAction(action)
        window.addAction(action)
        self._keep(entry, action)

    def _keep(self, entry: Entry, action: QAction) -> None:
        action.setObjectName(entry.name)
        keys = QKeySequence(entry.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if entry.keys else ""
        action.setToolTip(plain_tip(f"{entry.tip} ({keys})" if keys else entry.tip))
        action.setStatusTip(entry.tip)
        self._actions[entry.name] = action
        if entry.icon:
            self._icons[entry.name] = entry.icon


def all_entries() -> list[tuple[str, Entry]]:
    """Every action with the name of its menu, for the page that lists the keys."""
    return [(title.replace("&", ""), entry) for title, entries in MENUS for entry in entries if entry is not None]
