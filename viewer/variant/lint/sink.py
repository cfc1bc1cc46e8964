"""Where the lint pass puts what it finds."""

from __future__ import annotations

from struct import Struct

from viewer.diagnostic import Code, Diagnostic
from viewer.span import Span
from viewer.variant.dialect import SHARED
from viewer.variant.table import NodeTable

U32 = Struct("<I").unpack_from


class Sink:
    """Findings of one walk over *table*.

    Attributes:
        found: findings not handed out yet.
        marks: findings about nodes that are still to be visited, by node.
        names: nodes still to be visited that are property names: text without a header.
    """

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.dialect = table.dialect
        self.rules = table.dialect.rules
        self.found: list[Diagnostic] = []
        self.marks: dict[int, list[Diagnostic]] = {}
        self.names: set[int] = set()

    def add(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about the node that is being visited."""
        self.found.append(Diagnostic(code, span, node, part, facts))

    def mark(self, code: Code, span: Span, node: int, part: str = "", **facts: object) -> None:
        """Keep a finding about a node that comes later, until it is visited."""
        self.marks.setdefault(node, []).append(Diagnostic(code, span, node, part, facts))

    def shared(self, node: int, at: int, word: str = "count") -> None:
        """Look at bit 31 of a word that is not the engine's to set."""
        if not self.rules.shared_bit and U32(self.table.buffer, at)[0] & SHARED:
            part = word.replace(" ", "_")
            self.add(Code.SHARED_BIT, Span(at, at + 4), node, part, word=word, dialect=self.dialect.name)

    def take(self) -> list[Diagnostic]:
        """Hand out what was found since the last time."""
        taken = self.found[:]
        self.found.clear()
        return taken
