"""Two sequences held against each other: which elements of the one stand for which of the other.

The way through is one from front to back in windows: equal runs are skipped, where something differs as many elements
are looked at as it takes to find the thread again. So the work is in proportion to what differs, memory is bounded, and
no input makes it quadratic.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

FIRST_WINDOW, LAST_WINDOW, GROWTH = 64, 1 << 15, 8
"""Elements of each side that are looked at where the thread is lost."""
MOST_STEPS = 128
"""More elements that were added or removed in one window are not found one by one, but around unique elements."""

Run = tuple[int, int, int]
"""An index on the old side, one on the new side, and how many elements from there on belong together."""
Tokens = Callable[[int, int], Sequence[Hashable]]
"""What stands for the elements in a range of indices: equal for those that belong together."""


def aligned(
    old_count: int,
    new_count: int,
    skip: Callable[[int, int], int],
    old_tokens: Tokens,
    new_tokens: Tokens,
    goes_on: Callable[[], None] | None = None,
) -> list[Run]:
    """The runs of elements that belong together, in the order of both sides.

    Args:
        old_count, new_count: how many elements there are.
        skip: how many elements from two indices on are equal, found faster than by their tokens; 0 if unknown.
        old_tokens, new_tokens: what stands for elements.
        goes_on: called once a window; what it raises ends the work.
    """
    runs: list[Run] = []
    old = new = 0
    while old < old_count and new < new_count:
        if goes_on is not None:
            goes_on()
        same = skip(old, new)
        if same:
            _add(runs, old, new, same)
            old, new = old + same, new + same
            continue
        size = FIRST_WINDOW
        while True:
            ours, theirs = old_tokens(old, min(old + size, old_count)), new_tokens(new, min(new + size, new_count))
            found = matched(ours, theirs)
            is_all = old + size >= old_count and new + size >= new_count
            enough = 2 * sum(run[2] for run in found) >= min(len(ours), len(theirs))
            if is_all or enough or size >= LAST_WINDOW:
                break
            size *= GROWTH
        for first, second, length in found:
            _add(runs, old + first, new + second, length)
        if is_all:
            break
        if found:
            first, second, length = found[-1]
            old, new = old + first + length, new + second + length
        else:
            old, new = old + len(ours), new + len(theirs)
    return runs


def _add(runs: list[Run], old: int, new: int, length: int) -> None:
    if runs and runs[-1][0] + runs[-1][2] == old and runs[-1][1] + runs[-1][2] == new:
        runs[-1] = runs[-1][0], runs[-1][1], runs[-1][2] + length
    else:
        runs.append((old, new, length))


def matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    """The runs of a longest common subsequence of two windows, or of a good one where much differs."""
    head, most = 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[len(old) - tail - 1] == new[len(new) - tail - 1]:
        tail += 1
    ours, theirs = old[head : len(old) - tail], new[head : len(new) - tail]
    found = _fewest_steps(ours, theirs) if ours and theirs else []
    if found is None:
        found = _around_unique(ours, theirs)
    runs: list[Run] = []
    if head:
        runs.append((0, 0, head))
    for first, second, length in found:
        _add(runs, head + first, head + second, length)
    if tail:
        _add(runs, len(old) - tail, len(new) - tail, tail)
    return runs


def _fewest_steps(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run] | None:
    """The way with the fewest elements added and removed (Myers); None where it takes too many."""
    if not set(old) & set(new):
        return []
    old_count, new_count = len(old), len(new)
    reached = {1: 0}
    trace: list[dict[int, int]] = []
    for steps in range(min(old_count + new_count, MOST_STEPS) + 1):
        trace.append(dict(reached))
        for diagonal in range(-steps, steps + 1, 2):
            left, above = reached.get(diagonal - 1, -1), reached.get(diagonal + 1, -1)
            at = above if diagonal == -steps or (diagonal != steps and left < above) else left + 1
            beside = at - diagonal
            while at < old_count and beside < new_count and old[at] == new[beside]:
                at, beside = at + 1, beside + 1
            reached[diagonal] = at
            if at >= old_count and beside >= new_count:
                return _way_back(trace, old_count, new_count)
    return None


def _way_back(trace: list[dict[int, int]], at: int, beside: int) -> list[Run]:
    found: list[Run] = []
    for steps in range(len(trace) - 1, -1, -1):
        reached, diagonal = trace[steps], at - beside
        left, above = reached.get(diagonal - 1, -1), reached.get(diagonal + 1, -1)
        before = diagonal + 1 if diagonal == -steps or (diagonal != steps and left < above) else diagonal - 1
        from_at = reached.get(before, 0)
        from_beside = from_at - before
        begin = from_at if before > diagonal else from_at + 1  # behind the element that was added or removed
        begin = begin if steps else 0
        if at > begin:
            found.append((begin, begin - diagonal, at - begin))
        at, beside = (from_at, from_beside) if steps else (0, 0)
    return found[::-1]


def _around_unique(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    """Runs around elements that stand once on either side, as many as keep their order."""
    ours, theirs = Counter(old), Counter(new)
    places = {token: place for place, token in enumerate(new) if theirs[token] == 1}
    pairs = [(place, places[token]) for place, token in enumerate(old) if ours[token] == 1 and token in places]
    runs: list[Run] = []
    chosen = longest_rising([second for _, second in pairs])
    for number, place in enumerate(chosen):
        first, second = pairs[place]
        done = (runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]) if runs else (0, 0)
        if first < done[0] or second < done[1]:
            continue
        back = 0
        while first - back > done[0] and second - back > done[1] and old[first - back - 1] == new[second - back - 1]:
            back += 1
        limit = pairs[chosen[number + 1]] if number + 1 < len(chosen) else (len(old), len(new))
        ahead = 1
        while first + ahead < limit[0] and second + ahead < limit[1] and old[first + ahead] == new[second + ahead]:
            ahead += 1
        _add(runs, first - back, second - back, back + ahead)
    return runs


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest run of numbers that rise from the left to the right, others between them left out."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(number)
            ends.append(place)
        else:
            tails[at], ends[at] = number, place
    out: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        out.append(place)
        place = before[place]
    return out[::-1]
