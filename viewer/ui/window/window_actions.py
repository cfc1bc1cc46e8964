"""The actions of windows and their two sides, as a view offers them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from viewer.ui.look.plain_text import plain_tip
from viewer.ui.window.actions import Actions

if TYPE_CHECKING:
    from viewer.ui.window.main_window import MainWindow
    from viewer.ui.window.windows import Windows

NAMES = (
    "new_window",
    "close_window",
    "split_right",
    "split_below",
    "other_side",
    "close_split",
    "move_over",
    "move_to_new",
)
TAB = ("move_over", "move_to_new", "split_right", "split_below")
ALONE = "This window stands alone"


class WindowActions:
    """Hands what a person chooses to the windows.

    Args:
        view: where it is chosen.
        windows: all of them, None where there is one alone.
    """

    def __init__(self, view: MainWindow, windows: Windows | None) -> None:
        self._view, self._windows = view, windows
        self._actions: Actions | None = None

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        windows, view = self._windows, self._view
        if windows is None:
            return {name: lambda: None for name in NAMES} | {"close_window": view.close}
        return {
            "new_window": windows.new_window,
            "close_window": partial(windows.close_window, view),
            "split_right": partial(windows.split, view, False),
            "split_below": partial(windows.split, view, True),
            "other_side": partial(windows.turn_over, view),
            "close_split": partial(windows.close_split, view),
            "move_over": partial(windows.move_over, view),
            "move_to_new": partial(windows.move_to_new, view),
        }

    def join(self, actions: Actions) -> None:
        """Take the actions."""
        self._actions = actions
        if self._windows is None:
            self._tell(lambda name: "" if name == "close_window" else ALONE)

    def update(self) -> None:
        """Bring the actions up to date; what cannot be chosen says why."""
        if self._windows is not None:
            self._tell(partial(self._windows.why_not, self._view))

    def _tell(self, why_not: Callable[[str], str]) -> None:
        assert self._actions is not None
        for name in NAMES:
            why, action = why_not(name), self._actions[name]
            action.setEnabled(not why)
            action.setToolTip(plain_tip(why or action.statusTip()))

    def fill_tab_menu(self, menu: QMenu) -> None:
        """Offer what can be done with the tab that is shown."""
        assert self._actions is not None
        self._actions.draw_icons()
        menu.addActions([self._actions[name] for name in TAB])
        menu.addSeparator()
        menu.addAction(self._actions["close"])
