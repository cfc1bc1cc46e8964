"""The list of changes: all that can be undone and redone, where the document stands among them, and a way to any."""

from __future__ import annotations

from viewer.base.words import counted
from viewer.document.viewmodel.fuzzy import match
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard
from viewer.ui.session import Session
from viewer.ui.window.parts import Parts

FIRST = "As opened"
NOTHING = "Nothing has been changed yet. Each change will be listed here, with a way back to before it."
HINT = "Enter goes to how it was after a change, Esc closes."


class HistoryList:
    """Lists the states of the document over the window; a chosen one is gone to in one step, and the list stays.

    Args:
        theme: its colours.
        parts: over whose window it lies.
        session: undoes and redoes.
    """

    def __init__(self, theme: Theme, parts: Parts, session: Session) -> None:
        self._session = session
        self._states: list[int] = []
        self.card = ListCard(theme, parts.center.window(), "Changes", "history")
        self.card.setObjectName("historyList")
        self.card.field.setPlaceholderText("Find a change")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._jump)
        session.history_changed.connect(self._refresh)
        session.opened.connect(self.card.dismiss_quietly)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def toggle(self) -> None:
        """Show it, or hide it where it is shown."""
        if self.card.isVisible():
            self.card.dismiss()
        elif self._session.document is not None:
            self._filter("")
            self.card.open()

    def _refresh(self) -> None:
        """More was changed, undone or saved while it is shown."""
        if self.card.isVisible():
            self._filter(self.card.field.text())

    def _filter(self, text: str) -> None:
        document = self._session.document
        if document is None:
            return
        history, rows = document.history, []
        labels = history.labels
        self._states = []
        for state, label in enumerate((FIRST, *labels)):
            found = match(text, label)
            if found is not None:
                self._states.append(state)
                rows.append(_row(label, found.places, state, history.done, history.saved))
        now = next((k for k, state in enumerate(self._states) if state >= history.done), len(rows) - 1)
        self.card.set_rows(rows, now, self._hint(len(labels), history.done, text))

    def _hint(self, count: int, done: int, text: str) -> str:
        if not count:
            return NOTHING
        if not self._states:
            return f"No change has the letters of “{text}” in this order."
        undone = f", {count - done} undone" if done < count else ""
        return f"{counted(count, 'change')}{undone}. {HINT}"

    def _jump(self, row: int) -> None:
        document, state = self._session.document, self._states[row]
        if document is None or state == document.history.done:
            self.card.dismiss()
            return
        document.history.aim(state)
        self._session.undo() if state < document.history.done else self._session.redo()


def _row(label: str, found: tuple[int, ...], state: int, done: int, saved: int | None) -> CardRow:
    """One state: those behind the present one are undone."""
    is_now, is_saved = state == done, state == saved
    words = [word for word, said in (("now", is_now), ("saved", is_saved), ("undone", state > done)) if said]
    icon = "arrow-right" if is_now else "save" if is_saved else "redo-2" if state > done else ""
    role = "accent" if is_now else "text_secondary"
    return CardRow(label, found, end=", ".join(words), icon=icon, icon_role=role, strong=is_now, quiet=state > done)
