"""Where each value of a text stands: three columns of numbers, no object a value."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from viewer.base.span import Span
from viewer.variant.hops import shift

NOT_YET = 0
"""The end of a value that is still being read."""
AT_ONCE = 1 << 14
"""So many numbers of a column are copied or moved in one go, in which no other thread runs."""


class SourceMap:
    """Values in the order in which they begin, which is the same in the text and in the bytes made of it.

    Attributes:
        inside: column, where each value begins in the bytes that were made of the text.
        start, end: columns, the bytes of the text that spell it; a collection spans its brackets.
        parent: column, the number of the collection that holds it; of one at the top, the first value.
    """

    __slots__ = ("_open", "end", "inside", "parent", "start")

    def __init__(self) -> None:
        self.inside = array("I")
        self.start = array("I")
        self.end = array("I")
        self.parent = array("I")
        self._open = [0]

    def __len__(self) -> int:
        return len(self.inside)

    def add(self, inside: int, start: int, end: int) -> None:
        """One more value, in the collection that was opened last."""
        self.inside.append(inside)
        self.start.append(start)
        self.end.append(end)
        self.parent.append(self._open[-1])

    def open(self, inside: int, start: int) -> int:
        """A collection opens; its number."""
        number = len(self.inside)
        self.add(inside, start, NOT_YET)
        self._open.append(number)
        return number

    def reopen(self, number: int) -> None:
        """A collection that was added before is open."""
        self._open.append(number)

    def close(self, end: int) -> int:
        """The collection that was opened last ends in front of a byte; its number."""
        number = self._open.pop()
        self.end[number] = end
        return number

    @property
    def depth(self) -> int:
        """How many collections are open."""
        return len(self._open)

    def shut(self, depth: int) -> None:
        """Forget the collections that were opened behind some others."""
        del self._open[depth:]

    def cut(self, count: int) -> None:
        """Forget the values from one on."""
        for column in (self.inside, self.start, self.end, self.parent):
            del column[count:]

    def is_just_opened(self, number: int) -> bool:
        """Whether a collection was opened last and holds nothing yet."""
        return number == len(self.inside) - 1

    def inside_of_open(self) -> int:
        """Where the innermost open collection begins inside."""
        return self.inside[self._open[-1]] if self.inside else 0

    def number(self, inside: int) -> int:
        """The number of the value that a byte inside belongs to."""
        return max(0, bisect_right(self.inside, inside) - 1)

    def span(self, number: int) -> Span:
        """The bytes of the text that spell a value."""
        return Span(self.start[number], self.end[number])

    def begun(self, offset: int) -> int:
        """The number of the last value that begins at a byte of the text, or in front of it; 0 where none does."""
        return max(0, bisect_right(self.start, offset) - 1)

    def is_single(self, number: int) -> bool:
        """Whether a value holds no others."""
        following = number + 1
        return following == len(self) or self.parent[following] != number

    def inside_end(self, number: int, size: int) -> int:
        """Where a value that holds no others ends in the *size* bytes that were made of the text."""
        return self.inside[number + 1] if number + 1 < len(self) else size

    def at(self, offset: int) -> int:
        """The innermost value around a byte of the text; the first one where there is none."""
        number = max(0, bisect_right(self.start, offset) - 1)
        while number and self.end[number] <= offset:
            number = self.parent[number]
        return number

    def touching(self, start: int, end: int) -> Iterator[int]:
        """The numbers of the values that touch some bytes of the text, outer ones first."""
        if not len(self):
            return
        first = self.at(start)
        outer, number = [first], first
        while number:
            number = self.parent[number]
            outer.append(number)
        yield from reversed(outer)
        yield from range(bisect_right(self.start, start), bisect_left(self.start, end))

    def respelled(self, changes: Sequence[tuple[int, int, int]]) -> SourceMap:
        """The map where some values without others inside are spelled otherwise.

        Args:
            changes: the number of each, in order, and by how much it grows inside and in the text.
        """
        out = SourceMap()
        out.inside, out.start, out.end = map(_copied, (self.inside, self.start, self.end))
        out.parent = self.parent
        inner = outer = 0
        following = [number for number, _, _ in changes[1:]]
        for (number, grown_inside, grown), last in zip(changes, (*following, len(self) - 1), strict=True):
            inner, outer = inner + grown_inside, outer + grown
            for column, by in ((out.inside, inner), (out.start, outer), (out.end, outer)):
                if by:
                    _move(column, number + 1, last + 1, by)
            while True:  # what holds it ends later, too
                out.end[number] += grown
                if not number:
                    break
                number = self.parent[number]
        return out


def _copied(column: array[int]) -> array[int]:
    """A copy, made a little at a time."""
    out = array("I")
    for at in range(0, len(column), AT_ONCE):
        out.extend(column[at : at + AT_ONCE])
    return out


def _move(column: array[int], first: int, end: int, by: int) -> None:
    """Add a number to each of ``[first, end)``, a little at a time."""
    for at in range(first, end, AT_ONCE):
        shift(column, at, min(at + AT_ONCE, end), by)
