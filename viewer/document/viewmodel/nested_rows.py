"""Rows of values inside values: under the row of a value that holds others stand the rows of what is inside.

The rows of each open level are those of a document of its own. Their holders have numbers behind those of all rows
before them, so that one integer still says which rows are meant.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Protocol

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.nested.inside_hint import holds_content, holds_file, may_begin, may_hold
from viewer.document.path import INSIDE
from viewer.document.pieces.framing import node_counts
from viewer.document.selection import SpotLevel
from viewer.document.splice import Move, Splice
from viewer.document.viewmodel.follower import Follower
from viewer.document.viewmodel.row_data import Look, RowData, RowDecorations, row_facts, string_part
from viewer.document.viewmodel.rows import LEAF, NODE_SHIFT, TOP, Block, Place, RowIndex
from viewer.variant.dialect import Kind
from viewer.variant.items import Item
from viewer.variant.literal.preview import preview

REMEMBERED = 1 << 16
MOST_FIELD_HOLDERS = 1 << 24
"""Numbers that are kept for the fields of a file, which get one when their rows are first asked for."""
CLOSED = "closed"
"""What the row of bytes is called that cannot be unpacked."""


class ShownLevel(SpotLevel, Protocol):
    """A level that is open in the window."""

    @property
    def document(self) -> Document: ...
    @property
    def outer(self) -> ShownLevel | None: ...
    @property
    def modified(self) -> list[Span]: ...
    @property
    def splices(self) -> tuple[Splice, ...]: ...


class LevelOpener(Protocol):
    """What opens levels, and knows those that are open."""

    def levels(self) -> list[tuple[ShownLevel, Item]]:
        """The open levels, each with the value that it is the inside of."""

    def open(self, outer: ShownLevel | None, item: Item) -> ShownLevel | None:
        """Open what is inside a value; None where that cannot be."""

    def label(self, document: Document, item: Item) -> str:
        """What is inside a value, in a word or three; empty where nothing is that is sure."""

    def choice(self, outer: ShownLevel | None, item: Item) -> bool | None:
        """Whether a person wants to see what is inside a value; None where they did not say."""


class NoLevels:
    """Opens nothing."""

    def levels(self) -> list[tuple[ShownLevel, Item]]:
        return []

    def open(self, outer: ShownLevel | None, item: Item) -> ShownLevel | None:
        return None

    def label(self, document: Document, item: Item) -> str:
        return ""

    def choice(self, outer: ShownLevel | None, item: Item) -> bool | None:
        return False


@dataclass(frozen=True, slots=True, eq=False)
class LevelRows:
    """The rows of one level.

    Args:
        level: it.
        rows: those of its document.
        marks: their marks.
        base: the number of all nodes before those of this document.
        place: where the row stands that it is the inside of; None where that row is filtered out.
        depth: how many rows stand above its top rows.
    """

    level: ShownLevel
    rows: RowIndex
    marks: RowDecorations
    base: int
    place: Place | None
    depth: int

    @property
    def top(self) -> int:
        """The holder of its top rows."""
        return self.base << NODE_SHIFT

    def local(self, holder: int) -> int:
        """The number of a holder among its own rows."""
        return holder - self.top


class NestedRows(RowIndex):
    """The rows of a document and of all levels that are open in it.

    What is asked of a holder is answered by the rows that it belongs to; places, items and spans are those of its own
    document then.

    Args:
        base: the rows of the outermost document.
        opener: opens levels when their rows are asked for.
    """

    def __init__(self, base: RowIndex, opener: LevelOpener) -> None:
        self.base = base
        self.document, self.page_size = base.document, base.page_size
        self.top, self.elements = base.top, base.elements
        self._opener = opener
        self.mounts: list[LevelRows] = []
        self._starts: list[int] = []
        self._by_place: dict[Place, LevelRows] = {}
        self._by_level: dict[int, LevelRows] = {}
        self._standing: dict[int, bool] = {}
        self._end = base.nodes + _fields(base.document) + 1
        self._labels: dict[Place, str] = {}
        self._failed: set[tuple[int, Item]] = set()
        for level, item in opener.levels():
            self._mount(level, item)

    # Levels

    def mount(self, holder: int) -> LevelRows | None:
        """The level whose rows stand under a holder, None where they are those of the outermost document."""
        place = bisect_right(self._starts, holder >> NODE_SHIFT) - 1
        return self.mounts[place] if place >= 0 else None

    def mount_of(self, level: object) -> LevelRows | None:
        """The rows of a level, None where it has none."""
        return self._by_level.get(id(level))

    def level_item(self, holder: int, row: int) -> tuple[ShownLevel | None, Item]:
        """The item that a row shows, and the level that it lies in."""
        mount = self.mount(holder)
        return (mount.level if mount is not None else None), self.item(holder, row)

    def place_in(self, level: object, item: Item) -> Place | None:
        """Where the row of an item of a level stands, None where there is none."""
        mount = self.mount_of(level)
        return self._place(mount.rows, mount, item) if mount is not None else None

    def outermost(self, holder: int, row: int) -> Place:
        """The row of the outermost document that a row stands in or below."""
        while (mount := self.mount(holder)) is not None and mount.place is not None:
            holder, row = mount.place
        return holder, row

    def label(self, holder: int, row: int) -> str:
        """What is inside the value of a row, in a word or three; empty where nothing is that is sure."""
        found = self._labels.get((holder, row))
        if found is None:
            if len(self._labels) > REMEMBERED:
                self._labels.clear()
            found = self._labels[holder, row] = self._label(holder, row)
        return found

    def _label(self, holder: int, row: int) -> str:
        mount = self.mount(holder)
        rows, local = (self.base, holder) if mount is None else (mount.rows, mount.local(holder))
        if rows.page(local, row) is not None:
            return ""
        item = rows.item(local, row)
        if rows.document.task is not None:
            return ""
        if item.frame < 0:
            return self._opener.label(self._live(mount), item) if holds_file(rows.document, item) else ""
        if item.node < 0:
            return ""
        table = rows.document.frames[item.frame].table
        if not item.part:
            may = may_hold(table, item.node) or is_section(rows.document, item)
            return self._opener.label(self._live(mount), item) if may else ""
        kind = table.row(item.node)
        if kind is None or kind.kind is not Kind.PACKED_STRINGS or not item.part.startswith("["):
            return ""
        part = string_part(table, rows.elements.string_start(item), item.part)
        is_hint = may_begin(str(part.value).encode(errors="replace")[:32], len(part.span))
        return self._opener.label(self._live(mount), item) if is_hint else ""

    def _live(self, mount: LevelRows | None) -> Document:
        return self.document if mount is None else mount.level.document

    def can_open(self, holder: int, row: int) -> bool:
        """Whether the value of a row may hold others: it is a text or an array of bytes."""
        mount = self.mount(holder)
        rows, local = (self.base, holder) if mount is None else (mount.rows, mount.local(holder))
        item = rows.item(local, row)
        if rows.page(local, row) is not None:
            return False
        if item.frame < 0:
            return holds_file(rows.document, item)
        if item.node < 0:
            return False
        if is_section(rows.document, item):
            return True
        kind = rows.document.frames[item.frame].table.row(item.node)
        if not item.part:
            return holds_content(kind)
        return kind is not None and kind.kind is Kind.PACKED_STRINGS and item.part.startswith("[")

    def _shows_inside(self, holder: int, row: int) -> bool:
        """Whether what is inside a row's value stands under it, and not its elements."""
        if not self.can_open(holder, row):
            return False
        mount = self.mount(holder)
        level, item = (mount.level if mount is not None else None), self.item(holder, row)
        if (id(level), item) in self._failed:
            return False
        choice = self._opener.choice(level, item)
        return bool(self.label(holder, row)) if choice is None else choice

    def inside(self, holder: int, row: int) -> LevelRows | None:
        """The level that stands under a row; it is opened where it is not. None where none does."""
        if holder == LEAF or not self._shows_inside(holder, row):
            return None
        level, item = self.level_item(holder, row)
        found = self._by_place.get((holder, row))
        if found is not None:
            return found
        opened = self._opener.open(level, item)
        if opened is None:
            self._failed.add((id(level), item))
            return None
        return self._mount(opened, item)

    def _mount(self, level: ShownLevel, item: Item) -> LevelRows | None:
        outer = self.mount_of(level.outer) if level.outer is not None else None
        if level.outer is not None and outer is None:
            return None
        rows = self.base if outer is None else outer.rows
        local = rows.place(item)
        place = None
        if local is not None and rows.item(*local) == item:
            place = local if outer is None else (local[0] + outer.top, local[1])
        depth = self.depth(place[0]) + 1 if place is not None else 0
        inner = RowIndex(level.document, self.page_size)
        mount = LevelRows(level, inner, RowDecorations(level.document, level.modified), self._end, place, depth)
        self._end += sum(node_counts(level.document.frames)) + _fields(level.document) + 1
        self._starts.append(mount.base)
        self.mounts.append(mount)
        self._by_level[id(level)] = mount
        if place is not None:
            self._by_place[place] = mount
        return mount

    # Rows

    def count(self, holder: int) -> int:
        if holder == LEAF:
            return 0
        mount = self.mount(holder)
        return self.base.count(holder) if mount is None else mount.rows.count(mount.local(holder))

    def holder(self, above: int, row: int) -> int:
        inside = self.inside(above, row)
        if inside is not None:
            return inside.top
        mount = self.mount(above)
        if mount is None:
            return self.base.holder(above, row)
        found = mount.rows.holder(mount.local(above), row)
        return found if found == LEAF else found + mount.top

    def has_rows(self, above: int, row: int) -> bool:
        mount = self.mount(above)
        rows, local = (self.base, above) if mount is None else (mount.rows, mount.local(above))
        return rows.has_rows(local, row) or self._shows_inside(above, row)

    def has(self, holder: int) -> bool:
        mount = self.mount(holder)
        if mount is None:
            return self.base.has(holder)
        return (holder == mount.top or mount.rows.has(mount.local(holder))) and self._stands_mount(mount)

    def _stands_mount(self, mount: LevelRows) -> bool:
        """Whether the row of a level's value is there, and shows what is inside."""
        for each in self.mounts[len(self._standing) :]:  # each behind the one that it is inside of
            self._standing[each.base] = self._is_shown(each)
        return self._standing[mount.base]

    def _is_shown(self, mount: LevelRows) -> bool:
        if mount.place is None or not self._shows_inside(*mount.place):
            return False
        holder = mount.place[0]
        outer = self.mount(holder)
        if outer is None:
            return self.base.has(holder)
        return self._standing[outer.base] and (holder == outer.top or outer.rows.has(outer.local(holder)))

    def item(self, holder: int, row: int) -> Item:
        mount = self.mount(holder)
        return self.base.item(holder, row) if mount is None else mount.rows.item(mount.local(holder), row)

    def page(self, holder: int, row: int) -> range | None:
        mount = self.mount(holder)
        return self.base.page(holder, row) if mount is None else mount.rows.page(mount.local(holder), row)

    def page_span(self, holder: int, row: int) -> Span | None:
        mount = self.mount(holder)
        return self.base.page_span(holder, row) if mount is None else mount.rows.page_span(mount.local(holder), row)

    def is_cut_off(self, holder: int, span: Span) -> bool:
        mount = self.mount(holder)
        return self.base.is_cut_off(holder, span) if mount is None else mount.rows.is_cut_off(mount.local(holder), span)

    def block(self, holder: int) -> Block:
        mount = self.mount(holder)
        return self.base.block(holder) if mount is None else mount.rows.block(mount.local(holder))

    def above(self, holder: int) -> Place | None:
        mount = self.mount(holder)
        if mount is None:
            return self.base.above(holder)
        if holder == mount.top:
            return mount.place
        place = mount.rows.above(mount.local(holder))
        return None if place is None else (place[0] + mount.top, place[1])

    def depth(self, holder: int) -> int:
        mount = self.mount(holder)
        return self.base.depth(holder) if mount is None else mount.depth + mount.rows.depth(mount.local(holder))

    def place(self, item: Item) -> Place | None:
        return self._place(self.base, None, item)

    def _place(self, rows: RowIndex, mount: LevelRows | None, item: Item) -> Place | None:
        """Where the row of an item stands; of an element of bytes whose inside is shown that of the array."""
        top = 0 if mount is None else mount.top
        if item.part.startswith("["):
            whole = rows.place(Item(item.frame, item.node))
            if whole is not None and self._shows_inside(whole[0] + top, whole[1]):
                return whole[0] + top, whole[1]
        place = rows.place(item)
        return None if place is None else (place[0] + top, place[1])

    def child_place(self, key: int, number: int) -> Place:
        return self.base.child_place(key, number)

    def key(self, frame: int, node: int) -> int:
        return self.base.key(frame, node)

    def is_node(self, holder: int) -> bool:
        """Whether a holder belongs to a node of the outermost document."""
        return self.mount(holder) is None and self.base.is_node(holder)

    def node(self, holder: int) -> tuple[int, int]:
        return self.base.node(holder)

    # What rows tell

    def facts(self, marks: RowDecorations, holder: int, row: int, look: Look = preview) -> RowData:
        """What a row tells; *marks* are those of the outermost document."""
        mount, label = self.mount(holder), self.label(holder, row)
        if mount is None:
            facts = row_facts(self.document, self.base, marks, holder, row, look)
            return replace(facts, inside=label) if label else facts
        document, local = mount.level.document, mount.local(holder)
        facts = row_facts(document, mount.rows, mount.marks, local, row, look)
        start = mount.level.start
        if start is not None:
            facts = replace(facts, span=facts.span.shifted(start))
        name = facts.name
        if local == TOP and facts.fixed_name and name.startswith("["):
            name = INSIDE + name[1:].replace("]", "", 1)
        if facts.gap and document.wraps.blocked is not None:
            how = " F7 asks for it." if document.wraps.needs_key else ""
            facts = replace(facts, text=f"{document.wraps.blocked}{how}")
            name = CLOSED
        return replace(facts, name=name, is_unpacked=start is None, inside=label)


