"""The values that a profile shows above all others."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.document.document import Document
from viewer.document.element_index import element_number
from viewer.document.path import segment
from viewer.document.profiles.profile_fitting import places
from viewer.document.profiles.profile_labels import ProfileLabels
from viewer.document.profiles.value_label import ValueLabel
from viewer.variant import items
from viewer.variant.items import Item
from viewer.variant.literal.preview import element_text, preview
from viewer.variant.literal.printing import quoted

MOST = 12
"""So many values are shown."""
MOST_OF_A_KEY = 4
"""So many of one key, where its path leads to several."""
SHOWN = 32
"""So many signs of a value are shown."""


@dataclass(frozen=True, slots=True)
class Favourite:
    """A value that is shown above all others.

    Args:
        item: the value.
        name: what it is called; where it is one of several, with what tells them apart.
        text: its value in a few letters.
        label: what the profile says of it.
    """

    item: Item
    name: str
    text: str
    label: ValueLabel


def favourites(document: Document, labels: ProfileLabels) -> list[Favourite]:
    """The favourites of a document, in the order of the profile."""
    found: list[Favourite] = []
    for key in labels.profile.keys:
        if key.is_favourite and len(found) < MOST:
            there = places(document, key.at, min(MOST_OF_A_KEY, MOST - len(found)))
            found += [
                Favourite(item, _name(document, item, label, len(there) > 1), _text(document, item), label)
                for item in there
                if (label := labels.label(document, item)) is not None and not any(each.item == item for each in found)
            ]
    return found


def _name(document: Document, item: Item, label: ValueLabel, is_one_of_several: bool) -> str:
    table = document.frames[item.frame].table
    own = item.part or segment(table, item.node).removeprefix(".")
    above = item.node if item.part else table.parent[item.node]
    where = segment(table, above).removeprefix(".") if is_one_of_several and above > 0 else ""
    return " ".join(part for part in (escaped(where), label.name or escaped(own)) if part)


def _text(document: Document, item: Item) -> str:
    table = document.frames[item.frame].table
    if element_number(item) < 0:
        return str(preview(table, item.node, SHOWN))
    part = items.part(table, item.node, item.part)
    if part is None:
        return ""
    return quoted(str(part.value)[:SHOWN]) if part.type == "text" else element_text(part)
