"""Which rows of two collections stand for each other.

First come those that are equal, in the order of both sides. What is left between them is paired by key; in arrays by an
identity that is found among what it holds, else by how much it has in common with what stands in the same gap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Protocol

from viewer.base.record import dataclass, field
from viewer.document.compare.difference import Pairing
from viewer.document.compare.likeness import alike
from viewer.document.compare.sequence_alignment import LAST_WINDOW, Run, aligned, longest_rising, matched
from viewer.document.compare.value_side import ValueSide
from viewer.variant.dialect import PAIRED, Kind

KEYS, ORDER, PLACE = "keys", "order", "place"
MANY_LEFT = 1 << 16
"""Of more rows that are left over it is not looked whether they moved."""
MANY_PAIRS = 1 << 8
"""So many pairs of rows in one gap are compared to find those that have most in common."""
MANY_PLACES = 1 << 12
"""Arrays of no more rows are held against each other place by place, too."""
SAME_THING, FEW_ROWS = 0.5, 2
"""Elements that have so much in common are the same one in its place, where no more rows than these moved past it."""
WORTH_MOVING = 16
"""Bytes of the least value that is told to have moved, where what stands in its place may have become it."""


class RowUnits(Protocol):
    """The rows of one side."""

    has_keys: bool

    def __len__(self) -> int: ...
    def place(self, number: int) -> tuple[ValueSide, int]: ...
    def tokens(self, begin: int, end: int) -> Sequence[Hashable]: ...
    def token(self, number: int) -> Hashable: ...
    def value_token(self, number: int) -> Hashable: ...
    def digest(self, number: int) -> int: ...
    def key_digest(self, number: int) -> int: ...


@dataclass(slots=True)
class PairedRows:
    """What became of the rows.

    Args:
        by: how they were paired.
        equal: runs of equal rows.
        pairs: rows that belong together and may differ, in the order of the old side.
        moved: those of them that stand elsewhere.
        removed, added: rows that are on one side only.
        is_reordered: whether pairs stand in another order, where that means nothing.
    """

    by: str
    equal: list[Run]
    pairs: list[tuple[int, int]] = field(default_factory=list)
    moved: set[tuple[int, int]] = field(default_factory=set)
    removed: list[int] = field(default_factory=list)
    added: list[int] = field(default_factory=list)
    is_reordered: bool = False

    @property
    def pairing(self) -> Pairing:
        """What is kept of it."""
        return Pairing(self.by, tuple(self.equal), tuple(self.pairs))


@dataclass(frozen=True, slots=True)
class _Gap:
    """Rows between equal ones."""

    old: range
    new: range


def paired(
    old: RowUnits,
    new: RowUnits,
    skip: Callable[[int, int], int],
    how: str,
    goes_on: Callable[[], None],
    keeps_changed: bool = False,
) -> PairedRows:
    """Pair the rows of two collections.

    Args:
        old, new: the rows.
        skip: how many from two numbers on are known to be equal.
        how: what a person chose: ``place``, ``order``, the name of a key, or nothing.
        goes_on: called now and then; what it raises ends the work.
        keeps_changed: whether of elements that changed places those moved that are as they were.
    """
    if how == PLACE and not old.has_keys:
        return _by_place(old, new)
    out = PairedRows(
        KEYS if old.has_keys else ORDER, aligned(len(old), len(new), skip, old.tokens, new.tokens, goes_on)
    )
    gaps = list(_gaps(out.equal, len(old), len(new)))
    left = _Left(old, new, gaps)
    if old.has_keys:
        _by_key(old, new, left, out)
        _renamed(old, new, left, out)
    else:
        if how != ORDER:
            _by_identity(left, out, how)
        _moved(left, out, WORTH_MOVING)
        for gap in gaps:
            goes_on()
            _within(left, gap, out)
        _moved(left, out, 0)
    out.removed, out.added = left.all_old(), left.all_new()
    if keeps_changed and not old.has_keys:
        _keep_changed(old, new, out)
    out.pairs.sort()
    if out.by == ORDER and len(old) == len(new) <= MANY_PLACES and (out.added or out.moved):
        still = _by_place(old, new, ORDER)
        rows = len(out.pairs) + len(out.removed) + len(out.added)
        if len(still.pairs) < rows and not any(_holds(old, a) or _holds(new, b) for a, b in still.pairs):
            return still  # fewer changes tell the same: of many equal numbers nobody sees which one went elsewhere
    return out


def _holds(rows: RowUnits, number: int) -> bool:
    side, node = rows.place(number)
    return side.holds(node)


def _by_place(old: RowUnits, new: RowUnits, by: str = PLACE) -> PairedRows:
    both = min(len(old), len(new))
    out = PairedRows(by, [])
    ours, theirs = old.tokens(0, both), new.tokens(0, both)
    for number in range(both):
        if ours[number] == theirs[number]:
            if out.equal and sum(out.equal[-1][::2]) == number:
                out.equal[-1] = out.equal[-1][0], out.equal[-1][1], out.equal[-1][2] + 1
            else:
                out.equal.append((number, number, 1))
        else:
            out.pairs.append((number, number))
    out.removed, out.added = list(range(both, len(old))), list(range(both, len(new)))
    return out


def _gaps(runs: Sequence[Run], old_count: int, new_count: int) -> Iterator[_Gap]:
    old = new = 0
    for first, second, length in (*runs, (old_count, new_count, 0)):
        if first > old or second > new:
            yield _Gap(range(old, first), range(new, second))
        old, new = first + length, second + length


class _Left:
    """The rows that are not paired yet."""

    def __init__(self, old: RowUnits, new: RowUnits, gaps: Sequence[_Gap]) -> None:
        self.old_rows, self.new_rows = old, new
        self.old = dict.fromkeys(number for gap in gaps for number in gap.old)
        self.new = dict.fromkeys(number for gap in gaps for number in gap.new)
        self._old_starts = [gap.old.start for gap in gaps]
        self._new_starts = [gap.new.start for gap in gaps]

    def all_old(self) -> list[int]:
        return sorted(self.old)

    def all_new(self) -> list[int]:
        return sorted(self.new)

    def take(self, old: int, new: int, out: PairedRows, moved: bool = False) -> None:
        """Have two rows as a pair."""
        del self.old[old], self.new[new]
        out.pairs.append((old, new))
        if moved:
            out.moved.add((old, new))

    def are_together(self, old: int, new: int) -> bool:
        """Whether two rows stand between the same equal ones."""
        return bisect_right(self._old_starts, old) == bisect_right(self._new_starts, new)


# Pairs with keys


def _by_key(old: RowUnits, new: RowUnits, left: _Left, out: PairedRows) -> None:
    """Rows with equal keys belong together, several by their turn."""
    places: dict[int, list[int]] = {}
    for number in reversed(left.all_new()):
        places.setdefault(new.key_digest(number), []).append(number)
    found = []
    for number in left.all_old():
        waiting = places.get(old.key_digest(number))
        if waiting:
            found.append((number, waiting.pop()))
    reached = -1
    for first, second in found:
        out.is_reordered |= second < reached or not left.are_together(first, second)
        reached = max(reached, second)
        left.take(first, second, out)


def _renamed(old: RowUnits, new: RowUnits, left: _Left, out: PairedRows) -> None:
    """Pairs whose value stands under another key now: in the same place, or worth being told."""
    if not left.old or not left.new or max(len(left.old), len(left.new)) > MANY_LEFT:
        return
    places: dict[Hashable, list[int]] = {}
    for number in reversed(left.all_new()):
        places.setdefault(new.value_token(number), []).append(number)
    for number in left.all_old():
        waiting = places.get(old.value_token(number))
        if not waiting:
            continue
        near = [other for other in waiting if left.are_together(number, other)]
        chosen = near[-1] if near else waiting[-1] if _size(old, number) >= WORTH_MOVING else None
        if chosen is not None:
            waiting.remove(chosen)
            left.take(number, chosen, out, moved=True)


def _size(rows: RowUnits, number: int) -> int:
    side, node = rows.place(number)
    return side.size(node)


# Elements


def _by_identity(left: _Left, out: PairedRows, how: str) -> None:
    """Elements with the same identity belong together wherever they stand."""
    if len(left.old) + len(left.new) < (2 if how else 3) or not left.old or not left.new:
        return
    finder = IdentityFinder(left.old_rows, left.new_rows, left.all_old(), left.all_new())
    found = finder.pairs(how)
    if found is None:
        return
    out.by, pairs = found
    inside = {pair for pair in pairs if left.are_together(*pair)}
    groups: dict[int, list[tuple[int, int]]] = {}
    for pair in sorted(inside):
        groups.setdefault(bisect_right(left._old_starts, pair[0]), []).append(pair)
    stay = {group[place] for group in groups.values() for place in longest_rising([pair[1] for pair in group])}
    for pair in pairs:
        left.take(*pair, out, moved=pair not in stay)


def _moved(left: _Left, out: PairedRows, least: int) -> None:
    """Elements that are the same and stand elsewhere."""
    if not left.old or not left.new or max(len(left.old), len(left.new)) > MANY_LEFT:
        return
    places: dict[Hashable, list[int]] = {}
    for number in reversed(left.all_new()):
        if not least or _size(left.new_rows, number) >= least:
            places.setdefault(left.new_rows.token(number), []).append(number)
    for number in left.all_old():
        if least and _size(left.old_rows, number) < least:
            continue
        waiting = places.get(left.old_rows.token(number))
        if waiting:
            left.take(number, waiting.pop(), out, moved=True)


def _within(left: _Left, gap: _Gap, out: PairedRows) -> None:
    """The rows of one gap: equal values in other bytes first, then what has most in common."""
    old = [number for number in gap.old if number in left.old]
    new = [number for number in gap.new if number in left.new]
    if not old or not new:
        return
    if len(old) + len(new) > 2 and max(len(old), len(new)) <= LAST_WINDOW:
        ours, theirs = [left.old_rows.digest(n) for n in old], [left.new_rows.digest(n) for n in new]
        runs = matched(ours, theirs)
        for first, second, length in runs:
            for step in range(length):
                left.take(old[first + step], new[second + step], out)
        for between in _gaps(runs, len(old), len(new)):
            if between.old and between.new:
                _nearest(left, [old[n] for n in between.old], [new[n] for n in between.new], out)
        return
    _nearest(left, old, new, out)


def _nearest(left: _Left, old: Sequence[int], new: Sequence[int], out: PairedRows) -> None:
    """Pair rows so that together they have most in common, in their order."""
    if len(old) == len(new) == 1 or len(old) * len(new) > MANY_PAIRS:
        for first, second in zip(old, new, strict=False):
            left.take(first, second, out)
        return
    by_identity = out.by not in (KEYS, ORDER, PLACE)
    rows = [[_worth(left, first, second, by_identity) for second in new] for first in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for first in range(len(old) - 1, -1, -1):
        for second in range(len(new) - 1, -1, -1):
            together = best[first + 1][second + 1] + rows[first][second]
            best[first][second] = max(together, best[first + 1][second], best[first][second + 1])
    first = second = 0
    while first < len(old) and second < len(new):
        worth = rows[first][second]
        if worth and best[first][second] == best[first + 1][second + 1] + worth:
            left.take(old[first], new[second], out)
            first, second = first + 1, second + 1
        elif best[first][second] == best[first + 1][second]:
            first += 1
        else:
            second += 1


def _worth(left: _Left, old: int, new: int, by_identity: bool) -> float:
    """How much two rows have in common; of objects with identities that differ only much counts."""
    found = alike(*left.old_rows.place(old), *left.new_rows.place(new))
    if by_identity:
        return found if found >= 0.5 else 0.0
    return found + 0.01


def _keep_changed(old: RowUnits, new: RowUnits, out: PairedRows) -> None:
    """Pair what is left over and alike as what stayed in its place; the equal rows that stand across are what moved."""
    if len(out.removed) * len(out.added) > MANY_PAIRS:
        return
    for first in list(out.removed):
        worth = [(alike(*old.place(first), *new.place(second)), -second) for second in out.added]
        best, second = max(worth, default=(0.0, 0))
        across = list(_across(out.equal, first, -second))
        if best < SAME_THING or sum(hi - lo for _, lo, hi in across) > FEW_ROWS:
            continue
        if any((a < first) != (b < -second) for a, b in out.pairs if (a, b) not in out.moved):
            continue
        out.removed.remove(first)
        out.added.remove(-second)
        out.pairs.append((first, -second))
        for run, lo, hi in across:
            a, b, length = run
            out.equal.remove(run)
            out.equal += [each for each in ((a, b, lo), (a + hi, b + hi, length - hi)) if each[2]]
            moved = [(a + step, b + step) for step in range(lo, hi)]
            out.pairs += moved
            out.moved.update(moved)
        out.equal.sort()


def _across(runs: Sequence[Run], old: int, new: int) -> Iterator[tuple[Run, int, int]]:
    """The equal rows that stand on different sides of two rows: their runs, and which of them (from, to)."""
    for run in runs:
        a, b, length = run
        lo, hi = sorted((min(max(old - a, 0), length), min(max(new - b, 0), length)))
        if lo < hi:
            yield run, lo, hi


# By an identity of elements: a key whose values tell them apart, and which both sides have

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
