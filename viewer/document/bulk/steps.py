"""Steps: a pattern as what follows what. Each takes values and gives those that it leads to, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from viewer.base.buffer import stretches
from viewer.base.progress import Cancelled
from viewer.base.record import dataclass, field
from viewer.document.bulk.frame_values import FrameValues, Name, ValueProblem
from viewer.document.bulk.terms import Scope, Term, holds
from viewer.variant.dialect import HOLDING, NAMED, Kind
from viewer.variant.items import Item
from viewer.variant.value import Value

OFTEN = 4096
"""Values after which somebody is asked whether to go on."""
STRETCH = 1 << 20


@dataclass(slots=True)
class PatternRun:
    """One run of a pattern over a frame.

    Args:
        ground: the frame.
        progress: told the offset reached now and then; returning False gives up.

    Attributes:
        troubles: values of which a condition could not be answered, and why.
    """

    ground: FrameValues
    progress: Callable[[int], bool] | None = None
    troubles: list[tuple[Item, str]] = field(default_factory=list)
    _looked: int = 0

    def step(self, node: int) -> None:
        """Another value is looked at.

        Raises:
            Cancelled: nobody wants to know any more.
        """
        self._looked += 1
        if self._looked % OFTEN == 0:
            self.ask(self.ground.table.start[node])

    def ask(self, offset: int) -> None:
        """Ask whether to go on at an offset of the frame.

        Raises:
            Cancelled: nobody wants to know any more.
        """
        if self.progress is not None and not self.progress(offset):
            raise Cancelled

    def holds(self, term: Term, item: Item, is_beside: bool = False) -> bool:
        """Whether a condition holds for a value; trouble is kept."""
        try:
            return holds(term, Scope(self.ground, item, is_beside))
        except ValueProblem as problem:
            self.troubles.append((item, str(problem)))
            return False


class PatternStep(Protocol):
    """One step of a pattern."""

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The values that it leads to from those found so far."""


@dataclass(frozen=True, slots=True)
class EntryStep:
    """``.name``: the entry or field of this name."""

    name: Name
    rank: int = 1

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The entries."""
        for item in found:
            hunt.step(item.node)
            entry = hunt.ground.entry(item, self.name, self.rank)
            if entry is not None:
                yield entry


@dataclass(frozen=True, slots=True)
class KeyStep:
    """``[3]``, ``[Vector2(1, 2)]``: the element at a place, the entry of any key."""

    key: Value
    rank: int = 1

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The entries."""
        for item in found:
            hunt.step(item.node)
            entry = hunt.ground.keyed(item, self.key, self.rank)
            if entry is not None:
                yield entry


@dataclass(frozen=True, slots=True)
class ChildrenStep:
    """``[*]``, ``.*`` and ``[?condition]``: all children, or those for which the condition holds."""

    condition: Term | None = None

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The children."""
        for item in found:
            for child in hunt.ground.children(item):
                hunt.step(child.node)
                if self.condition is None or hunt.holds(self.condition, child):
                    yield child


@dataclass(frozen=True, slots=True)
class ConditionStep:
    """``[?condition]`` at the beginning: the values of the file for which it holds."""

    condition: Term

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """Those of them."""
        return (item for item in found if hunt.holds(self.condition, item))


@dataclass(frozen=True, slots=True)
class KeyOfStep:
    """``@key``: the key of a value, itself a value."""

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The keys."""
        for item in found:
            key = None if item.part else hunt.ground.key_node(item.node)
            if key is not None:
                yield Item(item.frame, key)


@dataclass(frozen=True, slots=True)
class NamedDescendantsStep:
    """``..name``: the entries of this name at any depth; found by the bytes of the name."""

    name: Name

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The entries."""
        ground, bare = hunt.ground, self.name.bare
        table = ground.table
        if table.dialect.rules.closed_texts:
            yield from self._one_by_one(ground, found)
            return
        for item in _outermost(ground, found):
            span = table.span(item.node)
            for base, raw in stretches(table.buffer, span.start, span.end, STRETCH, len(bare) - 1):
                hunt.ask(base)
                piece = bytes(raw)
                at = piece.find(bare)
                while at >= 0:
                    entry = self._entry(ground, base + at)
                    if entry is not None:
                        yield entry
                    at = piece.find(bare, at + 1)

    def _one_by_one(self, ground: FrameValues, found: Iterable[Item]) -> Iterator[Item]:
        """The entries where names are no texts, or end otherwise: each key is read."""
        table = ground.table
        for item in _outermost(ground, found):
            span = table.span(item.node)
            for node in table.nodes:
                key = ground.key_node(node) if span.start <= table.start[node] < span.end else None
                if key is not None and ground.data(Item(ground.index, key)) == self.name.text:
                    yield Item(ground.index, node)

    def _entry(self, ground: FrameValues, offset: int) -> Item | None:
        """The value whose key has its length word at *offset*."""
        table = ground.table
        key = table.at(offset)
        behind = offset - table.start[key]
        if behind not in (0, 4) or not key:
            return None
        parent = table.parent[key]
        row = ground.row(parent)
        is_object = row is not None and row.kind in NAMED
        if (key - table.first[parent]) % 2 or not (is_object or ground.has_pairs(parent)) or (behind == 4) is is_object:
            return None
        if not is_object:
            text = ground.row(key)
            if text is None or text.kind is not Kind.STRING:
                return None
        if key + 1 >= len(table) or table.parent[key + 1] != parent:
            return None
        return Item(ground.index, key + 1)


@dataclass(frozen=True, slots=True)
class DescendantsStep:
    """``..*`` and ``..[condition]``: all values at any depth, or those for which the condition holds.

    Args:
        condition: what must hold, None for nothing.
        type: a type that all of them must have anyway, None where any may come.
    """

    condition: Term | None = None
    type: str | None = None

    def follow(self, hunt: PatternRun, found: Iterable[Item]) -> Iterator[Item]:
        """The values."""
        for item in _outermost(hunt.ground, found):
            for node in self._nodes(hunt, item.node):
                child = Item(item.frame, node)
                if self.condition is None or hunt.holds(self.condition, child):
                    yield child

    def _nodes(self, hunt: PatternRun, top: int) -> Iterator[int]:
        """The values below a node that may have the type, told by the first byte of their headers."""
        table, ground = hunt.ground.table, hunt.ground
        row = table.dialect.by_name.get(self.type) if self.type is not None else None
        low = row.number & 0xFF if row is not None else -1
        buffer, start, first = table.buffer, table.start, table.first
        stack = [top]
        while stack:
            node = stack.pop()
            children = table.children(node)
            for child in children[1::2] if children and ground.has_pairs(node) else children:
                hunt.step(child)
                if first[child]:
                    stack.append(child)
                if low < 0 or buffer[start[child]] == low:
                    yield child


def _outermost(ground: FrameValues, found: Iterable[Item]) -> Iterator[Item]:
    """Collections that lie in no other one of them, in the order of their bytes: the others lie below those."""
    table = ground.table
    nodes = {item.node for item in found if not item.part}
    end = -1
    for node in sorted(nodes, key=lambda node: (table.start[node], node)):
        if table.start[node] >= end:
            row = ground.row(node)
            if row is not None and row.kind in HOLDING:
                end = table.end(node)
                yield Item(ground.index, node)
