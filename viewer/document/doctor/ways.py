"""Ways: how the bytes of a document may be read, the likeliest first."""

from __future__ import annotations

from viewer.container.frames import BARE, STORED, Framing, FramingKind
from viewer.document.doctor.ground import Way
from viewer.document.document import Document
from viewer.variant.dialect import available

MOST_WAYS = 20
UNLIKELY_WAY, OTHER_WAY = 0.02, 0.5


def ways_to_read(document: Document) -> list[Way]:
    """As they are read now, then as what else was likely when they were opened."""
    now = Way(document.dialect, document.framing)
    broken = document.framing.kind is FramingKind.CONCATENATED
    framings = [STORED, BARE] if document.choice.framing is None else []
    ways = [now, *(Way(document.dialect, framing, 0.9 if broken else 0.5) for framing in framings)]
    best = max(1.0, document.candidates[0].score if document.candidates else 1.0)
    for each in document.candidates:
        weight = max(UNLIKELY_WAY, min(1.0, each.score / best) * OTHER_WAY)
        framed = [each.framing] if each.framing.kind is not FramingKind.CONCATENATED else framings
        ways += [Way(each.dialect, framing, weight) for framing in framed]
    if document.choice.dialect is None:
        ways += [Way(dialect, framing, UNLIKELY_WAY) for dialect in available() for framing in framings]
    unique: dict[tuple[str, Framing], Way] = {}
    for way in ways:
        known = unique.get((way.dialect.key, way.framing))
        if known is None or known.weight < way.weight:
            unique[way.dialect.key, way.framing] = way
    return sorted(unique.values(), key=lambda way: -way.weight)[:MOST_WAYS]
