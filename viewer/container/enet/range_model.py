"""The statistics behind ENet's range coder: how often each byte followed the one or two before it.

Encoder and decoder feed the same bytes to the same model, so both know the same weights at every byte.
"""

from __future__ import annotations

from bisect import bisect_left, insort

MOST_ENTRIES = 4094
MOST_TOTAL = 65_280
MOST_WEIGHT = 251
MOST_ROOT_WEIGHT = 250
STEP = 2
ESCAPE_STEP = 5
ROOT_STEP = 3
BUCKETS = 16
ORDER = 2


class Context:
    """The bytes seen after some others: *names* in ascending order, *counts* and *children* by byte.

    Attributes:
        escapes: the weight of "another byte than these".
        total: the sum of all weights.
        link: the context that is asked after this one; None only at the root.
    """

    __slots__ = ("children", "counts", "escapes", "link", "names", "total")

    def __init__(self, link: Context | None) -> None:
        self.names: list[int] = []
        self.counts: dict[int, int] = {}
        self.children: dict[int, Context] = {}
        self.escapes = 0
        self.total = 0
        self.link = link

    def under(self, byte: int) -> int:
        """The weight of the bytes below one of the context's own."""
        counts = self.counts
        return sum([counts[name] for name in self.names[: bisect_left(self.names, byte)]])

    def rescale(self) -> None:
        """Halve all counts, so that what came lately weighs more."""
        counts = self.counts
        for name, count in counts.items():
            counts[name] = count - (count >> 1)
        self.escapes -= self.escapes >> 1
        self.total = sum(counts.values()) + self.escapes


class Root:
    """The context before any byte, in which each of the 256 weighs its count and one more.

    Sums of sixteen weights each, *buckets*, spare walking over all of them.
    """

    __slots__ = ("buckets", "children", "context", "escapes", "total", "weights")

    def __init__(self) -> None:
        self.context = Context(None)
        self.children: list[Context | None] = [None] * 256
        self.weights = [1] * 256
        self.buckets = [BUCKETS] * BUCKETS
        self.escapes = 1
        self.total = 257

    def find(self, position: int) -> tuple[int, int]:
        """The byte at a position among the weights, ``0 <= position < total - escapes``, and the weight below it."""
        under = 0
        byte = 0
        for weight in self.buckets:
            if position < under + weight:
                break
            under += weight
            byte += BUCKETS
        weights = self.weights
        while position >= under + weights[byte]:
            under += weights[byte]
            byte += 1
        return byte, under

    def under(self, byte: int) -> int:
        """The weight of the bytes below one."""
        bucket = byte // BUCKETS
        return sum(self.buckets[:bucket]) + sum(self.weights[bucket * BUCKETS : byte])

    def count(self, byte: int) -> None:
        """Take note of a byte."""
        weight = self.weights[byte]
        self.weights[byte] = weight + ROOT_STEP
        self.buckets[byte // BUCKETS] += ROOT_STEP
        self.total += ROOT_STEP
        if weight > MOST_ROOT_WEIGHT or self.total > MOST_TOTAL:
            self._rescale()

    def _rescale(self) -> None:
        self.weights = [1 + (weight - 1) - (weight - 1 >> 1) for weight in self.weights]
        self.buckets = [sum(self.weights[at : at + BUCKETS]) for at in range(0, 256, BUCKETS)]
        self.escapes -= self.escapes >> 1
        self.total = sum(self.weights) + self.escapes


class Model:
    """All contexts, and the one that is asked first for the next byte."""

    __slots__ = ("_bytes", "_entries", "predicted", "root")

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.root = Root()
        self.predicted = self.root.context
        self._entries = 1
        self._bytes = 0

    def follow(self, byte: int, skipped: list[Context], found: Context | None) -> None:
        """Take note of a byte.

        Args:
            byte: which.
            skipped: the contexts that were asked and did not name it, longest first; they learn it now.
            found: the context that named it, its counts already raised; None for the root.
        """
        first: Context | None = None
        last: Context | None = None
        for context in skipped:
            child = self._learn(context, byte)
            if last is None:
                first = child
            else:
                last.link = child
            last = child
        child = self._of_root(byte) if found is None else found.children[byte]
        if last is None:
            first = child
        else:
            last.link = child
        self._go_on(first or child)

    def _learn(self, context: Context, byte: int) -> Context:
        counts = context.counts
        old = counts.get(byte, 0)
        if not old:
            insort(context.names, byte)
            context.children[byte] = Context(self.root.context)
            context.escapes += ESCAPE_STEP
            context.total += ESCAPE_STEP
            self._entries += 1
        counts[byte] = old + STEP
        context.total += STEP
        if context.total > MOST_TOTAL or old > MOST_WEIGHT:
            context.rescale()
        return context.children[byte]

    def _of_root(self, byte: int) -> Context:
        child = self.root.children[byte]
        if child is None:
            child = self.root.children[byte] = Context(self.root.context)
            self._entries += 1
        self.root.count(byte)
        return child

    def _go_on(self, context: Context) -> None:
        if self._bytes >= ORDER:
            context = context.link or context
        self._bytes += 1
        self.predicted = context
        if self._entries >= MOST_ENTRIES:
            self._start()
