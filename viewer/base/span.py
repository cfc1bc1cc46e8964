"""Span: a half-open run of bytes in one layer."""

from __future__ import annotations

from viewer.base.record import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Bytes ``start <= offset < end``, counted from the start of their layer or frame."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def covers(self, other: Span) -> bool:
        """Whether *other* lies wholly inside."""
        return self.start <= other.start and other.end <= self.end

    def shifted(self, by: int) -> Span:
        """The same bytes counted from a place *by* bytes earlier."""
        return Span(self.start + by, self.end + by)
