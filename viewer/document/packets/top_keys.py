"""The keys of a Dictionary that is a whole payload: whether the value at one of them compares as asked.

Most payloads are dismissed by a search for the key's bytes; only what has them somewhere is scanned.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from viewer.base.buffer import window
from viewer.document.packets.terms import KeyIs, Sign
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LONGEST = 1 << 20
"""Payloads above so many bytes are not looked into."""

_ORDER: dict[Sign, Callable[[float, float], bool]] = {
    Sign.LESS: operator.lt,
    Sign.AT_MOST: operator.le,
    Sign.MORE: operator.gt,
    Sign.AT_LEAST: operator.ge,
}
_SCALARS = (Kind.FIXED, Kind.STRING)


def holds(datas: Sequence[tuple[bytes, int, Dialect | None] | None], term: KeyIs) -> bytes:
    """For each payload 1 where it is a Dictionary whose value at the key compares so, else 0.

    Args:
        datas: bytes, where the value begins in them, and the dialect; None for what is no Dictionary.
        term: what to ask.
    """
    key = term.key.encode("utf-8", "surrogatepass")
    needle = len(key).to_bytes(4, "little") + key
    also = (
        term.value.encode("utf-8", "surrogatepass") if isinstance(term.value, str) and term.sign is Sign.EQUAL else b""
    )
    return bytes(
        each is not None and needle in each[0] and also in each[0] and each[2] is not None and _one(*each, term, key)
        for each in datas
    )


def _one(data: bytes, start: int, dialect: Dialect | None, term: KeyIs, key: bytes) -> bool:
    if dialect is None or len(data) > LONGEST:
        return False
    table = scan(window(data, start), dialect)
    root = table.row(0) if len(table) else None
    if root is None or root.kind is not Kind.DICTIONARY:
        return False
    ids = table.children(0)
    for node in ids[:-1:2]:
        if _is_key(table, node, key):
            return _compares(table, node + 1, term)
    return False


def _is_key(table: NodeTable, node: int, key: bytes) -> bool:
    """Whether a node is this text: header, length word, bytes."""
    row = table.row(node)
    if row is None or row.kind is not Kind.STRING:
        return False
    start = table.start[node]
    return bytes(table.buffer[start + 4 : start + 8 + len(key)]) == len(key).to_bytes(4, "little") + key


def _compares(table: NodeTable, node: int, term: KeyIs) -> bool:
    row = table.row(node)
    if row is None:
        return False
    found: object = read(table, node).data if row.kind in _SCALARS else None
    is_null = row.name in ("Nil", "null")
    if term.sign is Sign.EQUAL or term.sign is Sign.UNEQUAL:
        same = is_null if term.value is None else not is_null and _same(found, term.value)
        return same is (term.sign is Sign.EQUAL)
    if isinstance(found, bool) or not isinstance(found, int | float) or not isinstance(term.value, int | float):
        return False
    return _ORDER[term.sign](found, term.value)


def _same(found: object, wanted: str | float | bool | None) -> bool:
    """Equal and of the same sort: 1 is no ``true``."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    return found == wanted
