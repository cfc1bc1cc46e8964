"""Search: which turn makes sense of the bytes where a scan ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from viewer.base.buffer import u32
from viewer.base.record import dataclass
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.recovery import false_counts
from viewer.variant.recovery.break_point import FEW_BYTES, MOST_LOOKS, NEAR, BreakPoint
from viewer.variant.recovery.evidence_ledger import has_numbers
from viewer.variant.recovery.false_counts import as_it_is, cost, keeps_types
from viewer.variant.recovery.header_run import HEADERS, Exhausted, HeaderRun, Trails
from viewer.variant.recovery.hopping import text_end
from viewer.variant.recovery.replay import Assume, Count, RecoveryReplay, Resync, SkipAhead, Trials
from viewer.variant.table import NONE, NodeTable

# Ways onward that fit less than exactly: heads that are none, values that are lost, another error that follows.

FEW_HEADS = 3
"""A trail that does not reach the end must be longer than this to be believed."""
LONGEST_RUN = 1 << 12
"""So many values of a collection without a believable count are compared."""
KEYS_LOOKED_AT = 8


class ForwardSearch:
    """Looks for what makes sense where nothing fits exactly.

    Args:
        place: where the scan ended.
    """

    def __init__(self, place: BreakPoint) -> None:
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

    def stretch(self) -> tuple[SkipAhead, int] | None:
        """Another error follows: the skip to where most can be followed up to there, and where that ends."""
        best: tuple[int, HeaderRun] | None = None
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

    def fewer(self, end: int) -> SkipAhead | None:
        """Values are lost: the skip to the first offset, up to *end*, from which fewer than expected follow."""
        for to in self.place.offsets(self.place.at + 4, end):
            trail = self.trails.whole(to)
            if trail is not None and 0 < trail.values < self.place.left:
                found = self._placed(to, trail.values)
                if found is not None:
                    return found
        return None

    def _placed(self, to: int, left: int) -> SkipAhead | None:
        """A skip that keeps keys keys and values values."""
        at, lost = self.place.at, self.place.left - 1 - left
        for depth, level in enumerate(self.levels):
            if lost < level.waits or depth == len(self.levels) - 1:
                keep = level.waits - lost
                if not level.pairs or (level.read + keep) % 2 == 0:
                    return SkipAhead(at, to, True, left)
                if depth == 0 and level.read % 2:
                    return SkipAhead(at, to, False, left)  # the broken key goes with its value
                return None
            lost -= level.waits
        return None

    def _in_step(self, to: int) -> SkipAhead:
        """A skip after which texts that look like keys are keys."""
        at, left = self.place.at, self.place.left
        if not self.levels or not self.levels[0].pairs:
            return SkipAhead(at, to, True)
        types, _ = self.place.types(to, KEYS_LOOKED_AT)
        evens, odds = _share_of_texts(types[::2]), _share_of_texts(types[1::2])
        at_key = self.levels[0].read % 2 == 0  # behind the broken value
        if at_key or evens <= odds or not self.levels[0].waits or left < 2:
            return SkipAhead(at, to, True)
        return SkipAhead(at, to, False, left - 2)


def _share_of_texts(types: list[str]) -> float:
    return types.count("String") / max(1, len(types))


# Inside objects, whose properties' names have no headers, no trail leads on: there the scanner itself tries.

NAMES_LONGEST_NAME = 128
MOST_HEADS = 4
"""So many heads in front of the end are tried as the place of the damage."""


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The turn that leads furthest, and whether that is the end."""

    turn: Resync | None = None
    to_end: bool = False


