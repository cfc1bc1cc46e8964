"""The rows of two collections side by side, as what is paired: elements, pairs with their keys, whole frames."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from itertools import pairwise

from viewer.document.compare.shared_bytes import SharedBytes
from viewer.document.compare.value_side import ValueSide

SHORT = 64
"""What has no more bytes stands for itself, longer values are known by a digest of their bytes."""


class Rows:
    """The rows of one collection.

    Args:
        side: the values.
        node: the collection.
        is_plain: whether equal bytes are equal values on both sides.
        spend: told how many bytes are read; False where no more are to be.
    """

    def __init__(self, side: ValueSide, node: int, is_plain: bool, spend: TokenBudget) -> None:
        self.side = side
        self.node = node
        self.is_plain = is_plain
        self.has_keys = side.table.has_pairs(node)
        self._children = side.table.children(node)
        self._each = 2 if self.has_keys else 1
        self._spend = spend

    def __len__(self) -> int:
        return len(self._children) // self._each

    @property
    def first(self) -> int:
        """The first child, keys counted."""
        return self._children.start

    @property
    def is_odd(self) -> bool:
        """Whether a last key has no value."""
        return len(self._children) % self._each > 0

    def place(self, number: int) -> tuple[ValueSide, int]:
        """The value of a row, with the side that it lies in."""
        return self.side, self.value(number)

    def value(self, number: int) -> int:
        """The node of a row's value."""
        return self._children[number * self._each + self._each - 1]

    def key(self, number: int) -> int:
        """The node of a row's key."""
        return self._children[number * self._each]

    def start(self, number: int) -> int:
        """Where a row begins in its frame, or with ``number == len(self)`` where the rows end."""
        place = number * self._each
        table = self.side.table
        return table.start[self._children[place]] if place < len(self._children) else self.side.end(self.node)

    def row_at(self, offset: int) -> int:
        """The row that holds a byte, or how many there are behind the last."""
        if offset >= self.side.end(self.node):
            return len(self)
        children = self._children
        return (bisect_right(self.side.table.start, offset, children.start, children.stop) - 1 - children.start) // (
            self._each
        )

    def tokens(self, begin: int, end: int) -> Sequence[Hashable]:
        """What stands for rows: the same for equal ones."""
        if not self.is_plain:
            return [self.digest(number) for number in range(begin, end)]
        buffer, starts = self.side.table.buffer, [self.start(number) for number in range(begin, end + 1)]
        out: list[Hashable] = []
        for start, stop in pairwise(starts):
            size = stop - start
            if size <= SHORT:
                out.append(bytes(buffer[start:stop]))
            else:
                out.append(hash(bytes(buffer[start:stop])) if self._spend(size) else object())
        return out

    def token(self, number: int) -> Hashable:
        """What stands for one row."""
        return self.tokens(number, number + 1)[0]

    def value_token(self, number: int) -> Hashable:
        """What stands for the value of a row, without its key."""
        if not self.is_plain:
            return self.side.digest(self.value(number))
        raw = self.side.raw(self.value(number))
        return raw if len(raw) <= SHORT else hash(raw)

    def key_digest(self, number: int) -> int:
        """64 bits of the key of a row."""
        return self.side.digest(self.key(number))

    def digest(self, number: int) -> int:
        """64 bits of a row by its values."""
        digest = self.side.digest
        if self.has_keys:
            return hash((digest(self.key(number)), digest(self.value(number))))
        return digest(self.value(number))


class TokenBudget:
    """How many bytes may still be read to make tokens of long values, which may lie in each other."""

    def __init__(self, most: int) -> None:
        self._left = most

    def __call__(self, size: int) -> bool:
        self._left -= size
        return self._left >= 0


def equal_rows(old: Rows, new: Rows, shared: SharedBytes, first: int, second: int) -> int:
    """How many rows from two numbers on are equal, by their bytes."""
    if not old.is_plain:
        return 0
    begin, other = old.start(first), new.start(second)
    most = min(old.start(len(old)) - begin, new.start(len(new)) - other)
    common = shared.common(begin, other, most)
    if not common:
        return 0
    same = old.row_at(begin + common) - first
    return min(same, len(old) - first, len(new) - second)
