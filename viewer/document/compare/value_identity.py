"""An identity of the elements of an array: a key whose values tell them apart, and which both sides have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from viewer.document.compare.value_side import ValueSide
from viewer.variant.dialect import PAIRED, Kind

if TYPE_CHECKING:  # it asks for identities
    from viewer.document.compare.row_pairing import RowUnits

NAMES = ("id", "uid", "uuid", "guid", "_id", "key", "slug", "ident", "identifier", "instance_id", "item_id", "name")
"""Keys that are identities more often than not, the surest first."""
ENDS = ("id", "_name", "_key")
MANY_KEYS, SAMPLE = 64, 256
"""So many keys of an element are looked at, and of so many elements that are paired already."""
LONGEST = 256
SCALARS = ("int", "float", "String", "StringName", "NodePath")


class IdentityFinder:
    """Looks for an identity among rows that are not paired yet.

    Args:
        old, new: the rows of both sides.
        ours, theirs: the numbers of those that are left.
    """

    def __init__(self, old: RowUnits, new: RowUnits, ours: Sequence[int], theirs: Sequence[int]) -> None:
        self._old, self._new = old, new
        self._ours, self._theirs = ours, theirs

    def pairs(self, chosen: str = "") -> tuple[str, list[tuple[int, int]]] | None:
        """The name of the key, and the rows that have the same value there; None where there is no such key.

        Args:
            chosen: the key that a person named, which is taken even if few have it.
        """
        first = self._fields(self._old, self._ours[0]) if self._ours else {}
        names = [chosen] if chosen else sorted(filter(None, first), key=_rank)
        for name in names:
            if not chosen and _rank(name)[0] > len(NAMES) + 1:
                break
            ours, theirs = self._by(self._old, self._ours, name), self._by(self._new, self._theirs, name)
            if not ours or not theirs:
                continue
            both = [(ours[value], theirs[value]) for value in ours if value in theirs]
            enough = both if chosen else 2 * len(both) >= min(len(self._ours), len(self._theirs))
            if enough and both and self._is_unique(name, ours, theirs):
                return name, both
        return None

    def _by(self, rows: RowUnits, numbers: Sequence[int], name: str) -> dict[int, int]:
        """The rows by their value there; nothing where one lacks it, or two have the same."""
        out: dict[int, int] = {}
        for number in numbers:
            found = self._fields(rows, number, name).get(name)
            if found is None or found in out:
                return {}
            out[found] = number
        return out

    def _is_unique(self, name: str, ours: dict[int, int], theirs: dict[int, int]) -> bool:
        """Whether none of the other rows, of which some are looked at, has one of these values."""
        for rows, known in ((self._old, ours), (self._new, theirs)):
            taken, seen = set(known.values()), set[int]()
            step = max(1, len(rows) // SAMPLE)
            for number in range(0, len(rows), step):
                found = self._fields(rows, number, name).get(name) if number not in taken else None
                if found is not None and (found in known or found in seen):
                    return False
                if found is not None:
                    seen.add(found)
        return True

    def _fields(self, rows: RowUnits, number: int, only: str = "") -> dict[str, int]:
        """The scalar fields of a row, as digests by their names."""
        side, node = rows.place(number)
        row = side.row(node)
        if row is None or row.kind not in PAIRED:
            return {}
        return {name: side.digest(value) for name, value in _named(side, node) if not only or name == only}


def _rank(name: str) -> tuple[int, str]:
    """Which of several keys is asked first."""
    low = name.lower()
    if low in NAMES:
        return NAMES.index(low), low
    return (len(NAMES) if low.endswith(ENDS) else len(NAMES) + 2), low


def _named(side: ValueSide, node: int) -> Iterator[tuple[str, int]]:
    """The first fields of a dictionary or object that have a name and may be an identity."""
    table = side.table
    children = table.children(node)[: 2 * MANY_KEYS]
    for key, value in zip(children[::2], children[1::2], strict=False):
        row, held = table.row(key), table.row(value)
        if row is None or held is None or row.kind is not Kind.STRING or held.name not in SCALARS:
            continue
        if side.size(key) > LONGEST or side.size(value) > LONGEST:
            continue
        yield side.text(key), value
