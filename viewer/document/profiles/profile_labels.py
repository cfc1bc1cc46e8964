"""The labels of a document's rows: a profile's paths as one tree of names, walked once for each row that is shown.

A row costs a look into a dictionary for its key, however many keys the profile explains.
"""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.base.words import grouped
from viewer.document import outline
from viewer.document.bulk.steps import ChildrenStep, EntryStep, KeyStep, NamedDescendantsStep, PatternStep
from viewer.document.document import Document
from viewer.document.element_index import element_number
from viewer.document.profiles.game_profile import GameProfile, KeyMeaning
from viewer.document.profiles.value_label import ValueLabel
from viewer.variant import items
from viewer.variant.dialect import Dialect
from viewer.variant.items import Item
from viewer.variant.paths.path_keys import is_long, value_segment
from viewer.variant.read import read, read_shallow
from viewer.variant.table import NONE, NodeTable

MOST_KNOWN = 1 << 16
"""So many collections are remembered with the place that they have in the profile."""
LONGEST_TEXT = 1 << 10
"""Texts of more bytes are not looked up."""
WHOLE = 1 << 53


class _Place:
    """A place in the tree of names: what leads on from it, and what is said there; one that *waits* stays in force
    for all that lies below, one that *hides* has children that nobody need see."""

    __slots__ = ("any", "below", "hides", "meaning", "named", "waits")

    def __init__(self, waits: bool = False) -> None:
        self.named: dict[str, _Place] = {}
        self.any: _Place | None = None
        self.below: _Place | None = None
        self.meaning: KeyMeaning | None = None
        self.waits = waits
        self.hides = False


_Places = tuple[_Place, ...]
"""All places that a value has; those that say most come first."""


@dataclass(slots=True)
class _Frame:
    """What is known of the values of one frame, as long as its bytes are the same."""

    table: NodeTable
    buffer: Buffer
    places: dict[int, _Places]


class ProfileLabels:
    """Says what the values of a document mean.

    Args:
        profile: what is known of the game.
        dialect: how keys are written that are no text.
    """

    def __init__(self, profile: GameProfile, dialect: Dialect) -> None:
        self.profile = profile
        self._dialect = dialect
        self._roots: dict[int | None, _Place] = {}
        self._frames: dict[int, _Frame] = {}
        for key in profile.keys:
            place = self._roots.setdefault(key.at.frame, _Place())
            for number, step in enumerate(key.at.steps, 1):
                above, place = place, self._add(place, step)
                if key.is_hidden and number == len(key.at.steps):
                    (
                        above.below if isinstance(step, NamedDescendantsStep) and above.below is not None else above
                    ).hides = True
            if place.meaning is None:
                place.meaning = key
        self.hides = any(key.is_hidden for key in profile.keys)

    def _add(self, place: _Place, step: PatternStep) -> _Place:
        """The place to which a step leads, made where it is new."""
        if isinstance(step, ChildrenStep):
            place.any = place.any or _Place()
            return place.any
        if isinstance(step, NamedDescendantsStep):
            place.below = place.below or _Place(waits=True)
            return place.below.named.setdefault(f".{step.name.text}", _Place())
        if isinstance(step, EntryStep):
            return place.named.setdefault(f".{step.name.text}", _Place())
        assert isinstance(step, KeyStep)
        return place.named.setdefault(value_segment(step.key, self._dialect), _Place())

    # Labels

    def label(self, document: Document, item: Item) -> ValueLabel | None:
        """What is said of a value or of an element of a packed array; None for nothing."""
        frame = outline.node_frame(document, item)
        if frame is None or outline.is_gap(item):
            return None
        table, number = frame.table, element_number(item)
        if (item.part and number < 0) or outline.is_key(table, item.node):
            return None
        places = self._places(document, item.frame, table, item.node)
        if number >= 0:
            places = _step(places, f"[{number}]")
        meaning = next((place.meaning for place in places if place.meaning is not None), None)
        return _label(meaning, table, item, number) if meaning is not None else None

    def hides_in(self, document: Document, item: Item) -> bool:
        """Whether some values in a collection may be such that nobody need see them."""
        frame = outline.node_frame(document, item) if self.hides and not item.part else None
        if frame is None:
            return False
        return any(place.hides for place in self._places(document, item.frame, frame.table, item.node))

    def _places(self, document: Document, index: int, table: NodeTable, node: int) -> _Places:
        """The places of a node; each node above it is looked at once."""
        known = self._frames.get(index)
        if known is None or known.table is not table or known.buffer is not table.buffer:
            if len(self._frames) >= MOST_KNOWN:
                self._frames.clear()
            known = self._frames[index] = _Frame(table, table.buffer, {0: self._root(document, index)})
        places, chain, parent = known.places, [], table.parent
        while node not in places and parent[node] != NONE:
            chain.append(node)
            node = parent[node]
        found = places.get(node, ())
        for child in reversed(chain):
            found = _step(found, _symbol(table, child)) if found else ()
            if table.first[child]:
                if len(places) >= MOST_KNOWN:
                    places.clear()
                    places[0] = self._root(document, index)
                places[child] = found
        return found

    def _root(self, document: Document, index: int) -> _Places:
        """The places of a whole frame: those of its own, those of all, and those behind the name of its value."""
        own, all_of_them = self._roots.get(index), self._roots.get(None)
        found = _with_waiting(tuple(place for place in (own, all_of_them) if place is not None))
        names = document.value_names
        return found + _step(found, f".{names[index]}") if index < len(names) else found


