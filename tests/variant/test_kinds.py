"""Kinds: whoever decides by kind names all of them, so that the type checker finds the place when one is added."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import viewer
from viewer.variant.dialect import (
    COLLECTIONS,
    HOLDING,
    LISTS,
    NAMED,
    NUMERIC,
    PACKED,
    PAIRED,
    Content,
    Kind,
    by_kind,
    content,
    kinds_where,
)

ROOT = Path(viewer.__file__).parent
PLAIN = [path for path in sorted(ROOT.rglob("*.py")) if not path.with_suffix(".pxd").exists()]
"""The modules that are not compiled: a compiled loop names only what it is fast at."""
FEW = 3
"""So many kinds may be asked for by name without a word about the others."""


def kinds(tree: ast.AST) -> set[str]:
    """The kinds that stand in a piece of code."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return {node.attr for node in found if isinstance(node.value, ast.Name) and node.value.id == "Kind"}


def unguarded(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """Matches by kind that let one through, and tables and groups of kinds that the type checker cannot complete."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and any(kinds(case.pattern) for case in node.cases):
            last = node.cases[-1]
            if not isinstance(last.pattern, ast.MatchAs) or "assert_never" not in ast.unparse(last):
                yield node
        elif isinstance(node, ast.Dict | ast.Tuple | ast.Set | ast.List):
            named = [key for key in (node.keys if isinstance(node, ast.Dict) else node.elts) if key is not None]
            if sum(isinstance(key, ast.Attribute) and bool(kinds(key)) for key in named) >= FEW:
                yield node


def test_every_decision_over_kinds_is_guarded() -> None:
    found = [
        f"{path}:{node.lineno}" for path in PLAIN for node in unguarded(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "match kind:\n    case Kind.FIXED:\n        pass",
        "match kind:\n    case Kind.FIXED:\n        pass\n    case _:\n        pass",
        "{Kind.FIXED: 1, Kind.STRING: 2, Kind.ARRAY: 3}",
        "kind in (Kind.FIXED, Kind.STRING, Kind.ARRAY)",
    ],
)
def test_an_unguarded_decision_is_found(code: str) -> None:
    assert list(unguarded(ast.parse(code)))


def test_tables_have_every_kind() -> None:
    assert by_kind(lambda kind: kind.value) == {kind: kind.value for kind in Kind}
    assert kinds_where(lambda kind: True) == tuple(Kind)


def test_groups_are_told_by_what_the_kinds_hold() -> None:
    assert set(NAMED) == {Kind.OBJECT, Kind.RESOURCE}
    assert set(PAIRED) == {Kind.DICTIONARY, *NAMED}
    assert set(LISTS) == {Kind.ARRAY, Kind.TYPED_ARRAY}
    assert set(COLLECTIONS) == {*LISTS, Kind.DICTIONARY}
    assert set(HOLDING) == {*COLLECTIONS, *NAMED}
    assert set(PACKED) == {Kind.PACKED, Kind.PACKED_STRINGS}
    assert set(NUMERIC) == {Kind.FIXED, Kind.PACKED}
    assert {content(kind) for kind in set(Kind) - {*HOLDING, *PACKED}} == {Content.NOTHING}
