"""Renamed texts: something replaced a text by a longer or shorter one, and left the lengths as they were.

As find and replace does in a hex editor: each text stands between its old length and its old fill. Wherever reading
breaks, the last texts are given the lengths that they have; what then reads further was such a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from viewer.base.record import dataclass
from viewer.container.frames import BARE, FramingKind, prefix
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, patched, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import ReadGuess, Text, WorkBudget, follows, nodes, survey, texts, wrong_step
from viewer.document.doctor.whole import ways_to_read
from viewer.document.document import Document

MOST = 1 << 18
"""Of more bytes no such texts are looked for."""
MOST_WAYS, MOST_TEXTS, MOST_PLACES = 2, 4, 64
"""So many ways to read; so many texts before each place where reading breaks; so many such places."""
WORK = 1 << 25
LEAST_FURTHER = 8
"""So many bytes further the values read where a text is given its true length."""
LEAST_GROWN, MOST_GROWN = 4, 256
"""So many bytes longer or shorter one text alone is: fewer were rather lost or put in, and of more the length itself is
another."""
AGAIN, OTHERWISE = 3.0, 10.0
"""Bits of each text behind the first: where it grew by as much, as by the same replacement, and by any other number."""
SIGNS = re.compile(rb"[\t\n\r\x20-\x7e\x80-\xff]*")
SHOWN = 40


@dataclass(frozen=True, slots=True)
class _Renamed:
    """A text with another length than it says.

    Args:
        patches: what gives it its length and fill.
        grown: how much longer it is than it says.
        shown: its letters.
        reached: how far the value reads then.
    """

    patches: Patches
    grown: int
    shown: str
    reached: int


def renamed_candidates(document: Document, data: bytes, meter: WorkBudget) -> Iterator[tuple[ReadGuess, Candidate]]:
    """What gives all such texts their lengths, with the way in which all reads then.

    Raises:
        GivenUp: nobody wants more.
    """
    if len(data) > MOST:
        return
    for way in ways_to_read(document, data, meter)[:MOST_WAYS]:
        left = meter.left
        found = _renamed(data, way, meter) if way.framing.kind is not FramingKind.CONCATENATED else None
        if found is not None:
            yield way, found
        if meter.spent or left - meter.left > WORK:
            return


def _renamed(data: bytes, way: ReadGuess, meter: WorkBudget) -> Candidate | None:
    """All texts with wrong lengths, None where other things are wrong."""
    now, patches = data, list[Patch]()
    some: list[_Renamed] = []
    left, begun, started = meter.left, -1, 0  # where the frame begins in which texts are mended, now and as it was
    for _ in range(2 * MOST_PLACES):
        wrong = wrong_step(now, way, meter)
        if meter.spent or left - meter.left > WORK:
            return None
        if wrong is None:
            return _candidate(tuple(sorted(patches)), some) if _are_renamed(some, patches, len(data)) else None
        start, grown = wrong.payload.start, len(now) - len(data)
        if wrong.at != begun:
            begun, started = wrong.at, wrong.at - grown
        inner = survey(now[start:], ReadGuess(way.dialect, BARE), meter)
        size = len(now) - start if inner is None else inner.trouble
        is_whole = inner is None or (inner.sound and follows(now, start + size, way, meter))
        if is_whole and way.framing.kind is FramingKind.STORED:
            big = way.framing.big_endian
            if not some or prefix(now, wrong.at, big) == size:
                return None
            now = patched(now, (word(wrong.at, size, big),))
            before = grown - sum(each.growth for each in patches if each.at >= started)
            patches.append(word(wrong.at - before, size, big))
            continue
        if inner is None:
            return None
        found = _next(now[start:], way, inner.trouble, texts(inner, nodes(inner)), some[0].grown if some else 0, meter)
        last = max((each.at for each in patches), default=-1)
        if found is None or len(some) >= MOST_PLACES or found.patches[0].at + start - grown <= last:
            return None
        some.append(found)
        now = patched(now, [each.shifted(start) for each in found.patches])
        patches += [each.shifted(start - grown) for each in found.patches]
    return None


def _are_renamed(some: list[_Renamed], patches: list[Patch], size: int) -> bool:
    """Whether texts were replaced: one alone by quite another one, and not at the end, where bytes are missing."""
    if len(some) != 1:
        return bool(some)
    return abs(some[0].grown) >= LEAST_GROWN and max(patch.at for patch in patches) < size - LEAST_FURTHER


def _next(
    payload: bytes, way: ReadGuess, trouble: int, some: Iterator[Text], usual: int, meter: WorkBudget
) -> _Renamed | None:
    """The text of the last ones after whose mend the value reads furthest; the one that grew as usual where some do."""
    best: _Renamed | None = None
    for text in islice(some, MOST_TEXTS):
        for each in _lengths(payload, text):
            meter.count(0)
            after = patched(payload, each.patches)
            reached = meter.scan(after, 0, len(after), way.dialect).end_of_data - growth(each.patches)
            if reached < trouble + LEAST_FURTHER and reached < len(payload):
                continue
            made = _Renamed(each.patches, each.grown, each.shown, reached)
            if best is None or (made.grown == usual, reached) > (best.grown == usual, best.reached):
                best = made
    return best


def _lengths(payload: bytes, text: Text) -> Iterator[_Renamed]:
    """A text with the length up to the first sign that is none of a text, or one less: a header may look like one."""
    found = SIGNS.match(payload, text.start)
    signs = found[0] if found is not None else b""
    fill = -text.length % 4
    for size in (len(signs), len(signs) - 1):
        end = text.start + size
        is_text = 0 < size != text.length and abs(size - text.length) <= MOST_GROWN
        if not is_text or payload[end : end + fill].strip(b"\0"):
            continue
        patches = (word(text.at, size), Patch(end, fill, bytes(-size % 4)))
        yield _Renamed(patches, size - text.length, signs[:size].decode("utf-8", "replace"), 0)


def _candidate(patches: Patches, some: list[_Renamed]) -> Candidate:
    first = some[0]
    bits = sum(AGAIN if each.grown == first.grown else OTHERWISE for each in some[1:])
    shown = first.shown if len(first.shown) <= SHOWN else f"{first.shown[:SHOWN]}…"
    by = f"{abs(first.grown)} {'more' if first.grown > 0 else 'fewer'}"
    fact = f"“{shown}” takes {by} than its length says, as if it had taken the place of another text."
    changed = tuple(each for each in patches if each.size or each.new)
    causes = (Cause.LENGTH_OFF,) if len(some) > 1 else ()
    return Candidate(Cause.LENGTH_OFF, changed, fact, framed=True, bits=bits, causes=causes, places=len(some))