class PropertySearch:
    """Looks for the turn inside an object.

    Args:
        place: where the scan ended.
        trials: scans with one turn more.
    """

    def __init__(self, place: BreakPoint, trials: Trials) -> None:
        self.place = place
        self.trials = trials
        self.raw = place.raw

    def led(self) -> BestTurn:
        """The first turn that leads to the end, else the one that leads furthest, as far as there were trials."""
        best = 0, BestTurn()
        if not self.place.broken:
            return best[1]
        try:
            for to, turn in self._turns():
                if self.trials.spent:
                    break
                found = self.trials.run(turn)
                if found is None:
                    continue
                if found.error is None and found.stuck == len(self.raw):
                    return BestTurn(turn, True)
                if found.stuck >= max(to, self.place.at) + FEW_BYTES and found.stuck > best[0]:
                    best = found.stuck, BestTurn(turn)
        except Exhausted:
            pass  # what was found until then is what there is
        return best[1]

    def _turns(self) -> Iterator[tuple[int, Resync]]:
        for at, left in self._places():
            if not at:
                continue
            before = self.place.head_before(at)
            for to in self._starts_around(max(before + 4, self.place.since, 4), at):
                for turn in _ways(before, at, to, left):
                    yield to, turn

    def _places(self) -> Iterator[tuple[int, int]]:
        yield self.place.at, self.place.left
        yield from islice(self.place.heads_before(), MOST_HEADS)

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
            if u32(raw, to) <= NAMES_LONGEST_NAME and raw[to]:
                after = text_end(raw, to, False, False)
            elif HEADERS.match(raw, to):
                after = self.place.trails.hop(to, to + 1)[0]
            if to < after and (after == size or self._begins(after)):
                yield to

    def _begins(self, at: int) -> bool:
        return HEADERS.match(self.raw, at) is not None or text_end(self.raw, at, False, False) > at


def _ways(before: int, at: int, to: int, left: int) -> Iterator[Resync]:
    """The turns that go on at *to* where *left* values are expected from *at* on."""
    if to < at:
        if before:
            yield SkipAhead(before, to, True, left)
        return
    if to > at and to < at + 4:
        yield SkipAhead(at, to, False, left)
    if to >= at + 4:
        for lost in range(4):
            if left > lost:
                yield SkipAhead(at, to, True, left - 1 - lost)
        yield SkipAhead(at, to, False, left)
        if left > 2:
            yield SkipAhead(at, to, False, left - 2)


# Exact turns: a place from which the rest of the bytes is exactly what is expected.

ODD = 8
"""So many odd heads at either end are looked at as the place of the damage."""
MUCH = 4
"""So many times more bytes left out are much more."""


class ExactSearch:
    """Looks for the offset from which exactly the expected values follow to the end.

    Args:
        place: where the scan ended.
    """

    def __init__(self, place: BreakPoint) -> None:
        self.place = place
        self.trails = place.trails

    def near_odd_heads(self) -> SkipAhead | None:
        """The skip where a head that an engine would not write may be the damage, or where the scan ended."""
        return self._first(self._odd_places())

    def near_heads_before(self) -> SkipAhead | None:
        """The skip where one of the heads in front of the end may be the damage."""
        return self._first(self.place.heads_before())

    def _first(self, places: Iterable[tuple[int, int]]) -> SkipAhead | None:
        """Of the places that fit, the first from which not much more is left out than from another."""
        fits: list[SkipAhead] = []
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

    def _fit(self, at: int, left: int) -> SkipAhead | None:
        """The first offset around *at* from which exactly the expected values follow to the end."""
        if not at:
            return None  # the root cannot be skipped
        place = self.place
        before = place.head_before(at)
        far = at == place.at and place.replay.error is not None
        instead: SkipAhead | None = None
        for to in place.offsets(max(before + 4, place.since, 4), at + NEAR, MOST_LOOKS if far else NEAR):
            trail = self.trails.whole(to) if to != at else None
            if trail is None:
                continue
            if trail.values == left - 1 and to >= at + 4 and (instead is None or place.is_text(at, to)):
                return SkipAhead(at, to, True, left - 1)
            if to < at and self._gains_nothing(before, at, to, trail):
                continue
            if trail.values == left and (to > at or before) and instead is None:
                instead = SkipAhead(before, to, True, left) if to < at else SkipAhead(at, to, False, left)
                if to < at + 4:
                    break
        return instead

    def _gains_nothing(self, before: int, at: int, to: int, trail: HeaderRun) -> bool:
        """Whether a value that is whole, from *before* to *at*, would go for a last one with numbers of no game."""
        return trail.heads == 1 and self.trails.hop(before, before + 1)[0] == at and not self._has_numbers(to)

    def _has_numbers(self, at: int) -> bool:
        header = u32(self.place.raw, at)
        return has_numbers(self.place.raw, at, self.place.table.dialect.row(header), header)


