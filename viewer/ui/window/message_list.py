"""The list of messages: what was said at the bottom of the window, to be read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QGuiApplication

from viewer.base.words import counted
from viewer.document.viewmodel.fuzzy import match
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard
from viewer.ui.panels.toast import ToastMessage
from viewer.ui.window.parts import Parts

NOTHING = "No messages yet. What the window shows at its lower right stays here until it is closed."
HINT = "The latest is first. Enter shows the whole message and copies it, Esc closes."


class MessageList:
    """Lists what was said over the window.

    Args:
        theme: its colours.
        parts: over whose window it lies.
        said: gives what was said, the latest last.
        again: says one of them again.
    """

    def __init__(
        self,
        theme: Theme,
        parts: Parts,
        said: Callable[[], Sequence[ToastMessage]],
        again: Callable[[ToastMessage], None],
    ) -> None:
        self._said, self._again = said, again
        self._shown: list[ToastMessage] = []
        self.card = ListCard(theme, parts.center.window(), "Messages", "info")
        self.card.setObjectName("messageList")
        self.card.field.setPlaceholderText("Find a message")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._copy)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def toggle(self) -> None:
        """Show it, or hide it where it is shown."""
        if self.card.isVisible():
            self.card.dismiss()
        else:
            self._filter("")
            self.card.open()

    def _filter(self, text: str) -> None:
        said, rows = self._said(), []
        self._shown = []
        for each in reversed(said):
            found = match(text, each.text)
            if found is not None:
                self._shown.append(each)
                rows.append(CardRow(each.text, found.places, detail=each.about, end=each.time))
        empty = f"No message has the letters of “{text}” in this order."
        self.card.set_rows(rows, 0, f"{counted(len(rows), 'message')}. {HINT}" if rows else empty if said else NOTHING)

    def _copy(self, row: int) -> None:
        chosen = self._shown[row]
        QGuiApplication.clipboard().setText(chosen.text)
        self.card.dismiss()
        self._again(chosen)