def is_section(document: Document, item: Item) -> bool:
    """Whether an item is what stands in a section of a resource as text, which may have attributes."""
    if not document.has_sections or item.node <= 0 or item.part:
        return False
    return not document.frames[item.frame].table.parent[item.node]


def _fields(document: Document) -> int:
    """How many numbers the fields of a document that hold others may take, beside those of its nodes."""
    return MOST_FIELD_HOLDERS if document.structure is not None else 0


class NestedFollower(Follower):
    """Finds rows again, also those inside values.

    Args:
        old, new, splices, moves: as for the rows of one document, of which these are the outermost.
    """

    def __init__(
        self, old: NestedRows, new: NestedRows, splices: tuple[Splice, ...], moves: tuple[Move, ...] = ()
    ) -> None:
        self.old, self.new = old, new
        self._rows = old, new
        self._base = Follower(old.base, new.base, splices, moves)
        self._inner: dict[int, Follower] = {}

    def holder(self, holder: int) -> int:
        old, new = self._rows
        was = old.mount(holder)
        if was is None:
            return self._base.holder(holder)
        now = new.mount_of(was.level)
        if now is None:
            return LEAF
        local = was.local(holder)
        found = local if local == TOP else self._follower(was, now).holder(local)
        return found if found == LEAF or not self.new.has(found + now.top) else found + now.top

    def row(self, place: Place) -> Place | None:
        old, new = self._rows
        was = old.mount(place[0])
        if was is None:
            return self._base.row(place)
        now = new.mount_of(was.level)
        found = self._follower(was, now).row((was.local(place[0]), place[1])) if now is not None else None
        return None if now is None or found is None else (found[0] + now.top, found[1])

    def node(self, frame: int, node: int) -> tuple[int, int] | None:
        return self._base.node(frame, node)

    def landed(self, frame: int, node: int) -> int | None:
        return self._base.landed(frame, node)

    def follow(self, offset: int) -> int | None:
        return self._base.follow(offset)

    def starting(self, offset: int, near: int = 0) -> tuple[int, int] | None:
        return self._base.starting(offset, near)

    def _follower(self, was: LevelRows, now: LevelRows) -> Follower:
        key = id(was)
        if key not in self._inner:
            self._inner[key] = Follower(was.rows, now.rows, now.level.splices)
        return self._inner[key]
