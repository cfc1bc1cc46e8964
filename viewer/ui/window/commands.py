"""Commands: everything that the menus of a window offer, as one list, with the reason where one cannot be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

BETWEEN = " > "
NO_DOCUMENT = "Open a file first"
NOT_NOW = "Not possible here"
REASONS: Mapping[str, str] = {
    "undo": "Nothing was changed yet",
    "redo": "Nothing was undone",
    "save": "There are no changes to save",
    "revert": "There are no changes to drop",
    "reload": "These bytes have no file yet: save them first",
    "back": "There is no earlier place",
    "forward": "There is no later place",
    "stop_reading": "Nothing is being read",
    "mend": "No length or padding is left wrong",
}
"""Why an action cannot be chosen although a document is open, where its tooltip does not say it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One entry of a menu.

    Args:
        key: its name that stays the same, whatever its words are at the moment.
        title: its words.
        menu: the menus that it stands in.
        keys: its first shortcut, empty for none.
        reason: why it cannot be chosen now, empty where it can.
        action: what it does.
    """

    key: str
    title: str
    menu: str
    keys: str
    reason: str
    action: QAction

    @property
    def shown_title(self) -> str:
        """The words, with the menu where they say little without it."""
        return f"{self.menu.rpartition(BETWEEN)[2]}: {self.title}" if BETWEEN in self.menu else self.title


def commands(bar: QMenuBar, is_open: bool) -> list[Command]:
    """All entries of all menus, in their order; *is_open* says whether there is a document."""
    out: list[Command] = []
    for action in bar.actions():
        menu = action.menu()
        if isinstance(menu, QMenu):
            out.extend(_inside(menu, plain(action.text()), is_open))
    return out


def _inside(menu: QMenu, path: str, is_open: bool) -> Iterator[Command]:
    """The entries of one menu; what is filled when it is opened is filled now."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        below = action.menu()
        if action.isSeparator() or not action.text():
            continue
        if isinstance(below, QMenu) and action.isEnabled():
            yield from _inside(below, f"{path}{BETWEEN}{plain(action.text())}", is_open)
        elif action.isEnabled() or action.objectName():
            yield _command(action, path, is_open)


def _command(action: QAction, path: str, is_open: bool) -> Command:
    title, keys = plain(action.text()), action.shortcut()
    shown = keys.toString(QKeySequence.SequenceFormat.NativeText) if not keys.isEmpty() else ""
    key = action.objectName() or f"{path}{BETWEEN}{title}"
    return Command(key, title, path, shown, "" if action.isEnabled() else _reason(action, is_open), action)


def _reason(action: QAction, is_open: bool) -> str:
    """Why an action cannot be chosen: its tooltip says it, or its name does."""
    if not is_open:
        return NO_DOCUMENT
    tip = action.toolTip()
    says_why = tip and action.statusTip() and not tip.startswith(action.statusTip())
    return tip if says_why else REASONS.get(action.objectName(), NOT_NOW)


def plain(text: str) -> str:
    """The words of an action without the sign before the letter that chooses it."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")
