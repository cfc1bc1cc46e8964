"""Search: which turn makes sense of the bytes where a scan ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from viewer.buffer import Bytes, u32
from viewer.diagnostic import Code
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.heads import INT_MAX
from viewer.variant.recovery import counts
from viewer.variant.recovery.collections import Collections
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.replay import Replay
from viewer.variant.recovery.trail import HEADERS, Exhausted, Trail, Trails
from viewer.variant.recovery.trials import Trials
from viewer.variant.recovery.turn import Assume, Count, Skip, Turn
from viewer.variant.table import NodeTable

ODD, BACK = 8, 12
"""So many odd heads at either end, and heads of any kind before it, are looked at as the place of the damage."""
NEAR = 1 << 12
"""Bytes behind a place in which every offset is tried."""
MOST_LOOKS = 1 << 14
"""Offsets that are tried at most behind one place."""
FEW_HEADS, FEW_BYTES = 3, 24
"""A trail that does not reach the end must be longer than this to be believed."""
FEW_TO_DOUBT = 32
"""Bytes that are too few to find a fault in the values that were read of them."""
MUCH = 4
"""So many times more bytes left out are much more."""
LONGEST_NAME = 128
LONGEST_RUN = 1 << 12
"""So many values of a collection without a believable count are compared."""


class Search:
    """Looks for the turn at one place.

    Args:
        raw: the frame's bytes.
        trails: of these bytes.
        replay: the scan that ended, with its table.
        since: where the last turn before went on.
        trials: scans with one turn more.
    """

    def __init__(self, raw: Bytes, trails: Trails, replay: Replay, since: int, trials: Trials) -> None:
        self.raw = raw
        self.trials = trials
        self.trails = trails
        self.replay = replay
        self.table: NodeTable = replay.table
        self.since = since
        self.at = replay.stuck
        error = replay.error
        self.missing = error is not None and error.code is Code.CHILD_MISSING
        self.left = replay.left + (1 if error is not None and not self.missing else 0)
        """Values that are expected from :attr:`at` on."""

    def turn(self) -> Turn | None:
        """The turn that fits best, None where nothing makes sense."""
        if self.missing and self.at == len(self.raw) < FEW_TO_DOUBT:
            return None  # the end is cut off: another story for so few bytes would be made up
        try:
            if any(level.named for level in self.replay.levels):
                found, is_whole = self._among_names()
                return found if is_whole else self._of_heads() or found
            found = self._assumed() or self._exact(self._odd_places())
            if self.replay.error is not None and not self.missing and self.replay.pos == len(self.raw):
                return found  # the broken value is the last one
            if self.missing and self.at == len(self.raw):
                return found or self._of_heads() or self._absurd()
            if found is None and self.replay.error is None:
                found = self._of_heads()
            return found or self._exact(self._heads_before()) or self._of_heads() or self._inexact()
        except Exhausted:
            return None

    def _of_heads(self) -> Turn | None:
        """A collection holds more or fewer values than its head says, or its head is broken."""
        self.trials.refill()
        found = counts.turn(self.replay, self.trials, self.trails)
        self.trials.refill()
        return found or Collections(self.replay, self.trials, self.trails).turn()

    # Inside objects, whose names have no headers, no trail leads on: there the scanner itself tries

    def _among_names(self) -> tuple[Turn | None, bool]:
        """The turn that leads furthest, and whether to the end."""
        if self.replay.error is None or self.missing:
            return None, False
        best: tuple[int, Turn] | None = None
        for at, left in self._near_places():
            if not at:
                continue
            before = self._head_before(at)
            for to in self._starts_around(max(before + 4, self.since, 4), at):
                for turn in _ways(before, at, to, left):
                    if self.trials.spent:
                        return None if best is None else best[1], False
                    found = self.trials.run(turn)
                    if found is None:
                        continue
                    if found.error is None and found.stuck == len(self.raw):
                        return turn, True
                    if found.stuck >= max(to, self.at) + FEW_BYTES and (best is None or found.stuck > best[0]):
                        best = found.stuck, turn
        return None if best is None else best[1], False

    def _near_places(self) -> Iterator[tuple[int, int]]:
        yield self.at, self.left
        yield from islice(self._heads_before(), 4)

    def _starts_around(self, begin: int, at: int) -> Iterator[int]:
        """Of the offsets from *begin* on those near it, and those near *at*."""
        if at - begin > 2 * NEAR:
            yield from self._starts(begin, begin + NEAR)
            begin = at - NEAR
        yield from self._starts(begin, at + NEAR)

    def _starts(self, begin: int, end: int) -> Iterator[int]:
        """Offsets at which a value or a property's name may stand, with another head behind it."""
        raw, size = self.raw, len(self.raw)
        for to in range(begin, min(end, size - 3)):
            after = 0
            if u32(raw, to) <= LONGEST_NAME and raw[to]:
                after = text_end(raw, to, False, False)
            elif HEADERS.match(raw, to):
                after = self.trails.hop(to, to + 1)[0]
            if to < after and (after == size or self._begins(after)):
                yield to

    def _begins(self, at: int) -> bool:
        return HEADERS.match(self.raw, at) is not None or text_end(self.raw, at, False, False) > at

    # A place from which the rest is exactly what is expected

    def _exact(self, places: Iterable[tuple[int, int]]) -> Turn | None:
        """Of the places that fit, the first from which not much more is left out than from another."""
        fits: list[Skip] = []
        try:
            for at, left in places:
                found = self._fit(at, left)
                fits += [found] if found is not None else []
        except Exhausted:
            if not fits:
                raise
        least = min((found.to - found.at for found in fits), default=0)
        return next((found for found in fits if found.to - found.at <= MUCH * least + FEW_BYTES), None)

    def _odd_places(self) -> Iterator[tuple[int, int]]:
        """Where the damage may be, the likeliest place first, and how many values are expected from there on."""
        yield from self._odd_heads()
        if self.replay.error is not None and not self.missing:
            yield self.at, self.left

    def _odd_heads(self) -> list[tuple[int, int]]:
        """The first and last heads that an engine would not write, in the order of their bytes."""
        found: list[tuple[int, int]] = []
        at, values = self.since, 0
        while at < self.at:
            at, whole, _ = self.trails.hop(at, self.at)
            values += whole
            if at >= self.at:
                break
            head = self.trails.head(at)
            if head is None or head[0] > self.at:
                return []  # some other way led here
            if not head[2]:
                found.append((at, values))
                if len(found) > 2 * ODD:
                    del found[ODD]
            at, values = head[0], values + 1 - head[1]
        return [(at, self.left + values - before) for at, before in found]

    def _heads_before(self) -> Iterator[tuple[int, int]]:
        """The heads in front of the end, the last one first."""
        at, left = self.at, self.left
        for _ in range(BACK):
            if at <= max(self.since, 4) or not len(self.table):
                return
            node = self.table.at(min(at, self.table.end_of_data) - 1)
            begin = self.table.start[node]
            if begin >= at or self.table.gap_at(begin) is not None:
                return
            children = self.table.child_count(node) if self.table.head_end(node) == at else 0
            at, left = begin, left + 1 - children
            yield at, left

    def _fit(self, at: int, left: int) -> Skip | None:
        """The first offset around *at* from which exactly the expected values follow to the end."""
        if not at:
            return None  # the root cannot be skipped
        before = self._head_before(at)
        far = at == self.at and self.replay.error is not None
        instead: Skip | None = None
        for to in self._offsets(max(before + 4, self.since, 4), at + NEAR, MOST_LOOKS if far else NEAR):
            trail = self.trails.follow(to) if to != at else None
            if trail is None or not self._is_whole(trail):
                continue
            if trail.values == left - 1 and to >= at + 4 and (instead is None or self._is_text(at, to)):
                return Skip(at, to, True, left - 1)
            if trail.values == left and (to > at or before) and instead is None:
                instead = Skip(before, to, True, left) if to < at else Skip(at, to, False, left)
                if to < at + 4:
                    break
        return instead

    def _is_text(self, at: int, to: int) -> bool:
        """Whether the bytes behind a header at *at* are a text that ends at *to*."""
        return text_end(self.raw, at + 4, False, False) == to

    def _head_before(self, at: int) -> int:
        """Where the head in front of *at* begins, 0 where it is the root's."""
        if at <= 0 or not len(self.table):
            return 0
        return self.table.start[self.table.at(min(at, self.table.end_of_data) - 1)]

    def _offsets(self, begin: int, end: int, most: int) -> Iterator[int]:
        """Offsets at which a header may stand."""
        found = HEADERS.finditer(self.raw, begin, min(end + 4, len(self.raw)))
        return islice((match.start() for match in found), most)

    def _is_whole(self, trail: Trail) -> bool:
        return trail.end == len(self.raw) and 8 * trail.odd <= trail.heads

    # What else makes sense

    def _inexact(self) -> Turn | None:
        if self.missing:
            return self._absurd()
        if self.replay.error is None or not self.replay.levels:
            return None
        return self._counted() or self._nearer(self._fewer(), self._stretch())

    def _nearer(self, fewer: Skip | None, stretch: tuple[Skip, int] | None) -> Turn | None:
        """The way to the end, or the one to the next error where that leaves out much less."""
        if fewer is None or stretch is None:
            return fewer or (stretch and stretch[0])
        skip, end = stretch
        return skip if skip.to < fewer.to and 2 * (end - skip.to) >= fewer.to - skip.to else fewer

    def _counted(self) -> Turn | None:
        """The broken value is a collection whose count lies."""
        row, children = self._collection()
        if row is None or children < 0 or row.kind not in (Kind.ARRAY, Kind.DICTIONARY):
            return None
        return Count(self.at, children) if row.kind is Kind.ARRAY or children % 2 == 0 else None

    def _assumed(self) -> Turn | None:
        """The broken value is a collection without its header: as many values follow as a count says."""
        if self.replay.error is None or self.missing:
            return None
        row, children = self._collection()
        dialect = self.table.dialect
        if children <= 0 or (row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY)):
            return None
        at, count = self.at, u32(self.raw, self.at + 4) & INT_MAX
        if children == 2 * count and self._has_text_keys(at + 8):
            return Assume(at, dialect.type_number("Dictionary"), children, at + 8)
        return Assume(at, dialect.type_number("Array"), children, at + 8) if children == count else None

    def _collection(self) -> tuple[TypeRow | None, int]:
        """The type of the broken value, and how many children it has if those follow its count; -1 if they do not."""
        at = self.at
        if at + 12 > len(self.raw):
            return None, -1
        trail = self.trails.follow(at + 8)
        children = trail.values - (self.left - 1)
        row = self.table.dialect.row(u32(self.raw, at))
        return row, children if self._is_whole(trail) and trail.heads else -1

    def _has_text_keys(self, at: int) -> bool:
        return self._types(at, 6)[0][::2].count("String") >= 1

    def _absurd(self) -> Turn | None:
        """A collection promises more than all bytes could hold: it ends where keys or types stop being alike."""
        for level in self.replay.levels:
            if level.short and not level.named:
                begin = self.table.head_end(level.node)
                children = self._alike(begin, level.pairs)
                return Count(self.table.start[level.node], children) if children else None
        return None

    def _alike(self, at: int, pairs: bool) -> int:
        """How many values from *at* on are pairs with different texts as keys, or of the same type."""
        types, starts = self._types(at, LONGEST_RUN)
        if not pairs:
            return next((k for k, name in enumerate(types) if name != types[0]), len(types))
        seen: set[bytes] = set()
        for k in range(0, len(types) - 1, 2):
            key = bytes(self.raw[starts[k] : starts[k + 1]])
            if types[k] != "String" or key in seen:
                return k
            seen.add(key)
        return len(types) & ~1

    def _fewer(self) -> Skip | None:
        """Values are lost: the first offset from which fewer than expected follow to the end."""
        for to in self._offsets(self.at + 4, len(self.raw), MOST_LOOKS):
            trail = self.trails.follow(to)
            if self._is_whole(trail) and 0 < trail.values < self.left:
                found = self._placed(to, trail.values)
                if found is not None:
                    return found
        return None

    def _placed(self, to: int, left: int) -> Skip | None:
        """A skip that keeps keys keys and values values."""
        lost = self.left - 1 - left
        for depth, level in enumerate(self.replay.levels):
            if lost < level.waits or depth == len(self.replay.levels) - 1:
                keep = level.waits - lost
                if not level.pairs or (level.read + keep) % 2 == 0:
                    return Skip(self.at, to, True, left)
                if depth == 0 and level.read % 2:
                    return Skip(self.at, to, False, left)  # the broken key goes with its value
                return None
            lost -= level.waits
        return None

    def _stretch(self) -> tuple[Skip, int] | None:
        """Another error follows: the offset from which most can be followed up to there."""
        best: tuple[int, Trail] | None = None
        for to in self._offsets(self.at + 4, len(self.raw), MOST_LOOKS):
            if best is not None and to > min(best[0] + NEAR, best[1].end):
                break
            trail = self.trails.follow(to)
            if trail.heads < FEW_HEADS or trail.end - to < FEW_BYTES or 4 * trail.odd > trail.heads:
                continue
            if best is None or trail.end > best[1].end:
                best = to, trail
        return None if best is None else (self._in_step(best[0]), best[1].end)

    def _in_step(self, to: int) -> Skip:
        """A skip after which texts that look like keys are keys."""
        levels = self.replay.levels
        if not levels or not levels[0].pairs:
            return Skip(self.at, to, True)
        types, _ = self._types(to, 8)
        evens, odds = (
            types[::2].count("String") / len(types[::2]),
            types[1::2].count("String") / max(1, len(types[1::2])),
        )
        at_key = levels[0].read % 2 == 0  # behind the broken value
        if evens == odds or (evens > odds) == at_key:
            return Skip(self.at, to, True)
        if at_key or levels[0].waits == 0:
            return Skip(self.at, to, True)
        return Skip(self.at, to, False, self.left - 2) if self.left >= 2 else Skip(self.at, to, True)

    def _types(self, at: int, most: int) -> tuple[list[str], list[int]]:
        """The types and starts of the values from *at* on, those inside others left out."""
        types: list[str] = []
        starts: list[int] = []
        inside = 0
        while len(types) < most and at + 4 <= len(self.raw):
            row = self.table.dialect.row(u32(self.raw, at))
            end, values, _ = self.trails.hop(at, at + 1)
            if end == at:
                head = self.trails.head(at)
                if head is None:
                    break
                end, values = head[0], 1 - head[1]
            if inside:
                inside -= 1
            else:
                types.append(row.name if row is not None else "")
                starts.append(at)
            inside += 1 - values
            at = end
        return types, starts


def _ways(before: int, at: int, to: int, left: int) -> Iterator[Turn]:
    """The turns that go on at *to* where *left* values are expected from *at* on."""
    if to < at:
        if before:
            yield Skip(before, to, True, left)
        return
    if to > at and to < at + 4:
        yield Skip(at, to, False, left)
    if to >= at + 4:
        for lost in range(4):
            if left > lost:
                yield Skip(at, to, True, left - 1 - lost)
        yield Skip(at, to, False, left)
        if left > 2:
            yield Skip(at, to, False, left - 2)
