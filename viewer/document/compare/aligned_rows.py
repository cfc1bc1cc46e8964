"""Two documents as rows beside each other: what stands for each other stands in one row, else a hole is beside it.

Rows are known by the number of what holds them and their place under it, and are made when somebody asks. Rows in
which nothing differs that is to be shown are folded into one, which can be opened; so nothing is hidden.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from viewer.base.record import dataclass
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, Pairing, ValueDifference
from viewer.document.document import Document
from viewer.document.element_index import ElementIndex
from viewer.document.outline import GAP, PREFIX
from viewer.variant.dialect import PACKED
from viewer.variant.items import Item
from viewer.variant.table import NONE

TOP = 0
"""The holder of the outermost rows."""
LEAF = -1
FOLD_LEAST = 4
"""So many rows in which nothing differs are folded into one."""
MOST_ROWS, MOST_UNFOLDED = 1000, 4000
"""So many rows a page has; under one stand so many, and more are in pages, of which rows that are equal stay folded."""
FILE = -1
Place = tuple[int, int]
"""A holder and a row under it."""


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """One row.

    Args:
        old, new: what stands there on either side; None for a hole.
        difference: which row of the comparison this is, -1 for none.
        holds: whether something differs inside that is to be shown.
        folded: how many rows are folded into this one; 0 where it is a row itself.
        is_run: whether it is some elements of a packed array, as the difference says which.
    """

    old: Item | None
    new: Item | None
    difference: int = -1
    holds: bool = False
    folded: int = 0
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rows that follow each other on both sides; -1 for a hole on one of them."""

    old: int
    new: int
    length: int
    is_same: bool = False

    def part(self, start: int, length: int) -> _Stretch:
        old = self.old + start if self.old >= 0 else -1
        return _Stretch(old, self.new + start if self.new >= 0 else -1, length, self.is_same)


@dataclass(frozen=True, slots=True)
class _Lone:
    """One row for one difference: elements of a packed array, or something that is no value."""

    difference: int


@dataclass(frozen=True, slots=True)
class _Folded:
    """Rows folded into one; *holds* where something differs in them, which are a page of very many then."""

    entries: tuple[_Stretch | _Lone | _Folded, ...]
    total: int
    holds: bool = False

    def stretches(self) -> Iterator[_Stretch]:
        """All stretches in it."""
        for entry in self.entries:
            if isinstance(entry, _Folded):
                yield from entry.stretches()
            elif isinstance(entry, _Stretch):
                yield entry


_Entry = _Stretch | _Folded | _Lone


class _Side:
    """Numbered rows of one side: frames, values in a collection, or elements."""

    def __init__(self, document: Document, elements: ElementIndex, frame: int, node: int) -> None:
        self._document, self.frame, self.node = document, frame, node
        self.is_packed = False
        self.each = 1
        self.has_keys = False
        if frame == FILE:
            self.count = len(document.frames)
            return
        table = document.frames[frame].table
        row = table.row(node)
        self.is_packed = row is not None and row.kind in PACKED and not table.is_name(node)
        if self.is_packed:
            self.count = elements.count(frame, node)
            return
        self.has_keys = table.has_pairs(node)
        self.each = 2 if self.has_keys else 1
        self.count = table.child_count(node) // self.each
        while self.count and table.parent[self._node(self.count - 1)] == NONE:
            self.count -= 1  # broken bytes promised more than they gave

    def _node(self, number: int) -> int:
        return self._document.frames[self.frame].table.first[self.node] + (number + 1) * self.each - 1

    def item(self, number: int) -> Item:
        """What stands there."""
        if self.frame == FILE:
            return frame_item(self._document, number)
        if self.is_packed:
            return Item(self.frame, self.node, f"[{number}]")
        return Item(self.frame, self._node(number))


