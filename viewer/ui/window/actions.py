"""Every action of the window: one table of name, menu, words, keys and icon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.menu_entry import SEPARATOR, MenuEntry
from viewer.ui.packets.entries import COPY_MENU, ENTRIES, KEEP_MENU
from viewer.ui.sheets.table_entries import ENTRIES as TABLE_ENTRIES

# The doctor's actions in the menus.

REPORT = MenuEntry(
    "export_report", "Export Repor&t…", (), "", "Write all that is known about the bytes for a bug report"
)
REPAIRS = MenuEntry(
    "repairs", "Suggested Repai&rs", ("Ctrl+R",), "", "Show or hide what may have gone wrong", checkable=True
)
TOOLS = (
    MenuEntry(
        "explain", "E&xplain", ("F1",), "info", "Show what the selected value or byte is, and how it is laid out"
    ),
    MenuEntry("engines", "What &Engines Do…", (), "stethoscope", "Show which engine versions would read these bytes"),
    MenuEntry("shrink", "S&hrink Failing Bytes…", (), "", "Find the smallest input that is refused in the same way"),
)


MENUS: tuple[tuple[str, tuple[MenuEntry | None, ...]], ...] = (
    (
        "&File",
        (
            MenuEntry("open", "&Open…", ("Ctrl+O",), "folder-open", "Open a save or packet"),
            MenuEntry(
                "paste", "Open Clip&board", ("Ctrl+Shift+V",), "clipboard-paste", "Open the hex bytes on the clipboard"
            ),
            MenuEntry("recent", "Open &Recent"),
            MenuEntry("games", "&Games…", ("Ctrl+Shift+O",), "", "Find the saves of the games on this computer"),
            MenuEntry("samples", "Sam&ples"),
            MenuEntry("new_window", "New &Window", ("Ctrl+Alt+W",), "", "Open another window of the program"),
            MenuEntry(
                "recover", "Recover &Unsaved…", (), "", "List unsaved changes that were kept when the program ended"
            ),
            SEPARATOR,
            MenuEntry("save", "&Save", ("Ctrl+S",), "save", "Save the changes; earlier versions stay beside the file"),
            MenuEntry("save_as", "Save &As…", ("Ctrl+Shift+S",), "save-all", "Write to another file"),
            MenuEntry("save_for", "Save for Another Engi&ne"),
            MenuEntry("save_kind", "Save as Another &Kind"),
            MenuEntry(
                "timeline",
                "Timeline…",
                ("Ctrl+Shift+H",),
                "history",
                "Keep and show the versions that a game writes, follow a value, find what you did",
            ),
            MenuEntry(
                "revert",
                "Re&vert",
                (),
                "history",
                "Go back to the saved file; redo brings the changes back",
            ),
            MenuEntry("reload", "Re&load", ("F5",), "refresh-cw", "Read the file again"),
            MenuEntry(
                "reload_unasked",
                "Reload Auto&matically",
                (),
                "",
                "Reload a file without unsaved changes as soon as another program has written it",
                checkable=True,
            ),
            MenuEntry(
                "reopen",
                "Reopen &Files at Start",
                (),
                "",
                "Reopen the files, tabs and windows from last time when the program starts",
                checkable=True,
            ),
            MenuEntry("backups", "&Earlier Versions to Keep"),
            MenuEntry("layers", "La&yers"),
            SEPARATOR,
            MenuEntry(
                "export_value", "E&xport Value…", (), "upload", "Write the selected value to a file, as text or bytes"
            ),
            MenuEntry(
                "import_value", "&Import Value…", (), "download", "Set the selected value to the contents of a file"
            ),
            REPORT,
            SEPARATOR,
            MenuEntry("close", "&Close", ("Ctrl+W",), "x", "Close the file"),
            MenuEntry("close_window", "Close Win&dow", ("Ctrl+Shift+W",), "", "Close this window with all its files"),
            MenuEntry("quit", "&Quit", ("Ctrl+Q",), "", "Quit the program"),
        ),
    ),
    (
        "&Edit",
        (
            MenuEntry("undo", "&Undo", ("Ctrl+Z",), "undo-2", "Undo the last change"),
            MenuEntry("redo", "&Redo", ("Ctrl+Y", "Ctrl+Shift+Z"), "redo-2", "Redo the last undone change"),
            MenuEntry(
                "history",
                "C&hanges…",
                ("Ctrl+Alt+Z",),
                "history",
                "List all changes, and go back or forward to any of them",
            ),
            SEPARATOR,
            MenuEntry("edit_value", "&Edit Value", ("F2",), "pencil", "Change the selected value"),
            MenuEntry("edit_in_editor", "Edit in Edit&or…", ("F4", "Ctrl+Return"), "", "Open the editor for its type"),
            MenuEntry("edit_grid", "Edit in &Grid…", ("Shift+F4",), "", "Edit a packed array as rows and columns"),
            MenuEntry("cut", "Cu&t", ("Ctrl+X",), "scissors", "Cut the selected values"),
            MenuEntry("copy", "&Copy", ("Ctrl+C",), "copy", "Copy the selected bytes or values"),
            MenuEntry("paste_value", "&Paste", ("Ctrl+V",), "clipboard-paste", "Paste after the selection"),
            MenuEntry("paste_into", "Paste &Into", ("Ctrl+Alt+V",), "", "Paste into the selected collection"),
            MenuEntry("delete", "&Delete", ("Del",), "trash-2", "Delete the selected values"),
            MenuEntry("copy_as", "Copy A&s", (), "", "Copy the selected value or bytes in another form"),
            MenuEntry("copy_path", "Cop&y Path", ("Ctrl+Alt+C",), "", "Copy the path of the selected item"),
            SEPARATOR,
            MenuEntry("select_all", "Select &All", ("Ctrl+A",), "", "Select all bytes"),
            MenuEntry("select_range", "Select Ra&nge…", ("Ctrl+E",), "", "Select bytes from one offset to another"),
            SEPARATOR,
            MenuEntry("find", "&Find…", ("Ctrl+F",), "search", "Find a key, value, text or bytes"),
            MenuEntry("find_next", "Find Ne&xt", ("F3",), "arrow-down", "Go to the next place found"),
            MenuEntry("find_previous", "Find Pre&vious", ("Shift+F3",), "arrow-up", "Go to the previous place found"),
            MenuEntry("replace", "Replace…", ("Ctrl+H",), "replace", "Replace what is found"),
            MenuEntry("bulk_edit", "&Bulk Edit…", ("Ctrl+Alt+H",), "", "Change many values by a pattern"),
            MenuEntry(
                "find_list", "&List Places Found", ("Ctrl+Shift+F",), "", "List all places found", checkable=True
            ),
        ),
    ),
    (
        "Va&lue",
        (
            MenuEntry(
                "insert_after", "I&nsert After…", ("Ctrl+N",), "plus", "Insert a new value after the selected one"
            ),
            MenuEntry(
                "insert_before", "Insert &Before…", ("Ctrl+Shift+N",), "", "Insert a new value before the selected one"
            ),
            MenuEntry(
                "insert_into", "Insert Into…", ("Ctrl+Alt+N",), "", "Insert a new value into the selected collection"
            ),
            SEPARATOR,
            MenuEntry("duplicate", "Dup&licate", ("Ctrl+D",), "copy-plus", "Insert a copy after each selected value"),
            MenuEntry(
                "order",
                "&Move and Sort",
                tip="Move the selected values, or sort their keys",
                entries=(
                    MenuEntry(
                        "move_up", "Move &Up", ("Ctrl+Shift+Up",), "arrow-up", "Move the selected values up one row"
                    ),
                    MenuEntry(
                        "move_down",
                        "Move Do&wn",
                        ("Ctrl+Shift+Down",),
                        "arrow-down",
                        "Move the selected values down one row",
                    ),
                    MenuEntry("sort_keys", "Sort &Keys", (), "", "Sort the pairs of the selected dictionary"),
                ),
            ),
            SEPARATOR,
            MenuEntry("rename_key", "&Rename Key", ("Shift+F2",), "pencil", "Change the key of the selected value"),
            MenuEntry("change_type", "C&hange Type"),
            MenuEntry(
                "look_inside",
                "Look Inside",
                ("F7",),
                "layers",
                "Open what these bytes or this text hold, or close it",
            ),
            SEPARATOR,
            MenuEntry("picture", "Show Picture…", ("Shift+F7",), "", "Show an Image, or bytes that are a picture"),
            MenuEntry(
                "plot",
                "Show Plot or Colours…",
                ("Ctrl+F7",),
                "",
                "Show numbers as a line, vectors as points, rectangles and transforms as shapes, colours as a palette",
            ),
            MenuEntry("export_picture", "&Export Picture…", (), "", "Write the selected picture to a file"),
            MenuEntry("replace_picture", "Replace Picture…", (), "", "Replace the picture with one from a file"),
            SEPARATOR,
            MenuEntry(
                "to_stored", "Add Len&gth Prefixes", (), "", "Write the length before each value, as store_var does"
            ),
            MenuEntry("to_bare", "Remove Length Prefi&x", (), "", "Leave the bare value, as var_to_bytes gives it"),
        ),
    ),
    (
        "&Bytes",
        (
            MenuEntry(
                "insert_mode", "Insert &Mode", ("Ins",), "", "Insert typed bytes, or overwrite others", checkable=True
            ),
            SEPARATOR,
            MenuEntry("insert_bytes", "&Insert Bytes…", ("Ctrl+Shift+I",), "plus", "Insert bytes before the caret"),
            MenuEntry("fill_bytes", "&Fill…", ("Ctrl+Shift+L",), "", "Fill the selected bytes with a pattern"),
            MenuEntry(
                "paste_bytes",
                "&Paste into Bytes",
                (),
                "clipboard-paste",
                "Paste hex bytes; in the bytes, Ctrl+V does this",
            ),
            MenuEntry(
                "paste_text", "Past&e as Text", (), "", "Paste text as UTF-8; in the bytes, Ctrl+Alt+V does this"
            ),
            MenuEntry("delete_bytes", "&Delete Bytes", (), "trash-2", "Delete bytes; in the bytes, Del does this"),
            SEPARATOR,
            MenuEntry(
                "describe",
                "These Bytes Are…",
                ("Ctrl+T",),
                "pencil",
                "Describe bytes that belong to no value; the resulting layout reads other files of the game, too",
            ),
            MenuEntry("undescribe", "Remo&ve Description", (), "", "Remove the description of the selected field"),
            MenuEntry("open_layout", "&Open Layout File", (), "", "Open the layout of this file in your editor"),
            MenuEntry("forget_layout", "For&get Layout", (), "", "Forget the layout of this file, with all its fields"),
            SEPARATOR,
            MenuEntry(
                "mend",
                "Fix &Length and Padding",
                ("Ctrl+L",),
                "wand-sparkles",
                "Correct what edited bytes left wrong",
            ),
        ),
    ),
    (
        "&View",
        (
            MenuEntry(
                "inspector", "&Inspector", ("Ctrl+I",), "panel-right", "Show or hide the inspector", checkable=True
            ),
            MenuEntry(
                "problems", "&Problems", ("Ctrl+Shift+M",), "panel-bottom", "Show or hide the problems", checkable=True
            ),
            REPAIRS,
            MenuEntry(
                "bytes",
                "B&ytes",
                ("Ctrl+Alt+B",),
                "",
                "Show the bytes, or the text, beside the values, or the values alone",
                checkable=True,
            ),
            MenuEntry("text", "Te&xt", ("F9",), "", "Show a text file as text, or as bytes", checkable=True),
            SEPARATOR,
            MenuEntry(
                "panes",
                "Pa&nes and Tabs",
                tip="Go to another pane, or to another open file",
                entries=(
                    MenuEntry("next_pane", "&Next Pane", ("F6",), "", "Move the focus to the next pane"),
                    MenuEntry(
                        "previous_pane", "Previous Pane", ("Shift+F6",), "", "Move the focus to the previous pane"
                    ),
                    MenuEntry("next_tab", "Next File", ("Ctrl+Tab", "Ctrl+PgDown"), "", "Show the next open file"),
                    MenuEntry(
                        "previous_tab",
                        "Previous File",
                        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
                        "",
                        "Show the previous open file",
                    ),
                ),
            ),
            MenuEntry(
                "split",
                "Sp&lit",
                tip="Show two files, or one file twice, side by side",
                entries=(
                    MenuEntry(
                        "split_right", "Sp&lit Right", ("F12", "Ctrl+\\"), "", "Show this file a second time, beside it"
                    ),
                    MenuEntry(
                        "split_below", "Split Belo&w", ("Shift+F12",), "", "Show this file a second time, below it"
                    ),
                    MenuEntry(
                        "other_side", "Ot&her Side", ("Ctrl+F6",), "", "Go to the other side of the split window"
                    ),
                    MenuEntry(
                        "move_over",
                        "&Move to Other Side",
                        ("Ctrl+Alt+F6",),
                        "",
                        "Move this file to the other side or window",
                    ),
                    MenuEntry(
                        "move_to_new", "Move to New Window", ("Ctrl+Alt+F12",), "", "Move this file to a new window"
                    ),
                    MenuEntry(
                        "close_split",
                        "Clos&e Split",
                        ("Ctrl+F12",),
                        "",
                        "Give this side the whole window, with all files",
                    ),
                ),
            ),
            MenuEntry(
                "arrange",
                "Arran&ge",
                tip="Give the space to values, bytes or packets",
                entries=(
                    MenuEntry("arrange_values", "&Values Alone", (), "", "Give the values all the space"),
                    MenuEntry(
                        "arrange_both", "Values an&d Bytes", (), "", "Show the values, their bytes and the inspector"
                    ),
                    MenuEntry(
                        "arrange_packets", "Pac&kets Over Both", (), "", "Show the packets over values and bytes"
                    ),
                ),
            ),
            SEPARATOR,
            MenuEntry(
                "filter", "&Filter Values…", ("Ctrl+Alt+F",), "funnel", "Show only rows with a name, type or value"
            ),
            MenuEntry(
                "expand",
                "&Expand",
                tip="Open the tree down to a level, or close all of it",
                entries=(
                    MenuEntry(
                        "expand_1",
                        "Expand Level &1",
                        ("Ctrl+Alt+1",),
                        "",
                        "Open the first level of the tree, close everything below",
                    ),
                    MenuEntry(
                        "expand_2",
                        "Expand Level &2",
                        ("Ctrl+Alt+2",),
                        "",
                        "Open two levels of the tree, close everything below",
                    ),
                    MenuEntry(
                        "expand_3",
                        "Expand Level &3",
                        ("Ctrl+Alt+3",),
                        "",
                        "Open three levels of the tree, close everything below",
                    ),
                    MenuEntry(
                        "expand_4",
                        "Expand Level &4",
                        ("Ctrl+Alt+4",),
                        "",
                        "Open four levels of the tree, close everything below",
                    ),
                    MenuEntry("collapse_all", "&Collapse All", ("Ctrl+Alt+0",), "", "Close all rows of the tree"),
                ),
            ),
            MenuEntry("columns", "Col&umns", (), "", "Choose the columns of the tree"),
            MenuEntry(
                "focus_branch",
                "Focus on This Br&anch",
                ("Ctrl+Alt+O",),
                "",
                "Show only the rows below the selected value, or the whole tree again",
                checkable=True,
            ),
            SEPARATOR,
            MenuEntry(
                "zoom",
                "&Zoom",
                tip="Show the bytes larger or smaller",
                entries=(
                    MenuEntry("zoom_in", "&Zoom In", ("Ctrl++", "Ctrl+="), "plus", "Show the bytes larger"),
                    MenuEntry("zoom_out", "Zoom &Out", ("Ctrl+-",), "", "Show the bytes smaller"),
                    MenuEntry("zoom_reset", "Normal &Size", ("Ctrl+0",), "", "Show the bytes in their normal size"),
                ),
            ),
            MenuEntry("row_width", "&Bytes per Row"),
            MenuEntry(
                "utf8",
                "UTF-8 in Text Column",
                ("Ctrl+Alt+U",),
                "",
                "Show multi-byte characters beside the bytes, or a dot for each byte",
                checkable=True,
            ),
            SEPARATOR,
            MenuEntry("theme", "&Theme", (), "sun-moon"),
        ),
    ),
    (
        "&Go",
        (
            MenuEntry(
                "go_to",
                "To Path or &Offset…",
                ("Ctrl+G",),
                "locate-fixed",
                "Go to a path, or an offset such as 0x1A0 or +16",
            ),
            SEPARATOR,
            MenuEntry("back", "&Back", ("Alt+Left",), "arrow-left", "Go to the previous place"),
            MenuEntry("forward", "&Forward", ("Alt+Right",), "arrow-right", "Go to the next place"),
            SEPARATOR,
            MenuEntry(
                "bookmark", "Book&mark", ("Ctrl+B",), "bookmark", "Set a bookmark at the selected value, or remove it"
            ),
            MenuEntry("next_bookmark", "&Next Bookmark", ("Alt+Down",), "", "Go to the next bookmark"),
            MenuEntry("previous_bookmark", "Pre&vious Bookmark", ("Alt+Up",), "", "Go to the previous bookmark"),
            MenuEntry("bookmarks", "Bookmark &List…", ("Ctrl+Shift+B",), "", "List all bookmarks with their notes"),
            SEPARATOR,
            MenuEntry("next_problem", "Next &Problem", ("F8",), "triangle-alert", "Go to the next problem"),
            MenuEntry("previous_problem", "Previous Problem", ("Shift+F8",), "", "Go to the previous problem"),
            SEPARATOR,
            MenuEntry(
                "dismiss_news",
                "&Dismiss Change Marks",
                ("Ctrl+Alt+D",),
                "",
                "Stop marking what another program has changed",
            ),
            MenuEntry(
                "compare_before",
                "Show &All Changes…",
                ("Ctrl+Alt+A",),
                "",
                "Compare the file with its state before it was reloaded",
            ),
        ),
    ),
    (
        "&Tools",
        (
            MenuEntry(
                "palette",
                "&Command Palette…",
                ("Ctrl+Shift+P",),
                "search",
                "Run any action by a few letters of its name",
            ),
            SEPARATOR,
            MenuEntry(
                "compare_file",
                "Compare with &Another File…",
                ("Ctrl+Alt+K",),
                "",
                "Show two files side by side, by value, with their differences",
            ),
            MenuEntry(
                "merge",
                "&Merge…",
                (),
                "",
                "Merge what two sides changed in the same base; you are asked about what both changed",
            ),
            MenuEntry("compare_with", "Compare &With", (), "", "Compare the file with another state of it, by value"),
            SEPARATOR,
            MenuEntry("read_as", "&Decode As", (), "layers", "Choose engine line, precision and framing"),
            MenuEntry("stop_reading", "&Stop Reading", ("Ctrl+.",), "", "Stop reading the values; the bytes stay"),
            SEPARATOR,
            MenuEntry("profile", "&Game Profile", (), "", "Choose what is known about the game"),
            MenuEntry(
                "hidden_keys",
                "Show Hidden &Keys",
                (),
                "",
                "Show keys that the profile of the game hides",
                checkable=True,
            ),
            MenuEntry(
                "save_profile",
                "Save as &Profile…",
                (),
                "",
                "Describe what the keys of this game are called and mean",
            ),
            MenuEntry("open_profile", "Open Profile &File", (), "", "Open the profile of this file in your editor"),
            SEPARATOR,
            *TOOLS,
        ),
    ),
    ("T&able", TABLE_ENTRIES),
    ("&Packets", ENTRIES),
    (
        "&Help",
        (
            MenuEntry("help", "&Help", ("Shift+F1",), "info", "Show a few pages about what the window can do"),
            MenuEntry("bulk_guide", "&Guide to Bulk Edits", (), "", "Show how bulk edits are written"),
            MenuEntry("shortcuts", "&Keyboard", ("Ctrl+F1",), "keyboard", "Show all keys"),
            MenuEntry(
                "messages",
                "&Messages…",
                ("Ctrl+Alt+M",),
                "",
                "List the messages that the window showed at its lower right",
            ),
            MenuEntry("about", "&About Variant Viewer", (), "info", "Show the version"),
        ),
    ),
)
IN_VIEW = frozenset({"open", "save", "undo", "redo", "back", "forward", "find", "problems", "inspector"})
"""Actions whose icons stand in the tool row."""
ICONS_AFTER = 200
"""Milliseconds until the icons of the menus are drawn, where none is opened before: the first frame does not wait."""
SUBMENUS = (
    "copy_as",
    "recent",
    "samples",
    "row_width",
    "columns",
    "theme",
    "read_as",
    "change_type",
    "backups",
    "layers",
    "save_for",
    "save_kind",
    "profile",
    "compare_with",
    COPY_MENU,
    KEEP_MENU,
)


class Actions:
    """The window's actions and menus, built from the table.

    Args:
        window: whose actions they are.
        bar: the menu bar to fill.
        slots: what each action does, by its name; every action but the submenus must have one.

    Attributes:
        menus: the submenus that are filled when they open, by name.
        tops: the menus of the bar.
    """

    def __init__(self, window: QWidget, bar: QMenuBar, slots: Mapping[str, Callable[[], object]]) -> None:
        self._actions: dict[str, QAction] = {}
        self._theme: Theme | None = None
        self._later = QTimer(window, singleShot=True, interval=ICONS_AFTER)
        self._later.timeout.connect(self._draw_all)
        self._icons: dict[str, str] = {}
        self.menus: dict[str, QMenu] = {}
        self._homes: dict[str, QMenu] = {}
        self.tops: list[QMenu] = []
        for title, entries in MENUS:
            menu = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(self.draw_icons)
            self.tops.append(menu)
            self._fill(menu, window, entries, slots)

    def _fill(
        self,
        menu: QMenu,
        window: QWidget,
        entries: Iterable[MenuEntry | None],
        slots: Mapping[str, Callable[[], object]],
    ) -> None:
        for entry in entries:
            if entry is SEPARATOR:
                menu.addSeparator()
            elif entry.entries:
                group = self._add_submenu(menu, entry)
                self._fill(group, window, entry.entries, slots)
            elif entry.name in SUBMENUS:
                self.menus[entry.name] = self._add_submenu(menu, entry)
            else:
                self._homes[entry.name] = menu
                self._add_action(menu, window, entry, slots[entry.name])

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def menu_of(self, name: str) -> QMenu:
        """The menu that an action stands in."""
        return self._homes[name]

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in a theme: those that are always in view at once, those of the menus a moment later."""
        self._theme = theme
        self._draw(IN_VIEW)
        self._later.start()

    def draw_icons(self) -> None:
        """A menu is about to be seen: draw the icons now that were to follow in a moment."""
        if self._later.isActive():
            self._later.stop()
            self._draw_all()

    def _draw_all(self) -> None:
        self._draw(self._icons.keys() - IN_VIEW)

    def _draw(self, names: Iterable[str]) -> None:
        assert self._theme is not None
        for name in names:
            self._actions[name].setIcon(icon(self._icons[name], self._theme))

    def _add_submenu(self, menu: QMenu, entry: MenuEntry) -> QMenu:
        submenu = menu.addMenu(entry.text)
        submenu.setToolTipsVisible(True)
        self._keep(entry, submenu.menuAction())
        return submenu

    def _add_action(self, menu: QMenu, window: QWidget, entry: MenuEntry, slot: Callable[[], object]) -> None:
        action = QAction(entry.text, window)
        action.setShortcuts([QKeySequence(keys) for keys in entry.keys])
        action.setCheckable(entry.checkable)
        action.setIconVisibleInMenu(not entry.checkable)
        action.triggered.connect(lambda checked=False: slot())
        menu.addAction(action)
        window.addAction(action)
        self._keep(entry, action)

    def _keep(self, entry: MenuEntry, action: QAction) -> None:
        action.setObjectName(entry.name)
        action.setStatusTip(entry.tip)
        action.setToolTip(plain_tip(tip_of(action)))
        self._actions[entry.name] = action
        if entry.icon:
            self._icons[entry.name] = entry.icon


def tip_of(action: QAction) -> str:
    """What an action does, with its first keys, as a tooltip."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{action.statusTip()} ({keys})" if keys else action.statusTip()


def all_entries() -> list[tuple[str, MenuEntry]]:
    """Every entry, those of groups too, with the name of its menu of the bar, for the page that lists the keys."""
    return [(title.replace("&", ""), entry) for title, entries in MENUS for entry in _flat(entries)]


def _flat(entries: Iterable[MenuEntry | None]) -> Iterator[MenuEntry]:
    for entry in entries:
        if entry is not None:
            yield entry
            yield from _flat(entry.entries)
