"""Rescue: where nothing brings the bytes back, what would keep the rest: a file that reads, without what is broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.container.frames import FramingKind
from viewer.diagnostic import Code, Severity, count_bytes
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Meter, is_readable
from viewer.document.doctor.patch import Patch, Patches, growth, mended, splices, word
from viewer.document.doctor.ranking import samples
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.salvage import Hopeless, Salvage, salvage
from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.document.splice import Edit

CONFIDENCE = 0.1
"""It explains nothing; it comes behind what does."""
LEAST_KEPT = 0.5
"""Where more than the other part of the bytes would go, there is nothing to keep."""
MOST_FRAMES, MOST_BROKEN = 1 << 14, 1 << 8
SURROGATE = 0xED
"""The first byte of each in UTF-8."""
LABEL = "Keep what reads"
NOTE = "Look for an older copy first: what is taken out here is lost."


def rescue(document: Document, data: bytes, meter: Meter) -> Repair | None:
    """The repair that takes out what makes no sense, None where the rest would not read then, or is not worth it."""
    frames = document.frames
    if document.framing.kind is FramingKind.CONCATENATED or not 0 < len(frames) <= MOST_FRAMES:
        return None
    broken = list(islice((frame for frame in frames if _is_broken(frame)), MOST_BROKEN + 1))
    if not broken or len(broken) > MOST_BROKEN:
        return None
    try:
        found = [(frame, salvage(frame)) for frame in broken]
    except Hopeless:
        return None
    some = {frame.start: done for frame, done in found if done.patches}
    removed = max(0, -sum(growth(done.patches) for done in some.values()))
    patches = tuple(sorted(patch for frame in frames for patch in _patches(document, frame, some.get(frame.start))))
    if not some or removed > (1 - LEAST_KEPT) * len(data) or not _read(found, data, patches, meter):
        return None
    prefixes = {frame.cut.prefix.start for frame in frames if frame.cut.prefix}
    around = sum(len(gap) for gap in document.gaps)
    edit = Edit(LABEL, splices(data, patches))
    reason = _reason(list(some.values()), removed, around, len(data))
    before, after = samples(data, tuple(patch for patch in patches if patch.at not in prefixes))
    return Repair(Cause.DAMAGED, Cause.DAMAGED.sentence, reason, CONFIDENCE, edit, None, NOTE, before, after)


def _is_broken(frame: Frame) -> bool:
    """Whether an engine refuses a value, but not for lone surrogates: engines write those themselves."""
    table = frame.table
    errors = (found for found in table.diagnostics if found.severity is Severity.ERROR)
    return not all(each.code is Code.BAD_UTF8 and table.buffer[each.span.start] == SURROGATE for each in errors)


def _patches(document: Document, frame: Frame, found: Salvage | None) -> Iterator[Patch]:
    """What is done to a frame, as offsets in the layer: what is broken in it, and the length before it."""
    patches = [] if found is None else found.patches
    yield from (patch.shifted(frame.start) for patch in patches)
    if frame.cut.prefix:
        grown = growth(patches)
        if grown or not frame.prefix_is_true(document.buffer, document.framing):
            yield word(frame.cut.prefix.start, len(frame.cut.payload) + grown, document.framing.big_endian)


def _read(found: list[tuple[Frame, Salvage]], data: bytes, patches: Patches, meter: Meter) -> bool:
    """Whether the values that are broken read to their last byte then."""
    after = mended(data, patches)
    for frame, done in found:
        start = frame.start + growth(patch for patch in patches if patch.at < frame.start)
        size = len(frame.cut.payload) + growth(done.patches)
        table = meter.scan(after, start, start + size, frame.table.dialect)
        if not is_readable(table) or table.end_of_data != size:
            return False
    return True


def _reason(found: list[Salvage], removed: int, around: int, size: int) -> str:
    """What goes, what becomes something else, and how much stays."""
    replaced, counts = sum(each.replaced for each in found), sum(each.counts for each in found)
    done = [
        f"what makes no sense is taken out ({count_bytes(removed)})" if removed else "",
        f"broken values become null or what is left of them ({replaced})" if replaced else "",
        f"counts follow ({counts})" if counts else "",
    ]
    share = min(99.9, 100 * (size - removed) / size) if removed else 100
    rest = f" The {count_bytes(around)} around the values stay as they are." if around else ""
    return f"All the rest, {share:.3g} % of the bytes, reads once {_joined([each for each in done if each])}.{rest}"


def _joined(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]
