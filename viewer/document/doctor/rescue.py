"""Rescue: where nothing brings the bytes back, what would keep the rest: a file that reads, without what is broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.diagnostic import count_bytes
from viewer.container.frames import FramingKind
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Meter
from viewer.document.doctor.patch import Patch, growth, mended, splices, word
from viewer.document.doctor.ranking import samples
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.salvage import Hopeless, Salvage, is_damaged, nothing_left, salvage
from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.document.splice import Edit

CONFIDENCE = 0.1
"""It explains nothing; it comes behind what does."""
LEAST_KEPT = 0.5
"""If no more of the bytes than this would stay, there is nothing to keep."""
MOST_FRAMES, MOST_BROKEN = 1 << 14, 1 << 8
LABEL = "Keep what reads"
NOTE = "Look for an older copy first: what is taken out here is lost."


def rescue(document: Document, data: bytes, meter: Meter) -> Repair | None:
    """The repair that takes out what makes no sense, None where the rest would not read then, or is not worth it."""
    frames = document.frames
    if document.framing.kind is FramingKind.CONCATENATED or not 0 < len(frames) <= MOST_FRAMES:
        return None
    broken = list(islice((frame for frame in frames if is_damaged(frame.table)), MOST_BROKEN + 1))
    if not broken or len(broken) > MOST_BROKEN:
        return None
    found = {frame.start: _salvaged(frame, data, meter) for frame in broken}
    lost = sum(done.removed + done.lost for done in found.values())
    if lost >= (1 - LEAST_KEPT) * len(data):
        return None
    patches = tuple(sorted(patch for frame in frames for patch in _patches(document, frame, found.get(frame.start))))
    prefixes = {frame.cut.prefix.start for frame in frames if frame.cut.prefix}
    unread = (frame.gap for frame in frames if frame.start not in found and frame.gap is not None)
    around = sum(len(gap) for gap in (*document.gaps, *unread))
    reason = _reason(list(found.values()), lost, around, len(data))
    before, after = samples(data, tuple(patch for patch in patches if patch.at not in prefixes))
    edit = Edit(LABEL, splices(data, patches))
    return Repair(Cause.DAMAGED, Cause.DAMAGED.sentence, reason, CONFIDENCE, edit, None, NOTE, before, after)


def _salvaged(frame: Frame, data: bytes, meter: Meter) -> Salvage:
    """What is done to a broken frame: after it, its value reads to its last byte."""
    try:
        done = salvage(frame, meter)
    except Hopeless:
        return nothing_left(frame)
    size = len(frame.cut.payload) + growth(done.patches)
    after = mended(data, tuple(sorted(patch.shifted(frame.start) for patch in done.patches)), frame.start)
    table = meter.scan(after, 0, size, frame.table.dialect)
    return nothing_left(frame) if is_damaged(table) or table.end_of_data != size else done


def _patches(document: Document, frame: Frame, found: Salvage | None) -> Iterator[Patch]:
    """What is done to a frame, as offsets in the layer: what is broken in it, and the length before it."""
    patches = [] if found is None else found.patches
    yield from (patch.shifted(frame.start) for patch in patches)
    if frame.cut.prefix:
        grown = growth(patches)
        if grown or not frame.prefix_is_true(document.buffer, document.framing):
            yield word(frame.cut.prefix.start, len(frame.cut.payload) + grown, document.framing.big_endian)


def _reason(found: list[Salvage], lost: int, around: int, size: int) -> str:
    """What goes, what becomes something else, and how much stays."""
    removed, replaced = sum(each.removed for each in found), sum(each.replaced for each in found)
    counts = sum(each.counts for each in found)
    done = [
        f"what makes no sense is taken out ({count_bytes(removed)})" if removed else "",
        f"broken values become null or what is left of them ({replaced})" if replaced else "",
        f"counts follow ({counts})" if counts else "",
    ]
    share = min(99.9, 100 * (size - lost) / size) if lost else 100
    rest = f" The {count_bytes(around)} around the values stay as they are." if around else ""
    return f"All the rest, {share:.3g} % of the bytes, reads once {_joined([each for each in done if each])}.{rest}"


def _joined(parts: list[str]) -> str:
    """The parts as a list in a sentence; something is always done, if only to texts."""
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts) or "texts are mended"
