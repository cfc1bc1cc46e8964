"""Ways onward that fit less than exactly: heads that are none, values that are lost, another error that follows."""

from __future__ import annotations

from viewer.base.buffer import u32
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.heads import INT_MAX
from viewer.variant.recovery.place import FEW_BYTES, NEAR, Place
from viewer.variant.recovery.trail import Exhausted, Trail
from viewer.variant.recovery.turn import Assume, Count, Skip

FEW_HEADS = 3
"""A trail that does not reach the end must be longer than this to be believed."""
LONGEST_RUN = 1 << 12
"""So many values of a collection without a believable count are compared."""
KEYS_LOOKED_AT = 8


class Onward:
    """Looks for what makes sense where nothing fits exactly.

    Args:
        place: where the scan ended.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.trails = place.trails
        self.raw = place.raw
        self.levels = place.replay.levels

    # A collection's head

    def assumed(self) -> Assume | None:
        """The broken value is a collection without its header: as many values follow as a count says."""
        if not self.place.broken:
            return None
        row, children = self._collection()
        dialect = self.place.table.dialect
        if children <= 0 or (row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY)):
            return None
        at = self.place.at
        count = u32(self.raw, at + 4) & INT_MAX
        if children == 2 * count and self._has_text_keys(at + 8):
            return Assume(at, dialect.type_number("Dictionary"), children, at + 8)
        return Assume(at, dialect.type_number("Array"), children, at + 8) if children == count else None

    def counted(self) -> Count | None:
        """The broken value is a collection whose count lies."""
        row, children = self._collection()
        if row is None or children < 0 or row.kind not in (Kind.ARRAY, Kind.DICTIONARY):
            return None
        return Count(self.place.at, children) if row.kind is Kind.ARRAY or children % 2 == 0 else None

    def absurd(self) -> Count | None:
        """A collection promises more than all bytes could hold: it ends where keys or types stop being alike."""
        table = self.place.table
        for level in self.levels:
            if level.short and not level.named:
                children = self._alike(table.head_end(level.node), level.pairs)
                return Count(table.start[level.node], children) if children else None
        return None

    def _collection(self) -> tuple[TypeRow | None, int]:
        """The type of the broken value, and how many children it has if those follow its count; -1 if they do not."""
        at = self.place.at
        if at + 12 > len(self.raw):
            return None, -1
        trail = self.trails.children(at + 8)
        if trail is None:
            return None, -1
        return self.place.table.dialect.row(u32(self.raw, at)), trail.values - (self.place.left - 1)

    def _has_text_keys(self, at: int) -> bool:
        return self.place.types(at, 6)[0][::2].count("String") >= 1

    def _alike(self, at: int, pairs: bool) -> int:
        """How many values from *at* on are pairs with different texts as keys, or of the same type."""
        types, starts = self.place.types(at, LONGEST_RUN)
        if not pairs:
            return next((k for k, name in enumerate(types) if name != types[0]), len(types))
        seen: set[bytes] = set()
        for k in range(0, len(types) - 1, 2):
            key = bytes(self.raw[starts[k] : starts[k + 1]])
            if types[k] != "String" or key in seen:
                return k
            seen.add(key)
        return len(types) & ~1

    # Behind what cannot be read

    def stretch(self) -> tuple[Skip, int] | None:
        """Another error follows: the skip to where most can be followed up to there, and where that ends."""
        best: tuple[int, Trail] | None = None
        try:
            for to in self.place.offsets(self.place.at + 4, len(self.raw)):
                if best is not None and to > min(best[0] + NEAR, best[1].end):
                    break
                trail = self.trails.follow(to)
                if trail.heads < FEW_HEADS or trail.end - to < FEW_BYTES or 4 * trail.odd > trail.heads:
                    continue
                if best is None or trail.end > best[1].end:
                    best = to, trail
        except Exhausted:
            pass  # what was found until then is what there is
        return None if best is None else (self._in_step(best[0]), best[1].end)

    def fewer(self, end: int) -> Skip | None:
        """Values are lost: the skip to the first offset, up to *end*, from which fewer than expected follow."""
        for to in self.place.offsets(self.place.at + 4, end):
            trail = self.trails.whole(to)
            if trail is not None and 0 < trail.values < self.place.left:
                found = self._placed(to, trail.values)
                if found is not None:
                    return found
        return None

    def _placed(self, to: int, left: int) -> Skip | None:
        """A skip that keeps keys keys and values values."""
        at, lost = self.place.at, self.place.left - 1 - left
        for depth, level in enumerate(self.levels):
            if lost < level.waits or depth == len(self.levels) - 1:
                keep = level.waits - lost
                if not level.pairs or (level.read + keep) % 2 == 0:
                    return Skip(at, to, True, left)
                if depth == 0 and level.read % 2:
                    return Skip(at, to, False, left)  # the broken key goes with its value
                return None
            lost -= level.waits
        return None

    def _in_step(self, to: int) -> Skip:
        """A skip after which texts that look like keys are keys."""
        at, left = self.place.at, self.place.left
        if not self.levels or not self.levels[0].pairs:
            return Skip(at, to, True)
        types, _ = self.place.types(to, KEYS_LOOKED_AT)
        evens, odds = _share_of_texts(types[::2]), _share_of_texts(types[1::2])
        at_key = self.levels[0].read % 2 == 0  # behind the broken value
        if at_key or evens <= odds or not self.levels[0].waits or left < 2:
            return Skip(at, to, True)
        return Skip(at, to, False, left - 2)


def _share_of_texts(types: list[str]) -> float:
    return types.count("String") / max(1, len(types))
