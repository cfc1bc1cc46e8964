"""The command palette: every action by a few letters of its name, and places by their path or offset."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from viewer.base.record import dataclass
from viewer.document.path import PathError
from viewer.document.typed_places import place_in
from viewer.document.viewmodel.action_reasons import NO_FILE, OFF
from viewer.document.viewmodel.fuzzy import match
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard
from viewer.ui.session import Session

# Commands: everything that the menus of a window offer, as one list, with the reason where one cannot be chosen.

BETWEEN = " > "
NOT_NOW = "Not possible here"


@dataclass(frozen=True, slots=True)
class MenuCommand:
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
        """The words, with the menu where they say little without it: in one of choices, which have no names."""
        return f"{self.menu.rpartition(BETWEEN)[2]}: {self.title}" if BETWEEN in self.key else self.title


def commands(bar: QMenuBar, is_open: bool) -> list[MenuCommand]:
    """All entries of all menus, in their order; *is_open* says whether there is a document."""
    out: list[MenuCommand] = []
    for action in bar.actions():
        menu = action.menu()
        if isinstance(menu, QMenu):
            out.extend(_inside(menu, plain(action.text()), is_open))
    return out


def _inside(menu: QMenu, path: str, is_open: bool) -> Iterator[MenuCommand]:
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
    menu.aboutToHide.emit()


def _command(action: QAction, path: str, is_open: bool) -> MenuCommand:
    title, keys = plain(action.text()), action.shortcut()
    shown = keys.toString(QKeySequence.SequenceFormat.NativeText) if not keys.isEmpty() else ""
    key = action.objectName() or f"{path}{BETWEEN}{title}"
    return MenuCommand(key, title, path, shown, "" if action.isEnabled() else _reason(action, is_open), action)


def _reason(action: QAction, is_open: bool) -> str:
    """Why an action cannot be chosen: its tooltip says it, or its name does."""
    if not is_open:
        return NO_FILE
    tip = action.toolTip()
    says_why = tip and action.statusTip() and not tip.startswith(action.statusTip())
    return tip if says_why else OFF.get(action.objectName(), NOT_NOW)


def plain(text: str) -> str:
    """The words of an action without the sign before the letter that chooses it."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


RECENT = 6
HINT = "Enter runs it, Esc closes. A path or offset goes there: [0].player, 0x1A0"
PLACE_HINT = "Enter goes there."
OWN = "palette"
IN_MENU = 6
"""How much worse a match in the menu's name is than one in the title."""


class Palette:
    """Lists actions over the window and runs the chosen one.

    Args:
        theme: its colours.
        window: whose menus it lists.
        session: goes to places.
        recent: the keys of the commands run last, the latest first.
        keep_recent: told those keys when they have changed.
    """

    def __init__(
        self,
        theme: Theme,
        window: QMainWindow,
        session: Session,
        recent: list[str],
        keep_recent: Callable[[list[str]], None],
    ) -> None:
        self._window, self._session = window, session
        self._recent, self._keep_recent = recent, keep_recent
        self._all: list[MenuCommand] = []
        self._shown: list[MenuCommand | None] = []
        self.card = ListCard(theme, window, "Command palette", "search")
        self.card.setObjectName("commandPalette")
        self.card.field.setPlaceholderText("Run an action, or go to a path or offset")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._run)
        self.card.closed.connect(self._forget)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def toggle(self) -> None:
        """Show it, or hide it where it is shown."""
        if self.card.isVisible():
            self.card.dismiss()
            return
        found = commands(self._window.menuBar(), self._session.document is not None)
        self._all = [command for command in found if command.key != OWN]
        self._filter("")
        self.card.open()

    def _forget(self) -> None:
        """What menus fill anew each time is not held."""
        self._all, self._shown = [], []

    def _filter(self, text: str) -> None:
        place = place_in(text) if self._session.document is not None else ""
        self._shown = [None] if place else []
        rows = [CardRow(f"Go to {place}", icon="locate-fixed", end="Enter")] if place else []
        for command, found in self._ranked(text):
            self._shown.append(command)
            rows.append(self._row(command, found))
        empty = f"No action has the letters of “{text}” in this order."
        self.card.set_rows(rows, hint=PLACE_HINT if place else HINT if rows else empty)

    def _ranked(self, text: str) -> list[tuple[MenuCommand, tuple[int, ...]]]:
        """The commands that fit a text, the best first, with the letters of their titles that were found."""
        found = []
        for order, command in enumerate(self._all):
            score = _score(command, text)
            listed = text.strip() or BETWEEN not in command.menu or command.key in self._recent
            if score is not None and listed:  # files, samples and choices come up when they are asked for
                recency = self._recency(command)
                rank = (-score[0], recency) if text.strip() else (recency, 0)
                found.append(((*rank, bool(command.reason) and bool(text.strip()), order), command, score[1]))
        found.sort(key=lambda entry: entry[0])
        return [(command, places) for _, command, places in found]

    def _recency(self, command: MenuCommand) -> int:
        return self._recent.index(command.key) if command.key in self._recent else RECENT

    def _row(self, command: MenuCommand, found: tuple[int, ...]) -> CardRow:
        recent = command.key in self._recent and not command.reason
        checked = command.action.isCheckable() and command.action.isChecked()
        return CardRow(
            command.shown_title,
            found,
            command.reason or command.menu,
            command.keys,
            "check" if checked else "history" if recent else "",
            enabled=not command.reason,
        )

    def _run(self, row: int) -> None:
        command = self._shown[row]
        if command is None:
            self._go()
        elif command.reason:
            self.card.say(f"{command.reason}.", is_error=True)
        else:
            self._recent = [command.key, *(key for key in self._recent if key != command.key)][:RECENT]
            self._keep_recent(self._recent)
            self.card.dismiss()
            command.action.trigger()

    def _go(self) -> None:
        try:
            self._session.go_to_place(place_in(self.card.field.text()))
        except PathError as error:
            self.card.say(str(error), is_error=True)
        else:
            self.card.dismiss()


def _score(command: MenuCommand, text: str) -> tuple[int, tuple[int, ...]] | None:
    """How well a command fits, and the letters of its shown title that were found; None where it does not."""
    title = match(text, command.shown_title)
    if title is not None:
        return title.score, title.places
    whole = match(text, f"{command.menu} {command.title}")
    return None if whole is None else (whole.score - IN_MENU, ())