class _Holder:
    """The rows under one row."""

    def __init__(
        self, old: _Side | None, new: _Side | None, entries: Sequence[_Entry], above: Place | None, is_changed: bool
    ) -> None:
        self.old, self.new, self.above, self.is_changed = old, new, above, is_changed
        self.entries = entries
        counts = (entry.length if isinstance(entry, _Stretch) else 1 for entry in entries)
        self.starts = list(accumulate(counts, initial=0))

    @property
    def count(self) -> int:
        """How many rows."""
        return self.starts[-1]

    def entry(self, row: int) -> tuple[_Entry, int]:
        """What a row belongs to, and which row of that it is."""
        at = bisect_right(self.starts, row) - 1
        return self.entries[at], row - self.starts[at]


class AlignedRows:
    """The rows of a comparison.

    Args:
        comparison: it.
        shown: the numbers of the differences that are to be shown; None for all that are more than writing.
        folds: whether rows in which nothing differs are folded.
    """

    def __init__(self, comparison: DocumentComparison, shown: Iterable[int] | None = None, folds: bool = True) -> None:
        self.comparison, self.folds = comparison, folds
        rows = comparison.rows
        if shown is None:
            shown = (k for k, row in enumerate(rows) if row.kind is not DifferenceKind.WRITTEN)
        self.shown = tuple(shown)
        self._elements = ElementIndex(comparison.old.frames), ElementIndex(comparison.new.frames)
        self._own: tuple[dict[Place, int], dict[Place, int]] = {}, {}
        self._holding: tuple[set[Place], set[Place]] = set(), set()
        self._runs: dict[tuple[Item, Item], list[int]] = {}
        self._others: list[int] = []
        self._moves: set[tuple[Place, Place]] = set()
        for number in self.shown:
            self._note(number, rows[number])
        self._moves = {
            ((row.old.frame, row.old.node), (row.new.frame, row.new.node))
            for row in rows
            if row.kind is DifferenceKind.MOVED and row.old is not None and row.new is not None
        }
        self._holders: list[_Holder] = []
        self._below: dict[Place, int] = {}
        ours, theirs = (self._side(is_new, Item(FILE, 0)) for is_new in (False, True))
        stretches = self._merged(comparison.frames, ours, theirs)
        entries = [*(_Lone(number) for number in self._others), *self._folded(stretches, ours, theirs, False)]
        self._holders.append(_Holder(ours, theirs, entries, None, False))

    def _note(self, number: int, row: ValueDifference) -> None:
        """Note where a difference is, and what holds it."""
        items = row.old, row.new
        if all(item is None or item.frame < 0 or item.node < 0 for item in items):
            self._others.append(number)
            return
        if row.old_run is not None and row.old is not None and row.new is not None:
            self._runs.setdefault((row.old, row.new), []).append(number)
        for is_new, item in enumerate(items):
            if item is None or item.frame < 0 or item.node < 0:
                continue
            own = self._own[is_new]
            if row.old_run is None:
                before = own.get((item.frame, item.node))
                if before is None or self.comparison.rows[before].kind is DifferenceKind.WRITTEN:
                    own[item.frame, item.node] = number
            document = self.comparison.new if is_new else self.comparison.old
            parent, node = document.frames[item.frame].table.parent, item.node
            holding = self._holding[is_new]
            if row.old_run is None:
                node = parent[node] if node else NONE
            while node != NONE and (item.frame, node) not in holding:
                holding.add((item.frame, node))
                node = parent[node] if node else NONE

    # Rows

    def count(self, holder: int) -> int:
        """How many rows stand under a holder."""
        return 0 if holder == LEAF else self._holders[holder].count

    def row(self, holder: int, row: int) -> AlignedRow:
        """A row."""
        found = self._holders[holder]
        entry, step = found.entry(row)
        if isinstance(entry, _Folded):
            first = next(entry.stretches(), _Stretch(-1, -1, 0))
            old = found.old.item(first.old) if found.old is not None and first.old >= 0 else None
            new = found.new.item(first.new) if found.new is not None and first.new >= 0 else None
            return AlignedRow(old, new, holds=entry.holds, folded=entry.total)
        if isinstance(entry, _Lone):
            difference = self.comparison.rows[entry.difference]
            return AlignedRow(difference.old, difference.new, entry.difference, is_run=difference.old_run is not None)
        old = found.old.item(entry.old + step) if found.old is not None and entry.old >= 0 else None
        new = found.new.item(entry.new + step) if found.new is not None and entry.new >= 0 else None
        if (old is not None and old.part) or (new is not None and new.part):
            return AlignedRow(old, new)
        return AlignedRow(old, new, self._own_of(old, new), self._holds(old, new))

    def _own_of(self, old: Item | None, new: Item | None) -> int:
        found = self._own[1].get((new.frame, new.node), -1) if new is not None else -1
        other = self._own[0].get((old.frame, old.node), -1) if old is not None else -1
        return other if found < 0 else found

    def _holds(self, old: Item | None, new: Item | None) -> bool:
        return (old is not None and (old.frame, old.node) in self._holding[0]) or (
            new is not None and (new.frame, new.node) in self._holding[1]
        )

    def folded_rows(self, holder: int, row: int, most: int) -> list[AlignedRow]:
        """The first rows that are folded into one."""
        found = self._holders[holder]
        entry, _ = found.entry(row)
        out: list[AlignedRow] = []
        for stretch in entry.stretches() if isinstance(entry, _Folded) else ():
            for step in range(min(stretch.length, most - len(out))):
                old = found.old.item(stretch.old + step) if found.old is not None and stretch.old >= 0 else None
                new = found.new.item(stretch.new + step) if found.new is not None and stretch.new >= 0 else None
                out.append(AlignedRow(old, new))
            if len(out) >= most:
                break
        return out

    def has_rows(self, holder: int, row: int) -> bool:
        """Whether rows stand under a row."""
        found = self.row(holder, row)
        if found.folded:
            return True
        if found.is_run:
            difference = self.comparison.rows[found.difference]
            return max(len(difference.old_run or ()), len(difference.new_run or ())) > 1
        return self._has_rows(False, found.old) or self._has_rows(True, found.new)

    def _has_rows(self, is_new: bool, item: Item | None) -> bool:
        if item is None or item.frame < 0 or item.node < 0 or item.part:
            return False
        table = (self.comparison.new if is_new else self.comparison.old).frames[item.frame].table
        if not len(table):
            return False
        row = table.row(item.node)
        if row is not None and row.kind in PACKED and not table.is_name(item.node):
            return self._elements[is_new].count(item.frame, item.node) > 0
        return table.child_count(item.node) > 0

    def holder(self, above: int, row: int) -> int:
        """What holds the rows under a row; LEAF where there are none."""
        known = self._below.get((above, row))
        if known is None:
            made = self._made(above, row) if self.has_rows(above, row) else None
            if made is not None:
                self._holders.append(made)
            known = self._below[above, row] = LEAF if made is None else len(self._holders) - 1
        return known

    def above(self, holder: int) -> Place | None:
        """Where the row stands that a holder's rows are under; None for the outermost."""
        return self._holders[holder].above

    def _made(self, above: int, row: int) -> _Holder | None:
        held = self._holders[above]
        entry, _ = held.entry(row)
        if isinstance(entry, _Folded):
            inside = list(entry.entries) if entry.holds else _pages(entry)
            return _Holder(held.old, held.new, inside, (above, row), held.is_changed)
        found = self.row(above, row)
        if found.is_run:
            return self._made_of_run(self.comparison.rows[found.difference], (above, row))
        ours = self._side(False, found.old) if found.old is not None and found.old.node >= 0 else None
        theirs = self._side(True, found.new) if found.new is not None and found.new.node >= 0 else None
        is_changed = held.is_changed or ours is None or theirs is None
        stretches: list[_Stretch | _Lone]
        if ours is None or theirs is None:
            there = ours or theirs
            assert there is not None
            stretches = [_Stretch(0 if ours else -1, 0 if theirs else -1, there.count)]
        elif ours.is_packed and theirs.is_packed:
            assert found.old is not None
            assert found.new is not None
            stretches = list(self._elements_of(found.old, found.new, ours.count, theirs.count))
        else:
            known = self.comparison.pairings.get((ours.frame, ours.node))
            is_pair = known is not None and known[:2] == (theirs.frame, theirs.node)
            if known is not None and is_pair:
                stretches = list(self._merged(known[2], ours, theirs))
            elif found.difference >= 0 and self.comparison.rows[found.difference].kind is DifferenceKind.CHANGED:
                is_changed = True
                stretches = [_Stretch(0, -1, ours.count), _Stretch(-1, 0, theirs.count)]
            else:
                both = min(ours.count, theirs.count)
                stretches = [_Stretch(0, 0, both, is_same=True)]
                stretches += [_Stretch(both, -1, ours.count - both), _Stretch(-1, both, theirs.count - both)]
        entries = self._folded([each for each in stretches if not _is_nothing(each)], ours, theirs, is_changed)
        return _Holder(ours, theirs, entries, (above, row), is_changed)

    def _made_of_run(self, row: ValueDifference, above: Place) -> _Holder:
        assert row.old is not None
        assert row.new is not None
        ours, theirs = self._side(False, row.old), self._side(True, row.new)
        old, new = row.old_run or range(0), row.new_run or range(0)
        both = min(len(old), len(new))
        stretches = [_Stretch(old.start, new.start, both)]
        stretches += [_Stretch(old.start + both, -1, len(old) - both), _Stretch(-1, new.start + both, len(new) - both)]
        kept = [each for each in stretches if each.length > 0]
        return _Holder(ours, theirs, self._folded(kept, ours, theirs, True), above, True)

    def _side(self, is_new: bool, item: Item) -> _Side:
        document = self.comparison.new if is_new else self.comparison.old
        return _Side(document, self._elements[is_new], item.frame, item.node)

    def _merged(self, pairing: Pairing, ours: _Side, theirs: _Side) -> list[_Stretch]:
        """The rows of two collections in the order of the new one; what is gone stands where it stood."""
        blocks = sorted(
            [(new, old, length, True) for old, new, length in pairing.equal]
            + [(new, old, 1, False) for old, new in pairing.pairs]
        )
        stays = []
        for new, old, length, is_same in blocks:
            is_pair = not is_same and not ours.has_keys
            first, second = (ours.item(old), theirs.item(new)) if is_pair else (None, None)
            moved = (
                first is not None
                and second is not None
                and ((first.frame, first.node), (second.frame, second.node)) in self._moves
            )
            if not moved:
                stays.append((old, length))
        stays.sort()
        gone: dict[int, int] = {}
        at = 0
        for old, length in (*stays, (ours.count, 0)):
            if old > at:
                gone[at] = old
            at = max(at, old + length)
        staying = set(stays)
        out: list[_Stretch] = []
        if 0 in gone:
            out.append(_Stretch(0, -1, gone[0]))
        at = 0
        for new, old, length, is_same in blocks:
            if new > at:
                out.append(_Stretch(-1, at, new - at))
            out.append(_Stretch(old, new, length, is_same))
            at = new + length
            if (old, length) in staying and old + length in gone:
                out.append(_Stretch(old + length, -1, gone[old + length] - old - length))
        if theirs.count > at:
            out.append(_Stretch(-1, at, theirs.count - at))
        return out

    def _elements_of(self, old: Item, new: Item, old_count: int, new_count: int) -> Iterator[_Stretch | _Lone]:
        """The elements of two packed arrays: what is equal, and between it the runs that differ."""
        at = beside = 0
        for number in sorted(self._runs.get((old, new), ()), key=self._run_start):
            row = self.comparison.rows[number]
            first, second = row.old_run, row.new_run
            if first is None or second is None:
                continue
            if first.start > at:
                yield _Stretch(at, beside, first.start - at, is_same=True)
            yield _Lone(number)
            at, beside = first.stop, second.stop
        both = min(old_count - at, new_count - beside)
        yield _Stretch(at, beside, both, is_same=True)
        yield _Stretch(at + both, -1, old_count - at - both)
        yield _Stretch(-1, beside + both, new_count - beside - both)

    def _run_start(self, number: int) -> tuple[int, int]:
        row = self.comparison.rows[number]
        return (-1 if row.old_run is None else row.old_run.start, -1 if row.new_run is None else row.new_run.start)

    # Folding

    def _folded(
        self, stretches: Sequence[_Stretch | _Lone], ours: _Side | None, theirs: _Side | None, is_changed: bool
    ) -> list[_Entry]:
        total = sum(each.length if isinstance(each, _Stretch) else 1 for each in stretches)
        least = FOLD_LEAST if self.folds or total > MOST_UNFOLDED else MOST_ROWS + 1
        out: list[_Entry] = []
        same: list[_Stretch] = []
        for stretch in stretches:
            if isinstance(stretch, _Stretch):
                for each, is_dull in self._sorted(stretch, ours, theirs, is_changed):
                    if is_dull:
                        same.append(each)
                    else:
                        _close(same, out, least)
                        out.append(each)
            else:
                _close(same, out, least)
                out.append(stretch)
        _close(same, out, least)
        return _paged(out)

    def _sorted(
        self, stretch: _Stretch, ours: _Side | None, theirs: _Side | None, is_changed: bool
    ) -> Iterator[tuple[_Stretch, bool]]:
        """A stretch in pieces, each with whether nothing differs in it that is to be shown."""
        if is_changed or stretch.is_same:
            yield stretch, not is_changed
            return
        start, was = 0, False
        for step in range(stretch.length):
            old = ours.item(stretch.old + step) if ours is not None and stretch.old >= 0 else None
            new = theirs.item(stretch.new + step) if theirs is not None and stretch.new >= 0 else None
            is_dull = self._own_of(old, new) < 0 and not self._holds(old, new)
            if step and is_dull is not was:
                yield stretch.part(start, step - start), was
                start = step
            was = is_dull
        if stretch.length:
            yield stretch.part(start, stretch.length - start), was

    # Finding

    def is_folded(self, place: Place) -> bool:
        """Whether a row lies in rows that are folded into one because nothing differs in them."""
        above = self.above(place[0])
        while above is not None:
            found = self.row(*above)
            if found.folded and not found.holds:
                return True
            above = self.above(above[0])
        return False

    def place_of(self, difference: int) -> Place | None:
        """Where the row of a difference stands; None where it is not shown."""
        row = self.comparison.rows[difference]
        if difference in self._others:
            return TOP, self._others.index(difference)
        is_new = row.new is not None and row.new.frame >= 0 and row.new.node >= 0
        item = row.new if is_new else row.old
        if item is None or item.frame < 0 or item.node < 0:
            return None
        place = self.place_of_item(is_new, Item(item.frame, item.node))
        if place is None or row.old_run is None:
            return place
        return self._lone(self.holder(*place), difference) or place

    def place_of_item(self, is_new: bool, item: Item) -> Place | None:
        """Where the row of a value of one side stands, or the row that it is folded into as far as that is open."""
        document = self.comparison.new if is_new else self.comparison.old
        if item.frame < 0 or item.node < 0 or item.frame >= len(document.frames):
            return None
        table = document.frames[item.frame].table
        way: list[int] = []
        node = item.node
        while node:
            way.append(node)
            node = table.parent[node]
            if node == NONE:
                return None
        place = self._found(TOP, is_new, item.frame)
        parent = 0
        for node in reversed(way):
            if place is None:
                return None
            number = table.index(node) // (2 if table.has_pairs(parent) else 1)
            holder = self.holder(*place)
            place = self._found(holder, is_new, number) if holder != LEAF else None
            parent = node
        return place

    def _found(self, holder: int, is_new: bool, number: int) -> Place | None:
        """The row of a numbered value under a holder, in folded rows too."""
        while True:
            held = self._holders[holder]
            best: tuple[int, int] | None = None
            for at, entry in enumerate(held.entries):
                if isinstance(entry, _Lone):
                    continue
                for stretch in entry.stretches() if isinstance(entry, _Folded) else (entry,):
                    start = stretch.new if is_new else stretch.old
                    if not 0 <= start <= number < start + stretch.length:
                        continue
                    if best is None or (stretch.old >= 0 and stretch.new >= 0):
                        best = at, number - start
            if best is None:
                return None
            at, step = best
            if not isinstance(held.entries[at], _Folded):
                return holder, held.starts[at] + step
            holder = self.holder(holder, held.starts[at])

    def _lone(self, holder: int, difference: int) -> Place | None:
        """The row of a lone difference under a holder, in pages too."""
        while holder != LEAF:
            held = self._holders[holder]
            at = next((at for at, entry in enumerate(held.entries) if _has(entry, difference)), -1)
            if at < 0:
                return None
            if isinstance(held.entries[at], _Lone):
                return holder, held.starts[at]
            holder = self.holder(holder, held.starts[at])
        return None


