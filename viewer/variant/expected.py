"""Expected: what an engine lets stand in a typed collection."""

from __future__ import annotations

from dataclasses import dataclass, field

from viewer.variant.dialect import SHARED, Dialect, Kind
from viewer.variant.value import ElementType

COERCED = {"float": ("int",), "String": ("StringName",), "StringName": ("String",)}
"""Godot 4: which other types a typed collection of these takes, and changes."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What may stand in a typed collection: type numbers that stay, type numbers that are changed."""

    name: str
    kept: frozenset[int]
    changed: frozenset[int] = field(default=frozenset())


def expected(dialect: Dialect, kind: Kind, held: ElementType | None) -> Expected | None:
    """What may stand in a collection of this *kind* that says it holds *held*; None for everything."""
    if held is None:
        return None
    if kind is Kind.TYPED_ARRAY:
        return _only(dialect, held.builtin or 0)
    if held.builtin == 0:
        return None
    if held.builtin is None:
        name = held.class_name or held.script or "Object"
        return Expected(name, frozenset((_number(dialect, "Object"), 0)))
    only = _only(dialect, held.builtin)
    changed = (_number(dialect, name) for name in COERCED.get(only.name, ()))
    return Expected(only.name, only.kept, frozenset(changed))


def _only(dialect: Dialect, number: int) -> Expected:
    """Pandemonium keeps what has the type, Nil for null objects, and changes nothing."""
    kept = {number, 0} if number == _number(dialect, "Object") else {number}
    row = dialect.row(number & ~SHARED)
    return Expected(row.name if row else f"type {number}", frozenset(kept))


def _number(dialect: Dialect, name: str) -> int:
    """The number of a type, -1 where the dialect has none."""
    row = dialect.by_name.get(name)
    return row.number if row else -1
