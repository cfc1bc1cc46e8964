"""Piece losses: bytes that were cut into pieces of one size, each of which lost its last bytes.

As a slice does whose end is taken for the last byte it holds. Where the first loss is tells the size; at each further
place the byte is chosen after which the values read furthest, for what was there cannot be known.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import count_bytes
from viewer.container.frames import FramingKind
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, reach, wrong_step
from viewer.document.doctor.trying import insertion
from viewer.document.doctor.whole import farthest_ways
from viewer.document.document import Document

MOST = 1 << 16
"""Of more bytes no such pieces are looked for."""
SHORTEST, LEAST_PLACES, MOST_PIECES = 16, 2, 256
"""So long are pieces at least; so many of them lost something at least, and so many are there at most."""
BEFORE, BEHIND = 48, 4
"""The first loss lies so near to where the values read up to."""
ROUND = (64, 100, 16, 10)
"""The size of a piece was a multiple of one of these, most likely of the first."""
MOST_RANK = {1: len(ROUND), 2: 1, 4: 1}
"""So many bytes each piece lost; of several only the first of these sizes are tried."""
OTHERS = (4, 2, 1, 3, 5, 18, 27)
"""What may stand there where a zero does not read: headers, counts and lengths."""
WORK = 1 << 23
"""The most work in one way."""


def piece_loss_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What gives each piece its last bytes again, with the way in which all reads then.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST_PLACES * SHORTEST <= len(data) <= MOST:
        return
    ways = farthest_ways(document, data, meter)
    farthest = max(reached for _, reached in ways)
    for way, reached in ways:
        if 2 * reached < farthest:
            continue
        left = meter.left - WORK
        for size, lost in _sizes(len(data), reached):
            if meter.spent or meter.left < left:
                return
            patches = _filled(data, size, lost, way, meter)
            if patches:
                missing = f"the last {count_bytes(lost)} {'is' if lost == 1 else 'are'} missing"
                fact = f"Of every {size + lost} bytes {missing}; what was there cannot be known."
                yield way, Candidate(Cause.PIECES_SHORT, patches, fact, framed=True, places=len(patches))
                return


def _sizes(whole: int, reached: int) -> list[tuple[int, int]]:
    """How long pieces may be now, and how many bytes each lost: pieces of round sizes alone."""
    sizes = range(min(reached + BEHIND, whole - 1), max(SHORTEST, reached - BEFORE), -1)
    some = [(size, lost) for size in sizes for lost in MOST_RANK if -(-whole // size) <= MOST_PIECES]
    ranks = {each: next((k for k, by in enumerate(ROUND) if not sum(each) % by), -1) for each in some}
    return sorted((each for each in some if 0 <= ranks[each] <= MOST_RANK[each[1]]), key=ranks.__getitem__)


def _filled(data: bytes, size: int, lost: int, way: ReadGuess, meter: WorkBudget) -> tuple[Patch, ...]:
    """The bytes that go behind each piece, empty where not all reads then."""
    patches: list[Patch] = []
    now = data
    for at in (*range(size, len(data), size), len(data)):
        if at == len(data) and wrong_step(now, way, meter) is None:
            break
        place = at + len(patches) * lost
        best, furthest = b"", place
        for byte in (0, *OTHERS) if lost == 1 and patches else (0,):
            new = bytes([byte]) + bytes(lost - 1)
            meter.count(0)
            reads = _reach(now[:place] + new + now[place:], way, meter)
            if reads > furthest:
                best, furthest = new, reads
            if best and furthest >= min(len(now) + lost, place + max(1, size - BEFORE)):
                break  # up to the next piece: no other byte need be tried
        if not best or meter.spent:
            return ()
        patches.append(insertion(at, best))
        now = now[:place] + best + now[place:]
    is_right = len(patches) >= LEAST_PLACES and wrong_step(now, way, meter) is None and not meter.spent
    return tuple(patches) if is_right else ()


def _reach(data: bytes, way: ReadGuess, meter: WorkBudget) -> int:
    """How far bytes read, with one look where there is one value."""
    if way.framing.kind is FramingKind.BARE:
        return meter.scan(data, 0, len(data), way.dialect).end_of_data
    return reach(data, way, meter)
