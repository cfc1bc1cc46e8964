"""Following: where the rows of a document are after its structure has changed.

A value is where its first byte is now. One whose first byte was written anew is what stands under the same key, or at
the same number where there are no keys, unless that is another value which was there before.
"""

from __future__ import annotations

from itertools import chain

from viewer.document import outline
from viewer.document.element_index import element_number
from viewer.document.splice import Move, Splice, landed
from viewer.document.viewmodel.rows import LEAF, LOW_MASK, TOP, Place, RowIndex
from viewer.variant.items import Item
from viewer.variant.table import NONE, NodeTable

PAIRS_SEEN = 1000
Node = tuple[int, int]


class Follower:
    """Finds rows again.

    Args:
        old: the rows before the change; *new* those after it.
        splices: the bytes that changed, none where only the reading did.
        moves: which of them were only carried elsewhere.
    """

    def __init__(self, old: RowIndex, new: RowIndex, splices: tuple[Splice, ...], moves: tuple[Move, ...] = ()) -> None:
        self.old = old
        self.new = new
        self._splices = splices
        self._inverse = tuple(splice.inverse for splice in reversed(splices))
        self._moves = moves
        self._back = tuple(move.inverse for move in moves)
        self._named: dict[Node, Node | None] = {}
        self._frame = 0
        self._shift = 0

    def holder(self, holder: int) -> int:
        """The holder of the same rows now, LEAF where there are none; pages stay where they are in number."""
        field = self.old.field_item(holder)
        if field is not None:
            moved = self.new.field_holder(field, holder & LOW_MASK)
            return moved if moved != LEAF and self.new.has(moved) else LEAF
        key = TOP
        if self.old.is_node(holder):
            there = self.node(*self.old.node(holder))
            if there is None:
                return LEAF
            key = self.new.key(*there)
        moved = key | holder & LOW_MASK
        return moved if self.new.has(moved) else LEAF

    def row(self, place: Place) -> Place | None:
        """Where a row stands now, None where it is gone."""
        if self.old.page(*place) is not None:
            holder = self.holder(self.old.holder(*place))
            return self.new.above(holder) if holder != LEAF else None
        item = self.old.item(*place)
        if item.frame < 0:
            return self.new.place(item)
        there = self.node(item.frame, max(0, item.node))
        if there is None:
            return None
        if element_number(item) < 0:
            return self.new.place(Item(there[0], there[1] if item.node >= 0 else -1, item.part))
        found = self.new.place(Item(*there, self._element(item)))
        return found if found is not None and self.new.item(*found).part else None

    def node(self, frame: int, node: int) -> Node | None:
        """Frame and id of a node now, None where it is gone."""
        table = self.old.document.frames[frame].table
        if node >= len(table):
            return None
        line: list[int] = []
        found = self._by_byte(frame, node)
        while found is None and node and (frame, node) not in self._named:
            line.append(node)
            node = table.parent[node]
            found = self._by_byte(frame, node)
        if found is None:
            found = self._named[frame, node] if node else self._root(frame)
        for below in reversed(line):
            found = self._named[frame, below] = self._by_name(frame, below, found) if found is not None else None
        return found

    def _by_byte(self, frame: int, node: int) -> Node | None:
        """The node whose first byte is that of an old one."""
        offset = self.landed(frame, node)
        return self.starting(offset, node) if offset is not None else None

    def landed(self, frame: int, node: int) -> int | None:
        """Where the first byte of an old node lies now, None where it was taken away."""
        old = self.old.document.frames[frame]
        return landed(old.start + old.table.start[node], self._splices, self._moves)

    def follow(self, offset: int) -> int | None:
        """Where a byte lies now, None where it was taken away."""
        return landed(offset, self._splices, self._moves)

    def starting(self, offset: int, near: int = 0) -> Node | None:
        """The node that begins at a byte now, None where none does; *near* is its number before the change."""
        document = self.new.document
        if not (self._frame < len(document.frames) and offset in document.frames[self._frame].span):
            self._frame = max(0, document.frame_at(offset))
            if self._frame >= len(document.frames):
                return None
        table, local = document.frames[self._frame].table, offset - document.frames[self._frame].start
        there = near + self._shift
        if not _starts(table, there, local):
            there = table.at(local) if len(table) and 0 <= local < table.end_of_data else -1
            if not _starts(table, there, local):
                return None
            self._shift = there - near
        return self._frame, there

    def _root(self, frame: int) -> Node | None:
        """The root of a frame whose first byte was written anew."""
        frames = self.new.document.frames
        same = len(frames) == len(self.old.document.frames) and len(frames[frame].table) > 0
        return (frame, 0) if same and not self._is_taken(frames[frame].start) else None

    def _by_name(self, frame: int, node: int, above: Node) -> Node | None:
        """The child of *above* with the key, else the number, of an old node."""
        old, new = self.old.document.frames[frame].table, self.new.document.frames[above[0]]
        pairs, number = old.has_pairs(old.parent[node]), old.index(node)
        children = new.table.children(above[1])
        if new.table.has_pairs(above[1]) != pairs:
            return None
        if pairs:
            number = _value_of(new.table, children, _raw(old, node - 1), number) if number % 2 else -1
        if not 0 <= number < len(children) or self._is_taken(new.start + new.table.start[children[number]]):
            return None
        return above[0], children[number]

    def _is_taken(self, offset: int) -> bool:
        """Whether another value begins here that was there before the change."""
        return landed(offset, self._inverse, self._back) is not None

    def _element(self, item: Item) -> str:
        """What an element of a packed array is called now; its old name where its bytes were written anew."""
        try:
            start = self.old.elements.start(item)
        except IndexError:  # it was promised only
            return item.part
        offset = landed(self.old.document.frames[item.frame].start + start, self._splices, self._moves)
        found = outline.item_at(self.new.document, offset) if offset is not None else None
        return found.part.partition("]")[0] + "]" if found is not None and found.part.startswith("[") else item.part


def _starts(table: NodeTable, node: int, offset: int) -> bool:
    """Whether there is such a node and it starts at *offset*."""
    if not 0 <= node < len(table) or table.start[node] != offset:
        return False
    return node == 0 or table.parent[node] != NONE


def _value_of(table: NodeTable, children: range, key: bytes, near: int) -> int:
    """The number of the child behind an equal key: at the same place, or among the first pairs; -1 for none."""
    numbers = range(1, min(len(children), 2 * PAIRS_SEEN), 2)
    for number in chain((near,), numbers):
        if number < len(children) and _raw(table, children[number - 1]) == key:
            return number
    return -1


def _raw(table: NodeTable, node: int) -> bytes:
    return bytes(table.buffer[table.start[node] : table.end(node)])
