"""Cases: undamaged bytes, damaged in one known way, and what mending them should give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from document.doctor.material import Source

from viewer.document.doctor import Cause
from viewer.document.document import Document
from viewer.document.reading import ReadOptions


@dataclass(frozen=True, slots=True)
class Case:
    """Damaged bytes.

    Args:
        cause: what was done.
        data: the damaged bytes.
        expected: the bytes that mending should give.
        choice: how they are opened.
        also: causes that the bytes cannot tell from this one.
        lost: places in *expected* that hold bytes which nobody can know.
        only_note: whether nothing can be mended.
        reads_as: the key of the dialect that the mended bytes are to be read in, empty where that stays.
    """

    cause: Cause
    data: bytes
    expected: bytes
    choice: ReadOptions = field(default_factory=ReadOptions)
    also: frozenset[Cause] = frozenset()
    lost: frozenset[int] = frozenset()
    only_note: bool = False
    reads_as: str = ""

    def is_restored(self, found: bytes) -> bool:
        """Whether these are the undamaged bytes, but for those that nobody can know."""
        if len(found) != len(self.expected):
            return False
        return all(a == b or k in self.lost for k, (a, b) in enumerate(zip(found, self.expected, strict=True)))


Damage = Callable[[Random], Case | None]


def is_seen(case: Case) -> bool:
    """Whether anything in the bytes tells of the damage: what reads as well as before is no damage."""
    if case.only_note or not case.data:
        return True
    document = Document(case.data, choice=case.choice)
    whole = document.frames and not document.gaps and document.wraps.blocked is None
    if not whole or any(f.gap is not None or not f.sound for f in document.frames):
        return True
    return len(document.findings.all()) > len(Document(case.expected, choice=case.choice).findings.all())


def opened(random: Random, source: Source, framing: bool = False) -> ReadOptions:
    """Opened by somebody who knows the engine line, or by somebody who does not."""
    kind = source.framing.kind if framing else None
    return ReadOptions(source.dialect if random.random() < 0.5 else None, None, kind)


def made(cause: Cause, random: Random, source: Source, data: bytes, **more: object) -> Case:
    return Case(cause, data, source.data, opened(random, source), **more)  # type: ignore[arg-type]


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")
