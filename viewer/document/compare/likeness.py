"""How much two values have in common, from a look at their beginning."""

from __future__ import annotations

from collections import Counter

from viewer.document.compare.value_side import ValueSide

LOOKED_AT = 32
"""So many children of each collection are compared."""
SAME_TYPE = 0.05
LEVELS = 2
"""A collection inside a collection counts for what it has in common, but no deeper."""
LARGE = 1 << 12


def alike(old: ValueSide, node: int, new: ValueSide, other: int, levels: int = LEVELS) -> float:
    """0 for values of different types, 1 for equal ones, and what lies between."""
    if old.type(node) != new.type(other):
        return 0.0
    if not old.holds(node):
        return 1.0 if old.leaf(node) == new.leaf(other) else SAME_TYPE
    if old.leaf(node) != new.leaf(other):
        return SAME_TYPE
    if old.table.has_pairs(node):
        return _of_pairs(old, node, new, other, levels)
    ours, theirs = old.table.children(node)[:LOOKED_AT], new.table.children(other)[:LOOKED_AT]
    most = max(len(ours), len(theirs))
    if not most:
        return 1.0
    ours_known, theirs_known = (
        Counter(_mark(side, each) for each in nodes) for side, nodes in ((old, ours), (new, theirs))
    )
    same = sum((ours_known & theirs_known).values())
    if not same and levels:
        same_place = [alike(old, mine, new, yours, levels - 1) for mine, yours in zip(ours, theirs, strict=False)]
        return max(SAME_TYPE, 0.9 * sum(same_place) / most)
    return max(SAME_TYPE, same / most)


def _of_pairs(old: ValueSide, node: int, new: ValueSide, other: int, levels: int) -> float:
    ours, theirs = _known(old, node), _known(new, other)
    most = max(len(ours), len(theirs))
    if not most:
        return 1.0
    total = 0.0
    for key, mine in ours.items():
        yours = theirs.get(key)
        if yours is None:
            continue
        if _mark(old, mine) == _mark(new, yours):
            total += 1.0
        elif levels and old.holds(mine):
            total += alike(old, mine, new, yours, levels - 1)
        else:
            total += 2 * SAME_TYPE  # the same key, with another value
    return max(SAME_TYPE, total / most)


def _known(side: ValueSide, node: int) -> dict[int, int]:
    """The values of the first pairs by what their keys are."""
    children = side.table.children(node)[: 2 * LOOKED_AT]
    pairs = zip(children[::2], children[1::2], strict=False)
    return {side.digest(key): value for key, value in pairs if side.table.end(key) - side.table.start[key] <= LARGE}


def _mark(side: ValueSide, node: int) -> object:
    """What stands for a value; a large one is no more than its type and size."""
    size = side.table.end(node) - side.table.start[node]
    return side.digest(node) if size <= LARGE else (side.type(node), size)
