"""Where the lint pass puts what it finds."""

from __future__ import annotations

from heapq import heappop, heappush

from viewer.base.buffer import unpacker
from viewer.base.diagnostic import Code, Diagnostic
from viewer.base.span import Span
from viewer.variant.dialect import SHARED
from viewer.variant.table import NodeTable


class Sink:
    """Findings of one walk over *table*.

    Attributes:
        found: findings not handed out yet.
        marks: findings about nodes that were not reached yet, by the first byte of the node.
        marked: those first bytes, as a heap.
    """

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.u32 = unpacker("<I", table.buffer)
        self.dialect = table.dialect
        self.rules = table.dialect.rules
        self.found: list[Diagnostic] = []
        self.marks: dict[int, list[Diagnostic]] = {}
        self.marked: list[int] = []

    def add(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about the node that is being visited."""
        self.found.append(Diagnostic(code, span, node, part, facts))

    def mark(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about a node that comes later, until the walk is there."""
        start = self.table.start[node]
        if start not in self.marks:
            heappush(self.marked, start)
        self.marks.setdefault(start, []).append(Diagnostic(code, span, node, part, facts))

    def release(self, pos: int) -> None:
        """The walk is at the node that begins at *pos*: find what was marked up to there."""
        while self.marked and self.marked[0] <= pos:
            self.found += self.marks.pop(heappop(self.marked))

    def shared(self, node: int, at: int, word: str = "count") -> None:
        """Look at bit 31 of a word that is not the engine's to set."""
        if not self.rules.shared_bit and self.u32(at)[0] & SHARED:
            part = word.replace(" ", "_")
            self.add(Code.SHARED_BIT, Span(at, at + 4), node, part, word=word, dialect=self.dialect.name)

    def take(self) -> list[Diagnostic]:
        """Hand out what was found since the last time."""
        taken = self.found[:]
        self.found.clear()
        return taken
