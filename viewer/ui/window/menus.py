"""The menus whose entries are not fixed: recent files, samples, choices of which one is on, and those at the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document import outline
from viewer.document.selection import Spot
from viewer.ui.hex.layout import ROW_WIDTHS
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.menu_entry import SEPARATOR
from viewer.ui.packets.entries import KEEP_MENU
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.sheets.table_entries import NEED_TABLE
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import TreeHeader
from viewer.ui.window.actions import Actions, tip_of
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.parts import Parts
from viewer.variant.dialect import NAMED, Kind

BACKUPS = ((0, "&None"), (1, "&1, as .bak"), (3, "&3"), (9, "&9"))
MOST_PACKETS = ((10_000, "&10\u202f000"), (100_000, "10&0\u202f000"), (1_000_000, "1\u202f000\u202f000"))
COLUMNS = ((TreeColumn.TYPE, "&Type"), (TreeColumn.OFFSET, "&Offset"), (TreeColumn.SIZE, "&Size"))
THEMES = (("system", "&System"), ("light", "&Light"), ("dark", "&Dark"))
TREE: tuple[str | None, ...] = (
    "edit_value",
    "edit_in_editor",
    "rename_key",
    "change_type",
    SEPARATOR,
    "insert_after",
    "insert_into",
    "duplicate",
    "delete",
    "order",
    SEPARATOR,
    "cut",
    "copy",
    "copy_as",
    "copy_path",
    "paste_value",
    "paste_into",
    SEPARATOR,
    "table",
    "plot",
    "picture",
    "replace_picture",
    "look_inside",
    "focus_branch",
    SEPARATOR,
    "describe",
    "undescribe",
    SEPARATOR,
    "explain",
)
BYTES: tuple[str | None, ...] = (
    "cut",
    "copy",
    "copy_as",
    "copy_path",
    "paste_bytes",
    "paste_text",
    SEPARATOR,
    "insert_bytes",
    "fill_bytes",
    "delete_bytes",
    "mend",
    SEPARATOR,
    "describe",
    "undescribe",
    SEPARATOR,
    "select_all",
    "select_range",
    "go_to",
    SEPARATOR,
    "explain",
)
TEXT: tuple[str | None, ...] = (
    "undo",
    "redo",
    SEPARATOR,
    "cut",
    "copy",
    "copy_path",
    "paste_value",
    "delete",
    SEPARATOR,
    "select_all",
    "go_to",
    SEPARATOR,
    "explain",
    "text",
)
Choosable = TypeVar("Choosable", int, str)


class Menus:
    """Fills the submenus of a window and pops menus up.

    Args:
        window: the parent of the menus that pop up.
        actions: the window's actions and submenus.
        files: opens what is chosen.
        settings: knows the recent files and what is on.
        fill_readings: fills a menu with the ways to read the document.

    Attributes:
        popping_up: told of a menu of actions that is about to pop up.
    """

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        files: FileActions,
        settings: Settings,
        fill_readings: Callable[[QMenu], None],
    ) -> None:
        self._window = window
        self._actions = actions
        self._files = files
        self._settings = settings
        self._fill_readings = fill_readings
        self.popping_up: Callable[[QMenu], object] = lambda _: None
        actions.menus["recent"].aboutToShow.connect(self._fill_recent)
        actions.menus["read_as"].aboutToShow.connect(partial(fill_readings, actions.menus["read_as"]))
        actions.menus["samples"].aboutToShow.connect(self._fill_samples)

    def offer_columns(self, header: TreeHeader) -> None:
        """Offer the columns of the tree, in its menu and at its header."""
        menu = self._actions.menus["columns"]

        def fill() -> None:
            empty_menu(menu)
            for column, title in COLUMNS:
                action = menu.addAction(title)
                action.setCheckable(True)
                action.setChecked(header.wants(column))
                action.toggled.connect(partial(header.want, column))

        menu.aboutToShow.connect(fill)
        header.menu_wanted.connect(lambda place: menu.popup(place))

    def offer_row_widths(self, chosen: Callable[[int], None]) -> None:
        """Offer the bytes a row."""
        widths = ((0, "What &Fits"), *((width, f"&{width}") for width in ROW_WIDTHS))
        _choices(self._actions.menus["row_width"], widths, self._settings.row_width, chosen)

    def offer_backups(self) -> None:
        """Offer how many earlier versions of a file stay."""
        settings = self._settings
        _choices(self._actions.menus["backups"], BACKUPS, settings.backups, partial(setattr, settings, "backups"))

    def offer_most_packets(self, chosen: Callable[[int], None]) -> None:
        """Offer how many recorded packets are kept; *chosen* is told of another choice."""

        def keep(most: int) -> None:
            self._settings.most_packets = most
            chosen(most)

        _choices(self._actions.menus[KEEP_MENU], MOST_PACKETS, self._settings.most_packets, keep)

    def offer(self, name: str, fill: Callable[[QMenu], None]) -> None:
        """Let *fill* fill a submenu each time it opens."""
        menu = self._actions.menus[name]
        menu.aboutToShow.connect(lambda: fill(menu))

    def offer_themes(self, chosen: Callable[[str], None]) -> None:
        """Offer light, dark and what the system says."""
        _choices(self._actions.menus["theme"], THEMES, self._settings.theme, chosen)

    def pop_up(self, names: Sequence[str | None], place: QPoint) -> None:
        """Offer some actions at a global position, lines between them where a name is None."""
        self._actions.draw_icons()
        menu = self._at_mouse()
        for name in names:
            if name is SEPARATOR:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[name])
        self.popping_up(menu)
        menu.popup(place)

    def pop_up_readings(self, corner: QPoint) -> None:
        """Offer the ways to read the document, the menu's upper right corner at a global position."""
        menu = self._at_mouse()
        self._fill_readings(menu)
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def _at_mouse(self) -> QMenu:
        menu = QMenu(self._window)
        menu.setToolTipsVisible(True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _fill_samples(self) -> None:
        from viewer.ui.samples import samples

        menu = self._actions.menus["samples"]
        if menu.isEmpty():
            for sample in samples():
                menu.addAction(sample.title, partial(self._files.open_sample, sample.name))

    def _fill_recent(self) -> None:
        menu = self._actions.menus["recent"]
        empty_menu(menu)
        entries = self._settings.recent
        for entry in entries:
            action = QAction(in_menu(entry.path.name), menu)
            action.setToolTip(plain_tip(str(entry.path)))
            action.triggered.connect(_without_arguments(partial(self._files.open_path, entry.path)))
            menu.addAction(action)
        if entries:
            menu.addSeparator()
            menu.addAction("&Clear", self._settings.clear_recent)
        else:
            menu.addAction("No files yet").setEnabled(False)


def _choices(
    menu: QMenu, options: tuple[tuple[Choosable, str], ...], now: Choosable, chosen: Callable[[Choosable], None]
) -> None:
    """Fill a menu with options of which one is on."""
    group = QActionGroup(menu)
    for value, text in options:
        action = QAction(text, menu)
        action.triggered.connect(_without_arguments(partial(chosen, value)))
        action.setCheckable(True)
        action.setChecked(value == now)
        group.addAction(action)
        menu.addAction(action)


def _without_arguments(do: Callable[[], object]) -> Callable[[], object]:
    """A slot for a signal that would pass its own argument."""
    return lambda: do()


# Which actions can be chosen at this moment, which switches are on, and what undo and redo would do.

NEED_DOCUMENT = (
    "save_as",
    "close",
    "edit_value",
    "edit_in_editor",
    "edit_grid",
    "cut",
    "copy",
    "paste_value",
    "paste_into",
    "delete",
    "insert_after",
    "insert_before",
    "insert_into",
    "duplicate",
    "move_up",
    "move_down",
    "rename_key",
    "change_type",
    "sort_keys",
    "look_inside",
    "plot",
    "table",
    "to_stored",
    "to_bare",
    "copy_as",
    "copy_path",
    "save_for",
    "save_kind",
    "export_value",
    "import_value",
    "insert_mode",
    "insert_bytes",
    "fill_bytes",
    "paste_bytes",
    "paste_text",
    "delete_bytes",
    "describe",
    "select_all",
    "select_range",
    "history",
    "bookmark",
    "next_bookmark",
    "previous_bookmark",
    "bookmarks",
    "filter",
    "expand_1",
    "expand_2",
    "expand_3",
    "expand_4",
    "collapse_all",
    "focus_branch",
    "find",
    "find_next",
    "find_previous",
    "find_list",
    "replace",
    "bulk_edit",
    "inspector",
    "problems",
    "bytes",
    "arrange_values",
    "arrange_both",
    "arrange_packets",
    "next_tab",
    "previous_tab",
    "next_pane",
    "previous_pane",
    "zoom_in",
    "zoom_out",
    "zoom_reset",
    "go_to",
    "next_problem",
    "previous_problem",
    "read_as",
    "repairs",
    "engines",
    "explain",
    "shrink",
    "compare_file",
    "compare_before",
    "merge",
    "timeline",
    "export_report",
    "open_profile",
    "save_profile",
)
"""Actions that have nothing to do where no document is open."""


PICTURES = ("picture", "export_picture", "replace_picture")
NO_PICTURE = "Only byte arrays and Images can be pictures: select one"


def may_hold_picture(spot: Spot) -> bool:
    """Whether a value is of a kind that can be a picture; what it holds is not looked at."""
    frame = outline.node_frame(spot.document, spot.item)
    row = frame.table.row(spot.item.node) if frame is not None else None
    if row is None:
        return False
    return row.kind in (Kind.IMAGE, Kind.DICTIONARY, *NAMED) or (row.kind is Kind.PACKED and row.narrow_size == 1)


def _with_groups(menu: QMenu) -> Iterator[QAction]:
    """The actions of a menu, and those of the groups in it: these are greyed with it, as opening one closes nothing."""
    for action in menu.actions():
        yield action
        group = action.menu()
        if isinstance(group, QMenu):
            yield from _with_groups(group)


class ActionStates:
    """Keeps the actions in step with the session and the panes.

    Args:
        actions: what is switched on and off.
        session: knows the document, its history and the way back.
        parts: know which panes are shown and whether a search can step.
    """

    def __init__(self, actions: Actions, session: Session, parts: Parts) -> None:
        self._actions = actions
        self._session = session
        self._parts = parts
        self._why_no_table: Callable[[str], str] = lambda _: ""
        self._said_of_table: dict[str, str] = {}
        self._greyed: list[QAction] = []
        self._open: QMenu | None = None
        actions.menu_of("undo").aboutToShow.connect(self._name_history)
        for menu in actions.tops:
            self.explain_in(menu)

    def explain_in(self, menu: QMenu) -> None:
        """Grey in *menu*, each time it opens, what can do nothing with what is selected, with the reason.

        Only the menu greys it: its keys go on telling in a sentence why nothing happens.
        """
        menu.aboutToShow.connect(lambda: self._grey_in(menu))
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self._session, partial(self._leave, menu)))

    def _grey_in(self, menu: QMenu) -> None:
        self._open = menu
        self._grey([*_with_groups(menu)])

    def _leave(self, menu: QMenu) -> None:
        """Restore what *menu* greyed, unless it gave way to the menu beside it, which has greyed its own by now."""
        if self._open is menu:
            self._open = None
            self._restore()

    def _grey(self, actions: Sequence[QAction]) -> None:
        from viewer.document.viewmodel.action_reasons import NO_FILE, OFF, why_not

        self._restore()
        is_open, spot = self._session.document is not None, self._session.spot
        for action in actions:
            name, tip = action.objectName(), action.statusTip()
            if not name:
                continue
            why = why_not(name, spot) if action.isEnabled() else OFF.get(name, "") if is_open else NO_FILE
            if why and action.isEnabled():
                action.setEnabled(False)
                self._greyed.append(action)
            if why and (action.toolTip().startswith(tip) or not tip):
                action.setToolTip(plain_tip(why))
                self._greyed.append(action)

    def _restore(self) -> None:
        """The menu is gone: what it greyed can be chosen by its keys again."""
        if self._greyed:
            for action in self._greyed:
                action.setToolTip(plain_tip(tip_of(action)))
            self._greyed.clear()
            self.update()

    def ask_table(self, why_not: Callable[[str], str]) -> None:
        """Take what knows why an action of the table cannot be chosen."""
        self._why_no_table = why_not

    def update_table(self) -> None:
        """Bring the actions of the table up to date; what cannot be chosen says why."""
        for name in NEED_TABLE:
            why = self._why_no_table(name)
            if self._said_of_table.get(name) == why:
                continue
            self._said_of_table[name] = why
            self._actions[name].setEnabled(not why)
            self._actions[name].setToolTip(plain_tip(why or self._actions[name].statusTip()))

    def update(self) -> None:
        """Bring all of them up to date."""
        self._update_needs()
        self._update_history()
        self._update_files()
        self.update_switches()
        document = self._session.document
        has_layout = document is not None and document.structure is not None and bool(document.structure.sources)
        for name in ("undescribe", "open_layout", "forget_layout"):
            self._actions[name].setEnabled(has_layout)
        self._actions["dismiss_news"].setEnabled(document is not None and bool(document.news))
        self._actions["stop_reading"].setEnabled(self._session.reading.is_on)
        self._update_pictures()
        self.update_find()
        self.update_table()

    def update_find(self) -> None:
        """Without something to look for there is no next place, and the menu says so."""
        why = self._parts.find.why_no_step
        for name in ("find_next", "find_previous"):
            self._actions[name].setEnabled(self._session.document is not None and not why)
            self._actions[name].setToolTip(plain_tip(why or self._actions[name].statusTip()))

    def _update_pictures(self) -> None:
        spot = self._session.spot
        can = spot is not None and may_hold_picture(spot)
        for name in PICTURES:
            if self._actions[name].isEnabled() != can:
                self._actions[name].setEnabled(can)
                self._actions[name].setToolTip(plain_tip(self._actions[name].statusTip() if can else NO_PICTURE))

    def _update_needs(self) -> None:
        is_open = self._session.document is not None
        for name in NEED_DOCUMENT:
            self._actions[name].setEnabled(is_open)

    def _update_history(self) -> None:
        document = self._session.document
        history = document.history if document is not None else None
        self._actions["undo"].setEnabled(history is not None and (history.can_undo or self._session.has_typed))
        self._actions["redo"].setEnabled(history is not None and history.can_redo)
        self._actions["back"].setEnabled(self._session.can_go_back)
        self._actions["forward"].setEnabled(self._session.can_go_forward)

    def _update_files(self) -> None:
        document = self._session.document
        modified = document is not None and document.modified
        on_disk = document is not None and document.path is not None
        typed = self._session.has_typed
        self._actions["save"].setEnabled(document is not None and (document.is_unsaved or typed or not on_disk))
        self._actions["revert"].setEnabled(modified)
        self._actions["reload"].setEnabled(on_disk)

    def update_switches(self) -> None:
        """Say which panes are shown."""
        is_open, work = self._session.document is not None, self._parts.work
        self._actions["inspector"].setChecked(is_open and work.inspector_shown)
        self._actions["bytes"].setChecked(is_open and work.bytes_shown)
        self._actions["focus_branch"].setChecked(is_open and self._parts.tree.rootIndex().isValid())
        self._actions["problems"].setChecked(is_open and work.problems_shown)
        self._actions["repairs"].setChecked(is_open and work.repairs_shown)
        self._actions["find_list"].setChecked(is_open and work.results_shown)
        self._actions["table"].setChecked(is_open and work.sheet_shown)
        self._actions["table_alone"].setChecked(is_open and work.sheet_alone)
        document = self._session.document
        self._actions["text"].setEnabled(document is not None and document.text is not None)
        self._actions["text"].setChecked(is_open and self._parts.bytes.shows_text and self._parts.work.bytes_shown)
        self._actions["insert_mode"].setChecked(self._parts.hex.insert_mode)
        self._actions["utf8"].setChecked(self._parts.hex.shows_utf8)
        self._actions["mend"].setEnabled(is_open and self._parts.bridge.editing.can_mend)

    def _name_history(self) -> None:
        """Undo and redo say what they would do, in words that are made when somebody is to read them."""
        document = self._session.document
        history = document.history if document is not None else None
        for name, word, label in (
            ("undo", "Undo", history.undo_label if history else ""),
            ("redo", "Redo", history.redo_label if history else ""),
        ):
            self._actions[name].setText(f"&{word} {in_menu(label)}".strip())
