"""How much two values have in common, from a look at their beginning."""

from __future__ import annotations

from viewer.document.compare.value_side import ValueSide

LOOKED_AT = 32
"""So many children of each collection are compared."""
SAME_TYPE = 0.05
RENAMED = 0.8
"""What the same value under another key counts."""
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
    if not ours and not theirs:
        return 1.0
    waiting: dict[object, list[int]] = {}
    for each in reversed(theirs):
        waiting.setdefault(_mark(new, each), []).append(each)
    same, left = 0.0, []
    for each in ours:
        found = waiting.get(_mark(old, each))
        if found:
            found.pop()
            same += old.size(each)
        elif old.holds(each):
            left.append(each)
    if levels:
        others = sorted(each for found in waiting.values() for each in found if new.holds(each))
        same += sum(0.9 * old.size(a) * alike(old, a, new, b, levels - 1) for a, b in zip(left, others, strict=False))
    most = max(sum(old.size(each) for each in ours), sum(new.size(each) for each in theirs))
    return max(SAME_TYPE, same / most)


def _of_pairs(old: ValueSide, node: int, new: ValueSide, other: int, levels: int) -> float:
    """The share of the bytes that lie in equal values under equal keys, and of those that are alike."""
    ours, theirs = _known(old, node), _known(new, other)
    if not ours and not theirs:
        return 1.0
    total = 0.0
    for key, mine in ours.items():
        yours = theirs.get(key)
        if yours is None:
            continue
        if _mark(old, mine) == _mark(new, yours):
            total += old.size(mine)
        elif levels and old.holds(mine):
            total += old.size(mine) * alike(old, mine, new, yours, levels - 1)
        else:
            total += 2 * SAME_TYPE * old.size(mine)  # the same key, with another value
    values = {_mark(new, value): value for key, value in theirs.items() if key not in ours}
    for key, mine in ours.items():
        if key not in theirs and _mark(old, mine) in values:
            total += RENAMED * old.size(mine)
    sizes = [sum(side.size(each) for each in known.values()) for side, known in ((old, ours), (new, theirs))]
    return max(SAME_TYPE, total / max(sizes))


def share_a_key(old: ValueSide, node: int, new: ValueSide, other: int) -> bool:
    """Whether both are pairs of keys and values, and one of the first keys is the same."""
    if not (old.table.has_pairs(node) and new.table.has_pairs(other)):
        return False
    return not _known(old, node).keys().isdisjoint(_known(new, other))


def _known(side: ValueSide, node: int) -> dict[int, int]:
    """The values of the first pairs by what their keys are."""
    children = side.table.children(node)[: 2 * LOOKED_AT]
    pairs = zip(children[::2], children[1::2], strict=False)
    return {side.digest(key): value for key, value in pairs if side.size(key) <= LARGE}


def _mark(side: ValueSide, node: int) -> object:
    """What stands for a value; a large one is no more than its type and size."""
    size = side.size(node)
    return side.digest(node) if size <= LARGE else (side.type(node), size)
