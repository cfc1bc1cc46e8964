"""Hypotheses about one number: the 64-bit flag in its header."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.patch import word
from viewer.document.doctor.places import nodes
from viewer.variant.dialect import FLAG_64, Kind


def number_candidates(ground: Ground) -> Iterator[Candidate]:
    """The 64-bit flag set or cleared at one value near the trouble."""
    for node in nodes(ground):
        row, header = node.row, node.header
        if header < 0 or not row.has_wide or row.kind not in (Kind.FIXED, Kind.PACKED):
            continue
        at = ground.start + node.start
        patches = (word(at, header ^ FLAG_64),)
        if row.real:
            bits = "32" if header & FLAG_64 else "64"
            yield Candidate(Cause.OTHER_PRECISION, patches, f"The components of this {row.name} have {bits} bits.", 0.3)
        elif header & FLAG_64:
            yield Candidate(Cause.FLAG_EXTRA, patches, f"This {row.name} takes four bytes.")
        else:
            yield Candidate(Cause.FLAG_MISSING, patches, f"This {row.name} takes eight bytes.")