def _has(entry: _Entry, difference: int) -> bool:
    """Whether a lone difference is this entry, or is in it."""
    if isinstance(entry, _Folded):
        return entry.holds and any(_has(each, difference) for each in entry.entries)
    return isinstance(entry, _Lone) and entry.difference == difference


def frame_item(document: Document, frame: int) -> Item:
    """What the row of a frame shows: its value, or the bytes where it has none."""
    found = document.frames[frame]
    if len(found.table):
        return Item(frame, 0)
    return Item(frame, -1, GAP if found.gap is not None else PREFIX)


def _is_nothing(entry: _Stretch | _Lone) -> bool:
    return isinstance(entry, _Stretch) and entry.length <= 0


def _close(same: list[_Stretch], out: list[_Entry], least: int) -> None:
    """Put rows in which nothing differs behind the others, folded where they are so many."""
    total = sum(each.length for each in same)
    if total >= least:
        out.append(_Folded(tuple(same), total))
    else:
        out += same
    same.clear()


def _pages(folded: _Folded) -> list[_Entry]:
    """What is folded, in pages where it is very much."""
    if folded.total <= MOST_ROWS:
        return list(folded.entries)
    step = MOST_ROWS
    while folded.total > step * MOST_ROWS:
        step *= MOST_ROWS
    return [_Folded(tuple(page), total) for page, total in _pieces(folded.entries, step)]


def _paged(entries: list[_Entry]) -> list[_Entry]:
    """Entries as they are, or in pages where they are very many rows."""
    rows = sum(entry.length if isinstance(entry, _Stretch) else 1 for entry in entries)
    if rows <= MOST_UNFOLDED:
        return entries
    step = MOST_ROWS
    while rows > step * MOST_ROWS:
        step *= MOST_ROWS
    return [_Folded(tuple(page), total, holds=True) for page, total in _pieces(entries, step)]


def _pieces(entries: Iterable[_Entry], step: int) -> Iterator[tuple[list[_Entry], int]]:
    """Entries in pieces of so many rows, a row that is folded counting as one; with the rows of each."""
    page: list[_Entry] = []
    room = step
    for entry in entries:
        start, length = 0, entry.length if isinstance(entry, _Stretch) else 1
        while start < length:
            taken = min(room, length - start)
            page.append(entry.part(start, taken) if isinstance(entry, _Stretch) else entry)
            start, room = start + taken, room - taken
            if not room:
                yield page, step
                page, room = [], step
    if page:
        yield page, step - room
