"""Choosing the type of a new value: a floating list of the types that may stand in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from viewer.document.viewmodel.fuzzy import match
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard


class TypeChooser:
    """Asks for a type.

    Args:
        theme: the colours.
        window: over which it asks.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self.card = ListCard(theme, window, "Type of the new value", "plus")
        self.card.setObjectName("typeChooser")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._choose)
        self._types: tuple[str, ...] = ()
        self._shown: list[str] = []
        self._last: list[str] = []
        self._then: Callable[[str], object] = lambda name: None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def ask(self, types: Sequence[str], then: Callable[[str], object]) -> None:
        """Offer *types*; *then* is told the one that was chosen. A single one needs no question."""
        self._then = then
        if len(types) == 1:
            then(types[0])
            return
        recent = [name for name in self._last if name in types]
        self._types = (*recent, *(name for name in types if name not in recent))
        self.card.open()
        self._filter("")

    def _filter(self, text: str) -> None:
        found = [(name, match(text, name)) for name in self._types]
        hits = [(name, hit) for name, hit in found if hit is not None]
        if text.strip():
            hits.sort(key=lambda each: -each[1].score)
        self._shown = [name for name, _ in hits]
        hint = "Enter chooses, Esc leaves" if hits else "No type is called so."
        self.card.set_rows([CardRow(name, hit.places) for name, hit in hits], 0, hint)

    def _choose(self, row: int) -> None:
        name = self._shown[row]
        self._last = [name, *(other for other in self._last if other != name)]
        self.card.dismiss()
        self._then(name)