# Broken heads of collections: what follows are its children all the same.

HEAD_BYTES = 96
"""Bytes behind the beginning of a collection in which its first child is looked for."""
LONGEST_NAME = 128
FAR = 0.1
"""What a byte between a head and the first child weighs in comparison with an odd key."""
OTHER = 10
"""What another type weighs in comparison with such bytes."""
MOST_LEVELS = 8


class CollectionSearch:
    """Looks for a collection that is open where a scan ended, or for its root, with another head.

    Args:
        replay: the scan that ended.
        trials: scans with one turn more.
        trails: of the bytes.
    """

    def __init__(self, replay: RecoveryReplay, trials: Trials, trails: Trails) -> None:
        self.replay = replay
        self.table: NodeTable = replay.table
        self.trials = trials
        self.trails = trails
        self.raw = trails.raw

    def turn(self) -> Resync | None:
        """The head that fits best, None where none does."""
        best: tuple[float, Resync | None] | None = None
        if self.replay.error is None or self.replay.error.span.start == len(self.raw):
            best = as_it_is(self.replay), None
        for found, far in self._candidates():
            done = self.trials.run(found)
            if done is None or done.error is not None or done.stuck != len(self.raw):
                continue
            if not keeps_types(done.table, done.table.at(found.at)):
                continue
            judged = cost(done.table) + FAR * far
            if best is None or judged < best[0]:
                best = judged, found
        return None if best is None else best[1]

    def _candidates(self) -> Iterator[tuple[Assume, int]]:
        for node, outer in self._open():
            at = self.table.start[node]
            usual = at + 8
            for to in range(at + 4, min(at + HEAD_BYTES, len(self.raw) - 3)):
                for header, children in self._children(node, to, outer):
                    other = 0 if header == u32(self.raw, at) else OTHER
                    yield Assume(at, header, children, to), abs(to - usual) + other

    def _open(self) -> Iterator[tuple[int, int]]:
        """The collections in question, and how many values are expected behind each."""
        levels = self.replay.levels[-MOST_LEVELS:] if self.replay.error is not None else []
        last = len(self.table) - 1
        if self.replay.error is not None and last > 0 and self.table.parent[last] != NONE:
            yield last, self.replay.left
        for number, level in enumerate(levels):
            yield level.node, sum(outer.waits for outer in levels[number + 1 :])
        if not levels and len(self.table):
            yield 0, 0

    def _children(self, node: int, to: int, outer: int) -> Iterator[tuple[int, int]]:
        """Headers and numbers of children with which everything from *to* on fits."""
        dialect, raw = self.table.dialect, self.raw
        own = u32(raw, self.table.start[node])
        row = dialect.row(own)
        if HEADERS.match(raw, to):
            trail = self.trails.children(to)
            children = trail.values - outer if trail is not None and trail.heads > 1 else 0
            if children > 0:
                for name in ("Dictionary", "Array"):
                    kept = row is not None and row.name == name
                    if name == "Array" or children % 2 == 0:
                        yield own if kept else dialect.type_number(name), children
        names, end = self._properties(to)
        if names and "Object" in dialect.by_name and dialect.row(dialect.type_number("Object")) is not None:
            header = dialect.type_number("Object")
            rest = self.trails.follow(end)
            if rest.end == len(raw) and rest.values == outer:
                yield header, 2 * names

    def _properties(self, at: int) -> tuple[int, int]:
        """How many properties stand one behind another, and where they end."""
        row = self.table.dialect.by_name.get("Object")
        if row is None or row.kind is not Kind.OBJECT:
            return 0, at
        count, raw = 0, self.raw
        while at + 8 <= len(raw) and 0 < u32(raw, at) <= LONGEST_NAME:
            value = text_end(raw, at, False, False)
            end = self._value_end(value) if value else 0
            if not end:
                break
            at, count = end, count + 1
        return count, at

    def _value_end(self, at: int) -> int:
        """Where the value at *at* ends with all that it holds; 0 where it cannot be read."""
        inside, size = 1, len(self.raw)
        while inside and at < size:
            end, values, _ = self.trails.hop(at, at + 1)
            if end == at:
                head = self.trails.head(at)
                if head is None:
                    return 0
                end, values = head[0], 1 - head[1]
            inside -= values
            at = end
        return 0 if inside else at


