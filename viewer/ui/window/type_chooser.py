"""Choosing a new value: one field for a value, a text or a type, over a list of what it may mean."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.new_value import NewValue, empty_value, like_neighbour, place_words, typed_text, typed_value
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import addable
from viewer.document.viewmodel.fuzzy import match
from viewer.ui.look.palette import Theme
from viewer.ui.panels.list_card import CardRow, ListCard

HINT = "Enter inserts it, Esc cancels. Type a value, JSON, a text or the letters of a type."
NO_MEANING = "No value or type is written like this."
Then = Callable[[NewValue], object]


@dataclass(frozen=True, slots=True)
class IntoOffer:
    """A value for the end of the selected collection, where it was asked for one behind it.

    Args:
        value: it.
        then: told that it was chosen.
        is_first: whether it is likelier meant than a value behind the collection.
    """

    value: NewValue
    then: Then
    is_first: bool


class TypeChooser:
    """Asks for a new value.

    Args:
        theme: the colours.
        window: over which it asks.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self.card = ListCard(theme, window, "New value", "plus")
        self.card.setObjectName("typeChooser")
        self.card.edited.connect(self._filter)
        self.card.chosen.connect(self._choose)
        self._types: tuple[str, ...] = ()
        self._shown: list[NewValue | str] = []
        self._last: list[str] = []
        self._like: NewValue | None = None
        self._into: IntoOffer | None = None
        self._place: tuple[Document, Slot] | None = None
        self._then: Then = lambda value: None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.card.set_theme(theme)

    def ask(self, document: Document, slot: Slot, then: Then, into: IntoOffer | None = None) -> None:
        """Offer what may stand in a slot; *then* is told what was chosen. A single choice needs no question.

        *into* may be meant instead: a value for the end of the collection that the slot lies behind.

        Raises:
            EditError: the slot is in no collection.
        """
        types, like = addable(document, slot), like_neighbour(document, slot)
        if len(types) == 1 and like is None and into is None:
            then(empty_value(document, types[0]))
            return
        self._then, self._like, self._place, self._into = then, like, (document, slot), into
        recent = [name for name in self._last if name in types]
        self._types = (*recent, *(name for name in types if name not in recent))
        where = place_words(document, slot)
        self.card.setAccessibleName(f"New value {where}")
        self.card.field.setPlaceholderText(f"New value {where}")
        self.card.open()
        self._filter("")

    def _filter(self, text: str) -> None:
        if self._place is None:
            return
        document, slot = self._place
        rows: list[CardRow] = []
        self._shown = []
        typed, plain = typed_value(document, slot, text), typed_text(document, slot, text)
        found = [(name, match(text, name)) for name in self._types]
        hits = [(name, hit) for name, hit in found if hit is not None]
        if text.strip():
            hits.sort(key=lambda each: -each[1].score)
        is_meant = bool(hits) and text.strip().casefold() in hits[0][0].casefold()
        if not text.strip():
            offers = [self._into.value if self._into is not None else None, self._like]
            for offer in offers if self._into is not None and self._into.is_first else reversed(offers):
                if offer is not None:
                    self._add(rows, offer, "copy-plus")
        if typed is not None:
            self._add(rows, typed, "plus")
        if plain is not None and typed is None and not is_meant:
            self._add(rows, plain, "plus")
        for name, hit in hits:
            self._shown.append(name)
            rows.append(CardRow(name, hit.places))
        if plain is not None and typed is None and is_meant:
            self._add(rows, plain, "plus")
        self.card.set_rows(rows, 0, HINT if rows else NO_MEANING)

    def _add(self, rows: list[CardRow], value: NewValue, icon: str) -> None:
        self._shown.append(value)
        rows.append(CardRow(value.title, detail=value.detail, icon=icon, icon_role="accent", strong=True))

    def _choose(self, row: int) -> None:
        if self._place is None:
            return
        chosen, (document, _), then = self._shown[row], self._place, self._then
        if self._into is not None and chosen is self._into.value:
            then = self._into.then
        if isinstance(chosen, str):
            self._last = [chosen, *(other for other in self._last if other != chosen)]
            chosen = empty_value(document, chosen)
        self.card.dismiss()
        self._place = self._like = self._into = None
        self._shown, self._then = [], lambda value: None
        then(chosen)
