"""Stream slips: lengths that lack, are too many or say something else among stored values that are sound themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from viewer.base.buffer import u32
from viewer.container.frames import STORED, is_header
from viewer.document.doctor.candidate import Candidate, Patch, word
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair_context import WorkBudget, is_readable
from viewer.variant.dialect import Dialect

MOST_FRAMES, LEAST_FRAMES = 256, 2
MOST_BYTES = 1 << 18
LEAST, MOST_BETWEEN = 8, 16
"""Fewer bytes are no value that was stored without its length; so many bytes may stand between two values."""
REGULAR, ONCE = 1.0, 0.3


def stream_slips(data: bytes, dialects: Iterable[Dialect], meter: WorkBudget) -> Iterator[Candidate]:
    """What makes stored values of bytes in which each value is sound, and some lengths are not.

    Raises:
        GivenUp: nobody wants more.
    """
    if not LEAST <= len(data) <= MOST_BYTES:
        return
    for dialect in dialects:
        found = _Stream(data, dialect, meter).slips()
        if found is not None:
            yield found


class _Stream:
    def __init__(self, data: bytes, dialect: Dialect, meter: WorkBudget) -> None:
        self.data = data
        self.dialect = dialect
        self.meter = meter

    def slips(self) -> Candidate | None:
        """All slips together; None where something else is there too, or nothing is wrong."""
        at, frames = 0, 0
        causes: Counter[Cause] = Counter()
        patches: list[Patch] = []
        while at < len(self.data):
            frames += 1
            if frames > MOST_FRAMES or self.meter.spent:
                return None
            size = self._framed(at)
            if size > 0:
                at += 4 + size
                continue
            found = self._slip(at)
            if found is None:
                return None
            cause, patch, at = found
            causes[cause] += 1
            patches.append(patch)
        if frames < LEAST_FRAMES or not patches or len(causes) > 1:
            return None
        cause, count = causes.most_common(1)[0]
        times = "once" if count == 1 else f"{count} times"
        fact = f"It is so {times}, first at 0x{patches[0].at:X}; all values are sound by themselves."
        weight = REGULAR if count >= frames - 1 else ONCE
        return Candidate(cause, tuple(patches), fact, weight, framed=True, framing=STORED, dialect=self.dialect)

    def _size(self, at: int) -> int:
        """The size of the sound value at an offset, 0 where there is none."""
        if at + 4 > len(self.data) or not is_header(self.data, at):
            return 0
        table = self.meter.scan(self.data, at, len(self.data), self.dialect)
        return table.end_of_data if is_readable(table) else 0

    def _framed(self, at: int) -> int:
        """The size of the value that lies at an offset behind its true length, 0 where it does not."""
        if at + 8 > len(self.data):
            return 0
        length = u32(self.data, at)
        if not 4 <= length <= len(self.data) - at - 4 or not is_header(self.data, at + 4):
            return 0
        table = self.meter.scan(self.data, at + 4, at + 4 + length, self.dialect)
        return length if is_readable(table) and table.end_of_data == length else 0

    def _slip(self, at: int) -> tuple[Cause, Patch, int] | None:
        """What is wrong at an offset where no stored value begins, and where the next one may."""
        for size in range(1, MOST_BETWEEN + 1):
            if at + size == len(self.data) or self._framed(at + size):
                return Cause.SEPARATED, Patch(at, size, b""), at + size
        size = self._size(at)
        if size >= LEAST and self._goes_on(at + size):
            return Cause.PREFIX_MISSING, Patch(at, 0, size.to_bytes(4, "little")), at + size
        size = self._size(at + 4)
        if size >= LEAST and self._goes_on(at + 4 + size):
            return Cause.PREFIX_OFF, word(at, size), at + 4 + size
        return None

    def _goes_on(self, at: int) -> bool:
        data = self.data
        return at == len(data) or is_header(data, at) or (at + 8 <= len(data) and is_header(data, at + 4))