def _step(places: _Places, symbol: str) -> _Places:
    """The places of a child that is called so: by its own name first, then by any, then by one at any depth."""
    exact: list[_Place] = []
    others: list[_Place] = []
    deep: list[_Place] = []
    waiting: list[_Place] = []
    for place in places:
        found = place.named.get(symbol)
        if found is not None:
            (deep if place.waits else exact).append(found)
        if place.any is not None:
            others.append(place.any)
        if place.waits:
            waiting.append(place)
    return _with_waiting((*exact, *others, *deep, *waiting))


def _with_waiting(places: _Places) -> _Places:
    """Places with those behind them that wait for a name at any depth; each once."""
    below = (place.below for place in places if place.below is not None)
    return tuple(dict.fromkeys((*places, *below)))


def _symbol(table: NodeTable, node: int) -> str:
    """What leads from its parent to a node: ``.name`` for a text of any type, else as paths have it."""
    parent = table.parent[node]
    if not table.has_pairs(parent):
        return f"[{node - table.first[parent]}]"
    key = outline.key_of(table, node)
    if key is None or is_long(table, key):
        return ""
    value = read(table, key)
    return f".{value.data}" if isinstance(value.data, str) else value_segment(value, table.dialect)


def _label(meaning: KeyMeaning, table: NodeTable, item: Item, number: int) -> ValueLabel:
    data = (
        _data(table, item, number) if meaning.names or meaning.least is not None or meaning.most is not None else None
    )
    name = meaning.names.get(_text(data), "") if meaning.names and data is not None else ""
    return ValueLabel(
        escaped(meaning.name),
        escaped(meaning.about),
        escaped(" ".join(part for part in (name, meaning.unit) if part)),
        _note(meaning, data),
        meaning.is_favourite,
        meaning.is_hidden,
    )


def _data(table: NodeTable, item: Item, number: int) -> object:
    """The number, text or truth that a value is; None for all others."""
    if number >= 0:
        part = items.part(table, item.node, item.part)
        return part.value if part is not None else None
    row = table.row(item.node)
    is_long_text = table.end(item.node) - table.start[item.node] > LONGEST_TEXT
    if row is None or is_long_text or table.first[item.node]:
        return None
    return read_shallow(table, item.node).data


def _text(data: object) -> str:
    """A value as profiles write it: ``3``, also for the 3.0 of a text that knows no whole numbers."""
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, float) and data.is_integer() and abs(data) < WHOLE:
        return str(int(data))
    return str(data) if isinstance(data, int | float | str) else ""


def _note(meaning: KeyMeaning, data: object) -> str:
    """That a number is out of its range, in a sentence."""
    if isinstance(data, bool) or not isinstance(data, int | float):
        return ""
    low, high = meaning.least, meaning.most
    is_inside = (low is None or data >= low) and (high is None or data <= high)
    if is_inside:
        return ""
    if low is None or high is None:
        usual = f"at least {_shown(low)}" if low is not None else f"at most {_shown(high)}"
    else:
        usual = f"{_shown(low)} to {_shown(high)}"
    return f"Out of range: the profile says {usual}."


def _shown(number: int | float | None) -> str:
    return grouped(number) if isinstance(number, int) else str(number)
