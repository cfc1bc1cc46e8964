"""The menus whose entries are not fixed: recent files, samples, choices of which one is on, and those at the mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.packets.entries import KEEP_MENU
from viewer.ui.panels.pieces import empty_menu
from viewer.ui.window.actions import Actions
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.settings import Settings

BACKUPS = ((0, "&None"), (1, "&1, as .bak"), (3, "&3"), (9, "&9"))
MOST_PACKETS = ((10_000, "&10,000"), (100_000, "10&0,000"), (1_000_000, "1,000,000"))
ROW_WIDTHS = ((0, "What &fits"), (8, "&8"), (16, "&16"), (32, "&32"))
THEMES = (("system", "&System"), ("light", "&Light"), ("dark", "&Dark"))
TREE = (
    "edit_value",
    "edit_in_editor",
    "rename_key",
    "change_type",
    "insert_after",
    "insert_into",
    "duplicate",
    "move_up",
    "move_down",
    "cut",
    "copy",
    "copy_as",
    "paste_value",
    "paste_into",
    "delete",
    "sort_keys",
    "copy_path",
    "explain",
)
BYTES = (
    "cut",
    "copy",
    "copy_as",
    "paste_bytes",
    "paste_text",
    "delete_bytes",
    "insert_bytes",
    "fill_bytes",
    "mend",
    "copy_path",
    "select_all",
    "select_range",
    "go_to",
    "explain",
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
        actions.menus["recent"].aboutToShow.connect(self._fill_recent)
        actions.menus["read_as"].aboutToShow.connect(partial(fill_readings, actions.menus["read_as"]))
        actions.menus["samples"].aboutToShow.connect(self._fill_samples)

    def offer_row_widths(self, chosen: Callable[[int], None]) -> None:
        """Offer the bytes a row."""
        _choices(self._actions.menus["row_width"], ROW_WIDTHS, self._settings.row_width, chosen)

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

    def offer_layers(self, fill: Callable[[QMenu], None]) -> None:
        """Offer what can be done with the layers of the document."""
        menu = self._actions.menus["layers"]
        menu.aboutToShow.connect(lambda: fill(menu))

    def offer_themes(self, chosen: Callable[[str], None]) -> None:
        """Offer light, dark and what the system says."""
        _choices(self._actions.menus["theme"], THEMES, self._settings.theme, chosen)

    def pop_up(self, names: Sequence[str], place: QPoint) -> None:
        """Offer some actions at a global position."""
        menu = self._at_mouse()
        menu.addActions([self._actions[name] for name in names])
        menu.popup(place)

    def pop_up_readings(self, corner: QPoint) -> None:
        """Offer the ways to read the document, the menu's upper right corner at a global position."""
        menu = self._at_mouse()
        self._fill_readings(menu)
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def _at_mouse(self) -> QMenu:
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _fill_samples(self) -> None:
        from viewer.ui.window.samples import samples

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
