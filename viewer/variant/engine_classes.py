"""The classes that an engine can make, as its own list has them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from viewer.base import assets
from viewer.base.record import dataclass

COUNTED = "*"
"""Stands behind the name of a RefCounted class."""


@dataclass(frozen=True, slots=True)
class ClassList:
    """What one engine's own list of classes says.

    Args:
        basis: which engine was asked.
        made: classes that it can make.
        abstract: classes that it knows and cannot make.
        counted: those of both that are RefCounted; empty where that does not matter.
        other: how names begin that may be of another build or platform.
    """

    basis: str
    made: frozenset[str]
    abstract: frozenset[str]
    counted: frozenset[str]
    other: tuple[str, ...]

    def is_unknown(self, name: str) -> bool:
        """Whether no build of the engine has a class of this name; an extension of a game still may."""
        return name not in self.made and name not in self.abstract and not name.startswith(self.other)


def class_list(key: str) -> ClassList | None:
    """The list with this key, None for an empty one."""
    return _lists()[key] if key else None


@cache
def _lists() -> Mapping[str, ClassList]:
    table = tomllib.loads(assets.text("classes.toml"))
    return {key: _list(entry) for key, entry in table.items()}


def _list(entry: Mapping[str, str]) -> ClassList:
    made, abstract = entry["made"].split(), entry["abstract"].split()
    counted = frozenset(name.removesuffix(COUNTED) for name in (*made, *abstract) if name.endswith(COUNTED))
    return ClassList(entry["basis"], _plain(made), _plain(abstract), counted, tuple(entry["other"].split()))


def _plain(names: list[str]) -> frozenset[str]:
    return frozenset(name.removesuffix(COUNTED) for name in names)
