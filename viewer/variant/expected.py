"""Expected: what an engine lets stand in a typed collection."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from viewer.base import assets
from viewer.base.record import dataclass, field
from viewer.variant.dialect import SHARED, Dialect, Kind
from viewer.variant.value import ElementType

RESOURCE_NAMES = ("SubResource", "ExtResource", "Resource")
"""The types of a text that name a resource where one is meant."""


@dataclass(frozen=True, slots=True)
class ExpectedTypes:
    """What may stand in a typed collection.

    Args:
        name: the type.
        kept: type numbers that stay as they are.
        changed: those that every version converts.
        later: those that Godot 4.6 and later convert, and earlier versions drop.
    """

    name: str
    kept: frozenset[int]
    changed: frozenset[int] = field(default=frozenset())
    later: frozenset[int] = field(default=frozenset())


def expected(dialect: Dialect, kind: Kind, held: ElementType | None) -> ExpectedTypes | None:
    """What may stand in a collection of this *kind* that says it holds *held*; None for everything."""
    if held is None:
        return None
    if kind is Kind.TYPED_ARRAY:
        return _only(dialect, held.builtin or 0)
    if held.builtin == 0:
        return None
    if held.builtin is None:
        name = held.class_name or held.script or "Object"
        return ExpectedTypes(name, _objects(dialect))
    only = _only(dialect, held.builtin)
    changed, later = (_numbers(dialect, only.name, since) for since in ("always", "later"))
    return ExpectedTypes(only.name, only.kept, changed, later)


def _numbers(dialect: Dialect, name: str, since: str) -> frozenset[int]:
    """The types that a collection of another one converts; a dialect that lacks one has no number for it."""
    return frozenset(_number(dialect, other) for other in _conversions()[since].get(name, ())) - {-1}


@cache
def _conversions() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(assets.text("conversions.toml"))


def _only(dialect: Dialect, number: int) -> ExpectedTypes:
    """Pandemonium keeps what has the type, Nil for null objects, and changes nothing."""
    kept = _objects(dialect) if number == _number(dialect, "Object") else frozenset((number,))
    row = dialect.row(number & ~SHARED)
    return ExpectedTypes(row.name if row else f"type {number}", kept)


def _objects(dialect: Dialect) -> frozenset[int]:
    """What stands where objects are held: these, Nil for null, and in texts the names of resources."""
    return frozenset(_number(dialect, name) for name in ("Nil", "Object", *RESOURCE_NAMES)) - {-1}


def _number(dialect: Dialect, name: str) -> int:
    """The number of a type, -1 where the dialect has none."""
    row = dialect.by_name.get(name)
    return row.number if row else -1
