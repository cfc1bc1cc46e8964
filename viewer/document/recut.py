"""Cutting again after an edit: only what it reached, as long as the rest would come out the same.

Cutting goes from front to back and knows nothing but where it is. So frames well before the first changed byte stay,
unless they were searched for, behind foreign bytes or because a length lies, which may look at all bytes; and as soon
as a frame lies where one did before, behind the last changed byte, all others follow as they did.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from viewer.base.buffer import Buffer, in_memory, window
from viewer.base.span import Span
from viewer.container.frames import FILL, MOST_FRAMES, Framing, FramingKind, cut
from viewer.container.stored import Cut
from viewer.document.framing import Frame, Reader, frames, uncollected
from viewer.document.splice import Splice

LOOKED_AHEAD = 2
"""A frame may depend on the one behind it, and a gap begins where a frame could not be."""


def recut(
    old: Sequence[Frame], splices: Sequence[Splice], buffer: Buffer, framing: Framing, reader: Reader
) -> list[Frame]:
    """The frames of a buffer, as :func:`viewer.document.framing.frames` would cut it.

    Tables of *old* are used again and read from *buffer* from now on; *reader* need not know them.

    Args:
        old: all frames before the splices, cut in the same framing and dialect.
        splices: what changed since, in order.
        buffer: the bytes after it.
        framing: how values follow each other.
        reader: of these bytes.
    """
    if _is_new(old, splices, framing):
        return frames(buffer, framing, reader)
    stay, later, growth = _beside(old, splices)
    begin = old[stay - 1].cut.payload.end if stay else 0
    fresh: list[Frame] = []
    for found in cut(buffer, framing, reader.measure, None, MOST_FRAMES - stay, begin, reader.goes_on):
        while later < len(old) and old[later].span.start + growth < found.span.start:
            later += 1
        if later < len(old) and old[later].span.shifted(growth) == found.span:
            break
        fresh.append(Frame(found, reader.table(found.payload)))
    else:
        later = len(old)
    if stay + len(fresh) + len(old) - later > MOST_FRAMES:
        return frames(buffer, framing, reader)
    with uncollected():
        return [*_moved(old[:stay], 0, buffer), *fresh, *_moved(old[later:], growth, buffer)]


def reached(old: Sequence[Frame], splices: Sequence[Splice], size: int, framing: Framing) -> int:
    """About how many of *size* bytes :func:`recut` must look at."""
    if _is_new(old, splices, framing):
        return size
    stay, later, growth = _beside(old, splices)
    begin = old[stay - 1].cut.payload.end if stay else 0
    return (old[later].span.start + growth if later < len(old) else size) - begin


def _is_new(old: Sequence[Frame], splices: Sequence[Splice], framing: Framing) -> bool:
    """Whether everything must be cut anew."""
    return framing.kind is FramingKind.BARE or not splices or len(old) >= MOST_FRAMES


def _beside(old: Sequence[Frame], splices: Sequence[Splice]) -> tuple[int, int, int]:
    """How many frames stay, the first one behind the splices, and by how many bytes that and all others move."""
    reach, growth = _reach(splices), sum(splice.growth for splice in splices)
    stay = bisect_left(old, reach.start - FILL, key=lambda frame: frame.span.end + 1)
    later = bisect_left(old, reach.end - growth, key=lambda frame: frame.span.start)
    return _in_step(old, stay - LOOKED_AHEAD), later, growth


def _in_step(old: Sequence[Frame], most: int) -> int:
    """How many frames follow each other from the start of the buffer on, at most so many, none of them searched for.

    The one before a frame that was searched for may depend on the same bytes.
    """
    at = 0
    for count in range(most):
        cut = old[count].cut
        if cut.searched or (cut.prefix or cut.payload).start != at:
            return max(0, count - 1)
        at = cut.payload.end
    return max(0, most)


def _reach(splices: Iterable[Splice]) -> Span:
    """The bytes after the splices outside of which nothing changed but its place; it may be empty."""
    start = end = -1
    for splice in splices:
        removed_end = splice.offset + len(splice.removed)
        start = splice.offset if start < 0 else min(start, splice.offset)
        end = max(end, removed_end) + splice.growth
    return Span(start, end)


def _moved(found: Sequence[Frame], growth: int, buffer: Buffer) -> list[Frame]:
    """Frames that lie *growth* bytes further on, their tables reading from *buffer*."""
    whole: Buffer = memoryview(buffer) if in_memory(buffer) else window(buffer)
    moved = [_shifted(frame, growth) for frame in found] if growth else list(found)
    for frame in moved:
        payload = frame.cut.payload
        table = frame.table
        table.buffer = (
            whole[payload.start : payload.end]
            if isinstance(whole, memoryview)
            else window(whole, payload.start, payload.end)
        )
    return moved


def _shifted(frame: Frame, growth: int) -> Frame:
    cut = frame.cut
    prefix = cut.prefix and cut.prefix.shifted(growth)
    return Frame(Cut(prefix, cut.payload.shifted(growth), cut.searched), frame.table)