FEW_TO_DOUBT = 32
"""Bytes that are too few to find a fault in the values that were read of them."""
LONG = 1 << 12
"""Bytes up to the next error that are so many that no other way is asked for."""

Fitting = Callable[[Resync], bool]
AnyTurn = TypeVar("AnyTurn", bound=Resync)


class TurnSearch:
    """Looks for the turn at one place, with one question after another, each of which has a share of the work.

    Args:
        place: where the scan ended.
        trials: scans with one turn more.
        fits: whether a turn may be taken; where it may not, the next question is asked.
    """

    def __init__(self, place: BreakPoint, trials: Trials, fits: Fitting) -> None:
        self.place = place
        self.trials = trials
        self.fits = fits
        self.trails = place.trails
        self.exact = ExactSearch(place)
        self.onward = ForwardSearch(place)

    def turn(self) -> Resync | None:
        """The turn that fits best, None where nothing makes sense."""
        replay, at_end = self.place.replay, self.place.at == len(self.place.raw)
        if self.place.missing and at_end and self.place.at < FEW_TO_DOUBT:
            return None  # the end is cut off: another story for so few bytes would be made up
        if any(level.named for level in replay.levels):
            return self._among_names()
        found: Resync | None = self.ask(self.onward.assumed) or self.ask(self.exact.near_odd_heads)
        if self.place.broken and replay.pos == len(self.place.raw):
            return found  # the broken value is the last one
        if self.place.missing and at_end:
            return found or self._of_heads() or self.ask(self.onward.absurd)
        if replay.error is None:
            return found or self._of_heads() or self.ask(self.exact.near_heads_before)
        return found or self.ask(self.exact.near_heads_before) or self._of_heads() or self._onward()

    def ask(self, question: Callable[[], AnyTurn | None]) -> AnyTurn | None:
        """The turn that a question leads to, None where it leads to none that fits."""
        found = self.trails.ask(question)
        return found if found is not None and self.fits(found) else None

    def _among_names(self) -> Resync | None:
        led = self.trails.ask(PropertySearch(self.place, self.trials).led) or BestTurn()
        if led.turn is not None and not self.fits(led.turn):
            led = BestTurn()
        return led.turn if led.to_end else self._of_heads() or led.turn

    def _of_heads(self) -> Resync | None:
        """A collection holds more or fewer values than its head says, or its head is broken."""
        return self._of_counts() or self._of_collections()

    def _of_counts(self) -> Resync | None:
        self.trials.refill()
        return self.ask(lambda: false_counts.turn(self.place.replay, self.trials, self.trails))

    def _of_collections(self) -> Resync | None:
        self.trials.refill()
        return self.ask(CollectionSearch(self.place.replay, self.trials, self.trails).turn)

    def _onward(self) -> Resync | None:
        """What fits less than exactly."""
        if self.place.missing:
            return self.ask(self.onward.absurd)
        if not self.place.replay.levels:
            return None
        return self.ask(self.onward.counted) or self.ask(self._nearer)

    def _nearer(self) -> SkipAhead | None:
        """The way to the end, or the one to the next error where that leaves out much less."""
        stretch = self.trails.ask(self.onward.stretch)
        size = len(self.place.raw)
        if stretch is None:
            return self.trails.ask(lambda: self.onward.fewer(size))
        skip, end = stretch
        long = end - skip.to
        fewer = self.trails.ask(lambda: self.onward.fewer(skip.to if long > LONG else size))
        return skip if fewer is None or skip.to < fewer.to <= skip.to + 2 * long else fewer
