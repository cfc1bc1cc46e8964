"""Exact turns: a place from which the rest of the bytes is exactly what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.base.buffer import u32
from viewer.variant.recovery.numbers import has_numbers
from viewer.variant.recovery.place import FEW_BYTES, MOST_LOOKS, NEAR, Place
from viewer.variant.recovery.trail import Exhausted, Trail
from viewer.variant.recovery.turn import Skip

ODD = 8
"""So many odd heads at either end are looked at as the place of the damage."""
MUCH = 4
"""So many times more bytes left out are much more."""


class Exact:
    """Looks for the offset from which exactly the expected values follow to the end.

    Args:
        place: where the scan ended.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.trails = place.trails

    def near_odd_heads(self) -> Skip | None:
        """The skip where a head that an engine would not write may be the damage, or where the scan ended."""
        return self._first(self._odd_places())

    def near_heads_before(self) -> Skip | None:
        """The skip where one of the heads in front of the end may be the damage."""
        return self._first(self.place.heads_before())

    def _first(self, places: Iterable[tuple[int, int]]) -> Skip | None:
        """Of the places that fit, the first from which not much more is left out than from another."""
        fits: list[Skip] = []
        try:
            for at, left in places:
                found = self._fit(at, left)
                fits += [found] if found is not None else []
        except Exhausted:
            pass  # what was found until then is what there is
        least = min((found.to - found.at for found in fits), default=0)
        return next((found for found in fits if found.to - found.at <= MUCH * least + FEW_BYTES), None)

    def _odd_places(self) -> Iterator[tuple[int, int]]:
        """Where the damage may be, the likeliest place first, and how many values are expected from there on."""
        yield from self._odd_heads()
        if self.place.broken:
            yield self.place.at, self.place.left

    def _odd_heads(self) -> list[tuple[int, int]]:
        """The first and last heads that an engine would not write, in the order of their bytes."""
        found: list[tuple[int, int]] = []
        end = self.place.at
        at, values = self.place.since, 0
        while at < end:
            at, whole, _ = self.trails.hop(at, end)
            values += whole
            if at >= end:
                break
            head = self.trails.head(at)
            if head is None or head[0] > end:
                return []  # some other way led here
            if not head[2]:
                found.append((at, values))
                if len(found) > 2 * ODD:
                    del found[ODD]
            at, values = head[0], values + 1 - head[1]
        return [(at, self.place.left + values - before) for at, before in found]

    def _fit(self, at: int, left: int) -> Skip | None:
        """The first offset around *at* from which exactly the expected values follow to the end."""
        if not at:
            return None  # the root cannot be skipped
        place = self.place
        before = place.head_before(at)
        far = at == place.at and place.replay.error is not None
        instead: Skip | None = None
        for to in place.offsets(max(before + 4, place.since, 4), at + NEAR, MOST_LOOKS if far else NEAR):
            trail = self.trails.whole(to) if to != at else None
            if trail is None:
                continue
            if trail.values == left - 1 and to >= at + 4 and (instead is None or place.is_text(at, to)):
                return Skip(at, to, True, left - 1)
            if to < at and self._gains_nothing(before, at, to, trail):
                continue
            if trail.values == left and (to > at or before) and instead is None:
                instead = Skip(before, to, True, left) if to < at else Skip(at, to, False, left)
                if to < at + 4:
                    break
        return instead

    def _gains_nothing(self, before: int, at: int, to: int, trail: Trail) -> bool:
        """Whether a value that is whole, from *before* to *at*, would go for a last one with numbers of no game."""
        return trail.heads == 1 and self.trails.hop(before, before + 1)[0] == at and not self._has_numbers(to)

    def _has_numbers(self, at: int) -> bool:
        header = u32(self.place.raw, at)
        return has_numbers(self.place.raw, at, self.place.table.dialect.row(header), header)
