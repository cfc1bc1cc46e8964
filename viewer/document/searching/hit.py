"""Hits: what a search finds, and what it tells after each step."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant.items import Item


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A place found: its bytes, and the item where it had to be looked at anyway."""

    span: Span
    item: Item | None = None


class SkipReason(Enum):
    """Why an expression was not tried at a text."""

    TOO_LONG = "it is too long"
    NOT_UTF8 = "it is not UTF-8"
    TOO_SLOW = "the expression takes too long at it"


@dataclass(frozen=True, slots=True)
class SkippedText:
    """A text that was left out: the offset of its first byte in the innermost layer, and why."""

    offset: int
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class SearchStep:
    """What one step found.

    Args:
        hits: the places, in byte order.
        reached: the offset up to which all is known now.
        left_out: texts that were not looked at.
    """

    hits: list[SearchHit]
    reached: int
    left_out: tuple[SkippedText, ...] = ()

    @property
    def skipped(self) -> int:
        """How many texts were not looked at."""
        return len(self.left_out)
