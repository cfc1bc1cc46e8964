"""Cases: undamaged bytes, damaged in one known way, so many for each cause."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from document.doctor.damage import around, children, frames, limits, raw, texts, widths
from document.doctor.damage.case import Case, Damage, is_seen

from viewer.document.doctor import Cause

MOST_TRIES = 40
KINDS = (frames, widths, texts, children, around, raw, limits)

__all__ = ["DAMAGES", "Case", "cases"]


def cases(cause: Cause, count: int, seed: int = 1) -> Iterator[Case]:
    """So many different cases of one cause; fewer where there are not so many."""
    random = Random(f"{cause.slug} {seed}")
    seen: set[tuple[bytes, object]] = set()
    for _ in range(MOST_TRIES * count):
        if len(seen) == count:
            return
        case = DAMAGES[cause](random)
        changed = case is not None and (case.data != case.expected or case.reads_as)
        if case is not None and changed and (case.data, case.choice.dialect) not in seen and is_seen(case):
            seen.add((case.data, case.choice.dialect))
            yield case


def _damage(cause: Cause) -> Damage | None:
    name = cause.slug.replace("-", "_")
    return next((getattr(kind, name) for kind in KINDS if hasattr(kind, name)), None)


DAMAGES: dict[Cause, Damage] = {cause: damage for cause in Cause if (damage := _damage(cause)) is not None}
"""How the causes of one place come about; the rules of encoders and the signs of machines have other tests."""
