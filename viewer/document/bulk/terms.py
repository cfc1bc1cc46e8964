"""Terms: an expression as a tree, and what it comes to for one value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from viewer.base.record import dataclass
from viewer.document.bulk import operations, text_patterns
from viewer.document.bulk.frame_values import Data, DeferredValue, FrameValues, Name, ValueProblem
from viewer.variant.items import Item
from viewer.variant.value import Value


@dataclass(slots=True)
class Scope:
    """What an expression is about.

    Args:
        ground: the frame.
        item: what ``value`` stands for.
        is_beside: whether a bare name is an entry of the collection that holds the value, or of the value itself.
    """

    ground: FrameValues
    item: Item
    is_beside: bool


class Term(Protocol):
    """A part of an expression."""

    def of(self, scope: Scope) -> Data:
        """What it comes to.

        Raises:
            ValueProblem: it comes to nothing for this value.
        """


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is written out."""

    data: Data

    def of(self, scope: Scope) -> Data:
        """The value."""
        return self.data


@dataclass(frozen=True, slots=True)
class ValueTerm:
    """``value``."""

    def of(self, scope: Scope) -> Data:
        """The value that is asked about."""
        return scope.ground.data(scope.item)


@dataclass(frozen=True, slots=True)
class PropertyTerm:
    """``type``, ``key`` or ``index``."""

    what: str

    def of(self, scope: Scope) -> Data:
        """The word about the value."""
        if self.what == "type":
            return scope.ground.type(scope.item)
        if self.what == "key":
            if scope.ground.parent(scope.item) is None or scope.item.part:
                raise ValueProblem("This value has no key.")
            key = scope.ground.key_node(scope.item.node)
            if key is None:
                raise ValueProblem("This value has no key; it is in an array.")
            return scope.ground.key_data(key)
        index = scope.ground.index_of(scope.item)
        if index is None:
            raise ValueProblem("This value has no index; it is not in a collection.")
        return index


@dataclass(frozen=True, slots=True)
class EntryTerm:
    """A bare name: an entry beside the value, or in it."""

    name: Name

    def of(self, scope: Scope) -> Data:
        """The entry."""
        held = scope.ground.parent(scope.item) if scope.is_beside else scope.item
        found = scope.ground.entry(held, self.name) if held is not None else None
        if found is None:
            raise ValueProblem(f"There is no entry “{self.name.text}” here; a text goes in quotes.")
        return scope.ground.data(found)


@dataclass(frozen=True, slots=True)
class MemberTerm:
    """An entry, field or element of another term: ``value.x``, ``stats.hp``, ``value[0]``."""

    term: Term
    key: Name | Value

    def of(self, scope: Scope) -> Data:
        """The entry."""
        held = self.term.of(scope)
        if isinstance(held, DeferredValue):
            ground = held.ground
            key = self.key
            found = ground.entry(held.item, key) if isinstance(key, Name) else ground.keyed(held.item, key)
            if found is not None:
                return ground.data(found)
        shown = self.key.text if isinstance(self.key, Name) else str(self.key.data)
        raise ValueProblem(f"There is no “{shown[:40]}” in it.")


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """An operation or function with what it is done to."""

    do: Callable[..., Data]
    terms: tuple[Term, ...]

    def of(self, scope: Scope) -> Data:
        """What comes of it."""
        try:
            if len(self.terms) == 2:  # most often, and asked for each of millions of values
                return self.do(self.terms[0].of(scope), self.terms[1].of(scope))
            return self.do(*[term.of(scope) for term in self.terms])
        except OverflowError:
            raise ValueProblem("The result is too large for any number in a file.") from None


@dataclass(frozen=True, slots=True)
class VectorTerm:
    """A value of several numbers each of which is an expression: ``Vector2(value.x, 0)``."""

    type: str
    terms: tuple[Term, ...]

    def of(self, scope: Scope) -> Data:
        """The value."""
        return Value(self.type, tuple(operations.number(term.of(scope), self.type) for term in self.terms))


@dataclass(frozen=True, slots=True)
class MatchTerm:
    """``matches``: whether a pattern is found in a text."""

    term: Term
    pattern: re.Pattern[str]

    def of(self, scope: Scope) -> Data:
        """Whether it is."""
        text = operations.path_text(self.term.of(scope))
        return isinstance(text, str) and text_patterns.holds(self.pattern, text)


@dataclass(frozen=True, slots=True)
class LogicalTerm:
    """Conditions joined by ``and`` (*until* is False) or ``or`` (*until* is True); the first that decides ends it."""

    terms: tuple[Term, ...]
    until: bool

    def of(self, scope: Scope) -> Data:
        """Whether all, or any, of them hold."""
        return self.until if any(holds(term, scope) is self.until for term in self.terms) else not self.until


@dataclass(frozen=True, slots=True)
class NotTerm:
    """``not``."""

    term: Term

    def of(self, scope: Scope) -> Data:
        """Whether it does not hold."""
        return not holds(self.term, scope)


def holds(term: Term, scope: Scope) -> bool:
    """Whether a condition holds; one that cannot be answered for this value does not.

    Raises:
        ValueProblem: the person must be told why it cannot be answered.
    """
    try:
        return operations.truth(term.of(scope))
    except ValueProblem as problem:
        if problem.is_told:
            raise
        return False
