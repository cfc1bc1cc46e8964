"""The comparison of two documents: a walk down pairs of values that differ. What is equal is not looked into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence

from viewer.base.progress import Cancelled, Progress
from viewer.base.record import replace
from viewer.document.compare.difference import (
    MOST,
    CompareOptions,
    DifferenceKind,
    DocumentComparison,
    Pairing,
    ValueDifference,
)
from viewer.document.compare.element_runs import are_near, differing_runs
from viewer.document.compare.likeness import alike, share_a_key
from viewer.document.compare.path_patterns import PathPatterns
from viewer.document.compare.row_pairing import MANY_PAIRS, ORDER, PairedRows, RowUnits, paired
from viewer.document.compare.row_units import Rows, TokenBudget, equal_rows
from viewer.document.compare.shared_bytes import SharedBytes
from viewer.document.compare.value_side import TypeNames, ValueSide, type_names
from viewer.document.document import Document
from viewer.document.outline import GAP, PREFIX, gap_item
from viewer.document.pieces.message import FieldRole, MessageField
from viewer.variant.dialect import PACKED, Dialect
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

NOTHING_SHARED = 0.05
"""Collections that have no more in common are one change, and not many."""
SAME_SHAPE = 0.4
"""Frames that have so much in common are the same one, wherever they stand."""
WORTH_TELLING = 32
"""Bytes of the least value that is found again in another collection."""
SPENT = 4
"""Long values are read to be found again up to so many times the size of both files."""
SPENT_FREELY = 1 << 26
ORDER_OF_KEYS, OTHER_HEAD, OTHER_WIDTH, OTHER_BYTES = "order of keys", "head", "64 bits", "other bytes"
CHANGED, ADDED, REMOVED = DifferenceKind.CHANGED, DifferenceKind.ADDED, DifferenceKind.REMOVED
MOVED, WRITTEN = DifferenceKind.MOVED, DifferenceKind.WRITTEN


class _Full(Exception):
    """So many differences were found that the others are not told apart."""


def compare(
    old: Document,
    new: Document,
    options: CompareOptions | None = None,
    progress: Progress | None = None,
    most: int = MOST,
) -> DocumentComparison:
    """What differs between two documents.

    Args:
        old, new: the documents, both read; neither is changed.
        options: what a person asks of it.
        progress: told now and then how many pairs of values were looked at; returning False gives up.
        most: so many differences are told apart.

    Raises:
        Cancelled: *progress* gave up.
    """
    return _Walk(old, new, options or CompareOptions(), progress, most).run()


class _FrameRows:
    """The frames of a document as rows."""

    has_keys = False

    def __init__(self, walk: _Walk, is_new: bool) -> None:
        self._walk, self._is_new = walk, is_new
        self._document = walk.new if is_new else walk.old
        self._frames = self._document.frames

    def __len__(self) -> int:
        return len(self._frames)

    def place(self, number: int) -> tuple[ValueSide, int]:
        return self._walk.side(number, self._is_new), 0

    def tokens(self, begin: int, end: int) -> Sequence[Hashable]:
        return [self.token(number) for number in range(begin, end)]

    def token(self, number: int) -> Hashable:
        table = self._frames[number].table
        if not len(table):
            return self._frames[number].cut.payload.start, self._is_new
        return (type(table.names), hash(bytes(table.buffer[:]))) if self._walk.is_plain(table) else self.digest(number)

    def value_token(self, number: int) -> Hashable:
        return self.token(number)

    def key_digest(self, number: int) -> int:
        return 0

    def digest(self, number: int) -> int:
        return self.place(number)[0].digest(0) if len(self._frames[number].table) else number + 1


class _Walk:
    """One comparison."""

    def __init__(
        self, old: Document, new: Document, options: CompareOptions, progress: Progress | None, most: int
    ) -> None:
        self.old, self.new = old, new
        self._options = options
        self._progress = progress
        self._most = most
        self._seen = 0
        self._rows: list[ValueDifference] = []
        self._pairings: dict[tuple[int, int], tuple[int, int, Pairing]] = {}
        self._sides: tuple[dict[int, ValueSide], dict[int, ValueSide]] = {}, {}
        self._types: dict[tuple[Dialect, Dialect], tuple[TypeNames, TypeNames]] = {}
        self._shared: dict[tuple[int, int], SharedBytes] = {}
        self._spend = TokenBudget(SPENT * (len(old.buffer) + len(new.buffer)) + SPENT_FREELY)
        self._waiting: list[tuple[int, int, int, int]] = []
        self._patterns = PathPatterns(options.ignore)
        self._pair_by = [(PathPatterns((pattern,)), how) for pattern, how in options.pair_by.items()]
        self._ignored = 0

    def run(self) -> DocumentComparison:
        """All of it."""
        frames, is_complete = Pairing("order"), True
        self._rows += file_differences(self.old, self.new)
        try:
            frames = self._frames()
            while self._waiting:
                self._pair(*self._waiting.pop())
            for row in (*field_differences(self.old, self.new), *self._unseen(frames)):
                self._tell(row)
        except _Full:
            is_complete = False
        self._rows = _moved_across(self, self._rows)
        self._rows.sort(key=lambda row: (row.at, row.kind is not REMOVED))
        return DocumentComparison(
            self.old, self.new, tuple(self._rows), frames, self._pairings, self._ignored, is_complete
        )

    # Sides

    def side(self, frame: int, is_new: bool) -> ValueSide:
        """The values of a frame."""
        found = self._sides[is_new].get(frame)
        if found is None:
            table = (self.new if is_new else self.old).frames[frame].table
            found = self._sides[is_new][frame] = ValueSide(table, self._types_of()[is_new], self._goes_on)
        return found

    def _types_of(self) -> tuple[TypeNames, TypeNames]:
        pair = self.old.dialect, self.new.dialect
        if pair not in self._types:
            self._types[pair] = type_names(*pair, self.old.precision is not self.new.precision)
        return self._types[pair]

    def is_plain(self, table: NodeTable) -> bool:
        """Whether equal bytes are equal values on both sides."""
        return (
            self.old.dialect is self.new.dialect
            and table.names is None
            and not table.gaps
            and not table.assumed
            and table.guess is None
        )

    def _goes_on(self) -> None:
        self._seen += 1
        if self._progress is not None and not self._progress(self._seen):
            raise Cancelled

    # Frames

    def _frames(self) -> Pairing:
        ours, theirs = _FrameRows(self, False), _FrameRows(self, True)
        if len(ours) == len(theirs) == 1:
            found = PairedRows(ORDER, [], [(0, 0)])
        else:
            found = paired(ours, theirs, lambda first, second: 0, "", self._goes_on)
            _pair_alike(ours, theirs, found)
        for number in found.removed:
            self._tell(ValueDifference(REMOVED, Item(number, 0), None, at=(number, -1)))
        for number in found.added:
            self._tell(ValueDifference(ADDED, None, Item(number, 0), at=(number, 0)))
        for first, second in found.pairs:
            if (first, second) in found.moved:
                self._tell(ValueDifference(MOVED, Item(first, 0), Item(second, 0), at=(second, 0)))
            self._ends(first, second)
            if len(self.old.frames[first].table) and len(self.new.frames[second].table):
                self._waiting.append((first, 0, second, 0))
        return found.pairing

    def _ends(self, first: int, second: int) -> None:
        """The bytes of two frames that no value claims."""
        ours, theirs = self.old.frames[first], self.new.frames[second]
        gaps = [
            [bytes(document.buffer[gap.start : gap.end]) for gap in frame.gaps]
            for document, frame in ((self.old, ours), (self.new, theirs))
        ]
        if gaps[0] != gaps[1]:
            at = second, theirs.table.end_of_data
            old, new = Item(first, -1, GAP) if ours.gap else None, Item(second, -1, GAP) if theirs.gap else None
            if old is None and new is None:
                old, new = Item(first, 0), Item(second, 0)
            kind = CHANGED if old and new else REMOVED if old else ADDED
            self._tell(ValueDifference(kind, old, new, "bytes of no value", at=at))

    def _unseen(self, frames: Pairing) -> Iterator[ValueDifference]:
        """Frames with other bytes in which nothing that differs was seen: nothing of a file goes unsaid."""
        if self.old.dialect is not self.new.dialect or self._ignored:
            return
        told = {row.new.frame for row in self._rows if row.new is not None}
        told_old = {row.old.frame for row in self._rows if row.old is not None}
        for first, second in frames.pairs:
            ours, theirs = self.old.frames[first].table.buffer, self.new.frames[second].table.buffer
            if second not in told and first not in told_old and bytes(ours[:]) != bytes(theirs[:]):
                yield ValueDifference(WRITTEN, Item(first, 0), Item(second, 0), OTHER_BYTES, at=(second, 0))
        yield from self._prefixes()
        if not self._rows and bytes(self.old.buffer[:]) != bytes(self.new.buffer[:]):
            yield ValueDifference(WRITTEN, None, None, f"{OTHER_BYTES} outside of all values")

    def _prefixes(self) -> Iterator[ValueDifference]:
        """Lengths before frames that do not tell their length."""
        ours, theirs = _untrue_prefixes(self.old), _untrue_prefixes(self.new)
        for number in sorted(ours | theirs):
            if _prefix_bytes(self.old, number) != _prefix_bytes(self.new, number):
                old, new = (
                    Item(number, -1, PREFIX) if number < len(each.frames) else None for each in (self.old, self.new)
                )
                yield ValueDifference(CHANGED, old, new, "length", at=(number, -1))

    # Pairs of values

    def _tell(self, row: ValueDifference) -> None:
        if self._patterns and self._patterns.hold(self.old, self.new, row):
            self._ignored += 1
            return
        if len(self._rows) >= self._most:
            raise _Full
        self._rows.append(row)

    def _pair(self, first: int, node: int, second: int, other: int) -> None:
        """Two values that stand for each other."""
        self._goes_on()
        old, new = self.side(first, False), self.side(second, True)
        plain = self.is_plain(old.table) and self.is_plain(new.table)
        shared = self._shared_bytes(first, second) if plain else None
        size = old.size(node)
        is_as_long = size == new.size(other)
        if shared and is_as_long and shared.common(old.table.start[node], new.table.start[other], size) == size:
            return
        items = Item(first, node), Item(second, other)
        at = second, new.table.start[other]
        if old.type(node) != new.type(other) or not old.type(node):
            if old.type(node) or old.raw(node) != new.raw(other):
                self._tell(ValueDifference(CHANGED, *items, "type", at=at))
        elif not old.holds(node):
            self._leaves(old, node, new, other, shared, items, at)
        elif old.leaf(node) != new.leaf(other):
            self._tell(ValueDifference(CHANGED, *items, "type of what it holds", at=at))
        elif shared is not None or old.digest(node) != new.digest(other):
            self._collections(old, node, new, other, shared, items, at)

    def _shared_bytes(self, first: int, second: int) -> SharedBytes:
        found = self._shared.get((first, second))
        if found is None:
            if len(self._shared) > 64:
                self._shared.clear()
            found = SharedBytes(self.old.frames[first].table.buffer, self.new.frames[second].table.buffer)
            self._shared[first, second] = found
        return found

    def _leaves(
        self,
        old: ValueSide,
        node: int,
        new: ValueSide,
        other: int,
        shared: SharedBytes | None,
        items: tuple[Item, Item],
        at: tuple[int, int],
    ) -> None:
        row = old.row(node)
        if row is not None and row.kind in PACKED and not old.table.is_name(node):
            plain = shared if old.is_wide(node) == new.is_wide(other) else None
            runs = differing_runs(old, node, new, other, plain, self._options.tolerance, self._goes_on)
            for ours, theirs in runs:
                kind = CHANGED if len(ours) and len(theirs) else REMOVED if len(ours) else ADDED
                self._tell(ValueDifference(kind, *items, "", ours, theirs, at))
            if runs or old.leaf(node) == new.leaf(other):
                if not runs and shared is not None:
                    self._tell(ValueDifference(WRITTEN, *items, self._otherwise(old, node, new, other), at=at))
                return
            if self._options.tolerance:
                return
        if old.leaf(node) == new.leaf(other):
            if shared is not None:
                self._tell(ValueDifference(WRITTEN, *items, self._otherwise(old, node, new, other), at=at))
        elif not (self._options.tolerance and self._is_near(old, node, new, other)):
            self._tell(ValueDifference(CHANGED, *items, at=at))

    def _is_near(self, old: ValueSide, node: int, new: ValueSide, other: int) -> bool:
        ours, theirs = read_shallow(old.table, node).data, read_shallow(new.table, other).data
        return are_near(ours, theirs, self._options.tolerance)

    @staticmethod
    def _otherwise(old: ValueSide, node: int, new: ValueSide, other: int) -> str:
        return OTHER_WIDTH if old.is_wide(node) != new.is_wide(other) else OTHER_BYTES

    # Collections

    def _collections(
        self,
        old: ValueSide,
        node: int,
        new: ValueSide,
        other: int,
        shared: SharedBytes | None,
        items: tuple[Item, Item],
        at: tuple[int, int],
    ) -> None:
        plain = shared is not None
        ours, theirs = Rows(old, node, plain, self._spend), Rows(new, other, plain, self._spend)

        def skip(first: int, second: int) -> int:
            return equal_rows(ours, theirs, shared, first, second) if shared is not None else 0

        found = paired(ours, theirs, skip, self._chosen(items[0]), self._goes_on, self._options.by_fields)
        if len(ours) and len(theirs) and node and not self._is_worth(found, ours, theirs):
            self._tell(ValueDifference(CHANGED, *items, at=at))
            return
        self._pairings[items[0].frame, node] = items[1].frame, other, found.pairing
        self._heads(ours, theirs, found, items, at)
        self._structure(ours, theirs, found, items)
        if ours.has_keys and plain:
            self._keys(ours, theirs, found, items)
        for first, second in reversed(found.pairs):
            mine, yours = ours.value(first), theirs.value(second)
            if found.by == ORDER and not self._is_same_thing(old, mine, new, yours):
                self._tell(
                    ValueDifference(
                        CHANGED,
                        Item(items[0].frame, mine),
                        Item(items[1].frame, yours),
                        at=(items[1].frame, new.table.start[yours]),
                    )
                )
                continue
            self._waiting.append((items[0].frame, mine, items[1].frame, yours))

    def _keys(self, ours: Rows, theirs: Rows, found: PairedRows, items: tuple[Item, Item]) -> None:
        """Keys that are the same in other bytes."""
        for pair in found.pairs:
            mine, yours = ours.key(pair[0]), theirs.key(pair[1])
            if pair not in found.moved and ours.side.raw(mine) != theirs.side.raw(yours):
                about = f"key: {self._otherwise(ours.side, mine, theirs.side, yours)}"
                old, new = Item(items[0].frame, mine + 1), Item(items[1].frame, yours + 1)
                at = items[1].frame, theirs.start(pair[1])
                self._tell(ValueDifference(WRITTEN, old, new, about, at=at))

    def _chosen(self, item: Item) -> str:
        """How a person wants the rows of an array to be paired."""
        if not self._pair_by:
            return ""
        return next((how for patterns, how in self._pair_by if patterns.name(self.old, item)), "")

    @staticmethod
    def _is_worth(found: PairedRows, ours: Rows, theirs: Rows) -> bool:
        """Whether two collections have anything in common, so that they are to be looked into."""
        if found.equal or found.moved or max(len(ours), len(theirs)) == 1:
            return True
        if ours.has_keys:
            return bool(found.pairs)
        return any(_likeness(ours, theirs, pair) > NOTHING_SHARED for pair in found.pairs[:8])

    def _is_same_thing(self, old: ValueSide, node: int, new: ValueSide, other: int) -> bool:
        """Whether two elements have so much in common that what differs in them is worth more than both of them."""
        if not (old.holds(node) and new.holds(other)) or old.type(node) != new.type(other):
            return True
        few = max(len(old.table.children(node)), len(new.table.children(other))) <= 2
        if few or alike(old, node, new, other) > NOTHING_SHARED:
            return True
        return self._options.by_fields and share_a_key(old, node, new, other)

    def _heads(
        self, ours: Rows, theirs: Rows, found: PairedRows, items: tuple[Item, Item], at: tuple[int, int]
    ) -> None:
        if found.is_reordered:
            self._tell(ValueDifference(WRITTEN, *items, ORDER_OF_KEYS, at=at))
        elif ours.is_plain and len(ours) == len(theirs) and ours.is_odd == theirs.is_odd:
            heads = []
            for rows in (ours, theirs):
                table = rows.side.table
                heads.append(bytes(table.buffer[table.start[rows.node] : table.head_end(rows.node)]))
            if heads[0] != heads[1]:
                self._tell(ValueDifference(WRITTEN, *items, OTHER_HEAD, at=at))
        if ours.is_odd != theirs.is_odd:
            self._tell(ValueDifference(CHANGED, *items, "a key without a value", at=at))

    def _structure(self, ours: Rows, theirs: Rows, found: PairedRows, items: tuple[Item, Item]) -> None:
        """The rows that are on one side only, or stand elsewhere."""
        first, second = items[0].frame, items[1].frame
        anchors = sorted([*found.equal, *((*pair, 1) for pair in found.pairs)])
        for number in found.removed:
            place = bisect_right(anchors, (number,)) - 1
            beside = sum(anchors[place][1:]) if place >= 0 else 0
            at = second, theirs.start(min(beside, len(theirs)))
            self._tell(ValueDifference(REMOVED, Item(first, ours.value(number)), None, at=at))
        for number in found.added:
            node = theirs.value(number)
            self._tell(ValueDifference(ADDED, None, Item(second, node), at=(second, theirs.start(number))))
        for mine, yours in sorted(found.moved):
            about = "key" if ours.has_keys else ""
            old, new = Item(first, ours.value(mine)), Item(second, theirs.value(yours))
            self._tell(ValueDifference(MOVED, old, new, about, at=(second, theirs.start(yours))))


def _pair_alike(ours: _FrameRows, theirs: _FrameRows, found: PairedRows) -> None:
    """Frames that stand elsewhere and have the shape of others that are gone."""
    if len(found.removed) * len(found.added) > MANY_PAIRS:
        return
    for number in list(found.removed):
        worth = [(_likeness(ours, theirs, (number, other)), -other) for other in found.added]
        best, other = max(worth, default=(0.0, 0))
        if best >= SAME_SHAPE:
            found.removed.remove(number)
            found.added.remove(-other)
            found.pairs.append((number, -other))
            found.moved.add((number, -other))


def _untrue_prefixes(document: Document) -> set[int]:
    """The numbers of the frames whose prefixes are wrong."""
    frames, buffer, framing = document.frames, document.buffer, document.framing
    return {number for number, frame in enumerate(frames) if not frame.prefix_is_true(buffer, framing)}


def _prefix_bytes(document: Document, number: int) -> bytes:
    """The bytes of the prefix of a frame, empty where there is none."""
    prefix = document.frames[number].cut.prefix if number < len(document.frames) else None
    return bytes(document.buffer[prefix.start : prefix.end]) if prefix is not None else b""


def _likeness(ours: RowUnits, theirs: RowUnits, pair: tuple[int, int]) -> float:
    return alike(*ours.place(pair[0]), *theirs.place(pair[1]))


def _moved_across(walk: _Walk, rows: list[ValueDifference]) -> list[ValueDifference]:
    """The rows with what went from one collection to another as one row, where it is the only one of its kind."""
    gone = [row for row in rows if row.kind is REMOVED and _is_whole(row.old)]
    come = [row for row in rows if row.kind is ADDED and _is_whole(row.new)]
    if not gone or not come or max(len(gone), len(come)) > MOST // 10:
        return rows
    places: dict[int, list[ValueDifference]] = {}
    for row in come:
        assert row.new is not None
        side = walk.side(row.new.frame, True)
        if _size(side, row.new.node) >= WORTH_TELLING:
            places.setdefault(side.digest(row.new.node), []).append(row)
    taken: dict[int, ValueDifference] = {}
    drop: set[int] = set()
    for row in gone:
        assert row.old is not None
        side = walk.side(row.old.frame, False)
        found = places.get(side.digest(row.old.node)) if _size(side, row.old.node) >= WORTH_TELLING else None
        if found is not None and len(found) == 1 and id(found[0]) not in taken:
            taken[id(found[0])] = replace(found[0], kind=MOVED, old=row.old)
            drop.add(id(row))
    return [taken.get(id(row), row) for row in rows if id(row) not in drop]


def _is_whole(item: Item | None) -> bool:
    return item is not None and item.frame >= 0 and item.node >= 0 and not item.part


def _size(side: ValueSide, node: int) -> int:
    return side.size(node) if len(side.table) else 0


# Outside the values: how files are wrapped and read, and their fields

BEHIND = 1 << 62
"""Fields are told behind all values."""
Known = dict[tuple[str, ...], tuple[Item, bytes, bool]]


def file_differences(old: Document, new: Document) -> Iterator[ValueDifference]:
    """How the values are wrapped, framed and written, where that differs."""
    facts = (
        ("wraps", _wraps),
        ("engine line", lambda document: document.dialect.name),
        ("precision", lambda document: document.precision.value),
        ("framing", lambda document: document.framing.kind.value),
    )
    for name, fact in facts:
        before, after = fact(old), fact(new)
        if before != after:
            yield ValueDifference(DifferenceKind.WRITTEN, None, None, f"{name}: {before} -> {after}", at=(-1, 0))


def _wraps(document: Document) -> str:
    return ", ".join(layer.codec for layer in document.layers[1:]) or "none"


def field_differences(old: Document, new: Document) -> Iterator[ValueDifference]:
    """The fields of files with a structure, by their names; else the bytes between values, by their order."""
    ours, theirs = _known(old), _known(new)
    places = {key: number for number, key in enumerate(theirs)}
    for key, (item, raw, follows) in ours.items():
        found = theirs.get(key)
        at = BEHIND, places.get(key, len(places))
        if found is None:
            yield ValueDifference(DifferenceKind.REMOVED, item, None, at=at)
        elif found[1] != raw:
            kind = DifferenceKind.WRITTEN if follows or found[2] else DifferenceKind.CHANGED
            yield ValueDifference(kind, item, found[0], "follows from others" if follows or found[2] else "", at=at)
    for key, (item, _, _) in theirs.items():
        if key not in ours:
            yield ValueDifference(DifferenceKind.ADDED, None, item, at=(BEHIND, places[key]))


def _known(document: Document) -> Known:
    """All fields that hold no others, by their names and their turn among those of the same name."""
    if not document.fields:
        return {
            (str(number),): (gap_item(number), bytes(document.buffer[gap.start : gap.end]), False)
            for number, gap in enumerate(document.gaps)
        }
    structure, message = document.structure, document.message
    moving = {word.span.start for word in structure.offsets} if structure is not None else set[int]()
    if structure is not None:
        moving |= {length.span.start for length in structure.lengths} | {
            each.span.start for each in structure.checksums
        }
    out: Known = {}
    level: list[tuple[tuple[str, ...], tuple[int, ...], Sequence[MessageField]]] = [((), (), document.fields)]
    while level:
        names, steps, fields = level.pop()
        turns: dict[str, int] = {}
        for number, field in enumerate(fields):
            turns[field.name] = turn = turns.get(field.name, 0) + 1
            key, way = (*names, field.name, str(turn)), (*steps, number)
            if field.is_view or field.role is FieldRole.VALUE:
                continue
            if field.children:
                level.append((key, way, field.children))
                continue
            follows = field.span.start in moving or (field.form is not None and field.form.is_locked)
            raw = bytes(document.buffer[field.span.start : field.span.end])
            follows |= message is None and field.name in ("fill", "padding")
            out[key] = gap_item(way[0], way[1:]), raw, follows
    return out
